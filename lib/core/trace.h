/*
 * A trace: who asked which device what, and got which answer. mtlcap.h has the meaning.
 *
 * trace.c         starts and stops it, and tells what came of it
 * trace_cover.c   puts hooks on everything that there is to ask
 * trace_note.c    what hooks do then
 * trace_callers.c who asked
 * trace_late.c    which profile came into force when, and who had asked before
 * trace_room.c    memory or a file for the table
 * trace_table.h   the table; trace_read.c reads it, and trace_text.c names what is in it
 */
#ifndef MTLCAP_CORE_TRACE_H
#define MTLCAP_CORE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "device.h"
#include "engine.h"
#include "mtlcap/mtlcap.h"
#include "trace_note.h"

/* As the public functions of these names. */
int mtlcap__trace_start(const struct mtlcap_trace_options *options);
int mtlcap__trace_stop(void);
int mtlcap__trace_info(struct mtlcap_trace *info);
int mtlcap__trace_question_info(uint32_t index, struct mtlcap_trace_question *info);
int mtlcap__trace_event_info(uint32_t index, struct mtlcap_trace_event *info);
int mtlcap__trace_unwatched_info(uint32_t index, struct mtlcap_trace_unwatched *info);

/* Begins to note, without a look at devices: Metal may not be in the process yet. On a turn. */
int mtlcap__trace_begin(const char *file, uint32_t events);

bool mtlcap__trace_is_on(void);

/* Is this device's class watched? */
bool mtlcap__trace_covers(mtlcap__class cls);

/* Tells what is going to be noted which devices are known. */
void mtlcap__trace_number_devices(struct mtlcap__noting *noting);

/* If there is a trace, watches every device that is known. On a turn. */
void mtlcap__trace_cover(void);

/* With the lock: a profile has come into force, or, if `again`, is so for a device more; it no
 * longer is. */
void mtlcap__trace_applied(const struct mtlcap__record *record, bool again);
void mtlcap__trace_restored(void);

/* The table now, NULL: none. It stays the one that is in use as long as the lock is held; after
 * that its pages may become those of another trace. */
struct mtlcap__trace_layout *mtlcap__trace_table(void);

/* Takes down which images there are, for who is ended before callers are resolved, and: does so,
 * and resolves them. Both take the loader's lock. */
void mtlcap__trace_take_images(void);
void mtlcap__trace_resolve_callers(void);

/* This is a forked child now: its threads are others. */
void mtlcap__trace_forked(void);
void mtlcap__trace_callers_forked(void);

#endif
