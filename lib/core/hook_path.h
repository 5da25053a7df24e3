/* The hooks that there are, their functions, and where these go on. */
#ifndef MTLCAP_CORE_HOOK_PATH_H
#define MTLCAP_CORE_HOOK_PATH_H

#include "hook.h"

struct mtlcap__size3 {
    unsigned long number[3]; /* as MTLSize: returned in memory by every ABI concerned */
};

/* ---- pools ---- */

enum { MTLCAP__HOOK_POOLS = 6 };

/* Hooks of one signature: which of them have it, hook.c knows. */
struct mtlcap__hook_pool {
    struct mtlcap__hook *hooks;
    const mtlcap__imp *imps;
    unsigned count;
};

extern const struct mtlcap__hook_pool mtlcap__hook_pools[MTLCAP__HOOK_POOLS];

extern struct mtlcap__hook mtlcap__bool_hooks[MTLCAP__BOOL_HOOKS];
extern struct mtlcap__hook mtlcap__ask_hooks[MTLCAP__ASK_HOOKS];
extern struct mtlcap__hook mtlcap__word_hooks[MTLCAP__WORD_HOOKS];
extern struct mtlcap__hook mtlcap__size3_hooks[MTLCAP__SIZE3_HOOKS];
extern struct mtlcap__hook mtlcap__word32_hooks[MTLCAP__WORD32_HOOKS];
extern struct mtlcap__hook mtlcap__object_hooks[MTLCAP__OBJECT_HOOKS];

/* ---- the slower path: hook n of its shape, asked by `caller`, has read `plan` ---- */

long mtlcap__pass_bool(mtlcap__id self, mtlcap__sel selector, const struct mtlcap__plan *plan,
                       unsigned n, const void *caller);
long mtlcap__pass_ask(mtlcap__id self, mtlcap__sel selector, long argument,
                      const struct mtlcap__plan *plan, unsigned n, const void *caller);
unsigned long mtlcap__pass_word(mtlcap__id self, mtlcap__sel selector,
                                const struct mtlcap__plan *plan, unsigned n, const void *caller);
struct mtlcap__size3 mtlcap__pass_size3(mtlcap__id self, mtlcap__sel selector,
                                        const struct mtlcap__plan *plan, unsigned n,
                                        const void *caller);
unsigned mtlcap__pass_word32(mtlcap__id self, mtlcap__sel selector, const struct mtlcap__plan *plan,
                             unsigned n, const void *caller);
mtlcap__id mtlcap__pass_object(mtlcap__id self, mtlcap__sel selector,
                               const struct mtlcap__plan *plan, unsigned n, const void *caller);

#endif
