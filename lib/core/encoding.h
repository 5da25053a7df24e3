/* Method type encodings. */
#ifndef MTLCAP_CORE_ENCODING_H
#define MTLCAP_CORE_ENCODING_H

#include <stdbool.h>

#include "capability.h"

/*
 * Does a method's type encoding fit a shape? Compared by structure: offsets, qualifiers and the
 * names of structs do not count, and BOOL is B on arm64, c on x86-64 and C with GCC.
 */
bool mtlcap__encoding_fits(const char *types, enum mtlcap__shape shape);

#endif
