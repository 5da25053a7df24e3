/*
 * Two libraries that take the time between their constructors, for what is preloaded between them.
 * The loader starts those of LD_PRELOAD from the last to the first: the last one begins, and the
 * first one writes the nanoseconds to the descriptor START_CLOCK.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

__attribute__((visibility("default"))) extern struct timespec start_clock_began;

#ifdef START_CLOCK_BEGINS
struct timespec start_clock_began;

__attribute__((constructor)) static void begin(void) {
    clock_gettime(CLOCK_MONOTONIC, &start_clock_began);
}
#else
__attribute__((constructor)) static void end(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    char text[32];
    const char *descriptor = getenv("START_CLOCK");
    const long long nanoseconds = (now.tv_sec - start_clock_began.tv_sec) * 1000000000LL +
                                  (now.tv_nsec - start_clock_began.tv_nsec);
    /* A clock that never began says so. */
    const int length =
        snprintf(text, sizeof text, "%lld\n", start_clock_began.tv_sec ? nanoseconds : -1LL);
    if (descriptor && write(atoi(descriptor), text, (size_t)length) != length)
        _exit(99);
}
#endif
