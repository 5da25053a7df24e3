/* Metal's class hierarchy, and which class owns which method. */
#import "simmetal_test.h"

static void check_chain(const char *const *names) {
    for (; names[1]; names++) {
        Class class = objc_getClass(names[0]);
        assert_non_null(class);
        assert_string_equal(class_getName(class_getSuperclass(class)), names[1]);
    }
}

static void hierarchy(void **state) {
    static const char *const chains[][6] = {
        {"AppleParavirtDevice", "IOGPUMetalDevice", "_MTLDevice", "NSObject"},
        {"AGXG13XDevice", "AGXG13FamilyDevice", "IOGPUMetalDevice", "_MTLDevice", "NSObject"},
        {"AGXG13GDevice", "AGXG13FamilyDevice", "IOGPUMetalDevice"},
        {"AGXG14GDevice", "AGXG14FamilyDevice", "IOGPUMetalDevice"},
        {"AGXG14XDevice", "AGXG14FamilyDevice", "IOGPUMetalDevice"},
        {"AGXG15GDevice", "AGXG15FamilyDevice", "IOGPUMetalDevice"},
        {"AGXG15XDevice", "AGXG15FamilyDevice", "IOGPUMetalDevice"},
        {"AGXG16GDevice", "AGXG16FamilyDevice", "IOGPUMetalDevice"},
        {"AGXG16XDevice", "AGXG16FamilyDevice", "IOGPUMetalDevice"},
        {"AGXG17GDevice", "AGXG17FamilyDevice", "IOGPUMetalDevice"},
        {"AGXG17XDevice", "AGXG17FamilyDevice", "IOGPUMetalDevice"},
        {"MTLIGAccelDevice", "MTLIOAccelDevice", "_MTLDevice"},
        {"GFX10_MtlDevice", "MTLIOAccelDevice", "_MTLDevice"},
        {"OtherVendorDevice", "IOGPUMetalDevice"},
        {"MTLDebugDevice", "MTLToolsDevice", "MTLToolsObject", "NSObject"},
        {"CaptureMTLDevice", "MTLToolsObject", "NSObject"},
    };
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++)
        check_chain(chains[i]);
}

static void owners(void **state) {
    static const struct {
        const char *machine, *selector, *owner;
    } rows[] = {
        {"paravirt", "supportsFamily:", "_MTLDevice"},
        {"paravirt", "initGPUFamilySupport", "_MTLDevice"},
        {"paravirt", "maxThreadgroupMemoryLength", "AppleParavirtDevice"},
        {"paravirt", "recommendedMaxWorkingSetSize", "IOGPUMetalDevice"},
        {"paravirt", "argumentBuffersSupport", "_MTLDevice"},
        {"m1-ultra", "supportsFamily:", "_MTLDevice"},
        {"m1-ultra", "maxThreadgroupMemoryLength", "AGXG13FamilyDevice"},
        {"m5-max", "maxThreadgroupMemoryLength", "AGXG17FamilyDevice"},
        {"m5-max", "recommendedMaxWorkingSetSize", "IOGPUMetalDevice"},
        {"intel-amd", "recommendedMaxWorkingSetSize", "MTLIOAccelDevice"},
        {"intel-amd", "maxThreadgroupMemoryLength", "MTLIOAccelDevice"},
        {"override-in-leaf", "supportsFamily:", "FamilyOverridingDevice"},
        {"override-in-init", "initGPUFamilySupport", "InitOverridingDevice"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *device = simmetal_create_device(rows[i].machine);
        assert_string_equal(simmetal_method_owner(device, rows[i].selector), rows[i].owner);
        simmetal_release(device);
    }
}

/* Every method that MTLDevice requires is answered by the devices of every machine. */
static void every_selector(void **state) {
    for (const char *const *name = simmetal_machine_names(); *name; name++) {
        if (strcmp(*name, "none") == 0)
            continue;
        id device = simmetal_create_device(*name);
        unsigned count;
        struct objc_method_description *methods =
            protocol_copyMethodDescriptionList(objc_getProtocol("MTLDevice"), YES, YES, &count);
        assert_true(count > 40);
        for (unsigned i = 0; i < count; i++)
            if (![device respondsToSelector:methods[i].name])
                fail_msg("%s does not answer %s", *name, sel_getName(methods[i].name));
        free(methods);
        [device release];
    }
}

/* Answers of Metal's MTLDevice that the shipped header does not declare. */
static void undeclared_selectors(void **state) {
    static const char *const selectors[] = {
        "accelerationStructureSizesWithDescriptor:",
        "convertSparsePixelRegions:toTileRegions:withTileSize:alignmentMode:numRegions:",
        "convertSparseTileRegions:toPixelRegions:withTileSize:numRegions:",
        "getDefaultSamplePositions:count:",
        "heapAccelerationStructureSizeAndAlignWithDescriptor:",
        "heapAccelerationStructureSizeAndAlignWithSize:",
        "queryTimestampFrequency",
        "sizeOfCounterHeapEntry:",
        "sparseTileSizeWithTextureType:pixelFormat:sampleCount:",
        "sparseTileSizeWithTextureType:pixelFormat:sampleCount:sparsePageSize:",
        "tensorSizeAndAlignWithDescriptor:",
    };
    id device = simmetal_create_device("paravirt");
    for (size_t i = 0; i < sizeof selectors / sizeof selectors[0]; i++)
        if (![device respondsToSelector:sel_registerName(selectors[i])])
            fail_msg("no answer to %s", selectors[i]);
    [device release];
}

static void conformance(void **state) {
    id device = simmetal_create_device("paravirt");
    assert_true([device conformsToProtocol:objc_getProtocol("MTLDevice")]);
    id wrapper = simmetal_wrap_device(device, "CaptureMTLDevice");
    assert_true([wrapper conformsToProtocol:objc_getProtocol("MTLDevice")]);
    assert_false([wrapper isKindOfClass:objc_getClass("_MTLDevice")]);
    [wrapper release];
    [device release];
}

/* A class that a program makes at run time below a device class. */
static void own_class(void **state) {
    Class class = objc_allocateClassPair(objc_getClass("AppleParavirtDevice"), "OwnDevice", 0);
    objc_registerClassPair(class);
    void *device = simmetal_create_device_of("paravirt", 0, "OwnDevice");
    assert_string_equal(object_getClassName(device), "OwnDevice");
    assert_int_equal(supports(device, 1005), 1);
    simmetal_release(device);
    assert_null(simmetal_create_device_of("paravirt", 0, "NSString"));
    assert_null(simmetal_create_device_of("paravirt", 1, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hierarchy),      cmocka_unit_test(owners),
        cmocka_unit_test(every_selector), cmocka_unit_test(undeclared_selectors),
        cmocka_unit_test(conformance),    cmocka_unit_test(own_class),
    };
    @autoreleasepool {
        return cmocka_run_group_tests(tests, NULL, NULL);
    }
}
