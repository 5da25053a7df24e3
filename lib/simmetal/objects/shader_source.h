/* Reads Metal shading language as far as a library needs it: which kernels a text has, and which
 * words their code reaches. Nothing is compiled. Plain C. */
#ifndef SIMMETAL_SHADER_SOURCE_H
#define SIMMETAL_SHADER_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

struct simmetal_macro {
    const char *name;
    const char *value;
};

/* The text that conditional directives leave, without comments and directives; the caller frees
 * it. NULL when out of memory. */
char *simmetal_shader_preprocess(const char *source, const struct simmetal_macro *macros,
                                 size_t count);

/* A kernel that a program can ask for. The implementation is the function whose code runs: for an
 * instantiated template not the kernel's own name. Both point into the text. */
struct simmetal_kernel {
    const char *name, *implementation;
    size_t name_length, implementation_length;
};

/* Calls `found` for each kernel in a preprocessed text, in its order. */
void simmetal_shader_kernels(const char *text,
                             void (*found)(void *context, const struct simmetal_kernel *kernel),
                             void *context);

/* Whether the function, or one that it calls, has a word that starts with `prefix`. */
bool simmetal_shader_reaches(const char *text, const char *function, const char *prefix);

/* Whether the text has a comment or a bracket that is never closed; then `*line` says where. */
bool simmetal_shader_unbalanced(const char *text, unsigned *line);

#endif
