/* What the tests of the simulated Metal's objects share. */
#ifndef OBJECTS_TEST_H
#define OBJECTS_TEST_H

#import <Metal/Metal.h>
#import <simmetal.h>

#import <setjmp.h>
#import <stdarg.h>
#import <stddef.h>
#import <stdint.h>
#import <stdlib.h>
#import <string.h>

#import <cmocka.h>

/* A new device of a built-in machine; the caller releases it. */
static inline id<MTLDevice> device_of(const char *machine) {
    id<MTLDevice> device = (id<MTLDevice>)simmetal_create_device(machine);
    assert_non_null(device);
    return device;
}

/* Each test has a pool of its own. */
static inline int set_up(void **state) {
    *state = [[NSAutoreleasePool alloc] init];
    return 0;
}

static inline int tear_down(void **state) {
    [(NSAutoreleasePool *)*state drain];
    return 0;
}

#define OBJECTS_TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

#endif
