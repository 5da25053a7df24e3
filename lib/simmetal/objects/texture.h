/* Textures and samplers. */
#ifndef SIMMETAL_TEXTURE_H
#define SIMMETAL_TEXTURE_H

#include "memory.h"

/* A description and the texels of its first mipmap level, in its own buffer or another's. */
@interface SimTexture : SimResource <MTLTexture> {
    MTLTextureDescriptor *_descriptor;
    SimBuffer *_texels;
    NSUInteger _offset, _bytesPerRow;
    BOOL _view; /* of a buffer that the program made */
}
- (instancetype)initWithDevice:(_MTLDevice *)device descriptor:(MTLTextureDescriptor *)descriptor;
- (instancetype)initWithBuffer:(SimBuffer *)buffer
                    descriptor:(MTLTextureDescriptor *)descriptor
                        offset:(NSUInteger)offset
                   bytesPerRow:(NSUInteger)bytesPerRow;
@end

#endif
