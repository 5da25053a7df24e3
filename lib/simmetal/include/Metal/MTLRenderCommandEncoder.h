/* Render encoders, as far as mesh shaders need them. Nothing is drawn. */
#ifndef SIMMETAL_MTLRENDERCOMMANDENCODER_H
#define SIMMETAL_MTLRENDERCOMMANDENCODER_H

#import <Metal/MTLCommandEncoder.h>
#import <Metal/MTLTypes.h>

@protocol MTLBuffer;
@protocol MTLRenderPipelineState;

@protocol MTLRenderCommandEncoder <MTLCommandEncoder>
- (void)setRenderPipelineState:(id<MTLRenderPipelineState>)state;
- (void)setObjectBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index;
- (void)setMeshBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index;
- (void)drawMeshThreadgroups:(MTLSize)threadgroupsPerGrid
    threadsPerObjectThreadgroup:(MTLSize)threadsPerObjectThreadgroup
      threadsPerMeshThreadgroup:(MTLSize)threadsPerMeshThreadgroup;
@end

#endif
