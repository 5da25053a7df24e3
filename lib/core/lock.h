/*
 * The locks of the library. Each is held for short, and never while Metal, an original method, a
 * callback or a class's own code runs. A child of a fork finds them free.
 */
#ifndef MTLCAP_CORE_LOCK_H
#define MTLCAP_CORE_LOCK_H

/* Guards the hooks' records, the list of devices, and what is in force. */
void mtlcap__lock(void);
void mtlcap__unlock(void);

/* Guards the meeting of copies of the library. */
void mtlcap__meeting_lock(void);
void mtlcap__meeting_unlock(void);

/*
 * The turn to apply: one thread at a time, without a lock. E_BUSY if this thread has it already, or
 * another one keeps it for two seconds. The thread cannot be cancelled until it gives it.
 */
int mtlcap__turn_take(void);
void mtlcap__turn_give(void);

#endif
