/*
 * macOS: DYLD_INSERT_LIBRARIES, and tuples by which dyld binds every other image's uses of Metal's
 * functions, and what dlsym() finds for them, to ours. This image's own uses stay Metal's.
 *
 * dyld reads tuples at launch only, and skips those whose second half is NULL: where there is no
 * Metal, nothing is interposed.
 */
#include <crt_externs.h>
#include <dlfcn.h>
#include <limits.h>
#include <mach-o/dyld.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    const bool known = dladdr(mtlcap__insertion_variable, &info) && info.dli_fname &&
                       strlen(info.dli_fname) < size;
    snprintf(path, size, "%s", known ? info.dli_fname : "");
    return known;
}

bool mtlcap__program_path(char *path, size_t size) {
    uint32_t room = (uint32_t)size;
    const bool fits = _NSGetExecutablePath(path, &room) == 0;
    if (!fits)
        path[0] = '\0';
    return fits;
}

bool mtlcap__program_alias(char *path, size_t size) {
    char started[PATH_MAX];
    char *file = mtlcap__program_path(started, sizeof started) ? realpath(started, NULL) : NULL;
    const bool fits = file && strlen(file) < size;
    strcpy(path, fits ? file : "");
    free(file);
    return fits;
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
