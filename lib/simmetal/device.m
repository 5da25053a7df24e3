/* _MTLDevice: what a device is made of, and the order in which Metal initialises it. */
#import "device.h"
#import "methods.h"

#import <objc/runtime.h>

@implementation MTLArchitecture
@synthesize name = _name;

- (void)dealloc {
    [_name release];
    [super dealloc];
}

- (id)copyWithZone:(NSZone *)zone {
    return [self retain];
}
@end

@interface MTLArchitecture (Making)
- (instancetype)initWithName:(const char *)name;
@end

@implementation MTLArchitecture (Making)
- (instancetype)initWithName:(const char *)name {
    if ((self = [super init]))
        _name = [[NSString alloc] initWithUTF8String:name];
    return self;
}
@end

@implementation _MTLDevice

+ (void)load {
    simmetal_add_methods(self, SIMMETAL_ROOT);
}

- (instancetype)initWithConfig:(const struct simmetal_device_config *)config {
    /* An IORegistry entry's number; the first ones belong to the system. */
    static uint64_t registry = 0x100000300;
    if (!(self = [super init]))
        return nil;
    _config = config;
    _registryID = __atomic_add_fetch(&registry, 1, __ATOMIC_RELAXED);
    _name = [[NSString alloc] initWithUTF8String:config->name];
    if (config->architecture[0])
        _architecture = [[MTLArchitecture alloc] initWithName:config->architecture];
    return self;
}

- (void)dealloc {
    [_name release];
    [_architecture release];
    [super dealloc];
}

- (void)initLimits {
    _limits.argumentBuffersSupport = [self argumentBuffersSupport];
    _limits.maxBufferLength = [self maxBufferLength];
    _limits.maxComputeThreadgroupMemory = [self maxThreadgroupMemoryLength];
}

/* Metal keeps what each supports... selector answers now; a machine with derived = cached goes on
 * to answer from it. */
- (void)initFeatureQueries {
    [self initGPUFamilySupport];
    for (unsigned i = 0; i < SIMMETAL_ANSWER_COUNT; i++) {
        const struct simmetal_rule *rule = &simmetal_rules[i];
        uint64_t answer = simmetal_send(self, sel_registerName(rule->name));
        _features[i] = rule->kind == SIMMETAL_FLAG ? (BOOL)answer != NO : answer;
    }
    _featuresCached = _config->machine->derived_cached;
}

- (void)initGPUFamilySupport {
    _supportedGPUFamilyCount = _config->family_count;
    memcpy(_supportedGPUFamilies, _config->families, sizeof _supportedGPUFamilies);
}

- (void)initWorkarounds {
    _emulatesBFloat16 = (BOOL)simmetal_send(self, @selector(requiresBFloat16Emulation)) != NO;
}

- (const struct simmetal_device_config *)simConfig {
    return _config;
}

- (const struct simmetal_limits *)simLimits {
    return &_limits;
}

- (const uint64_t *)simFeatures {
    return _features;
}

- (void)simAddAllocatedSize:(int64_t)bytes {
    __atomic_add_fetch(&_allocatedSize, (uint64_t)bytes, __ATOMIC_RELAXED);
}

- (id)_deviceWrapper {
    return _wrapper;
}

- (void)simSetWrapper:(id)wrapper {
    _wrapper = wrapper;
}

- (NSString *)name {
    return _name;
}

- (MTLArchitecture *)architecture {
    return _architecture;
}

- (MTLSize)maxThreadsPerThreadgroup {
    const uint64_t *sides = _config->max_threads;
    return MTLSizeMake(sides[0], sides[1], sides[2]);
}

@end
