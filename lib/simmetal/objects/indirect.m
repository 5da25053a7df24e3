/* Indirect command buffers: compute commands that encoders execute by their number. */
#include "indirect.h"

#define COMMAND_SIZE 256

@implementation MTLIndirectCommandBufferDescriptor
@synthesize commandTypes = _commandTypes;
@synthesize inheritPipelineState = _inheritPipelineState;
@synthesize inheritBuffers = _inheritBuffers;
@synthesize maxKernelBufferBindCount = _maxKernelBufferBindCount;
@synthesize maxKernelThreadgroupMemoryBindCount = _maxKernelThreadgroupMemoryBindCount;

- (instancetype)init {
    if ((self = [super init]))
        _maxKernelBufferBindCount = _maxKernelThreadgroupMemoryBindCount = 31;
    return self;
}

- (id)copyWithZone:(NSZone *)zone {
    return NSCopyObject(self, 0, zone);
}

@end

@interface SimIndirectCommand : NSObject <MTLIndirectComputeCommand> {
    SimComputePipeline *_pipeline;
    struct simmetal_launch _launch;
    BOOL _encoded;
}
- (void)simExecute:(SimComputeEncoder *)encoder;
@end

@implementation SimIndirectCommand

- (void)dealloc {
    [_pipeline release];
    [super dealloc];
}

- (void)setComputePipelineState:(id<MTLComputePipelineState>)state {
    [(id)state retain];
    [_pipeline release];
    _pipeline = (SimComputePipeline *)state;
}

- (void)setKernelBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index {
    (void)buffer;
    (void)offset;
    (void)index;
}

- (void)setThreadgroupMemoryLength:(NSUInteger)length atIndex:(NSUInteger)index {
    if (index < SIMMETAL_TRACE_MEMORY)
        _launch.memory[index] = length;
}

- (void)concurrentDispatchThreadgroups:(MTLSize)threadgroupsPerGrid
                 threadsPerThreadgroup:(MTLSize)threadsPerThreadgroup {
    _launch.grid = threadgroupsPerGrid;
    _launch.threads = threadsPerThreadgroup;
    _launch.inThreads = NO;
    _encoded = YES;
}

- (void)concurrentDispatchThreads:(MTLSize)threadsPerGrid
            threadsPerThreadgroup:(MTLSize)threadsPerThreadgroup {
    _launch.grid = threadsPerGrid;
    _launch.threads = threadsPerThreadgroup;
    _launch.inThreads = YES;
    _encoded = YES;
}

- (void)setBarrier {
}

- (void)clearBarrier {
}

- (void)reset {
    [self setComputePipelineState:nil];
    _launch = (struct simmetal_launch){.inThreads = NO};
    _encoded = NO;
}

- (void)simExecute:(SimComputeEncoder *)encoder {
    if (_encoded)
        [encoder simLaunch:&_launch pipeline:_pipeline];
}

@end

@implementation SimIndirectCommandBuffer

- (instancetype)initWithDevice:(_MTLDevice *)device
                         count:(NSUInteger)count
                       options:(MTLResourceOptions)options {
    if ((self = [super initWithDevice:device options:options heap:nil])) {
        _commands = [[NSMutableArray alloc] init];
        for (NSUInteger i = 0; i < count; i++)
            [_commands addObject:[[[SimIndirectCommand alloc] init] autorelease]];
        [self simSetAllocatedSize:count * COMMAND_SIZE];
    }
    return self;
}

- (void)dealloc {
    [_commands release];
    [super dealloc];
}

- (NSUInteger)size {
    return [_commands count];
}

- (MTLResourceID)gpuResourceID {
    MTLResourceID result = {(uint64_t)(uintptr_t)self};
    return result;
}

- (void)resetWithRange:(NSRange)range {
    for (NSUInteger i = range.location; i < NSMaxRange(range) && i < [self size]; i++)
        [[_commands objectAtIndex:i] reset];
}

- (id<MTLIndirectComputeCommand>)indirectComputeCommandAtIndex:(NSUInteger)index {
    return [_commands objectAtIndex:index];
}

- (void)simExecute:(NSRange)range encoder:(SimComputeEncoder *)encoder {
    for (NSUInteger i = range.location; i < NSMaxRange(range) && i < [self size]; i++)
        [[_commands objectAtIndex:i] simExecute:encoder];
}

@end

@implementation _MTLDevice (IndirectCommands)

- (id<MTLIndirectCommandBuffer>)newIndirectCommandBufferWithDescriptor:
                                    (MTLIndirectCommandBufferDescriptor *)descriptor
                                                       maxCommandCount:(NSUInteger)maxCount
                                                               options:(MTLResourceOptions)options {
    (void)descriptor;
    if ([self simConfig]->faults & SIMMETAL_FAULT_NO_INDIRECT_COMMANDS) {
        [NSException raise:NSInternalInconsistencyException
                    format:@"-[IOGPUMetalResource initWithResource:]: resource != nil"];
    }
    return [[SimIndirectCommandBuffer alloc] initWithDevice:self count:maxCount options:options];
}

@end
