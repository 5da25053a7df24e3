/* Records of what was asked for and what was done. */
#define _POSIX_C_SOURCE 200809L
#include "record.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "lock.h"

static void request_free(struct mtlcap__request *request) {
    mtlcap__profile_free(request->profile);
    free(request->text);
    free(request->allow);
    free(request);
}

int mtlcap__request_new(const char *profile, const char *allow, mtlcap__hazard_set allowed,
                        struct mtlcap__request **request) {
    struct mtlcap__profile *parsed;
    int status = mtlcap__profile_parse(profile, &parsed);
    if (status)
        return status;
    struct mtlcap__request *made = calloc(1, sizeof *made);
    if (made) {
        made->references = 1;
        made->allowed = allowed;
        made->profile = parsed;
        made->text = strdup(profile);
        made->allow = strdup(allow ? allow : "");
        if (made->text && made->allow) {
            *request = made;
            return MTLCAP_OK;
        }
        request_free(made);
    } else {
        mtlcap__profile_free(parsed);
    }
    return mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for a profile");
}

void mtlcap__request_release(struct mtlcap__request *request) {
    mtlcap__lock();
    const bool last = --request->references == 0;
    mtlcap__unlock();
    if (last)
        request_free(request);
}

struct mtlcap__record *mtlcap__record_new(struct mtlcap__request *request) {
    struct mtlcap__record *record = calloc(1, sizeof *record);
    if (!record)
        return NULL;
    mtlcap__lock();
    request->references++;
    mtlcap__unlock();
    record->request = request;
    return record;
}

void mtlcap__record_free(struct mtlcap__record *record) {
    while (record) {
        struct mtlcap__record *below = record->below;
        mtlcap__request_release(record->request);
        free(record->covered);
        free(record->findings);
        free(record->changes);
        free(record);
        record = below;
    }
}

static int note_change(struct mtlcap__record *record, const struct mtlcap__device *device,
                       const struct mtlcap__capability *capability, const struct mtlcap__rule *rule,
                       const struct mtlcap__value *stock, const struct mtlcap__value *effective) {
    struct mtlcap_change *grown =
        realloc(record->changes, (record->change_count + 1) * sizeof *grown);
    if (!grown)
        return mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for the report of an apply");
    record->changes = grown;
    struct mtlcap_change *change = &grown[record->change_count++];
    memset(change, 0, sizeof *change);
    change->struct_size = sizeof *change;
    change->device = device->object;
    change->derived = !mtlcap__rule_is_set(rule);
    mtlcap__copy_text(change->capability, sizeof change->capability, capability->key,
                      strlen(capability->key));
    if (!change->derived)
        mtlcap__rule_text(rule, change->rule, sizeof change->rule);
    mtlcap__value_text(stock, capability, change->stock, sizeof change->stock);
    mtlcap__value_text(effective, capability, change->effective, sizeof change->effective);
    return MTLCAP_OK;
}

static void note_foreign(struct mtlcap__record *record, const struct mtlcap__device *device,
                         const struct mtlcap__capability *capability) {
    if (record->foreign || !mtlcap__device_foreign_source(device, capability, record->foreign_image,
                                                          sizeof record->foreign_image))
        return;
    record->foreign = capability;
    record->foreign_device = device;
}

static int note_device(struct mtlcap__record *record, const struct mtlcap__device *device,
                       const struct mtlcap__rules *rules) {
    for (size_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++) {
        const struct mtlcap__capability *capability = &mtlcap__capabilities[i];
        if (device->support[i] != MTLCAP__SUPPORTED || !capability->change)
            continue;
        if (!device->snapshot && !mtlcap__rule_is_set(&rules->rule[i]))
            continue; /* derived or not cannot be told */
        if (mtlcap__rule_is_set(&rules->rule[i]))
            note_foreign(record, device, capability);
        struct mtlcap__value effective;
        mtlcap__device_ask_base(device, capability, &effective);
        if (mtlcap__value_equal(&effective, &device->stock[i]))
            continue;
        int status =
            note_change(record, device, capability, &rules->rule[i], &device->stock[i], &effective);
        if (status)
            return status;
    }
    return MTLCAP_OK;
}

int mtlcap__record_fill(struct mtlcap__record *record, const struct mtlcap__study *study) {
    record->covered = calloc(study->device_count, sizeof *record->covered);
    if (!record->covered)
        return mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for the report of an apply");
    record->device_count = study->device_count;
    record->host = study->host;
    for (size_t d = 0; d < study->device_count; d++) {
        record->covered[d].cls = study->devices[d]->cls;
        record->covered[d].paravirtual = mtlcap__study_paravirtual(study, study->devices[d]);
    }
    if (study->finding_count) {
        record->findings = calloc(study->finding_count, sizeof *record->findings);
        if (!record->findings)
            return mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for the report of an apply");
        memcpy(record->findings, study->findings, study->finding_count * sizeof *record->findings);
        record->finding_count = study->finding_count;
    }
    for (size_t d = 0; d < study->device_count; d++) {
        int status = note_device(record, study->devices[d], &study->rules[d]);
        if (status)
            return status;
    }
    return MTLCAP_OK;
}
