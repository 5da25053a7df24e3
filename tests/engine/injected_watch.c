/* Hooks that note what they are asked. With MTLCAP_TEST_WATCH=1 every other test of the engine runs
 * with them, too. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/injected.h"
#include "support.h"

static bool asked(const char *key) {
    struct mtlcap_capability info = MTLCAP_CAPABILITY_INIT;
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        assert_ok(mtlcap_capability_info(i, &info));
        if (strcmp(info.key, key) == 0)
            return mtlcap__injected_asked(i);
    }
    fail_msg("no capability %s", key);
    return false;
}

static unsigned asked_count(void) {
    unsigned count = 0;
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++)
        count += mtlcap__injected_asked(i);
    return count;
}

static const char profile[] = "apple.min=7,threadgroup_memory.max=16K,unified_memory=off,"
                              "threads_per_threadgroup=64x32x16,working_set.max=1G";

static void what_is_asked_is_noted(void **state) {
    (void)state;
    void *device = device_at(0);
    apply(profile);
    mtlcap__injected_watch();
    assert_int_equal(asked_count(), 0);

    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 16384);
    assert_true(asked("threadgroup_memory"));
    assert_int_equal(asked_count(), 1);
    assert_int_equal(simmetal_ask(device, "hasUnifiedMemory"), 0);
    assert_true(asked("unified_memory"));
    assert_int_equal(ask_triple(device, "maxThreadsPerThreadgroup").number[2], 16);
    assert_true(asked("threads_per_threadgroup"));
    assert_int_equal(simmetal_ask(device, "recommendedMaxWorkingSetSize"), 1 << 30);
    assert_true(asked("working_set"));
    assert_int_equal(asked_count(), 4);
    simmetal_ask(device, "maxBufferLength"); /* has no hook */
    assert_int_equal(asked_count(), 4);
    assert_false(mtlcap__injected_asked(mtlcap_capability_count()));

    mtlcap__injected_watch(); /* from now on */
    assert_int_equal(asked_count(), 0);
}

/* Five rows share a selector, and one hook. */
static void families_are_noted_by_axis(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    mtlcap__injected_watch();
    assert_true(supports_family(device, 1007));
    assert_true(asked("apple"));
    assert_int_equal(asked_count(), 1);
    assert_false(supports_family(device, 5001));
    assert_true(asked("metal"));
    assert_int_equal(asked_count(), 2);
    assert_false(supports_family(device, 3999)); /* none that is known */
    assert_true(asked("common"));
    assert_false(asked("mac"));
    assert_false(supports_family(device, 0));
    assert_false(supports_family(device, 6001));
    assert_false(supports_family(device, -1));
    assert_int_equal(asked_count(), 3);
}

static void any_argument_is_noted_where_one_row_has_the_selector(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("feature_set=off,counter_sampling_draw=off");
    mtlcap__injected_watch();
    simmetal_ask_with(device, "supportsFeatureSet:", 30003);
    assert_true(asked("feature_set"));
    simmetal_ask_with(device, "supportsCounterSampling:", 1);
    assert_true(asked("counter_sampling_draw"));
    assert_int_equal(asked_count(), 2);
}

static void nothing_is_noted_unwatched(void **state) {
    (void)state;
    void *device = device_at(0);
    apply(profile);
    snapshot_of(device);
    assert_int_equal(asked_count(), 0);
}

/* The proof, the report, queries: a receipt would say that everything was asked. */
static void the_library_itself_is_not_noted(void **state) {
    (void)state;
    void *device = device_at(0), *another = simmetal_create_device("paravirt-m2");
    mtlcap__injected_watch();
    apply(profile);
    struct mtlcap_capability info = MTLCAP_CAPABILITY_INIT;
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        assert_ok(mtlcap_capability_info(i, &info));
        mtlcap_query(device, info.key, &answer); /* some it does not have */
    }
    report();
    assert_ok(mtlcap_adopt_device(another));
    apply("apple.min=6");
    assert_int_equal(asked_count(), 0);
    assert_true(supports_family(device, 1006));
    assert_true(asked("apple"));
}

static void answers_are_the_same_watched(void **state) {
    (void)state;
    void *device = device_at(0);
    const struct snapshot stock = snapshot_of(device);
    apply(profile);
    const uint64_t first = mtlcap_generation();
    const struct snapshot planned = snapshot_of(device);
    mtlcap__injected_watch();
    struct snapshot now = snapshot_of(device);
    assert_same_answers(&now, &planned, NULL);
    assert_int_equal(mtlcap_is_active(), 1);

    assert_ok(mtlcap_restore());
    now = snapshot_of(device);
    assert_same_answers(&now, &stock, NULL);
    assert_int_equal(mtlcap_is_active(), 0);
    assert_true(asked("apple")); /* its hook is still there */

    apply(profile);
    now = snapshot_of(device);
    assert_same_answers(&now, &planned, NULL);
    assert_int_equal(mtlcap_generation(), first + 1);
    assert_int_equal(answer_of(device, "apple").stock.number[0], 5);
    assert_int_equal(answer_of(device, "apple").effective.number[0], 7);
    assert_fails(mtlcap_apply_profile("lume", NULL), MTLCAP_E_HAZARD, "beyond-hardware");
    now = snapshot_of(device);
    assert_same_answers(&now, &planned, NULL);
    assert_ok(mtlcap_restore_generation(first + 1));
    now = snapshot_of(device);
    assert_same_answers(&now, &stock, NULL);
}

static int ask_in_child(void *device) {
    if (asked("apple"))
        return 1;
    if (!supports_family(device, 1007) || !asked("apple"))
        return 2;
    if (mtlcap_apply_profile("apple.min=6", NULL) || supports_family(device, 1007) ||
        mtlcap_restore() || supports_family(device, 1006))
        return 3;
    return asked("metal") ? 4 : 0;
}

static void a_forked_child_notes_its_own(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    mtlcap__injected_watch();
    assert_int_equal(in_child(ask_in_child, device), 0);
    assert_false(asked("apple"));
    assert_true(supports_family(device, 1007));
    assert_true(asked("apple"));
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", what_is_asked_is_noted),
        ON("paravirt", families_are_noted_by_axis),
        ON("paravirt", any_argument_is_noted_where_one_row_has_the_selector),
        ON("paravirt", nothing_is_noted_unwatched),
        ON("paravirt", the_library_itself_is_not_noted),
        ON("paravirt", answers_are_the_same_watched),
        ON("paravirt", a_forked_child_notes_its_own),
    };
    return RUN_APART(tests);
}
