/* Values with which a function is specialised. */
#ifndef SIMMETAL_MTLFUNCTIONCONSTANTVALUES_H
#define SIMMETAL_MTLFUNCTIONCONSTANTVALUES_H

#import <Metal/MTLArgument.h>

@interface MTLFunctionConstantValues : NSObject <NSCopying> {
    NSMutableDictionary *_values;
}
- (void)setConstantValue:(const void *)value type:(MTLDataType)type atIndex:(NSUInteger)index;
- (void)setConstantValues:(const void *)values type:(MTLDataType)type withRange:(NSRange)range;
- (void)setConstantValue:(const void *)value type:(MTLDataType)type withName:(NSString *)name;
- (void)reset;
@end

#endif
