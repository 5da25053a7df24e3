/* Apply and query from C, a round for each line on stdin: see languages.py. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "mtlcap/mtlcap.h"

typedef void (*function)(void);
extern function objc_msg_lookup(void *object, const void *selector);
extern const void *sel_registerName(const char *name);

static void *device;
static const void *supports_family;
static struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;

static void check(int status) {
    if (!status)
        return;
    fprintf(stderr, "bench_language: %s\n", mtlcap_last_error());
    exit(1);
}

static void query_bool(void) {
    check(mtlcap_query(NULL, "raytracing", &answer));
}

static void query_size(void) {
    check(mtlcap_query(NULL, "threadgroup_memory", &answer));
}

static void query_family(void) {
    check(mtlcap_query(NULL, "apple", &answer));
}

static void apply_and_restore(void) {
    check(mtlcap_apply_profile("auto", NULL));
    check(mtlcap_restore());
}

static void ask_device(void) {
    function imp = objc_msg_lookup(device, supports_family);
    if (!((signed char (*)(void *, const void *, long))imp)(device, supports_family, 1007))
        exit(1);
}

static const struct {
    const char *name;
    void (*action)(void);
    int calls;
} cases[] = {
    {"query, yes or no", query_bool, 2000},        {"query, size", query_size, 2000},
    {"query, family", query_family, 2000},         {"a question to the device", ask_device, 2000},
    {"apply and restore", apply_and_restore, 100},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

int main(void) {
    struct mtlcap_device first = MTLCAP_DEVICE_INIT;
    check(mtlcap_device_info(0, &first));
    device = first.device;
    supports_family = sel_registerName("supportsFamily:");
    for (int i = 0; i < CASES; i++)
        printf("%s\"%s\"", i ? ", " : "[", cases[i].name);
    printf("]\n");
    for (fflush(stdout); getchar() == '\n'; fflush(stdout)) {
        check(mtlcap_apply_profile("auto", NULL));
        for (int i = 0; i < CASES; i++) {
            const double start = now();
            for (int n = 0; n < cases[i].calls; n++)
                cases[i].action();
            printf("%s%.4f", i ? ", " : "[", (now() - start) / cases[i].calls);
        }
        printf("]\n");
    }
    return 0;
}
