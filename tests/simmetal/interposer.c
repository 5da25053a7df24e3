/* A library that interposes Metal's functions, counts the calls, and calls what comes next. NAME
 * tells several apart. */
#define _GNU_SOURCE
#include <dlfcn.h>

#define EXPORT __attribute__((visibility("default")))
#define JOIN(a, b) a##b
#define COUNTER(name) JOIN(interposer_calls_, name)

EXPORT int COUNTER(NAME);
EXPORT void *MTLCreateSystemDefaultDevice(void *, void *);
EXPORT void *MTLCopyAllDevices(void *, void *);
EXPORT void *MTLCopyAllDevicesWithObserver(void *, void *);

typedef void *metal_function(void *, void *);

/* Metal's own where it is not for all to see. */
static metal_function *next(const char *name) {
    COUNTER(NAME)++;
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        found = dlsym(dlopen("libsimmetal.so.0", RTLD_LAZY | RTLD_NOLOAD), name);
    metal_function *function;
    *(void **)&function = found;
    return function;
}

/* Does something after the call, unless it is to end in a jump. */
#ifdef JUMPS
#define CALL(name, a, b) return next(name)(a, b)
#else
static void *volatile last;
#define CALL(name, a, b)                                                                           \
    last = next(name)(a, b);                                                                       \
    return last
#endif

void *MTLCreateSystemDefaultDevice(void *a, void *b) {
    CALL("MTLCreateSystemDefaultDevice", a, b);
}

void *MTLCopyAllDevices(void *a, void *b) {
    CALL("MTLCopyAllDevices", a, b);
}

void *MTLCopyAllDevicesWithObserver(void *a, void *b) {
    CALL("MTLCopyAllDevicesWithObserver", a, b);
}
