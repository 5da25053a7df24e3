/* What all encoders have in common. */
#ifndef SIMMETAL_ENCODER_H
#define SIMMETAL_ENCODER_H

#include "queue.h"

@interface SimEncoder : SimObject <MTLCommandEncoder> {
  @protected
    SimCommandBuffer *_commandBuffer;
}
- (instancetype)initWithCommandBuffer:(SimCommandBuffer *)commandBuffer;
@end

#endif
