/* Facts of the machine from the answers of sysctlbyname, which this file gives itself. */
#include "host/host.h"

#include "unit.h"

/* ---- the platform's part ---- */

static struct {
    const char *chip, *model, *version, *kernel; /* NULL: no such fact */
    int hypervisor, arm64, translated;           /* -1: no such fact */
    uint64_t memory;
    int sdk;
} facts;

static int give(const void *fact, size_t length, void *value, size_t *size) {
    if (fact == NULL || *size < length)
        return -1;
    memcpy(value, fact, length);
    *size = length;
    return 0;
}

static int give_text(const char *fact, void *value, size_t *size) {
    return give(fact, fact != NULL ? strlen(fact) + 1 : 0, value, size);
}

static int give_int(int fact, void *value, size_t *size) {
    return give(fact >= 0 ? &fact : NULL, sizeof fact, value, size);
}

int mtlcap__host_sysctl(const char *name, void *value, size_t *size) {
    if (strcmp(name, "machdep.cpu.brand_string") == 0)
        return give_text(facts.chip, value, size);
    if (strcmp(name, "hw.model") == 0)
        return give_text(facts.model, value, size);
    if (strcmp(name, "kern.osproductversion") == 0)
        return give_text(facts.version, value, size);
    if (strcmp(name, "kern.osrelease") == 0)
        return give_text(facts.kernel, value, size);
    if (strcmp(name, "kern.hv_vmm_present") == 0)
        return give_int(facts.hypervisor, value, size);
    if (strcmp(name, "hw.optional.arm64") == 0)
        return give_int(facts.arm64, value, size);
    if (strcmp(name, "sysctl.proc_translated") == 0)
        return give_int(facts.translated, value, size);
    if (strcmp(name, "hw.memsize") == 0)
        return give(facts.memory > 0 ? &facts.memory : NULL, sizeof facts.memory, value, size);
    fail_msg("asks for %s", name);
    return -1;
}

int mtlcap__host_program_sdk(void) {
    return facts.sdk;
}

bool mtlcap__host_simulated(void) {
    return false;
}

bool mtlcap__host_has_image(const char *prefix) {
    (void)prefix;
    return false;
}

static int know_nothing(void **state) {
    (void)state;
    memset(&facts, 0, sizeof facts);
    facts.hypervisor = facts.arm64 = facts.translated = -1;
    return 0;
}

static struct mtlcap__host read_host(void) {
    struct mtlcap__host host;

    memset(&host, 0xA5, sizeof host);
    mtlcap__host_read(&host);
    return host;
}

/* ---- tests ---- */

static void chips(void **state) {
    static const struct {
        const char *brand;
        int family;
    } cases[] = {
        {"Apple M1", 7},
        {"Apple M1 (Virtual)", 7},
        {"Apple M1 Pro (Virtual)", 7},
        {"Apple M1 Ultra (Virtual)", 7},
        {"Apple M2 Max", 8},
        {"Apple M3", 9},
        {"Apple M4 Pro", 9},
        {"Apple M5", 10},
        {"Apple M5 (Virtual)", 10},
        {"Apple A14", 7},
        {"Apple A14 Bionic", 7},
        {"Apple A15", 8},
        {"Apple A16", 8},
        {"Apple A17 Pro", 9},
        {"Apple A18 Pro", 9},
        {"Apple A19", 10},
        /* newer than the table */
        {"Apple M6", 10},
        {"Apple M6 Ultra (Virtual)", 10},
        {"Apple M17", 10},
        {"Apple A20 Pro", 10},
        /* not the name of a chip that the table could know */
        {"", 0},
        {"Apple", 0},
        {"Apple ", 0},
        {"Apple processor", 0},
        {"Apple Silicon", 0},
        {"Apple M", 0},
        {"Apple M0", 0},
        {"Apple Mx", 0},
        {"Apple M1X", 0},
        {"Apple M12345", 0},
        {"Apple M99999999999999999999", 0},
        {"Apple A12Z Bionic", 0},
        {"Apple A13", 0},
        {"Apple B1", 0},
        {"apple m1", 0},
        {"VirtualApple @ 2.50GHz processor", 0},
        {"Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz", 0},
        {"AMD Ryzen 9 7950X", 0},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++)
        if (mtlcap__host_chip_family(cases[i].brand) != cases[i].family)
            fail_msg("\"%s\": %d", cases[i].brand, mtlcap__host_chip_family(cases[i].brand));
}

static void a_guest_of_an_m1(void **state) {
    (void)state;
    facts.chip = "Apple M1 Ultra (Virtual)";
    facts.model = "VirtualMac2,1";
    facts.version = "26.5.2";
    facts.hypervisor = 1;
    facts.arm64 = 1;
    facts.translated = 0;
    facts.memory = UINT64_C(16) << 30;
    facts.sdk = 15;
    struct mtlcap__host host = read_host();
    assert_string_equal(host.chip, "Apple M1 Ultra (Virtual)");
    assert_string_equal(host.model, "VirtualMac2,1");
    assert_string_equal(host.os_version, "26.5.2");
    assert_int_equal(host.os_major, 26);
    assert_int_equal(host.os_minor, 5);
    assert_int_equal(host.memory, UINT64_C(16) << 30);
    assert_int_equal(host.virtual_machine, 1);
    assert_int_equal(host.apple_silicon, 1);
    assert_int_equal(host.chip_family, 7);
    assert_int_equal(host.program_sdk, 15);
    assert_false(host.simulated);
    assert_int_equal(mtlcap__host_gpu_family(&host), 7);
}

static void under_rosetta(void **state) {
    (void)state;
    facts.chip = "VirtualApple @ 2.50GHz processor";
    facts.hypervisor = 0;
    facts.translated = 1;
    struct mtlcap__host host = read_host();
    assert_int_equal(host.apple_silicon, 1);
    assert_int_equal(host.chip_family, 0);
    assert_int_equal(host.virtual_machine, 0); /* the name does not make it one */
    assert_int_equal(mtlcap__host_gpu_family(&host), 7);
    facts.chip = NULL;
    assert_int_equal(read_host().apple_silicon, 1);
}

static void unreadable_apple_silicon(void **state) {
    (void)state;
    facts.chip = "Apple processor";
    struct mtlcap__host host = read_host();
    assert_int_equal(host.apple_silicon, 1);
    assert_int_equal(mtlcap__host_gpu_family(&host), 7);
    know_nothing(NULL);
    facts.arm64 = 1;
    host = read_host();
    assert_int_equal(host.apple_silicon, 1);
    assert_int_equal(mtlcap__host_gpu_family(&host), 7);
}

static void intel(void **state) {
    (void)state;
    facts.chip = "Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz";
    facts.model = "MacBookPro16,1";
    facts.hypervisor = 0;
    struct mtlcap__host host = read_host();
    assert_int_equal(host.apple_silicon, 0);
    assert_int_equal(host.virtual_machine, 0);
    assert_int_equal(mtlcap__host_gpu_family(&host), 0);
}

static void a_newer_chip(void **state) {
    (void)state;
    facts.chip = "Apple M7 (Virtual)";
    struct mtlcap__host host = read_host();
    assert_int_equal(mtlcap__host_gpu_family(&host), 10);
}

static void nothing_known(void **state) {
    (void)state;
    struct mtlcap__host host = read_host();
    assert_string_equal(host.chip, "");
    assert_string_equal(host.model, "");
    assert_string_equal(host.os_version, "");
    assert_int_equal(host.os_major, 0);
    assert_int_equal(host.os_minor, 0);
    assert_int_equal(host.memory, 0);
    assert_int_equal(host.virtual_machine, -1);
    assert_int_equal(host.apple_silicon, -1);
    assert_int_equal(host.chip_family, 0);
    assert_int_equal(host.program_sdk, 0);
    assert_int_equal(mtlcap__host_gpu_family(&host), 0);
}

/* Any source that says so is enough; only the kernel can say no. */
static void virtual_machines(void **state) {
    static const struct {
        int hypervisor;
        const char *model, *chip;
        int virtual_machine;
    } cases[] = {
        {1, NULL, NULL, 1},
        {0, NULL, NULL, 0},
        {-1, NULL, NULL, -1},
        {-1, "VirtualMac2,1", NULL, 1},
        {-1, "VMM-x86_64", NULL, 1},
        {-1, NULL, "Apple M1 (Virtual)", 1},
        {0, "VirtualMac2,1", NULL, 1},
        {0, "VMM-x86_64", NULL, 1},
        {0, NULL, "Apple M2 Pro (Virtual)", 1},
        {1, "Mac14,3", "Apple M2", 1},
        {0, "Mac14,3", "Apple M2", 0},
        {-1, "Mac14,3", "Apple M2", -1},
        {-1, "VMware7,1", NULL, -1},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        know_nothing(NULL);
        facts.hypervisor = cases[i].hypervisor;
        facts.model = cases[i].model;
        facts.chip = cases[i].chip;
        if (read_host().virtual_machine != cases[i].virtual_machine)
            fail_msg("row %zu: %d", i, read_host().virtual_machine);
    }
}

static void versions(void **state) {
    static const struct {
        const char *version, *kernel;
        int major, minor;
        const char *shown;
    } cases[] = {
        {"14.8.7", "23.6.0", 14, 8, "14.8.7"},
        {"15", NULL, 15, 0, "15"},
        {"26.0", "25.0.0", 26, 0, "26.0"},
        {"10.15.7", "19.6.0", 10, 15, "10.15.7"},
        {"x", NULL, 0, 0, "x"},
        {"14.x", NULL, 14, 0, "14.x"},
        {"123456.1", NULL, 0, 0, "123456.1"},
        /* what old programs are told */
        {"10.16", "20.6.0", 11, 0, "11"},
        {"10.16", "23.6.0", 14, 0, "14"},
        {"10.16", "24.1.0", 15, 0, "15"},
        {"10.16", "25.5.0", 26, 0, "26"},
        {"10.16", "26.0.0", 27, 0, "27"},
        {"16.0", "25.0.0", 26, 0, "26"},
        {"16.5", "25.5.0", 26, 0, "26"},
        {"16.0", NULL, 16, 0, "16.0"},
        {"10.16", NULL, 10, 16, "10.16"},
        {"10.16", "19.0.0", 10, 16, "10.16"},
        {"10.16", "x", 10, 16, "10.16"},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        facts.version = cases[i].version;
        facts.kernel = cases[i].kernel;
        struct mtlcap__host host = read_host();
        assert_int_equal(host.os_major, cases[i].major);
        assert_int_equal(host.os_minor, cases[i].minor);
        assert_string_equal(host.os_version, cases[i].shown);
    }
}

static void texts_that_do_not_fit_are_unknown(void **state) {
    static char longer[200];

    (void)state;
    memset(longer, 'x', sizeof longer - 1);
    facts.chip = facts.model = facts.version = longer;
    struct mtlcap__host host = read_host();
    assert_string_equal(host.chip, "");
    assert_string_equal(host.model, "");
    assert_string_equal(host.os_version, "");
}

#define TEST(function) cmocka_unit_test_setup(function, know_nothing)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(chips),         TEST(a_guest_of_an_m1),
        TEST(under_rosetta), TEST(unreadable_apple_silicon),
        TEST(intel),         TEST(a_newer_chip),
        TEST(nothing_known), TEST(virtual_machines),
        TEST(versions),      TEST(texts_that_do_not_fit_are_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
