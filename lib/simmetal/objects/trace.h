/* The record of dispatches: SIMMETAL_TRACE=FILE. Plain C. */
#ifndef SIMMETAL_TRACE_H
#define SIMMETAL_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#define SIMMETAL_TRACE_MEMORY 31

struct simmetal_dispatch {
    const char *label;     /* of the pipeline; NULL: none */
    const char *function;  /* the kernel's name */
    const char *constants; /* its function constants, as INDEX=VALUE,...; may be empty */
    bool in_threads;       /* the grid counts threads, not threadgroups */
    size_t grid[3];
    size_t threads[3];                    /* of a threadgroup */
    size_t memory[SIMMETAL_TRACE_MEMORY]; /* bytes of threadgroup memory at each index */
};

/* Whether somebody wants the record. */
bool simmetal_trace_enabled(void);

/* Appends one line, whole, whichever thread it comes from. */
void simmetal_trace_dispatch(const struct simmetal_dispatch *dispatch);

#endif
