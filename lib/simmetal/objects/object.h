/* What the objects that a device makes have in common. */
#ifndef SIMMETAL_OBJECT_H
#define SIMMETAL_OBJECT_H

#include "device.h"

#include <time.h>

/* Devices' methods that make objects stand in categories, each next to its objects. */
#pragma clang diagnostic ignored "-Wobjc-protocol-method-implementation"

/* The device and the label that nearly every object of Metal has. */
@interface SimObject : NSObject {
  @protected
    _MTLDevice *_device;
    NSString *_label;
}
@property (readonly) _MTLDevice *device;
@property (copy) NSString *label;
- (instancetype)initWithDevice:(_MTLDevice *)device;
- (BOOL)hasFault:(enum simmetal_fault)fault;
@end

/* A new error with a text, autoreleased. */
NSError *simmetal_error(NSString *domain, NSInteger code, NSString *format, ...)
    NS_FORMAT_FUNCTION(3, 4);

/* Stores `value` where the caller wants to have it, nil included; returns nil for the caller to
 * return. */
id simmetal_fail(NSError **error, NSError *value);

/* The lock under which command buffers are executed and events change. Recursive: a signal sets off
 * command buffers, which signal. */
void simmetal_gpu_lock(void);
void simmetal_gpu_unlock(void);
/* Tells those who wait that something has changed; the caller holds the lock. */
void simmetal_gpu_changed(void);
/* Waits for a change, holding the lock once; NO when CLOCK_MONOTONIC has passed `deadline` first.
 * NULL waits for ever. */
BOOL simmetal_gpu_wait(const struct timespec *deadline);

/* A list of blocks. Blocks are no Objective-C objects here, so that no NSArray takes them. */
struct simmetal_blocks {
    void **list;
    NSUInteger count, capacity;
};
void simmetal_blocks_add(struct simmetal_blocks *blocks, void *block);
void simmetal_blocks_free(struct simmetal_blocks *blocks);

#endif
