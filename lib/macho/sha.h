/* The hashes of code signatures, of bytes that are all there. */
#ifndef MTLCAP_MACHO_SHA_H
#define MTLCAP_MACHO_SHA_H

#include <stddef.h>
#include <stdint.h>

void mtlcap__sha1(const uint8_t *data, size_t size, uint8_t digest[20]);
void mtlcap__sha256(const uint8_t *data, size_t size, uint8_t digest[32]);

#endif
