/*
 * Messages of the injected library. They do not go through the engine's log, which belongs to the
 * program once it sets one: why a program was ended is told where its user looks.
 *
 * Descriptor 2 is standard error as long as it is the file that it was at load. A program that
 * closes it may get the number for any file that it opens: then nothing is written there, unless it
 * is a log.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "inject.h"

enum { MESSAGE_SIZE = 1400 };

static int log_level = MTLCAP_LOG_WARNING;
static const char *log_file; /* NULL: standard error */

/* What standard error was at load. */
static struct {
    bool open;
    dev_t device;
    ino_t file;
} standard_error;

/* ---- writing ------------------------------------------------------------------ */

static int waiting_pipe_signal(void) {
    sigset_t waiting;
    return sigpending(&waiting) == 0 && sigismember(&waiting, SIGPIPE);
}

/* Into a pipe whose reader has gone, write() sends a signal, which ends most programs. On Linux it
 * is this thread's, on a Mac the process's: there no thread may try. */
static ssize_t write_quietly(int descriptor, const char *line, size_t length) {
    struct pollfd reader = {.fd = descriptor, .events = POLLOUT};
    if (poll(&reader, 1, 0) > 0 && reader.revents & (POLLERR | POLLHUP)) {
        errno = EPIPE;
        return -1;
    }
    sigset_t pipe_signal, blocked;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    const int waited = waiting_pipe_signal();
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &blocked);
    const ssize_t written = write(descriptor, line, length);
    const int error = errno;
    int number;
    if (written < 0 && error == EPIPE && !waited && waiting_pipe_signal())
        sigwait(&pipe_signal, &number);
    if (!sigismember(&blocked, SIGPIPE))
        pthread_sigmask(SIG_UNBLOCK, &pipe_signal, NULL);
    errno = error;
    return written;
}

/* In one piece, so that lines of other threads and processes stay whole. */
static bool write_line(int descriptor, const char *message) {
    char line[MESSAGE_SIZE + sizeof "mtlcap: \n"];
    const int length = snprintf(line, sizeof line, "mtlcap: %s\n", message);
    errno = ENOSPC; /* what a short write means */
    return write_quietly(descriptor, line, (size_t)length) == length;
}

/* Where there is nobody to tell, nobody is told. */
static void write_to_standard_error(const char *message) {
    struct stat now;
    if (!standard_error.open || fstat(STDERR_FILENO, &now) != 0)
        return;
    const bool same = now.st_dev == standard_error.device && now.st_ino == standard_error.file;
    const bool is_log = S_ISREG(now.st_mode) && fcntl(STDERR_FILENO, F_GETFL) & O_APPEND;
    if (same || is_log)
        write_line(STDERR_FILENO, message);
}

/* ---- the log file --------------------------------------------------------------- */

/* -1: it is not to be written to. */
static int open_log(struct stat *status) {
    const int descriptor =
        open(log_file,
             O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
    if (descriptor < 0 || (fstat(descriptor, status) == 0 && S_ISREG(status->st_mode)))
        return descriptor;
    close(descriptor);
    errno = EINVAL;
    return -1;
}

/* Beyond the limit the kernel sends SIGXFSZ, which would end the program. */
static bool fits(const struct stat *status, const char *message) {
    struct rlimit limit;
    const rlim_t longest = (rlim_t)status->st_size + strlen(message) + sizeof "mtlcap: \n";
    errno = EFBIG;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           longest <= limit.rlim_cur;
}

static bool write_to_log(const char *message) {
    struct stat status;
    const int descriptor = open_log(&status);
    if (descriptor < 0)
        return false;
    const bool written = fits(&status, message) && write_line(descriptor, message);
    const int error = errno;
    close(descriptor);
    errno = error;
    return written;
}

static void complain(int error) {
    static bool complained;
    char complaint[512];
    if (complained)
        return;
    complained = true;
    snprintf(complaint, sizeof complaint, "cannot write to the log file '%.300s': %.100s", log_file,
             error == EINVAL ? "it is not a regular file" : strerror(error));
    write_to_standard_error(complaint);
}

static void write_message(const char *message) {
    if (log_file && write_to_log(message))
        return;
    if (log_file)
        complain(errno);
    write_to_standard_error(message);
}

/* ---- what is said ----------------------------------------------------------------- */

/* What the engine says of an apply is said here in a line of its own form. */
static void write_engine_message(int level, const char *message, void *data) {
    (void)data;
    if (level != MTLCAP_LOG_INFO)
        write_message(message);
}

void mtlcap__tell(int level, const char *format, ...) {
    if (level > log_level)
        return;
    const int saved_errno = errno;
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    mtlcap__format_text(message, sizeof message, format, arguments);
    va_end(arguments);
    write_message(message);
    errno = saved_errno;
}

/* The engine's log is this copy's: if another copy does the work, it is the program's, and stays as
 * the program has it. */
void mtlcap__tell_begin(const struct mtlcap__settings *settings) {
    struct stat status;
    log_level = settings->log_level;
    log_file = settings->log_file;
    standard_error.open = fstat(STDERR_FILENO, &status) == 0;
    if (standard_error.open) {
        standard_error.device = status.st_dev;
        standard_error.file = status.st_ino;
    }
    mtlcap__set_log(log_level, write_engine_message, NULL);
}
