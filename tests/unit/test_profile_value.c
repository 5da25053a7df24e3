/* Values in profiles, by kind: what is read, what is refused, what is hinted at. */
#include "core/profile_parts.h"
#include "unit.h"

static const struct mtlcap__capability *row(enum mtlcap__capability_id id) {
    return &mtlcap__capabilities[id];
}

static void reads_what_is_right(void **state) {
    static const struct {
        enum mtlcap__capability_id id;
        const char *text;
        uint64_t number[3];
    } cases[] = {
        {MTLCAP__APPLE, "1", {1}},
        {MTLCAP__APPLE, "10", {10}},
        {MTLCAP__APPLE, "007", {7}},
        {MTLCAP__APPLE, "1001", {1}},
        {MTLCAP__APPLE, "1010", {10}},
        {MTLCAP__APPLE, "off", {0}},
        {MTLCAP__APPLE, "Off", {0}},
        {MTLCAP__MAC, "2", {2}},
        {MTLCAP__MAC, "2002", {2}},
        {MTLCAP__COMMON, "3", {3}},
        {MTLCAP__COMMON, "3003", {3}},
        {MTLCAP__CATALYST, "4001", {1}},
        {MTLCAP__METAL, "3", {3}},
        {MTLCAP__METAL, "4", {4}},
        {MTLCAP__METAL, "5001", {3}},
        {MTLCAP__METAL, "5002", {4}},
        {MTLCAP__FEATURE_SET, "10005", {10005}},
        {MTLCAP__TEXTURE_SAMPLE_COUNT, "1", {1}},
        {MTLCAP__TEXTURE_SAMPLE_COUNT, "32", {32}},
        {MTLCAP__TEXTURE_SAMPLE_COUNT, "off", {0}},
        {MTLCAP__THREADGROUP_MEMORY, "0", {0}},
        {MTLCAP__THREADGROUP_MEMORY, "32768", {32768}},
        {MTLCAP__THREADGROUP_MEMORY, "32K", {32768}},
        {MTLCAP__THREADGROUP_MEMORY, "32k", {32768}},
        {MTLCAP__THREADGROUP_MEMORY, "64KiB", {65536}},
        {MTLCAP__THREADGROUP_MEMORY, "64kib", {65536}},
        {MTLCAP__WORKING_SET, "3M", {3 << 20}},
        {MTLCAP__WORKING_SET, "3MiB", {3 << 20}},
        {MTLCAP__WORKING_SET, "11G", {UINT64_C(11) << 30}},
        {MTLCAP__WORKING_SET, "11GIB", {UINT64_C(11) << 30}},
        {MTLCAP__WORKING_SET, "2T", {UINT64_C(2) << 40}},
        {MTLCAP__WORKING_SET, "2TiB", {UINT64_C(2) << 40}},
        {MTLCAP__WORKING_SET, "18446744073709551615", {UINT64_MAX}},
        {MTLCAP__WORKING_SET, "16777215T", {UINT64_C(16777215) << 40}},
        {MTLCAP__COMPILATION_TASKS, "4", {4}},
        {MTLCAP__ARGUMENT_BUFFERS, "1", {1}},
        {MTLCAP__ARGUMENT_BUFFERS, "2", {2}},
        {MTLCAP__READ_WRITE_TEXTURE, "0", {0}},
        {MTLCAP__READ_WRITE_TEXTURE, "2", {2}},
        {MTLCAP__RAYTRACING, "on", {1}},
        {MTLCAP__RAYTRACING, "yes", {1}},
        {MTLCAP__RAYTRACING, "true", {1}},
        {MTLCAP__RAYTRACING, "1", {1}},
        {MTLCAP__RAYTRACING, "TRUE", {1}},
        {MTLCAP__RAYTRACING, "off", {0}},
        {MTLCAP__RAYTRACING, "no", {0}},
        {MTLCAP__RAYTRACING, "false", {0}},
        {MTLCAP__RAYTRACING, "FALSE", {0}},
        {MTLCAP__RAYTRACING, "0", {0}},
        {MTLCAP__THREADS_PER_THREADGROUP, "512", {512, 512, 512}},
        {MTLCAP__THREADS_PER_THREADGROUP, "1024x512x64", {1024, 512, 64}},
        {MTLCAP__THREADS_PER_THREADGROUP, "1X2X3", {1, 2, 3}},
    };
    char problem[128];

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        uint64_t number[3] = {99, 99, 99};
        if (!mtlcap__value_parse(row(cases[i].id), cases[i].text, strlen(cases[i].text), number,
                                 problem, sizeof problem))
            fail_msg("%s=%s: %s", row(cases[i].id)->key, cases[i].text, problem);
        assert_memory_equal(number, cases[i].number, sizeof number);
    }
}

static void refuses_what_is_wrong(void **state) {
    static const struct {
        enum mtlcap__capability_id id;
        const char *text, *problem;
    } cases[] = {
        {MTLCAP__APPLE, "", "a value is missing"},
        {MTLCAP__APPLE, "0", "does not have this family"},
        {MTLCAP__APPLE, "11", "does not have this family"},
        {MTLCAP__APPLE, "1000", "does not have this family"},
        {MTLCAP__APPLE, "1011", "does not have this family"},
        {MTLCAP__APPLE, "5001", "does not have this family"},
        {MTLCAP__METAL, "1", "does not have this family"},
        {MTLCAP__METAL, "5", "does not have this family"},
        {MTLCAP__METAL, "5003", "does not have this family"},
        {MTLCAP__APPLE, "7x", "'x' is left over"},
        {MTLCAP__APPLE, "apple7", "not a number"},
        {MTLCAP__APPLE, "18446744073709551616", "too large"},
        {MTLCAP__APPLE, "18446744073709551623", "too large"}, /* wraps to 7 */
        {MTLCAP__TEXTURE_SAMPLE_COUNT, "0", "out of range"},
        {MTLCAP__TEXTURE_SAMPLE_COUNT, "33", "out of range"},
        {MTLCAP__WORKING_SET, "-1", "no sign"},
        {MTLCAP__WORKING_SET, "+1", "no sign"},
        {MTLCAP__WORKING_SET, "0x10", "decimal, not hexadecimal"},
        {MTLCAP__WORKING_SET, "1.5G", "no fraction"},
        {MTLCAP__WORKING_SET, ".5G", "not a number"},
        {MTLCAP__WORKING_SET, "K", "not a number"},
        {MTLCAP__WORKING_SET, "64KB", "KB can mean 1000 or 1024: write 64K or 64KiB"},
        {MTLCAP__WORKING_SET, "11gb", "gb can mean 1000 or 1024: write 11g or 11giB"},
        {MTLCAP__WORKING_SET, "64B", "'B' is not a unit"},
        {MTLCAP__WORKING_SET, "64Ki", "'Ki' is not a unit"},
        {MTLCAP__WORKING_SET, "64P", "'P' is not a unit"},
        {MTLCAP__WORKING_SET, "64KK", "'KK' is not a unit"},
        {MTLCAP__WORKING_SET, "18446744073709551616", "too large"},
        {MTLCAP__WORKING_SET, "16777216T", "more than 64 bits"},
        {MTLCAP__WORKING_SET, "18014398509481984K", "more than 64 bits"},
        {MTLCAP__COMPILATION_TASKS, "4K", "'K' is left over"},
        {MTLCAP__TRANSFER_RATE, "4K", "'K' is left over"},
        {MTLCAP__ARGUMENT_BUFFERS, "0", "does not have this tier"},
        {MTLCAP__ARGUMENT_BUFFERS, "3", "does not have this tier"},
        {MTLCAP__READ_WRITE_TEXTURE, "off", "not a number"},
        {MTLCAP__RAYTRACING, "maybe", "neither yes nor no"},
        {MTLCAP__RAYTRACING, "2", "neither yes nor no"},
        {MTLCAP__RAYTRACING, "onn", "neither yes nor no"},
        {MTLCAP__THREADS_PER_THREADGROUP, "0", "cannot be 0"},
        {MTLCAP__THREADS_PER_THREADGROUP, "8x0x8", "cannot be 0"},
        {MTLCAP__THREADS_PER_THREADGROUP, "8x8", "three dimensions"},
        {MTLCAP__THREADS_PER_THREADGROUP, "8x", "not a number"},
        {MTLCAP__THREADS_PER_THREADGROUP, "8x8x", "not a number"},
        {MTLCAP__THREADS_PER_THREADGROUP, "8x8x8x8", "three dimensions"},
        {MTLCAP__THREADS_PER_THREADGROUP, "8y8y8", "three dimensions"},
    };
    char problem[128];
    uint64_t number[3];

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        if (mtlcap__value_parse(row(cases[i].id), cases[i].text, strlen(cases[i].text), number,
                                problem, sizeof problem))
            fail_msg("%s=%s was taken", row(cases[i].id)->key, cases[i].text);
        assert_contains(problem, cases[i].problem);
    }
}

/* The text has no terminator of its own. */
static void stops_at_the_length(void **state) {
    char problem[128];
    uint64_t number[3];

    (void)state;
    assert_true(
        mtlcap__value_parse(row(MTLCAP__WORKING_SET), "12KB", 2, number, problem, sizeof problem));
    assert_int_equal(number[0], 12);
    assert_true(mtlcap__value_parse(row(MTLCAP__THREADS_PER_THREADGROUP), "8x8x8", 1, number,
                                    problem, sizeof problem));
    assert_int_equal(number[2], 8);
    assert_false(mtlcap__value_parse(row(MTLCAP__RAYTRACING), "offside", 2, number, problem,
                                     sizeof problem));
}

static void hints_at_what_is_right(void **state) {
    static const struct {
        enum mtlcap__capability_id id;
        const char *hint;
    } cases[] = {
        {MTLCAP__APPLE, "1 to 10 (or the constants 1001 to 1010), or off"},
        {MTLCAP__METAL, "3 to 4 (or the constants 5001 to 5002), or off"},
        {MTLCAP__FEATURE_SET, "10000 to 10005, or off"},
        {MTLCAP__TEXTURE_SAMPLE_COUNT, "1 to 32, or off"},
        {MTLCAP__ARGUMENT_BUFFERS, "1 to 2"},
        {MTLCAP__RAYTRACING, "on or off"},
        {MTLCAP__THREADS_PER_THREADGROUP, "a number for all dimensions, or WIDTHxHEIGHTxDEPTH"},
        {MTLCAP__WORKING_SET, "bytes, such as 32768, 32K, 64KiB or 11G"},
        {MTLCAP__COMPILATION_TASKS, "a decimal number of tasks"},
    };
    char hint[128];

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        mtlcap__value_hint(row(cases[i].id), hint, sizeof hint);
        assert_string_equal(hint, cases[i].hint);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_is_right),
        cmocka_unit_test(refuses_what_is_wrong),
        cmocka_unit_test(stops_at_the_length),
        cmocka_unit_test(hints_at_what_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
