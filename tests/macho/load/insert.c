/*
 * DYLD_INSERT_LIBRARIES for Linux's programs: a library to preload that loads the Mach-O libraries
 * that the variable names, and has Metal's functions, by which the program gets at what they
 * interpose.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "shims.h"

#define LIBSIMMETAL "libsimmetal.so.0"

#define EXPORTED __attribute__((visibility("default")))
EXPORTED void *MTLCreateSystemDefaultDevice(void);
EXPORTED void *MTLCopyAllDevices(void);
EXPORTED void *MTLCopyAllDevicesWithObserver(void **observer, void *handler);

#define FUNCTIONS(X)                                                                               \
    X(MTLCreateSystemDefaultDevice, (void), ())                                                    \
    X(MTLCopyAllDevices, (void), ())                                                               \
    X(MTLCopyAllDevicesWithObserver, (void **observer, void *handler), (observer, handler))

/*
 * Metal's own functions, as the Mach-O images get them. The simulated Metal sends a call to the
 * library that interposes, which is this one, unless it comes from there: so it does. What is done
 * to `result` keeps the call from becoming a jump, which would not come from here.
 */
static void *find(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    void *handle = found ? NULL : dlopen(LIBSIMMETAL, RTLD_NOW | RTLD_GLOBAL);
    return handle ? dlsym(handle, name) : found;
}

#define REAL(name, parameters, arguments)                                                          \
    static void *real_##name parameters {                                                          \
        void *(*function)parameters;                                                               \
        *(void **)&function = find(#name);                                                         \
        void *result = function ? function arguments : NULL;                                       \
        __asm__ volatile("" : "+r"(result));                                                       \
        return result;                                                                             \
    }
FUNCTIONS(REAL)

void *macho_metal(const char *name) {
#define FIND(real, parameters, arguments)                                                          \
    if (strcmp(name, #real) == 0)                                                                  \
        return find(name) ? (void *)(uintptr_t)real_##real : NULL;
    FUNCTIONS(FIND)
    return NULL;
}

/* The same functions, as Linux's callers get them. */
#define INTERPOSED(name, parameters, arguments)                                                    \
    void *name parameters {                                                                        \
        void *(*function)parameters;                                                               \
        *(void **)&function = macho_interposed(macho_metal(#name));                                \
        return function ? function arguments : NULL;                                               \
    }
FUNCTIONS(INTERPOSED)

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
