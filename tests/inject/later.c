/*
 * Comes between the program and the simulated Metal, as a library to preload: by turns, a new
 * device is Metal's default one, or one of a class that is in no list of Metal's. LATER=first: the
 * other class comes first.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>

__attribute__((visibility("default"))) void *MTLCreateSystemDefaultDevice(void);

static void *next(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

void *MTLCreateSystemDefaultDevice(void) {
    static atomic_uint calls;
    const unsigned turn = atomic_fetch_add(&calls, 1) + (getenv("OTHER_FIRST") ? 1 : 0);
    void *(*create_default)(void);
    void *(*create_other)(const char *, unsigned, const char *);
    *(void **)&create_default = next("MTLCreateSystemDefaultDevice");
    *(void **)&create_other = next("simmetal_create_device_of");
    return turn % 2 == 0 ? create_default() : create_other("two-vendors", 1, NULL);
}
