/* Errors and the log. */
#ifndef MTLCAP_CORE_ERROR_H
#define MTLCAP_CORE_ERROR_H

#include <stdarg.h>
#include <stddef.h>

#include "mtlcap/mtlcap.h"

/* Remembers what went wrong on this thread; returns `status`, so: return mtlcap__fail(...). */
int mtlcap__fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for an item of a profile, of `item_length` bytes: `file` NULL and `line` 0 unless it is
 * in a file, `column` from 1. The message gets the place and the item in front. */
int mtlcap__fail_at(int status, const char *file, int line, int column, const char *item,
                    size_t item_length, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

/* The same for a hazard: MTLCAP_E_HAZARD. */
int mtlcap__fail_hazard(const char *hazard, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same where there is no Metal: MTLCAP_E_UNSUPPORTED, and off a Mac how to get the simulated
 * one. `why` is what was not found. */
int mtlcap__fail_no_metal(const char *why);

/* What a status means; never NULL. */
const char *mtlcap__status_text(int status);

/* What this thread's last failure was; never NULL, "" if nothing has failed yet. */
const char *mtlcap__last_error(void);

/* The same in parts, all of *error filled but its struct_size. */
void mtlcap__error_parts(struct mtlcap_error *error);

/* Puts back what it was. */
void mtlcap__error_put_back(const struct mtlcap_error *error);

/* Sends a message to the log; keeps errno. Never call it with a lock held. */
void mtlcap__log(int level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* As mtlcap_set_log(). */
int mtlcap__set_log(int level, mtlcap_log_function function, void *data);

/* Length of the UTF-8 sequence at `text`; 0: it begins none. */
size_t mtlcap__utf8_length(const char *text);

/* As vsnprintf(), and what comes from outside becomes text of one line: control characters, and
 * bytes that are not UTF-8, become question marks. */
void mtlcap__format_text(char *text, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Copies as much of `text` as fits, always terminated, never cutting a UTF-8 sequence. */
void mtlcap__copy_text(char *target, size_t size, const char *text, size_t length);

#endif
