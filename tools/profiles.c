/* mtlcap profiles: what can be applied, and what it would do. */
#include "profiles.h"

#include <string.h>

#include <mtlcap/mtlcap.h>

#include "args.h"
#include "catalog.h"
#include "devices.h"
#include "output.h"
#include "profile_check.h"
#include "term.h"

static const char help[] =
    "  list             the built-in profiles (the default)\n"
    "  show NAME        a built-in profile: its rules, where its numbers come from, and\n"
    "                   what it would do on this machine's devices\n"
    "  check SPEC       what a profile would do here, rule by rule and device by device,\n"
    "                   and which hazards it meets. The exit code is 78 if it is malformed\n"
    "                   or would be refused. Without a Metal device its form is checked\n"
    "                   only, and that is said.\n"
    "  capture          print the stock answers of the first device as a profile file:\n"
    "                   'mtlcap profiles capture > mini.mtlcap' there, and here\n"
    "                   'mtlcap probe -p @mini.mtlcap'. It lowers a device that can more\n"
    "                   to the captured one, and raises nothing.\n"
    "\n"
    "      --allow HAZARDS  check: consent to hazards, names joined by +\n"
    "      --device N       capture: this device, counted from 0\n"
    "\n"
    "'mtlcap help language' explains how profiles are written.\n"
    "\n"
    "examples\n"
    "  mtlcap profiles show auto\n"
    "  mtlcap profiles check apple.min=9 --allow beyond-hardware\n";

enum { ALLOW = 1, DEVICE };

static const struct option options[] = {
    {ALLOW, "allow", 0, "HAZARDS"}, {DEVICE, "device", 0, "N"}, {0, NULL, 0, NULL}};

enum verb { LIST, SHOW, CHECK, CAPTURE, VERB_COUNT };

static const struct {
    const char *name;
    const char *operand; /* what it needs; NULL: nothing */
    int option;          /* the option that it takes; 0: none */
} verbs[VERB_COUNT] = {
    [LIST] = {"list", NULL, 0},
    [SHOW] = {"show", "the name of a built-in profile", 0},
    [CHECK] = {"check", "a profile", ALLOW},
    [CAPTURE] = {"capture", NULL, DEVICE},
};

static const char *verb_name(size_t index, const void *context) {
    (void)context;
    return index < VERB_COUNT ? verbs[index].name : NULL;
}

/* Writes rules in lines of at most LINE_WIDTH columns, broken after commas. */
static void write_rules(const char *rules, int indent) {
    enum { LINE_WIDTH = 90 };
    int column = indent;
    while (*rules != '\0') {
        int length = (int)strcspn(rules, ",");
        length += rules[length] == ',';
        if (column > indent && column + length > LINE_WIDTH) {
            output("\n%*s", indent, "");
            column = indent;
        }
        output("%.*s", length, rules);
        column += length;
        rules += length;
    }
    output("\n");
}

static int list(void) {
    const struct term_style *styles = term_style();
    int width = 0;
    for (uint32_t i = 0; i < mtlcap_profile_count(); i++) {
        int length = (int)strlen(catalog_profile(i).name);
        width = length > width ? length : width;
    }
    for (uint32_t i = 0; i < mtlcap_profile_count(); i++) {
        struct mtlcap_profile profile = catalog_profile(i);
        output("%s%-*s%s  %s\n%*s", styles->heading, width, profile.name, styles->end,
               profile.summary, width + 2, "");
        write_rules(profile.rules, width + 2);
    }
    return CODE_OK;
}

static int show(const char *name) {
    uint32_t index;
    if (!catalog_find_profile(name, &index)) {
        struct suggestion suggestion =
            suggest(catalog_near_profile(name), "for your own, use 'mtlcap profiles check'");
        return usage_error(&profiles_command, "there is no built-in profile '%s'%s", name,
                           suggestion.text);
    }
    struct mtlcap_profile profile = catalog_profile(index);
    output("%s%s%s: %s\n", term_style()->heading, profile.name, term_style()->end, profile.summary);
    output("rules: ");
    write_rules(profile.rules, (int)strlen("rules: "));
    if (profile.source[0] != '\0')
        output("source: %s\n", profile.source);
    output("\n");
    int code = profiles_explain(profile.name, NULL);
    /* That it would be refused here has been shown, and is no failure to show it. */
    return code == CODE_PROFILE ? CODE_OK : code;
}

static int check(const char *profile, const char *allow) {
    int code = allow != NULL ? profile_check_allow(&profiles_command, allow) : CODE_OK;
    return code == CODE_OK ? profiles_explain(profile, allow) : code;
}

struct request {
    enum verb verb;
    const char *operand;
    const char *allow;
    int device;
    int option; /* the last one given */
};

static int take_operand(struct request *request, int position, const char *text) {
    if (position == 0) {
        int verb = 0;
        while (verb < VERB_COUNT && strcmp(verbs[verb].name, text) != 0)
            verb++;
        if (verb == VERB_COUNT) {
            struct suggestion suggestion =
                suggest(nearest(text, verb_name, NULL), "there are list, show, check, capture");
            return usage_error(&profiles_command, "there is no 'profiles %s'%s", text,
                               suggestion.text);
        }
        request->verb = (enum verb)verb;
        return CODE_OK;
    }
    if (position > 1 || verbs[request->verb].operand == NULL)
        return usage_error(&profiles_command, "'%s' is too much: %s takes %s", text,
                           verbs[request->verb].name,
                           verbs[request->verb].operand != NULL ? "one thing only" : "no operand");
    if (text[0] == '\0')
        return usage_error(&profiles_command, "%s needs %s, not an empty argument",
                           verbs[request->verb].name, verbs[request->verb].operand);
    request->operand = text;
    return CODE_OK;
}

/* Returns an exit code, or ARGS_HELP. */
static int read_request(int argc, char **argv, struct request *request) {
    struct args args = args_start(&profiles_command, argc, argv);
    int operands = 0, code = CODE_OK;
    unsigned long long number;
    for (int id; code == CODE_OK && (id = args_next(&args)) != ARGS_END;)
        switch (id) {
        case ALLOW:
            if (request->allow != NULL)
                return usage_error(&profiles_command, "one --allow: join names by +");
            request->allow = args.values[0];
            request->option = id;
            break;
        case DEVICE:
            if (request->device != DEVICES_ALL)
                return usage_error(&profiles_command, "one --device: one device is captured");
            if (!parse_number(args.values[0], &number) || number > 9999)
                return usage_error(&profiles_command, "--device needs a number from 0, not '%s'",
                                   args.values[0]);
            request->device = (int)number;
            request->option = id;
            break;
        case ARGS_OPERAND:
            code = take_operand(request, operands++, args.values[0]);
            break;
        case ARGS_HELP:
            return ARGS_HELP;
        default:
            return CODE_USAGE;
        }
    if (code != CODE_OK)
        return code;
    if (request->option != 0 && request->option != verbs[request->verb].option)
        return usage_error(&profiles_command, "%s takes no --%s", verbs[request->verb].name,
                           request->option == ALLOW ? "allow" : "device");
    if (verbs[request->verb].operand != NULL && request->operand == NULL)
        return usage_error(&profiles_command, "%s needs %s", verbs[request->verb].name,
                           verbs[request->verb].operand);
    return CODE_OK;
}

static int run(int argc, char **argv) {
    struct request request = {.verb = LIST, .device = DEVICES_ALL};
    int code = read_request(argc, argv, &request);
    if (code == ARGS_HELP)
        return command_help(&profiles_command);
    if (code != CODE_OK)
        return code;
    switch (request.verb) {
    case SHOW:
        return show(request.operand);
    case CHECK:
        return check(request.operand, request.allow);
    case CAPTURE:
        return profiles_capture(request.device);
    default:
        return list();
    }
}

const struct command profiles_command = {
    .name = "profiles",
    .usage = "[list]\n"
             "show NAME\n"
             "check SPEC [--allow HAZARDS]\n"
             "capture [--device N]",
    .summary = "what can be applied, what it would do, and a device as a profile",
    .help = help,
    .options = options,
    .run = run,
};
