/* Hooks as others write them: each function has a record of its own. */
#define _GNU_SOURCE
#include "shims.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/runtime.h"

enum { SHIMS = 40 }; /* of each shape */

static struct shim {
    struct method method;
    mtlcap__class class, superclass;
    mtlcap__sel selector;
    mtlcap__imp kept; /* NULL: a message to super */
} shims[4][SHIMS];
static int used[4];

static mtlcap__class (*look_up_class)(const char *);
static mtlcap__class (*allocate_class_pair)(mtlcap__class, const char *, size_t);
static void (*register_class_pair)(mtlcap__class);

bool shims_open(void) {
    const char *missing = mtlcap__rt_open();
    if (missing)
        fprintf(stderr, "model: %s\n", missing);
    *(void **)&look_up_class = dlsym(RTLD_DEFAULT, "objc_lookUpClass");
    *(void **)&allocate_class_pair = dlsym(RTLD_DEFAULT, "objc_allocateClassPair");
    *(void **)&register_class_pair = dlsym(RTLD_DEFAULT, "objc_registerClassPair");
    return !missing && look_up_class && allocate_class_pair && register_class_pair;
}

static mtlcap__class class_named(const char *name) {
    mtlcap__class class = look_up_class(name);
    if (!class) {
        fprintf(stderr, "model: there is no class %s\n", name);
        abort();
    }
    return class;
}

/* ---- calling methods ----------------------------------------------------------- */

struct size3 {
    unsigned long number[3];
};

typedef unsigned long get(mtlcap__id, mtlcap__sel);
typedef unsigned long ask(mtlcap__id, mtlcap__sel, long);
typedef struct size3 get_size3(mtlcap__id, mtlcap__sel);

/* A BOOL is one byte. */
static struct answer call(mtlcap__imp imp, mtlcap__id object, mtlcap__sel selector,
                          enum shape shape, long argument, bool full) {
    struct answer answer = {{0}};
    struct size3 size;
    switch (shape) {
    case SHAPE_SIZE3:
        size = ((get_size3 *)imp)(object, selector);
        for (int i = 0; i < 3; i++)
            answer.number[i] = size.number[i];
        return answer;
    case SHAPE_ASK:
        answer.number[0] = ((ask *)imp)(object, selector, argument);
        break;
    default:
        answer.number[0] = ((get *)imp)(object, selector);
    }
    if (shape != SHAPE_WORD && !full)
        answer.number[0] = (unsigned char)answer.number[0];
    return answer;
}

struct answer shims_ask(void *object, enum selector_id id, int64_t argument, bool full) {
    mtlcap__sel selector = mtlcap__rt_selector(selectors[id].name);
    mtlcap__imp imp = mtlcap__rt_dispatch(object, selector);
    return call(imp, object, selector, selectors[id].shape, (long)argument, full);
}

int shims_devices(void *devices[], int limit) {
    mtlcap__id (*copy_all_devices)(void);
    *(void **)&copy_all_devices = mtlcap__rt_metal_function("MTLCopyAllDevices");
    mtlcap__id list = copy_all_devices();
    mtlcap__sel count = mtlcap__rt_selector("count"), at = mtlcap__rt_selector("objectAtIndex:");
    const int found = (int)((get *)mtlcap__rt_dispatch(list, count))(list, count);
    for (int i = 0; i < found && i < limit; i++)
        devices[i] = (void *)((ask *)mtlcap__rt_dispatch(list, at))(list, at, i);
    return found < limit ? found : limit;
}

/* ---- the hooks ------------------------------------------------------------------- */

static uint64_t change(const struct method *method, long argument, uint64_t below) {
    const bool spoken_of = argument >= method->low && argument <= method->high;
    const bool is_number = selectors[method->selector].shape >= SHAPE_WORD;
    switch (method->kind) {
    case METHOD_RAISE:
        return is_number ? (below > method->number ? below : method->number) : below || spoken_of;
    case METHOD_LOWER:
        return is_number ? (below < method->number ? below : method->number) : below && !spoken_of;
    case METHOD_CONSTANT:
        return is_number ? method->number : spoken_of;
    default:
        return below;
    }
}

static struct answer run(const struct shim *shim, mtlcap__id self, long argument) {
    const enum shape shape = selectors[shim->method.selector].shape;
    struct answer answer = {{0}};
    if (shim->method.kind != METHOD_CONSTANT) {
        mtlcap__imp below = shim->kept
                                ? shim->kept
                                : mtlcap__rt_super_dispatch(self, shim->superclass, shim->selector);
        answer = call(below, self, shim->selector, shape, argument, false);
    }
    for (int i = 0; i < (shape == SHAPE_SIZE3 ? 3 : 1); i++)
        answer.number[i] = change(&shim->method, argument, answer.number[i]);
    return answer;
}

/* A compiler leaves in the register what it likes above a BOOL. */
#define GARBAGE 0x5A00

#define HOOK(n)                                                                                    \
    static unsigned long bool_##n(mtlcap__id self, mtlcap__sel selector) {                         \
        (void)selector;                                                                            \
        return run(&shims[SHAPE_BOOL][n], self, 0).number[0] | GARBAGE;                            \
    }                                                                                              \
    static unsigned long ask_##n(mtlcap__id self, mtlcap__sel selector, long argument) {           \
        (void)selector;                                                                            \
        return run(&shims[SHAPE_ASK][n], self, argument).number[0] | GARBAGE;                      \
    }                                                                                              \
    static unsigned long word_##n(mtlcap__id self, mtlcap__sel selector) {                         \
        (void)selector;                                                                            \
        return run(&shims[SHAPE_WORD][n], self, 0).number[0];                                      \
    }                                                                                              \
    static struct size3 size3_##n(mtlcap__id self, mtlcap__sel selector) {                         \
        const struct answer answer = run(&shims[SHAPE_SIZE3][n], self, 0);                         \
        (void)selector;                                                                            \
        return (struct size3){{answer.number[0], answer.number[1], answer.number[2]}};             \
    }
#define TEN(F, t) F(t##0) F(t##1) F(t##2) F(t##3) F(t##4) F(t##5) F(t##6) F(t##7) F(t##8) F(t##9)
#define ALL(F) TEN(F, ) TEN(F, 1) TEN(F, 2) TEN(F, 3)

ALL(HOOK)

#define BOOL_IMP(n) (mtlcap__imp) bool_##n,
#define ASK_IMP(n) (mtlcap__imp) ask_##n,
#define WORD_IMP(n) (mtlcap__imp) word_##n,
#define SIZE3_IMP(n) (mtlcap__imp) size3_##n,
static const mtlcap__imp imps[4][SHIMS] = {
    [SHAPE_BOOL] = {ALL(BOOL_IMP)},
    [SHAPE_ASK] = {ALL(ASK_IMP)},
    [SHAPE_WORD] = {ALL(WORD_IMP)},
    [SHAPE_SIZE3] = {ALL(SIZE3_IMP)},
};

int shims_left(enum selector_id selector) {
    return SHIMS - used[selectors[selector].shape];
}

int shims_put(const char *class_name, const struct method *method, bool frozen) {
    const enum shape shape = selectors[method->selector].shape;
    const int n = used[shape]++;
    struct shim *shim = &shims[shape][n];
    shim->method = *method;
    shim->class = class_named(class_name);
    shim->superclass = mtlcap__rt_superclass(shim->class);
    shim->selector = mtlcap__rt_selector(selectors[method->selector].name);
    mtlcap__method own = mtlcap__rt_own_method(shim->class, shim->selector);
    mtlcap__method inherited = mtlcap__rt_method(shim->class, shim->selector);
    if (own || frozen)
        shim->kept = mtlcap__rt_method_imp(inherited);
    if (own)
        mtlcap__rt_set_imp(own, imps[shape][n]);
    else
        mtlcap__rt_add_method(shim->class, shim->selector, imps[shape][n],
                              mtlcap__rt_method_types(inherited));
    return (int)shape * SHIMS + n;
}

void shims_remove(int shim) {
    const struct shim *removed = &shims[shim / SHIMS][shim % SHIMS];
    mtlcap__rt_set_imp(mtlcap__rt_own_method(removed->class, removed->selector), removed->kept);
}

/* ---- classes ----------------------------------------------------------------------- */

const char *shims_class_name(void *object) {
    return mtlcap__rt_class_name(mtlcap__rt_class_of(object));
}

const char *shims_superclass_name(const char *class_name) {
    mtlcap__class super = mtlcap__rt_superclass(class_named(class_name));
    return super ? mtlcap__rt_class_name(super) : NULL;
}

bool shims_owns(const char *class_name, enum selector_id selector) {
    return mtlcap__rt_own_method(class_named(class_name),
                                 mtlcap__rt_selector(selectors[selector].name)) != NULL;
}

void shims_set_class(void *object, const char *name) {
    *(mtlcap__class *)object = class_named(name);
}

void shims_subclass(void *object, const char *name) {
    mtlcap__class class = allocate_class_pair(mtlcap__rt_class_of(object), name, 0);
    if (!class) {
        fprintf(stderr, "model: the runtime made no class %s\n", name);
        abort();
    }
    register_class_pair(class);
    shims_set_class(object, name);
}
