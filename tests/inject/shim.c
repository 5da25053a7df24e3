/*
 * Somebody else's shim, to preload: devices claim Apple9. SHIM says when it puts its hook in:
 *
 *   load    when it is loaded
 *   init    while Metal makes a device, into the method that the device's class inherits, as
 * today's shims do door    when Metal has handed a device out: on top of what others have put in by
 * then
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <objc/runtime.h>

typedef unsigned char (*family_method)(id, SEL, long);
typedef void (*init_method)(id, SEL);

static family_method family_below;
static init_method init_below;

static long claim(id self, SEL selector, long family) {
    return family_below(self, selector, family) || (family > 1000 && family <= 1009);
}

static void hook(Class class) {
    SEL selector = sel_registerName("supportsFamily:");
    Method method = class_getInstanceMethod(class, selector);
    if (method_getImplementation(method) == (IMP)claim)
        return;
    family_below = (family_method)method_getImplementation(method);
    if (!class_addMethod(class, selector, (IMP)claim, method_getTypeEncoding(method)))
        method_setImplementation(method, (IMP)claim);
}

static void init_and_hook(id self, SEL selector) {
    init_below(self, selector);
    hook(objc_lookUpClass("_MTLDevice"));
}

__attribute__((constructor)) static void install(void) {
    const char *when = getenv("SHIM");
    if (when && strcmp(when, "load") == 0)
        hook(objc_lookUpClass("AppleParavirtDevice"));
    if (when && strcmp(when, "init") == 0) {
        Method method = class_getInstanceMethod(objc_lookUpClass("_MTLDevice"),
                                                sel_registerName("initGPUFamilySupport"));
        init_below = (init_method)method_getImplementation(method);
        method_setImplementation(method, (IMP)init_and_hook);
    }
}

__attribute__((visibility("default"))) void *MTLCreateSystemDefaultDevice(void);

void *MTLCreateSystemDefaultDevice(void) {
    void *(*next)(void);
    *(void **)&next = dlsym(RTLD_NEXT, "MTLCreateSystemDefaultDevice");
    void *device = next();
    const char *when = getenv("SHIM");
    if (when && strcmp(when, "door") == 0)
        hook(*(Class *)device);
    return device;
}
