/* Everything that a device answers, by messages, and whose functions answer. */
#ifndef FAULTS_ANSWERS_H
#define FAULTS_ANSWERS_H

#include "core/capability.h"

struct answers {
    struct mtlcap__value value[MTLCAP__CAPABILITY_COUNT];
};

/* Asks a device. */
struct answers answers_of(void *device);

/* The first capability whose answers differ; NULL: none. */
const char *answers_differ(const struct answers *a, const struct answers *b);

/* The first one whose answer is that of none of `good`. */
const char *answers_differ_from_all(const struct answers *answers,
                                    const struct answers *const *good, size_t count);

/* The functions that a device's class has of its own for the table's selectors. */
struct own_methods {
    void (*imp[MTLCAP__CAPABILITY_COUNT])(void); /* NULL: inherited */
};

struct own_methods own_methods_of(void *device);

/* The first selector that the class had before and that another function answers now; NULL. */
const char *own_methods_changed(const struct own_methods *before, const struct own_methods *now);

#endif
