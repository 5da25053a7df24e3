/* The C API: see simmetal.h. */
#import "create.h"
#import "machine_parse.h"
#import "methods.h"
#import "tools.h"

#import <objc/message.h>
#import <objc/runtime.h>
#import <stdio.h>
#import <stdlib.h>
#import <string.h>

const char *const *simmetal_machine_names(void) {
    return simmetal_builtin_names;
}

int simmetal_check_machine(const char *machine, char *error, size_t size) {
    return simmetal_machine_load(machine, error, size) ? 0 : -1;
}

static bool is_device_class(Class class) {
    for (; class; class = class_getSuperclass(class))
        if (class == [_MTLDevice class])
            return true;
    return false;
}

void *simmetal_create_device_of(const char *source, unsigned index, const char *class_name) {
    char error[2048];
    const struct simmetal_machine *machine = simmetal_machine_load(source, error, sizeof error);
    if (!machine) {
        fprintf(stderr, "simmetal: no device: %s\n", error);
        return NULL;
    }
    if (index >= machine->device_count) {
        fprintf(stderr, "simmetal: no device: %s has %u, the number %u was asked for\n", source,
                machine->device_count, index + 1);
        return NULL;
    }
    const struct simmetal_device_config *config = &machine->devices[index];
    Class class = objc_getClass(class_name ? class_name : config->class_name);
    if (!is_device_class(class)) {
        fprintf(stderr, "simmetal: no device: %s is not a subclass of _MTLDevice\n", class_name);
        return NULL;
    }
    @autoreleasepool {
        return simmetal_add_device(config, class);
    }
}

void *simmetal_create_device(const char *machine) {
    return simmetal_create_device_of(machine, 0, NULL);
}

void *simmetal_wrap_device(void *device, const char *wrapper_class) {
    return simmetal_wrap(device, wrapper_class);
}

void *simmetal_retain(void *object) {
    return [(id)object retain];
}

void simmetal_release(void *object) {
    [(id)object release];
}

uint64_t simmetal_ask(void *object, const char *selector) {
    return simmetal_send(object, sel_registerName(selector));
}

uint64_t simmetal_ask_with(void *object, const char *selector, int64_t argument) {
    SEL sel = sel_registerName(selector);
    IMP imp = objc_msg_lookup(object, sel);
    return ((uint64_t (*)(id, SEL, int64_t))imp)(object, sel, argument);
}

void simmetal_name(void *device, char *name, size_t size) {
    @autoreleasepool {
        snprintf(name, size, "%s", [[(id<MTLDevice>)device name] UTF8String]);
    }
}

const char *simmetal_method_owner(void *object, const char *selector) {
    for (Class c = object_getClass(object); c; c = class_getSuperclass(c)) {
        unsigned count, i = 0;
        Method *own = class_copyMethodList(c, &count);
        while (i < count && strcmp(sel_getName(method_getName(own[i])), selector) != 0)
            i++;
        free(own);
        if (i < count)
            return class_getName(c);
    }
    return NULL;
}

int simmetal_cached_answer(void *object, const char *name, uint64_t *value) {
    _MTLDevice *device = object;
    const struct simmetal_limits *limits = [device simLimits];
    const struct {
        const char *name;
        uint64_t value;
    } cached_limits[] = {
        {"limits.maxBufferLength", limits->maxBufferLength},
        {"limits.maxComputeThreadgroupMemory", limits->maxComputeThreadgroupMemory},
        {"limits.argumentBuffersSupport", limits->argumentBuffersSupport},
    };
    for (size_t i = 0; i < sizeof cached_limits / sizeof cached_limits[0]; i++)
        if (strcmp(name, cached_limits[i].name) == 0) {
            *value = cached_limits[i].value;
            return 0;
        }
    for (unsigned i = 0; i < SIMMETAL_ANSWER_COUNT; i++)
        if (strcmp(name, simmetal_rules[i].name) == 0) {
            *value = [device simFeatures][i];
            return 0;
        }
    return -1;
}
