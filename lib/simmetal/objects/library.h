/* Libraries and their functions. */
#ifndef SIMMETAL_LIBRARY_H
#define SIMMETAL_LIBRARY_H

#include "object.h"

@interface SimLibrary : SimObject <MTLLibrary> {
    char *_text;            /* preprocessed */
    NSMutableArray *_names; /* of the kernels, in the text's order */
    NSMutableDictionary *_implementations;
}
/* nil, and an error, for a text that no compiler would take. */
- (instancetype)initWithDevice:(_MTLDevice *)device
                        source:(NSString *)source
                       options:(MTLCompileOptions *)options
                         error:(NSError **)error;
/* Whether the kernel's code, or what it calls, has a word that starts with `prefix`. */
- (BOOL)simKernel:(NSString *)name reaches:(const char *)prefix;
@end

@interface SimFunction : SimObject <MTLFunction> {
    SimLibrary *_library;
    NSString *_name, *_constants;
}
- (instancetype)initWithLibrary:(SimLibrary *)library
                           name:(NSString *)name
                      constants:(MTLFunctionConstantValues *)constants;
- (SimLibrary *)simLibrary;
/* The function constants as INDEX=VALUE,... */
- (NSString *)simConstants;
@end

@interface MTLFunctionConstantValues (Sim)
- (NSString *)simDescription;
@end

#endif
