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

/* What becomes of what is in force. */
struct place {
    enum {
        INSTEAD, /* it goes, with all that is below it */
        NESTED,  /* it comes back one day */
        RENEWED, /* it is put in force anew, with one device more */
        LEFT,    /* what is below it comes back now */
    } how;
    uint64_t over;  /* RENEWED, LEFT: only if this generation is in force */
    uint64_t again; /* ... and the one to have again: the same; that below it */
};

/* Is a place still there? With the lock held. */
static bool is_there(const struct place *place) {
    if (place->how == INSTEAD || place->how == NESTED)
        return true;
    const struct mtlcap__record *again = in_force;
    if (!again || again->generation != place->over)
        return false;
    if (place->how == LEFT)
        again = again->below;
    return again && again->generation == place->again;
}

/* Puts a record in its place. Returns what is to be freed. With the lock held. */
static struct mtlcap__record *put(struct mtlcap__record *record, const struct place *place) {
    struct mtlcap__record *replaced = in_force;
    in_force = record;
    if (place->how == NESTED) {
        record->below = replaced;
        return NULL;
    }
    if (place->how != INSTEAD) {
        struct mtlcap__record *last = place->how == LEFT ? replaced->below : replaced;
        record->below = last->below;
        last->below = NULL;
    }
    return replaced;
}

/* Makes what was proved the truth for everybody, unless its place is gone. From then on another
 * thread may replace the record, and free it. */
static struct mtlcap__record *publish(const struct mtlcap__plan *plan,
                                      struct mtlcap__record *record, const struct place *place,
                                      uint64_t *generation) {
    mtlcap__lock();
    struct mtlcap__record *unused = record;
    if (!is_there(place)) {
        mtlcap__proof_end(NULL);
    } else {
        mtlcap__proof_end(plan);
        record->generation = place->again ? place->again : ++last_generation;
        if (generation)
            *generation = record->generation;
        unused = put(record, place);
        mtlcap__trace_applied(record, place->how == RENEWED);
    }
    mtlcap__unlock();
    return unused;
}

static int apply_studied(struct mtlcap__record *record, const struct mtlcap__study *study,
                         const struct place *place, uint64_t *generation,
                         struct mtlcap__record **unused) {
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
    *unused = publish(plan, record, place, generation);
    mtlcap__install_end(&installation);
    return MTLCAP_OK;
}

/* Applies on this thread's turn. MTLCAP_OK also if its place is gone by then. */
static int apply(struct mtlcap__request *request, enum mtlcap__study_of of,
                 const struct place *place, uint64_t *generation) {
    struct mtlcap__record *record = mtlcap__record_new(request);
    if (!record)
        return mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for the record of an apply");
    struct mtlcap__study study;
    struct mtlcap__record *unused = NULL;
    void *pool = mtlcap__rt_pool_push();
    int status = mtlcap__study_begin(&study, of, request->profile, request->allowed);
    if (!status) {
        status = apply_studied(record, &study, place, generation, &unused);
        mtlcap__study_end(&study);
    }
    mtlcap__rt_pool_pop(pool);
    mtlcap__record_free(status ? record : unused);
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
        const struct place place = {.how = mtlcap__options_nested(options) ? NESTED : INSTEAD};
        status =
            apply(request, MTLCAP__LISTED_DEVICES, &place, options ? options->generation : NULL);
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
    uint64_t over;
    request = request_in_force(request, &over);
    if (!request)
        return MTLCAP_OK;
    const struct place place = {.how = over ? RENEWED : INSTEAD, .over = over, .again = over};
    int status = apply(request, of, &place, generation);
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

/* Ends a generation that nothing comes back for; otherwise its request is to be released, once it
 * has been applied in *place. */
static struct mtlcap__request *end_generation(uint64_t generation, struct place *place) {
    struct mtlcap__request *request = NULL;
    struct mtlcap__record *ended = NULL, *restored = NULL;
    mtlcap__lock();
    struct mtlcap__record **link = &in_force;
    while (*link && (*link)->generation != generation)
        link = &(*link)->below;
    struct mtlcap__record *found = *link;
    if (found && found != in_force) {
        *link = found->below;
        found->below = NULL;
        ended = found;
    } else if (found && found->below) {
        *place = (struct place){LEFT, generation, found->below->generation};
        request = found->below->request;
        request->references++;
    } else if (found) {
        restore_locked(&restored);
    }
    mtlcap__unlock();
    mtlcap__record_free(ended);
    end_restore(restored);
    return request;
}

/* On this thread's turn. Another thread may restore meanwhile, or end what is to come back. */
static int bring_back(uint64_t generation) {
    struct place place;
    struct mtlcap__request *request;
    int status = MTLCAP_OK;
    while (!status && (request = end_generation(generation, &place))) {
        status = apply(request, MTLCAP__LISTED_DEVICES, &place, NULL);
        mtlcap__request_release(request);
    }
    return status;
}

/* Stock, if this is still in force, whatever is below it. */
static void give_up(uint64_t generation) {
    struct mtlcap__record *replaced = NULL;
    mtlcap__lock();
    if (in_force && in_force->generation == generation)
        restore_locked(&replaced);
    mtlcap__unlock();
    end_restore(replaced);
}

int mtlcap__restore_generation(uint64_t generation) {
    mtlcap__lock();
    const uint64_t last = last_generation;
    mtlcap__unlock();
    if (generation == 0 || generation > last)
        return mtlcap__fail(MTLCAP_E_ARGUMENT,
                            "generation %llu was never applied: the last was %llu",
                            (unsigned long long)generation, (unsigned long long)last);
    struct place place;
    struct mtlcap__request *request = end_generation(generation, &place);
    if (!request)
        return MTLCAP_OK;
    mtlcap__request_release(request);
    int status = mtlcap__devices_prepare();
    if (!status)
        status = mtlcap__turn_take();
    if (!status) {
        status = bring_back(generation);
        mtlcap__trace_cover();
        mtlcap__turn_give();
    }
    if (status)
        give_up(generation);
    else
        log_applied();
    return status;
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
