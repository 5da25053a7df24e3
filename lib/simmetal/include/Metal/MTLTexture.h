/* Textures, as far as a program that only computes looks at them: description, no sampling. */
#ifndef SIMMETAL_MTLTEXTURE_H
#define SIMMETAL_MTLTEXTURE_H

#import <Metal/MTLPixelFormat.h>
#import <Metal/MTLResource.h>

@protocol MTLBuffer;

typedef NS_ENUM(NSUInteger, MTLTextureType) {
    MTLTextureType1D = 0,
    MTLTextureType1DArray = 1,
    MTLTextureType2D = 2,
    MTLTextureType2DArray = 3,
    MTLTextureType2DMultisample = 4,
    MTLTextureTypeCube = 5,
    MTLTextureTypeCubeArray = 6,
    MTLTextureType3D = 7,
    MTLTextureType2DMultisampleArray = 8,
    MTLTextureTypeTextureBuffer = 9,
};

typedef NS_OPTIONS(NSUInteger, MTLTextureUsage) {
    MTLTextureUsageUnknown = 0,
    MTLTextureUsageShaderRead = 1,
    MTLTextureUsageShaderWrite = 2,
    MTLTextureUsageRenderTarget = 4,
    MTLTextureUsagePixelFormatView = 16,
};

@interface MTLTextureDescriptor : NSObject <NSCopying> {
    MTLTextureType _textureType;
    MTLPixelFormat _pixelFormat;
    NSUInteger _width, _height, _depth, _mipmapLevelCount, _sampleCount, _arrayLength;
    MTLResourceOptions _resourceOptions;
    MTLTextureUsage _usage;
}
@property (nonatomic) MTLTextureType textureType;
@property (nonatomic) MTLPixelFormat pixelFormat;
@property (nonatomic) NSUInteger width, height, depth;
@property (nonatomic) NSUInteger mipmapLevelCount, sampleCount, arrayLength;
@property (nonatomic) MTLResourceOptions resourceOptions;
@property (nonatomic) MTLStorageMode storageMode;
@property (nonatomic) MTLTextureUsage usage;
+ (MTLTextureDescriptor *)texture2DDescriptorWithPixelFormat:(MTLPixelFormat)pixelFormat
                                                       width:(NSUInteger)width
                                                      height:(NSUInteger)height
                                                   mipmapped:(BOOL)mipmapped;
@end

@protocol MTLTexture <MTLResource>
@property (readonly) MTLTextureType textureType;
@property (readonly) MTLPixelFormat pixelFormat;
@property (readonly) NSUInteger width, height, depth;
@property (readonly) NSUInteger mipmapLevelCount, sampleCount, arrayLength;
@property (readonly) MTLTextureUsage usage;
@property (readonly) id<MTLBuffer> buffer;
- (void)getBytes:(void *)bytes
     bytesPerRow:(NSUInteger)bytesPerRow
      fromRegion:(MTLRegion)region
     mipmapLevel:(NSUInteger)level;
- (void)replaceRegion:(MTLRegion)region
          mipmapLevel:(NSUInteger)level
            withBytes:(const void *)bytes
          bytesPerRow:(NSUInteger)bytesPerRow;
@end

#endif
