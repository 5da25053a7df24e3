/*
 * Shims: functions with variable arguments, on arm64. Darwin passes all of these on the stack, in
 * slots of eight bytes, and its va_list is a pointer to them; Linux passes the first ones in
 * registers, and its va_list says where each kind is. One that has no registers left reads slots
 * of eight bytes from a pointer: the same.
 */
#if defined(__aarch64__)
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* As the procedure call standard of the processor defines it. */
struct list {
    void *stack, *general_top, *vector_top;
    int general_left, vector_left; /* bytes, negated */
};
_Static_assert(sizeof(struct list) == sizeof(va_list), "Linux's va_list");

#define AS_LIST(list, arguments)                                                                   \
    va_list list;                                                                                  \
    memcpy(&list, &(struct list){.stack = arguments}, sizeof list)

/* ENTRY(name, register): a function whose variable arguments start after the registers before
 * `register`, which gets their address. */
#define ENTRY(name, register)                                                                      \
    __asm__(".pushsection .text\n.globl shim_" #name "\n.hidden shim_" #name "\n.type shim_" #name \
            ", %function\nshim_" #name ":\n    mov " #register ", sp\n    b shim_v" #name          \
                                                               "\n.popsection\n")

ENTRY(printf, x1);
ENTRY(fprintf, x2);
ENTRY(sprintf, x2);
ENTRY(snprintf, x3);

int shim_vprintf(const char *format, void *arguments);
int shim_vfprintf(FILE *stream, const char *format, void *arguments);
int shim_vsprintf(char *text, const char *format, void *arguments);
int shim_vsnprintf(char *text, size_t size, const char *format, void *arguments);

int shim_vprintf(const char *format, void *arguments) {
    AS_LIST(list, arguments);
    return vprintf(format, list);
}

int shim_vfprintf(FILE *stream, const char *format, void *arguments) {
    AS_LIST(list, arguments);
    return vfprintf(stream, format, list);
}

int shim_vsprintf(char *text, const char *format, void *arguments) {
    AS_LIST(list, arguments);
    return vsprintf(text, format, list);
}

int shim_vsnprintf(char *text, size_t size, const char *format, void *arguments) {
    AS_LIST(list, arguments);
    return vsnprintf(text, size, format, list);
}
#else
typedef int not_needed; /* Darwin passes them as Linux does */
#endif
