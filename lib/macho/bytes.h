/* Numbers out of bytes, checked. */
#ifndef MTLCAP_MACHO_BYTES_H
#define MTLCAP_MACHO_BYTES_H

#include "macho.h"

/* Do `size` bytes from `offset` on lie inside? */
static inline bool mtlcap__inside(const struct mtlcap__macho_bytes *bytes, uint64_t offset,
                                  uint64_t size) {
    return offset <= bytes->size && size <= bytes->size - offset;
}

static inline uint32_t mtlcap__big32(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static inline uint32_t mtlcap__little32(const uint8_t *at) {
    return (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

static inline uint64_t mtlcap__big64(const uint8_t *at) {
    return (uint64_t)mtlcap__big32(at) << 32 | mtlcap__big32(at + 4);
}

static inline uint64_t mtlcap__little64(const uint8_t *at) {
    return (uint64_t)mtlcap__little32(at + 4) << 32 | mtlcap__little32(at);
}

/* A part that is known to lie inside. */
static inline struct mtlcap__macho_bytes mtlcap__part(const struct mtlcap__macho_bytes *bytes,
                                                      uint64_t offset, uint64_t size) {
    struct mtlcap__macho_bytes part = {bytes->data + offset, size, bytes->place + offset};
    return part;
}

/* The text at `offset`; NULL: it does not end inside. */
const char *mtlcap__text(const struct mtlcap__macho_bytes *bytes, uint64_t offset);

/* Returns false, having said why. `place` is in the file. */
bool mtlcap__malformed(struct mtlcap__macho_problem *problem, uint64_t place, const char *format,
                       ...) __attribute__((format(printf, 3, 4)));

#endif
