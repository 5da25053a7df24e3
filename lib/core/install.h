/* Installing: puts hooks where rules need them, and takes back what it has put. */
#ifndef MTLCAP_CORE_INSTALL_H
#define MTLCAP_CORE_INSTALL_H

#include "hook.h"
#include "plan.h"
#include "study.h"

struct mtlcap__installation {
    const struct mtlcap__study *study;
    struct mtlcap__hook **added; /* put in by this installation */
    size_t added_count, capacity;
};

/*
 * Installs every hook that the study's rules need and that is not there, as pass-through.
 * E_NO_MEMORY, E_UNSUPPORTED, E_SLOTS, E_RUNTIME; on failure nothing of it is left, except that an
 * added method cannot be removed and stays a pass-through. On success it has to be ended.
 */
int mtlcap__install(struct mtlcap__installation *installation, const struct mtlcap__study *study);

/* The plan that the study's rules come to, over the hooks that are installed; NULL: no memory. */
const struct mtlcap__plan *mtlcap__install_plan(const struct mtlcap__study *study);

/*
 * Proves every rule on every device, with the proof begun for `plan`: its hook is reached, and the
 * answer that comes out is the one wanted. *failed_device and *failed tell the first that is not;
 * false.
 */
bool mtlcap__install_prove(const struct mtlcap__study *study, size_t *failed_device,
                           const struct mtlcap__capability **failed);

/* Puts one hook into the method table of a device's class, as pass-through: E_SLOTS, E_RUNTIME.
 * And: is one of ours the class's own method there? */
int mtlcap__install_hook(const struct mtlcap__device *device,
                         const struct mtlcap__capability *capability,
                         struct mtlcap__hook **installed);
bool mtlcap__install_is_on_top(const struct mtlcap__device *device,
                               const struct mtlcap__capability *capability);

/* Puts another hook on top of whatever hides the one that could not be proved. */
int mtlcap__install_above(struct mtlcap__installation *installation, size_t device,
                          const struct mtlcap__capability *capability);

/* Takes out what this installation has put in, and ends it. */
void mtlcap__install_undo(struct mtlcap__installation *installation);

/* Ends it. */
void mtlcap__install_end(struct mtlcap__installation *installation);

#endif
