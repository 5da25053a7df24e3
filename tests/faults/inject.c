/* Wrappers, put before the real functions by the linker's --wrap. */
#include "inject.h"

#include <stddef.h>

#include "runtime/runtime.h"

const struct injected_function injected_functions[INJECTED_COUNT] = {
#define INJECTED_ROW(id, verdict, what) {what, verdict},
    INJECTED(INJECTED_ROW)
#undef INJECTED_ROW
};

static enum injected failing = INJECTED_COUNT;
static unsigned calls_left;
static bool goes_on, has_failed;

void inject_start(enum injected which, unsigned n, bool on) {
    failing = which;
    calls_left = n;
    goes_on = on;
    has_failed = false;
}

bool inject_stop(void) {
    failing = INJECTED_COUNT;
    return has_failed;
}

static bool fails(enum injected which) {
    if (which != failing)
        return false;
    if (calls_left > 0)
        calls_left--;
    if (calls_left > 0 || (has_failed && !goes_on))
        return false;
    has_failed = true;
    return true;
}

/* WRAP(id, failed, result, name, parameters, arguments) */
#define WRAP(id, failed, result, name, parameters, arguments)                                      \
    result __real_##name parameters;                                                               \
    result __wrap_##name parameters;                                                               \
    result __wrap_##name parameters {                                                              \
        return fails(INJECTED_##id) ? (failed) : __real_##name arguments;                          \
    }

WRAP(ALLOCATION, NULL, void *, malloc, (size_t size), (size))
WRAP(ALLOCATION, NULL, void *, calloc, (size_t count, size_t size), (count, size))
WRAP(ALLOCATION, NULL, void *, realloc, (void *block, size_t size), (block, size))
WRAP(ALLOCATION, NULL, char *, strdup, (const char *text), (text))
WRAP(ALLOCATION, NULL, char *, strndup, (const char *text, size_t size), (text, size))
WRAP(SET_IMP, NULL, mtlcap__imp, mtlcap__rt_set_imp, (mtlcap__method method, mtlcap__imp imp),
     (method, imp))
WRAP(ADD_METHOD, false, bool, mtlcap__rt_add_method,
     (mtlcap__class cls, mtlcap__sel selector, mtlcap__imp imp, const char *types),
     (cls, selector, imp, types))
WRAP(METAL_FUNCTION, NULL, void *, mtlcap__rt_metal_function, (const char *name), (name))
WRAP(METHOD, NULL, mtlcap__method, mtlcap__rt_method, (mtlcap__class cls, mtlcap__sel selector),
     (cls, selector))
WRAP(OWN_METHOD, NULL, mtlcap__method, mtlcap__rt_own_method,
     (mtlcap__class cls, mtlcap__sel selector), (cls, selector))
WRAP(METHOD_TYPES, NULL, const char *, mtlcap__rt_method_types, (mtlcap__method method), (method))
WRAP(CLASS_IMAGE, false, bool, mtlcap__rt_class_image, (mtlcap__class cls, char *path, size_t size),
     (cls, path, size))
WRAP(CODE_IMAGE, false, bool, mtlcap__rt_code_image, (mtlcap__imp imp, char *path, size_t size),
     (imp, path, size))
WRAP(CONFORMS, false, bool, mtlcap__rt_conforms, (mtlcap__class cls, const char *protocol),
     (cls, protocol))
WRAP(PLAUSIBLE, false, bool, mtlcap__rt_plausible, (const void *pointer), (pointer))
WRAP(POOL_PUSH, NULL, void *, mtlcap__rt_pool_push, (void), ())
WRAP(FIND_TABLE, NULL, const void *, mtlcap__rt_find_table, (const char *class_name), (class_name))
WRAP(PUBLISH_TABLE, NULL, const void *, mtlcap__rt_publish_table,
     (const char *class_name, const void *(*table)(void)), (class_name, table))
