/* mtlcap trace: starts a program, and tells what it asked of Metal, and what it got. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "core/error.h"
#include "environment.h"
#include "output.h"
#include "output_file.h"
#include "run.h"
#include "term.h"
#include "trace.h"

static const char help[] =
    "Starts PROGRAM as 'mtlcap run' does, and tells after its end, however that came, what was\n"
    "asked of a Metal device: each question, the answer, what the device says by itself, how\n"
    "often it was asked and when first, and by whom. Answers that are not the stock ones come\n"
    "first, then the families, by which programs choose their kernels, then sizes and limits,\n"
    "then the rest. It goes to standard error, so that the program's output stays its own.\n"
    "docs/trace.md explains how to read it.\n"
    "\n" INJECTION_HELP_PROFILE "stock\n" INJECTION_HELP "\n"
    "  -o, --output FILE      write to FILE instead; - is standard output. What is in FILE is\n"
    "                         replaced at the end, whole or not at all.\n"
    "      --json             as JSON (docs/trace-json.md): with -o, or --from\n"
    "      --events           every single question in its order, instead of the summary\n"
    "      --live, --no-live  show counters while the program runs, or do not. Without either,\n"
    "                         they are shown if there is a terminal that the program does not\n"
    "                         write to: both its outputs lead elsewhere.\n"
    "      --from FILE        start nothing: tell what is in the FILE of MTLCAP_TRACE=FILE, on\n"
    "                         standard output; also while its program runs\n"
    "\n"
    "exit codes\n"
    "  what the program exits with; ended by a signal, mtlcap ends by the same one\n"
    "  2    bad use: nothing was started\n"
    "  65   the FILE of --from cannot be read, or is no trace\n"
    "  70   with --strict or --require: as for 'mtlcap run'\n"
    "  74   the trace cannot be written\n"
    "  78   the profile is malformed, or refused on this machine: nothing was started\n"
    "  126  PROGRAM cannot be executed; 127: there is none\n"
    "\n"
    "examples\n"
    "  mtlcap trace -- llama-server -m model.gguf\n"
    "  mtlcap trace -p auto --json -o trace.json -- python3 test.py\n"
    "  mtlcap trace --from /tmp/service.trace\n";

enum { JSON = 1, OUTPUT, EVENTS, LIVE, NO_LIVE, FROM };

static const struct option options[] = {
    INJECTION_OPTIONS,           {JSON, "json", 0, NULL}, {OUTPUT, "output", 'o', "FILE"},
    {EVENTS, "events", 0, NULL}, {LIVE, "live", 0, NULL}, {NO_LIVE, "no-live", 0, NULL},
    {FROM, "from", 0, "FILE"},   {0, NULL, 0, NULL},
};

struct request {
    struct session session;
    char **arguments; /* NULL: none */
    const char *output, *from;
    bool json, events, starts; /* an option is for what is started */
    enum trace_live_when live;
};

/* ---- the command line --------------------------------------------------------- */

static int take_file(const char *option, const char **file, const char *value) {
    if (*file != NULL)
        return usage_error(&trace_command, "one %s", option);
    *file = value;
    return CODE_OK;
}

static int take(struct request *request, int id, const char *value) {
    switch (id) {
    case JSON:
        request->json = true;
        return CODE_OK;
    case OUTPUT:
        return take_file("--output", &request->output, value);
    case EVENTS:
        request->events = true;
        return CODE_OK;
    case LIVE:
        request->live = TRACE_LIVE_ALWAYS;
        break;
    case NO_LIVE:
        request->live = TRACE_LIVE_NEVER;
        break;
    case FROM:
        return take_file("--from", &request->from, value);
    default:
        request->starts = true;
        return injection_take(&request->session.injection, id, value);
    }
    request->starts = true;
    return CODE_OK;
}

static int check(const struct request *request) {
    if (request->from != NULL)
        return request->arguments == NULL && !request->starts
                   ? CODE_OK
                   : usage_error(&trace_command,
                                 "--from starts nothing: besides it, --json, --events and -o");
    if (request->arguments == NULL)
        return usage_error(&trace_command, "which program? mtlcap trace -- PROGRAM");
    if (request->json && request->output == NULL)
        return usage_error(&trace_command,
                           "--json needs -o FILE: what the program writes would be among it (-o - "
                           "is standard output all the same)");
    return CODE_OK;
}

/* Returns an exit code, or ARGS_HELP. */
static int read_request(int argc, char **argv, struct request *request) {
    struct args args = args_start(&trace_command, argc, argv);
    int code = CODE_OK;
    for (int id; code == CODE_OK && (id = args_next(&args)) != ARGS_END;) {
        if (id == ARGS_OPERAND) { /* what follows is the program's */
            request->arguments = argv + args.next - 1;
            break;
        }
        if (id == ARGS_HELP)
            return ARGS_HELP;
        code = id == ARGS_ERROR ? CODE_USAGE : take(request, id, args.values[0]);
    }
    return code == CODE_OK ? check(request) : code;
}

/* ---- what is written ----------------------------------------------------------- */

static bool write_trace(const struct request *request, const struct trace *trace,
                        const struct output_file *file) {
    size_t length;
    term_descriptor(file->descriptor);
    output_collect();
    if (request->json)
        trace_write_json(trace);
    else if (request->events)
        trace_write_log(trace);
    else
        trace_write_summary(trace);
    char *text = output_collected(&length);
    bool good = output_file_write(file, text, length);
    free(text);
    return good;
}

/* Somebody may take the one for the other. */
static bool is_json(const char *path) {
    char first = '\0';
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    bool is = read(descriptor, &first, 1) == 1 && first == '{';
    close(descriptor);
    return is;
}

static int tell_from(const struct request *request) {
    struct mtlcap__trace_reading reading;
    struct trace trace = {NULL, 0};
    struct output_file file;
    int status = mtlcap__trace_read_file(request->from, &reading);
    if (status != MTLCAP_OK) {
        complain("%s", mtlcap__last_error());
        if (status == MTLCAP_E_FILE && is_json(request->from))
            complain_more(
                "It looks like the output of 'mtlcap trace --json', which 'mtlcap explain "
                "--from' reads.");
        return CODE_DATA;
    }
    trace_add(&trace, &reading);
    bool good = output_file_open(&file, request->output, STDOUT_FILENO) &&
                write_trace(request, &trace, &file);
    output_file_close(&file);
    trace_free(&trace);
    return good ? CODE_OK : CODE_IO;
}

/* ---- a run --------------------------------------------------------------------- */

/* How often is looked: at the receipts, and at the counters where they are shown. */
enum { LOOK_MILLISECONDS = 5000, DRAW_MILLISECONDS = 250, EVENT_COUNT = 1 << 18 };

struct watch {
    struct session *session;
    struct trace_live live;
    unsigned since; /* milliseconds since the last look at the receipts */
};

static void look(pid_t process, void *context) {
    struct watch *watch = context;
    watch->since += watch->live.terminal >= 0 ? DRAW_MILLISECONDS : LOOK_MILLISECONDS;
    if (watch->since >= LOOK_MILLISECONDS) {
        watch->since = 0;
        confirm_so_far(process, &watch->session->confirmation);
    }
    trace_live_draw(&watch->live);
}

static void ask_for_trace(struct session *session, bool events) {
    struct environment *environment = &session->program.environment;
    char *pattern = trace_tables_pattern(session->confirmation.receipts.folder), count[16];
    environment_set(environment, "MTLCAP_TRACE", pattern);
    snprintf(count, sizeof count, "%d", EVENT_COUNT);
    if (events)
        environment_set(environment, "MTLCAP_TRACE_EVENTS", count);
    free(pattern);
}

static int start(struct session *session, const struct request *request) {
    struct watch watch = {.session = session};
    watch.live = trace_live_start(session->confirmation.receipts.folder, request->live);
    unsigned pause = watch.live.terminal >= 0 ? DRAW_MILLISECONDS : LOOK_MILLISECONDS;
    int code = session_run(session, pause, look, &watch);
    trace_live_end(&watch.live);
    return code;
}

/* After its end. Does not return if it ended by a signal. */
static int tell(struct session *session, const struct request *request,
                const struct output_file *file) {
    const char *folder = session->confirmation.receipts.folder;
    struct trace trace = {NULL, 0};
    bool confirmed = confirm_end(&session->confirmation, &session->started);
    trace_tables_read(folder, session->started.process, &trace);
    bool written = write_trace(request, &trace, file);
    if (!written && file->descriptor < 0 && trace.count > 0)
        complain_more("It is kept: mtlcap trace --from %s/%ld.trace", folder,
                      (long)trace.processes[0].reading.pid);
    else
        session_clean(session);
    trace_free(&trace);
    return written ? session_end(session, confirmed) : CODE_IO;
}

static int run_traced(struct request *request) {
    struct session *session = &request->session;
    struct output_file file = {.descriptor = -1};
    int code = session_prepare(session, request->arguments);
    if (code == CODE_OK && !output_file_open(&file, request->output, STDERR_FILENO))
        code = CODE_IO;
    if (code == CODE_OK)
        code = session_open(session);
    if (code == CODE_OK) {
        ask_for_trace(session, request->events);
        code = start(session, request);
    }
    if (code == CODE_OK)
        code = tell(session, request, &file);
    else
        session_clean(session);
    output_file_close(&file);
    return code;
}

static int run(int argc, char **argv) {
    struct request request = {
        .session.injection = {.command = &trace_command, .otherwise = "stock"}};
    start_block_signals();
    int code = read_request(argc, argv, &request);
    if (code == ARGS_HELP)
        return command_help(&trace_command);
    if (code == CODE_OK)
        code = request.from != NULL ? tell_from(&request) : run_traced(&request);
    session_free(&request.session);
    return code;
}

const struct command trace_command = {
    .name = "trace",
    .usage = INJECTION_USAGE "\n[-o FILE] [--json] [--events] [--live | --no-live]\n"
                             "[--] PROGRAM [ARGUMENTS]\n"
                             "--from FILE [-o FILE] [--json] [--events]",
    .summary = "what a program asks of Metal, what it gets, and who asks",
    .help = help,
    .options = options,
    .run = run,
};
