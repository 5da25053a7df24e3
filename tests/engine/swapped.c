/* Another tool's hook that comes between our look at a method and our writing to it. Linked with
 * mtlcap__rt_set_imp() wrapped, so that it comes just then. */
#include "foreign.h"
#include "support.h"

code __real_mtlcap__rt_set_imp(Method method, code imp);
code __wrap_mtlcap__rt_set_imp(Method method, code imp);

static Class cls;
static int writes_left; /* of ours to supportsFamily:, until the tool's comes before one */

code __wrap_mtlcap__rt_set_imp(Method method, code imp) {
    if (method == own_method(cls, "supportsFamily:") && writes_left > 0 && --writes_left == 0)
        foreign_below = __real_mtlcap__rt_set_imp(method, (code)foreign_or_family);
    return __real_mtlcap__rt_set_imp(method, imp);
}

static code top(void) {
    return own_code(cls, "supportsFamily:");
}

static uint64_t up_to_apple5(void *self, SEL selector, int64_t family) {
    (void)self;
    (void)selector;
    return family > 1000 && family <= 1005;
}

/* The class has a method of its own, which we replace. */
static void *prepare(void) {
    cls = class_named("AppleParavirtDevice");
    put_method(cls, "supportsFamily:", (code)up_to_apple5);
    return device_at(0);
}

/* The tool's hook stays, ours goes above it, and restoring leaves the tool's answers. */
static void before_ours_is_put_in(void **state) {
    (void)state;
    void *device = prepare();
    writes_left = 1;
    apply("apple.max=3");
    assert_int_equal(writes_left, 0);
    assert_ptr_equal(foreign_below, (code)up_to_apple5);
    assert_int_equal(highest_family(device, 1000), 1003);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1009);
    foreign_apple_max = 0; /* so that what is below can be seen */
    assert_int_equal(highest_family(device, 1000), 1005);
}

/* Ours stays below it. */
static void before_ours_is_taken_out(void **state) {
    (void)state;
    void *device = prepare();
    Class agent = make_subclass(cls, "Agent");
    put_method(agent, "isHeadless", (code)foreign_constant); /* hides the class's */
    set_class(device, agent);
    assert_ok(mtlcap_adopt_device(device)); /* the list is anew each time */
    writes_left = 2;
    assert_fails(apply_allowing("apple.max=3,headless=on", every_hazard()), MTLCAP_E_NOT_REACHED,
                 "Paravirtual");
    set_class(device, cls);
    assert_int_equal(writes_left, 0);
    assert_ptr_not_equal(foreign_below, (code)up_to_apple5);
    assert_ptr_equal(top(), (code)foreign_or_family);
    assert_int_equal(highest_family(device, 1000), 1009);
    apply("apple.max=3");
    assert_int_equal(highest_family(device, 1000), 1003);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1009);
    foreign_apple_max = 0;
    assert_int_equal(highest_family(device, 1000), 1005);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", before_ours_is_put_in),
        ON("paravirt", before_ours_is_taken_out),
    };
    return RUN_APART(tests);
}
