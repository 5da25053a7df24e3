/* Hooks as other shims make them, in an image of their own. */
#ifndef TESTS_ENGINE_FOREIGN_H
#define TESTS_ENGINE_FOREIGN_H

#include <stdint.h>

#define FOREIGN __attribute__((visibility("default")))

/* What the hooks below call: what they have replaced. */
extern FOREIGN void (*foreign_below)(void);

/* supportsFamily: what is below says, or yes up to foreign_apple_max. */
extern FOREIGN int64_t foreign_apple_max;
FOREIGN uint64_t foreign_or_family(void *self, const void *selector, int64_t family);

/* supportsFamily: yes to foreign_only_family and to nothing else; does not ask below. */
extern FOREIGN int64_t foreign_the_family;
FOREIGN uint64_t foreign_only_family(void *self, const void *selector, int64_t family);

/* supportsFamily: what is below says, unchanged. */
FOREIGN uint64_t foreign_same_family(void *self, const void *selector, int64_t family);

/* Any question without argument: foreign_word, all of the register. */
extern FOREIGN uint64_t foreign_word;
FOREIGN uint64_t foreign_constant(void *self, const void *selector);
/* ... with one. */
FOREIGN uint64_t foreign_constant_with(void *self, const void *selector, int64_t argument);

/* What foreign_call calls before it answers as what is below. */
extern FOREIGN void (*foreign_calls)(void *self);
FOREIGN uint64_t foreign_call(void *self, const void *selector, int64_t argument);

#endif
