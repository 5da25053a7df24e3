/*
 * What tests of the engine share: a process of its own for each test, and questions to devices that
 * do not go through the library.
 */
#ifndef TESTS_ENGINE_SUPPORT_H
#define TESTS_ENGINE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <objc/message.h>
#include <objc/runtime.h>

#include "mtlcap/mtlcap.h"
#include "simmetal.h"

/* ---- running -------------------------------------------------------------- */

struct apart {
    const char *name;
    const char *machine; /* SIMMETAL_DEVICES: a built-in machine, or a file of machines/ */
    CMUnitTestFunction function;
};
#define ON(machine, function) {#function, machine, function}

/* Runs each test in a forked process: what a test adds to a class cannot be removed. Returns how
 * many have failed. */
int run_apart(const struct apart *tests, size_t count);
#define RUN_APART(tests) run_apart(tests, sizeof(tests) / sizeof((tests)[0]))

/* The runtime has Apple's semantics here, not those of GCC's. */
bool apple_runtime(void);

/* Runs `function` in a forked child, and returns its exit status, or 256 and the signal. */
int in_child(int (*function)(void *data), void *data);

#define assert_ok(call)                                                                            \
    do {                                                                                           \
        const int status_ = (call);                                                                \
        if (status_ != MTLCAP_OK)                                                                  \
            fail_msg("%s: %s (%s)", #call, mtlcap_last_error(), mtlcap_strerror(status_));         \
    } while (0)

/* `part` has to be in the message. */
#define assert_fails(call, wanted, part)                                                           \
    do {                                                                                           \
        const int status_ = (call);                                                                \
        check_failure(#call, status_, wanted, part, __FILE__, __LINE__);                           \
    } while (0)
void check_failure(const char *call, int status, int wanted, const char *part, const char *file,
                   int line);

/* ---- devices, without the library ------------------------------------------ */

extern void *MTLCreateSystemDefaultDevice(void);
extern void *MTLCopyAllDevices(void);

/* The index-th of Metal's list; NULL past the last. */
void *device_at(unsigned index);
/* A device of another class than the machine's own. Not in Metal's list. */
void *device_of_class(const char *class_name);

bool supports_family(void *device, int64_t family);
/* The highest family of an axis (1000, 2000, ...) that the device supports, as the raw constant; 0
 * for none. Only looks at the known ones. */
int64_t highest_family(void *device, int64_t axis);

struct triple {
    unsigned long number[3];
};
struct triple ask_triple(void *device, const char *selector);

/* Everything that Metal can be asked about a device, families and counts beyond the known ones
 * included. */
enum { SNAPSHOT_MAX = 256 };
struct snapshot {
    struct snapshot_entry {
        char question[64]; /* "supportsFamily: 1007" */
        uint64_t answer;
    } entry[SNAPSHOT_MAX];
    size_t count;
};
struct snapshot snapshot_of(void *device);

/* Fails, naming the questions, unless the two are the same but for the answers to the selectors in
 * `but`, joined by spaces; NULL: none. */
void assert_same_answers(const struct snapshot *a, const struct snapshot *b, const char *but);

/* ---- classes ---------------------------------------------------------------- */

/* A method's function. Cast it to the method's signature before calling it. */
typedef void (*code)(void);
#define AS_ASK(code) ((uint64_t (*)(void *, SEL))(code))
#define AS_ASK_WITH(code) ((uint64_t (*)(void *, SEL, int64_t))(code))

Class class_named(const char *name);
/* The class's own method; NULL if it has none. */
Method own_method(Class cls, const char *selector);
/* NULL if it has none of its own. */
code own_code(Class cls, const char *selector);
/* What a message to the object calls. */
code code_for(void *object, const char *selector);
unsigned own_method_count(Class cls);
/* Puts a method into the class itself: replaces its own, or adds one with the encoding of the
 * inherited one. Returns what the class answered with before. */
code put_method(Class cls, const char *selector, code new_code);
/* A registered subclass, made at run time. */
Class make_subclass(Class superclass, const char *name);
/* Changes an object's class under its owner. */
void set_class(void *object, Class cls);

/* ---- the library ------------------------------------------------------------ */

/* The name of every hazard, joined by '+'. */
const char *every_hazard(void);
/* Applies with consent to `allow`. */
int apply_allowing(const char *profile, const char *allow);
/* Applies with consent to everything; must succeed. */
void apply(const char *profile);
/* Must succeed. */
struct mtlcap_answer answer_of(void *device, const char *capability);
struct mtlcap_report report(void);

#endif
