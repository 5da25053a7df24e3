/* Structures whose size the caller says. */
#include "structure.h"

#include <string.h>

#include "error.h"

/* Larger than any structure will ever be: a size beyond it was never set. */
enum { STRUCTURE_MAX = 1 << 16 };

static size_t size_of(const void *structure) {
    size_t struct_size;
    memcpy(&struct_size, structure, sizeof struct_size);
    return struct_size;
}

int mtlcap__structure_check(const void *structure, size_t first_version) {
    if (!structure)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "the structure to fill is NULL");
    const size_t size = size_of(structure);
    if (size < first_version || size > STRUCTURE_MAX)
        return mtlcap__fail(MTLCAP_E_VERSION,
                            "struct_size is %zu, should be %zu: initialise the structure with its "
                            "_INIT macro or mtlcap_init()",
                            size, first_version);
    return MTLCAP_OK;
}

void mtlcap__structure_fill(void *structure, const void *filled, size_t size) {
    const size_t struct_size = size_of(structure);
    const size_t common = struct_size < size ? struct_size : size;
    memcpy((char *)structure + sizeof(size_t), (const char *)filled + sizeof(size_t),
           common - sizeof(size_t));
    if (struct_size > common)
        memset((char *)structure + common, 0, struct_size - common);
}
