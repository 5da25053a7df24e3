/* The Mach calls that Metal programs make, by mmap. */
#include <mach/mach.h>

#include <sys/mman.h>

mach_port_t mach_task_self(void) {
    return 1;
}

kern_return_t vm_allocate(vm_map_t task, vm_address_t *address, vm_size_t size, int flags) {
    if (task != mach_task_self() || !address)
        return KERN_INVALID_ARGUMENT;
    if (size == 0) {
        *address = 0;
        return KERN_SUCCESS;
    }
    void *hint = (flags & VM_FLAGS_ANYWHERE) ? (void *)0 : (void *)*address;
    void *memory = mmap(hint, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return KERN_NO_SPACE;
    if (!(flags & VM_FLAGS_ANYWHERE) && memory != hint) {
        munmap(memory, size);
        return KERN_NO_SPACE;
    }
    *address = (vm_address_t)memory;
    return KERN_SUCCESS;
}

kern_return_t vm_deallocate(vm_map_t task, vm_address_t address, vm_size_t size) {
    if (task != mach_task_self())
        return KERN_INVALID_ARGUMENT;
    if (size == 0)
        return KERN_SUCCESS;
    return munmap((void *)address, size) == 0 ? KERN_SUCCESS : KERN_INVALID_ADDRESS;
}
