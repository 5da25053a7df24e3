/*
 * Hooks. The hot path is hook_ask and its like: read the plan, decide, return. Everything else goes
 * to pass_ask and its like.
 */
#include "hook.h"

#include "device.h"
#include "publish.h"

struct size3 {
    unsigned long number[3]; /* as MTLSize: returned in memory by every ABI concerned */
};

typedef long (*ask_bool)(mtlcap__id, mtlcap__sel);
typedef long (*ask_id)(mtlcap__id, mtlcap__sel, long);
typedef unsigned long (*ask_word)(mtlcap__id, mtlcap__sel);
typedef struct size3 (*ask_size3)(mtlcap__id, mtlcap__sel);

static struct mtlcap__hook bool_hooks[MTLCAP__BOOL_HOOKS];
static struct mtlcap__hook ask_hooks[MTLCAP__ASK_HOOKS];
static struct mtlcap__hook word_hooks[MTLCAP__WORD_HOOKS];
static struct mtlcap__hook size3_hooks[MTLCAP__SIZE3_HOOKS];

/* ---- passing through ------------------------------------------------------ */

mtlcap__imp mtlcap__hook_original(const struct mtlcap__hook *hook, mtlcap__id object) {
    mtlcap__imp original = atomic_load_explicit(&hook->original, memory_order_acquire);
    return original ? original
                    : mtlcap__rt_super_dispatch(object, hook->superclass, hook->selector);
}

static const struct mtlcap__range *range_of(const struct mtlcap__ranges *ranges, long argument) {
    if (ranges)
        for (size_t i = 0; i < ranges->count; i++)
            if (mtlcap__range_holds(&ranges->range[i], argument))
                return &ranges->range[i];
    return NULL;
}

/* Not inlined: there are hundreds of hooks. */
#define OUT_OF_LINE __attribute__((noinline))

OUT_OF_LINE static long pass_bool(mtlcap__id self, mtlcap__sel selector,
                                  const struct mtlcap__plan *plan, unsigned n) {
    plan = mtlcap__plan_meant(plan, &bool_hooks[n], 0);
    if (plan->yes_no[n])
        return plan->yes_no[n] == MTLCAP__YES;
    /* A method that returns BOOL need not fill the register, and callers may read all of it. */
    return (unsigned char)((ask_bool)mtlcap__hook_original(&bool_hooks[n], self))(self, selector);
}

OUT_OF_LINE static long pass_ask(mtlcap__id self, mtlcap__sel selector, long argument,
                                 const struct mtlcap__plan *plan, unsigned n) {
    plan = mtlcap__plan_meant(plan, &ask_hooks[n], argument);
    const struct mtlcap__range *range = range_of(plan->ask[n].all, argument);
    if (range)
        return range->answer;
    mtlcap__imp original = mtlcap__hook_original(&ask_hooks[n], self);
    return (unsigned char)((ask_id)original)(self, selector, argument);
}

OUT_OF_LINE static unsigned long pass_word(mtlcap__id self, mtlcap__sel selector,
                                           const struct mtlcap__plan *plan, unsigned n) {
    plan = mtlcap__plan_meant(plan, &word_hooks[n], 0);
    const struct mtlcap__limits *limits = &plan->word[n];
    if (mtlcap__limits_decide(limits))
        return limits->min;
    mtlcap__imp original = mtlcap__hook_original(&word_hooks[n], self);
    return mtlcap__keep_within(limits, ((ask_word)original)(self, selector));
}

OUT_OF_LINE static struct size3 pass_size3(mtlcap__id self, mtlcap__sel selector,
                                           const struct mtlcap__plan *plan, unsigned n) {
    plan = mtlcap__plan_meant(plan, &size3_hooks[n], 0);
    const struct mtlcap__limits *limits = plan->size3[n];
    mtlcap__imp original = mtlcap__hook_original(&size3_hooks[n], self);
    struct size3 size = ((ask_size3)original)(self, selector);
    for (size_t i = 0; i < 3; i++)
        size.number[i] = mtlcap__keep_within(&limits[i], size.number[i]);
    return size;
}

/* ---- the hot path --------------------------------------------------------- */

static inline const struct mtlcap__plan *current_plan(void) {
    return atomic_load_explicit(&mtlcap__plan, memory_order_acquire);
}

static inline __attribute__((always_inline)) long hook_bool(unsigned n, mtlcap__id self,
                                                            mtlcap__sel selector) {
    const struct mtlcap__plan *plan = current_plan();
    return plan->yes_no[n] ? plan->yes_no[n] == MTLCAP__YES : pass_bool(self, selector, plan, n);
}

static inline __attribute__((always_inline)) long hook_ask(unsigned n, mtlcap__id self,
                                                           mtlcap__sel selector, long argument) {
    const struct mtlcap__plan *plan = current_plan();
    const struct mtlcap__range *first = &plan->ask[n].first;
    return mtlcap__range_holds(first, argument) ? first->answer
                                                : pass_ask(self, selector, argument, plan, n);
}

static inline __attribute__((always_inline)) unsigned long hook_word(unsigned n, mtlcap__id self,
                                                                     mtlcap__sel selector) {
    const struct mtlcap__plan *plan = current_plan();
    const struct mtlcap__limits *limits = &plan->word[n];
    return mtlcap__limits_decide(limits) ? limits->min : pass_word(self, selector, plan, n);
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
#define SIZE3_HOOK(n)                                                                              \
    static struct size3 size3_hook_##n(mtlcap__id self, mtlcap__sel selector) {                    \
        return pass_size3(self, selector, current_plan(), n);                                      \
    }

TWO_HUNDRED(BOOL_HOOK)
SIXTY(ASK_HOOK)
EIGHTY(WORD_HOOK)
TWENTY(SIZE3_HOOK)

#define BOOL_IMP(n) (mtlcap__imp) bool_hook_##n,
#define ASK_IMP(n) (mtlcap__imp) ask_hook_##n,
#define WORD_IMP(n) (mtlcap__imp) word_hook_##n,
#define SIZE3_IMP(n) (mtlcap__imp) size3_hook_##n,

static const mtlcap__imp bool_imps[MTLCAP__BOOL_HOOKS] = {TWO_HUNDRED(BOOL_IMP)};
static const mtlcap__imp ask_imps[MTLCAP__ASK_HOOKS] = {SIXTY(ASK_IMP)};
static const mtlcap__imp word_imps[MTLCAP__WORD_HOOKS] = {EIGHTY(WORD_IMP)};
static const mtlcap__imp size3_imps[MTLCAP__SIZE3_HOOKS] = {TWENTY(SIZE3_IMP)};

/* ---- the pools ------------------------------------------------------------ */

static const struct pool {
    struct mtlcap__hook *hooks;
    const mtlcap__imp *imps;
    unsigned count;
} pools[] = {
    {bool_hooks, bool_imps, MTLCAP__BOOL_HOOKS},
    {ask_hooks, ask_imps, MTLCAP__ASK_HOOKS},
    {word_hooks, word_imps, MTLCAP__WORD_HOOKS},
    {size3_hooks, size3_imps, MTLCAP__SIZE3_HOOKS},
};

static const struct pool *pool_of(enum mtlcap__shape shape) {
    switch (shape) {
    case MTLCAP__ASK_BOOL:
        return &pools[0];
    case MTLCAP__ASK_ID:
    case MTLCAP__ASK_COUNT:
        return &pools[1];
    case MTLCAP__ASK_WORD:
        return &pools[2];
    case MTLCAP__ASK_SIZE3:
        return &pools[3];
    default:
        return NULL; /* can only be asked */
    }
}

unsigned mtlcap__hooks_left(enum mtlcap__shape shape) {
    const struct pool *pool = pool_of(shape);
    unsigned left = 0;
    for (unsigned i = 0; pool && i < pool->count; i++)
        left += !pool->hooks[i].in_use;
    return left;
}

/* The newest hook of (class, selector) for which fits(hook, imp) is true. */
static struct mtlcap__hook *
find_newest(mtlcap__class cls, mtlcap__sel selector,
            bool (*fits)(const struct mtlcap__hook *hook, mtlcap__imp imp), mtlcap__imp imp) {
    struct mtlcap__hook *newest = NULL;
    for (size_t p = 0; p < sizeof pools / sizeof pools[0]; p++)
        for (unsigned i = 0; i < pools[p].count && pools[p].hooks[i].in_use; i++) {
            struct mtlcap__hook *hook = &pools[p].hooks[i];
            if (hook->cls == cls && hook->selector == selector && fits(hook, imp))
                newest = hook;
        }
    return newest;
}

static bool is_any(const struct mtlcap__hook *hook, mtlcap__imp imp) {
    (void)hook, (void)imp;
    return true;
}

static bool is_installed(const struct mtlcap__hook *hook, mtlcap__imp imp) {
    (void)imp;
    return hook->installed;
}

static bool passes_to(const struct mtlcap__hook *hook, mtlcap__imp imp) {
    return atomic_load_explicit(&hook->original, memory_order_relaxed) == imp;
}

struct mtlcap__hook *mtlcap__hook_find(mtlcap__class cls, mtlcap__sel selector) {
    return find_newest(cls, selector, is_any, NULL);
}

struct mtlcap__hook *mtlcap__hook_find_installed(mtlcap__class cls, mtlcap__sel selector) {
    return find_newest(cls, selector, is_installed, NULL);
}

bool mtlcap__hooks_ambiguous(mtlcap__class cls, mtlcap__sel selector) {
    unsigned count = 0;
    for (size_t p = 0; p < sizeof pools / sizeof pools[0]; p++)
        for (unsigned i = 0; i < pools[p].count && pools[p].hooks[i].in_use; i++) {
            const struct mtlcap__hook *hook = &pools[p].hooks[i];
            count += hook->cls == cls && hook->selector == selector && hook->installed;
        }
    return count > 1;
}

struct mtlcap__hook *mtlcap__hook_find_passing_to(mtlcap__class cls, mtlcap__sel selector,
                                                  mtlcap__imp imp) {
    return find_newest(cls, selector, passes_to, imp);
}

struct mtlcap__hook *mtlcap__hook_take(mtlcap__class cls,
                                       const struct mtlcap__capability *capability) {
    const struct pool *pool = pool_of(capability->shape);
    for (unsigned i = 0; pool && i < pool->count; i++) {
        struct mtlcap__hook *hook = &pool->hooks[i];
        if (hook->in_use)
            continue;
        hook->cls = cls;
        hook->superclass = mtlcap__rt_superclass(cls);
        hook->selector = mtlcap__selector_of(capability);
        hook->shape = capability->shape;
        hook->row_count = mtlcap__capability_rows(capability, &hook->rows);
        hook->index = i;
        hook->in_use = true;
        return hook;
    }
    return NULL;
}

void mtlcap__hook_give_back(struct mtlcap__hook *hook) {
    if (hook->installed)
        return;
    atomic_store_explicit(&hook->original, NULL, memory_order_relaxed);
    hook->in_use = false;
}

mtlcap__imp mtlcap__hook_imp(const struct mtlcap__hook *hook) {
    return pool_of(hook->shape)->imps[hook->index];
}

struct mtlcap__hook *mtlcap__hook_of_imp(mtlcap__imp imp) {
    for (size_t p = 0; p < sizeof pools / sizeof pools[0]; p++)
        for (unsigned i = 0; i < pools[p].count && pools[p].hooks[i].in_use; i++)
            if (pools[p].imps[i] == imp)
                return &pools[p].hooks[i];
    return NULL;
}

void mtlcap__hooks_each(void (*visit)(struct mtlcap__hook *hook, void *data), void *data) {
    for (size_t p = 0; p < sizeof pools / sizeof pools[0]; p++)
        for (unsigned i = 0; i < pools[p].count && pools[p].hooks[i].in_use; i++)
            visit(&pools[p].hooks[i], data);
}

bool mtlcap__hook_is_first_of_class(const struct mtlcap__hook *hook) {
    for (size_t p = 0; p < sizeof pools / sizeof pools[0]; p++)
        for (unsigned i = 0; i < pools[p].count && pools[p].hooks[i].in_use; i++)
            if (pools[p].hooks[i].cls == hook->cls)
                return hook == &pools[p].hooks[i];
    return false;
}

void mtlcap__proof_forget(mtlcap__class cls, mtlcap__sel selector) {
    for (size_t p = 0; p < sizeof pools / sizeof pools[0]; p++)
        for (unsigned i = 0; i < pools[p].count && pools[p].hooks[i].in_use; i++)
            if (pools[p].hooks[i].cls == cls && pools[p].hooks[i].selector == selector)
                pools[p].hooks[i].reached = false;
}

static bool was_reached(const struct mtlcap__hook *hook, mtlcap__imp imp) {
    (void)imp;
    return hook->reached;
}

bool mtlcap__proof_reached(mtlcap__class cls, mtlcap__sel selector) {
    return find_newest(cls, selector, was_reached, NULL) != NULL;
}

bool mtlcap__hook_has_rule(const struct mtlcap__hook *hook,
                           const struct mtlcap__capability *capability) {
    return mtlcap__plan_has_rule(mtlcap__plan_in_force(), hook->index, capability);
}
