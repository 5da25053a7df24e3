/* The table of a trace: making an empty one, and copying one that is in use. */
#include "trace_layout.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/host.h"

/* ---- a new one ------------------------------------------------------------------- */

#define SECTION(layout_, part, count_)                                                             \
    (struct mtlcap__trace_section) {                                                               \
        .offset = offsetof(struct mtlcap__trace_layout, part), .count = (count_),                  \
        .size = sizeof(layout_)->part[0]                                                           \
    }

static int32_t shape_of(const struct mtlcap__capability *capability) {
    switch (capability->shape) {
    case MTLCAP__ASK_BOOL:
        return MTLCAP__TRACE_YES_NO;
    case MTLCAP__ASK_ID:
    case MTLCAP__ASK_COUNT:
        return MTLCAP__TRACE_ASKS_ARGUMENT;
    case MTLCAP__ASK_SIZE3:
        return MTLCAP__TRACE_SIZE3;
    case MTLCAP__ASK_OBJECT:
        return MTLCAP__TRACE_OBJECT;
    default:
        return MTLCAP__TRACE_NUMBER;
    }
}

static void fill_capabilities(struct mtlcap__trace_layout *table) {
    for (size_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++) {
        const struct mtlcap__capability *from = &mtlcap__capabilities[i];
        struct mtlcap__trace_capability *to = &table->capabilities[i];
        snprintf(to->key, sizeof to->key, "%s", from->key);
        snprintf(to->selector, sizeof to->selector, "%s", from->selector);
        to->kind = from->kind;
        to->shape = shape_of(from);
        to->change = from->change;
        to->first = from->first;
        to->last = from->last;
        to->named = from->named;
    }
}

void mtlcap__trace_layout_begin(struct mtlcap__trace_layout *table, uint32_t events) {
    struct mtlcap__trace_header *head = &table->header;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    head->version = MTLCAP__TRACE_VERSION;
    head->size = (uint32_t)mtlcap__trace_layout_size(events);
    head->pid = getpid();
    head->process = mtlcap__host_process(head->pid);
    head->started = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    head->active = 1;
    head->text_used = 1; /* 0 is no text */
    head->capabilities = SECTION(table, capabilities, MTLCAP__CAPABILITY_COUNT);
    head->devices = SECTION(table, devices, MTLCAP__TRACE_DEVICES);
    head->unwatched = SECTION(table, unwatched, MTLCAP__TRACE_UNWATCHED);
    head->images = SECTION(table, images, MTLCAP__TRACE_IMAGES);
    head->entries = SECTION(table, entries, MTLCAP__TRACE_ENTRIES);
    head->events = SECTION(table, events, events);
    head->text = SECTION(table, text, MTLCAP__TRACE_TEXT);
    head->applied = SECTION(table, applied, MTLCAP__TRACE_APPLIED);
    fill_capabilities(table);
    memcpy(head->magic, MTLCAP__TRACE_MAGIC, sizeof head->magic);
}

/* ---- what is put into it ---------------------------------------------------------- */

uint32_t mtlcap__trace_text(struct mtlcap__trace_layout *table, const char *text) {
    const size_t size = strlen(text) + 1;
    if (size == 1 || size > MTLCAP__TRACE_TEXT)
        return 0;
    uint32_t at = atomic_load_explicit(&table->header.text_used, memory_order_relaxed);
    do
        if (at > MTLCAP__TRACE_TEXT - size)
            return 0;
    while (!atomic_compare_exchange_weak(&table->header.text_used, &at, at + (uint32_t)size));
    memcpy(table->text + at, text, size);
    return at;
}

void mtlcap__trace_entry_copy(struct mtlcap__trace_entry *to,
                              const struct mtlcap__trace_entry *from) {
    to->row = from->row;
    to->device = from->device;
    to->decided = from->decided;
    to->caller = from->caller;
    to->argument = from->argument;
    memcpy(to->answer, from->answer, sizeof to->answer);
    to->first = from->first;
    memcpy(to->stock, from->stock, sizeof to->stock);
    to->flags = from->flags;
    to->capability = from->capability;
    to->text = from->text;
}

/* ---- a copy ----------------------------------------------------------------------- */

/* Of text, only what something leads to: the rest may be half written. */
static uint32_t copy_text(struct mtlcap__trace_layout *to, const struct mtlcap__trace_layout *from,
                          uint32_t at) {
    if (at)
        strcpy(to->text + at, from->text + at);
    return at;
}

static void copy_header(struct mtlcap__trace_layout *to, const struct mtlcap__trace_layout *from) {
    memcpy(to->header.magic, from->header.magic, sizeof to->header.magic);
    to->header.version = from->header.version;
    to->header.size = from->header.size;
    to->header.pid = from->header.pid;
    to->header.process = from->header.process;
    to->header.started = from->header.started;
    to->header.capabilities = from->header.capabilities;
    to->header.devices = from->header.devices;
    to->header.unwatched = from->header.unwatched;
    to->header.images = from->header.images;
    to->header.entries = from->header.entries;
    to->header.events = from->header.events;
    to->header.text = from->header.text;
    to->header.applied = from->header.applied;
    to->header.active = from->header.active;
    to->header.complete = from->header.complete;
    to->header.program = copy_text(to, from, from->header.program);
    to->header.profile = copy_text(to, from, from->header.profile);
    to->header.device_count = from->header.device_count;
    to->header.unwatched_count = from->header.unwatched_count;
    to->header.image_count = from->header.image_count;
    to->header.opened_late = from->header.opened_late;
    to->header.applied_count = from->header.applied_count;
    to->header.thread_count = from->header.thread_count;
    to->header.dropped = from->header.dropped;
    to->header.event_count = from->header.event_count;
}

static void copy_entry(struct mtlcap__trace_layout *to, struct mtlcap__trace_layout *from,
                       size_t i) {
    struct mtlcap__trace_entry *entry = &from->entries[i], *copied = &to->entries[i];
    const uint32_t state = atomic_load_explicit(&entry->state, memory_order_acquire);
    if (state != MTLCAP__TRACE_FILLED)
        return;
    mtlcap__trace_entry_copy(copied, entry);
    copy_text(to, from, entry->text);
    copied->state = state;
    copied->count = entry->count;
    copied->threads = entry->threads;
    copied->image = copy_text(to, from, entry->image);
    copied->symbol = copied->image ? copy_text(to, from, entry->symbol) : 0;
    copied->late = atomic_load_explicit(&entry->late, memory_order_acquire);
    copied->late_answer = copied->late ? copy_text(to, from, entry->late_answer) : 0;
}

static void copy_change(struct mtlcap__trace_layout *to, struct mtlcap__trace_layout *from,
                        size_t i) {
    const uint64_t ns = atomic_load_explicit(&from->applied[i].ns, memory_order_acquire);
    if (!ns)
        return;
    to->applied[i].profile = copy_text(to, from, from->applied[i].profile);
    to->applied[i].ns = ns;
}

static void copy_event(struct mtlcap__trace_layout *to, struct mtlcap__trace_layout *from,
                       size_t i) {
    const uint32_t entry = atomic_load_explicit(&from->events[i].entry, memory_order_acquire);
    if (!entry)
        return;
    to->events[i].ns = from->events[i].ns;
    to->events[i].thread = from->events[i].thread;
    to->events[i].entry = entry;
}

/* What counts what is filled is copied before that, and events before the entries that they name.
 */
void mtlcap__trace_layout_copy(struct mtlcap__trace_layout *to, struct mtlcap__trace_layout *from,
                               uint32_t events) {
    copy_header(to, from);
    memcpy(to->capabilities, from->capabilities, sizeof to->capabilities);
    memcpy(to->devices, from->devices, to->header.device_count * sizeof to->devices[0]);
    memcpy(to->unwatched, from->unwatched, to->header.unwatched_count * sizeof to->unwatched[0]);
    for (size_t i = 0; i < to->header.image_count; i++) {
        to->images[i] = from->images[i];
        copy_text(to, from, from->images[i].path);
    }
    for (size_t i = 0; i < events && i < to->header.event_count; i++)
        copy_event(to, from, i);
    for (size_t i = 0; i < MTLCAP__TRACE_ENTRIES; i++)
        copy_entry(to, from, i);
    for (size_t i = 0; i < MTLCAP__TRACE_APPLIED; i++)
        copy_change(to, from, i);
}
