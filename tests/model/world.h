/*
 * The model of a process with Metal in it: classes, what stands in their method tables, devices,
 * and what a message to a device answers. Whose methods they are, Metal's, other shims' or the
 * library's, makes no difference to how they are found.
 */
#ifndef MODEL_WORLD_H
#define MODEL_WORLD_H

#include "rows.h"

enum { CLASSES_MAX = 32, OBJECTS_MAX = 24, ARGUMENTS_MAX = 64, CONFIGS_MAX = 16 };

enum method_kind {
    METHOD_NATIVE,
    METHOD_OURS,  /* the library's: by the plan of its class, else what is below */
    METHOD_CHAIN, /* others': what is below */
    METHOD_RAISE, /* others': what is below, and more */
    METHOD_LOWER, /* others': what is below, and less */
    METHOD_CONSTANT
};

struct method {
    enum method_kind kind;
    int class;
    enum selector_id selector;
    const struct method *below; /* NULL: a message to super */
    int64_t low, high;          /* others': the arguments that they speak of */
    uint64_t number;            /* others': the bound, or the answer */
    bool asked;                 /* since this was last cleared */
};

struct class {
    const char *name;
    int super; /* -1: none */
    bool at_run_time;
    struct method *top[SELECTOR_COUNT]; /* NULL: inherits it */
    const struct rules *plan;           /* NULL: the library lets everything through */
};

/* What a kind of device says by itself. */
struct config {
    bool paravirtual;
    char class_name[64];
    struct answer answers[SELECTOR_COUNT];
    bool yes[SELECTOR_COUNT][ARGUMENTS_MAX]; /* by position in selector_arguments() */
};

/* A device, or a tool's wrapper around one. */
struct object {
    int device; /* which object is the device itself */
    const struct config *config;
    int class;    /* that answers messages */
    int compiled; /* the one below classes made at run time */
    bool wrapper;
};

struct world {
    struct class classes[CLASSES_MAX];
    int class_count;
    struct object objects[OBJECTS_MAX];
    int object_count;
};

/* The arguments that are ever asked, known to Metal or not; 1 (which is 0) if it takes none. */
int selector_arguments(enum selector_id selector, int64_t arguments[ARGUMENTS_MAX]);

struct answer world_ask(const struct world *world, int object, enum selector_id selector,
                        int64_t argument);

/* The method that a message to the object reaches first. */
const struct method *world_reached(const struct world *world, int class, enum selector_id selector);

/* What a method passes through to. */
const struct method *world_below(const struct world *world, const struct method *method);

/* What the answers to all questions of a row come to. `method`: asked directly; NULL: a message. */
struct value world_value(const struct world *world, int object, size_t row,
                         const struct method *method);

/* Puts a method on top of what the class has, or inherits. */
struct method *world_put(struct world *world, int class, enum selector_id selector,
                         struct method method);

#endif
