/* One device: what class answers for it, what it says, and what it says below our hooks. */
#include "device.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "encoding.h"
#include "error.h"
#include "hook.h"
#include "lock.h"
#include "publish.h"

enum { WRAPPERS_MAX = 8, PATH_SIZE = 1024 };

mtlcap__sel mtlcap__selector_of(const struct mtlcap__capability *capability) {
    static _Atomic(mtlcap__sel) selectors[MTLCAP__CAPABILITY_COUNT];
    _Atomic(mtlcap__sel) *known = &selectors[mtlcap__capability_index(capability)];
    mtlcap__sel selector = atomic_load_explicit(known, memory_order_acquire);
    if (!selector) {
        selector = mtlcap__rt_selector(capability->selector);
        atomic_store_explicit(known, selector, memory_order_release);
    }
    return selector;
}

static mtlcap__id send(mtlcap__id object, const char *selector_name) {
    mtlcap__sel selector = mtlcap__rt_selector(selector_name);
    mtlcap__imp imp = mtlcap__rt_dispatch(object, selector);
    return ((mtlcap__id(*)(mtlcap__id, mtlcap__sel))imp)(object, selector);
}

static bool has_method(mtlcap__class cls, mtlcap__sel selector, enum mtlcap__shape shape) {
    mtlcap__method method = mtlcap__rt_method(cls, selector);
    return method && mtlcap__encoding_fits(mtlcap__rt_method_types(method), shape);
}

/* Tools wrap devices and forward to baseObject; the wrapper is not what answers. NULL: no end of
 * wrappers. */
static mtlcap__id unwrap(mtlcap__id object) {
    for (int i = 0; i <= WRAPPERS_MAX; i++) {
        if (!has_method(mtlcap__rt_class_of(object), mtlcap__rt_selector("baseObject"),
                        MTLCAP__ASK_OBJECT))
            return object;
        mtlcap__id base = send(object, "baseObject");
        if (!base || base == object)
            return object;
        object = base;
    }
    return NULL;
}

/* Classes made at run time (KVO, agents) come and go with their observers: the one below is meant.
 */
static mtlcap__class compiled_class(mtlcap__id object) {
    char image[PATH_SIZE];
    mtlcap__class cls = mtlcap__rt_class_of(object);
    while (cls && !mtlcap__rt_class_image(cls, image, sizeof image))
        cls = mtlcap__rt_superclass(cls);
    return cls;
}

mtlcap__id mtlcap__device_below(void *object) {
    return unwrap(object);
}

mtlcap__class mtlcap__device_class(void *object) {
    mtlcap__id base = unwrap(object);
    return base ? compiled_class(base) : NULL;
}

static bool names_paravirtual(const char *name) {
    return strstr(name, "Paravirtual") != NULL;
}

static bool is_paravirtual(const struct mtlcap__device *device) {
    for (mtlcap__class c = device->cls; c; c = mtlcap__rt_superclass(c))
        if (strstr(mtlcap__rt_class_name(c), "Paravirt"))
            return true;
    return names_paravirtual(device->name);
}

static enum mtlcap__support support_of(mtlcap__class cls,
                                       const struct mtlcap__capability *capability) {
    mtlcap__method method = mtlcap__rt_method(cls, mtlcap__selector_of(capability));
    if (!method)
        return MTLCAP__MISSING;
    return mtlcap__encoding_fits(mtlcap__rt_method_types(method), capability->shape)
               ? MTLCAP__SUPPORTED
               : MTLCAP__UNEXPECTED;
}

/* All that can be told without asking the device. */
static int look_at_class(void *object, struct mtlcap__device *device) {
    memset(device, 0, sizeof *device);
    if (!mtlcap__rt_plausible(object))
        return mtlcap__fail(MTLCAP_E_NOT_A_DEVICE, "%p is not an object", object);
    device->object = object;
    device->base = unwrap(object);
    if (!device->base)
        return mtlcap__fail(MTLCAP_E_NOT_A_DEVICE,
                            "an object of class %s has more than %d wrappers around it",
                            mtlcap__rt_class_name(mtlcap__rt_class_of(object)), WRAPPERS_MAX);
    device->cls = compiled_class(device->base);
    if (!device->cls || !mtlcap__rt_conforms(device->cls, "MTLDevice"))
        return mtlcap__fail(MTLCAP_E_NOT_A_DEVICE,
                            "an object of class %s is not a Metal device: it does not adopt the "
                            "protocol MTLDevice",
                            mtlcap__rt_class_name(mtlcap__rt_class_of(object)));
    for (size_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++)
        device->support[i] = support_of(device->cls, &mtlcap__capabilities[i]);
    return MTLCAP_OK;
}

int mtlcap__device_look(void *object, struct mtlcap__device *device) {
    int status = look_at_class(object, device);
    if (status)
        return status;
    if (device->support[MTLCAP__NAME] == MTLCAP__SUPPORTED)
        mtlcap__device_ask_text(device, &mtlcap__capabilities[MTLCAP__NAME], device->name,
                                sizeof device->name);
    device->paravirtual = is_paravirtual(device);
    return MTLCAP_OK;
}

int mtlcap__device_look_early(void *object, struct mtlcap__device *device) {
    int status = look_at_class(object, device);
    if (status)
        return status;
    const char *name = mtlcap__rt_class_name(device->cls);
    mtlcap__copy_text(device->name, sizeof device->name, name, strlen(name));
    device->early = true;
    device->paravirtual = is_paravirtual(device);
    return MTLCAP_OK;
}

/* ---- asking --------------------------------------------------------------- */

/* A BOOL is one byte; what is above it in the register is not defined. */
static bool ask_argument(mtlcap__id object, mtlcap__sel selector, mtlcap__imp imp, long argument) {
    return (unsigned char)((long (*)(mtlcap__id, mtlcap__sel, long))imp)(object, selector,
                                                                         argument);
}

static void ask_members(mtlcap__id object, mtlcap__sel selector, mtlcap__imp imp,
                        const struct mtlcap__capability *capability, struct mtlcap__value *value) {
    for (int64_t i = capability->first; i <= capability->last; i++) {
        if (!ask_argument(object, selector, imp, (long)i))
            continue;
        value->number[0] = (uint64_t)(i + capability->named);
        value->members |= (uint64_t)1 << (i - capability->first);
    }
}

static void ask_imp(mtlcap__id object, mtlcap__sel selector, mtlcap__imp imp,
                    const struct mtlcap__capability *capability, struct mtlcap__value *value) {
    struct size3 {
        unsigned long number[3];
    } size;
    const uintptr_t before = mtlcap__watch_ignore(MTLCAP__PLACE);
    memset(value, 0, sizeof *value);
    switch (capability->shape) {
    case MTLCAP__ASK_BOOL:
        value->number[0] =
            (unsigned char)((long (*)(mtlcap__id, mtlcap__sel))imp)(object, selector) != 0;
        break;
    case MTLCAP__ASK_ID:
    case MTLCAP__ASK_COUNT:
        if (capability->kind == MTLCAP_KIND_BOOL)
            value->number[0] = ask_argument(object, selector, imp, (long)capability->first);
        else
            ask_members(object, selector, imp, capability, value);
        break;
    case MTLCAP__ASK_WORD:
        value->number[0] = ((unsigned long (*)(mtlcap__id, mtlcap__sel))imp)(object, selector) +
                           (uint64_t)capability->named;
        break;
    case MTLCAP__ASK_WORD32:
        value->number[0] = ((unsigned (*)(mtlcap__id, mtlcap__sel))imp)(object, selector);
        break;
    case MTLCAP__ASK_SIZE3:
        size = ((struct size3(*)(mtlcap__id, mtlcap__sel))imp)(object, selector);
        for (size_t i = 0; i < 3; i++)
            value->number[i] = size.number[i];
        break;
    default:
        break;
    }
    mtlcap__watch_ignore_end(before);
}

/* Whom a caller's question goes to: some wrappers lack some selectors. */
static mtlcap__id receiver(const struct mtlcap__device *device,
                           const struct mtlcap__capability *capability) {
    return device->object == device->base ||
                   has_method(mtlcap__rt_class_of(device->object), mtlcap__selector_of(capability),
                              capability->shape)
               ? device->object
               : device->base;
}

void mtlcap__device_ask(const struct mtlcap__device *device,
                        const struct mtlcap__capability *capability, struct mtlcap__value *value) {
    mtlcap__id object = receiver(device, capability);
    mtlcap__sel selector = mtlcap__selector_of(capability);
    ask_imp(object, selector, mtlcap__rt_dispatch(object, selector), capability, value);
}

void mtlcap__device_ask_base(const struct mtlcap__device *device,
                             const struct mtlcap__capability *capability,
                             struct mtlcap__value *value) {
    mtlcap__sel selector = mtlcap__selector_of(capability);
    ask_imp(device->base, selector, mtlcap__rt_dispatch(device->base, selector), capability, value);
}

void mtlcap__object_text(mtlcap__id object, char *text, size_t size) {
    /* architecture is an object that has a name; the name of a device is text itself */
    if (object &&
        has_method(mtlcap__rt_class_of(object), mtlcap__rt_selector("name"), MTLCAP__ASK_OBJECT))
        object = send(object, "name");
    const char *utf8 = object ? (const char *)send(object, "UTF8String") : "";
    mtlcap__copy_text(text, size, utf8 ? utf8 : "", utf8 ? strlen(utf8) : 0);
}

void mtlcap__device_ask_text(const struct mtlcap__device *device,
                             const struct mtlcap__capability *capability, char *text, size_t size) {
    void *pool = mtlcap__rt_pool_push();
    const uintptr_t before = mtlcap__watch_ignore(MTLCAP__PLACE);
    mtlcap__object_text(send(receiver(device, capability), capability->selector), text, size);
    mtlcap__watch_ignore_end(before);
    mtlcap__rt_pool_pop(pool);
}

bool mtlcap__device_misjudged(const struct mtlcap__device *device) {
    char name[sizeof device->name] = "";
    if (!device->early || device->paravirtual || device->support[MTLCAP__NAME] != MTLCAP__SUPPORTED)
        return false;
    mtlcap__device_ask_text(device, &mtlcap__capabilities[MTLCAP__NAME], name, sizeof name);
    return names_paravirtual(name);
}

/* ---- below our hooks ------------------------------------------------------ */

struct search {
    mtlcap__sel selector;
    bool found;
};

static void look_at_hook(struct mtlcap__hook *hook, void *data) {
    struct search *search = data;
    search->found = search->found || hook->selector == search->selector;
}

/* Does any class have a hook of ours for it? */
static bool is_hooked_anywhere(mtlcap__sel selector) {
    struct search search = {.selector = selector};
    mtlcap__lock();
    mtlcap__hooks_each(look_at_hook, &search);
    mtlcap__unlock();
    return search.found;
}

/* The hook of ours that a message comes to first, be it through those of others; NULL if none. A
 * method of a class in between that is none of ours ends the search. */
static struct mtlcap__hook *first_hook(const struct mtlcap__device *device, mtlcap__sel selector) {
    if (!is_hooked_anywhere(selector))
        return NULL; /* mostly; the rest takes the runtime's time */
    mtlcap__imp top = mtlcap__rt_dispatch(device->base, selector);
    mtlcap__lock();
    struct mtlcap__hook *hook = mtlcap__hook_of_imp(top);
    mtlcap__unlock();
    for (mtlcap__class c = device->cls; c && !hook; c = mtlcap__rt_superclass(c)) {
        mtlcap__lock();
        hook = mtlcap__hook_find_installed(c, selector);
        mtlcap__unlock();
        if (!hook && mtlcap__rt_own_method(c, selector))
            break;
    }
    return hook;
}

/* What answers without our rules. While one is in force: down through every hook of ours to the
 * first function that is none. Otherwise also what others have put above our hooks. NULL: it cannot
 * be told; what a hook that was displaced passes through to may be gone, and is never called. */
static mtlcap__imp stock_imp(const struct mtlcap__device *device, mtlcap__sel selector) {
    mtlcap__imp imp = mtlcap__rt_dispatch(device->base, selector);
    mtlcap__lock();
    struct mtlcap__hook *hook = mtlcap__hook_of_imp(imp);
    mtlcap__unlock();
    if (!hook && mtlcap__plan_in_force()->active) {
        hook = first_hook(device, selector);
        mtlcap__lock();
        const bool ambiguous = hook && mtlcap__hooks_ambiguous(hook->cls, selector);
        mtlcap__unlock();
        if (ambiguous)
            return NULL;
    }
    while (hook) {
        imp = mtlcap__hook_original(hook, device->base);
        mtlcap__lock();
        hook = mtlcap__hook_of_imp(imp);
        mtlcap__unlock();
    }
    return imp;
}

bool mtlcap__device_ask_stock(const struct mtlcap__device *device,
                              const struct mtlcap__capability *capability,
                              struct mtlcap__value *value) {
    mtlcap__sel selector = mtlcap__selector_of(capability);
    mtlcap__imp imp = stock_imp(device, selector);
    if (imp)
        ask_imp(device->base, selector, imp, capability, value);
    else
        mtlcap__device_ask_base(device, capability, value);
    return imp != NULL;
}

/* Is `imp` code of neither Metal nor the driver? Then its image, otherwise "". Only a no is
 * remembered, the last one: an image with a class of a device stays where it is; any other can go,
 * and another one come to be in its place. */
static bool is_foreign(const struct mtlcap__device *device,
                       const struct mtlcap__capability *capability, mtlcap__imp imp, char *path,
                       size_t size) {
    static struct {
        mtlcap__class cls;
        mtlcap__imp imp;
    } genuine[MTLCAP__CAPABILITY_COUNT]; /* guarded by the lock */
    const size_t index = mtlcap__capability_index(capability);
    mtlcap__lock();
    const bool is_genuine = genuine[index].cls == device->cls && genuine[index].imp == imp;
    mtlcap__unlock();
    path[0] = '\0';
    if (!imp || is_genuine || !mtlcap__rt_code_image(imp, path, size))
        return false;
    char image[PATH_SIZE];
    for (mtlcap__class c = device->cls; c; c = mtlcap__rt_superclass(c)) {
        if (!mtlcap__rt_class_image(c, image, sizeof image) || strcmp(image, path) != 0)
            continue;
        mtlcap__lock();
        genuine[index].cls = device->cls;
        genuine[index].imp = imp;
        mtlcap__unlock();
        path[0] = '\0';
        return false;
    }
    return true;
}

bool mtlcap__device_foreign_source(const struct mtlcap__device *device,
                                   const struct mtlcap__capability *capability, char *path,
                                   size_t size) {
    mtlcap__imp imp;
    if (!mtlcap__plan_in_force()->active ||
        !mtlcap__device_snapshot(device, capability, NULL, &imp))
        imp = stock_imp(device, mtlcap__selector_of(capability));
    return is_foreign(device, capability, imp, path, size);
}

bool mtlcap__device_foreign_now(const struct mtlcap__device *device,
                                const struct mtlcap__capability *capability, char *path,
                                size_t size) {
    mtlcap__imp imp = mtlcap__rt_dispatch(device->base, mtlcap__selector_of(capability));
    mtlcap__lock();
    const bool ours = mtlcap__hook_of_imp(imp) != NULL;
    mtlcap__unlock();
    return !ours && is_foreign(device, capability, imp, path, size);
}

mtlcap__class mtlcap__device_overridden_by(const struct mtlcap__device *device,
                                           const struct mtlcap__capability *capability) {
    mtlcap__sel selector = mtlcap__selector_of(capability);
    struct mtlcap__hook *hook = first_hook(device, selector);
    while (hook && !mtlcap__hook_has_rule(hook, capability)) {
        mtlcap__imp imp = mtlcap__hook_original(hook, device->base);
        mtlcap__lock();
        hook = mtlcap__hook_of_imp(imp);
        mtlcap__unlock();
    }
    return hook ? hook->cls : NULL;
}

static bool hooked(const struct mtlcap__device *device) {
    for (size_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++)
        if (device->support[i] == MTLCAP__SUPPORTED &&
            first_hook(device, mtlcap__selector_of(&mtlcap__capabilities[i])))
            return true;
    return false;
}

bool mtlcap__device_snapshot(const struct mtlcap__device *device,
                             const struct mtlcap__capability *capability,
                             struct mtlcap__value *stock, mtlcap__imp *imp) {
    const size_t index = mtlcap__capability_index(capability);
    mtlcap__lock();
    const bool snapshot = device->snapshot;
    if (stock)
        *stock = device->stock[index];
    if (imp)
        *imp = device->stock_imp[index];
    mtlcap__unlock();
    return snapshot;
}

void mtlcap__device_take_stock(struct mtlcap__device *device, const struct mtlcap__rules *rules) {
    const unsigned long activations = mtlcap__activations();
    bool snapshot = !device->early && (!mtlcap__plan_in_force()->active || !hooked(device));
    struct mtlcap__value stock[MTLCAP__CAPABILITY_COUNT];
    mtlcap__imp imp[MTLCAP__CAPABILITY_COUNT];
    memset(stock, 0, sizeof stock);
    memset(imp, 0, sizeof imp);
    for (size_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++) {
        const struct mtlcap__capability *capability = &mtlcap__capabilities[i];
        if (device->support[i] != MTLCAP__SUPPORTED ||
            (device->early && !mtlcap__rule_is_set(&rules->rule[i])))
            continue;
        mtlcap__sel selector = mtlcap__selector_of(capability);
        imp[i] = stock_imp(device, selector);
        mtlcap__device_ask_stock(device, capability, &stock[i]);
    }
    mtlcap__lock();
    memcpy(device->stock, stock, sizeof stock);
    memcpy(device->stock_imp, imp, sizeof imp);
    device->snapshot = snapshot && activations == mtlcap__activations();
    mtlcap__unlock();
}
