#include "digest/digest.h"

#include "base/files.h"

#include <sha2.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

/* clang has the functions of ARM for single functions of a source since version 16. */
#if defined(__x86_64__)
#define FOR_X86 1
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__) && defined(__AARCH64EL__) &&                                            \
    (!defined(__clang__) || __clang_major__ >= 16 || defined(__ARM_FEATURE_SHA2))
#define FOR_ARM 1
#include <arm_neon.h>
#ifdef __linux__
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif
#endif

/* ==== blocks ================================================================================== */

void eti__sha256_by_libmd(uint32_t words[8], const uint8_t *data, size_t n_blocks) {
    for (size_t i = 0; i < n_blocks; i++)
        SHA256Transform(words, data + i * ETI_SHA256_BLOCK);
}

#if defined(FOR_X86) || defined(FOR_ARM)

/* One constant per round: the first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* Groups of four rounds. The last four do not prepare words of the message for later ones. */
#define N_GROUPS 16

#endif

#ifdef FOR_X86

static bool has_instructions(void) {
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSSE3) && (c & bit_SSE4_1) &&
           __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

static inline __m128i load(const void *from) {
    return _mm_loadu_si128(from);
}

static inline void store(void *to, __m128i words) {
    _mm_storeu_si128(to, words);
}

/* The instructions keep the words of the hash in two registers, from the highest element down: A B E F and C D G H. */
__attribute__((target("sha,ssse3,sse4.1"))) static void
add_blocks(uint32_t words[8], const uint8_t *data, size_t n_blocks) {
    const __m128i big_endian = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    __m128i cdab = _mm_shuffle_epi32(load(words), _MM_SHUFFLE(2, 3, 0, 1));
    __m128i efgh = _mm_shuffle_epi32(load(words + 4), _MM_SHUFFLE(0, 1, 2, 3));
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
    for (; n_blocks > 0; n_blocks--, data += ETI_SHA256_BLOCK) {
        __m128i message[4], abef_before = abef, cdgh_before = cdgh;
        for (size_t i = 0; i < 4; i++)
            message[i] = _mm_shuffle_epi8(load(data + 16 * i), big_endian);
#pragma GCC unroll 16
        for (size_t i = 0; i < N_GROUPS; i++) {
            __m128i now = message[i % 4], last = message[(i + 3) % 4];
            __m128i sums = _mm_add_epi32(now, load(constants + 4 * i));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sums);
            abef =
                _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sums, _MM_SHUFFLE(0, 0, 3, 2)));
            if (i < N_GROUPS - 4) {
                __m128i next = _mm_sha256msg1_epu32(now, message[(i + 1) % 4]);
                next = _mm_add_epi32(next, _mm_alignr_epi8(last, message[(i + 2) % 4], 4));
                message[i % 4] = _mm_sha256msg2_epu32(next, last);
            }
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    __m128i feba = _mm_shuffle_epi32(abef, _MM_SHUFFLE(0, 1, 2, 3));
    __m128i dchg = _mm_shuffle_epi32(cdgh, _MM_SHUFFLE(2, 3, 0, 1));
    store(words, _mm_blend_epi16(feba, dchg, 0xF0));
    store(words + 4, _mm_alignr_epi8(dchg, feba, 8));
}

#elif defined(FOR_ARM)

static bool has_instructions(void) {
#ifdef __linux__
    return getauxval(AT_HWCAP) & HWCAP_SHA2;
#else
    return true; /* macOS runs on no ARM processor without them */
#endif
}

#ifdef __clang__
__attribute__((target("sha2")))
#else
__attribute__((target("+crypto")))
#endif
static void
add_blocks(uint32_t words[8], const uint8_t *data, size_t n_blocks) {
    uint32x4_t abcd = vld1q_u32(words), efgh = vld1q_u32(words + 4);
    for (; n_blocks > 0; n_blocks--, data += ETI_SHA256_BLOCK) {
        uint32x4_t message[4], abcd_before = abcd, efgh_before = efgh;
        for (size_t i = 0; i < 4; i++)
            message[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(data + 16 * i)));
#pragma GCC unroll 16
        for (size_t i = 0; i < N_GROUPS; i++) {
            uint32x4_t sums = vaddq_u32(message[i % 4], vld1q_u32(constants + 4 * i));
            uint32x4_t abcd_last = abcd;
            abcd = vsha256hq_u32(abcd, efgh, sums);
            efgh = vsha256h2q_u32(efgh, abcd_last, sums);
            if (i < N_GROUPS - 4)
                message[i % 4] =
                    vsha256su1q_u32(vsha256su0q_u32(message[i % 4], message[(i + 1) % 4]),
                                    message[(i + 2) % 4], message[(i + 3) % 4]);
        }
        abcd = vaddq_u32(abcd, abcd_before);
        efgh = vaddq_u32(efgh, efgh_before);
    }
    vst1q_u32(words, abcd);
    vst1q_u32(words + 4, efgh);
}

#endif

eti__sha256_blocks *eti__sha256_fastest(void) {
#if defined(FOR_X86) || defined(FOR_ARM)
    /* asking takes longer than a block where a hypervisor answers */
    static _Atomic(eti__sha256_blocks *) known;
    eti__sha256_blocks *fastest = atomic_load_explicit(&known, memory_order_relaxed);
    if (!fastest) {
        fastest = has_instructions() ? add_blocks : eti__sha256_by_libmd;
        atomic_store_explicit(&known, fastest, memory_order_relaxed);
    }
    return fastest;
#else
    return eti__sha256_by_libmd;
#endif
}

/* ==== hash ==================================================================================== */

void eti__sha256_begin(eti__sha256_hash *hash, eti__sha256_blocks *by) {
    /* the first 32 bits of the fractional parts of the square roots of the first eight primes */
    *hash = (eti__sha256_hash){
        .add_blocks = by,
        .words = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                  0x1f83d9ab, 0x5be0cd19},
    };
}

void eti__sha256_add(eti__sha256_hash *hash, const void *data, size_t size) {
    const uint8_t *bytes = data;
    size_t n_pending = hash->n_bytes % ETI_SHA256_BLOCK;
    hash->n_bytes += size;
    if (n_pending > 0) {
        size_t n = ETI_SHA256_BLOCK - n_pending;
        if (n > size)
            n = size;
        memcpy(hash->pending + n_pending, bytes, n);
        if (n_pending + n < ETI_SHA256_BLOCK)
            return;
        hash->add_blocks(hash->words, hash->pending, 1);
        bytes += n;
        size -= n;
    }
    size_t n_blocks = size / ETI_SHA256_BLOCK;
    hash->add_blocks(hash->words, bytes, n_blocks);
    if (size % ETI_SHA256_BLOCK > 0)
        memcpy(hash->pending, bytes + n_blocks * ETI_SHA256_BLOCK, size % ETI_SHA256_BLOCK);
}

/* Stores a number in the order of the standard. */
static void put_big_endian(uint8_t *to, size_t n_bytes, uint64_t number) {
    for (size_t i = n_bytes; i-- > 0; number >>= 8)
        to[i] = (uint8_t)number;
}

void eti__sha256_end(eti__sha256_hash *hash, char out[ETI_SHA256_DIGITS + 1]) {
    static const char digits[] = "0123456789abcdef";
    /* a bit, zeros up to the end of a block, of which the last 8 bytes are the number of bits */
    uint8_t padding[ETI_SHA256_BLOCK + 8] = {0x80}, bytes[ETI_SHA256_DIGITS / 2];
    size_t n_last = (hash->n_bytes + 1 + 8) % ETI_SHA256_BLOCK;
    size_t n_zeros = (ETI_SHA256_BLOCK - n_last) % ETI_SHA256_BLOCK;
    put_big_endian(padding + 1 + n_zeros, 8, hash->n_bytes * 8);
    eti__sha256_add(hash, padding, 1 + n_zeros + 8);
    for (size_t i = 0; i < 8; i++)
        put_big_endian(bytes + 4 * i, 4, hash->words[i]);
    for (size_t i = 0; i < sizeof bytes; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[ETI_SHA256_DIGITS] = '\0';
}

/* Number of bytes after which pages of a mapped file are released. */
#define PIECE_BYTES ((size_t)4 << 20)

void eti__sha256(const void *data, size_t size, char out[ETI_SHA256_DIGITS + 1]) {
    eti__sha256_hash hash;
    eti__sha256_begin(&hash, eti__sha256_fastest());
    for (size_t at = 0, n; at < size; at += n) {
        n = size - at < PIECE_BYTES ? size - at : PIECE_BYTES;
        eti__sha256_add(&hash, (const uint8_t *)data + at, n);
        eti__file_leave((const uint8_t *)data + at, n);
    }
    eti__sha256_end(&hash, out);
}
