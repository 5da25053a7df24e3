/* The table of capabilities is consistent, and its rows are found. */
#include "core/capability.h"

#include <ctype.h>

#include "core/hazard.h"
#include "unit.h"

#define EACH(row)                                                                                  \
    const struct mtlcap__capability *row = mtlcap__capabilities;                                   \
    row < mtlcap__capabilities + MTLCAP__CAPABILITY_COUNT;                                         \
    row++

/* The method takes an argument that says what is asked. */
static bool takes_argument(const struct mtlcap__capability *row) {
    return row->shape == MTLCAP__ASK_ID || row->shape == MTLCAP__ASK_COUNT;
}

static void keys_are_words_and_unique(void **state) {
    (void)state;
    for (EACH(row)) {
        assert_true(strlen(row->key) > 0 && strlen(row->key) < 64); /* struct mtlcap_answer */
        for (const char *c = row->key; *c != '\0'; c++)
            assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_');
        assert_ptr_equal(mtlcap__capability_by_key(row->key, strlen(row->key)), row);
    }
}

static void rows_are_complete(void **state) {
    (void)state;
    for (EACH(row)) {
        bool has_argument = takes_argument(row);

        assert_true(row->selector[0] != '\0');
        assert_true((strchr(row->selector, ':') != NULL) == has_argument);
        assert_non_null(row->unit);
        assert_true(strlen(row->summary) > 10);
        assert_true(row->first <= row->last);
        assert_true(row->last - row->first < 64); /* struct mtlcap_value: a bit each */
        assert_in_range(row->kind, MTLCAP_KIND_FAMILY, MTLCAP_KIND_TEXT);
        assert_true(row->hazard >= MTLCAP__HAZARD_NONE && row->hazard < MTLCAP__HAZARD_COUNT);
        if (row->kind == MTLCAP_KIND_FAMILY || row->kind == MTLCAP_KIND_COUNT) {
            assert_true(has_argument);
            assert_true(row->first + row->named > 0); /* 0 is off */
        }
        if (row->kind == MTLCAP_KIND_TEXT)
            assert_int_equal(row->change, 0);
        if (row->kind == MTLCAP_KIND_BOOL && row->change != 0)
            assert_int_equal(row->hazard, MTLCAP__HAZARD_FEATURE);
        if ((row->change & MTLCAP_CAN_RAISE) == 0)
            assert_int_equal(row->hazard, MTLCAP__HAZARD_NONE);
    }
}

static void shared_selectors_divide_their_arguments(void **state) {
    (void)state;
    for (EACH(a)) {
        for (EACH(b)) {
            if (a == b || strcmp(a->selector, b->selector) != 0)
                continue;
            assert_true(takes_argument(a));
            assert_int_equal(a->shape, b->shape);
            assert_true(a->last < b->first || b->last < a->first);
        }
    }
}

static void rows_that_share_a_selector_stand_together(void **state) {
    (void)state;
    for (EACH(a)) {
        const struct mtlcap__capability *first;
        size_t count = mtlcap__capability_rows(a, &first), sharing = 0;

        assert_true(a >= first && a < first + count);
        for (EACH(b))
            sharing += strcmp(a->selector, b->selector) == 0;
        assert_int_equal(count, sharing);
    }
}

static bool speaks_of(enum mtlcap__capability_id id, int64_t argument) {
    return mtlcap__capability_speaks_of(&mtlcap__capabilities[id], argument);
}

static void rows_speak_of_arguments(void **state) {
    (void)state;
    assert_true(speaks_of(MTLCAP__APPLE, 1001));
    assert_true(speaks_of(MTLCAP__APPLE, 1999)); /* beyond what is known: clients ask */
    assert_false(speaks_of(MTLCAP__APPLE, 1000));
    assert_false(speaks_of(MTLCAP__APPLE, 2001));
    assert_true(speaks_of(MTLCAP__METAL, 5001));
    assert_false(speaks_of(MTLCAP__METAL, -1));
    assert_true(speaks_of(MTLCAP__TEXTURE_SAMPLE_COUNT, INT64_MAX));
    assert_true(speaks_of(MTLCAP__COUNTER_SAMPLING_DRAW, 1));
    assert_false(speaks_of(MTLCAP__COUNTER_SAMPLING_DRAW, 2));
}

static void finds_by_key(void **state) {
    (void)state;
    assert_ptr_equal(mtlcap__capability_by_key("applexyz", 5),
                     &mtlcap__capabilities[MTLCAP__APPLE]);
    assert_null(mtlcap__capability_by_key("appl", 4));
    assert_null(mtlcap__capability_by_key("apple_", 6));
    assert_null(mtlcap__capability_by_key("", 0));
}

static void finds_by_metals_name(void **state) {
    (void)state;
    assert_ptr_equal(mtlcap__capability_by_name("maxThreadgroupMemoryLength"),
                     &mtlcap__capabilities[MTLCAP__THREADGROUP_MEMORY]);
    assert_ptr_equal(mtlcap__capability_by_name("threadgroup_memory"),
                     &mtlcap__capabilities[MTLCAP__THREADGROUP_MEMORY]);
    assert_null(mtlcap__capability_by_name("supportsFamily:")); /* which axis? */
    assert_null(mtlcap__capability_by_name("supportsCounterSampling:"));
    assert_null(mtlcap__capability_by_name(""));
}

static void suggests_keys(void **state) {
    (void)state;
    assert_string_equal(mtlcap__capability_suggest("aple", 4, false), "apple");
    assert_string_equal(mtlcap__capability_suggest("maxBufferLength", 15, false), "buffer_length");
    assert_null(mtlcap__capability_suggest("supportsFamily:", 15, false));
    assert_null(mtlcap__capability_suggest("zzzzzzzz", 8, false));

    static const char *const families[][2] = {
        {"MTLGPUFamilyApple10", "apple"},
        {"MTLGPUFamilyMac2", "mac"},
        {"MTLGPUFamilyMacCatalyst1", "catalyst"},
        {"MTLGPUFamilyCommon3", "common"},
        {"MTLGPUFamilyMetal3", "metal"},
        {"MTLGPUFamilyZ", NULL},
        {"MTLGPUFamily", NULL},
    };
    for (size_t i = 0; i < LENGTH(families); i++) {
        const char *found =
            mtlcap__capability_suggest(families[i][0], strlen(families[i][0]), false);
        if (families[i][1] == NULL)
            assert_null(found);
        else
            assert_string_equal(found, families[i][1]);
    }
}

static void lists_the_keys_of_a_selector(void **state) {
    char keys[64];

    (void)state;
    assert_true(mtlcap__capability_keys("supportsFamily:xyz", 15, keys, sizeof keys));
    assert_string_equal(keys, "apple, mac, common, catalyst, metal");
    assert_false(mtlcap__capability_keys("supportsFamily", 14, keys, sizeof keys));
    assert_string_equal(keys, "");
    assert_true(mtlcap__capability_keys("supportsFamily:", 15, keys, 8)); /* cut */
    assert_string_equal(keys, "apple, ");
}

static void indexes_match_ids(void **state) {
    (void)state;
    assert_int_equal(mtlcap__capability_index(mtlcap__capability_by_name("peer_count")),
                     MTLCAP__PEER_COUNT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_words_and_unique),
        cmocka_unit_test(rows_are_complete),
        cmocka_unit_test(shared_selectors_divide_their_arguments),
        cmocka_unit_test(rows_that_share_a_selector_stand_together),
        cmocka_unit_test(rows_speak_of_arguments),
        cmocka_unit_test(finds_by_key),
        cmocka_unit_test(finds_by_metals_name),
        cmocka_unit_test(suggests_keys),
        cmocka_unit_test(lists_the_keys_of_a_selector),
        cmocka_unit_test(indexes_match_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
