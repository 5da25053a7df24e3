/* Method tables: what is put in, what a failed apply takes out again, and what passing through
 * sees. */
#include <dlfcn.h>

#include "foreign.h"
#include "support.h"

static Class paravirtual_class(void) {
    return class_named("AppleParavirtDevice");
}

/* Puts a class under the device whose supportsFamily: hides ours, so that apply fails after all
 * hooks have gone in. */
static void *device_that_cannot_be_hooked(void) {
    void *device = device_at(0);
    Class agent = make_subclass(paravirtual_class(), "Agent");
    put_method(agent, "supportsFamily:", (code)foreign_only_family);
    set_class(device, agent);
    return device;
}

static void fail_to_apply(void) {
    assert_fails(
        apply_allowing("apple.min=7,threadgroup_memory.min=64K,headless=on", every_hazard()),
        MTLCAP_E_NOT_REACHED, "apple");
}

static void an_owned_method_is_what_it_was_after_a_failed_apply(void **state) {
    (void)state;
    void *device = device_that_cannot_be_hooked();
    const code before = own_code(paravirtual_class(), "maxThreadgroupMemoryLength");
    assert_non_null(before);
    fail_to_apply();
    assert_ptr_equal(own_code(paravirtual_class(), "maxThreadgroupMemoryLength"), before);
    if (apple_runtime()) /* GCC's leaves the hook in the table of the agent's class */
        assert_ptr_equal(code_for(device, "maxThreadgroupMemoryLength"), before);
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 32768);
}

static void an_added_method_passes_through_after_a_failed_apply(void **state) {
    (void)state;
    void *device = device_that_cannot_be_hooked();
    const struct snapshot before = snapshot_of(device);
    fail_to_apply();
    assert_non_null(own_method(paravirtual_class(), "isHeadless")); /* cannot be removed */
    const struct snapshot after = snapshot_of(device);
    assert_same_answers(&before, &after, NULL);
}

static void failing_again_and_again_takes_no_more_hooks(void **state) {
    (void)state;
    device_that_cannot_be_hooked();
    fail_to_apply();
    const uint32_t hooks = report().hook_count;
    const unsigned methods = own_method_count(paravirtual_class());
    for (int i = 0; i < 100; i++)
        fail_to_apply();
    assert_int_equal(report().hook_count, hooks);
    assert_int_equal(own_method_count(paravirtual_class()), methods);
}

static void a_failed_apply_does_not_stand_in_the_way(void **state) {
    (void)state;
    void *device = device_that_cannot_be_hooked();
    fail_to_apply();
    set_class(device, paravirtual_class());
    apply("apple.min=7,threadgroup_memory.min=64K,headless=on");
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 65536);
    assert_int_equal(simmetal_ask(device, "isHeadless"), 1);
    assert_int_equal(report().hook_count, 3); /* those of before, put in again */
    assert_ok(mtlcap_restore());
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 32768);
}

/* ---- another hook at the same time ------------------------------------------- */

/* Stands before the runtime's: while it is set, somebody else's hook goes in just before. */
static code comes_in_between;

__attribute__((visibility("default"))) IMP method_setImplementation(Method method, IMP imp) {
    IMP (*set)(Method, IMP);
    *(void **)&set = dlsym(RTLD_NEXT, "method_setImplementation");
    if (comes_in_between) {
        foreign_below = (code)set(method, (IMP)comes_in_between);
        comes_in_between = NULL;
    }
    return set(method, imp);
}

static void one_that_comes_in_between_is_not_lost(void **state) {
    (void)state;
    void *device = device_at(0); /* its class owns supportsFamily: */
    foreign_apple_max = 1009;
    comes_in_between = (code)foreign_or_family;
    apply("mac.max=1");
    assert_null(comes_in_between);
    assert_int_equal(highest_family(device, 1000), 1009);
    assert_int_equal(highest_family(device, 2000), 2001);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1009);
    assert_int_equal(highest_family(device, 2000), 2002);
}

/* ---- passing through --------------------------------------------------------- */

/* An added method keeps the encoding of the one that it stands before. */
static void an_added_method_has_the_inherited_encoding(void **state) {
    (void)state;
    Method inherited = own_method(class_named("_MTLDevice"), "supportsFamily:");
    apply("apple.min=7");
    Method added = own_method(paravirtual_class(), "supportsFamily:");
    assert_non_null(added);
    assert_string_equal(method_getTypeEncoding(added), method_getTypeEncoding(inherited));
}

/* What super answers now: GCC's runtime may leave an old method in a subclass's table, which is no
 * business of ours. */
static uint64_t super_says(void *device, int64_t family) {
    const SEL selector = sel_registerName("supportsFamily:");
    const code function =
        (code)class_getMethodImplementation(class_named("IOGPUMetalDevice"), selector);
    return AS_ASK_WITH(function)(device, selector, family);
}

static void check_hook_on_the_superclass_is_seen(void *device) {
    foreign_apple_max = 1010;
    foreign_below =
        put_method(class_named("_MTLDevice"), "supportsFamily:", (code)foreign_or_family);
    const uint64_t seen_above = super_says(device, 1010);
    if (apple_runtime())
        assert_int_equal(seen_above, 1);
    assert_int_equal(supports_family(device, 1010), seen_above);
}

static void an_added_method_sees_a_later_hook_on_its_superclass(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    assert_false(supports_family(device, 1010));
    check_hook_on_the_superclass_is_seen(device);
}

static void after_restore_too(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    assert_ok(mtlcap_restore());
    check_hook_on_the_superclass_is_seen(device);
}

/* Restoring flips a plan and touches no table: hooks of others cannot get lost in between. */
static void restoring_touches_no_method(void **state) {
    (void)state;
    device_at(0);
    apply("apple.min=7,threadgroup_memory.min=64K");
    const unsigned count = own_method_count(paravirtual_class());
    const code family = own_code(paravirtual_class(), "supportsFamily:");
    const code memory = own_code(paravirtual_class(), "maxThreadgroupMemoryLength");
    assert_ok(mtlcap_restore());
    assert_int_equal(own_method_count(paravirtual_class()), count);
    assert_ptr_equal(own_code(paravirtual_class(), "supportsFamily:"), family);
    assert_ptr_equal(own_code(paravirtual_class(), "maxThreadgroupMemoryLength"), memory);
}

static void applying_again_adds_nothing(void **state) {
    (void)state;
    device_at(0);
    apply("apple.min=7,threadgroup_memory.min=64K");
    const unsigned count = own_method_count(paravirtual_class());
    for (int i = 0; i < 50; i++) {
        apply(i % 2 ? "apple.max=3" : "apple.min=9,threadgroup_memory.max=16K");
        if (i % 3 == 0)
            assert_ok(mtlcap_restore());
    }
    assert_int_equal(own_method_count(paravirtual_class()), count);
    assert_int_equal(report().hook_count, 2);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", an_owned_method_is_what_it_was_after_a_failed_apply),
        ON("paravirt", an_added_method_passes_through_after_a_failed_apply),
        ON("paravirt", failing_again_and_again_takes_no_more_hooks),
        ON("paravirt", a_failed_apply_does_not_stand_in_the_way),
        ON("override-in-leaf", one_that_comes_in_between_is_not_lost),
        ON("paravirt", an_added_method_has_the_inherited_encoding),
        ON("paravirt", an_added_method_sees_a_later_hook_on_its_superclass),
        ON("paravirt", after_restore_too),
        ON("paravirt", restoring_touches_no_method),
        ON("paravirt", applying_again_adds_nothing),
    };
    return RUN_APART(tests);
}
