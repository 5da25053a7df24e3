/* Comparing values of capabilities, and writing them down. */
#include "core/capability.h"
#include "unit.h"

typedef struct mtlcap__value value;

static const struct mtlcap__capability *row(enum mtlcap__capability_id id) {
    return &mtlcap__capabilities[id];
}

static void equal_means_all_of_it(void **state) {
    const value a = {{1, 2, 3}, 7};

    (void)state;
    assert_true(mtlcap__value_equal(&a, &(value){{1, 2, 3}, 7}));
    assert_false(mtlcap__value_equal(&a, &(value){{0, 2, 3}, 7}));
    assert_false(mtlcap__value_equal(&a, &(value){{1, 0, 3}, 7}));
    assert_false(mtlcap__value_equal(&a, &(value){{1, 2, 0}, 7}));
    assert_false(mtlcap__value_equal(&a, &(value){{1, 2, 3}, 6}));
}

static void above_compares_numbers(void **state) {
    static const enum mtlcap__capability_id ids[] = {MTLCAP__THREADGROUP_MEMORY,
                                                     MTLCAP__ARGUMENT_BUFFERS, MTLCAP__RAYTRACING};

    (void)state;
    for (size_t i = 0; i < LENGTH(ids); i++) {
        assert_true(mtlcap__value_above(&(value){{1}, 0}, &(value){{0}, 0}, row(ids[i])));
        assert_false(mtlcap__value_above(&(value){{1}, 0}, &(value){{1}, 0}, row(ids[i])));
        assert_false(mtlcap__value_above(&(value){{0}, 0}, &(value){{1}, 0}, row(ids[i])));
    }
}

static void above_compares_members(void **state) {
    const value with_a_hole = {{3}, 0x5}, whole = {{3}, 0x7}, less = {{2}, 0x3};

    (void)state;
    assert_true(mtlcap__value_above(&whole, &with_a_hole, row(MTLCAP__APPLE)));
    assert_false(mtlcap__value_above(&with_a_hole, &whole, row(MTLCAP__APPLE)));
    assert_true(mtlcap__value_above(&with_a_hole, &less, row(MTLCAP__APPLE)));
    assert_true(mtlcap__value_above(&less, &with_a_hole, row(MTLCAP__APPLE))); /* both ways */
    assert_false(mtlcap__value_above(&whole, &whole, row(MTLCAP__TEXTURE_SAMPLE_COUNT)));
}

static void above_in_any_dimension(void **state) {
    const struct mtlcap__capability *threads = row(MTLCAP__THREADS_PER_THREADGROUP);
    const value a = {{8, 16, 4}, 0};

    (void)state;
    assert_true(mtlcap__value_above(&(value){{9, 1, 1}, 0}, &a, threads));
    assert_true(mtlcap__value_above(&(value){{1, 17, 1}, 0}, &a, threads));
    assert_true(mtlcap__value_above(&(value){{1, 1, 5}, 0}, &a, threads));
    assert_false(mtlcap__value_above(&(value){{8, 16, 4}, 0}, &a, threads));
    assert_false(mtlcap__value_above(&(value){{7, 9, 3}, 0}, &a, threads));
}

static void text_is_never_above(void **state) {
    (void)state;
    assert_false(mtlcap__value_above(&(value){{1}, 0}, &(value){{0}, 0}, row(MTLCAP__NAME)));
}

static void writes_as_profiles_do(void **state) {
    static const struct {
        enum mtlcap__capability_id id;
        value value;
        const char *text;
    } cases[] = {
        {MTLCAP__APPLE, {{7}, 0x7F}, "7"},
        {MTLCAP__APPLE, {{0}, 0}, "off"},
        {MTLCAP__METAL, {{3}, 0x1}, "3"},
        {MTLCAP__FEATURE_SET, {{10005}, 0x20}, "10005"},
        {MTLCAP__TEXTURE_SAMPLE_COUNT, {{8}, 0x8B}, "8"},
        {MTLCAP__TEXTURE_SAMPLE_COUNT, {{0}, 0}, "off"},
        {MTLCAP__RAYTRACING, {{1}, 0}, "yes"},
        {MTLCAP__RAYTRACING, {{0}, 0}, "no"},
        {MTLCAP__READ_WRITE_TEXTURE, {{0}, 0}, "0"},
        {MTLCAP__ARGUMENT_BUFFERS, {{2}, 0}, "2"},
        {MTLCAP__WORKING_SET, {{UINT64_MAX}, 0}, "18446744073709551615"},
        {MTLCAP__THREADS_PER_THREADGROUP, {{1024, 1024, 64}, 0}, "1024x1024x64"},
        {MTLCAP__THREADS_PER_THREADGROUP,
         {{UINT64_MAX, UINT64_MAX, UINT64_MAX}, 0},
         "18446744073709551615x18446744073709551615x18446744073709551615"},
    };
    char text[128];

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        mtlcap__value_text(&cases[i].value, row(cases[i].id), text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
    mtlcap__value_text(&(value){{1024, 1024, 64}, 0}, row(MTLCAP__THREADS_PER_THREADGROUP), text,
                       5);
    assert_string_equal(text, "1024");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_means_all_of_it),  cmocka_unit_test(above_compares_numbers),
        cmocka_unit_test(above_compares_members), cmocka_unit_test(above_in_any_dimension),
        cmocka_unit_test(text_is_never_above),    cmocka_unit_test(writes_as_profiles_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
