/* Is what is signed what is there? */
#include <string.h>

#include "bytes.h"
#include "sha.h"

enum { SLOT_ENTITLEMENTS = 5, SLOT_ENTITLEMENTS_DER = 7, BLOB_HEADER = 8 };

static bool can_check(const struct mtlcap__macho_directory *directory) {
    return !directory->scattered && directory->hash_type != MTLCAP__CS_SHA384;
}

static bool is_hash_of(const struct mtlcap__macho_directory *directory, const uint8_t *hash,
                       const uint8_t *data, uint64_t size) {
    uint8_t digest[32];
    if (directory->hash_type == MTLCAP__CS_SHA1)
        mtlcap__sha1(data, (size_t)size, digest);
    else
        mtlcap__sha256(data, (size_t)size, digest);
    return memcmp(hash, digest, directory->hash_size) == 0;
}

/* Hashes of special slots stand in front of those of pages, that of slot 1 last. */
static bool is_blob_right(const struct mtlcap__macho_directory *directory, uint32_t slot,
                          const struct mtlcap__macho_bytes *content) {
    if (content->data == NULL)
        return true;
    if (directory->special_slots < slot)
        return false;
    const uint8_t *hash =
        directory->bytes.data + directory->hashes - (size_t)slot * directory->hash_size;
    return is_hash_of(directory, hash, content->data - BLOB_HEADER, content->size + BLOB_HEADER);
}

void mtlcap__macho_check_pages(const struct mtlcap__macho_image *image,
                               const struct mtlcap__macho_signature *signature,
                               struct mtlcap__macho_pages *pages) {
    const struct mtlcap__macho_directory *directory = &signature->directories[signature->best];
    const uint8_t *hash = directory->bytes.data + directory->hashes;
    uint64_t limit = directory->code_limit, step = limit;
    *pages = (struct mtlcap__macho_pages){.checked = can_check(directory)};
    if (!pages->checked)
        return;
    if (directory->page_shift != 0)
        step = UINT64_C(1) << directory->page_shift;
    for (uint64_t at = 0; at < limit; at += step, hash += directory->hash_size) {
        uint64_t size = limit - at < step ? limit - at : step;
        if (is_hash_of(directory, hash, image->bytes.data + at, size))
            continue;
        if (pages->wrong++ == 0)
            pages->first_wrong = image->bytes.place + at;
    }
    pages->wrong_entitlements = !is_blob_right(directory, SLOT_ENTITLEMENTS, &signature->xml) ||
                                !is_blob_right(directory, SLOT_ENTITLEMENTS_DER, &signature->der);
}
