/* Three calls: apply a profile, ask what it changed, restore. Usage: apply [PROFILE] */
#include <stdio.h>

#include <mtlcap/mtlcap.h>

static const char *const keys[] = {"apple", "metal", "threadgroup_memory", "working_set"};

/* Prints what callers of Metal get now, beside what the device says by itself. */
static int print_answers(const char *when) {
    printf("%s\n", when);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
        if (mtlcap_query(NULL, keys[i], &answer) != MTLCAP_OK) {
            fprintf(stderr, "apply: %s: %s\n", keys[i], mtlcap_last_error());
            return 1;
        }
        printf("  %-20s %12s", answer.capability, answer.effective.text);
        if (answer.overridden)
            printf("  (stock: %s; rule: %s)", answer.stock.text, answer.rule);
        printf("\n");
    }
    return 0;
}

int main(int argc, char **argv) {
    const char *profile = argc > 1 ? argv[1] : "auto";
    char under[160];
    snprintf(under, sizeof under, "Under %s:", profile);

    if (print_answers("Before:"))
        return 1;

    if (mtlcap_apply_profile(profile, NULL) != MTLCAP_OK) {
        fprintf(stderr, "apply: %s\n", mtlcap_last_error());
        return 1;
    }
    if (print_answers(under))
        return 1;

    mtlcap_restore();
    return print_answers("After restore:");
}
