/* A trace changes no answer, calls nothing that the program would not have called, and lives with
 * whatever the program does meanwhile. */
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "traced.h"

/* ---- Metal's own methods, once for each question -------------------------------------- */

static unsigned calls, sevens;

/* As one that takes its answer from another one. */
static uint64_t asks_for_apple7(void *self, SEL selector) {
    (void)selector;
    calls++;
    const bool seven = supports_family(self, 1007);
    sevens += seven;
    return seven ? 7000 : 5000;
}

static void originals_are_called_once(void **state) {
    (void)state;
    void *device = device_at(0);
    put_method(class_named("AppleParavirtDevice"), "maxBufferLength", (code)asks_for_apple7);
    start_trace();
    apply("apple.min=7,buffer_length.max=6000");
    calls = sevens = 0;
    assert_int_equal(asker_asks(device, "maxBufferLength", 0), 6000);
    assert_int_equal(calls, 1);
    assert_int_equal(sevens, 1);
    assert_string_equal(only("maxBufferLength", 0, "6000").stock, "5000");
    mtlcap_restore();
    assert_int_equal(asker_asks(device, "maxBufferLength", 0), 5000);
    apply("apple.min=7");
    calls = sevens = 0;
    assert_int_equal(asker_asks(device, "maxBufferLength", 0), 7000);
    assert_int_equal(calls, 1);
    assert_int_equal(sevens, 1);
    const struct mtlcap_trace_question q = only("maxBufferLength", 0, "7000");
    assert_int_equal(q.derived, 1);
    assert_string_equal(q.stock, "5000");
}

/* Another object of a class that is known is not asked for more than the program asks it: what it
 * says by itself is not what the one that is known does. */
static void of_an_object_that_is_not_known(void **state) {
    (void)state;
    void *known = device_of_class("AGXG13GDevice"), *other = device_of_class("AGXG13GDevice");
    start_trace();
    assert_ok(mtlcap_adopt_device(known));
    assert_ok(apply_allowing("threadgroup_memory=16K,buffer_length.max=1M", every_hazard()));
    start_trace();
    assert_int_equal(asker_asks(other, "maxThreadgroupMemoryLength", 0), 16384);
    assert_int_equal(only("maxThreadgroupMemoryLength", 0, "16384").stock_known, 0);
    assert_int_equal(asker_asks(other, "maxBufferLength", 0), 1 << 20);
    assert_int_equal(only("maxBufferLength", 0, "1048576").stock_known, 0);
    assert_int_equal(asker_asks(known, "maxThreadgroupMemoryLength", 0), 16384);
}

/* ---- jumps out of a question --------------------------------------------------------------- */

static jmp_buf out;
static bool jumping;

static uint64_t jumps(void *self, SEL selector) {
    (void)self, (void)selector;
    if (jumping)
        longjmp(out, 1);
    return 4096;
}

static void ask_and_jump(void *device) {
    if (setjmp(out) == 0) {
        asker_asks(device, "maxBufferLength", 0);
        fail();
    }
}

static void query_and_jump(void *device) {
    if (setjmp(out) == 0) {
        struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
        mtlcap_query(device, "buffer_length", &answer);
        fail();
    }
}

/* A time limit by siglongjmp(), or an exception. */
static void after_a_jump(void **state) {
    (void)state;
    void *device = device_at(0);
    void (*const ways[])(void *) = {ask_and_jump, query_and_jump};
    put_method(class_named("AppleParavirtDevice"), "maxBufferLength", (code)jumps);
    apply("apple.min=7");
    for (size_t way = 0; way < 2; way++) {
        start_trace();
        jumping = true;
        ways[way](device);
        jumping = false;
        const uint64_t asked = trace_info().asked;
        assert_int_equal(asker_asks(device, "maxBufferLength", 0), 4096);
        assert_int_equal(trace_info().asked, asked + 1);
        assert_int_equal(asker_asks(device, "supportsFamily:", 1007), 1);
        assert_int_equal(asker_asks(device, "supportsFamily:", 1007), 1);
        assert_int_equal(trace_info().asked, asked + 3);
        assert_int_equal(highest_family(device, 1000), 1007);
    }
}

/* ---- many arguments ------------------------------------------------------------------------ */

static void arguments_that_differ_in_high_bits(void **state) {
    (void)state;
    void *device = device_at(0);
    start_trace();
    for (int64_t i = 1; i <= 500; i++)
        asker_asks(device, "supportsFamily:", i << 32);
    for (int64_t i = 1; i <= 500; i++)
        asker_asks(device, "supportsFamily:", i << 48);
    assert_int_equal(trace_info().dropped, 0);
    assert_int_equal(trace_info().question_count, 1000);
}

/* ---- reading while another one begins ------------------------------------------------------- */

static atomic_bool enough;

static void *read_until_enough(void *device) {
    while (!atomic_load(&enough)) {
        struct mtlcap_trace trace = MTLCAP_TRACE_INIT;
        if (mtlcap_trace_info(&trace) != MTLCAP_OK || trace.event_count > 30000)
            return device;
        mtlcap_trace_stop();
    }
    return NULL;
}

static void read_while_others_begin(void **state) {
    (void)state;
    void *device = device_at(0), *failed;
    pthread_t thread;
    struct mtlcap_trace_options options = MTLCAP_TRACE_OPTIONS_INIT;
    start_trace();
    assert_int_equal(pthread_create(&thread, NULL, read_until_enough, device), 0);
    for (uint32_t round = 0; round < 60; round++) {
        options.events = round % 3 * 15000;
        assert_ok(mtlcap_trace_start(&options));
        for (int64_t i = 0; i < 200; i++)
            asker_asks(device, "supportsFamily:", 1001 + i);
        if (round % 4 == 0)
            usleep(2000);
    }
    atomic_store(&enough, true);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    start_trace();
    asker_asks(device, "supportsFamily:", 1001);
    assert_int_equal(trace_info().asked, 1);
    assert_non_null(strstr(only("supportsFamily:", 1001, "yes").image, "asker"));
}

int main(void) {
    const struct apart tests[] = {
        ON("paravirt", originals_are_called_once),
        ON("paravirt", of_an_object_that_is_not_known),
        ON("paravirt", after_a_jump),
        ON("paravirt", arguments_that_differ_in_high_bits),
        ON("paravirt", read_while_others_begin),
    };
    return RUN_APART(tests);
}
