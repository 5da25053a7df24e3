/* GPU counters: the words that the device's answers need. */
#ifndef SIMMETAL_MTLCOUNTERS_H
#define SIMMETAL_MTLCOUNTERS_H

#import <Metal/MTLDefines.h>

typedef uint64_t MTLTimestamp;

typedef NS_ENUM(NSUInteger, MTLCounterSamplingPoint) {
    MTLCounterSamplingPointAtStageBoundary = 0,
    MTLCounterSamplingPointAtDrawBoundary = 1,
    MTLCounterSamplingPointAtDispatchBoundary = 2,
    MTLCounterSamplingPointAtTileDispatchBoundary = 3,
    MTLCounterSamplingPointAtBlitBoundary = 4,
};

@protocol MTLCounter <NSObject>
@property (readonly) NSString *name;
@end

@protocol MTLCounterSet <NSObject>
@property (readonly) NSString *name;
@property (readonly) NSArray<id<MTLCounter>> *counters;
@end

#endif
