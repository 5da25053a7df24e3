/* Checks what is asked of the injected library, and puts it into variables. */
#include "injection.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mtlcap/mtlcap.h>

#include "insertion.h"
#include "output.h"
#include "profile_check.h"

/* ---- options ------------------------------------------------------------- */

/* Takes the one of two words that `value` is. */
static int take_word(struct injection *injection, const char *option, const char *value,
                     const char *no, const char *yes, bool *result) {
    *result = strcmp(value, yes) == 0;
    if (*result || strcmp(value, no) == 0)
        return CODE_OK;
    return usage_error(injection->command, "%s takes %s or %s, not '%s'", option, no, yes, value);
}

static int take_expectation(struct injection *injection, const char *spec) {
    if (mtlcap_check_answer(NULL, spec, NULL) != MTLCAP_OK)
        return usage_error(injection->command, "--require: %s", mtlcap_last_error());
    if (strchr(spec, ',') != NULL)
        return usage_error(injection->command,
                           "--require: a comma cannot be in '%s'; several --require can be given",
                           spec);
    char *all = injection->require != NULL ? joined(injection->require, ",", spec, NULL)
                                           : joined(spec, NULL);
    free(injection->require);
    injection->require = all;
    return CODE_OK;
}

/* A relative path cannot be made absolute where the working folder is not known. */
static int check_folder(const char *option, const char *path) {
    char folder[PATH_MAX];
    if (path[0] == '/' || getcwd(folder, sizeof folder) != NULL)
        return CODE_OK;
    complain("%s '%s': which folder this is cannot be told (%s); write the path from / on", option,
             path, errno == ERANGE ? "its path is too long" : strerror(errno));
    return CODE_IO;
}

static int take_log(struct injection *injection, const char *value) {
    static const char *const levels[] = {"off", "error", "warning", "info", "debug"};
    size_t length = strcspn(value, ":");
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (strlen(levels[i]) == length && strncmp(levels[i], value, length) == 0) {
            if (value[length] == ':' && value[length + 1] == '\0')
                return usage_error(injection->command, "--log: no file follows '%s'", value);
            injection->log = value;
            if (i >= MTLCAP_LOG_INFO)
                inform_start();
            return value[length] == ':' ? check_folder("--log", value + length + 1) : CODE_OK;
        }
    return usage_error(injection->command,
                       "--log: there is no level '%.*s'; it is off, error, warning, info or debug",
                       (int)length, value);
}

static int take_library(struct injection *injection, const char *path) {
    free(injection->library);
    injection->library = realpath(path, NULL);
    if (injection->library != NULL && access(path, R_OK) == 0)
        return CODE_OK;
    return usage_error(injection->command, "--library: there is no file '%s' that can be read",
                       path);
}

static int take_receipt(struct injection *injection, const char *file) {
    if (injection->receipt != NULL)
        return usage_error(injection->command, "one --receipt");
    if (file[0] == '\0')
        return usage_error(injection->command, "--receipt: the name is empty");
    for (const char *c = file; (c = strchr(c, '%')) != NULL; c += 2)
        if (c[1] != 'p' && c[1] != '%')
            return usage_error(injection->command,
                               "--receipt takes %%p for the number of the process, %%%% for a "
                               "percent sign, and no other %%, not '%s'",
                               file);
    injection->receipt = file;
    return check_folder("--receipt", file);
}

int injection_take(struct injection *injection, int id, const char *value) {
    switch (id) {
    case INJECTION_PROFILE:
        if (injection->profile != NULL)
            return usage_error(injection->command,
                               "one profile: join items by commas (-p like-m1,metal=off)");
        injection->profile = value;
        return CODE_OK;
    case INJECTION_ALLOW:
        if (injection->allow != NULL)
            return usage_error(injection->command, "one --allow: join names by +");
        injection->allow = value;
        return profile_check_allow(injection->command, value);
    case INJECTION_STRICT:
        injection->strict = true;
        return CODE_OK;
    case INJECTION_REQUIRE:
        return take_expectation(injection, value);
    case INJECTION_RECEIPT:
        return take_receipt(injection, value);
    case INJECTION_LOG:
        return take_log(injection, value);
    case INJECTION_CHILDREN:
        return take_word(injection, "--children", value, "none", "inherit", &injection->inherit);
    case INJECTION_TIMING:
        return take_word(injection, "--timing", value, "late", "early", &injection->early);
    case INJECTION_KEEP_SHIMS:
        injection->keep_shims = true;
        return CODE_OK;
    default:
        return take_library(injection, value);
    }
}

/* ---- checks ---------------------------------------------------------------- */

static const char *without_dot(const char *path) {
    while (path[0] == '.' && path[1] == '/')
        path += 1 + strspn(path + 1, "/");
    return path;
}

char *absolute_path(const char *path) {
    path = without_dot(path);
    char folder[PATH_MAX];
    if (path[0] == '/' || getcwd(folder, sizeof folder) == NULL)
        return joined(path, NULL);
    return joined(folder, "/", path, NULL);
}

char *pattern_of_path(const char *path) {
    char *pattern = allocate(2 * strlen(path) + 1, 1), *end = pattern;
    for (; *path != '\0'; path++) {
        *end++ = *path;
        if (*path == '%')
            *end++ = '%';
    }
    return pattern;
}

char *receipt_pattern(const char *file) {
    if (file[0] == '/')
        return joined(file, NULL);
    char *here = absolute_path(""), *folder = pattern_of_path(here);
    char *pattern = joined(folder, without_dot(file), NULL);
    free(here);
    free(folder);
    return pattern;
}

/* The profile with absolute paths of files in it; one with a comma in it, which cannot be written,
 * stays as it is. */
static char *absolute_profile(const char *profile) {
    char *absolute = joined("", NULL);
    for (const char *item = profile;;) {
        size_t blank = strspn(item, " \t"), length = strcspn(item, ",");
        char *text = allocate(length + 1, 1);
        memcpy(text, item, length);
        if (blank < length && text[blank] == '@') {
            char *path = absolute_path(text + blank + 1);
            if (strchr(path, ',') == NULL) {
                free(text);
                text = joined("@", path, NULL);
            }
            free(path);
        }
        char *longer = joined(absolute, text, item[length] == ',' ? "," : "", NULL);
        free(text);
        free(absolute);
        absolute = longer;
        if (item[length] == '\0')
            return absolute;
        item += length + 1;
    }
}

/* What would be refused on this machine's devices is not tried. */
static int check_profile(const struct injection *injection) {
    struct mtlcap_options options = {.struct_size = sizeof options, .allow = injection->allow};
    struct mtlcap_explanation explanation = {.struct_size = sizeof explanation};
    int code = profile_check_syntax(injection->profile);
    if (code != CODE_OK)
        return code;
    int status = mtlcap_explain_profile(injection->profile, &options, &explanation);
    if (status == MTLCAP_OK && explanation.status == MTLCAP_E_HAZARD)
        return profile_refused(injection->profile, injection->allow, explanation.status);
    return CODE_OK;
}

static int check_library(const struct injection *injection) {
    const char *word = insertion_replaced(injection->library);
    if (word != NULL) {
        complain("the library's path '%s' has $%s in it, which the loader replaces by something "
                 "else: move or link it to another folder, and name it by --library",
                 injection->library, word);
        return CODE_INTERNAL;
    }
    const char *separator = strpbrk(injection->library, insertion_separators);
    if (separator == NULL)
        return CODE_OK;
    complain("the library's path '%s' has a %s in it, which separates the entries of %s: move or "
             "link it to another folder, and name it by --library",
             injection->library, *separator == ':' ? "colon" : "space", insertion_variable);
    return CODE_INTERNAL;
}

int injection_complete(struct injection *injection) {
    char problem[512];
    injection->by_default = injection->profile == NULL;
    if (injection->by_default)
        injection->profile = injection->otherwise;
    if (injection->library == NULL)
        injection->library = insertion_find_library(problem, sizeof problem);
    int code = check_profile(injection);
    if (code == CODE_OK && injection->library == NULL) {
        complain("%s; --library FILE names it", problem);
        code = CODE_INTERNAL;
    }
    return code == CODE_OK ? check_library(injection) : code;
}

const char *injection_assertion(const struct injection *injection) {
    if (injection->require == NULL)
        return injection->strict ? "--strict" : NULL;
    return injection->strict ? "--strict, --require" : "--require";
}

void injection_free(struct injection *injection) {
    free(injection->require);
    free(injection->library);
}

/* ---- variables ----------------------------------------------------------- */

/* Left as they are: what somebody has turned off stays off, and what the injected library does not
 * read says nothing against what is set. */
static bool is_kept(const char *name) {
    static const char *const kept[] = {
        "MTLCAP_DISABLE",
#define VARIABLE(...)
#define FOREIGN(...)
#define ELSEWHERE(name) name,
#include "../lib/inject/variables.def"
#undef VARIABLE
#undef FOREIGN
#undef ELSEWHERE
    };
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (strcmp(name, kept[i]) == 0)
            return true;
    return false;
}

struct list {
    struct setting *settings;
    size_t count;
};

/* Takes over the value. */
/* NOLINTNEXTLINE(readability-non-const-parameter): it is freed as a setting's */
static void add(struct list *list, const char *name, char *value) {
    struct setting *longer = allocate(list->count + 2, sizeof *longer);
    if (list->count > 0)
        memcpy(longer, list->settings, list->count * sizeof *longer);
    free(list->settings);
    list->settings = longer;
    list->settings[list->count++] = (struct setting){joined(name, NULL), value};
}

static bool is_set(const struct list *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->settings[i].name, name) == 0)
            return true;
    return false;
}

static void tell_dropped(const char *name, const char *value, const struct foreign_tool *tool,
                         const struct injection *injection) {
    static const char family[] = "APPLE_FAMILY_MAX";
    unsigned long long number = strtoull(value, NULL, 0);
    /* Who sets it for one program, and names no profile, has meant this one. */
    bool meant = injection->by_default && strcmp(name + strlen(tool->variable), family) == 0;
    if (meant && number > 1000 && number <= 1010)
        complain("drops %s=%s, which is %s's, and applies the profile %s; to have what it says, "
                 "write -p apple.min=%llu, with --allow beyond-hardware where that is refused",
                 name, value, tool->name, injection->profile, number - 1000);
    else
        inform("drops %s, which is %s's; --keep-shims keeps it", name, tool->name);
}

/* Removes what would contradict: our variables that are not set here, and those of other tools, if
 * `injection` is not to be beside them. NULL: ours only. */
static void add_removals(struct list *list, const struct environment *environment,
                         const struct injection *injection) {
    bool tools = injection != NULL && !injection->keep_shims;
    for (size_t i = 0; i < environment->count; i++) {
        const char *variable = environment->list[i];
        const struct foreign_tool *tool = tools ? foreign_variable_tool(variable) : NULL;
        if (tool == NULL && strncmp(variable, "MTLCAP_", strlen("MTLCAP_")) != 0)
            continue;
        size_t length = strcspn(variable, "=");
        if (strspn(variable, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != length)
            continue; /* nobody reads it, and a shell could not write it */
        char *name = allocate(length + 1, 1);
        memcpy(name, variable, length);
        if (!is_kept(name) && !is_set(list, name)) {
            if (tool != NULL)
                tell_dropped(name, variable + length + 1, tool, injection);
            add(list, name, NULL);
        }
        free(name);
    }
}

static void inform_of_tools(const char *value) {
    while (value != NULL && (value += strspn(value, insertion_separators), *value != '\0')) {
        size_t length = strcspn(value, insertion_separators);
        const struct foreign_tool *tool = insertion_tool(value, length);
        if (tool != NULL)
            inform("drops '%.*s', which is %s's, from %s; --keep-shims keeps it", (int)length,
                   value, tool->name, insertion_variable);
        value += length;
    }
}

static char *absolute_log(const char *log) {
    const char *colon = strchr(log, ':');
    if (colon == NULL)
        return joined(log, NULL);
    char *file = absolute_path(colon + 1);
    char *level = allocate((size_t)(colon - log) + 2, 1);
    memcpy(level, log, (size_t)(colon - log) + 1);
    char *absolute = joined(level, file, NULL);
    free(level);
    free(file);
    return absolute;
}

struct setting *injection_settings(const struct injection *injection,
                                   const struct environment *environment) {
    struct list list = {NULL, 0};
    const char *inserted = environment_get(environment, insertion_variable);
    add(&list, "MTLCAP_PROFILE", absolute_profile(injection->profile));
    if (injection->allow != NULL)
        add(&list, "MTLCAP_ALLOW", joined(injection->allow, NULL));
    if (injection->strict)
        add(&list, "MTLCAP_STRICT", joined("1", NULL));
    if (injection->require != NULL)
        add(&list, "MTLCAP_REQUIRE", joined(injection->require, NULL));
    if (injection->receipt != NULL)
        add(&list, "MTLCAP_RECEIPT", receipt_pattern(injection->receipt));
    if (injection->log != NULL)
        add(&list, "MTLCAP_LOG", absolute_log(injection->log));
    if (injection->inherit)
        add(&list, "MTLCAP_CHILDREN", joined("inherit", NULL));
    if (injection->early)
        add(&list, "MTLCAP_TIMING", joined("early", NULL));
    add_removals(&list, environment, injection);
    if (!injection->keep_shims)
        inform_of_tools(inserted);
    add(&list, insertion_variable,
        insertion_edit(inserted, injection->library, injection->keep_shims));
    return list.settings;
}

struct setting *injection_strip(const struct environment *environment) {
    struct list list = {NULL, 0};
    add_removals(&list, environment, NULL);
    add(&list, insertion_variable,
        insertion_edit(environment_get(environment, insertion_variable), NULL, true));
    return list.settings;
}

void settings_free(struct setting *settings) {
    for (struct setting *setting = settings; setting->name != NULL; setting++) {
        free(setting->name);
        free(setting->value);
    }
    free(settings);
}
