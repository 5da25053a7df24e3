/*
 * Publishing plans: what is in force. And the detour: while a thread proves a plan, or hooks note
 * what they are asked, what hooks read first is a plan that decides nothing, so that each comes to
 * the slower path where it asks mtlcap__detour_begin() which plan it is to answer from. Without a
 * detour that costs nothing.
 *
 * Functions that change something need the lock.
 */
#ifndef MTLCAP_CORE_PUBLISH_H
#define MTLCAP_CORE_PUBLISH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan.h"
#include "runtime/runtime.h"

struct mtlcap__hook;

/* Puts a plan in force; during a proof, for the other threads. */
void mtlcap__plan_publish(const struct mtlcap__plan *plan);

/* The plan in force, for threads other than one that proves. */
const struct mtlcap__plan *mtlcap__plan_in_force(void);

/* Counts what has been published: an answer asked between two equal counts was not changed by us
 * meanwhile. */
unsigned long mtlcap__publications(void);

/* Counts those of them that override anything. */
unsigned long mtlcap__activations(void);

/* ---- the detour ---- */

/* A plan that decides nothing. Never written; not const, as mtlcap__empty_plan is not. */
extern struct mtlcap__plan mtlcap__detour;

/* What a thread is about, all in one place: to find it is a function call on a Mac. */
struct mtlcap__thread {
    bool ignored; /* it asks for this library */
    bool stock;   /* ... what devices say by themselves */
    /* What it is passing through a hook: the next hook below, of the superclass or below one of
     * somebody else's, is asked the same, and does not note it again. */
    struct mtlcap__passing {
        mtlcap__id self;
        mtlcap__sel selector;
        int64_t argument;
    } passing;
    uint32_t number, epoch; /* in a trace: trace_note.h */
};

/* One question on the detour. */
struct mtlcap__detoured {
    const struct mtlcap__plan *plan; /* to answer from */
    struct mtlcap__thread *thread;   /* that asks; NULL: this is not to be noted in a trace */
    struct mtlcap__passing before;
};

/* A hook is asked, and: has its answer. */
struct mtlcap__detoured mtlcap__detour_begin(struct mtlcap__hook *hook, mtlcap__id self,
                                             int64_t argument);
static inline void mtlcap__detour_end(const struct mtlcap__detoured *detoured) {
    if (detoured->thread)
        detoured->thread->passing = detoured->before;
}

/*
 * The proof that hooks are reached, and that the answer that comes out at the top, through hooks of
 * others as well, is the one wanted: while it is on, this thread gets the answers of `plan`
 * and every hook that it goes through is marked as reached; all other threads go on with the plan
 * that is in force. One thread at a time.
 */
void mtlcap__proof_begin(const struct mtlcap__plan *plan);

/* Ends it, and publishes `plan`; NULL: leaves what is in force. */
void mtlcap__proof_end(const struct mtlcap__plan *plan);

/* From now on hooks note which capabilities they are asked for, in a proof and by this library
 * apart. */
void mtlcap__watch(void);
bool mtlcap__watch_saw(size_t capability);

/* From now on, or not any more, hooks come to mtlcap__trace_note() with each answer. */
void mtlcap__detour_trace(bool on);

/* This thread is asking for the library: nothing is noted. Returns what it was before, to be put
 * back. */
bool mtlcap__watch_ignore(bool ignore);

#endif
