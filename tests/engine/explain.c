/* What explaining a profile says is what applying it does, on every built-in machine. */
#include <stdlib.h>
#include <unistd.h>

#include "support.h"

/* Each rule's effect as explained is what callers get once the profile is applied. */
static void check_rules(const char *profile, const struct mtlcap_options *options,
                        uint32_t rule_count) {
    for (uint32_t i = 0; i < rule_count; i++) {
        struct mtlcap_rule rule = MTLCAP_RULE_INIT;
        assert_ok(mtlcap_explain_rule(profile, options, i, &rule));
        struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
        const int status = mtlcap_query(rule.device, rule.capability, &answer);
        if (rule.effective[0] == '\0') { /* a ceiling over what this device cannot be asked */
            assert_int_equal(status, MTLCAP_E_UNSUPPORTED);
            continue;
        }
        assert_ok(status);
        assert_string_equal(answer.rule, rule.rule);
        assert_string_equal(answer.stock.text, rule.stock);
        assert_string_equal(answer.effective.text, rule.effective);
        assert_int_equal(answer.overridden, 1);
    }
}

static void check_findings(const char *profile, const struct mtlcap_options *options,
                           uint32_t finding_count) {
    assert_int_equal(report().finding_count, finding_count);
    for (uint32_t i = 0; i < finding_count; i++) {
        struct mtlcap_finding explained = MTLCAP_FINDING_INIT, done = MTLCAP_FINDING_INIT;
        assert_ok(mtlcap_explain_finding(profile, options, i, &explained));
        assert_ok(mtlcap_report_finding(i, &done));
        assert_memory_equal(&explained, &done, sizeof done);
    }
}

static void check_profile(const char *profile, const char *allow) {
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    struct mtlcap_explanation explanation = MTLCAP_EXPLANATION_INIT;
    options.allow = allow;
    const uint32_t hooks = report().hook_count;
    assert_ok(mtlcap_explain_profile(profile, &options, &explanation));
    assert_int_equal(report().hook_count, hooks); /* it changes nothing */
    assert_int_equal(mtlcap_generation(), 0);
    const int status = mtlcap_apply_profile(profile, &options);
    if (status != explanation.status)
        fail_msg("%s: explained as %d, is %d (%s)", profile, explanation.status, status,
                 mtlcap_last_error());
    if (status)
        return;
    check_rules(profile, &options, explanation.rule_count);
    check_findings(profile, &options, explanation.finding_count);
    assert_ok(mtlcap_restore());
}

static int check_machine(void *machine) {
    setenv("SIMMETAL_DEVICES", machine, 1);
    alarm(60);
    mtlcap_set_log(MTLCAP_LOG_ERROR, NULL, NULL);
    struct mtlcap_profile profile = MTLCAP_PROFILE_INIT;
    for (uint32_t i = 0; i < mtlcap_profile_count(); i++) {
        assert_ok(mtlcap_profile_info(i, &profile));
        check_profile(profile.name, NULL);
        check_profile(profile.name, every_hazard());
    }
    static const char *const others[] = {"apple.min=6", "apple.max=2,mac=1", "metal.min=3",
                                         "threadgroup_memory.max=16K", "working_set.min=40G"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        check_profile(others[i], NULL);
        check_profile(others[i], every_hazard());
    }
    return 0;
}

static void check_this_machine(void **state) {
    check_machine(*state);
}

static int run_machine(void *machine) {
    const struct CMUnitTest test[] = {
        {machine, check_this_machine, NULL, NULL, machine},
    };
    return _cmocka_run_group_tests(machine, test, 1, NULL, NULL);
}

int main(void) {
    int failed = 0;
    for (const char *const *name = simmetal_machine_names(); *name; name++)
        failed += in_child(run_machine, (void *)(uintptr_t)*name) != 0;
    return failed;
}
