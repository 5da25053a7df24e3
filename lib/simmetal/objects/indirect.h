/* Indirect command buffers. */
#ifndef SIMMETAL_INDIRECT_H
#define SIMMETAL_INDIRECT_H

#include "compute.h"
#include "memory.h"

@interface SimIndirectCommandBuffer : SimResource <MTLIndirectCommandBuffer> {
    NSMutableArray *_commands;
}
- (void)simExecute:(NSRange)range encoder:(SimComputeEncoder *)encoder;
@end

#endif
