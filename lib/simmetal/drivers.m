/* The classes that GPU drivers bring: what every driver has, and one class or more for each GPU. */
#import "device.h"
#import "methods.h"

/* A class of its own answers for each GPU generation. */
#define GENERATION(name)                                                                           \
    @implementation name                                                                           \
    +(void)load {                                                                                  \
        simmetal_add_methods(self, SIMMETAL_GENERATION);                                           \
    }                                                                                              \
    @end

/* A class that only inherits. */
#define LEAF(name)                                                                                 \
    @implementation name                                                                           \
    @end

/* Apple's GPUs. Guess: the last letter of the names, G for the smallest GPU of a generation and X
 * for the larger ones, as for G13. */
@implementation IOGPUMetalDevice
+ (void)load {
    simmetal_add_methods(self, SIMMETAL_DRIVER);
}
@end

GENERATION(AGXG13FamilyDevice)
LEAF(AGXG13GDevice)
LEAF(AGXG13XDevice)
GENERATION(AGXG14FamilyDevice)
LEAF(AGXG14GDevice)
LEAF(AGXG14XDevice)
GENERATION(AGXG15FamilyDevice)
LEAF(AGXG15GDevice)
LEAF(AGXG15XDevice)
GENERATION(AGXG16FamilyDevice)
LEAF(AGXG16GDevice)
LEAF(AGXG16XDevice)
GENERATION(AGXG17FamilyDevice)
LEAF(AGXG17GDevice)
LEAF(AGXG17XDevice)

/* The GPU of a virtual machine. */
GENERATION(AppleParavirtDevice)

/* Intel's and AMD's GPUs. Guesses: the names of the two classes. */
@implementation MTLIOAccelDevice
+ (void)load {
    simmetal_add_methods(self, SIMMETAL_DRIVER);
    simmetal_add_methods(self, SIMMETAL_GENERATION);
}
@end

LEAF(MTLIGAccelDevice)
LEAF(GFX10_MtlDevice)
