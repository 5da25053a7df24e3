/* mtlcap run: starts a program under a profile, and tells whether it was applied. */
#include "run.h"

#include "args.h"

static const char help[] =
    "Starts PROGRAM with libmtlcap-inject in it, which applies the profile when the program\n"
    "first asks Metal for a device. A #! line is followed to its interpreter, and 'env' to what\n"
    "it starts; what a script of a shell starts is not followed. It is started without a shell,\n"
    "on the same terminal and in the same process group; signals go on to it, and its exit code\n"
    "is that of mtlcap run. Where the profile was not applied, a line on standard error says\n"
    "why; 'mtlcap help environment' has the variables that the program gets. Of those that\n"
    "begin with MTLCAP_ none else is left but MTLCAP_DISABLE.\n"
    "\n"
    "Whether it was applied is seen by the receipts that the library writes for this run: those\n"
    "of the program and of what it forks, with --children inherit those of all processes. It\n"
    "has to be applied in one of them at least, and must have failed in none, nor may what is\n"
    "required not hold in any. A FILE without %p is the one that decided. FILE is there once\n"
    "the program has ended, and every five seconds as far as it is by then; what goes on\n"
    "running after the program is not looked at.\n"
    "\n" INJECTION_HELP_PROFILE "auto\n" INJECTION_HELP "\n"
    "exit codes\n"
    "  what the program exits with; ended by a signal, mtlcap ends by the same one\n"
    "  2    bad use: nothing was started\n"
    "  70   with --strict or --require: it was not applied, or cannot be, or what is\n"
    "       required does not hold, or no device was seen of which it could\n"
    "  74   FILE cannot be written: nothing was started\n"
    "  78   the profile is malformed, or refused on this machine: nothing was started\n"
    "  126  PROGRAM cannot be executed; 127: there is none\n"
    "\n"
    "examples\n"
    "  mtlcap run -p auto -- llama-server -m model.gguf\n"
    "  mtlcap run -p auto --require 'apple>=7' --receipt r.json -- python3 test.py\n";

/* A program that has not loaded the library by then does not. */
enum { LOOK_MILLISECONDS = 5000 };

static const struct option options[] = {INJECTION_OPTIONS, {0, NULL, 0, NULL}};

/* Returns an exit code, or ARGS_HELP. */
static int read_request(int argc, char **argv, struct injection *injection, char ***arguments) {
    struct args args = args_start(&run_command, argc, argv);
    int code = CODE_OK;
    for (int id; code == CODE_OK && (id = args_next(&args)) != ARGS_END;) {
        if (id == ARGS_OPERAND) { /* what follows is the program's */
            *arguments = argv + args.next - 1;
            return CODE_OK;
        }
        if (id == ARGS_HELP)
            return ARGS_HELP;
        code = id == ARGS_ERROR ? CODE_USAGE : injection_take(injection, id, args.values[0]);
    }
    if (code == CODE_OK)
        return usage_error(&run_command, "which program? mtlcap run -p PROFILE -- PROGRAM");
    return code;
}

/* Starts it, waits, looks at the receipt. Does not return if it ended by a signal. */
static int run_session(struct session *session, char *const *arguments) {
    int code = session_prepare(session, arguments);
    if (code == CODE_OK)
        code = session_open(session);
    if (code == CODE_OK)
        code = session_run(session, LOOK_MILLISECONDS, confirm_so_far, &session->confirmation);
    if (code != CODE_OK) {
        session_clean(session);
        return code;
    }
    bool confirmed = confirm_end(&session->confirmation, &session->started);
    session_clean(session);
    return session_end(session, confirmed);
}

static int run(int argc, char **argv) {
    struct session session = {.injection = {.command = &run_command, .otherwise = "auto"}};
    char **arguments = NULL;
    start_block_signals();
    int code = read_request(argc, argv, &session.injection, &arguments);
    if (code == ARGS_HELP)
        return command_help(&run_command);
    if (code == CODE_OK)
        code = run_session(&session, arguments);
    session_free(&session);
    return code;
}

const struct command run_command = {
    .name = "run",
    .usage = INJECTION_USAGE "\n[--] PROGRAM [ARGUMENTS]",
    .summary = "a program under a profile, and whether it was applied",
    .help = help,
    .options = options,
    .run = run,
};
