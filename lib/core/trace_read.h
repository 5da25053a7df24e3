/*
 * Reads the table of a trace: of this process, or of a file, which may be anything: cut short, of
 * somebody else's, of another version, or written to at this moment.
 */
#ifndef MTLCAP_CORE_TRACE_READ_H
#define MTLCAP_CORE_TRACE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mtlcap/mtlcap.h"

/* A profile that came into force; "": stock answers did again. */
struct mtlcap__trace_applied {
    uint64_t ns; /* since the start */
    char profile[512];
};

/* A question that was answered as stock before a profile came that has another answer. */
struct mtlcap__trace_late {
    bool is_late;
    uint32_t applied; /* index of that */
    char answer[128]; /* its answer */
};

struct mtlcap__trace_reading {
    struct mtlcap_trace info;
    bool opened_late; /* the library was opened by a program that ran: it may have asked before */
    bool complete;    /* it was stopped, or the process ended, in order */
    int64_t pid;      /* of the process that began it */
    int64_t started;  /* nanoseconds since 1970 */
    char program[1024];
    char profile[512];                       /* in force; "": none */
    struct mtlcap_trace_question *questions; /* in the order in which they were asked first */
    struct mtlcap__trace_late *late;         /* by question */
    struct mtlcap_trace_event *events;
    struct mtlcap_trace_unwatched *unwatched;
    struct mtlcap__trace_applied *applied; /* in their order */
    uint32_t applied_count;
    uint32_t applied_dropped; /* beyond what there is room for */
};

/*
 * Reads a table, of `size` bytes, that does not change meanwhile, and is aligned as malloc()
 * aligns. On success the reading is to be freed. E_FILE: it is no table, or not one of this
 * version; E_NO_MEMORY.
 */
int mtlcap__trace_read(const void *bytes, size_t size, struct mtlcap__trace_reading *reading);

/* The same of a file, of its present content. E_FILE also: it cannot be read. */
int mtlcap__trace_read_file(const char *path, struct mtlcap__trace_reading *reading);

void mtlcap__trace_reading_free(struct mtlcap__trace_reading *reading);

/* Do the first bytes of a file say that it is the table of a trace, of any version? */
enum { MTLCAP__TRACE_SIGN = 16 };
bool mtlcap__trace_is_table(const void *bytes, size_t size);

#endif
