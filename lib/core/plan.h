/*
 * Plans: the answers that are in force. A plan is immutable, is found through one atomic pointer,
 * and is never freed, so that a hook reads it without a lock. Equal plans are one plan.
 */
#ifndef MTLCAP_CORE_PLAN_H
#define MTLCAP_CORE_PLAN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capability.h"
#include "profile.h"

/* Hooks that there are of each shape (hook.c), and so answers that can be overridden at once. */
#define MTLCAP__BOOL_HOOKS 200
#define MTLCAP__ASK_HOOKS 60
#define MTLCAP__WORD_HOOKS 80
#define MTLCAP__SIZE3_HOOKS 20
/* and of those that only pass through, for a trace */
#define MTLCAP__WORD32_HOOKS 20
#define MTLCAP__OBJECT_HOOKS 20

/* Arguments that have one answer. All zero holds none. */
struct mtlcap__range {
    int64_t first;
    uint64_t length;
    long answer;
};

/* Answers to a question with an argument: the first range that holds it decides; if none does, the
 * device is asked. A family's axis takes two. */
struct mtlcap__ranges {
    size_t count;
    struct mtlcap__range range[10];
};

/* What a hook has of them: the first one at hand, since it is mostly the one that decides. */
struct mtlcap__question {
    struct mtlcap__range first;
    const struct mtlcap__ranges *all; /* NULL: ask the device */
};

/* Bounds of a number. All zero leaves it as it is. */
struct mtlcap__limits {
    uint64_t min;
    uint64_t headroom; /* UINT64_MAX - max */
};

enum mtlcap__decision { MTLCAP__PASS, MTLCAP__NO, MTLCAP__YES };

/* By hook. All zero passes everything through. */
struct mtlcap__plan {
    struct mtlcap__plan *next;          /* in its bucket, for interning */
    bool active;                        /* decides anything at all */
    uint8_t yes_no[MTLCAP__BOOL_HOOKS]; /* enum mtlcap__decision */
    struct mtlcap__question ask[MTLCAP__ASK_HOOKS];
    struct mtlcap__limits word[MTLCAP__WORD_HOOKS];
    struct mtlcap__limits size3[MTLCAP__SIZE3_HOOKS][3];
    bool has_word[MTLCAP__WORD_HOOKS], has_size3[MTLCAP__SIZE3_HOOKS]; /* there is a rule at all */
};

static inline bool mtlcap__range_holds(const struct mtlcap__range *range, int64_t argument) {
    return (uint64_t)argument - (uint64_t)range->first < range->length;
}

static inline uint64_t mtlcap__keep_within(const struct mtlcap__limits *limits, uint64_t number) {
    const uint64_t max = UINT64_MAX - limits->headroom;
    return number < limits->min ? limits->min : number > max ? max : number;
}

/* The limits leave one number only. */
static inline bool mtlcap__limits_decide(const struct mtlcap__limits *limits) {
    return limits->min == UINT64_MAX - limits->headroom;
}

/* The plan in force. */
extern _Atomic(const struct mtlcap__plan *) mtlcap__plan;

/* Every hook passes through: stock answers. Never written; not const, or its zeros would take room
 * in the file. */
extern struct mtlcap__plan mtlcap__empty_plan;

/* A plan in the making. */
struct mtlcap__plan_builder {
    struct mtlcap__plan plan;
    struct mtlcap__ranges ranges[MTLCAP__ASK_HOOKS];
    size_t range_count;
};

void mtlcap__plan_begin(struct mtlcap__plan_builder *builder);

/* Puts the rule for a capability into the hook `hook` of its shape. Rows that share a selector
 * share a hook; each is put. */
void mtlcap__plan_put(struct mtlcap__plan_builder *builder, unsigned hook,
                      const struct mtlcap__capability *capability, const struct mtlcap__rule *rule);

/* Does a plan have a rule for a capability in the hook `hook` of its shape? */
bool mtlcap__plan_has_rule(const struct mtlcap__plan *plan, unsigned hook,
                           const struct mtlcap__capability *capability);

/* The plan, interned; NULL: no memory. Not thread-safe: one apply at a time. */
const struct mtlcap__plan *mtlcap__plan_finish(struct mtlcap__plan_builder *builder);

#endif
