/* Writes JSON to memory: indented, or in one line where asked. (The command has its own writer,
 * which prints: it is a program apart, and sees the public API only.) */
#ifndef MTLCAP_INJECT_JSON_H
#define MTLCAP_INJECT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero to begin with. */
struct mtlcap__json {
    char *text;
    size_t length, size;
    int depth;
    int inline_depth; /* containers from this depth on are in one line; 0: none */
    bool empty;       /* nothing is in the current container yet */
    bool after_key;
    bool failed; /* no memory */
};

enum mtlcap__json_layout { MTLCAP__JSON_LINES, MTLCAP__JSON_INLINE };

void mtlcap__json_begin(struct mtlcap__json *json, char bracket,
                        enum mtlcap__json_layout layout);       /* '{' or '[' */
void mtlcap__json_end(struct mtlcap__json *json, char bracket); /* '}' or ']' */
void mtlcap__json_key(struct mtlcap__json *json, const char *key);

/* Each byte that is not part of UTF-8 becomes U+FFFD. NULL: null. */
void mtlcap__json_string(struct mtlcap__json *json, const char *text);
void mtlcap__json_text(struct mtlcap__json *json, const char *text, size_t length);
void mtlcap__json_number(struct mtlcap__json *json, uint64_t number);
void mtlcap__json_bool(struct mtlcap__json *json, bool value);
void mtlcap__json_null(struct mtlcap__json *json);

/* A value that is JSON already. */
void mtlcap__json_raw(struct mtlcap__json *json, const char *value);

/* The text, to be freed; NULL: no memory. */
char *mtlcap__json_finish(struct mtlcap__json *json);

#endif
