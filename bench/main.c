/*
 * bench [--json] [--quick]: what a hook costs, and an apply. See README.md.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "mtlcap/mtlcap.h"

void fail(const char *format, ...) {
    va_list arguments;
    fputs("bench: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static double read_clock(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double cpu_time(void) {
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double wall_time(void) {
    return read_clock(CLOCK_MONOTONIC);
}

void apply(const char *profile) {
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.allow = "beyond-hardware+small-threadgroup-memory";
    if (mtlcap_apply_profile(profile, &options))
        fail("%s", mtlcap_last_error());
}

int main(int argc, char **argv) {
    int json = 0, rounds = 101;
    long calls = 1000000;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            json = 1;
        } else if (strcmp(argv[i], "--quick") == 0) {
            rounds = 3;
            calls = 100000;
        } else {
            fprintf(stderr, "usage: bench [--json] [--quick]\n");
            return 2;
        }
    }
    struct report *report =
        mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (report == MAP_FAILED)
        fail("no shared memory");
    setenv("SIMMETAL_DEVICES", "paravirt", 1);
    const pid_t child = fork();
    if (child == 0) {
        bench_calls(report, rounds, calls);
        _exit(0);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || status)
        fail("the process that measures calls did not end well");
    bench_applies(report, rounds);
    if (json)
        report_print_json(report, rounds);
    else
        report_print(report, rounds);
    return 0;
}
