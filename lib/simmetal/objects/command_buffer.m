/* Command buffers: what encoders have recorded is done, in order, once the buffer is committed and
 * its turn in the queue has come. */
#include "blit.h"
#include "compute.h"
#include "event.h"
#include "queue.h"
#include "render.h"

NSString *const MTLCommandBufferErrorDomain = @"MTLCommandBufferErrorDomain";

@implementation MTLCommandBufferDescriptor
@synthesize retainedReferences = _retainedReferences;
@synthesize errorOptions = _errorOptions;

- (instancetype)init {
    if ((self = [super init]))
        _retainedReferences = YES;
    return self;
}

- (id)copyWithZone:(NSZone *)zone {
    return NSCopyObject(self, 0, zone);
}

@end

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

@implementation SimCommandBuffer

- (instancetype)initWithQueue:(SimCommandQueue *)queue retained:(BOOL)retained {
    if ((self = [super initWithDevice:[queue device]])) {
        _queue = [queue retain];
        _retainedReferences = retained;
    }
    return self;
}

- (void)dealloc {
    simmetal_blocks_free(&_steps);
    simmetal_blocks_free(&_scheduledHandlers);
    simmetal_blocks_free(&_completedHandlers);
    [_error release];
    [_queue release];
    [super dealloc];
}

- (id<MTLCommandQueue>)commandQueue {
    return _queue;
}

- (BOOL)retainedReferences {
    return _retainedReferences;
}

- (MTLCommandBufferErrorOption)errorOptions {
    return _errorOptions;
}

- (MTLCommandBufferStatus)status {
    simmetal_gpu_lock();
    MTLCommandBufferStatus status = _status;
    simmetal_gpu_unlock();
    return status;
}

- (NSError *)error {
    simmetal_gpu_lock();
    NSError *error = _status == MTLCommandBufferStatusError ? [[_error retain] autorelease] : nil;
    simmetal_gpu_unlock();
    return error;
}

- (double)kernelStartTime {
    return _start;
}

- (double)kernelEndTime {
    return _end;
}

- (double)GPUStartTime {
    return _start;
}

- (double)GPUEndTime {
    return _end;
}

/* Recording. */

- (id<MTLBlitCommandEncoder>)blitCommandEncoder {
    return [[[SimBlitEncoder alloc] initWithCommandBuffer:self] autorelease];
}

- (id<MTLComputeCommandEncoder>)computeCommandEncoder {
    return [self computeCommandEncoderWithDispatchType:MTLDispatchTypeSerial];
}

- (id<MTLComputeCommandEncoder>)computeCommandEncoderWithDispatchType:(MTLDispatchType)type {
    return [[[SimComputeEncoder alloc] initWithCommandBuffer:self dispatchType:type] autorelease];
}

- (id<MTLRenderCommandEncoder>)renderCommandEncoderWithDescriptor:
    (MTLRenderPassDescriptor *)descriptor {
    return descriptor ? [[[SimRenderEncoder alloc] initWithCommandBuffer:self] autorelease] : nil;
}

- (void)encodeSignalEvent:(id<MTLEvent>)event value:(uint64_t)value {
    SimEvent *signalled = (SimEvent *)event;
    [self simAddStep:^BOOL {
      [signalled simSignal:value];
      return YES;
    }];
}

- (void)encodeWaitForEvent:(id<MTLEvent>)event value:(uint64_t)value {
    SimEvent *awaited = (SimEvent *)event;
    SimCommandQueue *queue = _queue;
    [self simAddStep:^BOOL {
      return [awaited simHasReached:value orWake:queue];
    }];
}

- (void)pushDebugGroup:(NSString *)string {
    (void)string;
}

- (void)popDebugGroup {
}

- (void)useResidencySet:(id<MTLResidencySet>)residencySet {
    (void)residencySet;
}

- (void)simAddStep:(SimStep)step {
    simmetal_gpu_lock();
    simmetal_blocks_add(&_steps, step);
    simmetal_gpu_unlock();
}

- (void)simFailWithCode:(MTLCommandBufferError)code reason:(NSString *)reason {
    simmetal_gpu_lock();
    if (!_error) {
        _error =
            [simmetal_error(MTLCommandBufferErrorDomain, (NSInteger)code, @"%@", reason) retain];
    }
    simmetal_gpu_unlock();
}

- (void)addScheduledHandler:(MTLCommandBufferHandler)block {
    simmetal_gpu_lock();
    simmetal_blocks_add(&_scheduledHandlers, block);
    simmetal_gpu_unlock();
}

- (void)addCompletedHandler:(MTLCommandBufferHandler)block {
    simmetal_gpu_lock();
    simmetal_blocks_add(&_completedHandlers, block);
    simmetal_gpu_unlock();
}

/* Executing. */

- (void)enqueue {
    simmetal_gpu_lock();
    if (_status == MTLCommandBufferStatusNotEnqueued) {
        _status = MTLCommandBufferStatusEnqueued;
        [_queue simEnqueue:self];
    }
    simmetal_gpu_unlock();
}

- (void)commit {
    simmetal_gpu_lock();
    [self enqueue];
    if (_status == MTLCommandBufferStatusEnqueued) {
        _status = MTLCommandBufferStatusCommitted;
        if ([self hasFault:SIMMETAL_FAULT_GPU_HANG]) {
            [self simFailWithCode:MTLCommandBufferErrorTimeout
                           reason:@"Caused GPU Hang Error "
                                  @"(00000003:kIOGPUCommandBufferCallbackErrorHang)"];
        }
        [_queue simDrain];
    }
    simmetal_gpu_unlock();
}

- (BOOL)simExecute {
    if (_status < MTLCommandBufferStatusCommitted)
        return NO;
    if (_status == MTLCommandBufferStatusCommitted) {
        _status = MTLCommandBufferStatusScheduled;
        _start = now();
    }
    while (!_error && _nextStep < _steps.count) {
        if (!((SimStep)_steps.list[_nextStep])())
            return NO;
        _nextStep++;
    }
    _end = now();
    _status = _error ? MTLCommandBufferStatusError : MTLCommandBufferStatusCompleted;
    if (_scheduledHandlers.count || _completedHandlers.count)
        [self callHandlers];
    else
        _handled = YES;
    simmetal_gpu_changed();
    return YES;
}

/* Handlers run on a thread of their own, as Metal's do, so that they may take locks that the
 * committing thread holds. */
- (void)callHandlers {
    static dispatch_once_t once;
    static dispatch_queue_t handlers;
    dispatch_once(&once, ^{
      handlers = dispatch_queue_create("handlers", DISPATCH_QUEUE_SERIAL);
    });
    dispatch_async(handlers, ^{
      for (NSUInteger i = 0; i < _scheduledHandlers.count; i++)
          ((MTLCommandBufferHandler)_scheduledHandlers.list[i])(self);
      for (NSUInteger i = 0; i < _completedHandlers.count; i++)
          ((MTLCommandBufferHandler)_completedHandlers.list[i])(self);
      simmetal_gpu_lock();
      _handled = YES;
      simmetal_gpu_changed();
      simmetal_gpu_unlock();
    });
}

- (void)waitUntilScheduled {
    simmetal_gpu_lock();
    while (_status < MTLCommandBufferStatusScheduled)
        simmetal_gpu_wait(NULL);
    simmetal_gpu_unlock();
}

- (void)waitUntilCompleted {
    simmetal_gpu_lock();
    while (!_handled)
        simmetal_gpu_wait(NULL);
    simmetal_gpu_unlock();
}

@end
