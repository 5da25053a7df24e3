/* The SuperBlob of a signature, and its code directories. All numbers are big-endian. What is
 * checked is what the kernel checks (cs_validate_csblob, cs_validate_codedirectory), and refuses.
 */
#include <stdio.h>
#include <string.h>

#include "bytes.h"

#define SUPER_BLOB 0xfade0cc0u
#define CODE_DIRECTORY 0xfade0c02u
#define ENTITLEMENTS 0xfade7171u
#define ENTITLEMENTS_DER 0xfade7172u

enum {
    SLOT_DIRECTORY = 0,
    SLOT_REQUIREMENTS = 2,
    SLOT_ENTITLEMENTS = 5,
    SLOT_ENTITLEMENTS_DER = 7,
    SLOT_FIRST_ALTERNATE = 0x1000,
    SLOT_CMS = 0x10000,
};

enum { BLOB_HEADER = 8, SUPER_HEADER = 12, INDEX_ENTRY = 8 };

/* Versions of code directories, and how long their fixed part is then. */
enum {
    EARLIEST = 0x20001,
    HAS_SCATTER = 0x20100,
    HAS_TEAM = 0x20200,
    HAS_LIMIT_64 = 0x20300,
    HAS_EXECUTABLE_SEGMENT = 0x20400,
    HAS_RUNTIME = 0x20500,
};

/* Offsets in a code directory. */
enum {
    AT_VERSION = 8,
    AT_FLAGS = 12,
    AT_HASHES = 16,
    AT_IDENTIFIER = 20,
    AT_SPECIAL_SLOTS = 24,
    AT_CODE_SLOTS = 28,
    AT_CODE_LIMIT = 32,
    AT_HASH_SIZE = 36,
    AT_HASH_TYPE = 37,
    AT_PLATFORM = 38,
    AT_PAGE_SHIFT = 39,
    AT_SCATTER = 44,
    AT_TEAM = 48,
    AT_CODE_LIMIT_64 = 56,
    AT_EXECUTABLE_FLAGS = 80,
    AT_RUNTIME = 88,
};

static uint32_t fixed_size(uint32_t version) {
    static const struct {
        uint32_t version, size;
    } sizes[] = {{HAS_RUNTIME, 96},  {HAS_EXECUTABLE_SEGMENT, 88},
                 {HAS_LIMIT_64, 64}, {HAS_TEAM, 52},
                 {HAS_SCATTER, 48},  {0, 44}};
    size_t i = 0;
    while (version < sizes[i].version)
        i++;
    return sizes[i].size;
}

/* ---- code directories ------------------------------------------------------------- */

/* In the order in which the kernel prefers them; 0: it takes none of the kind. */
static unsigned rank(uint8_t hash_type) {
    static const uint8_t order[] = {MTLCAP__CS_SHA1, MTLCAP__CS_SHA256_TRUNCATED, MTLCAP__CS_SHA256,
                                    MTLCAP__CS_SHA384};
    for (unsigned i = 0; i < sizeof order; i++)
        if (order[i] == hash_type)
            return i + 1;
    return 0;
}

static bool has_right_hash_size(const struct mtlcap__macho_directory *directory) {
    static const uint8_t sizes[] = {[MTLCAP__CS_SHA1] = 20,
                                    [MTLCAP__CS_SHA256] = 32,
                                    [MTLCAP__CS_SHA256_TRUNCATED] = 20,
                                    [MTLCAP__CS_SHA384] = 48};
    return directory->hash_size == sizes[directory->hash_type];
}

/* The text that a directory's offset leads to; NULL, having said why: it does not end. */
static const char *directory_text(const struct mtlcap__macho_directory *directory, uint32_t at,
                                  const char *what, struct mtlcap__macho_problem *problem) {
    const char *text = mtlcap__text(&directory->bytes, mtlcap__big32(directory->bytes.data + at));
    if (text == NULL)
        mtlcap__malformed(problem, directory->bytes.place + at,
                          "the %s of the code directory does not end inside it", what);
    return text;
}

static bool check_hashes(const struct mtlcap__macho_directory *directory,
                         struct mtlcap__macho_problem *problem) {
    uint64_t place = directory->bytes.place, size = directory->bytes.size;
    if (rank(directory->hash_type) == 0 || !has_right_hash_size(directory))
        return mtlcap__malformed(problem, place + AT_HASH_SIZE,
                                 "hashes of kind %u with %u bytes are not known",
                                 (unsigned)directory->hash_type, (unsigned)directory->hash_size);
    if (directory->page_shift != 0 && (directory->page_shift < 12 || directory->page_shift > 16))
        return mtlcap__malformed(problem, place + AT_PAGE_SHIFT,
                                 "pages of 2^%u bytes are not known",
                                 (unsigned)directory->page_shift);
    if (directory->hashes > size ||
        directory->special_slots > directory->hashes / directory->hash_size ||
        directory->code_slots > (size - directory->hashes) / directory->hash_size)
        return mtlcap__malformed(
            problem, place + AT_HASHES, "%u + %u hashes do not fit into the code directory",
            (unsigned)directory->special_slots, (unsigned)directory->code_slots);
    return true;
}

static bool read_directory(const struct mtlcap__macho_bytes *blob, uint32_t slot,
                           struct mtlcap__macho_directory *directory,
                           struct mtlcap__macho_problem *problem) {
    const uint8_t *at = blob->data;
    *directory = (struct mtlcap__macho_directory){.bytes = *blob, .slot = slot};
    if (blob->size < AT_SCATTER || mtlcap__big32(at) != CODE_DIRECTORY)
        return mtlcap__malformed(problem, blob->place, "slot %#x is not a code directory",
                                 (unsigned)slot);
    directory->version = mtlcap__big32(at + AT_VERSION);
    if (directory->version < EARLIEST || directory->version > 0x2ffff ||
        blob->size < fixed_size(directory->version))
        return mtlcap__malformed(problem, blob->place + AT_VERSION,
                                 "a code directory of version %#x in %llu bytes is not known",
                                 (unsigned)directory->version, (unsigned long long)blob->size);
    directory->flags = mtlcap__big32(at + AT_FLAGS);
    directory->hashes = mtlcap__big32(at + AT_HASHES);
    directory->special_slots = mtlcap__big32(at + AT_SPECIAL_SLOTS);
    directory->code_slots = mtlcap__big32(at + AT_CODE_SLOTS);
    directory->code_limit = mtlcap__big32(at + AT_CODE_LIMIT);
    directory->hash_size = at[AT_HASH_SIZE];
    directory->hash_type = at[AT_HASH_TYPE];
    directory->platform = at[AT_PLATFORM];
    directory->page_shift = at[AT_PAGE_SHIFT];
    if (!check_hashes(directory, problem))
        return false;
    directory->identifier = directory_text(directory, AT_IDENTIFIER, "identifier", problem);
    if (directory->identifier == NULL)
        return false;
    directory->scattered = directory->version >= HAS_SCATTER && mtlcap__big32(at + AT_SCATTER) != 0;
    if (directory->version >= HAS_TEAM && mtlcap__big32(at + AT_TEAM) != 0) {
        directory->team = directory_text(directory, AT_TEAM, "team", problem);
        if (directory->team == NULL)
            return false;
    }
    if (directory->version >= HAS_LIMIT_64 && mtlcap__big64(at + AT_CODE_LIMIT_64) != 0)
        directory->code_limit = mtlcap__big64(at + AT_CODE_LIMIT_64);
    if (directory->version >= HAS_EXECUTABLE_SEGMENT)
        directory->executable_flags = mtlcap__big64(at + AT_EXECUTABLE_FLAGS);
    if (directory->version >= HAS_RUNTIME)
        directory->runtime = mtlcap__big32(at + AT_RUNTIME);
    return true;
}

/* The code that the directory says it covers lies before the signature, page for page. */
static bool check_limit(const struct mtlcap__macho_image *image,
                        const struct mtlcap__macho_directory *directory,
                        struct mtlcap__macho_problem *problem) {
    uint64_t limit = directory->code_limit, pages = limit > 0 ? 1 : 0;
    if (limit > image->signature.place - image->bytes.place)
        return mtlcap__malformed(problem, directory->bytes.place + AT_CODE_LIMIT,
                                 "the code that is signed, %#llx bytes, goes into the signature",
                                 (unsigned long long)limit);
    if (directory->page_shift != 0)
        pages = (limit + (UINT64_C(1) << directory->page_shift) - 1) >> directory->page_shift;
    if (!directory->scattered && directory->code_slots != pages)
        return mtlcap__malformed(problem, directory->bytes.place + AT_CODE_SLOTS,
                                 "%u hashes of pages, for %llu pages",
                                 (unsigned)directory->code_slots, (unsigned long long)pages);
    return true;
}

static bool take_directory(const struct mtlcap__macho_image *image,
                           struct mtlcap__macho_signature *signature,
                           const struct mtlcap__macho_bytes *blob, uint32_t slot,
                           struct mtlcap__macho_problem *problem) {
    if (signature->count == MTLCAP__MACHO_DIRECTORIES)
        return mtlcap__malformed(problem, blob->place, "there are more than %d code directories",
                                 MTLCAP__MACHO_DIRECTORIES);
    struct mtlcap__macho_directory *added = &signature->directories[signature->count];
    if (!read_directory(blob, slot, added, problem) || !check_limit(image, added, problem))
        return false;
    for (uint32_t i = 0; i < signature->count; i++)
        if (signature->directories[i].hash_type == added->hash_type ||
            signature->directories[i].slot == slot)
            return mtlcap__malformed(problem, blob->place,
                                     "two code directories have the same slot or kind of hash");
    if (rank(added->hash_type) > rank(signature->directories[signature->best].hash_type))
        signature->best = signature->count;
    signature->count++;
    return true;
}

/* ---- the SuperBlob ------------------------------------------------------------------ */

/* Keeps a blob; a second one of the kind is refused. */
static bool take_blob(struct mtlcap__macho_bytes *kept, const struct mtlcap__macho_bytes *blob,
                      uint32_t magic, uint32_t slot, struct mtlcap__macho_problem *problem) {
    if (kept->data != NULL)
        return mtlcap__malformed(problem, blob->place, "slot %#x is there twice", (unsigned)slot);
    if (magic != 0 && mtlcap__big32(blob->data) != magic)
        return mtlcap__malformed(problem, blob->place, "slot %#x begins with %#x instead of %#x",
                                 (unsigned)slot, (unsigned)mtlcap__big32(blob->data),
                                 (unsigned)magic);
    *kept = magic != 0 ? mtlcap__part(blob, BLOB_HEADER, blob->size - BLOB_HEADER) : *blob;
    return true;
}

static bool take_slot(const struct mtlcap__macho_image *image,
                      struct mtlcap__macho_signature *signature,
                      const struct mtlcap__macho_bytes *blob, uint32_t slot,
                      struct mtlcap__macho_problem *problem) {
    bool alternate =
        slot >= SLOT_FIRST_ALTERNATE && slot < SLOT_FIRST_ALTERNATE + MTLCAP__MACHO_DIRECTORIES - 1;
    if (slot == SLOT_DIRECTORY || alternate)
        return take_directory(image, signature, blob, slot, problem);
    if (slot == SLOT_ENTITLEMENTS)
        return take_blob(&signature->xml, blob, ENTITLEMENTS, slot, problem);
    if (slot == SLOT_ENTITLEMENTS_DER)
        return take_blob(&signature->der, blob, ENTITLEMENTS_DER, slot, problem);
    if (slot == SLOT_REQUIREMENTS)
        return take_blob(&signature->requirements, blob, 0, slot, problem);
    if (slot == SLOT_CMS) {
        signature->has_cms = blob->size > BLOB_HEADER;
        return take_blob(&signature->cms, blob, 0, slot, problem);
    }
    return true;
}

static bool read_slot(const struct mtlcap__macho_image *image,
                      struct mtlcap__macho_signature *signature, uint32_t index, uint64_t headers,
                      struct mtlcap__macho_problem *problem) {
    uint64_t at = SUPER_HEADER + (uint64_t)index * INDEX_ENTRY;
    const struct mtlcap__macho_bytes *all = &signature->bytes;
    uint32_t slot = mtlcap__big32(all->data + at), offset = mtlcap__big32(all->data + at + 4);
    if (offset < headers || !mtlcap__inside(all, offset, BLOB_HEADER))
        return mtlcap__malformed(problem, all->place + at,
                                 "slot %#x is at %#x, which is not in the signature",
                                 (unsigned)slot, (unsigned)offset);
    uint32_t size = mtlcap__big32(all->data + offset + 4);
    if (size < BLOB_HEADER || !mtlcap__inside(all, offset, size))
        return mtlcap__malformed(problem, all->place + offset + 4,
                                 "slot %#x says that it has %u bytes", (unsigned)slot,
                                 (unsigned)size);
    const struct mtlcap__macho_bytes blob = mtlcap__part(all, offset, size);
    return take_slot(image, signature, &blob, slot, problem);
}

bool mtlcap__macho_signature(const struct mtlcap__macho_image *image,
                             struct mtlcap__macho_signature *signature,
                             struct mtlcap__macho_problem *problem) {
    const struct mtlcap__macho_bytes *room = &image->signature;
    *signature = (struct mtlcap__macho_signature){.bytes = *room};
    if (room->size < SUPER_HEADER || mtlcap__big32(room->data) != SUPER_BLOB)
        return mtlcap__malformed(problem, room->place, "the signature does not begin as one does");
    uint32_t size = mtlcap__big32(room->data + 4), count = mtlcap__big32(room->data + 8);
    uint64_t headers = SUPER_HEADER + (uint64_t)count * INDEX_ENTRY;
    if (size > room->size || headers > size)
        return mtlcap__malformed(problem, room->place + 4,
                                 "%u blobs in %u bytes, in a signature of %llu", (unsigned)count,
                                 (unsigned)size, (unsigned long long)room->size);
    signature->bytes = mtlcap__part(room, 0, size);
    for (uint32_t i = 0; i < count; i++)
        if (!read_slot(image, signature, i, headers, problem))
            return false;
    for (uint32_t i = 0; i < signature->count; i++)
        if (signature->directories[i].slot == SLOT_DIRECTORY)
            return true;
    return mtlcap__malformed(problem, room->place, "there is no code directory in slot 0");
}

/* ---- for people ------------------------------------------------------------------------ */

uint64_t mtlcap__macho_flags_place(const struct mtlcap__macho_directory *directory) {
    return directory->bytes.place + AT_FLAGS;
}

uint64_t mtlcap__macho_platform_place(const struct mtlcap__macho_directory *directory) {
    return directory->bytes.place + AT_PLATFORM;
}

void mtlcap__macho_flags_text(uint32_t flags, char *text, size_t size) {
    static const struct {
        uint32_t flag;
        const char *name;
    } names[] = {
        {MTLCAP__CS_ADHOC, "adhoc"},
        {MTLCAP__CS_HARD, "hard"},
        {MTLCAP__CS_KILL, "kill"},
        {MTLCAP__CS_RESTRICT, "restrict"},
        {MTLCAP__CS_ENFORCEMENT, "enforcement"},
        {MTLCAP__CS_REQUIRE_LV, "library-validation"},
        {MTLCAP__CS_RUNTIME, "runtime"},
        {MTLCAP__CS_LINKER_SIGNED, "linker-signed"},
    };
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if ((flags & names[i].flag) == 0 || used + strlen(names[i].name) + 2 > size)
            continue;
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? "," : "", names[i].name);
        flags &= ~names[i].flag;
    }
    if (flags != 0 && used + 12 < size)
        snprintf(text + used, size - used, "%s%#x", used > 0 ? "," : "", (unsigned)flags);
}
