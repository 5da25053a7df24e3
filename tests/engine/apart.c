/* A process of its own for each test. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

static void select_machine(const char *machine) {
    char path[4096];
    if (strstr(machine, ".ini")) {
        snprintf(path, sizeof path, "%s/%s", ENGINE_MACHINES, machine);
        machine = path;
    }
    setenv("SIMMETAL_DEVICES", machine, 1);
}

/* Of the library's own, where a test is linked with it. */
__attribute__((weak)) void mtlcap__injected_watch(void);
#pragma weak mtlcap_trace_start

static int run_one(void *data) {
    const struct apart *apart = data;
    if (getenv("MTLCAP_TEST_WATCH") && mtlcap__injected_watch)
        mtlcap__injected_watch();
    const struct CMUnitTest test[] = {{apart->name, apart->function, NULL, NULL, NULL}};
    if (apart->machine)
        select_machine(apart->machine);
    if (getenv("MTLCAP_TEST_TRACE") && mtlcap_trace_start(NULL))
        return 1;
    return _cmocka_run_group_tests(apart->name, test, 1, NULL, NULL);
}

bool apple_runtime(void) {
    const char *runtime = getenv("SIMMETAL_RUNTIME");
    return !runtime || strcmp(runtime, "gcc") != 0;
}

int in_child(int (*function)(void *data), void *data) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const int status = function(data);
        fflush(NULL);
        _exit(status);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

int run_apart(const struct apart *tests, size_t count) {
    int failed = 0;
    for (size_t i = 0; i < count; i++) {
        struct apart test = tests[i];
        const int status = in_child(run_one, &test);
        if (status) {
            fprintf(stderr, "%s: failed (%d)\n", test.name, status);
            failed++;
        }
    }
    return failed;
}
