/* Events, shared events and fences. */
#ifndef SIMMETAL_EVENT_H
#define SIMMETAL_EVENT_H

#include "queue.h"

/* A notification that a program has asked for. */
struct simmetal_notification {
    struct simmetal_notification *next;
    uint64_t value;
    MTLSharedEventListener *listener;
    MTLSharedEventNotificationBlock block;
};

@interface SimEvent : SimObject <MTLEvent> {
  @protected
    uint64_t _value;
    NSMutableSet *_stalled; /* queues whose next command buffer waits for this event */
}
/* Both with the lock held. A signal of a smaller value changes nothing. */
- (void)simSignal:(uint64_t)value;
- (BOOL)simHasReached:(uint64_t)value orWake:(SimCommandQueue *)queue;
@end

@interface SimSharedEvent : SimEvent <MTLSharedEvent> {
    struct simmetal_notification *_notifications;
}
@end

#endif
