/*
 * What happens when Metal hands out a device. Before the first one, the profile is applied; only
 * then is the device returned. A later one of a class that is not covered is adopted; but if the
 * program has restored, or applied something else, it is left alone for good. A failure is told
 * once, and ends in stock answers, or in the end of the process.
 *
 * All of it is written on the public API: another copy of the library may be the one that works.
 * State is touched by the thread that has the turn only, and is good at any moment at which another
 * thread may fork: a child goes on from there.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/capability.h"
#include "core/error.h"
#include "core/injected.h"
#include "core/profile_parts.h"
#include "inject.h"

static atomic_bool begun;
static struct mtlcap__settings settings;
static struct mtlcap__asked asked;
static uint64_t generation; /* of our apply; 0: not applied */
static bool settled;        /* nothing more is to be done */
static bool failed_at_load; /* and not told yet */
static bool handed;         /* the program has got a device, or may have */
static bool left_to_engine; /* the program was applying, and its engine listed a device */

#define outcome mtlcap__outcome

/* ---- applying ----------------------------------------------------------------- */

/* Within quotes, cut rather than long: what follows is to be read, too. */
static const char *quotable(const char *text) {
    static char quoted[1024];
    size_t length = 0;
    for (; *text && length < sizeof quoted - 5; text++) {
        if (*text == '"' || *text == '\\')
            quoted[length++] = '\\';
        quoted[length++] = *text;
    }
    strcpy(quoted + length, *text ? "..." : "");
    return quoted;
}

/* docs/injection.md has the form of the line: scripts read it. */
static void tell_applied(void) {
    struct mtlcap_report report = MTLCAP_REPORT_INIT;
    mtlcap_report_info(&report);
    mtlcap__tell(MTLCAP_LOG_INFO,
                 "applied profile=\"%s\" devices=%u changed=%u derived=%u generation=%llu pid=%ld",
                 quotable(settings.profile), (unsigned)report.device_count,
                 (unsigned)report.change_count, (unsigned)report.derived_count,
                 (unsigned long long)generation, (long)getpid());
    if (settings.warning[0])
        mtlcap__account_warn(MTLCAP_LOG_WARNING, settings.warning);
    if (outcome.early)
        mtlcap__account_warn(MTLCAP_LOG_INFO,
                             "applied while Metal made the device: what Metal has cached of the "
                             "answers stays, also after a restore");
    else if (settings.early)
        mtlcap__account_warn(MTLCAP_LOG_WARNING,
                             "could not be applied while Metal made the device: applied after");
}

static bool is_first_copy(void) {
    static char other[1024];
    const bool first = mtlcap__injected_is_first(other, sizeof other);
    outcome.delegated = first ? "" : other;
    return first;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int apply_once(void *unused) {
    (void)unused;
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.allow = settings.allow;
    options.generation = &generation;
    return mtlcap_apply_profile(asked.profile, &options);
}

/* Busy at once: the program is applying on this very thread, and its engine lists devices; that is
 * `inside`. Busy after a while: the program is applying on another one. */
static int patiently(int (*attempt)(void *), void *device, bool *inside) {
    const double start = now();
    double last;
    int status;
    do {
        last = now();
        status = attempt(device);
        *inside = status == MTLCAP_E_BUSY && now() - last < 1;
    } while (status == MTLCAP_E_BUSY && !*inside && now() - start < MTLCAP__PATIENCE);
    return status;
}

/* Another copy of the library looks itself whether there is something to do. */
static void adopt_unless_covered(void *device) {
    if (!device || (is_first_copy() && mtlcap__injected_covers(device)))
        return;
    bool inside;
    const int status = patiently(mtlcap_adopt_device, device, &inside);
    if (inside)
        return;
    if (!status) {
        if (outcome.early)
            mtlcap__account_warn(MTLCAP_LOG_WARNING,
                                 "to a device's class it could not be applied while Metal made it: "
                                 "applied after");
        return;
    }
    /* told again only if it is something else */
    const char *why = mtlcap_last_error();
    if (strncmp(outcome.reason, why, strlen(why)) != 0)
        mtlcap__account_fail(mtlcap__account_step(status), status, why);
}

/* Who requires something of a device has to have got one. */
static enum mtlcap__stage applied_stage(void) {
    return settings.require && !handed ? MTLCAP__STAGE_NO_DEVICE : MTLCAP__STAGE_APPLIED;
}

static void applied(void *device) {
    outcome.stage = applied_stage();
    adopt_unless_covered(device);
    is_first_copy();
    if (outcome.stage == MTLCAP__STAGE_APPLIED)
        tell_applied();
    mtlcap__account_write();
}

/* Metal has none, or is not there; either may change. */
static bool is_no_device(int status, const void *device) {
    return status == MTLCAP_E_NO_DEVICE ||
           (status == MTLCAP_E_UNSUPPORTED && !device && !mtlcap__real_metal().copy_all_devices);
}

static void no_device(int status) {
    if (settings.strict)
        mtlcap__account_fail("device", status, mtlcap_last_error());
    if (outcome.stage == MTLCAP__STAGE_NO_DEVICE)
        return;
    outcome.stage = MTLCAP__STAGE_NO_DEVICE;
    mtlcap__tell(MTLCAP_LOG_INFO, "not applied yet: there is no device");
    mtlcap__account_write();
}

/* The program has a copy of the library, and its reasons: what is in force by them. */
static void account_own(void) {
    static char own[640];
    struct mtlcap_report report = MTLCAP_REPORT_INIT;
    outcome.stage = MTLCAP__STAGE_RESTORED;
    outcome.reason = "the program has restored stock answers";
    if (mtlcap_report_info(&report) || !report.generation)
        return;
    snprintf(own, sizeof own, "the program has applied a profile of its own, which is in force: %s",
             report.profile);
    outcome.reason = own;
}

static void leave_alone(void) {
    settled = true;
    account_own();
    mtlcap__tell(MTLCAP_LOG_INFO, "%s: it is left alone", outcome.reason);
    mtlcap__account_write();
}

/* False: the program is applying itself, and lists devices for that. */
static bool apply(void *device) {
    if (mtlcap_generation()) {
        leave_alone();
        return true;
    }
    bool inside;
    int status = patiently(apply_once, NULL, &inside);
    if (status == MTLCAP_E_NO_DEVICE && device && !mtlcap_adopt_device(device))
        status = patiently(apply_once, NULL, &inside); /* a device that is not in Metal's list */
    if (inside) {
        left_to_engine = true;
        return false;
    }
    if (!status) {
        applied(device);
    } else if (is_no_device(status, device)) {
        no_device(status);
    } else {
        settled = true;
        mtlcap__account_fail(mtlcap__account_step(status), status, mtlcap_last_error());
    }
    return true;
}

/* Early hooks may have applied before any device is handed out. */
static void see_early(void) {
    if (generation || !settings.early)
        return;
    generation = mtlcap__early_generation();
    outcome.early = generation != 0;
}

/* False: the device is not handed to the program, but to its engine. */
static bool cover(void *device) {
    if (failed_at_load) {
        failed_at_load = false;
        settled = true;
        mtlcap__account_tell();
    }
    if (settled)
        return true;
    see_early();
    if (!generation)
        return apply(device);
    if (mtlcap_generation() != generation)
        leave_alone();
    else if (outcome.stage != MTLCAP__STAGE_APPLIED)
        applied(device); /* by early hooks; or this is a child that was forked right after */
    else
        adopt_unless_covered(device);
    return true;
}

static void hide(void) {
    if (outcome.stage == MTLCAP__STAGE_HIDDEN)
        return;
    outcome.stage = MTLCAP__STAGE_HIDDEN;
    mtlcap__tell(MTLCAP_LOG_INFO, "hidden profile=\"%s\" pid=%ld", quotable(settings.profile),
                 (long)getpid());
    if (settings.warning[0])
        mtlcap__account_warn(MTLCAP_LOG_WARNING, settings.warning);
    if (asked.more)
        mtlcap__account_warn(MTLCAP_LOG_WARNING, "the profile has other items than hide: where no "
                                                 "device is seen, they have no effect");
    mtlcap__account_write();
    if (settings.require)
        mtlcap__account_not_met("no device is to be seen (hide), and one is required");
}

static void check_required(void *device) {
    char problem[1024];
    if (settings.require &&
        !mtlcap__required_met(settings.require, device, problem, sizeof problem))
        mtlcap__account_not_met(problem);
}

/* ---- the doors ---------------------------------------------------------------- */

bool mtlcap__session_knock(void) {
    mtlcap__load();
    if (!begun || (!asked.hides && !settings.early))
        return false;
    mtlcap__injected_prepare();
    if (mtlcap__session_take_turn(MTLCAP__PATIENCE) == MTLCAP__TURN_TAKEN) {
        outcome.interposed = true;
        if (asked.hides)
            hide();
        else if (asked.profile)
            mtlcap__early_watch(asked.profile, settings.allow);
        mtlcap__session_give_turn();
    }
    return asked.hides;
}

static void kept_waiting(void) {
    mtlcap__tell(
        MTLCAP_LOG_ERROR, "not applied: turn: another thread has been applying for %d seconds%s",
        MTLCAP__PATIENCE, settings.strict ? " (MTLCAP_STRICT: the program ends here)" : "");
    if (settings.strict)
        _exit(MTLCAP__EXIT_STRICT);
}

static void hand_out(void *device) {
    const bool before = handed;
    handed |= device != NULL;
    if (!cover(device)) {
        handed = before;
        return;
    }
    if (device)
        mtlcap__traced_hand_out(device);
    check_required(device);
}

void mtlcap__session_hand_out(void *device) {
    if (!begun)
        return;
    mtlcap__injected_prepare();
    switch (mtlcap__session_take_turn(MTLCAP__PATIENCE)) {
    case MTLCAP__TURN_OURS: /* the engine lists devices, or a log's function looks at one */
        return;
    case MTLCAP__TURN_KEPT:
        kept_waiting();
        check_required(device);
        return;
    case MTLCAP__TURN_TAKEN:
        outcome.interposed = true;
        hand_out(device);
        mtlcap__session_give_turn();
    }
}

/* ---- the beginning and the end -------------------------------------------------- */

/* What is wrong with the environment or the profile. */
static void check_settings(void) {
    int status = MTLCAP_OK;
    failed_at_load = true;
    if (settings.future_families)
        mtlcap__value_accept_future_families();
    if (settings.problem[0])
        mtlcap__account_note("environment", MTLCAP_E_ARGUMENT, settings.problem);
    else if ((status = mtlcap__asked_read(settings.profile, &asked)) != MTLCAP_OK)
        mtlcap__account_note(mtlcap__account_step(status), status, mtlcap__last_error());
    else
        failed_at_load = false;
    if (failed_at_load && settings.strict)
        mtlcap__account_tell();
}

/* Metal may be in the process: the devices that there are can be covered, and their classes. */
static void begin_late(void) {
    const char *why =
        asked.hides ? "hide has to be there before the program: insert this library at launch"
        : !mtlcap__real_metal().copy_all_devices
            ? "this library was opened by a program that runs and has no Metal yet: insert it at "
              "launch"
            : NULL;
    if (why && !failed_at_load) {
        mtlcap__account_note("interposition", MTLCAP_E_UNSUPPORTED, why);
        failed_at_load = true;
        asked.hides = false;
    }
    handed = true;
    cover(NULL);
    mtlcap__traced_hand_out(NULL);
    if (generation)
        mtlcap__account_warn(MTLCAP_LOG_WARNING,
                             "opened by a program that runs: what it had asked before was answered "
                             "as stock, and is not seen; devices of classes that come later are "
                             "not covered");
    check_required(NULL);
}

/* No device came but to the program's own engine, and none is asked any more. */
static void account_left(void) {
    if (!left_to_engine || outcome.stage != MTLCAP__STAGE_LOADED)
        return;
    if (settings.require) {
        outcome.reason = "the program has applied a profile itself, by its own libmtlcap, and got "
                         "no device after that: what is required was not looked at";
    } else if (mtlcap_generation()) {
        account_own();
    } else {
        outcome.reason = "the program has applied a profile itself, by its own libmtlcap, in vain "
                         "or until it restored, and got no device after that";
    }
}

static void at_exit(void) {
    static bool asked_for[MTLCAP__CAPABILITY_COUNT];
    mtlcap__traced_end();
    if (!settings.receipt || mtlcap__session_take_turn(0) != MTLCAP__TURN_TAKEN)
        return;
    see_early();
    if (generation && !settled && mtlcap_generation() == generation)
        outcome.stage = applied_stage();
    else if ((generation && !settled) || outcome.stage == MTLCAP__STAGE_RESTORED)
        account_own();
    if (generation && is_first_copy()) {
        for (uint32_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++)
            asked_for[i] = mtlcap__injected_asked(i);
        outcome.asked = asked_for;
    }
    account_left();
    outcome.exiting = true;
    mtlcap__account_write();
    mtlcap__session_give_turn();
}

void mtlcap__session_begin(const struct mtlcap__settings *from, enum mtlcap__arrival arrival,
                           const char *program, const char *library) {
    settings = *from;
    outcome.interposed = arrival == MTLCAP__INTERPOSED;
    mtlcap__tell_begin(&settings);
    mtlcap__account_begin(&settings, program, library);
    check_settings();
    if (settings.trace)
        mtlcap__traced_begin(&settings, arrival == MTLCAP__LATE);
    if (settings.receipt) {
        mtlcap__injected_watch();
        mtlcap__account_write();
    }
    if (settings.receipt || settings.trace)
        atexit(at_exit);
    if (settings.early && asked.profile && !asked.hides)
        mtlcap__early_watch(asked.profile, settings.allow);
    begun = true;
    if (arrival == MTLCAP__LATE)
        begin_late();
    else if (arrival == MTLCAP__BYPASSED && mtlcap__real_metal().copy_all_devices)
        mtlcap__account_warn(MTLCAP_LOG_ERROR, "another library takes calls of Metal before this "
                                               "one: nothing is applied unless it calls on");
}
