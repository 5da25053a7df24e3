/* Render pipelines, as far as mesh shaders need them. */
#ifndef SIMMETAL_MTLRENDERPIPELINE_H
#define SIMMETAL_MTLRENDERPIPELINE_H

#import <Metal/MTLDevice.h>

@interface MTLMeshRenderPipelineDescriptor : NSObject <NSCopying> {
    NSString *_label;
    id<MTLFunction> _objectFunction, _meshFunction, _fragmentFunction;
}
@property (nonatomic, copy) NSString *label;
@property (nonatomic, retain) id<MTLFunction> objectFunction, meshFunction, fragmentFunction;
@end

@protocol MTLRenderPipelineState <NSObject>
@property (readonly) NSString *label;
@property (readonly) id<MTLDevice> device;
@property (readonly) NSUInteger maxTotalThreadsPerObjectThreadgroup;
@property (readonly) NSUInteger maxTotalThreadsPerMeshThreadgroup;
@end

#endif
