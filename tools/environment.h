/* An environment that is prepared for another program. */
#ifndef TOOLS_ENVIRONMENT_H
#define TOOLS_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

struct environment {
    char **list; /* "NAME=value", NULL ends */
    size_t count, capacity;
};

/* Of this process. */
char *const *environment_own(void);

struct environment environment_copy(char *const *list);
void environment_free(struct environment *environment);
void environment_clear(struct environment *environment);

/* NULL: there is none. */
const char *environment_get(const struct environment *environment, const char *name);

/* Does a variable of the injected library that takes 0|1 say 1, in any of its spellings? */
bool environment_is_on(const struct environment *environment, const char *name);

/* Replaces every one of this name; NULL: takes them out. */
void environment_set(struct environment *environment, const char *name, const char *value);

/* "ab", "c", NULL: "abc". To be freed. */
char *joined(const char *first, ...) __attribute__((sentinel));

#endif
