/* The built-in profiles. */
#include "profile.h"

const struct mtlcap__builtin mtlcap__builtins[] = {
    {
        .name = "stock",
        .rules = NULL,
        .shown = "(no rules)",
        .summary = "what the device says by itself: the control in an experiment",
        .source = "",
    },
    {
        .name = "auto",
        .rules = NULL,
        .shown = "(in a VM: apple.min= the family of the host's chip; elsewhere no rules)",
        .summary = "in a virtual machine, the Apple family that the hardware below has",
        .source = "",
    },
    {
        .name = "lume",
        .rules = "apple.min=9,threadgroup_memory.min=64K",
        .shown = "apple.min=9,threadgroup_memory.min=64K",
        .summary = "the published profile of Lume's shim, to reproduce its results",
        .source = "",
    },
    {
        .name = "hide",
        .rules = NULL,
        .shown = "(no device at all)",
        .summary = "for programs that must not choose the GPU; the injected library only",
        .source = "",
    },
};

const size_t mtlcap__builtin_count = sizeof mtlcap__builtins / sizeof mtlcap__builtins[0];
