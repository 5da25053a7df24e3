/*
 * macOS: DYLD_INSERT_LIBRARIES, and tuples by which dyld binds every other image's uses of Metal's
 * functions, and what dlsym() finds for them, to ours. This image's own uses stay Metal's.
 *
 * dyld reads tuples at launch only, and skips those whose second half is NULL: where there is no
 * Metal, nothing is interposed.
 */
#include <crt_externs.h>
#include <dlfcn.h>
#include <mach-o/dyld.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "inject.h"

const char mtlcap__insertion_variable[] = "DYLD_INSERT_LIBRARIES";

/* Metal is a weak library of this one: without it these are NULL. */
#define METAL extern __attribute__((weak_import))
METAL void *MTLCreateSystemDefaultDevice(void);
METAL void *MTLCopyAllDevices(void);
METAL void *MTLCopyAllDevicesWithObserver(void **observer, void *handler);

#define INTERPOSE(replacement, replacee)                                                           \
    __attribute__((used, section("__DATA,__interpose"))) static const struct {                     \
        const void *replacement_function, *replacee_function;                                      \
    } interpose_##replacee = {(const void *)(uintptr_t)&(replacement),                             \
                              (const void *)(uintptr_t)&(replacee)}

INTERPOSE(mtlcap__door_create_system_default_device, MTLCreateSystemDefaultDevice);
INTERPOSE(mtlcap__door_copy_all_devices, MTLCopyAllDevices);
INTERPOSE(mtlcap__door_copy_all_devices_with_observer, MTLCopyAllDevicesWithObserver);

char **mtlcap__environ(void) {
    return *_NSGetEnviron();
}

bool mtlcap__own_path(char *path, size_t size) {
    Dl_info info;
    if (!dladdr(mtlcap__insertion_variable, &info) || !info.dli_fname)
        return false;
    return snprintf(path, size, "%s", info.dli_fname) < (int)size;
}

bool mtlcap__program_path(char *path, size_t size) {
    uint32_t room = (uint32_t)size;
    return _NSGetExecutablePath(path, &room) == 0;
}

bool mtlcap__secure_execution(void) {
    return issetugid() != 0;
}

struct mtlcap__metal mtlcap__real_metal(void) {
    return (struct mtlcap__metal){MTLCreateSystemDefaultDevice, MTLCopyAllDevices,
                                  MTLCopyAllDevicesWithObserver};
}

/* What dlsym() gives the interposing image itself is not documented: Metal's own function is no
 * proof that nobody else gets ours. */
bool mtlcap__interposed(bool inserted) {
    const void *first = dlsym(RTLD_DEFAULT, "MTLCreateSystemDefaultDevice");
    if (first == (const void *)(uintptr_t)&MTLCreateSystemDefaultDevice)
        return inserted;
    return first == (const void *)(uintptr_t)&mtlcap__door_create_system_default_device;
}
