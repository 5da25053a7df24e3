/* Random numbers that are the same everywhere for the same seed (SplitMix64). */
#ifndef MODEL_RANDOM_H
#define MODEL_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state;
};

static inline uint64_t random_next(struct random *random) {
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* 0 ... limit - 1 */
static inline int random_below(struct random *random, int limit) {
    return (int)(random_next(random) % (uint64_t)limit);
}

static inline int random_one_in(struct random *random, int n) {
    return random_below(random, n) == 0;
}

#endif
