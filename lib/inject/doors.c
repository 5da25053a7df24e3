/* Metal's functions that hand out devices, as the program sees them. */
#include "core/injected.h"
#include "inject.h"
#include "runtime/runtime.h"

static unsigned long list_count(mtlcap__id list) {
    mtlcap__sel selector = mtlcap__rt_selector("count");
    mtlcap__imp imp = mtlcap__rt_dispatch(list, selector);
    return ((unsigned long (*)(mtlcap__id, mtlcap__sel))imp)(list, selector);
}

static void *list_at(mtlcap__id list, unsigned long index) {
    mtlcap__sel selector = mtlcap__rt_selector("objectAtIndex:");
    mtlcap__imp imp = mtlcap__rt_dispatch(list, selector);
    return ((void *(*)(mtlcap__id, mtlcap__sel, unsigned long))imp)(list, selector, index);
}

static mtlcap__id send(mtlcap__id object, const char *selector_name) {
    mtlcap__sel selector = mtlcap__rt_selector(selector_name);
    mtlcap__imp imp = mtlcap__rt_dispatch(object, selector);
    return ((mtlcap__id(*)(mtlcap__id, mtlcap__sel))imp)(object, selector);
}

/* A list without devices, without asking Metal; nil where there is no Foundation. */
static void *empty_list(void) {
    if (mtlcap__rt_open())
        return NULL;
    mtlcap__class cls = mtlcap__rt_class_named("NSArray");
    return cls ? send(send((mtlcap__id)(void *)cls, "alloc"), "init") : NULL;
}

static void hand_out_list(void *list) {
    const unsigned long count = list && !mtlcap__rt_open() ? list_count(list) : 0;
    if (count == 0)
        mtlcap__session_hand_out(NULL);
    for (unsigned long i = 0; i < count; i++)
        mtlcap__session_hand_out(list_at(list, i));
}

void *mtlcap__door_create_system_default_device(void) {
    if (mtlcap__session_knock())
        return NULL;
    const struct mtlcap__metal metal = mtlcap__real_metal();
    void *device = metal.create_system_default_device ? metal.create_system_default_device() : NULL;
    mtlcap__session_hand_out(device);
    return device;
}

void *mtlcap__door_copy_all_devices(void) {
    if (mtlcap__session_knock())
        return empty_list();
    const struct mtlcap__metal metal = mtlcap__real_metal();
    void *list = metal.copy_all_devices ? metal.copy_all_devices() : NULL;
    hand_out_list(list);
    return list;
}

void *mtlcap__door_copy_all_devices_with_observer(void **observer, void *handler) {
    if (mtlcap__session_knock()) {
        if (observer)
            *observer = NULL;
        return empty_list();
    }
    const struct mtlcap__metal metal = mtlcap__real_metal();
    void *list = metal.copy_all_devices_with_observer
                     ? metal.copy_all_devices_with_observer(observer, handler)
                     : NULL;
    hand_out_list(list);
    return list;
}
