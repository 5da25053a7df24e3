/* Items to rules; rules and stock values to effective ones. */
#include "core/error.h"
#include "core/profile.h"
#include "host/host.h"
#include "unit.h"

static const struct mtlcap__host m1_host = {.apple_silicon = 1, .chip_family = 7};

static void resolve(const char *text, bool paravirtual, const struct mtlcap__host *host,
                    struct mtlcap__rules *rules) {
    struct mtlcap__profile *profile;

    if (mtlcap__profile_parse(text, &profile) != MTLCAP_OK)
        fail_msg("\"%s\": %s", text, mtlcap__last_error());
    mtlcap__profile_resolve(profile, paravirtual, host, rules);
    for (size_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++) {
        struct mtlcap__rule alone;
        mtlcap__profile_resolve_one(profile, paravirtual, host, &mtlcap__capabilities[i], &alone);
        assert_memory_equal(&alone, &rules->rule[i], sizeof alone);
    }
    mtlcap__profile_free(profile);
}

/* ---- what stock values become ---- */

static struct mtlcap__value ladder(const struct mtlcap__capability *row, uint64_t members) {
    struct mtlcap__value value = {.members = members};

    for (int i = 0; i < 64; i++)
        if ((members >> i & 1) != 0)
            value.number[0] = (uint64_t)(row->first + i + row->named);
    return value;
}

static void ladders(void **state) {
    static const struct {
        const char *profile;
        enum mtlcap__capability_id id;
        uint64_t stock, effective; /* members */
    } cases[] = {
        {"apple.min=7", MTLCAP__APPLE, 0x1F, 0x7F},
        {"apple.min=7", MTLCAP__APPLE, 0x1FF, 0x1FF},
        {"apple.min=7", MTLCAP__APPLE, 0, 0x7F},      /* also where nothing was */
        {"apple.min=7", MTLCAP__APPLE, 0x101, 0x17F}, /* and in holes */
        {"apple.min=10", MTLCAP__APPLE, 0x1F, 0x3FF},
        {"apple.min=1", MTLCAP__APPLE, 0, 0x1},
        {"apple.max=7", MTLCAP__APPLE, 0x1FF, 0x7F},
        {"apple.max=7", MTLCAP__APPLE, 0x1F, 0x1F},
        {"apple.max=7", MTLCAP__APPLE, 0x180, 0},
        {"apple.max=1", MTLCAP__APPLE, 0x1FF, 0x1},
        {"apple=7", MTLCAP__APPLE, 0x1FF, 0x7F},
        {"apple=7", MTLCAP__APPLE, 0x1F, 0x7F},
        {"apple=off", MTLCAP__APPLE, 0x1FF, 0},
        {"apple.max=off", MTLCAP__APPLE, 0x1FF, 0},
        {"metal.max=3", MTLCAP__METAL, 0x3, 0x1},
        {"metal=4", MTLCAP__METAL, 0, 0x3},
        {"metal=off", MTLCAP__METAL, 0x3, 0},
        {"mac.min=2", MTLCAP__MAC, 0, 0x3},
        {"feature_set.max=10002", MTLCAP__FEATURE_SET, 0x3F, 0x7},
        {"feature_set=off", MTLCAP__FEATURE_SET, 0x3F, 0},
        {"texture_sample_count.max=4", MTLCAP__TEXTURE_SAMPLE_COUNT, 0x8B, 0xB}, /* 1, 2, 4, 8 */
        {"texture_sample_count=3", MTLCAP__TEXTURE_SAMPLE_COUNT, 0x8B, 0x3},
        {"texture_sample_count=32", MTLCAP__TEXTURE_SAMPLE_COUNT, 0x8B, 0x8B},
        {"texture_sample_count=off", MTLCAP__TEXTURE_SAMPLE_COUNT, 0x8B, 0},
        {"stock", MTLCAP__APPLE, 0x1F, 0x1F},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        const struct mtlcap__capability *row = &mtlcap__capabilities[cases[i].id];
        struct mtlcap__value stock = ladder(row, cases[i].stock);
        struct mtlcap__value wanted = ladder(row, cases[i].effective);
        struct mtlcap__rules rules;

        resolve(cases[i].profile, true, &m1_host, &rules);
        struct mtlcap__value effective = mtlcap__rule_apply(&rules.rule[cases[i].id], row, &stock);
        if (!mtlcap__value_equal(&effective, &wanted))
            fail_msg("%s: %#llx became %#llx, number %llu", cases[i].profile,
                     (unsigned long long)cases[i].stock, (unsigned long long)effective.members,
                     (unsigned long long)effective.number[0]);
    }
}

static void numbers(void **state) {
    static const struct {
        const char *profile;
        enum mtlcap__capability_id id;
        uint64_t stock[3], effective[3];
    } cases[] = {
        {"threadgroup_memory.min=64K", MTLCAP__THREADGROUP_MEMORY, {32768}, {65536}},
        {"threadgroup_memory.min=16K", MTLCAP__THREADGROUP_MEMORY, {32768}, {32768}},
        {"threadgroup_memory.max=16K", MTLCAP__THREADGROUP_MEMORY, {32768}, {16384}},
        {"threadgroup_memory=16K", MTLCAP__THREADGROUP_MEMORY, {32768}, {16384}},
        {"threadgroup_memory=48K", MTLCAP__THREADGROUP_MEMORY, {32768}, {49152}},
        {"working_set=0", MTLCAP__WORKING_SET, {5}, {0}},
        {"raytracing=on", MTLCAP__RAYTRACING, {0}, {1}},
        {"raytracing=on", MTLCAP__RAYTRACING, {1}, {1}},
        {"raytracing=off", MTLCAP__RAYTRACING, {1}, {0}},
        {"raytracing=off", MTLCAP__RAYTRACING, {0}, {0}},
        {"argument_buffers=2", MTLCAP__ARGUMENT_BUFFERS, {1}, {2}},
        {"argument_buffers=1", MTLCAP__ARGUMENT_BUFFERS, {2}, {2}}, /* never lowered */
        {"read_write_texture=0", MTLCAP__READ_WRITE_TEXTURE, {2}, {0}},
        {"compilation_tasks=4", MTLCAP__COMPILATION_TASKS, {2}, {2}}, /* never raised */
        {"threads_per_threadgroup=512",
         MTLCAP__THREADS_PER_THREADGROUP,
         {1024, 1024, 64},
         {512, 512, 64}},
        {"threads_per_threadgroup.max=256x2048x8",
         MTLCAP__THREADS_PER_THREADGROUP,
         {1024, 1024, 64},
         {256, 1024, 8}},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct mtlcap__value stock = {{0}, 0};
        struct mtlcap__rules rules;

        memcpy(stock.number, cases[i].stock, sizeof stock.number);
        resolve(cases[i].profile, true, &m1_host, &rules);
        struct mtlcap__value effective = mtlcap__rule_apply(
            &rules.rule[cases[i].id], &mtlcap__capabilities[cases[i].id], &stock);
        if (memcmp(effective.number, cases[i].effective, sizeof effective.number) != 0)
            fail_msg("%s: became %llu", cases[i].profile, (unsigned long long)effective.number[0]);
    }
}

/* ---- later items win ---- */

static void later_items_win(void **state) {
    static const struct {
        const char *profile;
        int min, max; /* of apple; -1: not set */
        const char *text;
    } cases[] = {
        {"apple.min=7", 7, -1, "apple.min=7"},
        {"apple.max=6", -1, 6, "apple.max=6"},
        {"apple.min=5,apple.max=6", 5, 6, "apple.min=5, apple.max=6"},
        {"apple.max=6,apple.min=5", 5, 6, "apple.min=5, apple.max=6"},
        {"apple.min=7,apple.max=6", 6, 6, "apple.max=6"},
        {"apple.max=6,apple.min=7", 7, 7, "apple.min=7"},
        {"apple.min=7,apple.min=5", 5, -1, "apple.min=5"},
        {"apple.max=7,apple.max=9", -1, 9, "apple.max=9"},
        {"apple=7", 7, 7, "apple=7"},
        {"apple=7,apple.max=6", 6, 6, "apple.max=6"},
        {"apple=7,apple.min=8", 8, 8, "apple.min=8"},
        {"apple.min=7,apple=5", 5, 5, "apple=5"},
        {"apple.min=7,apple.max=9,apple=5", 5, 5, "apple=5"},
        {"apple.min=7,apple.max=off", -1, 0, "apple.max=off"},
        {"apple.min=7,apple=off", -1, 0, "apple=off"},
        {"apple=off,apple.min=7", 7, 7, "apple.min=7"},
        {"apple=off,apple=7", 7, 7, "apple=7"},
        {"auto,apple.max=6", 6, 6, "apple.max=6"},
        {"apple.max=6,auto", 7, 7, "auto: apple.min=7"},
        {"like-m1,apple=5", 5, 5, "apple=5"},
        {"apple=5,like-m1", 7, 7, "like-m1: apple=7"},
        {"lume,auto", 7, -1, "auto: apple.min=7"},
        {"auto,lume", 9, -1, "lume: apple.min=9"},
        {"auto,stock", 7, -1, "auto: apple.min=7"},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct mtlcap__rules rules;
        const struct mtlcap__rule *rule = &rules.rule[MTLCAP__APPLE];
        char text[256];

        resolve(cases[i].profile, true, &m1_host, &rules);
        int min = rule->min.set ? (int)rule->min.number[0] : -1;
        int max = rule->max.set ? (int)rule->max.number[0] : -1;
        mtlcap__rule_text(rule, text, sizeof text);
        if (min != cases[i].min || max != cases[i].max || strcmp(text, cases[i].text) != 0)
            fail_msg("%s: min %d, max %d, \"%s\"", cases[i].profile, min, max, text);
    }
}

static void bounds_give_way_in_each_dimension(void **state) {
    struct mtlcap__rules rules;
    const struct mtlcap__rule *rule = &rules.rule[MTLCAP__WORKING_SET];

    (void)state;
    resolve("working_set.min=8G,working_set.max=4G", true, &m1_host, &rules);
    assert_int_equal(rule->min.number[0], UINT64_C(4) << 30);
    resolve("working_set.max=4G,working_set.min=8G", true, &m1_host, &rules);
    assert_int_equal(rule->max.number[0], UINT64_C(8) << 30);
    resolve("working_set.min=0,working_set.max=4G", true, &m1_host, &rules);
    assert_true(rule->min.set); /* 0 is a size, not off */
}

static void keys_do_not_touch_each_other(void **state) {
    struct mtlcap__rules rules;
    int count = 0;

    (void)state;
    resolve("apple.min=7,metal=off", true, &m1_host, &rules);
    for (int id = 0; id < MTLCAP__CAPABILITY_COUNT; id++)
        count += mtlcap__rule_is_set(&rules.rule[id]);
    assert_int_equal(count, 2);
}

/* ---- auto ---- */

static void automatic(void **state) {
    static const struct {
        const char *what;
        bool paravirtual;
        struct mtlcap__host host;
        int min; /* 0: no rule */
    } cases[] = {
        {"M1 host", true, {.apple_silicon = 1, .chip_family = 7}, 7},
        {"M2 host", true, {.apple_silicon = 1, .chip_family = 8}, 8},
        {"M5 host", true, {.apple_silicon = 1, .chip_family = 10}, 10},
        {"unreadable chip", true, {.apple_silicon = 1, .chip_family = 0}, 7},
        {"Intel host", true, {.apple_silicon = 0}, 0},
        {"unknown host", true, {.apple_silicon = -1}, 0},
        {"bare metal", false, {.apple_silicon = 1, .chip_family = 9}, 0},
        {"bare metal in a VM's host", false, {.apple_silicon = 1, .virtual_machine = 1}, 0},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct mtlcap__rules rules;
        const struct mtlcap__rule *rule = &rules.rule[MTLCAP__APPLE];
        char text[256], wanted[64] = "";

        resolve("auto", cases[i].paravirtual, &cases[i].host, &rules);
        if (cases[i].min > 0)
            snprintf(wanted, sizeof wanted, "auto: apple.min=%d", cases[i].min);
        mtlcap__rule_text(rule, text, sizeof text);
        if (strcmp(text, wanted) != 0 || (int)rule->min.number[0] != cases[i].min)
            fail_msg("%s: \"%s\"", cases[i].what, text);
        assert_false(rule->max.set);
        for (int id = 0; id < MTLCAP__CAPABILITY_COUNT; id++)
            assert_true(id == MTLCAP__APPLE || !mtlcap__rule_is_set(&rules.rule[id]));
    }
}

/* Another shim has raised the answer: auto neither raises nor lowers it. */
static void automatic_leaves_polluted_stock(void **state) {
    const struct mtlcap__capability *row = &mtlcap__capabilities[MTLCAP__APPLE];
    struct mtlcap__value stock = ladder(row, 0x1FF);
    struct mtlcap__rules rules;

    (void)state;
    resolve("auto", true, &m1_host, &rules);
    struct mtlcap__value effective = mtlcap__rule_apply(&rules.rule[MTLCAP__APPLE], row, &stock);
    assert_true(mtlcap__value_equal(&effective, &stock));
}

static void rule_text_fits(void **state) {
    struct mtlcap__rules rules;
    char text[16];

    (void)state;
    resolve("apple.max=9,apple.min=7", true, &m1_host, &rules);
    mtlcap__rule_text(&rules.rule[MTLCAP__APPLE], text, sizeof text);
    assert_string_equal(text, "apple.min=7, ap");
    mtlcap__rule_text(&rules.rule[MTLCAP__RAYTRACING], text, sizeof text);
    assert_string_equal(text, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ladders),
        cmocka_unit_test(numbers),
        cmocka_unit_test(later_items_win),
        cmocka_unit_test(bounds_give_way_in_each_dimension),
        cmocka_unit_test(keys_do_not_touch_each_other),
        cmocka_unit_test(automatic),
        cmocka_unit_test(automatic_leaves_polluted_stock),
        cmocka_unit_test(rule_text_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
