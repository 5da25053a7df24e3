/* Libraries, functions, pipelines and the record of dispatches. */
#import "objects_test.h"

#include <stdio.h>
#include <unistd.h>

static NSString *const source =
    @"// kernel void commented_out() {}\n"
    @"#if defined(WITH_BF16) && __METAL_VERSION__ >= 310\n"
    @"kernel void with_bf16(device bfloat *x [[buffer(0)]]) {}\n"
    @"#endif\n"
    @"template <typename T> kernel void pattern(device T *x) { x[0] = simd_sum(x[0]); }\n"
    @"typedef decltype(pattern<float>) pattern_t;\n"
    @"template [[host_name(\"pattern_f32\")]] kernel pattern_t pattern<float>;\n"
    @"kernel void plain(device float *x [[buffer(0)]]) {}\n";

static id<MTLLibrary> library_of(id<MTLDevice> device, NSDictionary *macros,
                                 MTLLanguageVersion version) {
    MTLCompileOptions *options = [[[MTLCompileOptions alloc] init] autorelease];
    [options setPreprocessorMacros:macros];
    [options setLanguageVersion:version];
    NSError *error = nil;
    id<MTLLibrary> library = [device newLibraryWithSource:source options:options error:&error];
    assert_non_null(library);
    assert_null(error);
    return [library autorelease];
}

static void function_names(void **state) {
    (void)state;
    id<MTLDevice> device = device_of("m1");
    NSArray *names = [library_of(device, nil, 0) functionNames];
    assert_true(([names isEqual:@[ @"pattern_f32", @"plain" ]]));
    NSDictionary *macros = @{@"WITH_BF16" : @"1"};
    names = [library_of(device, macros, MTLLanguageVersion3_1) functionNames];
    assert_true([names containsObject:@"with_bf16"]);
    names = [library_of(device, macros, MTLLanguageVersion3_0) functionNames];
    assert_false([names containsObject:@"with_bf16"]);
    [device release];
}

/* Without a version, a library is compiled for what the program's SDK knew. */
static void old_sdk(void **state) {
    (void)state;
    id<MTLDevice> old = device_of("paravirt-old-sdk"), new = device_of("paravirt");
    NSDictionary *macros = @{@"WITH_BF16" : @"1"};
    assert_null([library_of(old, macros, 0) newFunctionWithName:@"with_bf16"]);
    id<MTLFunction> function = [library_of(new, macros, 0) newFunctionWithName:@"with_bf16"];
    assert_string_equal([[function name] UTF8String], "with_bf16");
    [function release];
    [old release];
    [new release];
}

static void unknown_and_broken(void **state) {
    (void)state;
    id<MTLDevice> device = device_of("m1");
    id<MTLLibrary> library = library_of(device, nil, 0);
    NSError *error = nil;
    assert_null([library newFunctionWithName:@"pattern"]);
    assert_null([library newFunctionWithName:@"nothing" constantValues:nil error:&error]);
    assert_int_equal([error code], MTLLibraryErrorFunctionNotFound);
    assert_null([device newLibraryWithSource:@"kernel void x() {" options:nil error:&error]);
    assert_int_equal([error code], MTLLibraryErrorCompileFailure);
    assert_null([device newLibraryWithFile:@"/nowhere.metallib" error:&error]);
    assert_int_equal([error code], MTLLibraryErrorFileNotFound);
    [device release];
}

static void dispatch(id<MTLDevice> device, MTLFunctionConstantValues *constants, NSUInteger memory,
                     MTLSize threads, MTLCommandBufferStatus expected) {
    NSError *error = nil;
    id<MTLFunction> function =
        [[library_of(device, nil, 0) newFunctionWithName:@"plain"
                                          constantValues:constants
                                                   error:&error] autorelease];
    id<MTLComputePipelineState> pipeline =
        [[device newComputePipelineStateWithFunction:function error:&error] autorelease];
    assert_int_equal([pipeline threadExecutionWidth], 32);
    id<MTLCommandQueue> queue = [[device newCommandQueue] autorelease];
    id<MTLCommandBuffer> commands = [queue commandBuffer];
    id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
    [encoder setComputePipelineState:pipeline];
    [encoder setThreadgroupMemoryLength:memory atIndex:1];
    [encoder dispatchThreadgroups:MTLSizeMake(2, 3, 4) threadsPerThreadgroup:threads];
    [encoder endEncoding];
    [commands commit];
    [commands waitUntilCompleted];
    assert_int_equal([commands status], expected);
}

static void record(void **state) {
    (void)state;
    const char *path = getenv("SIMMETAL_TRACE");
    id<MTLDevice> device = device_of("m1");
    MTLFunctionConstantValues *constants = [[[MTLFunctionConstantValues alloc] init] autorelease];
    const short minus_two = -2;
    const bool yes = true;
    const int vector[2] = {7, 8};
    const float quarter = 0.25f;
    [constants setConstantValue:&minus_two type:MTLDataTypeShort atIndex:600];
    [constants setConstantValue:&yes type:MTLDataTypeBool atIndex:3];
    [constants setConstantValue:vector type:MTLDataTypeInt2 atIndex:20];
    [constants setConstantValue:&quarter type:MTLDataTypeFloat atIndex:21];
    dispatch(device, constants, 512, MTLSizeMake(32, 2, 1), MTLCommandBufferStatusCompleted);
    dispatch(device, nil, 0, MTLSizeMake(1, 1, 1), MTLCommandBufferStatusCompleted);

    char text[512] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, "dispatch plain{3=1,20=7:8,21=0.25,600=-2} threadgroups=2x3x4 "
                              "threads=32x2x1 memory=1:512\n"
                              "dispatch plain threadgroups=2x3x4 threads=1x1x1\n");
    [device release];
}

static void too_much(void **state) {
    (void)state;
    id<MTLDevice> device = device_of("m1");
    dispatch(device, nil, 32768, MTLSizeMake(1024, 1, 1), MTLCommandBufferStatusCompleted);
    dispatch(device, nil, 32784, MTLSizeMake(1, 1, 1), MTLCommandBufferStatusError);
    dispatch(device, nil, 0, MTLSizeMake(1024, 2, 1), MTLCommandBufferStatusError);
    [device release];
    device = device_of("small-pipelines");
    dispatch(device, nil, 0, MTLSizeMake(1024, 1, 1), MTLCommandBufferStatusError);
    [device release];
}

static void simd_on_a_true_family_5(void **state) {
    (void)state;
    id<MTLDevice> device = device_of("true-apple5");
    id<MTLLibrary> library = library_of(device, nil, 0);
    NSError *error = nil;
    id<MTLFunction> plain = [[library newFunctionWithName:@"plain"] autorelease];
    id<MTLFunction> simd = [[library newFunctionWithName:@"pattern_f32"] autorelease];
    id<MTLComputePipelineState> pipeline = [device newComputePipelineStateWithFunction:plain
                                                                                 error:&error];
    assert_non_null(pipeline);
    [pipeline release];
    assert_null([device newComputePipelineStateWithFunction:simd error:&error]);
    assert_non_null(strstr([[error localizedDescription] UTF8String], "air.simd"));
    [device release];
}

int main(void) {
    const struct CMUnitTest tests[] = {
        OBJECTS_TEST(record),   OBJECTS_TEST(function_names),
        OBJECTS_TEST(old_sdk),  OBJECTS_TEST(unknown_and_broken),
        OBJECTS_TEST(too_much), OBJECTS_TEST(simd_on_a_true_family_5),
    };
    unlink("shaders.trace");
    setenv("SIMMETAL_TRACE", "shaders.trace", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
