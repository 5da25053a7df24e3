/* The explanation as JSON: docs/explain-json.md. */
#include <stdlib.h>

#include "explain.h"
#include "explain_json.h"
#include "json.h"
#include "probe.h"

static void key_string(struct json *json, const char *key, const char *text) {
    json_key(json, key);
    json_string(json, text);
}

/* ---- a feature --------------------------------------------------------------------------- */

static void write_deciding(struct json *json, const struct explain_feature *feature,
                           const struct explain_answers *answers) {
    const struct explain_clause *deciding[EXPLAIN_CLAUSES];
    unsigned count = explain_deciding(feature, answers, deciding);
    json_key(json, "decided_by");
    json_begin(json, '[', JSON_LINES);
    for (unsigned i = 0; i < count; i++) {
        char found[128];
        const struct mtlcap_answer *answer =
            deciding[i]->fact == EXPLAIN_NO_FACT ? &answers->list[deciding[i]->capability] : NULL;
        explain_clause_found(deciding[i], answers, found, sizeof found);
        json_begin(json, '{', JSON_INLINE);
        key_string(json, "what", deciding[i]->key);
        key_string(json, "is", found[0] != '\0' ? found : NULL);
        key_string(json, "rule", answer != NULL && answer->rule[0] != '\0' ? answer->rule : NULL);
        json_key(json, "derived");
        json_bool(json, answer != NULL && answer->derived == 1);
        json_end(json, '}');
    }
    json_end(json, ']');
}

static void write_advice(struct json *json, const struct explain_feature *feature,
                         const struct explain_answers *answers, const struct explain *explain) {
    struct explain_advice advices[EXPLAIN_ADVICES];
    char *why = NULL;
    bool off = explain_condition_state(&feature->condition, answers) == EXPLAIN_OFF;
    unsigned count = off ? explain_advise(feature, answers, explain, advices, &why) : 0;
    json_key(json, "turned_on_by");
    json_begin(json, '[', JSON_LINES);
    for (unsigned i = 0; i < count; i++) {
        json_begin(json, '{', JSON_INLINE);
        key_string(json, "profile", advices[i].profile);
        json_key(json, "checked");
        json_bool(json, !advices[i].not_checked && !advices[i].earlier);
        json_key(json, "earlier");
        json_bool(json, advices[i].earlier);
        json_key(json, "hazards");
        json_begin(json, '[', JSON_INLINE);
        for (unsigned h = 0; h < advices[i].hazard_count; h++) {
            json_begin(json, '{', JSON_INLINE);
            key_string(json, "name", advices[i].hazards[h]);
            json_key(json, "refuses");
            json_bool(json, advices[i].refuses[h]);
            json_end(json, '}');
        }
        json_end(json, ']');
        json_end(json, '}');
    }
    json_end(json, ']');
    key_string(json, "cannot", why);
    explain_advices_free(advices, count, why);
}

static void write_feature(struct json *json, const struct explain_feature *feature,
                          const struct explain_answers *answers, const struct explain *explain) {
    json_begin(json, '{', JSON_LINES);
    key_string(json, "name", feature->name);
    key_string(json, "state",
               explain_state_names[explain_condition_state(&feature->condition, answers)]);
    json_key(json, "decides");
    json_bool(json, feature->is_main);
    key_string(json, "what", feature->what);
    key_string(json, "needs", feature->needs);
    write_deciding(json, feature, answers);
    key_string(json, "if_off", feature->off);
    write_advice(json, feature, answers, explain);
    key_string(json, "variable", feature->variable);
    key_string(json, "shows", feature->shows);
    key_string(json, "operations", feature->operations);
    key_string(json, "source", feature->source);
    key_string(json, "versions", feature->versions);
    key_string(json, "basis", feature->basis);
    json_end(json, '}');
}

/* ---- a client ---------------------------------------------------------------------------- */

static void write_client(struct json *json, const struct explain_choice *choice,
                         const struct explain_answers *answers, const struct explain *explain) {
    const struct explain_client *client = choice->client;
    char *verdict;
    enum explain_state state = explain_verdict(choice, answers, &verdict);
    json_begin(json, '{', JSON_LINES);
    key_string(json, "name", explain_choice_name(choice));
    key_string(json, "same_as", choice->relative != NULL ? client->name : NULL);
    key_string(json, "differs", choice->relative != NULL ? choice->relative->differs : NULL);
    key_string(json, "state", explain_state_names[state]);
    key_string(json, "verdict", verdict);
    free(verdict);
    key_string(json, "versions", client->versions);
    key_string(json, "source", client->source);
    key_string(json, "device", client->device);
    json_key(json, "features");
    json_begin(json, '[', JSON_LINES);
    for (unsigned i = 0; i < client->feature_count; i++)
        write_feature(json, &client->features[i], answers, explain);
    json_end(json, ']');
    json_end(json, '}');
}

static void write_clients(struct json *json, const struct explain *explain,
                          const struct explain_answers *answers) {
    json_key(json, "clients");
    json_begin(json, '[', JSON_LINES);
    if (explain->choice.client != NULL)
        write_client(json, &explain->choice, answers, explain);
    for (size_t i = 0; explain->choice.client == NULL && i < explain->clients.count; i++) {
        const struct explain_client *client = &explain->clients.list[i];
        write_client(json, &(struct explain_choice){.client = client}, answers, explain);
        for (unsigned r = 0; r < client->relative_count; r++)
            write_client(
                json, &(struct explain_choice){.client = client, .relative = &client->relatives[r]},
                answers, explain);
    }
    json_end(json, ']');
}

/* ---- the whole --------------------------------------------------------------------------- */

void explain_json_begin(struct json *json, const struct explain *explain) {
    json_begin(json, '{', JSON_LINES);
    json_key(json, "mtlcap_explain");
    json_number(json, 1);
    key_string(json, "mtlcap", mtlcap_version());
    key_string(json, "profile", explain->profile);
    key_string(json, "from", explain->from);
    json_key(json, "machine");
    probe_write_machine(json, &explain->machine);
    json_key(json, "devices");
    json_begin(json, '[', JSON_LINES);
}

void explain_json_device(struct json *json, const struct explain_answers *answers) {
    json_begin(json, '{', JSON_LINES);
    json_key(json, "index");
    json_number(json, answers->index);
    key_string(json, "name", answers->device.name);
    key_string(json, "class", answers->device.class_name);
}

void explain_json_end(struct json *json) {
    json_end(json, ']');
    json_end(json, '}');
}

void explain_write_json(const struct explain *explain) {
    struct json json = {.depth = 0};
    explain_json_begin(&json, explain);
    for (uint32_t i = 0; i < explain->count; i++) {
        explain_json_device(&json, &explain->answers[i]);
        write_clients(&json, explain, &explain->answers[i]);
        json_end(&json, '}');
    }
    explain_json_end(&json);
}
