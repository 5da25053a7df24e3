/* One line on a terminal, redrawn while the program runs, and taken away at its end. It is blanked
 * by spaces: any terminal can do that. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "output.h"
#include "trace.h"

enum { NARROWEST = 20, WIDEST = 200, USUAL = 80 };

struct trace_live trace_live_start(const char *folder, enum trace_live_when when) {
    struct trace_live live = {folder, -1, 0};
    if (when == TRACE_LIVE_NEVER ||
        (when == TRACE_LIVE_ALONE && (isatty(STDOUT_FILENO) || isatty(STDERR_FILENO))))
        return live;
    live.terminal = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (live.terminal < 0 && when == TRACE_LIVE_ALWAYS)
        complain("--live: there is no terminal to show counters on");
    return live;
}

static int columns(const struct trace_live *live) {
    struct winsize size;
    if (ioctl(live->terminal, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL;
    return size.ws_col < NARROWEST ? NARROWEST : size.ws_col > WIDEST ? WIDEST : size.ws_col;
}

/* In the background it would stop this process, or disturb who has the terminal now. */
static bool is_ours(const struct trace_live *live) {
    return live->terminal >= 0 && tcgetpgrp(live->terminal) == getpgrp();
}

/* Puts `text` in the place of what stands there. */
static void show(struct trace_live *live, const char *text) {
    char line[2 * WIDEST + 3];
    int most = columns(live) - 1, width = (int)strlen(text);
    if (width > most)
        width = most;
    int blank = live->width > width ? live->width - width : 0;
    int length = snprintf(line, sizeof line, "\r%.*s%*s\r", width, text, blank, "");
    (void)!output_write(live->terminal, line, (size_t)length);
    live->width = width;
}

void trace_live_draw(struct trace_live *live) {
    char text[WIDEST];
    if (!is_ours(live))
        return;
    struct trace_sum sum = trace_tables_sum(live->folder);
    snprintf(text, sizeof text,
             "mtlcap: asked %" PRIu64 " times, %" PRIu64 " questions, %" PRIu64
             " not answered as stock",
             sum.asked, sum.questions, sum.changed);
    show(live, text);
}

void trace_live_end(struct trace_live *live) {
    if (is_ours(live) && live->width > 0)
        show(live, "");
    if (live->terminal >= 0)
        close(live->terminal);
    live->terminal = -1;
}
