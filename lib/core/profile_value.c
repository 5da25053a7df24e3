/* Values in profiles: numbers, sizes, families, tiers, yes and no. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "profile_parts.h"

/* What was wrong with a value, and what would be right. */
struct problem {
    char *text;
    size_t size;
};

#define WRONG(problem, ...) (snprintf((problem)->text, (problem)->size, __VA_ARGS__), false)

/* ---- words and numbers -------------------------------------------------- */

static char lower(char c) {
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Without regard to case, nor to the user's locale. `word` is in lower case. */
static bool is_word(const char *text, size_t length, const char *word) {
    if (strlen(word) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (lower(text[i]) != word[i])
            return false;
    return true;
}

static const char *const *find_word(const char *text, size_t length, const char *const *words) {
    for (; *words != NULL; words++)
        if (is_word(text, length, *words))
            return words;
    return NULL;
}

/* Reads the decimal number at the start of the text, and moves past it. */
static bool read_number(const char **text, size_t *length, uint64_t *number,
                        struct problem *problem) {
    size_t i = 0;

    if (*length > 0 && ((*text)[0] == '-' || (*text)[0] == '+'))
        return WRONG(problem, "numbers have no sign");
    *number = 0;
    for (; i < *length && is_digit((*text)[i]); i++) {
        uint64_t digit = (uint64_t)((*text)[i] - '0');
        if (*number > (UINT64_MAX - digit) / 10)
            return WRONG(problem, "the number is too large");
        *number = *number * 10 + digit;
    }
    if (i == 0)
        return WRONG(problem, "that is not a number");
    *text += i;
    *length -= i;
    if (*length > 0 && **text == '.')
        return WRONG(problem, "numbers have no fraction");
    return true;
}

/* What follows a number does not belong there. */
static bool refuse_rest(const char *rest, size_t length, uint64_t number, const char *what,
                        struct problem *problem) {
    if (number == 0 && lower(*rest) == 'x')
        return WRONG(problem, "numbers are decimal, not hexadecimal");
    return WRONG(problem, "'%.*s' %s", (int)(length > 24 ? 24 : length), rest, what);
}

static bool read_whole_number(const char *text, size_t length, uint64_t *number,
                              struct problem *problem) {
    if (!read_number(&text, &length, number, problem))
        return false;
    return length == 0 ||
           refuse_rest(text, length, *number, "is left over after the number", problem);
}

/* ---- kinds -------------------------------------------------------------- */

static bool parse_bytes(const char *text, size_t length, uint64_t *number,
                        struct problem *problem) {
    static const char *const units[] = {"k", "m", "g", "t", "kib", "mib", "gib", "tib", NULL};
    static const char *const decimal_units[] = {"kb", "mb", "gb", "tb", NULL};

    if (!read_number(&text, &length, number, problem))
        return false;
    if (length == 0)
        return true;
    if (find_word(text, length, decimal_units) != NULL)
        return WRONG(problem,
                     "%.2s can mean 1000 or 1024: write %" PRIu64 "%.1s or %" PRIu64
                     "%.1siB, which are 1024 based",
                     text, *number, text, *number, text);
    const char *const *unit = find_word(text, length, units);
    if (unit == NULL)
        return refuse_rest(text, length, *number,
                           "is not a unit of size: K, M, G, T, KiB, MiB, GiB, TiB are", problem);
    unsigned shift = 10 * (unsigned)((unit - units) % 4 + 1);
    if (*number > UINT64_MAX >> shift)
        return WRONG(problem, "the size is too large: it has more than 64 bits");
    *number <<= shift;
    return true;
}

static uint64_t named(const struct mtlcap__capability *capability, int64_t raw) {
    return (uint64_t)(raw + capability->named);
}

static atomic_bool future_families;

void mtlcap__value_accept_future_families(void) {
    atomic_store_explicit(&future_families, true, memory_order_relaxed);
}

static int64_t last_constant(const struct mtlcap__capability *capability) {
    return atomic_load_explicit(&future_families, memory_order_relaxed)
               ? mtlcap__capability_reach(capability)
               : capability->last;
}

/* A known number, or `off`. Of families the constant's number is good, too. */
static bool parse_member(const struct mtlcap__capability *capability, const char *text,
                         size_t length, uint64_t *number, struct problem *problem) {
    uint64_t first = named(capability, capability->first),
             last = named(capability, capability->last);

    if (is_word(text, length, "off")) {
        *number = 0;
        return true;
    }
    if (!read_whole_number(text, length, number, problem))
        return false;
    if (*number >= first && *number <= last)
        return true;
    if (*number >= (uint64_t)capability->first && *number <= (uint64_t)last_constant(capability)) {
        *number = named(capability, (int64_t)*number);
        return true;
    }
    return WRONG(problem, capability->kind == MTLCAP_KIND_FAMILY ? "Metal does not have this family"
                                                                 : "that is out of range");
}

static bool parse_tier(const struct mtlcap__capability *capability, const char *text, size_t length,
                       uint64_t *number, struct problem *problem) {
    if (!read_whole_number(text, length, number, problem))
        return false;
    if (*number < named(capability, capability->first) ||
        *number > named(capability, capability->last))
        return WRONG(problem, "Metal does not have this tier");
    return true;
}

static bool parse_bool(const char *text, size_t length, uint64_t *number, struct problem *problem) {
    static const char *const yes[] = {"on", "yes", "true", "1", NULL};
    static const char *const no[] = {"off", "no", "false", "0", NULL};

    *number = find_word(text, length, yes) != NULL;
    if (*number == 0 && find_word(text, length, no) == NULL)
        return WRONG(problem, "that is neither yes nor no");
    return true;
}

static bool parse_size3(const char *text, size_t length, uint64_t number[3],
                        struct problem *problem) {
    for (int i = 0; i < 3; i++) {
        if (!read_number(&text, &length, &number[i], problem))
            return false;
        if (number[i] == 0)
            return WRONG(problem, "a dimension cannot be 0");
        if (length == 0 && i == 0) {
            number[1] = number[2] = number[0];
            return true;
        }
        if (i == 2)
            break;
        if (length == 0 || lower(*text) != 'x')
            return WRONG(problem, "there are three dimensions");
        text++;
        length--;
    }
    return length == 0 || WRONG(problem, "there are three dimensions");
}

bool mtlcap__value_parse(const struct mtlcap__capability *capability, const char *text,
                         size_t length, uint64_t number[3], char *problem_text, size_t size) {
    struct problem problem = {problem_text, size};

    number[1] = number[2] = 0;
    if (length == 0)
        return WRONG(&problem, "a value is missing");
    switch (capability->kind) {
    case MTLCAP_KIND_FAMILY:
    case MTLCAP_KIND_COUNT:
        return parse_member(capability, text, length, number, &problem);
    case MTLCAP_KIND_TIER:
        return parse_tier(capability, text, length, number, &problem);
    case MTLCAP_KIND_BOOL:
        return parse_bool(text, length, number, &problem);
    case MTLCAP_KIND_SIZE3:
        return parse_size3(text, length, number, &problem);
    default:
        if (strcmp(capability->unit, "bytes") == 0)
            return parse_bytes(text, length, number, &problem);
        return read_whole_number(text, length, number, &problem);
    }
}

void mtlcap__value_hint(const struct mtlcap__capability *capability, char *text, size_t size) {
    uint64_t first = named(capability, capability->first),
             last = named(capability, capability->last);

    switch (capability->kind) {
    case MTLCAP_KIND_FAMILY:
        if (capability->named != 0) {
            snprintf(text, size,
                     "%" PRIu64 " to %" PRIu64 " (or the constants %" PRId64 " to %" PRId64
                     "), or off",
                     first, last, capability->first, capability->last);
            break;
        } /* fall through */
    case MTLCAP_KIND_COUNT:
        snprintf(text, size, "%" PRIu64 " to %" PRIu64 ", or off", first, last);
        break;
    case MTLCAP_KIND_TIER:
        snprintf(text, size, "%" PRIu64 " to %" PRIu64, first, last);
        break;
    case MTLCAP_KIND_BOOL:
        snprintf(text, size, "on or off");
        break;
    case MTLCAP_KIND_SIZE3:
        snprintf(text, size, "a number for all dimensions, or WIDTHxHEIGHTxDEPTH");
        break;
    default:
        if (strcmp(capability->unit, "bytes") == 0)
            snprintf(text, size, "bytes, such as 32768, 32K, 64KiB or 11G");
        else
            snprintf(text, size, "a decimal number of %s", capability->unit);
        break;
    }
}
