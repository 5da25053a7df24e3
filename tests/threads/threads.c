/*
 * Threads: everybody sees the stock answer or the profile's, and nothing else; applies take turns.
 *
 * GCC's runtime cannot add methods to a class while others send to it. So a profile is applied once
 * before threads start, unless the classes have the methods themselves.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <sched.h>
#include <simmetal.h>
#include <stdatomic.h>
#include <string.h>

#include "mtlcap/mtlcap.h"
#include "support.h"

#ifndef ROUNDS
#define ROUNDS 100000 /* applies and restores */
#endif

static const char profile[] =
    "apple.min=7,threadgroup_memory.max=16K,threads_per_threadgroup=64x32x16,unified_memory=off,"
    "working_set.max=1G";

static void apply(const char *text) {
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.allow = allow_all;
    REQUIRE(!mtlcap_apply_profile(text, &options), "%s: %s", text, mtlcap_last_error());
}

static struct answers stock, planned;
static void *device;

/* Learns both answers, and hooks the classes. */
static void begin(void) {
    device = device_at(0);
    stock = ask_all(device);
    apply(profile);
    planned = ask_all(device);
    REQUIRE(memcmp(&stock, &planned, sizeof stock) != 0, "the profile changes nothing");
    REQUIRE(!mtlcap_restore(), "no restore");
}

static void end(void) {
    const struct answers last = ask_all(device);
    mtlcap_restore();
    const struct answers restored = ask_all(device);
    REQUIRE(memcmp(&last, &stock, sizeof last) == 0 || memcmp(&last, &planned, sizeof last) == 0,
            "the last state is neither");
    REQUIRE(memcmp(&restored, &stock, sizeof restored) == 0, "not restored");
}

/* ---- asking while others apply --------------------------------------------------- */

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

static void answers_during_apply_and_restore(void) {
    struct crew crew = {.count = 0};
    begin();
    crew_start(&crew, sends_messages, NULL);
    crew_start(&crew, sends_messages, NULL);
    crew_start(&crew, sends_messages, NULL);
    crew_start(&crew, queries, NULL);
    for (int i = 0; i < ROUNDS / 2; i++) {
        apply(profile);
        REQUIRE(!mtlcap_restore(), "no restore");
    }
    crew_stop(&crew);
    end();
}

/* ---- several that apply and restore ------------------------------------------------ */

static void *restores(void *data) {
    (void)data;
    while (crew_works())
        REQUIRE(!mtlcap_restore(), "no restore");
    return NULL;
}

static void *applies(void *data) {
    for (int i = 0; i < ROUNDS / 100; i++)
        apply(data ? data : profile);
    return NULL;
}

static void restores_from_two_threads(void) {
    struct crew crew = {.count = 0};
    begin();
    crew_start(&crew, restores, NULL);
    crew_start(&crew, restores, NULL);
    crew_start(&crew, sends_messages, NULL);
    applies(NULL);
    crew_stop(&crew);
    end();
}

static void applies_from_two_threads(void) {
    struct crew crew = {.count = 0}, others = {.count = 0};
    begin();
    crew_start(&crew, sends_messages, NULL);
    crew_start(&others, applies, NULL);
    crew_start(&others, applies, "stock");
    for (int i = 0; i < 2; i++)
        pthread_join(others.thread[i], NULL);
    crew_stop(&crew);
    end();
}

static void *restores_its_own(void *data) {
    for (int i = 0; i < ROUNDS / 100; i++) {
        uint64_t generation = 0;
        struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
        options.allow = allow_all;
        options.generation = &generation;
        REQUIRE(!mtlcap_apply_profile(data, &options), "%s", mtlcap_last_error());
        REQUIRE(!mtlcap_restore_generation(generation), "%s", mtlcap_last_error());
        REQUIRE(mtlcap_generation() != generation, "generation %" PRIu64 " is still there",
                generation);
    }
    return NULL;
}

/* Whoever applied last restores it: nothing is left. */
static void generations_of_two_threads(void) {
    struct crew crew = {.count = 0}, others = {.count = 0};
    begin();
    crew_start(&crew, sends_messages, NULL);
    crew_start(&others, restores_its_own, (void *)profile);
    crew_start(&others, restores_its_own, (void *)profile);
    for (int i = 0; i < 2; i++)
        pthread_join(others.thread[i], NULL);
    crew_stop(&crew);
    REQUIRE(!mtlcap_is_active() && !mtlcap_generation(), "something is in force");
    end();
}

/* ---- devices that come meanwhile --------------------------------------------------- */

static void *creates_devices(void *data) {
    const unsigned index = *(const unsigned *)data;
    for (unsigned i = 0; crew_works(); i++) {
        void *made = simmetal_create_device_of("two-vendors", index, NULL);
        REQUIRE(made, "no device");
        for (unsigned q = 0; q < QUESTIONS; q++)
            ask_one(made, q, &stock, &planned);
        if (i == 0 || i == 100)
            REQUIRE(!mtlcap_adopt_device(made), "%s", mtlcap_last_error());
        simmetal_release(made);
    }
    return NULL;
}

static void devices_of_two_classes_during_apply(void) {
    static const unsigned first = 0, second = 1;
    struct crew crew = {.count = 0};
    begin();
    crew_start(&crew, creates_devices, (void *)&first);
    crew_start(&crew, creates_devices, (void *)&second);
    for (int i = 0; i < ROUNDS / 200; i++) {
        apply(profile);
        REQUIRE(!mtlcap_restore(), "no restore");
    }
    crew_stop(&crew);
    end();
}

static pthread_barrier_t barrier;

static void *hooks_a_new_class(void *data) {
    void *made = simmetal_create_device(data);
    REQUIRE(made && simmetal_ask(made, "maxThreadgroupMemoryLength") == 32768, "no device");
    pthread_barrier_wait(&barrier);
    REQUIRE(!mtlcap_adopt_device(made), "%s", mtlcap_last_error());
    REQUIRE(simmetal_ask(made, "maxThreadgroupMemoryLength") == 16384, "not hooked");
    return made;
}

/* The race that kills today's shims: both would take the hook of the other for the original. Each
 * class has this method itself, so no method is added. */
static void two_new_classes_at_once(void) {
    static const char *const machines[] = {"m1", "m3-pro"};
    pthread_t threads[2];
    apply("threadgroup_memory.max=16K");
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        REQUIRE(!pthread_create(&threads[i], NULL, hooks_a_new_class, (void *)machines[i]), "none");
    void *made[2];
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &made[i]);
    mtlcap_restore();
    for (int i = 0; i < 2; i++)
        REQUIRE(simmetal_ask(made[i], "maxThreadgroupMemoryLength") == 32768, "not restored");
}

static void two_new_classes_at_once_often(void **state) {
    for (int i = 0; i < 50; i++)
        run_apart(state);
}

/* ---- the log ------------------------------------------------------------------------- */

static atomic_uint messages[2];

static void first_log(int level, const char *message, void *data) {
    REQUIRE(level <= MTLCAP_LOG_WARNING && message[0] && data == &messages[0], "another's data");
    atomic_fetch_add(&messages[0], 1);
}

static void second_log(int level, const char *message, void *data) {
    REQUIRE(level <= MTLCAP_LOG_DEBUG && message[0] && data == &messages[1], "another's data");
    atomic_fetch_add(&messages[1], 1);
}

static void *changes_the_log(void *data) {
    (void)data;
    while (crew_works()) {
        mtlcap_set_log(MTLCAP_LOG_WARNING, first_log, &messages[0]);
        sched_yield();
        mtlcap_set_log(MTLCAP_LOG_DEBUG, second_log, &messages[1]);
        sched_yield();
        mtlcap_set_log(MTLCAP_LOG_OFF, NULL, NULL);
    }
    return NULL;
}

/* Lowering a real GPU warns. */
static void log_changes_during_apply(void) {
    struct crew crew = {.count = 0};
    mtlcap_set_log(MTLCAP_LOG_WARNING, first_log, &messages[0]);
    REQUIRE(!mtlcap_apply_profile("apple.max=5", NULL), "%s", mtlcap_last_error());
    REQUIRE(atomic_load(&messages[0]) > 0, "there is no warning");
    crew_start(&crew, changes_the_log, NULL);
    crew_start(&crew, changes_the_log, NULL);
    for (int i = 0; i < ROUNDS / 100; i++)
        REQUIRE(!mtlcap_apply_profile("apple.max=5", NULL), "%s", mtlcap_last_error());
    crew_stop(&crew);
    mtlcap_set_log(MTLCAP_LOG_OFF, NULL, NULL);
}

int main(void) {
    static const struct apart tests[] = {
        {"answers during apply and restore", "paravirt", answers_during_apply_and_restore},
        {"restores from two threads", "paravirt", restores_from_two_threads},
        {"applies from two threads", "paravirt", applies_from_two_threads},
        {"generations of two threads", "paravirt", generations_of_two_threads},
        {"devices of two classes during apply", "two-vendors", devices_of_two_classes_during_apply},
        {"log changes during apply", "m3-pro", log_changes_during_apply},
        {"two new classes at once", "paravirt", two_new_classes_at_once},
    };
    enum { COUNT = sizeof tests / sizeof tests[0] };
    struct CMUnitTest run[COUNT];
    for (int i = 0; i < COUNT; i++)
        run[i] = (struct CMUnitTest){.name = tests[i].name,
                                     .test_func = tests[i].run == two_new_classes_at_once
                                                      ? two_new_classes_at_once_often
                                                      : run_apart,
                                     .initial_state = (void *)&tests[i]};
    return _cmocka_run_group_tests("threads", run, COUNT, NULL, NULL);
}
