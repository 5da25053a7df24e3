/* How the answers of answers.h become methods: which class gets which, and with what encoding. */
#ifndef SIMMETAL_METHODS_H
#define SIMMETAL_METHODS_H

#include "machine.h"

#import <Foundation/Foundation.h>

/* The owner column of answers.h. */
enum simmetal_owner { SIMMETAL_ROOT, SIMMETAL_DRIVER, SIMMETAL_GENERATION, SIMMETAL_ELSEWHERE };

/* Adds to `class` the methods that `owner` has. For +load: GCC's runtime cannot add methods to a
 * class that another thread is sending messages to. */
void simmetal_add_methods(Class class, enum simmetal_owner owner);

/* Adds supportsFamily: to `class`, which then owns it as _MTLDevice does. Also for +load. */
void simmetal_add_supports_family(Class class);

/* Adds to the wrapper class `class` methods that send every answer's selector on to baseObject,
 * but those named in `lacking`, which ends in NULL. Also for +load. */
void simmetal_add_forwarders(Class class, const char *const *lacking);

/* Rewrites the type encodings of the device classes' and wrappers' methods. */
void simmetal_set_encodings(enum simmetal_encodings encodings);

/* Sends a selector without arguments and returns the register: what a caller of 64 bits sees. */
uint64_t simmetal_send(id receiver, SEL selector);

#endif
