/* Where there is no Metal, or not even an Objective-C runtime: functions that need them say so, and
 * the program runs. */
#include <dlfcn.h>
#include <string.h>

#include "support.h"

static void check_all(const char *why) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    struct mtlcap_device device = MTLCAP_DEVICE_INIT;
    struct mtlcap_explanation explanation = MTLCAP_EXPLANATION_INIT;
    struct mtlcap_rule rule = MTLCAP_RULE_INIT;
    struct mtlcap_report report = MTLCAP_REPORT_INIT;
    struct mtlcap_machine machine = MTLCAP_MACHINE_INIT;
    struct mtlcap_check check = MTLCAP_CHECK_INIT;
    uint32_t count = 7;

    assert_fails(mtlcap_apply_profile("auto", NULL), MTLCAP_E_UNSUPPORTED, why);
    assert_fails(mtlcap_apply_profile("stock", NULL), MTLCAP_E_UNSUPPORTED, why);
    assert_fails(mtlcap_query(NULL, "apple", &answer), MTLCAP_E_UNSUPPORTED, why);
    assert_non_null(strstr(mtlcap_last_error(), "LD_PRELOAD=libsimmetal.so"));
    assert_fails(mtlcap_check_answer(NULL, "apple>=7", &check), MTLCAP_E_UNSUPPORTED, why);
    assert_ok(mtlcap_check_answer(NULL, "apple>=7", NULL));
    assert_fails(mtlcap_device_count(&count), MTLCAP_E_UNSUPPORTED, why);
    assert_int_equal(count, 0);
    assert_fails(mtlcap_device_info(0, &device), MTLCAP_E_UNSUPPORTED, why);

    /* what is wrong with the request comes first */
    assert_fails(mtlcap_apply_profile("apple.min=77", NULL), MTLCAP_E_PROFILE, "77");
    assert_fails(mtlcap_query(NULL, "aple", &answer), MTLCAP_E_CAPABILITY, "apple");
    assert_fails(mtlcap_check_answer(NULL, "apple>7", &check), MTLCAP_E_ARGUMENT, "but >=");

    /* nothing is in force, and that is no error */
    assert_ok(mtlcap_restore());
    assert_fails(mtlcap_restore_generation(1), MTLCAP_E_ARGUMENT, "never");
    assert_int_equal(mtlcap_generation(), 0);
    assert_int_equal(mtlcap_is_active(), 0);
    assert_ok(mtlcap_report_info(&report));
    assert_int_equal(report.generation, 0);
    assert_int_equal(report.hook_count, 0);

    /* a profile can be explained as far as it goes */
    assert_ok(mtlcap_explain_profile("apple.min=7", NULL, &explanation));
    assert_int_equal(explanation.status, MTLCAP_E_UNSUPPORTED);
    assert_int_equal(explanation.rule_count, 1);
    assert_ok(mtlcap_explain_rule("apple.min=7", NULL, 0, &rule));
    assert_string_equal(rule.capability, "apple");
    assert_null(rule.device);

    assert_ok(mtlcap_machine_info(&machine));
    assert_int_equal(machine.memory, 0);
    assert_int_equal(machine.virtual_machine, MTLCAP_UNKNOWN);
    assert_string_equal(machine.chip, "");
    assert_true(mtlcap_capability_count() > 0);
    assert_ok(mtlcap_set_log(MTLCAP_LOG_WARNING, NULL, NULL));
}

static void without_a_runtime(void **state) {
    (void)state;
    int object = 0;
    check_all("no Objective-C runtime");
    assert_fails(mtlcap_adopt_device(&object), MTLCAP_E_UNSUPPORTED, "no Objective-C runtime");
}

static void with_a_runtime_and_without_metal(void **state) {
    (void)state;
    assert_non_null(dlopen("libobjc.so.4", RTLD_NOW | RTLD_LOCAL));
    check_all("no Metal");
    assert_fails(mtlcap_adopt_device((void *)1), MTLCAP_E_NOT_A_DEVICE, "not an object");
}

/* The runtime comes while the program runs: a plug-in's. */
static void a_runtime_that_comes_later(void **state) {
    (void)state;
    check_all("no Objective-C runtime");
    assert_non_null(dlopen("libobjc.so.4", RTLD_NOW | RTLD_LOCAL));
    check_all("no Metal");
}

/* Metal comes while the program runs, and is not for all to see, as Python loads libraries. */
static void metal_that_is_loaded_privately(void **state) {
    (void)state;
    check_all("no Objective-C runtime");
    if (!dlopen(SIMMETAL_LIBRARY, RTLD_NOW | RTLD_LOCAL))
        fail_msg("%s", dlerror());
    assert_ok(mtlcap_apply_profile("auto", NULL));
    const struct mtlcap_answer answer = answer_of(NULL, "apple");
    assert_int_equal(answer.stock.number[0], 5);
    assert_int_equal(answer.effective.number[0], 7);
    assert_string_equal(answer.source, "Metal");
    assert_ok(mtlcap_restore());
    assert_int_equal(answer_of(NULL, "apple").effective.number[0], 5);
    struct mtlcap_machine machine = MTLCAP_MACHINE_INIT;
    assert_ok(mtlcap_machine_info(&machine));
    assert_string_equal(machine.chip, "Apple M1 Ultra (Virtual)");
    assert_int_equal(machine.chip_family, 7);
}

int main(void) {
    static const struct apart tests[] = {
        ON(NULL, without_a_runtime),
        ON(NULL, with_a_runtime_and_without_metal),
        ON(NULL, a_runtime_that_comes_later),
        ON("paravirt", metal_that_is_loaded_privately),
    };
    return RUN_APART(tests);
}
