/* Reads the environment: which variables there are, which of them to follow, and our own. */
#include "environment.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/check.h"
#include "core/error.h"
#include "core/hazard.h"
#include "core/suggest.h"
#include "variables.h"

#define PREFIX "MTLCAP_"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

const char *const mtlcap__variable_names[MTLCAP__VARIABLE_COUNT] = {
#define VARIABLE(id, name, ...) [MTLCAP__VARIABLE_##id] = (name),
#define FOREIGN(id, name, ...) [MTLCAP__VARIABLE_##id] = (name),
#define ELSEWHERE(name)
#include "variables.def"
#undef VARIABLE
#undef FOREIGN
#undef ELSEWHERE
};

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

static const char *const elsewhere[] = {
#define VARIABLE(id, ...)
#define FOREIGN(id, ...)
#define ELSEWHERE(name) (name),
#include "variables.def"
#undef VARIABLE
#undef FOREIGN
#undef ELSEWHERE
};

/* ---- what is said ------------------------------------------------------- */

bool mtlcap__environment_problem(struct mtlcap__settings *settings, const char *format, ...) {
    va_list arguments;

    if (settings->problem[0] != '\0')
        return false;
    va_start(arguments, format);
    mtlcap__format_text(settings->problem, sizeof settings->problem, format, arguments);
    va_end(arguments);
    return false;
}

void mtlcap__environment_warn(struct mtlcap__settings *settings, const char *format, ...) {
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    mtlcap__format_text(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t used = strlen(settings->warning);
    const char *separator = used > 0 ? "; " : "";
    if (used + strlen(separator) + strlen(text) < sizeof settings->warning)
        snprintf(settings->warning + used, sizeof settings->warning - used, "%s%s", separator,
                 text);
}

static bool wrong(struct mtlcap__settings *settings, enum mtlcap__variable variable,
                  const char *value, const char *right) {
    return mtlcap__environment_problem(settings, "%s='%.60s': write %s",
                                       mtlcap__variable_names[variable], value, right);
}

/* ---- which variables there are ------------------------------------------ */

/* `entry` is "NAME=VALUE", its name of `length` bytes. */
static bool has_name(const char *entry, size_t length, const char *name) {
    return strlen(name) == length && memcmp(entry, name, length) == 0;
}

static int find_variable(const char *entry, size_t length) {
    for (int i = 0; i < MTLCAP__VARIABLE_COUNT; i++)
        if (has_name(entry, length, mtlcap__variable_names[i]))
            return i;
    return -1;
}

static bool is_read_elsewhere(const char *entry, size_t length) {
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        if (has_name(entry, length, elsewhere[i]))
            return true;
    return false;
}

/* Variables with our prefix that nobody reads: the first few. */
struct strangers {
    size_t count;
    const char *entry[8];
};

static void find_values(char *const *environment, struct mtlcap__values *values,
                        struct strangers *strangers) {
    bool seen[MTLCAP__VARIABLE_COUNT] = {false};

    for (; environment != NULL && *environment != NULL; environment++) {
        const char *entry = *environment;
        size_t length = strcspn(entry, "=");
        if (entry[length] == '\0')
            continue;
        int variable = find_variable(entry, length);
        if (variable >= 0) {
            /* Of several, getenv() takes the first. */
            if (!seen[variable] && entry[length + 1] != '\0')
                values->of[variable] = entry + length + 1;
            seen[variable] = true;
        } else if (strncmp(entry, PREFIX, strlen(PREFIX)) == 0 &&
                   !is_read_elsewhere(entry, length) &&
                   strangers->count < sizeof strangers->entry / sizeof strangers->entry[0]) {
            strangers->entry[strangers->count++] = entry;
        }
    }
}

/* The variable of ours that a stranger looks like; NULL: none. */
static const char *meant(const char *entry) {
    struct mtlcap__suggestion suggestion = {.word = entry + strlen(PREFIX),
                                            .length = strcspn(entry, "=") - strlen(PREFIX)};

    for (int i = 0; i < MTLCAP__VARIABLE_COUNT; i++)
        if (words[i] != NULL)
            mtlcap__suggest(&suggestion, mtlcap__variable_names[i] + strlen(PREFIX));
    return suggestion.best != NULL ? suggestion.best - strlen(PREFIX) : NULL;
}

static void warn_of_strangers(const struct strangers *strangers,
                              struct mtlcap__settings *settings) {
    for (size_t i = 0; i < strangers->count; i++) {
        const char *entry = strangers->entry[i], *better = meant(entry);
        mtlcap__environment_warn(settings, "there is no variable %.*s%s%s%s",
                                 (int)strcspn(entry, "=") > 40 ? 40 : (int)strcspn(entry, "="),
                                 entry, better != NULL ? ": did you mean " : "",
                                 better != NULL ? better : "", better != NULL ? "?" : "");
    }
}

/* A profile under a misspelt name is one that somebody waits for in vain. */
static const char *misspelt_profile(const struct strangers *strangers) {
    for (size_t i = 0; i < strangers->count; i++) {
        const char *better = meant(strangers->entry[i]);
        if (better == mtlcap__variable_names[MTLCAP__VARIABLE_PROFILE])
            return strangers->entry[i];
    }
    return NULL;
}

/* ---- which processes ---------------------------------------------------- */

bool mtlcap__pattern_matches(const char *pattern, size_t length, const char *text) {
    const char *end = pattern + length;
    const char *after_star = NULL; /* what follows the last * has to match from `retry` on */
    const char *retry = NULL;

    while (*text != '\0') {
        if (pattern < end && *pattern == '*') {
            after_star = ++pattern;
            retry = text;
        } else if (pattern < end && (*pattern == '?' || *pattern == *text)) {
            pattern++;
            text++;
        } else if (after_star != NULL) {
            pattern = after_star;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

static bool is_among(const char *names, const char *executable) {
    const char *slash = strrchr(executable, '/');
    const char *base = slash != NULL ? slash + 1 : executable;

    for (;;) {
        size_t length = strcspn(names, ",");
        const char *whole = memchr(names, '/', length) != NULL ? executable : base;
        if (mtlcap__pattern_matches(names, length, whole))
            return true;
        if (names[length] == '\0')
            return false;
        names += length + 1;
    }
}

/* ---- our own ------------------------------------------------------------ */

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

static bool read_switch(const struct mtlcap__values *values, enum mtlcap__variable variable,
                        struct mtlcap__settings *settings, bool *on) {
    static const char *const spelt[2][4] = {{"0", "no", "false", "off"},
                                            {"1", "yes", "true", "on"}};
    const char *value = values->of[variable];

    *on = false;
    if (value == NULL)
        return true;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++)
            if (strcmp(value, spelt[i][j]) == 0) {
                *on = i == 1;
                return true;
            }
    return wrong(settings, variable, value, "1 or 0, yes or no, true or false, on or off");
}

static char *checked(char *memory, struct mtlcap__settings *settings) {
    if (memory == NULL)
        mtlcap__environment_problem(settings, "there is no memory to read the environment");
    return memory;
}

static char *copy(const char *value, struct mtlcap__settings *settings) {
    return value != NULL ? checked(strdup(value), settings) : NULL;
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
static char *copy_path(const char *value, bool pattern, struct mtlcap__settings *settings) {
    char folder[PATH_MAX];

    if (value == NULL || value[0] == '/' || getcwd(folder, sizeof folder) == NULL)
        return copy(value, settings);
    char *path = checked(malloc(2 * strlen(folder) + 1 + strlen(value) + 1), settings);
    if (path != NULL)
        strcpy(path + put_folder(path, folder, pattern), value);
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
            copy_path(value[length] == ':' ? value + length + 1 : NULL, false, settings);
        return;
    }
    wrong(settings, MTLCAP__VARIABLE_LOG, value,
          "off, error, warning, info or debug, and, if you like, a colon and a file");
}

static void read_receipt(const char *value, struct mtlcap__settings *settings) {
    for (const char *c = value; c != NULL && (c = strchr(c, '%')) != NULL; c += 2)
        if (c[1] != 'p' && c[1] != '%') {
            wrong(settings, MTLCAP__VARIABLE_RECEIPT, value,
                  "%p for the number of the process, %% for a percent sign, and no other %");
            return;
        }
    settings->receipt = copy_path(value, true, settings);
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

/* Expectations joined by commas: each has to be one. */
static void read_require(const char *value, struct mtlcap__settings *settings) {
    char expectation[256];

    for (const char *next = value; next != NULL;) {
        size_t length = strcspn(next, ",");
        mtlcap__copy_text(expectation, sizeof expectation, next, length);
        if (length >= sizeof expectation) {
            wrong(settings, MTLCAP__VARIABLE_REQUIRE, expectation, "a shorter expectation");
            return;
        }
        if (mtlcap__check(NULL, expectation, NULL) != MTLCAP_OK) {
            mtlcap__environment_problem(settings, "%s: %s",
                                        mtlcap__variable_names[MTLCAP__VARIABLE_REQUIRE],
                                        mtlcap__last_error());
            return;
        }
        next = next[length] != '\0' ? next + length + 1 : NULL;
    }
    settings->require = copy(value, settings);
}

/* First how to say that something is wrong, then the rest. */
static void read_own(const struct mtlcap__values *values, struct mtlcap__settings *settings) {
    const char *const *of = values->of;
    int word;

    read_log(of[MTLCAP__VARIABLE_LOG], settings);
    /* Who wants it strict, however it is spelt, does not want stock answers. */
    if (!read_switch(values, MTLCAP__VARIABLE_STRICT, settings, &settings->strict))
        settings->strict = true;
    read_receipt(of[MTLCAP__VARIABLE_RECEIPT], settings);
    read_word(values, MTLCAP__VARIABLE_CHILDREN, settings, &word);
    settings->inherit = word == 1;
    read_word(values, MTLCAP__VARIABLE_TIMING, settings, &word);
    settings->early = word == 1;
    read_allow(of[MTLCAP__VARIABLE_ALLOW], settings);
    read_require(of[MTLCAP__VARIABLE_REQUIRE], settings);
}

/* ---- what is asked for -------------------------------------------------- */

/* Sets the origin, if anything is asked for at all, and the profile. */
static void choose(const struct mtlcap__values *values, const struct strangers *strangers,
                   struct mtlcap__settings *settings) {
    const char *misspelt = misspelt_profile(strangers);

    if (values->of[MTLCAP__VARIABLE_PROFILE] != NULL) {
        settings->origin = mtlcap__variable_names[MTLCAP__VARIABLE_PROFILE];
        settings->profile = copy(values->of[MTLCAP__VARIABLE_PROFILE], settings);
    }
    mtlcap__foreign_read(values, settings);
    if (settings->origin != NULL)
        return;
    if (misspelt != NULL) {
        settings->origin = mtlcap__variable_names[MTLCAP__VARIABLE_PROFILE];
        mtlcap__environment_problem(settings, "there is no variable %.*s: did you mean %s?",
                                    (int)strcspn(misspelt, "="), misspelt, settings->origin);
    } else if (values->of[MTLCAP__VARIABLE_REQUIRE] != NULL) {
        settings->origin = mtlcap__variable_names[MTLCAP__VARIABLE_REQUIRE];
        settings->profile = copy("stock", settings);
    }
}

void mtlcap__environment_read(char *const *environment, const char *executable,
                              struct mtlcap__settings *settings) {
    struct mtlcap__values values = {{NULL}};
    struct strangers strangers = {.count = 0};
    bool disabled;

    *settings = (struct mtlcap__settings){.log_level = MTLCAP_LOG_ERROR};
    find_values(environment, &values, &strangers);
    const char *only = values.of[MTLCAP__VARIABLE_ONLY];
    if (only != NULL && !is_among(only, executable != NULL ? executable : ""))
        return;
    read_switch(&values, MTLCAP__VARIABLE_DISABLE, settings, &disabled);
    if (disabled)
        return;

    read_own(&values, settings);
    choose(&values, &strangers, settings);
    if (settings->origin == NULL) {
        mtlcap__environment_free(settings);
        return;
    }
    settings->enabled = true;
    if (settings->problem[0] != '\0') {
        free(settings->profile);
        settings->profile = NULL;
    }
    warn_of_strangers(&strangers, settings);
}

void mtlcap__environment_free(struct mtlcap__settings *settings) {
    free(settings->profile);
    free(settings->allow);
    free(settings->receipt);
    free(settings->require);
    free(settings->log_file);
    *settings = (struct mtlcap__settings){.log_level = MTLCAP_LOG_ERROR};
}
