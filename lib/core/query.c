/* Asking a device: what it says, what it would say by itself, and why they differ. */
#include "query.h"

#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "engine.h"
#include "error.h"
#include "lock.h"
#include "publish.h"
#include "structure.h"

#define COPY(array, text) mtlcap__copy_text(array, sizeof(array), text, strlen(text))

enum { TRIES_MAX = 1000 };

/* The rule in force for a capability in the hooks of a class, as text; "" if there is none. */
static void rule_in_force(mtlcap__class cls, const struct mtlcap__capability *capability,
                          char *text, size_t size) {
    struct mtlcap__rule rule = {0};
    mtlcap__lock();
    const struct mtlcap__record *record = mtlcap__record_in_force();
    for (size_t i = 0; record && i < record->device_count; i++) {
        if (record->covered[i].cls != cls)
            continue;
        mtlcap__profile_resolve_one(record->request->profile, record->covered[i].paravirtual,
                                    &record->host, capability, &rule);
        break;
    }
    mtlcap__unlock();
    mtlcap__rule_text(&rule, text, size);
}

static void show(struct mtlcap_value *shown, const struct mtlcap__capability *capability,
                 const struct mtlcap__value *value) {
    memcpy(shown->number, value->number, sizeof shown->number);
    shown->members = value->members;
    mtlcap__value_text(value, capability, shown->text, sizeof shown->text);
}

/* May mix what was before a change with what is after it. */
static void answer_value(const struct mtlcap__device *device, bool known,
                         const struct mtlcap__capability *capability,
                         struct mtlcap_answer *answer) {
    struct mtlcap__value stock, effective;
    const bool active = mtlcap__is_active();
    answer->rule[0] = '\0';
    answer->source[0] = '\0';
    answer->derived = 0;
    mtlcap__device_ask(device, capability, &effective);
    mtlcap__class by =
        active && capability->change ? mtlcap__device_overridden_by(device, capability) : NULL;
    answer->overridden = by != NULL;
    if (by)
        rule_in_force(by, capability, answer->rule, sizeof answer->rule);
    answer->stock_known = 1;
    if (!active || !capability->change) {
        stock = effective; /* nothing is overridden, or this cannot be */
    } else if (known && mtlcap__device_snapshot(device, capability, &stock, NULL)) {
        const bool differs = !answer->overridden && !mtlcap__value_equal(&stock, &effective);
        const bool foreign =
            differs &&
            mtlcap__device_foreign_now(device, capability, answer->source, sizeof answer->source);
        answer->derived = differs && !foreign;
    } else {
        /* Metal computes other answers from families, so below a rule for one it may still see
         * another. */
        const bool told = mtlcap__device_ask_stock(device, capability, &stock);
        answer->stock_known = told && answer->overridden && capability->shape == MTLCAP__ASK_ID;
    }
    show(&answer->stock, capability, &stock);
    show(&answer->effective, capability, &effective);
}

/* Asks again if a profile was applied or restored meanwhile. */
static void answer_unmixed(const struct mtlcap__device *device, bool known,
                           const struct mtlcap__capability *capability,
                           struct mtlcap_answer *answer) {
    bool mixed = true;
    for (int tries = 0; mixed && tries < TRIES_MAX; tries++) {
        const unsigned long publications = mtlcap__publications();
        answer_value(device, known, capability, answer);
        mtlcap__lock();
        mixed = publications != mtlcap__publications();
        mtlcap__unlock();
    }
}

static int answer_for(const struct mtlcap__device *device, bool known,
                      const struct mtlcap__capability *capability, struct mtlcap_answer *answer) {
    const enum mtlcap__support support = device->support[mtlcap__capability_index(capability)];
    if (support != MTLCAP__SUPPORTED)
        return mtlcap__fail(
            MTLCAP_E_UNSUPPORTED, "%s: %s %s %s", device->name, mtlcap__rt_class_name(device->cls),
            support == MTLCAP__MISSING ? "has no" : "has an unexpected signature of",
            capability->selector);
    answer->kind = capability->kind;
    COPY(answer->capability, capability->key);
    if (capability->kind == MTLCAP_KIND_TEXT) {
        answer->stock_known = 1;
        mtlcap__device_ask_text(device, capability, answer->stock.text, sizeof answer->stock.text);
        answer->effective = answer->stock;
    } else {
        answer_unmixed(device, known, capability, answer);
    }
    if (!answer->source[0] &&
        !mtlcap__device_foreign_source(device, capability, answer->source, sizeof answer->source))
        COPY(answer->source, "Metal");
    return MTLCAP_OK;
}

/* The first device there is, from the last look at Metal's list, or from a first one. */
static int first_device(struct mtlcap__device **device) {
    int status = mtlcap__devices_look();
    if (status)
        return status;
    *device = mtlcap__devices_at(0);
    return *device ? MTLCAP_OK : mtlcap__fail(MTLCAP_E_NO_DEVICE, "Metal lists no device");
}

/* Looks at `object` itself: nothing is known of it, or from when Metal was making it. */
static int look(void *object, struct mtlcap__device **known, struct mtlcap__device *device) {
    const int status = mtlcap__device_look(object, device);
    /* around, or the same as, a device that is known: an early one has been made meanwhile */
    struct mtlcap__device *below = status ? NULL : mtlcap__devices_find(device->base);
    if (below) {
        *known = below;
        mtlcap__lock();
        memcpy(device->stock, below->stock, sizeof device->stock);
        memcpy(device->stock_imp, below->stock_imp, sizeof device->stock_imp);
        device->snapshot = below->snapshot;
        mtlcap__unlock();
    }
    return status;
}

static int query(void *object, const struct mtlcap__capability *capability,
                 struct mtlcap_answer *answer) {
    struct mtlcap__device *known = NULL;
    int status = object ? MTLCAP_OK : first_device(&known);
    if (status)
        return status;
    if (!object)
        object = known->object;
    else if (mtlcap__rt_plausible(object))
        known = mtlcap__devices_find(object);
    if (known && !known->early)
        return answer_for(known, true, capability, answer);
    struct mtlcap__device *device = malloc(sizeof *device); /* threads may have small stacks */
    if (!device)
        return mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for a device");
    status = look(object, &known, device);
    if (!status)
        status = answer_for(device, known != NULL, capability, answer);
    free(device);
    return status;
}

static int fail_unknown(const char *name) {
    char keys[256];
    if (mtlcap__capability_keys(name, strlen(name), keys, sizeof keys))
        return mtlcap__fail(MTLCAP_E_CAPABILITY, "\"%.64s\" is asked by several keys: %s", name,
                            keys);
    const char *near = mtlcap__capability_suggest(name, strlen(name), false);
    return mtlcap__fail(MTLCAP_E_CAPABILITY, "there is no capability \"%.64s\"%s%s%s", name,
                        near ? ": did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

int mtlcap__query(void *device, const char *name, struct mtlcap_answer *answer) {
    if (!name || !answer)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "%s is NULL", name ? "answer" : "capability");
    int status = mtlcap__structure_check(answer, sizeof *answer);
    if (status)
        return status;
    const struct mtlcap__capability *capability = mtlcap__capability_by_name(name);
    if (!capability)
        return fail_unknown(name);
    const char *missing = mtlcap__rt_open();
    if (missing)
        return mtlcap__fail_no_metal(missing);
    struct mtlcap_answer filled = MTLCAP_ANSWER_INIT;
    void *pool = mtlcap__rt_pool_push();
    status = query(device, capability, &filled);
    mtlcap__rt_pool_pop(pool);
    if (!status)
        mtlcap__structure_fill(answer, &filled, sizeof filled);
    return status;
}
