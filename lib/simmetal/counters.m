/* The GPU counters that a device has: Metal's common set of time stamps. */
#import "device.h"

@interface SimCounter : NSObject <MTLCounter>
@end

@implementation SimCounter
- (NSString *)name {
    return @"GPUTimestamp";
}
@end

@interface SimCounterSet : NSObject <MTLCounterSet> {
    NSArray *_counters;
}
@end

@implementation SimCounterSet
- (instancetype)init {
    if ((self = [super init])) {
        SimCounter *counter = [[SimCounter alloc] init];
        _counters = [[NSArray alloc] initWithObjects:counter, nil];
        [counter release];
    }
    return self;
}

- (void)dealloc {
    [_counters release];
    [super dealloc];
}

- (NSString *)name {
    return @"timestamp";
}

- (NSArray *)counters {
    return _counters;
}
@end

@implementation _MTLDevice (Counters)
- (NSArray *)counterSets {
    SimCounterSet *set = [[[SimCounterSet alloc] init] autorelease];
    return [NSArray arrayWithObject:set];
}
@end
