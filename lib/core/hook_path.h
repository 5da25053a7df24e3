/* The hooks that there are, and their functions. */
#ifndef MTLCAP_CORE_HOOK_PATH_H
#define MTLCAP_CORE_HOOK_PATH_H

#include "hook.h"

enum { MTLCAP__HOOK_POOLS = 6 };

/* Hooks of one signature: which of them have it, hook.c knows. */
struct mtlcap__hook_pool {
    struct mtlcap__hook *hooks;
    const mtlcap__imp *imps;
    unsigned count;
};

extern const struct mtlcap__hook_pool mtlcap__hook_pools[MTLCAP__HOOK_POOLS];

#endif
