#include "format/crc32.h"

#include <zlib.h>

#ifdef __x86_64__

#include <immintrin.h>
#include <string.h>

#define BLOCK ((size_t)64)

/* One block is added to the next with a factor that leaves the remainder as it is, and so on: the last one
 * then has the checksum of all. After V. Gopal et al., "Fast CRC Computation for Generic Polynomials Using
 * PCLMULQDQ Instruction", Intel 2009; the factors, x^544 and x^480 modulo the polynomial, are from there. */
__attribute__((target("pclmul"))) static uint32_t add_blocks(uint32_t crc, const uint8_t *bytes,
                                                             size_t n_blocks) {
    const __m128i factors = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);
    uint8_t last[BLOCK];
    __m128i lanes[4];
    memcpy(lanes, bytes, BLOCK);
    lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128((int)~crc));
    for (size_t i = 1; i < n_blocks; i++) {
        for (size_t lane = 0; lane < 4; lane++) {
            __m128i next = _mm_loadu_si128((const __m128i *)(bytes + BLOCK * i) + lane);
            __m128i low = _mm_clmulepi64_si128(lanes[lane], factors, 0x00);
            __m128i high = _mm_clmulepi64_si128(lanes[lane], factors, 0x11);
            lanes[lane] = _mm_xor_si128(_mm_xor_si128(low, high), next);
        }
    }
    memcpy(last, lanes, BLOCK);
    return (uint32_t)crc32_z(UINT32_MAX, last, BLOCK); /* where there is nothing to begin with */
}

uint32_t eti_crc32(uint32_t crc, const void *data, size_t size) {
    const uint8_t *bytes = data;
    size_t n_blocks = size / BLOCK;
    if (n_blocks < 2 || !__builtin_cpu_supports("pclmul"))
        return (uint32_t)crc32_z(crc, bytes, size);
    crc = add_blocks(crc, bytes, n_blocks);
    return (uint32_t)crc32_z(crc, bytes + n_blocks * BLOCK, size % BLOCK);
}

#else

uint32_t eti_crc32(uint32_t crc, const void *data, size_t size) {
    return (uint32_t)crc32_z(crc, data, size);
}

#endif
