/* Structures whose size the caller says. */
#ifndef MTLCAP_CORE_STRUCTURE_H
#define MTLCAP_CORE_STRUCTURE_H

#include <stddef.h>

/*
 * Checks the struct_size, which is the first member, of a caller's structure against the size that
 * it had in the first version that has it. E_ARGUMENT for NULL, E_VERSION.
 */
int mtlcap__structure_check(const void *structure, size_t first_version);

/* Copies `filled` into the caller's structure, keeping its struct_size, and zeroes what the caller
 * has beyond. */
void mtlcap__structure_fill(void *structure, const void *filled, size_t size);

#endif
