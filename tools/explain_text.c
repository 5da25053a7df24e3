/* The explanation for people. */
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "explain.h"
#include "output.h"
#include "table.h"
#include "term.h"
#include "text.h"

static void write_device(const struct explain *explain, const struct explain_answers *answers) {
    char text[320];
    if (explain->count < 2)
        return;
    devices_describe(&answers->device, text, sizeof text);
    output("%sdevice %u: ", term_style()->heading, (unsigned)answers->index);
    output_text(text);
    output("%s\n", term_style()->end);
}

/* Of a trace: `answers` are the first ones. */
static void write_early(const struct explain_answers *answers) {
    const struct explain_early *early = answers->early;
    if (early == NULL)
        return;
    output("asked before profile ");
    output_text(early->profile);
    output(" was in force, which answers otherwise: ");
    output_text(early->names);
    output("; the first answer counts\n");
}

static void write_line(const char *label, const char *text) {
    if (text == NULL || text[0] == '\0')
        return;
    output("    %-13s", label);
    output_text(text);
    output("\n");
}

/* ---- what turns it on -------------------------------------------------------------------- */

static void write_hazard(const struct explain_advice *advice, unsigned i) {
    uint32_t index;
    output("    %-13s  %s %s%s", "", advice->not_checked ? "may meet the hazard" : "hazard",
           advice->hazards[i], advice->refuses[i] ? ", refused unless allowed" : "");
    if (catalog_find_hazard(advice->hazards[i], &index))
        output(": %s", catalog_hazard(index).breaks);
    output("\n");
}

static void write_advice(const struct explain_feature *feature,
                         const struct explain_answers *answers, const struct explain *explain) {
    struct explain_advice advices[EXPLAIN_ADVICES];
    char *why;
    unsigned count = explain_advise(feature, answers, explain, advices, &why);
    if (count == 0)
        write_line("turned on by", why);
    for (unsigned i = 0; i < count; i++) {
        const struct explain_advice *advice = &advices[i];
        output("    %-13s-p ", i == 0 ? "turned on by" : "or by");
        output_text(advice->profile);
        output("%s\n", advice->earlier ? ", applied before it asks: mtlcap run"
                       : advice->hazard_count == 0 && !advice->not_checked ? ": no hazard known"
                                                                           : "");
        for (unsigned h = 0; h < advice->hazard_count; h++)
            write_hazard(advice, h);
    }
    explain_advices_free(advices, count, why);
}

/* ---- one client -------------------------------------------------------------------------- */

static void write_feature(const struct explain_choice *choice,
                          const struct explain_feature *feature,
                          const struct explain_answers *answers, const struct explain *explain) {
    enum explain_state state = explain_condition_state(&feature->condition, answers);
    const struct term_style *style = term_style();
    const char *colour = state == EXPLAIN_ON    ? style->changed
                         : state == EXPLAIN_OFF ? style->derived
                                                : "";
    output("%s%-7s %s%s: ", colour, explain_state_names[state], feature->name,
           colour[0] != '\0' ? style->end : "");
    output_text(feature->what);
    output("\n");
    char *deciding = explain_deciding_text(feature, answers), *costs = NULL, *source = NULL;
    text_add(&costs, "%s %s", explain_choice_name(choice), feature->off);
    text_add(&source, "%s (%s%s%s)", feature->source, feature->basis,
             feature->versions != NULL ? ", " : "",
             feature->versions != NULL ? feature->versions : "");
    write_line("decided by", deciding);
    write_line("needs", feature->needs);
    if (state != EXPLAIN_ON)
        write_line(state == EXPLAIN_OFF ? "costs" : "if off", costs);
    if (state == EXPLAIN_OFF)
        write_advice(feature, answers, explain);
    write_line("its variable", feature->variable);
    write_line("it shows", feature->shows);
    write_line("source", source);
    free(deciding);
    free(costs);
    free(source);
}

static void write_client(const struct explain_choice *choice, const struct explain_answers *answers,
                         const struct explain *explain) {
    static const char *const devices[][2] = {
        {"default", "the default device"}, {"first", "the first device"}, {"any", "any device"}};
    const struct explain_client *client = choice->client;
    char *verdict;
    explain_verdict(choice, answers, &verdict);
    output_text(verdict);
    output("\n");
    free(verdict);
    write_device(explain, answers);
    write_early(answers);
    for (unsigned i = 0; i < client->feature_count; i++) {
        output("\n");
        write_feature(choice, &client->features[i], answers, explain);
    }
    output("\n");
    if (choice->relative != NULL) {
        output("%s: the gates of %s. ", choice->relative->name, client->name);
        output_text(choice->relative->differs);
        output("\nversions: ");
        output_text(choice->relative->versions);
        output("; of %s: ", client->name);
    } else {
        output("versions: ");
    }
    output_text(client->versions);
    output("\n");
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
        if (strcmp(devices[i][0], client->device) == 0)
            output("asks %s ", devices[i][1]);
    output_text(client->asks);
    output("\n");
}

/* ---- all clients ------------------------------------------------------------------------- */

static void add_verdict(struct table *table, const struct explain_choice *choice,
                        const struct explain_answers *answers) {
    char *verdict;
    enum explain_state state = explain_verdict(choice, answers, &verdict);
    const char *name = explain_choice_name(choice);
    /* The name is in front already. */
    size_t length = strlen(name);
    length += strspn(verdict + length, ": ");
    TABLE_ADD(table, "", name, explain_state_names[state], verdict + length);
    free(verdict);
}

static void write_all(const struct explain *explain, const struct explain_answers *answers) {
    struct table table = {.indent = ""};
    write_device(explain, answers);
    write_early(answers);
    for (size_t i = 0; i < explain->clients.count; i++) {
        const struct explain_client *client = &explain->clients.list[i];
        add_verdict(&table, &(struct explain_choice){.client = client}, answers);
        for (unsigned r = 0; r < client->relative_count; r++)
            add_verdict(
                &table,
                &(struct explain_choice){.client = client, .relative = &client->relatives[r]},
                answers);
    }
    table_write(&table);
}

void explain_write_text(const struct explain *explain) {
    for (uint32_t i = 0; i < explain->count; i++) {
        if (i > 0)
            output("\n");
        if (explain->choice.client != NULL)
            write_client(&explain->choice, &explain->answers[i], explain);
        else
            write_all(explain, &explain->answers[i]);
    }
}
