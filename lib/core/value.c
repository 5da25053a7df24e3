/* Values of capabilities: comparing them, and writing them down. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "capability.h"

bool mtlcap__value_equal(const struct mtlcap__value *a, const struct mtlcap__value *b) {
    return a->members == b->members && memcmp(a->number, b->number, sizeof a->number) == 0;
}

bool mtlcap__value_above(const struct mtlcap__value *a, const struct mtlcap__value *b,
                         const struct mtlcap__capability *capability) {
    switch (capability->kind) {
    case MTLCAP_KIND_FAMILY:
    case MTLCAP_KIND_COUNT:
        return (a->members & ~b->members) != 0 || a->number[0] > b->number[0];
    case MTLCAP_KIND_SIZE3:
        return a->number[0] > b->number[0] || a->number[1] > b->number[1] ||
               a->number[2] > b->number[2];
    case MTLCAP_KIND_TEXT:
        return false;
    default:
        return a->number[0] > b->number[0];
    }
}

void mtlcap__value_text(const struct mtlcap__value *value,
                        const struct mtlcap__capability *capability, char *text, size_t size) {
    const uint64_t *number = value->number;

    switch (capability->kind) {
    case MTLCAP_KIND_BOOL:
        snprintf(text, size, "%s", number[0] != 0 ? "yes" : "no");
        break;
    case MTLCAP_KIND_FAMILY:
    case MTLCAP_KIND_COUNT:
        if (number[0] == 0)
            snprintf(text, size, "off");
        else
            snprintf(text, size, "%" PRIu64, number[0]);
        break;
    case MTLCAP_KIND_SIZE3:
        snprintf(text, size, "%" PRIu64 "x%" PRIu64 "x%" PRIu64, number[0], number[1], number[2]);
        break;
    default:
        snprintf(text, size, "%" PRIu64, number[0]);
        break;
    }
}
