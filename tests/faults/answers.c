/* Asking without the library. */
#include "answers.h"

#include <string.h>

#include "runtime/runtime.h"

struct size3 {
    unsigned long number[3];
};

static uint64_t ask(void *device, mtlcap__sel selector, int64_t argument) {
    mtlcap__imp imp = mtlcap__rt_dispatch(device, selector);
    return ((uint64_t (*)(mtlcap__id, mtlcap__sel, int64_t))imp)(device, selector, argument);
}

static struct mtlcap__value value_of(void *device, const struct mtlcap__capability *capability) {
    struct mtlcap__value value = {{0}, 0};
    mtlcap__sel selector = mtlcap__rt_selector(capability->selector);
    struct size3 size;
    switch (capability->shape) {
    case MTLCAP__ASK_BOOL:
        value.number[0] = (unsigned char)ask(device, selector, 0);
        break;
    case MTLCAP__ASK_ID:
    case MTLCAP__ASK_COUNT:
        for (int64_t i = capability->first; i <= capability->last; i++)
            value.members |= (uint64_t)(unsigned char)ask(device, selector, i)
                             << (i - capability->first);
        break;
    case MTLCAP__ASK_WORD:
        value.number[0] = ask(device, selector, 0);
        break;
    case MTLCAP__ASK_SIZE3:
        size = ((struct size3(*)(mtlcap__id, mtlcap__sel))mtlcap__rt_dispatch(device, selector))(
            device, selector);
        memcpy(value.number, size.number, sizeof value.number);
        break;
    default:
        break; /* cannot be overridden */
    }
    return value;
}

struct answers answers_of(void *device) {
    struct answers answers;
    for (size_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++)
        answers.value[i] = value_of(device, &mtlcap__capabilities[i]);
    return answers;
}

const char *answers_differ_from_all(const struct answers *answers,
                                    const struct answers *const *good, size_t count) {
    for (size_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++) {
        bool equal = false;
        for (size_t g = 0; g < count; g++)
            equal |= mtlcap__value_equal(&answers->value[i], &good[g]->value[i]);
        if (!equal)
            return mtlcap__capabilities[i].key;
    }
    return NULL;
}

const char *answers_differ(const struct answers *a, const struct answers *b) {
    return answers_differ_from_all(a, &b, 1);
}

struct own_methods own_methods_of(void *device) {
    struct own_methods own = {{NULL}};
    for (size_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++) {
        mtlcap__sel selector = mtlcap__rt_selector(mtlcap__capabilities[i].selector);
        mtlcap__method method = mtlcap__rt_own_method(mtlcap__rt_class_of(device), selector);
        if (method)
            own.imp[i] = mtlcap__rt_method_imp(method);
    }
    return own;
}

const char *own_methods_changed(const struct own_methods *before, const struct own_methods *now) {
    for (size_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++)
        if (before->imp[i] && before->imp[i] != now->imp[i])
            return mtlcap__capabilities[i].selector;
    return NULL;
}
