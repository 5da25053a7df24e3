/* Function constants: kept as bytes, and written as text for the record of dispatches. */
#include "library.h"

/* How the values of a type are read. */
struct format {
    MTLDataType first, last; /* the scalar and, up to four wide, its vectors */
    NSUInteger size;
    enum { FORMAT_SIGNED, FORMAT_UNSIGNED, FORMAT_FLOAT } kind;
};

static const struct format formats[] = {
    {MTLDataTypeFloat, MTLDataTypeFloat4, 4, FORMAT_FLOAT},
    {MTLDataTypeHalf, MTLDataTypeHalf4, 2, FORMAT_UNSIGNED},
    {MTLDataTypeInt, MTLDataTypeInt4, 4, FORMAT_SIGNED},
    {MTLDataTypeUInt, MTLDataTypeUInt4, 4, FORMAT_UNSIGNED},
    {MTLDataTypeShort, MTLDataTypeShort4, 2, FORMAT_SIGNED},
    {MTLDataTypeUShort, MTLDataTypeUShort4, 2, FORMAT_UNSIGNED},
    {MTLDataTypeChar, MTLDataTypeChar + 3, 1, FORMAT_SIGNED},
    {MTLDataTypeUChar, MTLDataTypeUChar + 3, 1, FORMAT_UNSIGNED},
    {MTLDataTypeBool, MTLDataTypeBool + 3, 1, FORMAT_UNSIGNED},
    {MTLDataTypeLong, MTLDataTypeLong + 3, 8, FORMAT_SIGNED},
    {MTLDataTypeULong, MTLDataTypeULong + 3, 8, FORMAT_UNSIGNED},
    {MTLDataTypeBFloat, MTLDataTypeBFloat + 3, 2, FORMAT_UNSIGNED},
};

static const struct format *format_of(MTLDataType type) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (type >= formats[i].first && type <= formats[i].last)
            return &formats[i];
    }
    return NULL;
}

static NSUInteger elements(const struct format *format, MTLDataType type) {
    return type - format->first + 1;
}

/* A vector of three takes the room of four. */
static NSUInteger stride(const struct format *format, MTLDataType type) {
    NSUInteger count = elements(format, type);
    return format->size * (count == 3 ? 4 : count);
}

static NSString *element_text(const struct format *format, const void *bytes) {
    union {
        int64_t number;
        float real;
    } value = {0};
    memcpy(&value, bytes, format->size);
    if (format->kind == FORMAT_FLOAT)
        return [NSString stringWithFormat:@"%.9g", (double)value.real];
    if (format->kind == FORMAT_SIGNED) {
        unsigned unused = 64 - 8 * (unsigned)format->size;
        value.number = (int64_t)((uint64_t)value.number << unused) >> unused;
    }
    return [NSString stringWithFormat:@"%lld", (long long)value.number];
}

static NSString *text_of(const struct format *format, MTLDataType type, const void *bytes) {
    NSMutableArray *texts = [NSMutableArray array];
    for (NSUInteger i = 0; i < elements(format, type); i++)
        [texts addObject:element_text(format, (const char *)bytes + i * format->size)];
    return [texts componentsJoinedByString:@":"];
}

@implementation MTLFunctionConstantValues

- (instancetype)init {
    if ((self = [super init]))
        _values = [[NSMutableDictionary alloc] init];
    return self;
}

- (void)dealloc {
    [_values release];
    [super dealloc];
}

- (id)copyWithZone:(NSZone *)zone {
    MTLFunctionConstantValues *copy = [[MTLFunctionConstantValues allocWithZone:zone] init];
    [copy->_values setDictionary:_values];
    return copy;
}

- (void)setConstantValue:(const void *)value type:(MTLDataType)type atIndex:(NSUInteger)index {
    [self setConstantValues:value type:type withRange:NSMakeRange(index, 1)];
}

- (void)setConstantValues:(const void *)values type:(MTLDataType)type withRange:(NSRange)range {
    const struct format *format = format_of(type);
    if (!format) {
        [NSException
             raise:NSInvalidArgumentException
            format:@"MTLDataType %lu is no type of a function constant", (unsigned long)type];
    }
    for (NSUInteger i = 0; i < range.length; i++) {
        const void *value = (const char *)values + i * stride(format, type);
        [_values setObject:text_of(format, type, value)
                    forKey:[NSNumber numberWithUnsignedInteger:range.location + i]];
    }
}

- (void)setConstantValue:(const void *)value type:(MTLDataType)type withName:(NSString *)name {
    const struct format *format = format_of(type);
    if (format)
        [_values setObject:text_of(format, type, value) forKey:name];
}

- (void)reset {
    [_values removeAllObjects];
}

static NSInteger compare_keys(id a, id b, void *context) {
    (void)context;
    BOOL number = [a isKindOfClass:[NSNumber class]];
    if (number != [b isKindOfClass:[NSNumber class]])
        return number ? NSOrderedAscending : NSOrderedDescending;
    return [a compare:b];
}

- (NSString *)simDescription {
    NSMutableArray *texts = [NSMutableArray array];
    for (id key in [[_values allKeys] sortedArrayUsingFunction:compare_keys context:NULL])
        [texts addObject:[NSString stringWithFormat:@"%@=%@", key, [_values objectForKey:key]]];
    return [texts componentsJoinedByString:@","];
}

@end
