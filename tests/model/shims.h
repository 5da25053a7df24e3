/* The real thing: messages to simulated devices, other people's hooks, classes made at run time. */
#ifndef MODEL_SHIMS_H
#define MODEL_SHIMS_H

#include "world.h"

/* Opens the runtime; false, and why on stderr, if there is none. */
bool shims_open(void);

/* What a message answers. Of a yes or no the whole register: `full`, or the byte that it is. */
struct answer shims_ask(void *object, enum selector_id selector, int64_t argument, bool full);

/* Metal's list of devices; how many there are. */
int shims_devices(void *devices[], int limit);

/* The class's name, and whether it has the selector itself. */
const char *shims_class_name(void *object);
const char *shims_superclass_name(const char *class_name);
bool shims_owns(const char *class_name, enum selector_id selector);

/* How many hooks of this shape can still be put. */
int shims_left(enum selector_id selector);

/*
 * Puts a hook on a class, as `method` says, and returns its number. `frozen`: where the class only
 * inherits the selector, the hook keeps what it inherits now; otherwise it sends to super.
 */
int shims_put(const char *class_name, const struct method *method, bool frozen);

/* Puts back what the hook has kept, whatever is on top of it by now. */
void shims_remove(int shim);

/* Makes a class below that of the object, and puts the object into it; and back. */
void shims_subclass(void *object, const char *name);
void shims_set_class(void *object, const char *name);

#endif
