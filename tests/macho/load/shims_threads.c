/* Shims: threads. Darwin's objects begin with a signature, and Linux's live in what is behind it.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "shims.h"

/* What Darwin's static initialisers make: a signature, and zeroes, which are Linux's static
 * initialisers. */
#define MUTEX_SIGNATURE 0x32AAABA7
#define CONDITION_SIGNATURE 0x3CB0B1BB
#define ONCE_SIGNATURE 0x30B1BCBA

struct darwin_mutex {
    long signature;
    union {
        pthread_mutex_t ours;
        char darwin[56];
    } content;
};
_Static_assert(sizeof(struct darwin_mutex) == 64, "Darwin's pthread_mutex_t");

struct darwin_condition {
    long signature;
    union {
        pthread_cond_t *ours; /* made when it is used first; Linux's needs 48 bytes */
        char darwin[40];
    } content;
};
_Static_assert(sizeof(struct darwin_condition) == 48, "Darwin's pthread_cond_t");

struct darwin_once {
    long signature;
    pthread_once_t ours;
};
_Static_assert(sizeof(struct darwin_once) == 16, "Darwin's pthread_once_t");

int shim_mutex_lock(struct darwin_mutex *mutex) {
    if (mutex->signature != MUTEX_SIGNATURE)
        return EINVAL;
    return shim_errno_to_darwin(pthread_mutex_lock(&mutex->content.ours));
}

int shim_mutex_unlock(struct darwin_mutex *mutex) {
    if (mutex->signature != MUTEX_SIGNATURE)
        return EINVAL;
    return shim_errno_to_darwin(pthread_mutex_unlock(&mutex->content.ours));
}

/* Set anew, as in a forked child, it gets another; the one before is lost. */
static pthread_cond_t *condition_of(struct darwin_condition *condition) {
    pthread_cond_t *ours = __atomic_load_n(&condition->content.ours, __ATOMIC_ACQUIRE);
    if (ours)
        return ours;
    pthread_cond_t *made = malloc(sizeof *made);
    if (!made)
        abort();
    pthread_cond_init(made, NULL);
    if (__atomic_compare_exchange_n(&condition->content.ours, &ours, made, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return made;
    free(made);
    return ours;
}

int shim_cond_signal(struct darwin_condition *condition) {
    if (condition->signature != CONDITION_SIGNATURE)
        return EINVAL;
    return shim_errno_to_darwin(pthread_cond_signal(condition_of(condition)));
}

int shim_cond_timedwait(struct darwin_condition *condition, struct darwin_mutex *mutex,
                        const struct timespec *until) {
    if (condition->signature != CONDITION_SIGNATURE || mutex->signature != MUTEX_SIGNATURE)
        return EINVAL;
    return shim_errno_to_darwin(
        pthread_cond_timedwait(condition_of(condition), &mutex->content.ours, until));
}

int shim_once(struct darwin_once *once, void (*function)(void)) {
    if (once->signature != ONCE_SIGNATURE)
        return EINVAL;
    return pthread_once(&once->ours, function);
}

/* Darwin: disable is 0, enable is 1. */
int shim_setcancelstate(int state, int *old_state) {
    int ours;
    if (state != 0 && state != 1)
        return EINVAL;
    const int result =
        pthread_setcancelstate(state ? PTHREAD_CANCEL_ENABLE : PTHREAD_CANCEL_DISABLE, &ours);
    if (old_state)
        *old_state = ours == PTHREAD_CANCEL_ENABLE;
    return result;
}
