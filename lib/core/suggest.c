/* Edit distance between short words. */
#include "suggest.h"

#include <string.h>

#define LONGEST 48

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* How many letters to insert, delete, replace, or swap with their neighbour, to get from one word
 * to the other. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t row[3][LONGEST + 1]; /* of a's last letter but one, its last, and this one */
    size_t *before = row[0], *above = row[1], *here = row[2];

    for (size_t j = 0; j <= b_length; j++)
        above[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        here[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
            here[j] = least(replaced, least(above[j], here[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                here[j] = least(here[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = above;
        above = here;
        here = oldest;
    }
    return above[b_length];
}

void mtlcap__suggest(struct mtlcap__suggestion *suggestion, const char *candidate) {
    size_t length = strlen(candidate);
    size_t near = 1 + suggestion->length / 4;

    if (suggestion->length < 2 || suggestion->length > LONGEST || length > LONGEST)
        return;
    size_t found = distance(suggestion->word, suggestion->length, candidate, length);
    if (found > near || (suggestion->best != NULL && found >= suggestion->distance))
        return;
    suggestion->best = candidate;
    suggestion->distance = found;
}
