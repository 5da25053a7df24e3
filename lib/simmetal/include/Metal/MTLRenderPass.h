/* Render passes: without attachments, since nothing is drawn. */
#ifndef SIMMETAL_MTLRENDERPASS_H
#define SIMMETAL_MTLRENDERPASS_H

#import <Metal/MTLDefines.h>

@interface MTLRenderPassDescriptor : NSObject <NSCopying> {
    NSUInteger _renderTargetWidth, _renderTargetHeight;
}
+ (MTLRenderPassDescriptor *)renderPassDescriptor;
@property (nonatomic) NSUInteger renderTargetWidth, renderTargetHeight;
@end

#endif
