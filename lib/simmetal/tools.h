/* The devices that Metal's developer tools put around the real one. They are no subclasses of
 * _MTLDevice, and send what they are asked on to it. */
#ifndef SIMMETAL_TOOLS_H
#define SIMMETAL_TOOLS_H

#import <Foundation/Foundation.h>
#import <Metal/Metal.h>

@interface MTLToolsObject : NSObject {
    id _baseObject;
}
- (instancetype)initWithBaseObject:(id)object;
/* What is wrapped: the device, or another wrapper. */
- (id)baseObject;
@end

/* Has a method of its own for nearly every answer, and forwards the rest. */
@interface MTLToolsDevice : MTLToolsObject <MTLDevice>
@end

/* MTL_DEBUG_LAYER=1: API validation. */
@interface MTLDebugDevice : MTLToolsDevice
@end

/* MTL_CAPTURE_ENABLED=1: frame capture. Has no methods for some answers, which it only forwards. */
@interface CaptureMTLDevice : MTLToolsObject <MTLDevice>
@end

/* A new wrapper around `device`, of the class `name`, which becomes its -_deviceWrapper; nil if
 * there is no such wrapper class. */
id simmetal_wrap(id device, const char *name);

#endif
