/* Compute pipelines, their encoders, and the one place where dispatches are recorded. */
#ifndef SIMMETAL_COMPUTE_H
#define SIMMETAL_COMPUTE_H

#include "encoder.h"
#include "trace.h"

@class SimFunction;

@interface SimComputePipeline : SimObject <MTLComputePipelineState> {
    NSString *_function, *_constants;
    NSUInteger _maxThreads;
    BOOL _indirect;
}
- (instancetype)initWithDescriptor:(MTLComputePipelineDescriptor *)descriptor
                            device:(_MTLDevice *)device;
- (NSString *)simFunction;
- (NSString *)simConstants;
@end

/* A dispatch: what it needs besides its pipeline. */
struct simmetal_launch {
    MTLSize grid, threads;
    BOOL inThreads;
    NSUInteger memory[SIMMETAL_TRACE_MEMORY];
};

@interface SimComputeEncoder : SimEncoder <MTLComputeCommandEncoder> {
    MTLDispatchType _dispatchType;
    SimComputePipeline *_pipeline;
    NSUInteger _memory[SIMMETAL_TRACE_MEMORY];
}
- (instancetype)initWithCommandBuffer:(SimCommandBuffer *)commandBuffer
                         dispatchType:(MTLDispatchType)type;
/* Records a dispatch; one that the hardware cannot do makes the command buffer fail. */
- (void)simLaunch:(const struct simmetal_launch *)launch pipeline:(SimComputePipeline *)pipeline;
@end

#endif
