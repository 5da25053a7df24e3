/* Complaints about profiles. */
#include "profile_check.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <mtlcap/mtlcap.h>

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
                suggest(catalog_near_hazard(name), "'mtlcap help hazards' lists them");
            return usage_error(command, "--allow: there is no hazard '%s'%s", name,
                               suggestion.text);
        }
        if (rest[length] == '\0')
            return CODE_OK;
        rest += length + 1;
    }
}

/* Shows the profile with a mark under the place that the last error is about. */
static void show_place(const char *profile) {
    struct mtlcap_error error = {.struct_size = sizeof error};
    if (mtlcap_last_error_info(&error) != MTLCAP_OK || error.line != 0 || error.column < 1 ||
        (size_t)error.column > strlen(profile) + 1 || strpbrk(profile, "\n\r\t") != NULL)
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

/* The `index`-th hazard that the profile meets; false: there are no more. */
static bool get_finding(const char *profile, const struct mtlcap_options *options, uint32_t index,
                        struct mtlcap_finding *finding) {
    *finding = (struct mtlcap_finding){.struct_size = sizeof *finding};
    return mtlcap_explain_finding(profile, options, index, finding) == MTLCAP_OK;
}

/* Is one of the names in "a+b"? */
static bool names_include(const char *names, const char *name) {
    size_t length = strlen(name);
    for (const char *found = names; (found = strstr(found, name)) != NULL; found += length)
        if ((found == names || found[-1] == '+') && (found[length] == '\0' || found[length] == '+'))
            return true;
    return false;
}

void profile_consent(const char *profile, const char *allow, char *text, size_t size) {
    struct mtlcap_options options = {.struct_size = sizeof options, .allow = allow};
    struct mtlcap_finding finding;
    bool refused = false;
    snprintf(text, size, "%s", allow != NULL ? allow : "");
    for (uint32_t i = 0; get_finding(profile, &options, i, &finding); i++) {
        if (!finding.refuses || finding.allowed)
            continue;
        refused = true;
        size_t used = strlen(text);
        if (!names_include(text, finding.hazard))
            snprintf(text + used, size - used, "%s%s", used > 0 ? "+" : "", finding.hazard);
    }
    if (!refused)
        text[0] = '\0';
}

static int refused_for_hazards(const char *profile, const char *allow) {
    struct mtlcap_options options = {.struct_size = sizeof options, .allow = allow};
    struct mtlcap_finding finding;
    complain("the profile '%s' is refused because of hazards:", profile);
    for (uint32_t i = 0; get_finding(profile, &options, i, &finding); i++)
        if (finding.refuses && !finding.allowed)
            complain_more("  %s", finding.message);
    char consent[512];
    profile_consent(profile, allow, consent, sizeof consent);
    complain_more("To apply it all the same: --allow %s", consent);
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
