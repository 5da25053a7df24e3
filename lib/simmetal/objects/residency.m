/* Residency sets. What is committed is what the set says it holds; nothing is ever paged out. */
#include "object.h"

@implementation MTLResidencySetDescriptor
@synthesize label = _label;
@synthesize initialCapacity = _initialCapacity;

- (id)copyWithZone:(NSZone *)zone {
    MTLResidencySetDescriptor *copy = [[MTLResidencySetDescriptor allocWithZone:zone] init];
    [copy setLabel:_label];
    [copy setInitialCapacity:_initialCapacity];
    return copy;
}

- (void)dealloc {
    [_label release];
    [super dealloc];
}

@end

@interface SimResidencySet : SimObject <MTLResidencySet> {
    NSMutableSet *_pending, *_committed;
}
@end

@implementation SimResidencySet

- (instancetype)initWithDevice:(_MTLDevice *)device {
    if ((self = [super initWithDevice:device])) {
        _pending = [[NSMutableSet alloc] init];
        _committed = [[NSMutableSet alloc] init];
    }
    return self;
}

- (void)dealloc {
    [_pending release];
    [_committed release];
    [super dealloc];
}

- (uint64_t)allocatedSize {
    uint64_t size = 0;
    @synchronized(self) {
        for (id<MTLAllocation> allocation in _committed)
            size += [allocation allocatedSize];
    }
    return size;
}

- (NSArray *)allAllocations {
    @synchronized(self) {
        return [_committed allObjects];
    }
}

- (NSUInteger)allocationCount {
    @synchronized(self) {
        return [_committed count];
    }
}

- (BOOL)containsAllocation:(id<MTLAllocation>)allocation {
    @synchronized(self) {
        return [_pending containsObject:allocation];
    }
}

- (void)addAllocation:(id<MTLAllocation>)allocation {
    [self addAllocations:&allocation count:1];
}

- (void)addAllocations:(const id<MTLAllocation>[])allocations count:(NSUInteger)count {
    @synchronized(self) {
        for (NSUInteger i = 0; i < count; i++) {
            if (allocations[i])
                [_pending addObject:allocations[i]];
        }
    }
}

- (void)removeAllocation:(id<MTLAllocation>)allocation {
    [self removeAllocations:&allocation count:1];
}

- (void)removeAllocations:(const id<MTLAllocation>[])allocations count:(NSUInteger)count {
    @synchronized(self) {
        for (NSUInteger i = 0; i < count; i++) {
            if (allocations[i])
                [_pending removeObject:allocations[i]];
        }
    }
}

- (void)removeAllAllocations {
    @synchronized(self) {
        [_pending removeAllObjects];
    }
}

- (void)commit {
    @autoreleasepool {
        @synchronized(self) {
            [_committed setSet:_pending];
        }
    }
}

- (void)requestResidency {
}

- (void)endResidency {
}

@end

@implementation _MTLDevice (Residency)

- (id<MTLResidencySet>)newResidencySetWithDescriptor:(MTLResidencySetDescriptor *)descriptor
                                               error:(NSError **)error {
    uint32_t faults = [self simConfig]->faults;
    if (faults & SIMMETAL_FAULT_RESIDENCY_SET_NIL)
        return simmetal_fail(error, nil);
    if (faults & SIMMETAL_FAULT_RESIDENCY_SET_ERROR) {
        return simmetal_fail(error, simmetal_error(@"MTLResidencySetErrorDomain", 1,
                                                   @"Unable to construct residency set"));
    }
    SimResidencySet *set = [[SimResidencySet alloc] initWithDevice:self];
    [set setLabel:[descriptor label]];
    simmetal_fail(error, nil);
    return set;
}

@end
