/* mtlcap profiles show, check: what a profile would do here. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mtlcap/mtlcap.h>

#include "command.h"
#include "devices.h"
#include "output.h"
#include "profile_check.h"
#include "profiles.h"
#include "table.h"
#include "term.h"

struct subject {
    const char *profile;
    struct mtlcap_options options;
    struct mtlcap_explanation explanation;
    struct mtlcap_finding *findings;
    size_t finding_count;
    char problem[1024]; /* why it would not be applied */
};

/* The rules that act on the index-th device; all, where there is no device. */
static void write_rules(const struct subject *subject, uint32_t index) {
    const struct term_style *styles = term_style();
    struct table table = {.indent = "  "};
    for (uint32_t i = 0; i < subject->explanation.rule_count; i++) {
        struct mtlcap_rule rule = {.struct_size = sizeof rule};
        if (mtlcap_explain_rule(subject->profile, &subject->options, i, &rule) != MTLCAP_OK ||
            (rule.device != NULL && !devices_is_at(index, rule.device)))
            continue;
        bool changes = strcmp(rule.stock, rule.effective) != 0;
        if (rule.device == NULL)
            TABLE_ADD(&table, "", rule.capability, rule.rule);
        else if (rule.stock[0] == '\0')
            TABLE_ADD(&table, styles->faint, rule.capability, "not answered", "", "", rule.rule);
        else
            TABLE_ADD(&table, changes ? styles->changed : "", rule.capability, rule.stock,
                      changes ? "->" : "=", rule.effective, rule.rule);
    }
    if (table.count == 0)
        output("  no rule\n");
    table_write(&table);
}

static void write_findings(const struct subject *subject) {
    const struct term_style *styles = term_style();
    if (subject->finding_count > 0)
        output("\n%shazards%s\n", styles->heading, styles->end);
    for (size_t i = 0; i < subject->finding_count; i++) {
        const struct mtlcap_finding *finding = &subject->findings[i];
        if (!profile_finding_is_first(subject->findings, i))
            continue;
        char rules[2048];
        profile_finding_rules(subject->findings, subject->finding_count, i, rules, sizeof rules);
        output("  %s: %s (",
               finding->allowed   ? "allowed"
               : finding->refuses ? "refused"
                                  : "warning",
               finding->hazard);
        output_text(rules);
        output(")\n    ");
        output_text(profile_finding_reason(finding));
        output("\n");
    }
}

static void write_devices(const struct subject *subject, const struct devices *devices) {
    for (uint32_t i = 0; i < devices->count; i++) {
        char text[320];
        devices_describe(&devices->list[i], text, sizeof text);
        output("%s%sdevice %u: ", i > 0 ? "\n" : "", term_style()->heading, (unsigned)i);
        output_text(text);
        output("%s\n", term_style()->end);
        write_rules(subject, i);
    }
}

static bool changes_something(const struct subject *subject) {
    for (uint32_t i = 0; i < subject->explanation.rule_count; i++) {
        struct mtlcap_rule rule = {.struct_size = sizeof rule};
        if (mtlcap_explain_rule(subject->profile, &subject->options, i, &rule) == MTLCAP_OK &&
            strcmp(rule.stock, rule.effective) != 0)
            return true;
    }
    return false;
}

/* Returns the exit code. */
static int write_verdict(const struct subject *subject) {
    if (subject->explanation.status == MTLCAP_OK) {
        output(changes_something(subject)
                   ? "\nIt would be applied. Metal may compute further answers from these:\n"
                     "'mtlcap probe -p' shows them, marked as derived.\n"
                   : "\nIt would be applied, and change nothing here.\n");
        return CODE_OK;
    }
    char consent[512];
    profile_consent(subject->findings, subject->finding_count, subject->options.allow, consent,
                    sizeof consent);
    if (subject->explanation.status == MTLCAP_E_HAZARD)
        output("\nIt would be refused. To apply it all the same: --allow %s\n", consent);
    else
        output("\nIt would be refused: %s\n", subject->problem);
    return CODE_PROFILE;
}

static int explain_on_devices(struct subject *subject) {
    struct devices devices;
    int code = devices_open(&devices, DEVICES_ALL);
    if (code != CODE_OK)
        return code;
    subject->findings =
        profile_findings(subject->profile, subject->options.allow, &subject->finding_count);
    write_devices(subject, &devices);
    write_findings(subject);
    code = write_verdict(subject);
    free(subject->findings);
    devices_close(&devices);
    return code;
}

static bool is_any_device(void) {
    uint32_t count = 0;
    return mtlcap_device_count(&count) == MTLCAP_OK && count > 0;
}

static bool is_bad_machine(void) {
    struct mtlcap_machine machine = {.struct_size = sizeof machine};
    return mtlcap_machine_info(&machine) == MTLCAP_OK && devices_bad_machine(&machine);
}

/* The library's last error says more than the status, if it is about this. */
static void tell_problem(struct subject *subject) {
    struct mtlcap_error error = {.struct_size = sizeof error};
    int32_t status = subject->explanation.status;
    bool known = mtlcap_last_error_info(&error) == MTLCAP_OK && error.status == status;
    snprintf(subject->problem, sizeof subject->problem, "%s",
             known ? error.message : mtlcap_strerror(status));
}

int profiles_explain(const char *profile, const char *allow) {
    int code = profile_check_syntax(profile);
    if (code != CODE_OK)
        return code;
    struct subject subject = {.profile = profile};
    mtlcap_init(&subject.options, sizeof subject.options);
    mtlcap_init(&subject.explanation, sizeof subject.explanation);
    subject.options.allow = allow;
    int status = mtlcap_explain_profile(profile, &subject.options, &subject.explanation);
    if (status != MTLCAP_OK)
        return library_error(status);
    tell_problem(&subject);
    if (!is_any_device() && !is_bad_machine()) {
        output("%srules%s\n", term_style()->heading, term_style()->end);
        write_rules(&subject, 0);
        output("\nIt is well-formed. There is no Metal device here: what it would do and which "
               "hazards\nit would meet was not checked.\n");
        return CODE_OK;
    }
    return explain_on_devices(&subject);
}
