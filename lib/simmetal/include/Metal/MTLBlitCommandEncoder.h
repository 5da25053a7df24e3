/* Copies and fills, which really happen. */
#ifndef SIMMETAL_MTLBLITCOMMANDENCODER_H
#define SIMMETAL_MTLBLITCOMMANDENCODER_H

#import <Metal/MTLCommandEncoder.h>
#import <Metal/MTLResource.h>

@protocol MTLBuffer;
@protocol MTLFence;
@protocol MTLIndirectCommandBuffer;

@protocol MTLBlitCommandEncoder <MTLCommandEncoder>
- (void)fillBuffer:(id<MTLBuffer>)buffer range:(NSRange)range value:(uint8_t)value;
- (void)copyFromBuffer:(id<MTLBuffer>)source
          sourceOffset:(NSUInteger)sourceOffset
              toBuffer:(id<MTLBuffer>)destination
     destinationOffset:(NSUInteger)destinationOffset
                  size:(NSUInteger)size;
- (void)synchronizeResource:(id<MTLResource>)resource;
- (void)updateFence:(id<MTLFence>)fence;
- (void)waitForFence:(id<MTLFence>)fence;
- (void)resetCommandsInBuffer:(id<MTLIndirectCommandBuffer>)buffer withRange:(NSRange)range;
- (void)optimizeIndirectCommandBuffer:(id<MTLIndirectCommandBuffer>)buffer withRange:(NSRange)range;
@end

#endif
