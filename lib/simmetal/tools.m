/* Tool wrappers. */
#import "tools.h"
#import "device.h"
#import "machine_parse.h"
#import "methods.h"

#import <objc/runtime.h>

/* The device in the innermost wrapper. */
static _MTLDevice *device_of(id object) {
    while ([object isKindOfClass:[MTLToolsObject class]])
        object = [object baseObject];
    return object;
}

@implementation MTLToolsObject

- (instancetype)initWithBaseObject:(id)object {
    if ((self = [super init]))
        _baseObject = [object retain];
    return self;
}

- (void)dealloc {
    _MTLDevice *device = device_of(self);
    if ([device _deviceWrapper] == self)
        [device simSetWrapper:nil];
    [_baseObject release];
    [super dealloc];
}

- (id)baseObject {
    return _baseObject;
}

- (BOOL)respondsToSelector:(SEL)selector {
    return [super respondsToSelector:selector] || [_baseObject respondsToSelector:selector];
}

- (NSMethodSignature *)methodSignatureForSelector:(SEL)selector {
    NSMethodSignature *signature = [super methodSignatureForSelector:selector];
    return signature ?: [_baseObject methodSignatureForSelector:selector];
}

- (void)forwardInvocation:(NSInvocation *)invocation {
    [invocation invokeWithTarget:_baseObject];
}

- (NSString *)description {
    return [NSString stringWithFormat:@"<%s: %p> -> %@", object_getClassName(self), (void *)self,
                                      [_baseObject description]];
}

@end

@implementation MTLToolsDevice
+ (void)load {
    static const char *const lacking[] = {"supportsLossyCompression", NULL};
    simmetal_add_forwarders(self, lacking);
}
@end

@implementation MTLDebugDevice
@end

@implementation CaptureMTLDevice
/* What wgpu met: message sends work, but the class has no such methods. */
+ (void)load {
    static const char *const lacking[] = {"supports32BitFloatFiltering", "hasUnifiedMemory",
                                          "supportsLossyCompression", NULL};
    simmetal_add_forwarders(self, lacking);
}
@end

id simmetal_wrap(id device, const char *name) {
    for (unsigned i = 0; i < simmetal_wrapper_class_count; i++) {
        if (strcmp(name, simmetal_wrapper_classes[i]) != 0)
            continue;
        id wrapper = [[objc_getClass(name) alloc] initWithBaseObject:device];
        [device_of(device) simSetWrapper:wrapper];
        return wrapper;
    }
    return nil;
}
