/*
 * The functions that stand in for methods, and what they do. The hot path is hook_ask and its like:
 * read the plan, decide, return. Everything else goes to pass_ask and its like; on the detour, to
 * detour_ask and its like.
 */
#include "hook_path.h"

#include "publish.h"
#include "trace_note.h"

struct size3 {
    unsigned long number[3]; /* as MTLSize: returned in memory by every ABI concerned */
};

typedef long (*ask_bool)(mtlcap__id, mtlcap__sel);
typedef long (*ask_id)(mtlcap__id, mtlcap__sel, long);
typedef unsigned long (*ask_word)(mtlcap__id, mtlcap__sel);
typedef unsigned (*ask_word32)(mtlcap__id, mtlcap__sel);
typedef struct size3 (*ask_size3)(mtlcap__id, mtlcap__sel);
typedef mtlcap__id (*ask_object)(mtlcap__id, mtlcap__sel);

static struct mtlcap__hook bool_hooks[MTLCAP__BOOL_HOOKS];
static struct mtlcap__hook ask_hooks[MTLCAP__ASK_HOOKS];
static struct mtlcap__hook word_hooks[MTLCAP__WORD_HOOKS];
static struct mtlcap__hook size3_hooks[MTLCAP__SIZE3_HOOKS];
static struct mtlcap__hook word32_hooks[MTLCAP__WORD32_HOOKS];
static struct mtlcap__hook object_hooks[MTLCAP__OBJECT_HOOKS];

/* ---- answers -------------------------------------------------------------- */

mtlcap__imp mtlcap__hook_original(const struct mtlcap__hook *hook, mtlcap__id object) {
    mtlcap__imp original = atomic_load_explicit(&hook->original, memory_order_acquire);
    return original ? original
                    : mtlcap__rt_super_dispatch(object, hook->superclass, hook->selector);
}

/* A method that returns BOOL need not fill the register, and callers may read all of it. */
static long original_bool(const struct mtlcap__hook *hook, mtlcap__id self, mtlcap__sel selector) {
    return (unsigned char)((ask_bool)mtlcap__hook_original(hook, self))(self, selector);
}

static long original_ask(const struct mtlcap__hook *hook, mtlcap__id self, mtlcap__sel selector,
                         long argument) {
    mtlcap__imp original = mtlcap__hook_original(hook, self);
    return (unsigned char)((ask_id)original)(self, selector, argument);
}

static unsigned long original_word(const struct mtlcap__hook *hook, mtlcap__id self,
                                   mtlcap__sel selector) {
    return ((ask_word)mtlcap__hook_original(hook, self))(self, selector);
}

static struct size3 original_size3(const struct mtlcap__hook *hook, mtlcap__id self,
                                   mtlcap__sel selector) {
    return ((ask_size3)mtlcap__hook_original(hook, self))(self, selector);
}

static unsigned original_word32(const struct mtlcap__hook *hook, mtlcap__id self,
                                mtlcap__sel selector) {
    return ((ask_word32)mtlcap__hook_original(hook, self))(self, selector);
}

static mtlcap__id original_object(const struct mtlcap__hook *hook, mtlcap__id self,
                                  mtlcap__sel selector) {
    return ((ask_object)mtlcap__hook_original(hook, self))(self, selector);
}

static const struct mtlcap__range *range_of(const struct mtlcap__ranges *ranges, long argument) {
    if (ranges)
        for (size_t i = 0; i < ranges->count; i++)
            if (mtlcap__range_holds(&ranges->range[i], argument))
                return &ranges->range[i];
    return NULL;
}

static struct size3 keep_size3_within(const struct mtlcap__limits *limits, struct size3 size) {
    for (size_t i = 0; i < 3; i++)
        size.number[i] = mtlcap__keep_within(&limits[i], size.number[i]);
    return size;
}

/* ---- the detour ------------------------------------------------------------ */

/* Not inlined: there are hundreds of hooks. */
#define OUT_OF_LINE __attribute__((noinline))

/* A hook on the detour: the plan to answer from, and what comes of it for a trace. */
struct detour {
    struct mtlcap__hook *hook;
    struct mtlcap__detoured detoured;
    struct mtlcap__noted noted;
};

static struct detour enter(struct mtlcap__hook *hook, mtlcap__id self, long argument,
                           const void *caller) {
    return (struct detour){hook,
                           mtlcap__detour_begin(hook, self, argument),
                           {.caller = (uintptr_t)caller, .argument = argument}};
}

static void leave(struct detour *detour, mtlcap__id self) {
    mtlcap__detour_end(&detour->detoured);
    if (detour->detoured.thread) {
        detour->noted.active = detour->detoured.plan->active;
        mtlcap__trace_note(detour->hook, self, &detour->noted, detour->detoured.thread);
    }
}

/* The answer is stock, but for what a rule makes of it. */
static uint64_t passed(struct detour *detour, uint64_t stock) {
    detour->noted.passed = true;
    return detour->noted.stock[0] = stock;
}

OUT_OF_LINE static long detour_bool(mtlcap__id self, mtlcap__sel selector, unsigned n,
                                    const void *caller) {
    struct detour detour = enter(&bool_hooks[n], self, 0, caller);
    const uint8_t decision = detour.detoured.plan->yes_no[n];
    const long answer =
        decision ? decision == MTLCAP__YES
                 : (long)passed(&detour, (uint64_t)original_bool(detour.hook, self, selector));
    detour.noted.decided = decision != MTLCAP__PASS;
    detour.noted.answer[0] = (uint64_t)answer;
    leave(&detour, self);
    return answer;
}

OUT_OF_LINE static long detour_ask(mtlcap__id self, mtlcap__sel selector, long argument, unsigned n,
                                   const void *caller) {
    struct detour detour = enter(&ask_hooks[n], self, argument, caller);
    const struct mtlcap__range *range = range_of(detour.detoured.plan->ask[n].all, argument);
    const long answer =
        range
            ? range->answer
            : (long)passed(&detour, (uint64_t)original_ask(detour.hook, self, selector, argument));
    detour.noted.decided = range != NULL;
    detour.noted.answer[0] = (uint64_t)answer;
    leave(&detour, self);
    return answer;
}

OUT_OF_LINE static unsigned long detour_word(mtlcap__id self, mtlcap__sel selector, unsigned n,
                                             const void *caller) {
    struct detour detour = enter(&word_hooks[n], self, 0, caller);
    const struct mtlcap__limits *limits = &detour.detoured.plan->word[n];
    const unsigned long answer =
        mtlcap__limits_decide(limits)
            ? limits->min
            : mtlcap__keep_within(limits,
                                  passed(&detour, original_word(detour.hook, self, selector)));
    detour.noted.decided = detour.detoured.plan->has_word[n];
    detour.noted.answer[0] = answer;
    leave(&detour, self);
    return answer;
}

OUT_OF_LINE static struct size3 detour_size3(mtlcap__id self, mtlcap__sel selector, unsigned n,
                                             const void *caller) {
    struct detour detour = enter(&size3_hooks[n], self, 0, caller);
    const struct size3 stock = original_size3(detour.hook, self, selector);
    const struct size3 answer = keep_size3_within(detour.detoured.plan->size3[n], stock);
    for (size_t i = 0; i < 3; i++) {
        detour.noted.stock[i] = stock.number[i];
        detour.noted.answer[i] = answer.number[i];
    }
    detour.noted.passed = true;
    detour.noted.decided = detour.detoured.plan->has_size3[n];
    leave(&detour, self);
    return answer;
}

OUT_OF_LINE static unsigned detour_word32(mtlcap__id self, mtlcap__sel selector, unsigned n,
                                          const void *caller) {
    struct detour detour = enter(&word32_hooks[n], self, 0, caller);
    const unsigned answer = original_word32(detour.hook, self, selector);
    detour.noted.answer[0] = passed(&detour, answer);
    leave(&detour, self);
    return answer;
}

OUT_OF_LINE static mtlcap__id detour_object(mtlcap__id self, mtlcap__sel selector, unsigned n,
                                            const void *caller) {
    struct detour detour = enter(&object_hooks[n], self, 0, caller);
    mtlcap__id answer = original_object(detour.hook, self, selector);
    detour.noted.object = answer;
    detour.noted.passed = true;
    leave(&detour, self);
    return answer;
}

/* ---- passing through ------------------------------------------------------ */

OUT_OF_LINE static long pass_bool(mtlcap__id self, mtlcap__sel selector,
                                  const struct mtlcap__plan *plan, unsigned n, const void *caller) {
    return plan == &mtlcap__detour ? detour_bool(self, selector, n, caller)
                                   : original_bool(&bool_hooks[n], self, selector);
}

OUT_OF_LINE static long pass_ask(mtlcap__id self, mtlcap__sel selector, long argument,
                                 const struct mtlcap__plan *plan, unsigned n, const void *caller) {
    if (plan == &mtlcap__detour)
        return detour_ask(self, selector, argument, n, caller);
    const struct mtlcap__range *range = range_of(plan->ask[n].all, argument);
    return range ? range->answer : original_ask(&ask_hooks[n], self, selector, argument);
}

OUT_OF_LINE static unsigned long pass_word(mtlcap__id self, mtlcap__sel selector,
                                           const struct mtlcap__plan *plan, unsigned n,
                                           const void *caller) {
    return plan == &mtlcap__detour
               ? detour_word(self, selector, n, caller)
               : mtlcap__keep_within(&plan->word[n], original_word(&word_hooks[n], self, selector));
}

OUT_OF_LINE static struct size3 pass_size3(mtlcap__id self, mtlcap__sel selector,
                                           const struct mtlcap__plan *plan, unsigned n,
                                           const void *caller) {
    return plan == &mtlcap__detour
               ? detour_size3(self, selector, n, caller)
               : keep_size3_within(plan->size3[n], original_size3(&size3_hooks[n], self, selector));
}

OUT_OF_LINE static unsigned pass_word32(mtlcap__id self, mtlcap__sel selector,
                                        const struct mtlcap__plan *plan, unsigned n,
                                        const void *caller) {
    return plan == &mtlcap__detour ? detour_word32(self, selector, n, caller)
                                   : original_word32(&word32_hooks[n], self, selector);
}

OUT_OF_LINE static mtlcap__id pass_object(mtlcap__id self, mtlcap__sel selector,
                                          const struct mtlcap__plan *plan, unsigned n,
                                          const void *caller) {
    return plan == &mtlcap__detour ? detour_object(self, selector, n, caller)
                                   : original_object(&object_hooks[n], self, selector);
}

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
                           : pass_bool(self, selector, plan, n, CALLER);
}

HOT long hook_ask(unsigned n, mtlcap__id self, mtlcap__sel selector, long argument) {
    const struct mtlcap__plan *plan = current_plan();
    const struct mtlcap__range *first = &plan->ask[n].first;
    return mtlcap__range_holds(first, argument)
               ? first->answer
               : pass_ask(self, selector, argument, plan, n, CALLER);
}

HOT unsigned long hook_word(unsigned n, mtlcap__id self, mtlcap__sel selector) {
    const struct mtlcap__plan *plan = current_plan();
    const struct mtlcap__limits *limits = &plan->word[n];
    return mtlcap__limits_decide(limits) ? limits->min : pass_word(self, selector, plan, n, CALLER);
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
        return pass_##shape(self, selector, current_plan(), n, CALLER);                            \
    }
#define SIZE3_HOOK(n) OTHER_HOOK(struct size3, size3, n)
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
    {bool_hooks, bool_imps, MTLCAP__BOOL_HOOKS},
    {ask_hooks, ask_imps, MTLCAP__ASK_HOOKS},
    {word_hooks, word_imps, MTLCAP__WORD_HOOKS},
    {size3_hooks, size3_imps, MTLCAP__SIZE3_HOOKS},
    {word32_hooks, word32_imps, MTLCAP__WORD32_HOOKS},
    {object_hooks, object_imps, MTLCAP__OBJECT_HOOKS},
};

/* ---- below a hook --------------------------------------------------------- */

bool mtlcap__hook_ask_original(const struct mtlcap__hook *hook, mtlcap__id self, int64_t argument,
                               uint64_t answer[3]) {
    struct size3 size;
    answer[0] = answer[1] = answer[2] = 0;
    switch (hook->shape) {
    case MTLCAP__ASK_BOOL:
        answer[0] = (uint64_t)original_bool(hook, self, hook->selector);
        return true;
    case MTLCAP__ASK_ID:
    case MTLCAP__ASK_COUNT:
        answer[0] = (uint64_t)original_ask(hook, self, hook->selector, (long)argument);
        return true;
    case MTLCAP__ASK_WORD:
        answer[0] = original_word(hook, self, hook->selector);
        return true;
    case MTLCAP__ASK_SIZE3:
        size = original_size3(hook, self, hook->selector);
        for (size_t i = 0; i < 3; i++)
            answer[i] = size.number[i];
        return true;
    default:
        return false;
    }
}
