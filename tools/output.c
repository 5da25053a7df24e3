/* Standard output and standard error, and what can go wrong with them. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

/* errno of the first failed write; 0: none */
static int failure;

static bool informs, pipe_was_ignored, is_stand_in[3];

/* What is collected instead of written to standard output. */
static bool collects;
static char *collected;
static size_t collected_length, collected_size;

static void check(int result) {
    if (result < 0 && failure == 0)
        failure = errno != 0 ? errno : EIO;
}

void output_start(void) {
    pipe_was_ignored = signal(SIGPIPE, SIG_IGN) == SIG_IGN;
    /* A closed standard descriptor would be given to the next file that somebody opens, and our
     * output would go into it. One that cannot be written takes its place, so writing still fails.
     */
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0)
            is_stand_in[descriptor] =
                open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) == descriptor;
}

bool output_pipe_was_ignored(void) {
    return pipe_was_ignored;
}

bool output_is_stand_in(int descriptor) {
    return is_stand_in[descriptor];
}

/* At the end of what is collected. Returns the text's length. */
static size_t collect(const char *format, va_list arguments) {
    size_t left = collected_size - collected_length;
    int length = vsnprintf(collected + collected_length, left, format, arguments);
    return length > 0 ? (size_t)length : 0;
}

static void collect_list(const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    size_t length = collect(format, arguments);
    if (length >= collected_size - collected_length) {
        collected_size = 2 * (collected_length + length + 1);
        char *longer = allocate(collected_size, 1);
        memcpy(longer, collected, collected_length);
        free(collected);
        collected = longer;
        length = collect(format, again);
    }
    va_end(again);
    collected_length += length;
}

void output(const char *format, ...) {
    va_list arguments;
    if (failure != 0 && !collects)
        return;
    va_start(arguments, format);
    if (collects)
        collect_list(format, arguments);
    else
        check(vprintf(format, arguments));
    va_end(arguments);
}

void output_collect(void) {
    collects = true;
    collected_length = 0;
    collected_size = 1 << 12;
    collected = allocate(collected_size, 1);
}

char *output_collected(size_t *length) {
    collects = false;
    *length = collected_length;
    return collected;
}

bool output_write(int descriptor, const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(descriptor, text, length);
        if (written < 0 && errno != EINTR)
            return false;
        text += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* How many bytes of a character begin here that ends lines or turns the direction of text: in UTF-8
 * U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069. */
static int turn_length(const unsigned char *byte) {
    if (byte[0] == 0xd8 && byte[1] == 0x9c)
        return 2;
    if (byte[0] != 0xe2 || (byte[1] != 0x80 && byte[1] != 0x81))
        return 0;
    bool turns = byte[1] == 0x80 ? (byte[2] & 0xfe) == 0x8e || (byte[2] >= 0xa8 && byte[2] <= 0xae)
                                 : byte[2] >= 0xa6 && byte[2] <= 0xa9;
    return turns ? 3 : 0;
}

/* How many bytes of a control character begin here; the second set of them, C1, is 0xC2 0x80 to
 * 0xC2 0x9F in UTF-8. */
static int control_length(const unsigned char *byte) {
    if (turn_length(byte) > 0)
        return turn_length(byte);
    if (byte[0] == 0xc2 && (byte[1] & 0xe0) == 0x80)
        return 2;
    return byte[0] < 0x20 || byte[0] == 0x7f;
}

char *output_visible(const char *text) {
    char *visible = allocate(4 * strlen(text) + 1, 1);
    char *end = visible;
    for (const unsigned char *byte = (const unsigned char *)text; *byte != 0;) {
        int length = control_length(byte);
        if (length == 0)
            *end++ = (char)*byte++;
        for (; length > 0; length--)
            end += sprintf(end, "\\x%02x", *byte++);
    }
    return visible;
}

void output_text(const char *text) {
    char *visible = output_visible(text);
    output("%s", visible);
    free(visible);
}

void complain_list(const char *start, const char *format, va_list arguments) {
    char message[2048];
    int length = vsnprintf(message, sizeof message, format, arguments);
    char *visible = output_visible(message);
    check(fflush(stdout));
    /* If standard error fails too, the exit code is all that is left. */
    fprintf(stderr, "%s%s%s\n", start, visible, length >= (int)sizeof message ? " ..." : "");
    free(visible);
}

void complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complain_list("mtlcap: ", format, arguments);
    va_end(arguments);
}

void complain_more(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complain_list("", format, arguments);
    va_end(arguments);
}

void inform_start(void) {
    informs = true;
}

void inform(const char *format, ...) {
    va_list arguments;
    if (!informs)
        return;
    va_start(arguments, format);
    complain_list("mtlcap: ", format, arguments);
    va_end(arguments);
}

int output_finish(int code) {
    check(fflush(stdout));
    /* Some file systems report a full disk at close only. */
    int result = close(STDOUT_FILENO);
    if (result < 0 && errno != EBADF)
        check(result);
    if (failure == 0)
        return code;
    if (failure != EPIPE) /* whoever stops reading knows */
        fprintf(stderr, "mtlcap: cannot write the output: %s\n", strerror(failure));
    return CODE_IO;
}
