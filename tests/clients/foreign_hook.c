/* Somebody else's shim, as small as it gets: a library to preload that makes one class claim an
 * Apple family. FOREIGN_HOOK=CLASS=FAMILY. */
#include <objc/runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long claimed;
static IMP original;

static long supports_family(id self, SEL selector, long family) {
    if (family > 1000 && family <= claimed)
        return 1;
    return ((unsigned char (*)(id, SEL, long))original)(self, selector, family);
}

__attribute__((constructor)) static void install(void) {
    const char *value = getenv("FOREIGN_HOOK");
    char name[128];
    if (!value)
        return;
    if (sscanf(value, "%127[^=]=%ld", name, &claimed) != 2 || !objc_lookUpClass(name)) {
        fprintf(stderr, "foreign_hook: FOREIGN_HOOK=%s: no such class, or no family\n", value);
        exit(1);
    }
    Class class = objc_lookUpClass(name);
    SEL selector = sel_registerName("supportsFamily:");
    Method method = class_getInstanceMethod(class, selector);
    original = method_getImplementation(method);
    class_addMethod(class, selector, (IMP)supports_family, method_getTypeEncoding(method));
}
