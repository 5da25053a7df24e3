/* A trace where something is in the way: hooks of others, wrappers, methods of other signatures,
 * too many classes. */
#include <stdio.h>
#include <string.h>

#include "foreign.h"
#include "odd_devices.h"
#include "traced.h"

static Class paravirtual_class(void) {
    return class_named("AppleParavirtDevice");
}

static void put_foreign(uint64_t (*hook)(void *, const void *, int64_t)) {
    foreign_below = put_method(paravirtual_class(), "supportsFamily:", (code)hook);
}

/* ---- hooks of others -------------------------------------------------------------- */

/* Ours below is reached through it: it is who asks. */
static void through_a_foreign_hook(void **state) {
    (void)state;
    void *device = device_at(0);
    start_trace();
    put_foreign(foreign_or_family);
    asker_asks(device, "supportsFamily:", 1009);
    struct mtlcap_trace_question q = only("supportsFamily:", 1009, "no");
    assert_non_null(strstr(q.image, "libengine_foreign"));
    /* Starting anew is content with that. */
    start_trace();
    assert_int_equal(trace_info().unwatched_count, 0);
    asker_asks(device, "supportsFamily:", 1009);
    only("supportsFamily:", 1009, "no");
}

/* One that does not ask below hides ours: another one goes on top, and below it nothing is lost. */
static void above_a_foreign_hook(void **state) {
    (void)state;
    void *device = device_at(0);
    start_trace();
    put_foreign(foreign_only_family);
    asker_asks(device, "supportsFamily:", 1003);
    assert_int_equal(trace_info().asked, 0);
    start_trace();
    assert_int_equal(trace_info().unwatched_count, 0);
    assert_int_equal(asker_asks(device, "supportsFamily:", 1003), 1);
    assert_int_equal(asker_asks(device, "supportsFamily:", 1005), 0);
    struct mtlcap_trace_question q = only("supportsFamily:", 1003, "yes");
    assert_string_equal(q.stock, "yes"); /* it is not ours: it is stock */
    assert_non_null(strstr(q.image, "asker"));
    only("supportsFamily:", 1005, "no");
    apply("apple.min=7");
    assert_int_equal(asker_asks(device, "supportsFamily:", 1005), 1);
    q = only("supportsFamily:", 1005, "yes");
    assert_int_equal(q.overridden, 1);
    assert_string_equal(q.stock, "no");
}

/* One that asks below, between two of ours, is one question. */
static void between_two_of_ours(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    put_foreign(foreign_or_family);
    apply("apple.max=6"); /* goes on top */
    start_trace();
    asker_asks(device, "supportsFamily:", 1006);
    asker_asks(device, "supportsFamily:", 1008);
    assert_int_equal(trace_info().asked, 2);
    assert_non_null(strstr(only("supportsFamily:", 1006, NULL).image, "asker"));
    assert_non_null(strstr(only("supportsFamily:", 1008, "no").image, "asker"));
    mtlcap_restore();
    assert_int_equal(asker_asks(device, "supportsFamily:", 1008), 1);
    assert_int_equal(trace_info().asked, 3);
    assert_non_null(strstr(only("supportsFamily:", 1008, "yes").image, "asker"));
}

/* ---- wrappers ---------------------------------------------------------------------- */

static void through_a_wrapper(void **state) {
    (void)state;
    void *device = device_at(0), *wrapper = simmetal_wrap_device(device, "MTLDebugDevice");
    start_trace();
    asker_asks(wrapper, "supportsFamily:", 1005);
    const struct mtlcap_trace_question q = only("supportsFamily:", 1005, "yes");
    assert_int_equal(q.count, 1);
    assert_string_equal(q.class_name, "AppleParavirtDevice");
}

/* ---- what is not watched ------------------------------------------------------------ */

static struct mtlcap_trace_unwatched unwatched_at(uint32_t index) {
    struct mtlcap_trace_unwatched unwatched = MTLCAP_TRACE_UNWATCHED_INIT;
    assert_ok(mtlcap_trace_unwatched_info(index, &unwatched));
    return unwatched;
}

static void other_signatures(void **state) {
    (void)state;
    void *odd = make_odd_device();
    start_trace();
    assert_ok(mtlcap_adopt_device(odd));
    assert_int_equal(trace_info().unwatched_count, 3);
    unsigned seen = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const struct mtlcap_trace_unwatched u = unwatched_at(i);
        assert_string_equal(u.class_name, "OddDevice");
        assert_non_null(strstr(u.reason, "signature"));
        seen += strcmp(u.capability, "apple") == 0 && strcmp(u.selector, "supportsFamily:") == 0;
        seen += strcmp(u.capability, "buffer_length") == 0;
        seen += strcmp(u.capability, "headless") == 0;
    }
    assert_int_equal(seen, 3);
    struct mtlcap_trace_unwatched beyond = MTLCAP_TRACE_UNWATCHED_INIT;
    assert_fails(mtlcap_trace_unwatched_info(3, &beyond), MTLCAP_E_ARGUMENT, "there are 3");
    asker_asks(odd, "hasUnifiedMemory", 0);
    only("hasUnifiedMemory", 0, "no");
    assert_ok(mtlcap_adopt_device(make_sparse_device())); /* what it does not have is not listed */
    assert_int_equal(trace_info().unwatched_count, 3);
}

static void more_classes_than_hooks(void **state) {
    static const char *const classes[] = {
        "OtherVendorDevice", "FamilyOverridingDevice", "InitOverridingDevice", "AGXG13GDevice",
        "AGXG13XDevice",     "AGXG14GDevice",          "AGXG14XDevice",        "AGXG15GDevice",
        "AGXG15XDevice",     "AGXG16GDevice",          "AGXG16XDevice",        "AGXG17GDevice",
    };
    (void)state;
    void *device = device_at(0), *last = NULL;
    start_trace();
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        last = device_of_class(classes[i]);
        assert_ok(mtlcap_adopt_device(last));
    }
    const uint32_t count = trace_info().unwatched_count;
    assert_true(count > 50);
    for (uint32_t i = 0; i < count; i++)
        assert_non_null(strstr(unwatched_at(i).reason, "no hook is left"));
    start_trace();
    asker_asks(device, "hasUnifiedMemory", 0); /* those before are watched, and nothing is harmed */
    only("hasUnifiedMemory", 0, "yes");
    asker_asks(last, "hasUnifiedMemory", 0);
    only("hasUnifiedMemory", 0, "yes");
    assert_int_equal(trace_info().unwatched_count, count);
}

/* A trace does not make a profile fail, and: what fails says why. */
static void hooks_are_left_to_profiles(void **state) {
    static const char *const classes[] = {
        "OtherVendorDevice", "FamilyOverridingDevice", "InitOverridingDevice", "AGXG13GDevice",
        "AGXG13XDevice",     "AGXG14GDevice",          "AGXG14XDevice",        "AGXG15GDevice"};
    enum { CLASSES = sizeof classes / sizeof classes[0] };
    (void)state;
    void *device = device_at(0), *devices[CLASSES];
    start_trace();
    for (size_t i = 0; i < CLASSES; i++) {
        devices[i] = device_of_class(classes[i]);
        assert_ok(mtlcap_adopt_device(devices[i]));
    }
    assert_true(trace_info().unwatched_count > 0);
    assert_ok(apply_allowing("like-apple5", every_hazard()));
    for (size_t i = 0; i < CLASSES; i++)
        assert_int_equal(highest_family(devices[i], 1000), 1005);
    assert_ok(mtlcap_restore());
    assert_fails(apply_allowing("apple.min=9", ""), MTLCAP_E_HAZARD, "beyond-hardware");
    start_trace();
    asker_asks(device, "supportsFamily:", 1005);
    only("supportsFamily:", 1005, "yes");
}

/* Hooks that a trace has put in serve a profile: it needs no more. */
static void a_profile_over_the_trace_s_hooks(void **state) {
    (void)state;
    void *device = device_at(0);
    start_trace();
    apply("apple.min=8,working_set.max=1G,headless=on");
    const uint32_t hooks = report().hook_count;
    assert_true(hooks > 40);
    const unsigned methods = own_method_count(paravirtual_class());
    apply("apple.max=3,threads_per_threadgroup=64x32x16,feature_set=off");
    assert_int_equal(report().hook_count, hooks);
    assert_ok(mtlcap_trace_stop());
    start_trace();
    assert_int_equal(own_method_count(paravirtual_class()), methods);
    assert_int_equal(highest_family(device, 1000), 1003);
}

int main(void) {
    const struct apart tests[] = {
        ON("paravirt", through_a_foreign_hook),
        ON("paravirt", above_a_foreign_hook),
        ON("paravirt", between_two_of_ours),
        ON("paravirt", through_a_wrapper),
        ON("paravirt", other_signatures),
        ON("paravirt", more_classes_than_hooks),
        ON("paravirt", hooks_are_left_to_profiles),
        ON("paravirt", a_profile_over_the_trace_s_hooks),
    };
    return RUN_APART(tests);
}
