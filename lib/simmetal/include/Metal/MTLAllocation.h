/* What a residency set can hold. */
#ifndef SIMMETAL_MTLALLOCATION_H
#define SIMMETAL_MTLALLOCATION_H

#import <Metal/MTLDefines.h>

@protocol MTLAllocation <NSObject>
@property (readonly) NSUInteger allocatedSize;
@end

#endif
