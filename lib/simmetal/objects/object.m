/* What the objects that a device makes have in common. */
#include "object.h"

#include <Block.h>
#include <pthread.h>

@implementation SimObject

- (instancetype)initWithDevice:(_MTLDevice *)device {
    if ((self = [super init]))
        _device = [device retain];
    return self;
}

- (void)dealloc {
    [_label release];
    [_device release];
    [super dealloc];
}

- (_MTLDevice *)device {
    return _device;
}

- (NSString *)label {
    @synchronized(self) {
        return [[_label retain] autorelease];
    }
}

- (void)setLabel:(NSString *)label {
    NSString *copy = [label copy];
    @synchronized(self) {
        [_label autorelease];
        _label = copy;
    }
}

- (BOOL)hasFault:(enum simmetal_fault)fault {
    return ([_device simConfig]->faults & fault) != 0;
}

@end

NSError *simmetal_error(NSString *domain, NSInteger code, NSString *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    NSString *text = [[[NSString alloc] initWithFormat:format arguments:arguments] autorelease];
    va_end(arguments);
    return [NSError errorWithDomain:domain code:code userInfo:@{NSLocalizedDescriptionKey : text}];
}

id simmetal_fail(NSError **error, NSError *value) {
    if (error)
        *error = value;
    return nil;
}

static pthread_mutex_t gpu_lock;
static pthread_cond_t gpu_condition;

static void init_gpu(void) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&gpu_lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&gpu_condition, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

void simmetal_gpu_lock(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init_gpu);
    pthread_mutex_lock(&gpu_lock);
}

void simmetal_gpu_unlock(void) {
    pthread_mutex_unlock(&gpu_lock);
}

void simmetal_gpu_changed(void) {
    pthread_cond_broadcast(&gpu_condition);
}

BOOL simmetal_gpu_wait(const struct timespec *deadline) {
    if (!deadline)
        return pthread_cond_wait(&gpu_condition, &gpu_lock) == 0;
    return pthread_cond_timedwait(&gpu_condition, &gpu_lock, deadline) == 0;
}

void simmetal_blocks_add(struct simmetal_blocks *blocks, void *block) {
    if (blocks->count == blocks->capacity) {
        NSUInteger capacity = blocks->capacity ? 2 * blocks->capacity : 4;
        void **list = realloc(blocks->list, capacity * sizeof *list);
        if (!list)
            [NSException raise:NSMallocException format:@"simmetal: no memory for a block"];
        blocks->list = list;
        blocks->capacity = capacity;
    }
    blocks->list[blocks->count++] = _Block_copy(block);
}

void simmetal_blocks_free(struct simmetal_blocks *blocks) {
    for (NSUInteger i = 0; i < blocks->count; i++)
        _Block_release(blocks->list[i]);
    free(blocks->list);
    *blocks = (struct simmetal_blocks){NULL, 0, 0};
}
