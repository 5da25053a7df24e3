/* A trace: who asked what, and got what. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "traced.h"

/* ---- what is noted ---------------------------------------------------------------- */

static void every_kind_of_question(void **state) {
    (void)state;
    void *device = device_at(0);
    char name[128];
    start_trace();
    assert_int_equal(trace_info().question_count, 0);
    assert_int_equal(trace_info().active, 1);

    assert_true(supports_family(device, 1005));
    assert_false(supports_family(device, 1007));
    simmetal_ask(device, "hasUnifiedMemory");
    simmetal_ask(device, "maxThreadgroupMemoryLength");
    simmetal_ask(device, "argumentBuffersSupport");
    simmetal_ask_with(device, "supportsTextureSampleCount:", 4);
    simmetal_ask_with(device, "supportsFeatureSet:", 10005);
    simmetal_ask_with(device, "supportsCounterSampling:", 3);
    simmetal_ask(device, "peerCount");
    simmetal_ask(device, "architecture");
    simmetal_name(device, name, sizeof name);
    const struct triple threads = ask_triple(device, "maxThreadsPerThreadgroup");

    struct mtlcap_trace_question q = only("supportsFamily:", 1005, "yes");
    assert_string_equal(q.capability, "apple");
    assert_string_equal(q.argument_name, "MTLGPUFamilyApple5");
    assert_int_equal(q.has_argument, 1);
    assert_int_equal(q.count, 1);
    assert_int_equal(q.thread_count, 1);
    assert_int_equal(q.stock_known, 1);
    assert_int_equal(q.overridden, 0);
    assert_int_equal(q.derived, 0);
    assert_string_equal(q.stock, "yes");
    assert_string_equal(q.class_name, "AppleParavirtDevice");
    assert_string_equal(q.device_name, name);
    only("supportsFamily:", 1007, "no");
    assert_string_equal(only("hasUnifiedMemory", 0, NULL).answer, "yes");
    q = only("maxThreadgroupMemoryLength", 0, "32768");
    assert_string_equal(q.capability, "threadgroup_memory");
    assert_int_equal(q.has_argument, 0);
    assert_int_equal(q.kind, MTLCAP_KIND_SIZE);
    q = only("argumentBuffersSupport", 0, NULL);
    assert_string_equal(q.answer, answer_of(device, "argument_buffers").effective.text);
    assert_string_equal(only("supportsTextureSampleCount:", 4, NULL).argument_name, "4");
    assert_string_equal(only("supportsFeatureSet:", 10005, NULL).argument_name,
                        "MTLFeatureSet_macOS_GPUFamily2_v1");
    q = only("supportsCounterSampling:", 3, NULL);
    assert_string_equal(q.argument_name, "MTLCounterSamplingPointAtTileDispatchBoundary");
    assert_string_equal(q.capability, "counter_sampling_tile");
    assert_int_equal(only("peerCount", 0, NULL).count, 1);
    assert_string_equal(only("name", 0, NULL).answer, name);
    assert_string_equal(only("architecture", 0, NULL).answer,
                        answer_of(device, "architecture").effective.text);
    char text[128];
    snprintf(text, sizeof text, "%lux%lux%lu", threads.number[0], threads.number[1],
             threads.number[2]);
    only("maxThreadsPerThreadgroup", 0, text);
    assert_int_equal(trace_info().unwatched_count, 0);
}

static void arguments_that_no_one_knows(void **state) {
    (void)state;
    void *device = device_at(0);
    start_trace();
    supports_family(device, 1021);
    supports_family(device, 5006);
    supports_family(device, 7);
    simmetal_ask_with(device, "supportsTextureSampleCount:", 0);
    struct mtlcap_trace_question q = only("supportsFamily:", 1021, "no");
    assert_string_equal(q.argument_name, "1021, no family of Metal's that is known");
    assert_string_equal(q.capability, "apple"); /* a ceiling speaks of it */
    assert_string_equal(only("supportsFamily:", 5006, "no").capability, "metal");
    assert_string_equal(only("supportsFamily:", 7, "no").capability, "");
    assert_string_equal(only("supportsTextureSampleCount:", 0, NULL).capability, "");
}

static void how_often(void **state) {
    (void)state;
    void *device = device_at(0);
    start_trace();
    for (int i = 0; i < 1000; i++) {
        supports_family(device, 1001 + i % 4);
        simmetal_ask(device, "maxBufferLength");
    }
    for (int64_t family = 1001; family <= 1004; family++)
        assert_int_equal(only("supportsFamily:", family, NULL).count, 250);
    assert_int_equal(only("maxBufferLength", 0, NULL).count, 1000);
    assert_int_equal(trace_info().asked, 2000);
    assert_int_equal(trace_info().question_count, 5);
}

static void asked_too_early(void **state) {
    (void)state;
    void *device = device_at(0);
    start_trace();
    supports_family(device, 1007);
    apply("apple.min=7");
    supports_family(device, 1007);
    supports_family(device, 1007);
    mtlcap_restore();
    supports_family(device, 1007);
    struct mtlcap_trace_question before = only("supportsFamily:", 1007, "no");
    struct mtlcap_trace_question under = only("supportsFamily:", 1007, "yes");
    assert_int_equal(before.count, 2);
    assert_int_equal(before.overridden, 0);
    assert_int_equal(under.count, 2);
    assert_int_equal(under.overridden, 1);
    assert_string_equal(under.stock, "no");
    assert_int_equal(under.stock_known, 1);
    assert_int_equal(under.derived, 0);
    assert_true(before.first_ns < under.first_ns);
    assert_string_equal(question_at(0).answer, "no"); /* in their order */
}

static void what_a_profile_makes_of_it(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=8,threadgroup_memory.min=64K,working_set.max=1G,unified_memory=off,"
          "threads_per_threadgroup=64x32x16,buffer_length.max=1000G");
    start_trace();
    supports_family(device, 1008);
    supports_family(device, 1003);
    supports_family(device, 1009);
    simmetal_ask(device, "maxThreadgroupMemoryLength");
    simmetal_ask(device, "recommendedMaxWorkingSetSize");
    simmetal_ask(device, "hasUnifiedMemory");
    simmetal_ask(device, "maxBufferLength");
    ask_triple(device, "maxThreadsPerThreadgroup");
    struct mtlcap_trace_question q = only("supportsFamily:", 1008, "yes");
    assert_string_equal(q.stock, "no");
    assert_int_equal(q.overridden, 1);
    q = only("supportsFamily:", 1003, "yes"); /* it is so anyway, and a rule says it */
    assert_string_equal(q.stock, "yes");
    assert_int_equal(q.overridden, 1);
    q = only("supportsFamily:", 1009, "no"); /* of which a floor does not speak */
    assert_int_equal(q.overridden, 0);
    q = only("maxThreadgroupMemoryLength", 0, "65536");
    assert_string_equal(q.stock, "32768");
    assert_int_equal(q.overridden, 1);
    q = only("recommendedMaxWorkingSetSize", 0, "1073741824");
    assert_string_equal(q.stock, answer_of(device, "working_set").stock.text);
    assert_string_not_equal(q.stock, q.answer);
    q = only("hasUnifiedMemory", 0, "no");
    assert_string_equal(q.stock, "yes");
    q = only("maxBufferLength", 0, NULL);
    assert_string_equal(q.stock, q.answer);
    assert_int_equal(q.overridden, 1);
    assert_int_equal(q.derived, 0);
    assert_string_equal(only("maxThreadsPerThreadgroup", 0, "64x32x16").stock,
                        answer_of(device, "threads_per_threadgroup").stock.text);
}

/* Metal computes some answers from its own supportsFamily:, live. */
static void derived_answers(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=9");
    const struct mtlcap_report done = report();
    assert_true(done.derived_count > 0);
    start_trace();
    unsigned derived = 0;
    for (uint32_t i = 0; i < done.change_count; i++) {
        struct mtlcap_change change = MTLCAP_CHANGE_INIT;
        struct mtlcap_capability row = MTLCAP_CAPABILITY_INIT;
        assert_ok(mtlcap_report_change(i, &change));
        for (uint32_t c = 0; change.derived && c < mtlcap_capability_count(); c++) {
            assert_ok(mtlcap_capability_info(c, &row));
            if (strcmp(row.key, change.capability) != 0 || row.kind != MTLCAP_KIND_BOOL ||
                strchr(row.selector, ':'))
                continue;
            simmetal_ask(device, row.selector);
            const struct mtlcap_trace_question q = only(row.selector, 0, change.effective);
            assert_string_equal(q.stock, change.stock);
            assert_int_equal(q.derived, 1);
            assert_int_equal(q.overridden, 0);
            assert_int_equal(q.stock_known, 1);
            derived++;
        }
    }
    assert_true(derived > 0);
    assert_int_equal(mtlcap_is_active(), 1);
    assert_true(supports_family(device, 1009)); /* who asked for stock has put everything back */
}

/* What the library asks for itself is nobody's question. */
static void own_questions_are_not_noted(void **state) {
    (void)state;
    void *device = device_at(0);
    start_trace();
    apply("apple.min=8,working_set.max=1G");
    answer_of(device, "apple");
    answer_of(NULL, "name");
    answer_of(device, "architecture");
    report();
    struct mtlcap_check check = MTLCAP_CHECK_INIT;
    assert_ok(mtlcap_check_answer(device, "apple>=7", &check));
    uint32_t count;
    assert_ok(mtlcap_device_count(&count));
    struct mtlcap_explanation explanation = MTLCAP_EXPLANATION_INIT;
    assert_ok(mtlcap_explain_profile("metal=off", NULL, &explanation));
    assert_ok(mtlcap_adopt_device(device_of_class("AGXG13GDevice")));
    apply("auto");
    mtlcap_restore();
    start_trace();
    assert_int_equal(trace_info().question_count, 0);
    assert_int_equal(trace_info().asked, 0);
}

/* ---- who asks ---------------------------------------------------------------------- */

static void the_caller(void **state) {
    (void)state;
    void *device = device_at(0);
    start_trace();
    asker_asks(device, "supportsFamily:", 1002);
    supports_family(device, 1002); /* from this program */
    apply("apple.min=8");
    asker_asks(device, "supportsFamily:", 1008);
    asker_asks(device, "supportsFamily:", 1009);
    asker_asks(device, "hasUnifiedMemory", 0);
    asker_asks(device, "maxBufferLength", 0);
    asker_asks(device, "name", 0);
    asker_asks(device, "peerCount", 0);
    unsigned by_asker = 0, by_us = 0;
    uint64_t caller = 0;
    const uint32_t count = trace_info().question_count;
    for (uint32_t i = 0; i < count; i++) {
        const struct mtlcap_trace_question q = question_at(i);
        if (strstr(q.image, "libengine_asker.so")) {
            by_asker++;
            assert_string_equal(q.symbol, "asker_asks");
            assert_true(!caller || caller == q.caller);
            caller = q.caller;
        } else {
            by_us++; /* or the simulated Metal, where it does not just jump on */
            assert_non_null(
                strstr(q.image, strstr(q.image, "simmetal") ? "libsimmetal" : "engine_trace"));
        }
    }
    assert_int_equal(by_asker, 7);
    assert_int_equal(by_us, 1);
    Dl_info found;
    assert_int_not_equal(dladdr((void *)(uintptr_t)caller, &found), 0);
    assert_ptr_equal(found.dli_saddr, dlsym(RTLD_DEFAULT, "asker_asks"));
}

/* A class and its superclass both have hooks: what goes through both is one question. */
static void through_two_hooks_once(void **state) {
    (void)state;
    void *above = device_of_class("AGXG13FamilyDevice"), *below = device_of_class("AGXG13GDevice");
    assert_ok(mtlcap_adopt_device(above));
    assert_ok(mtlcap_adopt_device(below));
    for (int round = 0; round < 2; round++) {
        if (round == 1)
            apply("apple.min=9,unified_memory=off");
        start_trace();
        asker_asks(below, "supportsFamily:", 1009);
        asker_asks(below, "supportsFamily:", 1010);
        asker_asks(below, "maxBufferLength", 0);
        asker_asks(below, "hasUnifiedMemory", 0);
        assert_int_equal(trace_info().asked, 4);
        for (uint32_t i = 0; i < 4; i++) {
            assert_non_null(strstr(question_at(i).image, "asker"));
            assert_string_equal(question_at(i).class_name, "AGXG13GDevice");
        }
        /* stock is not what the rule of the class above makes of it */
        assert_string_equal(only("supportsFamily:", 1009, NULL).stock, "no");
        assert_string_equal(only("hasUnifiedMemory", 0, NULL).stock, "yes");
    }
}

int main(void) {
    const struct apart tests[] = {
        ON("paravirt", every_kind_of_question),
        ON("paravirt", arguments_that_no_one_knows),
        ON("paravirt", how_often),
        ON("paravirt", asked_too_early),
        ON("paravirt", what_a_profile_makes_of_it),
        ON("paravirt", derived_answers),
        ON("paravirt", own_questions_are_not_noted),
        ON("paravirt", the_caller),
        ON("paravirt", through_two_hooks_once),
    };
    return RUN_APART(tests);
}
