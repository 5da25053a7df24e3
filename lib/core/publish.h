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

/*
 * What a thread is about, all in one place: to find it is a function call on a Mac.
 *
 * Places on the stack tell what goes on further down from what was left by a jump or an exception,
 * which ends nothing in order: that is over once the thread asks from further up. Answers do not
 * depend on any of it.
 */
struct mtlcap__thread {
    uintptr_t ignored; /* it asks for this library, from here; 0: it does not */
    /* What it is passing through a hook: the next hook below, of the superclass or below one of
     * somebody else's, is asked the same, and does not note it again. */
    struct mtlcap__passing {
        uintptr_t place; /* 0: nothing */
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

/* Where a function is on the stack, which grows down: what it calls is below that. */
#define MTLCAP__PLACE ((uintptr_t)__builtin_frame_address(0))

/* This thread is asking for the library, from `place`: nothing is noted. To be ended with what it
 * returns. */
uintptr_t mtlcap__watch_ignore(uintptr_t place);
void mtlcap__watch_ignore_end(uintptr_t before);

#endif
