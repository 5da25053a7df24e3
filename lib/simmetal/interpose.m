/*
 * Metal's functions that hand out devices, and dyld's interposing of them: a library that is
 * inserted into a program can have every call of a function come to it first, however the caller
 * found the function, but for its own calls and Metal's, which get the real one.
 *
 * Here, such a library defines a function of the same name, and stands before this one in the
 * program's search order. The dynamic linker then brings most calls to it. Those of callers that
 * have looked up the function in this library itself (dlopen, dlsym) come here, and go to it from
 * here.
 */
#import "create.h"

#import <dlfcn.h>
#import <stdatomic.h>
#import <stdbool.h>

/* This thread is in an interposer that was called from here. One that ends in a call of the real
 * function (a jump) leaves its caller's address behind, not its own. */
static __thread bool interposed;

static const void *image_of(const void *address) {
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fbase : NULL;
}

/* Does the image that `caller` is in define `name`? The program itself cannot be opened by name:
 * what it defines comes first in the search order anyway. */
static bool is_interposer(const void *caller, const char *name) {
    Dl_info info;
    void *image = dladdr(caller, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (!image)
        return false;
    const void *found = dlsym(image, name); /* or what it is linked to defines it */
    dlclose(image);
    return found && image_of(found) == info.dli_fbase;
}

static void *look_for_interposer(const char *name, const void *caller) {
    static const char here;
    void *first = dlsym(RTLD_DEFAULT, name);
    if (!first)
        return NULL;
    const void *image = image_of(first), *calling = image_of(caller);
    if (image == image_of(&here) || calling == image_of(&here) || calling == image)
        return NULL;
    return is_interposer(caller, name) ? NULL : first;
}

/* The function that a call of `name` from `caller` is to go to; NULL: to ours. dyld binds a call
 * once, and asks the loader nothing when it is made; so calls are remembered. */
static void *interposer(const char *name, const void *caller) {
    static struct {
        const char *name;
        void *function;
        const void *_Atomic caller; /* set last */
    } bound[64];
    static atomic_uint count;
    if (interposed)
        return NULL;
    for (unsigned i = 0; i < sizeof bound / sizeof bound[0]; i++)
        if (atomic_load(&bound[i].caller) == caller && bound[i].name == name)
            return bound[i].function;
    void *function = look_for_interposer(name, caller);
    const unsigned place = atomic_fetch_add(&count, 1);
    if (place < sizeof bound / sizeof bound[0]) {
        bound[place].name = name;
        bound[place].function = function;
        atomic_store(&bound[place].caller, caller);
    }
    return function;
}

/* Calls function(arguments) as an interposer. */
#define INTERPOSED(result, function, arguments)                                                    \
    interposed = true;                                                                             \
    result = function arguments;                                                                   \
    interposed = false

MTL_EXPORT id<MTLDevice> MTLCreateSystemDefaultDevice(void) {
    id<MTLDevice> (*function)(void) = interposer(__func__, __builtin_return_address(0));
    if (!function)
        return simmetal_copy_default_device();
    id<MTLDevice> device;
    INTERPOSED(device, function, ());
    return device;
}

MTL_EXPORT NSArray<id<MTLDevice>> *MTLCopyAllDevices(void) {
    NSArray *(*function)(void) = interposer(__func__, __builtin_return_address(0));
    if (!function)
        return simmetal_copy_devices();
    NSArray *devices;
    INTERPOSED(devices, function, ());
    return devices;
}

/* No device comes or goes here, so the handler is never called. */
MTL_EXPORT NSArray<id<MTLDevice>> *
MTLCopyAllDevicesWithObserver(id<NSObject> *observer, MTLDeviceNotificationHandler handler) {
    NSArray *(*function)(id<NSObject> *, MTLDeviceNotificationHandler) =
        interposer(__func__, __builtin_return_address(0));
    if (!function) {
        if (observer)
            *observer = [[NSObject alloc] init];
        return simmetal_copy_devices();
    }
    NSArray *devices;
    INTERPOSED(devices, function, (observer, handler));
    return devices;
}

MTL_EXPORT void MTLRemoveDeviceObserver(id<NSObject> observer) {
    (void)observer;
}
