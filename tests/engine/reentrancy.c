/* Others' code, which the library runs, calls the library: from within, and from a thread that it
 * waits for. No lock of ours is held then. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "foreign.h"
#include "support.h"

static void *device;
static unsigned calls;  /* of the original */
static bool inside;     /* so that the original's own calls do not call it back */
static int applied;     /* what applying from within has returned */
static int apply_calls; /* how often that was tried */

static void ask_around(void) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    assert_ok(mtlcap_query(device, "threadgroup_memory", &answer));
    mtlcap_generation();
    mtlcap_is_active();
    report();
    struct mtlcap_device info = MTLCAP_DEVICE_INIT;
    assert_ok(mtlcap_device_info(0, &info));
}

static void *ask_on_a_thread(void *unused) {
    (void)unused;
    ask_around();
    return NULL;
}

static void *restore_on_a_thread(void *unused) {
    (void)unused;
    assert_ok(mtlcap_restore());
    return NULL;
}

static void *apply_on_a_thread(void *unused) {
    (void)unused;
    applied = apply_allowing("apple.max=3", every_hazard());
    return NULL;
}

static void join(void *(*function)(void *)) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, function, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

/* The device's supportsFamily:, owned by its class, calls `function` first. */
static void put_original(void (*function)(void *self)) {
    device = device_at(0);
    foreign_calls = function;
    foreign_below =
        put_method(class_named("AppleParavirtDevice"), "supportsFamily:", (code)foreign_call);
}

static void call_from_inside(void *self) {
    (void)self;
    calls++;
    if (inside)
        return;
    inside = true;
    ask_around();
    inside = false;
}

static void an_original_that_asks(void **state) {
    (void)state;
    alarm(20);
    put_original(call_from_inside);
    apply("apple.min=7");
    assert_true(calls > 0); /* while applying */
    calls = 0;
    assert_true(supports_family(device, 3003)); /* no rule: the original is asked */
    assert_true(calls > 0);
    assert_int_equal(answer_of(device, "common").effective.number[0], 3);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1005);
}

static void call_from_a_thread(void *self) {
    (void)self;
    calls++;
    if (inside)
        return;
    inside = true;
    join(ask_on_a_thread);
    inside = false;
}

static void an_original_that_waits_for_a_thread_that_asks(void **state) {
    (void)state;
    alarm(60);
    put_original(call_from_a_thread);
    apply("apple.min=7");
    calls = 0;
    assert_true(supports_family(device, 3003));
    assert_int_equal(calls, 1);
    assert_int_equal(answer_of(device, "common").effective.number[0], 3);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1005);
}

static void restore_from_inside(void *self) {
    (void)self;
    if (inside)
        return;
    inside = true;
    assert_ok(mtlcap_restore());
    join(restore_on_a_thread);
    inside = false;
}

static void an_original_that_restores(void **state) {
    (void)state;
    alarm(60);
    put_original(restore_from_inside);
    apply("apple.min=7"); /* it restores what was in force before, which is nothing */
    assert_true(mtlcap_generation() > 0);
    assert_true(supports_family(device, 1007)); /* a rule: the original is not asked */
    assert_true(supports_family(device, 3003)); /* asks the original */
    assert_int_equal(mtlcap_generation(), 0);
    assert_int_equal(highest_family(device, 1000), 1005);
}

static void restore_once(void *self) {
    (void)self;
    if (calls++)
        return;
    assert_ok(mtlcap_restore());
    join(restore_on_a_thread);
}

/* Restoring when nothing is in force does not cost an apply what it knows of the stock answers. */
static void an_original_that_restores_while_stock_is_taken(void **state) {
    (void)state;
    alarm(60);
    put_original(NULL);
    uint32_t count;
    assert_ok(mtlcap_device_count(&count)); /* its stock is taken once more from here on */
    foreign_calls = restore_once;
    apply("apple.min=7");
    assert_true(calls > 0);
    const struct mtlcap_answer answer = answer_of(device, "raytracing");
    assert_int_equal(answer.stock_known, 1);
    assert_string_equal(answer.stock.text, "no");
    assert_int_equal(answer.derived, 1);
    assert_int_equal(answer_of(device, "apple").stock.number[0], 5);
    assert_true(report().derived_count > 0);
}

static void apply_from_inside(void *self) {
    (void)self;
    if (inside)
        return;
    inside = true;
    apply_calls++;
    applied = apply_allowing("apple.max=3", every_hazard());
    inside = false;
}

static void an_original_that_applies(void **state) {
    (void)state;
    alarm(60);
    put_original(apply_from_inside);
    apply("apple.min=7"); /* asks it, for the snapshot and for the proof */
    assert_true(apply_calls > 0);
    assert_int_equal(applied, MTLCAP_E_BUSY);
    assert_true(supports_family(device, 1007)); /* a rule: the original is not asked */
    assert_string_equal(report().profile, "apple.min=7");

    assert_true(supports_family(device, 3003)); /* outside of an apply it may */
    assert_int_equal(applied, MTLCAP_OK);
    assert_int_equal(highest_family(device, 1000), 1003);
}

/* Once only: each try waits for two seconds. */
static void apply_from_a_thread_once(void *self) {
    (void)self;
    if (apply_calls++)
        return;
    join(apply_on_a_thread);
}

static void an_original_that_waits_for_a_thread_that_applies(void **state) {
    (void)state;
    alarm(60);
    put_original(apply_from_a_thread_once);
    apply("apple.min=7");
    assert_int_equal(applied, MTLCAP_E_BUSY); /* and no deadlock */
    assert_int_equal(highest_family(device, 1000), 1007);
    apply_calls = 0;
    assert_true(supports_family(device, 3003));
    assert_int_equal(applied, MTLCAP_OK);
    assert_int_equal(highest_family(device, 1000), 1003);
}

static void adopt_from_inside(void *self) {
    if (inside)
        return;
    inside = true;
    apply_calls++;
    applied = mtlcap_adopt_device(self);
    inside = false;
}

static void an_original_that_adopts(void **state) {
    (void)state;
    alarm(60);
    put_original(adopt_from_inside);
    apply("apple.min=7");
    assert_true(apply_calls > 0);
    assert_int_equal(applied, MTLCAP_E_BUSY);
    assert_true(supports_family(device, 3003));
    assert_int_equal(applied, MTLCAP_OK);
    assert_int_equal(highest_family(device, 1000), 1007);
}

/* ---- the log -------------------------------------------------------------- */

static unsigned messages;
static int last_level;
static char last_message[1024];

static void call_from_the_log(int level, const char *message, void *data) {
    assert_ptr_equal(data, &messages);
    last_level = level;
    snprintf(last_message, sizeof last_message, "%s", message);
    if (messages++)
        return;
    ask_around();
    join(ask_on_a_thread);
    assert_int_equal(answer_of(device, "apple").effective.number[0], 7); /* it is in force */
    applied = mtlcap_apply_profile("stock", NULL);
    assert_int_equal(mtlcap_is_active(), 0);
    join(apply_on_a_thread);
    assert_int_equal(highest_family(device, 1000), 1003);
    assert_ok(mtlcap_restore());
}

static void keep_messages(int level, const char *message, void *data) {
    (void)level, (void)data;
    assert_non_null(strstr(message, "warning, applied all the same: hazard live-internals"));
    messages++;
}

/* What an apply and a restore say at INFO; "": nothing. */
static void assert_says(int status, const char *wanted) {
    assert_ok(status);
    assert_string_equal(last_message, wanted);
    assert_int_equal(last_level, wanted[0] ? MTLCAP_LOG_INFO : MTLCAP_LOG_OFF);
    last_level = MTLCAP_LOG_OFF;
    last_message[0] = '\0';
}

static void keep_last_message(int level, const char *message, void *data) {
    (void)data;
    assert_int_equal(last_message[0], 0); /* one line for each */
    last_level = level;
    snprintf(last_message, sizeof last_message, "%s", message);
}

static void applies_and_restores_are_logged(void **state) {
    (void)state;
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    uint64_t generation = 0;
    options.generation = &generation;
    assert_ok(mtlcap_set_log(MTLCAP_LOG_INFO, keep_last_message, NULL));
    assert_says(mtlcap_restore(), "");
    assert_says(mtlcap_apply_profile("auto", NULL),
                "applied auto: 10 answers differ from stock, 9 of them derived");
    assert_says(mtlcap_apply_profile("stock", &options),
                "applied stock: 0 answers differ from stock, 0 of them derived");
    assert_says(mtlcap_restore_generation(generation - 1), "");
    assert_says(mtlcap_restore_generation(generation),
                "restored stock answers: stock is no longer in force");
    assert_says(mtlcap_restore(), "");
}

static void a_hazard_is_logged_once(void **state) {
    (void)state;
    assert_ok(mtlcap_set_log(MTLCAP_LOG_WARNING, keep_messages, NULL));
    assert_ok(mtlcap_apply_profile("apple.max=5,metal=off,mac=off", NULL));
    struct mtlcap_report report = MTLCAP_REPORT_INIT;
    assert_ok(mtlcap_report_info(&report));
    assert_int_equal(report.finding_count, 3); /* every rule is in the report */
    assert_int_equal(messages, 1);
}

static void the_log_may_call_anything(void **state) {
    (void)state;
    alarm(60);
    device = device_at(0);
    assert_ok(mtlcap_set_log(MTLCAP_LOG_WARNING, call_from_the_log, &messages));
    assert_ok(mtlcap_apply_profile("apple.max=7", NULL));
    assert_true(messages > 0);
    assert_int_equal(last_level, MTLCAP_LOG_WARNING);
    assert_non_null(strstr(last_message, "live-internals"));
    assert_null(strchr(last_message, '\n'));
    assert_int_equal(applied, MTLCAP_OK);
    assert_int_equal(mtlcap_generation(), 0);
    assert_int_equal(highest_family(device, 1000), 1009);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", an_original_that_asks),
        ON("paravirt", an_original_that_waits_for_a_thread_that_asks),
        ON("paravirt", an_original_that_restores),
        ON("paravirt", an_original_that_restores_while_stock_is_taken),
        ON("paravirt", an_original_that_applies),
        ON("paravirt", an_original_that_waits_for_a_thread_that_applies),
        ON("paravirt", an_original_that_adopts),
        ON("m3-pro", the_log_may_call_anything),
        ON("paravirt", applies_and_restores_are_logged),
        ON("m3-pro", a_hazard_is_logged_once),
    };
    return RUN_APART(tests);
}
