/* A small strict reader of JSON, which keeps a few members of the outermost object. */
#include "receipt.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"

enum { LARGEST = 1 << 20, DEEPEST = 32, LONGEST_TEXT = 1024 };

struct reader {
    const char *next;
    int depth;
};

/* What a value is, for those members that are kept. */
struct value {
    enum { VALUE_OTHER, VALUE_TEXT, VALUE_NUMBER, VALUE_TRUE, VALUE_FALSE } kind;
    char text[LONGEST_TEXT]; /* cut */
    long long number;
};

typedef void member_function(const char *key, const struct value *value, void *context);

static bool read_value(struct reader *reader, struct value *value);

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

static void put(char *text, size_t *length, unsigned char c) {
    if (*length + 1 < LONGEST_TEXT)
        text[(*length)++] = (char)c;
}

static void put_code_point(char *text, size_t *length, uint32_t c) {
    if (c < 0x80) {
        put(text, length, (unsigned char)c);
        return;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char starts[] = {0, 0xc0, 0xe0, 0xf0};
    put(text, length, (unsigned char)(starts[more] | c >> (6 * more)));
    while (more-- > 0)
        put(text, length, (unsigned char)(0x80 | (c >> (6 * more) & 0x3f)));
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

static bool read_escape(struct reader *reader, char *text, size_t *length) {
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char c = *reader->next;
    const char *escape = c != '\0' ? strchr(escapes, c) : NULL;
    uint32_t code;
    if (c == '\0')
        return false;
    reader->next++;
    if (escape != NULL) {
        put(text, length, (unsigned char)meanings[escape - escapes]);
        return true;
    }
    if (c != 'u' || !read_unicode(reader, &code))
        return false;
    put_code_point(text, length, code);
    return true;
}

static bool read_text(struct reader *reader, char text[LONGEST_TEXT]) {
    size_t length = 0;
    if (!take(reader, '"'))
        return false;
    while (*reader->next != '"') {
        unsigned char c = (unsigned char)*reader->next;
        if (c < 0x20)
            return false;
        reader->next++;
        if (c != '\\')
            put(text, &length, c);
        else if (!read_escape(reader, text, &length))
            return false;
    }
    reader->next++;
    text[length] = '\0';
    return true;
}

/* ---- other values ------------------------------------------------------------ */

static bool read_digits(struct reader *reader) {
    size_t length = strspn(reader->next, "0123456789");
    reader->next += length;
    return length > 0;
}

static bool read_number(struct reader *reader, struct value *value) {
    const char *start = reader->next;
    if (*reader->next == '-')
        reader->next++;
    bool zero = *reader->next == '0';
    const char *digits = reader->next;
    if (!read_digits(reader) || (zero && reader->next - digits > 1))
        return false;
    value->kind = VALUE_NUMBER;
    value->number = strtoll(start, NULL, 10);
    if (*reader->next == '.') {
        reader->next++;
        if (!read_digits(reader))
            return false;
    }
    if (*reader->next == 'e' || *reader->next == 'E') {
        reader->next++;
        if (*reader->next == '+' || *reader->next == '-')
            reader->next++;
        return read_digits(reader);
    }
    return true;
}

static bool read_word(struct reader *reader, struct value *value) {
    static const struct {
        const char *word;
        int kind;
    } words[] = {{"true", VALUE_TRUE}, {"false", VALUE_FALSE}, {"null", VALUE_OTHER}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i].word);
        if (strncmp(reader->next, words[i].word, length) == 0) {
            reader->next += length;
            value->kind = words[i].kind;
            return true;
        }
    }
    return false;
}

/* What is in an object or an array; members go to `function`, if there is one. */
static bool read_container(struct reader *reader, bool object, member_function *function,
                           void *context) {
    char end = object ? '}' : ']';
    struct value *value = allocate(1, sizeof *value);
    char key[LONGEST_TEXT] = "";
    bool good = ++reader->depth <= DEEPEST;
    reader->next++;
    if (good && !take(reader, end))
        for (;;) {
            good = (!object || (read_text(reader, key) && take(reader, ':'))) &&
                   read_value(reader, value);
            if (good && function != NULL)
                function(key, value, context);
            if (!good || !take(reader, ','))
                break;
        }
    else if (good)
        reader->next--;
    good = good && take(reader, end);
    reader->depth--;
    free(value);
    return good;
}

static bool read_value(struct reader *reader, struct value *value) {
    skip_blank(reader);
    value->kind = VALUE_OTHER;
    switch (*reader->next) {
    case '{':
        return read_container(reader, true, NULL, NULL);
    case '[':
        return read_container(reader, false, NULL, NULL);
    case '"':
        value->kind = VALUE_TEXT;
        return read_text(reader, value->text);
    case '-':
        return read_number(reader, value);
    default:
        return isdigit((unsigned char)*reader->next) ? read_number(reader, value)
                                                     : read_word(reader, value);
    }
}

/* ---- the receipt -------------------------------------------------------------- */

struct receipt_context {
    struct receipt *receipt;
    bool versioned;
};

static void keep_text(const char *key, const char *wanted, const struct value *value, char *text,
                      size_t size) {
    if (strcmp(key, wanted) == 0 && value->kind == VALUE_TEXT)
        snprintf(text, size, "%.*s", (int)size - 1, value->text);
}

static void keep(const char *key, const struct value *value, void *context) {
    struct receipt_context *kept = context;
    struct receipt *receipt = kept->receipt;
    keep_text(key, "stage", value, receipt->stage, sizeof receipt->stage);
    keep_text(key, "step", value, receipt->step, sizeof receipt->step);
    keep_text(key, "reason", value, receipt->reason, sizeof receipt->reason);
    keep_text(key, "program", value, receipt->program, sizeof receipt->program);
    if (strcmp(key, "mtlcap_receipt") == 0)
        kept->versioned = value->kind == VALUE_NUMBER && value->number == 1;
    if (strcmp(key, "pid") == 0 && value->kind == VALUE_NUMBER)
        receipt->process = value->number;
    if (strcmp(key, "interposed") == 0)
        receipt->interposed = value->kind == VALUE_TRUE;
    if (strcmp(key, "exiting") == 0)
        receipt->exiting = value->kind == VALUE_TRUE;
}

bool receipt_parse(const char *text, struct receipt *receipt) {
    struct reader reader = {.next = text};
    struct receipt_context context = {receipt, false};
    memset(receipt, 0, sizeof *receipt);
    skip_blank(&reader);
    if (*reader.next != '{' || !read_container(&reader, true, keep, &context))
        return false;
    skip_blank(&reader);
    return *reader.next == '\0' && context.versioned && receipt->stage[0] != '\0';
}

enum receipt_result receipt_read(const char *path, struct receipt *receipt, char *problem,
                                 size_t size) {
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        snprintf(problem, size, "%s", strerror(errno));
        return errno == ENOENT ? RECEIPT_NONE : RECEIPT_BAD;
    }
    char *text = allocate(LARGEST + 1, 1);
    ssize_t length = -1;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= LARGEST)
        length = read(descriptor, text, LARGEST);
    close(descriptor);
    bool good =
        length >= 0 && memchr(text, '\0', (size_t)length) == NULL && receipt_parse(text, receipt);
    free(text);
    if (good)
        return RECEIPT_READ;
    snprintf(problem, size, "it is not a receipt of this version");
    return RECEIPT_BAD;
}
