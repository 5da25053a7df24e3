/*
 * DYLD_INSERT_LIBRARIES for Linux's programs: a library to preload that loads the Mach-O libraries
 * that the variable names, and has Metal's functions, by which the program gets at what they
 * interpose.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "shims.h"

#define DOOR __attribute__((visibility("default")))
DOOR void *MTLCreateSystemDefaultDevice(void);
DOOR void *MTLCopyAllDevices(void);
DOOR void *MTLCopyAllDevicesWithObserver(void **observer, void *handler);

bool macho_is_door(const void *address) {
    const void *const doors[] = {(const void *)(uintptr_t)MTLCreateSystemDefaultDevice,
                                 (const void *)(uintptr_t)MTLCopyAllDevices,
                                 (const void *)(uintptr_t)MTLCopyAllDevicesWithObserver};
    for (size_t i = 0; i < sizeof doors / sizeof doors[0]; i++)
        if (doors[i] == address)
            return true;
    return false;
}

/* What an image of Darwin that calls `name` would reach; NULL: there is no Metal. */
static void *behind_door(const char *name) {
    return macho_interposed(macho_linux_symbol(macho_linux_library("/Metal.framework/"), name));
}

void *MTLCreateSystemDefaultDevice(void) {
    void *(*function)(void);
    *(void **)&function = behind_door("MTLCreateSystemDefaultDevice");
    return function ? function() : NULL;
}

void *MTLCopyAllDevices(void) {
    void *(*function)(void);
    *(void **)&function = behind_door("MTLCopyAllDevices");
    return function ? function() : NULL;
}

void *MTLCopyAllDevicesWithObserver(void **observer, void *handler) {
    void *(*function)(void **, void *);
    *(void **)&function = behind_door("MTLCopyAllDevicesWithObserver");
    return function ? function(observer, handler) : NULL;
}

/* dyld ends a process whose library cannot be inserted. */
static void insert(const char *path) {
    char problem[8192];
    struct macho_image *image = macho_open(path, MACHO_INSERTED, problem, sizeof problem);
    if (!image) {
        fprintf(stderr, "macho: %s\n", problem);
        abort();
    }
}

__attribute__((constructor)) static void insert_libraries(void) {
    const char *variable = getenv("DYLD_INSERT_LIBRARIES");
    char *paths = variable ? strdup(variable) : NULL, *rest = NULL;
    for (char *path = strtok_r(paths, ":", &rest); path; path = strtok_r(NULL, ":", &rest))
        insert(path);
    free(paths);
}
