/* One compute command of an indirect command buffer. */
#ifndef SIMMETAL_MTLINDIRECTCOMMANDENCODER_H
#define SIMMETAL_MTLINDIRECTCOMMANDENCODER_H

#import <Metal/MTLTypes.h>

@protocol MTLBuffer;
@protocol MTLComputePipelineState;

@protocol MTLIndirectComputeCommand <NSObject>
- (void)setComputePipelineState:(id<MTLComputePipelineState>)state;
- (void)setKernelBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index;
- (void)setThreadgroupMemoryLength:(NSUInteger)length atIndex:(NSUInteger)index;
- (void)concurrentDispatchThreadgroups:(MTLSize)threadgroupsPerGrid
                 threadsPerThreadgroup:(MTLSize)threadsPerThreadgroup;
- (void)concurrentDispatchThreads:(MTLSize)threadsPerGrid
            threadsPerThreadgroup:(MTLSize)threadsPerThreadgroup;
- (void)setBarrier;
- (void)clearBarrier;
- (void)reset;
@end

#endif
