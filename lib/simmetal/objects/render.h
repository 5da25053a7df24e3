/* Render encoders. */
#ifndef SIMMETAL_RENDER_H
#define SIMMETAL_RENDER_H

#include "encoder.h"

@interface SimRenderEncoder : SimEncoder <MTLRenderCommandEncoder>
@end

#endif
