/* Reads expectations by the kind of the capability's answer, and compares. */
#include "expect.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "args.h"
#include "catalog.h"

static const struct {
    const char *text;
    int comparison;
} operators[] = {
    {">=", EXPECT_AT_LEAST}, {"<=", EXPECT_AT_MOST}, {"!=", EXPECT_NOT_EQUAL}, {"=", EXPECT_EQUAL}};

#define OPERATOR_COUNT (sizeof operators / sizeof operators[0])

/* "7", "off" */
static bool parse_family(const char *text, uint64_t *number) {
    unsigned long long value = 0;
    if (strcasecmp(text, "off") != 0 && !parse_number(text, &value))
        return false;
    *number = value;
    return true;
}

/* Metal's own constants (MTLGPUFamilyApple7 is 1007) are no numbers of families. */
static bool is_family_constant(const struct mtlcap_capability *capability, uint64_t number) {
    return number >= 1000 && strcmp(capability->selector, "supportsFamily:") == 0;
}

static bool parse_bool(const char *text, uint64_t *number) {
    static const char *const words[2][4] = {{"off", "no", "false", "0"},
                                            {"on", "yes", "true", "1"}};
    for (uint64_t value = 0; value < 2; value++)
        for (size_t i = 0; i < 4; i++)
            if (strcasecmp(text, words[value][i]) == 0) {
                *number = value;
                return true;
            }
    return false;
}

/* "32768", "32K", "64KiB", "11G" */
static bool parse_size(const char *text, uint64_t *number) {
    static const char units[] = "KMGT";
    char digits[24];
    size_t length = strspn(text, "0123456789");
    unsigned long long value;
    if (length >= sizeof digits)
        return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    if (!parse_number(digits, &value))
        return false;
    const char *suffix = text + length;
    if (*suffix != '\0') {
        const char *unit = strchr(units, toupper((unsigned char)*suffix));
        if (unit == NULL || (suffix[1] != '\0' && strcasecmp(suffix + 1, "iB") != 0))
            return false;
        for (const char *u = units; u <= unit; u++)
            if (__builtin_mul_overflow(value, 1024ull, &value))
                return false;
    }
    *number = value;
    return true;
}

/* "1024x1024x64"; "1024": in each dimension */
static bool parse_size3(const char *text, uint64_t *number) {
    unsigned long long single;
    if (parse_number(text, &single)) {
        number[0] = number[1] = number[2] = single;
        return true;
    }
    char copy[96];
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return false;
    char *part = copy;
    for (int i = 0; i < 3; i++) {
        char *end = i < 2 ? strchr(part, 'x') : part + strlen(part);
        if (end == NULL)
            return false;
        *end = '\0';
        unsigned long long value;
        if (!parse_number(part, &value))
            return false;
        number[i] = value;
        part = end + 1;
    }
    return true;
}

static bool parse_plain(const char *text, uint64_t *number) {
    unsigned long long value = 0;
    bool valid = parse_number(text, &value);
    *number = value;
    return valid;
}

/* Returns NULL, or what would be right. */
static const char *parse_value(struct expectation *expectation, const char *text) {
    struct mtlcap_capability capability = catalog_capability(expectation->capability);
    uint64_t *number = expectation->number;
    switch (capability.kind) {
    case MTLCAP_KIND_TEXT:
        expectation->text = text;
        return NULL;
    case MTLCAP_KIND_FAMILY:
        return parse_family(text, number) && !is_family_constant(&capability, number[0])
                   ? NULL
                   : "the number in the family's name (7 for MTLGPUFamilyApple7), or off";
    case MTLCAP_KIND_COUNT:
        return parse_family(text, number) ? NULL : "a number, or off";
    case MTLCAP_KIND_BOOL:
        return parse_bool(text, number) ? NULL : "on or off";
    case MTLCAP_KIND_SIZE3:
        return parse_size3(text, number) ? NULL
                                         : "a number for all dimensions, or WIDTHxHEIGHTxDEPTH";
    default:
        if (strcmp(capability.unit, "bytes") != 0)
            return parse_plain(text, number) ? NULL : "a number";
        return parse_size(text, number) ? NULL
                                        : "bytes below 2^64, such as 32768, 32K, 64KiB or 11G";
    }
}

/* Finds the operator; returns the length of the key in front of it, 0: there is no operator or no
 * key. */
static size_t parse_operator(const char *spec, struct expectation *expectation, size_t *length) {
    size_t key_length = strcspn(spec, "=<>!");
    for (size_t i = 0; i < OPERATOR_COUNT; i++) {
        *length = strlen(operators[i].text);
        if (strncmp(spec + key_length, operators[i].text, *length) == 0) {
            expectation->comparison = operators[i].comparison;
            return key_length;
        }
    }
    return 0;
}

static bool parse_key(const char *spec, size_t length, struct expectation *expectation,
                      char *problem, size_t size) {
    char key[64];
    snprintf(key, sizeof key, "%.*s", (int)length, spec);
    if (length < sizeof key && catalog_find_capability(key, &expectation->capability)) {
        expectation->kind = catalog_capability(expectation->capability).kind;
        return true;
    }
    char keys[128];
    if (catalog_keys(key, keys, sizeof keys)) {
        snprintf(problem, size, "'%s' is asked by several keys: %s", key, keys);
        return false;
    }
    struct suggestion suggestion =
        suggest(catalog_near_capability(key), "'mtlcap help keys' lists them");
    snprintf(problem, size, "there is no capability '%s'%s", key, suggestion.text);
    return false;
}

bool expect_parse(const char *spec, struct expectation *expectation, char *problem, size_t size) {
    *expectation = (struct expectation){.spec = spec};
    size_t operator_length;
    size_t key_length = parse_operator(spec, expectation, &operator_length);
    if (key_length == 0) {
        snprintf(problem, size,
                 "'%s' is not KEY=VALUE, nor with !=, >= or <=; in a shell quote it: 'apple>=7'",
                 spec);
        return false;
    }
    if (!parse_key(spec, key_length, expectation, problem, size))
        return false;
    bool ordered =
        expectation->comparison == EXPECT_AT_LEAST || expectation->comparison == EXPECT_AT_MOST;
    bool orderable = expectation->kind != MTLCAP_KIND_BOOL && expectation->kind != MTLCAP_KIND_TEXT;
    if (ordered && !orderable) {
        snprintf(problem, size, "%.*s can be compared with = and != only", (int)key_length, spec);
        return false;
    }
    const char *value = spec + key_length + operator_length;
    const char *right = parse_value(expectation, value);
    if (right != NULL) {
        snprintf(problem, size, "'%s' is no value of %.*s: it takes %s", value, (int)key_length,
                 spec, right);
        return false;
    }
    return true;
}

bool expect_met(const struct expectation *expectation, const struct mtlcap_answer *answer) {
    if (answer->kind == 0)
        return false;
    if (expectation->kind == MTLCAP_KIND_TEXT) {
        bool equal = strcmp(expectation->text, answer->effective.text) == 0;
        return equal == (expectation->comparison == EXPECT_EQUAL);
    }
    bool equal = true, at_least = true, at_most = true;
    for (int i = 0; i < (expectation->kind == MTLCAP_KIND_SIZE3 ? 3 : 1); i++) {
        uint64_t found = answer->effective.number[i], wanted = expectation->number[i];
        equal = equal && found == wanted;
        at_least = at_least && found >= wanted;
        at_most = at_most && found <= wanted;
    }
    switch (expectation->comparison) {
    case EXPECT_EQUAL:
        return equal;
    case EXPECT_NOT_EQUAL:
        return !equal;
    case EXPECT_AT_LEAST:
        return at_least;
    default:
        return at_most;
    }
}
