/* Encoders of copies and fills. */
#ifndef SIMMETAL_BLIT_H
#define SIMMETAL_BLIT_H

#include "encoder.h"

@interface SimBlitEncoder : SimEncoder <MTLBlitCommandEncoder>
@end

#endif
