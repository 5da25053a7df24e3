/* What all encoders have in common. */
#ifndef SIMMETAL_MTLCOMMANDENCODER_H
#define SIMMETAL_MTLCOMMANDENCODER_H

#import <Metal/MTLDefines.h>

@protocol MTLDevice;

@protocol MTLCommandEncoder <NSObject>
@property (copy) NSString *label;
@property (readonly) id<MTLDevice> device;
- (void)endEncoding;
- (void)insertDebugSignpost:(NSString *)string;
- (void)pushDebugGroup:(NSString *)string;
- (void)popDebugGroup;
@end

#endif
