/* Libraries and their functions. A library is compiled as far as a program can tell: which kernels
 * it has, with these macros and in this language version. */
#include "library.h"
#include "shader_source.h"

NSString *const MTLLibraryErrorDomain = @"MTLLibraryErrorDomain";

@implementation MTLCompileOptions
@synthesize preprocessorMacros = _preprocessorMacros;
@synthesize fastMathEnabled = _fastMathEnabled;
@synthesize mathMode = _mathMode;
@synthesize languageVersion = _languageVersion;

- (instancetype)init {
    if ((self = [super init])) {
        _fastMathEnabled = YES;
        _mathMode = MTLMathModeFast;
    }
    return self;
}

- (id)copyWithZone:(NSZone *)zone {
    MTLCompileOptions *copy = [[MTLCompileOptions allocWithZone:zone] init];
    [copy setPreprocessorMacros:_preprocessorMacros];
    [copy setFastMathEnabled:_fastMathEnabled];
    [copy setMathMode:_mathMode];
    [copy setLanguageVersion:_languageVersion];
    return copy;
}

- (void)dealloc {
    [_preprocessorMacros release];
    [super dealloc];
}

@end

/* __METAL_VERSION__: what the program asks for; otherwise the newest that the SDK which it was
 * linked with, and macOS, know. */
static int metal_version(MTLCompileOptions *options, const struct simmetal_machine *machine) {
    NSUInteger asked = [options languageVersion];
    if (asked)
        return (int)(asked >> 16) * 100 + (int)(asked & 0xffff) * 10;
    long system = strtol(machine->macos, NULL, 10), sdk = strtol(machine->program_sdk, NULL, 10);
    long version = sdk && sdk < system ? sdk : system;
    return version >= 26 ? 400 : version == 15 ? 320 : version == 14 ? 310 : 300;
}

static char *preprocess(NSString *source, MTLCompileOptions *options,
                        const struct simmetal_machine *machine) {
    NSDictionary *given = [options preprocessorMacros];
    struct simmetal_macro *macros = calloc([given count] + 2, sizeof *macros);
    if (!macros)
        return NULL;
    NSString *version = [NSString stringWithFormat:@"%d", metal_version(options, machine)];
    size_t count = 0;
    macros[count++] = (struct simmetal_macro){"__METAL__", "1"};
    macros[count++] = (struct simmetal_macro){"__METAL_VERSION__", [version UTF8String]};
    for (NSString *name in given) {
        macros[count++] = (struct simmetal_macro){
            [name UTF8String], [[[given objectForKey:name] description] UTF8String]};
    }
    char *text = simmetal_shader_preprocess([source UTF8String], macros, count);
    free(macros);
    return text;
}

static NSString *text_of(const char *text, size_t length) {
    return [[[NSString alloc] initWithBytes:text length:length
                                   encoding:NSUTF8StringEncoding] autorelease];
}

@implementation SimLibrary

static void add_kernel(void *context, const struct simmetal_kernel *kernel) {
    SimLibrary *library = context;
    NSString *name = text_of(kernel->name, kernel->name_length);
    NSString *implementation = text_of(kernel->implementation, kernel->implementation_length);
    if (name && implementation && ![library->_implementations objectForKey:name]) {
        [library->_names addObject:name];
        [library->_implementations setObject:implementation forKey:name];
    }
}

- (instancetype)initWithDevice:(_MTLDevice *)device
                        source:(NSString *)source
                       options:(MTLCompileOptions *)options
                         error:(NSError **)error {
    if (!(self = [super initWithDevice:device]))
        return nil;
    _names = [[NSMutableArray alloc] init];
    _implementations = [[NSMutableDictionary alloc] init];
    _text = preprocess(source, options, [device simConfig]->machine);
    unsigned line = 0;
    if (!_text || simmetal_shader_unbalanced(_text, &line)) {
        simmetal_fail(error,
                      simmetal_error(MTLLibraryErrorDomain, MTLLibraryErrorCompileFailure,
                                     @"program_source:%u: error: a bracket is not closed", line));
        [self release];
        return nil;
    }
    simmetal_shader_kernels(_text, add_kernel, self);
    simmetal_fail(error, nil);
    return self;
}

- (void)dealloc {
    free(_text);
    [_names release];
    [_implementations release];
    [super dealloc];
}

- (NSArray *)functionNames {
    return [[_names copy] autorelease];
}

- (id<MTLFunction>)newFunctionWithName:(NSString *)name {
    return [self newFunctionWithName:name constantValues:nil error:NULL];
}

- (id<MTLFunction>)newFunctionWithName:(NSString *)name
                        constantValues:(MTLFunctionConstantValues *)constantValues
                                 error:(NSError **)error {
    if (!name || ![_implementations objectForKey:name]) {
        return simmetal_fail(error,
                             simmetal_error(MTLLibraryErrorDomain, MTLLibraryErrorFunctionNotFound,
                                            @"Function %@ was not found in the library", name));
    }
    simmetal_fail(error, nil);
    return [[SimFunction alloc] initWithLibrary:self name:name constants:constantValues];
}

- (void)newFunctionWithName:(NSString *)name
             constantValues:(MTLFunctionConstantValues *)constantValues
          completionHandler:(void (^)(id<MTLFunction> function, NSError *error))handler {
    dispatch_async(dispatch_get_global_queue(QOS_CLASS_DEFAULT, 0), ^{
      NSError *error = nil;
      id<MTLFunction> function = [self newFunctionWithName:name
                                            constantValues:constantValues
                                                     error:&error];
      handler([function autorelease], error);
    });
}

- (BOOL)simKernel:(NSString *)name reaches:(const char *)prefix {
    const char *implementation = [[_implementations objectForKey:name] UTF8String];
    return implementation && simmetal_shader_reaches(_text, implementation, prefix);
}

@end

@implementation SimFunction

- (instancetype)initWithLibrary:(SimLibrary *)library
                           name:(NSString *)name
                      constants:(MTLFunctionConstantValues *)constants {
    if ((self = [super initWithDevice:[library device]])) {
        _library = [library retain];
        _name = [name copy];
        _constants = [(constants ? [constants simDescription] : @"") copy];
    }
    return self;
}

- (void)dealloc {
    [_library release];
    [_name release];
    [_constants release];
    [super dealloc];
}

- (MTLFunctionType)functionType {
    return MTLFunctionTypeKernel;
}

- (NSString *)name {
    return _name;
}

- (SimLibrary *)simLibrary {
    return _library;
}

- (NSString *)simConstants {
    return _constants;
}

- (id<MTLArgumentEncoder>)newArgumentEncoderWithBufferIndex:(NSUInteger)bufferIndex {
    (void)bufferIndex;
    return [_device newArgumentEncoderWithArguments:[NSArray array]];
}

@end

/* A compiled library is its source between the first and the last word of Apple's format: what the
 * simulated compiler writes (shader_compiler.c). */
static NSString *source_of(NSData *data) {
    const char *bytes = [data bytes];
    NSUInteger length = [data length];
    if (length < 8 || memcmp(bytes, "MTLB", 4) != 0 || memcmp(bytes + length - 4, "ENDT", 4) != 0)
        return nil;
    return text_of(bytes + 4, length - 8);
}

@implementation _MTLDevice (Libraries)

- (id<MTLLibrary>)newLibraryWithSource:(NSString *)source
                               options:(MTLCompileOptions *)options
                                 error:(NSError **)error {
    if (!source) {
        return simmetal_fail(error, simmetal_error(MTLLibraryErrorDomain,
                                                   MTLLibraryErrorCompileFailure, @"No source"));
    }
    return [[SimLibrary alloc] initWithDevice:self source:source options:options error:error];
}

- (void)newLibraryWithSource:(NSString *)source
                     options:(MTLCompileOptions *)options
           completionHandler:(MTLNewLibraryCompletionHandler)handler {
    dispatch_async(dispatch_get_global_queue(QOS_CLASS_DEFAULT, 0), ^{
      NSError *error = nil;
      id<MTLLibrary> library = [self newLibraryWithSource:source options:options error:&error];
      handler([library autorelease], error);
    });
}

- (id<MTLLibrary>)newLibraryWithData:(dispatch_data_t)data error:(NSError **)error {
    NSString *source = source_of(data);
    if (!source) {
        return simmetal_fail(error, simmetal_error(MTLLibraryErrorDomain, MTLLibraryErrorInternal,
                                                   @"Invalid library file"));
    }
    return [self newLibraryWithSource:source options:nil error:error];
}

- (id<MTLLibrary>)newLibraryWithFile:(NSString *)path error:(NSError **)error {
    NSData *data = path ? [NSData dataWithContentsOfFile:path] : nil;
    if (!data) {
        return simmetal_fail(error,
                             simmetal_error(MTLLibraryErrorDomain, MTLLibraryErrorFileNotFound,
                                            @"library not found: %@", path));
    }
    return [self newLibraryWithData:data error:error];
}

- (id<MTLLibrary>)newLibraryWithURL:(NSURL *)url error:(NSError **)error {
    return [self newLibraryWithFile:[url path] error:error];
}

- (id<MTLLibrary>)newDefaultLibrary {
    return [self newDefaultLibraryWithBundle:[NSBundle mainBundle] error:NULL];
}

- (id<MTLLibrary>)newDefaultLibraryWithBundle:(NSBundle *)bundle error:(NSError **)error {
    NSString *path = [bundle pathForResource:@"default" ofType:@"metallib"];
    return [self newLibraryWithFile:path error:error];
}

@end
