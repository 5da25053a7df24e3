/* Another client of Metal in the process, in the guise of llama.cpp's library. What it does follows
 * CLIENT: "asks" for a device at once; "applies" a profile, again and again, on a thread of its
 * own. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include <mtlcap/mtlcap.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void *MTLCreateSystemDefaultDevice(void);

static void *apply(void *data) {
    const struct timespec pause = {0, 10 * 1000 * 1000};
    for (;;) {
        nanosleep(&pause, NULL);
        mtlcap_apply_profile("auto", NULL);
    }
    return data;
}

__attribute__((constructor)) static void start(void) {
    const char *what = getenv("CLIENT");
    pthread_t thread;
    if (what && strcmp(what, "asks") == 0 && !MTLCreateSystemDefaultDevice())
        abort();
    if (what && strcmp(what, "applies") == 0 && pthread_create(&thread, NULL, apply, NULL) != 0)
        abort();
}
