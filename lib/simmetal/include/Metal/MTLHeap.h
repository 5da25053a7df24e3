/* Heaps: memory set aside from which buffers are made. */
#ifndef SIMMETAL_MTLHEAP_H
#define SIMMETAL_MTLHEAP_H

#import <Metal/MTLResource.h>

@protocol MTLBuffer;

typedef NS_ENUM(NSInteger, MTLHeapType) {
    MTLHeapTypeAutomatic = 0,
    MTLHeapTypePlacement = 1,
    MTLHeapTypeSparse = 2,
};

@interface MTLHeapDescriptor : NSObject <NSCopying> {
    NSUInteger _size;
    MTLResourceOptions _resourceOptions;
    MTLHeapType _type;
}
@property (nonatomic) NSUInteger size;
@property (nonatomic) MTLResourceOptions resourceOptions;
@property (nonatomic) MTLStorageMode storageMode;
@property (nonatomic) MTLCPUCacheMode cpuCacheMode;
@property (nonatomic) MTLHazardTrackingMode hazardTrackingMode;
@property (nonatomic) MTLHeapType type;
@end

@protocol MTLHeap <MTLAllocation>
@property (copy) NSString *label;
@property (readonly) id<MTLDevice> device;
@property (readonly) MTLStorageMode storageMode;
@property (readonly) MTLHeapType type;
@property (readonly) NSUInteger size;
@property (readonly) NSUInteger usedSize;
@property (readonly) NSUInteger currentAllocatedSize;
- (NSUInteger)maxAvailableSizeWithAlignment:(NSUInteger)alignment;
- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(MTLResourceOptions)options;
- (MTLPurgeableState)setPurgeableState:(MTLPurgeableState)state;
@end

#endif
