/* mtlcap version */
#include <stddef.h>

#include <mtlcap/mtlcap.h>

#include "args.h"
#include "output.h"

static const struct option options[] = {{0, NULL, 0, NULL}};

static int run(int argc, char **argv) {
    struct args args = args_start(&version_command, argc, argv);
    switch (args_next(&args)) {
    case ARGS_END:
        output("mtlcap %s\n", mtlcap_version());
        return CODE_OK;
    case ARGS_HELP:
        return command_help(&version_command);
    case ARGS_OPERAND:
        return usage_error(&version_command, "version takes nothing, not '%s'", args.values[0]);
    default:
        return CODE_USAGE;
    }
}

const struct command version_command = {
    .name = "version",
    .usage = "",
    .summary = "the version of the library in use",
    .help = "Prints the version of libmtlcap that this command has loaded.\n",
    .options = options,
    .run = run,
};
