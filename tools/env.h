/* mtlcap env: the forms that variables are printed in. */
#ifndef TOOLS_ENV_H
#define TOOLS_ENV_H

#include <stdbool.h>

#include "injection.h"
#include "run.h"

struct env_format {
    const char *name;
    bool has_comments; /* lines that begin with # */
    /* Returns an exit code, after a complaint. NULL: launchd's, which starts a program. */
    int (*write)(const struct setting *settings);
};

/* NULL: there is none of this name. */
const struct env_format *env_format_find(const char *name);

/* A LaunchAgent that starts `program` with its environment. */
int env_write_agent(const char *label, const struct program *program);

#endif
