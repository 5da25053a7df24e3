/* Brings together what several callers asked, and puts what matters most first. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "command.h"
#include "trace.h"

/* ---- importance ------------------------------------------------------------- */

/*
 * What comes after the answers that are not the stock ones: what the clients that are known choose
 * their kernels by, then what they size them by, then the rest; docs/trace.md says so, too.
 */
enum importance { KERNELS, SIZES, REST, UNKNOWN };

static const struct {
    int32_t kind;
    enum importance importance;
} by_kind[] = {
    {MTLCAP_KIND_FAMILY, KERNELS}, {MTLCAP_KIND_SIZE, SIZES}, {MTLCAP_KIND_SIZE3, SIZES},
    {MTLCAP_KIND_TIER, SIZES},     {MTLCAP_KIND_BOOL, REST},  {MTLCAP_KIND_COUNT, REST},
    {MTLCAP_KIND_TEXT, REST},
};

/* What no profile can change is of no use to one. */
static bool is_fixed(const char *key) {
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        struct mtlcap_capability capability = catalog_capability(i);
        if (strcmp(capability.key, key) == 0)
            return capability.change == 0;
    }
    return false;
}

static int importance_of(const struct mtlcap_trace_question *question) {
    if (question->capability[0] == '\0' || trace_question_is_unknown(question))
        return UNKNOWN;
    for (size_t i = 0; i < sizeof by_kind / sizeof by_kind[0]; i++)
        if (by_kind[i].kind == question->kind)
            return is_fixed(question->capability) ? REST : by_kind[i].importance;
    return REST;
}

/* ---- rows --------------------------------------------------------------------- */

static bool is_same_question(const struct mtlcap_trace_question *a,
                             const struct mtlcap_trace_question *b) {
    return a->argument == b->argument && a->has_argument == b->has_argument &&
           strcmp(a->selector, b->selector) == 0 && strcmp(a->class_name, b->class_name) == 0 &&
           strcmp(a->device_name, b->device_name) == 0;
}

static bool is_same_answer(const struct mtlcap_trace_question *a,
                           const struct mtlcap_trace_question *b) {
    return a->overridden == b->overridden && a->derived == b->derived &&
           strcmp(a->answer, b->answer) == 0;
}

static struct trace_row *find_row(struct trace_process *process,
                                  const struct mtlcap_trace_question *question) {
    for (uint32_t i = 0; i < process->row_count; i++)
        if (is_same_question(process->rows[i].question, question) &&
            is_same_answer(process->rows[i].question, question))
            return &process->rows[i];
    struct trace_row *row = &process->rows[process->row_count++];
    row->question = question; /* the reading has them by when they were asked first */
    row->importance = importance_of(question);
    row->changed = question->stock_known && strcmp(question->answer, question->stock) != 0;
    return row;
}

static void add_caller(struct trace_row *row, const struct mtlcap_trace_question *question,
                       uint32_t index) {
    uint32_t *longer = allocate(row->caller_count + 1, sizeof *longer);
    if (row->caller_count > 0)
        memcpy(longer, row->callers, row->caller_count * sizeof *longer);
    free(row->callers);
    row->callers = longer;
    row->callers[row->caller_count++] = index;
    row->count += question->count;
    if (question->thread_count > row->threads)
        row->threads = question->thread_count;
}

/* Of several callers, the first that was too early. */
static void find_late(struct trace_process *process, struct trace_row *row) {
    for (uint32_t i = 0; i < row->caller_count && row->late == NULL; i++)
        if (process->reading.late[row->callers[i]].is_late)
            row->late = &process->reading.late[row->callers[i]];
}

static int compare_rows(const void *left, const void *right) {
    const struct trace_row *a = left, *b = right;
    if (a->changed != b->changed)
        return a->changed ? -1 : 1;
    if (a->importance != b->importance)
        return a->importance < b->importance ? -1 : 1;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return a->question < b->question ? -1 : a->question > b->question;
}

static void make_rows(struct trace_process *process) {
    const struct mtlcap__trace_reading *reading = &process->reading;
    uint32_t count = reading->info.question_count;
    process->rows = allocate(count, sizeof *process->rows);
    process->row_of = allocate(count, sizeof *process->row_of);
    for (uint32_t i = 0; i < count; i++)
        add_caller(find_row(process, &reading->questions[i]), &reading->questions[i], i);
    qsort(process->rows, process->row_count, sizeof *process->rows, compare_rows);
    for (uint32_t i = 0; i < process->row_count; i++) {
        find_late(process, &process->rows[i]);
        for (uint32_t j = 0; j < process->rows[i].caller_count; j++)
            process->row_of[process->rows[i].callers[j]] = i;
    }
}

/* ---- processes ---------------------------------------------------------------- */

void trace_add(struct trace *trace, struct mtlcap__trace_reading *reading) {
    struct trace_process *longer = allocate(trace->count + 1, sizeof *longer);
    if (trace->count > 0)
        memcpy(longer, trace->processes, trace->count * sizeof *longer);
    free(trace->processes);
    trace->processes = longer;
    struct trace_process *process = &longer[trace->count++];
    process->reading = *reading;
    *reading = (struct mtlcap__trace_reading){.questions = NULL};
    make_rows(process);
}

void trace_free(struct trace *trace) {
    for (size_t i = 0; i < trace->count; i++) {
        struct trace_process *process = &trace->processes[i];
        for (uint32_t j = 0; j < process->row_count; j++)
            free(process->rows[j].callers);
        free(process->rows);
        free(process->row_of);
        mtlcap__trace_reading_free(&process->reading);
    }
    free(trace->processes);
    *trace = (struct trace){NULL, 0};
}

bool trace_question_is_unknown(const struct mtlcap_trace_question *question) {
    return question->has_argument && strchr(question->argument_name, ',') != NULL; /* and words */
}

void trace_question_name(const struct mtlcap_trace_question *question, char *text, size_t size) {
    if (!question->has_argument)
        snprintf(text, size, "%s", question->selector);
    else if (strncmp(question->argument_name, "MTL", strlen("MTL")) == 0)
        snprintf(text, size, "%s", question->argument_name);
    else
        snprintf(text, size, "%s %" PRId64 "%s", question->selector, question->argument,
                 trace_question_is_unknown(question) ? " (unknown)" : "");
}
