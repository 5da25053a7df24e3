/* What the parts of the benchmark share. */
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/runtime.h"

/* ---- results ---- */

enum { ROUNDS_MAX = 201, RESULTS_MAX = 48, GOALS_MAX = 16 };

struct result {
    const char *name;
    const char *unit;
    int classes; /* of devices; 0: one */
    int count;
    double value[ROUNDS_MAX];
};

struct goal {
    const char *what;
    double most; /* 0: at least `least` */
    double least;
    double reached;
    const char *unit;
};

struct report {
    struct result results[RESULTS_MAX];
    int result_count;
    struct goal goals[GOALS_MAX];
    int goal_count;
};

/* A new result, to which values are added. */
struct result *report_add(struct report *report, const char *name, const char *unit, int classes);
void result_add(struct result *result, double value);

/* The q-th quantile, 0 to 1; 0.5 is the median. Sorts the values. */
double result_quantile(struct result *result, double q);

void report_at_most(struct report *report, const char *what, double reached, double most,
                    const char *unit);
void report_at_least(struct report *report, const char *what, double reached, double least,
                     const char *unit);
void report_print(struct report *report, int rounds);
void report_print_json(struct report *report, int rounds);

/* Seconds: what this thread has computed, which other programs do not disturb; and of the day,
 * which is cheaper to read. */
double cpu_time(void);
double wall_time(void);

/* Says why and ends the program. */
__attribute__((format(printf, 1, 2), noreturn)) void fail(const char *format, ...);

/* ---- parts ---- */

/* The cost of one call. In a process of its own, as is each of the others. */
void bench_calls(struct report *report, int rounds, long calls);

/* The time of a first apply, of further ones and of restore. */
void bench_applies(struct report *report, int rounds);

/* Applies with every hazard allowed. */
void apply(const char *profile);

/* supportsFamily: as in Lume's shim: asks the method that it has replaced, then adds its own. */
void lume_hook(mtlcap__class cls, mtlcap__sel selector, long family_max);

/* A question of the signature of supportsFamily:, answered without looking. */
long empty_function(mtlcap__id self, mtlcap__sel selector, long argument);

#endif
