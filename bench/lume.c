/* The hook that ours is compared with, written as Lume's shim does it, and the empty function. */
#include "bench.h"

typedef long ask(mtlcap__id, mtlcap__sel, long);

static ask *original;
static long supported_up_to;

static long lume_supports_family(mtlcap__id self, mtlcap__sel selector, long family) {
    const long stock = original(self, selector, family);
    return (unsigned char)stock || (family >= 1001 && family <= supported_up_to);
}

void lume_hook(mtlcap__class cls, mtlcap__sel selector, long family_max) {
    mtlcap__method method = mtlcap__rt_method(cls, selector);
    original = (ask *)mtlcap__rt_method_imp(method);
    supported_up_to = family_max;
    if (!mtlcap__rt_add_method(cls, selector, (mtlcap__imp)lume_supports_family,
                               mtlcap__rt_method_types(method)))
        fail("the class has the method already");
}

long empty_function(mtlcap__id self, mtlcap__sel selector, long argument) {
    (void)self;
    (void)selector;
    return argument;
}
