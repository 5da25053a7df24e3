/* The one instance in the process. */
#include "instance.h"

#include <stdatomic.h>
#include <stdint.h>

#include "check.h"
#include "device.h"
#include "engine.h"
#include "error.h"
#include "explain.h"
#include "inventory.h"
#include "lock.h"
#include "query.h"
#include "runtime/runtime.h"
#include "trace.h"

/* The number goes up when a copy can no longer work with an older one at all. */
#define MEETING_PLACE "MTLCapInstance1"

static struct mtlcap__instance own = {
    .size = sizeof own,
    .version = MTLCAP_VERSION_NUMBER,
#define API(result, name, parameters, arguments, refused) .name = mtlcap__##name,
#include "api.def"
#undef API
};

static const void *own_table(void) {
    return &own;
}

static void find_own_image(void) {
    if (!mtlcap__rt_code_image((mtlcap__imp)own_table, own.image, sizeof own.image))
        mtlcap__copy_text(own.image, sizeof own.image, "?", 1);
}

static const struct mtlcap__instance *meet(void) {
    static _Atomic(const struct mtlcap__instance *) met;
    const struct mtlcap__instance *first = atomic_load_explicit(&met, memory_order_acquire);
    if (first)
        return first;
    if (mtlcap__rt_open())
        return &own;
    if (!mtlcap__rt_find_table(MEETING_PLACE))
        mtlcap__rt_pin(); /* others may hold our table from now on */
    mtlcap__meeting_lock();
    first = atomic_load_explicit(&met, memory_order_acquire);
    if (!first) {
        find_own_image();
        first = mtlcap__rt_publish_table(MEETING_PLACE, own_table);
    }
    if (first)
        atomic_store_explicit(&met, first, memory_order_release);
    mtlcap__meeting_unlock();
    return first ? first : &own;
}

const struct mtlcap__instance *mtlcap__instance(void) {
    const struct mtlcap__instance *first = meet();
    return first->size >= own.size ? first : NULL;
}

const char *mtlcap__instance_other(void) {
    const struct mtlcap__instance *first = meet();
    return first == &own ? NULL : first->image;
}

int mtlcap__refused(void) {
    const struct mtlcap__instance *first = meet();
    return mtlcap__fail(MTLCAP_E_VERSION,
                        "%s, version %d.%d.%d, is in this process already and too old for %s, "
                        "version %s: load one of them only",
                        first->image, first->version / 10000, first->version / 100 % 100,
                        first->version % 100, own.image, mtlcap_version());
}
