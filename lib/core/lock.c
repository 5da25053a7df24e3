/* The lock, the turn to apply, and what becomes of both in a forked child. */
#define _POSIX_C_SOURCE 200809L
#include "lock.h"

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "error.h"
#include "hook.h"

enum { PATIENCE = 2 }; /* seconds */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_given = PTHREAD_COND_INITIALIZER;
static bool turn_taken;
static pthread_t turn_of;

/* A child has one thread: it gets the lock free, and no apply goes on in it. */
static void child(void) {
    if (turn_taken && !pthread_equal(turn_of, pthread_self())) {
        turn_taken = false;
        mtlcap__proof_end(NULL);
    }
    mtlcap__unlock();
}

static void watch_forks(void) {
    pthread_atfork(mtlcap__lock, mtlcap__unlock, child);
}

void mtlcap__lock(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&lock);
}

void mtlcap__unlock(void) {
    pthread_mutex_unlock(&lock);
}

int mtlcap__turn_take(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;

    mtlcap__lock();
    const bool ours = turn_taken && pthread_equal(turn_of, pthread_self());
    int timed_out = 0;
    while (turn_taken && !ours && !timed_out)
        timed_out = pthread_cond_timedwait(&turn_given, &lock, &until);
    const bool taken = !turn_taken;
    if (taken) {
        turn_taken = true;
        turn_of = pthread_self();
    }
    mtlcap__unlock();

    if (taken)
        return MTLCAP_OK;
    return mtlcap__fail(MTLCAP_E_BUSY, ours ? "a profile is being applied on this thread, further "
                                              "up the stack: apply from outside"
                                            : "another thread has been applying a profile for "
                                              "two seconds: try again");
}

void mtlcap__turn_give(void) {
    mtlcap__lock();
    turn_taken = false;
    pthread_cond_signal(&turn_given);
    mtlcap__unlock();
}
