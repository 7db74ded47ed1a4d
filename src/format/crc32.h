/*
 * crc32.h - the checksum of ZIP, as zlib's crc32_z() computes it, several times faster where the processor
 * multiplies polynomials.
 */
#ifndef ETI_FORMAT_CRC32_H
#define ETI_FORMAT_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of what `crc` (0: nothing yet) is that of, and `size` more bytes. */
uint32_t eti_crc32(uint32_t crc, const void *data, size_t size);

#endif
