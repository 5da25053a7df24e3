/* What mtlcap help explains beside the subcommands. */
#ifndef TOOLS_HELP_H
#define TOOLS_HELP_H

#include <stddef.h>

struct help_topic {
    const char *name, *summary;
    int (*write)(void);
};

extern const struct help_topic help_topics[];
extern const size_t help_topic_count;

#endif
