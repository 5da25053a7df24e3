/* Buffers, heaps, textures, and what devices say about memory. */
#import "objects_test.h"

static void buffers(void **state) {
    (void)state;
    id<MTLDevice> device = device_of("paravirt");
    assert_int_equal([device currentAllocatedSize], 0);
    id<MTLBuffer> buffer = [device newBufferWithLength:100 options:MTLResourceStorageModeShared];
    assert_int_equal([buffer length], 100);
    assert_non_null([buffer contents]);
    assert_int_equal(((char *)[buffer contents])[99], 0);
    assert_int_equal([buffer storageMode], MTLStorageModeShared);
    assert_ptr_equal([buffer device], device);
    assert_true([device currentAllocatedSize] >= 100);
    assert_int_equal([device currentAllocatedSize], [buffer allocatedSize]);

    id<MTLBuffer> copy = [device newBufferWithBytes:"metal" length:6 options:0];
    assert_string_equal([copy contents], "metal");
    id<MTLBuffer> hidden = [device newBufferWithLength:16 options:MTLResourceStorageModePrivate];
    assert_null([hidden contents]);
    assert_int_equal([hidden storageMode], MTLStorageModePrivate);

    [buffer release];
    [copy release];
    [hidden release];
    assert_int_equal([device currentAllocatedSize], 0);
    [device release];
}

static void no_copy(void **state) {
    (void)state;
    id<MTLDevice> device = device_of("paravirt");
    static char memory[64];
    __block NSUInteger freed = 0;
    id<MTLBuffer> buffer = [device newBufferWithBytesNoCopy:memory
                                                     length:sizeof memory
                                                    options:0
                                                deallocator:^(void *pointer, NSUInteger length) {
                                                  freed = pointer == memory ? length : 0;
                                                }];
    assert_ptr_equal([buffer contents], memory);
    [buffer release];
    assert_int_equal(freed, sizeof memory);
    [device release];
}

static void impossible_buffers(void **state) {
    (void)state;
    id<MTLDevice> device = device_of("paravirt");
    assert_null([device newBufferWithLength:0 options:0]);
    assert_null([device newBufferWithLength:[device maxBufferLength] + 1 options:0]);
    assert_null([device newBufferWithBytesNoCopy:NULL length:16 options:0 deallocator:nil]);
    [device release];
}

static void heaps(void **state) {
    (void)state;
    id<MTLDevice> device = device_of("m1");
    MTLHeapDescriptor *descriptor = [[[MTLHeapDescriptor alloc] init] autorelease];
    assert_null([device newHeapWithDescriptor:descriptor]);
    [descriptor setSize:1024];
    [descriptor setStorageMode:MTLStorageModePrivate];
    id<MTLHeap> heap = [device newHeapWithDescriptor:descriptor];
    assert_int_equal([heap size], 1024);
    assert_int_equal([heap storageMode], MTLStorageModePrivate);
    id<MTLBuffer> buffer = [heap newBufferWithLength:700 options:0];
    assert_int_equal([buffer length], 700);
    assert_ptr_equal([buffer heap], heap);
    assert_null([heap newBufferWithLength:700 options:0]);
    assert_true([heap usedSize] >= 700);
    [buffer release];
    assert_int_equal([heap usedSize], 0);
    assert_int_equal([device currentAllocatedSize], 1024);
    [heap release];
    assert_int_equal([device currentAllocatedSize], 0);
    [device release];
}

static void textures(void **state) {
    (void)state;
    id<MTLDevice> device = device_of("m1");
    MTLTextureDescriptor *descriptor =
        [MTLTextureDescriptor texture2DDescriptorWithPixelFormat:MTLPixelFormatR32Float
                                                           width:4
                                                          height:2
                                                       mipmapped:YES];
    assert_int_equal([descriptor mipmapLevelCount], 3);
    id<MTLTexture> texture = [device newTextureWithDescriptor:descriptor];
    const float in[2][2] = {{1, 2}, {3, 4}};
    float out[2][2] = {{0}};
    MTLRegion region = MTLRegionMake2D(1, 0, 2, 2);
    [texture replaceRegion:region mipmapLevel:0 withBytes:in bytesPerRow:sizeof in[0]];
    [texture getBytes:out bytesPerRow:sizeof out[0] fromRegion:region mipmapLevel:0];
    assert_memory_equal(in, out, sizeof in);
    region.origin.x = 3; /* reaches beyond the edge: nothing is written */
    [texture replaceRegion:region mipmapLevel:0 withBytes:in bytesPerRow:sizeof in[0]];
    [texture release];
    assert_int_equal([device currentAllocatedSize], 0);
    [device release];
}

static void residency(void **state) {
    (void)state;
    id<MTLDevice> device = device_of("m1");
    id<MTLBuffer> buffer = [device newBufferWithLength:64 options:0];
    NSError *error = (NSError *)device;
    MTLResidencySetDescriptor *descriptor = [[[MTLResidencySetDescriptor alloc] init] autorelease];
    id<MTLResidencySet> set = [device newResidencySetWithDescriptor:descriptor error:&error];
    assert_non_null(set);
    assert_null(error);
    [set addAllocation:buffer];
    assert_true([set containsAllocation:buffer]);
    assert_int_equal([set allocationCount], 0);
    [set commit];
    assert_int_equal([set allocationCount], 1);
    assert_int_equal([set allocatedSize], [buffer allocatedSize]);
    [set removeAllAllocations];
    [set commit];
    assert_int_equal([set allocationCount], 0);
    [set release];
    [buffer release];
    [device release];
}

int main(void) {
    const struct CMUnitTest tests[] = {
        OBJECTS_TEST(buffers), OBJECTS_TEST(no_copy),  OBJECTS_TEST(impossible_buffers),
        OBJECTS_TEST(heaps),   OBJECTS_TEST(textures), OBJECTS_TEST(residency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
