/*
 * The functions that stand in for methods. The hot path is hook_ask() and its like: read the plan,
 * decide, return. Everything else goes on in hook_path.c.
 *
 * On arm64 each jumps there, with nothing on the stack: so nothing is ever unwound through it, and
 * it has no tables for that (lib/CMakeLists.txt).
 */
#include "hook_path.h"

/* ---- the hot path --------------------------------------------------------- */

static inline const struct mtlcap__plan *current_plan(void) {
    return atomic_load_explicit(&mtlcap__plan, memory_order_acquire);
}

#define HOT static inline __attribute__((always_inline))

/* Where the hook returns to, which all of this is inlined into: who asks. */
#define CALLER __builtin_return_address(0)

HOT long hook_bool(unsigned n, mtlcap__id self, mtlcap__sel selector) {
    const struct mtlcap__plan *plan = current_plan();
    return plan->yes_no[n] ? plan->yes_no[n] == MTLCAP__YES
                           : mtlcap__pass_bool(self, selector, plan, n, CALLER);
}

HOT long hook_ask(unsigned n, mtlcap__id self, mtlcap__sel selector, long argument) {
    const struct mtlcap__plan *plan = current_plan();
    const struct mtlcap__range *first = &plan->ask[n].first;
    return mtlcap__range_holds(first, argument)
               ? first->answer
               : mtlcap__pass_ask(self, selector, argument, plan, n, CALLER);
}

HOT unsigned long hook_word(unsigned n, mtlcap__id self, mtlcap__sel selector) {
    const struct mtlcap__plan *plan = current_plan();
    const struct mtlcap__limits *limits = &plan->word[n];
    return mtlcap__limits_decide(limits) ? limits->min
                                         : mtlcap__pass_word(self, selector, plan, n, CALLER);
}

/* ---- the functions -------------------------------------------------------- */

/* F(0) ... F(n - 1), by tens. */
#define TEN(F, t) F(t##0) F(t##1) F(t##2) F(t##3) F(t##4) F(t##5) F(t##6) F(t##7) F(t##8) F(t##9)
#define TWENTY(F) TEN(F, ) TEN(F, 1)
#define SIXTY(F) TWENTY(F) TEN(F, 2) TEN(F, 3) TEN(F, 4) TEN(F, 5)
#define EIGHTY(F) SIXTY(F) TEN(F, 6) TEN(F, 7)
#define TWO_HUNDRED(F)                                                                             \
    EIGHTY(F)                                                                                      \
    TEN(F, 8)                                                                                      \
    TEN(F, 9)                                                                                      \
    TEN(F, 10)                                                                                     \
    TEN(F, 11)                                                                                     \
    TEN(F, 12) TEN(F, 13) TEN(F, 14) TEN(F, 15) TEN(F, 16) TEN(F, 17) TEN(F, 18) TEN(F, 19)

#define BOOL_HOOK(n)                                                                               \
    static long bool_hook_##n(mtlcap__id self, mtlcap__sel selector) {                             \
        return hook_bool(n, self, selector);                                                       \
    }
#define ASK_HOOK(n)                                                                                \
    static long ask_hook_##n(mtlcap__id self, mtlcap__sel selector, long argument) {               \
        return hook_ask(n, self, selector, argument);                                              \
    }
#define WORD_HOOK(n)                                                                               \
    static unsigned long word_hook_##n(mtlcap__id self, mtlcap__sel selector) {                    \
        return hook_word(n, self, selector);                                                       \
    }
/* These have nothing that is decided without asking. */
#define OTHER_HOOK(type, shape, n)                                                                 \
    static type shape##_hook_##n(mtlcap__id self, mtlcap__sel selector) {                          \
        return mtlcap__pass_##shape(self, selector, current_plan(), n, CALLER);                    \
    }
#define SIZE3_HOOK(n) OTHER_HOOK(struct mtlcap__size3, size3, n)
#define WORD32_HOOK(n) OTHER_HOOK(unsigned, word32, n)
#define OBJECT_HOOK(n) OTHER_HOOK(mtlcap__id, object, n)

TWO_HUNDRED(BOOL_HOOK)
SIXTY(ASK_HOOK)
EIGHTY(WORD_HOOK)
TWENTY(SIZE3_HOOK)
TWENTY(WORD32_HOOK)
TWENTY(OBJECT_HOOK)

#define BOOL_IMP(n) (mtlcap__imp) bool_hook_##n,
#define ASK_IMP(n) (mtlcap__imp) ask_hook_##n,
#define WORD_IMP(n) (mtlcap__imp) word_hook_##n,
#define SIZE3_IMP(n) (mtlcap__imp) size3_hook_##n,
#define WORD32_IMP(n) (mtlcap__imp) word32_hook_##n,
#define OBJECT_IMP(n) (mtlcap__imp) object_hook_##n,

static const mtlcap__imp bool_imps[MTLCAP__BOOL_HOOKS] = {TWO_HUNDRED(BOOL_IMP)};
static const mtlcap__imp ask_imps[MTLCAP__ASK_HOOKS] = {SIXTY(ASK_IMP)};
static const mtlcap__imp word_imps[MTLCAP__WORD_HOOKS] = {EIGHTY(WORD_IMP)};
static const mtlcap__imp size3_imps[MTLCAP__SIZE3_HOOKS] = {TWENTY(SIZE3_IMP)};
static const mtlcap__imp word32_imps[MTLCAP__WORD32_HOOKS] = {TWENTY(WORD32_IMP)};
static const mtlcap__imp object_imps[MTLCAP__OBJECT_HOOKS] = {TWENTY(OBJECT_IMP)};

const struct mtlcap__hook_pool mtlcap__hook_pools[MTLCAP__HOOK_POOLS] = {
    {mtlcap__bool_hooks, bool_imps, MTLCAP__BOOL_HOOKS},
    {mtlcap__ask_hooks, ask_imps, MTLCAP__ASK_HOOKS},
    {mtlcap__word_hooks, word_imps, MTLCAP__WORD_HOOKS},
    {mtlcap__size3_hooks, size3_imps, MTLCAP__SIZE3_HOOKS},
    {mtlcap__word32_hooks, word32_imps, MTLCAP__WORD32_HOOKS},
    {mtlcap__object_hooks, object_imps, MTLCAP__OBJECT_HOOKS},
};
