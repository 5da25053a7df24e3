/*
 * Two libraries that measure what happens between their constructors, for what is preloaded between
 * them. The loader starts those of LD_PRELOAD from the last to the first: the last one begins, and
 * the first one writes nanoseconds and page faults to the descriptor START_CLOCK.
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

struct start_clock {
    struct timespec time;
    long faults;
};
__attribute__((visibility("default"))) extern struct start_clock start_clock_began;

static struct start_clock read_clock(void) {
    struct start_clock clock;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    clock.faults = usage.ru_minflt + usage.ru_majflt;
    clock_gettime(CLOCK_MONOTONIC, &clock.time);
    return clock;
}

#ifdef START_CLOCK_BEGINS
struct start_clock start_clock_began;

__attribute__((constructor)) static void begin(void) {
    start_clock_began = read_clock(); /* its own page is there now */
    start_clock_began = read_clock();
}
#else
__attribute__((constructor)) static void end(void) {
    const struct start_clock now = read_clock(), *began = &start_clock_began;
    const char *descriptor = getenv("START_CLOCK");
    char text[64];
    /* A clock that never began says so. */
    const int length = began->time.tv_sec
                           ? snprintf(text, sizeof text, "%lld %ld\n",
                                      (now.time.tv_sec - began->time.tv_sec) * 1000000000LL +
                                          (now.time.tv_nsec - began->time.tv_nsec),
                                      now.faults - began->faults)
                           : snprintf(text, sizeof text, "-1 0\n");
    if (descriptor && write(atoi(descriptor), text, (size_t)length) != length)
        _exit(99);
}
#endif
