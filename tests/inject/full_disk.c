/* A disk that is full: nothing of more than a page can be written to a file. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((visibility("default"))) ssize_t write(int descriptor, const void *bytes,
                                                     size_t size) {
    static ssize_t (*real)(int, const void *, size_t);
    struct stat about;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "write");
    if (size > 4096 && fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode)) {
        if (about.st_size == 0)
            return real(descriptor, bytes, 4096); /* there is a little room */
        errno = ENOSPC;
        return -1;
    }
    return real(descriptor, bytes, size);
}
