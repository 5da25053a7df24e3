/* What the numbers in a trace are called. */
#include "trace_text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "mtlcap/mtlcap.h"

/* Metal's names of constants that are not made of a number; in Metal's order, from 0. */
static const char *const feature_sets[] = {
    "GPUFamily1_v1", "GPUFamily1_v2", "ReadWriteTextureTier2",
    "GPUFamily1_v3", "GPUFamily1_v4", "GPUFamily2_v1",
};
static const char *const sampling_points[] = {"Stage", "Draw", "Dispatch", "TileDispatch", "Blit"};

enum { FIRST_FEATURE_SET = 10000 }; /* of macOS */

/* What an axis is called in the names of families; NULL: it is none. */
static const char *axis_name(const struct mtlcap__trace_capability *row) {
    static const char *const axes[][2] = {{"apple", "Apple"},
                                          {"mac", "Mac"},
                                          {"common", "Common"},
                                          {"catalyst", "MacCatalyst"},
                                          {"metal", "Metal"}};
    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; i++)
        if (strcmp(row->key, axes[i][0]) == 0)
            return axes[i][1];
    return NULL;
}

/* Name number `argument` of a list; NULL: it has none. */
static const char *listed(const char *const *names, size_t count, uint64_t argument) {
    return argument < count ? names[argument] : NULL;
}

#define LISTED(names, argument) listed(names, sizeof(names) / sizeof(names)[0], argument)

void mtlcap__trace_argument_text(const struct mtlcap__trace_capability *row,
                                 const struct mtlcap__trace_capability *speaks, int64_t argument,
                                 char *text, size_t size) {
    const bool known = speaks && argument >= speaks->first && argument <= speaks->last;
    const char *name;
    if (strcmp(row->selector, "supportsFamily:") == 0) {
        name = known ? axis_name(speaks) : NULL;
        if (name)
            snprintf(text, size, "MTLGPUFamily%s%" PRIu64, name,
                     (uint64_t)argument + (uint64_t)speaks->named);
        else
            snprintf(text, size, "%" PRId64 ", no family of Metal's that is known", argument);
    } else if (strcmp(row->selector, "supportsFeatureSet:") == 0) {
        name = LISTED(feature_sets, (uint64_t)argument - FIRST_FEATURE_SET);
        if (name)
            snprintf(text, size, "MTLFeatureSet_macOS_%s", name);
        else
            snprintf(text, size, "%" PRId64 ", no feature set of macOS that is known", argument);
    } else if (strcmp(row->selector, "supportsCounterSampling:") == 0) {
        name = LISTED(sampling_points, (uint64_t)argument);
        if (name)
            snprintf(text, size, "MTLCounterSamplingPointAt%sBoundary", name);
        else
            snprintf(text, size, "%" PRId64 ", no sampling point of Metal's that is known",
                     argument);
    } else {
        snprintf(text, size, "%" PRIu64, (uint64_t)argument);
    }
}

void mtlcap__trace_answer_text(const struct mtlcap__trace_capability *row, const uint64_t *answer,
                               char *text, size_t size) {
    switch (row->shape) {
    case MTLCAP__TRACE_YES_NO:
    case MTLCAP__TRACE_ASKS_ARGUMENT:
        snprintf(text, size, "%s", answer[0] ? "yes" : "no");
        break;
    case MTLCAP__TRACE_SIZE3:
        snprintf(text, size, "%" PRIu64 "x%" PRIu64 "x%" PRIu64, answer[0], answer[1], answer[2]);
        break;
    default: /* a tier has a name with another number */
        snprintf(text, size, "%" PRIu64, answer[0] + (uint64_t)row->named);
        break;
    }
}
