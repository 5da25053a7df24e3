/* The simulated _MTLDevice and its subclasses. */
#ifndef SIMMETAL_DEVICE_H
#define SIMMETAL_DEVICE_H

#include "machine.h"

#import <Foundation/Foundation.h>
#import <Metal/Metal.h>

/* What initLimits took over from the device's answers. */
struct simmetal_limits {
    uint64_t maxBufferLength;
    uint64_t maxComputeThreadgroupMemory;
    uint64_t argumentBuffersSupport;
};

/* The root of Metal's device classes.
 *
 * Methods that answer a capability are C functions, added by +load from the tables in answers.h and
 * answers.m: a BOOL answer must fill the whole register, which a method typed BOOL does not
 * promise. Methods that make objects are in the category Objects. */
@interface _MTLDevice : NSObject <MTLDevice> {
  @protected
    const struct simmetal_device_config *_config;
    struct simmetal_limits _limits;
    int64_t _supportedGPUFamilies[SIMMETAL_MAX_FAMILIES];
    unsigned _supportedGPUFamilyCount;
    uint64_t _features[SIMMETAL_ANSWER_COUNT];
    BOOL _featuresCached;
    BOOL _emulatesBFloat16;
    BOOL _maximizesCompilation;
    uint64_t _allocatedSize;
    uint64_t _registryID;
    NSString *_name;
    MTLArchitecture *_architecture;
    id _wrapper;
}

/* Only sets the device up; initLimits, initFeatureQueries and initWorkarounds follow, in this
 * order, when the device is added to Metal's list. */
- (instancetype)initWithConfig:(const struct simmetal_device_config *)config;
- (void)initLimits;
- (void)initFeatureQueries;
- (void)initGPUFamilySupport;
- (void)initWorkarounds;

- (const struct simmetal_device_config *)simConfig;
- (const struct simmetal_limits *)simLimits;
/* What initFeatureQueries has cached, one for each row of answers.h. */
- (const uint64_t *)simFeatures;
/* Changes currentAllocatedSize; any thread. */
- (void)simAddAllocatedSize:(int64_t)bytes;
/* The outermost tool wrapper, or nil. */
- (id)_deviceWrapper;
- (void)simSetWrapper:(id)wrapper; /* not retained: the wrapper retains the device */
@end

@interface IOGPUMetalDevice : _MTLDevice
@end

@interface MTLIOAccelDevice : _MTLDevice
@end

#define SIMMETAL_INTERFACE(name, superclass)                                                       \
    @interface name : superclass                                                                   \
    @end
SIMMETAL_INTERFACE(AGXG13FamilyDevice, IOGPUMetalDevice)
SIMMETAL_INTERFACE(AGXG14FamilyDevice, IOGPUMetalDevice)
SIMMETAL_INTERFACE(AGXG15FamilyDevice, IOGPUMetalDevice)
SIMMETAL_INTERFACE(AGXG16FamilyDevice, IOGPUMetalDevice)
SIMMETAL_INTERFACE(AGXG17FamilyDevice, IOGPUMetalDevice)
SIMMETAL_DEVICE_CLASSES(SIMMETAL_INTERFACE)
#undef SIMMETAL_INTERFACE

#endif
