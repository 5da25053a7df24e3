/* The grammar of profiles: lists of items, names of built-in profiles, files. */
#define _POSIX_C_SOURCE 200809L /* strndup, strnlen */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile_parts.h"

#define FAIL(place, ...) MTLCAP__FAIL_ITEM(MTLCAP_E_PROFILE, place, __VA_ARGS__)

struct parser {
    struct mtlcap__profile *profile;
    const char *origin; /* the built-in profile whose rules these are, or NULL */
    const char *file;   /* NULL: not in a file */
    int line;           /* in the file, from 1; otherwise 0 */
    size_t seen;        /* items, `stock` included */
};

static int parse_list(struct parser *parser, const char *text, size_t length);

static int add_item(struct mtlcap__profile *profile, const struct mtlcap__item *item) {
    if (profile->count == profile->capacity) {
        size_t capacity = profile->capacity == 0 ? 16 : 2 * profile->capacity;
        struct mtlcap__item *items = realloc(profile->items, capacity * sizeof *items);
        if (items == NULL)
            return mtlcap__fail(MTLCAP_E_NO_MEMORY, "no memory for a profile");
        profile->items = items;
        profile->capacity = capacity;
    }
    profile->items[profile->count++] = *item;
    return MTLCAP_OK;
}

/* ---- NAME --------------------------------------------------------------- */

static int add_builtin(struct parser *parser, const struct mtlcap__builtin *builtin) {
    if (builtin->rules != NULL) {
        struct parser inner = {.profile = parser->profile, .origin = parser->origin};
        if (inner.origin == NULL)
            inner.origin = builtin->name;
        return parse_list(&inner, builtin->rules, strlen(builtin->rules));
    }
    if (strcmp(builtin->name, "hide") == 0)
        parser->profile->hides = true;
    if (strcmp(builtin->name, "auto") == 0)
        return add_item(parser->profile, &(struct mtlcap__item){.is_auto = true});
    return MTLCAP_OK;
}

static int parse_name(struct parser *parser, const struct mtlcap__place *place) {
    const struct mtlcap__builtin *builtin = mtlcap__builtin_by_name(place->text, place->length);
    const char *dot = memchr(place->text, '.', place->length);
    size_t key_length = dot != NULL ? (size_t)(dot - place->text) : place->length;
    const struct mtlcap__capability *capability =
        mtlcap__capability_by_key(place->text, key_length);

    if (builtin != NULL)
        return add_builtin(parser, builtin);
    if (capability == NULL)
        return mtlcap__fail_unknown_word(place, place->length, "there is no such profile");

    char hint[128];
    mtlcap__value_hint(capability, hint, sizeof hint);
    return FAIL(place, "%s is a key and needs a value: write %s=VALUE; it takes %s",
                capability->key, capability->key, hint);
}

/* ---- KEY=VALUE ---------------------------------------------------------- */

static int parse_rule(struct parser *parser, const struct mtlcap__place *place,
                      const char *equals) {
    struct mtlcap__item item;
    int status = mtlcap__rule_parse(place, equals, &item);
    size_t used = 0;

    if (status != MTLCAP_OK)
        return status;
    if (parser->origin != NULL)
        used = (size_t)snprintf(item.text, sizeof item.text, "%s: ", parser->origin);
    mtlcap__copy_text(item.text + used, sizeof item.text - used, place->text, place->length);
    return add_item(parser->profile, &item);
}

/* ---- @FILE -------------------------------------------------------------- */

static int parse_file_line(struct parser *parser, const char *text, size_t length) {
    const char *nul = memchr(text, '\0', length);
    const char *comment = memchr(text, '#', length);

    if (nul != NULL) {
        struct mtlcap__place place = {"", 0, (int)(nul - text) + 1, parser->line, parser->file};
        return FAIL(&place, "there is a NUL byte: a profile is a text file");
    }
    if (length > 0 && text[length - 1] == '\r')
        length--;
    if (comment != NULL)
        length = (size_t)(comment - text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    return length > 0 ? parse_list(parser, text, length) : MTLCAP_OK;
}

static int parse_file_text(struct parser *parser, const char *text, size_t length) {
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    const char *end = text + length;

    if (strncmp(text, byte_order_mark, 3) == 0)
        text += 3;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *line_end = newline != NULL ? newline : end;
        parser->line++;
        int status = parse_file_line(parser, text, (size_t)(line_end - text));
        if (status != MTLCAP_OK)
            return status;
        text = line_end + 1;
    }
    return MTLCAP_OK;
}

static int parse_file(struct parser *parser, const struct mtlcap__place *place) {
    if (parser->file != NULL)
        return FAIL(place, "a profile file cannot include another: write its items here");
    if (place->length == 1)
        return FAIL(place, "a path is missing: write @PATH");

    char *path = strndup(place->text + 1, place->length - 1);
    if (path == NULL)
        return mtlcap__fail(MTLCAP_E_NO_MEMORY, "no memory for a path");
    struct parser inner = {.profile = parser->profile, .file = path};
    char *text = NULL;
    size_t length = 0;
    int status = mtlcap__profile_read_file(place, path, &text, &length);
    if (status == MTLCAP_OK)
        status = parse_file_text(&inner, text, length);
    if (status == MTLCAP_OK && inner.seen == 0)
        status = FAIL(place, "the file has no items: write stock in it if it is to have no rules");
    free(text);
    free(path);
    return status;
}

/* ---- items -------------------------------------------------------------- */

/* Spaces inside, bytes that no name and no value has. Paths have everything. */
static int check_bytes(const struct mtlcap__place *place) {
    for (size_t i = 0; i < place->length; i++) {
        unsigned char byte = (unsigned char)place->text[i];
        if (byte == ' ' || byte == '\t')
            return FAIL(place, "there is a space inside: write KEY=VALUE without spaces, and %s",
                        place->file != NULL ? "one item a line" : "commas between items");
        if (byte < 0x21 || byte > 0x7E)
            return FAIL(place,
                        "byte 0x%02X cannot stand in an item: letters, digits and "
                        "_ - . = @ can",
                        byte);
    }
    return MTLCAP_OK;
}

static int parse_item(struct parser *parser, const struct mtlcap__place *place) {
    const char *equals = memchr(place->text, '=', place->length);
    int status;

    parser->seen++;
    if (place->length == 0)
        return FAIL(place, "the item is empty: remove a comma");
    if (place->text[0] == '@')
        status = parse_file(parser, place);
    else if ((status = check_bytes(place)) != MTLCAP_OK)
        return status;
    else if (equals != NULL)
        status = parse_rule(parser, place, equals);
    else
        status = parse_name(parser, place);
    if (status == MTLCAP_OK && parser->origin == NULL &&
        parser->profile->count > MTLCAP__PROFILE_MAX_ITEMS)
        return FAIL(place, "the profile has too many items: it can have %d",
                    MTLCAP__PROFILE_MAX_ITEMS);
    return status;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static struct mtlcap__place trimmed(const struct parser *parser, const char *line,
                                    const char *start, const char *end) {
    while (start < end && is_blank(*start))
        start++;
    while (end > start && is_blank(end[-1]))
        end--;
    return (struct mtlcap__place){start, (size_t)(end - start), (int)(start - line) + 1,
                                  parser->line, parser->file};
}

/* Items separated by commas; in a file, one item. */
static int parse_list(struct parser *parser, const char *text, size_t length) {
    const char *end = text + length;

    for (const char *start = text;;) {
        const char *comma = memchr(start, ',', (size_t)(end - start));
        struct mtlcap__place place = trimmed(parser, text, start, comma != NULL ? comma : end);
        if (comma != NULL && parser->file != NULL)
            return FAIL(&place, "a comma follows: in a file, write one item a line");
        int status = parse_item(parser, &place);
        if (status != MTLCAP_OK || comma == NULL)
            return status;
        start = comma + 1;
    }
}

/* ---- profiles ----------------------------------------------------------- */

static int parse_text(struct mtlcap__profile *profile, const char *text) {
    struct parser parser = {.profile = profile};
    struct mtlcap__place start = {"", 0, 1, 0, NULL};
    size_t length = strnlen(text, MTLCAP__PROFILE_MAX_BYTES + 1);

    if (length > MTLCAP__PROFILE_MAX_BYTES)
        return FAIL(&start, "the profile is longer than 64 KiB");
    if (text[strspn(text, " \t")] == '\0')
        return FAIL(&start, "the profile is empty: write a name, such as auto, or KEY.min=VALUE");
    return parse_list(&parser, text, length);
}

int mtlcap__profile_parse(const char *text, struct mtlcap__profile **profile) {
    *profile = NULL;
    if (text == NULL)
        return mtlcap__fail(MTLCAP_E_ARGUMENT,
                            "the profile is NULL: pass a name, such as \"auto\"");
    struct mtlcap__profile *parsed = calloc(1, sizeof *parsed);
    if (parsed == NULL)
        return mtlcap__fail(MTLCAP_E_NO_MEMORY, "no memory for a profile");
    int status = parse_text(parsed, text);
    if (status != MTLCAP_OK) {
        mtlcap__profile_free(parsed);
        return status;
    }
    *profile = parsed;
    return MTLCAP_OK;
}

void mtlcap__profile_free(struct mtlcap__profile *profile) {
    if (profile != NULL)
        free(profile->items);
    free(profile);
}

bool mtlcap__profile_hides(const struct mtlcap__profile *profile) {
    return profile->hides;
}
