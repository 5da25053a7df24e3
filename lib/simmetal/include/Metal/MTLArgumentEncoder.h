/* Encoders that write resources into an argument buffer. */
#ifndef SIMMETAL_MTLARGUMENTENCODER_H
#define SIMMETAL_MTLARGUMENTENCODER_H

#import <Metal/MTLDevice.h>

@protocol MTLArgumentEncoder <NSObject>
@property (copy) NSString *label;
@property (readonly) id<MTLDevice> device;
@property (readonly) NSUInteger encodedLength;
@property (readonly) NSUInteger alignment;
- (void)setArgumentBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset;
- (void)setBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index;
- (void *)constantDataAtIndex:(NSUInteger)index;
@end

#endif
