/* What blocks retain. On a Mac a copied block retains the objects that it has captured;
 * libBlocksRuntime knows of no objects. This library comes before it in the search order. */
#import <Foundation/Foundation.h>

#include <dlfcn.h>

#define BLOCK_FIELD_IS_OBJECT 3

#define EXPORT __attribute__((visibility("default")))

EXPORT void _Block_object_assign(void *destination, const void *object, const int flags);
EXPORT void _Block_object_dispose(const void *object, const int flags);

void _Block_object_assign(void *destination, const void *object, const int flags) {
    static void (*next)(void *, const void *, int);
    if (flags == BLOCK_FIELD_IS_OBJECT) {
        *(id *)destination = [(id)object retain];
        return;
    }
    if (!next)
        next = (void (*)(void *, const void *, int))dlsym(RTLD_NEXT, "_Block_object_assign");
    next(destination, object, flags);
}

void _Block_object_dispose(const void *object, const int flags) {
    static void (*next)(const void *, int);
    if (flags == BLOCK_FIELD_IS_OBJECT) {
        [(id)object release];
        return;
    }
    if (!next)
        next = (void (*)(const void *, int))dlsym(RTLD_NEXT, "_Block_object_dispose");
    next(object, flags);
}
