/* mtlcap_check_answer(): the language of expectations, and what it compares. */
#include <string.h>

#include "support.h"

static void assert_met(const char *expectation, int met) {
    struct mtlcap_check check = MTLCAP_CHECK_INIT;

    assert_ok(mtlcap_check_answer(device_at(0), expectation, &check));
    if (check.met != met)
        fail_msg("%s", check.message);
}

static void compares(void **state) {
    (void)state;
    static const char *const met[] = {
        "apple=5",
        "apple>=5",
        "apple>=0",
        "apple<=999",
        "apple!=7",
        "apple >= 5",
        " apple  =5",
        "name != Apple M1",
        "name = Apple Paravirtual device",
        "metal=off",
        "metal=OFF",
        "metal=0",
        "metal<=4",
        "threadgroup_memory=32768",
        "threadgroup_memory=32k",
        "threadgroup_memory>=32KiB",
        "maxThreadgroupMemoryLength<=1T",
        "threads_per_threadgroup=1024",
        "threads_per_threadgroup=1024x1024x1024",
        "threads_per_threadgroup<=1024x1024x1025",
        "unified_memory=yes",
        "unified_memory!=Off",
        "raytracing=0",
        "name=Apple Paravirtual device",
        "name!=",
        "texture_sample_count>=2",
        "argument_buffers=2",
        "argument_buffers<=77",
    };
    static const char *const not_met[] = {
        "apple=7",
        "apple>=6",
        "apple >= 6",
        "apple<=4",
        "apple!=5",
        "metal>=3",
        "threadgroup_memory>=33K",
        "raytracing=on",
        "threads_per_threadgroup>=1x1x1025",
        "name=Apple M1",
        "name=apple paravirtual device",
        "texture_sample_count=off",
    };

    for (size_t i = 0; i < sizeof met / sizeof met[0]; i++)
        assert_met(met[i], 1);
    for (size_t i = 0; i < sizeof not_met / sizeof not_met[0]; i++)
        assert_met(not_met[i], 0);
}

static void sees_what_callers_get(void **state) {
    (void)state;
    assert_met("apple>=7", 0);
    assert_ok(mtlcap_apply_profile("auto", NULL));
    assert_met("apple>=7", 1);
    assert_ok(mtlcap_restore());
    assert_met("apple>=7", 0);
}

static void tells_what_it_found(void **state) {
    (void)state;
    struct mtlcap_check check = MTLCAP_CHECK_INIT;

    assert_ok(mtlcap_check_answer(NULL, "maxThreadgroupMemoryLength>=64K", &check));
    assert_int_equal(check.met, 0);
    assert_string_equal(check.capability, "threadgroup_memory");
    assert_string_equal(check.expected, ">=64K");
    assert_string_equal(check.found, "32768 (32 KiB)");
    assert_string_equal(check.message,
                        "expected maxThreadgroupMemoryLength>=64K, found 32768 (32 KiB)");
}

static void says_what_would_be_right(void **state) {
    (void)state;
    static const struct {
        const char *expectation;
        int status;
        const char *says;
    } cases[] = {
        {"", MTLCAP_E_ARGUMENT, "is not KEY=VALUE"},
        {"apple", MTLCAP_E_ARGUMENT, "is not KEY=VALUE"},
        {"apple>7", MTLCAP_E_ARGUMENT, "'apple>7': there is no >, but >="},
        {"apple < 7", MTLCAP_E_ARGUMENT, "'apple < 7': there is no <, but <="},
        {"!apple>7", MTLCAP_E_ARGUMENT, "is not KEY=VALUE"},
        {">7", MTLCAP_E_ARGUMENT, "is not KEY=VALUE"},
        {" >= 7", MTLCAP_E_ARGUMENT, "is not KEY=VALUE"},
        {"=7", MTLCAP_E_ARGUMENT, "is not KEY=VALUE"},
        {"aple=7", MTLCAP_E_CAPABILITY, "did you mean 'apple'?"},
        {"supportsFamily:=7", MTLCAP_E_CAPABILITY, "apple, mac, common, catalyst, metal"},
        {"apple=", MTLCAP_E_ARGUMENT, "'' is no value of apple"},
        {"apple==7", MTLCAP_E_ARGUMENT, "write one ="},
        {"MTLGPUFamilyApple7>=1", MTLCAP_E_CAPABILITY, "did you mean 'apple'?"},
        {"apple > = 7", MTLCAP_E_ARGUMENT, "there is no >"},
        {"apple >= ", MTLCAP_E_ARGUMENT, "'' is no value of apple"},
        {"apple=1007", MTLCAP_E_ARGUMENT, "the number in the family's name"},
        {"apple=7,metal=off", MTLCAP_E_ARGUMENT, "the number in the family's name"},
        {"apple=18446744073709551617", MTLCAP_E_ARGUMENT, "the number in the family's name"},
        {"apple=\033[2J", MTLCAP_E_ARGUMENT, "'?[2J' is no value"},
        {"raytracing>=on", MTLCAP_E_ARGUMENT, "= and != only"},
        {"name<=A", MTLCAP_E_ARGUMENT, "= and != only"},
        {"texture_sample_count=many", MTLCAP_E_ARGUMENT, "a number, or off"},
        {"threadgroup_memory=32KB", MTLCAP_E_ARGUMENT, "bytes below 2^64"},
        {"threads_per_threadgroup=1x2", MTLCAP_E_ARGUMENT, "WIDTHxHEIGHTxDEPTH"},
    };
    char huge[2000];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mtlcap_check check = MTLCAP_CHECK_INIT;
        assert_fails(mtlcap_check_answer(NULL, cases[i].expectation, NULL), cases[i].status,
                     cases[i].says);
        assert_fails(mtlcap_check_answer(device_at(0), cases[i].expectation, &check),
                     cases[i].status, cases[i].says);
        assert_string_equal(check.message, "");
    }
    assert_fails(mtlcap_check_answer(NULL, NULL, NULL), MTLCAP_E_ARGUMENT, "expectation is NULL");
    memset(huge, 'a', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    huge[1990] = '=';
    assert_fails(mtlcap_check_answer(NULL, huge, NULL), MTLCAP_E_CAPABILITY,
                 "there is no capability");
    memcpy(huge, "name=", 5);
    struct mtlcap_check check = MTLCAP_CHECK_INIT;
    assert_ok(mtlcap_check_answer(NULL, huge, &check));
    assert_int_equal(check.met, 0);
}

static void needs_a_device(void **state) {
    (void)state;
    struct mtlcap_check check = MTLCAP_CHECK_INIT;
    assert_fails(mtlcap_check_answer(NULL, "apple>=7", &check), MTLCAP_E_NO_DEVICE, "no device");
    assert_ok(mtlcap_check_answer(NULL, "apple>=7", NULL));
}

int main(void) {
    const struct apart tests[] = {
        ON("paravirt", compares),
        ON("paravirt", sees_what_callers_get),
        ON("paravirt", tells_what_it_found),
        ON("paravirt", says_what_would_be_right),
        ON("none", needs_a_device),
    };
    return RUN_APART(tests);
}
