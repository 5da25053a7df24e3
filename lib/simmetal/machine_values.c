/* Values in machine files. */
#include "machine_parse.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool simmetal_reject(struct simmetal_error *error, const char *format, ...) {
    char message[1536];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (error->line > 0)
        snprintf(error->text, error->size, "%s:%d: %s", error->file, error->line, message);
    else
        snprintf(error->text, error->size, "%s: %s", error->file, message);
    return false;
}

/* Levenshtein's distance; names are short, and longer ones are simply far away. */
static unsigned distance(const char *a, const char *b) {
    size_t length = strlen(b);
    unsigned row[SIMMETAL_TEXT + 1];
    if (length > SIMMETAL_TEXT)
        return UINT32_MAX;
    for (size_t j = 0; j <= length; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; a[i - 1]; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= length; j++) {
            unsigned above = row[j];
            unsigned best = diagonal + (a[i - 1] != b[j - 1]);
            if (best > above + 1)
                best = above + 1;
            if (best > row[j - 1] + 1)
                best = row[j - 1] + 1;
            row[j] = best;
            diagonal = above;
        }
    }
    return row[length];
}

const char *simmetal_nearest(const char *name, const char *const *names, unsigned count) {
    const char *nearest = names[0];
    unsigned smallest = UINT32_MAX;
    for (unsigned i = 0; i < count; i++) {
        unsigned d = distance(name, names[i]);
        if (d < smallest) {
            smallest = d;
            nearest = names[i];
        }
    }
    return nearest;
}

bool simmetal_read_text(char text[SIMMETAL_TEXT], const char *value, struct simmetal_error *error) {
    if (strlen(value) >= SIMMETAL_TEXT)
        return simmetal_reject(error, "the text has %zu characters; at most %d fit", strlen(value),
                               SIMMETAL_TEXT - 1);
    strcpy(text, value);
    return true;
}

bool simmetal_read_flag(bool *flag, const char *value, struct simmetal_error *error) {
    *flag = strcmp(value, "yes") == 0;
    if (!*flag && strcmp(value, "no") != 0)
        return simmetal_reject(error, "'%s' is neither yes nor no", value);
    return true;
}

bool simmetal_read_number(uint64_t *number, uint64_t max, const char *value,
                          struct simmetal_error *error) {
    static const struct {
        const char *name;
        unsigned shift;
    } units[] = {{"", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
    char *end = NULL;
    errno = 0;
    unsigned long long digits = value[0] == '-' ? 0 : strtoull(value, &end, 0);
    if (end && end != value && errno == 0) {
        end += strspn(end, " ");
        for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
            if (strcmp(end, units[i].name) == 0 && digits <= max >> units[i].shift) {
                *number = (uint64_t)digits << units[i].shift;
                return true;
            }
    }
    return simmetal_reject(error,
                           "'%s' is not a number from 0 to %llu; for instance 32768, 0x8000 or "
                           "32 KiB (also MiB and GiB)",
                           value, (unsigned long long)max);
}

bool simmetal_read_list(int64_t *list, unsigned capacity, unsigned *count, const char *value,
                        struct simmetal_error *error) {
    *count = 0;
    if (strcmp(value, "none") == 0)
        return true;
    const char *at = value;
    for (;;) {
        char *end;
        errno = 0;
        long long first = strtoll(at, &end, 10), last = first;
        if (end != at && *end == '-') {
            at = end + 1;
            last = strtoll(at, &end, 10);
        }
        if (end == at || errno || first < 0 || last < first)
            return simmetal_reject(
                error,
                "'%s' is not a list of numbers; for instance 1001-1005, 3001, or "
                "none",
                value);
        if (last - first >= capacity - *count)
            return simmetal_reject(error, "'%s' has more than %u numbers", value, capacity);
        for (long long n = first; n <= last; n++)
            list[(*count)++] = n;
        at = end + strspn(end, " ");
        if (*at == '\0')
            return true;
        if (*at != ',')
            return simmetal_reject(error, "'%s' stands where a comma should: '%s'", at, value);
        at++;
    }
}

bool simmetal_read_choice(unsigned *index, const char *const *names, unsigned count,
                          const char *what, const char *value, struct simmetal_error *error) {
    for (*index = 0; *index < count; (*index)++)
        if (strcmp(value, names[*index]) == 0)
            return true;
    char list[1024] = "";
    for (unsigned i = 0; i < count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    }
    return simmetal_reject(error, "no %s is called '%s'; there are: %s", what, value, list);
}

bool simmetal_read_faults(uint32_t *faults, const char *value, struct simmetal_error *error) {
    static const char *const names[] = {
#define ROW(name, constant, what) name,
        SIMMETAL_FAULTS(ROW)
#undef ROW
    };
    char copy[512];
    if (strlen(value) >= sizeof copy)
        return simmetal_reject(error, "the list of faults is longer than %zu characters",
                               sizeof copy - 1);
    strcpy(copy, value);
    bool changes = copy[0] == '+' || copy[0] == '-';
    if (!changes)
        *faults = 0;
    if (strcmp(value, "none") == 0)
        return true;
    char *next = copy;
    for (char *name; (name = strsep(&next, ",")) != NULL;) {
        name += strspn(name, " ");
        name[strcspn(name, " ")] = '\0';
        char sign = name[0] == '+' || name[0] == '-' ? *name++ : '\0';
        unsigned index;
        if (changes != (sign != '\0'))
            return simmetal_reject(error, "either all faults have a sign, + or -, and change what "
                                          "there was, or none has");
        if (!simmetal_read_choice(&index, names, SIMMETAL_FAULT_COUNT, "fault", name, error))
            return false;
        *faults = sign == '-' ? *faults & ~(1u << index) : *faults | 1u << index;
    }
    return true;
}
