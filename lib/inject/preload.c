/* Off a Mac: LD_PRELOAD, and functions of Metal's names, which the dynamic linker finds before the
 * simulated Metal's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "inject.h"

#define SIMMETAL "libsimmetal.so.0"
#define EXPORTED __attribute__((visibility("default")))

const char mtlcap__insertion_variable[] = "LD_PRELOAD";

EXPORTED void *MTLCreateSystemDefaultDevice(void);
EXPORTED void *MTLCopyAllDevices(void);
EXPORTED void *MTLCopyAllDevicesWithObserver(void **observer, void *handler);

void *MTLCreateSystemDefaultDevice(void) {
    return mtlcap__door_create_system_default_device();
}

void *MTLCopyAllDevices(void) {
    return mtlcap__door_copy_all_devices();
}

void *MTLCopyAllDevicesWithObserver(void **observer, void *handler) {
    return mtlcap__door_copy_all_devices_with_observer(observer, handler);
}

char **mtlcap__environ(void) {
    return environ;
}

bool mtlcap__own_path(char *path, size_t size) {
    Dl_info info;
    path[0] = '\0';
    if (!dladdr(mtlcap__insertion_variable, &info) || !info.dli_fname)
        return false;
    char *absolute = realpath(info.dli_fname, NULL);
    const bool fits = absolute && strlen(absolute) < size;
    if (fits)
        strcpy(path, absolute);
    free(absolute);
    return fits;
}

bool mtlcap__program_path(char *path, size_t size) {
    const ssize_t length = readlink("/proc/self/exe", path, size);
    const bool fits = length > 0 && (size_t)length < size;
    path[fits ? length : 0] = '\0';
    return fits;
}

bool mtlcap__program_alias(char *path, size_t size) {
    const char *started = (const char *)getauxval(AT_EXECFN);
    const bool fits = started && strlen(started) < size;
    strcpy(path, fits ? started : "");
    return fits;
}

bool mtlcap__secure_execution(void) {
    return getauxval(AT_SECURE) != 0;
}

/* The next one in the program's search order; a simulated Metal that was opened for its opener only
 * is in none. */
static void *find(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) {
        void *handle = dlopen(SIMMETAL, RTLD_LAZY | RTLD_NOLOAD);
        if (handle) {
            found = dlsym(handle, name);
            dlclose(handle);
        }
    }
    return found;
}

struct mtlcap__metal mtlcap__real_metal(void) {
    struct mtlcap__metal metal;
    *(void **)&metal.create_system_default_device = find("MTLCreateSystemDefaultDevice");
    *(void **)&metal.copy_all_devices = find("MTLCopyAllDevices");
    *(void **)&metal.copy_all_devices_with_observer = find("MTLCopyAllDevicesWithObserver");
    return metal;
}

/* The program's search order, not that of this library, which begins with what was opened together
 * with it. */
bool mtlcap__interposed(bool inserted) {
    (void)inserted;
    Dl_info first, own;
    void *program = dlopen(NULL, RTLD_LAZY);
    void *found = program ? dlsym(program, "MTLCreateSystemDefaultDevice") : NULL;
    if (program)
        dlclose(program);
    return found && dladdr(found, &first) && dladdr(mtlcap__insertion_variable, &own) &&
           first.dli_fbase == own.dli_fbase;
}
