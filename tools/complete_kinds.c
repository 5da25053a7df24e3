/* mtlcap --complete: what the words in capitals in a usage stand for. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <mtlcap/mtlcap.h>

#include "catalog.h"
#include "command.h"
#include "complete.h"
#include "explain.h"
#include "help.h"
#include "output.h"

/* ---- lists ------------------------------------------------------------------ */

static void offer_commands(const struct place *place) {
    for (size_t i = 0; commands[i] != NULL; i++)
        offer(place, commands[i]->name, commands[i]->summary);
}

static void offer_topics(const struct place *place) {
    for (size_t i = 0; i < help_topic_count; i++)
        offer(place, help_topics[i].name, help_topics[i].summary);
}

static void offer_profiles(const struct place *place) {
    for (uint32_t i = 0; i < mtlcap_profile_count(); i++) {
        struct mtlcap_profile profile = catalog_profile(i);
        offer(place, profile.name, profile.summary);
    }
}

static void offer_files(const struct place *place) {
    output(":files %zu\n", place->done);
}

static void offer_nothing(const struct place *place) {
    (void)place;
}

/* Behind the last of the separators in what has been typed. */
static struct place last_item(const struct place *place, char separator) {
    const char *last = strrchr(place->word + place->done, separator);
    return (struct place){place->word,
                          last == NULL ? place->done : (size_t)(last + 1 - place->word)};
}

/* ---- profiles --------------------------------------------------------------- */

static void offer_rule(const struct place *place, const struct mtlcap_capability *capability,
                       const char *end) {
    char rule[128];
    snprintf(rule, sizeof rule, "%s%s", capability->key, end);
    offer(place, rule, capability->summary);
}

static void offer_rules(const struct place *place) {
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        struct mtlcap_capability capability = catalog_capability(i);
        bool yes_or_no = capability.kind == MTLCAP_KIND_BOOL;
        bool raise = (capability.change & MTLCAP_CAN_RAISE) != 0;
        bool lower = (capability.change & MTLCAP_CAN_LOWER) != 0;
        if (raise)
            offer_rule(place, &capability, yes_or_no ? "=on" : ".min=");
        if (lower)
            offer_rule(place, &capability, yes_or_no ? "=off" : ".max=");
        if (raise && lower && !yes_or_no)
            offer_rule(place, &capability, "=");
    }
}

static void offer_items(const struct place *place) {
    struct place item = last_item(place, ',');
    const char *typed = item.word + item.done;
    if (typed[0] == '@') {
        item.done++;
        offer_files(&item);
        return;
    }
    offer_profiles(&item);
    if (typed[0] != '\0') /* there are too many to show unasked */
        offer_rules(&item);
}

static void offer_hazards(const struct place *place) {
    struct place item = last_item(place, '+');
    for (uint32_t i = 0; i < mtlcap_hazard_count(); i++) {
        struct mtlcap_hazard hazard = catalog_hazard(i);
        offer(&item, hazard.name, hazard.when);
    }
}

/* ---- the rest --------------------------------------------------------------- */

static void offer_expectations(const struct place *place) {
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        struct mtlcap_capability capability = catalog_capability(i);
        bool yes_or_no = capability.kind == MTLCAP_KIND_BOOL;
        offer_rule(place, &capability, yes_or_no ? "=on" : "=");
        offer_rule(place, &capability, yes_or_no ? "=off" : "!=");
        if (!yes_or_no && capability.kind != MTLCAP_KIND_TEXT) {
            offer_rule(place, &capability, ">=");
            offer_rule(place, &capability, "<=");
        }
    }
}

static void offer_log(const struct place *place) {
    const char *colon = strchr(place->word + place->done, ':');
    if (colon != NULL)
        offer_files(&(struct place){place->word, (size_t)(colon + 1 - place->word)});
    else
        complete_kind(place, "off|error|warning|info|debug");
}

static void offer_targets(const struct place *place) {
    struct place item = last_item(place, ',');
    complete_kind(&item, "sip=on|sip=off|macos=|arch=arm64|arch=x86_64");
}

static void offer_words(const struct place *place, const char *words) {
    char word[64];
    for (;; words++) {
        size_t length = strcspn(words, "|");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        offer(place, word, "");
        words += length;
        if (words[0] == '\0')
            return;
    }
}

static void offer_clients(const struct place *place) {
    struct explain_clients clients;
    if (explain_clients_read(NULL, &clients) == CODE_OK)
        for (size_t i = 0; i < clients.count; i++) {
            const struct explain_client *client = &clients.list[i];
            offer(place, client->name, "");
            for (unsigned j = 0; j < client->relative_count; j++)
                offer(place, client->relatives[j].name, client->name);
        }
    explain_clients_free(&clients);
}

/* Of all clients: which one is meant may not be on the line yet. */
static void offer_features(const struct place *place) {
    struct explain_clients clients;
    if (explain_clients_read(NULL, &clients) == CODE_OK)
        for (size_t i = 0; i < clients.count; i++)
            for (unsigned j = 0; j < clients.list[i].feature_count; j++)
                offer(place, clients.list[i].features[j].name, clients.list[i].name);
    explain_clients_free(&clients);
}

/* PROGRAM is not among them: what follows it is not mtlcap's. */
static const struct {
    const char *name;
    void (*offer)(const struct place *place);
} kinds[] = {
    {"CLIENT", offer_clients}, {"FEATURE", offer_features}, {"VERSION", offer_nothing},
    {"A", offer_items},        {"B", offer_items},          {"COMMAND", offer_commands},
    {"FILE", offer_files},     {"HAZARDS", offer_hazards},  {"KEY=VALUE", offer_expectations},
    {"LABEL", offer_nothing},  {"LEVEL[:FILE]", offer_log}, {"N", offer_nothing},
    {"NAME", offer_profiles},  {"PROFILE", offer_items},    {"SPEC", offer_items},
    {"TOPIC", offer_topics},   {"WHAT", offer_targets},
};

void complete_kind(const struct place *place, const char *kind) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, kind) == 0) {
            kinds[i].offer(place);
            return;
        }
    if (strchr(kind, '|') != NULL)
        offer_words(place, kind);
    else
        output(":unknown %s\n", kind);
}
