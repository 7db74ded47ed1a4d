#include "numerics/float_distance.h"

#include "base/bytes.h"
#include "base/numbers.h"

/* Number of independent maxima, so that compilers vectorize the loops. */
#define LANES 8

/* Numbers floats in order, with 0 for both zeros, and finds the largest distance of a pair. Distances need all bits,
 * but vectors compare signed numbers, so each distance is stored minus the magnitude of the smallest signed number. */
#define DEFINE_DISTANCES(width, whole, number)                                                     \
    typedef whole stored_##width __attribute__((may_alias, aligned(1)));                           \
    static inline number distance_##width(whole a, whole b) {                                      \
        const whole sign = (whole)((whole)1 << ((width)-1)), rest = (whole)(sign - 1);             \
        whole a_mask = (whole)((number)a < 0 ? ~(whole)0 : 0);                                     \
        whole b_mask = (whole)((number)b < 0 ? ~(whole)0 : 0);                                     \
        number x = (number)(whole)(((a & rest) ^ a_mask) - a_mask);                                \
        number y = (number)(whole)(((b & rest) ^ b_mask) - b_mask);                                \
        whole larger = (whole)(x > y ? x : y), smaller = (whole)(x > y ? y : x);                   \
        return (number)(whole)((whole)(larger - smaller) ^ sign);                                  \
    }                                                                                              \
                                                                                                   \
    ETI_LOOPS double largest_##width##_body(const stored_##width *a, const stored_##width *b,      \
                                            size_t n) {                                            \
        number most[LANES];                                                                        \
        size_t i = 0;                                                                              \
        for (size_t j = 0; j < LANES; j++)                                                         \
            most[j] = INT##width##_MIN;                                                            \
        for (; i + LANES <= n; i += LANES) {                                                       \
            for (size_t j = 0; j < LANES; j++) {                                                   \
                number distance = distance_##width(eti__from_file_##width(a[i + j]),               \
                                                   eti__from_file_##width(b[i + j]));              \
                most[j] = distance > most[j] ? distance : most[j];                                 \
            }                                                                                      \
        }                                                                                          \
        for (; i < n; i++) {                                                                       \
            number distance =                                                                      \
                distance_##width(eti__from_file_##width(a[i]), eti__from_file_##width(b[i]));      \
            most[0] = distance > most[0] ? distance : most[0];                                     \
        }                                                                                          \
        for (size_t j = 1; j < LANES; j++)                                                         \
            most[0] = most[j] > most[0] ? most[j] : most[0];                                       \
        return (double)(whole)((whole)most[0] ^ (whole)((whole)1 << ((width)-1)));                 \
    }                                                                                              \
    ETI_WITH_VECTORS(double, largest_##width,                                                      \
                     (const stored_##width *a, const stored_##width *b, size_t n), (a, b, n))
DEFINE_DISTANCES(8, uint8_t, int8_t)
DEFINE_DISTANCES(16, uint16_t, int16_t)
DEFINE_DISTANCES(32, uint32_t, int32_t)
DEFINE_DISTANCES(64, uint64_t, int64_t)
#undef DEFINE_DISTANCES

double eti__largest_float_distance(size_t width, const uint8_t *base, const uint8_t *newer,
                                   size_t n) {
    switch (width) {
    case 1:
        return largest_8((const void *)base, (const void *)newer, n);
    case 2:
        return largest_16((const void *)base, (const void *)newer, n);
    case 4:
        return largest_32((const void *)base, (const void *)newer, n);
    default:
        return largest_64((const void *)base, (const void *)newer, n);
    }
}
