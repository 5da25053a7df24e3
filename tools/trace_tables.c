/* The tables that the processes of a run leave in a folder of its own. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "environment.h"
#include "injection.h"
#include "output.h"
#include "trace.h"

static const char suffix[] = ".trace";

char *trace_tables_pattern(const char *folder) {
    char *escaped = pattern_of_path(folder);
    char *pattern = joined(escaped, "/%p", suffix, NULL);
    free(escaped);
    return pattern;
}

/* Calls `take` for each; it may take over the reading. */
static void for_each(const char *folder, void (*take)(struct mtlcap__trace_reading *, void *),
                     bool complains, void *context) {
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || dot == entry->d_name || strcmp(dot, suffix) != 0)
            continue;
        struct mtlcap__trace_reading reading;
        char *path = joined(folder, "/", entry->d_name, NULL);
        if (mtlcap__trace_read_file(path, &reading) == MTLCAP_OK) {
            take(&reading, context);
            mtlcap__trace_reading_free(&reading);
        } else if (complains) {
            complain("%s", mtlcap__last_error());
        }
        free(path);
    }
    if (directory != NULL)
        closedir(directory);
}

/* ---- after the end ---------------------------------------------------------- */

static void take_process(struct mtlcap__trace_reading *reading, void *trace) {
    trace_add(trace, reading);
}

static pid_t first_process;

static int compare_processes(const void *left, const void *right) {
    const struct mtlcap__trace_reading *a = &((const struct trace_process *)left)->reading;
    const struct mtlcap__trace_reading *b = &((const struct trace_process *)right)->reading;
    if ((a->pid == first_process) != (b->pid == first_process))
        return a->pid == first_process ? -1 : 1;
    if (a->started != b->started)
        return a->started < b->started ? -1 : 1;
    return a->pid < b->pid ? -1 : a->pid > b->pid;
}

/* Not that of the program, which has ended, and whose number may be another's. */
static bool runs_on(const struct mtlcap__trace_reading *reading, pid_t program) {
    return !reading->complete && reading->pid != program && reading->pid > 0 &&
           (kill((pid_t)reading->pid, 0) == 0 || errno == EPERM);
}

void trace_tables_read(const char *folder, pid_t program, struct trace *trace) {
    for_each(folder, take_process, true, trace);
    for (size_t i = 0; i < trace->count; i++)
        trace->processes[i].runs_on = runs_on(&trace->processes[i].reading, program);
    first_process = program;
    if (trace->count > 0)
        qsort(trace->processes, trace->count, sizeof *trace->processes, compare_processes);
}

/* ---- meanwhile --------------------------------------------------------------- */

static void add_up(struct mtlcap__trace_reading *reading, void *context) {
    struct trace_sum *sum = context;
    sum->asked += reading->info.asked;
    for (uint32_t i = 0; i < reading->info.question_count; i++) {
        const struct mtlcap_trace_question *question = &reading->questions[i];
        sum->questions++;
        sum->changed += question->stock_known && strcmp(question->answer, question->stock) != 0;
    }
}

struct trace_sum trace_tables_sum(const char *folder) {
    struct trace_sum sum = {0, 0, 0};
    for_each(folder, add_up, false, &sum);
    return sum;
}
