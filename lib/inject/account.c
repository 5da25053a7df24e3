/* What came of it: failures, the receipt, and the end of a process that asked for that. */
#define _GNU_SOURCE 1 /* MAP_ANON */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inject.h"

enum { WARNING_MAX = 8 };

struct mtlcap__outcome mtlcap__outcome = {
    .stage = MTLCAP__STAGE_LOADED, .step = "", .reason = "", .delegated = ""};

static const struct mtlcap__settings *settings;
static char program_path[4096], library_path[4096];
static char reason[2048];
static pid_t loaded_in; /* this process, or one that it was forked from */

/* The process that the receipt is about: the first that comes further than `loaded`, of the one
 * that the library was loaded in and those that are forked from it, which share this. 0: none yet.
 */
static _Atomic pid_t *owner;

static void share_owner(void) {
    static _Atomic pid_t unshared;
    void *shared = mmap(NULL, sizeof *owner, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANON, -1, 0);
    owner = shared != MAP_FAILED ? shared : &unshared;
}

void mtlcap__account_begin(const struct mtlcap__settings *from, const char *program,
                           const char *library) {
    settings = from;
    snprintf(program_path, sizeof program_path, "%s", program);
    snprintf(library_path, sizeof library_path, "%s", library);
    mtlcap__outcome.program = program_path;
    mtlcap__outcome.library = library_path;
    loaded_in = getpid();
    if (settings->receipt)
        share_owner();
}

/* ---- the receipt -------------------------------------------------------------- */

static bool has_process_number(const char *pattern) {
    for (const char *sign = strchr(pattern, '%'); sign; sign = strchr(sign, '%')) {
        if (sign[1] == 'p')
            return true;
        sign += sign[1] ? 2 : 1;
    }
    return false;
}

/* A process that has not come further than `loaded` leaves what others have said alone. */
static bool is_to_be_written(void) {
    const pid_t self = getpid();
    const bool is_own_file = has_process_number(settings->receipt);
    if (mtlcap__outcome.stage == MTLCAP__STAGE_LOADED)
        return (self == loaded_in || is_own_file) && !mtlcap__receipt_stands(settings->receipt);
    pid_t nobody = 0;
    return is_own_file || atomic_compare_exchange_strong(owner, &nobody, self) ||
           atomic_load(owner) == self;
}

static bool write_receipt(void) {
    static bool complained;
    if (!is_to_be_written())
        return true;
    char problem[512] = "no memory for the receipt";
    char *text = mtlcap__receipt_text(settings, &mtlcap__outcome);
    const bool written =
        text && mtlcap__receipt_write(settings->receipt, text, problem, sizeof problem);
    free(text);
    if (!written && !complained) {
        complained = true;
        mtlcap__tell(MTLCAP_LOG_ERROR, "%s", problem);
    }
    return written;
}

/* One that cannot be written is a failure of what was asked, too; at the end it is too late. One
 * that is optional was asked for by `mtlcap run`, which misses it itself as long as it waits. */
void mtlcap__account_write(void) {
    if (!settings->receipt ||
        (settings->receipt_optional && mtlcap__receipt_folder_is_gone(settings->receipt)))
        return;
    if (!write_receipt() && settings->strict && !settings->receipt_optional &&
        !mtlcap__outcome.exiting)
        _exit(MTLCAP__EXIT_STRICT);
}

/* ---- warnings, failures --------------------------------------------------------- */

void mtlcap__account_warn(int level, const char *warning) {
    static const char *warnings[WARNING_MAX + 1];
    size_t count = 0;
    while (count < WARNING_MAX && warnings[count])
        count++;
    if (count < WARNING_MAX)
        warnings[count] = strdup(warning);
    mtlcap__outcome.warnings = warnings;
    mtlcap__tell(level, "%s", warning);
}

const char *mtlcap__account_step(int status) {
    switch (status) {
    case MTLCAP_E_PROFILE:
    case MTLCAP_E_FILE:
        return "parse";
    case MTLCAP_E_HAZARD:
        return "hazard";
    case MTLCAP_E_NO_DEVICE:
    case MTLCAP_E_NOT_A_DEVICE:
        return "device";
    case MTLCAP_E_UNSUPPORTED:
        return "support";
    case MTLCAP_E_NOT_REACHED:
        return "proof";
    case MTLCAP_E_BUSY:
        return "turn";
    case MTLCAP_E_VERSION:
        return "copy";
    default:
        return "install";
    }
}

void mtlcap__account_note(const char *step, int status, const char *why) {
    if (mtlcap__outcome.stage != MTLCAP__STAGE_APPLIED)
        mtlcap__outcome.stage = MTLCAP__STAGE_NOT_APPLIED;
    mtlcap__outcome.step = step;
    mtlcap__outcome.status = status;
    /* a hazard's message ends in what to allow, and does not say how here */
    snprintf(reason, sizeof reason, "%s%s", why,
             status == MTLCAP_E_HAZARD ? " in MTLCAP_ALLOW" : "");
    mtlcap__outcome.reason = reason;
}

void mtlcap__account_tell(void) {
    static char message[sizeof reason + 128]; /* on the session's turn */
    snprintf(message, sizeof message, "not applied: %s: %s%s", mtlcap__outcome.step, reason,
             settings->strict ? " (MTLCAP_STRICT: the program ends here)" : "");
    if (mtlcap__outcome.stage == MTLCAP__STAGE_APPLIED) /* to a later class only */
        mtlcap__account_warn(MTLCAP_LOG_ERROR, message);
    else
        mtlcap__tell(MTLCAP_LOG_ERROR, "%s", message);
    mtlcap__account_write();
    if (settings->strict)
        _exit(MTLCAP__EXIT_STRICT);
}

void mtlcap__account_fail(const char *step, int status, const char *why) {
    mtlcap__account_note(step, status, why);
    mtlcap__account_tell();
}

void mtlcap__account_not_met(const char *why) {
    mtlcap__outcome.stage = MTLCAP__STAGE_NOT_MET;
    mtlcap__outcome.step = "require";
    mtlcap__outcome.status = MTLCAP_OK;
    snprintf(reason, sizeof reason, "%s", why);
    mtlcap__outcome.reason = reason;
    mtlcap__tell(MTLCAP_LOG_ERROR,
                 "required, but not so: %s (MTLCAP_REQUIRE: the program ends here)", reason);
    mtlcap__account_write();
    _exit(MTLCAP__EXIT_REQUIRE);
}
