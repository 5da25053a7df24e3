/* Applying again replaces what is in force in one step; a failing apply leaves it. */
#include <string.h>

#include "foreign.h"
#include "odd_devices.h"
#include "support.h"

static void one_profile_after_another(void **state) {
    (void)state;
    void *device = device_at(0);
    const struct snapshot before = snapshot_of(device);
    apply("apple.min=7,headless=on");
    apply("apple.max=4,threadgroup_memory.max=16K");
    assert_int_equal(highest_family(device, 1000), 1004);
    assert_int_equal(simmetal_ask(device, "isHeadless"), 0);
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 16384);
    assert_int_equal(answer_of(device, "headless").overridden, 0);
    assert_int_equal(answer_of(device, "apple").stock.number[0], 5);
    assert_ok(mtlcap_restore());
    const struct snapshot after = snapshot_of(device);
    assert_same_answers(&before, &after, NULL);
}

static void stock_replaces(void **state) {
    (void)state;
    void *device = device_at(0);
    const struct snapshot before = snapshot_of(device);
    apply("apple.min=7");
    const uint64_t first = mtlcap_generation();
    apply("stock");
    assert_true(mtlcap_generation() > first);
    assert_int_equal(mtlcap_is_active(), 0);
    const struct snapshot after = snapshot_of(device);
    assert_same_answers(&before, &after, NULL);
    assert_string_equal(report().profile, "stock");
}

/* What is in force before and after a failing apply. */
struct state_of_things {
    uint64_t generation;
    int active;
    struct mtlcap_report report;
    struct snapshot snapshot;
};

static struct state_of_things look(void *device) {
    return (struct state_of_things){mtlcap_generation(), mtlcap_is_active(), report(),
                                    snapshot_of(device)};
}

static void assert_unchanged(const struct state_of_things *before, void *device) {
    const struct state_of_things now = look(device);
    assert_int_equal(now.generation, before->generation);
    assert_int_equal(now.active, before->active);
    assert_int_equal(now.report.change_count, before->report.change_count);
    assert_int_equal(now.report.finding_count, before->report.finding_count);
    assert_string_equal(now.report.profile, before->report.profile);
    assert_string_equal(now.report.allowed, before->report.allowed);
    assert_same_answers(&before->snapshot, &now.snapshot, NULL);
}

static void a_failing_apply_leaves_what_is_in_force(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7,headless=on");
    assert_int_equal(highest_family(device, 1000), 1007);
    const struct state_of_things before = look(device);
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    uint64_t generation = 4711;
    options.generation = &generation;

    assert_fails(mtlcap_apply_profile("apple.min=77", &options), MTLCAP_E_PROFILE, "77");
    assert_unchanged(&before, device);
    assert_fails(mtlcap_apply_profile("", &options), MTLCAP_E_PROFILE, "");
    assert_unchanged(&before, device);
    assert_fails(mtlcap_apply_profile("@/no/such/file", &options), MTLCAP_E_FILE, "/no/such/file");
    assert_unchanged(&before, device);
    assert_fails(mtlcap_apply_profile("apple.min=9", &options), MTLCAP_E_HAZARD, "beyond-hardware");
    assert_unchanged(&before, device);
    assert_fails(mtlcap_apply_profile("hide", &options), MTLCAP_E_UNSUPPORTED, "injected");
    assert_unchanged(&before, device);
    assert_fails(mtlcap_apply_profile(NULL, &options), MTLCAP_E_ARGUMENT, "NULL");
    assert_unchanged(&before, device);
    options.allow = "no-such-hazard";
    assert_fails(mtlcap_apply_profile("apple.min=5", &options), MTLCAP_E_ARGUMENT,
                 "no-such-hazard");
    assert_unchanged(&before, device);
    assert_int_equal(generation, 4711); /* nothing was applied, nothing was written */
}

static void so_does_one_that_a_device_cannot_take(void **state) {
    (void)state;
    void *device = device_at(0), *sparse = make_sparse_device();
    assert_ok(mtlcap_adopt_device(sparse));
    apply("apple.min=7");
    const struct state_of_things before = look(device);
    assert_fails(apply_allowing("apple.min=8,threadgroup_memory.min=64K", every_hazard()),
                 MTLCAP_E_UNSUPPORTED, "SparseDevice");
    assert_unchanged(&before, device);
    assert_int_equal(highest_family(sparse, 1000), 1007);
}

static void so_does_one_that_is_not_reached(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("threadgroup_memory.min=48K");
    Class agent = make_subclass(class_named("AppleParavirtDevice"), "Agent");
    put_method(agent, "supportsFamily:", (code)foreign_only_family);
    set_class(device, agent);
    const struct state_of_things before = look(device);
    assert_fails(apply_allowing("threadgroup_memory.min=64K,apple.min=8", every_hazard()),
                 MTLCAP_E_NOT_REACHED, "apple");
    assert_unchanged(&before, device);
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 49152);
}

static void a_failure_before_anything_was_applied(void **state) {
    (void)state;
    void *device = device_at(0);
    const struct state_of_things before = look(device);
    assert_fails(mtlcap_apply_profile("apple.min=9", NULL), MTLCAP_E_HAZARD, "beyond-hardware");
    assert_fails(mtlcap_apply_profile("lume", NULL), MTLCAP_E_HAZARD,
                 "allow \"beyond-hardware+threadgroup-memory\"");
    assert_fails(apply_allowing("lume", "metal+threadgroup-memory"), MTLCAP_E_HAZARD,
                 "allow \"metal+beyond-hardware+threadgroup-memory\"");
    assert_unchanged(&before, device);
    assert_int_equal(report().hook_count, 0);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", one_profile_after_another),
        ON("paravirt", stock_replaces),
        ON("paravirt", a_failing_apply_leaves_what_is_in_force),
        ON("paravirt", so_does_one_that_a_device_cannot_take),
        ON("paravirt", so_does_one_that_is_not_reached),
        ON("paravirt", a_failure_before_anything_was_applied),
    };
    return RUN_APART(tests);
}
