/* What is on, and which answers decide it. */
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "text.h"

static bool has_key(const struct explain_clause *const *clauses, unsigned count, const char *key) {
    for (unsigned i = 0; i < count; i++)
        if (strcmp(clauses[i]->key, key) == 0)
            return true;
    return false;
}

/* Is every clause of an alternative met? */
static bool is_met(const struct explain_condition *condition, unsigned alternative,
                   const struct explain_answers *answers) {
    for (unsigned i = 0; i < condition->count; i++)
        if (condition->clauses[i].alternative == alternative &&
            explain_clause_state(&condition->clauses[i], answers) != EXPLAIN_ON)
            return false;
    return true;
}

unsigned explain_deciding(const struct explain_feature *feature,
                          const struct explain_answers *answers,
                          const struct explain_clause *deciding[EXPLAIN_CLAUSES]) {
    const struct explain_condition *condition = &feature->condition;
    enum explain_state state = explain_condition_state(condition, answers);
    unsigned count = 0, met = 0;
    while (state == EXPLAIN_ON && !is_met(condition, met, answers))
        met++;
    for (unsigned i = 0; i < condition->count; i++) {
        const struct explain_clause *clause = &condition->clauses[i];
        bool decides = state == EXPLAIN_ON ? clause->alternative == met
                                           : explain_clause_state(clause, answers) == state;
        if (decides && !has_key(deciding, count, clause->key))
            deciding[count++] = clause;
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
                     char **text) {
    char found[128];
    const struct mtlcap_answer *answer =
        clause->fact == EXPLAIN_NO_FACT ? &answers->list[clause->capability] : NULL;
    const char *why = answer == NULL ? "" : answer->derived ? "derived" : answer->rule;
    bool yes_or_no = clause->fact == EXPLAIN_VM || clause->fact == EXPLAIN_PARAVIRTUAL ||
                     clause->fact == EXPLAIN_OWN_FAMILY;
    explain_clause_found(clause, answers, found, sizeof found);
    if (clause->fact == EXPLAIN_ALWAYS || clause->fact == EXPLAIN_NEVER)
        text_add(text, "nothing that the device answers");
    else
        text_add(text, "%s%s %s%s%s%s", clause_name(clause), yes_or_no ? ":" : " is", found,
                 why[0] != '\0' ? " (" : "", why, why[0] != '\0' ? ")" : "");
}

char *explain_deciding_text(const struct explain_feature *feature,
                            const struct explain_answers *answers) {
    const struct explain_clause *deciding[EXPLAIN_CLAUSES];
    unsigned count = explain_deciding(feature, answers, deciding);
    char *text = NULL;
    for (unsigned i = 0; i < count; i++) {
        text_add(&text, i > 0 ? ", " : "");
        describe(deciding[i], answers, &text);
    }
    return text;
}

enum explain_state explain_verdict(const struct explain_choice *choice,
                                   const struct explain_answers *answers, char **text) {
    const struct explain_client *client = choice->client;
    const char *name = explain_choice_name(choice);
    const struct explain_feature *off = NULL, *unknown = NULL;
    for (unsigned i = 0; i < client->feature_count && off == NULL; i++) {
        const struct explain_feature *feature = &client->features[i];
        if (!feature->is_main)
            continue;
        enum explain_state state = explain_condition_state(&feature->condition, answers);
        if (state == EXPLAIN_OFF)
            off = feature;
        else if (state == EXPLAIN_UNKNOWN && unknown == NULL)
            unknown = feature;
    }
    *text = NULL;
    if (off == NULL && unknown == NULL) {
        text_add(text, "%s %s", name, client->good);
        return EXPLAIN_ON;
    }
    char *deciding = explain_deciding_text(off != NULL ? off : unknown, answers);
    if (off != NULL)
        text_add(text, "%s %s: %s", name, off->off, deciding);
    else
        text_add(text, "%s: cannot be told whether %s is on: %s", name, unknown->name, deciding);
    free(deciding);
    return off != NULL ? EXPLAIN_OFF : EXPLAIN_UNKNOWN;
}
