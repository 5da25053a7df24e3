/*
 * The built-in profiles.
 *
 * What "like" profiles say is what Apple's Metal Feature Set Tables give for a family. What the
 * tables leave open ("some GPUs in the family") is left as the device has it; so is the tier of
 * argument buffers, which cannot be lowered. Metal's version has a ceiling and no floor: it is also
 * a matter of the system, and an older one must not be made to claim it.
 */
#include <string.h>

#include "profile_parts.h"

#define RULES(text) .rules = (text), .shown = (text)

/* Of every family since Apple4. */
#define LIMITS "threadgroup_memory.max=32K,threads_per_threadgroup.max=1024"

/* Apple5 and Apple6, which are in no Mac. */
#define NOT_IN_A_MAC "mac=off,metal=off"
#define NOT_BEFORE_APPLE7                                                                          \
    "shader_barycentric_coordinates=off,barycentric_coords=off,query_texture_lod=off,"             \
    "placement_sparse=off,bc_texture_compression=off,32bit_float_filtering=off"
#define NOT_BEFORE_APPLE6                                                                          \
    "raytracing=off,raytracing_from_render=off,function_pointers=off,"                             \
    "function_pointers_from_render=off,dynamic_libraries=off,render_dynamic_libraries=off,"        \
    "rasterization_rate_layers=off"

#define IN_A_MAC "mac.max=2,metal.max=4"

#define TABLES "Apple, Metal Feature Set Tables. "
#define CHIPS "Metal GPUs (2026-05-21): family and Metal versions of each chip"
#define LIMITS_TABLE "GPU implementation limits by family (2025): 32 KB, 1024 threads"
#define OLD_TABLES                                                                                 \
    ", vertex amplification. Metal feature availability by GPU family (2025): features since "     \
    "Apple6, Apple7, Apple8. Texture capabilities by pixel format (2025): BC formats, filtering "  \
    "of R32Float"

#define LIKE(family, chips_in_it)                                                                  \
    {                                                                                              \
        .name = "like-apple" family,                                                               \
        RULES("apple=" family "," IN_A_MAC "," LIMITS),                                            \
        .summary = "as on a GPU of family Apple" family ": " chips_in_it,                          \
        .source = TABLES CHIPS ". " LIMITS_TABLE,                                                  \
    }

#define LIKE_CHIP(chip, family)                                                                    \
    {                                                                                              \
        .name = "like-m" chip,                                                                     \
        RULES("like-apple" family),                                                                \
        .summary = "as on a Mac with an M" chip " chip",                                           \
        .source = TABLES CHIPS ". " LIMITS_TABLE,                                                  \
    }

const struct mtlcap__builtin mtlcap__builtins[] = {
    {
        .name = "stock",
        .shown = "(no rules)",
        .summary = "what the device says by itself; the control in an experiment",
        .source = "",
    },
    {
        .name = "auto",
        .shown =
            "(in a virtual machine: apple.min= the family of the host's chip, 7 if it cannot be "
            "told, the newest known if it is newer; elsewhere no rules)",
        .summary = "in a virtual machine, the Apple family of the silicon below, and no other rule",
        .source = TABLES CHIPS,
    },
    {
        .name = "lume",
        RULES("apple.min=9,threadgroup_memory.min=64K"),
        .summary = "the published profile of Lume's shim, for reproducing its results",
        .source = "trycua/cua#3070",
    },
    {
        .name = "github-runner",
        RULES("apple.max=5,mac.max=2,common.max=3,metal=off,threadgroup_memory.max=32K,"
              "working_set.max=5010800640,buffer_length.max=3758096384"),
        .summary = "at most what the paravirtual device of a hosted arm64 macOS runner says",
        .source = "ggml-org/llama.cpp#8617 and #14829 (families, working set, threadgroup memory); "
                  "buffer length: half of that runner's 7 GiB",
    },
    {
        .name = "like-apple5",
        RULES("apple=5," NOT_IN_A_MAC "," LIMITS "," NOT_BEFORE_APPLE7 "," NOT_BEFORE_APPLE6
              ",vertex_amplification.max=1"),
        .summary = "as on a GPU of family Apple5: A12",
        .source = TABLES CHIPS ". " LIMITS_TABLE OLD_TABLES,
    },
    {
        .name = "like-apple6",
        RULES("apple=6," NOT_IN_A_MAC "," LIMITS "," NOT_BEFORE_APPLE7
              ",vertex_amplification.max=2"),
        .summary = "as on a GPU of family Apple6: A13",
        .source = TABLES CHIPS ". " LIMITS_TABLE OLD_TABLES,
    },
    LIKE("7", "A14, M1"),
    LIKE("8", "A15, A16, M2"),
    LIKE("9", "A17, A18, M3, M4"),
    LIKE("10", "A19, M5"),
    LIKE_CHIP("1", "7"),
    LIKE_CHIP("2", "8"),
    LIKE_CHIP("3", "9"),
    LIKE_CHIP("4", "9"),
    LIKE_CHIP("5", "10"),
    {
        .name = "no-families",
        RULES("apple=off,mac=off,common=off,catalyst=off,metal=off,feature_set=off"),
        .summary = "every family off: what a program does without",
        .source = "",
    },
    {
        .name = "hide",
        .shown = "(no device: creation returns nil, lists are empty)",
        .summary = "for programs that must not choose the GPU; only the injected library can do it",
        .source = "",
    },
};

const size_t mtlcap__builtin_count = sizeof mtlcap__builtins / sizeof mtlcap__builtins[0];

const struct mtlcap__builtin *mtlcap__builtin_by_name(const char *name, size_t length) {
    for (size_t i = 0; i < mtlcap__builtin_count; i++) {
        const struct mtlcap__builtin *builtin = &mtlcap__builtins[i];
        if (strlen(builtin->name) == length && memcmp(builtin->name, name, length) == 0)
            return builtin;
    }
    return NULL;
}
