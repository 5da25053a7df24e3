/* Names to addresses, and interposition, which is by address. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"

/* ---- interposition ------------------------------------------------------------------ */

struct tuple {
    const void *replacement, *replacee; /* as in the file */
};

enum { MAX_TUPLES = 64 };
static struct {
    const struct macho_image *image;
    struct tuple tuple;
} tuples[MAX_TUPLES];
static unsigned tuple_count;

/* As dyld does: an image does not get its own replacement, but that of the images before it. */
static void *interposed_for(const struct macho_image *image, void *address) {
    unsigned first = tuple_count;
    for (unsigned i = 0; i < tuple_count; i++)
        if (image && tuples[i].image == image && tuples[i].tuple.replacee == address)
            first = i;
    for (unsigned i = first; address && i-- > 0;)
        if (tuples[i].image != image && tuples[i].tuple.replacee == address)
            return (void *)(uintptr_t)tuples[i].tuple.replacement;
    return address;
}

void *macho_interposed(void *function) {
    return interposed_for(NULL, function);
}

/* The tuples are fixed up by now: the image itself is bound to what it replaces. */
bool macho_read_tuples(struct macho_image *image) {
    for (unsigned s = 0; s < image->section_count; s++) {
        const struct macho_section *section = &image->sections[s];
        if (!section->interposing)
            continue;
        const struct tuple *found = macho_at(image, section->address, section->size);
        if (!found || section->size % sizeof *found)
            return macho_fail(image, "has malformed interpose tuples");
        for (uint64_t i = 0; i < section->size / sizeof *found; i++) {
            if (!found[i].replacee || !found[i].replacement)
                continue; /* weak, and missing */
            if (tuple_count == MAX_TUPLES)
                return macho_fail(image, "has more interpose tuples than there is room for");
            tuples[tuple_count].image = image;
            tuples[tuple_count++].tuple = found[i];
        }
    }
    return true;
}

void macho_forget_tuples(const struct macho_image *image) {
    unsigned kept = 0;
    for (unsigned i = 0; i < tuple_count; i++)
        if (tuples[i].image != image)
            tuples[kept++] = tuples[i];
    tuple_count = kept;
}

/* ---- names ----------------------------------------------------------------------------- */

static void *find_in_images(const char *name) {
    for (struct macho_image *image = macho_images(); image; image = image->next) {
        void *address = macho_symbol(image, name);
        if (address)
            return address;
    }
    return NULL;
}

void *macho_look_up(const char *name) {
    void *address = find_in_images(name);
    return macho_interposed(address ? address : macho_import_any(name));
}

static enum macho_found find(struct macho_image *image, int ordinal, const char *name,
                             void **address) {
    switch (ordinal) {
    case BIND_SPECIAL_DYLIB_SELF:
        *address = macho_symbol(image, name);
        return *address ? MACHO_FOUND : MACHO_MISSING;
    case BIND_SPECIAL_DYLIB_MAIN_EXECUTABLE:
    case BIND_SPECIAL_DYLIB_FLAT_LOOKUP:
    case BIND_SPECIAL_DYLIB_WEAK_LOOKUP:
        *address = find_in_images(name);
        if (!*address)
            *address = macho_import_any(name);
        return *address ? MACHO_FOUND : MACHO_MISSING;
    default:
        break;
    }
    const char *library = image->libraries[ordinal - 1].install_name;
    struct macho_image *other = macho_named(library);
    if (!other)
        return macho_import(library, name, address);
    *address = macho_symbol(other, name);
    return *address ? MACHO_FOUND : MACHO_MISSING;
}

bool macho_bind(struct macho_image *image, int library, const char *symbol, bool weak,
                void **address) {
    if (library < BIND_SPECIAL_DYLIB_WEAK_LOOKUP || library > (int)image->library_count)
        return macho_fail(image, "imports %s from library %d of %u", symbol, library,
                          image->library_count);
    const char *from = library > 0 ? image->libraries[library - 1].install_name : "any library";
    /* C's names have an underscore before them; the linker's own need not. */
    const char *name = symbol[0] == '_' ? symbol + 1 : symbol;
    *address = NULL;
    switch (find(image, library, name, address)) {
    case MACHO_FOUND:
        *address = interposed_for(image, *address);
        return true;
    case MACHO_UNKNOWN:
        return macho_fail(
            image,
            "imports %s from %s, which tests/macho/load/imports.def does not list: add it "
            "there, with a shim if Linux's differs",
            symbol, from);
    default:
        break;
    }
    if (weak || library == BIND_SPECIAL_DYLIB_WEAK_LOOKUP ||
        (library > 0 && image->libraries[library - 1].weak))
        return true; /* NULL */
    return macho_fail(image, "imports %s from %s, and it is not there", symbol, from);
}
