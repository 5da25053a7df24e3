/* Checks of what is assumed about the Objective-C runtime, on classes made for it. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "selftest.h"
#include "simulated.h"

void *selftest_symbol(const char *name) {
    simulated_load();
    return dlsym(RTLD_DEFAULT, name);
}

bool selftest_runtime(struct runtime *runtime, const char **missing) {
    uint32_t count;
    simulated_load();
    mtlcap_device_count(&count); /* on a Mac, loads Metal */
#define RUNTIME_FIND(result, name, parameters)                                                     \
    *(void **)&runtime->name = dlsym(RTLD_DEFAULT, #name);                                         \
    if (runtime->name == NULL) {                                                                   \
        *missing = #name;                                                                          \
        return false;                                                                              \
    }
    RUNTIME_MAP(RUNTIME_FIND)
#undef RUNTIME_FIND
    return true;
}

void *selftest_class_of(void *object) {
#ifdef __APPLE__
    void *(*class_of)(void *object);
    *(void **)&class_of = dlsym(RTLD_DEFAULT, "object_getClass");
    return class_of(object);
#else
    return *(void **)object;
#endif
}

void *selftest_own_method(const struct runtime *runtime, void *class, const char *name) {
    unsigned count = 0;
    void **methods = runtime->class_copyMethodList(class, &count), *found = NULL;
    for (unsigned i = 0; i < count; i++)
        if (strcmp(runtime->sel_getName(runtime->method_getName(methods[i])), name) == 0)
            found = methods[i];
    free(methods);
    return found;
}

/* ---- three classes: each is the next one's superclass ------------------------------- */

static uintptr_t answer_one(void *object, void *selector) {
    (void)object;
    (void)selector;
    return 1;
}

static uintptr_t answer_two(void *object, void *selector) {
    (void)object;
    (void)selector;
    return 2;
}

struct family {
    struct runtime runtime;
    void *classes[3], *objects[3];
    void *selector;
};

static const char question[] = "mtlcapSelftestQuestion";

static unsigned ask(const struct family *family, int i) {
    void *class = selftest_class_of(family->objects[i]);
    method_function *function =
        family->runtime.class_getMethodImplementation(class, family->selector);
    return (unsigned)function(family->objects[i], family->selector);
}

/* The first class has the method, and the others inherit it. */
static bool make_family(struct family *family, struct finding *why) {
    static const char *const names[] = {"MTLCapSelftestTop", "MTLCapSelftestMiddle",
                                        "MTLCapSelftestBottom"};
    struct runtime *runtime = &family->runtime;
    const char *missing;
    if (!selftest_runtime(runtime, &missing)) {
        *why = FAIL("there is no %s in this process", missing);
        return false;
    }
    void *class = runtime->objc_getClass("NSObject");
    family->selector = runtime->sel_registerName(question);
    for (int i = 0; i < 3; i++) {
        class = runtime->objc_allocateClassPair(class, names[i], 0);
        if (class == NULL) {
            *why = FAIL("no class %s could be made", names[i]);
            return false;
        }
        runtime->objc_registerClassPair(class);
        family->classes[i] = class;
    }
    runtime->class_addMethod(family->classes[0], family->selector, answer_one, "Q16@0:8");
    for (int i = 0; i < 3; i++) {
        family->objects[i] = runtime->class_createInstance(family->classes[i], 0);
        ask(family, i); /* the runtime remembers what it finds */
    }
    return true;
}

static struct finding compare(const struct family *family, unsigned top, unsigned middle,
                              unsigned bottom) {
    unsigned found[] = {ask(family, 0), ask(family, 1), ask(family, 2)};
    if (found[0] == top && found[1] == middle && found[2] == bottom)
        return PASS("superclass, class, subclass answer %u, %u, %u", top, middle, bottom);
    return FAIL("superclass, class, subclass answer %u, %u, %u instead of %u, %u, %u", found[0],
                found[1], found[2], top, middle, bottom);
}

struct finding check_add_method(void) {
    struct family family;
    struct finding why;
    if (!make_family(&family, &why))
        return why;
    if (!family.runtime.class_addMethod(family.classes[1], family.selector, answer_two, "Q16@0:8"))
        return FAIL("class_addMethod refuses what the class only inherits");
    return compare(&family, 1, 2, 2);
}

struct finding check_own_method(void) {
    struct family family;
    struct finding why;
    if (!make_family(&family, &why))
        return why;
    const struct runtime *runtime = &family.runtime;
    if (selftest_own_method(runtime, family.classes[1], question) != NULL)
        return FAIL("class_copyMethodList lists an inherited method");
    runtime->class_addMethod(family.classes[1], family.selector, answer_one, "Q16@0:8");
    void *method = selftest_own_method(runtime, family.classes[1], question);
    if (method == NULL)
        return FAIL("class_copyMethodList does not list an own method");
    if (runtime->method_setImplementation(method, answer_two) != answer_one)
        return FAIL("method_setImplementation does not return what was there");
    return compare(&family, 1, 2, 2);
}

struct finding check_super_method(void) {
    struct family family;
    struct finding why;
    if (!make_family(&family, &why))
        return why;
    const struct runtime *runtime = &family.runtime;
    runtime->class_addMethod(family.classes[1], family.selector, answer_two, "Q16@0:8");
    method_function *above =
        runtime->class_getMethodImplementation(family.classes[0], family.selector);
    unsigned answer = (unsigned)above(family.objects[1], family.selector);
    return answer == 1 ? PASS("the superclass's method answers")
                       : FAIL("%u instead of 1 comes back", answer);
}

struct finding check_class_image(void) {
    struct family family;
    struct finding why;
    struct mtlcap_device info;
    const char *(*image_of)(void *class);
    *(void **)&image_of = selftest_symbol("class_getImageName");
    if (image_of == NULL)
        return NOT_APPLICABLE("GCC's runtime has no class_getImageName");
    if (!make_family(&family, &why))
        return why;
    const char *image = image_of(family.classes[0]);
    if (image != NULL)
        return FAIL("a class made at run time is in '%s'", image);
    void *device = selftest_device(&info);
    if (device == NULL)
        return NOT_APPLICABLE("there is no device to compare with");
    image = image_of(selftest_class_of(device));
    return image != NULL ? PASS("the device's class, %s, is in %s", info.class_name, image)
                         : FAIL("the device's class, %s, has no image", info.class_name);
}

struct finding check_class_name(void) {
    struct family family;
    struct finding why;
    if (!make_family(&family, &why))
        return why;
    const struct runtime *runtime = &family.runtime;
    const char *name = runtime->class_getName(family.classes[0]);
    if (runtime->objc_getClass(name) != family.classes[0])
        return FAIL("the class is not found under its name");
    if (runtime->objc_allocateClassPair(family.classes[1], name, 0) != NULL)
        return FAIL("a second class is allowed under a name that is taken");
    return PASS("a second one is refused, and the first is found");
}

struct finding check_autorelease_pool(void) {
    bool push = selftest_symbol("objc_autoreleasePoolPush") != NULL;
    bool pop = selftest_symbol("objc_autoreleasePoolPop") != NULL;
    if (push && pop)
        return PASS("both are there");
#ifdef __APPLE__
    return FAIL("objc_autoreleasePool%s is not there", push ? "Pop" : "Push");
#else
    return NOT_APPLICABLE("GCC's runtime has none");
#endif
}

struct finding check_gcc_threads(void) {
    return NOT_APPLICABLE("a rule for callers off a Mac");
}
