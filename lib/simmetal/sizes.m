/* Sizes and alignments of what a device would make. Apple documents that they depend on the GPU,
 * not what they are: the numbers are plausible, and consistent with each other. */
#import "device.h"

#import <time.h>

/* Bytes of a pixel, by ranges of MTLPixelFormat; other formats, compressed ones among them, count
 * as four. */
static NSUInteger pixel_bytes(MTLPixelFormat format) {
    static const struct {
        NSUInteger first, last, bytes;
    } ranges[] = {{1, 14, 1},    {20, 43, 2},    {53, 94, 4},
                  {103, 115, 8}, {123, 125, 16}, {250, 250, 2}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (format >= ranges[i].first && format <= ranges[i].last)
            return ranges[i].bytes;
    return 4;
}

static NSUInteger round_up(NSUInteger size, NSUInteger unit) {
    return (size + unit - 1) / unit * unit;
}

static MTLSizeAndAlign size_and_align(NSUInteger size, NSUInteger align) {
    MTLSizeAndAlign result = {round_up(size, align), align};
    return result;
}

/* Metal's MTLAccelerationStructureSizes. */
typedef struct {
    NSUInteger structure, build, refit;
} AccelerationStructureSizes;

/* Descriptors of acceleration structures and tensors do not exist here, so each is as large as the
 * next. */
enum { NOMINAL_SIZE = 1 << 16 };

@implementation _MTLDevice (Sizes)

- (AccelerationStructureSizes)accelerationStructureSizesWithDescriptor:(id)descriptor {
    AccelerationStructureSizes sizes = {NOMINAL_SIZE, NOMINAL_SIZE, NOMINAL_SIZE};
    return sizes;
}

- (MTLSizeAndAlign)heapAccelerationStructureSizeAndAlignWithDescriptor:(id)descriptor {
    return size_and_align(NOMINAL_SIZE, 256);
}

- (MTLSizeAndAlign)tensorSizeAndAlignWithDescriptor:(id)descriptor {
    return size_and_align(NOMINAL_SIZE, 256);
}

- (NSUInteger)minimumLinearTextureAlignmentForPixelFormat:(MTLPixelFormat)format {
    return [self hasUnifiedMemory] ? 16 : 256;
}

- (NSUInteger)minimumTextureBufferAlignmentForPixelFormat:(MTLPixelFormat)format {
    return [self hasUnifiedMemory] ? 16 : 256;
}

- (MTLSizeAndAlign)heapBufferSizeAndAlignWithLength:(NSUInteger)length
                                            options:(MTLResourceOptions)options {
    return size_and_align(length, 256);
}

- (MTLSizeAndAlign)heapTextureSizeAndAlignWithDescriptor:(MTLTextureDescriptor *)descriptor {
    NSUInteger pixels = [descriptor width] * [descriptor height] * [descriptor depth];
    return size_and_align(pixels * pixel_bytes([descriptor pixelFormat]), 1 << 14);
}

- (MTLSizeAndAlign)heapAccelerationStructureSizeAndAlignWithSize:(NSUInteger)size {
    return size_and_align(size, 256);
}

/* A tile has a power of two of pixels, wider than high if it is not square. */
- (MTLSize)sparseTileSizeWithTextureType:(MTLTextureType)type
                             pixelFormat:(MTLPixelFormat)format
                             sampleCount:(NSUInteger)samples
                          sparsePageSize:(MTLSparsePageSize)page {
    NSUInteger bytes = pixel_bytes(format) * (samples ? samples : 1);
    NSUInteger pixels = [self sparseTileSizeInBytesForSparsePageSize:page] / bytes;
    MTLSize size = MTLSizeMake(pixels ? 1 : 0, pixels ? 1 : 0, pixels ? 1 : 0);
    while (size.width * size.height < pixels) {
        if (size.width > size.height)
            size.height *= 2;
        else
            size.width *= 2;
    }
    return size;
}

- (MTLSize)sparseTileSizeWithTextureType:(MTLTextureType)type
                             pixelFormat:(MTLPixelFormat)format
                             sampleCount:(NSUInteger)samples {
    return [self sparseTileSizeWithTextureType:type
                                   pixelFormat:format
                                   sampleCount:samples
                                sparsePageSize:MTLSparsePageSize16];
}

- (void)convertSparsePixelRegions:(const MTLRegion *)pixels
                    toTileRegions:(MTLRegion *)tiles
                     withTileSize:(MTLSize)tile
                    alignmentMode:(NSUInteger)mode /* 0: outward, 1: inward */
                       numRegions:(NSUInteger)count {
    NSUInteger sides[3] = {tile.width, tile.height, tile.depth};
    for (NSUInteger r = 0; r < count; r++) {
        const NSUInteger *from = &pixels[r].origin.x, *length = &pixels[r].size.width;
        NSUInteger *first = &tiles[r].origin.x, *number = &tiles[r].size.width;
        for (int i = 0; i < 3; i++) {
            if (!sides[i]) { /* this device has no sparse textures */
                first[i] = number[i] = 0;
                continue;
            }
            NSUInteger end = from[i] + length[i];
            NSUInteger begin = mode == 0 ? from[i] / sides[i] : (from[i] + sides[i] - 1) / sides[i];
            end = mode == 0 ? (end + sides[i] - 1) / sides[i] : end / sides[i];
            first[i] = begin;
            number[i] = end > begin ? end - begin : 0;
        }
    }
}

- (void)convertSparseTileRegions:(const MTLRegion *)tiles
                  toPixelRegions:(MTLRegion *)pixels
                    withTileSize:(MTLSize)tile
                      numRegions:(NSUInteger)count {
    for (NSUInteger r = 0; r < count; r++) {
        MTLRegion t = tiles[r];
        pixels[r].origin.x = t.origin.x * tile.width;
        pixels[r].origin.y = t.origin.y * tile.height;
        pixels[r].origin.z = t.origin.z * tile.depth;
        pixels[r].size.width = t.size.width * tile.width;
        pixels[r].size.height = t.size.height * tile.height;
        pixels[r].size.depth = t.size.depth * tile.depth;
    }
}

/* One clock for both, in nanoseconds. */
- (void)sampleTimestamps:(MTLTimestamp *)cpu gpuTimestamp:(MTLTimestamp *)gpu {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *cpu = *gpu = (MTLTimestamp)now.tv_sec * 1000000000 + (MTLTimestamp)now.tv_nsec;
}

/* Direct3D's standard pattern for four samples, the centre for one, and points on a diagonal. */
- (void)getDefaultSamplePositions:(MTLSamplePosition *)positions count:(NSUInteger)count {
    static const MTLSamplePosition four[] = {
        {0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}};
    for (NSUInteger i = 0; i < count; i++) {
        float middle = ((float)i + 0.5f) / (float)count;
        positions[i] = count == 4 ? four[i] : (MTLSamplePosition){middle, middle};
    }
}

- (NSUInteger)sizeOfCounterHeapEntry:(NSInteger)type {
    return 8;
}

@end
