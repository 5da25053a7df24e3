/*
 * Hooks: our functions in the place of one selector of one device class. Each hook is a function of
 * its own and so knows its class: finding the record by the object's class would recurse for ever
 * where a class and its superclass are both hooked.
 */
#ifndef MTLCAP_CORE_HOOK_H
#define MTLCAP_CORE_HOOK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capability.h"
#include "plan.h"
#include "runtime/runtime.h"

struct mtlcap__hook {
    mtlcap__class cls;
    mtlcap__class superclass;
    mtlcap__sel selector;
    enum mtlcap__shape shape;
    const struct mtlcap__capability *rows; /* that have the selector */
    size_t row_count;
    unsigned index; /* in its pool, and in plans */
    /* What the class's own method did before; NULL if the class had none: the hook is an added
     * method and passes through by a send to super. */
    _Atomic(mtlcap__imp) original;
    bool in_use;
    bool installed; /* the method table has it, or had it when last seen */
    bool reached;   /* in the proof that is on; of the thread that proves */
};

/* How many hooks of a shape are left. And: is there one for a trace? Half of those that a profile
 * can need are left to profiles. */
unsigned mtlcap__hooks_left(enum mtlcap__shape shape);
bool mtlcap__hooks_left_to_trace(enum mtlcap__shape shape);

/* The newest hook of (class, selector); NULL if there is none. */
struct mtlcap__hook *mtlcap__hook_find(mtlcap__class cls, mtlcap__sel selector);

/* The newest that is in the method table. */
struct mtlcap__hook *mtlcap__hook_find_installed(mtlcap__class cls, mtlcap__sel selector);

/* There are several that are in the method table, or were when last seen: which of them a message
 * still comes to, below somebody else's, cannot be told. */
bool mtlcap__hooks_ambiguous(mtlcap__class cls, mtlcap__sel selector);

/* The newest whose original is `imp`; NULL: the one that was added to the class. */
struct mtlcap__hook *mtlcap__hook_find_passing_to(mtlcap__class cls, mtlcap__sel selector,
                                                  mtlcap__imp imp);

/* Takes a hook from the pool; NULL if there is none left. */
struct mtlcap__hook *mtlcap__hook_take(mtlcap__class cls,
                                       const struct mtlcap__capability *capability);

/* Gives back the hook that was taken last, if it was never in a method table. */
void mtlcap__hook_give_back(struct mtlcap__hook *hook);

/* The function that stands in for the method. */
mtlcap__imp mtlcap__hook_imp(const struct mtlcap__hook *hook);

/* The hook whose function `imp` is; NULL if it is none of ours. */
struct mtlcap__hook *mtlcap__hook_of_imp(mtlcap__imp imp);

/* What the hook passes through to now, for an object. */
mtlcap__imp mtlcap__hook_original(const struct mtlcap__hook *hook, mtlcap__id object);

/* What a plan makes of an answer below the hook; false: it has no rule for the question. */
bool mtlcap__hook_foresee(const struct mtlcap__hook *hook, const struct mtlcap__plan *plan,
                          int64_t argument, const uint64_t answer[3], uint64_t then[3]);

/* No hook in use before it, in the order of mtlcap__hooks_each(), has its class. */
bool mtlcap__hook_is_first_of_class(const struct mtlcap__hook *hook);

/* All hooks in use, in no order: calls visit(hook, data) for each. */
void mtlcap__hooks_each(void (*visit)(struct mtlcap__hook *hook, void *data), void *data);

/* Was a hook of (class, selector) reached in the proof that is on (publish.h)? One that one device
 * reaches need not be reached by the next: forget first. */
void mtlcap__proof_forget(mtlcap__class cls, mtlcap__sel selector);
bool mtlcap__proof_reached(mtlcap__class cls, mtlcap__sel selector);

/* The plan in force has a rule for the capability in this hook. */
bool mtlcap__hook_has_rule(const struct mtlcap__hook *hook,
                           const struct mtlcap__capability *capability);

#endif
