/* "Did you mean": the known word that looks most like an unknown one. */
#ifndef MTLCAP_CORE_SUGGEST_H
#define MTLCAP_CORE_SUGGEST_H

#include <stddef.h>

struct mtlcap__suggestion {
    const char *word; /* the unknown one, of `length` bytes */
    size_t length;
    const char *best; /* NULL: none is near */
    size_t distance;  /* of `best` */
};

/* Makes `candidate` the best one if it is near, and nearer than those before it. */
void mtlcap__suggest(struct mtlcap__suggestion *suggestion, const char *candidate);

#endif
