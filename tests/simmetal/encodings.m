/* Type encodings: Apple's of either architecture, or the compiler's own. */
#import "simmetal_test.h"

static const char *types(const char *class_name, const char *selector) {
    Method method = class_getInstanceMethod(objc_getClass(class_name), sel_registerName(selector));
    assert_non_null(method);
    return method_getTypeEncoding(method);
}

static void check(const char *class_name, char boolean) {
    char expected[32];
    snprintf(expected, sizeof expected, "%c24@0:8q16", boolean);
    assert_string_equal(types(class_name, "supportsFamily:"), expected);
    snprintf(expected, sizeof expected, "%c24@0:8Q16", boolean);
    assert_string_equal(types(class_name, "supportsFeatureSet:"), expected);
    snprintf(expected, sizeof expected, "%c16@0:8", boolean);
    assert_string_equal(types(class_name, "supportsRaytracing"), expected);
    snprintf(expected, sizeof expected, "v20@0:8%c16", boolean);
    assert_string_equal(types(class_name, "setShouldMaximizeConcurrentCompilation:"), expected);
    assert_string_equal(types(class_name, "maxThreadgroupMemoryLength"), "Q16@0:8");
    assert_string_equal(types(class_name, "recommendedMaxWorkingSetSize"), "Q16@0:8");
    assert_string_equal(types(class_name, "peerCount"), "I16@0:8");
    assert_string_equal(types(class_name, "maxThreadsPerThreadgroup"), "{?=QQQ}16@0:8");
    assert_string_equal(types(class_name, "name"), "@16@0:8");
}

static void check_all(char boolean) {
    check("AppleParavirtDevice", boolean);
    check("AGXG13XDevice", boolean);
    check("MTLDebugDevice", boolean);
    check("CaptureMTLDevice", boolean);
    assert_int_equal(types("FamilyOverridingDevice", "supportsFamily:")[0], boolean);
    assert_string_equal(types("_MTLDevice", "initGPUFamilySupport"), "v16@0:8");
}

/* A machine file beside this program that only chooses the encodings. */
static void *device_with(const char *encodings) {
    char path[] = "/tmp/simmetal-encodings-XXXXXX.ini";
    int descriptor = mkstemps(path, 4);
    assert_true(descriptor >= 0);
    dprintf(descriptor, "[machine]\nlike = paravirt\nencodings = %s\n", encodings);
    close(descriptor);
    void *device = simmetal_create_device(path);
    unlink(path);
    assert_non_null(device);
    return device;
}

static void each_in_turn(void **state) {
    static const struct {
        const char *name;
        char boolean;
    } rows[] = {{"arm64", 'B'}, {"x86_64", 'c'}, {"compiler", 'C'}, {"arm64", 'B'}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        id device = device_with(rows[i].name);
        check_all(rows[i].boolean);
        /* Whatever it says of itself, it is reached. */
        assert_true([device supportsFamily:MTLGPUFamilyApple5]);
        [device release];
    }
}

/* Encodings are read when a message is forwarded. */
static void forwarding_under_each(void **state) {
    static const char *const names[] = {"arm64", "x86_64", "compiler"};
    for (size_t i = 0; i < 3; i++) {
        id device = device_with(names[i]);
        id wrapper = simmetal_wrap_device(device, "CaptureMTLDevice");
        NSMethodSignature *signature =
            [wrapper methodSignatureForSelector:@selector(hasUnifiedMemory)];
        assert_int_equal([signature methodReturnLength], 1);
        assert_true([wrapper hasUnifiedMemory]);
        [wrapper release];
        [device release];
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_in_turn),
        cmocka_unit_test(forwarding_under_each),
    };
    @autoreleasepool {
        return cmocka_run_group_tests(tests, NULL, NULL);
    }
}
