/* Starts and stops a trace, and tells what came of it. */
#include "trace.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"
#include "error.h"
#include "lock.h"
#include "structure.h"
#include "trace_read.h"
#include "trace_room.h"

static atomic_bool on;
static struct mtlcap__trace_reading reading; /* guarded by the lock */
static bool is_read;                         /* guarded by the lock: indices are of `reading` */

bool mtlcap__trace_is_on(void) {
    return atomic_load(&on);
}

struct mtlcap__trace_layout *mtlcap__trace_table(void) {
    struct mtlcap__noting *noting = atomic_load(&mtlcap__noting);
    return noting ? atomic_load(&noting->table) : NULL;
}

/* ---- starting -------------------------------------------------------------------- */

static void forget_reading(void) {
    mtlcap__lock();
    struct mtlcap__trace_reading old = reading;
    memset(&reading, 0, sizeof reading);
    is_read = false;
    mtlcap__unlock();
    mtlcap__trace_reading_free(&old);
}

/* Nothing more comes into it. A child that was forked shares it, and is not the last one. */
static void finish(struct mtlcap__trace_layout *table) {
    if (table->header.pid != getpid())
        return;
    atomic_store(&table->header.active, 0);
    atomic_store(&table->header.complete, 1);
}

/* With the lock. */
static void put_on(bool tracing) {
    atomic_store(&on, tracing);
    mtlcap__detour_trace(tracing);
}

/* From now on it is noted there. */
static void put_in_use(struct mtlcap__noting *noting) {
    mtlcap__lock();
    struct mtlcap__trace_layout *before = mtlcap__trace_table();
    if (before)
        finish(before);
    atomic_store_explicit(&mtlcap__noting, noting, memory_order_release);
    const struct mtlcap__record *record = mtlcap__record_in_force();
    put_on(true);
    if (record)
        mtlcap__trace_applied(record, false);
    mtlcap__unlock();
}

/* Never 0, which is that of a thread without a number. */
static uint32_t next_epoch(void) {
    static atomic_uint last;
    const uint32_t epoch = atomic_fetch_add(&last, 1) + 1;
    return epoch ? epoch : next_epoch();
}

void mtlcap__trace_forked(void) {
    struct mtlcap__noting *noting = atomic_load(&mtlcap__noting);
    if (noting)
        atomic_store(&noting->epoch, next_epoch());
    mtlcap__trace_callers_forked();
}

int mtlcap__trace_begin(const char *file, uint32_t events) {
    static struct mtlcap__noting rooms[2];
    static unsigned next;
    struct mtlcap__trace_file made = {NULL, NULL};
    const size_t size = mtlcap__trace_layout_size(events);
    struct mtlcap__trace_layout *table = mtlcap__trace_room(next, size);
    int status = table ? MTLCAP_OK : MTLCAP_E_NO_MEMORY;
    if (!status && file)
        status = mtlcap__trace_room_map(table, size, file, &made);
    if (status)
        return status;
    mtlcap__trace_layout_begin(table, events);
    status = mtlcap__trace_file_show(&made);
    if (status)
        return status;
    struct mtlcap__noting *noting = &rooms[next];
    atomic_store(&noting->table, table);
    atomic_store(&noting->events, events);
    atomic_store(&noting->start, mtlcap__trace_clock());
    atomic_store(&noting->epoch, next_epoch());
    atomic_store(&noting->device_count, 0);
    mtlcap__trace_number_devices(noting);
    next = !next;
    put_in_use(noting);
    forget_reading();
    return MTLCAP_OK;
}

static int check_options(const struct mtlcap_trace_options *options) {
    int status = mtlcap__structure_check(options, sizeof *options);
    if (!status && options->file && !options->file[0])
        status = mtlcap__fail(MTLCAP_E_ARGUMENT, "options.file is \"\": give a path, or NULL to "
                                                 "keep the trace in memory");
    if (!status && options->events > MTLCAP_TRACE_EVENTS_MAX)
        status = mtlcap__fail(MTLCAP_E_ARGUMENT, "options.events is %u: at most %u are kept",
                              (unsigned)options->events, MTLCAP_TRACE_EVENTS_MAX);
    if (!status && options->reserved)
        status = mtlcap__fail(MTLCAP_E_ARGUMENT, "options.reserved is %u: it has to be 0",
                              (unsigned)options->reserved);
    return status;
}

int mtlcap__trace_start(const struct mtlcap_trace_options *options) {
    int status = options ? check_options(options) : MTLCAP_OK;
    if (!status)
        status = mtlcap__devices_prepare();
    if (!status) {
        mtlcap__rt_pin();                /* hooks are in place for good */
        mtlcap__trace_resolve_callers(); /* of the trace that ends by this one */
        status = mtlcap__turn_take();
    }
    if (status)
        return status;
    status = mtlcap__devices_refresh();
    if (!status)
        status = mtlcap__trace_begin(options ? options->file : NULL, options ? options->events : 0);
    if (!status)
        mtlcap__trace_cover();
    mtlcap__turn_give();
    if (!status)
        mtlcap__trace_take_images();
    return status;
}

/* ---- stopping -------------------------------------------------------------------- */

int mtlcap__trace_stop(void) {
    mtlcap__lock();
    put_on(false);
    struct mtlcap__trace_layout *table = mtlcap__trace_table();
    mtlcap__unlock();
    mtlcap__trace_resolve_callers();
    mtlcap__lock();
    if (table && table == mtlcap__trace_table()) /* or who began the next one has ended it */
        finish(table);
    mtlcap__unlock();
    return MTLCAP_OK;
}

/* ---- telling --------------------------------------------------------------------- */

static int fail_index(uint32_t index, const char *what, uint32_t count) {
    return mtlcap__fail(MTLCAP_E_ARGUMENT, "there is no %s %u: there are %u", what, (unsigned)index,
                        (unsigned)count);
}

/* A copy of the table in use, to be freed. The lock is held while it is copied, not while there is
 * a search for memory: a trace with room for more may have begun meanwhile. NULL: no memory. */
static struct mtlcap__trace_layout *copy_table(void) {
    struct mtlcap__trace_layout *copied = NULL;
    size_t size, room = 0;
    do {
        mtlcap__lock();
        const struct mtlcap__noting *noting = atomic_load(&mtlcap__noting);
        const uint32_t events = atomic_load(&noting->events);
        size = mtlcap__trace_layout_size(events);
        if (size <= room)
            mtlcap__trace_layout_copy(copied, atomic_load(&noting->table), events);
        mtlcap__unlock();
        if (size <= room)
            return copied;
        free(copied);
        copied = calloc(1, room = size);
    } while (copied);
    return NULL;
}

/* Reads what there is now. */
static int read_table(struct mtlcap__trace_reading *now) {
    memset(now, 0, sizeof *now);
    now->info.struct_size = sizeof now->info;
    if (!mtlcap__trace_table())
        return MTLCAP_OK;
    mtlcap__trace_resolve_callers();
    struct mtlcap__trace_layout *copied = copy_table();
    if (!copied)
        return mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for a trace");
    const int status = mtlcap__trace_read(copied, copied->header.size, now);
    now->info.active = mtlcap__trace_is_on(); /* in a forked child, another trace's */
    free(copied);
    return status;
}

int mtlcap__trace_info(struct mtlcap_trace *info) {
    int status = mtlcap__structure_check(info, sizeof *info);
    struct mtlcap__trace_reading now, before;
    if (!status)
        status = read_table(&now);
    if (status)
        return status;
    mtlcap__structure_fill(info, &now.info, sizeof now.info);
    mtlcap__lock();
    before = reading;
    reading = now;
    is_read = true;
    mtlcap__unlock();
    mtlcap__trace_reading_free(&before);
    return MTLCAP_OK;
}

/* Of who has not asked how many there are. */
static int look(void) {
    struct mtlcap_trace info = MTLCAP_TRACE_INIT;
    mtlcap__lock();
    const bool has_been = is_read;
    mtlcap__unlock();
    return has_been ? MTLCAP_OK : mtlcap__trace_info(&info);
}

/* Copies one of an array of the reading. */
#define TELL(info, index, array, array_count, what)                                                \
    do {                                                                                           \
        int status = mtlcap__structure_check(info, sizeof *(info));                                \
        if (!status)                                                                               \
            status = look();                                                                       \
        if (status)                                                                                \
            return status;                                                                         \
        mtlcap__lock();                                                                            \
        const uint32_t there = reading.info.array_count;                                           \
        if ((index) < there)                                                                       \
            mtlcap__structure_fill(info, &reading.array[index], sizeof *(info));                   \
        mtlcap__unlock();                                                                          \
        return (index) < there ? MTLCAP_OK : fail_index(index, what, there);                       \
    } while (0)

int mtlcap__trace_question_info(uint32_t index, struct mtlcap_trace_question *info) {
    TELL(info, index, questions, question_count, "question");
}

int mtlcap__trace_event_info(uint32_t index, struct mtlcap_trace_event *info) {
    TELL(info, index, events, event_count, "event");
}

int mtlcap__trace_unwatched_info(uint32_t index, struct mtlcap_trace_unwatched *info) {
    TELL(info, index, unwatched, unwatched_count, "unwatched question");
}
