/* Noting. */
#include "trace_note.h"

#include <string.h>
#include <time.h>

#include "device.h"

_Atomic(struct mtlcap__noting *) mtlcap__noting;

enum {
    PROBES_MAX = 64,  /* beyond it a question is dropped: a full table is not to be slow */
    NO_DEVICE = 0xff, /* an index that the table does not have */
};

uint64_t mtlcap__trace_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t since_start(const struct mtlcap__noting *noting) {
    return mtlcap__trace_clock() - atomic_load_explicit(&noting->start, memory_order_relaxed);
}

/* ---- who and what ------------------------------------------------------------- */

/* The device itself, or one of the hook's class; NULL: none is known. */
static const struct mtlcap__traced_device *
device_of(const struct mtlcap__noting *noting, const struct mtlcap__hook *hook, mtlcap__id self) {
    const uint32_t count = atomic_load_explicit(&noting->device_count, memory_order_acquire);
    const struct mtlcap__traced_device *like = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (noting->devices[i].base == self)
            return &noting->devices[i];
        if (!like && noting->devices[i].cls == hook->cls)
            like = &noting->devices[i];
    }
    return like;
}

/* The row that speaks of the argument; NULL: none does. */
static const struct mtlcap__capability *row_of(const struct mtlcap__hook *hook, int64_t argument) {
    if (hook->row_count == 1 && hook->shape != MTLCAP__ASK_COUNT)
        return hook->rows;
    for (size_t i = 0; i < hook->row_count; i++)
        if (mtlcap__capability_speaks_of(&hook->rows[i], argument))
            return &hook->rows[i];
    return NULL;
}

/* A number for this thread, if it has none in this trace and process yet. */
static uint32_t number_of(struct mtlcap__thread *thread, const struct mtlcap__noting *noting,
                          struct mtlcap__trace_layout *table) {
    const uint32_t epoch = atomic_load_explicit(&noting->epoch, memory_order_relaxed);
    if (thread->epoch != epoch) {
        thread->epoch = epoch;
        thread->number =
            atomic_fetch_add_explicit(&table->header.thread_count, 1, memory_order_relaxed);
    }
    return thread->number;
}

/* ---- a question that is new ------------------------------------------------------ */

#define LOAD(number) atomic_load_explicit(&(number), memory_order_relaxed)

/* As raw numbers, what the device has said to a row. False: it was not asked that. */
static bool stock_of(const struct mtlcap__traced_device *device,
                     const struct mtlcap__capability *row, int64_t argument, uint64_t stock[3]) {
    const size_t index = mtlcap__capability_index(row);
    switch (row->kind) {
    case MTLCAP_KIND_FAMILY:
    case MTLCAP_KIND_COUNT:
        if (argument > row->last)
            return false;
        stock[0] = LOAD(device->stock[index].members) >> (argument - row->first) & 1;
        return true;
    case MTLCAP_KIND_TIER:
        stock[0] = LOAD(device->stock[index].number[0]) - (uint64_t)row->named;
        return true;
    default:
        for (size_t i = 0; i < 3; i++)
            stock[i] = LOAD(device->stock[index].number[i]);
        return true;
    }
}

/* What the device says by itself, from what is known already. False: that does not tell. */
static bool find_stock(const struct mtlcap__hook *hook, mtlcap__id self,
                       const struct mtlcap__traced_device *device,
                       const struct mtlcap__capability *row, const struct mtlcap__noted *noted,
                       uint64_t stock[3]) {
    const bool may_change = noted->active && hook->rows->change;
    if (may_change && row && device && device->base == self && !LOAD(device->early) &&
        stock_of(device, row, noted->argument, stock))
        /* What Metal has remembered while it made the device under a profile is not stock. */
        return LOAD(device->snapshot) || hook->shape == MTLCAP__ASK_ID;
    memcpy(stock, noted->passed ? noted->stock : noted->answer, sizeof noted->stock);
    return noted->passed && (!may_change || !row || hook->shape == MTLCAP__ASK_ID);
}

/* Fills what is found out once for a question. */
static void find_out(const struct mtlcap__hook *hook, mtlcap__id self,
                     const struct mtlcap__traced_device *device, const struct mtlcap__noted *noted,
                     struct mtlcap__trace_entry *entry) {
    const struct mtlcap__capability *row = row_of(hook, noted->argument);
    entry->capability = row ? (int32_t)mtlcap__capability_index(row) : -1;
    if (find_stock(hook, self, device, row, noted, entry->stock))
        entry->flags |= MTLCAP__TRACE_STOCK_KNOWN;
    if (!hook->rows->change)
        entry->flags |= MTLCAP__TRACE_ANY_ANSWER;
}

static void find_text(struct mtlcap__trace_layout *table, mtlcap__id object,
                      struct mtlcap__trace_entry *entry) {
    char text[128];
    void *pool = mtlcap__rt_pool_push();
    const uintptr_t before = mtlcap__watch_ignore(MTLCAP__PLACE); /* this is asked by us */
    mtlcap__object_text(object, text, sizeof text);
    mtlcap__watch_ignore_end(before);
    mtlcap__rt_pool_pop(pool);
    entry->text = mtlcap__trace_text(table, text);
}

/* ---- entries ------------------------------------------------------------------- */

static size_t hash(const struct mtlcap__trace_entry *key) {
    uint64_t hash = (uint64_t)key->argument * UINT64_C(0xd6e8feb86659fd93);
    hash ^= hash >> 32; /* of an argument, every bit */
    hash ^= key->caller ^ (uint64_t)key->row << 52 ^ (uint64_t)key->device << 44 ^
            (uint64_t)key->decided << 43;
    hash = (hash ^ key->answer[0]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= key->answer[1] * 31 ^ key->answer[2] * 37;
    return (size_t)(hash ^ hash >> 32);
}

static bool is_same(const struct mtlcap__trace_entry *a, const struct mtlcap__trace_entry *b) {
    return a->caller == b->caller && a->argument == b->argument && a->row == b->row &&
           a->device == b->device && a->decided == b->decided && a->answer[0] == b->answer[0] &&
           a->answer[1] == b->answer[1] && a->answer[2] == b->answer[2];
}

static bool take(struct mtlcap__trace_entry *entry) {
    uint32_t state = MTLCAP__TRACE_FREE;
    return atomic_compare_exchange_strong(&entry->state, &state, MTLCAP__TRACE_FILLING);
}

/* The entry of a question, or, if `taking`, a free one for it, which is to be filled. NULL: there
 * is none. */
static struct mtlcap__trace_entry *find(struct mtlcap__trace_layout *table,
                                        const struct mtlcap__trace_entry *key, size_t at,
                                        bool taking) {
    for (size_t i = 0; i < PROBES_MAX; i++) {
        struct mtlcap__trace_entry *entry = &table->entries[(at + i) & (MTLCAP__TRACE_ENTRIES - 1)];
        const uint32_t state = atomic_load_explicit(&entry->state, memory_order_acquire);
        if (state == MTLCAP__TRACE_FILLED) {
            if (is_same(entry, key))
                return entry;
        } else if (state == MTLCAP__TRACE_FREE) {
            if (!taking)
                return NULL;
            if (take(entry))
                return entry;
        }
    }
    return NULL;
}

static struct mtlcap__trace_entry *add(struct mtlcap__noting *noting,
                                       struct mtlcap__trace_layout *table,
                                       struct mtlcap__trace_entry *key, size_t at,
                                       const struct mtlcap__noted *noted) {
    if (noted->object)
        find_text(table, noted->object, key);
    key->first = since_start(noting);
    struct mtlcap__trace_entry *entry = find(table, key, at, true);
    if (!entry || atomic_load_explicit(&entry->state, memory_order_relaxed) == MTLCAP__TRACE_FILLED)
        return entry;
    mtlcap__trace_entry_copy(entry, key);
    atomic_store_explicit(&entry->state, MTLCAP__TRACE_FILLED, memory_order_release);
    return entry;
}

static void note_event(struct mtlcap__noting *noting, struct mtlcap__trace_layout *table,
                       const struct mtlcap__trace_entry *entry, uint32_t thread) {
    const uint32_t room = atomic_load_explicit(&noting->events, memory_order_relaxed);
    if (!room)
        return;
    const uint64_t slot =
        atomic_fetch_add_explicit(&table->header.event_count, 1, memory_order_relaxed);
    if (slot >= room)
        return;
    struct mtlcap__trace_event *event = &table->events[slot];
    event->ns = since_start(noting);
    event->thread = thread;
    atomic_store_explicit(&event->entry, (uint32_t)(entry - table->entries) + 1,
                          memory_order_release);
}

static void count(struct mtlcap__trace_entry *entry, uint32_t thread) {
    const uint32_t bit = thread < MTLCAP__TRACE_LAST_THREAD ? thread : MTLCAP__TRACE_LAST_THREAD;
    const uint64_t mask = UINT64_C(1) << bit;
    atomic_fetch_add_explicit(&entry->count, 1, memory_order_relaxed);
    if (!(atomic_load_explicit(&entry->threads, memory_order_relaxed) & mask))
        atomic_fetch_or_explicit(&entry->threads, mask, memory_order_relaxed);
}

static uint64_t code_address(uintptr_t caller) {
#if defined(__APPLE__) && defined(__arm64__)
    return caller & 0x00007fffffffffff; /* a signed pointer's signature is above the address */
#else
    return caller;
#endif
}

void mtlcap__trace_note(struct mtlcap__hook *hook, mtlcap__id self, struct mtlcap__noted *noted,
                        struct mtlcap__thread *thread) {
    struct mtlcap__noting *noting = atomic_load_explicit(&mtlcap__noting, memory_order_acquire);
    if (!noting)
        return;
    struct mtlcap__trace_layout *table = atomic_load_explicit(&noting->table, memory_order_relaxed);
    const struct mtlcap__traced_device *device = device_of(noting, hook, self);
    struct mtlcap__trace_entry key = {
        .row = (uint16_t)mtlcap__capability_index(hook->rows),
        .device = device ? (uint8_t)(device - noting->devices) : NO_DEVICE,
        .decided = noted->decided,
        .caller = code_address(noted->caller),
        .argument = noted->argument,
    };
    if (hook->rows->change) /* of others it may be another each time, and would fill the table */
        memcpy(key.answer, noted->answer, sizeof key.answer);
    const size_t at = hash(&key);
    struct mtlcap__trace_entry *entry = find(table, &key, at, false);
    if (!entry) {
        find_out(hook, self, device, noted, &key);
        entry = add(noting, table, &key, at, noted);
    }
    if (entry) {
        count(entry, number_of(thread, noting, table));
        note_event(noting, table, entry, thread->number);
    } else {
        atomic_fetch_add_explicit(&table->header.dropped, 1, memory_order_relaxed);
    }
}
