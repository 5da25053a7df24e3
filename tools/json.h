/* Writes JSON to standard output: indented, or in one line where asked. */
#ifndef TOOLS_JSON_H
#define TOOLS_JSON_H

#include <stdbool.h>
#include <stdint.h>

struct json {
    int depth;
    int inline_depth; /* containers from this depth on are in one line; 0: none */
    bool first;       /* nothing is in the current container yet */
    bool after_key;
};

enum json_layout { JSON_LINES, JSON_INLINE };

void json_begin(struct json *json, char bracket, enum json_layout layout); /* '{' or '[' */
void json_end(struct json *json, char bracket);                            /* '}' or ']' */
void json_key(struct json *json, const char *key);

/* Text is taken as UTF-8; each byte that is not part of valid UTF-8 becomes U+FFFD. NULL: null. */
void json_string(struct json *json, const char *text);
void json_number(struct json *json, uint64_t number);
void json_integer(struct json *json, int64_t number);
void json_bool(struct json *json, bool value);
void json_null(struct json *json);

#endif
