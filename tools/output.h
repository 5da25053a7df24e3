/*
 * All that the command writes goes through here. Output that cannot be written (a broken pipe, a
 * full disk, a closed descriptor) is an error that the exit code tells; of a broken pipe nothing is
 * said, since the reader has closed it.
 */
#ifndef TOOLS_OUTPUT_H
#define TOOLS_OUTPUT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Before anything is opened or written. */
void output_start(void);

/* Writes to standard output. After a failure, does nothing. */
void output(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From here on output() writes into memory; until the second of these, which returns what that was,
 * to be freed. */
void output_collect(void);
char *output_collected(size_t *length);

/* Writes all of it, past what output() does. False: errno says why not. */
bool output_write(int descriptor, const char *text, size_t length);

/* Text that came from elsewhere (a device's name) with its control characters, and those that turn
 * the direction of text, shown as \xNN, so that they cannot reach a terminal. To be freed. */
char *output_visible(const char *text);

/* Writes such text to standard output. */
void output_text(const char *text);

/* Writes "mtlcap: MESSAGE" to standard error, after what standard output has so far. Control
 * characters are made visible, and what is longer than a screen is cut. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes MESSAGE, one line, to standard error, for what follows a complaint. */
void complain_more(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Both of these, with the list of arguments and what stands in front. */
void complain_list(const char *start, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* As complain(), once it was asked for by inform_start(). */
void inform(const char *format, ...) __attribute__((format(printf, 1, 2)));
void inform_start(void);

/* What output_start() found, for a program that this process starts: was SIGPIPE ignored, and is a
 * standard descriptor (0 to 2) only a stand-in for one that was closed? */
bool output_pipe_was_ignored(void);
bool output_is_stand_in(int descriptor);

/* Writes out what is left. Returns `code`, or CODE_IO if any output was lost. */
int output_finish(int code);

#endif
