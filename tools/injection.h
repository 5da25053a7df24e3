/* What is asked of the injected library, by the options that `run` and `env` share, and the
 * variables that say it. */
#ifndef TOOLS_INJECTION_H
#define TOOLS_INJECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "args.h"
#include "environment.h"

struct injection {
    const struct command *command;
    const char *profile, *allow, *receipt, *log;
    char *require; /* expectations, joined by commas; NULL: none */
    bool strict, inherit, early, keep_shims;
    const char *otherwise; /* the profile where nobody names one */
    bool by_default;       /* nobody did */
    char *library;         /* path */
};

/* The ids of these options are from this on. */
enum { INJECTION_FIRST = 100 };
enum {
    INJECTION_PROFILE = INJECTION_FIRST,
    INJECTION_ALLOW,
    INJECTION_STRICT,
    INJECTION_REQUIRE,
    INJECTION_RECEIPT,
    INJECTION_LOG,
    INJECTION_CHILDREN,
    INJECTION_TIMING,
    INJECTION_KEEP_SHIMS,
    INJECTION_LIBRARY,
};

// clang-format off
#define INJECTION_OPTIONS                                                                          \
    {INJECTION_PROFILE, "profile", 'p', "PROFILE"},                                                \
    {INJECTION_ALLOW, "allow", 0, "HAZARDS"},                                                      \
    {INJECTION_STRICT, "strict", 0, NULL},                                                         \
    {INJECTION_REQUIRE, "require", 0, "KEY=VALUE"},                                                \
    {INJECTION_RECEIPT, "receipt", 0, "FILE"},                                                     \
    {INJECTION_LOG, "log", 0, "LEVEL[:FILE]"},                                                     \
    {INJECTION_CHILDREN, "children", 0, "none|inherit"},                                           \
    {INJECTION_TIMING, "timing", 0, "late|early"},                                                 \
    {INJECTION_KEEP_SHIMS, "keep-shims", 0, NULL},                                                 \
    {INJECTION_LIBRARY, "library", 0, "FILE"}
// clang-format on

/* The usage of these options, and the lines of help on them: between the two goes what the profile
 * is without -p. */
#define INJECTION_USAGE                                                                            \
    "[-p PROFILE] [--allow HAZARDS] [--strict] [--require KEY=VALUE ...]\n"                        \
    "[--receipt FILE] [--log LEVEL[:FILE]] [--children none|inherit]\n"                            \
    "[--timing late|early] [--keep-shims] [--library FILE]"
#define INJECTION_HELP_PROFILE                                                                     \
    "  -p, --profile PROFILE  the profile ('mtlcap help language'); without it, "
#define INJECTION_HELP                                                                             \
    "      --allow HAZARDS    consent to hazards, names joined by + ('mtlcap help hazards')\n"     \
    "      --strict           if it cannot be applied as asked, the program ends instead of\n"     \
    "                         going on with stock answers: by itself with exit code 78;\n"         \
    "                         mtlcap run makes that 70\n"                                          \
    "      --require KEY=VALUE, KEY!=VALUE, KEY>=VALUE, KEY<=VALUE\n"                              \
    "                         what a device must answer before the program gets it, as in\n"       \
    "                         'mtlcap probe --expect'; otherwise it ends, with exit code 70.\n"    \
    "                         May be repeated. Quote it in a shell.\n"                             \
    "      --receipt FILE     have it written down as JSON what was done; %p in FILE is the\n"     \
    "                         number of the process\n"                                             \
    "      --log LEVEL[:FILE] off, error (the default), warning, info or debug; to FILE\n"         \
    "                         instead of standard error\n"                                         \
    "      --children none|inherit\n"                                                              \
    "                         none (the default): what the program starts does not get the\n"      \
    "                         library. On a Mac a library without an arm64e slice, such as\n"      \
    "                         this one, kills Apple's own programs where SIP is off.\n"            \
    "      --timing late|early\n"                                                                  \
    "                         early: override while Metal makes the device; what Metal\n"          \
    "                         remembers then cannot be restored\n"                                 \
    "      --keep-shims       leave what Lume, Tart, Lunchpail and Anka insert, and their\n"       \
    "                         variables; they are dropped otherwise\n"                             \
    "      --library FILE     another libmtlcap-inject than the one that came with mtlcap\n"

/* Takes one of these options. Returns an exit code. */
int injection_take(struct injection *injection, int id, const char *value);

/* Checks all of it, fills in what was not given, finds the library, and makes paths absolute, since
 * a program may have another working folder. Returns an exit code, after a complaint. */
int injection_complete(struct injection *injection);

void injection_free(struct injection *injection);

/* What asks to make sure that it is applied: options. NULL: nothing. */
const char *injection_assertion(const struct injection *injection);

/* One variable as it is to be. */
struct setting {
    char *name;
    char *value; /* NULL: to be removed */
};

/* What makes `environment` the one that was asked for; the list ends with a name of NULL. Says, at
 * level info, what it drops. To be freed by settings_free(). */
struct setting *injection_settings(const struct injection *injection,
                                   const struct environment *environment);

/* What takes all of ours, and nothing else, out of an environment. */
struct setting *injection_strip(const struct environment *environment);

void settings_free(struct setting *settings);

/* `path` from the working folder of this process. To be freed. */
char *absolute_path(const char *path);

/* The name of a receipt as the library reads it, absolute: %p, and %% for a percent sign, of which
 * the working folder's path may have some. To be freed. */
char *receipt_pattern(const char *file);

/* Twice what is a percent sign. To be freed. */
char *pattern_of_path(const char *path);

#endif
