/* A table of a trace, made by hand: what a process that is traced would write. */
#ifndef MTLCAP_TESTS_TRACE_MADE_H
#define MTLCAP_TESTS_TRACE_MADE_H

#include <stdlib.h>
#include <string.h>

#include "core/trace_table.h"
#include "mtlcap/mtlcap.h"

struct made {
    struct mtlcap__trace_header head;
    struct mtlcap__trace_capability capabilities[3];
    struct mtlcap__trace_device devices[2];
    struct mtlcap__trace_unwatched unwatched[2];
    struct mtlcap__trace_image images[2];
    struct mtlcap__trace_entry entries[16];
    struct mtlcap__trace_event events[4];
    char text[256];
    struct mtlcap__trace_change applied[2];
};

enum { MADE_APPLE, MADE_METAL, MADE_MEMORY };

static inline uint32_t made_text(struct made *made, const char *text) {
    const uint32_t offset = made->head.text_used;
    strcpy(made->text + offset, text);
    made->head.text_used += (uint32_t)strlen(text) + 1;
    return offset;
}

#define MADE_SECTION(part)                                                                         \
    (struct mtlcap__trace_section){offsetof(struct made, part),                                    \
                                   sizeof made->part / sizeof made->part[0], sizeof made->part[0], \
                                   0}

#define MADE_FAMILY(name, first_, last_, named_)                                                   \
    (struct mtlcap__trace_capability) {                                                            \
        .key = name, .selector = "supportsFamily:", .kind = MTLCAP_KIND_FAMILY,                    \
        .shape = MTLCAP__TRACE_ASKS_ARGUMENT, .first = (first_), .last = (last_),                  \
        .named = (named_)                                                                          \
    }

/* With two devices, three capabilities and an image from 0x1000 to 0x2000; to be freed. */
static inline struct made *made_new(void) {
    struct made *made = calloc(1, sizeof *made);
    struct mtlcap__trace_header *head = &made->head;
    memcpy(head->magic, MTLCAP__TRACE_MAGIC, sizeof head->magic);
    head->version = MTLCAP__TRACE_VERSION;
    head->size = sizeof *made;
    head->pid = 4711;
    head->started = 1000000000;
    head->active = 1;
    head->text_used = 1;
    head->capabilities = MADE_SECTION(capabilities);
    head->devices = MADE_SECTION(devices);
    head->unwatched = MADE_SECTION(unwatched);
    head->images = MADE_SECTION(images);
    head->entries = MADE_SECTION(entries);
    head->events = MADE_SECTION(events);
    head->text = MADE_SECTION(text);
    head->applied = MADE_SECTION(applied);
    made->capabilities[MADE_APPLE] = MADE_FAMILY("apple", 1001, 1010, -1000);
    made->capabilities[MADE_METAL] = MADE_FAMILY("metal", 5001, 5002, -4998);
    made->capabilities[MADE_MEMORY] =
        (struct mtlcap__trace_capability){.key = "threadgroup_memory",
                                          .selector = "maxThreadgroupMemoryLength",
                                          .kind = MTLCAP_KIND_SIZE,
                                          .shape = MTLCAP__TRACE_NUMBER};
    made->devices[0] = (struct mtlcap__trace_device){"AppleParavirtDevice", "Apple Paravirtual"};
    made->devices[1] = (struct mtlcap__trace_device){"AGXG13GDevice", "Apple M1"};
    head->device_count = 2;
    made->images[0] = (struct mtlcap__trace_image){0x1000, 0x2000, made_text(made, "/bin/asks"), 0};
    head->image_count = 1;
    head->program = made_text(made, "/bin/program");
    head->profile = made_text(made, "apple.min=7");
    return made;
}

/* Entry `i`: a question for an Apple family, asked `count` times from 0x1234. */
static inline struct mtlcap__trace_entry *made_entry(struct made *made, size_t i, int64_t argument,
                                                     uint64_t answer, uint64_t count) {
    made->entries[i] = (struct mtlcap__trace_entry){
        .state = MTLCAP__TRACE_FILLED,
        .row = MADE_APPLE,
        .capability = MADE_APPLE,
        .caller = 0x1234,
        .argument = argument,
        .answer = {answer},
        .stock = {answer},
        .flags = MTLCAP__TRACE_STOCK_KNOWN,
        .count = count,
        .threads = 1,
        .first = 100 - i,
    };
    return &made->entries[i];
}

#endif
