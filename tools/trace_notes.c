/* What a table or a log of questions does not tell by itself. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "output.h"
#include "trace.h"

static const char *plural(uint64_t count, const char *one, const char *more) {
    return count == 1 ? one : more;
}

static void write_sum(const struct trace_process *process) {
    const struct mtlcap_trace *info = &process->reading.info;
    uint64_t changed = 0;
    for (uint32_t i = 0; i < process->row_count; i++)
        changed += process->rows[i].changed;
    output("%" PRIu32 " %s, asked %" PRIu64 " %s; ", process->row_count,
           plural(process->row_count, "question", "questions"), info->asked,
           plural(info->asked, "time", "times"));
    if (changed == 0)
        output("every answer is stock.\n");
    else
        output("%" PRIu64 " %s not stock (* by a rule, ~ derived from one).\n", changed,
               plural(changed, "answer is", "answers are"));
}

static void write_early(const struct trace_process *process) {
    for (uint32_t i = 0; i < process->row_count; i++) {
        const struct trace_row *row = &process->rows[i];
        char name[256];
        if (row->late == NULL)
            continue;
        const struct mtlcap__trace_applied *applied = &process->reading.applied[row->late->applied];
        trace_question_name(row->question, name, sizeof name);
        output("Asked too early: ");
        output_text(name);
        output(" after %.3f ms: ", (double)row->question->first_ns / 1e6);
        output_text(row->question->answer);
        output(", and ");
        output_text(row->late->answer);
        output(" only from profile ");
        output_text(applied->profile);
        output(" on, which came after %.3f ms; what keeps the first answer does not see it.\n",
               (double)applied->ns / 1e6);
    }
}

static void write_unwatched(const struct trace_process *process) {
    for (uint32_t i = 0; i < process->reading.info.unwatched_count; i++) {
        const struct mtlcap_trace_unwatched *unwatched = &process->reading.unwatched[i];
        output("Not watched: ");
        output_text(unwatched->selector);
        output(" of ");
        output_text(unwatched->class_name);
        output(": ");
        output_text(unwatched->reason);
        output(".\n");
    }
}

void trace_write_notes(const struct trace_process *process) {
    const struct mtlcap__trace_reading *reading = &process->reading;
    write_sum(process);
    write_early(process);
    if (reading->opened_late)
        output("The library was opened by a program that ran already: what it had asked before is "
               "not here, and was answered as stock.\n");
    if (reading->info.dropped > 0)
        output("Not noted: %" PRIu64 " times that it asked, for which there was no room.\n",
               reading->info.dropped);
    write_unwatched(process);
    if (process->runs_on)
        output("It still runs, or another process of its number: what it asks from now on is not "
               "here, and which functions ask is known at its end only.\n");
    else if (!reading->complete)
        output("Its end is not in the trace (it was killed, or still runs), so the functions that "
               "asked are not known.\n");
}
