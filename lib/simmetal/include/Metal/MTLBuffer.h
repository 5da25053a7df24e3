/* Buffers: real memory, which the CPU sees unless it is private. */
#ifndef SIMMETAL_MTLBUFFER_H
#define SIMMETAL_MTLBUFFER_H

#import <Metal/MTLResource.h>

@protocol MTLTexture;
@class MTLTextureDescriptor;

@protocol MTLBuffer <MTLResource>
@property (readonly) NSUInteger length;
@property (readonly) uint64_t gpuAddress;
- (void *)contents;
- (void)didModifyRange:(NSRange)range;
- (id<MTLTexture>)newTextureWithDescriptor:(MTLTextureDescriptor *)descriptor
                                    offset:(NSUInteger)offset
                               bytesPerRow:(NSUInteger)bytesPerRow;
- (void)addDebugMarker:(NSString *)marker range:(NSRange)range;
- (void)removeAllDebugMarkers;
@end

#endif
