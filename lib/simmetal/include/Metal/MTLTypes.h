/* Sizes, origins and regions. */
#ifndef SIMMETAL_MTLTYPES_H
#define SIMMETAL_MTLTYPES_H

#import <Metal/MTLDefines.h>

typedef struct {
    NSUInteger x, y, z;
} MTLOrigin;

typedef struct {
    NSUInteger width, height, depth;
} MTLSize;

typedef struct {
    MTLOrigin origin;
    MTLSize size;
} MTLRegion;

typedef struct {
    NSUInteger size, align;
} MTLSizeAndAlign;

typedef struct {
    float x, y;
} MTLSamplePosition;

typedef struct {
    uint64_t _impl;
} MTLResourceID;

MTL_INLINE MTLOrigin MTLOriginMake(NSUInteger x, NSUInteger y, NSUInteger z) {
    MTLOrigin origin = {x, y, z};
    return origin;
}

MTL_INLINE MTLSize MTLSizeMake(NSUInteger width, NSUInteger height, NSUInteger depth) {
    MTLSize size = {width, height, depth};
    return size;
}

MTL_INLINE MTLRegion MTLRegionMake2D(NSUInteger x, NSUInteger y, NSUInteger width,
                                     NSUInteger height) {
    MTLRegion region = {{x, y, 0}, {width, height, 1}};
    return region;
}

#endif
