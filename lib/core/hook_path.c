/*
 * What hooks do where nothing is decided at once: mtlcap__pass_ask() and its like ask a plan, or
 * the method that was there; on the detour, detour_ask() and its like do.
 */
#include "hook_path.h"

#include "publish.h"
#include "trace_note.h"

typedef long (*ask_bool)(mtlcap__id, mtlcap__sel);
typedef long (*ask_id)(mtlcap__id, mtlcap__sel, long);
typedef unsigned long (*ask_word)(mtlcap__id, mtlcap__sel);
typedef unsigned (*ask_word32)(mtlcap__id, mtlcap__sel);
typedef struct mtlcap__size3 (*ask_size3)(mtlcap__id, mtlcap__sel);
typedef mtlcap__id (*ask_object)(mtlcap__id, mtlcap__sel);

struct mtlcap__hook mtlcap__bool_hooks[MTLCAP__BOOL_HOOKS];
struct mtlcap__hook mtlcap__ask_hooks[MTLCAP__ASK_HOOKS];
struct mtlcap__hook mtlcap__word_hooks[MTLCAP__WORD_HOOKS];
struct mtlcap__hook mtlcap__size3_hooks[MTLCAP__SIZE3_HOOKS];
struct mtlcap__hook mtlcap__word32_hooks[MTLCAP__WORD32_HOOKS];
struct mtlcap__hook mtlcap__object_hooks[MTLCAP__OBJECT_HOOKS];

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

static struct mtlcap__size3 original_size3(const struct mtlcap__hook *hook, mtlcap__id self,
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

static struct mtlcap__size3 keep_size3_within(const struct mtlcap__limits *limits,
                                              struct mtlcap__size3 size) {
    for (size_t i = 0; i < 3; i++)
        size.number[i] = mtlcap__keep_within(&limits[i], size.number[i]);
    return size;
}

/* ---- the detour ------------------------------------------------------------ */

/* Not inlined: what is below it is to stay short. */
#define COLD __attribute__((noinline))

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

COLD static long detour_bool(mtlcap__id self, mtlcap__sel selector, unsigned n,
                             const void *caller) {
    struct detour detour = enter(&mtlcap__bool_hooks[n], self, 0, caller);
    const uint8_t decision = detour.detoured.plan->yes_no[n];
    const long answer =
        decision ? decision == MTLCAP__YES
                 : (long)passed(&detour, (uint64_t)original_bool(detour.hook, self, selector));
    detour.noted.decided = decision != MTLCAP__PASS;
    detour.noted.answer[0] = (uint64_t)answer;
    leave(&detour, self);
    return answer;
}

COLD static long detour_ask(mtlcap__id self, mtlcap__sel selector, long argument, unsigned n,
                            const void *caller) {
    struct detour detour = enter(&mtlcap__ask_hooks[n], self, argument, caller);
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

COLD static unsigned long detour_word(mtlcap__id self, mtlcap__sel selector, unsigned n,
                                      const void *caller) {
    struct detour detour = enter(&mtlcap__word_hooks[n], self, 0, caller);
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

COLD static struct mtlcap__size3 detour_size3(mtlcap__id self, mtlcap__sel selector, unsigned n,
                                              const void *caller) {
    struct detour detour = enter(&mtlcap__size3_hooks[n], self, 0, caller);
    const struct mtlcap__size3 stock = original_size3(detour.hook, self, selector);
    const struct mtlcap__size3 answer = keep_size3_within(detour.detoured.plan->size3[n], stock);
    for (size_t i = 0; i < 3; i++) {
        detour.noted.stock[i] = stock.number[i];
        detour.noted.answer[i] = answer.number[i];
    }
    detour.noted.passed = true;
    detour.noted.decided = detour.detoured.plan->has_size3[n];
    leave(&detour, self);
    return answer;
}

COLD static unsigned detour_word32(mtlcap__id self, mtlcap__sel selector, unsigned n,
                                   const void *caller) {
    struct detour detour = enter(&mtlcap__word32_hooks[n], self, 0, caller);
    const unsigned answer = original_word32(detour.hook, self, selector);
    detour.noted.answer[0] = passed(&detour, answer);
    leave(&detour, self);
    return answer;
}

COLD static mtlcap__id detour_object(mtlcap__id self, mtlcap__sel selector, unsigned n,
                                     const void *caller) {
    struct detour detour = enter(&mtlcap__object_hooks[n], self, 0, caller);
    mtlcap__id answer = original_object(detour.hook, self, selector);
    detour.noted.object = answer;
    detour.noted.passed = true;
    leave(&detour, self);
    return answer;
}

/* ---- passing through ------------------------------------------------------ */

long mtlcap__pass_bool(mtlcap__id self, mtlcap__sel selector, const struct mtlcap__plan *plan,
                       unsigned n, const void *caller) {
    return plan == &mtlcap__detour ? detour_bool(self, selector, n, caller)
                                   : original_bool(&mtlcap__bool_hooks[n], self, selector);
}

long mtlcap__pass_ask(mtlcap__id self, mtlcap__sel selector, long argument,
                      const struct mtlcap__plan *plan, unsigned n, const void *caller) {
    if (plan == &mtlcap__detour)
        return detour_ask(self, selector, argument, n, caller);
    const struct mtlcap__range *range = range_of(plan->ask[n].all, argument);
    return range ? range->answer : original_ask(&mtlcap__ask_hooks[n], self, selector, argument);
}

unsigned long mtlcap__pass_word(mtlcap__id self, mtlcap__sel selector,
                                const struct mtlcap__plan *plan, unsigned n, const void *caller) {
    return plan == &mtlcap__detour
               ? detour_word(self, selector, n, caller)
               : mtlcap__keep_within(&plan->word[n],
                                     original_word(&mtlcap__word_hooks[n], self, selector));
}

struct mtlcap__size3 mtlcap__pass_size3(mtlcap__id self, mtlcap__sel selector,
                                        const struct mtlcap__plan *plan, unsigned n,
                                        const void *caller) {
    return plan == &mtlcap__detour
               ? detour_size3(self, selector, n, caller)
               : keep_size3_within(plan->size3[n],
                                   original_size3(&mtlcap__size3_hooks[n], self, selector));
}

unsigned mtlcap__pass_word32(mtlcap__id self, mtlcap__sel selector, const struct mtlcap__plan *plan,
                             unsigned n, const void *caller) {
    return plan == &mtlcap__detour ? detour_word32(self, selector, n, caller)
                                   : original_word32(&mtlcap__word32_hooks[n], self, selector);
}

mtlcap__id mtlcap__pass_object(mtlcap__id self, mtlcap__sel selector,
                               const struct mtlcap__plan *plan, unsigned n, const void *caller) {
    return plan == &mtlcap__detour ? detour_object(self, selector, n, caller)
                                   : original_object(&mtlcap__object_hooks[n], self, selector);
}

/* ---- what a plan would answer --------------------------------------------- */

bool mtlcap__hook_foresee(const struct mtlcap__hook *hook, const struct mtlcap__plan *plan,
                          int64_t argument, const uint64_t answer[3], uint64_t then[3]) {
    const unsigned n = hook->index;
    const struct mtlcap__range *range;
    then[0] = then[1] = then[2] = 0;
    switch (hook->shape) {
    case MTLCAP__ASK_BOOL:
        then[0] = plan->yes_no[n] == MTLCAP__YES;
        return plan->yes_no[n] != MTLCAP__PASS;
    case MTLCAP__ASK_ID:
    case MTLCAP__ASK_COUNT:
        range = range_of(plan->ask[n].all, (long)argument);
        then[0] = range ? (uint64_t)range->answer : 0;
        return range != NULL;
    case MTLCAP__ASK_WORD:
        then[0] = mtlcap__keep_within(&plan->word[n], answer[0]);
        return plan->has_word[n];
    case MTLCAP__ASK_SIZE3:
        for (size_t i = 0; i < 3; i++)
            then[i] = mtlcap__keep_within(&plan->size3[n][i], answer[i]);
        return plan->has_size3[n];
    default:
        return false;
    }
}
