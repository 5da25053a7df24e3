/* Makes the n-th call of a function fail. */
#ifndef FAULTS_INJECT_H
#define FAULTS_INJECT_H

#include <stdbool.h>

/*
 * What is made to fail: X(id, verdict, what it then does).
 *
 * FAILURE      whoever called it must give up: an apply returns an error
 * INFORMATION  that is an answer that the function may give; an apply may take another way, succeed
 *              with fewer devices, or return an error, but never half
 *
 * Functions of the runtime that are not here cannot fail by their contract: what they are asked for
 * exists (a class's name, a method's implementation, what a message calls), or they return nothing.
 */
#define INJECTED(X)                                                                                \
    X(ALLOCATION, FAILURE, "malloc, calloc, realloc, strdup and strndup: no memory")               \
    X(SET_IMP, FAILURE, "mtlcap__rt_set_imp: refused")                                             \
    X(ADD_METHOD, FAILURE, "mtlcap__rt_add_method: refused")                                       \
    X(METAL_FUNCTION, FAILURE, "mtlcap__rt_metal_function: there is no Metal")                     \
    X(METHOD, INFORMATION, "mtlcap__rt_method: there is no such method")                           \
    X(OWN_METHOD, INFORMATION, "mtlcap__rt_own_method: the class only inherits it")                \
    X(METHOD_TYPES, INFORMATION, "mtlcap__rt_method_types: unknown")                               \
    X(CLASS_IMAGE, INFORMATION, "mtlcap__rt_class_image: made at run time")                        \
    X(CODE_IMAGE, INFORMATION, "mtlcap__rt_code_image: in none")                                   \
    X(CONFORMS, INFORMATION, "mtlcap__rt_conforms: is not a device")                               \
    X(PLAUSIBLE, INFORMATION, "mtlcap__rt_plausible: is not an object")                            \
    X(POOL_PUSH, INFORMATION, "mtlcap__rt_pool_push: there are no pools")                          \
    X(FIND_TABLE, INFORMATION, "mtlcap__rt_find_table: there is no other copy of the library")     \
    X(PUBLISH_TABLE, INFORMATION, "mtlcap__rt_publish_table: the runtime refused")

enum injected {
#define INJECTED_ENUM(id, verdict, what) INJECTED_##id,
    INJECTED(INJECTED_ENUM)
#undef INJECTED_ENUM
        INJECTED_COUNT
};

enum verdict { FAILURE, INFORMATION };

struct injected_function {
    const char *what;
    enum verdict verdict;
};

extern const struct injected_function injected_functions[INJECTED_COUNT];

/* From now on the n-th call, from 1, of `which` fails, and with `on` every later one. */
void inject_start(enum injected which, unsigned n, bool on);

/* Ends that; did a call fail? */
bool inject_stop(void);

#endif
