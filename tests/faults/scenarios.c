/* The scenarios. */
#include "scenarios.h"

const struct scenario scenarios[] = {
    {
        .name = "added methods",
        .machine = "paravirt",
        .profile = "apple.min=7,unified_memory=off,threads_per_threadgroup=64x64x64",
        .allocations = 20,
        .refusals = 3,
    },
    {
        .name = "owned methods",
        .machine = "override-in-leaf",
        .profile = "apple.min=7,threadgroup_memory.max=16K",
        .allocations = 20,
        .refusals = 2,
    },
    {
        .name = "two classes",
        .machine = "two-vendors",
        .profile = "like-m1,raytracing=on,counter_sampling_draw=on",
        .allocations = 30,
        .refusals = 8,
    },
    {
        .name = "over a profile in force",
        .machine = "paravirt",
        .before = "apple.min=7,threadgroup_memory.max=16K",
        .profile = "apple.max=3,working_set.max=1G,threadgroup_memory.min=64K",
        .allocations = 12,
        .refusals = 1,
    },
    {
        .name = "above another's hook",
        .machine = "override-in-leaf",
        .before = "apple.min=7",
        .profile = "apple.min=8,threadgroup_memory.max=16K",
        .hides = 1,
        .allocations = 20,
        .refusals = 2,
    },
    {
        .name = "from a file",
        .machine = "paravirt",
        .profile = "@",
        .allocations = 20,
        .refusals = 2,
    },
    {
        .name = "adopting",
        .machine = "paravirt",
        .before = "apple.max=3,threadgroup_memory.max=16K",
        .adopted = "m1",
        .allocations = 18,
        .refusals = 2,
    },
    {
        .name = "early",
        .machine = "paravirt",
        .profile = "apple.max=3,threadgroup_memory.max=16K",
        .adopted = "m1",
        .early = 1,
        .allocations = 10,
        .refusals = 2,
    },
    {
        .name = "early, over a profile in force",
        .machine = "paravirt",
        .before = "apple.max=3,threadgroup_memory.max=16K",
        .profile = "stock",
        .adopted = "m1",
        .early = 1,
        .allocations = 10,
        .refusals = 2,
    },
};

const size_t scenario_count = sizeof scenarios / sizeof scenarios[0];
