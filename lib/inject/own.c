/* Reads the variables that are our own, but the profile and those that may keep us from all. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/check.h"
#include "core/error.h"
#include "core/hazard.h"
#include "variables.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

/* The words that a variable of ours takes, joined by |. */
static const char *const words[MTLCAP__VARIABLE_COUNT] = {
#define VARIABLE(id, name, takes, ...) [MTLCAP__VARIABLE_##id] = (takes),
#define FOREIGN(id, ...)
#define ELSEWHERE(name)
#include "variables.def"
#undef VARIABLE
#undef FOREIGN
#undef ELSEWHERE
};

static bool wrong(struct mtlcap__settings *settings, enum mtlcap__variable variable,
                  const char *value, const char *right) {
    return mtlcap__environment_problem(settings, "%s='%.60s': write %s",
                                       mtlcap__variable_names[variable], value, right);
}

/* Which of the words that `variable` takes its value is; the first if it is not set. */
static bool read_word(const struct mtlcap__values *values, enum mtlcap__variable variable,
                      struct mtlcap__settings *settings, int *index) {
    const char *value = values->of[variable], *word = words[variable];

    *index = 0;
    if (value == NULL)
        return true;
    for (int i = 0;; i++) {
        size_t length = strcspn(word, "|");
        if (strlen(value) == length && memcmp(value, word, length) == 0) {
            *index = i;
            return true;
        }
        if (word[length] == '\0')
            break;
        word += length + 1;
    }
    return mtlcap__environment_problem(settings, "%s='%.60s': it takes %s",
                                       mtlcap__variable_names[variable], value, words[variable]);
}

bool mtlcap__switch_read(const struct mtlcap__values *values, enum mtlcap__variable variable,
                         struct mtlcap__settings *settings, bool *on) {
    static const char *const spelt[][2] = {
#define SWITCH(off, on) {off, on},
#include "switches.def"
#undef SWITCH
    };
    const char *value = values->of[variable];

    *on = false;
    if (value == NULL)
        return true;
    for (size_t i = 0; i < sizeof spelt / sizeof spelt[0]; i++)
        for (int j = 0; j < 2; j++)
            if (strcmp(value, spelt[i][j]) == 0) {
                *on = j == 1;
                return true;
            }
    return wrong(settings, variable, value, "1 or 0, yes or no, true or false, on or off");
}

static char *copy(const char *value, struct mtlcap__settings *settings) {
    return value != NULL ? mtlcap__environment_copy(value, settings) : NULL;
}

/* Twice what is a percent sign, if `pattern`. */
static size_t put_folder(char *path, const char *folder, bool pattern) {
    size_t length = 0;

    for (; *folder != '\0'; folder++) {
        path[length++] = *folder;
        if (pattern && *folder == '%')
            path[length++] = '%';
    }
    path[length++] = '/';
    return length;
}

/* The name of a file, made absolute. `pattern`: % has a meaning in it. */
static char *copy_path(enum mtlcap__variable variable, const char *value, bool pattern,
                       struct mtlcap__settings *settings) {
    if (value == NULL || value[0] == '/')
        return copy(value, settings);
    char *folder = malloc(PATH_MAX), *path = malloc(2 * (size_t)PATH_MAX + strlen(value) + 1);
    const bool memory = folder != NULL && path != NULL;
    const bool known = memory && getcwd(folder, PATH_MAX) != NULL;
    if (known)
        strcpy(path + put_folder(path, folder, pattern), value);
    else if (memory)
        mtlcap__environment_problem(
            settings, "%s: '%.60s' cannot be found: write an absolute path (the folder: %s)",
            mtlcap__variable_names[variable], value, strerror(errno));
    else
        mtlcap__environment_problem(settings, "there is no memory to read the environment");
    free(folder);
    if (!known) {
        free(path);
        path = NULL;
    }
    return path;
}

/* LEVEL[:FILE] */
static void read_log(const char *value, struct mtlcap__settings *settings) {
    static const char *const levels[] = {
        [MTLCAP_LOG_OFF] = "off",   [MTLCAP_LOG_ERROR] = "error", [MTLCAP_LOG_WARNING] = "warning",
        [MTLCAP_LOG_INFO] = "info", [MTLCAP_LOG_DEBUG] = "debug",
    };

    if (value == NULL)
        return;
    size_t length = strcspn(value, ":");
    for (int level = 0; level <= MTLCAP_LOG_DEBUG; level++) {
        if (strlen(levels[level]) != length || memcmp(levels[level], value, length) != 0)
            continue;
        if (value[length] == ':' && value[length + 1] == '\0')
            break;
        settings->log_level = level;
        settings->log_file =
            copy_path(MTLCAP__VARIABLE_LOG, value[length] == ':' ? value + length + 1 : NULL, false,
                      settings);
        return;
    }
    wrong(settings, MTLCAP__VARIABLE_LOG, value,
          "off, error, warning, info or debug, and, if you like, a colon and a file");
}

/* A file that each process may have for itself. */
static char *read_pattern(enum mtlcap__variable variable, const char *value,
                          struct mtlcap__settings *settings) {
    for (const char *c = value; c != NULL && (c = strchr(c, '%')) != NULL; c += 2)
        if (c[1] != 'p' && c[1] != '%') {
            wrong(settings, variable, value,
                  "%p for the number of the process, %% for a percent sign, and no other %");
            return NULL;
        }
    return copy_path(variable, value, true, settings);
}

static void read_receipt(const char *value, struct mtlcap__settings *settings) {
    settings->receipt_optional = value != NULL && value[0] == '?';
    if (settings->receipt_optional)
        value++;
    settings->receipt = read_pattern(MTLCAP__VARIABLE_RECEIPT, value, settings);
}

static void read_trace(const char *file, const char *events, struct mtlcap__settings *settings) {
    char *end = NULL;

    settings->trace = read_pattern(MTLCAP__VARIABLE_TRACE, file, settings);
    if (events == NULL)
        return;
    errno = 0;
    unsigned long long number = strtoull(events, &end, 10);
    if (events[0] < '0' || events[0] > '9' || *end != '\0' || errno != 0 ||
        number > MTLCAP_TRACE_EVENTS_MAX)
        wrong(settings, MTLCAP__VARIABLE_TRACE_EVENTS, events, "a number from 0 to 1048576");
    else
        settings->trace_events = (unsigned)number;
}

static void read_allow(const char *value, struct mtlcap__settings *settings) {
    mtlcap__hazard_set set;

    if (mtlcap__hazards_parse(value, &set) != MTLCAP_OK)
        mtlcap__environment_problem(settings, "%s: %s",
                                    mtlcap__variable_names[MTLCAP__VARIABLE_ALLOW],
                                    mtlcap__last_error());
    else
        settings->allow = copy(value, settings);
}

/* Expectations joined by commas: each has to be one. What is none holds for no device. */
static void read_require(const char *value, struct mtlcap__settings *settings) {
    char expectation[256];

    settings->require = copy(value, settings);
    for (const char *next = value; next != NULL;) {
        size_t length = strcspn(next, ",");
        mtlcap__copy_text(expectation, sizeof expectation, next, length);
        if (length >= sizeof expectation) {
            wrong(settings, MTLCAP__VARIABLE_REQUIRE, expectation, "a shorter expectation");
            return;
        }
        if (mtlcap__check_answer(NULL, expectation, NULL) != MTLCAP_OK) {
            mtlcap__environment_problem(settings, "%s: %s",
                                        mtlcap__variable_names[MTLCAP__VARIABLE_REQUIRE],
                                        mtlcap__last_error());
            return;
        }
        next = next[length] != '\0' ? next + length + 1 : NULL;
    }
}

/* First how to say that something is wrong, and then the rest. */
void mtlcap__own_read(const struct mtlcap__values *values, struct mtlcap__settings *settings) {
    const char *const *of = values->of;
    int word;

    read_log(of[MTLCAP__VARIABLE_LOG], settings);
    /* Who wants it strict, however it is spelt, does not want stock answers. */
    if (!mtlcap__switch_read(values, MTLCAP__VARIABLE_STRICT, settings, &settings->strict))
        settings->strict = true;
    read_receipt(of[MTLCAP__VARIABLE_RECEIPT], settings);
    read_trace(of[MTLCAP__VARIABLE_TRACE], of[MTLCAP__VARIABLE_TRACE_EVENTS], settings);
    read_word(values, MTLCAP__VARIABLE_CHILDREN, settings, &word);
    settings->inherit = word == 1;
    read_word(values, MTLCAP__VARIABLE_TIMING, settings, &word);
    settings->early = word == 1;
    read_allow(of[MTLCAP__VARIABLE_ALLOW], settings);
    read_require(of[MTLCAP__VARIABLE_REQUIRE], settings);
}
