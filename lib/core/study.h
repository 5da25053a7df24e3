/*
 * A study: what a profile would do on this machine's devices now. Applying starts with it,
 * explaining is it. It changes nothing.
 */
#ifndef MTLCAP_CORE_STUDY_H
#define MTLCAP_CORE_STUDY_H

#include <stddef.h>

#include "device.h"
#include "hazard.h"
#include "host/host.h"
#include "profile.h"

enum mtlcap__study_of {
    MTLCAP__LISTED_DEVICES, /* looks at Metal's list first */
    MTLCAP__KNOWN_DEVICES,  /* does not: Metal is making it */
};

struct mtlcap__study {
    const struct mtlcap__profile *profile;
    mtlcap__hazard_set allowed;
    struct mtlcap__host host;
    size_t device_count;
    struct mtlcap__device **devices; /* live for ever */
    struct mtlcap__rules *rules; /* by device; without a device: one, as for a paravirtual one */
    size_t finding_count;
    struct mtlcap__finding *findings;
    int status; /* MTLCAP_OK, E_HAZARD, E_NO_DEVICE, E_UNSUPPORTED: what applying would come to */
};

/* Does a device of the study count as paravirtual? Hooks are a class's, and its subclasses inherit
 * them: one does not if another of its class, or of one below it, is real. */
bool mtlcap__study_paravirtual(const struct mtlcap__study *study,
                               const struct mtlcap__device *device);

/* Checks an options structure. E_VERSION, E_ARGUMENT. NULL is right. */
int mtlcap__options_check(const struct mtlcap_options *options, mtlcap__hazard_set *allowed);

/* Of options that have been checked, also of a caller that does not know the setting. */
bool mtlcap__options_nested(const struct mtlcap_options *options);

/*
 * Studies. Returns MTLCAP_OK if `study` was filled, whatever study->status says, and then it has to
 * be ended; or E_NO_MEMORY. If study->status is not OK, the thread's error says why.
 */
int mtlcap__study_begin(struct mtlcap__study *study, enum mtlcap__study_of of,
                        const struct mtlcap__profile *profile, mtlcap__hazard_set allowed);
void mtlcap__study_end(struct mtlcap__study *study);

#endif
