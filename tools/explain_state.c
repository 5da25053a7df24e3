/* Conditions held against answers: on, off, or not known. */
#include <stdio.h>
#include <string.h>

#include "catalog.h"
#include "explain.h"

const char *const explain_state_names[] = {"off", "on", "unknown"};

static bool is_word(const char *text, const char *word) {
    return strcmp(text, word) == 0;
}

static enum explain_state state(bool holds) {
    return holds ? EXPLAIN_ON : EXPLAIN_OFF;
}

/* By as many parts as the rule gives: 14.8 is macos<=14. */
static enum explain_state compare_version(const struct explain_clause *clause, const char *found) {
    unsigned wanted[3], is[3] = {0, 0, 0};
    unsigned count = explain_version(clause->value, wanted);
    if (found == NULL || explain_version(found, is) == 0)
        return EXPLAIN_UNKNOWN;
    for (unsigned i = 0; i < count; i++)
        if (is[i] != wanted[i])
            return state((is[i] > wanted[i]) == (clause->operation == EXPLAIN_AT_LEAST));
    return EXPLAIN_ON;
}

static enum explain_state compare_fact(const struct explain_clause *clause, int found) {
    if (found == MTLCAP_UNKNOWN)
        return EXPLAIN_UNKNOWN;
    return state((found == 1) == is_word(clause->value, "on"));
}

uint32_t explain_apple(void) {
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++)
        if (is_word(catalog_capability(i).key, "apple"))
            return i;
    return 0;
}

int explain_chip_family(const struct mtlcap_machine *machine) {
    if (machine->apple_silicon == 0)
        return 0;
    return machine->apple_silicon == 1 && machine->chip_family > 0 ? machine->chip_family
                                                                   : MTLCAP_UNKNOWN;
}

static enum explain_state compare_chip(const struct explain_clause *clause,
                                       const struct mtlcap_machine *machine) {
    int family = explain_chip_family(machine);
    unsigned wanted[3];
    explain_version(clause->value, wanted);
    if (family == MTLCAP_UNKNOWN)
        return EXPLAIN_UNKNOWN;
    return state(clause->operation == EXPLAIN_AT_LEAST ? (unsigned)family >= wanted[0]
                                                       : (unsigned)family <= wanted[0]);
}

/* Is it known which family it is? */
static bool is_exact(const struct explain_answers *answers, uint32_t capability) {
    const struct explain_known *known = &answers->known[capability];
    return known->known && known->below <= answers->list[capability].effective.number[0] + 1;
}

/* 1: the Apple family that is claimed is the chip's. */
static int own_family(const struct explain_answers *answers) {
    uint32_t capability = explain_apple();
    int family = explain_chip_family(&answers->machine);
    if (!is_exact(answers, capability) || answers->list[capability].kind == 0 ||
        family == MTLCAP_UNKNOWN)
        return MTLCAP_UNKNOWN;
    return answers->list[capability].effective.number[0] == (uint64_t)family;
}

static bool contains(const char *text, const char *word, size_t length) {
    for (; *text != '\0'; text++)
        if (strncmp(text, word, length) == 0)
            return true;
    return false;
}

/* One of "a|b|c". */
static bool contains_any(const char *text, const char *words) {
    for (const char *rest = words;; rest++) {
        size_t length = strcspn(rest, "|");
        if (length > 0 && contains(text, rest, length))
            return true;
        rest += length;
        if (*rest == '\0')
            return false;
    }
}

/* One that is higher than the highest that is answered yes may be, if nobody has asked. */
static enum explain_state compare_family(const struct explain_clause *clause, uint64_t found,
                                         uint64_t below) {
    uint64_t wanted = 0;
    explain_number(MTLCAP_KIND_FAMILY, clause->value, &wanted);
    bool at_least = found >= wanted, not_at_least = below <= wanted;
    bool at_most = found <= wanted && below <= wanted + 1, not_at_most = found > wanted;
    switch (clause->operation) {
    case EXPLAIN_AT_LEAST:
        return at_least ? EXPLAIN_ON : not_at_least ? EXPLAIN_OFF : EXPLAIN_UNKNOWN;
    case EXPLAIN_AT_MOST:
        return at_most ? EXPLAIN_ON : not_at_most ? EXPLAIN_OFF : EXPLAIN_UNKNOWN;
    default:
        if (at_least && at_most)
            return state(clause->operation == EXPLAIN_EQUAL);
        if (not_at_most || (not_at_least && !at_least))
            return state(clause->operation == EXPLAIN_NOT_EQUAL);
        return EXPLAIN_UNKNOWN;
    }
}

static enum explain_state compare_answer(const struct explain_clause *clause,
                                         const struct mtlcap_answer *answer) {
    uint64_t wanted = 0, found = answer->effective.number[0];
    if (answer->kind == 0) /* what is not answered meets nothing */
        return EXPLAIN_OFF;
    if (answer->kind != MTLCAP_KIND_TEXT)
        explain_number(answer->kind, clause->value, &wanted);
    bool equal = answer->kind == MTLCAP_KIND_TEXT
                     ? strcmp(answer->effective.text, clause->value) == 0
                     : found == wanted;
    switch (clause->operation) {
    case EXPLAIN_AT_LEAST:
        return state(found >= wanted);
    case EXPLAIN_AT_MOST:
        return state(found <= wanted);
    case EXPLAIN_NOT_EQUAL:
        return state(!equal);
    case EXPLAIN_CONTAINS:
    case EXPLAIN_LACKS:
        return state(contains_any(answer->effective.text, clause->value) ==
                     (clause->operation == EXPLAIN_CONTAINS));
    default:
        return state(equal);
    }
}

enum explain_state explain_clause_state(const struct explain_clause *clause,
                                        const struct explain_answers *answers) {
    switch (clause->fact) {
    case EXPLAIN_ALWAYS:
        return EXPLAIN_ON;
    case EXPLAIN_NEVER:
        return EXPLAIN_OFF;
    case EXPLAIN_MACOS:
        return compare_version(clause, answers->machine.os_version);
    case EXPLAIN_SDK:
        return compare_version(clause, answers->sdk);
    case EXPLAIN_CHIP:
        return compare_chip(clause, &answers->machine);
    case EXPLAIN_VM:
        return compare_fact(clause, answers->machine.virtual_machine);
    case EXPLAIN_PARAVIRTUAL:
        return compare_fact(clause, answers->device.paravirtual);
    case EXPLAIN_OWN_FAMILY:
        return compare_fact(clause, own_family(answers));
    default:
        break;
    }
    const struct explain_known *known = &answers->known[clause->capability];
    const struct mtlcap_answer *answer = &answers->list[clause->capability];
    if (!known->known)
        return EXPLAIN_UNKNOWN;
    return answer->kind == MTLCAP_KIND_FAMILY
               ? compare_family(clause, answer->effective.number[0], known->below)
               : compare_answer(clause, answer);
}

enum explain_state explain_condition_state(const struct explain_condition *condition,
                                           const struct explain_answers *answers) {
    bool unknown = false;
    for (unsigned i = 0; i < condition->count;) {
        unsigned alternative = condition->clauses[i].alternative;
        enum explain_state all = EXPLAIN_ON;
        for (; i < condition->count && condition->clauses[i].alternative == alternative; i++) {
            enum explain_state one = explain_clause_state(&condition->clauses[i], answers);
            if (one == EXPLAIN_OFF || (one == EXPLAIN_UNKNOWN && all == EXPLAIN_ON))
                all = one;
        }
        if (all == EXPLAIN_ON)
            return EXPLAIN_ON;
        unknown = unknown || all == EXPLAIN_UNKNOWN;
    }
    return unknown ? EXPLAIN_UNKNOWN : EXPLAIN_OFF;
}

static const char *yes_or_no(int found) {
    return found == MTLCAP_UNKNOWN ? "not known" : found == 1 ? "yes" : "no";
}

/* "7", "7 or more", "below 7", "7 or more, below 9" */
static void answer_found(const struct explain_answers *answers, uint32_t capability, char *text,
                         size_t size) {
    const struct explain_known *known = &answers->known[capability];
    const struct mtlcap_answer *answer = &answers->list[capability];
    if (!known->known)
        snprintf(text, size, "not known");
    else if (answer->kind == 0)
        snprintf(text, size, "not answered");
    else if (answer->kind != MTLCAP_KIND_FAMILY || is_exact(answers, capability))
        snprintf(text, size, "%s", answer->effective.text);
    else if (known->below == UINT64_MAX)
        snprintf(text, size, "%s or more", answer->effective.text);
    else if (answer->effective.number[0] == 0)
        snprintf(text, size, "below %llu", (unsigned long long)known->below);
    else
        snprintf(text, size, "%s or more, below %llu", answer->effective.text,
                 (unsigned long long)known->below);
}

void explain_clause_found(const struct explain_clause *clause,
                          const struct explain_answers *answers, char *text, size_t size) {
    const struct mtlcap_machine *machine = &answers->machine;
    int family = explain_chip_family(machine);
    text[0] = '\0';
    switch (clause->fact) {
    case EXPLAIN_MACOS:
        snprintf(text, size, "%s", machine->os_version[0] ? machine->os_version : "not known");
        break;
    case EXPLAIN_SDK:
        snprintf(text, size, "%s", answers->sdk != NULL ? answers->sdk : "not known");
        break;
    case EXPLAIN_CHIP:
        if (family == MTLCAP_UNKNOWN)
            snprintf(text, size, "not known");
        else
            snprintf(text, size, "%d", family);
        break;
    case EXPLAIN_VM:
        snprintf(text, size, "%s", yes_or_no(machine->virtual_machine));
        break;
    case EXPLAIN_PARAVIRTUAL:
        snprintf(text, size, "%s", yes_or_no(answers->device.paravirtual));
        break;
    case EXPLAIN_OWN_FAMILY:
        snprintf(text, size, "%s", yes_or_no(own_family(answers)));
        break;
    case EXPLAIN_NO_FACT:
        answer_found(answers, clause->capability, text, size);
        break;
    default:
        break;
    }
}
