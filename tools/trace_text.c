/* The summary of a trace, for people. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "environment.h"
#include "output.h"
#include "table.h"
#include "term.h"
#include "trace.h"

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* An answer, and a size in bytes also in a larger unit. */
static void answer_text(const struct mtlcap_trace_question *question, const char *answer,
                        char *text, size_t size) {
    char *end, larger[32];
    unsigned long long bytes = strtoull(answer, &end, 10);
    snprintf(text, size, "%s", answer);
    if (question->kind != MTLCAP_KIND_SIZE || *end != '\0' || bytes < 1024)
        return;
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        struct mtlcap_capability capability = catalog_capability(i);
        if (strcmp(capability.key, question->capability) == 0 &&
            strcmp(capability.unit, "bytes") == 0) {
            catalog_bytes_text(bytes, larger, sizeof larger);
            snprintf(text, size, "%s (%s)", answer, larger);
        }
    }
}

/* ---- who asked --------------------------------------------------------------- */

static bool is_same_place(const struct mtlcap_trace_question *a,
                          const struct mtlcap_trace_question *b) {
    return strcmp(a->symbol, b->symbol) == 0 && strcmp(a->image, b->image) == 0;
}

/* How many functions there are beside the first caller's, as far as they have names. */
static uint32_t count_others(const struct trace_process *process, const struct trace_row *row) {
    const struct mtlcap_trace_question *questions = process->reading.questions;
    uint32_t count = 0;
    for (uint32_t i = 1; i < row->caller_count; i++) {
        bool known = false;
        for (uint32_t j = 0; j < i && !known; j++)
            known = is_same_place(&questions[row->callers[i]], &questions[row->callers[j]]);
        count += !known;
    }
    return count;
}

/* "ggml_metal_device_init in libggml-metal.dylib, and 2 more". To be freed. */
static char *caller_text(const struct trace_process *process, const struct trace_row *row) {
    const struct mtlcap_trace_question *first = row->question;
    uint32_t others = count_others(process, row);
    const char *image = base_name(first->image);
    bool by_program = strcmp(first->image, process->reading.program) == 0;
    char more[32] = "";
    if (others > 0)
        snprintf(more, sizeof more, ", and %" PRIu32 " more", others);
    if (first->symbol[0] == '\0')
        return image[0] != '\0' ? joined("in ", image, more, NULL) : joined("?", more, NULL);
    return by_program ? joined(first->symbol, more, NULL)
                      : joined(first->symbol, " in ", image, more, NULL);
}

/* ---- rows -------------------------------------------------------------------- */

static const char *mark(const struct trace_row *row, const char **style) {
    *style =
        row->changed ? row->question->derived ? term_style()->derived : term_style()->changed : "";
    return !row->changed ? "  " : row->question->derived ? "~ " : "* ";
}

static void add_row(struct table *table, const struct trace_process *process,
                    const struct trace_row *row, const char *name) {
    const struct mtlcap_trace_question *question = row->question;
    char answer[192], stock[192], count[24], first[32], threads[16];
    const char *style, *sign = mark(row, &style);
    char *key = joined(sign, question->capability[0] != '\0' ? question->capability : "-", NULL);
    answer_text(question, question->answer, answer, sizeof answer);
    if (question->stock_known)
        answer_text(question, row->changed ? question->stock : "", stock, sizeof stock);
    else
        snprintf(stock, sizeof stock, "?");
    snprintf(count, sizeof count, "%" PRIu64, row->count);
    snprintf(first, sizeof first, "%.3f ms", (double)question->first_ns / 1e6);
    snprintf(threads, sizeof threads, "%" PRIu32, row->threads);
    char *caller = caller_text(process, row);
    TABLE_ADD(table, style, key, name, answer, stock, count, first, threads, caller);
    free(caller);
    free(key);
}

static bool is_of_device(const struct mtlcap_trace_question *a,
                         const struct mtlcap_trace_question *b) {
    return strcmp(a->device_name, b->device_name) == 0 && strcmp(a->class_name, b->class_name) == 0;
}

static bool is_alike(const struct trace_row *a, const struct trace_row *b) {
    return trace_question_is_unknown(a->question) && trace_question_is_unknown(b->question) &&
           !a->changed && !b->changed && is_of_device(a->question, b->question) &&
           strcmp(a->question->selector, b->question->selector) == 0 &&
           strcmp(a->question->capability, b->question->capability) == 0 &&
           strcmp(a->question->answer, b->question->answer) == 0;
}

/*
 * Programs go down from constants far above those that there are: unknown ones with one answer make
 * one line, that of the first. False: row `index` is in another's line.
 */
static bool fold(const struct trace_process *process, uint32_t index, struct trace_row *line,
                 char *name, size_t size) {
    int64_t least = process->rows[index].question->argument, most = least;
    uint32_t alike = 1;
    *line = process->rows[index];
    for (uint32_t i = 0; i < process->row_count; i++) {
        const struct trace_row *row = &process->rows[i];
        if (i == index || !is_alike(row, &process->rows[index]))
            continue;
        if (i < index)
            return false;
        alike++;
        line->count += row->count;
        line->threads = row->threads > line->threads ? row->threads : line->threads;
        least = row->question->argument < least ? row->question->argument : least;
        most = row->question->argument > most ? row->question->argument : most;
    }
    if (alike == 1)
        trace_question_name(line->question, name, size);
    else
        snprintf(name, size, "%s %" PRId64 " to %" PRId64 " (%" PRIu32 " unknown)",
                 line->question->selector, least, most, alike);
    return true;
}

/* Of rows of one process, those of this device. */
static void write_device(const struct trace_process *process,
                         const struct mtlcap_trace_question *of) {
    struct table table = {.indent = ""};
    TABLE_ADD(&table, term_style()->heading, "  key", "Metal's name", "answer", "stock", "times",
              "first after", "threads", "asked by");
    for (uint32_t i = 0; i < process->row_count; i++) {
        struct trace_row line;
        char name[256];
        if (is_of_device(process->rows[i].question, of) &&
            fold(process, i, &line, name, sizeof name))
            add_row(&table, process, &line, name);
    }
    output("%s", term_style()->heading);
    output_text(of->device_name);
    output(" (");
    output_text(of->class_name);
    output(")%s\n", term_style()->end);
    table_write(&table);
}

static void explain_unknown(const struct trace_process *process) {
    for (uint32_t i = 0; i < process->row_count; i++)
        if (trace_question_is_unknown(process->rows[i].question)) {
            output("unknown: a constant for which Metal has no name, as far as is known.\n");
            return;
        }
}

static bool is_first_of_device(const struct mtlcap__trace_reading *reading, uint32_t index) {
    const struct mtlcap_trace_question *questions = reading->questions;
    for (uint32_t i = 0; i < index; i++)
        if (is_of_device(&questions[i], &questions[index]))
            return false;
    return true;
}

void trace_write_heading(const struct trace_process *process) {
    const struct mtlcap__trace_reading *reading = &process->reading;
    output("%s", term_style()->heading);
    output_text(reading->program[0] != '\0' ? base_name(reading->program) : "a program");
    output(", process %" PRId64 ", profile ", reading->pid);
    output_text(reading->profile[0] != '\0' ? reading->profile : "stock");
    output("%s\n", term_style()->end);
}

void trace_write_summary(const struct trace *trace) {
    bool between = false;
    for (size_t i = 0; i < trace->count; i++) {
        const struct trace_process *process = &trace->processes[i];
        if (process->row_count == 0)
            continue;
        output("%s", between ? "\n" : "");
        between = true;
        trace_write_heading(process);
        for (uint32_t j = 0; j < process->reading.info.question_count; j++)
            if (is_first_of_device(&process->reading, j))
                write_device(process, &process->reading.questions[j]);
        explain_unknown(process);
        trace_write_notes(process);
    }
    if (!between) /* a complaint has told why */
        output("%s", trace->count > 0 ? "No device was asked anything.\n" : "There is no trace.\n");
    else
        output("\nWhat this means for a client: mtlcap trace --json -o FILE, and mtlcap explain "
               "--from "
               "FILE\n");
}
