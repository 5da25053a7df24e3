/*
 * The one lock of the library. It guards the hooks' records, the list of devices, and what is in
 * force. It is held for short, and never while Metal, an original method, a callback or the
 * runtime's code for a class runs.
 */
#ifndef MTLCAP_CORE_LOCK_H
#define MTLCAP_CORE_LOCK_H

void mtlcap__lock(void);
void mtlcap__unlock(void);

/* The turn to apply: one thread at a time, without the lock. E_BUSY if this thread has it already,
 * or another one keeps it for two seconds. */
int mtlcap__turn_take(void);
void mtlcap__turn_give(void);

#endif
