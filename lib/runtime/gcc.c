/*
 * GCC's Objective-C runtime, and the simulated Metal. Nothing of it is linked: the runtime is
 * opened if the process has it, so that the library loads where there is none.
 *
 * Functions of the runtime are looked up in the global scope first, where the simulated Metal has
 * versions of some that behave as Apple's.
 */
#if !defined(__APPLE__)

#define _GNU_SOURCE
#include "runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBOBJC "libobjc.so.4"
#define SIMMETAL "libsimmetal.so.0"

struct super {
    mtlcap__id self;
    mtlcap__class super_class;
};

/* The functions of the runtime that are used: X(result, name, parameters) */
#define RUNTIME_FUNCTIONS(X)                                                                       \
    X(mtlcap__sel, sel_registerName, (const char *))                                               \
    X(unsigned char, sel_isEqual, (mtlcap__sel, mtlcap__sel))                                      \
    X(mtlcap__class, objc_lookUpClass, (const char *))                                             \
    X(mtlcap__class, class_getSuperclass, (mtlcap__class))                                         \
    X(const char *, class_getName, (mtlcap__class))                                                \
    X(mtlcap__id, objc_getProtocol, (const char *))                                                \
    X(unsigned char, class_conformsToProtocol, (mtlcap__class, mtlcap__id))                        \
    X(mtlcap__method, class_getInstanceMethod, (mtlcap__class, mtlcap__sel))                       \
    X(mtlcap__method, class_getClassMethod, (mtlcap__class, mtlcap__sel))                          \
    X(mtlcap__method *, class_copyMethodList, (mtlcap__class, unsigned *))                         \
    X(mtlcap__sel, method_getName, (mtlcap__method))                                               \
    X(const char *, method_getTypeEncoding, (mtlcap__method))                                      \
    X(mtlcap__imp, method_getImplementation, (mtlcap__method))                                     \
    X(mtlcap__imp, method_setImplementation, (mtlcap__method, mtlcap__imp))                        \
    X(unsigned char, class_addMethod, (mtlcap__class, mtlcap__sel, mtlcap__imp, const char *))     \
    X(mtlcap__imp, objc_msg_lookup, (mtlcap__id, mtlcap__sel))                                     \
    X(mtlcap__imp, objc_msg_lookup_super, (struct super *, mtlcap__sel))                           \
    X(mtlcap__class, objc_allocateClassPair, (mtlcap__class, const char *, size_t))                \
    X(void, objc_registerClassPair, (mtlcap__class))

#define FUNCTION_TYPE(result, name, parameters) typedef result name##_function parameters;
RUNTIME_FUNCTIONS(FUNCTION_TYPE)
#undef FUNCTION_TYPE

/* Threads that open at the same time all store the same, so no lock is needed. */
static struct {
#define MEMBER(result, name, parameters) _Atomic(name##_function *) name;
    RUNTIME_FUNCTIONS(MEMBER)
#undef MEMBER
    _Atomic(mtlcap__sel) alloc, init, release;
} rt;

static atomic_bool opened;

/* From a library, if it is in the process already. */
static void *find_in(const char *library, const char *name) {
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    void *found = handle ? dlsym(handle, name) : NULL;
    if (handle)
        dlclose(handle);
    return found;
}

/* From the global scope, else from the runtime. */
static void *find(const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    return found ? found : find_in(LIBOBJC, name);
}

const char *mtlcap__rt_open(void) {
    if (atomic_load_explicit(&opened, memory_order_acquire))
        return NULL;
    if (!find("objc_msg_lookup"))
        return "there is no Objective-C runtime in this process (" LIBOBJC ")";
#define LOOK_UP(result, name, parameters)                                                          \
    {                                                                                              \
        void *symbol = find(#name);                                                                \
        name##_function *function;                                                                 \
        memcpy((void *)&function, (void *)&symbol, sizeof symbol);                                 \
        if (!function)                                                                             \
            return "the Objective-C runtime of this process has no " #name;                        \
        atomic_store_explicit(&rt.name, function, memory_order_relaxed);                           \
    }
    RUNTIME_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    atomic_store_explicit(&rt.alloc, rt.sel_registerName("alloc"), memory_order_relaxed);
    atomic_store_explicit(&rt.init, rt.sel_registerName("init"), memory_order_relaxed);
    atomic_store_explicit(&rt.release, rt.sel_registerName("release"), memory_order_relaxed);
    /* The hooks outlive whoever brought the runtime in. */
    dlopen(LIBOBJC, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    atomic_store_explicit(&opened, true, memory_order_release);
    return NULL;
}

void *mtlcap__rt_metal_function(const char *name) {
    dlopen(SIMMETAL, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE); /* the function is remembered */
    void *found = find_in(SIMMETAL, name); /* which first in the search order may interpose */
    return found ? found : dlsym(RTLD_DEFAULT, name);
}

mtlcap__sel mtlcap__rt_selector(const char *name) {
    return rt.sel_registerName(name);
}

mtlcap__class mtlcap__rt_class_named(const char *name) {
    return rt.objc_lookUpClass(name);
}

mtlcap__class mtlcap__rt_class_of(mtlcap__id object) {
    return *(mtlcap__class *)object; /* as GCC's object_getClass, which is in its header only */
}

mtlcap__class mtlcap__rt_superclass(mtlcap__class cls) {
    return rt.class_getSuperclass(cls);
}

const char *mtlcap__rt_class_name(mtlcap__class cls) {
    return rt.class_getName(cls);
}

struct place {
    ElfW(Addr) address;
    char *path;
    size_t size;
};

static int look_in_image(struct dl_phdr_info *info, size_t size, void *data) {
    const struct place *place = data;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD ||
            place->address - info->dlpi_addr - segment->p_vaddr >= segment->p_memsz)
            continue;
        snprintf(place->path, place->size, "%s",
                 info->dlpi_name[0] ? info->dlpi_name : program_invocation_name);
        return 1;
    }
    return 0;
}

/* As dladdr(), which waits for whoever is loading a library, and runs its constructors. */
static bool image_of(const void *address, char *path, size_t size) {
    struct place place = {(ElfW(Addr))address, path, size};
    return dl_iterate_phdr(look_in_image, &place) != 0;
}

bool mtlcap__rt_class_image(mtlcap__class cls, char *path, size_t size) {
    return image_of(cls, path,
                    size); /* compiled classes are data of their image, others malloced */
}

bool mtlcap__rt_code_image(mtlcap__imp imp, char *path, size_t size) {
    return image_of((const void *)(uintptr_t)imp, path, size);
}

bool mtlcap__rt_code_symbol(uintptr_t address, char *image, size_t image_size, char *symbol,
                            size_t symbol_size) {
    Dl_info info;
    symbol[0] = '\0';
    if (!image_of((const void *)address, image, image_size))
        return false;
    if (dladdr((const void *)address, &info) && info.dli_sname)
        snprintf(symbol, symbol_size, "%s", info.dli_sname);
    return true;
}

struct visitor {
    void (*visit)(uintptr_t start, uintptr_t end, const char *path, void *data);
    void *data;
};

static int visit_image(struct dl_phdr_info *info, size_t size, void *data) {
    const struct visitor *visitor = data;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        const uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_X)
            visitor->visit(start, start + segment->p_memsz,
                           info->dlpi_name[0] ? info->dlpi_name : program_invocation_name,
                           visitor->data);
    }
    return 0;
}

void mtlcap__rt_images_each(void (*visit)(uintptr_t start, uintptr_t end, const char *path,
                                          void *data),
                            void *data) {
    struct visitor visitor = {visit, data};
    dl_iterate_phdr(visit_image, &visitor);
}

static int take_counts(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    *(struct dl_phdr_info *)data = *info;
    return 1;
}

unsigned long mtlcap__rt_images_loaded(void) {
    struct dl_phdr_info counts = {.dlpi_adds = 0};
    dl_iterate_phdr(take_counts, &counts);
    return (unsigned long)counts.dlpi_adds;
}

unsigned long mtlcap__rt_images_unloaded(void) {
    struct dl_phdr_info counts = {.dlpi_subs = 0};
    dl_iterate_phdr(take_counts, &counts);
    return (unsigned long)counts.dlpi_subs;
}

bool mtlcap__rt_conforms(mtlcap__class cls, const char *protocol) {
    mtlcap__id adopted = rt.objc_getProtocol(protocol);
    for (; adopted && cls; cls = rt.class_getSuperclass(cls))
        if (rt.class_conformsToProtocol(cls, adopted))
            return true;
    return false;
}

mtlcap__method mtlcap__rt_method(mtlcap__class cls, mtlcap__sel selector) {
    return rt.class_getInstanceMethod(cls, selector);
}

mtlcap__method mtlcap__rt_own_method(mtlcap__class cls, mtlcap__sel selector) {
    unsigned count = 0;
    mtlcap__method *methods = rt.class_copyMethodList(cls, &count);
    mtlcap__method own = NULL;
    for (unsigned i = 0; i < count && !own; i++)
        if (rt.sel_isEqual(rt.method_getName(methods[i]), selector))
            own = methods[i];
    free(methods);
    return own;
}

const char *mtlcap__rt_method_types(mtlcap__method method) {
    return rt.method_getTypeEncoding(method);
}

mtlcap__imp mtlcap__rt_method_imp(mtlcap__method method) {
    return rt.method_getImplementation(method);
}

mtlcap__imp mtlcap__rt_set_imp(mtlcap__method method, mtlcap__imp imp) {
    return rt.method_setImplementation(method, imp);
}

bool mtlcap__rt_add_method(mtlcap__class cls, mtlcap__sel selector, mtlcap__imp imp,
                           const char *types) {
    return rt.class_addMethod(cls, selector, imp, types);
}

mtlcap__imp mtlcap__rt_dispatch(mtlcap__id object, mtlcap__sel selector) {
    return rt.objc_msg_lookup(object, selector);
}

mtlcap__imp mtlcap__rt_super_dispatch(mtlcap__id object, mtlcap__class superclass,
                                      mtlcap__sel selector) {
    struct super super = {object, superclass};
    return rt.objc_msg_lookup_super(&super, selector);
}

static mtlcap__id send(mtlcap__id object, mtlcap__sel selector) {
    mtlcap__imp imp = rt.objc_msg_lookup(object, selector);
    return ((mtlcap__id(*)(mtlcap__id, mtlcap__sel))imp)(object, selector);
}

void *mtlcap__rt_pool_push(void) {
    static _Atomic(mtlcap__class) found; /* looking for it takes the runtime's lock */
    mtlcap__class pool = atomic_load_explicit(&found, memory_order_acquire);
    if (!pool) {
        pool = rt.objc_lookUpClass("NSAutoreleasePool");
        atomic_store_explicit(&found, pool, memory_order_release);
    }
    return pool ? send(send((mtlcap__id)(void *)pool, rt.alloc), rt.init) : NULL;
}

void mtlcap__rt_pool_pop(void *pool) {
    if (pool)
        send(pool, rt.release);
}

bool mtlcap__rt_plausible(const void *pointer) {
    const uintptr_t address = (uintptr_t)pointer;
    return address >= 4096 && !(address & (sizeof(void *) - 1)) && address >> 47 == 0;
}

static const void *table_of(mtlcap__class cls) {
    if (!cls)
        return NULL;
    mtlcap__sel selector = rt.sel_registerName("mtlcapTable");
    mtlcap__method method = rt.class_getClassMethod(cls, selector);
    if (!method)
        return NULL;
    mtlcap__imp imp = rt.method_getImplementation(method);
    return ((const void *(*)(mtlcap__class, mtlcap__sel))imp)(cls, selector);
}

const void *mtlcap__rt_find_table(const char *class_name) {
    return table_of(rt.objc_lookUpClass(class_name));
}

const void *mtlcap__rt_publish_table(const char *class_name, const void *(*table)(void)) {
    mtlcap__class cls = rt.objc_allocateClassPair(rt.objc_lookUpClass("NSObject"), class_name, 0);
    if (cls) {
        rt.class_addMethod(mtlcap__rt_class_of((mtlcap__id)(void *)cls),
                           rt.sel_registerName("mtlcapTable"), (mtlcap__imp)table, "^v@:");
        rt.objc_registerClassPair(cls);
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
