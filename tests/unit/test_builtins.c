/* Each built-in profile stands for rules, and says where its numbers come from. */
#include "core/error.h"
#include "core/profile_parts.h"
#include "host/host.h"
#include "unit.h"

#define EACH(builtin)                                                                              \
    const struct mtlcap__builtin *builtin = mtlcap__builtins;                                      \
    builtin < mtlcap__builtins + mtlcap__builtin_count;                                            \
    builtin++

static void resolve(const char *name, struct mtlcap__rules *rules) {
    const struct mtlcap__host host = {.apple_silicon = 1, .chip_family = 7};
    struct mtlcap__profile *profile;

    if (mtlcap__profile_parse(name, &profile) != MTLCAP_OK)
        fail_msg("%s: %s", name, mtlcap__last_error());
    mtlcap__profile_resolve(profile, true, &host, rules);
    mtlcap__profile_free(profile);
}

static bool is_one_of(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void are_all_there(void **state) {
    static const char *const names[] = {
        "stock",       "auto",        "lume",        "github-runner", "like-apple5", "like-apple6",
        "like-apple7", "like-apple8", "like-apple9", "like-apple10",  "like-m1",     "like-m2",
        "like-m3",     "like-m4",     "like-m5",     "no-families",   "hide",
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(names); i++)
        if (mtlcap__builtin_by_name(names[i], strlen(names[i])) == NULL)
            fail_msg("the built-in profile '%s' is missing", names[i]);
    for (EACH(builtin))
        if (!is_one_of(builtin->name, names, LENGTH(names)))
            fail_msg("the built-in profile '%s' is not in this test's list", builtin->name);
    assert_int_equal(mtlcap__builtin_count, LENGTH(names)); /* none twice */
    assert_null(mtlcap__builtin_by_name("like-apple", 10));
    assert_null(mtlcap__builtin_by_name("", 0));
}

static void resolve_and_say_so(void **state) {
    (void)state;
    for (EACH(builtin)) {
        struct mtlcap__rules rules;
        bool any = false;
        char prefix[64];

        resolve(builtin->name, &rules);
        snprintf(prefix, sizeof prefix, "%s: ", builtin->name);
        for (int id = 0; id < MTLCAP__CAPABILITY_COUNT; id++) {
            char text[256];
            mtlcap__rule_text(&rules.rule[id], text, sizeof text);
            if (!mtlcap__rule_is_set(&rules.rule[id]))
                continue;
            any = true;
            assert_int_equal(strncmp(text, prefix, strlen(prefix)), 0);
        }
        assert_int_equal(any, builtin->rules != NULL || strcmp(builtin->name, "auto") == 0);
    }
}

static void are_described_and_cited(void **state) {
    (void)state;
    for (EACH(builtin)) {
        bool has_numbers = builtin->rules != NULL && strcmp(builtin->name, "no-families") != 0;

        assert_true(strlen(builtin->shown) > 0 && strlen(builtin->summary) > 20);
        if (builtin->rules != NULL)
            assert_string_equal(builtin->shown, builtin->rules);
        else
            assert_int_equal(builtin->shown[0], '(');
        if (has_numbers)
            assert_true(strlen(builtin->source) > 0);
        if (strncmp(builtin->name, "like-", 5) == 0) {
            assert_contains(builtin->source, "Metal Feature Set Tables");
            assert_contains(builtin->source, "202"); /* which edition */
        }
    }
}

/* On a device that has everything: what it says under the profile. */
static struct mtlcap__value best_device_under(const struct mtlcap__rules *rules,
                                              enum mtlcap__capability_id id) {
    const struct mtlcap__capability *row = &mtlcap__capabilities[id];
    struct mtlcap__value stock = {{1, 1, 1}, 0};

    if (row->kind == MTLCAP_KIND_FAMILY || row->kind == MTLCAP_KIND_COUNT) {
        stock.members = (UINT64_C(1) << (row->last - row->first + 1)) - 1;
        stock.number[0] = (uint64_t)(row->last + row->named);
    } else if (row->kind != MTLCAP_KIND_BOOL) {
        stock.number[0] = stock.number[1] = stock.number[2] = UINT64_MAX;
    }
    return mtlcap__rule_apply(&rules->rule[id], row, &stock);
}

/* As the device has it, or as the table says. */
static void like_profiles_say_what_the_tables_say(void **state) {
    static const struct {
        const char *name;
        uint64_t apple, mac, metal, raytracing, barycentric, lod, compression, amplification;
    } cases[] = {
        {"like-apple5", 5, 0, 0, 0, 0, 0, 0, 1}, {"like-apple6", 6, 0, 0, 1, 0, 0, 0, 2},
        {"like-apple7", 7, 2, 4, 1, 1, 1, 1, 8}, {"like-apple8", 8, 2, 4, 1, 1, 1, 1, 8},
        {"like-apple9", 9, 2, 4, 1, 1, 1, 1, 8}, {"like-apple10", 10, 2, 4, 1, 1, 1, 1, 8},
        {"like-m1", 7, 2, 4, 1, 1, 1, 1, 8},     {"like-m2", 8, 2, 4, 1, 1, 1, 1, 8},
        {"like-m3", 9, 2, 4, 1, 1, 1, 1, 8},     {"like-m4", 9, 2, 4, 1, 1, 1, 1, 8},
        {"like-m5", 10, 2, 4, 1, 1, 1, 1, 8},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct mtlcap__rules rules;
        resolve(cases[i].name, &rules);
#define ASSERT_SAYS(id, wanted)                                                                    \
    assert_int_equal(best_device_under(&rules, MTLCAP__##id).number[0], wanted)
        ASSERT_SAYS(APPLE, cases[i].apple);
        ASSERT_SAYS(MAC, cases[i].mac);
        ASSERT_SAYS(METAL, cases[i].metal);
        ASSERT_SAYS(RAYTRACING, cases[i].raytracing);
        ASSERT_SAYS(FUNCTION_POINTERS, cases[i].raytracing);
        ASSERT_SAYS(DYNAMIC_LIBRARIES, cases[i].raytracing);
        ASSERT_SAYS(SHADER_BARYCENTRIC_COORDINATES, cases[i].barycentric);
        ASSERT_SAYS(QUERY_TEXTURE_LOD, cases[i].lod);
        ASSERT_SAYS(BC_TEXTURE_COMPRESSION, cases[i].compression);
        ASSERT_SAYS(VERTEX_AMPLIFICATION, cases[i].amplification);
        ASSERT_SAYS(THREADGROUP_MEMORY, 32768);
        ASSERT_SAYS(THREADS_PER_THREADGROUP, 1024);
#undef ASSERT_SAYS
    }
}

/* They make a newer Mac look older: apart from its family they must not add anything. */
static void like_profiles_raise_the_family_only(void **state) {
    (void)state;
    for (EACH(builtin)) {
        struct mtlcap__rules rules;
        if (strncmp(builtin->name, "like-", 5) != 0)
            continue;
        resolve(builtin->name, &rules);
        for (int id = 0; id < MTLCAP__CAPABILITY_COUNT; id++) {
            struct mtlcap__value nothing = {{0}, 0};
            struct mtlcap__value effective =
                mtlcap__rule_apply(&rules.rule[id], &mtlcap__capabilities[id], &nothing);
            assert_true(id == MTLCAP__APPLE || mtlcap__value_equal(&effective, &nothing));
        }
    }
}

static void github_runner_only_lowers(void **state) {
    struct mtlcap__rules rules;

    (void)state;
    resolve("github-runner", &rules);
    for (int id = 0; id < MTLCAP__CAPABILITY_COUNT; id++)
        assert_false(rules.rule[id].min.set);
    assert_int_equal(best_device_under(&rules, MTLCAP__APPLE).number[0], 5);
    assert_int_equal(best_device_under(&rules, MTLCAP__METAL).number[0], 0);
    assert_int_equal(best_device_under(&rules, MTLCAP__MAC).number[0], 2);
    assert_int_equal(best_device_under(&rules, MTLCAP__WORKING_SET).number[0], 5010800640);
    assert_int_equal(best_device_under(&rules, MTLCAP__BUFFER_LENGTH).number[0], 3758096384);
}

static void no_families_leaves_none(void **state) {
    struct mtlcap__rules rules;

    (void)state;
    resolve("no-families", &rules);
    for (int id = 0; id < MTLCAP__CAPABILITY_COUNT; id++)
        if (mtlcap__capabilities[id].kind == MTLCAP_KIND_FAMILY)
            assert_int_equal(best_device_under(&rules, (enum mtlcap__capability_id)id).members, 0);
        else
            assert_false(mtlcap__rule_is_set(&rules.rule[id]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_all_there),
        cmocka_unit_test(resolve_and_say_so),
        cmocka_unit_test(are_described_and_cited),
        cmocka_unit_test(like_profiles_say_what_the_tables_say),
        cmocka_unit_test(like_profiles_raise_the_family_only),
        cmocka_unit_test(github_runner_only_lowers),
        cmocka_unit_test(no_families_leaves_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
