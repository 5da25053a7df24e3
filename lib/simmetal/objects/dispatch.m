/* A small Grand Central Dispatch over POSIX threads. A concurrent queue gives each block a thread
 * of its own; a serial queue keeps one thread while it has work. */
#import <Foundation/Foundation.h>
#include <dispatch/dispatch.h>

#include <Block.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Every object starts with how to free it, and how many references it has. */
struct object {
    void (*destroy)(struct object *object);
    atomic_long references;
};

struct work {
    struct work *next;
    dispatch_function_t function;
    void *context;
    dispatch_queue_t queue;
};

struct dispatch_queue_attr_s {
    char concurrent;
};
struct dispatch_queue_attr_s _dispatch_queue_attr_concurrent = {1};

struct dispatch_queue_s {
    struct object object;
    int concurrent;
    int running; /* a serial queue's thread is alive */
    pthread_mutex_t lock;
    struct work *first, *last;
};

struct dispatch_group_s {
    struct object object;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    long count;
};

struct dispatch_semaphore_s {
    struct object object;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    intptr_t value;
};

static void *allocate(size_t size, void (*destroy)(struct object *object)) {
    struct object *object = calloc(1, size);
    if (!object) {
        fputs("simmetal: dispatch: out of memory\n", stderr);
        abort();
    }
    object->destroy = destroy;
    atomic_init(&object->references, 1);
    return object;
}

void dispatch_retain(dispatch_object_t object) {
    atomic_fetch_add(&((struct object *)object)->references, 1);
}

void dispatch_release(dispatch_object_t object) {
    struct object *released = object;
    if (atomic_fetch_sub(&released->references, 1) == 1)
        released->destroy(released);
}

/* Time. */

static void init_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * NSEC_PER_SEC + (uint64_t)time.tv_nsec;
}

dispatch_time_t dispatch_time(dispatch_time_t when, int64_t nanoseconds) {
    if (when == DISPATCH_TIME_FOREVER)
        return when;
    return (when == DISPATCH_TIME_NOW ? now() : when) + (uint64_t)nanoseconds;
}

/* Waits for a change; non-zero when the time is over. */
static int wait_for(pthread_cond_t *condition, pthread_mutex_t *lock, dispatch_time_t timeout) {
    if (timeout == DISPATCH_TIME_FOREVER)
        return pthread_cond_wait(condition, lock);
    if (timeout == DISPATCH_TIME_NOW)
        return ETIMEDOUT;
    struct timespec time = {(time_t)(timeout / NSEC_PER_SEC), (long)(timeout % NSEC_PER_SEC)};
    return pthread_cond_timedwait(condition, lock, &time);
}

/* Queues. */

static void queue_destroy(struct object *object) {
    pthread_mutex_destroy(&((dispatch_queue_t)object)->lock);
    free(object);
}

dispatch_queue_t dispatch_queue_create(const char *label, dispatch_queue_attr_t attr) {
    (void)label;
    dispatch_queue_t queue = allocate(sizeof *queue, queue_destroy);
    queue->concurrent = attr == DISPATCH_QUEUE_CONCURRENT;
    pthread_mutex_init(&queue->lock, NULL);
    return queue;
}

static dispatch_queue_t global_queue;

static void create_global_queue(void) {
    global_queue = dispatch_queue_create("global", DISPATCH_QUEUE_CONCURRENT);
}

dispatch_queue_t dispatch_get_global_queue(intptr_t identifier, uintptr_t flags) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)identifier;
    (void)flags;
    pthread_once(&once, create_global_queue);
    return global_queue;
}

static void run(struct work *work) {
    @autoreleasepool {
        work->function(work->context);
    }
    dispatch_release(work->queue);
    free(work);
}

static void *run_one(void *work) {
    run(work);
    return NULL;
}

static void *run_serial(void *argument) {
    dispatch_queue_t queue = argument;
    for (;;) {
        pthread_mutex_lock(&queue->lock);
        struct work *work = queue->first;
        if (work)
            queue->first = work->next;
        else
            queue->running = 0;
        pthread_mutex_unlock(&queue->lock);
        if (!work)
            break;
        run(work);
    }
    dispatch_release(queue);
    return NULL;
}

static void start(void *(*function)(void *), void *argument) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, function, argument) != 0) {
        fputs("simmetal: dispatch: cannot start a thread\n", stderr);
        abort();
    }
    pthread_detach(thread);
}

void dispatch_async_f(dispatch_queue_t queue, void *context, dispatch_function_t function) {
    struct work *work = calloc(1, sizeof *work);
    if (!work) {
        fputs("simmetal: dispatch: out of memory\n", stderr);
        abort();
    }
    *work = (struct work){NULL, function, context, queue};
    dispatch_retain(queue);
    if (queue->concurrent) {
        start(run_one, work);
        return;
    }
    pthread_mutex_lock(&queue->lock);
    if (queue->first)
        queue->last->next = work;
    else
        queue->first = work;
    queue->last = work;
    int idle = !queue->running;
    queue->running = 1;
    pthread_mutex_unlock(&queue->lock);
    if (idle) {
        dispatch_retain(queue);
        start(run_serial, queue);
    }
}

static void call_block(void *block) {
    ((dispatch_block_t)block)();
    Block_release(block);
}

void dispatch_async(dispatch_queue_t queue, dispatch_block_t block) {
    dispatch_async_f(queue, Block_copy(block), call_block);
}

void dispatch_sync(dispatch_queue_t queue, dispatch_block_t block) {
    if (queue->concurrent) {
        block();
        return;
    }
    dispatch_group_t group = dispatch_group_create();
    dispatch_group_async(group, queue, block);
    dispatch_group_wait(group, DISPATCH_TIME_FOREVER);
    dispatch_release(group);
}

void dispatch_apply(size_t iterations, dispatch_queue_t queue, void (^block)(size_t iteration)) {
    /* The last iteration runs here, so that one alone needs no thread. */
    dispatch_group_t group = dispatch_group_create();
    for (size_t i = 0; i + 1 < iterations; i++) {
        dispatch_group_async(group, queue, ^{
          block(i);
        });
    }
    if (iterations)
        block(iterations - 1);
    dispatch_group_wait(group, DISPATCH_TIME_FOREVER);
    dispatch_release(group);
}

void dispatch_once(dispatch_once_t *predicate, dispatch_block_t block) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    enum { NEVER, NOW, DONE };
    if (__atomic_load_n(predicate, __ATOMIC_ACQUIRE) == DONE)
        return;
    pthread_mutex_lock(&lock);
    while (*predicate == NOW)
        pthread_cond_wait(&changed, &lock);
    if (*predicate == NEVER) {
        *predicate = NOW;
        pthread_mutex_unlock(&lock);
        block();
        pthread_mutex_lock(&lock);
        __atomic_store_n(predicate, DONE, __ATOMIC_RELEASE);
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
}

/* Groups. */

static void group_destroy(struct object *object) {
    pthread_mutex_destroy(&((dispatch_group_t)object)->lock);
    pthread_cond_destroy(&((dispatch_group_t)object)->changed);
    free(object);
}

dispatch_group_t dispatch_group_create(void) {
    dispatch_group_t group = allocate(sizeof *group, group_destroy);
    pthread_mutex_init(&group->lock, NULL);
    init_condition(&group->changed);
    return group;
}

void dispatch_group_enter(dispatch_group_t group) {
    dispatch_retain(group);
    pthread_mutex_lock(&group->lock);
    group->count++;
    pthread_mutex_unlock(&group->lock);
}

void dispatch_group_leave(dispatch_group_t group) {
    pthread_mutex_lock(&group->lock);
    if (--group->count == 0)
        pthread_cond_broadcast(&group->changed);
    pthread_mutex_unlock(&group->lock);
    dispatch_release(group);
}

void dispatch_group_async(dispatch_group_t group, dispatch_queue_t queue, dispatch_block_t block) {
    dispatch_group_enter(group);
    dispatch_async(queue, ^{
      block();
      dispatch_group_leave(group);
    });
}

intptr_t dispatch_group_wait(dispatch_group_t group, dispatch_time_t timeout) {
    pthread_mutex_lock(&group->lock);
    int result = 0;
    while (group->count > 0 && result == 0)
        result = wait_for(&group->changed, &group->lock, timeout);
    pthread_mutex_unlock(&group->lock);
    return result;
}

/* Semaphores. */

static void semaphore_destroy(struct object *object) {
    pthread_mutex_destroy(&((dispatch_semaphore_t)object)->lock);
    pthread_cond_destroy(&((dispatch_semaphore_t)object)->changed);
    free(object);
}

dispatch_semaphore_t dispatch_semaphore_create(intptr_t value) {
    if (value < 0)
        return NULL;
    dispatch_semaphore_t semaphore = allocate(sizeof *semaphore, semaphore_destroy);
    pthread_mutex_init(&semaphore->lock, NULL);
    init_condition(&semaphore->changed);
    semaphore->value = value;
    return semaphore;
}

intptr_t dispatch_semaphore_signal(dispatch_semaphore_t semaphore) {
    pthread_mutex_lock(&semaphore->lock);
    semaphore->value++;
    pthread_cond_signal(&semaphore->changed);
    pthread_mutex_unlock(&semaphore->lock);
    return 0;
}

intptr_t dispatch_semaphore_wait(dispatch_semaphore_t semaphore, dispatch_time_t timeout) {
    pthread_mutex_lock(&semaphore->lock);
    int result = 0;
    while (semaphore->value == 0 && result == 0)
        result = wait_for(&semaphore->changed, &semaphore->lock, timeout);
    if (semaphore->value > 0) {
        semaphore->value--;
        result = 0;
    }
    pthread_mutex_unlock(&semaphore->lock);
    return result;
}

/* Data. */

dispatch_data_t dispatch_data_create(const void *buffer, size_t size, dispatch_queue_t queue,
                                     dispatch_block_t destructor) {
    (void)queue;
    (void)destructor;
    return [[NSData alloc] initWithBytes:buffer length:size];
}

size_t dispatch_data_get_size(dispatch_data_t data) {
    return [data length];
}
