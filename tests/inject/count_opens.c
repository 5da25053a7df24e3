/* A library to preload: the names of the files that others open. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#define EXPORTED __attribute__((visibility("default")))

static char opened[4096];

EXPORTED const char *opened_files(void);
EXPORTED int open(const char *path, int flags, ...);
EXPORTED int open64(const char *path, int flags, ...);

const char *opened_files(void) {
    return opened;
}

static int open_and_note(const char *path, int flags, va_list arguments) {
    int (*next)(const char *, int, ...);
    *(void **)&next = dlsym(RTLD_NEXT, "open");
    const char *slash = strrchr(path, '/');
    const size_t length = strlen(opened);
    snprintf(opened + length, sizeof opened - length, " %s", slash ? slash + 1 : path);
    return next(path, flags, flags & O_CREAT ? va_arg(arguments, mode_t) : 0);
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const int descriptor = open_and_note(path, flags, arguments);
    va_end(arguments);
    return descriptor;
}

int open64(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const int descriptor = open_and_note(path, flags, arguments);
    va_end(arguments);
    return descriptor;
}
