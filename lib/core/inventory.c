/* What there is: devices, capabilities, profiles, hazards, and the machine. */
#include "inventory.h"

#include <string.h>

#include "capability.h"
#include "device.h"
#include "error.h"
#include "hazard.h"
#include "host/host.h"
#include "lock.h"
#include "profile.h"
#include "structure.h"

#define COPY(array, text) mtlcap__copy_text(array, sizeof(array), text, strlen(text))

/* ---- devices -------------------------------------------------------------- */

int mtlcap__device_count(uint32_t *count) {
    if (!count)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "count is NULL");
    *count = 0;
    int status = mtlcap__devices_refresh();
    if (!status)
        *count = (uint32_t)mtlcap__devices_count();
    return status;
}

int mtlcap__device_info(uint32_t index, struct mtlcap_device *info) {
    int status = mtlcap__structure_check(info, sizeof *info);
    if (!status)
        status = mtlcap__devices_look();
    if (status)
        return status;
    const struct mtlcap__device *device = mtlcap__devices_at(index);
    if (!device)
        return mtlcap__fail(MTLCAP_E_NO_DEVICE, "there is no device %u: there are %zu", index,
                            mtlcap__devices_count());
    struct mtlcap_device filled = MTLCAP_DEVICE_INIT;
    filled.device = device->object;
    filled.paravirtual = device->paravirtual;
    mtlcap__lock();
    filled.adopted = device->adopted;
    mtlcap__unlock();
    COPY(filled.name, device->name);
    COPY(filled.class_name, mtlcap__rt_class_name(device->cls));
    mtlcap__structure_fill(info, &filled, sizeof filled);
    return MTLCAP_OK;
}

/* ---- tables --------------------------------------------------------------- */

uint32_t mtlcap__capability_count(void) {
    return MTLCAP__CAPABILITY_COUNT;
}

int mtlcap__capability_info(uint32_t index, struct mtlcap_capability *info) {
    int status = mtlcap__structure_check(info, sizeof *info);
    if (status)
        return status;
    if (index >= MTLCAP__CAPABILITY_COUNT)
        return mtlcap__fail(MTLCAP_E_CAPABILITY, "there is no capability %u: there are %d", index,
                            MTLCAP__CAPABILITY_COUNT);
    const struct mtlcap__capability *capability = &mtlcap__capabilities[index];
    const struct mtlcap_capability filled = {
        .struct_size = sizeof filled,
        .key = capability->key,
        .selector = capability->selector,
        .unit = capability->unit,
        .hazard = capability->hazard == MTLCAP__HAZARD_NONE
                      ? ""
                      : mtlcap__hazards[capability->hazard].name,
        .summary = capability->summary,
        .kind = capability->kind,
        .change = capability->change,
    };
    mtlcap__structure_fill(info, &filled, sizeof filled);
    return MTLCAP_OK;
}

uint32_t mtlcap__profile_count(void) {
    return (uint32_t)mtlcap__builtin_count;
}

int mtlcap__profile_info(uint32_t index, struct mtlcap_profile *info) {
    int status = mtlcap__structure_check(info, sizeof *info);
    if (status)
        return status;
    if (index >= mtlcap__builtin_count)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "there is no profile %u: there are %zu", index,
                            mtlcap__builtin_count);
    const struct mtlcap__builtin *builtin = &mtlcap__builtins[index];
    const struct mtlcap_profile filled = {
        .struct_size = sizeof filled,
        .name = builtin->name,
        .rules = builtin->shown,
        .summary = builtin->summary,
        .source = builtin->source,
    };
    mtlcap__structure_fill(info, &filled, sizeof filled);
    return MTLCAP_OK;
}

uint32_t mtlcap__hazard_count(void) {
    return MTLCAP__HAZARD_COUNT;
}

int mtlcap__hazard_info(uint32_t index, struct mtlcap_hazard *info) {
    int status = mtlcap__structure_check(info, sizeof *info);
    if (status)
        return status;
    if (index >= MTLCAP__HAZARD_COUNT)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "there is no hazard %u: there are %d", index,
                            MTLCAP__HAZARD_COUNT);
    const struct mtlcap__hazard *hazard = &mtlcap__hazards[index];
    const struct mtlcap_hazard filled = {
        .struct_size = sizeof filled,
        .name = hazard->name,
        .when = hazard->when,
        .breaks = hazard->breaks,
        .source = hazard->source,
        .refuses = hazard->refuses,
    };
    mtlcap__structure_fill(info, &filled, sizeof filled);
    return MTLCAP_OK;
}

/* ---- the machine ---------------------------------------------------------- */

int mtlcap__machine_info(struct mtlcap_machine *machine) {
    int status = mtlcap__structure_check(machine, sizeof *machine);
    if (status)
        return status;
    struct mtlcap__host host;
    mtlcap__host_read(&host);
    struct mtlcap_machine filled = MTLCAP_MACHINE_INIT;
    filled.memory = host.memory;
    filled.virtual_machine = host.virtual_machine;
    filled.apple_silicon = host.apple_silicon;
    filled.chip_family = host.chip_family;
    filled.os_major = host.os_major;
    filled.os_minor = host.os_minor;
    filled.simulated = host.simulated;
    COPY(filled.chip, host.chip);
    COPY(filled.model, host.model);
    COPY(filled.os_version, host.os_version);
    mtlcap__structure_fill(machine, &filled, sizeof filled);
    return MTLCAP_OK;
}

/* ---- the last error ------------------------------------------------------- */

int mtlcap__last_error_info(struct mtlcap_error *error) {
    struct mtlcap_error filled = MTLCAP_ERROR_INIT;
    mtlcap__error_parts(&filled);
    int status = mtlcap__structure_check(error, sizeof *error);
    if (!status)
        mtlcap__structure_fill(error, &filled, sizeof filled);
    return status;
}
