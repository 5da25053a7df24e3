/* Reads a file of rules: sections, lines NAME = VALUE, lines that go on with the one above. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "command.h"
#include "explain.h"

enum section { NO_SECTION, CLIENT, RELATIVE, FEATURE };
static const char *const section_names[] = {"", "client", "same", "feature"};
enum { SECTION_COUNT = 4 };

/* Every line that there can be. `values`: what it has to be one of. */
static const struct line {
    enum section section;
    const char *name;
    size_t offset;
    bool required;
    const char *values;
} lines[] = {
    {CLIENT, "name", offsetof(struct explain_client, name), true, NULL},
    {CLIENT, "programs", offsetof(struct explain_client, programs), false, NULL},
    {CLIENT, "versions", offsetof(struct explain_client, versions), true, NULL},
    {CLIENT, "source", offsetof(struct explain_client, source), true, NULL},
    {CLIENT, "device", offsetof(struct explain_client, device), true, "default|first|any"},
    {CLIENT, "asks", offsetof(struct explain_client, asks), true, NULL},
    {CLIENT, "good", offsetof(struct explain_client, good), true, NULL},
    {RELATIVE, "name", offsetof(struct explain_relative, name), true, NULL},
    {RELATIVE, "programs", offsetof(struct explain_relative, programs), false, NULL},
    {RELATIVE, "versions", offsetof(struct explain_relative, versions), true, NULL},
    {RELATIVE, "differs", offsetof(struct explain_relative, differs), true, NULL},
    {RELATIVE, "source", offsetof(struct explain_relative, source), true, NULL},
    {FEATURE, "name", offsetof(struct explain_feature, name), true, NULL},
    {FEATURE, "what", offsetof(struct explain_feature, what), true, NULL},
    {FEATURE, "needs", offsetof(struct explain_feature, needs), true, NULL},
    {FEATURE, "off", offsetof(struct explain_feature, off), true, NULL},
    {FEATURE, "decides", offsetof(struct explain_feature, decides), false, "yes|no"},
    {FEATURE, "variable", offsetof(struct explain_feature, variable), false, NULL},
    {FEATURE, "shows", offsetof(struct explain_feature, shows), false, NULL},
    {FEATURE, "operations", offsetof(struct explain_feature, operations), false, NULL},
    {FEATURE, "source", offsetof(struct explain_feature, source), true, NULL},
    {FEATURE, "versions", offsetof(struct explain_feature, versions), false, NULL},
    {FEATURE, "basis", offsetof(struct explain_feature, basis), true, "executed|read|reported"},
};

enum { LINE_COUNT = sizeof lines / sizeof lines[0] };

struct reader {
    struct explain_client *client;
    struct explain_problem *problem;
    enum section section;
    unsigned line, section_line;
    void *target;    /* the structure that the section fills */
    char *value_end; /* of the value just read, where one that goes on is added; NULL: none */
    unsigned feature_lines[EXPLAIN_FEATURES], needs_lines[EXPLAIN_FEATURES];
};

static bool fail(struct reader *reader, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(struct reader *reader, unsigned line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->problem->text, sizeof reader->problem->text, format, arguments);
    va_end(arguments);
    reader->problem->line = line;
    return false;
}

static const char **place(void *target, const struct line *line) {
    return (const char **)((char *)target + line->offset);
}

/* ---- sections ---------------------------------------------------------------------------- */

static bool end_section(struct reader *reader) {
    for (size_t i = 0; reader->section != NO_SECTION && i < LINE_COUNT; i++)
        if (lines[i].section == reader->section && lines[i].required &&
            *place(reader->target, &lines[i]) == NULL)
            return fail(reader, reader->section_line, "[%s] has no line '%s = ...'",
                        section_names[reader->section], lines[i].name);
    return true;
}

static bool enter(struct reader *reader, enum section section) {
    struct explain_client *client = reader->client;
    if ((section == CLIENT) != (reader->section == NO_SECTION))
        return fail(reader, reader->line, "[client] is there once, and first");
    if ((section == FEATURE && client->feature_count == EXPLAIN_FEATURES) ||
        (section == RELATIVE && client->relative_count == EXPLAIN_RELATIVES))
        return fail(reader, reader->line, "too many sections [%s]", section_names[section]);
    reader->section = section;
    reader->section_line = reader->line;
    reader->value_end = NULL;
    if (section == FEATURE)
        reader->feature_lines[client->feature_count] = reader->line;
    reader->target = section == CLIENT    ? (void *)client
                     : section == FEATURE ? (void *)&client->features[client->feature_count++]
                                          : (void *)&client->relatives[client->relative_count++];
    return true;
}

static bool read_section(struct reader *reader, char *text) {
    size_t length = strlen(text);
    if (text[length - 1] != ']')
        return fail(reader, reader->line, "'%.60s' is no section: [client], [same] or [feature]",
                    text);
    text[length - 1] = '\0';
    for (int i = CLIENT; i < SECTION_COUNT; i++)
        if (strcmp(section_names[i], text + 1) == 0)
            return end_section(reader) && enter(reader, (enum section)i);
    return fail(reader, reader->line, "there is no section [%.60s]: [client], [same] or [feature]",
                text + 1);
}

/* ---- lines ------------------------------------------------------------------------------- */

static const char *line_name(size_t index, const void *context) {
    const struct reader *reader = context;
    for (size_t i = 0; i < LINE_COUNT; i++)
        if (lines[i].section == reader->section && index-- == 0)
            return lines[i].name;
    return NULL;
}

static const struct line *find_line(const struct reader *reader, const char *name) {
    for (size_t i = 0; i < LINE_COUNT; i++)
        if (lines[i].section == reader->section && strcmp(lines[i].name, name) == 0)
            return &lines[i];
    return NULL;
}

/* Is it one of "a|b|c"? */
static bool is_one_of(const char *value, const char *values) {
    size_t length = strlen(value);
    for (const char *one = values;; one++) {
        size_t one_length = strcspn(one, "|");
        if (one_length == length && strncmp(one, value, length) == 0)
            return true;
        one += one_length;
        if (*one == '\0')
            return false;
    }
}

static void trim(char *text) {
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
        text[--length] = '\0';
}

static bool read_line(struct reader *reader, char *text) {
    char *equals = strchr(text, '=');
    if (reader->section == NO_SECTION)
        return fail(reader, reader->line, "the file begins with [client]");
    if (equals == NULL)
        return fail(reader, reader->line,
                    "'%.60s' is not NAME = VALUE; a line that goes on with "
                    "the one above begins with a blank",
                    text);
    *equals = '\0';
    trim(text);
    char *value = equals + 1 + strspn(equals + 1, " \t");
    const struct line *line = find_line(reader, text);
    if (line == NULL) {
        struct suggestion suggestion = suggest(nearest(text, line_name, reader), "");
        return fail(reader, reader->line, "[%s] knows no '%.60s'%s", section_names[reader->section],
                    text, suggestion.text);
    }
    const char **target = place(reader->target, line);
    if (*target != NULL)
        return fail(reader, reader->line, "'%s' is there twice", line->name);
    if (value[0] == '\0')
        return fail(reader, reader->line, "'%s' has no value", line->name);
    if (line->values != NULL && !is_one_of(value, line->values))
        return fail(reader, reader->line, "'%s' is one of %s, not '%.60s'", line->name,
                    line->values, value);
    *target = value;
    if (strcmp(line->name, "needs") == 0)
        reader->needs_lines[reader->client->feature_count - 1] = reader->line;
    reader->value_end = value + strlen(value);
    return true;
}

/* Moves it up to the value above, which it goes on with; there is room, as a line end and a blank
 * are left out. */
static bool go_on(struct reader *reader, const char *text) {
    if (reader->value_end == NULL)
        return fail(reader, reader->line, "there is no line above that this one goes on with");
    size_t length = strlen(text);
    *reader->value_end = ' ';
    memmove(reader->value_end + 1, text, length + 1);
    reader->value_end += 1 + length;
    return true;
}

static bool read_any(struct reader *reader, char *line) {
    char *text = line + strspn(line, " \t");
    trim(text);
    if (text[0] == '\0') {
        reader->value_end = NULL;
        return true;
    }
    if (text[0] == '#')
        return true;
    if (text != line)
        return go_on(reader, text);
    return text[0] == '[' ? read_section(reader, text) : read_line(reader, text);
}

/* ---- the whole --------------------------------------------------------------------------- */

/* Names are words, as they are typed in a shell. */
static bool is_name(const char *text) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
    return text[0] != '-' && text[strspn(text, letters)] == '\0';
}

static bool check_feature(struct reader *reader, unsigned index) {
    struct explain_client *client = reader->client;
    struct explain_feature *feature = &client->features[index];
    unsigned line = reader->feature_lines[index];
    char problem[sizeof reader->problem->text - 100];
    feature->is_main = feature->decides != NULL && strcmp(feature->decides, "yes") == 0;
    if (!is_name(feature->name))
        return fail(reader, line, "'%.60s' is no name of a feature: letters, digits, . _ + -",
                    feature->name);
    for (unsigned i = 0; i < index; i++)
        if (strcmp(client->features[i].name, feature->name) == 0)
            return fail(reader, line, "there are two features '%s'", feature->name);
    /* The text is shown as it stands, so a copy is cut up. */
    feature->cut = calloc(strlen(feature->needs) + 1, 1);
    if (feature->cut == NULL)
        return fail(reader, 0, "out of memory");
    memcpy(feature->cut, feature->needs, strlen(feature->needs));
    if (!explain_condition_read(feature->cut, &feature->condition, problem, sizeof problem))
        return fail(reader, reader->needs_lines[index], "needs %s", problem);
    return true;
}

static bool check(struct reader *reader) {
    struct explain_client *client = reader->client;
    bool decides = false;
    if (reader->section == NO_SECTION)
        return fail(reader, 0, "there is nothing in it; it begins with [client]");
    if (!is_name(client->name))
        return fail(reader, 1, "'%.60s' is no name of a client: letters, digits, . _ + -",
                    client->name);
    for (unsigned i = 0; i < client->relative_count; i++)
        if (!is_name(client->relatives[i].name))
            return fail(reader, 1, "'%.60s' is no name of a client: letters, digits, . _ + -",
                        client->relatives[i].name);
    for (unsigned i = 0; i < client->feature_count; i++) {
        if (!check_feature(reader, i))
            return false;
        decides = decides || client->features[i].is_main;
    }
    return decides || fail(reader, 0, "no feature decides the verdict: 'decides = yes' in one");
}

static bool read_text(struct reader *reader, char *text) {
    for (char *line = text; line != NULL;) {
        char *end = strchr(line, '\n');
        if (end != NULL)
            *end = '\0';
        reader->line++;
        if (!read_any(reader, line))
            return false;
        line = end != NULL ? end + 1 : NULL;
    }
    return end_section(reader) && check(reader);
}

bool explain_rules_read(const char *text, size_t length, struct explain_client *client,
                        struct explain_problem *problem) {
    struct reader reader = {.client = client, .problem = problem};
    *client = (struct explain_client){.text = calloc(length + 1, 1)};
    if (client->text == NULL)
        return fail(&reader, 0, "out of memory");
    memcpy(client->text, text, length);
    bool good = memchr(text, '\0', length) == NULL
                    ? read_text(&reader, client->text)
                    : fail(&reader, 0, "it has a NUL in it: it is no text");
    if (!good)
        explain_rules_free(client);
    return good;
}

void explain_rules_free(struct explain_client *client) {
    for (unsigned i = 0; i < client->feature_count; i++)
        free(client->features[i].cut);
    free(client->text);
    *client = (struct explain_client){.text = NULL};
}
