/* What devices answer, and from where. */
#import "simmetal_test.h"

static void families(void **state) {
    static const struct {
        const char *machine;
        int apple, mac, common, metal; /* the highest of each; 0: none */
    } rows[] = {
        {"paravirt", 5, 2, 3, 0},
        {"paravirt-m5", 5, 2, 3, 0},
        {"paravirt-common3-only", 0, 0, 3, 0},
        {"m1", 7, 2, 3, 2},
        {"m1-ultra", 7, 2, 3, 2},
        {"m2", 8, 2, 3, 2},
        {"m3-pro", 9, 2, 3, 2},
        {"m4-max", 9, 2, 3, 2},
        {"m5-max", 10, 2, 3, 2},
        {"intel-amd", 0, 2, 3, 1},
        {"override-in-leaf", 5, 2, 3, 0},
        {"override-in-init", 5, 2, 3, 0},
        {"github-runner", 5, 2, 3, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *device = simmetal_create_device(rows[i].machine);
        for (int family = 1; family <= 21; family++) {
            assert_int_equal(supports(device, 1000 + family), family <= rows[i].apple);
            assert_int_equal(supports(device, 2000 + family), family <= rows[i].mac);
            assert_int_equal(supports(device, 3000 + family), family <= rows[i].common);
            assert_int_equal(supports(device, 5000 + family), family <= rows[i].metal);
        }
        assert_int_equal(supports(device, 0), 0);
        assert_int_equal(supports(device, -1), 0);
        assert_int_equal(supports(device, 1000), 0);
        simmetal_release(device);
    }
}

static void sizes(void **state) {
    static const struct {
        const char *machine;
        uint64_t working_set, max_buffer, threadgroup;
    } rows[] = {
        {"paravirt", 11453251584, 8589934592, 32768},
        {"github-runner", 5010800640, 3758096384, 32768},
        {"m3-pro", 28991029248, 19327352832, 32768},
        {"m1-ultra", 115448725504, 68719476736, 32768},
        {"m4-max", 51539607552, 34359738368, 32768},
        {"paravirt-common3-only", 5010800640, 3758096384, 32768},
        {"paravirt-raised", 11453251584, 8589934592, 65536},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *device = simmetal_create_device(rows[i].machine);
        assert_int_equal(ask(device, "recommendedMaxWorkingSetSize"), rows[i].working_set);
        assert_int_equal(ask(device, "maxBufferLength"), rows[i].max_buffer);
        assert_int_equal(ask(device, "maxThreadgroupMemoryLength"), rows[i].threadgroup);
        simmetal_release(device);
    }
}

static void text_and_structs(void **state) {
    id<MTLDevice> device = simmetal_create_device("m1-ultra");
    id<MTLCounterSet> set = [[device counterSets] objectAtIndex:0];
    assert_string_equal([[set name] UTF8String], "timestamp");
    assert_string_equal([[[[set counters] objectAtIndex:0] name] UTF8String], "GPUTimestamp");
    assert_string_equal(name_of(device), "Apple M1 Ultra");
    assert_string_equal([[[device architecture] name] UTF8String], "applegpu_g13d");
    MTLSize threads = [device maxThreadsPerThreadgroup];
    assert_int_equal(threads.width, 1024);
    assert_int_equal(threads.height, 1024);
    assert_int_equal(threads.depth, 1024);
    MTLSizeAndAlign size = [device heapBufferSizeAndAlignWithLength:1000 options:0];
    assert_int_equal(size.size, 1024);
    assert_int_equal(size.align, 256);
    assert_int_equal([device sparseTileSizeInBytesForSparsePageSize:MTLSparsePageSize64], 65536);
    [device release];

    device = simmetal_create_device("paravirt-x86");
    assert_null([device architecture]);
    [device release];
}

@protocol SparseTiles
- (MTLSize)sparseTileSizeWithTextureType:(NSUInteger)type
                             pixelFormat:(NSUInteger)format
                             sampleCount:(NSUInteger)samples
                          sparsePageSize:(NSInteger)page;
- (void)convertSparsePixelRegions:(const MTLRegion *)pixels
                    toTileRegions:(MTLRegion *)tiles
                     withTileSize:(MTLSize)tile
                    alignmentMode:(NSUInteger)mode
                       numRegions:(NSUInteger)count;
- (void)convertSparseTileRegions:(const MTLRegion *)tiles
                  toPixelRegions:(MTLRegion *)pixels
                    withTileSize:(MTLSize)tile
                      numRegions:(NSUInteger)count;
@end

static void sparse_tiles(void **state) {
    id<SparseTiles> device = simmetal_create_device("m1");
    MTLSize tile = [device sparseTileSizeWithTextureType:2
                                             pixelFormat:MTLPixelFormatRGBA8Unorm
                                             sampleCount:1
                                          sparsePageSize:MTLSparsePageSize16];
    assert_int_equal(tile.width * tile.height * 4, 16384);
    MTLRegion pixels = MTLRegionMake2D(32, 70, 200, 64), tiles, back;
    MTLSize square = MTLSizeMake(64, 64, 1);
    [device convertSparsePixelRegions:&pixels
                        toTileRegions:&tiles
                         withTileSize:square
                        alignmentMode:0
                           numRegions:1];
    assert_int_equal(tiles.origin.x, 0);
    assert_int_equal(tiles.size.width, 4); /* 32..232: tiles 0 to 3 */
    assert_int_equal(tiles.origin.y, 1);
    assert_int_equal(tiles.size.height, 2); /* 70..134: tiles 1 and 2 */
    [device convertSparseTileRegions:&tiles toPixelRegions:&back withTileSize:square numRegions:1];
    assert_int_equal(back.origin.y, 64);
    assert_int_equal(back.size.width, 256);
    [device convertSparsePixelRegions:&pixels
                        toTileRegions:&tiles
                         withTileSize:square
                        alignmentMode:1
                           numRegions:1];
    assert_int_equal(tiles.origin.x, 1);
    assert_int_equal(tiles.size.width, 2); /* whole tiles within 32..232: 1 and 2 */
    assert_int_equal(tiles.size.height, 0);
    simmetal_release(device);

    device = simmetal_create_device("paravirt");
    tile = [device sparseTileSizeWithTextureType:2
                                     pixelFormat:MTLPixelFormatRGBA8Unorm
                                     sampleCount:1
                                  sparsePageSize:MTLSparsePageSize16];
    assert_int_equal(tile.width, 0);
    simmetal_release(device);
}

static void questions_with_an_argument(void **state) {
    void *device = simmetal_create_device("paravirt");
    for (int64_t count = 0; count <= 16; count++) {
        bool yes = count == 1 || count == 2 || count == 4;
        assert_int_equal(ask_with(device, "supportsTextureSampleCount:", count), yes);
        assert_int_equal(ask_with(device, "supportsVertexAmplificationCount:", count),
                         count == 1 || count == 2);
        assert_int_equal(ask_with(device, "supportsCounterSampling:", count), count == 0);
    }
    assert_int_equal(ask_with(device, "supportsFeatureSet:", 10000), 1);
    assert_int_equal(ask_with(device, "supportsFeatureSet:", 10005), 1);
    assert_int_equal(ask_with(device, "supportsFeatureSet:", 16), 0);
    simmetal_release(device);
}

/* Callers through a foreign-function interface read 32 bits of a BOOL. */
static void bool_fills_the_register(void **state) {
    unsigned asked = 0;
    for (const char *const *name = simmetal_machine_names(); *name; name++) {
        if (strcmp(*name, "none") == 0)
            continue;
        void *device = simmetal_create_device(*name);
        for (Class c = object_getClass(device); c != [NSObject class]; c = class_getSuperclass(c)) {
            unsigned count;
            Method *methods = class_copyMethodList(c, &count);
            for (unsigned i = 0; i < count; i++) {
                const char *types = method_getTypeEncoding(methods[i]);
                if (types[0] != 'B' && types[0] != 'c')
                    continue;
                SEL selector = method_getName(methods[i]);
                const char *text = sel_getName(selector);
                uint64_t answer =
                    strchr(text, ':') ? ask_with(device, text, 1005) : ask(device, text);
                assert_true(answer <= 1);
                asked++;
            }
            free(methods);
        }
        simmetal_release(device);
    }
    assert_true(asked > 1000);
}

/* The answers that Metal derives from a family. */
static const struct derived {
    const char *selector;
    int64_t family;
    uint64_t yes, no;
} derived[] = {
    {"readWriteTextureSupport", 1004, 2, 0},
    {"supportsRaytracing", 1006, 1, 0},
    {"supportsRaytracingFromRender", 1006, 1, 0},
    {"supportsPrimitiveMotionBlur", 1006, 1, 0},
    {"supportsFunctionPointers", 1006, 1, 0},
    {"supportsFunctionPointersFromRender", 1006, 1, 0},
    {"supportsDynamicLibraries", 1006, 1, 0},
    {"supportsRenderDynamicLibraries", 1006, 1, 0},
    {"supportsPlacementSparse", 1006, 1, 0},
    {"sparseTileSizeInBytes", 1006, 16384, 0},
    {"supportsSIMDGroupMatrix", 1007, 1, 0},
    {"supportsLossyCompression", 1008, 1, 0},
    {"supportsMeshShadersInICB", 1009, 1, 0},
    {"requiresBFloat16Emulation", 1009, 0, 1},
};
#define DERIVED (sizeof derived / sizeof derived[0])

static void check_derived(void *device, int64_t family) {
    for (size_t i = 0; i < DERIVED; i++)
        assert_int_equal(ask(device, derived[i].selector),
                         family >= derived[i].family ? derived[i].yes : derived[i].no);
}

static void derived_stock(void **state) {
    static const struct {
        const char *machine;
        int64_t family;
    } rows[] = {{"paravirt", 1005}, {"m1", 1007}, {"m2", 1008}, {"m3-pro", 1009}, {"m5", 1010}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *device = simmetal_create_device(rows[i].machine);
        check_derived(device, rows[i].family);
        simmetal_release(device);
    }
}

static int64_t claimed;

static uint64_t claim(id self, SEL _cmd, int64_t family) {
    return family >= 1001 && family <= claimed;
}

/* Live: an override shows at once, and goes at once. Cached: it never shows. */
static void derived_under_an_override(void **state) {
    void *live = simmetal_create_device("paravirt");
    void *cached = simmetal_create_device("paravirt-cached");
    IMP old = override("AppleParavirtDevice", "supportsFamily:", (IMP)claim);
    for (claimed = 1001; claimed <= 1010; claimed++) {
        check_derived(live, claimed);
        check_derived(cached, 1005);
    }
    override("AppleParavirtDevice", "supportsFamily:", old);
    check_derived(live, 1005);
    simmetal_release(live);
    simmetal_release(cached);
}

/* A driver's own answer does not follow the family. */
static void driver_answers_itself(void **state) {
    void *device = simmetal_create_device_of("intel-amd", 1, NULL);
    assert_int_equal(supports(device, 1006), 0);
    assert_int_equal(ask(device, "supportsRaytracing"), 1);
    assert_int_equal(ask(device, "hasUnifiedMemory"), 0);
    simmetal_release(device);
}

static void registry_ids_differ(void **state) {
    void *one = simmetal_create_device("paravirt"), *other = simmetal_create_device("paravirt");
    assert_true(ask(one, "registryID") != ask(other, "registryID"));
    assert_int_equal(ask(one, "registryID"), ask(one, "registryID"));
    simmetal_release(one);
    simmetal_release(other);
}

static void compilation_setting(void **state) {
    id<MTLDevice> device = simmetal_create_device("paravirt");
    assert_int_equal(ask(device, "shouldMaximizeConcurrentCompilation"), 0);
    [device setShouldMaximizeConcurrentCompilation:YES];
    assert_int_equal(ask(device, "shouldMaximizeConcurrentCompilation"), 1);
    [device release];
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families),
        cmocka_unit_test(sizes),
        cmocka_unit_test(text_and_structs),
        cmocka_unit_test(sparse_tiles),
        cmocka_unit_test(questions_with_an_argument),
        cmocka_unit_test(bool_fills_the_register),
        cmocka_unit_test(derived_stock),
        cmocka_unit_test(derived_under_an_override),
        cmocka_unit_test(driver_answers_itself),
        cmocka_unit_test(registry_ids_differ),
        cmocka_unit_test(compilation_setting),
    };
    @autoreleasepool {
        return cmocka_run_group_tests(tests, NULL, NULL);
    }
}
