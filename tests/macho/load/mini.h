/* A very small Metal, without Foundation, so that it can be built for any processor: two devices
 * whose methods have Apple's type encodings. */
#ifndef TESTS_MACHO_MINI_H
#define TESTS_MACHO_MINI_H

#include <stdint.h>

/* First of all. Classes are registered after constructors have run. */
void mini_start(void);

/* AppleParavirtDevice (Apple1 to Apple5), and OtherVendorDevice; both get everything but isHeadless
 * from _MTLDevice. */
extern void *mini_paravirtual, *mini_other;

/* How many of them MTLCopyAllDevices() lists: 1 or 2. */
extern unsigned mini_count;

/* class_addMethod() refuses this class; NULL: none. */
extern const char *mini_refused;

/* What a message to the object calls: cast it to the method's signature. */
typedef void (*mini_code)(void);
mini_code mini_method(void *object, const char *selector);

/* Gives a class a method of another encoding than Metal's. */
void mini_make_odd(const char *class_name, const char *selector);

struct mini_size {
    uint64_t width, height, depth;
};

#endif
