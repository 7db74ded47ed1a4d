/*
 * double.c - computes shortest digits by the Schubfach method: Raffaello Giulietti, "The Schubfach way to render doubles"
 * (2020), whose names are used below. A double c * 2^q is scaled by a power of ten 10^-k chosen so that the interval of all
 * reals that round to the double contains at least one multiple of 10^k and at most one multiple of 10^(k+1); three products
 * with a 128-bit approximation of 10^-k decide which.
 *
 * "%g" rounds these digits to six. This equals rounding the exact value except in two cases, which the C library handles: a
 * tie between two six-digit numbers, where the exact value decides, and subnormal numbers, whose shortest digits are less
 * precise than six digits.
 */
#include "base/double.h"

#include "base/double_table.h"
#include "base/text.h"
#include "base/wide.h"

#include <stdio.h>
#include <string.h>

#define FRACTION_BITS 52
#define FRACTION_MASK (((uint64_t)1 << FRACTION_BITS) - 1)
#define EXPONENT_MASK 0x7ff
#define LEAST_Q (-1074)

#define DIGITS_MAX 20    /* for a uint64_t */
#define GENERAL_DIGITS 6 /* of "%g" */
#define GENERAL_LIMIT ((uint64_t)1000000)

/* Holds digits * 10^exponent; `digits` has no trailing zeros. */
typedef struct decimal {
    uint64_t digits;
    int exponent;
} decimal;

/* Return logarithms of powers, rounded down; they are exact for every exponent of a double. `>>` of a negative number
 * rounds down with every supported compiler. */

static int floor_log10_of_power_of_2(int e) {
    return (e * 1262611) >> 22;
}

static int floor_log10_of_three_quarters_of_power_of_2(int e) {
    return (e * 1262611 - 524031) >> 22;
}

static int floor_log2_of_power_of_10(int n) {
    return (n * 1741647) >> 19;
}

/* Returns g * cp / 2^128, rounded to odd: the last bit is set if anything was lost, so that comparisons with the result
 * stay exact. An exact product leaves at most 1 in the middle word, because g is rounded up. */
static uint64_t round_to_odd(const uint64_t g[2], uint64_t cp) {
    eti_wide high = eti__wide_product(g[0], cp);
    eti__wide_add(&high, eti__wide_of(eti__wide_product(g[1], cp).high));
    return high.high | (high.low > 1);
}

/* Removes trailing zeros in groups of `zeros`, where `power` is 10^zeros. It is inline so that the divisors are constant. */
static inline void drop_zeros(decimal *d, uint64_t power, int zeros) {
    while (d->digits % power == 0) {
        d->digits /= power;
        d->exponent += zeros;
    }
}

/* Removes trailing zeros; `d` is not 0. */
static decimal without_trailing_zeros(decimal d) {
    if (d.digits % 10 != 0)
        return d;
    drop_zeros(&d, 100000000, 8);
    drop_zeros(&d, 10000, 4);
    drop_zeros(&d, 100, 2);
    drop_zeros(&d, 10, 1);
    return d;
}

/* Returns the shortest digits of c * 2^q > 0. If `uneven`, the next double below is half as far away as the next above. */
static decimal shortest(uint64_t c, int q, bool uneven) {
    int k = uneven ? floor_log10_of_three_quarters_of_power_of_2(q) : floor_log10_of_power_of_2(q);
    int h = q + floor_log2_of_power_of_10(-k) + 1;
    const uint64_t *g = eti_powers_of_ten[-k - ETI_POWER_OF_TEN_FIRST];

    /* four times the value and the ends of its interval, in units of 10^k */
    uint64_t v = round_to_odd(g, 4 * c << h);
    uint64_t lower = round_to_odd(g, (4 * c - (uneven ? 1 : 2)) << h);
    uint64_t upper = round_to_odd(g, (4 * c + 2) << h);
    uint64_t out = c & 1; /* the ends belong to the interval if c is even */
    uint64_t s = v / 4;

    if (s >= 10) {
        uint64_t tens = s / 10;
        bool below_in = lower + out <= 40 * tens;
        bool above_in = 40 * tens + 40 + out <= upper;
        if (below_in != above_in)
            return (decimal){tens + above_in, k + 1};
    }

    bool below_in = lower + out <= 4 * s;
    bool above_in = 4 * s + 4 + out <= upper;
    if (below_in != above_in)
        return (decimal){s + above_in, k};
    uint64_t middle = 4 * s + 2;
    bool up = v > middle || (v == middle && (s & 1) != 0);
    return (decimal){s + up, k};
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool is_negative(double value) {
    return bits_of(value) >> 63 != 0;
}

static bool is_subnormal(double value) {
    return (bits_of(value) >> FRACTION_BITS & EXPONENT_MASK) == 0;
}

/* Returns the shortest digits of |value|, which is finite and not zero. */
static decimal decimal_of(double value) {
    uint64_t fraction = bits_of(value) & FRACTION_MASK;
    int exponent = (int)(bits_of(value) >> FRACTION_BITS & EXPONENT_MASK);
    decimal d;
    if (exponent == 0)
        d = shortest(fraction, LEAST_Q, false);
    else
        d = shortest(fraction | (FRACTION_MASK + 1), exponent - 1 + LEAST_Q,
                     fraction == 0 && exponent > 1);
    return without_trailing_zeros(d);
}

/* Writes "nan", "inf" or "-inf"; returns 0 for a finite value. */
static size_t add_not_finite(char *out, double value) {
    const char *text = NULL;
    if (value != value)
        text = "nan";
    else if (value - value != 0)
        text = value < 0 ? "-inf" : "inf";
    if (!text)
        return 0;
    size_t length = strlen(text);
    memcpy(out, text, length + 1);
    return length;
}

/* Writes an exponent such as "e-05", "e+16" or "e+308". */
static size_t add_exponent(char *out, int exponent) {
    unsigned magnitude = (unsigned)(exponent < 0 ? -exponent : exponent);
    size_t length = 0;
    out[length++] = 'e';
    out[length++] = exponent < 0 ? '-' : '+';
    if (magnitude >= 100)
        out[length++] = (char)('0' + magnitude / 100);
    out[length++] = (char)('0' + magnitude / 10 % 10);
    out[length++] = (char)('0' + magnitude % 10);
    return length;
}

/* Writes d.ddde+XX. */
static size_t add_scientific(char *out, const char *digits, size_t n, int exponent) {
    size_t length = 0;
    out[length++] = digits[0];
    if (n > 1) {
        out[length++] = '.';
        memcpy(out + length, digits + 1, n - 1);
        length += n - 1;
    }
    return length + add_exponent(out + length, exponent);
}

/* Writes the positional form; `exponent` is that of the first digit, at least -4. */
static size_t add_positional(char *out, const char *digits, size_t n, int exponent) {
    if (exponent < 0) {
        size_t zeros = (size_t)-exponent - 1;
        memcpy(out, "0.000", 2 + zeros);
        memcpy(out + 2 + zeros, digits, n);
        return 2 + zeros + n;
    }
    size_t whole = (size_t)exponent + 1;
    if (n <= whole) {
        memcpy(out, digits, n);
        memset(out + n, '0', whole - n);
        return whole;
    }
    memcpy(out, digits, whole);
    out[whole] = '.';
    memcpy(out + whole + 1, digits + whole, n - whole);
    return n + 1;
}

/* Writes the exponent form if the first digit's exponent is below -4 or at least `limit`, and the positional form
 * otherwise. */
static size_t add_decimal(char *out, decimal d, int limit, bool always_point) {
    char room[DIGITS_MAX];
    const char *digits = eti__write_u64(room + DIGITS_MAX, d.digits);
    size_t n = (size_t)(room + DIGITS_MAX - digits);
    int exponent = d.exponent + (int)n - 1;
    if (exponent < -4 || exponent >= limit)
        return add_scientific(out, digits, n, exponent);
    size_t length = add_positional(out, digits, n, exponent);
    if (always_point && d.exponent >= 0) {
        out[length++] = '.';
        out[length++] = '0';
    }
    return length;
}

/* Writes the value with the digits that `digits_of` returns; `limit` and `always_point` are passed to add_decimal(). */
static size_t write_double(char *out, double value, decimal (*digits_of)(double), int limit,
                           bool always_point) {
    size_t length = add_not_finite(out, value);
    if (length > 0)
        return length;
    if (is_negative(value))
        out[length++] = '-';
    decimal d = value == 0 ? (decimal){0, 0} : digits_of(value);
    length += add_decimal(out + length, d, limit, always_point);
    out[length] = '\0';
    return length;
}

size_t eti__double_repr(char out[ETI_DOUBLE_TEXT_MAX], double value) {
    return write_double(out, value, decimal_of, 16, true);
}

/* Returns six digits of |value| from the C library; skips the decimal point, which depends on the locale. */
static decimal general_by_library(double value) {
    char text[64];
    snprintf(text, sizeof text, "%.*e", GENERAL_DIGITS - 1, value);
    decimal d = {0, 0};
    const char *at = text;
    for (; *at && *at != 'e'; at++) {
        if (eti__is_digit(*at))
            d.digits = d.digits * 10 + (uint64_t)(*at - '0');
    }
    bool negative = *at == 'e' && at[1] == '-';
    for (at += *at == 'e' ? 2 : 0; *at; at++)
        d.exponent = d.exponent * 10 + (*at - '0');
    d.exponent = (negative ? -d.exponent : d.exponent) - (GENERAL_DIGITS - 1);
    return without_trailing_zeros(d);
}

/* Returns at most six digits of |value|. It suffices to round the shortest digits: if a tie (a number of seven digits)
 * lay between them and the value, it would lie in the interval, be no longer than they are, and be nearer to the value. */
static decimal general_of(double value) {
    if (is_subnormal(value))
        return general_by_library(value);
    decimal d = decimal_of(value);
    uint64_t unit = 1;
    int dropped = 0;
    for (; d.digits >= GENERAL_LIMIT * unit; unit *= 10)
        dropped++;
    if (dropped == 0)
        return d;
    if (dropped == 1 && d.digits % 10 == 5)
        return general_by_library(value);
    uint64_t rounded = d.digits / unit + (d.digits % unit >= unit / 2);
    return without_trailing_zeros((decimal){rounded, d.exponent + dropped});
}

size_t eti__double_general(char out[ETI_DOUBLE_TEXT_MAX], double value) {
    return write_double(out, value, general_of, GENERAL_DIGITS, false);
}
