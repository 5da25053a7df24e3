/* Buffers and heaps. */
#ifndef SIMMETAL_MEMORY_H
#define SIMMETAL_MEMORY_H

#include "object.h"

@class SimHeap;

/* What buffers, textures and indirect command buffers have in common. */
@interface SimResource : SimObject <MTLResource> {
  @protected
    MTLResourceOptions _options;
    SimHeap *_heap;
    NSUInteger _allocatedSize;
}
- (instancetype)initWithDevice:(_MTLDevice *)device
                       options:(MTLResourceOptions)options
                          heap:(SimHeap *)heap;
/* Counts bytes as allocated on the device, or in the heap, until the resource goes. */
- (void)simSetAllocatedSize:(NSUInteger)size;
@end

@interface SimBuffer : SimResource <MTLBuffer> {
    void *_memory;
    NSUInteger _length;
    BOOL _owned; /* the memory is ours to free */
    void (^_deallocator)(void *pointer, NSUInteger length);
}
/* Memory of its own, zeroed; nil when there is none. */
- (instancetype)initWithDevice:(_MTLDevice *)device
                        length:(NSUInteger)length
                       options:(MTLResourceOptions)options
                          heap:(SimHeap *)heap;
/* The caller's memory. */
- (instancetype)initWithDevice:(_MTLDevice *)device
                        memory:(void *)memory
                        length:(NSUInteger)length
                       options:(MTLResourceOptions)options
                   deallocator:(void (^)(void *pointer, NSUInteger length))deallocator;
/* The memory, of private buffers too, which show none to the CPU. */
- (void *)simMemory;
@end

@interface SimHeap : SimObject <MTLHeap> {
    MTLHeapDescriptor *_descriptor;
    NSUInteger _usedSize;
}
- (instancetype)initWithDevice:(_MTLDevice *)device descriptor:(MTLHeapDescriptor *)descriptor;
/* NO, and no change, when it does not fit. */
- (BOOL)simUse:(NSUInteger)size;
- (void)simRelease:(NSUInteger)size;
@end

#endif
