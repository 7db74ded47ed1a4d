/*
 * numbers.h - numbers: as text, wide integers, percents, divisors, vectors, randomness.
 */
#ifndef ETI_BASE_NUMBERS_H
#define ETI_BASE_NUMBERS_H

#include "base/text.h"
#include "etinspect.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ==== divisor ================================================================================= */
/* The greatest common divisor; that of all times of a clock is the clock's step. */

/* Returns the greatest common divisor of a and b; that of 0 and n is n. */
static inline uint64_t eti__common_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* ==== double ================================================================================== */
/* Formats a double as Python does: repr() and "%g". */

#define ETI_DOUBLE_TEXT_MAX 32

/* Writes the shortest decimal text that reads back as `value`, NUL-terminated, as Python's repr()
 * does: always with ".0" or an exponent, in the exponent form below 1e-4 and from 1e16 on. Returns
 * the length. */
size_t eti__double_repr(char out[ETI_DOUBLE_TEXT_MAX], double value);

/* Writes `value` as "%g" of C does in the "C" locale, whatever the locale of the process. */
size_t eti__double_general(char out[ETI_DOUBLE_TEXT_MAX], double value);

/* Writes `scaled` / 10^decimals so that it ends before `end`, which has room for 27 bytes and the decimals; returns where
 * it begins. `is_grouped`: a comma follows each group of three digits, as in "1,234.5". */
char *eti__write_fixed(char *end, uint64_t scaled, int decimals, bool is_grouped);

/* ==== percent ================================================================================= */
/* Formats shares and changes as percentages, in one form for all reports, whatever the locale. */

#define ETI_PERCENT_MAX 48 /* in bytes; all characters are ASCII */

/* Writes a change (0.123 as "+12.3 %") and returns its length; from 1000 % on it has no decimals. Writes "unknown" if it
 * is not finite. */
size_t eti__write_change(char out[ETI_PERCENT_MAX], double change);
/* Writes a share in the same form, without a plus sign: "12.3 %". */
size_t eti__write_share(char out[ETI_PERCENT_MAX], double share);

/* Writes a change for a cell of a table, without the blank: "+12.3%". Shares in cells are written by write/readable.h. */
size_t eti__write_change_cell(char out[ETI_PERCENT_MAX], double change);

/* Append the text of a sentence. */
void eti__add_change(eti_buffer *out, double change);
void eti__add_share(eti_buffer *out, double share);

/* ==== bytes =================================================================================== */
/* Numbers of bytes with a unit, in one form for all reports. */

/* Divides `*bytes`, which is not negative, by 1024 until it is below 1024 or in TiB. Returns the name of its unit. */
const char *eti__fit_bytes(double *bytes);

/* Appends "512 B" or "1.5 KiB". */
void eti__add_bytes(eti_buffer *out, uint64_t bytes);

#define ETI_BYTE_UNITS "B, KiB, MiB, GiB, kB, MB or GB"

/* Finds the number of bytes of a unit; kB, MB and GB are powers of 1000. Returns false if there is no such unit. */
bool eti__find_byte_unit(eti_text name, double *out);

/* ==== random ================================================================================== */
/* Unpredictable bytes from the system. For reproducible numbers from a seed see stats/stats.h. */

/* Fills `out` with `size` <= 256 bytes, without blocking. False: the system cannot supply them. */
bool eti__random_bytes(void *out, size_t size);

/* ==== vectors ================================================================================= */
/* Compiles loops over arrays of numbers for wider registers as well.
 *
 * ETI_WITH_VECTORS() makes `sum` from a function that is called `sum_body` and defined as
 * ETI_LOOPS: the loop is compiled twice, and the processor's abilities decide which version runs.
 * Both give the same bits if the inner loop has a fixed length and its sums do not depend on each
 * other: compilers do not reorder additions, and a * b + c is never contracted. */

#define ETI_LOOPS static inline __attribute__((always_inline))

/* Defines the function `name`; its parameters and their names are given in parentheses. It must return a value. */
#if defined(__x86_64__) && defined(__GNUC__)
#define ETI_WITH_VECTORS(type, name, parameters, arguments)                                        \
    __attribute__((target("avx2"))) static type name##_avx2 parameters {                           \
        return name##_body arguments;                                                              \
    }                                                                                              \
    static type name parameters {                                                                  \
        return __builtin_cpu_supports("avx2") ? name##_avx2 arguments : name##_body arguments;     \
    }
#else
#define ETI_WITH_VECTORS(type, name, parameters, arguments)                                        \
    static type name parameters {                                                                  \
        return name##_body arguments;                                                              \
    }
#endif

/* ==== whole number ============================================================================ */
/* Reads unsigned decimal integers without sign or blanks. */

/* Takes a number off the text at `*at`, which ends at `end`. Returns false if there is no number, or if it exceeds
 * `most`. */
bool eti__take_u64(const char **at, const char *end, uint64_t most, uint64_t *out);
/* Reads a number that must fill the text. */
bool eti__read_u64(eti_text text, uint64_t most, uint64_t *out);

/* ==== wide ==================================================================================== */
/* 128-bit unsigned integers for sums and products of 64-bit integers that must not overflow.
 *
 * The type is a struct on every machine, so that no code depends on a compiler's own 128-bit
 * integers. Products and quotients, which are frequent, use the compiler's integers if it has
 * them. */

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

/* Returns a - b, or 0 if b is larger. */
static inline eti_wide eti__wide_minus(eti_wide a, eti_wide b) {
    if (a.high < b.high || (a.high == b.high && a.low < b.low))
        return eti__wide_of(0);
    return (eti_wide){a.high - b.high - (a.low < b.low), a.low - b.low};
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
