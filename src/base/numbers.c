#include "base/numbers.h"

#include "base/double_table.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ==== double ================================================================================== */
/* Computes shortest digits by the Schubfach method: Raffaello Giulietti, "The Schubfach way to
 * render doubles" (2020), whose names are used below. A double c * 2^q is scaled by a power of ten
 * 10^-k chosen so that the interval of all reals that round to the double contains at least one
 * multiple of 10^k and at most one multiple of 10^(k+1); three products with a 128-bit
 * approximation of 10^-k decide which.
 *
 * "%g" rounds these digits to six. This equals rounding the exact value except in two cases, which
 * the C library handles: a tie between two six-digit numbers, where the exact value decides, and
 * subnormal numbers, whose shortest digits are less precise than six digits. */

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

/* Whole numbers below this are exact, and have no exponent. */
#define MOST_WHOLE 1e15

/* Writes a whole number, such as "7981.0", without a search for the shortest digits. */
static size_t write_whole(char *out, uint64_t value) {
    char digits[24], *end = digits + sizeof digits, *at = eti__write_u64(end, value);
    size_t n = (size_t)(end - at);
    memcpy(out, at, n);
    memcpy(out + n, ".0", 3);
    return n + 2;
}

size_t eti__double_repr(char out[ETI_DOUBLE_TEXT_MAX], double value) {
    if (value >= 1 && value < MOST_WHOLE && value == (double)(uint64_t)value)
        return write_whole(out, (uint64_t)value);
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

char *eti__write_fixed(char *end, uint64_t scaled, int decimals, bool is_grouped) {
    char *at = end;
    for (int i = 0; i < decimals; i++) {
        *--at = (char)('0' + scaled % 10);
        scaled /= 10;
    }
    if (decimals > 0)
        *--at = '.';
    for (int n = 0; n == 0 || scaled > 0; n++) {
        if (is_grouped && n > 0 && n % 3 == 0)
            *--at = ',';
        *--at = (char)('0' + scaled % 10);
        scaled /= 10;
    }
    return at;
}

/* ==== percent ================================================================================= */

#define MANY_TENTHS UINT64_C(10000) /* in percent: from here on, no decimals */
#define MOST_PERCENT 1e15           /* from here on, an exponent */

/* Writes a percentage that is not negative, such as "12.3". */
static size_t write_number(char *out, double percent) {
    char digits[24], *end = digits + sizeof digits;
    if (percent >= MOST_PERCENT)
        return eti__double_general(out, percent);
    uint64_t tenths = (uint64_t)(percent * 10 + 0.5);
    char *at = end;
    if (tenths < MANY_TENTHS) {
        *--at = (char)('0' + tenths % 10);
        *--at = '.';
        at = eti__write_u64(at, tenths / 10);
    } else {
        at = eti__write_u64(at, (uint64_t)(percent + 0.5));
    }
    memcpy(out, at, (size_t)(end - at));
    return (size_t)(end - at);
}

static size_t write_percent(char *out, double share, const char *plus, bool is_cell) {
    static const char unknown[] = "unknown";
    double percent = 100 * share;
    size_t size = 0;
    if (!isfinite(percent)) {
        memcpy(out, unknown, sizeof unknown);
        return sizeof unknown - 1;
    }
    if (percent <= -0.05) /* not written as -0.0 */
        out[size++] = '-';
    else if (*plus)
        out[size++] = *plus;
    size += write_number(out + size, fabs(percent));
    if (!is_cell)
        out[size++] = ' ';
    out[size++] = '%';
    return size;
}

size_t eti__write_change(char out[ETI_PERCENT_MAX], double change) {
    return write_percent(out, change, "+", false);
}

size_t eti__write_share(char out[ETI_PERCENT_MAX], double share) {
    return write_percent(out, share, "", false);
}

size_t eti__write_change_cell(char out[ETI_PERCENT_MAX], double change) {
    return write_percent(out, change, "+", true);
}

void eti__add_change(eti_buffer *out, double change) {
    char text[ETI_PERCENT_MAX];
    size_t size = eti__write_change(text, change);
    eti__buffer_add(out, text, size);
}

void eti__add_share(eti_buffer *out, double share) {
    char text[ETI_PERCENT_MAX];
    size_t size = eti__write_share(text, share);
    eti__buffer_add(out, text, size);
}

/* ==== bytes =================================================================================== */

const char *eti__fit_bytes(double *bytes) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    for (; *bytes >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        *bytes /= 1024;
    return units[unit];
}

void eti__add_bytes(eti_buffer *out, uint64_t bytes) {
    double fitted = (double)bytes;
    const char *unit = eti__fit_bytes(&fitted);
    eti__buffer_printf(out, "%.*f %s", bytes < 1024 ? 0 : 1, fitted, unit);
}

bool eti__find_byte_unit(eti_text name, double *out) {
    static const struct {
        const char *name;
        double bytes;
    } units[] = {
        {"B", 1},        {"bytes", 1},  {"KiB", 1024},        {"MiB", 1024 * 1024}, {"GiB", 0x1p30},
        {"TiB", 0x1p40}, {"kib", 1024}, {"mib", 1024 * 1024}, {"gib", 0x1p30},      {"kB", 1e3},
        {"KB", 1e3},     {"MB", 1e6},   {"GB", 1e9},          {"TB", 1e12},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        *out = units[i].bytes;
        if (eti__text_is(name, units[i].name))
            return true;
    }
    return false;
}

/* ==== whole number ============================================================================ */

bool eti__take_u64(const char **at, const char *end, uint64_t most, uint64_t *out) {
    const char *first = *at;
    *out = 0;
    for (; *at < end && eti__is_digit(**at); ++*at) {
        uint64_t digit = (uint64_t)(**at - '0');
        if (digit > most || *out > (most - digit) / 10)
            return false;
        *out = *out * 10 + digit;
    }
    return *at > first;
}

bool eti__read_u64(eti_text text, uint64_t most, uint64_t *out) {
    if (text.size == 0)
        return false;
    const char *at = text.data, *end = text.data + text.size;
    return eti__take_u64(&at, end, most, out) && at == end;
}

/* ==== wide ==================================================================================== */

double eti__wide_as_double(eti_wide n) {
    if (n.high == 0)
        return (double)n.low;
    int n_lost =
        64 - __builtin_clzll(n.high); /* number of bits that are dropped to keep the highest 64 */
    uint64_t kept = n.high, lost = n.low;
    if (n_lost < 64) {
        kept = n.high << (64 - n_lost) | n.low >> n_lost;
        lost = n.low << (64 - n_lost);
    }
    /* The last bit is far below the precision of a double, so it can record whether any dropped bit was set. */
    return ldexp((double)(kept | (lost != 0)), n_lost);
}

eti_wide eti__wide_product_in_steps(uint64_t a, uint64_t b) {
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t low = a_low * b_low;
    uint64_t middle = a_high * b_low + (low >> 32);
    uint64_t other = a_low * b_high + (uint32_t)middle;
    return (eti_wide){a_high * b_high + (middle >> 32) + (other >> 32),
                      other << 32 | (uint32_t)low};
}

uint64_t eti__wide_quotient_in_steps(eti_wide n, uint64_t divisor) {
    uint64_t rest = n.high, quotient = 0;
    if (rest >= divisor)
        return UINT64_MAX;
    for (int bit = 63; bit >= 0; bit--) {
        bool is_larger = rest >> 63; /* once doubled, it exceeds every divisor */
        rest = rest << 1 | (n.low >> bit & 1);
        quotient <<= 1;
        if (is_larger || rest >= divisor) {
            rest -= divisor;
            quotient |= 1;
        }
    }
    return quotient;
}

/* ==== random ================================================================================== */

#if defined(__linux__) && __has_include(<sys/random.h>)

#include <sys/random.h>

static bool ask_system(void *out, size_t size) {
    return getrandom(out, size, GRND_NONBLOCK) == (ssize_t)size;
}

#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)

static bool ask_system(void *out, size_t size) {
    arc4random_buf(out, size);
    return true;
}

#else

static bool ask_system(void *out, size_t size) {
    (void)out, (void)size;
    return false;
}

#endif

/* Reads from the device, if the system call is missing or the system is still starting. */
static bool read_device(void *out, size_t size) {
    int descriptor = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    ssize_t n = read(descriptor, out, size);
    close(descriptor);
    return n == (ssize_t)size;
}

bool eti__random_bytes(void *out, size_t size) {
    return ask_system(out, size) || read_device(out, size);
}
