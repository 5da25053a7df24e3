/* Medians, quartiles and goals, for people and as JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "mtlcap/mtlcap.h"

struct result *report_add(struct report *report, const char *name, const char *unit, int classes) {
    if (report->result_count == RESULTS_MAX)
        fail("too many results");
    struct result *result = &report->results[report->result_count++];
    *result = (struct result){.name = name, .unit = unit, .classes = classes};
    return result;
}

void result_add(struct result *result, double value) {
    if (result->count == ROUNDS_MAX)
        fail("too many rounds");
    result->value[result->count++] = value;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double result_quantile(struct result *result, double q) {
    qsort(result->value, (size_t)result->count, sizeof result->value[0], compare);
    return result->value[(int)(q * (result->count - 1) + 0.5)];
}

static struct goal *add_goal(struct report *report) {
    if (report->goal_count == GOALS_MAX)
        fail("too many goals");
    return &report->goals[report->goal_count++];
}

void report_at_most(struct report *report, const char *what, double reached, double most,
                    const char *unit) {
    *add_goal(report) = (struct goal){.what = what, .most = most, .reached = reached, .unit = unit};
}

void report_at_least(struct report *report, const char *what, double reached, double least,
                     const char *unit) {
    *add_goal(report) =
        (struct goal){.what = what, .least = least, .reached = reached, .unit = unit};
}

static int passes(const struct goal *goal) {
    return goal->most > 0 ? goal->reached <= goal->most : goal->reached >= goal->least;
}

/* As the kernel names it. */
static const char *cpu(void) {
    static char model[128] = "unknown CPU";
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        snprintf(model, sizeof model, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file)
        fclose(file);
    return model;
}

void report_print(struct report *report, int rounds) {
    printf("mtlcap %s, %s, medians and quartiles of %d rounds\n\n", mtlcap_version(), cpu(),
           rounds);
    for (int i = 0; i < report->result_count; i++) {
        struct result *result = &report->results[i];
        char name[80];
        snprintf(name, sizeof name, result->classes ? "%s, %d class%s" : "%s", result->name,
                 result->classes, result->classes == 1 ? "" : "es");
        printf("%-46s %9.2f %-2s  (%.2f to %.2f)\n", name, result_quantile(result, 0.5),
               result->unit, result_quantile(result, 0.25), result_quantile(result, 0.75));
    }
    printf("\n");
    for (int i = 0; i < report->goal_count; i++) {
        const struct goal *goal = &report->goals[i];
        printf("%-5s %-52s %6.2f %-2s  (goal: %s %.2f)\n", passes(goal) ? "pass" : "MISS",
               goal->what, goal->reached, goal->unit, goal->most > 0 ? "at most" : "at least",
               goal->most > 0 ? goal->most : goal->least);
    }
}

void report_print_json(struct report *report, int rounds) {
    printf("{\"mtlcap\": \"%s\", \"cpu\": \"%s\", \"rounds\": %d,\n \"results\": [",
           mtlcap_version(), cpu(), rounds);
    for (int i = 0; i < report->result_count; i++) {
        struct result *result = &report->results[i];
        printf("%s\n  {\"name\": \"%s\", \"classes\": %d, \"unit\": \"%s\", \"median\": %.3f, "
               "\"quartiles\": [%.3f, %.3f]}",
               i ? "," : "", result->name, result->classes ? result->classes : 1, result->unit,
               result_quantile(result, 0.5), result_quantile(result, 0.25),
               result_quantile(result, 0.75));
    }
    printf("],\n \"goals\": [");
    for (int i = 0; i < report->goal_count; i++) {
        const struct goal *goal = &report->goals[i];
        printf("%s\n  {\"what\": \"%s\", \"unit\": \"%s\", \"%s\": %.3f, \"reached\": %.3f, "
               "\"pass\": %s}",
               i ? "," : "", goal->what, goal->unit, goal->most > 0 ? "at_most" : "at_least",
               goal->most > 0 ? goal->most : goal->least, goal->reached,
               passes(goal) ? "true" : "false");
    }
    printf("]}\n");
}
