/* Structures whose size the caller says. */
#ifndef MTLCAP_CORE_STRUCTURE_H
#define MTLCAP_CORE_STRUCTURE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "error.h"

/* Larger than any structure will ever be: a size beyond it was never set. */
enum { MTLCAP__STRUCTURE_MAX = 1 << 16 };

/*
 * Checks the struct_size of a caller's structure against the size that it had in the first version
 * that has it. E_ARGUMENT for NULL, E_VERSION.
 */
static inline int mtlcap__structure_check(const void *structure, size_t struct_size,
                                          size_t first_version) {
    if (!structure)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "the structure to fill is NULL");
    if (struct_size < first_version || struct_size > MTLCAP__STRUCTURE_MAX)
        return mtlcap__fail(MTLCAP_E_VERSION,
                            "struct_size is %zu, should be %zu: initialise the structure with its "
                            "_INIT macro or mtlcap_init()",
                            struct_size, first_version);
    return MTLCAP_OK;
}

/* Copies `filled` into the caller's structure, keeping its struct_size, and zeroes what the caller
 * has beyond. */
static inline void mtlcap__structure_fill(void *structure, const void *filled, size_t size) {
    size_t struct_size;
    memcpy(&struct_size, structure, sizeof struct_size);
    const size_t common = struct_size < size ? struct_size : size;
    memcpy((char *)structure + sizeof struct_size, (const char *)filled + sizeof struct_size,
           common - sizeof struct_size);
    if (struct_size > common)
        memset((char *)structure + common, 0, struct_size - common);
}

#endif
