/* What only the injected library asks of the core. */
#include "core/injected.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "copies.h"
#include "support.h"

/* ---- the first of several copies --------------------------------------------- */

static void this_copy_is_first(void **state) {
    (void)state;
    char path[1024] = "untouched";
    assert_true(mtlcap__injected_is_first(path, sizeof path));
    assert_string_equal(path, "untouched");
    const struct copy later = load_copy(FIRST_COPY);
    assert_ok(later.apply_profile("auto", NULL));
    assert_true(mtlcap__injected_is_first(path, sizeof path));
    assert_int_equal(mtlcap_is_active(), 1); /* this copy has done it */
}

static void another_copy_is_first(void **state) {
    (void)state;
    const struct copy first = load_copy(FIRST_COPY);
    assert_ok(first.apply_profile("stock", NULL));
    char path[1024] = "", cut[4];
    assert_false(mtlcap__injected_is_first(path, sizeof path));
    assert_string_equal(path, FIRST_COPY);
    assert_false(mtlcap__injected_is_first(cut, sizeof cut));
    assert_memory_equal(cut, FIRST_COPY, sizeof cut - 1);
    assert_ok(first.apply_profile("auto", NULL));
    assert_false(mtlcap__injected_covers(device_at(0))); /* not by this copy */
}

/* ---- covered classes ----------------------------------------------------------- */

static void classes_that_are_covered(void **state) {
    (void)state;
    void *device = device_at(0);
    assert_false(mtlcap__injected_covers(device));
    assert_ok(mtlcap_apply_profile("auto", NULL));
    assert_true(mtlcap__injected_covers(device));

    /* another device of the class, and the class whoever made it */
    void *another = simmetal_create_device("paravirt");
    assert_true(mtlcap__injected_covers(another));
    void *wrapper = simmetal_wrap_device(another, "MTLDebugDevice");
    assert_true(mtlcap__injected_covers(wrapper));
    set_class(another, make_subclass(class_named("AppleParavirtDevice"), "Agent"));
    assert_true(mtlcap__injected_covers(another));

    /* another class */
    void *other = device_of_class("OtherVendorDevice");
    assert_false(mtlcap__injected_covers(other));
    assert_ok(mtlcap_adopt_device(other));
    assert_true(mtlcap__injected_covers(other));

    assert_ok(mtlcap_restore());
    assert_false(mtlcap__injected_covers(device));
}

static void what_is_no_device_is_not_covered(void **state) {
    (void)state;
    assert_ok(mtlcap_apply_profile("auto", NULL));
    assert_false(mtlcap__injected_covers(NULL));
    assert_false(mtlcap__injected_covers((void *)3));
    assert_false(mtlcap__injected_covers(MTLCopyAllDevices()));
}

/* ---- a method of Metal's own ------------------------------------------------------ */

static void (*_Atomic original)(void *self, void *selector);
static void (*_Atomic unused)(void *self, void *selector);
static int calls;

static void count_and_pass(void *self, void *selector) {
    calls++;
    atomic_load (&original)(self, selector);
}

static void never(void *self, void *selector) {
    (void)self, (void)selector;
    abort();
}

static bool replace(const char *class_name, const char *selector) {
    return mtlcap__injected_replace(class_name, selector, never, &unused);
}

static void a_method_is_replaced(void **state) {
    (void)state;
    const code before = own_code(class_named("_MTLDevice"), "initGPUFamilySupport");
    assert_true(
        mtlcap__injected_replace("_MTLDevice", "initGPUFamilySupport", count_and_pass, &original));
    assert_ptr_equal((code)atomic_load(&original), before);
    assert_ptr_equal(own_code(class_named("_MTLDevice"), "initGPUFamilySupport"),
                     (code)count_and_pass);
    void *device = simmetal_create_device("paravirt");
    assert_int_equal(calls, 1);
    assert_true(supports_family(device, 1005)); /* the original was called */

    /* again: it must not come to call itself */
    assert_true(
        mtlcap__injected_replace("_MTLDevice", "initGPUFamilySupport", count_and_pass, &original));
    assert_ptr_equal((code)atomic_load(&original), before);
    simmetal_create_device("paravirt");
    assert_int_equal(calls, 2);

    /* a class that does not call super */
    assert_non_null(simmetal_create_device("override-in-init"));
    assert_int_equal(calls, 2);
}

static void what_cannot_be_replaced(void **state) {
    (void)state;
    device_at(0);
    assert_false(replace("NoSuchDevice", "initGPUFamilySupport"));
    assert_false(replace("_MTLDevice", "noSuchMethod"));
    assert_false(replace("AppleParavirtDevice", "initGPUFamilySupport")); /* inherited */
    assert_false(replace("_MTLDevice", "supportsFamily:"));               /* answers */
    assert_false(replace("_MTLDevice", "setShouldMaximizeConcurrentCompilation:"));
    assert_null(atomic_load(&unused));
    assert_non_null(simmetal_create_device("paravirt"));
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", this_copy_is_first),       ON("paravirt", another_copy_is_first),
        ON("paravirt", classes_that_are_covered), ON("paravirt", what_is_no_device_is_not_covered),
        ON("paravirt", a_method_is_replaced),     ON("paravirt", what_cannot_be_replaced),
    };
    return RUN_APART(tests);
}
