/* Fixups as LC_DYLD_CHAINED_FIXUPS has them: each pointer tells where the next one is. */
#include <string.h>

#include "image.h"

struct chains {
    struct macho_image *image;
    const unsigned char *data; /* of the load command */
    uint64_t size;
    struct dyld_chained_fixups_header header;
};

static bool malformed(const struct chains *chains, const char *what) {
    macho_fail(chains->image, "has malformed chained fixups: %s", what);
    return false; /* so that compilers see what is set otherwise */
}

/* Copies `size` bytes at an offset of the data. */
static bool copy(const struct chains *chains, uint64_t offset, void *target, uint64_t size) {
    if (offset > chains->size || size > chains->size - offset)
        return malformed(chains, "they end too early");
    memcpy(target, chains->data + offset, size);
    return true;
}

struct import {
    int library;
    bool weak;
    const char *symbol;
    int64_t addend;
};

/* Libraries of a few bits count from the top for the special ones. */
static int signed_library(uint32_t library, unsigned bits) {
    const uint32_t first_special = (1u << bits) - 16;
    return library > first_special ? (int)library - (int)(1u << bits) : (int)library;
}

static bool read_import(const struct chains *chains, uint32_t index, struct import *import) {
    const uint32_t format = chains->header.imports_format;
    const uint64_t size = format == DYLD_CHAINED_IMPORT          ? 4
                          : format == DYLD_CHAINED_IMPORT_ADDEND ? 8
                                                                 : 16;
    const uint64_t at = chains->header.imports_offset + index * size;
    uint64_t name;
    if (index >= chains->header.imports_count)
        return malformed(chains, "an import that is not listed");
    if (format == DYLD_CHAINED_IMPORT || format == DYLD_CHAINED_IMPORT_ADDEND) {
        uint32_t bits;
        int32_t addend = 0;
        if (!copy(chains, at, &bits, sizeof bits) ||
            (size == 8 && !copy(chains, at + 4, &addend, sizeof addend)))
            return false;
        *import = (struct import){signed_library(bits & 0xff, 8), bits >> 8 & 1, NULL, addend};
        name = bits >> 9;
    } else if (format == DYLD_CHAINED_IMPORT_ADDEND64) {
        uint64_t bits;
        int64_t addend;
        if (!copy(chains, at, &bits, sizeof bits) || !copy(chains, at + 8, &addend, sizeof addend))
            return false;
        *import = (struct import){signed_library(bits & 0xffff, 16), bits >> 16 & 1, NULL, addend};
        name = bits >> 32;
    } else {
        return malformed(chains, "imports of an unknown format");
    }
    name += chains->header.symbols_offset;
    if (name >= chains->size || !memchr(chains->data + name, '\0', chains->size - name))
        return malformed(chains, "a symbol beyond their end");
    import->symbol = (const char *)chains->data + name;
    return true;
}

static bool fix(const struct chains *chains, unsigned format, uint64_t *slot) {
    const uint64_t pointer = *slot;
    struct macho_image *image = chains->image;
    if (pointer >> 63) { /* bind: ordinal:24 addend:8 reserved:19 next:12 */
        struct import import;
        void *address;
        if (!read_import(chains, pointer & 0xffffff, &import) ||
            !macho_bind(image, import.library, import.symbol, import.weak, &address))
            return false;
        const uint64_t addend = (uint64_t)import.addend + (pointer >> 24 & 0xff);
        *slot = address ? (uint64_t)(uintptr_t)address + addend : 0;
        return true;
    }
    /* rebase: target:36 high8:8 reserved:7 next:12 */
    uint64_t target = pointer & 0xfffffffff;
    if (format == DYLD_CHAINED_PTR_64)
        target -= image->address;
    *slot = ((uint64_t)(uintptr_t)image->memory + target) | (pointer >> 36 & 0xff) << 56;
    return true;
}

static bool follow(const struct chains *chains, unsigned segment, unsigned format,
                   uint64_t offset) {
    for (;;) {
        uint64_t *slot = macho_slot(chains->image, segment, offset);
        if (!slot || offset % 4)
            return malformed(chains, "a chain leaves the writable segment that it is in");
        const uint64_t next = (*slot >> 51 & 0xfff) * 4;
        if (!fix(chains, format, slot))
            return false;
        if (!next)
            return true;
        offset += next;
    }
}

static bool fix_segment(const struct chains *chains, unsigned segment, uint64_t at) {
    struct dyld_chained_starts_in_segment starts;
    const uint64_t pages =
        at + offsetof(struct dyld_chained_starts_in_segment, page_count) + sizeof starts.page_count;
    if (!copy(chains, at, &starts, pages - at))
        return false;
    if (starts.pointer_format != DYLD_CHAINED_PTR_64 &&
        starts.pointer_format != DYLD_CHAINED_PTR_64_OFFSET)
        return malformed(chains, "pointers of an unknown format");
    for (uint16_t page = 0; page < starts.page_count; page++) {
        uint16_t start;
        if (!copy(chains, pages + page * sizeof start, &start, sizeof start))
            return false;
        if (start != DYLD_CHAINED_PTR_START_NONE &&
            !follow(chains, segment, starts.pointer_format,
                    (uint64_t)page * starts.page_size + start))
            return false;
    }
    return true;
}

bool macho_fix_by_chains(struct macho_image *image) {
    struct chains chains = {.image = image, .size = image->chained.size};
    uint32_t segments;
    chains.data = macho_at_offset(image, image->chained.offset, image->chained.size);
    if (!chains.data)
        return malformed(&chains, "they are beyond the end of the file");
    if (!copy(&chains, 0, &chains.header, sizeof chains.header) ||
        !copy(&chains, chains.header.starts_offset, &segments, sizeof segments))
        return false;
    if (chains.header.fixups_version != 0 || chains.header.symbols_format != 0)
        return malformed(&chains, "an unknown version, or packed symbols");
    for (uint32_t i = 0; i < segments; i++) {
        uint32_t offset;
        const uint64_t starts = chains.header.starts_offset;
        if (!copy(&chains, starts + sizeof segments + i * sizeof offset, &offset, sizeof offset) ||
            (offset && !fix_segment(&chains, i, starts + offset)))
            return false;
    }
    return true;
}
