/* Publishing plans, and the detour that proofs, watching and traces take. */
#include "publish.h"

#include <stdatomic.h>

#include "hook.h"

struct mtlcap__plan mtlcap__detour;

static _Atomic(const struct mtlcap__plan *) in_force = &mtlcap__empty_plan;
static atomic_ulong publications, activations;

static const struct mtlcap__plan *candidate; /* what the thread that proves gets */
static atomic_uintptr_t proving;             /* which thread that is; 0: none */

static atomic_bool watching, tracing;
static atomic_bool saw[MTLCAP__CAPABILITY_COUNT];
static _Thread_local struct mtlcap__thread this_thread;

/* ---- what is in force ------------------------------------------------------- */

/* What hooks are to read first. */
static void show(void) {
    const bool around = atomic_load(&proving) || atomic_load(&watching) || atomic_load(&tracing);
    atomic_store_explicit(&mtlcap__plan, around ? &mtlcap__detour : atomic_load(&in_force),
                          memory_order_release);
}

void mtlcap__plan_publish(const struct mtlcap__plan *plan) {
    if (plan->active)
        atomic_fetch_add_explicit(&activations, 1, memory_order_release);
    atomic_store_explicit(&in_force, plan, memory_order_release);
    show();
    atomic_fetch_add_explicit(&publications, 1, memory_order_release);
}

const struct mtlcap__plan *mtlcap__plan_in_force(void) {
    return atomic_load_explicit(&in_force, memory_order_acquire);
}

unsigned long mtlcap__publications(void) {
    return atomic_load_explicit(&publications, memory_order_acquire);
}

unsigned long mtlcap__activations(void) {
    return atomic_load_explicit(&activations, memory_order_acquire);
}

/* ---- the proof ---------------------------------------------------------------- */

void mtlcap__proof_begin(const struct mtlcap__plan *plan) {
    candidate = plan;
    atomic_store(&proving, (uintptr_t)&this_thread);
    show();
}

void mtlcap__proof_end(const struct mtlcap__plan *plan) {
    atomic_store(&proving, 0);
    if (plan)
        mtlcap__plan_publish(plan);
    else
        show();
}

/* ---- watching ----------------------------------------------------------------- */

void mtlcap__watch(void) {
    for (size_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++)
        atomic_store_explicit(&saw[i], false, memory_order_relaxed);
    atomic_store(&watching, true);
    show();
}

bool mtlcap__watch_saw(size_t capability) {
    return atomic_load_explicit(&saw[capability], memory_order_relaxed);
}

uintptr_t mtlcap__watch_ignore(uintptr_t place) {
    const uintptr_t before = this_thread.ignored;
    this_thread.ignored = place;
    return before;
}

void mtlcap__watch_ignore_end(uintptr_t before) {
    this_thread.ignored = before;
}

/* Rows that share a selector divide its arguments among themselves. */
static void see(const struct mtlcap__hook *hook, int64_t argument) {
    for (const struct mtlcap__capability *row = hook->rows; row < hook->rows + hook->row_count;
         row++)
        if (hook->row_count == 1 || mtlcap__capability_speaks_of(row, argument)) {
            atomic_bool *seen = &saw[mtlcap__capability_index(row)];
            if (!atomic_load_explicit(seen, memory_order_relaxed)) /* or threads would fight */
                atomic_store_explicit(seen, true, memory_order_relaxed);
        }
}

/* ---- the detour --------------------------------------------------------------- */

void mtlcap__detour_trace(bool on) {
    atomic_store(&tracing, on);
    show();
}

static bool is_passing(const struct mtlcap__passing *passing, const struct mtlcap__hook *hook,
                       mtlcap__id self, int64_t argument) {
    return passing->place && passing->self == self && passing->selector == hook->selector &&
           passing->argument == argument;
}

/* What is not further up the stack than `here` was left by a jump. */
static void forget_what_is_over(struct mtlcap__thread *thread, uintptr_t here) {
    if (thread->ignored <= here)
        thread->ignored = 0;
    if (thread->passing.place <= here)
        thread->passing.place = 0;
}

struct mtlcap__detoured mtlcap__detour_begin(struct mtlcap__hook *hook, mtlcap__id self,
                                             int64_t argument) {
    struct mtlcap__thread *thread = &this_thread;
    struct mtlcap__detoured detoured = {.thread = NULL};
    if (atomic_load_explicit(&proving, memory_order_acquire) == (uintptr_t)thread) {
        hook->reached = true;
        detoured.plan = candidate;
        return detoured;
    }
    detoured.plan = atomic_load_explicit(&in_force, memory_order_acquire);
    const uintptr_t here = MTLCAP__PLACE;
    forget_what_is_over(thread, here);
    if (thread->ignored)
        return detoured;
    if (atomic_load_explicit(&watching, memory_order_relaxed))
        see(hook, argument);
    if (atomic_load_explicit(&tracing, memory_order_relaxed) &&
        !is_passing(&thread->passing, hook, self, argument)) {
        detoured.thread = thread;
        detoured.before = thread->passing;
        thread->passing = (struct mtlcap__passing){here, self, hook->selector, argument};
    }
    return detoured;
}
