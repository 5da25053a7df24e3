/* Which items of a profile would turn a feature on, tried without being applied. */
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "command.h"
#include "explain.h"
#include "profile_check.h"
#include "text.h"

/* ---- items ------------------------------------------------------------------------------- */

/* Adds the item that makes a clause hold. false: none is known to. */
static bool add_item(char **items, const struct explain_clause *clause,
                     const struct explain_answers *answers) {
    static const char *const forms[] = {[EXPLAIN_AT_LEAST] = "%s%s.min=%s",
                                        [EXPLAIN_AT_MOST] = "%s%s.max=%s",
                                        [EXPLAIN_EQUAL] = "%s%s=%s"};
    const char *comma = *items != NULL ? "," : "";
    int family = explain_chip_family(&answers->machine);
    if (clause->fact == EXPLAIN_OWN_FAMILY && strcmp(clause->value, "on") == 0 && family > 0) {
        text_add(items, "%sapple=%d", comma, family);
        return true;
    }
    if (clause->fact != EXPLAIN_NO_FACT ||
        (clause->operation != EXPLAIN_AT_LEAST && clause->operation != EXPLAIN_AT_MOST &&
         clause->operation != EXPLAIN_EQUAL))
        return false;
    if (catalog_capability(clause->capability).change == 0) /* can only be asked */
        return false;
    text_add(items, forms[clause->operation], comma, clause->key, clause->value);
    return true;
}

/* The items that make an alternative hold, from its clause `first` on; *end: the first behind it.
 * To be freed; NULL: a clause needs something else. */
static char *items_of(const struct explain_feature *feature, unsigned first, unsigned *end,
                      const struct explain_answers *answers) {
    const struct explain_clause *clauses = feature->condition.clauses;
    bool possible = true;
    char *items = NULL;
    for (*end = first;
         *end < feature->condition.count && clauses[*end].alternative == clauses[first].alternative;
         ++*end)
        if (explain_clause_state(&clauses[*end], answers) != EXPLAIN_ON)
            possible = add_item(&items, &clauses[*end], answers) && possible;
    if (possible)
        return items;
    free(items);
    return NULL;
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
    foreseen.early = NULL;
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
        if (explain_clause_state(clause, answers) == EXPLAIN_ON ||
            clause->operation == EXPLAIN_AT_MOST || strcmp(clause->value, "off") == 0)
            continue;
        uint32_t capability =
            clause->fact == EXPLAIN_OWN_FAMILY ? explain_apple() : clause->capability;
        add_hazard(advice, catalog_capability(capability).hazard);
    }
}

/* ---- advice ------------------------------------------------------------------------------ */

/* Can a profile change what a clause is about? */
static bool can_change(const struct explain_clause *clause) {
    return clause->fact == EXPLAIN_OWN_FAMILY ||
           (clause->fact == EXPLAIN_NO_FACT && catalog_capability(clause->capability).change != 0);
}

static bool is_off(const struct explain_clause *clause, const struct explain_answers *answers) {
    return explain_clause_state(clause, answers) == EXPLAIN_OFF;
}

/* Could a profile make this alternative hold, for all that is known? */
static bool is_open(const struct explain_condition *condition, unsigned alternative,
                    const struct explain_answers *answers) {
    for (unsigned i = 0; i < condition->count; i++)
        if (condition->clauses[i].alternative == alternative &&
            is_off(&condition->clauses[i], answers) && !can_change(&condition->clauses[i]))
            return false;
    return true;
}

/* What no profile can change if that closes every alternative; otherwise what no item is known for
 * in those that are open. */
static char *explain_why(const struct explain_feature *feature,
                         const struct explain_answers *answers) {
    const struct explain_condition *condition = &feature->condition;
    char *closed = NULL, *not_tried = NULL;
    bool open = false;
    for (unsigned i = 0; i < condition->count; i++) {
        const struct explain_clause *clause = &condition->clauses[i];
        bool is_open_here = is_open(condition, clause->alternative, answers);
        char *item = NULL;
        open = open || is_open_here;
        if (is_off(clause, answers) && !can_change(clause))
            text_add(&closed, "%s%s", closed != NULL ? ", " : "no profile: it needs ",
                     clause->text);
        else if (is_open_here && is_off(clause, answers) && !add_item(&item, clause, answers))
            text_add(&not_tried, "%s%s", not_tried != NULL ? ", " : "not tried: it needs ",
                     clause->text);
        free(item);
    }
    char *why = open ? not_tried : closed;
    free(open ? closed : not_tried);
    if (why == NULL)
        text_add(&why, "no profile that this device can take");
    return why;
}

/* Behind the profile in force. */
static struct explain_advice join(const char *profile, const char *items) {
    struct explain_advice advice = {.profile = NULL};
    text_add(&advice.profile, "%s%s%s", profile != NULL ? profile : "", profile != NULL ? "," : "",
             items);
    return advice;
}

/* Keeps the advice if the feature would be on. */
static bool keep(struct explain_advice *advice, const struct explain_feature *feature,
                 const struct explain_answers *answers, const struct explain *explain) {
    bool kept = turns_on(advice->profile, feature, answers, explain);
    if (kept)
        find_hazards(advice, explain->allow);
    else
        free(advice->profile);
    return kept;
}

/* Would the feature be on if the profile had been there before the client asked? */
static bool comes_too_late(const struct explain_feature *feature,
                           const struct explain_answers *answers) {
    if (answers->early == NULL)
        return false;
    struct explain_answers then = *answers;
    then.list = answers->early->list;
    then.known = answers->early->known;
    return explain_condition_state(&feature->condition, &then) == EXPLAIN_ON;
}

unsigned explain_advise(const struct explain_feature *feature,
                        const struct explain_answers *answers, const struct explain *explain,
                        struct explain_advice advices[EXPLAIN_ADVICES], char **why) {
    unsigned count = 0, end;
    if (comes_too_late(feature, answers)) {
        advices[0] = join(NULL, answers->early->profile);
        advices[0].earlier = true;
        *why = NULL;
        return 1;
    }
    if (explain->live) {
        advices[0] = join(explain->profile, "auto");
        count = keep(&advices[0], feature, answers, explain);
    }
    for (unsigned first = 0; first < feature->condition.count && count < EXPLAIN_ADVICES;
         first = end) {
        char *items = items_of(feature, first, &end, answers);
        if (items == NULL)
            continue;
        struct explain_advice *advice = &advices[count];
        *advice = join(explain->profile, items);
        free(items);
        if (!explain->live)
            suspect_hazards(advice, feature, first, end, answers);
        count += !explain->live || keep(advice, feature, answers, explain);
    }
    *why = count == 0 ? explain_why(feature, answers) : NULL;
    return count;
}

void explain_advices_free(struct explain_advice *advices, unsigned count, char *why) {
    for (unsigned i = 0; i < count; i++)
        free(advices[i].profile);
    free(why);
}
