/* What only the injected library asks of the core. Not part of the API, and not delegated: it is
 * about this copy of the library. */
#ifndef MTLCAP_CORE_INJECTED_H
#define MTLCAP_CORE_INJECTED_H

#include <stdbool.h>
#include <stdint.h>

#include "mtlcap/mtlcap.h"

/* Does this copy do the work in this process, or another, whose path is then in `path`? Meets the
 * other copies, if it has not yet. */
bool mtlcap__injected_is_first(char *path, size_t size);

/* Is the class of this device among those that the profile in force was applied to? Cheap. */
bool mtlcap__injected_covers(void *device);

/*
 * Applies to the class of one device that Metal is still making: asks it nothing but what has a
 * rule, lists no devices, looks for no derived answers. Later calls add classes, with the same
 * profile. As mtlcap_apply_profile() otherwise.
 */
int mtlcap__injected_apply_early(const char *profile, const struct mtlcap_options *options,
                                 void *device);

/* From now on hooks note what they are asked; and: was the capability asked since? */
void mtlcap__injected_watch(void);
bool mtlcap__injected_asked(uint32_t capability);

/* Puts `function` in the place of a class's own method that takes and returns nothing, and leaves
 * the one it had in *original before it is in place. False: the class has no such own method. */
bool mtlcap__injected_replace(const char *class_name, const char *selector,
                              void (*function)(void *self, void *selector),
                              void (*_Atomic *original)(void *self, void *selector));

#endif
