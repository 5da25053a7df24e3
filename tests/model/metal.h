/* The machines and devices that sequences run on, and what Metal says about them by itself. */
#ifndef MODEL_METAL_H
#define MODEL_METAL_H

#include "library.h"
#include "sequence.h"

/* A kind of device that can be made. */
struct make {
    const char *machine;
    unsigned index;
    const char *class_name; /* NULL: the machine's choice */
    bool has_subclass;      /* another kind's class is below its own */
};

/* What SIMMETAL_DEVICES is set to, and what that comes to. */
struct machine {
    const char *name;
    struct host host;
    int makes[2]; /* of its list; -1: none */
    bool wrapped; /* in MTLDebugDevice */
};

extern const struct make makes[];
extern const struct machine machines[];
extern const int make_count, machine_count;

struct learnt {
    struct config configs[CONFIGS_MAX]; /* by make */
    struct {
        char name[64];
        int super;
        bool owns[SELECTOR_COUNT];
    } classes[CLASSES_MAX];
    int class_count;
};

#endif
