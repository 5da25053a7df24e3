/* The part of Grand Central Dispatch that Metal programs use. Queues, groups and semaphores are
 * plain C objects; dispatch_data_t is an Objective-C object, as on a Mac. */
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

extern struct dispatch_queue_attr_s _dispatch_queue_attr_concurrent;
#define DISPATCH_QUEUE_SERIAL ((dispatch_queue_attr_t)0)
#define DISPATCH_QUEUE_CONCURRENT (&_dispatch_queue_attr_concurrent)

void dispatch_retain(dispatch_object_t object);
void dispatch_release(dispatch_object_t object);

dispatch_queue_t dispatch_queue_create(const char *label, dispatch_queue_attr_t attr);
dispatch_queue_t dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);
void dispatch_async_f(dispatch_queue_t queue, void *context, dispatch_function_t function);

dispatch_group_t dispatch_group_create(void);
void dispatch_group_enter(dispatch_group_t group);
void dispatch_group_leave(dispatch_group_t group);
/* Zero when the group is empty, non-zero when the time is over first. */
intptr_t dispatch_group_wait(dispatch_group_t group, dispatch_time_t timeout);

dispatch_semaphore_t dispatch_semaphore_create(intptr_t value);
intptr_t dispatch_semaphore_signal(dispatch_semaphore_t semaphore);
intptr_t dispatch_semaphore_wait(dispatch_semaphore_t semaphore, dispatch_time_t timeout);

dispatch_time_t dispatch_time(dispatch_time_t when, int64_t nanoseconds);

#ifdef __BLOCKS__
void dispatch_async(dispatch_queue_t queue, dispatch_block_t block);
void dispatch_sync(dispatch_queue_t queue, dispatch_block_t block);
void dispatch_apply(size_t iterations, dispatch_queue_t queue, void (^block)(size_t iteration));
void dispatch_once(dispatch_once_t *predicate, dispatch_block_t block);
void dispatch_group_async(dispatch_group_t group, dispatch_queue_t queue, dispatch_block_t block);

/* Copies the bytes; queue and destructor are for bytes that are not copied, and are ignored. */
dispatch_data_t dispatch_data_create(const void *buffer, size_t size, dispatch_queue_t queue,
                                     dispatch_block_t destructor);
#endif
size_t dispatch_data_get_size(dispatch_data_t data);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
