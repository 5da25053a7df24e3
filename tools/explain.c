/* mtlcap explain: which paths of a client are on, which answer decides it, what would change it. */
#include "explain.h"

#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "output.h"
#include "profile_check.h"

static const char help[] =
    "A program asks Metal about the GPU and chooses its paths by the answers. This tells what\n"
    "known programs (CLIENT) make of this device's answers: which of their features are on or\n"
    "off, which answer decides it, what would turn a feature on and which hazards that meets,\n"
    "and the program's own variable that does the same. Without CLIENT, a line for each.\n"
    "CLIENT may be cut short as long as it is unambiguous.\n"
    "\n"
    "  -p, --profile PROFILE  as under this profile ('mtlcap help language'), which is applied\n"
    "                         in this process only\n"
    "      --allow HAZARDS    consent to hazards, names joined by + ('mtlcap help hazards')\n"
    "      --device N         only this device, counted from 0\n"
    "      --from FILE        not this device, but the answers in FILE, from elsewhere: of\n"
    "                         'mtlcap probe --json' or 'mtlcap trace --json'; - is standard\n"
    "                         input\n"
    "      --all-profiles     a table: the client's features under every built-in profile\n"
    "      --require FEATURE  exit by 1 if this feature of CLIENT is not on; may be repeated\n"
    "      --sdk VERSION      the SDK that the program is linked to ('mtlcap doctor PROGRAM'\n"
    "                         shows it); without it, what depends on it is unknown\n"
    "      --rules FILE       a client of your own (docs/explain.md)\n"
    "      --json             print JSON (docs/explain-json.md)\n"
    "\n"
    "What is known was read in the clients' sources, or seen when their real code was run on\n"
    "simulated devices: each feature says which, and of which version.\n"
    "\n"
    "examples\n"
    "  mtlcap explain\n"
    "  mtlcap explain llama.cpp -p auto\n"
    "  mtlcap explain llama.cpp --all-profiles\n"
    "  mtlcap explain ollama --from probe.json\n"
    "  mtlcap trace --from FILE --json | mtlcap explain llama.cpp --from -\n"
    "  mtlcap trace --json -o trace.json -- PROGRAM; mtlcap explain --from trace.json\n";

enum { PROFILE = 1, ALLOW, DEVICE, FROM, ALL_PROFILES, REQUIRE, SDK, RULES, JSON };

static const struct option options[] = {
    {PROFILE, "profile", 'p', "PROFILE"},
    {ALLOW, "allow", 0, "HAZARDS"},
    {DEVICE, "device", 0, "N"},
    {FROM, "from", 0, "FILE"},
    {ALL_PROFILES, "all-profiles", 0, NULL},
    {REQUIRE, "require", 0, "FEATURE"},
    {SDK, "sdk", 0, "VERSION"},
    {RULES, "rules", 0, "FILE"},
    {JSON, "json", 0, NULL},
    {0, NULL, 0, NULL},
};

struct request {
    const char *client, *profile, *allow, *from, *sdk, *rules;
    const char **required;
    size_t required_count;
    int device;
    bool json, all_profiles;
};

/* ---- the command line -------------------------------------------------------------------- */

static int set_once(const char **target, const char *name, const char *value) {
    if (*target != NULL)
        return usage_error(&explain_command, "one %s at a time: '%s' is too much", name, value);
    *target = value;
    return CODE_OK;
}

static int set_device(struct request *request, const char *text) {
    unsigned long long number;
    if (request->device != DEVICES_ALL)
        return usage_error(&explain_command, "one --device; without it all are shown");
    if (!parse_number(text, &number) || number > 9999)
        return usage_error(&explain_command, "--device needs a number from 0, not '%s'", text);
    request->device = (int)number;
    return CODE_OK;
}

static int take_option(int id, const char *value, struct request *request) {
    switch (id) {
    case PROFILE:
        return set_once(&request->profile, "--profile", value);
    case ALLOW:
        return set_once(&request->allow, "--allow", value);
    case DEVICE:
        return set_device(request, value);
    case FROM:
        return set_once(&request->from, "--from", value);
    case SDK:
        return set_once(&request->sdk, "--sdk", value);
    case RULES:
        return set_once(&request->rules, "--rules", value);
    case ALL_PROFILES:
        request->all_profiles = true;
        return CODE_OK;
    case REQUIRE:
        request->required[request->required_count++] = value;
        return CODE_OK;
    case ARGS_OPERAND:
        return set_once(&request->client, "client", value);
    default:
        request->json = true;
        return CODE_OK;
    }
}

static int check_request(const struct request *request) {
    const struct command *command = &explain_command;
    if (request->from != NULL && (request->profile != NULL || request->all_profiles))
        return usage_error(command, "a profile is applied to this machine's device, not to a file: "
                                    "the file is made by 'mtlcap probe -p PROFILE --json'");
    if (request->from != NULL && request->device != DEVICES_ALL)
        return usage_error(command, "--device is for this machine's devices, not with --from");
    if (request->all_profiles && request->profile != NULL)
        return usage_error(command, "--all-profiles shows them all: leave out -p");
    if (request->allow != NULL && request->profile == NULL && !request->all_profiles)
        return usage_error(command, "--allow needs a profile: -p PROFILE, or --all-profiles");
    if (request->client == NULL && request->rules == NULL &&
        (request->all_profiles || request->required_count > 0))
        return usage_error(command, "which client? For example: mtlcap explain llama.cpp%s",
                           request->all_profiles ? " --all-profiles" : "");
    if (request->all_profiles && request->required_count > 0)
        return usage_error(command, "--require is for one profile, not with --all-profiles");
    unsigned parts[3];
    if (request->sdk != NULL && explain_version(request->sdk, parts) == 0)
        return usage_error(command, "--sdk needs a version such as 15.2, not '%s'", request->sdk);
    return request->allow != NULL ? profile_check_allow(command, request->allow) : CODE_OK;
}

/* Returns an exit code, or ARGS_HELP. */
static int read_request(int argc, char **argv, struct request *request) {
    struct args args = args_start(&explain_command, argc, argv);
    int code = CODE_OK;
    for (int id; code == CODE_OK && (id = args_next(&args)) != ARGS_END;) {
        if (id == ARGS_HELP)
            return ARGS_HELP;
        code = id == ARGS_ERROR ? CODE_USAGE : take_option(id, args.values[0], request);
    }
    return code == CODE_OK ? check_request(request) : code;
}

/* ---- the client -------------------------------------------------------------------------- */

static const char *feature_name(size_t index, const void *context) {
    const struct explain_client *client = context;
    return index < client->feature_count ? client->features[index].name : NULL;
}

static const struct explain_feature *find_feature(const struct explain_client *client,
                                                  const char *name) {
    for (unsigned i = 0; i < client->feature_count; i++)
        if (strcmp(client->features[i].name, name) == 0)
            return &client->features[i];
    return NULL;
}

static int find_client(const struct request *request, struct explain *explain) {
    int code = explain_clients_read(request->rules, &explain->clients);
    if (code == CODE_OK && request->client != NULL)
        code = explain_clients_find(&explain->clients, request->client, &explain->choice);
    else if (code == CODE_OK && request->rules != NULL)
        explain->choice.client = &explain->clients.list[0];
    for (size_t i = 0; code == CODE_OK && i < request->required_count; i++) {
        const char *name = request->required[i];
        const struct explain_client *client = explain->choice.client;
        if (find_feature(client, name) == NULL)
            code = usage_error(&explain_command, "%s has no feature '%s'%s",
                               explain_choice_name(&explain->choice), name,
                               suggest(nearest(name, feature_name, client), "").text);
    }
    return code;
}

/* ---- the answers ------------------------------------------------------------------------- */

struct explain_known explain_known_of(const struct mtlcap_answer *answer) {
    return (struct explain_known){.known = true, .below = answer->effective.number[0] + 1};
}

bool explain_ask(struct explain_answers *answers) {
    explain_answers_free(answers);
    uint32_t count = mtlcap_capability_count();
    answers->known = allocate(count, sizeof *answers->known);
    answers->list = devices_ask(answers->device.device);
    for (uint32_t i = 0; answers->list != NULL && i < count; i++)
        answers->known[i] = explain_known_of(&answers->list[i]);
    return answers->list != NULL;
}

struct explain_answers *explain_add_device(struct explain *explain) {
    struct explain_answers *answers = &explain->answers[explain->count];
    uint32_t count = mtlcap_capability_count();
    *answers = (struct explain_answers){.machine = explain->machine,
                                        .index = explain->count++,
                                        .list = allocate(count, sizeof *answers->list),
                                        .known = allocate(count, sizeof *answers->known),
                                        .sdk = explain->sdk};
    mtlcap_init(&answers->device, sizeof answers->device);
    for (uint32_t i = 0; i < count; i++)
        mtlcap_init(&answers->list[i], sizeof answers->list[i]);
    return answers;
}

void explain_early_free(struct explain_answers *answers) {
    if (answers->early != NULL) {
        free(answers->early->list);
        free(answers->early->known);
        free(answers->early->profile);
        free(answers->early->names);
    }
    free(answers->early);
    answers->early = NULL;
}

void explain_answers_free(struct explain_answers *answers) {
    explain_early_free(answers);
    free(answers->list);
    free(answers->known);
    answers->list = NULL;
    answers->known = NULL;
}

static int ask_devices(const struct request *request, struct explain *explain) {
    struct devices devices;
    int code = devices_open(&devices, request->device);
    if (code != CODE_OK)
        return code;
    struct mtlcap_options apply = {.struct_size = sizeof apply, .allow = request->allow};
    int status =
        request->profile != NULL ? mtlcap_apply_profile(request->profile, &apply) : MTLCAP_OK;
    if (status != MTLCAP_OK)
        code = profile_refused(request->profile, request->allow, status);
    explain->live = true;
    explain->machine = devices.machine;
    explain->answers = allocate(devices.count, sizeof *explain->answers);
    for (uint32_t i = 0; code == CODE_OK && i < devices.count; i++) {
        struct explain_answers *answers = &explain->answers[explain->count++];
        *answers = (struct explain_answers){.machine = devices.machine,
                                            .device = devices.list[i],
                                            .index = devices.first + i,
                                            .sdk = request->sdk};
        if (!explain_ask(answers))
            code = CODE_INTERNAL;
    }
    devices_close(&devices);
    return code;
}

/* ---- running ----------------------------------------------------------------------------- */

static int check_required(const struct request *request, const struct explain *explain) {
    int code = CODE_OK;
    for (size_t r = 0; r < request->required_count; r++)
        for (uint32_t i = 0; i < explain->count; i++) {
            const struct explain_feature *feature =
                find_feature(explain->choice.client, request->required[r]);
            const struct explain_answers *answers = &explain->answers[i];
            enum explain_state state = explain_condition_state(&feature->condition, answers);
            if (state == EXPLAIN_ON)
                continue;
            char *deciding = explain_deciding_text(feature, answers);
            complain("device %u: required, but %s: %s of %s: %s", (unsigned)answers->index,
                     explain_state_names[state], feature->name,
                     explain_choice_name(&explain->choice), deciding);
            free(deciding);
            code = CODE_EXPECTATION;
        }
    return code;
}

static int run_request(const struct request *request, struct explain *explain) {
    int code = find_client(request, explain);
    if (code == CODE_OK)
        code = request->from != NULL ? explain_from(request->from, explain)
                                     : ask_devices(request, explain);
    if (code != CODE_OK)
        return code;
    if (request->all_profiles)
        return explain_write_profiles(explain, request->json);
    if (request->json)
        explain_write_json(explain);
    else
        explain_write_text(explain);
    return check_required(request, explain);
}

static int run(int argc, char **argv) {
    struct request request = {.device = DEVICES_ALL};
    request.required = allocate((size_t)argc, sizeof *request.required);
    int code = read_request(argc, argv, &request);
    if (code == ARGS_HELP) {
        code = command_help(&explain_command);
    } else if (code == CODE_OK) {
        struct explain explain = {.profile = request.profile,
                                  .allow = request.allow,
                                  .from = request.from,
                                  .sdk = request.sdk};
        code = run_request(&request, &explain);
        for (uint32_t i = 0; i < explain.count; i++)
            explain_answers_free(&explain.answers[i]);
        free(explain.answers);
        free(explain.profile_copy);
        explain_clients_free(&explain.clients);
    }
    free(request.required);
    return code;
}

const struct command explain_command = {
    .name = "explain",
    .usage = "[CLIENT] [-p PROFILE | --from FILE] [--allow HAZARDS] [--device N]\n"
             "[--all-profiles] [--require FEATURE ...] [--sdk VERSION]\n"
             "[--rules FILE] [--json]",
    .summary = "which paths of known programs are on here, and which answers decide it",
    .help = help,
    .options = options,
    .run = run,
};
