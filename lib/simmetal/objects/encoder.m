/* What all encoders have in common. */
#include "encoder.h"

@implementation SimEncoder

- (instancetype)initWithCommandBuffer:(SimCommandBuffer *)commandBuffer {
    if ((self = [super initWithDevice:[commandBuffer device]]))
        _commandBuffer = [commandBuffer retain];
    return self;
}

- (void)dealloc {
    [_commandBuffer release];
    [super dealloc];
}

- (void)endEncoding {
}

- (void)insertDebugSignpost:(NSString *)string {
    (void)string;
}

- (void)pushDebugGroup:(NSString *)string {
    (void)string;
}

- (void)popDebugGroup {
}

@end
