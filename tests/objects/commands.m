/* Command buffers: order, handlers, events, errors. */
#import "objects_test.h"

struct fixture {
    id<MTLDevice> device;
    id<MTLCommandQueue> queue;
    id<MTLBuffer> buffer;
};

static struct fixture make(const char *machine) {
    struct fixture fixture = {.device = device_of(machine)};
    fixture.queue = [fixture.device newCommandQueue];
    fixture.buffer = [fixture.device newBufferWithLength:16 options:0];
    return fixture;
}

static void release(struct fixture fixture) {
    [fixture.buffer release];
    [fixture.queue release];
    [fixture.device release];
}

static void fill(id<MTLCommandBuffer> commands, id<MTLBuffer> buffer, NSRange range,
                 uint8_t value) {
    id<MTLBlitCommandEncoder> encoder = [commands blitCommandEncoder];
    [encoder fillBuffer:buffer range:range value:value];
    [encoder endEncoding];
}

static uint8_t byte(id<MTLBuffer> buffer, size_t index) {
    return ((const uint8_t *)[buffer contents])[index];
}

static void work_waits_for_commit(void **state) {
    (void)state;
    struct fixture f = make("paravirt");
    id<MTLCommandBuffer> commands = [f.queue commandBuffer];
    assert_int_equal([commands status], MTLCommandBufferStatusNotEnqueued);
    fill(commands, f.buffer, NSMakeRange(4, 100), 7); /* ends behind the buffer */
    assert_int_equal(byte(f.buffer, 4), 0);
    [commands commit];
    [commands waitUntilCompleted];
    assert_int_equal([commands status], MTLCommandBufferStatusCompleted);
    assert_null([commands error]);
    assert_int_equal(byte(f.buffer, 3), 0);
    assert_int_equal(byte(f.buffer, 4), 7);
    assert_int_equal(byte(f.buffer, 15), 7);
    assert_true([commands GPUEndTime] >= [commands GPUStartTime]);
    release(f);
}

static void queue_keeps_order(void **state) {
    (void)state;
    struct fixture f = make("paravirt");
    id<MTLCommandBuffer> first = [f.queue commandBuffer], second = [f.queue commandBuffer];
    fill(first, f.buffer, NSMakeRange(0, 1), 1);
    fill(second, f.buffer, NSMakeRange(0, 1), 2);
    [first enqueue];
    [second commit];
    assert_int_equal([second status], MTLCommandBufferStatusCommitted);
    assert_int_equal(byte(f.buffer, 0), 0);
    [first commit];
    [second waitUntilCompleted];
    assert_int_equal(byte(f.buffer, 0), 2);
    release(f);
}

static void handlers_run_before_the_end(void **state) {
    (void)state;
    struct fixture f = make("paravirt");
    id<MTLCommandBuffer> commands = [f.queue commandBuffer];
    __block int called = 0;
    NSLock *lock = [[[NSLock alloc] init] autorelease];
    [commands addScheduledHandler:^(id<MTLCommandBuffer> buffer) {
      assert_ptr_equal(buffer, commands);
      called++;
    }];
    [commands addCompletedHandler:^(id<MTLCommandBuffer> buffer) {
      [lock lock]; /* the committing thread holds it during commit */
      assert_int_equal([buffer status], MTLCommandBufferStatusCompleted);
      called++;
      [lock unlock];
    }];
    [lock lock];
    [commands commit];
    [lock unlock];
    [commands waitUntilCompleted];
    assert_int_equal(called, 2);
    release(f);
}

static void events_hold_work_back(void **state) {
    (void)state;
    struct fixture f = make("paravirt");
    id<MTLCommandQueue> other = [f.device newCommandQueue];
    id<MTLSharedEvent> event = [f.device newSharedEvent];
    id<MTLCommandBuffer> waiting = [f.queue commandBuffer], signalling = [other commandBuffer];
    [waiting encodeWaitForEvent:event value:3];
    fill(waiting, f.buffer, NSMakeRange(0, 1), 9);
    [waiting commit];
    assert_int_equal([waiting status], MTLCommandBufferStatusScheduled);
    assert_false([event waitUntilSignaledValue:3 timeoutMS:1]);
    [event setSignaledValue:2];
    assert_int_equal(byte(f.buffer, 0), 0);
    [signalling encodeSignalEvent:event value:3];
    [signalling commit];
    [waiting waitUntilCompleted];
    assert_int_equal(byte(f.buffer, 0), 9);
    assert_int_equal([event signaledValue], 3);
    assert_true([event waitUntilSignaledValue:3 timeoutMS:0]);
    [event release];
    [other release];
    release(f);
}

static void notifications(void **state) {
    (void)state;
    struct fixture f = make("paravirt");
    id<MTLSharedEvent> event = [f.device newSharedEvent];
    MTLSharedEventListener *listener = [[[MTLSharedEventListener alloc] init] autorelease];
    dispatch_semaphore_t semaphore = dispatch_semaphore_create(0);
    __block uint64_t seen = 0;
    [event notifyListener:listener
                  atValue:2
                    block:^(id<MTLSharedEvent> notifier, uint64_t value) {
                      seen = notifier == event ? value : 0;
                      dispatch_semaphore_signal(semaphore);
                    }];
    [event setSignaledValue:1];
    assert_int_not_equal(dispatch_semaphore_wait(semaphore, DISPATCH_TIME_NOW), 0);
    [event setSignaledValue:5];
    dispatch_semaphore_wait(semaphore, DISPATCH_TIME_FOREVER);
    assert_int_equal(seen, 2);
    dispatch_release(semaphore);
    [event release];
    release(f);
}

static void copies(void **state) {
    (void)state;
    struct fixture f = make("paravirt");
    id<MTLBuffer> hidden = [f.device newBufferWithLength:16 options:MTLResourceStorageModePrivate];
    memcpy([f.buffer contents], "0123456789abcde", 16);
    id<MTLCommandBuffer> commands = [f.queue commandBuffer];
    id<MTLBlitCommandEncoder> encoder = [commands blitCommandEncoder];
    [encoder copyFromBuffer:f.buffer sourceOffset:0 toBuffer:hidden destinationOffset:0 size:16];
    [encoder copyFromBuffer:hidden sourceOffset:10 toBuffer:f.buffer destinationOffset:0 size:5];
    [encoder endEncoding];
    [commands commit];
    [commands waitUntilCompleted];
    assert_string_equal([f.buffer contents], "abcde56789abcde");

    commands = [f.queue commandBuffer];
    [[commands blitCommandEncoder] copyFromBuffer:hidden
                                     sourceOffset:8
                                         toBuffer:f.buffer
                                destinationOffset:0
                                             size:9];
    [commands commit];
    [commands waitUntilCompleted];
    assert_int_equal([commands status], MTLCommandBufferStatusError);
    assert_int_equal([[commands error] code], MTLCommandBufferErrorPageFault);
    [hidden release];
    release(f);
}

static void hangs(void **state) {
    (void)state;
    struct fixture f = make("gpu-hang");
    id<MTLCommandBuffer> commands = [f.queue commandBuffer];
    [commands commit];
    [commands waitUntilCompleted];
    assert_int_equal([commands status], MTLCommandBufferStatusError);
    assert_non_null(strstr([[[commands error] localizedDescription] UTF8String], "GPU Hang"));
    release(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        OBJECTS_TEST(work_waits_for_commit),
        OBJECTS_TEST(queue_keeps_order),
        OBJECTS_TEST(handlers_run_before_the_end),
        OBJECTS_TEST(events_hold_work_back),
        OBJECTS_TEST(notifications),
        OBJECTS_TEST(copies),
        OBJECTS_TEST(hangs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
