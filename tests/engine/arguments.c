/* Bad arguments are errors that say what is wrong, and never crashes. */
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* ---- structures ----------------------------------------------------------- */

/* Every function that fills a structure, with arguments that are right. */
static int fill_query(void *s) {
    return mtlcap_query(NULL, "apple", s);
}
static int fill_device(void *s) {
    return mtlcap_device_info(0, s);
}
static int fill_capability(void *s) {
    return mtlcap_capability_info(0, s);
}
static int fill_profile(void *s) {
    return mtlcap_profile_info(0, s);
}
static int fill_hazard(void *s) {
    return mtlcap_hazard_info(0, s);
}
/* There NULL is no mistake. */
static int fill_check(void *s) {
    return mtlcap_check_answer(NULL, s ? "apple>=7" : NULL, s);
}
static int fill_explanation(void *s) {
    return mtlcap_explain_profile("lume", NULL, s);
}
static int fill_rule(void *s) {
    return mtlcap_explain_rule("lume", NULL, 0, s);
}
static int fill_explained_finding(void *s) {
    return mtlcap_explain_finding("lume", NULL, 0, s);
}
static int fill_report(void *s) {
    return mtlcap_report_info(s);
}
static int fill_change(void *s) {
    return mtlcap_report_change(0, s);
}
static int fill_finding(void *s) {
    return mtlcap_report_finding(0, s);
}
static int fill_machine(void *s) {
    return mtlcap_machine_info(s);
}
static int fill_error(void *s) {
    return mtlcap_last_error_info(s);
}

static const struct {
    int (*fill)(void *structure);
    size_t size, first_version;
} fillers[] = {
#define FILLER(name, type) {fill_##name, sizeof(struct type), sizeof(struct type)}
    FILLER(query, mtlcap_answer),
    FILLER(check, mtlcap_check),
    FILLER(device, mtlcap_device),
    FILLER(capability, mtlcap_capability),
    FILLER(profile, mtlcap_profile),
    FILLER(hazard, mtlcap_hazard),
    FILLER(explanation, mtlcap_explanation),
    FILLER(rule, mtlcap_rule),
    FILLER(explained_finding, mtlcap_finding),
    {fill_report, sizeof(struct mtlcap_report), offsetof(struct mtlcap_report, published)},
    FILLER(change, mtlcap_change),
    FILLER(finding, mtlcap_finding),
    FILLER(machine, mtlcap_machine),
    FILLER(error, mtlcap_error),
};
enum { FILLERS = sizeof fillers / sizeof fillers[0], BEYOND = 64 };

/* Calls with a structure whose struct_size is `size`, in a block of that size, but of 8 bytes at
 * least: a sanitizer sees what is written past it. */
static int call_with_size(int i, size_t size, size_t block) {
    unsigned char *structure = malloc(block < sizeof size ? sizeof size : block);
    assert_non_null(structure);
    memset(structure, 0xAA, block < sizeof size ? sizeof size : block);
    memcpy(structure, &size, sizeof size);
    const int status = fillers[i].fill(structure);
    size_t after;
    memcpy(&after, structure, sizeof after);
    assert_true(after == size);
    if (status == MTLCAP_OK)
        for (size_t b = fillers[i].size; b < size; b++) /* what a newer caller has beyond */
            assert_int_equal(structure[b], 0);
    else
        for (size_t b = sizeof size; b < block; b++) /* untouched */
            assert_int_equal(structure[b], 0xAA);
    free(structure);
    return status;
}

static void sizes_of_structures(void **state) {
    (void)state;
    apply("lume");
    for (int i = 0; i < FILLERS; i++) {
        const size_t size = fillers[i].size;
        assert_fails(fillers[i].fill(NULL), MTLCAP_E_ARGUMENT, "NULL");
        assert_fails(call_with_size(i, 0, 0), MTLCAP_E_VERSION, "struct_size");
        assert_fails(call_with_size(i, 1, 8), MTLCAP_E_VERSION, "struct_size");
        const size_t first = fillers[i].first_version;
        assert_fails(call_with_size(i, first - 1, first - 1), MTLCAP_E_VERSION, "struct_size");
        assert_ok(call_with_size(i, first, first));
        assert_fails(call_with_size(i, SIZE_MAX, size), MTLCAP_E_VERSION, "struct_size");
        assert_fails(call_with_size(i, (size_t)1 << 32, size), MTLCAP_E_VERSION, "struct_size");
        assert_ok(call_with_size(i, size, size));
        assert_ok(call_with_size(i, size + BEYOND, size + BEYOND));
    }
}

static void sizes_of_options(void **state) {
    (void)state;
    device_at(0);
    struct {
        struct mtlcap_options options;
        char beyond[BEYOND];
    } larger;
    static const size_t wrong[] = {0, 1, offsetof(struct mtlcap_options, nested) - 1, SIZE_MAX,
                                   1 << 20};
    struct mtlcap_explanation explanation = MTLCAP_EXPLANATION_INIT;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct mtlcap_options options = {.struct_size = wrong[i]};
        assert_fails(mtlcap_apply_profile("apple.max=3", &options), MTLCAP_E_VERSION,
                     "struct_size");
        assert_fails(mtlcap_explain_profile("apple.max=3", &options, &explanation),
                     MTLCAP_E_VERSION, "struct_size");
    }
    mtlcap_init(&larger, sizeof larger); /* of a newer version, with nothing new in it */
    assert_ok(mtlcap_apply_profile("apple.max=3", &larger.options));
    assert_ok(mtlcap_restore());
    larger.beyond[5] = 1; /* a setting that is not known here must not be lost */
    assert_fails(mtlcap_apply_profile("apple.max=3", &larger.options), MTLCAP_E_VERSION,
                 "does not know");
    assert_int_equal(mtlcap_generation(), 0);
}

static void init(void **state) {
    (void)state;
    struct mtlcap_machine machine;
    memset(&machine, 0xAA, sizeof machine);
    mtlcap_init(&machine, sizeof machine);
    const struct mtlcap_machine wanted = MTLCAP_MACHINE_INIT;
    assert_memory_equal(&machine, &wanted, sizeof machine);
    mtlcap_init(NULL, 100);
    char small[4] = "abc";
    mtlcap_init(small, sizeof small);
    assert_string_equal(small, "abc");
}

/* ---- the rest ------------------------------------------------------------- */

static void nulls(void **state) {
    (void)state;
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    struct mtlcap_explanation explanation = MTLCAP_EXPLANATION_INIT;
    struct mtlcap_rule rule = MTLCAP_RULE_INIT;
    struct mtlcap_finding finding = MTLCAP_FINDING_INIT;
    assert_fails(mtlcap_apply_profile(NULL, NULL), MTLCAP_E_ARGUMENT, "profile");
    assert_fails(mtlcap_query(NULL, NULL, &answer), MTLCAP_E_ARGUMENT, "capability");
    assert_fails(mtlcap_query(NULL, "apple", NULL), MTLCAP_E_ARGUMENT, "NULL");
    assert_fails(mtlcap_query(NULL, NULL, NULL), MTLCAP_E_ARGUMENT, "NULL");
    assert_fails(mtlcap_device_count(NULL), MTLCAP_E_ARGUMENT, "count");
    assert_fails(mtlcap_adopt_device(NULL), MTLCAP_E_ARGUMENT, "device");
    assert_fails(mtlcap_explain_profile(NULL, NULL, &explanation), MTLCAP_E_ARGUMENT, "profile");
    assert_fails(mtlcap_explain_rule(NULL, NULL, 0, &rule), MTLCAP_E_ARGUMENT, "profile");
    assert_fails(mtlcap_explain_finding(NULL, NULL, 0, &finding), MTLCAP_E_ARGUMENT, "profile");
    assert_string_equal(mtlcap_strerror(12345), mtlcap_strerror(-12345));
    assert_non_null(mtlcap_version());
}

static void indexes_past_the_last(void **state) {
    (void)state;
    struct mtlcap_device device = MTLCAP_DEVICE_INIT;
    struct mtlcap_capability capability = MTLCAP_CAPABILITY_INIT;
    struct mtlcap_profile profile = MTLCAP_PROFILE_INIT;
    struct mtlcap_hazard hazard = MTLCAP_HAZARD_INIT;
    struct mtlcap_rule rule = MTLCAP_RULE_INIT;
    struct mtlcap_finding finding = MTLCAP_FINDING_INIT;
    struct mtlcap_change change = MTLCAP_CHANGE_INIT;
    apply("apple.min=9");
    const uint32_t changes = report().change_count;
    static const uint32_t beyond[] = {0, 1, UINT32_MAX / 2, UINT32_MAX};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        const uint32_t b = beyond[i];
#define PAST(last) (b < 2 ? (last) + b : b)
        assert_fails(mtlcap_device_info(PAST(1), &device), MTLCAP_E_NO_DEVICE, "no device");
        assert_fails(mtlcap_capability_info(PAST(mtlcap_capability_count()), &capability),
                     MTLCAP_E_CAPABILITY, "no capability");
        assert_fails(mtlcap_profile_info(PAST(mtlcap_profile_count()), &profile), MTLCAP_E_ARGUMENT,
                     "no profile");
        assert_fails(mtlcap_hazard_info(PAST(mtlcap_hazard_count()), &hazard), MTLCAP_E_ARGUMENT,
                     "no hazard");
        assert_fails(mtlcap_explain_rule("lume", NULL, PAST(2), &rule), MTLCAP_E_ARGUMENT,
                     "no rule");
        assert_fails(mtlcap_explain_finding("lume", NULL, PAST(2), &finding), MTLCAP_E_ARGUMENT,
                     "no finding");
        assert_fails(mtlcap_report_change(PAST(changes), &change), MTLCAP_E_ARGUMENT, "no change");
        assert_fails(mtlcap_report_finding(PAST(1), &finding), MTLCAP_E_ARGUMENT, "no finding");
#undef PAST
    }
}

static void unknown_capabilities(void **state) {
    (void)state;
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    assert_fails(mtlcap_query(NULL, "aple", &answer), MTLCAP_E_CAPABILITY, "\"apple\"");
    assert_fails(mtlcap_query(NULL, "threadgroup_memori", &answer), MTLCAP_E_CAPABILITY,
                 "\"threadgroup_memory\"");
    assert_fails(mtlcap_query(NULL, "", &answer), MTLCAP_E_CAPABILITY, "");
    assert_fails(mtlcap_query(NULL, "APPLE", &answer), MTLCAP_E_CAPABILITY, "APPLE");
    assert_fails(
        mtlcap_query(NULL, "supportsFamily:", &answer), MTLCAP_E_CAPABILITY,
        "\"supportsFamily:\" is asked by several keys: apple, mac, common, catalyst, metal");
    char *long_name = malloc(100001);
    assert_non_null(long_name);
    memset(long_name, 'a', 100000);
    long_name[100000] = '\0';
    assert_fails(mtlcap_query(NULL, long_name, &answer), MTLCAP_E_CAPABILITY, "aaa");
    assert_fails(mtlcap_apply_profile(long_name, NULL), MTLCAP_E_PROFILE, "longer");
    free(long_name);
    assert_ok(mtlcap_query(NULL, "maxThreadgroupMemoryLength", &answer));
    assert_string_equal(answer.capability, "threadgroup_memory");
}

static void log_levels(void **state) {
    (void)state;
    assert_fails(mtlcap_set_log(-1, NULL, NULL), MTLCAP_E_ARGUMENT, "-1");
    assert_fails(mtlcap_set_log(MTLCAP_LOG_DEBUG + 1, NULL, NULL), MTLCAP_E_ARGUMENT, "5");
    assert_ok(mtlcap_set_log(MTLCAP_LOG_OFF, NULL, NULL));
    assert_ok(mtlcap_set_log(MTLCAP_LOG_DEBUG, NULL, NULL));
}

static void the_last_error(void **state) {
    (void)state;
    struct mtlcap_error error = MTLCAP_ERROR_INIT;
    assert_string_equal(mtlcap_last_error(), "");
    assert_ok(mtlcap_last_error_info(&error));
    assert_int_equal(error.status, MTLCAP_OK);
    assert_fails(mtlcap_apply_profile("auto,apple.min=77", NULL), MTLCAP_E_PROFILE, "77");
    assert_ok(mtlcap_last_error_info(&error));
    assert_int_equal(error.status, MTLCAP_E_PROFILE);
    assert_int_equal(error.column, 6);
    assert_string_equal(error.item, "apple.min=77");
    assert_string_equal(error.message, mtlcap_last_error());
    apply("apple.max=3"); /* a success does not take it back */
    assert_non_null(strstr(mtlcap_last_error(), "77"));
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", sizes_of_structures),
        ON("paravirt", sizes_of_options),
        ON("paravirt", init),
        ON("paravirt", nulls),
        ON("paravirt", indexes_past_the_last),
        ON("paravirt", unknown_capabilities),
        ON("paravirt", log_levels),
        ON("paravirt", the_last_error),
    };
    return RUN_APART(tests);
}
