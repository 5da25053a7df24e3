/* A small strict reader of JSON: the whole document as a tree. It never allocates more than some
 * 50 bytes for each byte of the text. */
#ifndef TOOLS_JSON_READ_H
#define TOOLS_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_TEXT,
    JSON_ARRAY,
    JSON_OBJECT,
};

struct json_value {
    enum json_kind kind;
    bool whole;         /* a number: from 0 to 2^64 - 1, without a fraction */
    uint64_t number;    /* if it is whole */
    const char *text;   /* a text: UTF-8 as it came, without NUL */
    const char *key;    /* of a member; NULL: of an array, or the root */
    size_t first, next; /* indices; 0: none */
};

struct json_document {
    struct json_value *values; /* the root first */
    size_t count, capacity;
    char *text;
    unsigned line; /* of what is wrong */
    const char *problem;
};

/* Reads `text`, which NUL ends. false: `line` and `problem` say what is wrong. To be freed in
 * either case. */
bool json_read(const char *text, struct json_document *document);
void json_free(struct json_document *document);

/* The first element or member, and the next one; NULL: there is none. */
const struct json_value *json_first(const struct json_document *document,
                                    const struct json_value *value);
const struct json_value *json_next(const struct json_document *document,
                                   const struct json_value *value);

/* A member by its key; NULL: there is none, or `value` is NULL or no object. */
const struct json_value *json_member(const struct json_document *document,
                                     const struct json_value *value, const char *key);

/* Text of a member; NULL: there is none, or it is no text. */
const char *json_member_text(const struct json_document *document, const struct json_value *value,
                             const char *key);

#endif
