/* Compute pipelines: a function ready to be dispatched. */
#ifndef SIMMETAL_MTLCOMPUTEPIPELINE_H
#define SIMMETAL_MTLCOMPUTEPIPELINE_H

#import <Metal/MTLDevice.h>

@interface MTLComputePipelineReflection : NSObject
@end

@interface MTLComputePipelineDescriptor : NSObject <NSCopying> {
    NSString *_label;
    id<MTLFunction> _computeFunction;
    BOOL _threadGroupSizeIsMultipleOfThreadExecutionWidth;
    BOOL _supportIndirectCommandBuffers;
    NSUInteger _maxTotalThreadsPerThreadgroup;
}
@property (nonatomic, copy) NSString *label;
@property (nonatomic, retain) id<MTLFunction> computeFunction;
@property (nonatomic) BOOL threadGroupSizeIsMultipleOfThreadExecutionWidth;
@property (nonatomic) BOOL supportIndirectCommandBuffers;
@property (nonatomic) NSUInteger maxTotalThreadsPerThreadgroup;
- (void)reset;
@end

@protocol MTLComputePipelineState <NSObject>
@property (readonly) NSString *label;
@property (readonly) id<MTLDevice> device;
@property (readonly) NSUInteger maxTotalThreadsPerThreadgroup;
@property (readonly) NSUInteger threadExecutionWidth;
@property (readonly) NSUInteger staticThreadgroupMemoryLength;
@property (readonly) BOOL supportIndirectCommandBuffers;
@property (readonly) MTLResourceID gpuResourceID;
- (NSUInteger)imageblockMemoryLengthForDimensions:(MTLSize)dimensions;
@end

#endif
