#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

void text_add(char **text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int more = vsnprintf(NULL, 0, format, arguments);
    size_t length = *text != NULL ? strlen(*text) : 0, size = more > 0 ? (size_t)more + 1 : 1;
    char *longer = allocate(length + size, 1);
    if (length > 0)
        memcpy(longer, *text, length);
    vsnprintf(longer + length, size, format, again);
    va_end(again);
    va_end(arguments);
    free(*text);
    *text = longer;
}
