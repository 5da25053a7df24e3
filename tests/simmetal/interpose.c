/*
 * Interposing as dyld does it. This program is not linked to the simulated Metal, and runs itself
 * with libraries inserted: with "global" or "private" as its argument it finds Metal's functions in
 * the process, or in the library that it opens for itself; calls each once; and prints what came of
 * it, and how often interposers were called.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *program;
static char output[4096];

static void *call(void *library, const char *name, void *argument) {
    void *(*function)(void *, void *);
    *(void **)&function = dlsym(library, name);
    if (!function)
        return NULL;
    void *volatile result = function(argument, NULL);
    return result;
}

static int calls(const char *name) {
    char symbol[64];
    snprintf(symbol, sizeof symbol, "interposer_calls_%s", name);
    const int *counter = dlsym(RTLD_DEFAULT, symbol);
    return counter ? *counter : 0;
}

static int call_metal(const char *how) {
    void *library =
        strcmp(how, "private") == 0 ? dlopen(SIMMETAL, RTLD_NOW | RTLD_LOCAL) : RTLD_DEFAULT;
    alarm(20);
    void *observer = NULL;
    const int made = call(library, "MTLCreateSystemDefaultDevice", NULL) != NULL;
    const int listed = call(library, "MTLCopyAllDevices", NULL) != NULL;
    const int observed = call(library, "MTLCopyAllDevicesWithObserver", &observer) && observer;
    printf("%d%d%d a=%d b=%d jumps=%d", made, listed, observed, calls("a"), calls("b"),
           calls("jumps"));
    return 0;
}

static void run(const char *how, const char *inserted) {
    char command[4096];
    snprintf(command, sizeof command, "env LD_PRELOAD=%s %s %s 2>&1", inserted, program, how);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t length = fread(output, 1, sizeof output - 1, pipe);
    output[length] = '\0';
    if (pclose(pipe) != 0)
        fail_msg("%s: %s", command, output);
}

static void nobody(void **state) {
    (void)state;
    run("global", SIMMETAL);
    assert_string_equal(output, "111 a=0 b=0 jumps=0");
    run("private", "");
    assert_string_equal(output, "111 a=0 b=0 jumps=0");
    run("global", "");
    assert_string_equal(output, "000 a=0 b=0 jumps=0"); /* there is no Metal */
}

static void one(void **state) {
    (void)state;
    run("global", A ":" SIMMETAL);
    assert_string_equal(output, "111 a=3 b=0 jumps=0");
    run("private", A ":" SIMMETAL); /* dlsym() gives the interposer's, too */
    assert_string_equal(output, "111 a=3 b=0 jumps=0");
    run("private", A); /* Metal comes late */
    assert_string_equal(output, "111 a=3 b=0 jumps=0");
}

static void one_that_comes_after_metal(void **state) {
    (void)state;
    run("global", SIMMETAL ":" A);
    assert_string_equal(output, "111 a=0 b=0 jumps=0");
}

static void several(void **state) {
    (void)state;
    run("global", A ":" B ":" SIMMETAL);
    assert_string_equal(output, "111 a=3 b=3 jumps=0");
    run("private", A ":" B ":" SIMMETAL);
    assert_string_equal(output, "111 a=3 b=3 jumps=0");
    run("private", B ":" A);
    assert_string_equal(output, "111 a=3 b=3 jumps=0");
}

/* A call that ends in a jump looks like its caller's: the first time it is brought back. */
static void one_that_jumps(void **state) {
    (void)state;
    run("private", JUMPING);
    assert_string_equal(output, "111 a=0 b=0 jumps=3");
    run("global", JUMPING ":" SIMMETAL);
    assert_memory_equal(output, "111 a=0 b=0 jumps=", 18);
    const int jumps = atoi(output + 18);
    assert_in_range(jumps, 3, 6);
    run("global", A ":" JUMPING ":" SIMMETAL);
    assert_memory_equal(output, "111 a=3 b=0 jumps=3", 19);
    run("private", JUMPING ":" A);
    assert_memory_equal(output, "111 a=3 b=0 jumps=3", 19);
}

int main(int count, char **arguments) {
    program = arguments[0];
    if (count > 1)
        return call_metal(arguments[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody),
        cmocka_unit_test(one),
        cmocka_unit_test(one_that_comes_after_metal),
        cmocka_unit_test(several),
        cmocka_unit_test(one_that_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
