/*
 * Noting: what a hook on the detour does with a question and its answer. It takes no lock and
 * allocates nothing; once a question is known, it calls nothing either but, for the log of events,
 * the clock.
 */
#ifndef MTLCAP_CORE_TRACE_NOTE_H
#define MTLCAP_CORE_TRACE_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hook.h"
#include "publish.h"
#include "trace_layout.h"

struct mtlcap__noted {
    uintptr_t caller; /* where the hook returns to */
    int64_t argument;
    uint64_t answer[3]; /* raw */
    uint64_t stock[3];  /* what the original said, if `passed` */
    mtlcap__id object;  /* the answer, if it is one */
    bool passed;        /* the original was asked */
    bool decided;       /* a rule spoke of it */
    bool active;        /* a profile was in force */
};

void mtlcap__trace_note(struct mtlcap__hook *hook, mtlcap__id self, struct mtlcap__noted *noted,
                        struct mtlcap__thread *thread);

/* A device that is traced. What it says by itself is looked up here: to ask it would be to call
 * into somebody else's code once more than the program did. */
struct mtlcap__traced_device {
    mtlcap__id base, object;
    mtlcap__class cls;
    atomic_bool early, snapshot; /* as struct mtlcap__device */
    struct {
        _Atomic uint64_t number[3], members;
    } stock[MTLCAP__CAPABILITY_COUNT]; /* as struct mtlcap__value */
};

/* What hooks note into now; NULL: nothing. Tables stay mapped: a hook that is late writes into one
 * that is not in use, or in use again. */
struct mtlcap__noting {
    struct mtlcap__trace_layout *_Atomic table;
    _Atomic uint32_t events;                                     /* room for them */
    _Atomic uint64_t start;                                      /* by mtlcap__trace_clock() */
    _Atomic uint32_t epoch;                                      /* numbers of threads are of it */
    _Atomic uint32_t device_count;                               /* those before are filled */
    struct mtlcap__traced_device devices[MTLCAP__TRACE_DEVICES]; /* as in the table */
};
extern _Atomic(struct mtlcap__noting *) mtlcap__noting;

/* Nanoseconds of a clock that does not jump. */
uint64_t mtlcap__trace_clock(void);

#endif
