/* The part of Grand Central Dispatch that Metal programs use. Queues, groups and semaphores are
 * plain C objects; dispatch_data_t is an Objective-C object, as on a Mac.
 *
 * Linux has a libdispatch too, Swift's, and its users must get that one, whatever else is in the
 * process: to the linker all names here begin with simmetal_. */
#ifndef SIMMETAL_DISPATCH_H
#define SIMMETAL_DISPATCH_H

#include <stddef.h>
#include <stdint.h>
#ifdef __BLOCKS__
#include <Block.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define SIMMETAL_NAMED(name) __asm__("simmetal_" #name)

typedef struct dispatch_queue_s *dispatch_queue_t;
typedef struct dispatch_queue_attr_s *dispatch_queue_attr_t;
typedef struct dispatch_group_s *dispatch_group_t;
typedef struct dispatch_semaphore_s *dispatch_semaphore_t;
typedef void *dispatch_object_t;
typedef void (*dispatch_function_t)(void *context);
#ifdef __BLOCKS__
typedef void (^dispatch_block_t)(void);
#endif
typedef long dispatch_once_t;
typedef uint64_t dispatch_time_t;

#ifdef __OBJC__
@class NSData;
typedef NSData *dispatch_data_t;
#else
typedef void *dispatch_data_t;
#endif

#define DISPATCH_TIME_NOW ((dispatch_time_t)0)
#define DISPATCH_TIME_FOREVER ((dispatch_time_t)~0ull)
#define NSEC_PER_SEC 1000000000ull
#define NSEC_PER_MSEC 1000000ull
#define NSEC_PER_USEC 1000ull

enum {
    QOS_CLASS_USER_INTERACTIVE = 0x21,
    QOS_CLASS_USER_INITIATED = 0x19,
    QOS_CLASS_DEFAULT = 0x15,
    QOS_CLASS_UTILITY = 0x11,
    QOS_CLASS_BACKGROUND = 0x09,
    QOS_CLASS_UNSPECIFIED = 0x00,
};
#define DISPATCH_QUEUE_PRIORITY_HIGH 2
#define DISPATCH_QUEUE_PRIORITY_DEFAULT 0
#define DISPATCH_QUEUE_PRIORITY_LOW (-2)
#define DISPATCH_QUEUE_PRIORITY_BACKGROUND (-32768)

extern struct dispatch_queue_attr_s
    _dispatch_queue_attr_concurrent SIMMETAL_NAMED(_dispatch_queue_attr_concurrent);
#define DISPATCH_QUEUE_SERIAL ((dispatch_queue_attr_t)0)
#define DISPATCH_QUEUE_CONCURRENT (&_dispatch_queue_attr_concurrent)

void dispatch_retain(dispatch_object_t object) SIMMETAL_NAMED(dispatch_retain);
void dispatch_release(dispatch_object_t object) SIMMETAL_NAMED(dispatch_release);

dispatch_queue_t dispatch_queue_create(const char *label, dispatch_queue_attr_t attr)
    SIMMETAL_NAMED(dispatch_queue_create);
dispatch_queue_t dispatch_get_global_queue(intptr_t identifier, uintptr_t flags)
    SIMMETAL_NAMED(dispatch_get_global_queue);
void dispatch_async_f(dispatch_queue_t queue, void *context, dispatch_function_t function)
    SIMMETAL_NAMED(dispatch_async_f);

dispatch_group_t dispatch_group_create(void) SIMMETAL_NAMED(dispatch_group_create);
void dispatch_group_enter(dispatch_group_t group) SIMMETAL_NAMED(dispatch_group_enter);
void dispatch_group_leave(dispatch_group_t group) SIMMETAL_NAMED(dispatch_group_leave);
/* Zero when the group is empty, non-zero when the time is over first. */
intptr_t dispatch_group_wait(dispatch_group_t group, dispatch_time_t timeout)
    SIMMETAL_NAMED(dispatch_group_wait);

dispatch_semaphore_t dispatch_semaphore_create(intptr_t value)
    SIMMETAL_NAMED(dispatch_semaphore_create);
intptr_t dispatch_semaphore_signal(dispatch_semaphore_t semaphore)
    SIMMETAL_NAMED(dispatch_semaphore_signal);
intptr_t dispatch_semaphore_wait(dispatch_semaphore_t semaphore, dispatch_time_t timeout)
    SIMMETAL_NAMED(dispatch_semaphore_wait);

dispatch_time_t dispatch_time(dispatch_time_t when, int64_t nanoseconds)
    SIMMETAL_NAMED(dispatch_time);

#ifdef __BLOCKS__
void dispatch_async(dispatch_queue_t queue, dispatch_block_t block) SIMMETAL_NAMED(dispatch_async);
void dispatch_sync(dispatch_queue_t queue, dispatch_block_t block) SIMMETAL_NAMED(dispatch_sync);
void dispatch_apply(size_t iterations, dispatch_queue_t queue, void (^block)(size_t iteration))
    SIMMETAL_NAMED(dispatch_apply);
void dispatch_once(dispatch_once_t *predicate, dispatch_block_t block)
    SIMMETAL_NAMED(dispatch_once);
void dispatch_group_async(dispatch_group_t group, dispatch_queue_t queue, dispatch_block_t block)
    SIMMETAL_NAMED(dispatch_group_async);

/* Copies the bytes; queue and destructor are for bytes that are not copied, and are ignored. */
dispatch_data_t dispatch_data_create(const void *buffer, size_t size, dispatch_queue_t queue,
                                     dispatch_block_t destructor)
    SIMMETAL_NAMED(dispatch_data_create);
#endif
size_t dispatch_data_get_size(dispatch_data_t data) SIMMETAL_NAMED(dispatch_data_get_size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
