/* Apple's messenger by name, blocks that retain, and the small Grand Central Dispatch. */
#import "objects_test.h"

#include <objc/runtime.h>
#include <pthread.h>

extern id objc_msgSend(id receiver, SEL selector, ...);
extern void objc_msgSend_stret(id receiver, SEL selector, ...);

@interface Sums : NSObject
- (double)sum:(double)a and:(int)b and:(float)c;
- (long)eight:(long)a
         with:(long)b
         with:(long)c
         with:(long)d
         with:(long)e
         with:(long)f
         with:(long)g
         with:(long)h;
- (MTLSize)sizeOf:(long)width;
@end

@implementation Sums

- (double)sum:(double)a and:(int)b and:(float)c {
    return a + b + c;
}

- (long)eight:(long)a
         with:(long)b
         with:(long)c
         with:(long)d
         with:(long)e
         with:(long)f
         with:(long)g
         with:(long)h {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}

- (MTLSize)sizeOf:(long)width {
    return MTLSizeMake((NSUInteger)width, 2, 3);
}

@end

static void messenger(void **state) {
    (void)state;
    Sums *sums = [[[Sums alloc] init] autorelease];
    double (*sum)(id, SEL, double, int, float) =
        (double (*)(id, SEL, double, int, float))objc_msgSend;
    assert_true(sum(sums, @selector(sum:and:and:), 1.5, 2, 0.25f) == 3.75);
    long (*eight)(id, SEL, long, long, long, long, long, long, long, long) =
        (long (*)(id, SEL, long, long, long, long, long, long, long, long))objc_msgSend;
    SEL selector = sel_registerName("eight:with:with:with:with:with:with:with:");
    assert_int_equal(eight(sums, selector, 1, 2, 3, 4, 5, 6, 7, 8), 204);
    assert_null(objc_msgSend(nil, @selector(self)));
#if defined(__x86_64__)
    MTLSize (*size)(id, SEL, long) = (MTLSize(*)(id, SEL, long))objc_msgSend_stret;
#else
    MTLSize (*size)(id, SEL, long) = (MTLSize(*)(id, SEL, long))objc_msgSend;
#endif
    MTLSize result = size(sums, @selector(sizeOf:), 9);
    assert_int_equal(result.width, 9);
    assert_int_equal(result.depth, 3);
}

static void blocks_retain(void **state) {
    (void)state;
    NSObject *object = [[NSObject alloc] init];
    void (^block)(void) = Block_copy(^{
      (void)object;
    });
    assert_int_equal([object retainCount], 2);
    Block_release(block);
    assert_int_equal([object retainCount], 1);
    [object release];
}

static void groups_and_queues(void **state) {
    (void)state;
    dispatch_queue_t serial = dispatch_queue_create("test", DISPATCH_QUEUE_SERIAL);
    dispatch_queue_t global = dispatch_get_global_queue(QOS_CLASS_DEFAULT, 0);
    dispatch_group_t group = dispatch_group_create();
    __block int ordered = 0;
    __block int total = 0;
    for (int i = 0; i < 100; i++) {
        dispatch_group_async(group, serial, ^{
          ordered = ordered == i ? i + 1 : -1;
        });
        dispatch_group_async(group, global, ^{
          __atomic_add_fetch(&total, 1, __ATOMIC_RELAXED);
        });
    }
    assert_int_equal(dispatch_group_wait(group, DISPATCH_TIME_FOREVER), 0);
    assert_int_equal(ordered, 100);
    assert_int_equal(total, 100);
    dispatch_group_enter(group);
    assert_int_not_equal(dispatch_group_wait(group, dispatch_time(DISPATCH_TIME_NOW, 1000)), 0);
    dispatch_group_leave(group);

    int counts[8] = {0}, *seen = counts;
    dispatch_apply(8, global, ^(size_t i) {
      seen[i]++;
    });
    for (int i = 0; i < 8; i++)
        assert_int_equal(seen[i], 1);
    dispatch_sync(serial, ^{
      ordered = 0;
    });
    assert_int_equal(ordered, 0);
    dispatch_release(group);
    dispatch_release(serial);
}

static void *initialise(void *argument) {
    static dispatch_once_t once;
    int *count = argument;
    dispatch_once(&once, ^{
      ++*count;
    });
    assert_int_equal(*count, 1);
    return NULL;
}

static void once(void **state) {
    (void)state;
    int count = 0;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, initialise, &count);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(count, 1);
}

static void pages(void **state) {
    (void)state;
    vm_address_t address = 0;
    assert_int_equal(vm_allocate(mach_task_self(), &address, 100000, VM_FLAGS_ANYWHERE),
                     KERN_SUCCESS);
    memset((void *)address, 1, 100000);
    assert_int_equal(vm_deallocate(mach_task_self(), address, 100000), KERN_SUCCESS);
    assert_int_equal(vm_allocate(99, &address, 1, VM_FLAGS_ANYWHERE), KERN_INVALID_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        OBJECTS_TEST(messenger), OBJECTS_TEST(blocks_retain), OBJECTS_TEST(groups_and_queues),
        OBJECTS_TEST(once),      OBJECTS_TEST(pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
