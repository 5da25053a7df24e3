/* What only the injected library asks of the core. */
#include "injected.h"

#include <stdatomic.h>
#include <stdio.h>

#include "device.h"
#include "encoding.h"
#include "engine.h"
#include "instance.h"
#include "lock.h"
#include "publish.h"
#include "trace.h"

void mtlcap__injected_prepare(void) {
    if (mtlcap__rt_open())
        return;
    mtlcap__instance();
    mtlcap__devices_prepare();
    mtlcap__trace_take_images();
}

bool mtlcap__injected_is_first(char *path, size_t size) {
    const char *other = mtlcap__instance_other();
    if (other)
        snprintf(path, size, "%s", other);
    return !other;
}

static bool is_covered(mtlcap__class cls) {
    bool covered = false;
    mtlcap__lock();
    const struct mtlcap__record *record = mtlcap__record_in_force();
    for (size_t i = 0; record && i < record->device_count && !covered; i++)
        covered = record->covered[i].cls == cls;
    mtlcap__unlock();
    return covered;
}

static bool is_misjudged(void *device) {
    struct mtlcap__device *known = mtlcap__devices_find(mtlcap__device_below(device));
    return known && mtlcap__device_misjudged(known);
}

/* Its own class first: mostly it is no wrapper, and nobody has made a class for it. */
bool mtlcap__injected_covers(void *device) {
    if (mtlcap__rt_open() || !mtlcap__rt_plausible(device))
        return false;
    return (is_covered(mtlcap__rt_class_of(device)) || is_covered(mtlcap__device_class(device))) &&
           !is_misjudged(device);
}

int mtlcap__injected_apply_early(const char *profile, const struct mtlcap_options *options,
                                 void *device) {
    return mtlcap__apply_early(profile, options, device);
}

bool mtlcap__injected_replace(const char *class_name, const char *selector,
                              void (*function)(void *self, void *selector),
                              void (*_Atomic *original)(void *self, void *selector)) {
    if (mtlcap__rt_open())
        return false;
    mtlcap__class cls = mtlcap__rt_class_named(class_name);
    mtlcap__method own = cls ? mtlcap__rt_own_method(cls, mtlcap__rt_selector(selector)) : NULL;
    if (!own || !mtlcap__encoding_fits(mtlcap__rt_method_types(own), MTLCAP__TELL))
        return false;
    const mtlcap__imp ours = (mtlcap__imp)function;
    const mtlcap__imp before = mtlcap__rt_method_imp(own);
    if (before == ours)
        return true;
    atomic_store_explicit(original, (void (*)(void *, void *))before, memory_order_release);
    const mtlcap__imp replaced = mtlcap__rt_set_imp(own, ours);
    /* another hook came in between: it is the one that was replaced */
    if (replaced && replaced != before && replaced != ours)
        atomic_store_explicit(original, (void (*)(void *, void *))replaced, memory_order_release);
    return replaced != NULL;
}

void mtlcap__injected_watch(void) {
    mtlcap__lock();
    mtlcap__watch();
    mtlcap__unlock();
}

bool mtlcap__injected_asked(uint32_t capability) {
    return capability < MTLCAP__CAPABILITY_COUNT && mtlcap__watch_saw(capability);
}

int mtlcap__injected_trace(const char *file, uint32_t events, bool late) {
    const int status = mtlcap__trace_begin(file, events);
    if (status)
        return status;
    atomic_store(&mtlcap__trace_table()->header.opened_late, late);
    mtlcap__trace_take_images();
    return MTLCAP_OK;
}

static bool is_watched(void *device) {
    return mtlcap__trace_covers(mtlcap__rt_class_of(device)) ||
           mtlcap__trace_covers(mtlcap__device_class(device));
}

int mtlcap__injected_trace_device(void *device) {
    struct mtlcap__device *known;
    bool adopted_before;
    if (mtlcap__rt_open() || (device && (!mtlcap__rt_plausible(device) || is_watched(device))))
        return MTLCAP_OK;
    mtlcap__rt_pin();
    int status = mtlcap__turn_take();
    if (status)
        return status;
    status =
        device ? mtlcap__devices_adopt(device, &known, &adopted_before) : mtlcap__devices_refresh();
    mtlcap__trace_cover();
    mtlcap__turn_give();
    return status;
}

void mtlcap__injected_trace_end(void) {
    mtlcap__trace_stop();
}
