/*
 * What the parts that read the environment share:
 *
 * environment.c   finds the variables, and decides which of them to follow
 * own.c           reads ours
 * foreign.c       reads those of other tools
 */
#ifndef MTLCAP_INJECT_VARIABLES_H
#define MTLCAP_INJECT_VARIABLES_H

#include <stddef.h>

#include "environment.h"

enum mtlcap__variable {
#define VARIABLE(id, ...) MTLCAP__VARIABLE_##id,
#define FOREIGN(id, ...) MTLCAP__VARIABLE_##id,
#define ELSEWHERE(name)
#include "variables.def"
#undef VARIABLE
#undef FOREIGN
#undef ELSEWHERE
    MTLCAP__VARIABLE_COUNT
};

/* The values, in the environment's own memory; NULL: not set, or empty. */
struct mtlcap__values {
    const char *of[MTLCAP__VARIABLE_COUNT];
};

extern const char *const mtlcap__variable_names[MTLCAP__VARIABLE_COUNT];

/* Says what is wrong, if nothing else is, and that nothing will be applied. Returns false. */
bool mtlcap__environment_problem(struct mtlcap__settings *settings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says one thing more; what has no room any more is left out. */
void mtlcap__environment_warn(struct mtlcap__settings *settings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A copy; NULL: no memory, which is a problem. */
char *mtlcap__environment_copy(const char *text, struct mtlcap__settings *settings);

/* Reads our own, but MTLCAP_PROFILE, MTLCAP_ONLY and MTLCAP_DISABLE. */
void mtlcap__own_read(const struct mtlcap__values *values, struct mtlcap__settings *settings);

/* Reads one that is yes or no; not set is no. False: it is neither, which is a problem. */
bool mtlcap__switch_read(const struct mtlcap__values *values, enum mtlcap__variable variable,
                         struct mtlcap__settings *settings, bool *on);

/*
 * Takes the profile and the consent that the variables of another tool stand for, unless
 * settings->origin says that something else is followed; warns of those that are not. Leaves origin
 * NULL if no tool's variables ask for anything.
 */
void mtlcap__foreign_read(const struct mtlcap__values *values, struct mtlcap__settings *settings);

/* `pattern`, of `length` bytes, with * and ? in it, is the whole text. */
bool mtlcap__pattern_matches(const char *pattern, size_t length, const char *text);

#endif
