/* Values of capabilities: comparing them, and writing them down. */
#include <string.h>

#include "capability.h"
#include "error.h"

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

/* In decimal; what lies before `end`, and begins where it says. printf would take most of the time
 * of a query. */
static char *put_number(char *end, uint64_t number) {
    do
        *--end = (char)('0' + number % 10);
    while (number /= 10);
    return end;
}

void mtlcap__value_text(const struct mtlcap__value *value,
                        const struct mtlcap__capability *capability, char *text, size_t size) {
    const uint64_t *number = value->number;
    char buffer[3 * 20 + 2];
    char *const end = buffer + sizeof buffer, *start = end;
    const int dimensions = capability->kind == MTLCAP_KIND_SIZE3 ? 3 : 1;
    const char *word = NULL;

    if (capability->kind == MTLCAP_KIND_BOOL)
        word = number[0] != 0 ? "yes" : "no";
    else if ((capability->kind == MTLCAP_KIND_FAMILY || capability->kind == MTLCAP_KIND_COUNT) &&
             number[0] == 0)
        word = "off";
    if (word) {
        mtlcap__copy_text(text, size, word, strlen(word));
        return;
    }
    for (int i = dimensions - 1; i >= 0; i--) {
        start = put_number(start, number[i]);
        if (i > 0)
            *--start = 'x';
    }
    mtlcap__copy_text(text, size, start, (size_t)(end - start));
}
