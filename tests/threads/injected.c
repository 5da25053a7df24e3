/* Threads, and what only the injected library asks of the core: see threads.c. */
#define _GNU_SOURCE
#include "core/injected.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>
#include <simmetal.h>
#include <stdatomic.h>
#include <string.h>

#include "mtlcap/mtlcap.h"
#include "runtime/runtime.h"
#include "support.h"

enum { ROUNDS = 5000 };

static const char profile[] =
    "apple.min=7,threadgroup_memory.max=16K,threads_per_threadgroup=64x32x16,unified_memory=off,"
    "working_set.max=1G";

static struct answers stock, planned;
static void *device;

static void apply(const char *text) {
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.allow = allow_all;
    REQUIRE(!mtlcap_apply_profile(text, &options), "%s: %s", text, mtlcap_last_error());
}

/* Learns both answers, and hooks the class. */
static void begin(void) {
    device = device_at(0);
    stock = ask_all(device);
    apply(profile);
    planned = ask_all(device);
    REQUIRE(!mtlcap_restore(), "no restore");
}

/* ---- watching ------------------------------------------------------------------ */

static bool asked(const char *key) {
    struct mtlcap_capability info = MTLCAP_CAPABILITY_INIT;
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++)
        if (!mtlcap_capability_info(i, &info) && strcmp(info.key, key) == 0)
            return mtlcap__injected_asked(i);
    return false;
}

static void *sends_messages(void *data) {
    (void)data;
    for (unsigned i = 0; crew_works(); i++)
        ask_one(device, i, &stock, &planned);
    return NULL;
}

static void *queries(void *data) {
    (void)data;
    while (crew_works())
        query_one(device, &stock, &planned);
    return NULL;
}

static void *looks(void *data) {
    (void)data;
    while (crew_works()) {
        mtlcap__injected_covers(device);
        REQUIRE(!asked("metal"), "nobody asks this");
        mtlcap_is_active();
        sched_yield();
    }
    return NULL;
}

/* Nobody sees an answer that is neither, while watching starts, again and again. */
static void watching_during_apply_and_restore(void) {
    struct crew crew = {.count = 0};
    begin();
    crew_start(&crew, sends_messages, NULL);
    crew_start(&crew, sends_messages, NULL);
    crew_start(&crew, queries, NULL);
    crew_start(&crew, looks, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        apply(profile);
        if (i % 16 == 0)
            mtlcap__injected_watch();
        REQUIRE(!mtlcap_restore(), "no restore");
    }
    while (!asked("apple") || !asked("threads_per_threadgroup") || !asked("unified_memory"))
        sched_yield();
    crew_stop(&crew);
    const struct answers last = ask_all(device);
    REQUIRE(memcmp(&last, &stock, sizeof last) == 0, "not restored");
}

/* ---- early hooks ----------------------------------------------------------------- */

static void (*_Atomic original)(void *self, void *selector);

static void apply_early(void *self, void *selector) {
    atomic_load (&original)(self, selector);
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.allow = allow_all;
    REQUIRE(!mtlcap__injected_apply_early("threadgroup_memory.max=16K", &options, self), "%s",
            mtlcap_last_error());
}

static pthread_barrier_t barrier;

static void *makes_a_device(void *machine) {
    pthread_barrier_wait(&barrier);
    REQUIRE(mtlcap__injected_replace("_MTLDevice", "initGPUFamilySupport", apply_early, &original),
            "not replaced");
    void *made = simmetal_create_device(machine);
    REQUIRE(made && mtlcap__injected_covers(made), "no device");
    REQUIRE(simmetal_ask(made, "maxThreadgroupMemoryLength") == 16384, "not hooked");
    return made;
}

/* The race that kills today's shims: two threads make the first device of two classes. Each class
 * has this method itself, so none is added, which GCC's runtime cannot do while others send. */
static void two_early_classes_at_once(void) {
    static const char *const machines[] = {"m1", "m3-pro"};
    pthread_t threads[2];
    void *made[2];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        REQUIRE(!pthread_create(&threads[i], NULL, makes_a_device, (void *)machines[i]), "none");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &made[i]);
    REQUIRE(mtlcap_generation() == 1, "two applies");
    REQUIRE(!mtlcap_restore(), "no restore");
    for (int i = 0; i < 2; i++)
        REQUIRE(simmetal_ask(made[i], "maxThreadgroupMemoryLength") == 32768, "not restored");
}

static void two_early_classes_at_once_often(void **state) {
    for (int i = 0; i < 50; i++)
        run_apart(state);
}

int main(void) {
    static const struct apart watching = {"watching", "paravirt",
                                          watching_during_apply_and_restore};
    static const struct apart early = {"early", "paravirt", two_early_classes_at_once};
    const struct CMUnitTest tests[] = {
        {"watching during apply and restore", run_apart, NULL, NULL, (void *)&watching},
        {"two early classes at once", two_early_classes_at_once_often, NULL, NULL, (void *)&early},
    };
    return _cmocka_run_group_tests("threads.injected", tests, 2, NULL, NULL);
}
