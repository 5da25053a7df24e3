/* Traces that start and stop, meet profiles, later devices, threads and children, and their limits.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "traced.h"

/* ---- starting, stopping -------------------------------------------------------------- */

static void start_stop_start(void **state) {
    (void)state;
    void *device = device_at(0);
    assert_int_equal(trace_info().active, 0);
    assert_int_equal(trace_info().question_count, 0);
    assert_ok(mtlcap_trace_stop()); /* before there was one */
    struct mtlcap_trace_question question = MTLCAP_TRACE_QUESTION_INIT;
    assert_fails(mtlcap_trace_question_info(0, &question), MTLCAP_E_ARGUMENT, "there is no");
    for (int round = 0; round < 5; round++) {
        start_trace();
        assert_int_equal(trace_info().active, 1);
        assert_int_equal(trace_info().question_count, 0);
        asker_asks(device, "supportsFamily:", 1001 + round);
        assert_int_equal(only("supportsFamily:", 0, NULL).argument, 1001 + round);
        assert_ok(mtlcap_trace_stop());
        assert_ok(mtlcap_trace_stop());
        supports_family(device, 1009); /* is not noted */
        assert_int_equal(trace_info().active, 0);
        assert_int_equal(only("supportsFamily:", 0, NULL).argument, 1001 + round);
        assert_string_equal(only("supportsFamily:", 0, NULL).symbol, "asker_asks");
    }
}

static void indices_stay_until_it_is_read_again(void **state) {
    (void)state;
    void *device = device_at(0);
    start_trace();
    supports_family(device, 1001);
    assert_int_equal(trace_info().question_count, 1);
    supports_family(device, 1001);
    supports_family(device, 1002);
    assert_int_equal(question_at(0).count, 1);
    struct mtlcap_trace_question question = MTLCAP_TRACE_QUESTION_INIT;
    assert_fails(mtlcap_trace_question_info(1, &question), MTLCAP_E_ARGUMENT,
                 "there is no question 1: there are 1");
    assert_int_equal(trace_info().question_count, 2);
    assert_int_equal(question_at(0).count, 2);
    start_trace();
    assert_fails(mtlcap_trace_question_info(0, &question), MTLCAP_E_ARGUMENT, "there are 0");
}

/* Answers are those of the profile whatever the order. */
static void with_profiles_in_any_order(void **state) {
    (void)state;
    void *device = device_at(0);
    static const char orders[][9] = {"sarpxrsr", "asrarpaa", "apsrasxr", "rsaprasp", "psapsara"};
    for (size_t order = 0; order < sizeof orders / sizeof orders[0]; order++) {
        bool raised = false, traced = false;
        mtlcap_restore();
        mtlcap_trace_stop();
        for (const char *step = orders[order]; *step; step++) {
            switch (*step) {
            case 's':
                start_trace();
                traced = true;
                break;
            case 'p':
                assert_ok(mtlcap_trace_stop());
                traced = false;
                break;
            case 'a':
                apply("apple.min=8,working_set.max=1G");
                raised = true;
                break;
            case 'x':
                apply("auto");
                raised = false; /* to 7 only */
                break;
            default:
                assert_ok(mtlcap_restore());
                raised = false;
            }
            const uint64_t asked = trace_info().asked;
            assert_int_equal(supports_family(device, 1008), raised);
            assert_int_equal(simmetal_ask(device, "recommendedMaxWorkingSetSize") == 1 << 30,
                             raised);
            assert_int_equal(trace_info().asked - asked, traced ? 2 : 0);
        }
    }
}

static void failures_change_nothing(void **state) {
    (void)state;
    void *device = device_at(0);
    struct mtlcap_trace_options options = MTLCAP_TRACE_OPTIONS_INIT;
    start_trace();
    supports_family(device, 1001);
    options.file = "";
    assert_fails(mtlcap_trace_start(&options), MTLCAP_E_ARGUMENT, "file");
    options.file = "/nowhere/at/all";
    assert_fails(mtlcap_trace_start(&options), MTLCAP_E_FILE, "/nowhere/at/all");
    options.file = NULL;
    options.events = MTLCAP_TRACE_EVENTS_MAX + 1;
    assert_fails(mtlcap_trace_start(&options), MTLCAP_E_ARGUMENT, "1048576");
    options.events = 0;
    options.reserved = 1;
    assert_fails(mtlcap_trace_start(&options), MTLCAP_E_ARGUMENT, "reserved");
    options.struct_size = 3;
    assert_fails(mtlcap_trace_start(&options), MTLCAP_E_VERSION, "struct_size");
    assert_fails(mtlcap_trace_info(NULL), MTLCAP_E_ARGUMENT, "NULL");
    assert_fails(mtlcap_trace_question_info(0, NULL), MTLCAP_E_ARGUMENT, "NULL");
    struct mtlcap_trace_event event = {.struct_size = 1};
    assert_fails(mtlcap_trace_event_info(0, &event), MTLCAP_E_VERSION, "struct_size");
    supports_family(device, 1001);
    assert_int_equal(only("supportsFamily:", 1001, NULL).count, 2);
}

/* ---- devices that come later ---------------------------------------------------------- */

static void later_devices(void **state) {
    (void)state;
    start_trace();
    void *device = device_of_class("AGXG13GDevice");
    asker_asks(device, "supportsFamily:", 1007); /* of an unknown class: not noted */
    assert_int_equal(trace_info().asked, 0);
    assert_ok(mtlcap_adopt_device(device));
    asker_asks(device, "supportsFamily:", 1007);
    assert_string_equal(only("supportsFamily:", 1007, NULL).class_name, "AGXG13GDevice");
    void *same =
        device_of_class("AGXG13GDevice"); /* of a class that is known: Metal asks it, too */
    start_trace();
    asker_asks(same, "supportsFamily:", 1007);
    assert_string_equal(only("supportsFamily:", 1007, NULL).class_name, "AGXG13GDevice");
    start_trace(); /* anew: it is still known */
    asker_asks(device, "supportsFamily:", 1007);
    only("supportsFamily:", 1007, NULL);
}

static void two_devices(void **state) {
    (void)state;
    void *first = device_at(0), *second = device_at(1);
    assert_non_null(second);
    start_trace();
    supports_family(first, 1001);
    supports_family(second, 1001);
    supports_family(second, 1001);
    const uint32_t count = trace_info().question_count;
    assert_int_equal(count, 2);
    assert_int_equal(question_at(0).count, 1);
    assert_int_equal(question_at(1).count, 2);
    assert_string_not_equal(question_at(0).device_name, question_at(1).device_name);
}

/* ---- limits --------------------------------------------------------------------------- */

static void more_questions_than_there_is_room_for(void **state) {
    (void)state;
    enum { DIFFERENT = 6000 };
    void *device = device_at(0);
    start_trace();
    for (int i = 0; i < DIFFERENT; i++)
        supports_family(device, 100000 + i);
    struct mtlcap_trace trace = trace_info();
    assert_int_equal(trace.asked + trace.dropped, DIFFERENT);
    assert_true(trace.question_count > 3500 && trace.question_count <= 4096);
    assert_int_equal(trace.asked, trace.question_count);
    for (int i = 0; i < DIFFERENT; i++) /* those that are known go on */
        supports_family(device, 100000 + i);
    const struct mtlcap_trace twice = trace_info();
    assert_int_equal(twice.asked, 2 * trace.asked);
    assert_int_equal(twice.dropped, 2 * trace.dropped);
}

/* currentAllocatedSize is another one each time. */
static void answers_that_change_by_themselves(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    start_trace();
    for (int i = 0; i < 10; i++)
        asker_asks(device, "currentAllocatedSize", 0);
    const struct mtlcap_trace_question q = only("currentAllocatedSize", 0, NULL);
    assert_int_equal(q.count, 10);
    assert_string_equal(q.stock, q.answer);
    assert_int_equal(q.derived, 0);
    assert_int_equal(q.stock_known, 1);
}

static void events(void **state) {
    (void)state;
    void *device = device_at(0);
    struct mtlcap_trace_options options = MTLCAP_TRACE_OPTIONS_INIT;
    options.events = 10;
    assert_ok(mtlcap_trace_start(&options));
    for (int i = 0; i < 6; i++) {
        supports_family(device, 1001 + i % 3);
        simmetal_ask(device, "maxBufferLength");
    }
    const struct mtlcap_trace trace = trace_info();
    assert_int_equal(trace.asked, 12);
    assert_int_equal(trace.event_count, 10);
    assert_int_equal(trace.events_dropped, 2);
    uint64_t before = 0;
    for (uint32_t i = 0; i < 10; i++) {
        struct mtlcap_trace_event event = MTLCAP_TRACE_EVENT_INIT;
        assert_ok(mtlcap_trace_event_info(i, &event));
        const struct mtlcap_trace_question q = question_at(event.question);
        assert_int_equal(q.argument, i % 2 ? 0 : 1001 + i / 2 % 3);
        assert_true(event.ns >= before && event.ns >= q.first_ns);
        assert_int_equal(event.thread, 0);
        before = event.ns;
    }
    struct mtlcap_trace_event event = MTLCAP_TRACE_EVENT_INIT;
    assert_fails(mtlcap_trace_event_info(10, &event), MTLCAP_E_ARGUMENT, "there is no event 10");
    start_trace(); /* without them */
    supports_family(device, 1001);
    assert_int_equal(trace_info().event_count, 0);
    assert_int_equal(trace_info().events_dropped, 0);
}

/* ---- threads, forks ------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 20000 };

static void *ask_much(void *device) {
    for (int i = 0; i < ROUNDS; i++) {
        asker_asks(device, "supportsFamily:", 1001 + i % 8);
        asker_asks(device, "maxBufferLength", 0);
    }
    return NULL;
}

static void counts_are_exact(void **state) {
    (void)state;
    void *device = device_at(0);
    pthread_t threads[THREADS];
    struct mtlcap_trace_options options = MTLCAP_TRACE_OPTIONS_INIT;
    options.events = MTLCAP_TRACE_EVENTS_MAX;
    assert_ok(mtlcap_trace_start(&options));
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_much, device), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int64_t family = 1001; family <= 1008; family++) {
        const struct mtlcap_trace_question q = only("supportsFamily:", family, NULL);
        assert_int_equal(q.count, THREADS * ROUNDS / 8);
        assert_int_equal(q.thread_count, THREADS);
    }
    assert_int_equal(only("maxBufferLength", 0, NULL).count, THREADS * ROUNDS);
    const struct mtlcap_trace trace = trace_info();
    assert_int_equal(trace.asked, 2 * THREADS * ROUNDS);
    assert_int_equal(trace.event_count, 2 * THREADS * ROUNDS);
    assert_int_equal(trace.dropped, 0);
}

static atomic_bool enough;

static void *ask_until_enough(void *device) {
    while (!atomic_load(&enough))
        ask_much(device);
    return NULL;
}

/* Starting, stopping, reading, applying and restoring, while others ask. */
static void while_others_ask(void **state) {
    (void)state;
    void *device = device_at(0);
    pthread_t threads[2];
    start_trace(); /* with GCC's runtime, hooks go in before others ask */
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_until_enough, device), 0);
    for (int round = 0; round < 20; round++) {
        start_trace();
        apply("apple.min=8");
        const struct mtlcap_trace trace = trace_info();
        for (uint32_t i = 0; i < trace.question_count; i++)
            assert_string_equal(question_at(i).device_name, question_at(0).device_name);
        mtlcap_restore();
        assert_ok(mtlcap_trace_stop());
    }
    atomic_store(&enough, true);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

static int child_asks(void *device) {
    supports_family(device, 1002);
    supports_family(device, 1002);
    return (int)only("supportsFamily:", 1002, NULL).count * 10 +
           (int)only("supportsFamily:", 1001, NULL).count;
}

static void in_a_forked_child(void **state) {
    (void)state;
    void *device = device_at(0);
    start_trace();
    supports_family(device, 1001);
    assert_int_equal(in_child(child_asks, device), 21); /* a copy */
    assert_int_equal(trace_info().asked, 1);
}

/* ---- files ------------------------------------------------------------------------------ */

static char path[64];

static void start_in_file(void) {
    struct mtlcap_trace_options options = MTLCAP_TRACE_OPTIONS_INIT;
    snprintf(path, sizeof path, "engine_trace_%d", (int)getpid());
    options.file = path;
    options.events = 100;
    assert_ok(mtlcap_trace_start(&options));
}

static int child_asks_in_file(void *device) {
    supports_family(device, 1002);
    supports_family(device, 1001);
    return 0;
}

static void in_a_file(void **state) {
    (void)state;
    void *device = device_at(0);
    start_in_file();
    supports_family(device, 1001);
    assert_int_equal(in_child(child_asks_in_file, device), 0);
    assert_int_equal(only("supportsFamily:", 1001, NULL).count, 2); /* the same file */
    assert_int_equal(only("supportsFamily:", 1001, NULL).thread_count, 2);
    assert_int_equal(only("supportsFamily:", 1002, NULL).count, 1);
    assert_int_equal(trace_info().event_count, 3);
    assert_int_equal(access(path, R_OK), 0);
    start_in_file(); /* its own is replaced */
    assert_int_equal(trace_info().asked, 0);
    supports_family(device, 1001);
    start_trace(); /* in memory: the file stays, and nothing more comes into it */
    supports_family(device, 1001);
    assert_int_equal(only("supportsFamily:", 1001, NULL).count, 1);
    assert_int_equal(unlink(path), 0);
}

int main(void) {
    const struct apart tests[] = {
        ON("paravirt", start_stop_start),
        ON("paravirt", indices_stay_until_it_is_read_again),
        ON("paravirt", with_profiles_in_any_order),
        ON("paravirt", failures_change_nothing),
        ON("paravirt", later_devices),
        ON("one-class-paravirtual-first.ini", two_devices),
        ON("paravirt", more_questions_than_there_is_room_for),
        ON("paravirt", answers_that_change_by_themselves),
        ON("paravirt", events),
        ON("paravirt", counts_are_exact),
        ON("paravirt", while_others_ask),
        ON("paravirt", in_a_forked_child),
        ON("paravirt", in_a_file),
    };
    return RUN_APART(tests);
}
