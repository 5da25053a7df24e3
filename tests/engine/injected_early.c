/* Applying to a device that Metal is still making, as today's shims do: from inside
 * initGPUFamilySupport. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/injected.h"
#include "foreign.h"
#include "support.h"

static void (*_Atomic original)(void *self, void *selector);
static const char *profile, *allow;
static int calls, status;
static uint64_t generation;
static char error[1024];

static void apply_early(void *self, void *selector) {
    atomic_load (&original)(self, selector);
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.allow = allow;
    options.generation = &generation;
    calls++;
    status = mtlcap__injected_apply_early(profile, &options, self);
    snprintf(error, sizeof error, "%s", status ? mtlcap_last_error() : "");
}

/* From now on every new device gets the profile. */
static void begin(const char *wanted, const char *allowed) {
    alarm(30); /* Metal's list is being made: asking for it would wait for ever */
    profile = wanted;
    allow = allowed;
    assert_true(
        mtlcap__injected_replace("_MTLDevice", "initGPUFamilySupport", apply_early, &original));
}

static void assert_applied(int times) {
    if (status)
        fail_msg("%s", error);
    assert_int_equal(calls, times);
}

static uint64_t kept(void *device, const char *name) {
    uint64_t value = 12345;
    assert_int_equal(simmetal_cached_answer(device, name, &value), 0);
    return value;
}

static struct mtlcap_device device_info(uint32_t index) {
    struct mtlcap_device info = MTLCAP_DEVICE_INIT;
    assert_ok(mtlcap_device_info(index, &info));
    return info;
}

static uint32_t device_count(void) {
    uint32_t count = 0;
    assert_ok(mtlcap_device_count(&count));
    return count;
}

/* ---- what it does ------------------------------------------------------------- */

static void what_metal_keeps_is_raised_too(void **state) {
    (void)state;
    begin("apple.min=8", every_hazard());
    void *device = device_at(0);
    assert_applied(1);
    assert_int_equal(generation, 1);
    assert_int_equal(highest_family(device, 1000), 1008);
    assert_int_equal(kept(device, "supportsRaytracing"), 1);
    assert_int_equal(kept(device, "limits.maxComputeThreadgroupMemory"), 32768);

    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1005);
    assert_int_equal(simmetal_ask(device, "supportsRaytracing"), 0); /* computed when asked */
    assert_int_equal(kept(device, "supportsRaytracing"), 1);
}

static void late_it_is_not(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=8");
    assert_int_equal(highest_family(device, 1000), 1008);
    assert_int_equal(kept(device, "supportsRaytracing"), 0);
}

/* Where answers come from what Metal keeps. */
static void what_metal_keeps_is_not_restored(void **state) {
    (void)state;
    begin("apple.min=8", every_hazard());
    void *device = device_at(0);
    assert_applied(1);
    assert_int_equal(simmetal_ask(device, "supportsRaytracing"), 1);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1005);
    assert_int_equal(simmetal_ask(device, "supportsRaytracing"), 1);
}

/* What our early hook finds: the answers that the class had, and whose they are. */
static void the_published_profile(void **state) {
    (void)state;
    begin("lume", "beyond-hardware+threadgroup-memory");
    void *device = device_at(0);
    assert_applied(1);
    assert_int_equal(highest_family(device, 1000), 1009);
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 65536);
    assert_int_equal(kept(device, "requiresBFloat16Emulation"), 0);
    /* initLimits comes before initFeatureQueries */
    assert_int_equal(simmetal_ask(device, "maxComputeThreadgroupMemory"), 32768);
}

/* ---- what it asks --------------------------------------------------------------- */

static int questions, questions_of_ours;

static uint64_t count_question(void *self, SEL selector) {
    (void)self, (void)selector;
    questions++;
    return 0;
}

static void apply_and_count(void *self, void *selector) {
    questions = 0;
    apply_early(self, selector);
    questions_of_ours = questions;
}

/* The device is not asked its name, nor what has no rule. */
static void nothing_else_is_asked(void **state) {
    (void)state;
    static const char *const selectors[] = {"name",
                                            "architecture",
                                            "recommendedMaxWorkingSetSize",
                                            "supportsRaytracing",
                                            "isLowPower",
                                            "maxThreadgroupMemoryLength",
                                            "supports32BitMSAA"};
    for (size_t i = 0; i < sizeof selectors / sizeof selectors[0]; i++)
        put_method(class_named("AppleParavirtDevice"), selectors[i], (code)count_question);
    profile = "apple.min=7";
    alarm(30);
    assert_true(
        mtlcap__injected_replace("_MTLDevice", "initGPUFamilySupport", apply_and_count, &original));
    void *device = device_at(0);
    assert_applied(1);
    assert_int_equal(questions_of_ours, 0);
    assert_true(questions > 0); /* by Metal, then */
    assert_true(supports_family(device, 1007));
}

/* A ruled answer is asked for its hazards. */
static void hazards_are_checked(void **state) {
    (void)state;
    begin("working_set.min=20G", NULL);
    void *device = device_at(0);
    assert_int_equal(status, MTLCAP_E_HAZARD);
    assert_non_null(strstr(error, "working-set"));
    assert_non_null(strstr(error, "AppleParavirtDevice from ")); /* its name is not known yet */
    assert_int_equal(mtlcap_generation(), 0);
    assert_true(simmetal_ask(device, "recommendedMaxWorkingSetSize") < UINT64_C(20) << 30);
    assert_int_equal(device_count(), 1);
    assert_int_equal(device_info(0).adopted, 0);
    assert_ok(mtlcap_apply_profile("auto", NULL));
    assert_true(supports_family(device, 1007));
}

static void what_can_be_wrong(void **state) {
    (void)state;
    device_at(0);
    assert_fails(mtlcap__injected_apply_early("auto", NULL, NULL), MTLCAP_E_ARGUMENT, "device");
    assert_fails(mtlcap__injected_apply_early(NULL, NULL, device_at(0)), MTLCAP_E_ARGUMENT,
                 "profile");
    assert_fails(mtlcap__injected_apply_early("auto", NULL, (void *)1), MTLCAP_E_NOT_A_DEVICE, "");
    assert_fails(mtlcap__injected_apply_early("auto", NULL, MTLCopyAllDevices()),
                 MTLCAP_E_NOT_A_DEVICE, "MTLDevice");
    assert_fails(mtlcap__injected_apply_early("aple=7", NULL, device_at(0)), MTLCAP_E_PROFILE,
                 "apple");
    assert_fails(mtlcap__injected_apply_early("hide", NULL, device_at(0)), MTLCAP_E_UNSUPPORTED,
                 "hide");
    assert_int_equal(mtlcap_generation(), 0);
    assert_int_equal(mtlcap_is_active(), 0);
}

/* ---- later ---------------------------------------------------------------------- */

static void it_is_known_afterwards(void **state) {
    (void)state;
    begin("auto", NULL);
    void *device = device_at(0);
    assert_applied(1);
    assert_true(mtlcap__injected_covers(device));
    assert_int_equal(report().generation, 1);
    assert_int_equal(report().change_count, 1);
    struct mtlcap_change change = MTLCAP_CHANGE_INIT;
    assert_ok(mtlcap_report_change(0, &change));
    assert_ptr_equal(change.device, device);
    assert_string_equal(change.capability, "apple");
    assert_string_equal(change.stock, "5");
    assert_string_equal(change.effective, "7");
    assert_int_equal(change.derived, 0);

    for (int listed = 0; listed <= 1; listed++) {
        const struct mtlcap_answer apple = answer_of(device, "apple");
        assert_int_equal(apple.stock_known, 1);
        assert_int_equal(apple.stock.number[0], 5);
        assert_int_equal(apple.effective.number[0], 7);
        assert_string_equal(apple.rule, "auto: apple.min=7");
        assert_string_equal(apple.source, "Metal");
        assert_string_equal(answer_of(device, "name").effective.text, "Apple Paravirtual device");
        assert_string_equal(answer_of(NULL, "name").effective.text, "Apple Paravirtual device");
        assert_int_equal(answer_of(device, "working_set").overridden, 0);
        assert_int_equal(device_count(), 1);
    }
    assert_string_equal(device_info(0).name, "Apple Paravirtual device");
    assert_ptr_equal(device_info(0).device, device);
    assert_int_equal(device_info(0).adopted, 0);
    assert_int_equal(device_info(0).paravirtual, 1);

    apply("apple.max=3");
    assert_int_equal(highest_family(device, 1000), 1003);
    assert_int_equal(mtlcap_generation(), 2);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1005);
    assert_int_equal(answer_of(device, "apple").effective.number[0], 5);
}

static void in_a_wrapper(void **state) {
    (void)state;
    setenv("MTL_DEBUG_LAYER", "1", 1);
    begin("auto", NULL);
    void *wrapper = device_at(0);
    assert_applied(1);
    assert_true(mtlcap__injected_covers(wrapper));
    assert_true(supports_family(wrapper, 1007));
    assert_int_equal(answer_of(wrapper, "apple").stock.number[0], 5);
    assert_int_equal(device_count(), 1);
    assert_ptr_equal(device_info(0).device, wrapper);
    assert_string_equal(device_info(0).name, "Apple Paravirtual device");
    assert_ok(mtlcap_restore());
    assert_false(supports_family(wrapper, 1007));
}

/* A device that no list has stays as it was seen, until somebody adopts it. */
static void not_in_a_list(void **state) {
    (void)state;
    begin("apple.min=7", "macos-14-guest"); /* which the machine without devices is */
    void *device = simmetal_create_device("paravirt");
    assert_applied(1);
    assert_int_equal(device_count(), 1);
    assert_string_equal(device_info(0).name, "AppleParavirtDevice");
    assert_int_equal(device_info(0).adopted, 1);
    assert_string_equal(answer_of(NULL, "name").effective.text, "Apple Paravirtual device");
    assert_string_equal(answer_of(NULL, "apple").stock.text, "5");

    /* what has a rule now, and had none, is asked */
    assert_fails(mtlcap_apply_profile("threadgroup_memory.max=16K", NULL), MTLCAP_E_HAZARD,
                 "from 32768 to 16384");
    apply("threadgroup_memory.max=16K");
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 16384);
    assert_false(supports_family(device, 1007));
    assert_int_equal(answer_of(device, "threadgroup_memory").stock.number[0], 32768);

    assert_ok(mtlcap_adopt_device(device));
    assert_int_equal(device_count(), 1);
    assert_string_equal(device_info(0).name, "Apple Paravirtual device");
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 16384);
}

/* ---- several ------------------------------------------------------------------------ */

static void two_classes(void **state) {
    (void)state;
    begin("apple.min=7", every_hazard());
    void *first = device_at(0), *second = device_at(1);
    assert_applied(2);
    assert_int_equal(generation, 1);
    assert_int_equal(mtlcap_generation(), 1);
    assert_int_equal(highest_family(first, 1000), 1007);
    assert_int_equal(highest_family(second, 1000), 1007);
    assert_true(mtlcap__injected_covers(first));
    assert_true(mtlcap__injected_covers(second));
    assert_int_equal(report().change_count, 2);
    assert_int_equal(device_count(), 2);
    assert_ok(mtlcap_restore_generation(generation));
    assert_int_equal(highest_family(first, 1000), 1005);
    assert_int_equal(highest_family(second, 1000), 1005);
}

/* One class refuses: the other keeps its profile. */
static void two_classes_of_which_one_is_real(void **state) {
    (void)state;
    begin("apple.min=7", NULL);
    void *first = device_at(0), *second = device_at(1);
    assert_int_equal(calls, 2);
    assert_int_equal(status, MTLCAP_E_HAZARD);
    assert_non_null(strstr(error, "bare-metal"));
    assert_int_equal(highest_family(first, 1000), 1007);
    assert_int_equal(highest_family(second, 1000), 1005);
    assert_true(mtlcap__injected_covers(first));
    assert_false(mtlcap__injected_covers(second));
}

/* What the program has put in force meanwhile is what a later class gets. */
static void what_is_in_force_stays(void **state) {
    (void)state;
    begin("apple.min=7", every_hazard());
    void *first = simmetal_create_device("paravirt");
    apply("apple.max=3");
    void *second = device_of_class("OtherVendorDevice");
    assert_applied(3); /* with the one in the list */
    assert_int_equal(mtlcap_generation(), 2);
    assert_int_equal(highest_family(first, 1000), 1003);
    assert_int_equal(highest_family(second, 1000), 1003);
}

/* Metal makes its devices because a profile is being applied. */
static void further_up_the_stack(void **state) {
    (void)state;
    begin("apple.min=8", every_hazard());
    apply("apple.min=7");
    assert_int_equal(calls, 1);
    assert_int_equal(status, MTLCAP_E_BUSY);
    assert_int_equal(highest_family(device_at(0), 1000), 1007);
    assert_true(mtlcap__injected_covers(device_at(0)));
    assert_int_equal(mtlcap_generation(), 1);
}

static void a_query_makes_the_devices(void **state) {
    (void)state;
    begin("apple.min=7", NULL);
    assert_int_equal(answer_of(NULL, "apple").effective.number[0], 7);
    assert_applied(1);
    assert_int_equal(device_count(), 1);
    assert_int_equal(device_info(0).adopted, 0);
}

static void a_class_that_does_not_call_super(void **state) {
    (void)state;
    begin("apple.min=7", NULL);
    void *device = device_at(0);
    assert_int_equal(calls, 0);
    assert_false(mtlcap__injected_covers(device)); /* the caller can tell, and apply late */
    assert_ok(mtlcap_apply_profile("apple.min=7", NULL));
    assert_true(mtlcap__injected_covers(device));
    assert_true(supports_family(device, 1007));
    assert_int_equal(kept(device, "supportsRaytracing"), 0);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", what_metal_keeps_is_raised_too),
        ON("paravirt", late_it_is_not),
        ON("paravirt-cached", what_metal_keeps_is_not_restored),
        ON("paravirt", the_published_profile),
        ON("paravirt", nothing_else_is_asked),
        ON("paravirt", hazards_are_checked),
        ON("paravirt", what_can_be_wrong),
        ON("paravirt", it_is_known_afterwards),
        ON("paravirt", in_a_wrapper),
        ON("none", not_in_a_list),
        ON("two-vendors", two_classes),
        ON("two-vendors", two_classes_of_which_one_is_real),
        ON("paravirt", what_is_in_force_stays),
        ON("paravirt", further_up_the_stack),
        ON("paravirt", a_query_makes_the_devices),
        ON("override-in-init", a_class_that_does_not_call_super),
    };
    return RUN_APART(tests);
}
