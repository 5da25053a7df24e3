/* Fences: order between encoders. */
#ifndef SIMMETAL_MTLFENCE_H
#define SIMMETAL_MTLFENCE_H

#import <Metal/MTLDefines.h>

@protocol MTLDevice;

@protocol MTLFence <NSObject>
@property (readonly) id<MTLDevice> device;
@property (copy) NSString *label;
@end

#endif
