/* Hooks on everything that there is to ask, while a trace is on. */
#include <stdio.h>
#include <stdlib.h>

#include "error.h"
#include "install.h"
#include "lock.h"
#include "trace.h"

/* ---- devices of the table -------------------------------------------------------- */

static void take_stock(struct mtlcap__traced_device *traced, const struct mtlcap__device *device) {
    mtlcap__lock();
    atomic_store(&traced->early, device->early);
    atomic_store(&traced->snapshot, device->snapshot);
    for (size_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++) {
        for (size_t n = 0; n < 3; n++)
            atomic_store(&traced->stock[i].number[n], device->stock[i].number[n]);
        atomic_store(&traced->stock[i].members, device->stock[i].members);
    }
    mtlcap__unlock();
}

/* The device's index in the table; of one too many, the last one's. */
static uint8_t number_device(struct mtlcap__noting *noting, const struct mtlcap__device *device) {
    struct mtlcap__trace_layout *table = atomic_load(&noting->table);
    const uint32_t count = atomic_load(&noting->device_count);
    uint32_t index = 0;
    while (index < count && noting->devices[index].base != device->base)
        index++;
    if (index == MTLCAP__TRACE_DEVICES)
        return MTLCAP__TRACE_DEVICES - 1;
    take_stock(&noting->devices[index], device);
    if (index < count)
        return (uint8_t)index;
    struct mtlcap__trace_device *row = &table->devices[index];
    snprintf(row->class_name, sizeof row->class_name, "%s", mtlcap__rt_class_name(device->cls));
    snprintf(row->name, sizeof row->name, "%s", device->name);
    atomic_store(&table->header.device_count, index + 1);
    noting->devices[index].base = device->base;
    noting->devices[index].object = device->object;
    noting->devices[index].cls = device->cls;
    atomic_store(&noting->device_count, index + 1);
    return (uint8_t)index;
}

void mtlcap__trace_number_devices(struct mtlcap__noting *noting) {
    size_t count;
    struct mtlcap__device **devices = mtlcap__devices_copy(&count);
    for (size_t i = 0; devices && i < count; i++)
        number_device(noting, devices[i]);
    free(devices);
}

bool mtlcap__trace_covers(mtlcap__class cls) {
    const struct mtlcap__noting *noting = atomic_load(&mtlcap__noting);
    const uint32_t count = noting ? atomic_load(&noting->device_count) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (noting->devices[i].cls == cls)
            return true;
    return false;
}

/* ---- what is not watched ----------------------------------------------------------- */

static void leave_out(struct mtlcap__noting *noting, uint8_t device,
                      const struct mtlcap__capability *capability,
                      enum mtlcap__trace_reason reason) {
    struct mtlcap__trace_layout *table = atomic_load(&noting->table);
    const uint16_t row = (uint16_t)mtlcap__capability_index(capability);
    const uint32_t count = atomic_load(&table->header.unwatched_count);
    for (uint32_t i = 0; i < count; i++)
        if (table->unwatched[i].device == device && table->unwatched[i].capability == row)
            return;
    if (count == MTLCAP__TRACE_UNWATCHED)
        return;
    table->unwatched[count] = (struct mtlcap__trace_unwatched){device, row, reason};
    atomic_store(&table->header.unwatched_count, count + 1);
}

/* ---- hooks ------------------------------------------------------------------------ */

/* Is a hook of ours reached by who asks the device? */
static bool is_reached(const struct mtlcap__device *device,
                       const struct mtlcap__capability *capability) {
    struct mtlcap__value value;
    char text[8];
    mtlcap__sel selector = mtlcap__selector_of(capability);
    mtlcap__lock();
    mtlcap__proof_begin(mtlcap__plan_in_force());
    mtlcap__unlock();
    mtlcap__proof_forget(device->cls, selector);
    if (capability->kind == MTLCAP_KIND_TEXT)
        mtlcap__device_ask_text(device, capability, text, sizeof text);
    else
        mtlcap__device_ask(device, capability, &value);
    const bool reached = mtlcap__proof_reached(device->cls, selector);
    mtlcap__lock();
    mtlcap__proof_end(NULL);
    mtlcap__unlock();
    return reached;
}

static bool is_hooked(const struct mtlcap__device *device,
                      const struct mtlcap__capability *capability) {
    mtlcap__lock();
    const bool hooked =
        mtlcap__hook_find_installed(device->cls, mtlcap__selector_of(capability)) != NULL;
    mtlcap__unlock();
    return hooked;
}

static bool is_one_left(const struct mtlcap__capability *capability) {
    mtlcap__lock();
    const bool left = mtlcap__hooks_left_to_trace(capability->shape);
    mtlcap__unlock();
    return left;
}

/* False: *reason. */
static bool watch(const struct mtlcap__device *device, const struct mtlcap__capability *capability,
                  enum mtlcap__trace_reason *reason) {
    struct mtlcap__hook *hook;
    bool fresh = false;
    for (;;) {
        if (is_hooked(device, capability) && is_reached(device, capability))
            return true;
        *reason = MTLCAP__TRACE_NOT_REACHED;
        if (fresh || mtlcap__install_is_on_top(device, capability))
            return false; /* another one would not be reached either */
        fresh = true;
        *reason = MTLCAP__TRACE_NO_HOOK_LEFT;
        if (!is_one_left(capability))
            return false;
        *reason = MTLCAP__TRACE_REFUSED;
        if (mtlcap__install_hook(device, capability, &hook))
            return false;
    }
}

/* Rows that share a selector share a hook. */
static bool is_first_row(const struct mtlcap__capability *capability) {
    const struct mtlcap__capability *first;
    mtlcap__capability_rows(capability, &first);
    return first == capability;
}

static void cover_device(struct mtlcap__noting *noting, const struct mtlcap__device *device,
                         bool what_profiles_change) {
    const uint8_t number = number_device(noting, device);
    for (size_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++) {
        const struct mtlcap__capability *capability = &mtlcap__capabilities[i];
        enum mtlcap__trace_reason reason = MTLCAP__TRACE_OTHER_SIGNATURE;
        if (device->support[i] == MTLCAP__MISSING || !is_first_row(capability) ||
            (capability->change != 0) != what_profiles_change)
            continue;
        if (device->support[i] == MTLCAP__UNEXPECTED || !watch(device, capability, &reason))
            leave_out(noting, number, capability, reason);
    }
}

void mtlcap__trace_cover(void) {
    struct mtlcap__noting *noting = atomic_load(&mtlcap__noting);
    size_t count;
    if (!mtlcap__trace_is_on() || mtlcap__rt_open())
        return;
    struct mtlcap__device **devices = mtlcap__devices_copy(&count);
    struct mtlcap_error before; /* what cannot be watched is no failure */
    mtlcap__error_parts(&before);
    void *pool = mtlcap__rt_pool_push();
    for (int change = 1; change >= 0; change--) /* what matters most, while there are hooks */
        for (size_t i = 0; devices && i < count; i++)
            if (!devices[i]->early) /* Metal is making it: it is not asked anything */
                cover_device(noting, devices[i], change);
    mtlcap__rt_pool_pop(pool);
    mtlcap__error_put_back(&before);
    free(devices);
}
