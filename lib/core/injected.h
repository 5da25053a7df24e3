/* What only the injected library asks of the core. Not part of the API, and not delegated: it is
 * about this copy of the library. */
#ifndef MTLCAP_CORE_INJECTED_H
#define MTLCAP_CORE_INJECTED_H

#include <stdbool.h>
#include <stdint.h>

#include "mtlcap/mtlcap.h"

/* Does whatever takes the loader's lock, and is done once: before the session's turn is taken,
 * since a library's constructor, which has that lock, may wait for the turn. */
void mtlcap__injected_prepare(void);

/* Does this copy do the work in this process, or another, whose path is then in `path`? Meets the
 * other copies, if it has not yet. */
bool mtlcap__injected_is_first(char *path, size_t size);

/* Is the class of this device among those that the profile in force was applied to, as one of a VM
 * if it is that? One that Metal was making then is asked its name for it. Cheap. */
bool mtlcap__injected_covers(void *device);

/*
 * Applies to the class of one device that Metal is still making: asks it nothing but what has a
 * rule, lists no devices, looks for no derived answers. To be called from initGPUFamilySupport,
 * behind the original: then the device has its families, and Metal has not asked it for most of
 * what it keeps. Later calls add classes: what is in force stays, and is put on them too, whatever
 * `profile` says. Answers can be restored, what Metal keeps of them cannot. As
 * mtlcap_apply_profile() otherwise; E_BUSY also if this thread is applying a profile already, and
 * Metal makes its devices for that: then they are covered when they are listed.
 */
int mtlcap__injected_apply_early(const char *profile, const struct mtlcap_options *options,
                                 void *device);

/*
 * From now on hooks note what they are asked; and: was the capability, by index, asked since? By
 * anybody but this library: with early hooks, Metal asks everything while it makes a device. Only
 * what has a rule, or has had one, has a hook.
 */
void mtlcap__injected_watch(void);
bool mtlcap__injected_asked(uint32_t capability);

/*
 * Traces, from now on, whatever becomes known: as mtlcap_trace_start(), before there is Metal;
 * `late`: the program runs already. And: watches a device's class, unless it is watched, whether a
 * profile is in force for it or not; NULL: those of Metal's list. At the end, who asked is
 * resolved.
 */
int mtlcap__injected_trace(const char *file, uint32_t events, bool late);
int mtlcap__injected_trace_device(void *device);
void mtlcap__injected_trace_end(void);

/* Puts `function` in the place of a class's own method that takes and returns nothing, and leaves
 * the one it had in *original before it is in place. False: the class has no such own method. */
bool mtlcap__injected_replace(const char *class_name, const char *selector,
                              void (*function)(void *self, void *selector),
                              void (*_Atomic *original)(void *self, void *selector));

#endif
