/* The host's facts. */
#import "simmetal_test.h"

#import <errno.h>

/* Each machine in a process of its own would be SIMMETAL_DEVICES; here it is the default one. */
static void text(void **state) {
    char value[64] = "";
    size_t length = sizeof value;
    assert_int_equal(simmetal_sysctlbyname("machdep.cpu.brand_string", value, &length, NULL, 0), 0);
    assert_string_equal(value, "Apple M1 Ultra (Virtual)");
    assert_int_equal(length, strlen(value) + 1);
    length = 0;
    assert_int_equal(simmetal_sysctlbyname("kern.osproductversion", NULL, &length, NULL, 0), 0);
    assert_int_equal(length, sizeof "26.5.2");
    length = sizeof value;
    assert_int_equal(simmetal_sysctlbyname("hw.model", value, &length, NULL, 0), 0);
    assert_string_equal(value, "VirtualMac2,1");
    length = sizeof value;
    assert_int_equal(simmetal_sysctlbyname("simmetal.program_sdk", value, &length, NULL, 0), 0);
    assert_string_equal(value, "26.0");
}

static void numbers(void **state) {
    int flag = -1;
    size_t length = sizeof flag;
    assert_int_equal(simmetal_sysctlbyname("kern.hv_vmm_present", &flag, &length, NULL, 0), 0);
    assert_int_equal(flag, 1);
    assert_int_equal(simmetal_sysctlbyname("hw.optional.arm64", &flag, &length, NULL, 0), 0);
    assert_int_equal(flag, 1);
    assert_int_equal(simmetal_sysctlbyname("sysctl.proc_translated", &flag, &length, NULL, 0), 0);
    assert_int_equal(flag, 0);
    uint64_t memory;
    length = sizeof memory;
    assert_int_equal(simmetal_sysctlbyname("hw.memsize", &memory, &length, NULL, 0), 0);
    assert_int_equal(memory, 17179869184);
}

static void too_small(void **state) {
    char value[8] = "";
    size_t length = 5;
    errno = 0;
    assert_int_equal(simmetal_sysctlbyname("hw.model", value, &length, NULL, 0), -1);
    assert_int_equal(errno, ENOMEM);
    assert_int_equal(length, 5);
    assert_memory_equal(value, "Virtu\0", 6);
}

static void refused(void **state) {
    int flag = 1;
    size_t length = sizeof flag;
    assert_int_equal(simmetal_sysctlbyname("hw.nosuch", &flag, &length, NULL, 0), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(simmetal_sysctlbyname("kern.hv_vmm_present", NULL, NULL, &flag, sizeof flag),
                     -1);
    assert_int_equal(errno, EPERM);
    assert_int_equal(simmetal_sysctlbyname(NULL, &flag, &length, NULL, 0), -1);
    assert_int_equal(errno, EFAULT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text),
        cmocka_unit_test(numbers),
        cmocka_unit_test(too_small),
        cmocka_unit_test(refused),
    };
    @autoreleasepool {
        return cmocka_run_group_tests(tests, NULL, NULL);
    }
}
