/* mtlcap probe: what every device answers, stock and under a profile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "catalog.h"
#include "output.h"
#include "probe.h"
#include "profile_check.h"

static const char help[] =
    "Asks every Metal device every question that mtlcap knows. Without -p it shows the\n"
    "stock answers: what the device says by itself. With -p it applies the profile, in\n"
    "this process only, and shows the stock answer, the effective one (what a program\n"
    "gets), and the rule that made the difference. Marked with * is what a rule has\n"
    "changed, with ~ what Metal derives from such an answer.\n"
    "\n"
    "  -p, --profile PROFILE  apply this profile first ('mtlcap help language')\n"
    "      --allow HAZARDS    consent to hazards, names joined by + ('mtlcap help hazards')\n"
    "      --device N         only this device, counted from 0\n"
    "      --json             print JSON (docs/probe-json.md)\n"
    "      --expect KEY=VALUE, KEY!=VALUE, KEY>=VALUE, KEY<=VALUE\n"
    "                         check an effective answer; may be repeated. Each that is not\n"
    "                         met is named on standard error, and the exit code is 1.\n"
    "                         Without --device it must be met by every device. One that a\n"
    "                         device does not answer meets nothing. Families are the\n"
    "                         number in Metal's name, or off; sizes may end in K, M, G or\n"
    "                         T; yes or no is on or off. Quote it in a shell.\n"
    "      --diff A B         apply profile A, then profile B, and show what differs\n"
    "\n"
    "examples\n"
    "  mtlcap probe -p auto\n"
    "  mtlcap probe -p auto --expect 'apple>=7' --expect threadgroup_memory=32K\n"
    "  mtlcap probe --diff stock auto\n";

enum { PROFILE = 1, ALLOW, DEVICE, JSON, EXPECT, DIFF };

static const struct option options[] = {
    {PROFILE, "profile", 'p', "PROFILE"},
    {ALLOW, "allow", 0, "HAZARDS"},
    {DEVICE, "device", 0, "N"},
    {JSON, "json", 0, NULL},
    {EXPECT, "expect", 0, "KEY=VALUE"},
    {DIFF, "diff", 0, "A B"},
    {0, NULL, 0, NULL},
};

struct request {
    const char *profiles[2];
    const char *allow;
    int device;
    bool json, diff;
    const char **expectations;
    size_t expectation_count;
};

static int set_device(struct request *request, const char *text) {
    unsigned long long number;
    if (request->device != DEVICES_ALL)
        return usage_error(&probe_command, "one --device; without it all are shown");
    if (!parse_number(text, &number) || number > 9999)
        return usage_error(&probe_command, "--device needs a number from 0, not '%s'", text);
    request->device = (int)number;
    return CODE_OK;
}

static int add_expectation(struct request *request, const char *text) {
    if (mtlcap_check_answer(NULL, text, NULL) != MTLCAP_OK)
        return usage_error(&probe_command, "--expect: %s", mtlcap_last_error());
    request->expectations[request->expectation_count++] = text;
    return CODE_OK;
}

static int check_request(const struct request *request, int profile_options) {
    if (profile_options > 1)
        return usage_error(
            &probe_command,
            "one profile at a time: join their items by commas (-p like-m1,metal=off)"
            ", or compare two with --diff");
    if (request->allow != NULL && request->profiles[0] == NULL)
        return usage_error(&probe_command, "--allow needs a profile: -p PROFILE, or --diff A B");
    if (request->diff && request->expectation_count > 0)
        return usage_error(&probe_command,
                           "--expect checks one profile: use it with -p, not with --diff");
    return request->allow != NULL ? profile_check_allow(&probe_command, request->allow) : CODE_OK;
}

/* Returns an exit code, or ARGS_HELP. */
static int read_request(int argc, char **argv, struct request *request) {
    struct args args = args_start(&probe_command, argc, argv);
    int profile_options = 0, code = CODE_OK;
    for (int id; code == CODE_OK && (id = args_next(&args)) != ARGS_END;)
        switch (id) {
        case DIFF:
            request->diff = true;
            request->profiles[1] = args.values[1];
            /* fall through */
        case PROFILE:
            request->profiles[0] = args.values[0];
            profile_options++;
            break;
        case ALLOW:
            if (request->allow != NULL)
                return usage_error(&probe_command, "one --allow: join names by +");
            request->allow = args.values[0];
            break;
        case DEVICE:
            code = set_device(request, args.values[0]);
            break;
        case JSON:
            request->json = true;
            break;
        case EXPECT:
            code = add_expectation(request, args.values[0]);
            break;
        case ARGS_HELP:
            return ARGS_HELP;
        case ARGS_OPERAND:
            return usage_error(&probe_command, "'%s' is not an option; a profile follows -p",
                               args.values[0]);
        default:
            return CODE_USAGE;
        }
    return code == CODE_OK ? check_request(request, profile_options) : code;
}

/* Asks all devices; under a profile if there is one. */
static int take_answers(struct probe *probe, int which, const char *allow) {
    const char *profile = probe->profiles[which];
    if (profile != NULL) {
        struct mtlcap_options apply = {.struct_size = sizeof apply};
        apply.allow = allow;
        int status = mtlcap_apply_profile(profile, &apply);
        if (status != MTLCAP_OK)
            return profile_refused(profile, allow, status);
    }
    probe->answers[which] = allocate(probe->devices.count, sizeof *probe->answers[which]);
    for (uint32_t i = 0; i < probe->devices.count; i++) {
        probe->answers[which][i] = devices_ask(probe->devices.list[i].device);
        if (probe->answers[which][i] == NULL)
            return CODE_INTERNAL;
    }
    return CODE_OK;
}

bool probe_differs(const struct probe *probe, uint32_t device, uint32_t capability) {
    const struct mtlcap_answer *a = &probe->answers[0][device][capability];
    const struct mtlcap_answer *b = &probe->answers[1][device][capability];
    bool touched = a->overridden || a->derived || b->overridden || b->derived;
    return touched &&
           (memcmp(a->effective.number, b->effective.number, sizeof a->effective.number) != 0 ||
            a->effective.members != b->effective.members ||
            strcmp(a->effective.text, b->effective.text) != 0);
}

static int check_expectations(const struct probe *probe, const struct request *request) {
    int code = CODE_OK;
    for (size_t e = 0; e < request->expectation_count; e++)
        for (uint32_t i = 0; i < probe->devices.count; i++) {
            struct mtlcap_check check = {.struct_size = sizeof check};
            int status = mtlcap_check_answer(probe->devices.list[i].device,
                                             request->expectations[e], &check);
            if (status == MTLCAP_OK && check.met)
                continue;
            code = CODE_EXPECTATION;
            complain("device %u: %s", (unsigned)(probe->devices.first + i),
                     status == MTLCAP_OK ? check.message : mtlcap_last_error());
        }
    return code;
}

static int run_request(const struct request *request, struct probe *probe) {
    int code = CODE_OK;
    for (int i = 0; i < 2 && code == CODE_OK; i++)
        if (request->profiles[i] != NULL)
            code = profile_check_syntax(request->profiles[i]);
    if (code == CODE_OK)
        code = devices_open(&probe->devices, request->device);
    if (code == CODE_OK)
        code = take_answers(probe, 0, request->allow);
    if (code == CODE_OK && request->diff)
        code = take_answers(probe, 1, request->allow);
    if (code != CODE_OK)
        return code;
    if (request->json)
        probe_write_json(probe);
    else
        probe_write_text(probe);
    return check_expectations(probe, request);
}

static int run(int argc, char **argv) {
    struct request request = {.device = DEVICES_ALL};
    request.expectations = allocate((size_t)argc, sizeof *request.expectations);
    int code = read_request(argc, argv, &request);
    if (code == ARGS_HELP) {
        code = command_help(&probe_command);
    } else if (code == CODE_OK) {
        struct probe probe = {.profiles = {request.profiles[0], request.profiles[1]}};
        code = run_request(&request, &probe);
        for (int which = 0; which < 2; which++) {
            for (uint32_t i = 0; probe.answers[which] != NULL && i < probe.devices.count; i++)
                free(probe.answers[which][i]);
            free(probe.answers[which]);
        }
        devices_close(&probe.devices);
    }
    free(request.expectations);
    return code;
}

const struct command probe_command = {
    .name = "probe",
    .usage = "[-p PROFILE] [--allow HAZARDS] [--device N] [--json]\n"
             "[--expect KEY=VALUE ...] [--diff A B]",
    .summary = "what every Metal device answers, stock and under a profile",
    .help = help,
    .options = options,
    .run = run,
};
