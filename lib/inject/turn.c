/*
 * Whose turn it is, in one word: a lock would be left behind in a child that is forked while
 * another thread has it. The number of the process in the word tells the child that its owner is
 * not there.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "inject.h"

static _Atomic uint64_t owner; /* process, thread; 0: nobody */
static int cancel_state;       /* of the owner, to be put back */

static uint64_t process_of(uint64_t who) {
    return who >> 32;
}

static uint32_t thread_of(uint64_t who) {
    return (uint32_t)who;
}

/* A thread keeps its number in a forked child. */
static uint64_t this_thread(void) {
    static atomic_uint last;
    static _Thread_local uint32_t number;
    if (!number)
        number = atomic_fetch_add(&last, 1) + 1;
    return (uint64_t)getpid() << 32 | number;
}

static bool take(uint64_t self) {
    uint64_t had = atomic_load(&owner);
    const bool free = had == 0 || process_of(had) != process_of(self);
    return free && atomic_compare_exchange_strong(&owner, &had, self);
}

static bool wait_and_take(uint64_t self, int patience) {
    const struct timespec moment = {.tv_nsec = 1000000};
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const time_t until = now.tv_sec + patience;
    while (now.tv_sec <= until) {
        nanosleep(&moment, NULL);
        if (take(self))
            return true;
        clock_gettime(CLOCK_MONOTONIC, &now);
    }
    return false;
}

enum mtlcap__turn mtlcap__session_take_turn(int patience) {
    const uint64_t self = this_thread();
    if (thread_of(atomic_load(&owner)) == thread_of(self))
        return MTLCAP__TURN_OURS; /* maybe since before a fork */
    int state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    if (!take(self) && !wait_and_take(self, patience)) {
        pthread_setcancelstate(state, NULL);
        return MTLCAP__TURN_KEPT;
    }
    cancel_state = state;
    return MTLCAP__TURN_TAKEN;
}

void mtlcap__session_give_turn(void) {
    const int state = cancel_state;
    atomic_store(&owner, 0);
    pthread_setcancelstate(state, NULL);
}
