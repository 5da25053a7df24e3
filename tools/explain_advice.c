/* Which items of a profile would turn a feature on, tried without being applied. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "command.h"
#include "explain.h"
#include "profile_check.h"

/* ---- items ------------------------------------------------------------------------------- */

/* Writes the item that makes a clause hold; false: no profile does. */
static bool item_of(const struct explain_clause *clause, char *item, size_t size) {
    static const char *const forms[] = {[EXPLAIN_AT_LEAST] = "%s.min=%s",
                                        [EXPLAIN_AT_MOST] = "%s.max=%s",
                                        [EXPLAIN_EQUAL] = "%s=%s"};
    if (clause->fact != EXPLAIN_NO_FACT ||
        (clause->operation != EXPLAIN_AT_LEAST && clause->operation != EXPLAIN_AT_MOST &&
         clause->operation != EXPLAIN_EQUAL))
        return false;
    if (catalog_capability(clause->capability).change == 0) /* can only be asked */
        return false;
    snprintf(item, size, forms[clause->operation], clause->key, clause->value);
    return true;
}

/* The items that make an alternative hold, from its clause `first` on; *end: the first behind it.
 * false: a clause needs something else. */
static bool items_of(const struct explain_feature *feature, unsigned first, unsigned *end,
                     const struct explain_answers *answers, char *items, size_t size) {
    const struct explain_clause *clauses = feature->condition.clauses;
    bool possible = true;
    items[0] = '\0';
    for (*end = first;
         *end < feature->condition.count && clauses[*end].alternative == clauses[first].alternative;
         ++*end) {
        char item[128];
        size_t used = strlen(items);
        if (explain_clause_state(&clauses[*end], answers) == EXPLAIN_ON)
            continue;
        if (item_of(&clauses[*end], item, sizeof item))
            snprintf(items + used, size - used, "%s%s", used > 0 ? "," : "", item);
        else
            possible = false;
    }
    return possible && items[0] != '\0';
}

/* ---- trying ------------------------------------------------------------------------------ */

/* The answers as they would be under a profile, as far as it has rules for them. */
static void foresee(const char *profile, const struct mtlcap_options *options, uint32_t rule_count,
                    const struct explain_answers *answers, struct mtlcap_answer *list) {
    memcpy(list, answers->list, mtlcap_capability_count() * sizeof *list);
    for (uint32_t i = 0; i < rule_count; i++) {
        struct mtlcap_rule rule = {.struct_size = sizeof rule};
        if (mtlcap_explain_rule(profile, options, i, &rule) != MTLCAP_OK ||
            !devices_is_at(answers->index, rule.device))
            continue;
        for (uint32_t c = 0; c < mtlcap_capability_count(); c++)
            if (strcmp(catalog_capability(c).key, rule.capability) == 0)
                explain_number(list[c].kind, rule.effective, &list[c].effective.number[0]);
    }
}

/* Would the feature be on, hazards allowed? */
static bool turns_on(const char *profile, const struct explain_feature *feature,
                     const struct explain_answers *answers, const struct explain *explain) {
    struct mtlcap_options options = {.struct_size = sizeof options, .allow = explain->allow};
    struct mtlcap_explanation explanation = {.struct_size = sizeof explanation};
    if (mtlcap_explain_profile(profile, &options, &explanation) != MTLCAP_OK ||
        (explanation.status != MTLCAP_OK && explanation.status != MTLCAP_E_HAZARD))
        return false;
    struct explain_answers foreseen = *answers;
    foreseen.list = allocate(mtlcap_capability_count(), sizeof *foreseen.list);
    foreseen.known = allocate(mtlcap_capability_count(), sizeof *foreseen.known);
    foresee(profile, &options, explanation.rule_count, answers, foreseen.list);
    for (uint32_t c = 0; c < mtlcap_capability_count(); c++)
        foreseen.known[c] = explain_known_of(&foreseen.list[c]);
    bool on = explain_condition_state(&feature->condition, &foreseen) == EXPLAIN_ON;
    explain_answers_free(&foreseen);
    return on;
}

static void add_hazard(struct explain_advice *advice, const char *name) {
    uint32_t index;
    if (advice->hazard_count == EXPLAIN_HAZARDS || !catalog_find_hazard(name, &index))
        return;
    for (unsigned i = 0; i < advice->hazard_count; i++)
        if (strcmp(advice->hazards[i], name) == 0)
            return;
    advice->hazards[advice->hazard_count] = catalog_hazard(index).name;
    advice->refuses[advice->hazard_count++] = catalog_hazard(index).refuses;
}

static void find_hazards(struct explain_advice *advice, const char *allow) {
    size_t count;
    struct mtlcap_finding *findings = profile_findings(advice->profile, allow, &count);
    for (size_t i = 0; i < count; i++)
        if (!findings[i].allowed)
            add_hazard(advice, findings[i].hazard);
    free(findings);
}

/* Of another machine no hazard can be found, only what raising such an answer can meet. */
static void suspect_hazards(struct explain_advice *advice, const struct explain_feature *feature,
                            unsigned first, unsigned end, const struct explain_answers *answers) {
    advice->not_checked = true;
    for (unsigned i = first; i < end; i++) {
        const struct explain_clause *clause = &feature->condition.clauses[i];
        if (explain_clause_state(clause, answers) != EXPLAIN_ON &&
            clause->fact == EXPLAIN_NO_FACT && clause->operation != EXPLAIN_AT_MOST &&
            strcmp(clause->value, "off") != 0)
            add_hazard(advice, catalog_capability(clause->capability).hazard);
    }
}

/* ---- advice ------------------------------------------------------------------------------ */

static void explain_why(const struct explain_feature *feature,
                        const struct explain_answers *answers, char *why, size_t size) {
    char item[128];
    why[0] = '\0';
    for (unsigned i = 0; i < feature->condition.count; i++) {
        const struct explain_clause *clause = &feature->condition.clauses[i];
        size_t used = strlen(why);
        if (explain_clause_state(clause, answers) == EXPLAIN_OFF &&
            !item_of(clause, item, sizeof item))
            snprintf(why + used, size - used, "%s%s", used > 0 ? ", " : "no profile: it needs ",
                     clause->text);
    }
    if (why[0] == '\0')
        snprintf(why, size, "no profile that this device can take");
}

static struct explain_advice join(const char *profile, const char *items) {
    struct explain_advice advice = {.hazard_count = 0};
    snprintf(advice.profile, sizeof advice.profile, "%s%s%s", profile != NULL ? profile : "",
             profile != NULL ? "," : "", items);
    return advice;
}

unsigned explain_advise(const struct explain_feature *feature,
                        const struct explain_answers *answers, const struct explain *explain,
                        struct explain_advice advices[EXPLAIN_ADVICES], char *why, size_t size) {
    unsigned count = 0, end;
    why[0] = '\0';
    if (explain->live) {
        advices[0] = join(explain->profile, "auto");
        count = turns_on(advices[0].profile, feature, answers, explain);
        if (count > 0)
            find_hazards(&advices[0], explain->allow);
    }
    for (unsigned first = 0; first < feature->condition.count && count < EXPLAIN_ADVICES;
         first = end) {
        char items[512];
        if (!items_of(feature, first, &end, answers, items, sizeof items))
            continue;
        struct explain_advice *advice = &advices[count];
        *advice = join(explain->profile, items);
        if (!explain->live)
            suspect_hazards(advice, feature, first, end, answers);
        else if (turns_on(advice->profile, feature, answers, explain))
            find_hazards(advice, explain->allow);
        else
            continue;
        count++;
    }
    if (count == 0)
        explain_why(feature, answers, why, size);
    return count;
}
