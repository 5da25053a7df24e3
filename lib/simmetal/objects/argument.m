/* Argument encoders: eight bytes for each entry of an argument buffer. */
#include "memory.h"

@implementation MTLArgumentDescriptor
@synthesize dataType = _dataType;
@synthesize index = _index;
@synthesize arrayLength = _arrayLength;
@synthesize access = _access;

+ (MTLArgumentDescriptor *)argumentDescriptor {
    return [[[MTLArgumentDescriptor alloc] init] autorelease];
}

- (id)copyWithZone:(NSZone *)zone {
    return NSCopyObject(self, 0, zone);
}

@end

@interface SimArgumentEncoder : SimObject <MTLArgumentEncoder> {
    NSUInteger _length, _offset;
    SimBuffer *_buffer;
}
@end

@implementation SimArgumentEncoder

- (instancetype)initWithDevice:(_MTLDevice *)device arguments:(NSArray *)arguments {
    if ((self = [super initWithDevice:device])) {
        for (MTLArgumentDescriptor *argument in arguments) {
            NSUInteger end = [argument index] + MAX([argument arrayLength], 1u);
            _length = MAX(_length, end * sizeof(uint64_t));
        }
    }
    return self;
}

- (void)dealloc {
    [_buffer release];
    [super dealloc];
}

- (NSUInteger)encodedLength {
    return _length;
}

- (NSUInteger)alignment {
    return sizeof(uint64_t);
}

- (void)setArgumentBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset {
    [(id)buffer retain];
    [_buffer release];
    _buffer = (SimBuffer *)buffer;
    _offset = offset;
}

- (void *)constantDataAtIndex:(NSUInteger)index {
    NSUInteger at = _offset + index * sizeof(uint64_t);
    if (!_buffer || at + sizeof(uint64_t) > [_buffer length])
        return NULL;
    return (char *)[_buffer simMemory] + at;
}

- (void)setBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index {
    void *entry = [self constantDataAtIndex:index];
    if (entry) {
        uint64_t address = buffer ? [buffer gpuAddress] + offset : 0;
        memcpy(entry, &address, sizeof address);
    }
}

@end

@implementation _MTLDevice (ArgumentEncoders)

- (id<MTLArgumentEncoder>)newArgumentEncoderWithArguments:
    (NSArray<MTLArgumentDescriptor *> *)arguments {
    /* Metal asks the driver by this private selector. */
    if ([self simConfig]->faults & SIMMETAL_FAULT_NO_ARGUMENT_ENCODER)
        [self doesNotRecognizeSelector:@selector(newArgumentEncoderWithLayout:)];
    return [[SimArgumentEncoder alloc] initWithDevice:self arguments:arguments];
}

@end
