/* Devices and classes, without the library. */
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* ---- devices -------------------------------------------------------------- */

code code_for(void *object, const char *selector) {
    return (code)objc_msg_lookup((id)object, sel_registerName(selector));
}

void *device_at(unsigned index) {
    void *list = MTLCopyAllDevices();
    void *device = NULL;
    if (index < simmetal_ask(list, "count"))
        device = (void *)(uintptr_t)simmetal_ask_with(list, "objectAtIndex:", index);
    simmetal_retain(device);
    simmetal_release(list);
    return device;
}

void *device_of_class(const char *class_name) {
    void *device = simmetal_create_device_of("paravirt", 0, class_name);
    assert_non_null(device);
    return device;
}

bool supports_family(void *device, int64_t family) {
    /* a BOOL: one byte of the register */
    return (unsigned char)simmetal_ask_with(device, "supportsFamily:", family) != 0;
}

int64_t highest_family(void *device, int64_t axis) {
    int64_t highest = 0;
    for (int64_t family = axis + 1; family <= axis + 10; family++)
        if (supports_family(device, family))
            highest = family;
    return highest;
}

struct triple ask_triple(void *device, const char *selector) {
    typedef struct triple (*method)(id, SEL);
    return ((method)code_for(device, selector))((id)device, sel_registerName(selector));
}

/* ---- classes -------------------------------------------------------------- */

Class class_named(const char *name) {
    Class cls = (Class)objc_lookUpClass(name);
    assert_non_null(cls);
    return cls;
}

Method own_method(Class cls, const char *selector) {
    unsigned count = 0;
    Method *methods = class_copyMethodList(cls, &count);
    Method own = NULL;
    for (unsigned i = 0; i < count && !own; i++)
        if (strcmp(sel_getName(method_getName(methods[i])), selector) == 0)
            own = methods[i];
    free(methods);
    return own;
}

code own_code(Class cls, const char *selector) {
    Method own = own_method(cls, selector);
    return own ? (code)method_getImplementation(own) : NULL;
}

unsigned own_method_count(Class cls) {
    unsigned count = 0;
    free(class_copyMethodList(cls, &count));
    return count;
}

code put_method(Class cls, const char *selector, code new_code) {
    SEL sel = sel_registerName(selector);
    Method inherited = class_getInstanceMethod(cls, sel);
    assert_non_null(inherited);
    Method own = own_method(cls, selector);
    if (own)
        return (code)method_setImplementation(own, (IMP)new_code);
    const code before = (code)method_getImplementation(inherited);
    assert_true(class_addMethod(cls, sel, (IMP)new_code, method_getTypeEncoding(inherited)));
    return before;
}

Class make_subclass(Class superclass, const char *name) {
    Class made = objc_allocateClassPair(superclass, name, 0);
    assert_non_null(made);
    objc_registerClassPair(made);
    return made;
}

void set_class(void *object, Class cls) {
    object_setClass((id)object, cls);
}
