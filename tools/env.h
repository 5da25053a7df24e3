/* mtlcap env: the forms that variables are printed in. */
#ifndef TOOLS_ENV_H
#define TOOLS_ENV_H

#include <stdbool.h>

#include "injection.h"
#include "run.h"

/* What an agent is to start. */
struct env_agent {
    const char *label;
    const struct program *program;
};

struct env_format {
    const char *name;
    bool has_comments; /* lines that begin with # */
    bool is_agent;     /* it starts a program */
    /* Returns an exit code, after a complaint. */
    int (*write)(const struct setting *settings, const struct env_agent *agent);
};

/* NULL: there is none of this name. */
const struct env_format *env_format_find(const char *name);

#endif
