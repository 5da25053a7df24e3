/* Commas, indentation and escapes of JSON. */
#include "json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

static void put(struct mtlcap__json *json, const char *text, size_t length) {
    if (json->failed)
        return;
    if (length >= json->size - json->length) {
        size_t size = 2 * (json->length + length) + 1024;
        char *grown = realloc(json->text, size);
        if (grown == NULL) {
            json->failed = true;
            return;
        }
        json->text = grown;
        json->size = size;
    }
    memcpy(json->text + json->length, text, length);
    json->length += length;
    json->text[json->length] = '\0';
}

static void put_text(struct mtlcap__json *json, const char *text) {
    put(json, text, strlen(text));
}

static void new_line(struct mtlcap__json *json) {
    put_text(json, "\n");
    for (int i = 0; i < json->depth; i++)
        put_text(json, "  ");
}

/* What stands before a value or a key. */
static void separate(struct mtlcap__json *json) {
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (!json->empty && json->depth > 0)
        put_text(json, ",");
    if (json->depth > 0 && json->inline_depth == 0)
        new_line(json);
    else if (!json->empty && json->depth > 0)
        put_text(json, " ");
    json->empty = false;
}

void mtlcap__json_begin(struct mtlcap__json *json, char bracket, enum mtlcap__json_layout layout) {
    separate(json);
    put(json, &bracket, 1);
    json->depth++;
    if (layout == MTLCAP__JSON_INLINE && json->inline_depth == 0)
        json->inline_depth = json->depth;
    json->empty = true;
}

void mtlcap__json_end(struct mtlcap__json *json, char bracket) {
    bool one_line = json->inline_depth > 0;

    if (json->inline_depth == json->depth)
        json->inline_depth = 0;
    json->depth--;
    if (!one_line && !json->empty)
        new_line(json);
    put(json, &bracket, 1);
    json->empty = false;
    if (json->depth == 0)
        put_text(json, "\n");
}

/* One character, of `length` bytes; 0: a byte that is none. */
static void put_character(struct mtlcap__json *json, const char *character, size_t length) {
    unsigned char byte = (unsigned char)*character;
    char escape[8];

    if (length == 0) {
        put_text(json, "\\ufffd");
    } else if (byte == '"' || byte == '\\') {
        put_text(json, "\\");
        put(json, character, 1);
    } else if (byte < 0x20 || byte == 0x7F) {
        snprintf(escape, sizeof escape, "\\u%04x", (unsigned)byte);
        put_text(json, escape);
    } else {
        put(json, character, length);
    }
}

void mtlcap__json_text(struct mtlcap__json *json, const char *text, size_t length) {
    separate(json);
    put_text(json, "\"");
    for (size_t i = 0; i < length;) {
        size_t character = mtlcap__utf8_length(text + i);
        if (character > length - i)
            character = 0;
        put_character(json, text + i, character);
        i += character > 0 ? character : 1;
    }
    put_text(json, "\"");
}

void mtlcap__json_string(struct mtlcap__json *json, const char *text) {
    if (text != NULL)
        mtlcap__json_text(json, text, strlen(text));
    else
        mtlcap__json_null(json);
}

void mtlcap__json_key(struct mtlcap__json *json, const char *key) {
    mtlcap__json_string(json, key);
    put_text(json, ": ");
    json->after_key = true;
}

void mtlcap__json_raw(struct mtlcap__json *json, const char *value) {
    separate(json);
    put_text(json, value);
}

void mtlcap__json_number(struct mtlcap__json *json, uint64_t number) {
    char digits[24];

    snprintf(digits, sizeof digits, "%" PRIu64, number);
    mtlcap__json_raw(json, digits);
}

void mtlcap__json_bool(struct mtlcap__json *json, bool value) {
    mtlcap__json_raw(json, value ? "true" : "false");
}

void mtlcap__json_null(struct mtlcap__json *json) {
    mtlcap__json_raw(json, "null");
}

char *mtlcap__json_finish(struct mtlcap__json *json) {
    if (json->failed) {
        free(json->text);
        json->text = NULL;
    }
    return json->text;
}
