/* The report of what was done: changes, those that follow from others, hazards met. */
#include <string.h>

#include "support.h"

/* What Metal computes from Apple6 and later, and the paravirtual device lacks. */
static const char *const from_apple6[] = {
    "raytracing",        "raytracing_from_render",        "primitive_motion_blur",
    "function_pointers", "function_pointers_from_render", "dynamic_libraries",
    "placement_sparse",  "render_dynamic_libraries",      "sparse_tile_size",
};
enum { FROM_APPLE6 = sizeof from_apple6 / sizeof from_apple6[0] };

static struct mtlcap_change change_of(const char *capability) {
    struct mtlcap_change change = MTLCAP_CHANGE_INIT;
    for (uint32_t i = 0; i < report().change_count; i++) {
        assert_ok(mtlcap_report_change(i, &change));
        if (strcmp(change.capability, capability) == 0)
            return change;
    }
    fail_msg("there is no change of %s", capability);
    return change;
}

static void derived_answers(void **state) {
    (void)state;
    void *device = device_at(0);
    assert_ok(mtlcap_apply_profile("auto", NULL));
    const struct mtlcap_report done = report();
    assert_int_equal(done.change_count, 1 + FROM_APPLE6);
    assert_int_equal(done.derived_count, FROM_APPLE6);
    const struct mtlcap_change apple = change_of("apple");
    assert_int_equal(apple.derived, 0);
    assert_ptr_equal(apple.device, device);
    assert_string_equal(apple.rule, "auto: apple.min=7");
    assert_string_equal(apple.stock, "5");
    assert_string_equal(apple.effective, "7");
    for (size_t i = 0; i < FROM_APPLE6; i++) {
        const struct mtlcap_change change = change_of(from_apple6[i]);
        assert_int_equal(change.derived, 1);
        assert_string_equal(change.rule, "");
        const struct mtlcap_answer answer = answer_of(device, from_apple6[i]);
        assert_int_equal(answer.derived, 1);
        assert_int_equal(answer.overridden, 0);
        assert_int_equal(answer.stock_known, 1);
        assert_string_equal(answer.stock.text, change.stock);
        assert_string_equal(answer.effective.text, change.effective);
        assert_string_not_equal(answer.stock.text, answer.effective.text);
    }
    assert_int_equal(answer_of(device, "read_write_texture").derived, 0); /* from Apple4 */

    assert_ok(mtlcap_restore());
    assert_int_equal(answer_of(device, "raytracing").derived, 0);
    assert_string_equal(answer_of(device, "raytracing").effective.text, "no");
    assert_int_equal(report().change_count, 0);
}

static void a_derived_answer_with_a_rule_is_not_derived(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7,raytracing=off,function_pointers=on");
    assert_int_equal(answer_of(device, "raytracing").overridden, 1);
    assert_int_equal(answer_of(device, "raytracing").derived, 0);
    assert_int_equal(simmetal_ask(device, "supportsRaytracing"), 0);
    assert_int_equal(change_of("function_pointers").derived, 0);
    assert_int_equal(report().derived_count, FROM_APPLE6 - 2);
}

/* Where Metal took them once, nothing follows. */
static void cached_answers(void **state) {
    (void)state;
    void *device = device_at(0);
    assert_ok(mtlcap_apply_profile("auto", NULL));
    assert_int_equal(report().change_count, 1);
    assert_int_equal(report().derived_count, 0);
    assert_int_equal(simmetal_ask(device, "supportsRaytracing"), 0);
    assert_int_equal(answer_of(device, "raytracing").derived, 0);
}

static void lowering(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.max=5");
    assert_int_equal(change_of("raytracing").derived, 1);
    assert_string_equal(change_of("raytracing").stock, "yes");
    assert_string_equal(change_of("raytracing").effective, "no");
    assert_int_equal(simmetal_ask(device, "supportsRaytracing"), 0);
    assert_ok(mtlcap_restore());
    assert_int_equal(simmetal_ask(device, "supportsRaytracing"), 1);
}

static void hazards_met(void **state) {
    (void)state;
    device_at(0);
    assert_ok(apply_allowing("apple.min=9", "beyond-hardware+feature"));
    const struct mtlcap_report done = report();
    assert_string_equal(done.profile, "apple.min=9");
    assert_string_equal(done.allowed, "beyond-hardware+feature");
    assert_int_equal(done.finding_count, 1);
    struct mtlcap_finding finding = MTLCAP_FINDING_INIT;
    assert_ok(mtlcap_report_finding(0, &finding));
    assert_string_equal(finding.hazard, "beyond-hardware");
    assert_string_equal(finding.rule, "apple.min=9");
    assert_int_equal(finding.refuses, 1);
    assert_int_equal(finding.allowed, 1);
    assert_fails(mtlcap_report_finding(1, &finding), MTLCAP_E_ARGUMENT, "1");
}

static void counts(void **state) {
    (void)state;
    assert_int_equal(report().hook_count, 0);
    apply("apple.min=7,mac.max=1,metal.min=3,threadgroup_memory.min=64K");
    const struct mtlcap_report done = report();
    assert_int_equal(done.device_count, 2);
    assert_int_equal(done.class_count, 2);
    assert_int_equal(done.hook_count, 4); /* three axes are one selector */
    assert_ok(mtlcap_restore());
    const struct mtlcap_report after = report();
    assert_int_equal(after.generation, 0);
    assert_int_equal(after.hook_count, 4); /* in place, passing through */
    assert_int_equal(after.change_count, 0);
    assert_string_equal(after.profile, "");
    struct mtlcap_change change = MTLCAP_CHANGE_INIT;
    assert_fails(mtlcap_report_change(0, &change), MTLCAP_E_ARGUMENT, "0");
}

static void nothing_to_change(void **state) {
    (void)state;
    device_at(0);
    assert_ok(mtlcap_apply_profile("auto", NULL)); /* bare metal */
    assert_true(mtlcap_generation() > 0);
    assert_int_equal(report().change_count, 0);
    assert_int_equal(report().hook_count, 0);
    assert_string_equal(report().profile, "auto");
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", derived_answers),
        ON("paravirt", a_derived_answer_with_a_rule_is_not_derived),
        ON("paravirt-cached", cached_answers),
        ON("m3-pro", lowering),
        ON("paravirt", hazards_met),
        ON("two-vendors", counts),
        ON("m1-ultra", nothing_to_change),
    };
    return RUN_APART(tests);
}
