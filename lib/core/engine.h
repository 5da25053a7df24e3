/* The engine: applies a profile, restores, and keeps the record of what was done. */
#ifndef MTLCAP_CORE_ENGINE_H
#define MTLCAP_CORE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device.h"
#include "hazard.h"
#include "host/host.h"
#include "mtlcap/mtlcap.h"
#include "profile.h"

/* What was asked for. Immutable, shared. */
struct mtlcap__request {
    unsigned references; /* guarded by the lock */
    struct mtlcap__profile *profile;
    char *text;  /* the profile as given */
    char *allow; /* options.allow as given */
    mtlcap__hazard_set allowed;
};

/* Did a class's devices count as paravirtual? */
struct mtlcap__covered {
    mtlcap__class cls;
    bool paravirtual;
};

/* What an apply did. Immutable but for the lock: replaced as a whole. */
struct mtlcap__record {
    struct mtlcap__request *request;
    uint64_t generation;
    struct mtlcap__record *below; /* that it is nested over, and comes back; guarded by the lock */
    struct mtlcap__host host;     /* that the profile was resolved for */
    size_t device_count;
    struct mtlcap__covered *covered; /* by device */
    size_t finding_count;
    struct mtlcap__finding *findings;
    size_t change_count;
    struct mtlcap_change *changes;
    /* The first answer with a rule that somebody else's hook gives, below ours: its capability
     * (NULL: none), the device, and the image. */
    const struct mtlcap__capability *foreign;
    const struct mtlcap__device *foreign_device;
    char foreign_image[1024];
};

/* What is in force; NULL: nothing. Only with the lock held. */
const struct mtlcap__record *mtlcap__record_in_force(void);

/* As the public functions of these names. */
int mtlcap__apply_profile(const char *profile, const struct mtlcap_options *options);
int mtlcap__restore(void);
int mtlcap__restore_generation(uint64_t generation);
uint64_t mtlcap__generation(void);
int mtlcap__is_active(void);
int mtlcap__adopt_device(void *object);

/* As mtlcap__injected_apply_early(). */
int mtlcap__apply_early(const char *profile, const struct mtlcap_options *options, void *object);

#endif
