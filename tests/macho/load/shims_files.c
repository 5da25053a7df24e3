/* Shims: files. Darwin's flags, commands and struct stat. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shims.h"

/* ---- flags ---------------------------------------------------------------------------- */

static const struct {
    int darwin, ours;
} flags[] = {
    {0x4, O_NONBLOCK},   {0x8, O_APPEND},        {0x100, O_NOFOLLOW}, {0x200, O_CREAT},
    {0x400, O_TRUNC},    {0x800, O_EXCL},        {0x20000, O_NOCTTY}, {0x100000, O_DIRECTORY},
    {0x400000, O_DSYNC}, {0x1000000, O_CLOEXEC}, {0x80, O_SYNC},
};
enum { FLAGS = sizeof flags / sizeof flags[0] };

/* -1: a flag that Linux has not. */
static int flags_to_linux(int darwin) {
    int ours = darwin & O_ACCMODE;
    darwin &= ~O_ACCMODE;
    for (int i = 0; i < FLAGS; i++)
        if (darwin & flags[i].darwin) {
            ours |= flags[i].ours;
            darwin &= ~flags[i].darwin;
        }
    return darwin ? -1 : ours;
}

/* As F_GETFL tells them: not those that are about opening, which Linux tells, too. */
static int flags_to_darwin(int ours) {
    int darwin = ours & O_ACCMODE;
    ours &= O_NONBLOCK | O_APPEND | O_SYNC;
    for (int i = 0; i < FLAGS; i++)
        if ((ours & flags[i].ours) == flags[i].ours)
            darwin |= flags[i].darwin;
    return darwin;
}

static int open_file(const char *path, int darwin_flags, int mode) {
    const int wanted = flags_to_linux(darwin_flags);
    if (wanted == -1) {
        errno = EINVAL;
        return -1;
    }
    return (int)shim_result(open(path, wanted, mode));
}

/* Of the commands that both have: F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL are 0 to 4. */
static int control(int descriptor, int command, int argument) {
    if (command == 67)
        command = F_DUPFD_CLOEXEC;
    else if (command > 4) {
        errno = EINVAL;
        return -1;
    }
    if (command == F_SETFL && (argument = flags_to_linux(argument)) == -1) {
        errno = EINVAL;
        return -1;
    }
    const int result = (int)shim_result(fcntl(descriptor, command, argument));
    return command == F_GETFL && result != -1 ? flags_to_darwin(result) : result;
}

/* ---- calls ----------------------------------------------------------------------------- */

#if defined(__aarch64__)
/* The third argument is the first on the stack. */
int shim_open_with(const char *path, int wanted, const int *arguments);
int shim_fcntl_with(int descriptor, int command, const int *arguments);
__asm__(".pushsection .text\n"
        ".globl shim_open\n.hidden shim_open\n.type shim_open, %function\n"
        "shim_open:\n    mov x2, sp\n    b shim_open_with\n"
        ".globl shim_fcntl\n.hidden shim_fcntl\n.type shim_fcntl, %function\n"
        "shim_fcntl:\n    mov x2, sp\n    b shim_fcntl_with\n"
        ".popsection\n");

int shim_open_with(const char *path, int wanted, const int *arguments) {
    return open_file(path, wanted, wanted & 0x200 ? *arguments : 0);
}

int shim_fcntl_with(int descriptor, int command, const int *arguments) {
    return control(descriptor, command, *arguments);
}
#else
int shim_open(const char *path, int wanted, ...) {
    va_list list;
    va_start(list, wanted);
    const int mode = wanted & 0x200 ? va_arg(list, int) : 0;
    va_end(list);
    return open_file(path, wanted, mode);
}

int shim_fcntl(int descriptor, int command, ...) {
    va_list list;
    va_start(list, command);
    const int argument = va_arg(list, int);
    va_end(list);
    return control(descriptor, command, argument);
}
#endif

int shim_close(int descriptor) {
    return (int)shim_result(close(descriptor));
}

ssize_t shim_read(int descriptor, void *buffer, size_t size) {
    return shim_result(read(descriptor, buffer, size));
}

ssize_t shim_write(int descriptor, const void *buffer, size_t size) {
    return shim_result(write(descriptor, buffer, size));
}

int shim_isatty(int descriptor) {
    const int result = isatty(descriptor);
    if (!result)
        errno = shim_errno_to_darwin(errno);
    return result;
}

/* ---- stat ------------------------------------------------------------------------------- */

struct darwin_stat {
    int32_t device;
    uint16_t mode, links;
    uint64_t inode;
    uint32_t user, group;
    int32_t special_device;
    struct timespec access, modification, change, birth;
    int64_t size, blocks;
    int32_t block_size;
    uint32_t flags, generation;
    int32_t spare;
    int64_t spares[2];
};
_Static_assert(sizeof(struct darwin_stat) == 144, "Darwin's struct stat");

static void stat_to_darwin(const struct stat *ours, struct darwin_stat *darwin) {
    *darwin = (struct darwin_stat){
        .device = (int32_t)ours->st_dev,
        .mode = (uint16_t)ours->st_mode, /* the same bits */
        .links = (uint16_t)ours->st_nlink,
        .inode = ours->st_ino,
        .user = ours->st_uid,
        .group = ours->st_gid,
        .special_device = (int32_t)ours->st_rdev,
        .access = ours->st_atim,
        .modification = ours->st_mtim,
        .change = ours->st_ctim,
        .birth = ours->st_ctim,
        .size = ours->st_size,
        .blocks = ours->st_blocks,
        .block_size = (int32_t)ours->st_blksize,
    };
}

int shim_fstat(int descriptor, struct darwin_stat *status) {
    struct stat ours;
    const int result = (int)shim_result(fstat(descriptor, &ours));
    if (result == 0)
        stat_to_darwin(&ours, status);
    return result;
}

int shim_stat(const char *path, struct darwin_stat *status) {
    struct stat ours;
    const int result = (int)shim_result(stat(path, &ours));
    if (result == 0)
        stat_to_darwin(&ours, status);
    return result;
}

int shim_lstat(const char *path, struct darwin_stat *status) {
    struct stat ours;
    const int result = (int)shim_result(lstat(path, &ours));
    if (result == 0)
        stat_to_darwin(&ours, status);
    return result;
}

/* ---- names ----------------------------------------------------------------------------- */

int shim_fchmod(int descriptor, unsigned mode) {
    return (int)shim_result(fchmod(descriptor, mode & 0xffff));
}

static char *text_or_error(char *result) {
    if (!result)
        errno = shim_errno_to_darwin(errno);
    return result;
}

int shim_access(const char *path, int mode) {
    return (int)shim_result(access(path, mode));
}

char *shim_mkdtemp(char *path) {
    return text_or_error(mkdtemp(path));
}

int shim_mkstemp(char *path) {
    return (int)shim_result(mkstemp(path));
}

int shim_pipe(int ends[2]) {
    return (int)shim_result(pipe(ends));
}

/* Its events have the same bits. */
int shim_poll(struct pollfd *descriptors, unsigned count, int milliseconds) {
    return (int)shim_result(poll(descriptors, count, milliseconds));
}

char *shim_realpath(const char *path, char *result) {
    return text_or_error(realpath(path, result));
}

int shim_rmdir(const char *path) {
    return (int)shim_result(rmdir(path));
}

int shim_unlinkat(int folder, const char *path, int darwin_flags) {
    return (int)shim_result(
        unlinkat(folder == -2 ? AT_FDCWD : folder, path, darwin_flags & 0x80 ? AT_REMOVEDIR : 0));
}

char *shim_getcwd(char *path, size_t size) {
    return text_or_error(getcwd(path, size));
}

int shim_mkostemp(char *path, int darwin_flags) {
    const int wanted = flags_to_linux(darwin_flags);
    if (wanted == -1) {
        errno = EINVAL;
        return -1;
    }
    return (int)shim_result(mkostemp(path, wanted));
}

int shim_rename(const char *from, const char *to) {
    return (int)shim_result(rename(from, to));
}

int shim_link(const char *from, const char *to) {
    return (int)shim_result(link(from, to));
}

/* LOCK_EX is 2 and LOCK_NB 4 on both. */
int shim_flock(int descriptor, int operation) {
    return (int)shim_result(flock(descriptor, operation));
}

int shim_unlink(const char *path) {
    return (int)shim_result(unlink(path));
}

/* ---- memory ------------------------------------------------------------------------------ */

void *shim_mmap(void *address, size_t size, int protection, int wanted, int descriptor, off_t at) {
    enum { DARWIN_ANON = 0x1000 };
    int ours = wanted & (MAP_SHARED | MAP_PRIVATE | MAP_FIXED); /* 1, 2 and 0x10 on both */
    if (wanted & DARWIN_ANON)
        ours |= MAP_ANONYMOUS;
    void *memory = mmap(address, size, protection, ours, descriptor, at);
    if (memory == MAP_FAILED)
        shim_result(-1);
    return memory;
}
