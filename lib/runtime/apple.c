/* Apple's Objective-C runtime, and Metal of macOS. Uses libSystem and libobjc only. */
#if defined(__APPLE__)

#include "runtime.h"

#include <dlfcn.h>
#include <mach-o/dyld.h>
#include <mach-o/loader.h>
#include <objc/message.h>
#include <objc/runtime.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exported by libobjc for compilers; not in its headers. */
extern void *objc_autoreleasePoolPush(void);
extern void objc_autoreleasePoolPop(void *pool);

static Class to_class(mtlcap__class cls) {
    return (Class)(void *)cls;
}

static SEL to_sel(mtlcap__sel selector) {
    return (SEL)(uintptr_t)selector;
}

static Method to_method(mtlcap__method method) {
    return (Method)(void *)method;
}

const char *mtlcap__rt_open(void) {
    return NULL;
}

void *mtlcap__rt_metal_function(const char *name) {
    void *function = dlsym(RTLD_DEFAULT, name);
    if (!function && dlopen("/System/Library/Frameworks/Metal.framework/Metal", RTLD_LAZY))
        function = dlsym(RTLD_DEFAULT, name);
    return function;
}

mtlcap__sel mtlcap__rt_selector(const char *name) {
    return (mtlcap__sel)(void *)sel_registerName(name);
}

mtlcap__class mtlcap__rt_class_named(const char *name) {
    return (mtlcap__class)(void *)objc_lookUpClass(name);
}

mtlcap__class mtlcap__rt_class_of(mtlcap__id object) {
    return (mtlcap__class)(void *)object_getClass((id)(void *)object);
}

mtlcap__class mtlcap__rt_superclass(mtlcap__class cls) {
    return (mtlcap__class)(void *)class_getSuperclass(to_class(cls));
}

const char *mtlcap__rt_class_name(mtlcap__class cls) {
    return class_getName(to_class(cls));
}

bool mtlcap__rt_class_image(mtlcap__class cls, char *path, size_t size) {
    const char *image = class_getImageName(to_class(cls));
    if (!image)
        return false;
    snprintf(path, size, "%s", image);
    return true;
}

bool mtlcap__rt_code_image(mtlcap__imp imp, char *path, size_t size) {
    uintptr_t address = (uintptr_t)imp;
#if defined(__arm64__)
    address &= 0x00007fffffffffff; /* a signed pointer's signature is above the address */
#endif
    Dl_info info;
    if (!dladdr((const void *)address, &info) || !info.dli_fname)
        return false;
    snprintf(path, size, "%s", info.dli_fname);
    return true;
}

bool mtlcap__rt_code_symbol(uintptr_t address, char *image, size_t image_size, char *symbol,
                            size_t symbol_size) {
    Dl_info info;
    symbol[0] = '\0';
    if (!dladdr((const void *)address, &info) || !info.dli_fname)
        return false;
    snprintf(image, image_size, "%s", info.dli_fname);
    if (info.dli_sname)
        snprintf(symbol, symbol_size, "%s", info.dli_sname);
    return true;
}

/* Of an image's own header: where its code ends. */
static uintptr_t code_size(const struct mach_header_64 *header) {
    const struct load_command *command = (const struct load_command *)(header + 1);
    for (uint32_t i = 0; i < header->ncmds; i++) {
        const struct segment_command_64 *segment = (const struct segment_command_64 *)command;
        if (command->cmd == LC_SEGMENT_64 && strcmp(segment->segname, SEG_TEXT) == 0)
            return segment->vmsize;
        command = (const struct load_command *)((const char *)command + command->cmdsize);
    }
    return 0;
}

void mtlcap__rt_images_each(void (*visit)(uintptr_t start, uintptr_t end, const char *path,
                                          void *data),
                            void *data) {
    const uint32_t count = _dyld_image_count();
    for (uint32_t i = 0; i < count; i++) {
        const void *header = _dyld_get_image_header(i);
        const char *path = _dyld_get_image_name(i);
        if (header && path) /* or one was unloaded meanwhile */
            visit((uintptr_t)header, (uintptr_t)header + code_size(header), path, data);
    }
}

unsigned long mtlcap__rt_images_loaded(void) {
    return _dyld_image_count();
}

/* It would take a callback in dyld, for ever. Images with classes, or Swift, never go. */
unsigned long mtlcap__rt_images_unloaded(void) {
    return 0;
}

bool mtlcap__rt_conforms(mtlcap__class cls, const char *protocol) {
    Protocol *adopted = objc_getProtocol(protocol);
    for (Class c = to_class(cls); adopted && c; c = class_getSuperclass(c))
        if (class_conformsToProtocol(c, adopted))
            return true;
    return false;
}

mtlcap__method mtlcap__rt_method(mtlcap__class cls, mtlcap__sel selector) {
    return (mtlcap__method)(void *)class_getInstanceMethod(to_class(cls), to_sel(selector));
}

mtlcap__method mtlcap__rt_own_method(mtlcap__class cls, mtlcap__sel selector) {
    unsigned count = 0;
    Method *methods = class_copyMethodList(to_class(cls), &count);
    Method own = NULL;
    for (unsigned i = 0; i < count && !own; i++)
        if (method_getName(methods[i]) == to_sel(selector))
            own = methods[i];
    free(methods);
    return (mtlcap__method)(void *)own;
}

const char *mtlcap__rt_method_types(mtlcap__method method) {
    return method_getTypeEncoding(to_method(method));
}

mtlcap__imp mtlcap__rt_method_imp(mtlcap__method method) {
    return (mtlcap__imp)method_getImplementation(to_method(method));
}

mtlcap__imp mtlcap__rt_set_imp(mtlcap__method method, mtlcap__imp imp) {
    return (mtlcap__imp)method_setImplementation(to_method(method), (IMP)imp);
}

bool mtlcap__rt_add_method(mtlcap__class cls, mtlcap__sel selector, mtlcap__imp imp,
                           const char *types) {
    return class_addMethod(to_class(cls), to_sel(selector), (IMP)imp, types);
}

mtlcap__imp mtlcap__rt_dispatch(mtlcap__id object, mtlcap__sel selector) {
    return (mtlcap__imp)class_getMethodImplementation(object_getClass((id)(void *)object),
                                                      to_sel(selector));
}

mtlcap__imp mtlcap__rt_super_dispatch(mtlcap__id object, mtlcap__class superclass,
                                      mtlcap__sel selector) {
    (void)object;
    return (mtlcap__imp)class_getMethodImplementation(to_class(superclass), to_sel(selector));
}

void *mtlcap__rt_pool_push(void) {
    return objc_autoreleasePoolPush();
}

void mtlcap__rt_pool_pop(void *pool) {
    objc_autoreleasePoolPop(pool);
}

bool mtlcap__rt_plausible(const void *pointer) {
    const uintptr_t address = (uintptr_t)pointer;
    const uintptr_t tagged = (uintptr_t)1 << 63; /* arm64; on x86-64 the lowest bit tags */
    return address >= 4096 && !(address & 7) && !(address & tagged);
}

static const void *table_of(Class cls) {
    if (!cls)
        return NULL;
    SEL selector = sel_registerName("mtlcapTable");
    Method method = class_getClassMethod(cls, selector);
    if (!method)
        return NULL;
    return ((const void *(*)(id, SEL))method_getImplementation(method))((id)cls, selector);
}

const void *mtlcap__rt_find_table(const char *class_name) {
    return table_of(objc_lookUpClass(class_name));
}

const void *mtlcap__rt_publish_table(const char *class_name, const void *(*table)(void)) {
    Class cls = objc_allocateClassPair(objc_lookUpClass("NSObject"), class_name, 0);
    if (cls) {
        class_addMethod(object_getClass((id)cls), sel_registerName("mtlcapTable"), (IMP)table,
                        "^v@:");
        objc_registerClassPair(cls);
    }
    /* Whoever registered first under this name is the one that everybody finds. */
    return mtlcap__rt_find_table(class_name);
}

void mtlcap__rt_pin(void) {
    static atomic_bool pinned;
    Dl_info info;
    if (!atomic_exchange(&pinned, true) &&
        dladdr((const void *)(uintptr_t)&mtlcap__rt_pin, &info) && info.dli_fname)
        dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

#endif
