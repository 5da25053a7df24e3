/* Shader logging (macOS 15). */
#ifndef SIMMETAL_MTLLOGSTATE_H
#define SIMMETAL_MTLLOGSTATE_H

#import <Metal/MTLDefines.h>

typedef NS_ENUM(NSInteger, MTLLogLevel) {
    MTLLogLevelUndefined = 0,
    MTLLogLevelDebug = 1,
    MTLLogLevelInfo = 2,
    MTLLogLevelNotice = 3,
    MTLLogLevelError = 4,
    MTLLogLevelFault = 5,
};

MTL_EXTERN NSString *const MTLLogStateErrorDomain;

typedef NS_ENUM(NSUInteger, MTLLogStateError) {
    MTLLogStateErrorInvalidSize = 1,
    MTLLogStateErrorInvalid = 2,
};

@interface MTLLogStateDescriptor : NSObject <NSCopying> {
    MTLLogLevel _level;
    NSInteger _bufferSize;
}
@property (nonatomic) MTLLogLevel level;
@property (nonatomic) NSInteger bufferSize;
@end

@protocol MTLLogState <NSObject>
@end

#endif
