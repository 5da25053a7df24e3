/*
 * Publishing plans: what is in force. And the detour: while a thread proves a plan, or hooks note
 * what they are asked, what hooks read first is a plan that decides nothing, so that each comes to
 * the slower path where it asks mtlcap__plan_meant() which plan it is to answer from. Without a
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

struct mtlcap__hook;

/* The detour, and the plan behind it: for this thread, and this question to a hook. */
extern const struct mtlcap__plan mtlcap__detour;
const struct mtlcap__plan *mtlcap__plan_behind(struct mtlcap__hook *hook, int64_t argument);

/* The plan that a hook is to answer from if `read` does not decide. */
static inline const struct mtlcap__plan *
mtlcap__plan_meant(const struct mtlcap__plan *read, struct mtlcap__hook *hook, int64_t argument) {
    return read == &mtlcap__detour ? mtlcap__plan_behind(hook, argument) : read;
}

/* Puts a plan in force; during a proof, for the other threads. */
void mtlcap__plan_publish(const struct mtlcap__plan *plan);

/* The plan in force, for threads other than one that proves. */
const struct mtlcap__plan *mtlcap__plan_in_force(void);

/* Counts what has been published: an answer asked between two equal counts was not changed by us
 * meanwhile. */
unsigned long mtlcap__publications(void);

/* Counts those of them that override anything. */
unsigned long mtlcap__activations(void);

/*
 * The proof that hooks are reached, and that the answer that comes out at the top, through hooks of
 * others as well, is the one wanted: while it is on, this thread gets the answers of `candidate`
 * and every hook that it goes through is marked as reached; all other threads go on with the plan
 * that is in force. One thread at a time.
 */
void mtlcap__proof_begin(const struct mtlcap__plan *candidate);

/* Ends it, and publishes `plan`; NULL: leaves what is in force. */
void mtlcap__proof_end(const struct mtlcap__plan *plan);

/* From now on hooks note what they are asked, in a proof and by this library apart. */
void mtlcap__watch(void);
bool mtlcap__watch_saw(size_t capability);

/* This thread is asking for the library: nothing is noted. Returns what it was before, to be put
 * back. */
bool mtlcap__watch_ignore(bool ignore);

#endif
