/* Conditions over answers and facts: "apple>=7 and macos>=15 or metal>=3". */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "explain.h"

/* Longer ones before those that they begin with. */
static const char *const operators[] = {
    [EXPLAIN_AT_LEAST] = ">=", [EXPLAIN_AT_MOST] = "<=", [EXPLAIN_NOT_EQUAL] = "!=",
    [EXPLAIN_LACKS] = "!~",    [EXPLAIN_EQUAL] = "=",    [EXPLAIN_CONTAINS] = "~",
};

static const struct {
    const char *key;
    enum explain_fact fact;
    enum { ALONE, VERSION, NUMBER, YES_OR_NO } kind;
} facts[] = {
    {"always", EXPLAIN_ALWAYS, ALONE},
    {"never", EXPLAIN_NEVER, ALONE},
    {"macos", EXPLAIN_MACOS, VERSION},
    {"sdk", EXPLAIN_SDK, VERSION},
    {"chip", EXPLAIN_CHIP, NUMBER},
    {"vm", EXPLAIN_VM, YES_OR_NO},
    {"paravirtual", EXPLAIN_PARAVIRTUAL, YES_OR_NO},
    {"own_family", EXPLAIN_OWN_FAMILY, YES_OR_NO},
};

enum { FACT_COUNT = sizeof facts / sizeof facts[0] };

/* ---- values ------------------------------------------------------------------------------ */

static bool is_word(const char *text, const char *word) {
    return strcmp(text, word) == 0;
}

/* The power of 1024 that a unit stands for: "K", "KiB"; -1: it is none. */
static int unit_power(const char *unit) {
    static const char letters[] = "KMGTPE";
    const char *letter = unit[0] != '\0' ? strchr(letters, unit[0]) : NULL;
    if (unit[0] == '\0')
        return 0;
    if (letter == NULL || (unit[1] != '\0' && !is_word(unit + 1, "iB")))
        return -1;
    return (int)(letter - letters) + 1;
}

bool explain_number(int32_t kind, const char *text, uint64_t *number) {
    if (is_word(text, "off") || is_word(text, "no") || is_word(text, "on") ||
        is_word(text, "yes")) {
        *number = text[1] == 'n' || text[0] == 'y';
        return *number == 0 || kind == MTLCAP_KIND_BOOL;
    }
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    *number = strtoull(text, &end, 10);
    if (errno != 0 || (kind != MTLCAP_KIND_SIZE && *end != '\0'))
        return false;
    int power = unit_power(end);
    if (power < 0 || (power > 0 && *number > UINT64_MAX >> 10 * power))
        return false;
    *number <<= 10 * power;
    return kind != MTLCAP_KIND_BOOL;
}

/* "26.2": as many parts as there are, at most 3. */
unsigned explain_version(const char *text, unsigned parts[3]) {
    unsigned count = 0;
    while (isdigit((unsigned char)*text) && count < 3) {
        char *end;
        unsigned long long part = strtoull(text, &end, 10);
        if (end - text > 4)
            return 0;
        parts[count++] = (unsigned)part;
        if (*end == '\0')
            return count;
        if (*end != '.')
            return 0;
        text = end + 1;
    }
    return 0;
}

/* ---- reading ----------------------------------------------------------------------------- */

static bool fail(char *problem, size_t size, const char *text, const char *right) {
    snprintf(problem, size, "'%.100s': %s", text, right);
    return false;
}

static bool read_fact(const struct explain_clause *clause, size_t fact, char *problem,
                      size_t size) {
    unsigned parts[3];
    bool ordered = clause->operation == EXPLAIN_AT_LEAST || clause->operation == EXPLAIN_AT_MOST;
    if (facts[fact].kind == ALONE)
        return clause->value == NULL ||
               fail(problem, size, clause->text, "'always' and 'never' stand alone");
    if (clause->value == NULL)
        return fail(problem, size, clause->text, "an operator is missing: macos>=15, vm=on");
    if (facts[fact].kind == VERSION)
        return (ordered && explain_version(clause->value, parts) > 0) ||
               fail(problem, size, clause->text, "a version goes with >= or <=: macos>=15.2");
    if (facts[fact].kind == NUMBER)
        return (ordered && explain_version(clause->value, parts) == 1) ||
               fail(problem, size, clause->text, "a family goes with >= or <=: chip>=9");
    return (clause->operation == EXPLAIN_EQUAL &&
            (is_word(clause->value, "on") || is_word(clause->value, "off"))) ||
           fail(problem, size, clause->text, "this is yes or no: =on or =off");
}

static bool read_capability(struct explain_clause *clause, char *problem, size_t size) {
    uint32_t count = mtlcap_capability_count();
    uint64_t number;
    for (clause->capability = 0; clause->capability < count; clause->capability++)
        if (is_word(catalog_capability(clause->capability).key, clause->key))
            break;
    bool contains = clause->operation == EXPLAIN_CONTAINS || clause->operation == EXPLAIN_LACKS;
    if (clause->capability == count) {
        /* The library's own words, with what is near. */
        char question[64];
        snprintf(question, sizeof question, "%s=0", clause->key);
        mtlcap_check_answer(NULL, question, NULL);
        snprintf(problem, size,
                 "'%.100s': %.300s (facts are always, never, macos, sdk, chip, vm, paravirtual and "
                 "own_family)",
                 clause->text, mtlcap_last_error());
        return false;
    }
    int32_t kind = catalog_capability(clause->capability).kind;
    if (clause->value == NULL)
        return fail(problem, size, clause->text, "an operator is missing: apple>=7, raytracing=on");
    if (contains)
        return (kind == MTLCAP_KIND_TEXT && clause->value[0] != '\0') ||
               fail(problem, size, clause->text,
                    "only text contains something: name~M5, or one of several: name~M5|M6");
    if (mtlcap_check_answer(NULL, clause->text, NULL) != MTLCAP_OK)
        return fail(problem, size, clause->text, mtlcap_last_error());
    if (kind == MTLCAP_KIND_SIZE3)
        return fail(problem, size, clause->text, "rules know nothing in three dimensions");
    return kind == MTLCAP_KIND_TEXT || explain_number(kind, clause->value, &number) ||
           fail(problem, size, clause->text, "a number in decimal, K, M, G or T behind it, or off");
}

/* Finds operator and value, and whom they are about. */
static bool read_clause(struct explain_clause *clause, char *problem, size_t size) {
    size_t length = strcspn(clause->text, "=<>!~");
    clause->value = NULL;
    if (clause->text[length] != '\0') {
        int i = 0;
        while (i <= EXPLAIN_CONTAINS &&
               strncmp(clause->text + length, operators[i], strlen(operators[i])) != 0)
            i++;
        if (i > EXPLAIN_CONTAINS)
            return fail(problem, size, clause->text, "operators are =, !=, >=, <=, ~ and !~");
        clause->operation = (enum explain_operator)i;
        clause->value = clause->text + length + strlen(operators[i]);
    }
    if (length == 0 || length >= sizeof clause->key)
        return fail(problem, size, clause->text, "no key of this name: it begins apple>=7");
    memcpy(clause->key, clause->text, length);
    clause->key[length] = '\0';
    clause->fact = EXPLAIN_NO_FACT;
    for (size_t i = 0; i < FACT_COUNT; i++)
        if (is_word(facts[i].key, clause->key)) {
            clause->fact = facts[i].fact;
            return read_fact(clause, i, problem, size);
        }
    return read_capability(clause, problem, size);
}

/* The next " and " or " or ", whichever comes first; NULL: the rest is one clause. */
static char *next_joint(char *text, bool *is_or) {
    char *and = strstr(text, " and "), *or = strstr(text, " or ");
    *is_or = or != NULL && (and== NULL || or < and);
    return *is_or ? or : and;
}

bool explain_condition_read(char *text, struct explain_condition *condition, char *problem,
                            size_t size) {
    unsigned alternative = 0;
    condition->count = 0;
    for (bool is_or, more = true; more;) {
        char *joint = next_joint(text, &is_or);
        more = joint != NULL;
        if (more)
            *joint = '\0';
        if (condition->count == EXPLAIN_CLAUSES)
            return fail(problem, size, text, "too many clauses for one condition");
        struct explain_clause *clause = &condition->clauses[condition->count++];
        clause->text = text;
        clause->alternative = alternative;
        if (!read_clause(clause, problem, size))
            return false;
        if (more)
            text = joint + (is_or ? strlen(" or ") : strlen(" and "));
        alternative += is_or && more;
    }
    return true;
}
