/* Errors and the log. */
#ifndef MTLCAP_CORE_ERROR_H
#define MTLCAP_CORE_ERROR_H

#include <stddef.h>

#include "mtlcap/mtlcap.h"

/* Remembers what went wrong on this thread; returns `status`, so: return mtlcap__fail(...). */
int mtlcap__fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for an item of a profile: `line` 0 unless it is in a file, `column` from 1. The message
 * gets the place in front. */
int mtlcap__fail_at(int status, const char *file, int line, int column, const char *item,
                    size_t item_length, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

/* The same for a hazard. */
int mtlcap__fail_hazard(const char *hazard, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sends a message to the log. Never call it with a lock held. */
void mtlcap__log(int level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Copies as much of `text` as fits, always terminated, never cutting a UTF-8 sequence. */
void mtlcap__copy_text(char *target, size_t size, const char *text, size_t length);

#endif
