/* Command queues and command buffers. */
#ifndef SIMMETAL_QUEUE_H
#define SIMMETAL_QUEUE_H

#include "object.h"

@class SimCommandBuffer;

/* Executes its command buffers one after the other, in the order in which they were enqueued. */
@interface SimCommandQueue : SimObject <MTLCommandQueue> {
    NSMutableArray *_pending;
    BOOL _draining;
}
/* Appends; the caller holds the lock, as for the next one. */
- (void)simEnqueue:(SimCommandBuffer *)buffer;
/* Executes what can be executed, up to a buffer that is not committed or waits for an event. */
- (void)simDrain;
@end

/* A part of a command buffer's work; NO: it cannot be done yet. */
typedef BOOL (^SimStep)(void);

@interface SimCommandBuffer : SimObject <MTLCommandBuffer> {
    SimCommandQueue *_queue;
    BOOL _retainedReferences;
    MTLCommandBufferErrorOption _errorOptions;
    MTLCommandBufferStatus _status;
    NSError *_error;
    BOOL _handled; /* complete, and its handlers have returned */
    double _start, _end;
    NSUInteger _nextStep;
    struct simmetal_blocks _steps, _scheduledHandlers, _completedHandlers;
}
- (instancetype)initWithQueue:(SimCommandQueue *)queue retained:(BOOL)retained;
- (void)simAddStep:(SimStep)step;
/* The buffer will end in this error; the first one counts. */
- (void)simFailWithCode:(MTLCommandBufferError)code reason:(NSString *)reason;
/* Does what is left of the work; NO: not yet. The caller holds the lock. */
- (BOOL)simExecute;
@end

#endif
