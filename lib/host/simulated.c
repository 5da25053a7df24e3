/* Off a Mac: the machine is what the simulated Metal says, if it is in the process. */
#if !defined(__APPLE__)

#define _GNU_SOURCE 1 /* RTLD_DEFAULT, RTLD_NOLOAD, dl_iterate_phdr */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

typedef int sysctl_function(const char *name, void *value, size_t *size, void *new_value,
                            size_t new_size);

static sysctl_function *from_symbol(void *symbol) {
    sysctl_function *function = NULL;

    memcpy((void *)&function, (const void *)&symbol, sizeof symbol);
    return function;
}

/* NULL: no simulated Metal. One that was loaded privately, as Python loads libraries, is not in the
 * global scope and has to be asked for by name. It stays, so that it need not be found again, which
 * takes the loader's lock. */
static sysctl_function *find_sysctl(void) {
    static const char name[] = "simmetal_sysctlbyname";
    static void *_Atomic found;
    void *symbol = atomic_load(&found);

    if (symbol == NULL) {
        void *library = dlopen("libsimmetal.so.0", RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        symbol = dlsym(RTLD_DEFAULT, name);
        if (symbol == NULL && library != NULL)
            symbol = dlsym(library, name);
        if (library != NULL)
            dlclose(library);
        atomic_store(&found, symbol);
    }
    return from_symbol(symbol);
}

int mtlcap__host_sysctl(const char *name, void *value, size_t *size) {
    sysctl_function *ask = find_sysctl();

    return ask != NULL ? ask(name, value, size, NULL, 0) : -1;
}

/* Field 22 of /proc/PID/stat; field 2, in parentheses, may hold anything. */
uint64_t mtlcap__host_process(int64_t pid) {
    enum { FROM_NAME = 20 };
    char path[64], text[1024];

    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return 0;
    const ssize_t size = read(descriptor, text, sizeof text - 1);
    close(descriptor);
    text[size > 0 ? size : 0] = '\0';
    const char *field = strrchr(text, ')');
    for (int i = 0; field != NULL && i < FROM_NAME; i++)
        field = strchr(field + 1, ' ');
    return field != NULL ? strtoull(field, NULL, 10) : 0;
}

int mtlcap__host_program_sdk(void) {
    char version[32];
    size_t size = sizeof version - 1;

    if (mtlcap__host_sysctl("simmetal.program_sdk", version, &size) != 0 || size >= sizeof version)
        return 0;
    version[size] = '\0';
    return (int)strtol(version, NULL, 10);
}

bool mtlcap__host_simulated(void) {
    return find_sysctl() != NULL;
}

static int starts_with(struct dl_phdr_info *info, size_t size, void *prefix) {
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *name = slash != NULL ? slash + 1 : info->dlpi_name;

    (void)size;
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

bool mtlcap__host_has_image(const char *prefix) {
    return dl_iterate_phdr(starts_with, (void *)(uintptr_t)prefix) != 0;
}

#endif
