/* Hooks as other shims make them, in an image of their own. */
#include "foreign.h"

typedef uint64_t (*ask_with)(void *, const void *, int64_t);

void (*foreign_below)(void);
int64_t foreign_apple_max = 1009;
int64_t foreign_the_family = 1003;
uint64_t foreign_word;
void (*foreign_calls)(void *self);

uint64_t foreign_or_family(void *self, const void *selector, int64_t family) {
    if (((ask_with)foreign_below)(self, selector, family))
        return 1;
    return family > 1000 && family <= foreign_apple_max;
}

uint64_t foreign_only_family(void *self, const void *selector, int64_t family) {
    (void)self;
    (void)selector;
    return family == foreign_the_family;
}

uint64_t foreign_same_family(void *self, const void *selector, int64_t family) {
    return ((ask_with)foreign_below)(self, selector, family);
}

uint64_t foreign_constant(void *self, const void *selector) {
    (void)self;
    (void)selector;
    return foreign_word;
}

uint64_t foreign_constant_with(void *self, const void *selector, int64_t argument) {
    (void)self;
    (void)selector;
    (void)argument;
    return foreign_word;
}

uint64_t foreign_call(void *self, const void *selector, int64_t argument) {
    if (foreign_calls)
        foreign_calls(self);
    return ((ask_with)foreign_below)(self, selector, argument);
}
