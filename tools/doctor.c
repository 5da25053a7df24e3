/* mtlcap doctor: will it work here, and for this program? */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "args.h"
#include "doctor.h"
#include "insertion.h"
#include "output.h"
#include "run.h"

static const char help[] =
    "Without a program: what this machine is, which Metal it has, what 'auto' would claim, and\n"
    "what is in the environment. With one: will libmtlcap-inject be loaded into it on a Mac?\n"
    "PROGRAM is found as 'mtlcap run' finds it, scripts and 'env' included, and is only read,\n"
    "never started. It can be looked at on any system, so that a CI image is checked before a\n"
    "Mac runs it.\n"
    "\n"
    "  LOADS       nothing is known that keeps the library out\n"
    "  STRIPPED    macOS drops DYLD_ variables on the way, in silence\n"
    "  REJECTED    the library is left out, in silence\n"
    "  DIES        the program ends at its start\n"
    "  CHILD_DIES  what it starts does\n"
    "  UNKNOWN     it cannot be told, or depends on the machine; then each case is shown\n"
    "\n"
    "      --machine WHAT   the Mac that it is to run on: sip=on or off, macos=VERSION,\n"
    "                       arch=arm64 or x86_64, joined by commas. What is not said is this\n"
    "                       Mac's; off a Mac, every possibility is looked at.\n"
    "      --children none|inherit\n"
    "                       as in 'mtlcap run'; inherit: also what the program starts\n"
    "      --library FILE   the library, a Mach-O file; without it, on a Mac the one that came\n"
    "                       with mtlcap, elsewhere the one that is published\n"
    "      --json           print JSON (docs/doctor.md)\n"
    "\n"
    "Commands that would help are printed, never executed.\n"
    "\n"
    "exit codes\n"
    "  0    LOADS; without a program: there is a Metal device (69: there is none)\n"
    "  10   STRIPPED; 11: REJECTED; 12: DIES; 13: CHILD_DIES; 14: UNKNOWN\n"
    "  126  PROGRAM is not a program; 127: there is none\n"
    "\n"
    "examples\n"
    "  mtlcap doctor\n"
    "  mtlcap doctor --machine sip=on,macos=26,arch=arm64 ./llama-server\n";

struct request {
    struct doctor_target target;
    const char *library;
    bool json, inherit;
    char **arguments; /* NULL: no program */

    /* of the program, once it is found */
    bool looked_up, is_script;
    char script[640];
};

enum { MACHINE = 1, CHILDREN, LIBRARY, JSON };

static const struct option options[] = {
    {MACHINE, "machine", 0, "WHAT"},
    {CHILDREN, "children", 0, "none|inherit"},
    {LIBRARY, "library", 0, "FILE"},
    {JSON, "json", 0, NULL},
    {0, NULL, 0, NULL},
};

static int take_option(int id, const char *value, struct request *request) {
    switch (id) {
    case MACHINE:
        return doctor_target_parse(value, &request->target);
    case CHILDREN:
        request->inherit = strcmp(value, "inherit") == 0;
        if (!request->inherit && strcmp(value, "none") != 0)
            return usage_error(&doctor_command, "--children is none or inherit, not '%s'", value);
        return CODE_OK;
    case LIBRARY:
        request->library = value;
        return CODE_OK;
    default:
        request->json = true;
        return CODE_OK;
    }
}

/* Returns an exit code, or ARGS_HELP. */
static int read_request(int argc, char **argv, struct request *request) {
    struct args args = args_start(&doctor_command, argc, argv);
    int code = CODE_OK;
    for (int id; code == CODE_OK && (id = args_next(&args)) != ARGS_END;) {
        if (id == ARGS_OPERAND) { /* what follows is the program's */
            request->arguments = argv + args.next - 1;
            return CODE_OK;
        }
        if (id == ARGS_HELP)
            return ARGS_HELP;
        code = id == ARGS_ERROR ? CODE_USAGE : take_option(id, args.values[0], request);
    }
    return code;
}

/* ---- the library and the program --------------------------------------------------------- */

static void read_library(const struct request *request, struct doctor_file *library) {
    char *path = request->library != NULL ? joined(request->library, NULL) : NULL;
#ifdef __APPLE__
    char problem[512];
    if (path == NULL)
        path = insertion_find_library(problem, sizeof problem);
#endif
    if (path != NULL)
        doctor_file_read(path, true, library);
    else
        doctor_file_published(library);
    free(path);
}

#ifndef __APPLE__
/* Off a Mac, a path in the folders of macOS's own programs is not this system's program, but what
 * it is on a Mac. What PATH leads to there is, if every Mac has a program of that name. NULL: it is
 * this system's. */
static const char *apples_path(const struct program *found, bool *looked_up) {
    const char *named = found->arguments[0];
    *looked_up = strchr(named, '/') == NULL;
    if (!doctor_is_apples(*looked_up ? found->path : named))
        return NULL;
    return *looked_up ? doctor_apples_named(named) : named;
}
#endif

static void read_program(const struct program *found, struct request *request,
                         struct doctor_file *program) {
    doctor_file_read(found->path, true, program);
#ifndef __APPLE__
    bool looked_up;
    const char *path = apples_path(found, &looked_up);
    if (program->problem[0] != '\0' && path != NULL) {
        doctor_file_free(program);
        doctor_file_apples(path, program);
        request->looked_up = looked_up;
    }
#endif
    request->is_script = program_script_advice(found, request->script, sizeof request->script);
}

/* A Mach-O file by its path need not be executable here. Returns an exit code. */
static int find_program(struct request *request, struct doctor_file *program) {
    const char *asked = request->arguments[0];
    struct program found = {.moves = false};
    *program = (struct doctor_file){.path = NULL};
    if (strchr(asked, '/') != NULL) {
        doctor_file_read(asked, true, program);
        if (program->problem[0] == '\0' || program->malformed)
            return CODE_OK;
    }
    bool is_folder = S_ISDIR(program->mode);
    doctor_file_free(program);
    int code = program_find(request->arguments, environment_own(), &found);
    if (code == CODE_OK)
        read_program(&found, request, program);
    else if (is_folder)
        complain_more("Of an application, name the program in its folder Contents/MacOS.");
    program_free(&found);
    return code;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static int verdict_code(enum doctor_verdict verdict) {
    static const int codes[] = {
#define DOCTOR_CODE(name, code) CODE_##code,
        DOCTOR_VERDICTS(DOCTOR_CODE)
#undef DOCTOR_CODE
    };
    return codes[verdict];
}

static int diagnose(struct request *request) {
    struct doctor_file program, library;
    int code = find_program(request, &program);
    if (code != CODE_OK)
        return code;
    struct doctor_diagnosis *diagnosis = allocate(1, sizeof *diagnosis);
    read_library(request, &library);
    doctor_judge(&program, &library, &request->target, request->inherit, diagnosis);
    if (strcmp(program.path, request->arguments[0]) != 0)
        diagnosis->asked = request->arguments[0];
    diagnosis->script = request->is_script ? request->script : NULL;
    diagnosis->looked_up = request->looked_up;
    if (request->json)
        doctor_write_json(diagnosis);
    else
        doctor_write_text(diagnosis);
    code = verdict_code(diagnosis->verdict);
    free(diagnosis);
    doctor_file_free(&program);
    doctor_file_free(&library);
    return code;
}

static int run(int argc, char **argv) {
    struct request request = {.target = doctor_target_here()};
    int code = read_request(argc, argv, &request);
    if (code == ARGS_HELP)
        return command_help(&doctor_command);
    if (code != CODE_OK)
        return code;
    return request.arguments != NULL ? diagnose(&request) : doctor_write_machine(request.json);
}

const struct command doctor_command = {
    .name = "doctor",
    .usage = "[--machine WHAT] [--children none|inherit] [--library FILE]\n"
             "[--json] [[--] PROGRAM [ARGUMENTS]]",
    .summary = "will the library be loaded into a program; and this machine",
    .help = help,
    .options = options,
    .run = run,
};
