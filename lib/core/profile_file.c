/* Reads the file of a profile. */
#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "profile_parts.h"

/* Reads at most `size` bytes; -1: errno says why not. */
static ssize_t read_all(int descriptor, char *text, size_t size) {
    size_t length = 0;

    while (length < size) {
        ssize_t got = read(descriptor, text + length, size - length);
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR)
            return -1;
        if (got > 0)
            length += (size_t)got;
    }
    return (ssize_t)length;
}

static const char *kind_problem(const struct stat *status) {
    if (S_ISREG(status->st_mode))
        return NULL;
    return S_ISDIR(status->st_mode) ? "it is a directory" : "it is not a regular file";
}

static int refuse(const struct mtlcap__place *place, const char *path, const char *reason) {
    return MTLCAP__FAIL_ITEM(MTLCAP_E_FILE, place, "cannot read the profile file '%.300s': %s",
                             path, reason);
}

static int read_open_file(int descriptor, const struct mtlcap__place *place, const char *path,
                          char **text, size_t *length) {
    struct stat status;

    if (fstat(descriptor, &status) != 0)
        return refuse(place, path, strerror(errno));
    if (kind_problem(&status) != NULL)
        return refuse(place, path, kind_problem(&status));

    /* One byte more than there may be, to see that there are more; it is the NUL otherwise. */
    char *buffer = malloc(MTLCAP__PROFILE_MAX_BYTES + 1);
    if (buffer == NULL)
        return mtlcap__fail(MTLCAP_E_NO_MEMORY, "no memory for a profile file");
    ssize_t got = read_all(descriptor, buffer, MTLCAP__PROFILE_MAX_BYTES + 1);
    if (got < 0 || got > MTLCAP__PROFILE_MAX_BYTES) {
        const char *reason = got < 0 ? strerror(errno) : "it is larger than 64 KiB";
        free(buffer);
        return refuse(place, path, reason);
    }
    buffer[got] = '\0';
    *text = buffer;
    *length = (size_t)got;
    return MTLCAP_OK;
}

int mtlcap__profile_read_file(const struct mtlcap__place *place, const char *path, char **text,
                              size_t *length) {
    int cancel_state;

    /* A thread that is cancelled here would leave the file open. */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    /* O_NONBLOCK: opening a FIFO must not wait for a writer. */
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    int status;
    if (descriptor < 0) {
        status = refuse(place, path, strerror(errno));
    } else {
        status = read_open_file(descriptor, place, path, text, length);
        close(descriptor);
    }
    pthread_setcancelstate(cancel_state, NULL);
    return status;
}
