/* The library's lists, by index and by name. */
#include "catalog.h"

#include <stdio.h>
#include <string.h>

#include "args.h"

struct mtlcap_capability catalog_capability(uint32_t index) {
    struct mtlcap_capability capability = {.struct_size = sizeof capability};
    mtlcap_capability_info(index, &capability);
    return capability;
}

struct mtlcap_profile catalog_profile(uint32_t index) {
    struct mtlcap_profile profile = {.struct_size = sizeof profile};
    mtlcap_profile_info(index, &profile);
    return profile;
}

struct mtlcap_hazard catalog_hazard(uint32_t index) {
    struct mtlcap_hazard hazard = {.struct_size = sizeof hazard};
    mtlcap_hazard_info(index, &hazard);
    return hazard;
}

static const char *profile_name(size_t index, const void *context) {
    (void)context;
    return index < mtlcap_profile_count() ? catalog_profile((uint32_t)index).name : NULL;
}

static const char *hazard_name(size_t index, const void *context) {
    (void)context;
    return index < mtlcap_hazard_count() ? catalog_hazard((uint32_t)index).name : NULL;
}

static bool find(const char *word, candidate_function *candidate, uint32_t *found) {
    const char *name;
    for (uint32_t i = 0; (name = candidate(i, NULL)) != NULL; i++)
        if (strcmp(name, word) == 0) {
            *found = i;
            return true;
        }
    return false;
}

bool catalog_find_profile(const char *name, uint32_t *index) {
    return find(name, profile_name, index);
}

bool catalog_find_hazard(const char *name, uint32_t *index) {
    return find(name, hazard_name, index);
}

const char *catalog_near_profile(const char *name) {
    return nearest(name, profile_name, NULL);
}

const char *catalog_near_hazard(const char *name) {
    return nearest(name, hazard_name, NULL);
}

void catalog_bytes_text(uint64_t bytes, char *text, size_t size) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;
    double amount = (double)bytes;
    for (; amount >= 1024 && unit + 1 < sizeof units / sizeof units[0]; unit++)
        amount /= 1024;
    bool whole = amount == (double)(uint64_t)amount;
    snprintf(text, size, "%.*f %s", whole ? 0 : 1, amount, units[unit]);
}

void catalog_value_text(const struct mtlcap_capability *capability,
                        const struct mtlcap_value *value, char *text, size_t size) {
    if (strcmp(capability->unit, "bytes") == 0 && value->number[0] >= 1024) {
        char bytes[32];
        catalog_bytes_text(value->number[0], bytes, sizeof bytes);
        snprintf(text, size, "%s (%s)", value->text, bytes);
    } else {
        snprintf(text, size, "%s", value->text);
    }
}
