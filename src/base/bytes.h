/*
 * bytes.h - reads numbers as files store them: lowest byte first, at any address, whatever the byte order of the
 * machine.
 */
#ifndef ETI_BASE_BYTES_H
#define ETI_BASE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Defined if the byte order of the machine is that of the files. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ETI_LIES_AS_IN_FILES true
#else
#define ETI_LIES_AS_IN_FILES false
#endif

/* Convert a number copied from a file, or one to be copied to a file. Compilers can vectorize loops that call these
 * functions. */
static inline uint8_t eti__from_file_8(uint8_t bits) {
    return bits;
}

static inline uint16_t eti__from_file_16(uint16_t bits) {
    return ETI_LIES_AS_IN_FILES ? bits : __builtin_bswap16(bits);
}

static inline uint32_t eti__from_file_32(uint32_t bits) {
    return ETI_LIES_AS_IN_FILES ? bits : __builtin_bswap32(bits);
}

static inline uint64_t eti__from_file_64(uint64_t bits) {
    return ETI_LIES_AS_IN_FILES ? bits : __builtin_bswap64(bits);
}

/* Return the number that begins at `bytes`. */
static inline uint16_t eti__load_u16(const uint8_t *bytes) {
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static inline uint32_t eti__load_u32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static inline uint64_t eti__load_u64(const uint8_t *bytes) {
    return eti__load_u32(bytes) | (uint64_t)eti__load_u32(bytes + 4) << 32;
}

static inline float eti__load_f32(const uint8_t *bytes) {
    uint32_t bits = eti__load_u32(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double eti__load_f64(const uint8_t *bytes) {
    uint64_t bits = eti__load_u64(bytes);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
