/* What is on, and which answers decide it. */
#include <stdio.h>
#include <string.h>

#include "explain.h"

static bool has_key(const struct explain_clause *const *clauses, unsigned count, const char *key) {
    for (unsigned i = 0; i < count; i++)
        if (strcmp(clauses[i]->key, key) == 0)
            return true;
    return false;
}

/* How many clauses of an alternative are not met, from `first` on; *end: the first behind it. */
static unsigned missing(const struct explain_condition *condition, unsigned first,
                        const struct explain_answers *answers, unsigned *end) {
    unsigned count = 0;
    for (*end = first; *end < condition->count && condition->clauses[*end].alternative ==
                                                      condition->clauses[first].alternative;
         ++*end)
        count += explain_clause_state(&condition->clauses[*end], answers) != EXPLAIN_ON;
    return count;
}

unsigned explain_deciding(const struct explain_feature *feature,
                          const struct explain_answers *answers,
                          const struct explain_clause *deciding[EXPLAIN_CLAUSES]) {
    const struct explain_condition *condition = &feature->condition;
    unsigned count = 0, end;
    for (unsigned first = 0; first < condition->count; first = end) {
        bool met = missing(condition, first, answers, &end) == 0;
        if (met)
            count = 0;
        for (unsigned i = first; i < end; i++) {
            const struct explain_clause *clause = &condition->clauses[i];
            if ((met || explain_clause_state(clause, answers) != EXPLAIN_ON) &&
                !has_key(deciding, count, clause->key))
                deciding[count++] = clause;
        }
        if (met)
            break;
    }
    return count;
}

static const char *clause_name(const struct explain_clause *clause) {
    switch (clause->fact) {
    case EXPLAIN_MACOS:
        return "macOS";
    case EXPLAIN_SDK:
        return "the program's SDK";
    case EXPLAIN_CHIP:
        return "the chip's family";
    case EXPLAIN_VM:
        return "virtual machine";
    case EXPLAIN_PARAVIRTUAL:
        return "paravirtual device";
    case EXPLAIN_OWN_FAMILY:
        return "the chip's own family";
    default:
        return clause->key;
    }
}

/* "apple is 7 (auto: apple.min=7)", "paravirtual device: yes" */
static void describe(const struct explain_clause *clause, const struct explain_answers *answers,
                     char *text, size_t size) {
    char found[128];
    const struct mtlcap_answer *answer =
        clause->fact == EXPLAIN_NO_FACT ? &answers->list[clause->capability] : NULL;
    const char *why = answer == NULL ? "" : answer->derived ? "derived" : answer->rule;
    bool yes_or_no = clause->fact == EXPLAIN_VM || clause->fact == EXPLAIN_PARAVIRTUAL ||
                     clause->fact == EXPLAIN_OWN_FAMILY;
    explain_clause_found(clause, answers, found, sizeof found);
    if (clause->fact == EXPLAIN_ALWAYS || clause->fact == EXPLAIN_NEVER)
        snprintf(text, size, "nothing that the device answers");
    else
        snprintf(text, size, "%s%s %s%s%s%s", clause_name(clause), yes_or_no ? ":" : " is", found,
                 why[0] != '\0' ? " (" : "", why, why[0] != '\0' ? ")" : "");
}

void explain_deciding_text(const struct explain_feature *feature,
                           const struct explain_answers *answers, char *text, size_t size) {
    const struct explain_clause *deciding[EXPLAIN_CLAUSES];
    unsigned count = explain_deciding(feature, answers, deciding);
    text[0] = '\0';
    for (unsigned i = 0; i < count; i++) {
        char one[512];
        size_t used = strlen(text);
        describe(deciding[i], answers, one, sizeof one);
        snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", one);
    }
}

enum explain_state explain_verdict(const struct explain_choice *choice,
                                   const struct explain_answers *answers, char *text, size_t size) {
    const struct explain_client *client = choice->client;
    const char *name = explain_choice_name(choice);
    const struct explain_feature *unknown = NULL;
    char deciding[1024];
    for (unsigned i = 0; i < client->feature_count; i++) {
        const struct explain_feature *feature = &client->features[i];
        if (!feature->is_main)
            continue;
        enum explain_state state = explain_condition_state(&feature->condition, answers);
        if (state == EXPLAIN_UNKNOWN && unknown == NULL)
            unknown = feature;
        if (state != EXPLAIN_OFF)
            continue;
        explain_deciding_text(feature, answers, deciding, sizeof deciding);
        snprintf(text, size, "%s %s: %s", name, feature->off, deciding);
        return EXPLAIN_OFF;
    }
    if (unknown != NULL) {
        explain_deciding_text(unknown, answers, deciding, sizeof deciding);
        snprintf(text, size, "%s: cannot be told whether %s is on: %s", name, unknown->name,
                 deciding);
        return EXPLAIN_UNKNOWN;
    }
    snprintf(text, size, "%s %s", name, client->good);
    return EXPLAIN_ON;
}
