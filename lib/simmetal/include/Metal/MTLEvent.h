/* Events: counters that command buffers signal and wait for, and that a CPU can wait for if shared.
 */
#ifndef SIMMETAL_MTLEVENT_H
#define SIMMETAL_MTLEVENT_H

#import <Metal/MTLDefines.h>
#import <dispatch/dispatch.h>

@protocol MTLDevice;
@protocol MTLSharedEvent;

@protocol MTLEvent <NSObject>
@property (readonly) id<MTLDevice> device;
@property (copy) NSString *label;
@end

typedef void (^MTLSharedEventNotificationBlock)(id<MTLSharedEvent> event, uint64_t value);

@interface MTLSharedEventListener : NSObject {
    dispatch_queue_t _dispatchQueue;
}
- (instancetype)initWithDispatchQueue:(dispatch_queue_t)queue;
@property (nonatomic, readonly) dispatch_queue_t dispatchQueue;
@end

@protocol MTLSharedEvent <MTLEvent>
@property uint64_t signaledValue;
- (void)notifyListener:(MTLSharedEventListener *)listener
               atValue:(uint64_t)value
                 block:(MTLSharedEventNotificationBlock)block;
- (BOOL)waitUntilSignaledValue:(uint64_t)value timeoutMS:(uint64_t)milliseconds;
@end

#endif
