/* Prints the file of a trace: read_trace FILE [KEY]. With KEY, only the questions of that
 * capability, one a line; otherwise what is about the whole. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/trace_read.h"

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void print_question(const struct mtlcap_trace_question *q) {
    printf("%s %s: %s, stock %s%s%s%s, %" PRIu64 " times on %u threads, by %s %s\n", q->capability,
           q->argument_name, q->answer, q->stock, q->stock_known ? "" : "?",
           q->overridden ? ", overridden" : "", q->derived ? ", derived" : "", q->count,
           q->thread_count, q->image[0] ? file_name(q->image) : "?", q->symbol);
}

int main(int argc, char **argv) {
    struct mtlcap__trace_reading trace;
    if (argc < 2 || mtlcap__trace_read_file(argv[1], &trace)) {
        printf("%s\n", mtlcap_last_error());
        return 1;
    }
    if (argc > 2) {
        for (uint32_t i = 0; i < trace.info.question_count; i++)
            if (strcmp(trace.questions[i].capability, argv[2]) == 0)
                print_question(&trace.questions[i]);
    } else {
        printf("%s%s, profile '%s'%s%s, %s, %" PRIu64 " dropped, %u events and %" PRIu64
               " dropped, %u not watched, process %" PRId64 "\n",
               file_name(trace.program), trace.opened_late ? ", opened late" : "", trace.profile,
               trace.info.active ? ", active" : "", trace.complete ? ", complete" : "",
               trace.info.asked ? "asked" : "never asked", trace.info.dropped,
               (unsigned)trace.info.event_count, trace.info.events_dropped,
               (unsigned)trace.info.unwatched_count, trace.pid);
    }
    mtlcap__trace_reading_free(&trace);
    return 0;
}
