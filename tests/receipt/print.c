/* Prints receipts, one after another, with a line "---" between them: of every stage, and with
 * hostile text everywhere. */
#include "inject/receipt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/capability.h"
#include "mtlcap/mtlcap.h"

static struct mtlcap__settings settings = {
    .enabled = true, .origin = "MTLCAP_PROFILE", .log_level = MTLCAP_LOG_ERROR};
static struct mtlcap__outcome outcome = {.interposed = true, .step = "", .reason = ""};

static void print(enum mtlcap__stage stage) {
    outcome.stage = stage;
    char *text = mtlcap__receipt_text(&settings, &outcome);
    if (text == NULL)
        exit(1);
    printf("%s---\n", text);
    free(text);
}

static void apply(char *profile, char *allow) {
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.allow = allow;
    settings.profile = profile;
    settings.allow = allow;
    if (mtlcap_apply_profile(profile, &options) != MTLCAP_OK) {
        fprintf(stderr, "%s\n", mtlcap_last_error());
        exit(1);
    }
}

int main(void) {
    static char hostile[] =
        "\"\\\b\n\r\t\177\001\303\251\360\237\230\200\377\300\200\355\240\200'%s%n,+",
                profile[] = "auto,threadgroup_memory.min=64K,working_set.min=1",
                all[] = "metal+threadgroup-memory", stock[] = "stock",
                require[] = "apple>=7,threadgroup_memory=64K";
    bool asked[MTLCAP__CAPABILITY_COUNT] = {[MTLCAP__APPLE] = true, [MTLCAP__WORKING_SET] = true};

    /* Nothing but the stage is known. */
    print(MTLCAP__STAGE_LOADED);

    outcome.program = "/bin/program";
    outcome.library = "/lib/libmtlcap-inject.so";
    settings.profile = profile;
    settings.require = require;
    print(MTLCAP__STAGE_LOADED);
    print(MTLCAP__STAGE_NO_DEVICE);
    print(MTLCAP__STAGE_HIDDEN);
    outcome.step = "hazard";
    outcome.status = MTLCAP_E_HAZARD;
    outcome.reason = "refused";
    print(MTLCAP__STAGE_NOT_APPLIED);

    apply(profile, all);
    print(MTLCAP__STAGE_APPLIED);
    settings.early = outcome.early = true;
    print(MTLCAP__STAGE_APPLIED);
    outcome.exiting = true;
    outcome.asked = asked;
    print(MTLCAP__STAGE_APPLIED);
    mtlcap_restore();
    print(MTLCAP__STAGE_RESTORED);
    apply(stock, NULL);
    outcome.exiting = false;
    print(MTLCAP__STAGE_APPLIED);

    settings.profile = settings.require = hostile;
    settings.origin = outcome.step = outcome.reason = hostile;
    outcome.program = outcome.library = outcome.delegated = hostile;
    outcome.warnings = (const char *const[]){hostile, "", hostile, NULL};
    print(MTLCAP__STAGE_NOT_APPLIED);
    return 0;
}
