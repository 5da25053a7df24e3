/* An observer of simmetal that holds up the making of a device until it is told to go on, or for
 * ten seconds: a call of Metal that takes long. */
#define _POSIX_C_SOURCE 200809L
#include <stdatomic.h>
#include <time.h>

void blocker_observe(void *device, const char *step, void *context);
int blocker_blocked(void);
void blocker_pass(void);

static atomic_int blocked, passed;

void blocker_observe(void *device, const char *step, void *context) {
    (void)device, (void)step, (void)context;
    atomic_store(&blocked, 1);
    for (int i = 0; i < 10000 && !atomic_load(&passed); i++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
}

int blocker_blocked(void) {
    return atomic_load(&blocked);
}

void blocker_pass(void) {
    atomic_store(&passed, 1);
}
