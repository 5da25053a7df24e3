/* Archives of compiled pipelines. */
#ifndef SIMMETAL_MTLBINARYARCHIVE_H
#define SIMMETAL_MTLBINARYARCHIVE_H

#import <Metal/MTLDevice.h>

@class MTLComputePipelineDescriptor;

@interface MTLBinaryArchiveDescriptor : NSObject <NSCopying> {
    NSURL *_url;
}
@property (nonatomic, copy) NSURL *url;
@end

@protocol MTLBinaryArchive <NSObject>
@property (copy) NSString *label;
@property (readonly) id<MTLDevice> device;
- (BOOL)addComputePipelineFunctionsWithDescriptor:(MTLComputePipelineDescriptor *)descriptor
                                            error:(NSError **)error;
- (BOOL)serializeToURL:(NSURL *)url error:(NSError **)error;
@end

#endif
