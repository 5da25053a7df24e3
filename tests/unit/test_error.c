/* The last error of a thread, and the log. */
#define _POSIX_C_SOURCE 200809L /* fdopen, dup */
#include "core/error.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "unit.h"

/* ---- errors ---- */

static void remembers_a_failure(void **state) {
    struct mtlcap_error error = {.struct_size = 12345};

    (void)state;
    assert_int_equal(mtlcap__fail(MTLCAP_E_SLOTS, "%d of %s", 3, "four"), MTLCAP_E_SLOTS);
    assert_string_equal(mtlcap__last_error(), "3 of four");
    mtlcap__error_parts(&error);
    assert_int_equal(error.struct_size, 12345);
    assert_int_equal(error.status, MTLCAP_E_SLOTS);
    assert_int_equal(error.line, 0);
    assert_int_equal(error.column, 0);
    assert_string_equal(error.item, "");
    assert_string_equal(error.hazard, "");
    assert_string_equal(error.message, "3 of four");
}

static void remembers_a_place(void **state) {
    struct mtlcap_error error;

    (void)state;
    assert_int_equal(
        mtlcap__fail_at(MTLCAP_E_PROFILE, NULL, 0, 6, "apple=x,metal=3", 7, "no %s", "number"),
        MTLCAP_E_PROFILE);
    mtlcap__error_parts(&error);
    assert_int_equal(error.line, 0);
    assert_int_equal(error.column, 6);
    assert_string_equal(error.item, "apple=x");
    assert_string_equal(error.message, "column 6: 'apple=x': no number");

    mtlcap__fail_at(MTLCAP_E_PROFILE, "p.txt", 3, 1, "apple=x", 7, "no number");
    mtlcap__error_parts(&error);
    assert_int_equal(error.line, 3);
    assert_string_equal(error.message, "p.txt, line 3, column 1: 'apple=x': no number");
}

static void remembers_a_hazard(void **state) {
    struct mtlcap_error error;

    (void)state;
    assert_int_equal(mtlcap__fail_hazard("metal", "no"), MTLCAP_E_HAZARD);
    mtlcap__error_parts(&error);
    assert_int_equal(error.status, MTLCAP_E_HAZARD);
    assert_string_equal(error.hazard, "metal");

    mtlcap__fail(MTLCAP_E_SLOTS, "other"); /* nothing of the one before is left */
    mtlcap__error_parts(&error);
    assert_string_equal(error.hazard, "");
}

static void messages_are_one_line_of_text(void **state) {
    (void)state;
    mtlcap__fail(MTLCAP_E_FILE, "a\nb\tc\x1b[31md\x7f");
    assert_string_equal(mtlcap__last_error(), "a?b?c?[31md?");
    mtlcap__fail(MTLCAP_E_FILE, "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8D\x8E");
    assert_string_equal(mtlcap__last_error(), "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8D\x8E");
    mtlcap__fail(MTLCAP_E_FILE,
                 "\xC2\xA0 \xE0\xA0\x80 \xF0\x90\x80\x80 \xF4\x8F\xBF\xBF"); /* limits */
    assert_string_equal(mtlcap__last_error(),
                        "\xC2\xA0 \xE0\xA0\x80 \xF0\x90\x80\x80 \xF4\x8F\xBF\xBF");
    mtlcap__fail(MTLCAP_E_FILE, "\xC1\xBF \xE0\x9F\xBF \xF0\x8F\xBF\xBF \xF4\x90\x80\x80");
    assert_string_equal(mtlcap__last_error(), "?? ??? ???? ????");
    mtlcap__fail(MTLCAP_E_FILE, "caf\xE9 \xC0\xAF \xED\xA0\x80 \xC2\x9B \xF5 \xE2\x82");
    assert_string_equal(mtlcap__last_error(), "caf? ?? ??? ?? ? ??");
}

static void messages_are_cut(void **state) {
    static char longer[4000];
    struct mtlcap_error error;

    (void)state;
    for (size_t i = 0; i + 3 < sizeof longer; i += 3)
        memcpy(longer + i, "\xE2\x82\xAC", 3);
    mtlcap__fail(MTLCAP_E_FILE, "%s", longer);
    assert_int_equal(strlen(mtlcap__last_error()), sizeof error.message - 1);
    mtlcap__fail_at(MTLCAP_E_FILE, longer, 1, 1, longer, strlen(longer), "%s", longer);
    mtlcap__error_parts(&error);
    assert_true(strlen(error.message) < sizeof error.message);
    assert_int_equal(strlen(error.item), 126); /* whole characters of 127 bytes */
    assert_contains(error.message, ", line 1, column 1: '");
}

static void *fail_elsewhere(void *was_empty) {
    *(bool *)was_empty = mtlcap__last_error()[0] == '\0';
    mtlcap__fail(MTLCAP_E_BUSY, "elsewhere");
    return NULL;
}

static void threads_have_their_own(void **state) {
    pthread_t thread;
    bool was_empty = false;

    (void)state;
    mtlcap__fail(MTLCAP_E_SLOTS, "here");
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, &was_empty), 0);
    pthread_join(thread, NULL);
    assert_true(was_empty);
    assert_string_equal(mtlcap__last_error(), "here");
}

static void every_status_has_a_text(void **state) {
    (void)state;
#define CHECK(name, number, meaning)                                                               \
    assert_string_equal(mtlcap__status_text(MTLCAP_##name), meaning);
    MTLCAP_STATUS_MAP(CHECK)
#undef CHECK
    assert_string_equal(mtlcap__status_text(1), "unknown status");
    assert_string_equal(mtlcap__status_text(-1000), "unknown status");
}

static void copies_whole_characters(void **state) {
    char text[4];

    (void)state;
    mtlcap__copy_text(text, sizeof text, "abcdef", 6);
    assert_string_equal(text, "abc");
    mtlcap__copy_text(text, sizeof text, "abcdef", 2);
    assert_string_equal(text, "ab");
    mtlcap__copy_text(text, sizeof text, "a\xE2\x82\xAC", 4);
    assert_string_equal(text, "a");
    mtlcap__copy_text(text, sizeof text, "\xE2\x82\xAC!", 4);
    assert_string_equal(text, "\xE2\x82\xAC");
    mtlcap__copy_text(text, 1, "abc", 3);
    assert_string_equal(text, "");
    mtlcap__copy_text(text, sizeof text, NULL, 0);
    assert_string_equal(text, "");
    text[0] = 'x';
    mtlcap__copy_text(text, 0, "abc", 3);
    assert_int_equal(text[0], 'x');
}

/* ---- log ---- */

struct sink {
    int count, level;
    char message[2048];
};

static void collect(int level, const char *message, void *data) {
    struct sink *sink = data;

    sink->count++;
    sink->level = level;
    snprintf(sink->message, sizeof sink->message, "%s", message);
    errno = EIO;
}

static int reset_log(void **state) {
    (void)state;
    return mtlcap__set_log(MTLCAP_LOG_WARNING, NULL, NULL);
}

static void log_goes_to_the_function(void **state) {
    struct sink sink = {0};

    (void)state;
    assert_int_equal(mtlcap__set_log(MTLCAP_LOG_INFO, collect, &sink), MTLCAP_OK);
    errno = ENOENT;
    mtlcap__log(MTLCAP_LOG_INFO, "%d\n", 42);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(sink.count, 1);
    assert_int_equal(sink.level, MTLCAP_LOG_INFO);
    assert_string_equal(sink.message, "42?");
}

static void log_respects_the_level(void **state) {
    struct sink sink = {0};

    (void)state;
    for (int limit = MTLCAP_LOG_OFF; limit <= MTLCAP_LOG_DEBUG; limit++) {
        assert_int_equal(mtlcap__set_log(limit, collect, &sink), MTLCAP_OK);
        for (int level = MTLCAP_LOG_ERROR; level <= MTLCAP_LOG_DEBUG; level++) {
            sink.count = 0;
            mtlcap__log(level, "x");
            assert_int_equal(sink.count, level <= limit);
        }
    }
}

static void log_refuses_unknown_levels(void **state) {
    struct sink sink = {0};

    (void)state;
    mtlcap__set_log(MTLCAP_LOG_INFO, collect, &sink);
    assert_int_equal(mtlcap__set_log(-1, NULL, NULL), MTLCAP_E_ARGUMENT);
    assert_int_equal(mtlcap__set_log(5, NULL, NULL), MTLCAP_E_ARGUMENT);
    assert_contains(mtlcap__last_error(), "5");
    mtlcap__log(MTLCAP_LOG_INFO, "still there");
    assert_int_equal(sink.count, 1);
}

/* What stderr gets while `level` is logged. */
static void capture(int level, char *text, size_t size) {
    int saved = dup(STDERR_FILENO), ends[2];

    assert_int_equal(pipe(ends), 0);
    fflush(stderr);
    dup2(ends[1], STDERR_FILENO);
    mtlcap__log(level, "hello %s", "world");
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(ends[1]);
    ssize_t length = read(ends[0], text, size - 1);
    text[length > 0 ? length : 0] = '\0';
    close(ends[0]);
}

static void log_goes_to_stderr_by_default(void **state) {
    char text[128];

    (void)state;
    capture(MTLCAP_LOG_WARNING, text, sizeof text);
    assert_string_equal(text, "mtlcap: hello world\n");
    capture(MTLCAP_LOG_INFO, text, sizeof text);
    assert_string_equal(text, "");
}

static struct sink sinks[2];
static atomic_int broken_pairs;

/* Function and data must stay a pair: this one's is of `sinks`, the other's is NULL. */
static void takes_a_sink(int level, const char *message, void *data) {
    (void)level, (void)message;
    broken_pairs += data != &sinks[0] && data != &sinks[1];
}

static void takes_nothing(int level, const char *message, void *data) {
    (void)level, (void)message;
    broken_pairs += data != NULL;
}

static void *keep_setting(void *unused) {
    (void)unused;
    for (int i = 0; i < 20000; i++) {
        mtlcap__set_log(MTLCAP_LOG_DEBUG, takes_a_sink, &sinks[i % 2]);
        mtlcap__set_log(MTLCAP_LOG_DEBUG, takes_nothing, NULL);
    }
    return NULL;
}

static void *keep_logging(void *unused) {
    (void)unused;
    for (int i = 0; i < 20000; i++)
        mtlcap__log(MTLCAP_LOG_DEBUG, "%d", i);
    return NULL;
}

static void log_can_be_set_while_others_log(void **state) {
    void *(*const work[])(void *) = {keep_setting, keep_setting, keep_logging, keep_logging};
    pthread_t threads[LENGTH(work)];

    (void)state;
    mtlcap__set_log(MTLCAP_LOG_DEBUG, takes_nothing, NULL);
    for (size_t i = 0; i < LENGTH(work); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work[i], NULL), 0);
    for (size_t i = 0; i < LENGTH(work); i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(broken_pairs, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_goes_to_stderr_by_default),
        cmocka_unit_test(remembers_a_failure),
        cmocka_unit_test(remembers_a_place),
        cmocka_unit_test(remembers_a_hazard),
        cmocka_unit_test(messages_are_one_line_of_text),
        cmocka_unit_test(messages_are_cut),
        cmocka_unit_test(threads_have_their_own),
        cmocka_unit_test(every_status_has_a_text),
        cmocka_unit_test(copies_whole_characters),
        cmocka_unit_test_teardown(log_goes_to_the_function, reset_log),
        cmocka_unit_test_teardown(log_respects_the_level, reset_log),
        cmocka_unit_test_teardown(log_refuses_unknown_levels, reset_log),
        cmocka_unit_test_teardown(log_can_be_set_while_others_log, reset_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
