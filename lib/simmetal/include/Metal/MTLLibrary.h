/* Libraries of shader functions. Nothing is compiled: a library knows its functions' names. */
#ifndef SIMMETAL_MTLLIBRARY_H
#define SIMMETAL_MTLLIBRARY_H

#import <Metal/MTLFunctionConstantValues.h>

@protocol MTLArgumentEncoder;
@protocol MTLDevice;

typedef NS_ENUM(NSUInteger, MTLFunctionType) {
    MTLFunctionTypeVertex = 1,
    MTLFunctionTypeFragment = 2,
    MTLFunctionTypeKernel = 3,
    MTLFunctionTypeVisible = 5,
    MTLFunctionTypeIntersection = 6,
    MTLFunctionTypeMesh = 7,
    MTLFunctionTypeObject = 8,
};

typedef NS_ENUM(NSUInteger, MTLLanguageVersion) {
    MTLLanguageVersion1_1 = (1 << 16) + 1,
    MTLLanguageVersion1_2 = (1 << 16) + 2,
    MTLLanguageVersion2_0 = (2 << 16),
    MTLLanguageVersion2_1 = (2 << 16) + 1,
    MTLLanguageVersion2_2 = (2 << 16) + 2,
    MTLLanguageVersion2_3 = (2 << 16) + 3,
    MTLLanguageVersion2_4 = (2 << 16) + 4,
    MTLLanguageVersion3_0 = (3 << 16),
    MTLLanguageVersion3_1 = (3 << 16) + 1,
    MTLLanguageVersion3_2 = (3 << 16) + 2,
    MTLLanguageVersion4_0 = (4 << 16),
};

typedef NS_ENUM(NSInteger, MTLMathMode) {
    MTLMathModeSafe = 0,
    MTLMathModeRelaxed = 1,
    MTLMathModeFast = 2,
};

MTL_EXTERN NSString *const MTLLibraryErrorDomain;

typedef NS_ENUM(NSUInteger, MTLLibraryError) {
    MTLLibraryErrorUnsupported = 1,
    MTLLibraryErrorInternal = 2,
    MTLLibraryErrorCompileFailure = 3,
    MTLLibraryErrorCompileWarning = 4,
    MTLLibraryErrorFunctionNotFound = 5,
    MTLLibraryErrorFileNotFound = 6,
};

@interface MTLCompileOptions : NSObject <NSCopying> {
    NSDictionary *_preprocessorMacros;
    BOOL _fastMathEnabled;
    MTLMathMode _mathMode;
    MTLLanguageVersion _languageVersion;
}
@property (nonatomic, copy) NSDictionary<NSString *, NSObject *> *preprocessorMacros;
@property (nonatomic) BOOL fastMathEnabled;
@property (nonatomic) MTLMathMode mathMode;
@property (nonatomic) MTLLanguageVersion languageVersion;
@end

@protocol MTLFunction <NSObject>
@property (copy) NSString *label;
@property (readonly) id<MTLDevice> device;
@property (readonly) MTLFunctionType functionType;
@property (readonly) NSString *name;
- (id<MTLArgumentEncoder>)newArgumentEncoderWithBufferIndex:(NSUInteger)bufferIndex;
@end

@protocol MTLLibrary <NSObject>
@property (copy) NSString *label;
@property (readonly) id<MTLDevice> device;
@property (readonly) NSArray<NSString *> *functionNames;
- (id<MTLFunction>)newFunctionWithName:(NSString *)name;
- (id<MTLFunction>)newFunctionWithName:(NSString *)name
                        constantValues:(MTLFunctionConstantValues *)constantValues
                                 error:(NSError **)error;
- (void)newFunctionWithName:(NSString *)name
             constantValues:(MTLFunctionConstantValues *)constantValues
          completionHandler:(void (^)(id<MTLFunction> function, NSError *error))handler;
@end

#endif
