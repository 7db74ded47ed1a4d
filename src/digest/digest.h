/*
 * digest.h - the SHA-256 of bytes, by the processor's instructions if it has them, otherwise by libmd.
 */
#ifndef ETI_DIGEST_DIGEST_H
#define ETI_DIGEST_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define ETI_SHA256_DIGITS 64
#define ETI_SHA256_BLOCK ((size_t)64)

/* Writes the hexadecimal digits, as sha256sum prints them. The pages of a mapped file take no memory when this returns. */
void eti__sha256(const void *data, size_t size, char out[ETI_SHA256_DIGITS + 1]);

/* ---- in pieces ------------------------------------------------------------------------------- */

/* Adds whole blocks to the eight words of a hash. */
typedef void eti__sha256_blocks(uint32_t words[8], const uint8_t *data, size_t n_blocks);

/* Adds them with libmd, on any processor. */
eti__sha256_blocks eti__sha256_by_libmd;

/* Returns the function with the processor's instructions, or that of libmd if the processor has none. */
eti__sha256_blocks *eti__sha256_fastest(void);

typedef struct eti__sha256_hash {
    eti__sha256_blocks *add_blocks;
    uint64_t n_bytes;
    uint32_t words[8];
    uint8_t pending[ETI_SHA256_BLOCK]; /* the last n_bytes % ETI_SHA256_BLOCK bytes */
} eti__sha256_hash;

void eti__sha256_begin(eti__sha256_hash *hash, eti__sha256_blocks *by);
void eti__sha256_add(eti__sha256_hash *hash, const void *data, size_t size);
void eti__sha256_end(eti__sha256_hash *hash, char out[ETI_SHA256_DIGITS + 1]);

#endif
