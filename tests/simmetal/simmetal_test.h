/* What the tests of the simulated Metal share. */
#ifndef SIMMETAL_TEST_H
#define SIMMETAL_TEST_H

#import <Foundation/Foundation.h>
#import <Metal/Metal.h>
#import <fcntl.h>
#import <objc/runtime.h>
#import <setjmp.h>
#import <simmetal.h>
#import <stdarg.h>
#import <stddef.h>
#import <stdint.h>
#import <stdio.h>
#import <stdlib.h>
#import <string.h>
#import <sys/stat.h>
#import <unistd.h>

#import <cmocka.h>

#define ask simmetal_ask
#define ask_with simmetal_ask_with

static inline uint64_t supports(void *device, int64_t family) {
    return simmetal_ask_with(device, "supportsFamily:", family);
}

/* Puts `imp` into `class_name` only, whether or not it owns `selector`; returns what was there. */
static inline IMP override(const char *class_name, const char *selector, IMP imp) {
    Class class = objc_getClass(class_name);
    SEL sel = sel_registerName(selector);
    Method method = class_getInstanceMethod(class, sel);
    IMP old = method_getImplementation(method);
    if (!class_addMethod(class, sel, imp, method_getTypeEncoding(method)))
        method_setImplementation(method, imp);
    return old;
}

static inline const char *name_of(void *device) {
    static char name[64];
    simmetal_name(device, name, sizeof name);
    return name;
}

#endif
