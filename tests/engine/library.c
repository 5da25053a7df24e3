/* Shorthand for the library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

void check_failure(const char *call, int status, int wanted, const char *part, const char *file,
                   int line) {
    if (status == wanted && strstr(mtlcap_last_error(), part))
        return;
    print_error("%s\n  returned %d (%s), wanted %d (%s)\n  said: %s\n  should say: %s\n", call,
                status, mtlcap_strerror(status), wanted, mtlcap_strerror(wanted),
                mtlcap_last_error(), part);
    _fail(file, line);
}

const char *every_hazard(void) {
    static char names[1024];
    struct mtlcap_hazard hazard = MTLCAP_HAZARD_INIT;
    names[0] = '\0';
    for (uint32_t i = 0; i < mtlcap_hazard_count(); i++) {
        assert_ok(mtlcap_hazard_info(i, &hazard));
        assert_true(strlen(names) + strlen(hazard.name) + 2 < sizeof names);
        strcat(strcat(names, i ? "+" : ""), hazard.name);
    }
    return names;
}

int apply_allowing(const char *profile, const char *allow) {
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.allow = allow;
    return mtlcap_apply_profile(profile, &options);
}

void apply(const char *profile) {
    const int status = apply_allowing(profile, every_hazard());
    if (status)
        fail_msg("%s: %s", profile, mtlcap_last_error());
}

struct mtlcap_answer answer_of(void *device, const char *capability) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    const int status = mtlcap_query(device, capability, &answer);
    if (status)
        fail_msg("%s: %s", capability, mtlcap_last_error());
    return answer;
}

struct mtlcap_report report(void) {
    struct mtlcap_report report = MTLCAP_REPORT_INIT;
    assert_ok(mtlcap_report_info(&report));
    return report;
}
