/* Types of shader arguments and of function constants. */
#ifndef SIMMETAL_MTLARGUMENT_H
#define SIMMETAL_MTLARGUMENT_H

#import <Metal/MTLDefines.h>

typedef NS_ENUM(NSUInteger, MTLDataType) {
    MTLDataTypeNone = 0,
    MTLDataTypeStruct = 1,
    MTLDataTypeArray = 2,
    MTLDataTypeFloat = 3,
    MTLDataTypeFloat2 = 4,
    MTLDataTypeFloat3 = 5,
    MTLDataTypeFloat4 = 6,
    MTLDataTypeHalf = 16,
    MTLDataTypeHalf2 = 17,
    MTLDataTypeHalf3 = 18,
    MTLDataTypeHalf4 = 19,
    MTLDataTypeInt = 29,
    MTLDataTypeInt2 = 30,
    MTLDataTypeInt3 = 31,
    MTLDataTypeInt4 = 32,
    MTLDataTypeUInt = 33,
    MTLDataTypeUInt2 = 34,
    MTLDataTypeUInt3 = 35,
    MTLDataTypeUInt4 = 36,
    MTLDataTypeShort = 37,
    MTLDataTypeShort2 = 38,
    MTLDataTypeShort3 = 39,
    MTLDataTypeShort4 = 40,
    MTLDataTypeUShort = 41,
    MTLDataTypeUShort2 = 42,
    MTLDataTypeUShort3 = 43,
    MTLDataTypeUShort4 = 44,
    MTLDataTypeChar = 45,
    MTLDataTypeUChar = 49,
    MTLDataTypeBool = 53,
    MTLDataTypeTexture = 58,
    MTLDataTypeSampler = 59,
    MTLDataTypePointer = 60,
    MTLDataTypeLong = 81,
    MTLDataTypeULong = 85,
    MTLDataTypeBFloat = 121,
};

typedef NS_ENUM(NSUInteger, MTLBindingAccess) {
    MTLBindingAccessReadOnly = 0,
    MTLBindingAccessReadWrite = 1,
    MTLBindingAccessWriteOnly = 2,
};

#endif
