/* Whoever closes the library does not unload it: hooks point into it. */
#include <dlfcn.h>

#include "copies.h"
#include "support.h"

static void closing_leaves_the_answers(void **state) {
    (void)state;
    void *device = device_at(0);
    struct copy copy = load_copy(FIRST_COPY);
    assert_int_equal(copy.apply_profile("auto", NULL), MTLCAP_OK);
    assert_int_equal(highest_family(device, 1000), 1007);
    for (int i = 0; i < 3; i++)
        dlclose(copy.handle);
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_true(supports_family(device, 3003)); /* passing through */
    assert_non_null(dlopen(FIRST_COPY, RTLD_NOW | RTLD_NOLOAD));
}

static void opened_again_it_knows_what_it_did(void **state) {
    (void)state;
    void *device = device_at(0);
    struct copy copy = load_copy(FIRST_COPY);
    assert_int_equal(copy.apply_profile("auto", NULL), MTLCAP_OK);
    const uint64_t generation = copy.generation();
    dlclose(copy.handle);
    copy = load_copy(FIRST_COPY);
    assert_int_equal(copy.generation(), generation);
    assert_int_equal(copy.is_active(), 1);
    assert_int_equal(copy.restore_generation(generation), MTLCAP_OK);
    assert_int_equal(highest_family(device, 1000), 1005);
    dlclose(copy.handle);
    assert_int_equal(highest_family(device, 1000), 1005); /* hooks pass through, from where? */
}

static void closing_a_library_that_was_only_looked_at(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct copy copy = load_copy(FIRST_COPY);
        assert_true(copy.capability_count() > 0);
        assert_int_equal(copy.generation(), 0);
        dlclose(copy.handle);
    }
    assert_int_equal(highest_family(device_at(0), 1000), 1005);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", closing_leaves_the_answers),
        ON("paravirt", opened_again_it_knows_what_it_did),
        ON("paravirt", closing_a_library_that_was_only_looked_at),
    };
    return RUN_APART(tests);
}
