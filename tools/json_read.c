/* Text to a tree of values, by recursive descent. */
#include "json_read.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

enum { DEEPEST = 32 };

struct reader {
    struct json_document *document;
    const char *next;
    char *end; /* of the text that is kept */
    int depth;
};

static bool read_value(struct reader *reader, size_t *index);

static bool fail(struct reader *reader, const char *problem) {
    if (reader->document->problem == NULL)
        reader->document->problem = problem;
    return false;
}

static void skip_blank(struct reader *reader) {
    reader->next += strspn(reader->next, " \t\r\n");
}

static bool take(struct reader *reader, char c) {
    skip_blank(reader);
    if (*reader->next != c)
        return false;
    reader->next++;
    return true;
}

/* ---- text ------------------------------------------------------------------ */

static void put(struct reader *reader, unsigned char c) {
    *reader->end++ = (char)c;
}

static void put_code_point(struct reader *reader, uint32_t c) {
    if (c < 0x80) {
        put(reader, (unsigned char)c);
        return;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char starts[] = {0, 0xc0, 0xe0, 0xf0};
    put(reader, (unsigned char)(starts[more] | c >> (6 * more)));
    while (more-- > 0)
        put(reader, (unsigned char)(0x80 | (c >> (6 * more) & 0x3f)));
}

static bool read_hex(struct reader *reader, uint32_t *code) {
    *code = 0;
    for (int i = 0; i < 4; i++) {
        char c = *reader->next;
        if (!isxdigit((unsigned char)c))
            return false;
        *code =
            *code * 16 +
            (uint32_t)(isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10);
        reader->next++;
    }
    return true;
}

/* Behind "\u"; two of them may make one character. */
static bool read_unicode(struct reader *reader, uint32_t *code) {
    uint32_t low;
    if (!read_hex(reader, code) || *code == 0)
        return false;
    if (*code >= 0xdc00 && *code <= 0xdfff)
        return false;
    if (*code < 0xd800 || *code > 0xdbff)
        return true;
    if (reader->next[0] != '\\' || reader->next[1] != 'u')
        return false;
    reader->next += 2;
    if (!read_hex(reader, &low) || low < 0xdc00 || low > 0xdfff)
        return false;
    *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
    return true;
}

static bool read_escape(struct reader *reader) {
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char c = *reader->next;
    const char *escape = c != '\0' ? strchr(escapes, c) : NULL;
    uint32_t code;
    if (c == '\0')
        return false;
    reader->next++;
    if (escape != NULL) {
        put(reader, (unsigned char)meanings[escape - escapes]);
        return true;
    }
    if (c != 'u' || !read_unicode(reader, &code))
        return false;
    put_code_point(reader, code);
    return true;
}

/* Keeps the text; it is never longer than what it is written as. */
static const char *read_text(struct reader *reader) {
    const char *start = reader->end;
    if (!take(reader, '"')) {
        fail(reader, "a text in \" is missing");
        return NULL;
    }
    while (*reader->next != '"') {
        unsigned char c = (unsigned char)*reader->next;
        if (c < 0x20) {
            fail(reader, "a text does not end in its line");
            return NULL;
        }
        reader->next++;
        if (c != '\\') {
            put(reader, c);
        } else if (!read_escape(reader)) {
            fail(reader, "a text has a \\ with something else behind it than JSON knows");
            return NULL;
        }
    }
    reader->next++;
    put(reader, '\0');
    return start;
}

/* ---- other values ------------------------------------------------------------ */

static bool read_digits(struct reader *reader) {
    size_t length = strspn(reader->next, "0123456789");
    reader->next += length;
    return length > 0;
}

static bool read_fraction(struct reader *reader, struct json_value *value) {
    if (*reader->next == '.') {
        reader->next++;
        value->whole = false;
        if (!read_digits(reader))
            return false;
    }
    if (*reader->next == 'e' || *reader->next == 'E') {
        reader->next++;
        value->whole = false;
        if (*reader->next == '+' || *reader->next == '-')
            reader->next++;
        return read_digits(reader);
    }
    return true;
}

static bool read_number(struct reader *reader, struct json_value *value) {
    value->kind = JSON_NUMBER;
    value->whole = *reader->next != '-';
    reader->next += !value->whole;
    const char *digits = reader->next;
    if (!read_digits(reader) || (digits[0] == '0' && reader->next - digits > 1))
        return fail(reader, "this is no number");
    errno = 0;
    value->number = strtoull(digits, NULL, 10);
    value->whole = value->whole && errno == 0;
    return read_fraction(reader, value) || fail(reader, "this is no number");
}

static bool read_word(struct reader *reader, struct json_value *value) {
    static const struct {
        const char *word;
        enum json_kind kind;
    } words[] = {{"true", JSON_TRUE}, {"false", JSON_FALSE}, {"null", JSON_NULL}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i].word);
        if (strncmp(reader->next, words[i].word, length) == 0) {
            reader->next += length;
            value->kind = words[i].kind;
            return true;
        }
    }
    return fail(reader, "a value is missing");
}

/* ---- containers ---------------------------------------------------------------- */

static size_t add_value(struct reader *reader) {
    struct json_document *document = reader->document;
    if (document->count == document->capacity) {
        size_t capacity = document->capacity == 0 ? 16 : 2 * document->capacity;
        struct json_value *values = allocate(capacity, sizeof *values);
        if (document->count > 0)
            memcpy(values, document->values, document->count * sizeof *values);
        free(document->values);
        document->values = values;
        document->capacity = capacity;
    }
    return document->count++;
}

/* What is between the brackets; `index` is the container's. */
static bool read_contents(struct reader *reader, size_t index, bool object) {
    struct json_document *document = reader->document;
    size_t last = 0;
    do {
        size_t child;
        const char *key = object ? read_text(reader) : NULL;
        if (object && (key == NULL || !(take(reader, ':') || fail(reader, "a : is missing"))))
            return false;
        if (!read_value(reader, &child))
            return false;
        document->values[child].key = key;
        *(last == 0 ? &document->values[index].first : &document->values[last].next) = child;
        last = child;
    } while (take(reader, ','));
    return true;
}

static int compare_keys(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Which of two members is meant, readers do not agree on. */
static bool keys_differ(const struct json_document *document, const struct json_value *object) {
    size_t count = 0;
    const struct json_value *member = json_first(document, object);
    for (; member != NULL; member = json_next(document, member))
        count++;
    const char **keys = allocate(count, sizeof *keys);
    count = 0;
    for (member = json_first(document, object); member != NULL;
         member = json_next(document, member))
        keys[count++] = member->key;
    qsort(keys, count, sizeof *keys, compare_keys);
    bool differ = true;
    for (size_t i = 1; i < count && differ; i++)
        differ = strcmp(keys[i - 1], keys[i]) != 0;
    free(keys);
    return differ;
}

static bool read_container(struct reader *reader, size_t index, bool object) {
    char end = object ? '}' : ']';
    reader->document->values[index].kind = object ? JSON_OBJECT : JSON_ARRAY;
    reader->next++;
    if (++reader->depth > DEEPEST)
        return fail(reader, "it is nested too deeply");
    bool good = take(reader, end) || (read_contents(reader, index, object) &&
                                      (take(reader, end) || fail(reader, "a bracket is missing")));
    reader->depth--;
    if (good && object && !keys_differ(reader->document, &reader->document->values[index]))
        return fail(reader, "an object that ends here has a key twice");
    return good;
}

static bool read_value(struct reader *reader, size_t *index) {
    skip_blank(reader);
    *index = add_value(reader);
    struct json_value *value = &reader->document->values[*index];
    switch (*reader->next) {
    case '{':
        return read_container(reader, *index, true);
    case '[':
        return read_container(reader, *index, false);
    case '"':
        value->kind = JSON_TEXT;
        value->text = read_text(reader);
        return value->text != NULL;
    case '-':
        return read_number(reader, value);
    default:
        return isdigit((unsigned char)*reader->next) ? read_number(reader, value)
                                                     : read_word(reader, value);
    }
}

bool json_read(const char *text, struct json_document *document) {
    *document = (struct json_document){.text = allocate(strlen(text) + 1, 1)};
    struct reader reader = {.document = document, .next = text, .end = document->text};
    size_t root;
    bool good = read_value(&reader, &root);
    if (good)
        skip_blank(&reader);
    if (good && *reader.next != '\0')
        good = fail(&reader, "something follows behind the end");
    document->line = 1;
    for (const char *c = text; c < reader.next; c++)
        document->line += *c == '\n';
    return good;
}

void json_free(struct json_document *document) {
    free(document->values);
    free(document->text);
    *document = (struct json_document){.values = NULL};
}

const struct json_value *json_first(const struct json_document *document,
                                    const struct json_value *value) {
    return value->first != 0 ? &document->values[value->first] : NULL;
}

const struct json_value *json_next(const struct json_document *document,
                                   const struct json_value *value) {
    return value->next != 0 ? &document->values[value->next] : NULL;
}

const struct json_value *json_member(const struct json_document *document,
                                     const struct json_value *value, const char *key) {
    if (value == NULL || value->kind != JSON_OBJECT)
        return NULL;
    const struct json_value *member = json_first(document, value);
    while (member != NULL && strcmp(member->key, key) != 0)
        member = json_next(document, member);
    return member;
}

const char *json_member_text(const struct json_document *document, const struct json_value *value,
                             const char *key) {
    const struct json_value *member = json_member(document, value, key);
    return member != NULL && member->kind == JSON_TEXT ? member->text : NULL;
}
