/* What a hook passes through to never changes: another tool may have read the hook's function in
 * the method table at any time, and put its own above it. */
#include "foreign.h"
#include "support.h"

enum { ROUNDS = 200 };

static Class cls;

static code top(void) {
    return own_code(cls, "supportsFamily:");
}

static void prepare(void) {
    cls = class_named("AppleParavirtDevice");
}

/* ---- a hook that was taken out -------------------------------------------- */

static code seen; /* what the method table had when the original was last asked */

static uint64_t original_that_looks(void *self, SEL selector, int64_t family) {
    (void)self;
    (void)selector;
    seen = top();
    return family > 1000 && family <= 1005;
}

/* Another tool reads our hook's function while a failing apply has it in, and puts its own above it
 * afterwards. A later apply must not make the hook pass through to the tool's. */
static void seen_during_an_apply_that_fails(void **state) {
    (void)state;
    prepare();
    void *device = device_at(0);
    put_method(cls, "supportsFamily:", (code)original_that_looks);
    Class agent = make_subclass(cls, "Agent");
    put_method(agent, "isHeadless", (code)foreign_constant); /* hides the class's */
    set_class(device, agent);
    assert_ok(mtlcap_adopt_device(device)); /* the list is anew each time */
    assert_fails(apply_allowing("apple.min=7,headless=on", every_hazard()), MTLCAP_E_NOT_REACHED,
                 "Paravirtual");
    assert_ptr_equal(top(), (code)original_that_looks);
    assert_ptr_not_equal(seen, (code)original_that_looks);
    set_class(device, cls);

    foreign_below = seen;
    put_method(cls, "supportsFamily:", (code)foreign_same_family);
    assert_int_equal(highest_family(device, 1000), 1005);
    apply("apple.min=7");
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_true(supports_family(device, 1001));
    assert_false(supports_family(device, 3003)); /* down to the original, and not round and round */
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1005);
}

/* ---- a hook that another tool replaces -------------------------------------- */

/* Another tool puts `before` back after each apply. That must not use up the hooks. */
static void check_put_back(code before) {
    void *device = device_at(0);
    for (int round = 0; round < ROUNDS; round++) {
        apply("apple.min=7");
        assert_int_equal(highest_family(device, 1000), 1007);
        assert_int_equal(report().hook_count, 1);
        put_method(cls, "supportsFamily:", before);
        assert_int_equal(highest_family(device, 1000), 1005);
        assert_ok(mtlcap_restore());
        assert_int_equal(highest_family(device, 1000), 1005);
    }
}

static void an_owned_method_put_back_every_time(void **state) {
    (void)state;
    prepare();
    foreign_below = put_method(cls, "supportsFamily:", (code)foreign_same_family);
    check_put_back((code)foreign_same_family);
}

/* What was inherited then becomes the class's own method. */
static void an_inherited_method_put_back_every_time(void **state) {
    (void)state;
    prepare();
    assert_null(own_method(cls, "supportsFamily:"));
    check_put_back(own_code(class_named("_MTLDevice"), "supportsFamily:"));
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", seen_during_an_apply_that_fails),
        ON("paravirt", an_owned_method_put_back_every_time),
        ON("paravirt", an_inherited_method_put_back_every_time),
    };
    return RUN_APART(tests);
}
