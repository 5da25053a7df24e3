/* Hazards: rules known to break some program, or to promise what no hardware has. */
#ifndef MTLCAP_CORE_HAZARD_H
#define MTLCAP_CORE_HAZARD_H

#include <stdbool.h>
#include <stddef.h>

#include "capability.h"
#include "profile.h"

struct mtlcap__host;

enum mtlcap__hazard_id {
    MTLCAP__HAZARD_NONE = -1,
#define HAZARD(id, ...) MTLCAP__HAZARD_##id,
#include "hazards.def"
#undef HAZARD
    MTLCAP__HAZARD_COUNT
};

struct mtlcap__hazard {
    const char *name, *when, *breaks, *source;
    bool refuses;
};

extern const struct mtlcap__hazard mtlcap__hazards[MTLCAP__HAZARD_COUNT];

/* A set of hazards, a bit each. */
typedef uint32_t mtlcap__hazard_set;

/* "a+b" to a set; NULL and "" are the empty set. E_ARGUMENT for an unknown name, naming the known.
 */
int mtlcap__hazards_parse(const char *names, mtlcap__hazard_set *set);

/* What is asked about: a device, what it says by itself, and what it would say. */
struct mtlcap__target {
    const char *device_name;
    bool paravirtual;
    const struct mtlcap__host *host;
    const struct mtlcap__value *stock; /* by capability */
    const bool *supported;             /* by capability: the device answers it */
    bool has_torch;                    /* libtorch is in the process */
};

struct mtlcap__finding {
    enum mtlcap__hazard_id hazard;
    bool allowed;
    size_t reason; /* so many bytes of the message come before how to override */
    char rule[256];
    char message[512];
};

/* Adds to a message how to override the refusal, in no language's words. `names` of hazards are
 * joined by +. */
void mtlcap__hazard_add_consent(char *message, size_t size, const char *names);

/*
 * Finds every hazard that `rules` meet on a device; appends to findings[*count], up to `capacity`;
 * *count keeps counting beyond it. A hazard is found once a rule. Rules that change nothing meet
 * none.
 */
void mtlcap__hazards_find(const struct mtlcap__rules *rules, const struct mtlcap__target *target,
                          mtlcap__hazard_set allowed, struct mtlcap__finding *findings,
                          size_t capacity, size_t *count);

#endif
