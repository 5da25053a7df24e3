/* The locks, the turn to apply, and what becomes of them in a forked child. */
#define _POSIX_C_SOURCE 200809L
#include "lock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "error.h"
#include "publish.h"
#include "trace.h"

enum { PATIENCE = 2 }; /* seconds */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t meeting = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_given = PTHREAD_COND_INITIALIZER;
static bool turn_taken;   /* guarded by the lock */
static uintptr_t turn_of; /* guarded by the lock */
static int cancel_state;  /* of the thread whose turn it is, to be put back */

/* ---- forks ---------------------------------------------------------------- */

/* The thread that forks has both locks from before until after, in parent and child. Fork handlers
 * of others run meanwhile, and may call this library. */
static atomic_uintptr_t forking;

/* The same in parent and child. */
static uintptr_t this_thread(void) {
    static _Thread_local char mark;
    return (uintptr_t)&mark;
}

static bool is_forking(void) {
    return atomic_load_explicit(&forking, memory_order_relaxed) == this_thread();
}

static void before_fork(void) {
    pthread_mutex_lock(&meeting);
    pthread_mutex_lock(&lock);
    atomic_store_explicit(&forking, this_thread(), memory_order_relaxed);
}

static void after_fork(void) {
    atomic_store_explicit(&forking, 0, memory_order_relaxed);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&meeting);
}

/* A child has one thread: an apply of another one does not go on in it. */
static void after_fork_in_child(void) {
    if (turn_taken && turn_of != this_thread()) {
        turn_taken = false;
        mtlcap__proof_end(NULL);
    }
    mtlcap__trace_forked();
    /* Who waited for the turn is gone, and would be waited for. */
    turn_given = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    after_fork();
}

static void watch_forks(void) {
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

/* ---- locks ---------------------------------------------------------------- */

static void take(pthread_mutex_t *mutex) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    if (!is_forking())
        pthread_mutex_lock(mutex);
}

static void give(pthread_mutex_t *mutex) {
    if (!is_forking())
        pthread_mutex_unlock(mutex);
}

void mtlcap__lock(void) {
    take(&lock);
}

void mtlcap__unlock(void) {
    give(&lock);
}

void mtlcap__meeting_lock(void) {
    take(&meeting);
}

void mtlcap__meeting_unlock(void) {
    give(&meeting);
}

/* ---- the turn ------------------------------------------------------------- */

static bool wait_for_turn(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    int timed_out = 0;
    while (turn_taken && !timed_out)
        timed_out = pthread_cond_timedwait(&turn_given, &lock, &until);
    return !turn_taken;
}

int mtlcap__turn_take(void) {
    int state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    mtlcap__lock();
    const bool ours = turn_taken && turn_of == this_thread();
    /* Waiting gives the lock away, which a thread that forks must not. */
    const bool taken = is_forking() ? !turn_taken : !ours && wait_for_turn();
    if (taken) {
        turn_taken = true;
        turn_of = this_thread();
        cancel_state = state;
    }
    mtlcap__unlock();
    if (taken)
        return MTLCAP_OK;
    pthread_setcancelstate(state, NULL);
    return mtlcap__fail(MTLCAP_E_BUSY, ours ? "a profile is being applied on this thread, further "
                                              "up the stack: apply from outside"
                                            : "another thread has been applying a profile for "
                                              "two seconds: try again");
}

void mtlcap__turn_give(void) {
    mtlcap__lock();
    const int state = cancel_state;
    turn_taken = false;
    pthread_cond_signal(&turn_given);
    mtlcap__unlock();
    pthread_setcancelstate(state, NULL);
}
