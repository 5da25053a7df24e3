/* Device classes that no Mac is known to have, for what a hook must not take for granted. */
#import "device.h"
#import "methods.h"

/* A sibling of AppleParavirtDevice: shares every inherited method with it. */
@implementation OtherVendorDevice
+ (void)load {
    simmetal_add_methods(self, SIMMETAL_GENERATION);
}
@end

/* Owns supportsFamily: itself. */
@implementation FamilyOverridingDevice
+ (void)load {
    simmetal_add_methods(self, SIMMETAL_GENERATION);
    simmetal_add_supports_family(self);
}
@end

/* Owns initGPUFamilySupport, and does not call super: a hook on _MTLDevice's is never reached. */
@implementation InitOverridingDevice
+ (void)load {
    simmetal_add_methods(self, SIMMETAL_GENERATION);
}

- (void)initGPUFamilySupport {
    for (unsigned i = 0; i < _config->family_count; i++)
        _supportedGPUFamilies[i] = _config->families[i];
    _supportedGPUFamilyCount = _config->family_count;
}
@end
