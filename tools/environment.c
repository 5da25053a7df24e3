/* Reads and edits a list of NAME=value. */
#include "environment.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

extern char **environ;

char *const *environment_own(void) {
    return environ;
}

char *joined(const char *first, ...) {
    va_list parts;
    size_t length = 0;
    va_start(parts, first);
    for (const char *part = first; part != NULL; part = va_arg(parts, const char *))
        length += strlen(part);
    va_end(parts);
    char *text = allocate(length + 1, 1), *end = text;
    va_start(parts, first);
    for (const char *part = first; part != NULL; part = va_arg(parts, const char *)) {
        size_t size = strlen(part);
        memcpy(end, part, size);
        end += size;
    }
    va_end(parts);
    return text;
}

static void append(struct environment *environment, char *entry) {
    if (environment->count + 1 >= environment->capacity) {
        size_t capacity = 2 * environment->capacity + 64;
        char **list = allocate(capacity, sizeof *list);
        if (environment->count > 0)
            memcpy(list, environment->list, environment->count * sizeof *list);
        free(environment->list);
        environment->list = list;
        environment->capacity = capacity;
    }
    environment->list[environment->count++] = entry;
    environment->list[environment->count] = NULL;
}

struct environment environment_copy(char *const *list) {
    struct environment environment = {NULL, 0, 0};
    environment.list = allocate(1, sizeof *environment.list);
    for (; *list != NULL; list++)
        append(&environment, joined(*list, NULL));
    return environment;
}

void environment_clear(struct environment *environment) {
    for (size_t i = 0; i < environment->count; i++)
        free(environment->list[i]);
    environment->count = 0;
    environment->list[0] = NULL;
}

void environment_free(struct environment *environment) {
    environment_clear(environment);
    free(environment->list);
    *environment = (struct environment){NULL, 0, 0};
}

static bool is_named(const char *entry, const char *name, size_t length) {
    return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

const char *environment_get(const struct environment *environment, const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < environment->count; i++)
        if (is_named(environment->list[i], name, length))
            return environment->list[i] + length + 1;
    return NULL;
}

bool environment_is_on(const struct environment *environment, const char *name) {
    static const char *const spellings[] = {
#define SWITCH(off, on) on,
#include "../lib/inject/switches.def"
#undef SWITCH
    };
    const char *value = environment_get(environment, name);
    for (size_t i = 0; value != NULL && i < sizeof spellings / sizeof spellings[0]; i++)
        if (strcmp(value, spellings[i]) == 0)
            return true;
    return false;
}

void environment_set(struct environment *environment, const char *name, const char *value) {
    char *entry = value != NULL ? joined(name, "=", value, NULL) : NULL;
    size_t length = strlen(name), kept = 0;
    for (size_t i = 0; i < environment->count; i++) {
        if (is_named(environment->list[i], name, length))
            free(environment->list[i]);
        else
            environment->list[kept++] = environment->list[i];
    }
    environment->count = kept;
    environment->list[kept] = NULL;
    if (entry != NULL)
        append(environment, entry);
}
