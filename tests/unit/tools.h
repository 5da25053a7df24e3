/* What sources of tools/ need of the rest of the command, for tests that take some of them.
 * Included by one file of a program. */
#ifndef MTLCAP_TESTS_UNIT_TOOLS_H
#define MTLCAP_TESTS_UNIT_TOOLS_H

#include <stdlib.h>

#include "command.h"

void *allocate(size_t count, size_t size) {
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

int usage_error(const struct command *command, const char *format, ...) {
    (void)command;
    (void)format;
    abort(); /* no test has a command line */
}

#endif
