/* What a subcommand is, and what all of them share: exit codes, complaints, memory. */
#ifndef TOOLS_COMMAND_H
#define TOOLS_COMMAND_H

#include <stddef.h>

struct option;

/* X(name, number, meaning); from 64 on as in sysexits.h, from 126 on as shells have them. `run`
 * exits as its program does where it does not exit by one of these. */
#define CODE_MAP(X)                                                                                \
    X(OK, 0, "done")                                                                               \
    X(EXPECTATION, 1, "an expectation was not met")                                                \
    X(USAGE, 2, "the command line is wrong")                                                       \
    X(STRIPPED, 10, "doctor: macOS drops the variable on the way to the program")                  \
    X(REJECTED, 11, "doctor: the program does not take the library")                               \
    X(DIES, 12, "doctor: the program ends at its start")                                           \
    X(CHILD_DIES, 13, "doctor: what the program starts ends")                                      \
    X(NOT_KNOWN, 14, "doctor: it cannot be told, or depends on the machine")                       \
    X(DATA, 65, "explain, trace: what is in a file cannot be read")                                \
    X(NO_DEVICE, 69, "no such device, or no Metal here")                                           \
    X(INTERNAL, 70,                                                                                \
      "something unexpected inside mtlcap; run: not confirmed, or a requirement not met")          \
    X(IO, 74, "the output cannot be written")                                                      \
    X(PROFILE, 78, "the profile is malformed, or refused")                                         \
    X(NOT_EXECUTABLE, 126, "run: the program cannot be executed")                                  \
    X(NOT_FOUND, 127, "run: there is no such program")

enum code {
#define CODE_ENUM(name, number, meaning) CODE_##name = (number),
    CODE_MAP(CODE_ENUM)
#undef CODE_ENUM
};

struct command {
    const char *name;
    const char *usage;                 /* after "mtlcap NAME"; several lines: one form each */
    const char *summary;               /* one line, without a period */
    const char *help;                  /* the rest of its help */
    const struct option *options;      /* args.h */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns an exit code */
};

extern const struct command probe_command, profiles_command, run_command, trace_command,
    doctor_command, explain_command, env_command, selftest_command, help_command, version_command;

/* All of them, as `mtlcap help` lists them; NULL ends. */
extern const struct command *const commands[];

/* The command of this name; NULL: none. */
const struct command *command_find(const char *name);

/* Prints a command's help; NULL: that of mtlcap. */
int command_help(const struct command *command);

/* Complains about the command line, shows the usage, returns CODE_USAGE. NULL: of mtlcap. */
int usage_error(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Complains about a failed call of the library; returns the exit code that goes with it. */
int library_error(int status);

/* Zeroed memory for `count` things of `size` bytes. Where there is none the program ends. */
void *allocate(size_t count, size_t size);

#endif
