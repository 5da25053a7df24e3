/* Prints the table of capabilities, a row a line, for pyobjc_table.py. */
#include <inttypes.h>
#include <stdio.h>

#include "core/capability.h"

static const char *const shapes[MTLCAP__SHAPE_COUNT] = {
    [MTLCAP__ASK_BOOL] = "ASK_BOOL",     [MTLCAP__ASK_ID] = "ASK_ID",
    [MTLCAP__ASK_COUNT] = "ASK_COUNT",   [MTLCAP__ASK_WORD] = "ASK_WORD",
    [MTLCAP__ASK_WORD32] = "ASK_WORD32", [MTLCAP__ASK_SIZE3] = "ASK_SIZE3",
    [MTLCAP__ASK_OBJECT] = "ASK_OBJECT",
};

int main(void) {
    for (size_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++) {
        const struct mtlcap__capability *row = &mtlcap__capabilities[i];
        printf("%s\t%s\t%s\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\n", row->key, row->selector,
               shapes[row->shape], row->first, row->last, row->named);
    }
    return 0;
}
