/* Reads a command line: options with values, and operands. */
#ifndef TOOLS_ARGS_H
#define TOOLS_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"

struct option {
    int id;             /* above 0; 0 ends a list of options */
    const char *name;   /* without "--" */
    char letter;        /* without "-"; 0: none */
    const char *values; /* what follows, as in the usage: "PROFILE", "A B"; NULL: nothing */
};

/* Known to every command: -h and --help. */
extern const struct option help_option;

/* The option that `text` is: "--NAME", "--NAME=VALUE", "-L" or "-LVALUE"; NULL: there is none.
 * `given` is the value in it, or NULL. */
const struct option *option_find(const struct option *options, const char *text,
                                 const char **given);

/* How many values it takes, 0 to 2. */
int option_value_count(const struct option *option);

enum { ARGS_END = 0, ARGS_OPERAND = -1, ARGS_HELP = -2, ARGS_ERROR = -3 };

struct args {
    const struct command *command;
    int argc;
    char **argv;
    int next;              /* index of what is read next */
    bool operands_only;    /* "--" was met */
    const char *values[2]; /* of the option just read; the operand */
};

struct args args_start(const struct command *command, int argc, char **argv);

/* The next option's id, or an ARGS_... For ARGS_ERROR the user has been told. */
int args_next(struct args *args);

/* A decimal number without sign; false: it is not one, or too large. */
bool parse_number(const char *text, unsigned long long *number);

/* One of some words, by index from 0; NULL: past the last. */
typedef const char *candidate_function(size_t index, const void *context);

/* Of these words the one most like `word`; NULL: none is near. */
const char *nearest(const char *word, candidate_function *candidate, const void *context);

/* What goes after "there is no such thing": "; did you mean NEAR?", or without one "; OTHERWISE".
 */
struct suggestion {
    char text[160];
};
struct suggestion suggest(const char *near, const char *otherwise);

#endif
