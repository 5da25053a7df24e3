/* Events, shared events and fences. */
#include "event.h"

#include <Block.h>

@implementation SimEvent

- (instancetype)initWithDevice:(_MTLDevice *)device {
    if ((self = [super initWithDevice:device]))
        _stalled = [[NSMutableSet alloc] init];
    return self;
}

- (void)dealloc {
    [_stalled release];
    [super dealloc];
}

- (void)simSignal:(uint64_t)value {
    if (value <= _value)
        return;
    _value = value;
    simmetal_gpu_changed();
    @autoreleasepool {
        NSArray *queues = [_stalled allObjects];
        [_stalled removeAllObjects];
        for (SimCommandQueue *queue in queues)
            [queue simDrain];
    }
}

- (BOOL)simHasReached:(uint64_t)value orWake:(SimCommandQueue *)queue {
    if (_value >= value)
        return YES;
    [_stalled addObject:queue];
    return NO;
}

@end

@implementation MTLSharedEventListener

- (instancetype)init {
    dispatch_queue_t queue = dispatch_queue_create("events", DISPATCH_QUEUE_SERIAL);
    self = [self initWithDispatchQueue:queue];
    dispatch_release(queue);
    return self;
}

- (instancetype)initWithDispatchQueue:(dispatch_queue_t)queue {
    if ((self = [super init])) {
        dispatch_retain(queue);
        _dispatchQueue = queue;
    }
    return self;
}

- (void)dealloc {
    dispatch_release(_dispatchQueue);
    [super dealloc];
}

- (dispatch_queue_t)dispatchQueue {
    return _dispatchQueue;
}

@end

static void free_notification(struct simmetal_notification *notification) {
    [notification->listener release];
    Block_release(notification->block);
    free(notification);
}

@implementation SimSharedEvent

- (void)dealloc {
    while (_notifications) {
        struct simmetal_notification *next = _notifications->next;
        free_notification(_notifications);
        _notifications = next;
    }
    [super dealloc];
}

- (uint64_t)signaledValue {
    simmetal_gpu_lock();
    uint64_t value = _value;
    simmetal_gpu_unlock();
    return value;
}

- (void)setSignaledValue:(uint64_t)value {
    simmetal_gpu_lock();
    if (value < _value)
        _value = value;
    [self simSignal:value];
    simmetal_gpu_unlock();
}

- (void)simSignal:(uint64_t)value {
    [super simSignal:value];
    for (struct simmetal_notification **at = &_notifications; *at;) {
        struct simmetal_notification *notification = *at;
        if (notification->value > _value) {
            at = &notification->next;
            continue;
        }
        *at = notification->next;
        dispatch_async([notification->listener dispatchQueue], ^{
          notification->block(self, notification->value);
          free_notification(notification);
        });
    }
}

- (void)notifyListener:(MTLSharedEventListener *)listener
               atValue:(uint64_t)value
                 block:(MTLSharedEventNotificationBlock)block {
    struct simmetal_notification *notification = calloc(1, sizeof *notification);
    if (!notification)
        return;
    notification->value = value;
    notification->listener = [listener retain];
    notification->block = Block_copy(block);
    simmetal_gpu_lock();
    notification->next = _notifications;
    _notifications = notification;
    [self simSignal:_value];
    simmetal_gpu_unlock();
}

- (BOOL)waitUntilSignaledValue:(uint64_t)value timeoutMS:(uint64_t)milliseconds {
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    /* A century stands for ever. */
    uint64_t seconds = MIN(milliseconds / 1000, (uint64_t)100 * 365 * 24 * 3600);
    deadline.tv_sec += (time_t)seconds;
    deadline.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (deadline.tv_nsec >= 1000000000) {
        deadline.tv_nsec -= 1000000000;
        deadline.tv_sec++;
    }
    simmetal_gpu_lock();
    while (_value < value && simmetal_gpu_wait(&deadline))
        continue;
    BOOL reached = _value >= value;
    simmetal_gpu_unlock();
    return reached;
}

@end

/* Work is done in the order in which it is encoded: a fence has nothing to do. */
@interface SimFence : SimObject <MTLFence>
@end

@implementation SimFence
@end

@implementation _MTLDevice (Events)

- (id<MTLFence>)newFence {
    return [[SimFence alloc] initWithDevice:self];
}

- (id<MTLEvent>)newEvent {
    return [[SimEvent alloc] initWithDevice:self];
}

- (id<MTLSharedEvent>)newSharedEvent {
    return [[SimSharedEvent alloc] initWithDevice:self];
}

@end
