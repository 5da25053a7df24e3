/* Devices made by two threads at once. */
#import "simmetal_test.h"

#import <pthread.h>

static pthread_barrier_t barrier;

static void *create_default(void *unused) {
    pthread_barrier_wait(&barrier);
    return MTLCreateSystemDefaultDevice();
}

/* Must be the first test: the list is made once in a process. */
static void the_same_device(void **state) {
    pthread_t threads[4];
    void *devices[4];
    pthread_barrier_init(&barrier, NULL, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, create_default, NULL), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], &devices[i]);
    assert_non_null(devices[0]);
    for (int i = 1; i < 4; i++)
        assert_ptr_equal(devices[i], devices[0]);
    assert_int_equal(simmetal_devices_created(), 1);
    for (int i = 0; i < 4; i++)
        simmetal_release(devices[i]);
    pthread_barrier_destroy(&barrier);
}

static void *create_many(void *machine) {
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 500; i++) {
        void *device = simmetal_create_device(machine);
        if (!device || supports(device, 1005) != 1 || supports(device, 1010) != 0)
            return "wrong";
        simmetal_release(device);
    }
    return NULL;
}

static void two_classes(void **state) {
    unsigned before = simmetal_devices_created();
    pthread_t threads[2];
    void *wrong[2];
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&threads[0], NULL, create_many, "paravirt");
    pthread_create(&threads[1], NULL, create_many, "m2");
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], &wrong[i]);
        assert_null(wrong[i]);
    }
    assert_int_equal(simmetal_devices_created(), before + 1000);
    pthread_barrier_destroy(&barrier);
}

static bool stop;

static void *keep_asking(void *device) {
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
        if (supports(device, 1001) != 1)
            return "wrong";
    return NULL;
}

static IMP stock;

static uint64_t pass_on(id self, SEL _cmd, int64_t family) {
    return ((uint64_t (*)(id, SEL, int64_t))stock)(self, _cmd, family);
}

/* Changing an inherited method is safe while other threads send to a subclass. */
static void flips_under_senders(void **state) {
    void *device = simmetal_create_device("paravirt");
    Method method =
        class_getInstanceMethod(objc_getClass("_MTLDevice"), @selector(supportsFamily:));
    stock = method_getImplementation(method);
    supports(device, 1001);
    pthread_t thread;
    void *wrong;
    pthread_create(&thread, NULL, keep_asking, device);
    for (int i = 0; i < 2000; i++)
        method_setImplementation(method, i % 2 ? stock : (IMP)pass_on);
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    pthread_join(thread, &wrong);
    assert_null(wrong);
    simmetal_release(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_device),
        cmocka_unit_test(two_classes),
        cmocka_unit_test(flips_under_senders),
    };
    @autoreleasepool {
        return cmocka_run_group_tests(tests, NULL, NULL);
    }
}
