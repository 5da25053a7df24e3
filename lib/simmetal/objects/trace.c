/* Appends a line for each dispatch to the file that SIMMETAL_TRACE names. Each line is one write to
 * a file opened for appending: lines of several threads, and of others who append to the same
 * file, do not mix. */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_SIZE 4096

static pthread_once_t trace_once = PTHREAD_ONCE_INIT;
static int trace_file = -1;

static void trace_open(void) {
    const char *path = getenv("SIMMETAL_TRACE");
    if (!path || !*path)
        return;
    trace_file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (trace_file < 0)
        fprintf(stderr, "simmetal: SIMMETAL_TRACE=%s: %s\n", path, strerror(errno));
}

bool simmetal_trace_enabled(void) {
    pthread_once(&trace_once, trace_open);
    return trace_file >= 0;
}

/* A line under construction; what does not fit is cut off. */
struct line {
    char text[LINE_SIZE];
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...) {
    size_t room = LINE_SIZE - 1 - line->length;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line->text + line->length, room, format, arguments);
    va_end(arguments);
    if (length > 0)
        line->length += (size_t)length < room ? (size_t)length : room - 1;
}

void simmetal_trace_dispatch(const struct simmetal_dispatch *dispatch) {
    if (!simmetal_trace_enabled())
        return;
    struct line line = {.length = 0};
    add(&line, "dispatch %s", dispatch->function);
    if (dispatch->constants && *dispatch->constants)
        add(&line, "{%s}", dispatch->constants);
    if (dispatch->label && *dispatch->label)
        add(&line, " label=\"%s\"", dispatch->label);
    add(&line, " %s=%zux%zux%zu threads=%zux%zux%zu",
        dispatch->in_threads ? "grid" : "threadgroups", dispatch->grid[0], dispatch->grid[1],
        dispatch->grid[2], dispatch->threads[0], dispatch->threads[1], dispatch->threads[2]);
    const char *before = " memory=";
    for (size_t i = 0; i < SIMMETAL_TRACE_MEMORY; i++) {
        if (dispatch->memory[i]) {
            add(&line, "%s%zu:%zu", before, i, dispatch->memory[i]);
            before = ",";
        }
    }
    line.text[line.length++] = '\n';
    for (const char *at = line.text, *end = at + line.length; at < end;) {
        ssize_t written = write(trace_file, at, (size_t)(end - at));
        if (written > 0) {
            at += written;
        } else if (errno != EINTR) {
            fprintf(stderr, "simmetal: SIMMETAL_TRACE: %s\n", strerror(errno));
            return;
        }
    }
}
