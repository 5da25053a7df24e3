/* The model of the library: what each call has to return, and what it does to the world. */
#ifndef MODEL_LIBRARY_H
#define MODEL_LIBRARY_H

#include "profile.h"
#include "world.h"

struct host {
    int gpu_family; /* of the chip; 0: none of Apple's */
    uint64_t memory;
    bool macos_14;
};

/* A hook of the library's. What it passes through to never changes. */
struct hook {
    struct method *method;
    bool in;            /* the class has it, as far as the library knows */
    struct hook *older; /* of the same class and selector */
};

/* A device, or a wrapper around one, that the library knows. */
struct known {
    int object;
    bool listed, adopted;
    bool snapshot; /* stock was asked while nothing was overridden on it */
    struct value stock[ROWS_MAX];
    bool foreign[ROWS_MAX]; /* it is another's hook that says so */
};

struct library {
    struct world *world;
    struct host host;
    int listed[OBJECTS_MAX]; /* Metal's list */
    int listed_count;
    bool looked; /* at that list */

    struct known known[OBJECTS_MAX];
    int known_count;
    struct hook *newest[CLASSES_MAX][SELECTOR_COUNT];
    int taken[4]; /* hooks used up, by shape */

    bool in_force, active;
    struct profile profile;
    unsigned consent;
    uint64_t generation, last_generation;
};

/* Each returns the status that the library has to return. */
int library_apply(struct library *library, const struct profile *profile, unsigned consent);
int library_restore(struct library *library);
int library_restore_generation(struct library *library, uint64_t generation);
int library_adopt(struct library *library, int object);

/* Looks at Metal's list anew. */
void library_refresh(struct library *library);

struct expected {
    int stock_known, overridden, derived;
    bool foreign;   /* the stock answer is another's, or what changes it is */
    char rule[256]; /* "": none */
    struct value stock, effective;
};

/* object -1: the first device; MTLCAP_E_NO_DEVICE if there is none. */
int library_query(struct library *library, int object, size_t row, struct expected *expected);

#endif
