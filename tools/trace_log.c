/* The questions one by one, in their order. */
#include <inttypes.h>
#include <stdlib.h>

#include "command.h"
#include "output.h"
#include "trace.h"

/* Events are noted by many threads: their times may be out of order by a little. */
static int compare_events(const void *left, const void *right) {
    const struct mtlcap_trace_event *const *a = left, *const *b = right;
    if ((*a)->ns != (*b)->ns)
        return (*a)->ns < (*b)->ns ? -1 : 1;
    return *a < *b ? -1 : *a > *b;
}

const struct mtlcap_trace_event **trace_events(const struct trace_process *process) {
    uint32_t count = process->reading.info.event_count;
    const struct mtlcap_trace_event **events = allocate(count, sizeof *events);
    for (uint32_t i = 0; i < count; i++)
        events[i] = &process->reading.events[i];
    qsort(events, count, sizeof *events, compare_events);
    return events;
}

static void write_event(const struct trace_process *process,
                        const struct mtlcap_trace_event *event) {
    const struct mtlcap_trace_question *question = &process->reading.questions[event->question];
    const struct trace_row *row = &process->rows[process->row_of[event->question]];
    char name[256];
    trace_question_name(question, name, sizeof name);
    output("%12.6f s  thread %" PRIu32 "  ", (double)event->ns / 1e9, event->thread);
    output_text(name);
    output(": ");
    output_text(question->answer);
    if (row->changed) {
        output(" (stock: ");
        output_text(question->stock);
        output("%s)", question->derived ? ", derived" : "");
    }
    if (question->symbol[0] != '\0') {
        output("  ");
        output_text(question->symbol);
    }
    output("\n");
}

static void write_applied(const struct mtlcap__trace_applied *applied) {
    output("%12.6f s  ", (double)applied->ns / 1e9);
    output_text(applied->profile[0] != '\0' ? "in force: profile " : "restored: stock answers");
    output_text(applied->profile);
    output("\n");
}

/* What was asked, and between that, what came into force. */
static void write_events(const struct trace_process *process) {
    const struct mtlcap__trace_reading *reading = &process->reading;
    const struct mtlcap_trace_event **events = trace_events(process);
    uint32_t next = 0;
    for (uint32_t i = 0; i < reading->info.event_count; i++) {
        for (; next < reading->applied_count && reading->applied[next].ns <= events[i]->ns; next++)
            write_applied(&reading->applied[next]);
        write_event(process, events[i]);
    }
    for (; next < reading->applied_count; next++)
        write_applied(&reading->applied[next]);
    free(events);
}

void trace_write_log(const struct trace *trace) {
    bool between = false;
    for (size_t i = 0; i < trace->count; i++) {
        const struct trace_process *process = &trace->processes[i];
        const struct mtlcap_trace *info = &process->reading.info;
        if (process->row_count == 0)
            continue;
        output("%s", between ? "\n" : "");
        between = true;
        trace_write_heading(process);
        write_events(process);
        if (info->events_dropped > 0)
            output("Not in the log: %" PRIu64 " more, for which there was no room.\n",
                   info->events_dropped);
        else if (info->event_count == 0)
            output("There is no log in this trace: MTLCAP_TRACE_EVENTS was not set.\n");
        trace_write_notes(process);
    }
}
