/* Off a Mac, facts come from the simulated Metal: here, from a stand-in for its one function. */
#include "host/host.h"

#include "unit.h"

static bool present;

/* Found by name, as in a program that is linked to the simulated Metal. */
__attribute__((visibility("default"))) int simmetal_sysctlbyname(const char *name, void *value,
                                                                 size_t *size, void *new_value,
                                                                 size_t new_size);

int simmetal_sysctlbyname(const char *name, void *value, size_t *size, void *new_value,
                          size_t new_size) {
    const char *fact = strcmp(name, "hw.model") == 0               ? "VirtualMac2,1"
                       : strcmp(name, "simmetal.program_sdk") == 0 ? "13.3"
                                                                   : NULL;

    assert_null(new_value);
    assert_int_equal(new_size, 0);
    if (!present || fact == NULL || *size < strlen(fact) + 1)
        return -1;
    *size = strlen(fact) + 1;
    memcpy(value, fact, *size);
    return 0;
}

static void asks_the_simulated_metal(void **state) {
    struct mtlcap__host host;

    (void)state;
    present = true;
    mtlcap__host_read(&host);
    assert_string_equal(host.model, "VirtualMac2,1");
    assert_int_equal(host.virtual_machine, 1);
    assert_int_equal(host.program_sdk, 13);
    assert_string_equal(host.chip, "");
    assert_true(host.simulated);
}

static void knows_nothing_without_facts(void **state) {
    struct mtlcap__host host;

    (void)state;
    present = false;
    mtlcap__host_read(&host);
    assert_string_equal(host.model, "");
    assert_int_equal(host.program_sdk, 0);
    assert_int_equal(host.virtual_machine, -1);
}

static void sees_the_images_of_the_process(void **state) {
    (void)state;
    assert_true(mtlcap__host_has_image("libcmocka"));
    assert_true(mtlcap__host_has_image("libcmocka.so"));
    assert_false(mtlcap__host_has_image("cmocka")); /* from the start of the name */
    assert_false(mtlcap__host_has_image("usr"));    /* not of the path */
    assert_false(mtlcap__host_has_image("libtorch"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asks_the_simulated_metal),
        cmocka_unit_test(knows_nothing_without_facts),
        cmocka_unit_test(sees_the_images_of_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
