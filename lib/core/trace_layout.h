/* The layout of a table that this process makes. */
#ifndef MTLCAP_CORE_TRACE_LAYOUT_H
#define MTLCAP_CORE_TRACE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "capability.h"
#include "trace_table.h"

struct mtlcap__trace_layout {
    struct mtlcap__trace_header header;
    struct mtlcap__trace_capability capabilities[MTLCAP__CAPABILITY_COUNT];
    struct mtlcap__trace_device devices[MTLCAP__TRACE_DEVICES];
    struct mtlcap__trace_unwatched unwatched[MTLCAP__TRACE_UNWATCHED];
    struct mtlcap__trace_image images[MTLCAP__TRACE_IMAGES];
    struct mtlcap__trace_entry entries[MTLCAP__TRACE_ENTRIES];
    char text[MTLCAP__TRACE_TEXT];
    struct mtlcap__trace_change applied[MTLCAP__TRACE_APPLIED];
    struct mtlcap__trace_event events[]; /* as many as header.events says */
};

static inline size_t mtlcap__trace_layout_size(uint32_t events) {
    return sizeof(struct mtlcap__trace_layout) + events * sizeof(struct mtlcap__trace_event);
}

_Static_assert(offsetof(struct mtlcap__trace_layout, entries) % 64 == 0 &&
                   sizeof(struct mtlcap__trace_entry) == 128,
               "what is looked at for each question is on one line of the cache");

/* Makes a table of zeros an empty one, of which a reader knows that it is one. */
void mtlcap__trace_layout_begin(struct mtlcap__trace_layout *table, uint32_t events);

/* Copies a table with room for `events` into zeros of its size. Hooks may note meanwhile. */
void mtlcap__trace_layout_copy(struct mtlcap__trace_layout *to, struct mtlcap__trace_layout *from,
                               uint32_t events);

/* Puts text into a table; 0: it is "", or there is no room. */
uint32_t mtlcap__trace_text(struct mtlcap__trace_layout *table, const char *text);

/* Copies what does not change any more once an entry is filled. */
void mtlcap__trace_entry_copy(struct mtlcap__trace_entry *to,
                              const struct mtlcap__trace_entry *from);

#endif
