/* Mesh render pipelines and their encoders: nothing is drawn, but a device may refuse. */
#include "render.h"

@implementation MTLRenderPassDescriptor
@synthesize renderTargetWidth = _renderTargetWidth;
@synthesize renderTargetHeight = _renderTargetHeight;

+ (MTLRenderPassDescriptor *)renderPassDescriptor {
    return [[[MTLRenderPassDescriptor alloc] init] autorelease];
}

- (id)copyWithZone:(NSZone *)zone {
    return NSCopyObject(self, 0, zone);
}

@end

@implementation MTLMeshRenderPipelineDescriptor
@synthesize label = _label;
@synthesize objectFunction = _objectFunction;
@synthesize meshFunction = _meshFunction;
@synthesize fragmentFunction = _fragmentFunction;

- (id)copyWithZone:(NSZone *)zone {
    MTLMeshRenderPipelineDescriptor *copy =
        [[MTLMeshRenderPipelineDescriptor allocWithZone:zone] init];
    [copy setLabel:_label];
    [copy setObjectFunction:_objectFunction];
    [copy setMeshFunction:_meshFunction];
    [copy setFragmentFunction:_fragmentFunction];
    return copy;
}

- (void)dealloc {
    [_label release];
    [_objectFunction release];
    [_meshFunction release];
    [_fragmentFunction release];
    [super dealloc];
}

@end

@interface SimRenderPipeline : SimObject <MTLRenderPipelineState>
@end

@implementation SimRenderPipeline

- (NSUInteger)maxTotalThreadsPerObjectThreadgroup {
    return [_device simConfig]->pipeline_max_threads;
}

- (NSUInteger)maxTotalThreadsPerMeshThreadgroup {
    return [_device simConfig]->pipeline_max_threads;
}

@end

@implementation SimRenderEncoder

- (void)setRenderPipelineState:(id<MTLRenderPipelineState>)state {
    (void)state;
}

/* A driver without mesh shaders leaves these to Metal's abstract methods. */
- (void)checkMesh:(SEL)selector {
    if ([self hasFault:SIMMETAL_FAULT_NO_MESH_SHADERS]) {
        [NSException raise:NSInvalidArgumentException
                    format:@"-[MTLRenderCommandEncoder %@]: abstract method",
                           NSStringFromSelector(selector)];
    }
}

- (void)setObjectBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index {
    (void)buffer;
    (void)offset;
    (void)index;
    [self checkMesh:_cmd];
}

- (void)setMeshBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index {
    (void)buffer;
    (void)offset;
    (void)index;
    [self checkMesh:_cmd];
}

- (void)drawMeshThreadgroups:(MTLSize)threadgroupsPerGrid
    threadsPerObjectThreadgroup:(MTLSize)threadsPerObjectThreadgroup
      threadsPerMeshThreadgroup:(MTLSize)threadsPerMeshThreadgroup {
    (void)threadgroupsPerGrid;
    (void)threadsPerObjectThreadgroup;
    (void)threadsPerMeshThreadgroup;
    [self checkMesh:_cmd];
}

@end

@implementation _MTLDevice (RenderPipelines)

- (id<MTLRenderPipelineState>)
    newRenderPipelineStateWithMeshDescriptor:(MTLMeshRenderPipelineDescriptor *)descriptor
                                     options:(MTLPipelineOption)options
                                  reflection:(MTLAutoreleasedRenderPipelineReflection *)reflection
                                       error:(NSError **)error {
    (void)options;
    if (reflection)
        *reflection = nil;
    if (![descriptor meshFunction])
        return simmetal_fail(error,
                             simmetal_error(@"AGXMetal", 3, @"meshFunction must not be nil"));
    SimRenderPipeline *pipeline = [[SimRenderPipeline alloc] initWithDevice:self];
    [pipeline setLabel:[descriptor label]];
    simmetal_fail(error, nil);
    return pipeline;
}

@end
