/* Complaints about profiles. */
#include "profile_check.h"

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

/* Every hazard that stands in the way, not only the first. */
static void show_hazards(const char *profile, const char *allow) {
    struct mtlcap_options options = {.struct_size = sizeof options};
    options.allow = allow;
    struct mtlcap_explanation explanation = {.struct_size = sizeof explanation};
    if (mtlcap_explain_profile(profile, &options, &explanation) != MTLCAP_OK)
        return;
    for (uint32_t i = 0; i < explanation.finding_count; i++) {
        struct mtlcap_finding finding = {.struct_size = sizeof finding};
        if (mtlcap_explain_finding(profile, &options, i, &finding) == MTLCAP_OK &&
            finding.refuses && !finding.allowed)
            complain_more("  %s: %s", finding.rule, finding.message);
    }
}

int profile_refused(const char *profile, const char *allow, int status) {
    switch (status) {
    case MTLCAP_E_HAZARD:
        complain("the profile '%s' is refused because of hazards:", profile);
        show_hazards(profile, allow);
        return CODE_PROFILE;
    case MTLCAP_E_UNSUPPORTED: /* devices there are: one of them cannot take a rule */
    case MTLCAP_E_PROFILE:
    case MTLCAP_E_FILE:
        complain("%s", mtlcap_last_error());
        return CODE_PROFILE;
    default:
        return library_error(status);
    }
}
