/* Hooks are per class, never inherited: what a profile says about a device's class reaches neither
 * its superclasses nor its siblings. */
#include <string.h>

#include "support.h"

/* The methods that a class has by itself, and what they do. */
struct methods {
    unsigned count;
    code family, memory, working_set;
};

static struct methods methods_of(const char *class_name) {
    Class cls = class_named(class_name);
    return (struct methods){own_method_count(cls), own_code(cls, "supportsFamily:"),
                            own_code(cls, "maxThreadgroupMemoryLength"),
                            own_code(cls, "recommendedMaxWorkingSetSize")};
}

static void assert_same_methods(struct methods a, struct methods b) {
    assert_int_equal(a.count, b.count);
    assert_ptr_equal(a.family, b.family);
    assert_ptr_equal(a.memory, b.memory);
    assert_ptr_equal(a.working_set, b.working_set);
}

static const char PROFILE[] = "apple.min=7,threadgroup_memory.min=64K,working_set.max=4G";

static void superclasses_are_untouched(void **state) {
    (void)state;
    void *device = device_at(0);
    const struct methods root = methods_of("_MTLDevice"), driver = methods_of("IOGPUMetalDevice");
    assert_string_equal(simmetal_method_owner(device, "supportsFamily:"), "_MTLDevice");
    apply(PROFILE);
    assert_string_equal(simmetal_method_owner(device, "supportsFamily:"), "AppleParavirtDevice");
    assert_same_methods(root, methods_of("_MTLDevice"));
    assert_same_methods(driver, methods_of("IOGPUMetalDevice"));
    assert_ok(mtlcap_restore());
    assert_same_methods(root, methods_of("_MTLDevice"));
    assert_same_methods(driver, methods_of("IOGPUMetalDevice"));
}

/* `auto` is about the paravirtual device only. */
static void siblings_are_unaffected(void **state) {
    (void)state;
    void *paravirtual = NULL, *other = NULL;
    for (unsigned i = 0; i < 2; i++) {
        void *device = device_at(i);
        if (strcmp(class_getName(object_getClass((id)device)), "AppleParavirtDevice") == 0)
            paravirtual = device;
        else
            other = device;
    }
    const struct methods methods = methods_of("OtherVendorDevice");
    const struct snapshot before = snapshot_of(other);
    assert_ok(mtlcap_apply_profile("auto", NULL));
    assert_int_equal(highest_family(paravirtual, 1000), 1007);
    const struct snapshot during = snapshot_of(other);
    assert_same_answers(&before, &during, NULL);
    assert_same_methods(methods, methods_of("OtherVendorDevice"));
    assert_int_equal(answer_of(other, "apple").overridden, 0);
    assert_int_equal(answer_of(paravirtual, "apple").overridden, 1);
    assert_int_equal(report().class_count, 1);
}

/* Each class that a rule is about has hooks of its own, and own original methods below. */
static void siblings_with_one_profile(void **state) {
    (void)state;
    void *first = device_at(0), *second = device_at(1);
    const struct snapshot first_before = snapshot_of(first), second_before = snapshot_of(second);
    apply(PROFILE);
    for (int i = 0; i < 2; i++) {
        void *device = i ? second : first;
        assert_int_equal(highest_family(device, 1000), 1007);
        assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 65536);
        assert_int_equal(simmetal_ask(device, "recommendedMaxWorkingSetSize"), UINT64_C(4) << 30);
    }
    assert_int_equal(report().class_count, 2);
    assert_int_equal(report().hook_count, 6);
    assert_ok(mtlcap_restore());
    const struct snapshot first_after = snapshot_of(first), second_after = snapshot_of(second);
    assert_same_answers(&first_before, &first_after, NULL);
    assert_same_answers(&second_before, &second_after, NULL);
}

static void check_nested(void *parent, void *child, const char *profile, int64_t family,
                         uint64_t memory) {
    const struct snapshot parent_before = snapshot_of(parent), child_before = snapshot_of(child);
    apply(profile);
    assert_int_equal(highest_family(parent, 1000), family);
    assert_int_equal(highest_family(child, 1000), family);
    assert_int_equal(simmetal_ask(parent, "maxThreadgroupMemoryLength"), memory);
    assert_int_equal(simmetal_ask(child, "maxThreadgroupMemoryLength"), memory);
    assert_int_equal(answer_of(parent, "apple").stock.number[0], 5);
    assert_int_equal(answer_of(child, "apple").stock.number[0], 5);
    assert_int_equal(answer_of(child, "threadgroup_memory").stock.number[0], 32768);
    assert_ok(mtlcap_restore());
    const struct snapshot parent_after = snapshot_of(parent), child_after = snapshot_of(child);
    assert_same_answers(&parent_before, &parent_after, NULL);
    assert_same_answers(&child_before, &child_after, NULL);
}

/* A device's class and a subclass of it, both of devices: the subclass's original is the other
 * hook, run with an object of the subclass. */
static void a_class_and_its_subclass(void **state) {
    (void)state;
    void *parent = device_of_class("AGXG13FamilyDevice"), *child = device_of_class("AGXG13GDevice");
    assert_ok(mtlcap_adopt_device(parent));
    assert_ok(mtlcap_adopt_device(child));
    check_nested(parent, child, "apple.min=7,threadgroup_memory.min=64K", 1007, 65536);
    check_nested(parent, child, "apple.max=3,threadgroup_memory.max=1K", 1003, 1024);
}

static void a_subclass_and_then_its_superclass(void **state) {
    (void)state;
    void *parent = device_of_class("AGXG13FamilyDevice"), *child = device_of_class("AGXG13GDevice");
    assert_ok(mtlcap_adopt_device(child));
    apply("apple.min=7,threadgroup_memory.min=64K");
    assert_int_equal(highest_family(parent, 1000), 1005);
    assert_ok(mtlcap_adopt_device(parent));
    assert_int_equal(highest_family(parent, 1000), 1007);
    assert_ok(mtlcap_restore());
    check_nested(parent, child, "apple.min=8,threadgroup_memory.min=64K", 1008, 65536);
}

static void a_superclass_and_then_its_subclass(void **state) {
    (void)state;
    void *parent = device_of_class("AGXG13FamilyDevice"), *child = device_of_class("AGXG13GDevice");
    assert_ok(mtlcap_adopt_device(parent));
    apply("apple.min=7,threadgroup_memory.min=64K");
    assert_int_equal(highest_family(child, 1000), 1007); /* inherits */
    assert_ok(mtlcap_adopt_device(child));
    assert_int_equal(highest_family(child, 1000), 1007);
    assert_int_equal(answer_of(child, "apple").stock.number[0], 5);
    assert_ok(mtlcap_restore());
    check_nested(parent, child, "apple.max=3,threadgroup_memory.max=1K", 1003, 1024);
}

/* A class that has the method itself: it is replaced in place. */
static void a_class_that_overrides(void **state) {
    (void)state;
    void *device = device_at(0);
    const struct snapshot before = snapshot_of(device);
    const struct methods root = methods_of("_MTLDevice");
    const unsigned count = own_method_count(class_named("FamilyOverridingDevice"));
    assert_string_equal(simmetal_method_owner(device, "supportsFamily:"), "FamilyOverridingDevice");
    apply("apple.min=7");
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_int_equal(own_method_count(class_named("FamilyOverridingDevice")), count);
    assert_same_methods(root, methods_of("_MTLDevice"));
    apply("apple.max=2");
    assert_int_equal(highest_family(device, 1000), 1002);
    assert_ok(mtlcap_restore());
    const struct snapshot after = snapshot_of(device);
    assert_same_answers(&before, &after, NULL);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", superclasses_are_untouched),
        ON("two-vendors", siblings_are_unaffected),
        ON("two-vendors", siblings_with_one_profile),
        ON("paravirt", a_class_and_its_subclass),
        ON("paravirt", a_subclass_and_then_its_superclass),
        ON("paravirt", a_superclass_and_then_its_subclass),
        ON("override-in-leaf", a_class_that_overrides),
    };
    return RUN_APART(tests);
}
