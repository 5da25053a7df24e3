/* Apple's semantics for the two functions of the runtime in which GCC's differs. This library comes
 * before libobjc in a program's search order, so that callers get these; SIMMETAL_RUNTIME=gcc
 * switches them off.
 *
 *   method_setImplementation  Apple: a subclass that inherits the method answers by the new
 * function at once. GCC: not if it has a copy of that part of the dispatch table.
 *   class_replaceMethod       Apple: adds a method to the class if it only inherits one. GCC:
 *                             changes the superclass's. */
#include "simmetal.h"

#include <dlfcn.h>
#include <objc/runtime.h>
#include <objc/thr.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* GCC's runtime, module ABI 8: classes, their methods and dispatch tables. */
struct gcc_selector {
    size_t id;
    const char *types;
};
struct gcc_method {
    const struct gcc_selector *name;
    const char *types;
    IMP imp;
};
struct gcc_method_list {
    struct gcc_method_list *next;
    int count;
    struct gcc_method methods[];
};
struct sarray;
struct gcc_class {
    struct gcc_class *isa, *superclass;
    const char *name;
    long version;
    unsigned long info;
    long instance_size;
    void *ivars;
    struct gcc_method_list *methods;
    struct sarray *dispatch;
    struct gcc_class *subclasses, *sibling;
};
extern objc_mutex_t __objc_runtime_mutex;
extern struct sarray *__objc_uninstalled_dtable;
extern void sarray_at_put_safe(struct sarray *array, size_t index, void *element);

static IMP (*gcc_set_implementation)(Method, IMP);
static IMP (*gcc_replace_method)(Class, SEL, IMP, const char *);
static bool apple = true;

static void look_up(void) {
    *(void **)&gcc_set_implementation = dlsym(RTLD_NEXT, "method_setImplementation");
    *(void **)&gcc_replace_method = dlsym(RTLD_NEXT, "class_replaceMethod");
    if (!gcc_set_implementation || !gcc_replace_method) {
        fputs("simmetal: GCC's libobjc must come after libsimmetal, and does not\n", stderr);
        abort();
    }
    const char *value = getenv("SIMMETAL_RUNTIME");
    apple = !value || strcmp(value, "gcc") != 0;
    if (apple && value && value[0] && strcmp(value, "apple") != 0)
        fprintf(stderr, "simmetal: SIMMETAL_RUNTIME is '%s', neither apple nor gcc: apple\n",
                value);
}

static bool apple_semantics(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_up);
    return apple;
}

static struct gcc_method *own_method(const struct gcc_class *class, size_t selector) {
    for (struct gcc_method_list *list = class->methods; list; list = list->next)
        for (int i = 0; i < list->count; i++)
            if (list->methods[i].name->id == selector)
                return &list->methods[i];
    return NULL;
}

static bool owns(const struct gcc_class *class, const struct gcc_method *method) {
    for (struct gcc_method_list *list = class->methods; list; list = list->next)
        if (method >= list->methods && method < list->methods + list->count)
            return true;
    return false;
}

/* The class or metaclass that has `method` in its own list. */
static struct gcc_class *find_owner(const struct gcc_method *method) {
    int count = objc_getClassList(NULL, 0);
    Class *classes = malloc((size_t)count * sizeof *classes);
    struct gcc_class *owner = NULL;
    count = classes ? objc_getClassList(classes, count) : 0;
    for (int i = 0; i < count && !owner; i++) {
        struct gcc_class *class = (struct gcc_class *)classes[i];
        owner = owns(class, method) ? class : owns(class->isa, method) ? class->isa : NULL;
    }
    free(classes);
    return owner;
}

/* Puts `method` into the dispatch tables of those below `class` that inherit it. Those with a
 * method of their own get that again: they may share a part of the table in which it just was
 * replaced. */
static void update_subclasses(const struct gcc_class *class, const struct gcc_method *method) {
    for (struct gcc_class *sub = class->subclasses; sub; sub = sub->sibling) {
        const struct gcc_method *own = own_method(sub, method->name->id);
        const struct gcc_method *reached = own ? own : method;
        if (sub->dispatch != __objc_uninstalled_dtable)
            sarray_at_put_safe(sub->dispatch, method->name->id, (void *)reached->imp);
        update_subclasses(sub, reached);
    }
}

SIMMETAL_API IMP method_setImplementation(Method method, IMP imp) {
    if (!apple_semantics())
        return gcc_set_implementation(method, imp);
    if (!method || !imp)
        return NULL;
    const struct gcc_method *mirror = (const struct gcc_method *)method;
    objc_mutex_lock(__objc_runtime_mutex);
    IMP old = gcc_set_implementation(method, imp);
    struct gcc_class *owner = find_owner(mirror);
    if (owner)
        update_subclasses(owner, mirror);
    objc_mutex_unlock(__objc_runtime_mutex);
    return old;
}

SIMMETAL_API IMP class_replaceMethod(Class class, SEL selector, IMP imp, const char *types) {
    if (!apple_semantics())
        return gcc_replace_method(class, selector, imp, types);
    if (!class || !selector || !imp)
        return NULL;
    size_t id = ((const struct gcc_selector *)(const void *)selector)->id;
    struct gcc_method *own = own_method((struct gcc_class *)class, id);
    if (own)
        return method_setImplementation((Method)own, imp);
    class_addMethod(class, selector, imp, types && types[0] ? types : "@@:");
    return NULL;
}
