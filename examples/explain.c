/* Tells what a profile would do on this machine, changing nothing. */
#include <stdio.h>

#include <mtlcap/mtlcap.h>

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: explain PROFILE [HAZARD+HAZARD...]\n");
        return 2;
    }
    const char *profile = argv[1];
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.allow = argc > 2 ? argv[2] : NULL;

    struct mtlcap_explanation explanation = MTLCAP_EXPLANATION_INIT;
    if (mtlcap_explain_profile(profile, &options, &explanation) != MTLCAP_OK) {
        fprintf(stderr, "explain: %s\n", mtlcap_last_error());
        return 1;
    }
    for (uint32_t i = 0; i < explanation.rule_count; i++) {
        struct mtlcap_rule rule = MTLCAP_RULE_INIT;
        if (mtlcap_explain_rule(profile, &options, i, &rule) == MTLCAP_OK)
            printf("%-20s %10s -> %-10s %s\n", rule.capability, rule.stock, rule.effective,
                   rule.rule);
    }
    for (uint32_t i = 0; i < explanation.finding_count; i++) {
        struct mtlcap_finding finding = MTLCAP_FINDING_INIT;
        if (mtlcap_explain_finding(profile, &options, i, &finding) == MTLCAP_OK)
            printf("%s: %s\n",
                   finding.allowed   ? "allowed"
                   : finding.refuses ? "refused"
                                     : "warning",
                   finding.message);
    }
    printf("apply would return: %s\n", mtlcap_strerror(explanation.status));
    return 0;
}
