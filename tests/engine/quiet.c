/* What the library does not do: create devices, print, or run at exit. And what it does print. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

/* Stands before the simulated Metal's: the library must never ask for the default device, which
 * wakes the discrete GPU. */
static unsigned default_devices;
__attribute__((visibility("default"))) void *MTLCreateSystemDefaultDevice(void) {
    default_devices++;
    return NULL;
}

/* What `function` prints to stdout and stderr, in a process of its own that exits as any does. */
static char printed[65536];

static int run_and_exit(void *function) {
    void (*call)(void);
    *(void **)&call = function;
    call();
    fflush(NULL);
    exit(0);
}

static void run_and_read(void (*function)(void)) {
    char path[] = "/tmp/mtlcap-quiet-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    unlink(path);
    fflush(NULL);
    const int out = dup(1), err = dup(2);
    dup2(file, 1);
    dup2(file, 2);
    const int status = in_child(run_and_exit, *(void **)&function);
    dup2(out, 1);
    dup2(err, 2);
    assert_int_equal(status, 0);
    const ssize_t length = pread(file, printed, sizeof printed - 1, 0);
    assert_true(length >= 0);
    printed[length] = '\0';
    close(file);
    close(out);
    close(err);
}

static void assert_printed_nothing(void (*function)(void)) {
    run_and_read(function);
    if (printed[0])
        fail_msg("printed: %s", printed);
}

/* ---- devices -------------------------------------------------------------- */

static void no_device_is_created(void **state) {
    (void)state;
    uint32_t count;
    assert_int_equal(simmetal_devices_created(), 0); /* by loading */
    mtlcap_version();
    mtlcap_is_active();
    mtlcap_generation();
    mtlcap_restore();
    mtlcap_capability_count();
    assert_int_equal(simmetal_devices_created(), 0);
    assert_ok(mtlcap_apply_profile("auto", NULL));
    assert_int_equal(simmetal_devices_created(), 1); /* by MTLCopyAllDevices, once */
    assert_ok(mtlcap_device_count(&count));
    answer_of(NULL, "apple");
    apply("apple.min=9");
    assert_ok(mtlcap_restore());
    assert_int_equal(simmetal_devices_created(), 1);
    assert_int_equal(default_devices, 0);
}

/* ---- output --------------------------------------------------------------- */

static void use_everything(void) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    struct mtlcap_explanation explanation = MTLCAP_EXPLANATION_INIT;
    if (mtlcap_apply_profile("auto", NULL) || mtlcap_query(NULL, "apple", &answer) ||
        mtlcap_explain_profile("lume", NULL, &explanation) || mtlcap_restore())
        printf("failed: %s\n", mtlcap_last_error());
}

static void nothing_is_printed(void **state) {
    (void)state;
    assert_printed_nothing(use_everything);
}

static void make_failures(void) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    if (!mtlcap_apply_profile("apple.min=77", NULL) || !mtlcap_apply_profile("lume", NULL) ||
        !mtlcap_query(NULL, "aple", &answer) || !mtlcap_restore_generation(99))
        printf("did not fail\n");
}

/* The caller has the error: it is not for the library to print it. */
static void failures_are_not_printed(void **state) {
    (void)state;
    assert_printed_nothing(make_failures);
}

static void lower(void) {
    if (mtlcap_apply_profile("apple.max=7", NULL))
        printf("failed: %s\n", mtlcap_last_error());
}

static void warnings_are_printed(void **state) {
    (void)state;
    run_and_read(lower);
    assert_ptr_equal(
        strstr(printed,
               "mtlcap: warning, applied all the same: hazard live-internals: apple.max=7 "),
        printed);
    assert_ptr_equal(strchr(printed, '\n'), printed + strlen(printed) - 1); /* one line */
}

static void lower_with_consent(void) {
    if (apply_allowing("apple.max=7", "live-internals"))
        printf("failed: %s\n", mtlcap_last_error());
}

static void lower_silently(void) {
    if (mtlcap_set_log(MTLCAP_LOG_ERROR, NULL, NULL) || mtlcap_apply_profile("apple.max=7", NULL))
        printf("failed: %s\n", mtlcap_last_error());
}

static void warnings_can_be_silenced(void **state) {
    (void)state;
    assert_printed_nothing(lower_with_consent);
    assert_printed_nothing(lower_silently);
}

static void leave_it_applied(void) {
    if (mtlcap_apply_profile("auto", NULL))
        printf("failed: %s\n", mtlcap_last_error());
}

static void nothing_happens_at_exit(void **state) {
    (void)state;
    assert_printed_nothing(leave_it_applied);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", no_device_is_created),     ON("paravirt", nothing_is_printed),
        ON("paravirt", failures_are_not_printed), ON("m3-pro", warnings_are_printed),
        ON("m3-pro", warnings_can_be_silenced),   ON("paravirt", nothing_happens_at_exit),
    };
    return RUN_APART(tests);
}
