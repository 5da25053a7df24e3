/* Command queues. */
#include "queue.h"

@implementation MTLCommandQueueDescriptor
@synthesize maxCommandBufferCount = _maxCommandBufferCount;
@synthesize logState = _logState;

- (instancetype)init {
    if ((self = [super init]))
        _maxCommandBufferCount = 64;
    return self;
}

- (id)copyWithZone:(NSZone *)zone {
    MTLCommandQueueDescriptor *copy = [[MTLCommandQueueDescriptor allocWithZone:zone] init];
    [copy setMaxCommandBufferCount:_maxCommandBufferCount];
    [copy setLogState:_logState];
    return copy;
}

- (void)dealloc {
    [_logState release];
    [super dealloc];
}

@end

@implementation SimCommandQueue

- (instancetype)initWithDevice:(_MTLDevice *)device {
    if ((self = [super initWithDevice:device]))
        _pending = [[NSMutableArray alloc] init];
    return self;
}

- (void)dealloc {
    [_pending release];
    [super dealloc];
}

- (id<MTLCommandBuffer>)commandBuffer {
    return [[[SimCommandBuffer alloc] initWithQueue:self retained:YES] autorelease];
}

- (id<MTLCommandBuffer>)commandBufferWithUnretainedReferences {
    return [[[SimCommandBuffer alloc] initWithQueue:self retained:NO] autorelease];
}

- (id<MTLCommandBuffer>)commandBufferWithDescriptor:(MTLCommandBufferDescriptor *)descriptor {
    return [[[SimCommandBuffer alloc] initWithQueue:self
                                           retained:[descriptor retainedReferences]] autorelease];
}

- (void)insertDebugCaptureBoundary {
}

/* Everything is always resident. */
- (void)addResidencySet:(id<MTLResidencySet>)residencySet {
    (void)residencySet;
}

- (void)addResidencySets:(const id<MTLResidencySet>[])residencySets count:(NSUInteger)count {
    (void)residencySets;
    (void)count;
}

- (void)removeResidencySet:(id<MTLResidencySet>)residencySet {
    (void)residencySet;
}

- (void)removeResidencySets:(const id<MTLResidencySet>[])residencySets count:(NSUInteger)count {
    (void)residencySets;
    (void)count;
}

- (void)simEnqueue:(SimCommandBuffer *)buffer {
    [_pending addObject:buffer];
}

- (void)simDrain {
    if (_draining)
        return; /* a step of this very queue has signalled; the loop below goes on */
    _draining = YES;
    [self retain];
    while ([_pending count] && [[_pending objectAtIndex:0] simExecute])
        [_pending removeObjectAtIndex:0];
    _draining = NO;
    [self release];
}

@end

@implementation _MTLDevice (Queues)

- (id<MTLCommandQueue>)newCommandQueue {
    return [[SimCommandQueue alloc] initWithDevice:self];
}

- (id<MTLCommandQueue>)newCommandQueueWithMaxCommandBufferCount:(NSUInteger)count {
    return count ? [self newCommandQueue] : nil;
}

- (id<MTLCommandQueue>)newCommandQueueWithDescriptor:(MTLCommandQueueDescriptor *)descriptor {
    return [self newCommandQueueWithMaxCommandBufferCount:[descriptor maxCommandBufferCount]];
}

@end
