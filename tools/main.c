/* The mtlcap command: finds the subcommand. Each is one file. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <mtlcap/mtlcap.h>

#include "args.h"
#include "command.h"
#include "complete.h"
#include "output.h"

const struct command *const commands[] = {
    &probe_command,  &profiles_command, &run_command, &trace_command,
    &doctor_command, &explain_command,  &env_command, &selftest_command,
    &help_command,   &version_command,  NULL,
};

/* Options in the place of a command. */
static const struct {
    const char *option, *command;
} aliases[] = {{"-h", "help"}, {"--help", "help"}, {"--version", "version"}};

const struct command *command_find(const char *name) {
    for (size_t i = 0; commands[i] != NULL; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static const char *command_name(size_t index, const void *context) {
    (void)context;
    return commands[index] != NULL ? commands[index]->name : NULL;
}

int usage_error(const struct command *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complain_list("mtlcap: ", format, arguments);
    va_end(arguments);
    complain_more("'mtlcap help%s%s' explains.", command != NULL ? " " : "",
                  command != NULL ? command->name : "");
    return CODE_USAGE;
}

int library_error(int status) {
    const char *detail = mtlcap_last_error();
    complain("%s", detail[0] != '\0' ? detail : mtlcap_strerror(status));
    return status == MTLCAP_E_NO_DEVICE || status == MTLCAP_E_UNSUPPORTED ? CODE_NO_DEVICE
                                                                          : CODE_INTERNAL;
}

void *allocate(size_t count, size_t size) {
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        complain("out of memory");
        exit(output_finish(CODE_INTERNAL));
    }
    return memory;
}

static int run(int argc, char **argv) {
    if (argc < 2)
        return usage_error(NULL, "which command? For example: mtlcap probe");
    if (strcmp(argv[1], "--complete") == 0)
        return complete(argc - 2, argv + 2);
    const char *name = argv[1];
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (strcmp(aliases[i].option, name) == 0)
            name = aliases[i].command;
    const struct command *command = command_find(name);
    if (command == NULL) {
        const char *near = nearest(name, command_name, NULL);
        return usage_error(NULL, "there is no command '%s'%s", name, suggest(near, "").text);
    }
    return command->run(argc - 1, argv + 1);
}

int main(int argc, char **argv) {
    output_start();
    return output_finish(run(argc, argv));
}
