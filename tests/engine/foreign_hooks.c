/* Hooks of other shims, below ours and above: named, and left in working order by apply and
 * restore.
 */
#include <stdlib.h>
#include <string.h>

#include "foreign.h"
#include "support.h"

static Class paravirtual_class(void) {
    return class_named("AppleParavirtDevice");
}

static void put_foreign(Class cls, uint64_t (*hook)(void *, const void *, int64_t)) {
    foreign_below = put_method(cls, "supportsFamily:", (code)hook);
}

static code top(void) {
    return own_code(paravirtual_class(), "supportsFamily:");
}

static void assert_from_foreign(const struct mtlcap_answer *answer) {
    if (!strstr(answer->source, "libengine_foreign"))
        fail_msg("the source is %s", answer->source);
    assert_int_equal(answer->source[0], '/');
}

/* ---- below ---------------------------------------------------------------- */

static void check_below(void *device) {
    const struct snapshot before = snapshot_of(device);
    struct mtlcap_answer answer = answer_of(device, "apple");
    assert_int_equal(answer.stock.number[0], 9);
    assert_from_foreign(&answer);
    assert_string_equal(answer_of(device, "threadgroup_memory").source, "Metal");

    apply("apple.max=6");
    assert_int_equal(highest_family(device, 1000), 1006);
    answer = answer_of(device, "apple");
    assert_int_equal(answer.stock.number[0], 9);
    assert_int_equal(answer.effective.number[0], 6);
    assert_from_foreign(&answer);

    apply("apple.min=10");
    assert_int_equal(highest_family(device, 1000), 1010);
    assert_ok(mtlcap_restore());
    const struct snapshot after = snapshot_of(device);
    assert_same_answers(&before, &after, NULL);
}

static void below_on_the_class(void **state) {
    (void)state;
    put_foreign(paravirtual_class(), foreign_or_family);
    check_below(device_at(0));
}

/* As today's shims do it: in the place of the inherited method. */
static void below_on_the_root_class(void **state) {
    (void)state;
    put_foreign(class_named("_MTLDevice"), foreign_or_family);
    check_below(device_at(0));
}

/* `auto` does nothing more where another shim has raised the answer already. */
static void auto_over_another_shim(void **state) {
    (void)state;
    put_foreign(paravirtual_class(), foreign_or_family);
    void *device = device_at(0);
    assert_ok(mtlcap_apply_profile("auto", NULL));
    assert_int_equal(highest_family(device, 1000), 1009);
    assert_int_equal(report().change_count, 0);
    assert_int_equal(answer_of(device, "apple").overridden, 1);
}

/* ---- above ---------------------------------------------------------------- */

static void above_and_chaining(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    put_foreign(paravirtual_class(), foreign_or_family);
    const code foreign = top();
    assert_int_equal(highest_family(device, 1000), 1009);
    assert_int_equal(answer_of(device, "apple").effective.number[0], 9);
    assert_ok(mtlcap_restore());
    assert_ptr_equal(top(), foreign);
    assert_int_equal(highest_family(device, 1000), 1009);
    foreign_apple_max = 0; /* so that what is below can be seen */
    assert_int_equal(highest_family(device, 1000), 1005);
}

static void above_and_not_chaining(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    put_foreign(paravirtual_class(), foreign_only_family);
    const code foreign = top();
    assert_false(supports_family(device, 1007));
    const struct mtlcap_answer answer = answer_of(device, "apple");
    assert_int_equal(answer.effective.members, 1 << 2); /* what callers get, not what we wish */
    assert_ok(mtlcap_restore());
    assert_ptr_equal(top(), foreign);
    assert_true(supports_family(device, 1003));
    assert_false(supports_family(device, 1005));
}

/* A ceiling cannot hold below a hook that says yes: ours goes on top. */
static void applying_again_below_one_that_raises(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    put_foreign(paravirtual_class(), foreign_or_family);
    apply("apple.max=6");
    assert_int_equal(highest_family(device, 1000), 1006);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1009);
    apply("apple.max=3");
    assert_int_equal(highest_family(device, 1000), 1003);
    apply("apple.min=10");
    assert_int_equal(highest_family(device, 1000), 1010);
}

static void applying_again_below_one_that_does_not_chain(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    put_foreign(paravirtual_class(), foreign_only_family);
    apply("apple.min=7");
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_int_equal(report().hook_count, 2);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1003); /* the other's answer */
}

/* The other shim goes, and puts back what it found: our first hook, past our second. */
static void the_one_between_goes(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    const code first = top();
    put_foreign(paravirtual_class(), foreign_or_family);
    apply("apple.max=6");
    assert_ptr_not_equal(top(), first);
    put_method(paravirtual_class(), "supportsFamily:", first);
    assert_int_equal(highest_family(device, 1000), 1005); /* a ceiling of 6 over 5 */
    apply("apple.max=4");
    assert_int_equal(highest_family(device, 1000), 1004);
    apply("apple.min=8");
    assert_int_equal(highest_family(device, 1000), 1008);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1005);
}

static void one_above_goes(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    const code ours = top();
    put_foreign(paravirtual_class(), foreign_or_family);
    put_method(paravirtual_class(), "supportsFamily:", ours);
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1005);
}

/* What another shim does while nothing of ours is in force is stock from then on. */
static void above_while_restored_is_stock(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    assert_ok(mtlcap_restore());
    put_foreign(paravirtual_class(), foreign_or_family);
    const struct snapshot before = snapshot_of(device);
    struct mtlcap_answer answer = answer_of(device, "apple");
    assert_int_equal(answer.stock.number[0], 9);
    assert_from_foreign(&answer);

    apply("apple.min=7");
    answer = answer_of(device, "apple");
    assert_int_equal(answer.stock.number[0], 9);
    assert_int_equal(answer.effective.number[0], 9);
    assert_int_equal(report().change_count, 0);
    apply("apple.min=10");
    answer = answer_of(device, "apple");
    assert_int_equal(answer.stock.number[0], 9);
    assert_int_equal(answer.effective.number[0], 10);
    assert_ok(mtlcap_restore());
    const struct snapshot after = snapshot_of(device);
    assert_same_answers(&before, &after, NULL);
}

/* As our own hooks come and go, each of many foreign ones keeps its place. */
static void many_above(void **state) {
    (void)state;
    void *device = device_at(0);
    put_foreign(paravirtual_class(), foreign_or_family);
    foreign_apple_max = 1006;
    for (int64_t round = 0; round < 5; round++) {
        apply(round % 2 ? "apple.max=4" : "apple.min=8");
        assert_int_equal(highest_family(device, 1000), round % 2 ? 1004 : 1008);
        assert_ok(mtlcap_restore());
        assert_int_equal(highest_family(device, 1000), 1006);
    }
}

/* ---- exchanged ------------------------------------------------------------ */

static uint64_t exchanged_calls;

/* The usual swizzle: after the exchange, this selector has what was there before. */
static uint64_t exchanged_family(void *self, SEL selector, int64_t family) {
    (void)selector;
    exchanged_calls++;
    return simmetal_ask_with(self, "test_supportsFamily:", family);
}

static void exchange(Class cls) {
    const SEL added = sel_registerName("test_supportsFamily:");
    Method own = own_method(cls, "supportsFamily:");
    assert_non_null(own);
    if (!own_method(cls, "test_supportsFamily:"))
        assert_true(
            class_addMethod(cls, added, (IMP)(code)exchanged_family, method_getTypeEncoding(own)));
    method_exchangeImplementations(own, own_method(cls, "test_supportsFamily:"));
}

static void exchanged_after_applying(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    exchange(paravirtual_class());
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_true(exchanged_calls > 0);
    apply("apple.max=3");
    assert_int_equal(highest_family(device, 1000), 1003);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1005);
    exchange(paravirtual_class()); /* back */
    exchanged_calls = 0;
    apply("apple.min=8");
    assert_int_equal(highest_family(device, 1000), 1008);
    assert_int_equal(exchanged_calls, 0);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1005);
}

static void exchanged_before_applying(void **state) {
    (void)state;
    void *device = device_at(0); /* its class owns supportsFamily: */
    exchange(class_named("FamilyOverridingDevice"));
    const struct snapshot before = snapshot_of(device);
    apply("apple.min=7,mac.max=1");
    assert_int_equal(highest_family(device, 1000), 1007);
    exchanged_calls = 0;
    assert_true(supports_family(device, 3003)); /* passes through, and through the other's */
    assert_true(exchanged_calls > 0);
    assert_ok(mtlcap_restore());
    const struct snapshot after = snapshot_of(device);
    assert_same_answers(&before, &after, NULL);
}

/* ---- on numbers ----------------------------------------------------------- */

static void below_on_a_number(void **state) {
    (void)state;
    foreign_word = 49152;
    put_method(paravirtual_class(), "maxThreadgroupMemoryLength", (code)foreign_constant);
    void *device = device_at(0);
    struct mtlcap_answer answer = answer_of(device, "threadgroup_memory");
    assert_int_equal(answer.stock.number[0], 49152);
    assert_from_foreign(&answer);
    apply("threadgroup_memory.max=40K");
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 40960);
    foreign_word = 1000; /* it may change its mind */
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 1000);
    assert_ok(mtlcap_restore());
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 1000);
}

/* The stock answer of a later device is asked below our hook, not through what is above it. */
static void above_and_a_later_device(void **state) {
    (void)state;
    apply("apple.min=7");
    foreign_apple_max = 1006;
    put_foreign(paravirtual_class(), foreign_or_family);
    const struct mtlcap_answer answer = answer_of(device_at(0), "apple");
    assert_int_equal(answer.stock_known, 1);
    assert_int_equal(answer.stock.number[0], 5);
    assert_int_equal(answer.effective.number[0], 7);
    assert_string_equal(answer.source, "Metal");
}

static unsigned displaced_calls;

static uint64_t displaced(void *self, SEL selector, int64_t family) {
    (void)self;
    (void)selector;
    displaced_calls++;
    return family == 1001;
}

/* What another shim has put back itself, and may have unloaded, is not called through a hook of
 * ours that had gone on top of it: then stock cannot be told. */
static void displaced_hooks_are_not_called(void **state) {
    (void)state;
    apply("apple.min=7");
    const code ours = own_code(paravirtual_class(), "supportsFamily:");
    put_method(paravirtual_class(), "supportsFamily:", (code)displaced);
    apply("apple.min=7");
    put_method(paravirtual_class(), "supportsFamily:", ours);
    foreign_apple_max = 1006;
    put_foreign(paravirtual_class(), foreign_or_family);
    displaced_calls = 0;
    const struct mtlcap_answer answer = answer_of(device_at(0), "apple");
    assert_int_equal(displaced_calls, 0);
    assert_int_equal(answer.stock_known, 0);
    assert_int_equal(answer.effective.number[0], 7);
}

/* Of a device that comes while a profile is in force, only what nothing is computed from is sure.
 */
static void stock_that_may_be_computed(void **state) {
    (void)state;
    apply("apple.min=7,raytracing=off");
    void *device = device_at(0);
    assert_int_equal(answer_of(device, "apple").stock_known, 1);
    assert_int_equal(answer_of(device, "raytracing").overridden, 1);
    assert_int_equal(answer_of(device, "raytracing").stock_known, 0);
}

/* Where a hook of ours has been taken out after a failure, another shim's goes on the bare method:
 * that is stock, also for a device that comes while a profile is in force. */
static void where_ours_was_taken_out(void **state) {
    (void)state;
    void *device = device_at(0);
    Class agent = make_subclass(paravirtual_class(), "Agent");
    put_method(agent, "isHeadless", (code)foreign_constant);
    set_class(device, agent);
    assert_ok(mtlcap_adopt_device(device)); /* the list is anew each time */
    assert_fails(apply_allowing("threadgroup_memory.min=64K,headless=on", every_hazard()),
                 MTLCAP_E_NOT_REACHED, "headless");
    set_class(device, paravirtual_class());
    foreign_word = 49152;
    put_method(paravirtual_class(), "maxThreadgroupMemoryLength", (code)foreign_constant);
    apply("mac.max=1");
    const struct mtlcap_answer answer = answer_of(device_at(0), "threadgroup_memory");
    assert_int_equal(answer.stock.number[0], 49152);
    assert_int_equal(answer.effective.number[0], 49152);
    assert_from_foreign(&answer);
}

/* An answer that has no rule of ours differs from stock since another shim came: it is the shim's,
 * and not derived from ours. */
static void above_what_has_no_rule(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    foreign_word = 0;
    put_method(paravirtual_class(), "supportsBCTextureCompression", (code)foreign_constant);
    struct mtlcap_answer answer = answer_of(device, "bc_texture_compression");
    assert_string_equal(answer.stock.text, "yes");
    assert_string_equal(answer.effective.text, "no");
    assert_int_equal(answer.overridden, 0);
    assert_int_equal(answer.derived, 0);
    assert_from_foreign(&answer);
    answer = answer_of(device, "raytracing");
    assert_int_equal(answer.derived, 1); /* this one is */
    assert_string_equal(answer.source, "Metal");
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", below_on_the_class),
        ON("paravirt", below_on_the_root_class),
        ON("paravirt", auto_over_another_shim),
        ON("paravirt", above_and_chaining),
        ON("paravirt", above_and_not_chaining),
        ON("paravirt", applying_again_below_one_that_raises),
        ON("paravirt", applying_again_below_one_that_does_not_chain),
        ON("paravirt", the_one_between_goes),
        ON("paravirt", one_above_goes),
        ON("paravirt", above_while_restored_is_stock),
        ON("paravirt", many_above),
        ON("paravirt", exchanged_after_applying),
        ON("override-in-leaf", exchanged_before_applying),
        ON("paravirt", below_on_a_number),
        ON("paravirt", above_what_has_no_rule),
        ON("paravirt-fresh", above_and_a_later_device),
        ON("paravirt-fresh", displaced_hooks_are_not_called),
        ON("paravirt-fresh", stock_that_may_be_computed),
        ON("paravirt-fresh", where_ours_was_taken_out),
    };
    return RUN_APART(tests);
}
