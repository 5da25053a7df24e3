/* `auto` from end to end: in a virtual machine the family of the host's chip, elsewhere nothing. */
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

/* Raised to `family`, by one rule, and back. */
static void check_raised_to(uint64_t family) {
    void *device = device_at(0);
    const struct snapshot before = snapshot_of(device);
    assert_ok(mtlcap_apply_profile("auto", NULL));
    assert_int_equal(highest_family(device, 1000), 1000 + (int64_t)family);
    for (int64_t each = 1001; each <= 1000 + (int64_t)family; each++)
        assert_true(supports_family(device, each));
    char rule[64];
    snprintf(rule, sizeof rule, "auto: apple.min=%d", (int)family);
    const struct mtlcap_answer answer = answer_of(device, "apple");
    assert_string_equal(answer.rule, rule);
    assert_int_equal(answer.effective.number[0], family);
    /* nothing else has a rule */
    assert_int_equal(report().hook_count, 1);
    assert_int_equal(report().change_count - report().derived_count, 1);
    assert_int_equal(highest_family(device, 5000), 0);
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 32768);
    assert_ok(mtlcap_restore());
    const struct snapshot after = snapshot_of(device);
    assert_same_answers(&before, &after, NULL);
}

#define RAISES(function, family)                                                                   \
    static void function(void **state) {                                                           \
        (void)state;                                                                               \
        check_raised_to(family);                                                                   \
    }
RAISES(an_m1_ultra, 7)
RAISES(an_m2, 8)
RAISES(an_m3, 9)
RAISES(an_m4, 9)
RAISES(an_m5, 10)
RAISES(a_newer_chip_counts_as_the_newest_known, 10)
RAISES(a_chip_that_cannot_be_read_is_7, 7)
RAISES(rosetta_is_7, 7)
RAISES(a_hosted_runner, 7)
RAISES(a_macos_13_guest, 7)
RAISES(a_program_of_an_old_sdk_is_warned, 7)

/* Succeeds, changes nothing, hooks nothing. */
static void check_nothing_to_do(void) {
    for (unsigned i = 0; i < 2 && device_at(i); i++) {
        const struct snapshot before = snapshot_of(device_at(i));
        assert_ok(mtlcap_apply_profile("auto", NULL));
        const struct snapshot during = snapshot_of(device_at(i));
        assert_same_answers(&before, &during, NULL);
        assert_int_equal(report().hook_count, 0);
        assert_int_equal(report().change_count, 0);
        assert_int_equal(mtlcap_is_active(), 0);
        assert_int_equal(answer_of(device_at(i), "apple").overridden, 0);
        assert_ok(mtlcap_restore());
    }
}

#define CHANGES_NOTHING(function)                                                                  \
    static void function(void **state) {                                                           \
        (void)state;                                                                               \
        check_nothing_to_do();                                                                     \
    }
CHANGES_NOTHING(bare_metal)
CHANGES_NOTHING(an_intel_mac)
CHANGES_NOTHING(a_guest_on_an_intel_host)

/* A class has one set of hooks: where a name tells devices of one class apart, all count as real.
 */
static void one_of_a_class_is_paravirtual(void **state) {
    (void)state;
    check_nothing_to_do();
    for (int i = 0; i < 2; i++) {
        assert_fails(mtlcap_apply_profile("apple.min=7", NULL), MTLCAP_E_HAZARD, "bare-metal");
        assert_int_equal(highest_family(device_at(0), 1000), 1005);
        assert_int_equal(highest_family(device_at(1), 1000), 1005);
    }
}

/* Only its name makes a device paravirtual, and a real one's class is below its own. */
static void a_real_one_of_a_class_below(void **state) {
    (void)state;
    void *above = simmetal_create_device_of(getenv("SIMMETAL_DEVICES"), 0, "AGXG13FamilyDevice");
    assert_non_null(above);
    assert_ok(mtlcap_adopt_device(above));
    apply("auto");
    assert_int_equal(highest_family(above, 1000), 1005);
    assert_int_equal(highest_family(device_at(1), 1000), 1005);
}

static void a_macos_14_guest_is_refused(void **state) {
    (void)state;
    void *device = device_at(0);
    const struct snapshot before = snapshot_of(device);
    assert_fails(mtlcap_apply_profile("auto", NULL), MTLCAP_E_HAZARD, "macos-14-guest");
    struct mtlcap_error error = MTLCAP_ERROR_INIT;
    assert_ok(mtlcap_last_error_info(&error));
    assert_string_equal(error.hazard, "macos-14-guest");
    const struct snapshot after = snapshot_of(device);
    assert_same_answers(&before, &after, NULL);
    assert_int_equal(report().hook_count, 0);

    assert_ok(apply_allowing("auto", "macos-14-guest"));
    assert_int_equal(highest_family(device, 1000), 1007);
}

/* Another shim has raised the answers already: `auto` raises, it does not lower. */
static void a_polluted_stock_answer(void **state) {
    (void)state;
    void *device = device_at(0);
    const struct snapshot before = snapshot_of(device);
    assert_ok(mtlcap_apply_profile("auto", NULL));
    const struct snapshot during = snapshot_of(device);
    assert_same_answers(&before, &during, NULL);
    const struct mtlcap_answer answer = answer_of(device, "apple");
    assert_int_equal(answer.stock.number[0], 9);
    assert_int_equal(answer.effective.number[0], 9);
    assert_string_equal(answer.rule, "auto: apple.min=7");
    assert_int_equal(report().change_count, 0);
}

static void later_items_win(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("auto,apple.max=6,metal=off");
    assert_int_equal(highest_family(device, 1000), 1006);
    apply("apple.max=6,auto");
    assert_int_equal(highest_family(device, 1000), 1007);
    apply("auto,apple=off");
    assert_int_equal(highest_family(device, 1000), 0);
}

static void no_device(void **state) {
    (void)state;
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    struct mtlcap_device info = MTLCAP_DEVICE_INIT;
    uint32_t count = 7;
    assert_fails(mtlcap_apply_profile("auto", NULL), MTLCAP_E_NO_DEVICE, "no device");
    assert_fails(mtlcap_apply_profile("stock", NULL), MTLCAP_E_NO_DEVICE, "no device");
    assert_fails(mtlcap_query(NULL, "apple", &answer), MTLCAP_E_NO_DEVICE, "no device");
    assert_fails(mtlcap_device_info(0, &info), MTLCAP_E_NO_DEVICE, "0");
    assert_ok(mtlcap_device_count(&count));
    assert_int_equal(count, 0);
    assert_ok(mtlcap_restore());
    assert_int_equal(mtlcap_generation(), 0);
    assert_int_equal(mtlcap_is_active(), 0);

    struct mtlcap_explanation explanation = MTLCAP_EXPLANATION_INIT;
    struct mtlcap_rule rule = MTLCAP_RULE_INIT;
    assert_ok(mtlcap_explain_profile("apple.min=7", NULL, &explanation));
    assert_int_equal(explanation.status, MTLCAP_E_NO_DEVICE);
    assert_int_equal(explanation.rule_count, 1);
    assert_ok(mtlcap_explain_rule("apple.min=7", NULL, 0, &rule));
    assert_null(rule.device);
    assert_string_equal(rule.rule, "apple.min=7");
    assert_string_equal(rule.stock, "");

    void *device = simmetal_create_device("paravirt"); /* one comes after all */
    assert_ok(mtlcap_adopt_device(device));
    apply("apple.min=7");
    assert_int_equal(highest_family(device, 1000), 1007);
}

static void no_default_device(void **state) {
    (void)state;
    assert_null(MTLCreateSystemDefaultDevice());
    check_raised_to(7);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", an_m1_ultra),
        ON("paravirt-m2", an_m2),
        ON("paravirt-m3", an_m3),
        ON("paravirt-m4", an_m4),
        ON("paravirt-m5", an_m5),
        ON("paravirt-newer-chip", a_newer_chip_counts_as_the_newest_known),
        ON("paravirt-unknown-chip", a_chip_that_cannot_be_read_is_7),
        ON("paravirt-rosetta", rosetta_is_7),
        ON("github-runner", a_hosted_runner),
        ON("paravirt-macos13", a_macos_13_guest),
        ON("paravirt-old-sdk", a_program_of_an_old_sdk_is_warned),
        ON("m1-ultra", bare_metal),
        ON("m5-max", bare_metal),
        ON("intel-amd", an_intel_mac),
        ON("paravirt-x86", a_guest_on_an_intel_host),
        ON("one-class-paravirtual-first.ini", one_of_a_class_is_paravirtual),
        ON("one-class-paravirtual-last.ini", one_of_a_class_is_paravirtual),
        ON("one-class-paravirtual-first.ini", a_real_one_of_a_class_below),
        ON("paravirt-macos14", a_macos_14_guest_is_refused),
        ON("paravirt-raised", a_polluted_stock_answer),
        ON("paravirt", later_items_win),
        ON("none", no_device),
        ON("no-default-device", no_default_device),
    };
    return RUN_APART(tests);
}
