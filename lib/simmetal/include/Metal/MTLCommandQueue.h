/* Queues of command buffers. */
#ifndef SIMMETAL_MTLCOMMANDQUEUE_H
#define SIMMETAL_MTLCOMMANDQUEUE_H

#import <Metal/MTLCommandBuffer.h>

@protocol MTLLogState;
@protocol MTLResidencySet;

@interface MTLCommandQueueDescriptor : NSObject <NSCopying> {
    NSUInteger _maxCommandBufferCount;
    id<MTLLogState> _logState;
}
@property (nonatomic) NSUInteger maxCommandBufferCount;
@property (nonatomic, retain) id<MTLLogState> logState;
@end

@protocol MTLCommandQueue <NSObject>
@property (copy) NSString *label;
@property (readonly) id<MTLDevice> device;
- (id<MTLCommandBuffer>)commandBuffer;
- (id<MTLCommandBuffer>)commandBufferWithDescriptor:(MTLCommandBufferDescriptor *)descriptor;
- (id<MTLCommandBuffer>)commandBufferWithUnretainedReferences;
- (void)insertDebugCaptureBoundary;
- (void)addResidencySet:(id<MTLResidencySet>)residencySet;
- (void)addResidencySets:(const id<MTLResidencySet>[])residencySets count:(NSUInteger)count;
- (void)removeResidencySet:(id<MTLResidencySet>)residencySet;
- (void)removeResidencySets:(const id<MTLResidencySet>[])residencySets count:(NSUInteger)count;
@end

#endif
