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

const char *const *simulated_machines(void) {
    return NULL;
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

const char *const *simulated_machines(void) {
    simulated_load();
    const char *const *(*names)(void);
    *(void **)&names = dlsym(RTLD_DEFAULT, "simmetal_machine_names");
    return names != NULL ? names() : NULL;
}
#endif

const char *simulated_problem(void) {
    return problem;
}
