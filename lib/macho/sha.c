/* SHA-1 and SHA-256, as FIPS 180-4 has them. */
#include "sha.h"

#include <string.h>

#include "bytes.h"

enum { BLOCK = 64 };

typedef void compress_function(uint32_t *state, const uint8_t block[BLOCK]);

static uint32_t left(uint32_t word, unsigned count) {
    return word << count | word >> (32 - count);
}

static uint32_t right(uint32_t word, unsigned count) {
    return word >> count | word << (32 - count);
}

/* ---- both ----------------------------------------------------------------------------- */

/* Whole blocks, then the rest with a bit behind it and the length in bits at the end. */
static void hash(const uint8_t *data, size_t size, uint32_t *state, compress_function *compress) {
    uint8_t last[2 * BLOCK] = {0};
    size_t rest = size % BLOCK, length = rest + 9 > BLOCK ? 2 * BLOCK : BLOCK;
    uint64_t bits = (uint64_t)size * 8;
    for (size_t i = 0; i + BLOCK <= size; i += BLOCK)
        compress(state, data + i);
    if (rest > 0)
        memcpy(last, data + size - rest, rest);
    last[rest] = 0x80;
    for (size_t i = 0; i < 8; i++)
        last[length - 1 - i] = (uint8_t)(bits >> (8 * i));
    compress(state, last);
    if (length > BLOCK)
        compress(state, last + BLOCK);
}

static void write_state(const uint32_t *state, size_t count, uint8_t *digest) {
    for (size_t i = 0; i < 4 * count; i++)
        digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

/* ---- SHA-1 ------------------------------------------------------------------------------ */

static void compress_1(uint32_t *state, const uint8_t block[BLOCK]) {
    uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (size_t i = 0; i < 16; i++)
        w[i] = mtlcap__big32(block + 4 * i);
    for (int i = 16; i < 80; i++)
        w[i] = left(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (int i = 0; i < 80; i++) {
        uint32_t mix, constant;
        if (i < 20)
            mix = (b & c) | (~b & d), constant = 0x5a827999;
        else if (i < 40)
            mix = b ^ c ^ d, constant = 0x6ed9eba1;
        else if (i < 60)
            mix = (b & c) | (b & d) | (c & d), constant = 0x8f1bbcdc;
        else
            mix = b ^ c ^ d, constant = 0xca62c1d6;
        uint32_t next = left(a, 5) + mix + e + constant + w[i];
        e = d, d = c, c = left(b, 30), b = a, a = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

void mtlcap__sha1(const uint8_t *data, size_t size, uint8_t digest[20]) {
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    hash(data, size, state, compress_1);
    write_state(state, 5, digest);
}

/* ---- SHA-256 ---------------------------------------------------------------------------- */

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void compress_256(uint32_t *state, const uint8_t block[BLOCK]) {
    uint32_t w[64], s[8];
    memcpy(s, state, sizeof s);
    for (size_t i = 0; i < 16; i++)
        w[i] = mtlcap__big32(block + 4 * i);
    for (int i = 16; i < 64; i++) {
        uint32_t low = right(w[i - 15], 7) ^ right(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t high = right(w[i - 2], 17) ^ right(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + low + w[i - 7] + high;
    }
    for (int i = 0; i < 64; i++) {
        uint32_t one = right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25);
        uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        uint32_t first = s[7] + one + choice + constants[i] + w[i];
        uint32_t zero = right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22);
        uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + zero + majority;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

void mtlcap__sha256(const uint8_t *data, size_t size, uint8_t digest[32]) {
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    hash(data, size, state, compress_256);
    write_state(state, 8, digest);
}
