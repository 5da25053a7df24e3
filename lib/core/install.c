/* Installing hooks, and proving that they are reached. */
#include "install.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "lock.h"

/* ---- what is needed ------------------------------------------------------- */

/* Calls visit for every rule of every device until one returns other than MTLCAP_OK. */
static int each_rule(const struct mtlcap__study *study,
                     int (*visit)(size_t device, const struct mtlcap__capability *capability,
                                  void *data),
                     void *data) {
    for (size_t d = 0; d < study->device_count; d++) {
        for (size_t c = 0; c < MTLCAP__CAPABILITY_COUNT; c++) {
            if (!mtlcap__rule_is_set(&study->rules[d].rule[c]))
                continue;
            if (study->devices[d]->support[c] != MTLCAP__SUPPORTED)
                continue; /* the study has let it through: a ceiling over what cannot be asked */
            int status = visit(d, &mtlcap__capabilities[c], data);
            if (status)
                return status;
        }
    }
    return MTLCAP_OK;
}

static struct mtlcap__hook *hook_for(const struct mtlcap__device *device,
                                     const struct mtlcap__capability *capability) {
    mtlcap__lock();
    struct mtlcap__hook *hook = mtlcap__hook_find(device->cls, mtlcap__selector_of(capability));
    mtlcap__unlock();
    return hook;
}

/* ---- one hook ------------------------------------------------------------- */

/*
 * What a hook passes through to never changes once it has been in a method table: others may have
 * read its function there, and put theirs above it at any time. With another original it could come
 * to pass through to one that comes back to it.
 */

static void mark_installed(struct mtlcap__hook *hook, bool installed) {
    mtlcap__lock();
    hook->installed = installed;
    mtlcap__unlock();
}

static int refused(mtlcap__class cls, const struct mtlcap__capability *capability) {
    return mtlcap__fail(MTLCAP_E_RUNTIME, "the Objective-C runtime refused to hook -[%s %s]",
                        mtlcap__rt_class_name(cls), capability->selector);
}

/* A hook that passes through to `imp` already: one that was taken out, or covered by somebody who
 * has put back what he saw before us. NULL if there is none. */
static struct mtlcap__hook *find_passing_to(const struct mtlcap__device *device,
                                            mtlcap__sel selector, mtlcap__imp imp) {
    mtlcap__lock();
    struct mtlcap__hook *hook = mtlcap__hook_find_passing_to(device->cls, selector, imp);
    struct mtlcap__hook *added = mtlcap__hook_find_passing_to(device->cls, selector, NULL);
    mtlcap__unlock();
    if (!hook && added && mtlcap__hook_original(added, device->base) == imp)
        hook = added;
    return hook;
}

/* Puts a hook on a method that the class has itself. */
static bool put_on(struct mtlcap__hook *hook, mtlcap__method own, mtlcap__imp before) {
    mtlcap__imp replaced = mtlcap__rt_set_imp(own, mtlcap__hook_imp(hook));
    if (replaced && replaced != before && replaced != mtlcap__hook_imp(hook))
        mtlcap__rt_set_imp(own, replaced); /* another hook came in between: let the proof see it */
    return replaced != NULL;
}

/* Adds a method to a class that only inherits it, or puts a new hook on its own. Whoever enters the
 * hook must find what it passes through to: that goes first. */
static bool put_new(struct mtlcap__hook *hook, mtlcap__method own) {
    if (own) {
        mtlcap__imp before = mtlcap__rt_method_imp(own);
        atomic_store_explicit(&hook->original, before, memory_order_release);
        return put_on(hook, own, before);
    }
    mtlcap__method inherited = mtlcap__rt_method(hook->cls, hook->selector);
    return inherited && mtlcap__rt_add_method(hook->cls, hook->selector, mtlcap__hook_imp(hook),
                                              mtlcap__rt_method_types(inherited));
}

int mtlcap__install_hook(const struct mtlcap__device *device,
                         const struct mtlcap__capability *capability,
                         struct mtlcap__hook **installed) {
    mtlcap__sel selector = mtlcap__selector_of(capability);
    mtlcap__method own = mtlcap__rt_own_method(device->cls, selector);
    mtlcap__imp before = own ? mtlcap__rt_method_imp(own) : NULL;
    struct mtlcap__hook *hook = own ? find_passing_to(device, selector, before) : NULL;
    if (hook) {
        if (!put_on(hook, own, before))
            return refused(device->cls, capability);
    } else {
        mtlcap__lock();
        hook = mtlcap__hook_take(device->cls, capability);
        mtlcap__unlock();
        if (!hook)
            return mtlcap__fail(MTLCAP_E_SLOTS,
                                "no hook is left for -[%s %s]: too many answers of too many "
                                "device classes are overridden, or have been",
                                mtlcap__rt_class_name(device->cls), capability->selector);
        if (!put_new(hook, own)) {
            mtlcap__lock();
            mtlcap__hook_give_back(hook);
            mtlcap__unlock();
            return refused(device->cls, capability);
        }
    }
    mark_installed(hook, true);
    *installed = hook;
    return MTLCAP_OK;
}

bool mtlcap__install_is_on_top(const struct mtlcap__device *device,
                               const struct mtlcap__capability *capability) {
    mtlcap__method own = mtlcap__rt_own_method(device->cls, mtlcap__selector_of(capability));
    mtlcap__lock();
    const bool on_top = own && mtlcap__hook_of_imp(mtlcap__rt_method_imp(own));
    mtlcap__unlock();
    return on_top;
}

/* One of an installation, which takes it out if it is undone. */
static int install_for(struct mtlcap__installation *installation,
                       const struct mtlcap__device *device,
                       const struct mtlcap__capability *capability) {
    struct mtlcap__hook *hook = NULL;
    const int status = mtlcap__install_hook(device, capability, &hook);
    if (!status)
        installation->added[installation->added_count++] = hook;
    return status;
}

static void take_out(struct mtlcap__hook *hook) {
    mtlcap__imp original = atomic_load_explicit(&hook->original, memory_order_acquire);
    if (!original)
        return; /* added: it cannot be removed, and passes through */
    mtlcap__imp ours = mtlcap__hook_imp(hook);
    mtlcap__method own = mtlcap__rt_own_method(hook->cls, hook->selector);
    if (!own || mtlcap__rt_method_imp(own) != ours)
        return; /* somebody is above it: it stays, and passes through */
    mtlcap__imp replaced = mtlcap__rt_set_imp(own, original);
    if (replaced == ours)
        mark_installed(hook, false);
    else if (replaced)
        mtlcap__rt_set_imp(own, replaced); /* somebody came above it just now */
}

/* ---- all of them ---------------------------------------------------------- */

/* How many hooks there are to take from each pool, before any is taken. */
struct need {
    const struct mtlcap__study *study;
    unsigned count[MTLCAP__SHAPE_COUNT];
};

/* Is an earlier rule of this study going to install the same hook? Rows share selectors, devices
 * share classes. */
static bool comes_before(const struct mtlcap__study *study, size_t d,
                         const struct mtlcap__capability *capability) {
    const size_t index = mtlcap__capability_index(capability);
    for (size_t e = 0; e <= d; e++) {
        if (study->devices[e]->cls != study->devices[d]->cls)
            continue;
        for (size_t c = 0; c < (e == d ? index : (size_t)MTLCAP__CAPABILITY_COUNT); c++)
            if (mtlcap__rule_is_set(&study->rules[e].rule[c]) &&
                strcmp(mtlcap__capabilities[c].selector, capability->selector) == 0)
                return true;
    }
    return false;
}

static int count_need(size_t d, const struct mtlcap__capability *capability, void *data) {
    struct need *need = data;
    if (!hook_for(need->study->devices[d], capability) && !comes_before(need->study, d, capability))
        need->count[capability->shape]++;
    return MTLCAP_OK;
}

static int check_slots(const struct mtlcap__study *study, size_t *total) {
    struct need need = {.study = study};
    each_rule(study, count_need, &need);
    /* Two shapes draw on one pool. */
    need.count[MTLCAP__ASK_ID] += need.count[MTLCAP__ASK_COUNT];
    need.count[MTLCAP__ASK_COUNT] = 0;
    *total = 0;
    for (int shape = 0; shape < MTLCAP__SHAPE_COUNT; shape++) {
        *total += need.count[shape];
        mtlcap__lock();
        const unsigned left = mtlcap__hooks_left((enum mtlcap__shape)shape);
        mtlcap__unlock();
        if (need.count[shape] > left)
            return mtlcap__fail(MTLCAP_E_SLOTS,
                                "this profile needs %u more hooks of one kind and %u are left: "
                                "override fewer answers, or fewer classes of devices",
                                need.count[shape], left);
    }
    return MTLCAP_OK;
}

static int install_rule(size_t d, const struct mtlcap__capability *capability, void *data) {
    struct mtlcap__installation *installation = data;
    const struct mtlcap__device *device = installation->study->devices[d];
    mtlcap__lock();
    const bool is_there =
        mtlcap__hook_find_installed(device->cls, mtlcap__selector_of(capability)) != NULL;
    mtlcap__unlock();
    /* Whether it is reached, the proof will show. */
    return is_there ? MTLCAP_OK : install_for(installation, device, capability);
}

int mtlcap__install(struct mtlcap__installation *installation, const struct mtlcap__study *study) {
    *installation = (struct mtlcap__installation){.study = study};
    size_t total;
    int status = check_slots(study, &total);
    if (status)
        return status;
    /* Each rule may need one hook now, and one more above a foreign one later. */
    installation->capacity = 2 * study->device_count * MTLCAP__CAPABILITY_COUNT;
    installation->added = calloc(installation->capacity, sizeof(struct mtlcap__hook *));
    if (!installation->added)
        return mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for %zu hooks", total);
    status = each_rule(study, install_rule, installation);
    if (status)
        mtlcap__install_undo(installation);
    return status;
}

void mtlcap__install_undo(struct mtlcap__installation *installation) {
    while (installation->added_count)
        take_out(installation->added[--installation->added_count]);
    mtlcap__install_end(installation);
}

void mtlcap__install_end(struct mtlcap__installation *installation) {
    free(installation->added);
    memset(installation, 0, sizeof *installation);
}

/* ---- the plan ------------------------------------------------------------- */

struct plan_for {
    const struct mtlcap__study *study;
    struct mtlcap__plan_builder *builder;
    mtlcap__class cls;
    const struct mtlcap__capability *capability;
    const struct mtlcap__rule *rule;
};

/* Every hook of the class and selector gets the rule, not the newest only: an older one below a
 * hook of somebody else must agree with it. */
static void plan_hook(struct mtlcap__hook *hook, void *data) {
    const struct plan_for *plan_for = data;
    if (hook->cls == plan_for->cls && hook->selector == mtlcap__selector_of(plan_for->capability))
        mtlcap__plan_put(plan_for->builder, hook->index, plan_for->capability, plan_for->rule);
}

static int plan_rule(size_t d, const struct mtlcap__capability *capability, void *data) {
    struct plan_for *plan_for = data;
    const struct mtlcap__study *study = plan_for->study;
    for (size_t e = 0; e < d; e++) /* devices of one class share their hooks */
        if (study->devices[e]->cls == study->devices[d]->cls)
            return MTLCAP_OK;
    plan_for->cls = study->devices[d]->cls;
    plan_for->capability = capability;
    plan_for->rule = &study->rules[d].rule[mtlcap__capability_index(capability)];
    mtlcap__hooks_each(plan_hook, plan_for);
    return MTLCAP_OK;
}

const struct mtlcap__plan *mtlcap__install_plan(const struct mtlcap__study *study) {
    struct mtlcap__plan_builder *builder = malloc(sizeof *builder); /* threads' stacks are small */
    if (!builder)
        return NULL;
    mtlcap__plan_begin(builder);
    struct plan_for plan_for = {.study = study, .builder = builder};
    mtlcap__lock();
    each_rule(study, plan_rule, &plan_for);
    mtlcap__unlock();
    const struct mtlcap__plan *plan = mtlcap__plan_finish(builder);
    free(builder);
    return plan;
}

/* ---- the proof ------------------------------------------------------------ */

struct proof {
    const struct mtlcap__study *study;
    size_t device;
    const struct mtlcap__capability *failed;
};

/* The rule has nothing left to do to the answer that callers get. */
static bool holds(const struct mtlcap__rule *rule, const struct mtlcap__capability *capability,
                  const struct mtlcap__value *value) {
    struct mtlcap__value wanted = mtlcap__rule_apply(rule, capability, value);
    return mtlcap__value_equal(&wanted, value);
}

static int prove_rule(size_t d, const struct mtlcap__capability *capability, void *data) {
    struct proof *proof = data;
    const struct mtlcap__device *device = proof->study->devices[d];
    const struct mtlcap__rule *rule =
        &proof->study->rules[d].rule[mtlcap__capability_index(capability)];
    mtlcap__sel selector = mtlcap__selector_of(capability);
    struct mtlcap__value value;
    mtlcap__proof_forget(device->cls, selector);
    mtlcap__device_ask(device, capability, &value);
    if (mtlcap__proof_reached(device->cls, selector) && holds(rule, capability, &value))
        return MTLCAP_OK;
    proof->device = d;
    proof->failed = capability;
    return MTLCAP_E_NOT_REACHED;
}

bool mtlcap__install_prove(const struct mtlcap__study *study, size_t *failed_device,
                           const struct mtlcap__capability **failed) {
    struct proof proof = {.study = study};
    const bool proved = each_rule(study, prove_rule, &proof) == MTLCAP_OK;
    *failed_device = proof.device;
    *failed = proof.failed;
    return proved;
}

int mtlcap__install_above(struct mtlcap__installation *installation, size_t device,
                          const struct mtlcap__capability *capability) {
    const struct mtlcap__device *on = installation->study->devices[device];
    if (mtlcap__install_is_on_top(on, capability) ||
        installation->added_count == installation->capacity)
        return mtlcap__fail(
            MTLCAP_E_NOT_REACHED,
            "%s cannot be overridden on %s: a hook on -[%s %s] is not reached, or its answer is "
            "changed on the way to the caller",
            capability->key, on->name, mtlcap__rt_class_name(on->cls), capability->selector);
    return install_for(installation, on, capability);
}
