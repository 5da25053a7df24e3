/* One client under every built-in profile, applied one after the other in this process. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "command.h"
#include "explain.h"
#include "explain_json.h"
#include "output.h"
#include "profile_check.h"
#include "table.h"
#include "term.h"

/* Why a profile is not in force: "metal+mac", the hazards that refuse it, or a sentence. */
struct outcome {
    const char *profile;
    bool applied;
    char hazards[512]; /* "": it is something else */
    char reason[1024];
};

static struct outcome apply(const char *profile, const char *allow) {
    struct outcome outcome = {.profile = profile};
    struct mtlcap_options options = {.struct_size = sizeof options, .allow = allow};
    int status = mtlcap_apply_profile(profile, &options);
    outcome.applied = status == MTLCAP_OK;
    if (outcome.applied)
        return outcome;
    snprintf(outcome.reason, sizeof outcome.reason, "%s", mtlcap_last_error());
    if (status == MTLCAP_E_HAZARD) {
        size_t count;
        struct mtlcap_finding *findings = profile_findings(profile, allow, &count);
        profile_consent(findings, count, NULL, outcome.hazards, sizeof outcome.hazards);
        free(findings);
    }
    return outcome;
}

/* ---- as a table -------------------------------------------------------------------------- */

static void add_heading(struct table *table, const struct explain_client *client) {
    const char *cells[TABLE_COLUMNS + 1] = {"profile"};
    for (unsigned i = 0; i < client->feature_count; i++)
        cells[i + 1] = client->features[i].name;
    table_add(table, term_style()->heading, cells);
}

static void add_outcome(struct table *table, const struct explain_client *client,
                        const struct outcome *outcome, const struct explain_answers *answers) {
    char refused[sizeof outcome->reason + 16];
    const char *cells[TABLE_COLUMNS + 1] = {outcome->profile};
    if (!outcome->applied) {
        snprintf(refused, sizeof refused, "%s%s",
                 outcome->hazards[0] != '\0' ? "refused: " : "not here: ",
                 outcome->hazards[0] != '\0' ? outcome->hazards : outcome->reason);
        cells[1] = refused;
    }
    for (unsigned i = 0; outcome->applied && i < client->feature_count; i++)
        cells[i + 1] =
            explain_state_names[explain_condition_state(&client->features[i].condition, answers)];
    table_add(table, outcome->applied ? "" : term_style()->faint, cells);
}

/* ---- as JSON ----------------------------------------------------------------------------- */

static void write_outcome(struct json *json, const struct explain_choice *choice,
                          const struct outcome *outcome, const struct explain_answers *answers) {
    const struct explain_client *client = choice->client;
    char *verdict = NULL;
    enum explain_state state =
        outcome->applied ? explain_verdict(choice, answers, &verdict) : EXPLAIN_UNKNOWN;
    json_begin(json, '{', JSON_LINES);
    json_key(json, "profile");
    json_string(json, outcome->profile);
    json_key(json, "refused");
    json_string(json, outcome->hazards[0] != '\0' ? outcome->hazards : NULL);
    json_key(json, "reason");
    json_string(json, outcome->applied ? NULL : outcome->reason);
    json_key(json, "state");
    json_string(json, outcome->applied ? explain_state_names[state] : NULL);
    json_key(json, "verdict");
    json_string(json, verdict);
    free(verdict);
    json_key(json, "features");
    json_begin(json, '{', JSON_INLINE);
    for (unsigned i = 0; outcome->applied && i < client->feature_count; i++) {
        const struct explain_feature *feature = &client->features[i];
        json_key(json, feature->name);
        json_string(json,
                    explain_state_names[explain_condition_state(&feature->condition, answers)]);
    }
    json_end(json, '}');
    json_end(json, '}');
}

/* ---- all of them ------------------------------------------------------------------------- */

static int write_device(const struct explain *explain, struct explain_answers *answers,
                        struct json *json) {
    struct table table = {.indent = ""};
    if (json != NULL) {
        explain_json_device(json, answers);
        json_key(json, "client");
        json_string(json, explain_choice_name(&explain->choice));
        json_key(json, "profiles");
        json_begin(json, '[', JSON_LINES);
    } else {
        if (explain->count > 1)
            output("%sdevice %u%s\n", answers->index > 0 ? "\n" : "", (unsigned)answers->index, "");
        add_heading(&table, explain->choice.client);
    }
    for (uint32_t i = 0; i < mtlcap_profile_count(); i++) {
        struct outcome outcome = apply(catalog_profile(i).name, explain->allow);
        if (outcome.applied && !explain_ask(answers))
            return CODE_INTERNAL;
        if (json != NULL)
            write_outcome(json, &explain->choice, &outcome, answers);
        else
            add_outcome(&table, explain->choice.client, &outcome, answers);
    }
    if (json != NULL) {
        json_end(json, ']');
        json_end(json, '}');
    }
    table_write(&table);
    return CODE_OK;
}

int explain_write_profiles(const struct explain *explain, bool as_json) {
    struct json json = {.depth = 0};
    int code = CODE_OK;
    if (as_json)
        explain_json_begin(&json, explain);
    for (uint32_t i = 0; code == CODE_OK && i < explain->count; i++)
        code = write_device(explain, &explain->answers[i], as_json ? &json : NULL);
    mtlcap_restore();
    if (as_json && code == CODE_OK)
        explain_json_end(&json);
    return code;
}
