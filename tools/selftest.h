/* mtlcap selftest: what the checks share. */
#ifndef TOOLS_SELFTEST_H
#define TOOLS_SELFTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mtlcap/mtlcap.h>

/* ---- a check ------------------------------------------------------------------- */

struct finding {
    enum verdict { VERDICT_FAIL, VERDICT_PASS, VERDICT_NOT_APPLICABLE } verdict;
    char detail[1024]; /* what was seen, or why there was nothing to see */
};

struct finding finding(enum verdict verdict, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#define PASS(...) finding(VERDICT_PASS, __VA_ARGS__)
#define FAIL(...) finding(VERDICT_FAIL, __VA_ARGS__)
#define NOT_APPLICABLE(...) finding(VERDICT_NOT_APPLICABLE, __VA_ARGS__)

typedef struct finding check_function(void);

#define CHECK(number, function, what) check_function check_##function;
#include "selftest.def"
#undef CHECK

/* The first device, kept by the library; NULL: there is none. */
void *selftest_device(struct mtlcap_device *info);

/* ---- the Objective-C runtime, by its functions' names --------------------------- */

typedef uintptr_t method_function(void *object, void *selector);

#define RUNTIME_MAP(X)                                                                             \
    X(void *, objc_getClass, (const char *name))                                                   \
    X(void *, objc_getProtocol, (const char *name))                                                \
    X(void *, objc_allocateClassPair, (void *superclass, const char *name, size_t extra))          \
    X(void, objc_registerClassPair, (void *class))                                                 \
    X(void *, class_createInstance, (void *class, size_t extra))                                   \
    X(void *, class_getSuperclass, (void *class))                                                  \
    X(const char *, class_getName, (void *class))                                                  \
    X(signed char, class_addMethod, (void *, void *, method_function *, const char *))             \
    X(void *, class_getInstanceMethod, (void *class, void *selector))                              \
    X(method_function *, class_getMethodImplementation, (void *class, void *selector))             \
    X(void **, class_copyMethodList, (void *class, unsigned *count))                               \
    X(signed char, class_conformsToProtocol, (void *class, void *protocol))                        \
    X(void *, method_getName, (void *method))                                                      \
    X(const char *, method_getTypeEncoding, (void *method))                                        \
    X(method_function *, method_setImplementation, (void *method, method_function *))              \
    X(const char *, sel_getName, (void *selector))                                                 \
    X(void *, sel_registerName, (const char *name))

struct runtime {
#define RUNTIME_MEMBER(result, name, parameters) result(*name) parameters;
    RUNTIME_MAP(RUNTIME_MEMBER)
#undef RUNTIME_MEMBER
};

/* Finds them, after loading Metal. False: `missing` is one that is not there. */
bool selftest_runtime(struct runtime *runtime, const char **missing);

/* As object_getClass(), which GCC's runtime has in its header only. */
void *selftest_class_of(void *object);

/* The class's own method of this name; NULL: it has none. */
void *selftest_own_method(const struct runtime *runtime, void *class, const char *name);

/* A function by its name, wherever it is in the process; NULL: nowhere. */
void *selftest_symbol(const char *name);

/* ---- other processes ----------------------------------------------------------- */

struct child {
    int status;      /* of waitpid(); -1: it was not started, or ended by us */
    char text[4096]; /* what it wrote to standard output, cut */
    char problem[256];
};

/* Starts a program with variables ("NAME=value", NULL ends) put into this process's environment,
 * and waits for its end, for 20 seconds at most. `arguments` include its name. */
struct child selftest_start(const char *path, const char *const *arguments,
                            const char *const *variables);

/* This command's own file. "": cannot be told. */
const char *selftest_program(void);

/* What the process that checks of injection start does. */
int selftest_inside(void);

/* ---- the report ----------------------------------------------------------------- */

/* Facts of the machine, as lines or as a member of JSON. */
struct json;
void selftest_write_machine(void);
void selftest_write_machine_json(struct json *json);

#endif
