/* The list of devices: Metal's own, and those that were adopted. */
#include "device.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "error.h"
#include "host/host.h"
#include "lock.h"

/* Grows, never shrinks: hooks outlive devices, and a device that has gone may come back. */
static struct mtlcap__device **known;
static size_t known_count, known_capacity;
static bool list_seen; /* at Metal's list, once at least */

static bool is_shown(const struct mtlcap__device *device) {
    return device->listed || device->adopted;
}

struct mtlcap__device *mtlcap__devices_find(void *object) {
    struct mtlcap__device *found = NULL;
    mtlcap__lock();
    for (size_t i = 0; i < known_count && !found; i++)
        if ((void *)known[i]->object == object || (void *)known[i]->base == object)
            found = known[i];
    mtlcap__unlock();
    return found;
}

static size_t count_locked(void) {
    size_t count = 0;
    for (size_t i = 0; i < known_count; i++)
        count += is_shown(known[i]);
    return count;
}

/* Those in Metal's list come first, then those that are adopted only. */
static struct mtlcap__device *at_locked(size_t index) {
    for (int listed = 1; listed >= 0; listed--)
        for (size_t i = 0; i < known_count; i++)
            if (is_shown(known[i]) && known[i]->listed == listed && index-- == 0)
                return known[i];
    return NULL;
}

size_t mtlcap__devices_count(void) {
    mtlcap__lock();
    const size_t count = count_locked();
    mtlcap__unlock();
    return count;
}

struct mtlcap__device *mtlcap__devices_at(size_t index) {
    mtlcap__lock();
    struct mtlcap__device *device = at_locked(index);
    mtlcap__unlock();
    return device;
}

struct mtlcap__device **mtlcap__devices_copy(size_t *count) {
    mtlcap__lock();
    *count = count_locked();
    struct mtlcap__device **devices = malloc((*count + 1) * sizeof(struct mtlcap__device *));
    for (size_t i = 0; devices && i < *count; i++)
        devices[i] = at_locked(i);
    mtlcap__unlock();
    return devices;
}

static void retain(mtlcap__id object) {
    mtlcap__sel selector = mtlcap__rt_selector("retain");
    mtlcap__imp imp = mtlcap__rt_dispatch(object, selector);
    ((mtlcap__id(*)(mtlcap__id, mtlcap__sel))imp)(object, selector);
}

/* Is there nothing to learn from `device` that is not known? */
static bool is_enough(const struct mtlcap__device *known_already,
                      const struct mtlcap__device *device) {
    return device->early || !known_already->early;
}

/* Adds `device`, in the place of the early one if there is one, or gives the one that is there.
 * NULL: no memory. */
static struct mtlcap__device *add(struct mtlcap__device *device) {
    struct mtlcap__device *known_already = mtlcap__devices_find(device->object);
    if (known_already && is_enough(known_already, device))
        return known_already;
    if (!device->early) /* of what it is asked then, an apply takes stock */
        mtlcap__device_take_stock(device, NULL);
    struct mtlcap__device *added = malloc(sizeof *added);
    if (!added)
        return NULL;
    *added = *device;

    mtlcap__lock();
    if (known_count == known_capacity) {
        const size_t capacity = known_capacity ? 2 * known_capacity : 8;
        struct mtlcap__device **grown = realloc(known, capacity * sizeof(struct mtlcap__device *));
        if (!grown) {
            mtlcap__unlock();
            free(added);
            return NULL;
        }
        known = grown;
        known_capacity = capacity;
    }
    struct mtlcap__device *other = NULL; /* that another thread has added meanwhile */
    size_t place = known_count;
    for (size_t i = 0; i < known_count && !other; i++)
        if (known[i]->early && known[i]->base == device->base && !device->early)
            place = i;
        else if (known[i]->object == device->object)
            other = known[i];
    if (!other) {
        added->before = place < known_count ? known[place] : NULL;
        known_count += place == known_count;
        known[place] = added;
    }
    mtlcap__unlock();

    if (other)
        free(added);
    else
        retain(added->object);
    return other ? other : added;
}

/* ---- Metal's list --------------------------------------------------------- */

static unsigned long array_count(mtlcap__id array) {
    mtlcap__sel selector = mtlcap__rt_selector("count");
    mtlcap__imp imp = mtlcap__rt_dispatch(array, selector);
    return ((unsigned long (*)(mtlcap__id, mtlcap__sel))imp)(array, selector);
}

static mtlcap__id array_at(mtlcap__id array, unsigned long index) {
    mtlcap__sel selector = mtlcap__rt_selector("objectAtIndex:");
    mtlcap__imp imp = mtlcap__rt_dispatch(array, selector);
    return ((mtlcap__id(*)(mtlcap__id, mtlcap__sel, unsigned long))imp)(array, selector, index);
}

static void release(mtlcap__id object) {
    mtlcap__sel selector = mtlcap__rt_selector("release");
    mtlcap__imp imp = mtlcap__rt_dispatch(object, selector);
    ((void (*)(mtlcap__id, mtlcap__sel))imp)(object, selector);
}

static bool contains(struct mtlcap__device *const *devices, size_t count,
                     const struct mtlcap__device *device) {
    for (size_t i = 0; i < count; i++)
        if (devices[i] == device)
            return true;
    return false;
}

static int take_list(mtlcap__id array) {
    const unsigned long count = array ? array_count(array) : 0;
    struct mtlcap__device **seen = calloc(count + 1, sizeof(struct mtlcap__device *));
    size_t seen_count = 0;
    bool memory = seen != NULL;
    for (unsigned long i = 0; i < count && memory; i++) {
        mtlcap__id object = array_at(array, i);
        seen[seen_count] = mtlcap__devices_find(object);
        if (!seen[seen_count] || seen[seen_count]->early) {
            struct mtlcap__device device;
            if (mtlcap__device_look(object, &device))
                continue; /* a wrapper of a tool that we cannot see through */
            seen[seen_count] = add(&device);
        }
        memory = seen[seen_count++] != NULL;
    }
    if (memory) {
        mtlcap__lock();
        for (size_t i = 0; i < known_count; i++)
            known[i]->listed = contains(seen, seen_count, known[i]);
        list_seen = true;
        mtlcap__unlock();
    }
    free(seen);
    return memory ? MTLCAP_OK
                  : mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for the list of devices");
}

/* Remembered once it is found: to look takes the loader's lock. */
static void *find_copy_all_devices(void) {
    static void *_Atomic found;
    void *symbol = atomic_load_explicit(&found, memory_order_acquire);
    if (!symbol) {
        symbol = mtlcap__rt_metal_function("MTLCopyAllDevices");
        atomic_store_explicit(&found, symbol, memory_order_release);
    }
    return symbol;
}

int mtlcap__devices_prepare(void) {
    const char *missing = mtlcap__rt_open();
    if (missing)
        return mtlcap__fail_no_metal(missing);
    mtlcap__host_simulated(); /* looks for that, where it can be */
    return find_copy_all_devices()
               ? MTLCAP_OK
               : mtlcap__fail_no_metal("MTLCopyAllDevices was not found in this process");
}

int mtlcap__devices_refresh(void) {
    const int missing = mtlcap__devices_prepare();
    if (missing)
        return missing;
    mtlcap__id (*copy_all_devices)(void);
    *(void **)&copy_all_devices = find_copy_all_devices();

    void *pool = mtlcap__rt_pool_push();
    mtlcap__id array = copy_all_devices();
    int status = take_list(array);
    if (array)
        release(array);
    mtlcap__rt_pool_pop(pool);
    return status;
}

int mtlcap__devices_look(void) {
    mtlcap__lock();
    const bool known_already = list_seen && count_locked();
    mtlcap__unlock();
    return known_already ? MTLCAP_OK : mtlcap__devices_refresh();
}

static int adopt(struct mtlcap__device *looked, struct mtlcap__device **device,
                 bool *adopted_before) {
    struct mtlcap__device *added = add(looked);
    if (!added)
        return mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for the list of devices");
    mtlcap__lock();
    *adopted_before = added->adopted;
    added->adopted = true;
    mtlcap__unlock();
    *device = added;
    return MTLCAP_OK;
}

int mtlcap__devices_adopt(void *object, struct mtlcap__device **device, bool *adopted_before) {
    struct mtlcap__device looked;
    void *pool = mtlcap__rt_pool_push();
    int status = mtlcap__device_look(object, &looked);
    if (!status)
        status = adopt(&looked, device, adopted_before);
    mtlcap__rt_pool_pop(pool);
    return status;
}

int mtlcap__devices_adopt_early(void *object, struct mtlcap__device **device,
                                bool *adopted_before) {
    struct mtlcap__device looked;
    int status = mtlcap__device_look_early(object, &looked);
    return status ? status : adopt(&looked, device, adopted_before);
}

void mtlcap__devices_disown(struct mtlcap__device *device) {
    mtlcap__lock();
    device->adopted = false;
    mtlcap__unlock();
}
