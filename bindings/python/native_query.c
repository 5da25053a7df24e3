/* An answer as Python reads it. */
#include <assert.h>
#include <string.h>

#include "mtlcap/mtlcap.h"
#include "native.h"

/* Returns where the next word goes. */
static char *put(char *end, const char *word) {
    const size_t size = strlen(word) + 1;
    memcpy(end, word, size);
    return end + size;
}

int mtlcap_python_query(void *device, const char *capability, struct mtlcap_python_answer *answer) {
    struct mtlcap_answer found;
    found.struct_size = sizeof found;
    static_assert(sizeof answer->words >= sizeof found, "has room for all words of an answer");
    const int status = mtlcap_query(device, capability, &found);
    if (status)
        return status;
    answer->kind = found.kind;
    answer->stock_known = found.stock_known != 0;
    answer->overridden = found.overridden != 0;
    answer->derived = found.derived != 0;
    answer->stock = found.stock.number[0];
    answer->effective = found.effective.number[0];
    memcpy(answer->stock_size, found.stock.number, sizeof answer->stock_size);
    memcpy(answer->effective_size, found.effective.number, sizeof answer->effective_size);
    char *end = put(answer->words, found.capability);
    end = put(end, found.stock.text);
    end = put(end, found.effective.text);
    end = put(end, found.rule);
    end = put(end, found.source);
    answer->words_length = (int32_t)(end - answer->words - 1);
    return MTLCAP_OK;
}
