/* What a GPU capture would cover. */
#ifndef SIMMETAL_MTLCAPTURESCOPE_H
#define SIMMETAL_MTLCAPTURESCOPE_H

#import <Metal/MTLDefines.h>

@protocol MTLCommandQueue;
@protocol MTLDevice;

@protocol MTLCaptureScope <NSObject>
@property (copy) NSString *label;
@property (readonly) id<MTLDevice> device;
@property (readonly) id<MTLCommandQueue> commandQueue;
- (void)beginScope;
- (void)endScope;
@end

#endif
