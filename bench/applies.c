/* The time of apply and restore, over 1, 2, 4 and 8 classes of devices. */
#define _GNU_SOURCE
#include <simmetal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "mtlcap/mtlcap.h"

/* The machine's own device has the first class. */
static const char *const classes[] = {"AppleParavirtDevice", "OtherVendorDevice", "AGXG13GDevice",
                                      "AGXG13XDevice",       "AGXG14GDevice",     "AGXG14XDevice",
                                      "AGXG15GDevice",       "AGXG15XDevice"};

static const char first_profile[] = "apple.min=7,threadgroup_memory.max=16K";
static const char second_profile[] = "apple.min=6,threadgroup_memory.max=16K";

enum { APPLIES = 64, STEPS = 4 };
struct times {
    double install, again, replace, restore; /* microseconds */
};

static double microseconds_since(double start) {
    return (cpu_time() - start) * 1e6;
}

static void apply_times(struct times *times, int class_count) {
    for (int i = 1; i < class_count; i++) {
        void *device = simmetal_create_device_of("paravirt", 0, classes[i]);
        if (!device || mtlcap_adopt_device(device))
            fail("no device of class %s", classes[i]);
    }
    uint32_t count;
    if (mtlcap_device_count(&count) || (int)count != class_count)
        fail("%u devices", count);

    double start = cpu_time();
    apply(first_profile);
    times->install = microseconds_since(start);
    start = cpu_time();
    for (int i = 0; i < APPLIES; i++)
        apply(first_profile);
    times->again = microseconds_since(start) / APPLIES;
    start = cpu_time();
    for (int i = 0; i < APPLIES; i++)
        apply(i % 2 ? first_profile : second_profile);
    times->replace = microseconds_since(start) / APPLIES;
    times->restore = 0;
    for (int i = 0; i < APPLIES; i++) {
        start = wall_time();
        mtlcap_restore();
        times->restore += (wall_time() - start) * 1e6 / APPLIES;
        apply(first_profile);
    }
}

/* A first apply needs a process in which there was none. */
static void in_child(struct times *times, int class_count) {
    const pid_t child = fork();
    if (child == 0) {
        apply_times(times, class_count);
        _exit(0);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || status)
        fail("a process for %d classes did not end well", class_count);
}

void bench_applies(struct report *report, int rounds) {
    struct times *times =
        mmap(NULL, sizeof *times, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct result *results[STEPS][4];
    static const char *const names[] = {"first apply", "the same profile again",
                                        "another profile over it", "restore"};
    if (times == MAP_FAILED)
        fail("no shared memory");
    for (int what = 0; what < 4; what++)
        for (int step = 0; step < STEPS; step++)
            results[step][what] = report_add(report, names[what], "us", 1 << step);
    for (int round = 0; round < rounds; round++)
        for (int step = 0; step < STEPS; step++) {
            in_child(times, 1 << step);
            result_add(results[step][0], times->install);
            result_add(results[step][1], times->again);
            result_add(results[step][2], times->replace);
            result_add(results[step][3], times->restore);
        }
    report_at_most(report, "the same profile again, 1 class", result_quantile(results[0][1], 0.5),
                   20, "us");
    report_at_most(report, "another profile over it, 1 class", result_quantile(results[0][2], 0.5),
                   20, "us");
    report_at_most(report, "restore, 1 class", result_quantile(results[0][3], 0.5), 20, "us");
    report_at_most(report, "first apply of 8 classes, of 4",
                   result_quantile(results[3][0], 0.5) / result_quantile(results[2][0], 0.5), 2.2,
                   "x");
    munmap(times, sizeof *times);
}
