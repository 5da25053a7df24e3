/* mtlcap env: the variables that inject the library, in the form of who is to set them. */
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "env.h"
#include "insertion.h"
#include "output.h"
#include "run.h"

static const char help[] =
    "Prints the variables that 'mtlcap run' would start a program with, for those who start it\n"
    "themselves. What other tools insert is taken out, as there.\n"
    "\n" INJECTION_HELP_PROFILE "auto\n" INJECTION_HELP "      --format sh|fish|json|launchd\n"
    "                         sh (the default) and fish: commands for the shell to evaluate;\n"
    "                         json: an object; null is what has to be unset; launchd: a\n"
    "                         property list, a LaunchAgent that runs PROGRAM\n"
    "      --launchd LABEL    the same as --format launchd, under this label\n"
    "      --strip            print what takes all of this out of the environment again, and\n"
    "                         nothing else: for sh, fish and json\n"
    "\n"
    "Better than a whole shell or CI step is one program: 'mtlcap run', or 'env NAME=VALUE ...\n"
    "PROGRAM'. While the variables are exported, everything that is started loads the library.\n"
    "Where System Integrity Protection is off, as on hosted CI runners and in Tart's images,\n"
    "that includes Apple's own arm64e programs, clang, sh and tee among them: macOS kills one\n"
    "of these that is to load a library without an arm64e slice.\n"
    "\n"
    "examples\n"
    "  eval \"$(mtlcap env -p auto)\"; llama-bench -m model.gguf; eval \"$(mtlcap env --strip)\"\n"
    "  mtlcap env -p auto --format fish | source\n"
    "  mtlcap env -p auto --launchd org.example.llama -- llama-server -m /models/m.gguf\n";

enum { FORMAT = 1, LABEL, STRIP };

static const struct option options[] = {
    INJECTION_OPTIONS,
    {FORMAT, "format", 0, "sh|fish|json|launchd"},
    {LABEL, "launchd", 0, "LABEL"},
    {STRIP, "strip", 0, NULL},
    {0, NULL, 0, NULL},
};

struct request {
    struct injection injection;
    bool injects; /* an option that is about what is injected was given */
    const struct env_format *format;
    const char *label;
    bool strip;
    char **arguments; /* of a program; NULL: none */
};

static int take_format(struct request *request, const char *name) {
    if (request->format != NULL)
        return usage_error(&env_command, "one --format");
    request->format = env_format_find(name);
    if (request->format == NULL)
        return usage_error(&env_command, "there is no format '%s'; it is sh, fish, json or launchd",
                           name);
    return CODE_OK;
}

static int take_label(struct request *request, const char *label) {
    if (request->label != NULL)
        return usage_error(&env_command, "one --launchd");
    request->label = label;
    return CODE_OK;
}

/* Returns an exit code, or ARGS_HELP. */
static int read_request(int argc, char **argv, struct request *request) {
    struct args args = args_start(&env_command, argc, argv);
    int code = CODE_OK;
    for (int id; code == CODE_OK && (id = args_next(&args)) != ARGS_END;)
        switch (id) {
        case FORMAT:
            code = take_format(request, args.values[0]);
            break;
        case LABEL:
            code = take_label(request, args.values[0]);
            break;
        case STRIP:
            request->strip = true;
            break;
        case ARGS_OPERAND: /* what follows is the program's */
            request->arguments = argv + args.next - 1;
            return CODE_OK;
        case ARGS_HELP:
        case ARGS_ERROR:
            return id == ARGS_HELP ? ARGS_HELP : CODE_USAGE;
        default:
            request->injects = true;
            code = injection_take(&request->injection, id, args.values[0]);
        }
    return code;
}

static int check_request(struct request *request) {
    if (request->format == NULL)
        request->format = env_format_find(request->label != NULL ? "launchd" : "sh");
    bool agent = request->format->write == NULL;
    if (request->strip && (agent || request->injects))
        return usage_error(&env_command, "--strip takes --format sh, fish or json, and no more");
    if (!agent && request->label != NULL)
        return usage_error(&env_command, "--launchd goes with --format launchd only");
    if (agent && request->label == NULL)
        return usage_error(&env_command, "a LaunchAgent needs a label: --launchd org.example.name");
    if (agent && request->arguments == NULL)
        return usage_error(&env_command, "a LaunchAgent needs a program: -- PROGRAM [ARGUMENTS]");
    if (!agent && request->arguments != NULL)
        return usage_error(&env_command,
                           "'%s' is too much: a program goes with --launchd only; 'mtlcap run' "
                           "starts one",
                           request->arguments[0]);
    return CODE_OK;
}

/* What a shell says about all that is started in it is said by a comment, the last thing that is
 * written: evaluated without quotes, all is one line. Where there can be none, on standard error.
 */
static void warn_of_shell(const struct env_format *format) {
    static const char *const lines[] = {
        "Everything that is started while these are set loads the library. Where SIP is off "
        "(hosted",
        "CI runners, Tart's images), so do Apple's own arm64e programs, such as clang, sh and tee:",
        "macOS kills them if the library has no arm64e slice. 'mtlcap run' is for one program "
        "only;",
        "'mtlcap env --strip' takes these out again.",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (format->has_comments)
            output("# %s\n", lines[i]);
        else
            complain_more("%s%s", i == 0 ? "mtlcap: " : "", lines[i]);
    }
}

static int write_strip(const struct request *request, const struct environment *environment) {
    struct setting *settings = injection_strip(environment);
    int code = request->format->write(settings);
    settings_free(settings);
    return code;
}

static int write_shell(const struct request *request, const struct environment *environment) {
    static const char disable[] = "MTLCAP_DISABLE";
    struct setting *settings = injection_settings(&request->injection, environment);
    int code = request->format->write(settings);
    if (code == CODE_OK)
        warn_of_shell(request->format);
    if (code == CODE_OK && environment_is_on(environment, disable))
        complain("%s=%s is set: as long as it is, these variables do nothing", disable,
                 environment_get(environment, disable));
    settings_free(settings);
    return code;
}

/* What an `env` line sets is the program's too. */
static void add_assignments(struct environment *agent, const struct program *program) {
    for (size_t i = 0; i < program->environment.count; i++) {
        char *name = joined(program->environment.list[i], NULL);
        char *equals = strchr(name, '=');
        if (equals != NULL) { /* there may be others in an environment */
            *equals = '\0';
            const char *here = getenv(name);
            if (here == NULL || strcmp(here, equals + 1) != 0)
                environment_set(agent, name, equals + 1);
        }
        free(name);
    }
}

/* The program's environment becomes what it is under launchd. */
static int write_found(const struct request *request, struct program *program) {
    char *const nothing[] = {NULL};
    char obstacle[1024];
    struct environment agent = environment_copy(nothing);
    add_assignments(&agent, program);
    struct setting *settings = injection_settings(&request->injection, &agent);
    for (const struct setting *setting = settings; setting->name != NULL; setting++)
        environment_set(&agent, setting->name, setting->value);
    settings_free(settings);
    environment_free(&program->environment);
    program->environment = agent;
    if (program_obstacle(program, &request->injection, obstacle, sizeof obstacle)) {
        const char *asked = injection_assertion(&request->injection);
        complain("%s", obstacle);
        if (asked != NULL) {
            complain_more("No agent is written: %s", asked);
            return CODE_INTERNAL;
        }
    }
    return env_write_agent(request->label, program);
}

/* launchd starts an agent in another folder, and with little of an environment. */
static int write_agent(const struct request *request) {
    struct program program = {.moves = true};
    struct environment arguments = environment_copy(request->arguments);
    if (strchr(arguments.list[0], '/') != NULL) {
        char *path = absolute_path(arguments.list[0]);
        free(arguments.list[0]);
        arguments.list[0] = path;
    }
    int code = program_find(arguments.list, environment_own(), &program);
    if (code == CODE_OK)
        code = write_found(request, &program);
    program_free(&program);
    environment_free(&arguments);
    return code;
}

static int run(int argc, char **argv) {
    struct request request = {.injection = {.command = &env_command, .otherwise = "auto"}};
    int code = read_request(argc, argv, &request);
    if (code == ARGS_HELP)
        return command_help(&env_command);
    if (code == CODE_OK)
        code = check_request(&request);
    if (code == CODE_OK && !request.strip)
        code = injection_complete(&request.injection);
    if (code == CODE_OK) {
        struct environment environment = environment_copy(environment_own());
        if (request.strip)
            code = write_strip(&request, &environment);
        else if (request.format->write == NULL)
            code = write_agent(&request);
        else
            code = write_shell(&request, &environment);
        environment_free(&environment);
    }
    injection_free(&request.injection);
    return code;
}

const struct command env_command = {
    .name = "env",
    .usage = INJECTION_USAGE "\n[--format sh|fish|json]\n"
                             "--launchd LABEL [-p PROFILE] [...] [--] PROGRAM [ARGUMENTS]\n"
                             "--strip [--format sh|fish|json]",
    .summary = "the environment variables that inject the library, or a LaunchAgent",
    .help = help,
    .options = options,
    .run = run,
};
