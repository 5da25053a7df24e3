/* mtlcap selftest: is what the library assumes about Darwin and Metal true on this machine? */
#include "selftest.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "args.h"
#include "json.h"
#include "output.h"

static const char help[] =
    "libmtlcap is developed without a Mac. docs/darwin-assumptions.md lists what it assumes\n"
    "about macOS and Metal, numbered; this command checks each on the very machine: pass, fail,\n"
    "or not applicable here, and why. Each check is made in a process of its own, so a crash is\n"
    "a failed check. Nothing is changed outside these processes. The report begins with facts\n"
    "of the machine (chip, macOS, GPU; no names, no serial numbers): paste all of it into an\n"
    "issue if something fails. Off a Mac the simulated Metal is checked.\n"
    "\n"
    "      --json        print JSON\n"
    "      --check N     this check only\n"
    "      --in-process  with --check: in this process, for a debugger\n"
    "\n"
    "The exit code is 0 if nothing failed, otherwise 1.\n";

struct check {
    unsigned number;
    const char *what;
    check_function *function;
};

static const struct check checks[] = {
#define CHECK(number, function, what) {number, what, check_##function},
#include "selftest.def"
#undef CHECK
};

enum { CHECK_COUNT = sizeof checks / sizeof checks[0] };

static const char *const verdicts[] = {
    [VERDICT_FAIL] = "fail", [VERDICT_PASS] = "pass", [VERDICT_NOT_APPLICABLE] = "not-applicable"};

struct finding finding(enum verdict verdict, const char *format, ...) {
    struct finding finding = {.verdict = verdict};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding.detail, sizeof finding.detail, format, arguments);
    va_end(arguments);
    return finding;
}

/* ---- one check ----------------------------------------------------------------------- */

/* Two lines: the verdict, and what was seen. */
static int run_in_process(const struct check *check) {
    struct finding seen = check->function();
    output("%s\n%s\n", verdicts[seen.verdict], seen.detail);
    return seen.verdict == VERDICT_FAIL ? CODE_EXPECTATION : CODE_OK;
}

static struct finding run_check(const struct check *check) {
    char number[16];
    snprintf(number, sizeof number, "%u", check->number);
    const char *const arguments[] = {"mtlcap", "selftest", "--check", number, "--in-process", NULL};
    struct child child = selftest_start(selftest_program(), arguments, (const char *const[]){NULL});
    if (child.status == -1)
        return FAIL("%s", child.problem);
    if (WIFSIGNALED(child.status))
        return FAIL("its process was ended by signal %d", WTERMSIG(child.status));
    char *detail = strchr(child.text, '\n');
    if (detail != NULL) {
        *detail++ = '\0';
        detail[strcspn(detail, "\n")] = '\0';
        for (int i = 0; i < (int)(sizeof verdicts / sizeof verdicts[0]); i++)
            if (strcmp(verdicts[i], child.text) == 0)
                return finding((enum verdict)i, "%s", detail);
    }
    return FAIL("its process ended with exit code %d, without a verdict",
                WEXITSTATUS(child.status));
}

/* ---- all of them ------------------------------------------------------------------------ */

struct request {
    bool json, in_process, inside;
    const struct check *only; /* NULL: all */
};

static int run_text(const struct request *request) {
    unsigned counts[3] = {0, 0, 0};
    selftest_write_machine();
    output("\n");
    for (int i = 0; i < CHECK_COUNT; i++) {
        if (request->only != NULL && request->only != &checks[i])
            continue;
        struct finding seen = run_check(&checks[i]);
        counts[seen.verdict]++;
        output("%3u  %-4s  %s\n           ", checks[i].number,
               seen.verdict == VERDICT_NOT_APPLICABLE ? "n/a" : verdicts[seen.verdict],
               checks[i].what);
        output_text(seen.detail);
        output("\n");
    }
    output("\n%u passed, %u failed, %u not applicable here\n", counts[VERDICT_PASS],
           counts[VERDICT_FAIL], counts[VERDICT_NOT_APPLICABLE]);
    return counts[VERDICT_FAIL] > 0 ? CODE_EXPECTATION : CODE_OK;
}

static int run_json(const struct request *request) {
    struct json json = {0};
    unsigned failed = 0;
    json_begin(&json, '{', JSON_LINES);
    json_key(&json, "mtlcap");
    json_string(&json, mtlcap_version());
    selftest_write_machine_json(&json);
    json_key(&json, "checks");
    json_begin(&json, '[', JSON_LINES);
    for (int i = 0; i < CHECK_COUNT; i++) {
        if (request->only != NULL && request->only != &checks[i])
            continue;
        struct finding seen = run_check(&checks[i]);
        failed += seen.verdict == VERDICT_FAIL;
        json_begin(&json, '{', JSON_INLINE);
        json_key(&json, "number");
        json_number(&json, checks[i].number);
        json_key(&json, "check");
        json_string(&json, checks[i].what);
        json_key(&json, "result");
        json_string(&json, verdicts[seen.verdict]);
        json_key(&json, "detail");
        json_string(&json, seen.detail);
        json_end(&json, '}');
    }
    json_end(&json, ']');
    json_key(&json, "failed");
    json_number(&json, failed);
    json_end(&json, '}');
    return failed > 0 ? CODE_EXPECTATION : CODE_OK;
}

/* ---- the command line ------------------------------------------------------------------- */

enum { JSON = 1, ONLY, IN_PROCESS };

static const struct option options[] = {
    {JSON, "json", 0, NULL},
    {ONLY, "check", 0, "N"},
    {IN_PROCESS, "in-process", 0, NULL},
    {0, NULL, 0, NULL},
};

static int set_only(struct request *request, const char *text) {
    unsigned long long number;
    if (request->only != NULL)
        return usage_error(&selftest_command, "one --check; without it all are made");
    for (int i = 0; i < CHECK_COUNT; i++)
        if (parse_number(text, &number) && number == checks[i].number)
            request->only = &checks[i];
    return request->only != NULL
               ? CODE_OK
               : usage_error(&selftest_command, "there is no check '%s': they are 1 to %d", text,
                             CHECK_COUNT);
}

/* Returns an exit code, or ARGS_HELP. */
static int read_request(int argc, char **argv, struct request *request) {
    struct args args = args_start(&selftest_command, argc, argv);
    int code = CODE_OK;
    for (int id; code == CODE_OK && (id = args_next(&args)) != ARGS_END;)
        switch (id) {
        case JSON:
            request->json = true;
            break;
        case ONLY:
            code = set_only(request, args.values[0]);
            break;
        case IN_PROCESS:
            request->in_process = true;
            break;
        case ARGS_HELP:
            return ARGS_HELP;
        case ARGS_OPERAND:
            request->inside = strcmp(args.values[0], "inside") == 0;
            if (!request->inside)
                return usage_error(&selftest_command, "selftest takes nothing, not '%s'",
                                   args.values[0]);
            break;
        default:
            return CODE_USAGE;
        }
    if (code == CODE_OK && request->in_process && request->only == NULL)
        return usage_error(&selftest_command, "--in-process needs --check N");
    return code;
}

static int run(int argc, char **argv) {
    struct request request = {false, false, false, NULL};
    int code = read_request(argc, argv, &request);
    if (code == ARGS_HELP)
        return command_help(&selftest_command);
    if (code != CODE_OK)
        return code;
    signal(SIGCHLD,
           SIG_DFL); /* ignored, it would take the end of a process from who waits for it */
    if (request.inside)
        return selftest_inside();
    if (request.in_process && request.only != NULL)
        return run_in_process(request.only);
    return request.json ? run_json(&request) : run_text(&request);
}

const struct command selftest_command = {
    .name = "selftest",
    .usage = "[--json] [--check N [--in-process]]",
    .summary = "is what the library assumes about macOS and Metal true here?",
    .help = help,
    .options = options,
    .run = run,
};
