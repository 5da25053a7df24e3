/* What Apple's paravirtual device fails at, though it is a Metal device; and that a bare chip does
 * not. */
#import "objects_test.h"

#include <stdio.h>

/* The name of the exception that a block raises, or "". */
static const char *raised(void (^block)(void)) {
    @try {
        block();
    } @catch (NSException *exception) {
        return [[exception name] UTF8String];
    }
    return "";
}

static void argument_encoders(void **state) {
    (void)state;
    id<MTLDevice> vm = device_of("paravirt"), bare = device_of("m1");
    MTLArgumentDescriptor *argument = [MTLArgumentDescriptor argumentDescriptor];
    [argument setIndex:2];
    [argument setDataType:MTLDataTypePointer];
    NSArray *arguments = @[ argument ];
    assert_string_equal(raised(^{
                          [vm newArgumentEncoderWithArguments:arguments];
                        }),
                        "NSInvalidArgumentException");
    id<MTLArgumentEncoder> encoder = [bare newArgumentEncoderWithArguments:arguments];
    assert_int_equal([encoder encodedLength], 24);
    id<MTLBuffer> table = [bare newBufferWithLength:24 options:0];
    id<MTLBuffer> buffer = [bare newBufferWithLength:8 options:0];
    [encoder setArgumentBuffer:table offset:0];
    [encoder setBuffer:buffer offset:4 atIndex:2];
    assert_int_equal(((uint64_t *)[table contents])[2], [buffer gpuAddress] + 4);
    assert_null([encoder constantDataAtIndex:3]);
    [buffer release];
    [table release];
    [encoder release];
    [vm release];
    [bare release];
}

static void residency_sets(void **state) {
    (void)state;
    id<MTLDevice> vm = device_of("paravirt"), error_vm = device_of("paravirt-residency-error");
    MTLResidencySetDescriptor *descriptor = [[[MTLResidencySetDescriptor alloc] init] autorelease];
    NSError *error = (NSError *)vm;
    assert_null([vm newResidencySetWithDescriptor:descriptor error:&error]);
    assert_null(error);
    assert_null([error_vm newResidencySetWithDescriptor:descriptor error:&error]);
    assert_non_null(error);
    [vm release];
    [error_vm release];
}

static void heaps_and_logs(void **state) {
    (void)state;
    id<MTLDevice> vm = device_of("paravirt"), bare = device_of("m1");
    MTLHeapDescriptor *heap = [[[MTLHeapDescriptor alloc] init] autorelease];
    MTLLogStateDescriptor *log = [[[MTLLogStateDescriptor alloc] init] autorelease];
    NSError *error = nil;
    [heap setSize:4096];
    assert_null([vm newHeapWithDescriptor:heap]);
    assert_null([vm newLogStateWithDescriptor:log error:&error]);
    assert_int_equal([error code], MTLLogStateErrorInvalid);
    id<MTLLogState> state_of_bare = [bare newLogStateWithDescriptor:log error:&error];
    assert_non_null(state_of_bare);
    assert_null(error);
    [state_of_bare release];
    [vm release];
    [bare release];
}

static void indirect_commands(void **state) {
    (void)state;
    id<MTLDevice> vm = device_of("paravirt"), bare = device_of("m1");
    MTLIndirectCommandBufferDescriptor *descriptor =
        [[[MTLIndirectCommandBufferDescriptor alloc] init] autorelease];
    assert_string_equal(raised(^{
                          [vm newIndirectCommandBufferWithDescriptor:descriptor
                                                     maxCommandCount:2
                                                             options:0];
                        }),
                        "NSInternalInconsistencyException");
    id<MTLIndirectCommandBuffer> buffer = [bare newIndirectCommandBufferWithDescriptor:descriptor
                                                                       maxCommandCount:2
                                                                               options:0];
    assert_int_equal([buffer size], 2);
    assert_non_null([buffer indirectComputeCommandAtIndex:1]);
    [buffer release];
    [vm release];
    [bare release];
}

static void mesh_shaders(void **state) {
    (void)state;
    static const char machine[] = "no-mesh-shaders.ini";
    FILE *file = fopen(machine, "w");
    assert_non_null(file);
    fputs("[machine]\nlike = paravirt\n[device]\nfaults = +no-mesh-shaders\n", file);
    fclose(file);
    static const struct {
        const char *machine, *exception;
    } rows[] = {{"./no-mesh-shaders.ini", "NSInvalidArgumentException"}, {"m3-pro", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        id<MTLDevice> device = device_of(rows[i].machine);
        id<MTLCommandQueue> queue = [[device newCommandQueue] autorelease];
        MTLRenderPassDescriptor *pass = [MTLRenderPassDescriptor renderPassDescriptor];
        id<MTLRenderCommandEncoder> encoder =
            [[queue commandBuffer] renderCommandEncoderWithDescriptor:pass];
        assert_string_equal(raised(^{
                              [encoder setObjectBuffer:nil offset:0 atIndex:0];
                            }),
                            rows[i].exception);
        [device release];
    }
}

static void binary_archives(void **state) {
    (void)state;
    id<MTLDevice> vm = device_of("paravirt-x86"), bare = device_of("m1");
    MTLBinaryArchiveDescriptor *descriptor =
        [[[MTLBinaryArchiveDescriptor alloc] init] autorelease];
    assert_string_equal(raised(^{
                          [vm newBinaryArchiveWithDescriptor:descriptor error:NULL];
                        }),
                        "NSInternalInconsistencyException");
    NSError *error = nil;
    id<MTLBinaryArchive> archive = [bare newBinaryArchiveWithDescriptor:descriptor error:&error];
    assert_non_null(archive);
    [archive release];
    [descriptor setUrl:[NSURL fileURLWithPath:@"/nowhere.archive"]];
    assert_null([bare newBinaryArchiveWithDescriptor:descriptor error:&error]);
    assert_non_null(error);
    [vm release];
    [bare release];
}

static void captures(void **state) {
    (void)state;
    MTLCaptureManager *manager = [MTLCaptureManager sharedCaptureManager];
    MTLCaptureDescriptor *descriptor = [[[MTLCaptureDescriptor alloc] init] autorelease];
    NSError *error = nil;
    assert_false([manager startCaptureWithDescriptor:descriptor error:&error]);
    assert_int_equal([error code], MTLCaptureErrorNotSupported);
    assert_false([manager isCapturing]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        OBJECTS_TEST(argument_encoders), OBJECTS_TEST(residency_sets),
        OBJECTS_TEST(heaps_and_logs),    OBJECTS_TEST(indirect_commands),
        OBJECTS_TEST(mesh_shaders),      OBJECTS_TEST(binary_archives),
        OBJECTS_TEST(captures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
