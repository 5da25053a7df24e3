/* Writes the receipt's file: whole, or not at all. */
#define _GNU_SOURCE 1 /* mkostemp */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "receipt.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

struct target {
    char path[PATH_MAX];
    char temporary[PATH_MAX + 8];
    char *problem;
    size_t problem_size;
};

static bool fail(struct target *target, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(struct target *target, const char *format, ...) {
    char reason[160];
    va_list arguments;

    va_start(arguments, format);
    mtlcap__format_text(reason, sizeof reason, format, arguments);
    va_end(arguments);
    snprintf(target->problem, target->problem_size, "the receipt '%.300s' cannot be written: %s",
             target->path, reason);
    return false;
}

static bool fail_errno(struct target *target) {
    return fail(target, "%s", strerror(errno));
}

bool mtlcap__file_name(const char *pattern, char *path, size_t size) {
    char number[24];
    size_t used = 0;

    path[0] = '\0';
    snprintf(number, sizeof number, "%" PRIdMAX, (intmax_t)getpid());
    for (const char *c = pattern; *c != '\0'; c++) {
        const char *piece = c;
        size_t length = 1;
        if (c[0] == '%' && (c[1] == 'p' || c[1] == '%')) {
            c++;
            piece = *c == 'p' ? number : "%";
            length = strlen(piece);
        }
        if (used + length >= size)
            return false;
        memcpy(path + used, piece, length);
        used += length;
        path[used] = '\0';
    }
    return true;
}

static bool expand(struct target *target, const char *pattern) {
    if (mtlcap__file_name(pattern, target->path, sizeof target->path))
        return target->path[0] != '\0' || fail(target, "it has no name");
    snprintf(target->path, sizeof target->path, "%.40s...", pattern);
    return fail(target, "its name is longer than %d bytes", PATH_MAX - 1);
}

/* What is there already may be replaced: an earlier receipt, or another regular file of ours. */
static bool may_replace(struct target *target) {
    struct stat status;

    if (lstat(target->path, &status) != 0)
        return errno == ENOENT || fail_errno(target);
    switch (status.st_mode & S_IFMT) {
    case S_IFREG:
        return status.st_uid == geteuid() || fail(target, "the file there belongs to another user");
    case S_IFLNK:
        return fail(target, "there is a symbolic link; name the file that it leads to");
    case S_IFDIR:
        return fail(target, "there is a directory; name a file in it");
    case S_IFIFO:
        return fail(target, "there is a FIFO; name a file");
    default:
        return fail(target, "there is a device or a socket; name a file");
    }
}

/* Beyond the limit the kernel sends SIGXFSZ, which would end the program. */
static bool fits(struct target *target, size_t length) {
    struct rlimit limit;

    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           length <= limit.rlim_cur ||
           fail(target, "files of this process may not be as long as that (ulimit -f)");
}

static bool write_all(int descriptor, const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(descriptor, text, length);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        }
    }
    return true;
}

static bool write_temporary(struct target *target, const char *text, size_t length) {
    snprintf(target->temporary, sizeof target->temporary, "%s.XXXXXX", target->path);
    /* Makes a new file, 0600, of a name that nobody can guess; so it follows no link. */
    int descriptor = mkostemp(target->temporary, O_CLOEXEC);
    if (descriptor < 0)
        return fail_errno(target);
    bool written = fchmod(descriptor, S_IRUSR | S_IWUSR) == 0 && /* whatever the umask is */
                   write_all(descriptor, text, length);
    int error = errno;
    /* A file system may tell only now that it is full. */
    if (close(descriptor) != 0 && errno != EINTR && written) {
        error = errno;
        written = false;
    }
    if (written)
        return true;
    unlink(target->temporary);
    errno = error;
    return fail_errno(target);
}

static bool replace(struct target *target, const char *text) {
    size_t length = strlen(text);

    if (!may_replace(target) || !fits(target, length) || !write_temporary(target, text, length))
        return false;
    if (rename(target->temporary, target->path) == 0)
        return true;
    int error = errno;
    unlink(target->temporary);
    errno = error;
    return fail_errno(target);
}

/* On the heap: threads may have small stacks. NULL: no memory. */
static struct target *target_new(char *problem, size_t size) {
    struct target *target = calloc(1, sizeof *target);

    if (target == NULL) {
        snprintf(problem, size, "there is no memory for a receipt");
        return NULL;
    }
    target->problem = problem;
    target->problem_size = size;
    return target;
}

bool mtlcap__receipt_write(const char *pattern, const char *text, char *problem, size_t size) {
    int saved_errno = errno, cancel_state;

    /* A thread that is cancelled here would leave the temporary file. */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    struct target *target = target_new(problem, size);
    bool written = target != NULL && expand(target, pattern) && replace(target, text);
    free(target);
    pthread_setcancelstate(cancel_state, NULL);
    errno = saved_errno;
    return written;
}

bool mtlcap__receipt_folder_is_gone(const char *pattern) {
    char problem[512];
    struct stat status;
    int saved_errno = errno;
    struct target *target = target_new(problem, sizeof problem);
    char *slash = target != NULL && expand(target, pattern) ? strrchr(target->path, '/') : NULL;
    bool gone = false;

    if (slash != NULL) {
        *slash = '\0';
        gone = lstat(target->path, &status) != 0 && errno == ENOENT;
    }
    free(target);
    errno = saved_errno;
    return gone;
}

/* ---- what is there already ----------------------------------------------- */

/* The text of a regular file; NULL: there is none, or it cannot be read. */
static char *read_text(const char *path) {
    enum { SIZE = 1 << 18 }; /* what comes first is enough */
    int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat status;
    char *text = NULL;

    if (descriptor < 0)
        return NULL;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
        text = calloc(1, SIZE);
    for (size_t length = 0; text != NULL && length < SIZE - 1;) {
        ssize_t more = read(descriptor, text + length, SIZE - 1 - length);
        if (more == 0 || (more < 0 && errno != EINTR))
            break;
        length += more > 0 ? (size_t)more : 0;
    }
    close(descriptor);
    return text;
}

/* As receipt.c writes it: each member is a line of its own. */
static bool says_more(const char *receipt) {
    static const char start[] = "{\n  \"mtlcap_receipt\": ", number[] = "\n  \"pid\": ";

    if (strncmp(receipt, start, sizeof start - 1) != 0)
        return false;
    const char *pid = strstr(receipt, number);
    return pid == NULL ||
           strtoull(pid + sizeof number - 1, NULL, 10) != (unsigned long long)getpid() ||
           strstr(receipt, "\n  \"stage\": \"loaded\"") == NULL;
}

bool mtlcap__receipt_stands(const char *pattern) {
    char problem[512];
    int saved_errno = errno;
    struct target *target = target_new(problem, sizeof problem);
    char *text = target != NULL && expand(target, pattern) ? read_text(target->path) : NULL;
    bool stands = text != NULL && says_more(text);

    free(text);
    free(target);
    errno = saved_errno;
    return stands;
}
