/* Commas, indentation and escapes of JSON. */
#include "json.h"

#include <inttypes.h>
#include <stddef.h>

#include "output.h"

/* What stands before a value or a key. */
static void separate(struct json *json) {
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (!json->first)
        output(",");
    if (json->depth > 0) {
        bool one_line = json->inline_depth > 0;
        if (!one_line)
            output("\n%*s", 2 * json->depth, "");
        else if (!json->first)
            output(" ");
    }
    json->first = false;
}

void json_begin(struct json *json, char bracket, enum json_layout layout) {
    if (json->depth == 0)
        json->first = true;
    separate(json);
    output("%c", bracket);
    json->depth++;
    if (layout == JSON_INLINE && json->inline_depth == 0)
        json->inline_depth = json->depth;
    json->first = true;
}

void json_end(struct json *json, char bracket) {
    bool one_line = json->inline_depth > 0;
    if (json->inline_depth == json->depth)
        json->inline_depth = 0;
    json->depth--;
    if (!one_line && !json->first)
        output("\n%*s", 2 * json->depth, "");
    output("%c", bracket);
    json->first = false;
    if (json->depth == 0)
        output("\n");
}

/* Length of the valid UTF-8 sequence at `byte`; 0: it is none. */
static size_t sequence_length(const unsigned char *byte) {
    unsigned char low = 0x80, high = 0xbf;
    size_t length;
    if (byte[0] < 0x80)
        return 1;
    if (byte[0] >= 0xc2 && byte[0] <= 0xdf) {
        length = 2;
    } else if (byte[0] >= 0xe0 && byte[0] <= 0xef) {
        length = 3;
        if (byte[0] == 0xe0)
            low = 0xa0; /* overlong */
        if (byte[0] == 0xed)
            high = 0x9f; /* surrogates */
    } else if (byte[0] >= 0xf0 && byte[0] <= 0xf4) {
        length = 4;
        if (byte[0] == 0xf0)
            low = 0x90; /* overlong */
        if (byte[0] == 0xf4)
            high = 0x8f; /* above U+10FFFF */
    } else {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if (byte[i] < low || byte[i] > high)
            return 0;
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

static void write_string(const char *text) {
    output("\"");
    const unsigned char *byte = (const unsigned char *)text;
    while (*byte != 0) {
        size_t length = sequence_length(byte);
        if (length == 0) {
            output("\\ufffd");
            length = 1;
        } else if (*byte == '"' || *byte == '\\') {
            output("\\%c", *byte);
        } else if (*byte == '\n') {
            output("\\n");
        } else if (*byte == '\t') {
            output("\\t");
        } else if (*byte < 0x20 || *byte == 0x7f) {
            output("\\u%04x", *byte);
        } else {
            output("%.*s", (int)length, (const char *)byte);
        }
        byte += length;
    }
    output("\"");
}

void json_key(struct json *json, const char *key) {
    separate(json);
    write_string(key);
    output(": ");
    json->after_key = true;
}

void json_string(struct json *json, const char *text) {
    if (text == NULL) {
        json_null(json);
        return;
    }
    separate(json);
    write_string(text);
}

void json_number(struct json *json, uint64_t number) {
    separate(json);
    output("%" PRIu64, number);
}

void json_integer(struct json *json, int64_t number) {
    separate(json);
    output("%" PRId64, number);
}

void json_bool(struct json *json, bool value) {
    separate(json);
    output("%s", value ? "true" : "false");
}

void json_null(struct json *json) {
    separate(json);
    output("null");
}
