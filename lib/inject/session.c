/*
 * What happens when Metal hands out a device.
 *
 *   not applied    apply, and only then return
 *   applied        a class that is not covered yet is adopted; if the program has restored, or
 *                  applied something else, it is left alone for good
 *   failed         told once; stock answers from then on, or the end of the process
 *
 * All of it is written on the public API: another copy of the library may be the one that works.
 * State is touched by the thread that has the turn only, and is good at any moment that another
 * thread may fork: a child goes on from there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/capability.h"
#include "core/injected.h"
#include "inject.h"

enum { PATIENCE = 10 }; /* seconds */

static bool begun; /* set at load, before other threads come */
static struct mtlcap__settings settings;
static struct mtlcap__asked asked;
static struct mtlcap__outcome outcome;
static uint64_t generation; /* of our apply; 0: not applied */
static bool settled;        /* nothing more is to be done */
static bool failed_at_load; /* and not told yet */

static char library[4096], delegated[1024], reason[1024];

/* ---- telling ------------------------------------------------------------------ */

static void warn(int level, const char *warning) {
    static const char *warnings[8 + 1];
    size_t i = 0;
    while (i < 8 && warnings[i])
        i++;
    char *copy = i < 8 ? strdup(warning) : NULL;
    if (copy)
        warnings[i] = copy;
    outcome.warnings = warnings;
    mtlcap__tell(level, "%s", warning);
}

/* A receipt that cannot be written is a failure of what was asked, too. */
static void write_receipt(void) {
    if (!mtlcap__tell_receipt(&settings, &outcome) && settings.strict)
        _exit(MTLCAP__EXIT_STRICT);
}

static void tell_failure(void) {
    mtlcap__tell(MTLCAP_LOG_ERROR, "not applied: %s: %s%s", outcome.step, reason,
                 settings.strict ? " (the program ends here: MTLCAP_STRICT)" : "");
    write_receipt();
    if (settings.strict)
        _exit(MTLCAP__EXIT_STRICT);
}

static void note_failure(const char *step, int status, const char *why) {
    snprintf(reason, sizeof reason, "%s", why);
    outcome.stage = generation ? MTLCAP__STAGE_APPLIED : MTLCAP__STAGE_NOT_APPLIED;
    outcome.step = step;
    outcome.status = status;
    outcome.reason = reason;
}

static void fail(const char *step, int status, const char *why) {
    note_failure(step, status, why);
    tell_failure();
}

/* The step that fails with a status. */
static const char *step_of(int status) {
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

/* docs/injection.md has the form of this line: scripts read it. */
static void tell_applied(void) {
    struct mtlcap_report report = MTLCAP_REPORT_INIT;
    mtlcap_report_info(&report);
    mtlcap__tell(MTLCAP_LOG_INFO,
                 "applied profile=\"%s\" devices=%u changed=%u derived=%u generation=%llu pid=%ld",
                 settings.profile, (unsigned)report.device_count, (unsigned)report.change_count,
                 (unsigned)report.derived_count, (unsigned long long)generation, (long)getpid());
    if (settings.warning[0])
        warn(MTLCAP_LOG_WARNING, settings.warning);
    if (outcome.early)
        warn(MTLCAP_LOG_INFO, "applied while Metal made the device: what Metal has cached of the "
                              "answers stays, also after a restore");
}

/* ---- applying ----------------------------------------------------------------- */

static bool is_covered(void *device) {
    return !delegated[0] && mtlcap__injected_covers(device);
}

/* Another copy of the library looks itself whether there is something to do. */
static void adopt(void *device) {
    const int status = mtlcap_adopt_device(device);
    if (status && (strcmp(reason, mtlcap_last_error()) != 0 || settings.strict))
        fail(step_of(status), status, mtlcap_last_error());
}

static int apply(void) {
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.allow = settings.allow;
    options.generation = &generation;
    return mtlcap_apply_profile(asked.profile, &options);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Busy at once: the program is applying on this very thread, and its engine lists devices. Busy
 * after a while: the program is applying on another one. */
static int apply_patiently(bool *inside) {
    const double start = now();
    double last;
    int status;
    do {
        last = now();
        status = apply();
        *inside = status == MTLCAP_E_BUSY && now() - last < 1;
    } while (status == MTLCAP_E_BUSY && !*inside && now() - start < PATIENCE);
    return status;
}

static void find_delegate(void) {
    if (mtlcap__injected_is_first(delegated, sizeof delegated))
        delegated[0] = '\0';
    outcome.delegated = delegated;
}

static void applied(void *device) {
    outcome.stage = MTLCAP__STAGE_APPLIED;
    if (device && !is_covered(device))
        adopt(device);
    tell_applied();
    write_receipt();
}

static void no_device(void) {
    if (outcome.stage == MTLCAP__STAGE_NO_DEVICE)
        return;
    if (settings.strict)
        fail("device", MTLCAP_E_NO_DEVICE, mtlcap_last_error());
    outcome.stage = MTLCAP__STAGE_NO_DEVICE;
    mtlcap__tell(MTLCAP_LOG_INFO, "not applied yet: Metal has no device");
    write_receipt();
}

/* The program has its own copy of the library, or found another, and has its reasons. */
static void leave_alone(const char *why) {
    settled = true;
    outcome.stage = MTLCAP__STAGE_RESTORED;
    outcome.reason = why;
    mtlcap__tell(MTLCAP_LOG_INFO, "%s: it is left alone", why);
    write_receipt();
}

/* False: the program is applying; a device that it lists for that is not handed out. */
static bool apply_first(void *device) {
    find_delegate();
    if (mtlcap_generation()) {
        leave_alone("the program had applied a profile of its own");
        return true;
    }
    bool inside;
    int status = apply_patiently(&inside);
    if (inside)
        return false;
    if (status == MTLCAP_E_NO_DEVICE && device && !mtlcap_adopt_device(device))
        status = apply_patiently(&inside); /* it is in nobody's list */
    if (status == MTLCAP_OK) {
        applied(device);
    } else if (status == MTLCAP_E_NO_DEVICE) {
        no_device();
    } else {
        settled = true;
        fail(step_of(status), status, mtlcap_last_error());
    }
    return true;
}

/* Early hooks may have applied before any device is handed out. */
static bool take_over_early(void) {
    const uint64_t early = settings.early && !generation ? mtlcap__early_generation() : 0;
    if (early) {
        find_delegate();
        generation = early;
        outcome.early = true;
    }
    return early != 0;
}

static bool cover(void *device) {
    if (failed_at_load) {
        failed_at_load = false;
        settled = true;
        tell_failure();
    }
    if (settled)
        return true;
    if (take_over_early()) {
        applied(device);
        return true;
    }
    if (!generation)
        return apply_first(device);
    if (mtlcap_generation() != generation)
        leave_alone("the program has restored, or applied a profile of its own");
    else if (outcome.stage != MTLCAP__STAGE_APPLIED) /* a child, forked right after */
        applied(device);
    else if (device && !is_covered(device))
        adopt(device);
    return true;
}

/* ---- hiding ------------------------------------------------------------------- */

static void hide(void) {
    if (outcome.stage == MTLCAP__STAGE_HIDDEN)
        return;
    outcome.stage = MTLCAP__STAGE_HIDDEN;
    mtlcap__tell(MTLCAP_LOG_INFO, "hidden profile=\"%s\" pid=%ld", settings.profile,
                 (long)getpid());
    if (settings.warning[0])
        warn(MTLCAP_LOG_WARNING, settings.warning);
    if (asked.more)
        warn(MTLCAP_LOG_WARNING, "the profile has more than 'hide': where no device is seen, the "
                                 "rest has no effect");
    write_receipt();
}

/* ---- the doors ---------------------------------------------------------------- */

static void kept_waiting(void) {
    mtlcap__tell(MTLCAP_LOG_ERROR,
                 "not applied: turn: another thread has been applying for %d seconds%s", PATIENCE,
                 settings.strict ? " (the program ends here: MTLCAP_STRICT)" : "");
    if (settings.strict)
        _exit(MTLCAP__EXIT_STRICT);
}

bool mtlcap__session_knock(void) {
    if (!begun || (!asked.hides && !settings.early))
        return false;
    if (mtlcap__session_take_turn(PATIENCE) == MTLCAP__TURN_TAKEN) {
        outcome.interposed = true;
        if (asked.hides)
            hide();
        else if (asked.profile)
            mtlcap__early_watch(asked.profile, settings.allow);
        mtlcap__session_give_turn();
    }
    return asked.hides;
}

void mtlcap__session_hand_out(void *device) {
    if (!begun)
        return;
    switch (mtlcap__session_take_turn(PATIENCE)) {
    case MTLCAP__TURN_OURS:
        return; /* the engine lists devices, or a log's function is curious */
    case MTLCAP__TURN_KEPT:
        kept_waiting();
        return;
    case MTLCAP__TURN_TAKEN:
        break;
    }
    outcome.interposed = true;
    cover(device);
    mtlcap__session_give_turn();
}

/* ---- the beginning and the end -------------------------------------------------- */

/* Metal may be in the process: the devices that there are can be covered, and their classes. */
static void begin_late(void) {
    if (asked.hides) {
        fail("interposition", MTLCAP_E_UNSUPPORTED,
             "'hide' has to be there before the program: insert this library at launch");
    } else if (!mtlcap__real_metal().copy_all_devices) {
        settled = true;
        fail("interposition", MTLCAP_E_UNSUPPORTED,
             "this library was opened by a program that runs, and Metal is not in it yet: insert "
             "it at launch");
    } else if (mtlcap__session_take_turn(PATIENCE) == MTLCAP__TURN_TAKEN) {
        cover(NULL);
        if (generation)
            warn(MTLCAP_LOG_INFO, "opened by a program that runs: devices of classes that come "
                                  "later are not covered");
        mtlcap__session_give_turn();
    }
}

static void at_exit(void) {
    static bool asked_for[MTLCAP__CAPABILITY_COUNT];
    if (mtlcap__session_take_turn(0) != MTLCAP__TURN_TAKEN)
        return;
    if (generation && outcome.stage == MTLCAP__STAGE_APPLIED && mtlcap_generation() != generation) {
        outcome.stage = MTLCAP__STAGE_RESTORED;
        outcome.reason = "the program has restored, or applied a profile of its own";
    }
    if (take_over_early())
        outcome.stage = MTLCAP__STAGE_APPLIED;
    for (uint32_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++)
        asked_for[i] = mtlcap__injected_asked(i);
    outcome.asked = generation && !delegated[0] ? asked_for : NULL;
    outcome.exiting = true;
    mtlcap__tell_receipt(&settings, &outcome);
    mtlcap__session_give_turn();
}

/* What is wrong with the environment or the profile. */
static void check_settings(void) {
    if (settings.problem[0]) {
        note_failure("environment", MTLCAP_E_ARGUMENT, settings.problem);
        failed_at_load = true;
        return;
    }
    const int status = mtlcap__asked_read(settings.profile, &asked);
    if (!status)
        return;
    note_failure("parse", status, mtlcap_last_error());
    failed_at_load = true;
}

void mtlcap__session_begin(const struct mtlcap__settings *from, enum mtlcap__arrival arrival,
                           const char *path) {
    settings = *from;
    snprintf(library, sizeof library, "%s", path);
    outcome = (struct mtlcap__outcome){.stage = MTLCAP__STAGE_LOADED,
                                       .step = "",
                                       .reason = "",
                                       .interposed = arrival == MTLCAP__INTERPOSED,
                                       .library = library,
                                       .delegated = ""};
    mtlcap__tell_begin(&settings);
    check_settings();
    if (failed_at_load && settings.strict)
        tell_failure();
    begun = true;
    if (settings.receipt) {
        mtlcap__injected_watch();
        write_receipt();
        atexit(at_exit);
    }
    if (failed_at_load)
        return;
    if (settings.early && !asked.hides)
        mtlcap__early_watch(asked.profile, settings.allow);
    if (arrival == MTLCAP__LATE)
        begin_late();
    else if (arrival == MTLCAP__BYPASSED && mtlcap__real_metal().copy_all_devices)
        warn(MTLCAP_LOG_WARNING, "another library takes calls of Metal before this one: nothing is "
                                 "applied unless it calls on");
}
