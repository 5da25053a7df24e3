/* Devices: which there are, what class answers for each, what each says by itself. */
#ifndef MTLCAP_CORE_DEVICE_H
#define MTLCAP_CORE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "capability.h"
#include "profile.h"
#include "runtime/runtime.h"

enum mtlcap__support {
    MTLCAP__MISSING,    /* the class has no such method */
    MTLCAP__UNEXPECTED, /* it has one with another signature */
    MTLCAP__SUPPORTED,
};

/* Once it is in the list, `listed`, `adopted` and what is stock change, with the lock held; the
 * rest stays. */
struct mtlcap__device {
    mtlcap__id object; /* as callers hold it, maybe a tool's wrapper */
    mtlcap__id base;   /* the device below wrappers */
    mtlcap__class cls; /* the class that answers: compiled, not made at run time */
    bool paravirtual;  /* Apple's device of a VM */
    bool listed;       /* in Metal's list when last looked */
    bool adopted;      /* mtlcap_adopt_device() */
    /* It became known while Metal was making it, and is asked nothing but what has a rule: it has
     * the name of its class, and no snapshot. */
    bool early;
    struct mtlcap__device *before; /* the early one whose place in the list this one has taken */
    char name[128];
    enum mtlcap__support support[MTLCAP__CAPABILITY_COUNT];
    /* What it says by itself. `snapshot`: asked while nothing was overridden on it; otherwise what
     * its class's originals say, and answers that Metal computes from others cannot be told apart.
     */
    struct mtlcap__value stock[MTLCAP__CAPABILITY_COUNT];
    mtlcap__imp stock_imp[MTLCAP__CAPABILITY_COUNT]; /* the functions that say so */
    bool snapshot;
};

/* A capability's selector. The runtime must be open. */
mtlcap__sel mtlcap__selector_of(const struct mtlcap__capability *capability);

/* The object below wrappers; NULL if there are too many of them. */
mtlcap__id mtlcap__device_below(void *object);

/* The class that answers for an object below wrappers; NULL if there are too many of them. */
mtlcap__class mtlcap__device_class(void *object);

/* Looks at an object: unwraps it, finds its class and name and what it supports. Takes no snapshot
 * and keeps nothing. E_NOT_A_DEVICE. */
int mtlcap__device_look(void *object, struct mtlcap__device *device);

/* The same for one that Metal is still making: asks it nothing. */
int mtlcap__device_look_early(void *object, struct mtlcap__device *device);

/* An early device has been judged by its class alone. Is it one of a VM by its name, which it has
 * once it is made? */
bool mtlcap__device_misjudged(const struct mtlcap__device *device);

/* Fills device->stock and device->snapshot. Of an early device only what has a rule in `rules`. */
void mtlcap__device_take_stock(struct mtlcap__device *device, const struct mtlcap__rules *rules);

/* The stock answer of the device's snapshot, and the function that gave it; either may be NULL.
 * False: it has no snapshot. */
bool mtlcap__device_snapshot(const struct mtlcap__device *device,
                             const struct mtlcap__capability *capability,
                             struct mtlcap__value *stock, mtlcap__imp *imp);

/* Asks as any caller would. The capability must be supported. */
void mtlcap__device_ask(const struct mtlcap__device *device,
                        const struct mtlcap__capability *capability, struct mtlcap__value *value);

/* Asks the device below wrappers. Tools' wrappers may check arguments and stop the program. */
void mtlcap__device_ask_base(const struct mtlcap__device *device,
                             const struct mtlcap__capability *capability,
                             struct mtlcap__value *value);

/* Asks a TEXT capability; "" if the device returns nil. */
void mtlcap__device_ask_text(const struct mtlcap__device *device,
                             const struct mtlcap__capability *capability, char *text, size_t size);

/* The text that an object is, or that is its name; "" for nil. */
void mtlcap__object_text(mtlcap__id object, char *text, size_t size);

/* The class of the first hook of ours with a rule for the capability that a message comes to, be it
 * through those of others: the device's, or one above it. NULL: none. */
mtlcap__class mtlcap__device_overridden_by(const struct mtlcap__device *device,
                                           const struct mtlcap__capability *capability);

/* A message comes to code of neither Metal, the driver nor us first: true, and its image. */
bool mtlcap__device_foreign_now(const struct mtlcap__device *device,
                                const struct mtlcap__capability *capability, char *path,
                                size_t size);

/* Asks below our own hooks while a rule is in force; equals mtlcap__device_ask_base otherwise.
 * False: what is below cannot be told, and the value is what callers get. */
bool mtlcap__device_ask_stock(const struct mtlcap__device *device,
                              const struct mtlcap__capability *capability,
                              struct mtlcap__value *value);

/* Where the stock answer comes from: true and the path of its image if it is code of
 * neither Metal nor the driver. */
bool mtlcap__device_foreign_source(const struct mtlcap__device *device,
                                   const struct mtlcap__capability *capability, char *path,
                                   size_t size);

/* ---- the list ---- */

/* Finds what looking at Metal's list needs of the loader. Whoever is going to look on a turn calls
 * this before, or a library's constructor could wait for the turn, which waits for the constructor.
 * E_UNSUPPORTED.
 */
int mtlcap__devices_prepare(void);

/*
 * Looks at Metal's list anew; new devices are kept alive from then on, and early ones in it are
 * early no longer. E_UNSUPPORTED, E_NO_MEMORY; MTLCAP_OK also for an empty list.
 */
int mtlcap__devices_refresh(void);

/* The same, unless it has been looked at before and there was a device. */
int mtlcap__devices_look(void);

/* Adds one to the list as adopted, unless it is there. *device lives for ever. Disowning takes the
 * adoption back. */
int mtlcap__devices_adopt(void *object, struct mtlcap__device **device, bool *adopted_before);
int mtlcap__devices_adopt_early(void *object, struct mtlcap__device **device, bool *adopted_before);
void mtlcap__devices_disown(struct mtlcap__device *device);

/* How many are listed or adopted; the index-th of them, NULL past the last; all of them, in an
 * array to be freed, NULL if there is no memory. */
size_t mtlcap__devices_count(void);
struct mtlcap__device *mtlcap__devices_at(size_t index);
struct mtlcap__device **mtlcap__devices_copy(size_t *count);

/* The device that `object` is or wraps; NULL if it is not known. */
struct mtlcap__device *mtlcap__devices_find(void *object);

#endif
