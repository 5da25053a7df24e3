/* Publishing plans, and the detour that proofs and watching take. */
#include "publish.h"

#include <stdatomic.h>

#include "hook.h"

const struct mtlcap__plan mtlcap__detour; /* decides nothing */

static _Atomic(const struct mtlcap__plan *) in_force = &mtlcap__empty_plan;
static atomic_ulong publications, activations;

static const struct mtlcap__plan *candidate; /* what the thread that proves gets */
static atomic_uintptr_t proving;             /* which thread that is; 0: none */

static atomic_bool watching;
static atomic_bool saw[MTLCAP__CAPABILITY_COUNT];
static _Thread_local bool ignored;

static uintptr_t this_thread(void) {
    static _Thread_local char mark;
    return (uintptr_t)&mark;
}

/* ---- what is in force ------------------------------------------------------- */

/* What hooks are to read first. */
static void show(void) {
    const bool around = atomic_load(&proving) || atomic_load(&watching);
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
    atomic_store(&proving, this_thread());
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

bool mtlcap__watch_ignore(bool ignore) {
    const bool before = ignored;
    ignored = ignore;
    return before;
}

/* Rows that share a selector divide its arguments among themselves. */
static void note(const struct mtlcap__hook *hook, int64_t argument) {
    for (const struct mtlcap__capability *row = hook->rows; row < hook->rows + hook->row_count;
         row++)
        if (hook->row_count == 1 || mtlcap__capability_speaks_of(row, argument)) {
            atomic_bool *seen = &saw[mtlcap__capability_index(row)];
            if (!atomic_load_explicit(seen, memory_order_relaxed)) /* or threads would fight */
                atomic_store_explicit(seen, true, memory_order_relaxed);
        }
}

const struct mtlcap__plan *mtlcap__plan_behind(struct mtlcap__hook *hook, int64_t argument) {
    if (atomic_load_explicit(&proving, memory_order_acquire) == this_thread()) {
        hook->reached = true;
        return candidate;
    }
    if (atomic_load_explicit(&watching, memory_order_relaxed) && !ignored)
        note(hook, argument);
    return atomic_load_explicit(&in_force, memory_order_acquire);
}
