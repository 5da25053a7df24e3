/* Indirect command buffers: commands that are encoded once and executed many times. */
#ifndef SIMMETAL_MTLINDIRECTCOMMANDBUFFER_H
#define SIMMETAL_MTLINDIRECTCOMMANDBUFFER_H

#import <Metal/MTLIndirectCommandEncoder.h>
#import <Metal/MTLResource.h>

typedef NS_OPTIONS(NSUInteger, MTLIndirectCommandType) {
    MTLIndirectCommandTypeDraw = 1 << 0,
    MTLIndirectCommandTypeDrawIndexed = 1 << 1,
    MTLIndirectCommandTypeDrawPatches = 1 << 2,
    MTLIndirectCommandTypeDrawIndexedPatches = 1 << 3,
    MTLIndirectCommandTypeConcurrentDispatch = 1 << 5,
    MTLIndirectCommandTypeConcurrentDispatchThreads = 1 << 6,
};

@interface MTLIndirectCommandBufferDescriptor : NSObject <NSCopying> {
    MTLIndirectCommandType _commandTypes;
    BOOL _inheritPipelineState, _inheritBuffers;
    NSUInteger _maxKernelBufferBindCount, _maxKernelThreadgroupMemoryBindCount;
}
@property (nonatomic) MTLIndirectCommandType commandTypes;
@property (nonatomic) BOOL inheritPipelineState, inheritBuffers;
@property (nonatomic) NSUInteger maxKernelBufferBindCount;
@property (nonatomic) NSUInteger maxKernelThreadgroupMemoryBindCount;
@end

@protocol MTLIndirectCommandBuffer <MTLResource>
@property (readonly) NSUInteger size;
@property (readonly) MTLResourceID gpuResourceID;
- (void)resetWithRange:(NSRange)range;
- (id<MTLIndirectComputeCommand>)indirectComputeCommandAtIndex:(NSUInteger)index;
@end

#endif
