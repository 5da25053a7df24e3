/* The order in which a device is initialised, and what an override that is live too early does. */
#import "simmetal_test.h"

static char steps[256];

static void record(void *device, const char *step, void *context) {
    assert_ptr_equal(context, steps);
    assert_non_null(device);
    strcat(strcat(steps, step), ";");
}

static void order(void **state) {
    unsigned before = simmetal_devices_created();
    simmetal_observe_initialisation(record, steps);
    void *device = simmetal_create_device("paravirt");
    simmetal_observe_initialisation(NULL, NULL);
    assert_string_equal(steps, "initLimits;initFeatureQueries;initWorkarounds;;");
    assert_int_equal(simmetal_devices_created(), before + 1);
    simmetal_release(device);
}

static uint64_t cached(void *device, const char *name) {
    uint64_t value = 12345;
    assert_int_equal(simmetal_cached_answer(device, name, &value), 0);
    return value;
}

static void caches_hold_stock_answers(void **state) {
    void *device = simmetal_create_device("paravirt");
    assert_int_equal(cached(device, "limits.maxBufferLength"), 8589934592);
    assert_int_equal(cached(device, "limits.maxComputeThreadgroupMemory"), 32768);
    assert_int_equal(ask(device, "maxComputeThreadgroupMemory"), 32768);
    assert_int_equal(cached(device, "supportsRaytracing"), 0);
    assert_int_equal(cached(device, "requiresBFloat16Emulation"), 1);
    assert_int_equal(ask(device, "emulatesBFloat16"), 1);
    uint64_t value;
    assert_int_equal(simmetal_cached_answer(device, "noSuchAnswer", &value), -1);
    simmetal_release(device);
}

static uint64_t all_families(id self, SEL _cmd, int64_t family) {
    return family >= 1001 && family <= 1009;
}
static uint64_t large(id self, SEL _cmd) {
    return 65536;
}

/* An override that is live while Metal initialises a device goes into its caches, and stays there
 * when the override is gone; one that comes later does not. */
static void early_override_poisons(void **state) {
    void *before = simmetal_create_device("paravirt");
    IMP family = override("AppleParavirtDevice", "supportsFamily:", (IMP)all_families);
    IMP memory = override("AppleParavirtDevice", "maxThreadgroupMemoryLength", (IMP)large);
    void *during = simmetal_create_device("paravirt");
    override("AppleParavirtDevice", "supportsFamily:", family);
    override("AppleParavirtDevice", "maxThreadgroupMemoryLength", memory);

    assert_int_equal(cached(before, "supportsRaytracing"), 0);
    assert_int_equal(cached(during, "supportsRaytracing"), 1);
    assert_int_equal(ask(during, "emulatesBFloat16"), 0);
    assert_int_equal(ask(during, "maxComputeThreadgroupMemory"), 65536);
    assert_int_equal(ask(before, "maxComputeThreadgroupMemory"), 32768);
    /* The answers themselves are stock again. */
    assert_int_equal(supports(during, 1009), 0);
    assert_int_equal(ask(during, "supportsRaytracing"), 0);
    assert_int_equal(ask(during, "maxThreadgroupMemoryLength"), 32768);
    simmetal_release(before);
    simmetal_release(during);
}

/* The same where Metal answers from its cache: the raised answers cannot be taken back. */
static void early_override_stays_where_answers_are_cached(void **state) {
    IMP family = override("AppleParavirtDevice", "supportsFamily:", (IMP)all_families);
    void *device = simmetal_create_device("paravirt-cached");
    override("AppleParavirtDevice", "supportsFamily:", family);
    assert_int_equal(supports(device, 1009), 0);
    assert_int_equal(ask(device, "supportsRaytracing"), 1);
    simmetal_release(device);
}

static IMP original_family_support;

static void install_from_family_support(id self, SEL _cmd) {
    ((void (*)(id, SEL))original_family_support)(self, _cmd);
    override("AppleParavirtDevice", "supportsFamily:", (IMP)all_families);
}

/* Today's shims hook initGPUFamilySupport, and so are before the cache of features. It is reached
 * by message, from initFeatureQueries, and after initLimits. */
static void family_support_is_a_hook_point(void **state) {
    original_family_support =
        override("_MTLDevice", "initGPUFamilySupport", (IMP)install_from_family_support);
    IMP stock = method_getImplementation(
        class_getInstanceMethod(objc_getClass("AppleParavirtDevice"), @selector(supportsFamily:)));
    void *device = simmetal_create_device("paravirt");
    assert_int_equal(cached(device, "supportsRaytracing"), 1);
    override("AppleParavirtDevice", "supportsFamily:", stock);

    void *unreached = simmetal_create_device("override-in-init");
    assert_int_equal(cached(unreached, "supportsRaytracing"), 0);
    override("_MTLDevice", "initGPUFamilySupport", original_family_support);
    simmetal_release(device);
    simmetal_release(unreached);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order),
        cmocka_unit_test(caches_hold_stock_answers),
        cmocka_unit_test(early_override_poisons),
        cmocka_unit_test(early_override_stays_where_answers_are_cached),
        cmocka_unit_test(family_support_is_a_hook_point),
    };
    @autoreleasepool {
        return cmocka_run_group_tests(tests, NULL, NULL);
    }
}
