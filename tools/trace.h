/* mtlcap trace: what programs asked of Metal, read from the tables that the injected library
 * leaves, one a process. */
#ifndef TOOLS_TRACE_H
#define TOOLS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/trace_read.h"

/* ---- what was asked (trace_rows.c) ------------------------------------------ */

/* A question and its answer, whoever asked. */
struct trace_row {
    const struct mtlcap_trace_question *question; /* of who asked first */
    const struct mtlcap__trace_late *late;        /* a profile came too late for it; NULL: none */
    bool changed;                                 /* the answer is not the stock one */
    int importance;                               /* the least first */
    uint64_t count;
    uint32_t threads;  /* of the caller who asked on the most */
    uint32_t *callers; /* their indices in the reading, by when they asked first */
    uint32_t caller_count;
};

struct trace_process {
    struct mtlcap__trace_reading reading;
    struct trace_row *rows; /* the most important first */
    uint32_t row_count;
    uint32_t *row_of; /* by index of a question of the reading */
    bool runs_on;     /* when its table was read, after the program's end */
};

struct trace {
    struct trace_process *processes;
    size_t count;
};

/* Adds the process of this reading, which it takes over. */
void trace_add(struct trace *trace, struct mtlcap__trace_reading *reading);
void trace_free(struct trace *trace);

/* "MTLGPUFamilyApple7", "maxBufferLength", "supportsTextureSampleCount: 4" */
void trace_question_name(const struct mtlcap_trace_question *question, char *text, size_t size);

/* It asks for a constant for which Metal has no name, as far as is known. */
bool trace_question_is_unknown(const struct mtlcap_trace_question *question);

/* ---- tables of a run (trace_tables.c) --------------------------------------- */

/* What MTLCAP_TRACE is to be, for tables in this folder. To be freed. */
char *trace_tables_pattern(const char *folder);

/* Reads them, that of the program, which was started and has ended, first. Of one that cannot be
 * read the user is told. */
void trace_tables_read(const char *folder, pid_t program, struct trace *trace);

/* What they come to so far. */
struct trace_sum {
    uint64_t asked, questions, changed;
};
struct trace_sum trace_tables_sum(const char *folder);

/* ---- while it runs (trace_live.c) ------------------------------------------- */

struct trace_live {
    const char *folder; /* of the tables */
    int terminal;       /* -1: nothing is shown */
    int width;          /* of what stands there */
};

enum trace_live_when { TRACE_LIVE_ALONE, TRACE_LIVE_ALWAYS, TRACE_LIVE_NEVER };

/* Is there a terminal to show counters on? TRACE_LIVE_ALONE: one that the program does not write
 * to. */
struct trace_live trace_live_start(const char *folder, enum trace_live_when when);
void trace_live_draw(struct trace_live *live);
void trace_live_end(struct trace_live *live);

/* ---- writing ----------------------------------------------------------------- */

void trace_write_summary(const struct trace *trace); /* trace_text.c */
void trace_write_log(const struct trace *trace);     /* trace_log.c */
void trace_write_json(const struct trace *trace);    /* trace_json.c */

/* What precedes and follows the table or the log of a process. */
void trace_write_heading(const struct trace_process *process); /* trace_text.c */
void trace_write_notes(const struct trace_process *process);   /* trace_notes.c */

/* The events of a process by their time (trace_log.c). To be freed. */
const struct mtlcap_trace_event **trace_events(const struct trace_process *process);

#endif
