/* Shims: Apple's Objective-C runtime, where GCC's has another function or none. */
#include <dlfcn.h>
#include <string.h>

#include "shims.h"

#define LIBOBJC "libobjc.so.4"

/* FUNCTION(result, name, parameters): a pointer of that name to the runtime's function. */
#define FUNCTION(result, name, ...)                                                                \
    result (*name)(__VA_ARGS__);                                                                   \
    {                                                                                              \
        void *symbol = macho_linux_symbol(LIBOBJC, #name);                                         \
        memcpy(&name, &symbol, sizeof symbol);                                                     \
    }

int shim_class_add_method(void *cls, const void *selector, void *imp, const char *types) {
    FUNCTION(unsigned char, class_addMethod, void *, const void *, void *, const char *)
    return class_addMethod(cls, selector, imp, types) != 0;
}

int shim_class_conforms(void *cls, void *protocol) {
    FUNCTION(unsigned char, class_conformsToProtocol, void *, void *)
    return class_conformsToProtocol(cls, protocol) != 0;
}

/* Compiled classes are data of their image; those made at run time are not. */
const char *shim_class_image_name(void *cls) {
    Dl_info info;
    return cls && dladdr(cls, &info) ? info.dli_fname : NULL;
}

const void *shim_method_name(void *method) {
    FUNCTION(const void *, method_getName, void *)
    FUNCTION(const char *, sel_getName, const void *)
    FUNCTION(const void *, sel_registerName, const char *)
    return method ? sel_registerName(sel_getName(method_getName(method))) : NULL;
}

void *shim_object_class(void *object) {
    return object ? *(void **)object : NULL;
}

/* The simulated Metal has them; without it, and so without Foundation, nothing is autoreleased. */
void *shim_pool_push(void) {
    void *(*push)(void);
    void *symbol = dlsym(RTLD_DEFAULT, "objc_autoreleasePoolPush");
    memcpy(&push, &symbol, sizeof symbol);
    return push ? push() : NULL;
}

void shim_pool_pop(void *pool) {
    void (*pop)(void *);
    void *symbol = dlsym(RTLD_DEFAULT, "objc_autoreleasePoolPop");
    memcpy(&pop, &symbol, sizeof symbol);
    if (pop && pool)
        pop(pool);
}
