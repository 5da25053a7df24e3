/* Replaces a file whole or not at all, as far as it is one that can be replaced. */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "environment.h"
#include "injection.h"
#include "output.h"

static bool cannot(const char *path, int error) {
    complain("'%s' cannot be written: %s", path, strerror(error));
    return false;
}

/* A terminal, a pipe, /dev/null: it is written to. */
static bool is_replaced(const char *path) {
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

/* 0, or why it cannot be written. */
static int check_place(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return EISDIR;
    if (access(path, W_OK) != 0 && errno != ENOENT)
        return errno;
    if (!is_replaced(path))
        return 0;
    char *folder = joined(path, NULL);
    strrchr(folder, '/')[1] = '\0';
    int error = access(folder, W_OK | X_OK) != 0 ? errno : 0;
    free(folder);
    return error;
}

bool output_file_open(struct output_file *file, const char *path, int descriptor) {
    *file = (struct output_file){.descriptor = descriptor};
    if (path == NULL)
        return true;
    file->descriptor = strcmp(path, "-") == 0 ? STDOUT_FILENO : -1;
    if (file->descriptor >= 0)
        return true;
    /* A link stays one; one that leads to nothing is replaced. */
    file->path = realpath(path, NULL);
    if (file->path == NULL)
        file->path = absolute_path(path);
    int error = check_place(file->path);
    return error == 0 || cannot(path, error);
}

/* Into a new file, which gets the rights of the one that it replaces. */
static bool write_beside(const char *path, char *temporary, const char *text, size_t length) {
    struct stat status;
    mode_t mask = umask(0);
    umask(mask);
    int descriptor = mkstemp(temporary);
    if (descriptor < 0)
        return false;
    mode_t mode = stat(path, &status) == 0 ? status.st_mode & 0777 : 0666 & ~mask;
    bool good = output_write(descriptor, text, length) && fchmod(descriptor, mode) == 0;
    int error = errno;
    if (close(descriptor) != 0 && good) { /* a file system may tell only now that it is full */
        good = false;
        error = errno;
    }
    if (good && rename(temporary, path) != 0) {
        good = false;
        error = errno;
    }
    if (!good)
        unlink(temporary);
    errno = error;
    return good;
}

static bool write_into(const char *path, const char *text, size_t length) {
    int descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    bool good = output_write(descriptor, text, length);
    int error = errno;
    if (close(descriptor) != 0 && good) {
        good = false;
        error = errno;
    }
    errno = error;
    return good;
}

bool output_file_write(const struct output_file *file, const char *text, size_t length) {
    bool good;
    signal(SIGXFSZ, SIG_IGN); /* a file that may not be as long is an error like others */
    if (file->descriptor >= 0) {
        fflush(stdout);
        good = output_write(file->descriptor, text, length);
        if (!good && errno != EPIPE) /* whoever stops reading knows */
            complain("cannot write the output: %s", strerror(errno));
        return good;
    }
    if (is_replaced(file->path)) {
        char *temporary = joined(file->path, ".XXXXXX", NULL);
        good = write_beside(file->path, temporary, text, length);
        free(temporary);
    } else {
        good = write_into(file->path, text, length);
    }
    return good || cannot(file->path, errno);
}

void output_file_close(struct output_file *file) {
    free(file->path);
    *file = (struct output_file){.descriptor = -1};
}
