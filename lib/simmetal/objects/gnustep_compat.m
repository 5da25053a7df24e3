/* What programs need that clang compiles for GNUstep's runtime (-fobjc-runtime=gnustep-1.6, the
 * only way here to have a[i] and d[@"k"]), on GCC's runtime, which everything else is compiled for.
 * Such programs can use classes, but define none. This library comes before libobjc in the search
 * order. */
#import <Foundation/Foundation.h>

#include <dlfcn.h>
#include <objc/message.h>

#define EXPORT __attribute__((visibility("default")))

#define GNUSTEP_MODULE_VERSION 9
#define GCC_MODULE_VERSION 8

/* The start of a module, the same in both runtimes. */
struct module {
    unsigned long version;
};

/* What GNUstep's message lookup returns; callers read `method` only. */
struct slot {
    Class owner, cachedFor;
    const char *types;
    int version;
    IMP method;
};

EXPORT void __objc_exec_class(struct module *module);
EXPORT struct slot *objc_msg_lookup_sender(id *receiver, SEL selector, id sender);
EXPORT void *objc_autoreleasePoolPush(void);
EXPORT void objc_autoreleasePoolPop(void *pool);

void __objc_exec_class(struct module *module) {
    static void (*next)(struct module *);
    if (!next)
        next = (void (*)(struct module *))dlsym(RTLD_NEXT, "__objc_exec_class");
    if (module->version == GNUSTEP_MODULE_VERSION)
        module->version = GCC_MODULE_VERSION;
    next(module);
}

struct slot *objc_msg_lookup_sender(id *receiver, SEL selector, id sender) {
    static __thread struct slot slot;
    (void)sender;
    slot.method = objc_msg_lookup(*receiver, selector);
    return &slot;
}

void *objc_autoreleasePoolPush(void) {
    return [[NSAutoreleasePool alloc] init];
}

void objc_autoreleasePoolPop(void *pool) {
    [(NSAutoreleasePool *)pool drain];
}
