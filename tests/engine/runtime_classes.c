/* Classes made at run time, as key-value observing and agents put under live devices: the class
 * below them is hooked, and what is checked is the object that callers hold. */
#include "foreign.h"
#include "support.h"

static Class paravirtual_class(void) {
    return class_named("AppleParavirtDevice");
}

static void put_under_before_applying(void **state) {
    (void)state;
    void *device = device_at(0);
    Class observer = make_subclass(paravirtual_class(), "NSKVONotifying_AppleParavirtDevice");
    set_class(device, observer);
    apply("apple.min=7,threadgroup_memory.min=64K");
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 65536);
    assert_int_equal(own_method_count(observer), 0);
    assert_non_null(own_method(paravirtual_class(), "supportsFamily:"));

    struct mtlcap_device info = MTLCAP_DEVICE_INIT;
    assert_ok(mtlcap_device_info(0, &info));
    assert_string_equal(info.class_name, "AppleParavirtDevice");
    assert_ptr_equal(info.device, device);

    set_class(device, paravirtual_class()); /* the observer goes */
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1005);
}

static void put_under_while_applied(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    set_class(device, make_subclass(paravirtual_class(), "Observer"));
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_int_equal(answer_of(device, "apple").stock.number[0], 5);
    apply("apple.min=8");
    assert_int_equal(highest_family(device, 1000), 1008);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1005);
}

static void two_of_them(void **state) {
    (void)state;
    void *device = device_at(0);
    Class lower = make_subclass(paravirtual_class(), "LowerAgent");
    set_class(device, make_subclass(lower, "UpperAgent"));
    apply("apple.min=7");
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_int_equal(own_method_count(lower), 0);
}

/* The agent's class has the method, and asks super. */
static void an_agent_that_asks_super(void **state) {
    (void)state;
    void *device = device_at(0);
    Class agent = make_subclass(paravirtual_class(), "Agent");
    foreign_below = code_for(device, "supportsFamily:"); /* the method of _MTLDevice */
    put_method(agent, "supportsFamily:", (code)foreign_same_family);
    set_class(device, agent);
    /* it asks _MTLDevice directly, so the class's hook is not reached */
    assert_fails(apply_allowing("apple.min=7", every_hazard()), MTLCAP_E_NOT_REACHED,
                 "supportsFamily:");
    assert_int_equal(highest_family(device, 1000), 1005);

    set_class(device, paravirtual_class());
    foreign_below = code_for(device, "supportsFamily:"); /* our pass-through, as super would be */
    set_class(device, agent);
    apply("apple.min=7");
    assert_int_equal(highest_family(device, 1000), 1007);
}

/* The agent's class answers by itself: no hook of the class below is ever reached. */
static void an_agent_that_hides_the_class(void **state) {
    (void)state;
    void *device = device_at(0);
    const struct snapshot before = snapshot_of(device);
    const code memory = own_code(paravirtual_class(), "maxThreadgroupMemoryLength");
    Class agent = make_subclass(paravirtual_class(), "Agent");
    put_method(agent, "supportsFamily:", (code)foreign_only_family);
    set_class(device, agent);
    const struct snapshot hidden = snapshot_of(device);
    assert_fails(apply_allowing("apple.min=7,threadgroup_memory.min=64K", every_hazard()),
                 MTLCAP_E_NOT_REACHED, "AppleParavirtDevice");
    const struct snapshot after = snapshot_of(device);
    assert_same_answers(&hidden, &after, NULL);
    assert_int_equal(mtlcap_is_active(), 0);
    assert_int_equal(mtlcap_generation(), 0);
    assert_ptr_equal(own_code(paravirtual_class(), "maxThreadgroupMemoryLength"), memory);

    set_class(device, paravirtual_class());
    const struct snapshot bare = snapshot_of(device);
    assert_same_answers(&before, &bare, NULL);
    apply("apple.min=7,threadgroup_memory.min=64K");
    assert_int_equal(highest_family(device, 1000), 1007);
}

/* A method that the class owns is replaced in place. GCC's runtime leaves the old one in the table
 * of a subclass that has been used: then the proof has to fail, and nothing may be in force. */
static void an_owned_method_below_a_used_class(void **state) {
    (void)state;
    void *device = device_at(0);
    Class agent = make_subclass(paravirtual_class(), "Agent");
    put_method(agent, "isHeadless", (code)foreign_constant);
    put_method(agent, "maxBufferLength", (code)foreign_constant);
    set_class(device, agent);
    const struct snapshot before = snapshot_of(device);
    const int status = apply_allowing("threadgroup_memory.min=64K", every_hazard());
    if (apple_runtime())
        assert_ok(status);
    if (status == MTLCAP_OK) {
        assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 65536);
        assert_ok(mtlcap_restore());
    } else {
        assert_int_equal(status, MTLCAP_E_NOT_REACHED);
        assert_int_equal(mtlcap_is_active(), 0);
    }
    const struct snapshot after = snapshot_of(device);
    assert_same_answers(&before, &after, NULL);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", put_under_before_applying),
        ON("paravirt", put_under_while_applied),
        ON("paravirt", two_of_them),
        ON("paravirt", an_agent_that_asks_super),
        ON("paravirt", an_agent_that_hides_the_class),
        ON("paravirt", an_owned_method_below_a_used_class),
    };
    return RUN_APART(tests);
}
