/* GPU captures: never available here, and refused as on a Mac that does not allow them. */
#ifndef SIMMETAL_MTLCAPTUREMANAGER_H
#define SIMMETAL_MTLCAPTUREMANAGER_H

#import <Metal/MTLCaptureScope.h>

MTL_EXTERN NSString *const MTLCaptureErrorDomain;

typedef NS_ENUM(NSInteger, MTLCaptureError) {
    MTLCaptureErrorNotSupported = 1,
    MTLCaptureErrorAlreadyCapturing = 2,
    MTLCaptureErrorInvalidDescriptor = 3,
};

typedef NS_ENUM(NSInteger, MTLCaptureDestination) {
    MTLCaptureDestinationDeveloperTools = 1,
    MTLCaptureDestinationGPUTraceDocument = 2,
};

@interface MTLCaptureDescriptor : NSObject <NSCopying> {
    id _captureObject;
    MTLCaptureDestination _destination;
    NSURL *_outputURL;
}
@property (nonatomic, retain) id captureObject;
@property (nonatomic) MTLCaptureDestination destination;
@property (nonatomic, copy) NSURL *outputURL;
@end

@interface MTLCaptureManager : NSObject
+ (MTLCaptureManager *)sharedCaptureManager;
- (id<MTLCaptureScope>)newCaptureScopeWithDevice:(id<MTLDevice>)device;
- (id<MTLCaptureScope>)newCaptureScopeWithCommandQueue:(id<MTLCommandQueue>)commandQueue;
- (BOOL)supportsDestination:(MTLCaptureDestination)destination;
- (BOOL)startCaptureWithDescriptor:(MTLCaptureDescriptor *)descriptor error:(NSError **)error;
- (void)stopCapture;
@property (nonatomic, readonly) BOOL isCapturing;
@end

#endif
