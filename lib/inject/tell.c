/*
 * Messages of the injected library. They do not go through the engine's log, which belongs to the
 * program once it sets one: why a program was ended is told where its user looks.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "inject.h"

enum { MESSAGE_SIZE = 1400 };

static int log_level = MTLCAP_LOG_WARNING;
static const char *log_file; /* NULL: standard error */

static void format(char message[MESSAGE_SIZE], const char *text, ...) {
    va_list arguments;
    va_start(arguments, text);
    mtlcap__format_text(message, MESSAGE_SIZE, text, arguments);
    va_end(arguments);
}

/* -1: it is not to be written to. */
static int open_log(void) {
    const int descriptor =
        open(log_file,
             O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
    struct stat status;
    if (descriptor < 0 || (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)))
        return descriptor;
    close(descriptor);
    errno = EINVAL;
    return -1;
}

/* In one piece, so that lines of other threads and processes stay whole. */
static void write_line(int descriptor, const char *message) {
    char line[MESSAGE_SIZE + sizeof "mtlcap: \n"];
    const int length = snprintf(line, sizeof line, "mtlcap: %s\n", message);
    if (write(descriptor, line, (size_t)length) < 0)
        return; /* there is nobody to tell */
}

static void write_message(const char *message) {
    static bool complained;
    const int descriptor = log_file ? open_log() : -1;
    if (descriptor >= 0) {
        write_line(descriptor, message);
        close(descriptor);
        return;
    }
    if (log_file && !complained) {
        complained = true;
        const char *why = errno == EINVAL ? "it is not a regular file" : strerror(errno);
        char complaint[MESSAGE_SIZE];
        format(complaint, "cannot write to the log file '%.300s': %s", log_file, why);
        write_line(STDERR_FILENO, complaint);
    }
    write_line(STDERR_FILENO, message);
}

static void write_engine_message(int level, const char *message, void *data) {
    (void)level;
    (void)data;
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
    log_level = settings->log_level;
    log_file = settings->log_file;
    if (log_level != MTLCAP_LOG_WARNING || log_file)
        mtlcap__set_log(log_level, log_file ? write_engine_message : NULL, NULL);
}
