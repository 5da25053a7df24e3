/* mtlcap help: of the command, of its subcommands, and of what is common to them. */
#include <stdbool.h>
#include <string.h>

#include <mtlcap/mtlcap.h>

#include "args.h"
#include "catalog.h"
#include "environment_text.h"
#include "help.h"
#include "output.h"
#include "simulated.h"
#include "table.h"
#include "term.h"

static const char language[] =
    "A profile is a list of items, joined by commas; in a file, one a line. Later items win.\n"
    "\n"
    "  NAME             a built-in profile: mtlcap profiles list\n"
    "  KEY.min=VALUE    a floor: at least this is answered\n"
    "  KEY.max=VALUE    a ceiling: at most this is answered\n"
    "  KEY=VALUE        both: exactly this is answered\n"
    "  @FILE            the items of a file; # begins a comment there\n"
    "\n"
    "KEY is a question that Metal answers: mtlcap help keys. VALUE is\n"
    "  for a family     the number in Metal's name, or off: apple.min=7, metal=off\n"
    "  for a size       a number, K, M, G behind it: threadgroup_memory.max=32K\n"
    "  for yes or no    on, off, without .min and .max: raytracing=off\n"
    "\n"
    "examples\n"
    "  auto                          in a VM: the families of the host's chip\n"
    "  auto,metal=off                the same, without the families Metal3 and Metal4\n"
    "  like-m1,working_set.max=11G   as on an M1, with 11 GiB of working set at most\n"
    "\n"
    "A rule that is known to break programs, or that promises what the hardware has not,\n"
    "is a hazard: refused, or warned about, unless --allow names it: mtlcap help hazards.\n";

static int write_language(void) {
    output("%s", language);
    return CODE_OK;
}

static const char machines[] =
    "Off a Mac the GPU is simulated: no shader runs, but it answers as the real one does.\n"
    "The environment variable SIMMETAL_DEVICES says which machine it is: the name of one\n"
    "below, or the path of a file (with a slash in it, or ending in .ini). Several are joined\n"
    "by commas: their devices are listed in turn. Without it the machine is paravirt, a macOS\n"
    "guest on an M1 Ultra. On a Mac the variable means nothing: the GPUs are the Mac's.\n"
    "\n"
    "examples\n"
    "  SIMMETAL_DEVICES=paravirt-m3 mtlcap probe -p auto\n"
    "  SIMMETAL_DEVICES=m1-ultra mtlcap profiles check like-apple5\n"
    "  SIMMETAL_DEVICES=./mine.ini mtlcap probe\n"
    "\n"
    "lib/simmetal/README.md, in the sources, describes the machines and how files are written.\n";

static int write_machines(void) {
    output("%s", machines);
    const char *const *names = simulated_machines();
    if (names == NULL)
        return CODE_OK;
    output("\nmachines\n");
    for (; *names != NULL; names++)
        output("  %s\n", *names);
    return CODE_OK;
}

static int write_keys(void) {
    static const char *const changes[] = {"", "lower", "raise", "raise, lower"};
    struct table table = {.indent = ""};
    TABLE_ADD(&table, term_style()->heading, "key", "Metal's name", "can be", "what");
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        struct mtlcap_capability capability = catalog_capability(i);
        TABLE_ADD(&table, "", capability.key, capability.selector,
                  (capability.change & 3) == 0 ? "asked only" : changes[capability.change & 3],
                  capability.summary);
    }
    table_write(&table);
    return CODE_OK;
}

static int write_hazards(void) {
    for (uint32_t i = 0; i < mtlcap_hazard_count(); i++) {
        struct mtlcap_hazard hazard = catalog_hazard(i);
        output("%s%s%s%s (%s)\n  when:    %s\n  breaks:  %s\n  seen by: %s\n", i > 0 ? "\n" : "",
               term_style()->heading, hazard.name, term_style()->end,
               hazard.refuses ? "refused" : "warned about", hazard.when, hazard.breaks,
               hazard.source);
    }
    return CODE_OK;
}

static int write_environment(void) {
    environment_text_write();
    return CODE_OK;
}

static int write_codes(void) {
    struct table table = {.indent = ""};
#define CODE_ROW(name, number, meaning) TABLE_ADD(&table, "", #number, meaning);
    CODE_MAP(CODE_ROW)
#undef CODE_ROW
    table_write(&table);
    return CODE_OK;
}

const struct help_topic help_topics[] = {
    {"language", "how profiles are written", write_language},
    {"keys", "the questions that Metal answers, as profiles name them", write_keys},
    {"hazards", "what is refused or warned about unless it is allowed", write_hazards},
    {"environment", "the variables that the injected library reads", write_environment},
    {"machines", "which machine is simulated, off a Mac", write_machines},
    {"exit-codes", "what exit codes mean", write_codes},
};

const size_t help_topic_count = sizeof help_topics / sizeof help_topics[0];

/* One line a form of the command; a line that begins with an option goes on with the form above. */
static void write_usage(const struct command *command) {
    const char *label = "usage:";
    for (const char *form = command->usage;;) {
        size_t length = strcspn(form, "\n");
        bool goes_on = form != command->usage && form[0] == '[';
        if (goes_on)
            output("%*s", (int)(strlen("usage: mtlcap  ") + strlen(command->name)), "");
        else
            output("%-6s mtlcap %s%s", label, command->name, length > 0 ? " " : "");
        output("%.*s\n", (int)length, form);
        if (form[length] == '\0')
            return;
        form += length + 1;
        label = "";
    }
}

static int write_overview(void) {
    struct table table = {.indent = "  "};
    output("mtlcap: what Metal says about this machine's GPUs, and what profiles make of it\n"
           "\nusage: mtlcap COMMAND [ARGUMENTS]\n\ncommands\n");
    for (size_t i = 0; commands[i] != NULL; i++)
        TABLE_ADD(&table, "", commands[i]->name, commands[i]->summary);
    table_write(&table);
    output("\nmtlcap help COMMAND explains one of them; mtlcap help TOPIC one of these:\n");
    for (size_t i = 0; i < help_topic_count; i++)
        TABLE_ADD(&table, "", help_topics[i].name, help_topics[i].summary);
    table_write(&table);
    output("\nNothing that it does outlives it, but for what run starts.\n");
    return CODE_OK;
}

int command_help(const struct command *command) {
    if (command == NULL)
        return write_overview();
    output("mtlcap %s: %s\n\n", command->name, command->summary);
    write_usage(command);
    output("\n%s", command->help);
    return CODE_OK;
}

static const char *subject_name(size_t index, const void *context) {
    (void)context;
    size_t command_count = 0;
    while (commands[command_count] != NULL)
        command_count++;
    if (index < command_count)
        return commands[index]->name;
    return index - command_count < help_topic_count ? help_topics[index - command_count].name
                                                    : NULL;
}

static int explain(const char *subject) {
    const struct command *command = command_find(subject);
    if (command != NULL)
        return command_help(command);
    for (size_t i = 0; i < help_topic_count; i++)
        if (strcmp(help_topics[i].name, subject) == 0)
            return help_topics[i].write();
    struct suggestion suggestion = suggest(nearest(subject, subject_name, NULL), "");
    return usage_error(NULL, "there is no help on '%s'%s", subject, suggestion.text);
}

static const struct option options[] = {{0, NULL, 0, NULL}};

static int run(int argc, char **argv) {
    struct args args = args_start(&help_command, argc, argv);
    const char *subject = NULL;
    for (int id; (id = args_next(&args)) != ARGS_END;) {
        if (id == ARGS_HELP)
            return command_help(&help_command);
        if (id != ARGS_OPERAND)
            return CODE_USAGE;
        if (subject != NULL)
            return usage_error(&help_command, "one thing at a time: '%s' is too much",
                               args.values[0]);
        subject = args.values[0];
    }
    return subject != NULL ? explain(subject) : command_help(NULL);
}

const struct command help_command = {
    .name = "help",
    .usage = "[COMMAND | TOPIC]",
    .summary = "this, or the help of a command or on a topic",
    .help = "Without an argument it lists commands and topics.\n",
    .options = options,
    .run = run,
};
