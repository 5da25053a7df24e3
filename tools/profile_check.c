/* Complaints about profiles. */
#include "profile_check.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "catalog.h"
#include "output.h"
#include "simulated.h"

int profile_check_allow(const struct command *command, const char *allow) {
    char name[64];
    for (const char *rest = allow;;) {
        size_t length = strcspn(rest, "+");
        size_t kept = length < sizeof name ? length : sizeof name - 1;
        memcpy(name, rest, kept);
        name[kept] = '\0';
        uint32_t index;
        if (!catalog_find_hazard(name, &index)) {
            struct suggestion suggestion =
                strchr(name, ',') != NULL
                    ? suggest(NULL, "names are joined by +, not by commas")
                    : suggest(catalog_near_hazard(name), "'mtlcap help hazards' lists them");
            return usage_error(command, "--allow: there is no hazard '%s'%s", name,
                               suggestion.text);
        }
        if (rest[length] == '\0')
            return CODE_OK;
        rest += length + 1;
    }
}

/* Shows the profile with a mark under the place that the last error is about, if it fits into a
 * line and is plain text, of which a byte is a column. */
static void show_place(const char *profile) {
    enum { LONGEST = 200 };
    struct mtlcap_error error = {.struct_size = sizeof error};
    size_t length = strlen(profile);
    if (mtlcap_last_error_info(&error) != MTLCAP_OK || error.line != 0 || error.column < 1 ||
        (size_t)error.column > length + 1 || length > LONGEST)
        return;
    for (size_t i = 0; i < length; i++)
        if (profile[i] < 0x20 || profile[i] > 0x7e)
            return;
    complain_more("    %s", profile);
    complain_more("    %*s", error.column, "^");
}

int profile_check_syntax(const char *profile) {
    simulated_load();
    struct mtlcap_explanation explanation = {.struct_size = sizeof explanation};
    int status = mtlcap_explain_profile(profile, NULL, &explanation);
    if (status == MTLCAP_OK)
        return CODE_OK;
    if (status != MTLCAP_E_PROFILE && status != MTLCAP_E_FILE)
        return library_error(status);
    complain("%s", mtlcap_last_error());
    show_place(profile);
    return CODE_PROFILE;
}

/* A finding that has been met on another device, by the same rule, is not told again. */
static bool is_told(const struct mtlcap_finding *findings, size_t count,
                    const struct mtlcap_finding *finding) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(findings[i].hazard, finding->hazard) == 0 &&
            strcmp(findings[i].rule, finding->rule) == 0)
            return true;
    return false;
}

struct mtlcap_finding *profile_findings(const char *profile, const char *allow, size_t *count) {
    struct mtlcap_options options = {.struct_size = sizeof options, .allow = allow};
    struct mtlcap_explanation explanation = {.struct_size = sizeof explanation};
    *count = 0;
    if (mtlcap_explain_profile(profile, &options, &explanation) != MTLCAP_OK)
        explanation.finding_count = 0;
    struct mtlcap_finding *findings = allocate(explanation.finding_count, sizeof *findings);
    for (uint32_t i = 0; i < explanation.finding_count; i++) {
        struct mtlcap_finding *finding = &findings[*count];
        mtlcap_init(finding, sizeof *finding);
        if (mtlcap_explain_finding(profile, &options, i, finding) == MTLCAP_OK &&
            !is_told(findings, *count, finding))
            ++*count;
    }
    return findings;
}

static bool is_same_hazard(const struct mtlcap_finding *a, const struct mtlcap_finding *b) {
    return strcmp(a->hazard, b->hazard) == 0;
}

bool profile_finding_is_first(const struct mtlcap_finding *findings, size_t i) {
    for (size_t j = 0; j < i; j++)
        if (is_same_hazard(&findings[j], &findings[i]))
            return false;
    return true;
}

void profile_finding_rules(const struct mtlcap_finding *findings, size_t count, size_t i,
                           char *text, size_t size) {
    enum { LISTED = 4 };
    const char *first = findings[i].rule;
    const char *colon = strstr(first, ": ");
    size_t prefix = colon != NULL ? (size_t)(colon + 2 - first) : 0; /* "like-m1: " */
    size_t used = (size_t)snprintf(text, size, "%s", first);
    unsigned met = 1;
    for (size_t j = i + 1; j < count; j++) {
        const char *rule = findings[j].rule;
        if (!is_same_hazard(&findings[j], &findings[i]) || ++met > LISTED)
            continue;
        snprintf(text + used, size - used, "; %s",
                 rule + (strncmp(rule, first, prefix) == 0 ? prefix : 0));
        used = strlen(text);
    }
    if (met > LISTED)
        snprintf(text + used, size - used, "; and %u more", met - LISTED);
}

const char *profile_finding_reason(const struct mtlcap_finding *finding) {
    uint32_t index;
    return catalog_find_hazard(finding->hazard, &index) ? catalog_hazard(index).breaks
                                                        : finding->message;
}

/* Is one of the names in "a+b"? */
static bool names_include(const char *names, const char *name) {
    size_t length = strlen(name);
    for (const char *found = names; (found = strstr(found, name)) != NULL; found += length)
        if ((found == names || found[-1] == '+') && (found[length] == '\0' || found[length] == '+'))
            return true;
    return false;
}

void profile_consent(const struct mtlcap_finding *findings, size_t count, const char *allow,
                     char *text, size_t size) {
    snprintf(text, size, "%s", allow != NULL ? allow : "");
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(text);
        if (findings[i].refuses && !findings[i].allowed && !names_include(text, findings[i].hazard))
            snprintf(text + used, size - used, "%s%s", used > 0 ? "+" : "", findings[i].hazard);
    }
}

static int refused_for_hazards(const char *profile, const char *allow) {
    size_t count;
    struct mtlcap_finding *findings = profile_findings(profile, allow, &count);
    complain("the profile '%s' is refused because of hazards:", profile);
    for (size_t i = 0; i < count; i++) {
        if (!findings[i].refuses || findings[i].allowed || !profile_finding_is_first(findings, i))
            continue;
        char rules[2048];
        profile_finding_rules(findings, count, i, rules, sizeof rules);
        complain_more("  %s (%s): %s", findings[i].hazard, rules,
                      profile_finding_reason(&findings[i]));
    }
    char consent[512];
    profile_consent(findings, count, allow, consent, sizeof consent);
    complain_more("To apply it all the same: --allow %s", consent);
    free(findings);
    return CODE_PROFILE;
}

int profile_refused(const char *profile, const char *allow, int status) {
    switch (status) {
    case MTLCAP_E_HAZARD:
        return refused_for_hazards(profile, allow);
    case MTLCAP_E_UNSUPPORTED: /* devices there are: one of them cannot take a rule */
    case MTLCAP_E_PROFILE:
    case MTLCAP_E_FILE:
        complain("%s", mtlcap_last_error());
        return CODE_PROFILE;
    default:
        return library_error(status);
    }
}
