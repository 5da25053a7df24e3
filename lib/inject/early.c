/*
 * Early timing: hooks go in while Metal makes a device, from its own initGPUFamilySupport, as the
 * shims of others do it. What Metal caches right after is then computed from overridden answers,
 * and no restore reaches it.
 *
 * Nothing is reported from here: the device is not made yet. If it could not be done, the device is
 * found uncovered when it is handed out, and the session tries again, late, and tells.
 */
#include <stdatomic.h>

#include "core/injected.h"
#include "inject.h"

static const char *wanted_profile, *wanted_allow; /* set before the hook is in */
static void (*_Atomic original)(void *self, void *selector);
static _Atomic uint64_t applied_generation;

/* The program may have restored, or applied something else: then it is left alone. */
static bool may_apply(void) {
    char other[8];
    const uint64_t applied = atomic_load(&applied_generation);
    return mtlcap__injected_is_first(other, sizeof other) && mtlcap_generation() == applied;
}

static void init_gpu_family_support(void *self, void *selector) {
    atomic_load (&original)(self, selector);
    if (!may_apply())
        return;
    uint64_t generation = 0;
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.allow = wanted_allow;
    options.generation = &generation;
    if (!mtlcap__injected_apply_early(wanted_profile, &options, self) && generation)
        atomic_store(&applied_generation, generation);
}

void mtlcap__early_watch(const char *profile, const char *allow) {
    static bool watching; /* guarded by the session's turn, or by being at load */
    if (watching)
        return;
    wanted_profile = profile;
    wanted_allow = allow;
    watching = mtlcap__injected_replace("_MTLDevice", "initGPUFamilySupport",
                                        init_gpu_family_support, &original);
}

uint64_t mtlcap__early_generation(void) {
    return atomic_load(&applied_generation);
}
