/* What a profile would do on this machine's devices now. */
#include "study.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "lock.h"
#include "publish.h"

int mtlcap__options_check(const struct mtlcap_options *options, mtlcap__hazard_set *allowed) {
    *allowed = 0;
    if (!options)
        return MTLCAP_OK;
    const size_t first_version = offsetof(struct mtlcap_options, nested);
    if (options->struct_size < first_version)
        return mtlcap__fail(MTLCAP_E_VERSION,
                            "options.struct_size is %zu, should be at least %zu: initialise it "
                            "with MTLCAP_OPTIONS_INIT or mtlcap_init()",
                            options->struct_size, first_version);
    if (options->struct_size > 4096)
        return mtlcap__fail(MTLCAP_E_VERSION, "options.struct_size is %zu: not initialised",
                            options->struct_size);
    const unsigned char *bytes = (const unsigned char *)options;
    for (size_t i = offsetof(struct mtlcap_options, reserved); i < options->struct_size; i++)
        if (bytes[i])
            return mtlcap__fail(MTLCAP_E_VERSION,
                                "options has a setting that this library, version %d.%d, does not "
                                "know",
                                MTLCAP_VERSION_MAJOR, MTLCAP_VERSION_MINOR);
    if (mtlcap__options_nested(options) && options->nested != 1)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "options.nested is %d, should be 0 or 1",
                            (int)options->nested);
    return mtlcap__hazards_parse(options->allow, allowed);
}

bool mtlcap__options_nested(const struct mtlcap_options *options) {
    return options && options->struct_size >= offsetof(struct mtlcap_options, reserved) &&
           options->nested != 0;
}

static int take_devices(struct mtlcap__study *study, enum mtlcap__study_of of) {
    if (of == MTLCAP__LISTED_DEVICES)
        study->status = mtlcap__devices_refresh();
    if (study->status == MTLCAP_E_NO_MEMORY)
        return study->status;
    if (!study->status) {
        study->devices = mtlcap__devices_copy(&study->device_count);
        if (!study->devices)
            return mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for the list of devices");
    }
    if (!study->status && !study->device_count)
        study->status = mtlcap__fail(MTLCAP_E_NO_DEVICE, "Metal lists no device");
    /* Hooks of others may have come while nothing of ours was in force: those are stock now. */
    const bool anew = of == MTLCAP__LISTED_DEVICES && !mtlcap__plan_in_force()->active;
    for (size_t i = 0; i < study->device_count && anew; i++)
        if (!study->devices[i]->early)
            mtlcap__device_take_stock(study->devices[i], NULL);
    return MTLCAP_OK;
}

static bool is_kind_of(mtlcap__class cls, mtlcap__class above) {
    while (cls && cls != above)
        cls = mtlcap__rt_superclass(cls);
    return cls != NULL;
}

/* Devices of one class may be told apart by their names: nothing is raised on a real one. */
bool mtlcap__study_paravirtual(const struct mtlcap__study *study,
                               const struct mtlcap__device *device) {
    for (size_t i = 0; i < study->device_count; i++)
        if (!study->devices[i]->paravirtual && is_kind_of(study->devices[i]->cls, device->cls))
            return false;
    return true;
}

static int resolve(struct mtlcap__study *study) {
    const size_t count = study->device_count ? study->device_count : 1;
    study->rules = calloc(count, sizeof *study->rules);
    if (!study->rules)
        return mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for the rules of %zu devices",
                            count);
    for (size_t i = 0; i < count; i++)
        mtlcap__profile_resolve(study->profile,
                                !study->device_count ||
                                    mtlcap__study_paravirtual(study, study->devices[i]),
                                &study->host, &study->rules[i]);
    for (size_t i = 0; i < study->device_count; i++)
        if (study->devices[i]->early) /* which is known now that the rules are */
            mtlcap__device_take_stock(study->devices[i], &study->rules[i]);
    return MTLCAP_OK;
}

/* Appends to study->findings as far as `capacity` goes, and counts on beyond it. */
static void find_on_device(struct mtlcap__study *study, size_t i, bool has_torch, size_t capacity) {
    const struct mtlcap__device *device = study->devices[i];
    bool supported[MTLCAP__CAPABILITY_COUNT];
    struct mtlcap__value stock[MTLCAP__CAPABILITY_COUNT];
    mtlcap__lock();
    memcpy(stock, device->stock, sizeof stock);
    mtlcap__unlock();
    for (size_t c = 0; c < MTLCAP__CAPABILITY_COUNT; c++)
        supported[c] = device->support[c] == MTLCAP__SUPPORTED;
    const struct mtlcap__target target = {
        .device_name = device->name,
        .paravirtual = mtlcap__study_paravirtual(study, device),
        .host = &study->host,
        .stock = stock,
        .supported = supported,
        .has_torch = has_torch,
    };
    mtlcap__hazards_find(&study->rules[i], &target, study->allowed, study->findings, capacity,
                         &study->finding_count);
}

static int find_hazards(struct mtlcap__study *study) {
    const bool has_torch = mtlcap__host_has_image("libtorch");
    for (size_t i = 0; i < study->device_count; i++)
        find_on_device(study, i, has_torch, 0);
    const size_t count = study->finding_count;
    if (!count)
        return MTLCAP_OK;
    study->findings = calloc(count, sizeof *study->findings);
    if (!study->findings)
        return mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for %zu hazards found", count);
    study->finding_count = 0;
    for (size_t i = 0; i < study->device_count; i++)
        find_on_device(study, i, has_torch, count);
    if (study->finding_count > count) /* another thread took stock anew in between */
        study->finding_count = count;
    return MTLCAP_OK;
}

/* A no, or a ceiling, is all that the rule asks for. */
static bool only_lowers(const struct mtlcap__rule *rule) {
    return !rule->min.set || (!rule->min.number[0] && !rule->min.number[1] && !rule->min.number[2]);
}

/* A rule for an answer that a device does not give, or gives in a way that is not known, cannot be
 * kept. A ceiling over what nobody can ask holds already. */
static int check_support(const struct mtlcap__study *study) {
    for (size_t d = 0; d < study->device_count; d++) {
        const struct mtlcap__device *device = study->devices[d];
        for (size_t c = 0; c < MTLCAP__CAPABILITY_COUNT; c++) {
            const struct mtlcap__rule *rule = &study->rules[d].rule[c];
            const enum mtlcap__support support = device->support[c];
            if (!mtlcap__rule_is_set(rule) || support == MTLCAP__SUPPORTED ||
                (support == MTLCAP__MISSING && only_lowers(rule)))
                continue;
            return mtlcap__fail(
                MTLCAP_E_UNSUPPORTED, "%s cannot be overridden on %s: -[%s %s] %s",
                mtlcap__capabilities[c].key, device->name, mtlcap__rt_class_name(device->cls),
                mtlcap__capabilities[c].selector,
                support == MTLCAP__MISSING ? "does not exist there"
                                           : "has a signature that this version does not know");
        }
    }
    return MTLCAP_OK;
}

/* The whole consent that the profile needs: what is allowed already, and what is refused. */
static void list_consent(const struct mtlcap__study *study, char *names, size_t size) {
    mtlcap__hazard_set needed = study->allowed;
    for (size_t i = 0; i < study->finding_count; i++)
        if (mtlcap__hazards[study->findings[i].hazard].refuses)
            needed |= (mtlcap__hazard_set)1 << study->findings[i].hazard;
    names[0] = '\0';
    for (int id = 0; id < MTLCAP__HAZARD_COUNT; id++) {
        const size_t length = strlen(names);
        if (needed >> id & 1)
            snprintf(names + length, size - length, "%s%s", length ? "+" : "",
                     mtlcap__hazards[id].name);
    }
}

/* Why applying would fail on these devices; the first reason. */
static int check(const struct mtlcap__study *study) {
    if (mtlcap__profile_hides(study->profile))
        return mtlcap__fail(MTLCAP_E_UNSUPPORTED,
                            "`hide` cannot be applied: it is for the injected library, which sees "
                            "devices being asked for and withholds them (MTLCAP_PROFILE=hide)");
    int status = check_support(study);
    for (size_t i = 0; i < study->finding_count && !status; i++) {
        const struct mtlcap__finding *finding = &study->findings[i];
        const struct mtlcap__hazard *hazard = &mtlcap__hazards[finding->hazard];
        if (!hazard->refuses || finding->allowed)
            continue;
        char consent[256], message[sizeof finding->message + sizeof consent + 64];
        list_consent(study, consent, sizeof consent);
        mtlcap__copy_text(message, sizeof message, finding->message, finding->reason);
        mtlcap__hazard_add_consent(message, sizeof message, consent);
        status = mtlcap__fail_hazard(hazard->name, "%s", message);
    }
    return status;
}

int mtlcap__study_begin(struct mtlcap__study *study, enum mtlcap__study_of of,
                        const struct mtlcap__profile *profile, mtlcap__hazard_set allowed) {
    memset(study, 0, sizeof *study);
    study->profile = profile;
    study->allowed = allowed;
    mtlcap__host_read(&study->host);
    int status = take_devices(study, of);
    if (!status)
        status = resolve(study);
    if (!status)
        status = find_hazards(study);
    if (status)
        mtlcap__study_end(study);
    else if (!study->status)
        study->status = check(study);
    return status;
}

void mtlcap__study_end(struct mtlcap__study *study) {
    free(study->devices);
    free(study->rules);
    free(study->findings);
    memset(study, 0, sizeof *study);
}
