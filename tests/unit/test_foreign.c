/*
 * The variables of other tools, case by case against what their published sources do: Lume's
 * LumeMetalCapabilities.m, Tart's TartMetalCapabilities.m, Lunchpail's shim and Anka's config.m.
 */
#include "inject/environment.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/hazard.h"
#include "core/profile_parts.h"
#include "unit.h"

static const struct tool {
    const char *family, *threadgroup_memory, *working_set;
    bool narrow; /* Lunchpail's has its own bounds */
} tools[] = {
    {"LUME_METAL_APPLE_FAMILY_MAX", "LUME_METAL_MAX_THREADGROUP_MEMORY",
     "LUME_METAL_RECOMMENDED_WORKING_SET_SIZE", false},
    {"TART_METAL_APPLE_FAMILY_MAX", "TART_METAL_MAX_THREADGROUP_MEMORY",
     "TART_METAL_RECOMMENDED_WORKING_SET_SIZE", false},
    {"LUNCHPAIL_METAL_APPLE_FAMILY_MAX", "LUNCHPAIL_METAL_MAX_THREADGROUP_MEMORY",
     "LUNCHPAIL_METAL_RECOMMENDED_WORKING_SET_SIZE", true},
    {"VEERTU_ANKA_GPU_APPLE_FAMILY_MAX", "VEERTU_ANKA_GPU_THREADGROUP_MEMORY_MIN",
     "VEERTU_ANKA_GPU_WORKING_SET_MIN", false},
};

#define CONSENT "beyond-hardware+threadgroup-memory+working-set+bare-metal+macos-14-guest"
#define KEEP "threadgroup_memory.min=65536"

/* What a set does. OFF: nothing, and nothing to say. BAD: nothing; the tools say nothing. */
#define OFF NULL
#define BAD ""

struct sample {
    const char *family, *threadgroup_memory, *working_set; /* NULL: not set */
    const char *profile;        /* the floors that take effect; OFF or BAD */
    const char *narrow_profile; /* the same where bounds are narrow */
};

#define SAME(profile) profile, profile

static const struct sample samples[] = {
    /* the ceiling: required, and a number as strtoull() has it, to its end */
    {"1009", NULL, NULL, SAME("apple.min=9," KEEP)},
    {"1001", NULL, NULL, SAME("apple.min=1," KEEP)},
    {"1010", NULL, NULL, SAME("apple.min=10," KEEP)},
    {"0x3f1", NULL, NULL, SAME("apple.min=9," KEEP)},
    {"0X3F1", NULL, NULL, SAME("apple.min=9," KEEP)},
    {"01761", NULL, NULL, SAME("apple.min=9," KEEP)},
    {" 1009", NULL, NULL, SAME("apple.min=9," KEEP)},
    {"\t\n1009", NULL, NULL, SAME("apple.min=9," KEEP)},
    {"+1009", NULL, NULL, SAME("apple.min=9," KEEP)},
    {"-18446744073709550607", NULL, NULL, SAME("apple.min=9," KEEP)},
    {"-1009", NULL, NULL, SAME(BAD)},
    {"1009 ", NULL, NULL, SAME(BAD)},
    {"1009x", NULL, NULL, SAME(BAD)},
    {"1009.0", NULL, NULL, SAME(BAD)},
    {"9", NULL, NULL, SAME(BAD)},
    {"1000", NULL, NULL, SAME(BAD)},
    {"2000", NULL, NULL, SAME(BAD)},
    {"01009", NULL, NULL, SAME(BAD)}, /* octal has no 9 */
    {"01001", NULL, NULL, SAME(BAD)}, /* 513 */
    {"0x", NULL, NULL, SAME(BAD)},
    {"18446744073709551615", NULL, NULL, SAME(BAD)},
    {"18446744073709552625", NULL, NULL, SAME(BAD)}, /* 1009 more than fits */
    {"99999999999999999999999", NULL, NULL, SAME(BAD)},
    {"apple9", NULL, NULL, SAME(BAD)},
    {"+", NULL, NULL, SAME(BAD)},
    {" ", NULL, NULL, SAME(BAD)},
    {"\377", NULL, NULL, SAME(BAD)},
    {"0", NULL, NULL, SAME(OFF)},
    {"0x0", NULL, NULL, SAME(OFF)},
    {"", NULL, NULL, SAME(OFF)},
    {NULL, "65536", "1073741824", SAME(OFF)},
    {NULL, "bad", "bad", SAME(OFF)},
    {"0", "bad", "bad", SAME(OFF)},
    /* families that Metal does not have */
    {"1011", NULL, NULL, "apple.min=1011," KEEP, BAD},
    {"1999", NULL, NULL, "apple.min=1999," KEEP, BAD},

    /* threadgroup memory */
    {"1009", "32768", NULL, SAME("apple.min=9,threadgroup_memory.min=32768")},
    {"1009", "", NULL, SAME("apple.min=9," KEEP)},
    {"1009", "0x8000", NULL, SAME("apple.min=9,threadgroup_memory.min=32768")},
    {"1009", " +32768", NULL, SAME("apple.min=9,threadgroup_memory.min=32768")},
    {"1009", "16384", NULL, SAME("apple.min=9,threadgroup_memory.min=16384")},
    {"1009", "16383", NULL, "apple.min=9,threadgroup_memory.min=16383", BAD},
    {"1009", "0", NULL, "apple.min=9,threadgroup_memory.min=0", BAD},
    {"1009", "1048576", NULL, SAME("apple.min=9,threadgroup_memory.min=1048576")},
    {"1009", "1048577", NULL, "apple.min=9,threadgroup_memory.min=1048577", BAD},
    {"1009", "-1", NULL, "apple.min=9,threadgroup_memory.min=18446744073709551615", BAD},
    {"1009", "64k", NULL, SAME(BAD)},
    {"1009", "64K", NULL, SAME(BAD)},
    {"1009", "18446744073709551616", NULL, SAME(BAD)},
    {"1009", "invalid", NULL, SAME(BAD)},

    /* the working set: only when it is given */
    {"1009", NULL, "", SAME("apple.min=9," KEEP)},
    {"1009", NULL, "1073741824", SAME("apple.min=9," KEEP ",working_set.min=1073741824")},
    {"1009", NULL, "0", "apple.min=9," KEEP ",working_set.min=0", BAD},
    {"1009", NULL, "281474976710656", SAME("apple.min=9," KEEP ",working_set.min=281474976710656")},
    {"1009", NULL, "281474976710657", "apple.min=9," KEEP ",working_set.min=281474976710657", BAD},
    {"1009", NULL, "11G", SAME(BAD)},
    {"1009", NULL, "invalid", SAME(BAD)},
    {"1999", "32768", "1073741824",
     "apple.min=1999,threadgroup_memory.min=32768,working_set.min=1073741824", BAD},
};

/* What a set stands for can be applied. */
static void assert_understood(const struct mtlcap__settings *settings) {
    struct mtlcap__profile *profile;
    mtlcap__hazard_set allowed;

    mtlcap__value_accept_future_families();
    if (mtlcap__profile_parse(settings->profile, &profile) != MTLCAP_OK)
        fail_msg("%s", mtlcap__last_error());
    mtlcap__profile_free(profile);
    assert_int_equal(mtlcap__hazards_parse(settings->allow, &allowed), MTLCAP_OK);
}

static void do_as_their_tools_do(void **state) {
    (void)state;
    for (size_t t = 0; t < LENGTH(tools); t++)
        for (size_t i = 0; i < LENGTH(samples); i++) {
            const char *const names[] = {tools[t].family, tools[t].threadgroup_memory,
                                         tools[t].working_set},
                              *const values[] = {samples[i].family, samples[i].threadgroup_memory,
                                                 samples[i].working_set};
            const char *profile = tools[t].narrow ? samples[i].narrow_profile : samples[i].profile;
            char text[3][128], *environment[4];
            size_t count = 0;
            struct mtlcap__settings settings;

            for (size_t v = 0; v < 3; v++)
                if (values[v] != NULL) {
                    snprintf(text[v], sizeof text[v], "%s=%s", names[v], values[v]);
                    environment[count++] = text[v];
                }
            environment[count] = NULL;
            mtlcap__environment_read(environment, NULL, &settings);

            if (profile == OFF) {
                assert_false(settings.enabled);
                assert_string_equal(settings.problem, "");
                continue;
            }
            assert_true(settings.enabled);
            assert_string_equal(settings.origin, tools[t].family);
            if (strcmp(profile, BAD) == 0) {
                assert_null(settings.profile);
                assert_contains(settings.problem, "': write a number");
            } else {
                assert_string_equal(settings.problem, "");
                assert_string_equal(settings.profile, profile);
                assert_string_equal(settings.allow, CONSENT);
                assert_understood(&settings);
                assert_string_equal(settings.warning, "");
                assert_int_equal(settings.future_families, strstr(profile, "min=1") != NULL &&
                                                               strlen(values[0]) == 4 &&
                                                               strcmp(values[0], "1010") > 0);
            }
            mtlcap__environment_free(&settings);
        }
}

static void says_which_value_is_bad(void **state) {
    struct mtlcap__settings settings;

    (void)state;
    mtlcap__environment_read((char *const[]){"LUME_METAL_APPLE_FAMILY_MAX=1009x", NULL}, NULL,
                             &settings);
    assert_string_equal(settings.problem,
                        "LUME_METAL_APPLE_FAMILY_MAX='1009x': write a number from 1001 to 1999");
    mtlcap__environment_free(&settings);
    mtlcap__environment_read((char *const[]){"LUME_METAL_APPLE_FAMILY_MAX=1009",
                                             "LUME_METAL_MAX_THREADGROUP_MEMORY=64k", NULL},
                             NULL, &settings);
    assert_string_equal(settings.problem,
                        "LUME_METAL_MAX_THREADGROUP_MEMORY='64k': write a number");
    mtlcap__environment_free(&settings);
}

/* Reads the environment, and compares who is followed; NULL: nobody. */
static void assert_followed(char *const *environment, const char *origin, const char *warning) {
    struct mtlcap__settings settings;

    mtlcap__environment_read(environment, NULL, &settings);
    assert_int_equal(settings.enabled, origin != NULL);
    if (origin != NULL)
        assert_string_equal(settings.origin, origin);
    assert_string_equal(settings.warning, warning);
    mtlcap__environment_free(&settings);
}

static void the_first_wins(void **state) {
    static char anka[] = "VEERTU_ANKA_GPU_APPLE_FAMILY_MAX=1007",
                lunchpail[] = "LUNCHPAIL_METAL_APPLE_FAMILY_MAX=1007",
                tart[] = "TART_METAL_APPLE_FAMILY_MAX=1009",
                lume[] = "LUME_METAL_APPLE_FAMILY_MAX=1008", ours[] = "MTLCAP_PROFILE=auto",
                empty[] = "MTLCAP_PROFILE=", off[] = "TART_METAL_APPLE_FAMILY_MAX=0",
                bad[] = "LUME_METAL_APPLE_FAMILY_MAX=7", require[] = "MTLCAP_REQUIRE=apple>=7";

    (void)state;
    assert_followed((char *const[]){anka, lunchpail, tart, lume, ours, NULL}, "MTLCAP_PROFILE",
                    "LUME_METAL_APPLE_FAMILY_MAX is ignored, MTLCAP_PROFILE is followed; "
                    "TART_METAL_APPLE_FAMILY_MAX is ignored, MTLCAP_PROFILE is followed; "
                    "LUNCHPAIL_METAL_APPLE_FAMILY_MAX is ignored, MTLCAP_PROFILE is followed; "
                    "VEERTU_ANKA_GPU_APPLE_FAMILY_MAX is ignored, MTLCAP_PROFILE is followed");
    assert_followed((char *const[]){tart, lume, empty, NULL}, "LUME_METAL_APPLE_FAMILY_MAX",
                    "TART_METAL_APPLE_FAMILY_MAX is ignored, LUME_METAL_APPLE_FAMILY_MAX is "
                    "followed");
    assert_followed((char *const[]){anka, lunchpail, NULL}, "LUNCHPAIL_METAL_APPLE_FAMILY_MAX",
                    "VEERTU_ANKA_GPU_APPLE_FAMILY_MAX is ignored, "
                    "LUNCHPAIL_METAL_APPLE_FAMILY_MAX is followed");
    assert_followed((char *const[]){off, NULL}, NULL, "");
    assert_followed((char *const[]){off, anka, NULL}, "VEERTU_ANKA_GPU_APPLE_FAMILY_MAX", "");
    assert_followed((char *const[]){off, ours, NULL}, "MTLCAP_PROFILE", "");
    /* A bad first is no reason to follow the second. */
    assert_followed((char *const[]){bad, tart, NULL}, "LUME_METAL_APPLE_FAMILY_MAX",
                    "TART_METAL_APPLE_FAMILY_MAX is ignored, LUME_METAL_APPLE_FAMILY_MAX is "
                    "followed");
    assert_followed((char *const[]){require, tart, NULL}, "TART_METAL_APPLE_FAMILY_MAX", "");
}

static void our_variables_go_with_theirs(void **state) {
    struct mtlcap__settings settings;

    (void)state;
    mtlcap__environment_read((char *const[]){"TART_METAL_APPLE_FAMILY_MAX=1009",
                                             "MTLCAP_TIMING=early", "MTLCAP_ALLOW=pytorch-mpp",
                                             NULL},
                             NULL, &settings);
    assert_true(settings.early);
    assert_string_equal(settings.allow, "pytorch-mpp+" CONSENT);
    mtlcap__environment_free(&settings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(do_as_their_tools_do),
        cmocka_unit_test(says_which_value_is_bad),
        cmocka_unit_test(the_first_wins),
        cmocka_unit_test(our_variables_go_with_theirs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
