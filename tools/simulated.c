/* Opens the simulated Metal by its soname: the command's rpath finds it next to the library. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "simulated.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

static char problem[512];

#ifdef __APPLE__
void simulated_load(void) {
}
#else
#include <dlfcn.h>

#define SIMMETAL "libsimmetal.so.0"

void simulated_load(void) {
    static bool tried;
    if (tried)
        return;
    tried = true;
    if (dlsym(RTLD_DEFAULT, "MTLCopyAllDevices") != NULL)
        return;
    /* Global: libmtlcap finds Metal's functions, and the Objective-C runtime, by name. */
    if (dlopen(SIMMETAL, RTLD_NOW | RTLD_GLOBAL) == NULL) {
        const char *reason = dlerror();
        snprintf(problem, sizeof problem, "%s", reason != NULL ? reason : SIMMETAL);
    }
}
#endif

const char *simulated_problem(void) {
    return problem;
}
