/* Textures and samplers, as far as a program that only computes looks at them. */
#include "texture.h"

static NSUInteger bytes_per_pixel(MTLPixelFormat format) {
    switch (format) {
    case MTLPixelFormatInvalid:
        return 0;
    case MTLPixelFormatA8Unorm:
    case MTLPixelFormatR8Unorm:
    case MTLPixelFormatR8Uint:
        return 1;
    case MTLPixelFormatR16Float:
    case MTLPixelFormatRG8Unorm:
        return 2;
    case MTLPixelFormatRG32Float:
    case MTLPixelFormatRGBA16Float:
        return 8;
    case MTLPixelFormatRGBA32Float:
        return 16;
    default:
        return 4;
    }
}

@implementation MTLTextureDescriptor
@synthesize textureType = _textureType;
@synthesize pixelFormat = _pixelFormat;
@synthesize width = _width, height = _height, depth = _depth;
@synthesize mipmapLevelCount = _mipmapLevelCount;
@synthesize sampleCount = _sampleCount;
@synthesize arrayLength = _arrayLength;
@synthesize resourceOptions = _resourceOptions;
@synthesize usage = _usage;

- (instancetype)init {
    if ((self = [super init])) {
        _textureType = MTLTextureType2D;
        _pixelFormat = MTLPixelFormatRGBA8Unorm;
        _width = _height = _depth = 1;
        _mipmapLevelCount = _sampleCount = _arrayLength = 1;
        _usage = MTLTextureUsageShaderRead;
    }
    return self;
}

+ (MTLTextureDescriptor *)texture2DDescriptorWithPixelFormat:(MTLPixelFormat)pixelFormat
                                                       width:(NSUInteger)width
                                                      height:(NSUInteger)height
                                                   mipmapped:(BOOL)mipmapped {
    MTLTextureDescriptor *descriptor = [[[MTLTextureDescriptor alloc] init] autorelease];
    descriptor->_pixelFormat = pixelFormat;
    descriptor->_width = width;
    descriptor->_height = height;
    for (NSUInteger size = MAX(width, height); mipmapped && size > 1; size /= 2)
        descriptor->_mipmapLevelCount++;
    return descriptor;
}

- (id)copyWithZone:(NSZone *)zone {
    return NSCopyObject(self, 0, zone);
}

- (MTLStorageMode)storageMode {
    return (_resourceOptions >> MTLResourceStorageModeShift) & 0xf;
}

- (void)setStorageMode:(MTLStorageMode)mode {
    NSUInteger mask = (NSUInteger)0xf << MTLResourceStorageModeShift;
    _resourceOptions = (_resourceOptions & ~mask) | mode << MTLResourceStorageModeShift;
}

@end

@implementation SimTexture

- (instancetype)initWithDevice:(_MTLDevice *)device descriptor:(MTLTextureDescriptor *)descriptor {
    self = [super initWithDevice:device options:[descriptor resourceOptions] heap:nil];
    if (!self)
        return nil;
    _descriptor = [descriptor copy];
    _bytesPerRow = [descriptor width] * bytes_per_pixel([descriptor pixelFormat]);
    NSUInteger length = _bytesPerRow * [descriptor height] * [descriptor depth];
    _texels = [device newBufferWithLength:length options:[descriptor resourceOptions]];
    if (!_texels) {
        [self release];
        return nil;
    }
    return self;
}

- (instancetype)initWithBuffer:(SimBuffer *)buffer
                    descriptor:(MTLTextureDescriptor *)descriptor
                        offset:(NSUInteger)offset
                   bytesPerRow:(NSUInteger)bytesPerRow {
    self = [super initWithDevice:[buffer device] options:[buffer resourceOptions] heap:nil];
    if (self) {
        _descriptor = [descriptor copy];
        _texels = [buffer retain];
        _offset = offset;
        _bytesPerRow = bytesPerRow;
        _view = YES;
    }
    return self;
}

- (void)dealloc {
    [_descriptor release];
    [_texels release];
    [super dealloc];
}

- (NSUInteger)allocatedSize {
    return _view ? 0 : [_texels allocatedSize];
}

- (MTLTextureType)textureType {
    return [_descriptor textureType];
}

- (MTLPixelFormat)pixelFormat {
    return [_descriptor pixelFormat];
}

- (NSUInteger)width {
    return [_descriptor width];
}

- (NSUInteger)height {
    return [_descriptor height];
}

- (NSUInteger)depth {
    return [_descriptor depth];
}

- (NSUInteger)mipmapLevelCount {
    return [_descriptor mipmapLevelCount];
}

- (NSUInteger)sampleCount {
    return [_descriptor sampleCount];
}

- (NSUInteger)arrayLength {
    return [_descriptor arrayLength];
}

- (MTLTextureUsage)usage {
    return [_descriptor usage];
}

- (id<MTLBuffer>)buffer {
    return _view ? _texels : nil;
}

/* Calls `copy` for each row of a region of the first mipmap level that lies inside the texture. */
- (void)eachRowOf:(MTLRegion)region call:(void (^)(char *row, NSUInteger index, size_t size))copy {
    NSUInteger pixel = bytes_per_pixel([self pixelFormat]);
    if (region.origin.x + region.size.width > [self width])
        return;
    for (NSUInteger y = 0; y < region.size.height; y++) {
        NSUInteger row = region.origin.y + y;
        NSUInteger offset = _offset + row * _bytesPerRow + region.origin.x * pixel;
        size_t size = region.size.width * pixel;
        if (row < [self height] && offset + size <= [_texels length])
            copy((char *)[_texels simMemory] + offset, y, size);
    }
}

- (void)getBytes:(void *)bytes
     bytesPerRow:(NSUInteger)bytesPerRow
      fromRegion:(MTLRegion)region
     mipmapLevel:(NSUInteger)level {
    if (level == 0) {
        [self eachRowOf:region
                   call:^(char *row, NSUInteger index, size_t size) {
                     memcpy((char *)bytes + index * bytesPerRow, row, size);
                   }];
    }
}

- (void)replaceRegion:(MTLRegion)region
          mipmapLevel:(NSUInteger)level
            withBytes:(const void *)bytes
          bytesPerRow:(NSUInteger)bytesPerRow {
    if (level == 0) {
        [self eachRowOf:region
                   call:^(char *row, NSUInteger index, size_t size) {
                     memcpy(row, (const char *)bytes + index * bytesPerRow, size);
                   }];
    }
}

@end

@implementation MTLSamplerDescriptor
@synthesize minFilter = _minFilter, magFilter = _magFilter;
@synthesize sAddressMode = _sAddressMode;
@synthesize tAddressMode = _tAddressMode;
@synthesize rAddressMode = _rAddressMode;
@synthesize supportArgumentBuffers = _supportArgumentBuffers;
@synthesize label = _label;

- (void)dealloc {
    [_label release];
    [super dealloc];
}

@end

@interface SimSamplerState : SimObject <MTLSamplerState>
@end

@implementation SimSamplerState
@end

@implementation _MTLDevice (Textures)

- (id<MTLTexture>)newTextureWithDescriptor:(MTLTextureDescriptor *)descriptor {
    return [[SimTexture alloc] initWithDevice:self descriptor:descriptor];
}

- (MTLSizeAndAlign)heapTextureSizeAndAlignWithDescriptor:(MTLTextureDescriptor *)descriptor {
    NSUInteger size = [descriptor width] * [descriptor height] * [descriptor depth] *
                      bytes_per_pixel([descriptor pixelFormat]);
    MTLSizeAndAlign result = {size, 256};
    return result;
}

- (id<MTLSamplerState>)newSamplerStateWithDescriptor:(MTLSamplerDescriptor *)descriptor {
    SimSamplerState *sampler = [[SimSamplerState alloc] initWithDevice:self];
    [sampler setLabel:[descriptor label]];
    return sampler;
}

@end
