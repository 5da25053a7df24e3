/*
 * A shim as today's are made, written for this comparison: linked to Metal, its constructor hooks
 * Metal's initialisation of devices, and from there the methods of the first device.
 */
#include <stdlib.h>

#include <objc/runtime.h>

static long family_max;
static size_t threadgroup_memory = 65536;
static void (*original_initialise)(id, SEL);
static BOOL (*original_family)(id, SEL, long);
static size_t (*original_threadgroup_memory)(id, SEL);

static BOOL supports_family(id self, SEL selector, long family) {
    return original_family(self, selector, family) || (family >= 1001 && family <= family_max);
}

static size_t max_threadgroup_memory(id self, SEL selector) {
    const size_t stock = original_threadgroup_memory(self, selector);
    return stock > threadgroup_memory ? stock : threadgroup_memory;
}

static IMP replace(Class class, const char *selector, IMP imp) {
    Method method = class_getInstanceMethod(class, sel_registerName(selector));
    return method ? method_setImplementation(method, imp) : NULL;
}

static void initialise(id self, SEL selector) {
    original_initialise(self, selector);
    if (original_family)
        return;
    Class class = object_getClass(self);
    *(IMP *)&original_family = replace(class, "supportsFamily:", (IMP)supports_family);
    *(IMP *)&original_threadgroup_memory =
        replace(class, "maxThreadgroupMemoryLength", (IMP)max_threadgroup_memory);
}

__attribute__((constructor)) static void lume_load(void) {
    const char *value = getenv("LUME_METAL_APPLE_FAMILY_MAX");
    char *end;
    if (!value)
        return;
    family_max = (long)strtoull(value, &end, 0);
    if (*end || family_max < 1001 || family_max > 1999)
        return;
    Class device = objc_getClass("_MTLDevice");
    if (device)
        *(IMP *)&original_initialise = replace(device, "initGPUFamilySupport", (IMP)initialise);
}
