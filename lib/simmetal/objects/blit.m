/* Encoders of copies and fills, which are done when the command buffer is executed. */
#include "blit.h"
#include "memory.h"

@implementation SimBlitEncoder

/* Clients give ranges that end behind the buffer; the hardware writes what is there. */
- (void)fillBuffer:(id<MTLBuffer>)buffer range:(NSRange)range value:(uint8_t)value {
    SimBuffer *filled = (SimBuffer *)buffer;
    if (range.location >= [filled length])
        return;
    size_t size = MIN(range.length, [filled length] - range.location);
    [_commandBuffer simAddStep:^BOOL {
      memset((char *)[filled simMemory] + range.location, value, size);
      return YES;
    }];
}

- (void)copyFromBuffer:(id<MTLBuffer>)source
          sourceOffset:(NSUInteger)sourceOffset
              toBuffer:(id<MTLBuffer>)destination
     destinationOffset:(NSUInteger)destinationOffset
                  size:(NSUInteger)size {
    SimBuffer *from = (SimBuffer *)source, *to = (SimBuffer *)destination;
    if (sourceOffset > [from length] || size > [from length] - sourceOffset ||
        destinationOffset > [to length] || size > [to length] - destinationOffset) {
        [_commandBuffer simFailWithCode:MTLCommandBufferErrorPageFault
                                 reason:@"A copy reaches beyond a buffer's end"];
        return;
    }
    [_commandBuffer simAddStep:^BOOL {
      memmove((char *)[to simMemory] + destinationOffset,
              (const char *)[from simMemory] + sourceOffset, size);
      return YES;
    }];
}

- (void)synchronizeResource:(id<MTLResource>)resource {
    (void)resource;
}

- (void)updateFence:(id<MTLFence>)fence {
    (void)fence;
}

- (void)waitForFence:(id<MTLFence>)fence {
    (void)fence;
}

- (void)resetCommandsInBuffer:(id<MTLIndirectCommandBuffer>)buffer withRange:(NSRange)range {
    [_commandBuffer simAddStep:^BOOL {
      [buffer resetWithRange:range];
      return YES;
    }];
}

- (void)optimizeIndirectCommandBuffer:(id<MTLIndirectCommandBuffer>)buffer
                            withRange:(NSRange)range {
    (void)buffer;
    (void)range;
}

@end
