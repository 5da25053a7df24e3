/* The hooks: taking one, and finding one. */
#include "hook.h"

#include "device.h"
#include "hook_path.h"
#include "publish.h"

static const struct mtlcap__hook_pool *pool_of(enum mtlcap__shape shape) {
    switch (shape) {
    case MTLCAP__ASK_BOOL:
        return &mtlcap__hook_pools[0];
    case MTLCAP__ASK_ID:
    case MTLCAP__ASK_COUNT:
        return &mtlcap__hook_pools[1];
    case MTLCAP__ASK_WORD:
        return &mtlcap__hook_pools[2];
    case MTLCAP__ASK_SIZE3:
        return &mtlcap__hook_pools[3];
    case MTLCAP__ASK_WORD32:
        return &mtlcap__hook_pools[4];
    case MTLCAP__ASK_OBJECT:
        return &mtlcap__hook_pools[5];
    default:
        return NULL; /* no capability's */
    }
}

unsigned mtlcap__hooks_left(enum mtlcap__shape shape) {
    const struct mtlcap__hook_pool *pool = pool_of(shape);
    unsigned left = 0;
    for (unsigned i = 0; pool && i < pool->count; i++)
        left += !pool->hooks[i].in_use;
    return left;
}

bool mtlcap__hooks_left_to_trace(enum mtlcap__shape shape) {
    const bool only_passes = shape == MTLCAP__ASK_WORD32 || shape == MTLCAP__ASK_OBJECT;
    const struct mtlcap__hook_pool *pool = pool_of(shape);
    return pool && mtlcap__hooks_left(shape) > (only_passes ? 0 : pool->count / 2);
}

/* The newest hook of (class, selector) for which fits(hook, imp) is true. */
static struct mtlcap__hook *
find_newest(mtlcap__class cls, mtlcap__sel selector,
            bool (*fits)(const struct mtlcap__hook *hook, mtlcap__imp imp), mtlcap__imp imp) {
    struct mtlcap__hook *newest = NULL;
    for (size_t p = 0; p < MTLCAP__HOOK_POOLS; p++)
        for (unsigned i = 0;
             i < mtlcap__hook_pools[p].count && mtlcap__hook_pools[p].hooks[i].in_use; i++) {
            struct mtlcap__hook *hook = &mtlcap__hook_pools[p].hooks[i];
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
    for (size_t p = 0; p < MTLCAP__HOOK_POOLS; p++)
        for (unsigned i = 0;
             i < mtlcap__hook_pools[p].count && mtlcap__hook_pools[p].hooks[i].in_use; i++) {
            const struct mtlcap__hook *hook = &mtlcap__hook_pools[p].hooks[i];
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
    const struct mtlcap__hook_pool *pool = pool_of(capability->shape);
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
    for (size_t p = 0; p < MTLCAP__HOOK_POOLS; p++)
        for (unsigned i = 0;
             i < mtlcap__hook_pools[p].count && mtlcap__hook_pools[p].hooks[i].in_use; i++)
            if (mtlcap__hook_pools[p].imps[i] == imp)
                return &mtlcap__hook_pools[p].hooks[i];
    return NULL;
}

void mtlcap__hooks_each(void (*visit)(struct mtlcap__hook *hook, void *data), void *data) {
    for (size_t p = 0; p < MTLCAP__HOOK_POOLS; p++)
        for (unsigned i = 0;
             i < mtlcap__hook_pools[p].count && mtlcap__hook_pools[p].hooks[i].in_use; i++)
            visit(&mtlcap__hook_pools[p].hooks[i], data);
}

bool mtlcap__hook_is_first_of_class(const struct mtlcap__hook *hook) {
    for (size_t p = 0; p < MTLCAP__HOOK_POOLS; p++)
        for (unsigned i = 0;
             i < mtlcap__hook_pools[p].count && mtlcap__hook_pools[p].hooks[i].in_use; i++)
            if (mtlcap__hook_pools[p].hooks[i].cls == hook->cls)
                return hook == &mtlcap__hook_pools[p].hooks[i];
    return false;
}

void mtlcap__proof_forget(mtlcap__class cls, mtlcap__sel selector) {
    for (size_t p = 0; p < MTLCAP__HOOK_POOLS; p++)
        for (unsigned i = 0;
             i < mtlcap__hook_pools[p].count && mtlcap__hook_pools[p].hooks[i].in_use; i++)
            if (mtlcap__hook_pools[p].hooks[i].cls == cls &&
                mtlcap__hook_pools[p].hooks[i].selector == selector)
                mtlcap__hook_pools[p].hooks[i].reached = false;
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
