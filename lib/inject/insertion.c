/* Takes a library out of the variable that inserts it. */
#include "insertion.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

struct library {
    const char *path, *base; /* base: what follows its last slash */
    bool exists;
    struct stat status;
};

static bool is_file(const struct library *library, const char *path) {
    struct stat status;

    return library->exists && stat(path, &status) == 0 && status.st_dev == library->status.st_dev &&
           status.st_ino == library->status.st_ino;
}

/* A name without a slash is looked up by the loader: it found the library, perhaps by another name
 * in the same folder. */
static bool is_beside(const struct library *library, const char *name) {
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%.*s%s", (int)(library->base - library->path),
                          library->path, name);

    return length < (int)sizeof path && is_file(library, path);
}

/* The loader replaces words such as $ORIGIN and @executable_path. */
static bool has_words(const char *name) {
    return name[0] == '@' || strchr(name, '$') != NULL;
}

static bool is_library(const struct library *library, const char *text, size_t length) {
    char name[PATH_MAX];

    if (length >= sizeof name)
        return false;
    memcpy(name, text, length);
    name[length] = '\0';
    if (strcmp(name, library->path) == 0)
        return true;
    const char *slash = strrchr(name, '/');
    const char *base = slash != NULL ? slash + 1 : name;
    if ((slash == NULL || has_words(name)) && strcmp(base, library->base) == 0)
        return true;
    return slash != NULL ? is_file(library, name) : is_beside(library, name);
}

/* What comes before the first entry that is the library stays as it is; behind it, each entry that
 * stays keeps one separator before it. */
static bool remove_from(char *text, const char *separators, const struct library *library) {
    char *const whole_end = text + strlen(text);
    char *end = text;
    bool removed = false;

    for (char *next = text; *next != '\0';) {
        size_t gap = strspn(next, separators);
        size_t length = strcspn(next + gap, separators);
        if (length > 0 && is_library(library, next + gap, length)) {
            removed = true;
        } else if (length > 0) {
            size_t kept = !removed ? gap : end > text ? 1 : 0;
            memmove(end, next + gap - kept, kept + length);
            end += kept + length;
        }
        next += gap + length;
    }
    if (removed) /* to its end: others may print the environment's memory */
        memset(end, 0, (size_t)(whole_end - end));
    return removed;
}

bool mtlcap__insertion_remove(char **environment, const char *variable, const char *path) {
    const char *separators = strcmp(variable, "LD_PRELOAD") == 0 ? ": " : ":";
    const char *slash = strrchr(path, '/');
    struct library library = {.path = path, .base = slash != NULL ? slash + 1 : path};
    size_t name_length = strlen(variable);
    int saved_errno = errno;
    char **kept = environment;
    bool removed = false;

    library.exists = stat(path, &library.status) == 0;
    for (char **entry = environment; *entry != NULL; entry++) {
        if (strncmp(*entry, variable, name_length) == 0 && (*entry)[name_length] == '=') {
            char *text = *entry + name_length + 1;
            if (remove_from(text, separators, &library)) {
                removed = true;
                if (*text == '\0')
                    continue;
            }
        }
        *kept++ = *entry;
    }
    if (*kept != NULL)
        *kept = NULL;
    errno = saved_errno;
    return removed;
}
