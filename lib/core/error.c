/* The last error of each thread, and the log. */
#include "error.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text --------------------------------------------------------------- */

void mtlcap__copy_text(char *target, size_t size, const char *text, size_t length) {
    if (size == 0)
        return;
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
            length--;
    }
    if (length > 0)
        memcpy(target, text, length);
    target[length] = '\0';
}

size_t mtlcap__utf8_length(const char *text) {
    const unsigned char *s = (const unsigned char *)text;

    if (s[0] < 0x80)
        return 1;
    size_t length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    bool surrogate = s[0] == 0xED && s[1] >= 0xA0;
    bool beyond = s[0] == 0xF4 && s[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

static bool is_control(const char *text) {
    const unsigned char *s = (const unsigned char *)text;

    return s[0] < 0x20 || s[0] == 0x7F || (s[0] == 0xC2 && s[1] < 0xA0);
}

/* Profiles and file names come from outside: what they hold must be text, and must not move a
 * terminal's cursor nor start a second line. */
static void make_printable(char *text) {
    while (*text != '\0') {
        size_t length = mtlcap__utf8_length(text);
        if (length == 0 || is_control(text)) {
            *text = '?';
            length = 1;
        }
        text += length;
    }
}

void mtlcap__format_text(char *text, size_t size, const char *format, va_list arguments) {
    if (vsnprintf(text, size, format, arguments) < 0)
        text[0] = '\0';
    make_printable(text);
}

/* ---- errors ------------------------------------------------------------- */

static _Thread_local struct mtlcap_error last;

static void begin(int status) {
    memset(&last, 0, sizeof last);
    last.status = status;
}

int mtlcap__fail(int status, const char *format, ...) {
    va_list arguments;

    begin(status);
    va_start(arguments, format);
    mtlcap__format_text(last.message, sizeof last.message, format, arguments);
    va_end(arguments);
    return status;
}

int mtlcap__fail_hazard(const char *hazard, const char *format, ...) {
    va_list arguments;

    begin(MTLCAP_E_HAZARD);
    mtlcap__copy_text(last.hazard, sizeof last.hazard, hazard, strlen(hazard));
    va_start(arguments, format);
    mtlcap__format_text(last.message, sizeof last.message, format, arguments);
    va_end(arguments);
    return MTLCAP_E_HAZARD;
}

#if defined(__APPLE__)
#define SIMULATED_METAL ""
#else
#define SIMULATED_METAL                                                                            \
    "; off a Mac, link libsimmetal, the simulated Metal, or preload it: LD_PRELOAD=libsimmetal.so"
#endif

int mtlcap__fail_no_metal(const char *why) {
    return mtlcap__fail(MTLCAP_E_UNSUPPORTED, "%s, so there is no Metal" SIMULATED_METAL, why);
}

int mtlcap__fail_at(int status, const char *file, int line, int column, const char *item,
                    size_t item_length, const char *format, ...) {
    char reason[sizeof last.message / 2];
    va_list arguments;

    va_start(arguments, format);
    mtlcap__format_text(reason, sizeof reason, format, arguments);
    va_end(arguments);

    begin(status);
    last.line = line;
    last.column = column;
    mtlcap__copy_text(last.item, sizeof last.item, item, item_length);
    make_printable(last.item);
    if (file != NULL)
        snprintf(last.message, sizeof last.message, "%.300s, line %d, column %d: '%s': %s", file,
                 line, column, last.item, reason);
    else
        snprintf(last.message, sizeof last.message, "column %d: '%s': %s", column, last.item,
                 reason);
    make_printable(last.message);
    return status;
}

const char *mtlcap__last_error(void) {
    return last.message;
}

void mtlcap__error_parts(struct mtlcap_error *error) {
    size_t struct_size = error->struct_size;

    *error = last;
    error->struct_size = struct_size;
}

void mtlcap__error_put_back(const struct mtlcap_error *error) {
    last = *error;
}

const char *mtlcap__status_text(int status) {
    switch (status) {
#define STATUS_TEXT(name, number, meaning)                                                         \
    case number:                                                                                   \
        return meaning;
        MTLCAP_STATUS_MAP(STATUS_TEXT)
#undef STATUS_TEXT
    default:
        return "unknown status";
    }
}

/* ---- log ---------------------------------------------------------------- */

/* Where messages go. Published as a whole, so that a message never meets one call's function with
 * another's data; never freed, since a message may be on its way; equal ones are used again. No
 * mutex: a child forked while one is held could not log. */
struct destination {
    struct destination *next;
    int level;
    mtlcap_log_function function;
    void *data;
};

static struct destination initial = {NULL, MTLCAP_LOG_WARNING, NULL, NULL};
static _Atomic(struct destination *) destinations = &initial; /* all there have been */
static _Atomic(struct destination *) current = &initial;

static struct destination *find_destination(int level, mtlcap_log_function function, void *data) {
    for (struct destination *known = atomic_load(&destinations); known != NULL; known = known->next)
        if (known->level == level && known->function == function && known->data == data)
            return known;
    return NULL;
}

int mtlcap__set_log(int level, mtlcap_log_function function, void *data) {
    if (level < MTLCAP_LOG_OFF || level > MTLCAP_LOG_DEBUG)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "there is no log level %d: levels are %d to %d",
                            level, MTLCAP_LOG_OFF, MTLCAP_LOG_DEBUG);

    struct destination *chosen = find_destination(level, function, data);
    if (chosen == NULL) {
        chosen = malloc(sizeof *chosen);
        if (chosen == NULL)
            return mtlcap__fail(MTLCAP_E_NO_MEMORY, "no memory to keep the log function");
        *chosen = (struct destination){atomic_load(&destinations), level, function, data};
        while (!atomic_compare_exchange_weak(&destinations, &chosen->next, chosen))
            ;
    }
    atomic_store(&current, chosen);
    return MTLCAP_OK;
}

void mtlcap__log(int level, const char *format, ...) {
    const struct destination *to = atomic_load(&current);
    int saved_errno = errno;
    char message[1024];
    va_list arguments;

    if (level > to->level)
        return;
    va_start(arguments, format);
    mtlcap__format_text(message, sizeof message, format, arguments);
    va_end(arguments);
    if (to->function != NULL)
        to->function(level, message, to->data);
    else
        fprintf(stderr, "mtlcap: %s\n", message);
    errno = saved_errno;
}
