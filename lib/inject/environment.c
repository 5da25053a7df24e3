/* Reads the environment: which variables there are, and which of them to follow. */
#include "environment.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/suggest.h"
#include "variables.h"

#define PREFIX "MTLCAP_"

const char *const mtlcap__variable_names[MTLCAP__VARIABLE_COUNT] = {
#define VARIABLE(id, name, ...) [MTLCAP__VARIABLE_##id] = (name),
#define FOREIGN(id, name, ...) [MTLCAP__VARIABLE_##id] = (name),
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

char *mtlcap__environment_copy(const char *text, struct mtlcap__settings *settings) {
    char *copied = strdup(text);

    if (copied == NULL)
        mtlcap__environment_problem(settings, "there is no memory to read the environment");
    return copied;
}

/* ---- which variables there are ------------------------------------------ */

/* `entry` is "NAME=VALUE", its name of `length` bytes. */
static bool has_name(const char *entry, size_t length, const char *name) {
    return strncmp(entry, name, length) == 0 && name[length] == '\0';
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
    bool seen[MTLCAP__VARIABLE_COUNT] = {false}, initial[UCHAR_MAX + 1] = {false};

    /* Most entries are nobody's, and this is read in every program that starts. */
    for (int i = 0; i < MTLCAP__VARIABLE_COUNT; i++)
        initial[(unsigned char)mtlcap__variable_names[i][0]] = true;
    for (; environment != NULL && *environment != NULL; environment++) {
        const char *entry = *environment;
        if (!initial[(unsigned char)entry[0]])
            continue;
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
        if (strncmp(mtlcap__variable_names[i], PREFIX, strlen(PREFIX)) == 0)
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

static bool is_among(const char *patterns, const char *name) {
    const char *slash = strrchr(name, '/');
    const char *base = slash != NULL ? slash + 1 : name;

    for (;;) {
        size_t length = strcspn(patterns, ",");
        const char *whole = memchr(patterns, '/', length) != NULL ? name : base;
        if (mtlcap__pattern_matches(patterns, length, whole))
            return true;
        if (patterns[length] == '\0')
            return false;
        patterns += length + 1;
    }
}

/* Is one of a program's names, NULL ends, among the patterns? */
static bool is_any_among(const char *patterns, const char *const *names) {
    for (; names != NULL && *names != NULL; names++)
        if (is_among(patterns, *names))
            return true;
    return false;
}

/* ---- what is asked for -------------------------------------------------- */

/* Sets the origin, if anything is asked for at all, and the profile. */
static void choose(const struct mtlcap__values *values, const struct strangers *strangers,
                   struct mtlcap__settings *settings) {
    const char *misspelt = misspelt_profile(strangers);

    if (values->of[MTLCAP__VARIABLE_PROFILE] != NULL) {
        settings->origin = mtlcap__variable_names[MTLCAP__VARIABLE_PROFILE];
        settings->profile =
            mtlcap__environment_copy(values->of[MTLCAP__VARIABLE_PROFILE], settings);
    }
    mtlcap__foreign_read(values, settings);
    if (settings->origin != NULL)
        return;
    if (misspelt != NULL) {
        settings->origin = mtlcap__variable_names[MTLCAP__VARIABLE_PROFILE];
        mtlcap__environment_problem(settings, "there is no variable %.*s: did you mean %s?",
                                    (int)strcspn(misspelt, "="), misspelt, settings->origin);
    } else if (values->of[MTLCAP__VARIABLE_REQUIRE] != NULL ||
               values->of[MTLCAP__VARIABLE_TRACE] != NULL) {
        settings->origin = mtlcap__variable_names[values->of[MTLCAP__VARIABLE_REQUIRE] != NULL
                                                      ? MTLCAP__VARIABLE_REQUIRE
                                                      : MTLCAP__VARIABLE_TRACE];
        settings->profile = mtlcap__environment_copy("stock", settings);
    }
}

void mtlcap__environment_read(char *const *environment, const char *const *names,
                              struct mtlcap__settings *settings) {
    struct mtlcap__values values = {{NULL}};
    struct strangers strangers = {.count = 0};
    bool disabled;

    *settings = (struct mtlcap__settings){.log_level = MTLCAP_LOG_ERROR};
    find_values(environment, &values, &strangers);
    const char *only = values.of[MTLCAP__VARIABLE_ONLY];
    if (only != NULL && !is_any_among(only, names))
        return;
    mtlcap__switch_read(&values, MTLCAP__VARIABLE_DISABLE, settings, &disabled);
    if (disabled)
        return;

    mtlcap__own_read(&values, settings);
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
    free(settings->trace);
    free(settings->log_file);
    *settings = (struct mtlcap__settings){.log_level = MTLCAP_LOG_ERROR};
}
