/* Devices that are no subclass of Metal's own. */
#import "odd_devices.h"

#import <Foundation/Foundation.h>
#import <Metal/Metal.h>

@interface SparseDevice : NSObject <MTLDevice>
@end

@implementation SparseDevice
- (NSString *)name {
    return @"Sparse device";
}

- (BOOL)supportsFamily:(MTLGPUFamily)family {
    return family >= 1001 && family <= 1005;
}

- (BOOL)hasUnifiedMemory {
    return NO;
}
@end

struct pair {
    long a, b;
};

/* Of no protocol, so that the compiler lets the methods have other types. */
@interface OddMethods : NSObject
@end

@implementation OddMethods
- (NSString *)name {
    return @"Odd device";
}

- (BOOL)supportsFamily:(struct pair)family {
    return family.a == family.b;
}

- (double)maxBufferLength {
    return 1.5;
}

- (id)isHeadless {
    return nil;
}

- (BOOL)hasUnifiedMemory {
    return NO;
}
@end

@interface OddDevice : OddMethods <MTLDevice>
@end

@implementation OddDevice
@end

void *make_sparse_device(void) {
    return [[SparseDevice alloc] init];
}

void *make_odd_device(void) {
    return [[OddDevice alloc] init];
}

void *make_string(void) {
    return [[NSString alloc] initWithUTF8String:"not a device"];
}

void *make_plain_object(void) {
    return [[NSObject alloc] init];
}

void *class_of_string(void) {
    return [NSString class];
}
