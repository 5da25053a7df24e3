/* GPU captures, which are never available, and shader logging. */
#include "queue.h"

NSString *const MTLCaptureErrorDomain = @"MTLCaptureError";
NSString *const MTLLogStateErrorDomain = @"MTLLogStateErrorDomain";

@implementation MTLCaptureDescriptor
@synthesize captureObject = _captureObject;
@synthesize destination = _destination;
@synthesize outputURL = _outputURL;

- (id)copyWithZone:(NSZone *)zone {
    MTLCaptureDescriptor *copy = [[MTLCaptureDescriptor allocWithZone:zone] init];
    [copy setCaptureObject:_captureObject];
    [copy setDestination:_destination];
    [copy setOutputURL:_outputURL];
    return copy;
}

- (void)dealloc {
    [_captureObject release];
    [_outputURL release];
    [super dealloc];
}

@end

@interface SimCaptureScope : SimObject <MTLCaptureScope> {
    id<MTLCommandQueue> _queue;
}
@end

@implementation SimCaptureScope

- (instancetype)initWithDevice:(_MTLDevice *)device queue:(id<MTLCommandQueue>)queue {
    if ((self = [super initWithDevice:device]))
        _queue = [queue retain];
    return self;
}

- (void)dealloc {
    [_queue release];
    [super dealloc];
}

- (id<MTLCommandQueue>)commandQueue {
    return _queue;
}

- (void)beginScope {
}

- (void)endScope {
}

@end

@implementation MTLCaptureManager

+ (MTLCaptureManager *)sharedCaptureManager {
    static MTLCaptureManager *shared;
    @synchronized(self) {
        if (!shared)
            shared = [[MTLCaptureManager alloc] init];
        return shared;
    }
}

- (id<MTLCaptureScope>)newCaptureScopeWithDevice:(id<MTLDevice>)device {
    return [[SimCaptureScope alloc] initWithDevice:(_MTLDevice *)device queue:nil];
}

- (id<MTLCaptureScope>)newCaptureScopeWithCommandQueue:(id<MTLCommandQueue>)commandQueue {
    return [[SimCaptureScope alloc] initWithDevice:(_MTLDevice *)[commandQueue device]
                                             queue:commandQueue];
}

- (BOOL)supportsDestination:(MTLCaptureDestination)destination {
    (void)destination;
    return NO;
}

- (BOOL)startCaptureWithDescriptor:(MTLCaptureDescriptor *)descriptor error:(NSError **)error {
    (void)descriptor;
    simmetal_fail(error, simmetal_error(MTLCaptureErrorDomain, MTLCaptureErrorNotSupported,
                                        @"Capturing is not supported."));
    return NO;
}

- (void)stopCapture {
}

- (BOOL)isCapturing {
    return NO;
}

@end

@implementation MTLLogStateDescriptor
@synthesize level = _level;
@synthesize bufferSize = _bufferSize;

- (id)copyWithZone:(NSZone *)zone {
    return NSCopyObject(self, 0, zone);
}

@end

@interface SimLogState : SimObject <MTLLogState>
@end

@implementation SimLogState
@end

@implementation _MTLDevice (LogStates)

- (id<MTLLogState>)newLogStateWithDescriptor:(MTLLogStateDescriptor *)descriptor
                                       error:(NSError **)error {
    (void)descriptor;
    if ([self simConfig]->faults & SIMMETAL_FAULT_LOG_STATE_ERROR) {
        return simmetal_fail(error, simmetal_error(MTLLogStateErrorDomain, MTLLogStateErrorInvalid,
                                                   @"Cannot create residency set for MTLLogState"));
    }
    simmetal_fail(error, nil);
    return [[SimLogState alloc] initWithDevice:self];
}

@end
