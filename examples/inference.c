/*
 * How a program that runs models on the GPU uses the library: apply before the engine asks Metal,
 * say what was changed, and do not start slowly in silence. Usage: inference [PROFILE [HAZARDS]]
 *
 * Exit status: 0; 1 the profile cannot be applied; 70 the GPU does not offer the fast path.
 */
#include <stdio.h>

#include <mtlcap/mtlcap.h>

/* What the engine needs of the GPU for its fast kernels, in words that it understands. */
static const char *const needs[] = {"apple>=7", "threadgroup_memory>=32K"};

/* For a bug report, or the log of a benchmark: answers that are not the device's own. */
static void report_changes(void) {
    struct mtlcap_report report = MTLCAP_REPORT_INIT;
    mtlcap_report_info(&report);
    printf("profile %s: %u answers differ from stock\n", report.profile, report.change_count);
    for (uint32_t i = 0; i < report.change_count; i++) {
        struct mtlcap_change change = MTLCAP_CHANGE_INIT;
        if (mtlcap_report_change(i, &change) == MTLCAP_OK)
            printf("  %s: %s -> %s (%s)\n", change.capability, change.stock, change.effective,
                   change.derived ? "derived" : change.rule);
    }
}

/* 1 if Metal now answers as the fast kernels need; says what is missing otherwise. */
static int has_fast_path(void) {
    int fast = 1;
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        struct mtlcap_check check = MTLCAP_CHECK_INIT;
        const int status = mtlcap_check_answer(NULL, needs[i], &check);
        if (status != MTLCAP_OK || !check.met) {
            fprintf(stderr, "inference: %s\n",
                    status == MTLCAP_OK ? check.message : mtlcap_last_error());
            fast = 0;
        }
    }
    return fast;
}

int main(int argc, char **argv) {
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.allow = argc > 2 ? argv[2] : NULL;
    if (mtlcap_apply_profile(argc > 1 ? argv[1] : "auto", &options) != MTLCAP_OK) {
        fprintf(stderr, "inference: %s\n", mtlcap_last_error());
        return 1;
    }
    report_changes();
    if (!has_fast_path())
        return 70;

    /* Here the engine starts: it asks Metal, gets these answers, and keeps them. */
    printf("fast path\n");
    return 0;
}
