/* Buffers and heaps. */
#include "memory.h"
#include "texture.h"

#include <Block.h>

/* Apple silicon's page: buffers start on one, and are counted in them. */
#define PAGE_SIZE ((NSUInteger)16384)
#define BUFFER_ALIGNMENT ((NSUInteger)256)

static NSUInteger round_up(NSUInteger size, NSUInteger unit) {
    return (size + unit - 1) / unit * unit;
}

@implementation SimResource

- (instancetype)initWithDevice:(_MTLDevice *)device
                       options:(MTLResourceOptions)options
                          heap:(SimHeap *)heap {
    if ((self = [super initWithDevice:device])) {
        _options = options;
        _heap = [heap retain];
    }
    return self;
}

- (void)dealloc {
    if (_heap)
        [_heap simRelease:_allocatedSize];
    else
        [_device simAddAllocatedSize:-(int64_t)_allocatedSize];
    [_heap release];
    [super dealloc];
}

- (void)simSetAllocatedSize:(NSUInteger)size {
    if (!_heap)
        [_device simAddAllocatedSize:(int64_t)size - (int64_t)_allocatedSize];
    _allocatedSize = size;
}

- (NSUInteger)allocatedSize {
    return _allocatedSize;
}

- (id<MTLHeap>)heap {
    return _heap;
}

- (MTLResourceOptions)resourceOptions {
    return _options;
}

- (MTLCPUCacheMode)cpuCacheMode {
    return (_options >> MTLResourceCPUCacheModeShift) & 0xf;
}

- (MTLStorageMode)storageMode {
    return (_options >> MTLResourceStorageModeShift) & 0xf;
}

- (MTLHazardTrackingMode)hazardTrackingMode {
    return (_options >> MTLResourceHazardTrackingModeShift) & 0x3;
}

- (MTLPurgeableState)setPurgeableState:(MTLPurgeableState)state {
    (void)state;
    return MTLPurgeableStateNonVolatile;
}

@end

@implementation SimBuffer

- (instancetype)initWithDevice:(_MTLDevice *)device
                        length:(NSUInteger)length
                       options:(MTLResourceOptions)options
                          heap:(SimHeap *)heap {
    if (!(self = [super initWithDevice:device options:options heap:heap]))
        return nil;
    if (posix_memalign(&_memory, PAGE_SIZE, round_up(length, PAGE_SIZE)) != 0) {
        _memory = NULL;
        [self release];
        return nil;
    }
    memset(_memory, 0, length);
    _owned = YES;
    _length = length;
    [self simSetAllocatedSize:round_up(length, heap ? BUFFER_ALIGNMENT : PAGE_SIZE)];
    return self;
}

- (instancetype)initWithDevice:(_MTLDevice *)device
                        memory:(void *)memory
                        length:(NSUInteger)length
                       options:(MTLResourceOptions)options
                   deallocator:(void (^)(void *pointer, NSUInteger length))deallocator {
    if ((self = [super initWithDevice:device options:options heap:nil])) {
        _memory = memory;
        _length = length;
        _deallocator = deallocator ? Block_copy(deallocator) : NULL;
        [self simSetAllocatedSize:length];
    }
    return self;
}

- (void)dealloc {
    if (_owned) {
        free(_memory);
    } else if (_deallocator) {
        _deallocator(_memory, _length);
        Block_release(_deallocator);
    }
    [super dealloc];
}

- (void *)simMemory {
    return _memory;
}

- (void *)contents {
    return [self storageMode] == MTLStorageModePrivate ? NULL : _memory;
}

- (NSUInteger)length {
    return _length;
}

- (uint64_t)gpuAddress {
    return (uint64_t)(uintptr_t)_memory;
}

- (void)didModifyRange:(NSRange)range {
    (void)range;
}

- (id<MTLTexture>)newTextureWithDescriptor:(MTLTextureDescriptor *)descriptor
                                    offset:(NSUInteger)offset
                               bytesPerRow:(NSUInteger)bytesPerRow {
    return [[SimTexture alloc] initWithBuffer:self
                                   descriptor:descriptor
                                       offset:offset
                                  bytesPerRow:bytesPerRow];
}

- (void)addDebugMarker:(NSString *)marker range:(NSRange)range {
    (void)marker;
    (void)range;
}

- (void)removeAllDebugMarkers {
}

@end

@implementation MTLHeapDescriptor
@synthesize size = _size;
@synthesize resourceOptions = _resourceOptions;
@synthesize type = _type;

- (id)copyWithZone:(NSZone *)zone {
    MTLHeapDescriptor *copy = [[MTLHeapDescriptor allocWithZone:zone] init];
    copy->_size = _size;
    copy->_resourceOptions = _resourceOptions;
    copy->_type = _type;
    return copy;
}

- (void)setField:(NSUInteger)value shift:(unsigned)shift {
    _resourceOptions = (_resourceOptions & ~((NSUInteger)0xf << shift)) | value << shift;
}

- (MTLStorageMode)storageMode {
    return (_resourceOptions >> MTLResourceStorageModeShift) & 0xf;
}

- (void)setStorageMode:(MTLStorageMode)mode {
    [self setField:mode shift:MTLResourceStorageModeShift];
}

- (MTLCPUCacheMode)cpuCacheMode {
    return (_resourceOptions >> MTLResourceCPUCacheModeShift) & 0xf;
}

- (void)setCpuCacheMode:(MTLCPUCacheMode)mode {
    [self setField:mode shift:MTLResourceCPUCacheModeShift];
}

- (MTLHazardTrackingMode)hazardTrackingMode {
    return (_resourceOptions >> MTLResourceHazardTrackingModeShift) & 0xf;
}

- (void)setHazardTrackingMode:(MTLHazardTrackingMode)mode {
    [self setField:mode shift:MTLResourceHazardTrackingModeShift];
}

@end

@implementation SimHeap

- (instancetype)initWithDevice:(_MTLDevice *)device descriptor:(MTLHeapDescriptor *)descriptor {
    if ((self = [super initWithDevice:device])) {
        _descriptor = [descriptor copy];
        [_device simAddAllocatedSize:(int64_t)[_descriptor size]];
    }
    return self;
}

- (void)dealloc {
    [_device simAddAllocatedSize:-(int64_t)[_descriptor size]];
    [_descriptor release];
    [super dealloc];
}

- (BOOL)simUse:(NSUInteger)size {
    @synchronized(self) {
        if (size > [_descriptor size] - _usedSize)
            return NO;
        _usedSize += size;
        return YES;
    }
}

- (void)simRelease:(NSUInteger)size {
    @synchronized(self) {
        _usedSize -= size;
    }
}

- (MTLStorageMode)storageMode {
    return [_descriptor storageMode];
}

- (MTLHeapType)type {
    return [_descriptor type];
}

- (NSUInteger)size {
    return [_descriptor size];
}

- (NSUInteger)allocatedSize {
    return [_descriptor size];
}

- (NSUInteger)currentAllocatedSize {
    return [_descriptor size];
}

- (NSUInteger)usedSize {
    @synchronized(self) {
        return _usedSize;
    }
}

- (NSUInteger)maxAvailableSizeWithAlignment:(NSUInteger)alignment {
    NSUInteger available = [self size] - [self usedSize];
    return alignment ? available / alignment * alignment : available;
}

- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(MTLResourceOptions)options {
    NSUInteger size = round_up(length, BUFFER_ALIGNMENT);
    if (length == 0 || ![self simUse:size])
        return nil;
    SimBuffer *buffer = [[SimBuffer alloc] initWithDevice:_device
                                                   length:length
                                                  options:options
                                                     heap:self];
    if (!buffer)
        [self simRelease:size];
    return buffer;
}

- (MTLPurgeableState)setPurgeableState:(MTLPurgeableState)state {
    (void)state;
    return MTLPurgeableStateNonVolatile;
}

@end

@implementation _MTLDevice (Memory)

/* Metal looks at the limit that initLimits took over, not at the answer of the moment. */
- (BOOL)simCanAllocate:(NSUInteger)length {
    return length > 0 && length <= [self simLimits]->maxBufferLength &&
           !([self simConfig]->faults & SIMMETAL_FAULT_BUFFER_NIL);
}

- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(MTLResourceOptions)options {
    if (![self simCanAllocate:length])
        return nil;
    return [[SimBuffer alloc] initWithDevice:self length:length options:options heap:nil];
}

- (id<MTLBuffer>)newBufferWithBytes:(const void *)pointer
                             length:(NSUInteger)length
                            options:(MTLResourceOptions)options {
    SimBuffer *buffer = [self newBufferWithLength:length options:options];
    if (buffer)
        memcpy([buffer simMemory], pointer, length);
    return buffer;
}

- (id<MTLBuffer>)newBufferWithBytesNoCopy:(void *)pointer
                                   length:(NSUInteger)length
                                  options:(MTLResourceOptions)options
                              deallocator:(void (^)(void *pointer, NSUInteger length))deallocator {
    if (!pointer || ![self simCanAllocate:length])
        return nil;
    return [[SimBuffer alloc] initWithDevice:self
                                      memory:pointer
                                      length:length
                                     options:options
                                 deallocator:deallocator];
}

- (id<MTLHeap>)newHeapWithDescriptor:(MTLHeapDescriptor *)descriptor {
    if ([descriptor size] == 0 || ([self simConfig]->faults & SIMMETAL_FAULT_HEAP_NIL))
        return nil;
    return [[SimHeap alloc] initWithDevice:self descriptor:descriptor];
}

- (MTLSizeAndAlign)heapBufferSizeAndAlignWithLength:(NSUInteger)length
                                            options:(MTLResourceOptions)options {
    (void)options;
    MTLSizeAndAlign result = {round_up(length, BUFFER_ALIGNMENT), BUFFER_ALIGNMENT};
    return result;
}

@end
