/*
 * Room for the table of a trace.
 *
 * A table that is a file is mapped into somebody else's program, so nothing may come of it that
 * ends the program. That the disk is full is found out when the file is made: its blocks are
 * written, not only reserved. That somebody cuts the file would be SIGBUS: once it is made, it
 * cannot be opened for writing, but by the superuser; docs/environment.md says so.
 */
#define _GNU_SOURCE 1 /* mkostemp, MAP_ANON */
#include "trace_room.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "host/host.h"
#include "trace_note.h"
#include "trace_read.h"

enum {
    LARGEST = sizeof(struct mtlcap__trace_layout) +
              MTLCAP_TRACE_EVENTS_MAX * sizeof(struct mtlcap__trace_event)
};

void *mtlcap__trace_room(unsigned number, size_t size) {
    static void *rooms[2];
    /* Over what is there: a hook that still writes there finds pages at every moment. */
    void *room = mmap(rooms[number], LARGEST, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANON | (rooms[number] ? MAP_FIXED : 0), -1, 0);
    if (room == MAP_FAILED || size > LARGEST) {
        mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for a trace");
        return NULL;
    }
    return rooms[number] = room;
}

/* ---- the file ------------------------------------------------------------------ */

static int fail(const struct mtlcap__trace_file *file, const char *why) {
    return mtlcap__fail(MTLCAP_E_FILE, "the trace '%.300s' cannot be written: %s", file->path, why);
}

/* The head of the file that is there; false: it is not that of a trace. */
static bool read_head(const char *path, struct mtlcap__trace_header *head) {
    const int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    const ssize_t size = read(descriptor, head, sizeof *head);
    close(descriptor);
    return size == (ssize_t)sizeof *head && mtlcap__trace_is_table(head, sizeof *head);
}

/* Is the process there that has begun it, and no later one of the same number? */
static bool is_alive(const struct mtlcap__trace_header *head) {
    if (kill((pid_t)head->pid, 0) != 0 && errno != EPERM)
        return false;
    const uint64_t now = mtlcap__host_process(head->pid);
    return !now || !head->process || now == head->process;
}

/* What is there already may be replaced: a trace of ours, that nobody writes any more. */
static int check_place(const struct mtlcap__trace_file *file) {
    struct stat about;
    struct mtlcap__trace_header head;
    char why[160];
    if (lstat(file->path, &about) != 0)
        return errno == ENOENT ? MTLCAP_OK : fail(file, strerror(errno));
    if (!S_ISREG(about.st_mode) || about.st_uid != geteuid() || !read_head(file->path, &head))
        return fail(file, "there is something that is no trace: remove it, or name another file");
    if (head.active && !head.complete && head.pid > 0 && head.pid != getpid() && is_alive(&head)) {
        snprintf(why, sizeof why,
                 "process %lld writes it: name another file; MTLCAP_TRACE takes %%p for the number "
                 "of the process",
                 (long long)head.pid);
        return fail(file, why);
    }
    return MTLCAP_OK;
}

/* Beyond the limit the kernel sends SIGXFSZ, which would end the program. */
static bool is_within_limit(size_t size) {
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           size <= limit.rlim_cur;
}

/* The room's pages, which are zero: so the file has its blocks. */
static bool write_pages(int descriptor, const char *room, size_t size) {
    while (size > 0) {
        const ssize_t written = write(descriptor, room, size);
        if (written < 0 && errno != EINTR)
            return false;
        room += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

static int fill_and_map(int descriptor, void *room, size_t size,
                        const struct mtlcap__trace_file *file) {
    if (!write_pages(descriptor, room, size) || fchmod(descriptor, S_IRUSR) != 0)
        return fail(file, strerror(errno));
    if (mmap(room, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0) ==
        MAP_FAILED)
        return fail(file, strerror(errno));
    return MTLCAP_OK;
}

/* Names that nobody can guess: the new file follows no link. */
static int make(const struct mtlcap__trace_file *file, void *room, size_t size) {
    int status = check_place(file);
    if (status)
        return status;
    if (!is_within_limit(size))
        return fail(file, "files of this process may not be as long as that (ulimit -f)");
    const int descriptor = mkostemp(file->temporary, O_CLOEXEC);
    if (descriptor < 0)
        return fail(file, strerror(errno));
    status = fill_and_map(descriptor, room, size, file);
    close(descriptor);
    if (status)
        unlink(file->temporary);
    return status;
}

static void forget(struct mtlcap__trace_file *file) {
    free(file->path);
    free(file->temporary);
    *file = (struct mtlcap__trace_file){NULL, NULL};
}

int mtlcap__trace_room_map(void *room, size_t size, const char *path,
                           struct mtlcap__trace_file *file) {
    static const char suffix[] = ".XXXXXX";
    const size_t length = strlen(path);
    file->path = malloc(length + 1);
    file->temporary = malloc(length + sizeof suffix);
    int status = MTLCAP_E_NO_MEMORY;
    if (file->path && file->temporary) {
        memcpy(file->path, path, length + 1);
        memcpy(file->temporary, path, length);
        memcpy(file->temporary + length, suffix, sizeof suffix);
        status = make(file, room, size);
    } else {
        mtlcap__fail(status, "out of memory for the name of a file");
    }
    if (status)
        forget(file);
    return status;
}

static bool has_the_name(int descriptor, const char *path) {
    struct stat opened, named;
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* Replaces what has the name, as the only one that does: who comes too late finds another one
 * there (*again). */
static int replace(const struct mtlcap__trace_file *file, bool *again) {
    const int descriptor =
        open(file->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int status = MTLCAP_OK;
    *again = false;
    if (descriptor < 0) {
        status = check_place(file);
        *again = !status;
        return status;
    }
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        status = fail(file, "another process is replacing it: name another file; MTLCAP_TRACE "
                            "takes %p for the number of the process");
    else if (!has_the_name(descriptor, file->path))
        *again = true;
    else
        status = check_place(file);
    if (!status && !*again && rename(file->temporary, file->path) != 0)
        status = fail(file, strerror(errno));
    close(descriptor);
    return status;
}

/* Of processes that start at once, one gets the name. */
static int name_it(const struct mtlcap__trace_file *file) {
    enum { ATTEMPTS = 100 };
    for (int i = 0; i < ATTEMPTS; i++) {
        if (link(file->temporary, file->path) == 0) {
            unlink(file->temporary);
            return MTLCAP_OK;
        }
        if (errno != EEXIST) /* there is a file system without links */
            return rename(file->temporary, file->path) == 0 ? MTLCAP_OK
                                                            : fail(file, strerror(errno));
        bool again;
        const int status = replace(file, &again);
        if (status || !again)
            return status;
    }
    return fail(file, "other processes replace it again and again");
}

int mtlcap__trace_file_show(struct mtlcap__trace_file *file) {
    const int status = file->path ? name_it(file) : MTLCAP_OK;
    if (status)
        unlink(file->temporary);
    forget(file);
    return status;
}
