/* Encoders of dispatches. No shader is executed: a dispatch is checked and recorded. */
#include "compute.h"
#include "indirect.h"
#include "memory.h"

@implementation SimComputeEncoder

- (instancetype)initWithCommandBuffer:(SimCommandBuffer *)commandBuffer
                         dispatchType:(MTLDispatchType)type {
    if ((self = [super initWithCommandBuffer:commandBuffer]))
        _dispatchType = type;
    return self;
}

- (void)dealloc {
    [_pipeline release];
    [super dealloc];
}

- (MTLDispatchType)dispatchType {
    return _dispatchType;
}

/* State. What is bound is not looked at, but for threadgroup memory. */

- (void)setComputePipelineState:(id<MTLComputePipelineState>)state {
    [(id)state retain];
    [_pipeline release];
    _pipeline = (SimComputePipeline *)state;
}

- (void)setBytes:(const void *)bytes length:(NSUInteger)length atIndex:(NSUInteger)index {
    (void)bytes;
    (void)length;
    (void)index;
}

- (void)setBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index {
    (void)buffer;
    (void)offset;
    (void)index;
}

- (void)setBufferOffset:(NSUInteger)offset atIndex:(NSUInteger)index {
    (void)offset;
    (void)index;
}

- (void)setBuffers:(const id<MTLBuffer>[])buffers
           offsets:(const NSUInteger[])offsets
         withRange:(NSRange)range {
    (void)buffers;
    (void)offsets;
    (void)range;
}

- (void)setTexture:(id<MTLTexture>)texture atIndex:(NSUInteger)index {
    (void)texture;
    (void)index;
}

- (void)setSamplerState:(id<MTLSamplerState>)sampler atIndex:(NSUInteger)index {
    (void)sampler;
    (void)index;
}

- (void)setThreadgroupMemoryLength:(NSUInteger)length atIndex:(NSUInteger)index {
    if (index < SIMMETAL_TRACE_MEMORY)
        _memory[index] = length;
}

/* Dispatches. */

- (void)simLaunch:(const struct simmetal_launch *)launch pipeline:(SimComputePipeline *)pipeline {
    if (!pipeline) {
        [_commandBuffer simFailWithCode:MTLCommandBufferErrorInvalidResource
                                 reason:@"A dispatch without a pipeline"];
        return;
    }
    NSUInteger threads = launch->threads.width * launch->threads.height * launch->threads.depth;
    NSUInteger memory = 0;
    struct simmetal_dispatch dispatch = {
        .label = [[pipeline label] UTF8String],
        .function = [[pipeline simFunction] UTF8String],
        .constants = [[pipeline simConstants] UTF8String],
        .in_threads = launch->inThreads,
        .grid = {launch->grid.width, launch->grid.height, launch->grid.depth},
        .threads = {launch->threads.width, launch->threads.height, launch->threads.depth},
    };
    for (size_t i = 0; i < SIMMETAL_TRACE_MEMORY; i++) {
        dispatch.memory[i] = launch->memory[i];
        memory += launch->memory[i];
    }
    simmetal_trace_dispatch(&dispatch);
    if (threads > [pipeline maxTotalThreadsPerThreadgroup]) {
        [_commandBuffer
            simFailWithCode:MTLCommandBufferErrorInternal
                     reason:[NSString
                                stringWithFormat:@"%@: %lu threads in a threadgroup, and the "
                                                 @"pipeline can have %lu",
                                                 [pipeline simFunction], (unsigned long)threads,
                                                 (unsigned long)
                                                     [pipeline maxTotalThreadsPerThreadgroup]]];
    }
    uint64_t hardware = [_device simConfig]->threadgroup_hardware;
    if (memory > hardware) {
        [_commandBuffer
            simFailWithCode:MTLCommandBufferErrorInternal
                     reason:[NSString stringWithFormat:@"%@: %lu bytes of threadgroup memory, and "
                                                       @"the GPU has %llu",
                                                       [pipeline simFunction],
                                                       (unsigned long)memory,
                                                       (unsigned long long)hardware]];
    }
}

- (void)launch:(MTLSize)grid threads:(MTLSize)threads inThreads:(BOOL)inThreads {
    struct simmetal_launch launch = {.grid = grid, .threads = threads, .inThreads = inThreads};
    memcpy(launch.memory, _memory, sizeof launch.memory);
    [self simLaunch:&launch pipeline:_pipeline];
}

- (void)dispatchThreadgroups:(MTLSize)threadgroupsPerGrid
       threadsPerThreadgroup:(MTLSize)threadsPerThreadgroup {
    [self launch:threadgroupsPerGrid threads:threadsPerThreadgroup inThreads:NO];
}

- (void)dispatchThreads:(MTLSize)threadsPerGrid
    threadsPerThreadgroup:(MTLSize)threadsPerThreadgroup {
    [self launch:threadsPerGrid threads:threadsPerThreadgroup inThreads:YES];
}

/* The grid is what the buffer says now: no shader will have written another. */
- (void)dispatchThreadgroupsWithIndirectBuffer:(id<MTLBuffer>)buffer
                          indirectBufferOffset:(NSUInteger)offset
                         threadsPerThreadgroup:(MTLSize)threadsPerThreadgroup {
    MTLDispatchThreadgroupsIndirectArguments grid;
    if (offset > [buffer length] || [buffer length] - offset < sizeof grid) {
        [_commandBuffer simFailWithCode:MTLCommandBufferErrorPageFault
                                 reason:@"Indirect arguments beyond a buffer's end"];
        return;
    }
    memcpy(&grid, (const char *)[(SimBuffer *)buffer simMemory] + offset, sizeof grid);
    [self launch:MTLSizeMake(grid.threadgroupsPerGrid[0], grid.threadgroupsPerGrid[1],
                             grid.threadgroupsPerGrid[2])
          threads:threadsPerThreadgroup
        inThreads:NO];
}

- (void)executeCommandsInBuffer:(id<MTLIndirectCommandBuffer>)buffer withRange:(NSRange)range {
    [(SimIndirectCommandBuffer *)buffer simExecute:range encoder:self];
}

/* Order and residency: nothing to do. */

- (void)updateFence:(id<MTLFence>)fence {
    (void)fence;
}

- (void)waitForFence:(id<MTLFence>)fence {
    (void)fence;
}

- (void)useResource:(id<MTLResource>)resource usage:(MTLResourceUsage)usage {
    (void)resource;
    (void)usage;
}

- (void)useResources:(const id<MTLResource>[])resources
               count:(NSUInteger)count
               usage:(MTLResourceUsage)usage {
    (void)resources;
    (void)count;
    (void)usage;
}

- (void)useHeap:(id<MTLHeap>)heap {
    (void)heap;
}

- (void)memoryBarrierWithScope:(MTLBarrierScope)scope {
    (void)scope;
}

- (void)memoryBarrierWithResources:(const id<MTLResource>[])resources count:(NSUInteger)count {
    (void)resources;
    (void)count;
}

@end
