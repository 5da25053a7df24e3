/* Tool wrappers: not device classes, and they forward. */
#import "simmetal_test.h"

static void each_wrapper(void **state) {
    static const char *const names[] = {"MTLToolsDevice", "MTLDebugDevice", "CaptureMTLDevice"};
    void *device = simmetal_create_device("paravirt");
    for (size_t i = 0; i < 3; i++) {
        id wrapper = simmetal_wrap_device(device, names[i]);
        assert_string_equal(object_getClassName(wrapper), names[i]);
        assert_ptr_equal([wrapper performSelector:@selector(baseObject)], device);
        assert_ptr_equal([(id)device performSelector:@selector(_deviceWrapper)], wrapper);
        assert_int_equal(supports(wrapper, 1005), 1);
        assert_int_equal(supports(wrapper, 1006), 0);
        assert_int_equal(ask(wrapper, "recommendedMaxWorkingSetSize"), 11453251584);
        assert_int_equal([(id<MTLDevice>)wrapper maxThreadsPerThreadgroup].depth, 1024);
        assert_string_equal(name_of(wrapper), "Apple Paravirtual device");
        [wrapper release];
        assert_null([(id)device performSelector:@selector(_deviceWrapper)]);
    }
    assert_null(simmetal_wrap_device(device, "NSObject"));
    simmetal_release(device);
}

/* Nested: capture around validation around the device. */
static void nested(void **state) {
    void *device = simmetal_create_device("m1");
    id inner = simmetal_wrap_device(device, "MTLDebugDevice");
    id outer = simmetal_wrap_device(inner, "CaptureMTLDevice");
    simmetal_release(device);
    [inner release];
    assert_ptr_equal([outer performSelector:@selector(baseObject)], inner);
    assert_ptr_equal([(id)device performSelector:@selector(_deviceWrapper)], outer);
    assert_int_equal(supports(outer, 1007), 1);
    [outer release];
}

/* Selectors without a method: messages arrive all the same, and respondsToSelector: says so. */
static void lacking_methods(void **state) {
    void *device = simmetal_create_device("m1");
    id capture = simmetal_wrap_device(device, "CaptureMTLDevice");
    Class class = object_getClass(capture);
    assert_null(class_getInstanceMethod(class, @selector(hasUnifiedMemory)));
    assert_null(class_getInstanceMethod(class, @selector(supports32BitFloatFiltering)));
    assert_non_null(class_getInstanceMethod(class, @selector(supportsFamily:)));
    assert_true([capture respondsToSelector:@selector(hasUnifiedMemory)]);
    assert_true([capture hasUnifiedMemory]);
    assert_true([capture supports32BitFloatFiltering]);
    assert_false([capture respondsToSelector:@selector(noSuchSelector)]);
    MTLSizeAndAlign size = [capture heapBufferSizeAndAlignWithLength:1 options:0];
    assert_int_equal(size.align, 256);
    [capture release];
    simmetal_release(device);
}

static uint64_t no(id self, SEL _cmd, int64_t family) {
    return 0;
}

/* A hook on the device's class is seen through its wrapper; one on the wrapper's is not seen by the
 * device. */
static void hooks(void **state) {
    void *device = simmetal_create_device("paravirt");
    void *wrapper = simmetal_wrap_device(device, "MTLDebugDevice");
    IMP old = override("AppleParavirtDevice", "supportsFamily:", (IMP)no);
    assert_int_equal(supports(wrapper, 1005), 0);
    override("AppleParavirtDevice", "supportsFamily:", old);
    assert_int_equal(supports(wrapper, 1005), 1);
    old = override("MTLDebugDevice", "supportsFamily:", (IMP)no);
    assert_int_equal(supports(wrapper, 1005), 0);
    assert_int_equal(supports(device, 1005), 1);
    override("MTLDebugDevice", "supportsFamily:", old);
    simmetal_release(wrapper);
    simmetal_release(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_wrapper),
        cmocka_unit_test(nested),
        cmocka_unit_test(lacking_methods),
        cmocka_unit_test(hooks),
    };
    @autoreleasepool {
        return cmocka_run_group_tests(tests, NULL, NULL);
    }
}
