/* Compute pipelines. */
#include "compute.h"
#include "library.h"

@implementation MTLComputePipelineReflection
@end

@implementation MTLComputePipelineDescriptor
@synthesize label = _label;
@synthesize computeFunction = _computeFunction;
@synthesize threadGroupSizeIsMultipleOfThreadExecutionWidth =
    _threadGroupSizeIsMultipleOfThreadExecutionWidth;
@synthesize supportIndirectCommandBuffers = _supportIndirectCommandBuffers;
@synthesize maxTotalThreadsPerThreadgroup = _maxTotalThreadsPerThreadgroup;

- (id)copyWithZone:(NSZone *)zone {
    MTLComputePipelineDescriptor *copy = [[MTLComputePipelineDescriptor allocWithZone:zone] init];
    [copy setLabel:_label];
    [copy setComputeFunction:_computeFunction];
    copy->_threadGroupSizeIsMultipleOfThreadExecutionWidth =
        _threadGroupSizeIsMultipleOfThreadExecutionWidth;
    copy->_supportIndirectCommandBuffers = _supportIndirectCommandBuffers;
    copy->_maxTotalThreadsPerThreadgroup = _maxTotalThreadsPerThreadgroup;
    return copy;
}

- (void)reset {
    [self setLabel:nil];
    [self setComputeFunction:nil];
    _threadGroupSizeIsMultipleOfThreadExecutionWidth = NO;
    _supportIndirectCommandBuffers = NO;
    _maxTotalThreadsPerThreadgroup = 0;
}

- (void)dealloc {
    [_label release];
    [_computeFunction release];
    [super dealloc];
}

@end

@implementation SimComputePipeline

- (instancetype)initWithDescriptor:(MTLComputePipelineDescriptor *)descriptor
                            device:(_MTLDevice *)device {
    if ((self = [super initWithDevice:device])) {
        SimFunction *function = (SimFunction *)[descriptor computeFunction];
        _function = [[function name] copy];
        _constants = [[function simConstants] copy];
        _maxThreads = [device simConfig]->pipeline_max_threads;
        if ([descriptor maxTotalThreadsPerThreadgroup])
            _maxThreads = MIN(_maxThreads, [descriptor maxTotalThreadsPerThreadgroup]);
        _indirect = [descriptor supportIndirectCommandBuffers];
        [self setLabel:[descriptor label]];
    }
    return self;
}

- (void)dealloc {
    [_function release];
    [_constants release];
    [super dealloc];
}

- (NSString *)simFunction {
    return _function;
}

- (NSString *)simConstants {
    return _constants;
}

- (NSUInteger)maxTotalThreadsPerThreadgroup {
    return _maxThreads;
}

- (NSUInteger)threadExecutionWidth {
    return 32;
}

- (NSUInteger)staticThreadgroupMemoryLength {
    return 0;
}

- (BOOL)supportIndirectCommandBuffers {
    return _indirect;
}

- (MTLResourceID)gpuResourceID {
    MTLResourceID result = {(uint64_t)(uintptr_t)self};
    return result;
}

- (NSUInteger)imageblockMemoryLengthForDimensions:(MTLSize)dimensions {
    (void)dimensions;
    return 0;
}

@end

/* Kernels that the device's compiler does not take, though its answers may promise them. */
static const struct {
    enum simmetal_fault fault;
    const char *prefix, *message;
} refused[] = {
    {SIMMETAL_FAULT_NO_SIMD_KERNELS, "simd_", "Encountered unlowered function call to air.simd"},
    {SIMMETAL_FAULT_NO_SIMD_KERNELS, "simdgroup_",
     "Encountered unlowered function call to air.simdgroup_matrix"},
    {SIMMETAL_FAULT_NO_TENSOR_KERNELS, "matmul2d", "unsupported deferred-static-alloca-size"},
    {SIMMETAL_FAULT_NO_TENSOR_KERNELS, "tensor", "unsupported deferred-static-alloca-size"},
};

@implementation _MTLDevice (ComputePipelines)

/* Why there can be no such pipeline; nil if there can. */
- (NSError *)simRefusalOf:(SimFunction *)function {
    NSString *const domain = @"AGXMetal";
    if (!function)
        return simmetal_error(domain, 3, @"computeFunction must not be nil");
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        if (([self simConfig]->faults & refused[i].fault) &&
            [[function simLibrary] simKernel:[function name] reaches:refused[i].prefix])
            return simmetal_error(domain, 2, @"%s", refused[i].message);
    }
    return nil;
}

- (id<MTLComputePipelineState>)
    newComputePipelineStateWithDescriptor:(MTLComputePipelineDescriptor *)descriptor
                                  options:(MTLPipelineOption)options
                               reflection:(MTLAutoreleasedComputePipelineReflection *)reflection
                                    error:(NSError **)error {
    (void)options;
    if (reflection)
        *reflection = [[[MTLComputePipelineReflection alloc] init] autorelease];
    NSError *refusal = [self simRefusalOf:(SimFunction *)[descriptor computeFunction]];
    simmetal_fail(error, refusal);
    return refusal ? nil : [[SimComputePipeline alloc] initWithDescriptor:descriptor device:self];
}

- (id<MTLComputePipelineState>)newComputePipelineStateWithFunction:(id<MTLFunction>)function
                                                             error:(NSError **)error {
    return [self newComputePipelineStateWithFunction:function
                                             options:MTLPipelineOptionNone
                                          reflection:NULL
                                               error:error];
}

- (id<MTLComputePipelineState>)
    newComputePipelineStateWithFunction:(id<MTLFunction>)function
                                options:(MTLPipelineOption)options
                             reflection:(MTLAutoreleasedComputePipelineReflection *)reflection
                                  error:(NSError **)error {
    MTLComputePipelineDescriptor *descriptor =
        [[[MTLComputePipelineDescriptor alloc] init] autorelease];
    [descriptor setComputeFunction:function];
    return [self newComputePipelineStateWithDescriptor:descriptor
                                               options:options
                                            reflection:reflection
                                                 error:error];
}

- (void)newComputePipelineStateWithDescriptor:(MTLComputePipelineDescriptor *)descriptor
                                      options:(MTLPipelineOption)options
                            completionHandler:
                                (MTLNewComputePipelineStateWithReflectionCompletionHandler)handler {
    MTLComputePipelineDescriptor *copy = [[descriptor copy] autorelease];
    dispatch_async(dispatch_get_global_queue(QOS_CLASS_DEFAULT, 0), ^{
      NSError *error = nil;
      MTLComputePipelineReflection *reflection = nil;
      id<MTLComputePipelineState> pipeline = [self newComputePipelineStateWithDescriptor:copy
                                                                                 options:options
                                                                              reflection:&reflection
                                                                                   error:&error];
      handler([pipeline autorelease], reflection, error);
    });
}

- (void)newComputePipelineStateWithFunction:(id<MTLFunction>)function
                                    options:(MTLPipelineOption)options
                          completionHandler:
                              (MTLNewComputePipelineStateWithReflectionCompletionHandler)handler {
    MTLComputePipelineDescriptor *descriptor =
        [[[MTLComputePipelineDescriptor alloc] init] autorelease];
    [descriptor setComputeFunction:function];
    [self newComputePipelineStateWithDescriptor:descriptor
                                        options:options
                              completionHandler:handler];
}

- (void)newComputePipelineStateWithFunction:(id<MTLFunction>)function
                          completionHandler:(MTLNewComputePipelineStateCompletionHandler)handler {
    [self newComputePipelineStateWithFunction:function
                                      options:MTLPipelineOptionNone
                            completionHandler:^(id<MTLComputePipelineState> state,
                                                MTLComputePipelineReflection *reflection,
                                                NSError *error) {
                              (void)reflection;
                              handler(state, error);
                            }];
}

@end
