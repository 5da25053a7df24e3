/* Reads an expectation by the kind of the capability's answer, asks, and compares. */
#include "check.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capability.h"
#include "device.h"
#include "error.h"
#include "profile_parts.h"
#include "query.h"
#include "structure.h"

enum comparison { AT_LEAST, AT_MOST, NOT_EQUAL, EQUAL };

static const char *const operators[] = {
    [AT_LEAST] = ">=", [AT_MOST] = "<=", [NOT_EQUAL] = "!=", [EQUAL] = "="};

struct expectation {
    const struct mtlcap__capability *capability;
    enum comparison comparison;
    uint64_t number[3];
    const char *value; /* as given */
};

/* ---- reading ------------------------------------------------------------ */

/* Decimal. */
static bool parse_number(const char *text, uint64_t *number) {
    *number = 0;
    for (const char *c = text; *c != '\0'; c++) {
        if (*c < '0' || *c > '9' || *number > (UINT64_MAX - (uint64_t)(*c - '0')) / 10)
            return false;
        *number = 10 * *number + (uint64_t)(*c - '0');
    }
    return *text != '\0';
}

static bool is_off(const char *text) {
    return (text[0] == 'o' || text[0] == 'O') && (text[1] == 'f' || text[1] == 'F') &&
           (text[2] == 'f' || text[2] == 'F') && text[3] == '\0';
}

/* Any number, not only those that there are: what is expected may come. */
static bool parse_member(const char *text, uint64_t *number) {
    *number = 0;
    return is_off(text) || parse_number(text, number);
}

/* Metal's own constants (MTLGPUFamilyApple7 is 1007) are no numbers of families. */
static bool is_family_constant(const struct mtlcap__capability *capability, uint64_t number) {
    return number >= 1000 && capability->named != 0;
}

/* Returns NULL, or what would be right. */
static const char *parse_value(struct expectation *expectation) {
    const struct mtlcap__capability *capability = expectation->capability;
    const char *value = expectation->value;
    uint64_t *number = expectation->number;
    char problem[128];

    switch (capability->kind) {
    case MTLCAP_KIND_TEXT:
        return NULL;
    case MTLCAP_KIND_FAMILY:
        return parse_member(value, number) && !is_family_constant(capability, number[0])
                   ? NULL
                   : "the number in the family's name (7 for MTLGPUFamilyApple7), or off";
    case MTLCAP_KIND_COUNT:
        return parse_member(value, number) ? NULL : "a number, or off";
    case MTLCAP_KIND_TIER:
        return parse_number(value, number) ? NULL : "a number";
    default:
        break;
    }
    if (mtlcap__value_parse(capability, value, strlen(value), number, problem, sizeof problem))
        return NULL;
    if (capability->kind == MTLCAP_KIND_BOOL)
        return "on or off";
    if (capability->kind == MTLCAP_KIND_SIZE3)
        return "a number for all dimensions, or WIDTHxHEIGHTxDEPTH";
    return strcmp(capability->unit, "bytes") == 0
               ? "bytes below 2^64, such as 32768, 32K, 64KiB or 11G"
               : "a number";
}

/* Finds the operator and the value behind it; returns the length of the key in front, 0: there is
 * no operator or no key. Both may have spaces around them. */
static size_t parse_operator(const char *text, struct expectation *expectation) {
    size_t length = strcspn(text, "=<>!");

    for (int i = AT_LEAST; i <= EQUAL; i++)
        if (strncmp(text + length, operators[i], strlen(operators[i])) == 0) {
            expectation->comparison = (enum comparison)i;
            expectation->value = text + length + strlen(operators[i]);
            expectation->value += strspn(expectation->value, " ");
            while (length > 0 && text[length - 1] == ' ')
                length--;
            return length;
        }
    return 0;
}

static const struct mtlcap__capability *find(const char *name) {
    const struct mtlcap__capability *capability = mtlcap__capability_by_name(name);
    char keys[256];

    if (capability != NULL)
        return capability;
    const char *near = mtlcap__capability_suggest(name, strlen(name), false);
    if (mtlcap__capability_keys(name, strlen(name), keys, sizeof keys))
        mtlcap__fail(MTLCAP_E_CAPABILITY, "'%s' is asked by several keys: %s", name, keys);
    else if (near != NULL)
        mtlcap__fail(MTLCAP_E_CAPABILITY, "there is no capability '%s'; did you mean '%s'?", name,
                     near);
    else
        mtlcap__fail(MTLCAP_E_CAPABILITY,
                     "there is no capability '%s'; 'mtlcap help keys' lists them", name);
    return NULL;
}

/* Names the expectation's capability. A name that is too long for one is cut, and then none. */
static int parse_key(const char *text, size_t length, struct expectation *expectation) {
    const char *sign = text + strcspn(text, "=<>!");
    char name[64];

    if (length == 0 && sign > text && (*sign == '<' || *sign == '>')) {
        mtlcap__fail(MTLCAP_E_ARGUMENT, "'%.200s': there is no %c, but %c=", text, *sign, *sign);
        return MTLCAP_E_ARGUMENT;
    }
    if (length == 0) {
        mtlcap__fail(MTLCAP_E_ARGUMENT,
                     "'%.200s' is not KEY=VALUE, nor with !=, >= or <=; in a shell quote it: "
                     "'apple>=7'",
                     text);
        return MTLCAP_E_ARGUMENT;
    }
    mtlcap__copy_text(name, sizeof name, text, length);
    expectation->capability = find(name);
    return expectation->capability != NULL ? MTLCAP_OK : MTLCAP_E_CAPABILITY;
}

static int parse(const char *text, struct expectation *expectation) {
    text += strspn(text, " ");
    size_t length = parse_operator(text, expectation);
    int status = parse_key(text, length, expectation);

    if (status != MTLCAP_OK)
        return status;
    int32_t kind = expectation->capability->kind;
    bool ordered = expectation->comparison == AT_LEAST || expectation->comparison == AT_MOST;
    if (ordered && (kind == MTLCAP_KIND_BOOL || kind == MTLCAP_KIND_TEXT))
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "%.*s can be compared with = and != only",
                            (int)length, text);
    if (expectation->comparison == EQUAL && kind != MTLCAP_KIND_TEXT &&
        expectation->value[0] == '=')
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "'%.200s': write one =", text);
    const char *right = parse_value(expectation);
    if (right != NULL)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "'%.200s' is no value of %.*s: it takes %s",
                            expectation->value, (int)length, text, right);
    return MTLCAP_OK;
}

/* ---- comparing ---------------------------------------------------------- */

static bool is_met(const struct expectation *expectation, const struct mtlcap_value *found) {
    int32_t kind = expectation->capability->kind;
    bool equal = true, at_least = true, at_most = true;

    if (kind == MTLCAP_KIND_TEXT)
        return (strcmp(expectation->value, found->text) == 0) == (expectation->comparison == EQUAL);
    for (int i = 0; i < (kind == MTLCAP_KIND_SIZE3 ? 3 : 1); i++) {
        uint64_t wanted = expectation->number[i];
        equal = equal && found->number[i] == wanted;
        at_least = at_least && found->number[i] >= wanted;
        at_most = at_most && found->number[i] <= wanted;
    }
    switch (expectation->comparison) {
    case AT_LEAST:
        return at_least;
    case AT_MOST:
        return at_most;
    case NOT_EQUAL:
        return !equal;
    default:
        return equal;
    }
}

/* "7", "32768 (32 KiB)": as people read it. */
static void describe(const struct mtlcap__capability *capability, const struct mtlcap_value *value,
                     char *text, size_t size) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double amount = (double)value->number[0];
    size_t unit = 0;

    for (; amount >= 1024 && unit + 1 < sizeof units / sizeof units[0]; unit++)
        amount /= 1024;
    bool whole = amount == (double)(uint64_t)amount;
    if (strcmp(capability->unit, "bytes") == 0 && unit > 0)
        snprintf(text, size, "%s (%.*f %s)", value->text, whole ? 0 : 1, amount, units[unit]);
    else
        mtlcap__copy_text(text, size, value->text, strlen(value->text));
}

/* That there is Metal, and a device to ask. */
static int look_for(void *device) {
    const char *missing = mtlcap__rt_open();

    if (missing != NULL)
        return mtlcap__fail_no_metal(missing);
    return device != NULL ? MTLCAP_OK : mtlcap__devices_look();
}

/* The answer's part of a check. */
static int ask(void *device, const struct expectation *parsed, struct mtlcap_check *check) {
    struct mtlcap_answer *answer = calloc(1, sizeof *answer); /* threads may have small stacks */

    if (answer == NULL)
        return mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for an answer");
    answer->struct_size = sizeof *answer;
    int status = mtlcap__query(device, parsed->capability->key, answer);
    if (status == MTLCAP_OK) {
        check->met = is_met(parsed, &answer->effective);
        describe(parsed->capability, &answer->effective, check->found, sizeof check->found);
    }
    free(answer);
    return status == MTLCAP_E_UNSUPPORTED ? MTLCAP_OK : status; /* it does not have the method */
}

int mtlcap__check_answer(void *device, const char *expectation, struct mtlcap_check *check) {
    struct expectation parsed = {.capability = NULL};
    struct mtlcap_check filled = MTLCAP_CHECK_INIT;

    if (expectation == NULL)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "expectation is NULL");
    int status = check != NULL ? mtlcap__structure_check(check, sizeof *check) : MTLCAP_OK;
    if (status == MTLCAP_OK)
        status = parse(expectation, &parsed);
    if (status != MTLCAP_OK || check == NULL)
        return status;

    const char *key = parsed.capability->key;
    mtlcap__copy_text(filled.capability, sizeof filled.capability, key, strlen(key));
    snprintf(filled.expected, sizeof filled.expected, "%s%.110s", operators[parsed.comparison],
             parsed.value);
    status = look_for(device);
    if (status != MTLCAP_OK)
        return status;
    status = ask(device, &parsed, &filled);
    if (status != MTLCAP_OK)
        return status;
    snprintf(filled.message, sizeof filled.message, "expected %.200s, found %s", expectation,
             filled.found[0] != '\0' ? filled.found : "that it does not answer");
    mtlcap__structure_fill(check, &filled, sizeof filled);
    return MTLCAP_OK;
}
