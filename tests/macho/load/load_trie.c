/* Exports: a trie whose edges are parts of names. */
#include <string.h>

#include "image.h"

enum { MAX_DEPTH = 1024 }; /* a trie that refers to itself ends here */

/* Moves the reader to the node of `symbol`; false: there is none. */
static bool find_node(const struct macho_image *image, struct macho_reader *reader,
                      const char *symbol) {
    const unsigned char *start = reader->at;
    for (int depth = 0; *symbol; depth++) {
        const uint64_t terminal = macho_read_uleb(reader);
        if (depth == MAX_DEPTH || terminal > (uint64_t)(reader->end - reader->at))
            return false;
        reader->at += terminal;
        unsigned children = macho_read_byte(reader);
        uint64_t next = 0;
        for (; children && !reader->bad; children--) {
            const char *edge = macho_read_text(reader);
            const uint64_t offset = macho_read_uleb(reader);
            const size_t length = strlen(edge);
            if (length && strncmp(symbol, edge, length) == 0) {
                symbol += length;
                next = offset;
                break;
            }
        }
        if (!next || next >= image->exports.size || reader->bad)
            return false;
        reader->at = start + next;
    }
    return true;
}

void *macho_symbol(struct macho_image *image, const char *name) {
    char symbol[512] = "_";
    struct macho_reader reader = macho_reader_of(image, image->exports);
    if (strlen(name) + 2 > sizeof symbol || reader.at == reader.end ||
        !find_node(image, &reader, strcat(symbol, name)) || !macho_read_uleb(&reader))
        return NULL;
    const uint64_t flags = macho_read_uleb(&reader);
    const uint64_t offset = macho_read_uleb(&reader);
    if (flags & (EXPORT_SYMBOL_FLAGS_REEXPORT | EXPORT_SYMBOL_FLAGS_STUB_AND_RESOLVER) ||
        (flags & EXPORT_SYMBOL_FLAGS_KIND_MASK) != EXPORT_SYMBOL_FLAGS_KIND_REGULAR || reader.bad ||
        offset >= image->size)
        return NULL; /* nothing that we build is of another kind */
    return image->memory + offset;
}
