/*
 * The profile that was asked for. The API takes text, and reads the files that it names when it
 * applies; by then the program may be in another folder, or may have lost the right to read them.
 * So they are read at load, and their items take their place in the text.
 */
#include <stdlib.h>
#include <string.h>

#include "core/profile_parts.h"
#include "inject.h"

struct text {
    char *bytes; /* NULL: no memory */
    size_t length, size;
};

static void append(struct text *text, const char *bytes, size_t length) {
    if (text->bytes && text->length + length >= text->size) {
        const size_t size = 2 * (text->length + length + 1);
        char *grown = realloc(text->bytes, size);
        if (!grown)
            free(text->bytes);
        text->bytes = grown;
        text->size = size;
    }
    if (!text->bytes)
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

static void append_item(struct text *text, const char *item, size_t length) {
    while (length > 0 && strchr(" \t\r", item[length - 1]))
        length--;
    while (length > 0 && strchr(" \t", *item)) {
        item++;
        length--;
    }
    if (length == 0)
        return;
    if (text->length > 0)
        append(text, ",", 1);
    append(text, item, length);
}

static void append_lines(struct text *text, const char *lines) {
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    if (strncmp(lines, byte_order_mark, 3) == 0)
        lines += 3;
    while (*lines) {
        append_item(text, lines, strcspn(lines, "#\n"));
        lines += strcspn(lines, "\n");
        lines += *lines == '\n';
    }
}

static int append_file(struct text *text, const char *item, size_t length) {
    char *path = calloc(1, length);
    if (!path)
        return mtlcap__fail(MTLCAP_E_NO_MEMORY, "no memory for a path");
    memcpy(path, item + 1, length - 1);
    const struct mtlcap__place place = {item, length, 1, 0, NULL};
    char *lines;
    size_t size;
    const int status = mtlcap__profile_read_file(&place, path, &lines, &size);
    free(path);
    if (status)
        return status;
    append_lines(text, lines);
    free(lines);
    return MTLCAP_OK;
}

/* `profile` has been parsed: what is a comma and what an item is clear. */
static int put_in_files(const char *profile, struct text *text) {
    for (const char *item = profile;;) {
        item += strspn(item, " \t");
        size_t length = strcspn(item, ",");
        const char *end = item + length;
        while (length > 0 && strchr(" \t", item[length - 1]))
            length--;
        int status = MTLCAP_OK;
        if (*item == '@')
            status = append_file(text, item, length);
        else
            append_item(text, item, length);
        if (status || !*end)
            return status;
        item = end + 1;
    }
}

static int parse(const char *profile, struct mtlcap__asked *asked) {
    struct mtlcap__profile *parsed;
    const int status = mtlcap__profile_parse(profile, &parsed);
    if (status)
        return status;
    asked->hides = mtlcap__profile_hides(parsed);
    asked->more = parsed->count > 0;
    mtlcap__profile_free(parsed);
    return MTLCAP_OK;
}

int mtlcap__asked_read(const char *profile, struct mtlcap__asked *asked) {
    int status = parse(profile, asked);
    if (status)
        return status;
    struct text text = {.bytes = calloc(1, 1), .size = 1};
    status = put_in_files(profile, &text);
    if (!status && !text.bytes)
        status = mtlcap__fail(MTLCAP_E_NO_MEMORY, "no memory for a profile");
    if (!status)
        status = parse(text.bytes, asked); /* again: a file may just have changed */
    if (status) {
        free(text.bytes);
        return status;
    }
    asked->profile = text.bytes;
    return MTLCAP_OK;
}
