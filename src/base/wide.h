/*
 * wide.h - 128-bit unsigned integers for sums and products of 64-bit integers that must not overflow.
 *
 * The type is a struct on every machine, so that no code depends on a compiler's own 128-bit integers. Products and
 * quotients, which are frequent, use the compiler's integers if it has them.
 */
#ifndef ETI_BASE_WIDE_H
#define ETI_BASE_WIDE_H

#include <stdint.h>

typedef struct eti_wide {
    uint64_t high, low;
} eti_wide;

static inline eti_wide eti__wide_of(uint64_t n) {
    return (eti_wide){0, n};
}

static inline void eti__wide_add(eti_wide *sum, eti_wide n) {
    sum->low += n.low;
    sum->high += n.high + (sum->low < n.low);
}

static inline eti_wide eti__wide_half(eti_wide n) {
    return (eti_wide){n.high >> 1, n.high << 63 | n.low >> 1};
}

/* Returns a number below 0, 0 or above 0 if a < b, a == b or a > b. */
static inline int eti__wide_compare(eti_wide a, eti_wide b) {
    uint64_t x = a.high != b.high ? a.high : a.low, y = a.high != b.high ? b.high : b.low;
    return (x > y) - (x < y);
}

/* Returns the nearest double; ties round to even. */
double eti__wide_as_double(eti_wide n);

/* Compute products and quotients in 64-bit steps, with any compiler. */
eti_wide eti__wide_product_in_steps(uint64_t a, uint64_t b);
uint64_t eti__wide_quotient_in_steps(eti_wide n, uint64_t divisor);

static inline eti_wide eti__wide_product(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (eti_wide){(uint64_t)(product >> 64), (uint64_t)product};
#else
    return eti__wide_product_in_steps(a, b);
#endif
}

/* Returns n / divisor, rounded down; UINT64_MAX if the result is larger or the divisor is 0. */
static inline uint64_t eti__wide_quotient(eti_wide n, uint64_t divisor) {
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 uint128;
    return n.high < divisor ? (uint64_t)(((uint128)n.high << 64 | n.low) / divisor) : UINT64_MAX;
#else
    return eti__wide_quotient_in_steps(n, divisor);
#endif
}

#endif
