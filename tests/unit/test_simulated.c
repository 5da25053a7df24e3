/*
 * Off a Mac, facts come from the simulated Metal, if it is in the process. Here a stand-in comes
 * into it in three ways; the program's arguments say which: "none", "linked", or the path of a
 * library to load as Python loads libraries, out of sight of the others.
 */
#include "host/host.h"

#include <dlfcn.h>

#include "unit.h"

static const char *how;

static void knows_what_it_is_told(void **state) {
    struct mtlcap__host host;

    (void)state;
    mtlcap__host_read(&host);
    assert_int_equal(host.simulated, strcmp(how, "none") != 0);
    assert_string_equal(host.chip, "");
    if (strcmp(how, "none") == 0) {
        assert_string_equal(host.model, "");
        assert_int_equal(host.virtual_machine, -1);
        assert_int_equal(host.program_sdk, 0);
    } else {
        assert_string_equal(host.model, "VirtualMac2,1");
        assert_int_equal(host.virtual_machine, 1);
        assert_int_equal(host.program_sdk, 13);
    }
}

static void sees_the_images_of_the_process(void **state) {
    (void)state;
    assert_true(mtlcap__host_has_image("libcmocka"));
    assert_true(mtlcap__host_has_image("libcmocka.so"));
    assert_false(mtlcap__host_has_image("cmocka")); /* from the start of the name */
    assert_false(mtlcap__host_has_image("usr"));    /* not of the path */
    assert_false(mtlcap__host_has_image("libtorch"));
    assert_int_equal(mtlcap__host_has_image("libsimmetal"), strchr(how, '/') != NULL);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_what_it_is_told),
        cmocka_unit_test(sees_the_images_of_the_process),
    };

    how = argc == 2 ? argv[1] : "";
    if (strchr(how, '/') != NULL && dlopen(how, RTLD_NOW | RTLD_LOCAL) == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
