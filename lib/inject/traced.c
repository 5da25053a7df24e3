/*
 * The trace of the process: it begins at load, before there is Metal, so that there is a file also
 * of a program that never asks. Devices are watched as they are handed out, whether a profile could
 * be applied to them or not.
 */
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "core/error.h"
#include "core/injected.h"
#include "inject.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

static char path[PATH_MAX];
static unsigned events;
static bool strict;
static bool begun;     /* by this copy of the library */
static bool delegated; /* another one does it */

static void fail(const char *why) {
    mtlcap__tell(MTLCAP_LOG_ERROR, "%s%s", why,
                 strict ? " (MTLCAP_STRICT: the program ends here)" : "");
    if (strict)
        _exit(MTLCAP__EXIT_STRICT);
}

void mtlcap__traced_begin(const struct mtlcap__settings *settings, bool late) {
    strict = settings->strict;
    events = settings->trace_events;
    if (!mtlcap__file_name(settings->trace, path, sizeof path))
        fail("the trace cannot be written: its name is too long");
    else if (mtlcap__injected_trace(path, events, late))
        fail(mtlcap__last_error());
    else
        begun = true;
}

/* The copy of the library that works is another one: what came before it is none of ours. */
static void delegate(void) {
    struct mtlcap_trace_options options = MTLCAP_TRACE_OPTIONS_INIT;
    options.file = path;
    options.events = events;
    delegated = true;
    if (mtlcap_trace_start(&options))
        fail(mtlcap_last_error());
}

void mtlcap__traced_hand_out(void *device) {
    char other[8];
    if (!begun)
        return;
    if (mtlcap__injected_is_first(other, sizeof other)) {
        if (mtlcap__injected_trace_device(device))
            fail(mtlcap__last_error());
    } else if (!delegated) {
        delegate();
    }
}

void mtlcap__traced_end(void) {
    if (delegated)
        mtlcap_trace_stop();
    if (begun)
        mtlcap__injected_trace_end();
}
