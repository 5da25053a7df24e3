/*
 * Apply and restore.
 *
 * Apply studies the profile, installs hooks that pass through, proves that each is reached and
 * gives the answer that is wanted, and only then publishes the plan: no caller ever sees an answer
 * that is rolled back. Restore publishes the empty plan and touches no method table: the runtime
 * has no compare-and-swap, so taking a hook out could lose a foreign one put on top meanwhile.
 */
#include "engine.h"

#include <stdio.h>
#include <string.h>

#include "error.h"
#include "install.h"
#include "lock.h"
#include "publish.h"
#include "record.h"
#include "study.h"
#include "trace.h"

static struct mtlcap__record *in_force; /* guarded by the lock */
static uint64_t last_generation;        /* guarded by the lock */

const struct mtlcap__record *mtlcap__record_in_force(void) {
    return in_force;
}

/* Installs, and proves until every rule holds. On success the proof goes on. */
static int install_and_prove(struct mtlcap__installation *installation,
                             const struct mtlcap__study *study, const struct mtlcap__plan **plan) {
    int status = mtlcap__install(installation, study);
    while (!status) {
        *plan = mtlcap__install_plan(study);
        if (!*plan) {
            status = mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for a plan");
            break;
        }
        mtlcap__lock();
        mtlcap__proof_begin(*plan);
        mtlcap__unlock();
        size_t device;
        const struct mtlcap__capability *failed;
        if (mtlcap__install_prove(study, &device, &failed))
            return MTLCAP_OK;
        mtlcap__lock();
        mtlcap__proof_end(NULL);
        mtlcap__unlock();
        status = mtlcap__install_above(installation, device, failed);
    }
    mtlcap__install_undo(installation);
    return status;
}

/* Makes what was proved the truth for everybody, unless `only_over`, a generation, has been
 * restored or replaced meanwhile. From then on another thread may replace the record, and free it.
 */
static struct mtlcap__record *publish(const struct mtlcap__plan *plan,
                                      struct mtlcap__record *record, uint64_t only_over,
                                      uint64_t *generation) {
    mtlcap__lock();
    struct mtlcap__record *replaced = record;
    if (only_over && (!in_force || in_force->generation != only_over)) {
        mtlcap__proof_end(NULL);
    } else {
        mtlcap__proof_end(plan);
        record->generation = only_over ? only_over : ++last_generation;
        if (generation)
            *generation = record->generation;
        replaced = in_force;
        in_force = record;
        mtlcap__trace_applied(record, only_over != 0);
    }
    mtlcap__unlock();
    return replaced;
}

static int apply_studied(struct mtlcap__record *record, const struct mtlcap__study *study,
                         uint64_t only_over, uint64_t *generation,
                         struct mtlcap__record **replaced) {
    if (study->status)
        return study->status;
    struct mtlcap__installation installation;
    const struct mtlcap__plan *plan;
    int status = install_and_prove(&installation, study, &plan);
    if (status)
        return status;
    status = mtlcap__record_fill(record, study);
    if (status) {
        mtlcap__lock();
        mtlcap__proof_end(NULL);
        mtlcap__unlock();
        mtlcap__install_undo(&installation);
        return status;
    }
    *replaced = publish(plan, record, only_over, generation);
    mtlcap__install_end(&installation);
    return MTLCAP_OK;
}

/* Applies on this thread's turn. `only_over` as in publish(). */
static int apply(struct mtlcap__request *request, enum mtlcap__study_of of, uint64_t only_over,
                 uint64_t *generation) {
    struct mtlcap__record *record = mtlcap__record_new(request);
    if (!record)
        return mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for the record of an apply");
    struct mtlcap__study study;
    struct mtlcap__record *replaced = NULL;
    void *pool = mtlcap__rt_pool_push();
    int status = mtlcap__study_begin(&study, of, request->profile, request->allowed);
    if (!status) {
        status = apply_studied(record, &study, only_over, generation, &replaced);
        mtlcap__study_end(&study);
    }
    mtlcap__rt_pool_pop(pool);
    mtlcap__record_free(status ? record : replaced);
    return status;
}

/* Is a hazard met before the i-th finding? */
static bool is_met_before(const struct mtlcap__record *record, size_t i) {
    for (size_t j = 0; j < i; j++)
        if (record->findings[j].hazard == record->findings[i].hazard)
            return true;
    return false;
}

/* Says what was met, a hazard once however many rules meet it, after everything is done: the log
 * may call anything of ours. */
static void log_findings(void) {
    for (size_t i = 0;; i++) {
        char message[512] = "";
        mtlcap__lock();
        const bool more = in_force && i < in_force->finding_count;
        if (more && !in_force->findings[i].allowed && !is_met_before(in_force, i))
            memcpy(message, in_force->findings[i].message, sizeof message);
        mtlcap__unlock();
        if (!more)
            return;
        if (message[0])
            mtlcap__log(MTLCAP_LOG_WARNING, "warning, applied all the same: %s", message);
    }
}

/* A shim that was there before us (Tart's images bring one) makes its answers the stock ones: a
 * floor may then change nothing, and the family may be above the host's. Said once for each image.
 */
static void log_foreign(void) {
    static char said[1024];
    char image[sizeof said] = "", message[512];
    mtlcap__lock();
    if (in_force && in_force->foreign && strcmp(said, in_force->foreign_image) != 0) {
        memcpy(image, in_force->foreign_image, sizeof image);
        memcpy(said, image, sizeof said);
        snprintf(message, sizeof message, "the stock answer to %s on %s", in_force->foreign->key,
                 in_force->foreign_device->name);
    }
    mtlcap__unlock();
    if (image[0])
        mtlcap__log(MTLCAP_LOG_WARNING, "%s is not Metal's: it comes from %s", message, image);
}

/* The line of an apply, after what is to be said of it. */
static void log_applied(void) {
    char message[768] = "";
    mtlcap__lock();
    if (in_force) {
        size_t derived = 0;
        for (size_t i = 0; i < in_force->change_count; i++)
            derived += in_force->changes[i].derived != 0;
        snprintf(message, sizeof message,
                 "applied %.512s: %zu answers differ from stock, %zu of them derived",
                 in_force->request->text, in_force->change_count, derived);
    }
    mtlcap__unlock();
    if (message[0])
        mtlcap__log(MTLCAP_LOG_INFO, "%s", message);
}

/* What was asked for, checked, where there is a runtime to do it in; to be ended. NULL: *status. */
static struct mtlcap__request *begin(const char *profile, const struct mtlcap_options *options,
                                     int *status) {
    struct mtlcap__request *request = NULL;
    mtlcap__hazard_set allowed;
    if (!profile) {
        *status =
            mtlcap__fail(MTLCAP_E_ARGUMENT, "profile is NULL: name one, for instance \"auto\"");
        return NULL;
    }
    *status = mtlcap__options_check(options, &allowed);
    if (!*status)
        *status = mtlcap__request_new(profile, options ? options->allow : NULL, allowed, &request);
    const char *missing = *status ? NULL : mtlcap__rt_open();
    if (!missing) {
        mtlcap__rt_pin(); /* hooks are in place for good */
        return request;
    }
    mtlcap__request_release(request);
    *status = mtlcap__fail_no_metal(missing);
    return NULL;
}

static int end(struct mtlcap__request *request, int status) {
    if (!status) {
        log_findings();
        log_foreign();
        log_applied();
    }
    mtlcap__request_release(request);
    return status;
}

int mtlcap__apply_profile(const char *profile, const struct mtlcap_options *options) {
    int status;
    struct mtlcap__request *request = begin(profile, options, &status);
    if (!request)
        return status;
    status = mtlcap__devices_prepare();
    if (!status)
        status = mtlcap__turn_take();
    if (!status) {
        status = apply(request, MTLCAP__LISTED_DEVICES, 0, options ? options->generation : NULL);
        mtlcap__trace_cover(); /* also those that have come to light now */
        mtlcap__turn_give();
    }
    return end(request, status);
}

/* ---- one device more -------------------------------------------------------- */

/* What is in force, to be released, and its generation; otherwise `request`, which may be NULL. */
static struct mtlcap__request *request_in_force(struct mtlcap__request *request,
                                                uint64_t *generation) {
    mtlcap__lock();
    *generation = in_force ? in_force->generation : 0;
    if (in_force)
        request = in_force->request;
    if (request)
        request->references++;
    mtlcap__unlock();
    return request;
}

/* Applies what is in force, or else `request`, with a device that has just been adopted. One that
 * it cannot be applied to is not kept: it would stand in the way of every apply to come. */
static int apply_with(struct mtlcap__device *device, bool adopted_before, enum mtlcap__study_of of,
                      struct mtlcap__request *request, uint64_t *generation) {
    uint64_t only_over;
    request = request_in_force(request, &only_over);
    if (!request)
        return MTLCAP_OK;
    int status = apply(request, of, only_over, generation);
    mtlcap__request_release(request);
    if (status && !adopted_before)
        mtlcap__devices_disown(device);
    return status;
}

int mtlcap__adopt_device(void *object) {
    if (!object)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "device is NULL");
    const char *missing = mtlcap__rt_open();
    if (missing)
        return mtlcap__fail_no_metal(missing);
    mtlcap__devices_prepare();
    /* First, so that the device is not missed by an apply that is under way. */
    int status = mtlcap__turn_take();
    if (status)
        return status;
    struct mtlcap__device *device;
    bool adopted_before;
    status = mtlcap__devices_adopt(object, &device, &adopted_before);
    if (!status)
        status = apply_with(device, adopted_before, MTLCAP__LISTED_DEVICES, NULL, NULL);
    mtlcap__trace_cover();
    mtlcap__turn_give();
    return status;
}

int mtlcap__apply_early(const char *profile, const struct mtlcap_options *options, void *object) {
    if (!object)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "device is NULL");
    int status;
    struct mtlcap__request *request = begin(profile, options, &status);
    if (!request)
        return status;
    status = mtlcap__turn_take();
    if (!status) {
        struct mtlcap__device *device;
        bool adopted_before;
        status = mtlcap__devices_adopt_early(object, &device, &adopted_before);
        if (!status)
            status = apply_with(device, adopted_before, MTLCAP__KNOWN_DEVICES, request,
                                options ? options->generation : NULL);
        mtlcap__turn_give();
    }
    return end(request, status);
}

/* ---- restore -------------------------------------------------------------- */

static void restore_locked(struct mtlcap__record **replaced) {
    mtlcap__plan_publish(&mtlcap__empty_plan);
    *replaced = in_force;
    in_force = NULL;
    mtlcap__trace_restored();
}

static void end_restore(struct mtlcap__record *replaced) {
    if (!replaced)
        return;
    mtlcap__log(MTLCAP_LOG_INFO, "restored stock answers: %.512s is no longer in force",
                replaced->request->text);
    mtlcap__record_free(replaced);
}

int mtlcap__restore(void) {
    struct mtlcap__record *replaced;
    mtlcap__lock();
    restore_locked(&replaced);
    mtlcap__unlock();
    end_restore(replaced);
    return MTLCAP_OK;
}

int mtlcap__restore_generation(uint64_t generation) {
    struct mtlcap__record *replaced = NULL;
    mtlcap__lock();
    const uint64_t last = last_generation;
    if (in_force && in_force->generation == generation)
        restore_locked(&replaced);
    mtlcap__unlock();
    end_restore(replaced);
    if (generation == 0 || generation > last)
        return mtlcap__fail(MTLCAP_E_ARGUMENT,
                            "generation %llu was never applied: the last was %llu",
                            (unsigned long long)generation, (unsigned long long)last);
    return MTLCAP_OK;
}

uint64_t mtlcap__generation(void) {
    mtlcap__lock();
    const uint64_t generation = in_force ? in_force->generation : 0;
    mtlcap__unlock();
    return generation;
}

int mtlcap__is_active(void) {
    return mtlcap__plan_in_force()->active;
}
