/* The few Mach calls that Metal programs make: page-wise memory of their own task. */
#ifndef SIMMETAL_MACH_H
#define SIMMETAL_MACH_H

#include <mach/kern_return.h>
#include <mach/vm_types.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define VM_FLAGS_FIXED 0
#define VM_FLAGS_ANYWHERE 1

mach_port_t mach_task_self(void);
kern_return_t vm_allocate(vm_map_t task, vm_address_t *address, vm_size_t size, int flags);
kern_return_t vm_deallocate(vm_map_t task, vm_address_t address, vm_size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
