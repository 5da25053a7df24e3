/* Samplers: a description and a state object that keeps its label. */
#ifndef SIMMETAL_MTLSAMPLER_H
#define SIMMETAL_MTLSAMPLER_H

#import <Metal/MTLDefines.h>

@protocol MTLDevice;

typedef NS_ENUM(NSUInteger, MTLSamplerMinMagFilter) {
    MTLSamplerMinMagFilterNearest = 0,
    MTLSamplerMinMagFilterLinear = 1,
};

typedef NS_ENUM(NSUInteger, MTLSamplerAddressMode) {
    MTLSamplerAddressModeClampToEdge = 0,
    MTLSamplerAddressModeMirrorClampToEdge = 1,
    MTLSamplerAddressModeRepeat = 2,
    MTLSamplerAddressModeMirrorRepeat = 3,
    MTLSamplerAddressModeClampToZero = 4,
};

@interface MTLSamplerDescriptor : NSObject {
    MTLSamplerMinMagFilter _minFilter, _magFilter;
    MTLSamplerAddressMode _sAddressMode, _tAddressMode, _rAddressMode;
    BOOL _supportArgumentBuffers;
    NSString *_label;
}
@property (nonatomic) MTLSamplerMinMagFilter minFilter, magFilter;
@property (nonatomic) MTLSamplerAddressMode sAddressMode, tAddressMode, rAddressMode;
@property (nonatomic) BOOL supportArgumentBuffers;
@property (nonatomic, copy) NSString *label;
@end

@protocol MTLSamplerState <NSObject>
@property (readonly) NSString *label;
@property (readonly) id<MTLDevice> device;
@end

#endif
