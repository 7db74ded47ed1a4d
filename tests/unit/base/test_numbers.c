#include "support.h"

#include "base/numbers.h"
#include "base/text.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

/* ==== double ================================================================================== */
/*
 * The expected texts were printed by Python 3.11: repr(value) and format(value, "g").
 */
/* cmocka.h needs these */

typedef struct example {
    uint64_t bits;
    const char *repr;
    const char *general;
} example;

static const example examples[] = {
    {0x0000000000000000, "0.0", "0"},
    {0x8000000000000000, "-0.0", "-0"},
    {0x3ff0000000000000, "1.0", "1"},
    {0xbff0000000000000, "-1.0", "-1"},
    {0x4028000000000000, "12.0", "12"},
    {0x3fb999999999999a, "0.1", "0.1"},
    {0x3fd3333333333333, "0.3", "0.3"},
    {0x3fd3333333333334, "0.30000000000000004", "0.3"},
    {0x3fd5555555555555, "0.3333333333333333", "0.333333"},
    {0x3fe5555555555555, "0.6666666666666666", "0.666667"},
    {0x3ff8000000000000, "1.5", "1.5"},
    {0x4059000000000000, "100.0", "100"},
    {0x40fe240000000000, "123456.0", "123456"},
    {0x4132d68700000000, "1234567.0", "1.23457e+06"},
    {0x40f86a0000000000, "100000.0", "100000"},
    {0x430c6bf526340000, "1000000000000000.0", "1e+15"},
    {0x4341c37937e07fff, "9999999999999998.0", "1e+16"},
    {0x4341c37937e08000, "1e+16", "1e+16"},
    {0x4345eddb25e04800, "1.2345e+16", "1.2345e+16"},
    {0x4376345785d8a000, "1e+17", "1e+17"},
    {0x4480f0cf064dd592, "1e+22", "1e+22"},
    {0x44b52d02c7e14af6, "1e+23", "1e+23"},
    {0x4340000000000000, "9007199254740992.0", "9.0072e+15"},
    {0x4340000000000000, "9007199254740992.0", "9.0072e+15"},
    {0x43e0000000000000, "9.223372036854776e+18", "9.22337e+18"},
    {0x3d30000000000000, "5.684341886080802e-14", "5.68434e-14"},
    {0x3f50624dd2f1a9fc, "0.001", "0.001"},
    {0x3f1a36e2eb1c432d, "0.0001", "0.0001"},
    {0x3f202e4b6ce5dc68, "0.00012345", "0.00012345"},
    {0x3ee4f8b588e368f1, "1e-05", "1e-05"},
    {0x3f18e757928e0c9e, "9.5e-05", "9.5e-05"},
    {0x0000000000000001, "5e-324", "4.94066e-324"},
    {0x0000000000000002, "1e-323", "9.88131e-324"},
    {0x0010000000000000, "2.2250738585072014e-308", "2.22507e-308"},
    {0x000fffffffffffff, "2.225073858507201e-308", "2.22507e-308"},
    {0x0010000000000000, "2.2250738585072014e-308", "2.22507e-308"},
    {0x0170000000000000, "9.332636185032189e-302", "9.33264e-302"},
    {0x7fe0000000000000, "8.98846567431158e+307", "8.98847e+307"},
    {0x7fefffffffffffff, "1.7976931348623157e+308", "1.79769e+308"},
    {0x3eb0000000000000, "9.5367431640625e-07", "9.53674e-07"},
    {0x4011666666666666, "4.35", "4.35"},
    {0x412e848100000000, "1000000.5", "1e+06"},
    {0x412e848a00000000, "1000005.0", "1e+06"},
    {0x412e849e00000000, "1000015.0", "1.00002e+06"},
    {0x412e847f00000000, "999999.5", "1e+06"},
    {0x416312cf60000000, "9999995.0", "1e+07"},
    {0x40f869ff33333333, "99999.95", "99999.9"},
    {0x4132d68500000000, "1234565.0", "1.23456e+06"},
    {0x3fbf9ad85dfa871a, "0.1234565", "0.123456"},
    {0x7ff0000000000000, "inf", "inf"},
    {0xfff0000000000000, "-inf", "-inf"},
    {0x7ff8000000000000, "nan", "nan"},
    {0x54b249ad2594c37d, "1e+100", "1e+100"},
    {0xab34ff632b6a83e4, "-1.5e-100", "-1.5e-100"},
    {0x40259b12bf1f6520, "10.8028774", "10.8029"},
    {0x40180ebb7739f341, "6.014387", "6.01439"},
};

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void assert_example(const example *e) {
    char text[ETI_DOUBLE_TEXT_MAX];
    assert_int_equal(eti__double_repr(text, double_of(e->bits)), strlen(e->repr));
    assert_string_equal(text, e->repr);
    assert_int_equal(eti__double_general(text, double_of(e->bits)), strlen(e->general));
    assert_string_equal(text, e->general);
}

static void test_examples(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        assert_example(&examples[i]);
}

static void test_negative_nan_has_no_sign(void **state) {
    (void)state;
    assert_example(&(example){0xfff8000000000000, "nan", "nan"});
}

/* Returns the number of significant digits, not counting those of a final ".0". */
static int count_digits(const char *text) {
    int n = 0;
    for (; *text && *text != 'e' && strcmp(text, ".0") != 0; text++) {
        if (*text >= '0' && *text <= '9')
            n += n > 0 || *text != '0';
    }
    return n;
}

/* Checks that the text reads back as the same double, and that no text of 16 digits does if it has 17. */
static void assert_shortest(double value) {
    char text[ETI_DOUBLE_TEXT_MAX];
    eti__double_repr(text, value);
    assert_true(strtod(text, NULL) == value);
    if (count_digits(text) < 17)
        return;
    char shorter[64];
    snprintf(shorter, sizeof shorter, "%.15e", value);
    assert_true(strtod(shorter, NULL) != value);
}

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Below 1e16, repr() writes whole numbers with all their digits. */
static void test_whole_numbers_end_in_point_zero(void **state) {
    (void)state;
    char text[ETI_DOUBLE_TEXT_MAX], expected[32];
    for (double power = 1; power < 1e16; power *= 10) {
        for (int i = -2; i <= 2; i++) {
            snprintf(expected, sizeof expected, "%.0f.0", power + i);
            size_t n = eti__double_repr(text, power + i);
            assert_string_equal(text, expected);
            assert_int_equal(n, strlen(expected));
        }
    }
    eti__double_repr(text, 999999999999999.5);
    assert_string_equal(text, "999999999999999.5");
}

static void test_random_doubles_read_back(void **state) {
    (void)state;
    uint64_t random = 88172645463325252u;
    for (int i = 0; i < 100000; i++) {
        double value = double_of(next_random(&random));
        if (isfinite(value))
            assert_shortest(value);
    }
}

static void test_powers_of_two_and_their_neighbours_read_back(void **state) {
    (void)state;
    for (int e = -1074; e < 1024; e++) {
        double power = ldexp(1, e);
        assert_shortest(power);
        assert_shortest(nextafter(power, INFINITY));
        if (e > -1074)
            assert_shortest(nextafter(power, 0));
    }
}

/* Compares with "%g" of the C library, which runs in the "C" locale here. */
static void assert_general(double value) {
    char text[ETI_DOUBLE_TEXT_MAX];
    char expected[64];
    eti__double_general(text, value);
    snprintf(expected, sizeof expected, "%g", value);
    assert_string_equal(text, expected);
}

static void test_general_is_the_librarys(void **state) {
    (void)state;
    uint64_t random = 3141592653589793u;
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = next_random(&random);
        if (isfinite(double_of(bits)))
            assert_general(double_of(bits));
        assert_general((double)(bits % 20000000) / 2);    /* many ties */
        assert_general((double)(bits % 100000000) / 1e6); /* as in statistics */
        assert_general(double_of(bits >> 12));            /* subnormal */
    }
}

static void test_other_locales_change_nothing(void **state) {
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
        skip();
    test_examples(state);
    setlocale(LC_ALL, "C");
}

/* ==== percent ================================================================================= */

static void assert_change(double change, const char *expected) {
    char out[ETI_PERCENT_MAX];
    assert_text(((eti_text){out, eti__write_change(out, change)}), expected);
}

static void assert_share(double share, const char *expected) {
    char out[ETI_PERCENT_MAX];
    assert_text(((eti_text){out, eti__write_share(out, share)}), expected);
}

static void changes_have_a_sign(void **state) {
    (void)state;
    assert_change(0.1234, "+12.3 %");
    assert_change(-0.05, "-5.0 %");
    assert_change(0, "+0.0 %");
    assert_change(-0.0, "+0.0 %");
    assert_change(-0.0004, "+0.0 %");
    assert_change(-0.0006, "-0.1 %");
    assert_change(1e-9, "+0.0 %");
}

static void cells_have_no_blank(void **state) {
    char out[ETI_PERCENT_MAX];
    (void)state;
    assert_text(((eti_text){out, eti__write_change_cell(out, 0.1234)}), "+12.3%");
    assert_text(((eti_text){out, eti__write_change_cell(out, -0.05)}), "-5.0%");
}

static void bytes_have_the_largest_unit_that_fits(void **state) {
    (void)state;
    static const struct {
        uint64_t bytes;
        const char *expected;
    } cases[] = {{0, "0 B"},
                 {1023, "1023 B"},
                 {1024, "1.0 KiB"},
                 {1536, "1.5 KiB"},
                 {UINT64_C(5) << 30, "5.0 GiB"},
                 {UINT64_MAX, "16777216.0 TiB"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        eti_buffer out = {0};
        eti__add_bytes(&out, cases[i].bytes);
        assert_text(eti__buffer_text(&out), cases[i].expected);
        eti__buffer_free(&out);
    }
}

static void large_changes_have_no_decimals(void **state) {
    (void)state;
    assert_change(9.9994, "+999.9 %");
    assert_change(9.9996, "+1000 %");
    assert_change(-31.254, "-3125 %");
    assert_change(1e12, "+100000000000000 %");
    assert_change(1e14, "+1e+16 %");
    assert_change(-1e300, "-1e+302 %");
    assert_change(-1.2345678e300, "-1.23457e+302 %");
}

static void nothing_is_infinite(void **state) {
    (void)state;
    assert_change(INFINITY, "unknown");
    assert_change(-INFINITY, "unknown");
    assert_change(NAN, "unknown");
    assert_change(1e308, "unknown");
    assert_share(NAN, "unknown");
}

static void shares_have_no_plus(void **state) {
    (void)state;
    assert_share(0.971, "97.1 %");
    assert_share(1, "100.0 %");
    assert_share(0, "0.0 %");
    assert_share(-0.5, "-50.0 %");
}

static void both_are_appended(void **state) {
    (void)state;
    eti_buffer out = {0};
    eti__add_change(&out, 0.5);
    eti__add_share(&out, 0.25);
    assert_text(eti__buffer_text(&out), "+50.0 %25.0 %");
    eti__buffer_free(&out);
}

/* ==== whole number ============================================================================ */

static void digits_that_fill_the_text_are_a_number(void **state) {
    (void)state;
    uint64_t value;
    assert_true(eti__read_u64(eti__text_of("0"), UINT64_MAX, &value));
    assert_int_equal(value, 0);
    assert_true(eti__read_u64(eti__text_of("0042"), 42, &value));
    assert_int_equal(value, 42);
    assert_true(eti__read_u64(eti__text_of("18446744073709551615"), UINT64_MAX, &value));
    assert_true(value == UINT64_MAX);
}

static void all_else_is_not(void **state) {
    (void)state;
    const char *const texts[] = {"", " 1", "1 ", "+1", "-1", "1.0", "0x1", "a"};
    uint64_t value;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(eti__read_u64(eti__text_of(texts[i]), UINT64_MAX, &value));
    assert_false(eti__read_u64((eti_text){NULL, 0}, UINT64_MAX, &value));
}

static void numbers_above_the_limit_are_refused(void **state) {
    (void)state;
    uint64_t value;
    assert_true(eti__read_u64(eti__text_of("99"), 99, &value));
    assert_false(eti__read_u64(eti__text_of("100"), 99, &value));
    assert_false(eti__read_u64(eti__text_of("1"), 0, &value));
    assert_false(eti__read_u64(eti__text_of("18446744073709551616"), UINT64_MAX, &value));
    assert_false(eti__read_u64(eti__text_of("99999999999999999999999"), UINT64_MAX, &value));
}

static void taking_stops_behind_the_digits(void **state) {
    (void)state;
    const char text[] = "12,3";
    const char *at = text;
    uint64_t value;
    assert_true(eti__take_u64(&at, text + 4, UINT64_MAX, &value));
    assert_int_equal(value, 12);
    assert_ptr_equal(at, text + 2);
    assert_false(eti__take_u64(&at, text + 4, UINT64_MAX, &value));
    at = text;
    /* the text ends where the size says */
    assert_true(eti__take_u64(&at, text + 1, UINT64_MAX, &value));
    assert_int_equal(value, 1);
}

/* ==== wide ==================================================================================== */

/* Numbers at which a carry, a sign or rounding may go wrong. */
static const uint64_t numbers[] = {
    0,
    1,
    2,
    3,
    10,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    0x100000000,
    0x100000001,
    0x123456789abcdef,
    0x7fffffffffffffff,
    0x8000000000000000,
    0x8000000000000001,
    0xfffffffffffffffe,
    0xffffffffffffffff,
};

static void assert_wide(eti_wide n, uint64_t high, uint64_t low) {
    assert_int_equal(n.high, high);
    assert_int_equal(n.low, low);
}

static void sums_carry_and_differences_borrow(void **state) {
    (void)state;
    eti_wide n = eti__wide_of(UINT64_MAX);
    eti__wide_add(&n, eti__wide_of(0));
    assert_wide(n, 0, UINT64_MAX);
    eti__wide_add(&n, eti__wide_of(1));
    assert_wide(n, 1, 0);
    eti__wide_add(&n, (eti_wide){2, UINT64_MAX});
    assert_wide(n, 3, UINT64_MAX);
    eti__wide_add(&n, (eti_wide){1, 3});
    assert_wide(n, 5, 2);
    assert_wide(eti__wide_minus(n, (eti_wide){1, 3}), 3, UINT64_MAX);
    assert_wide(eti__wide_minus(eti__wide_of(7), eti__wide_of(5)), 0, 2);
    assert_wide(eti__wide_minus((eti_wide){1, 0}, eti__wide_of(1)), 0, UINT64_MAX);
    assert_wide(eti__wide_minus((eti_wide){UINT64_MAX, UINT64_MAX}, (eti_wide){UINT64_MAX, 0}), 0,
                UINT64_MAX);
}

static void differences_are_not_negative(void **state) {
    (void)state;
    const eti_wide ascending[] = {{0, 0}, {0, 1}, {0, UINT64_MAX}, {1, 0}, {1, 7}, {UINT64_MAX, 3}};
    for (size_t i = 0; i < COUNT_OF(ascending); i++) {
        for (size_t j = i; j < COUNT_OF(ascending); j++)
            assert_wide(eti__wide_minus(ascending[i], ascending[j]), 0, 0);
    }
}

static void the_high_half_decides_first(void **state) {
    (void)state;
    const eti_wide ascending[] = {{0, 0}, {0, 1}, {0, UINT64_MAX}, {1, 0}, {1, 7}, {UINT64_MAX, 3}};
    for (size_t i = 0; i < COUNT_OF(ascending); i++) {
        for (size_t j = 0; j < COUNT_OF(ascending); j++)
            assert_int_equal(eti__wide_compare(ascending[i], ascending[j]), (i > j) - (i < j));
    }
}

static void products_have_all_their_bits(void **state) {
    (void)state;
    assert_wide(eti__wide_product(UINT64_MAX, UINT64_MAX), UINT64_MAX - 1, 1);
    assert_wide(eti__wide_product_in_steps(UINT64_MAX, UINT64_MAX), UINT64_MAX - 1, 1);
    assert_wide(eti__wide_product_in_steps(0x100000001, 0x100000001), 1, 0x200000001);
    assert_wide(eti__wide_product_in_steps(0x123456789abcdef, 0x8000000000000001), 0x91a2b3c4d5e6f7,
                0x8123456789abcdef);
}

static void quotients_are_rounded_down_and_have_a_limit(void **state) {
    (void)state;
    uint64_t (*const quotients[])(eti_wide, uint64_t) = {eti__wide_quotient,
                                                         eti__wide_quotient_in_steps};
    for (size_t i = 0; i < COUNT_OF(quotients); i++) {
        assert_int_equal(quotients[i]((eti_wide){0, 29}, 10), 2);
        assert_int_equal(quotients[i]((eti_wide){1, 0}, 3), 0x5555555555555555);
        assert_int_equal(quotients[i]((eti_wide){UINT64_MAX - 1, UINT64_MAX}, UINT64_MAX),
                         UINT64_MAX);
        assert_int_equal(quotients[i]((eti_wide){1, 0}, 1), UINT64_MAX);
        assert_int_equal(quotients[i]((eti_wide){3, 0}, 3), UINT64_MAX);
        assert_int_equal(quotients[i](eti__wide_of(5), 0), UINT64_MAX);
    }
}

static void both_ways_agree(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        for (size_t j = 0; j < COUNT_OF(numbers); j++) {
            eti_wide product = eti__wide_product(numbers[i], numbers[j]);
            eti_wide in_steps = eti__wide_product_in_steps(numbers[i], numbers[j]);
            assert_wide(in_steps, product.high, product.low);
            for (size_t k = 0; k < COUNT_OF(numbers); k++) {
                eti_wide n = {numbers[i], numbers[j]};
                assert_int_equal(eti__wide_quotient_in_steps(n, numbers[k]),
                                 eti__wide_quotient(n, numbers[k]));
            }
        }
    }
}

static void doubles_are_the_nearest(void **state) {
    (void)state;
    const uint64_t half = 0x400, one = 0x800; /* among the bits that a double lacks */
    const uint64_t first = UINT64_C(1) << 63;
    assert_bits(eti__wide_as_double(eti__wide_of(0)), 0);
    assert_bits(eti__wide_as_double(eti__wide_of(UINT64_MAX)), ldexp(1, 64));
    assert_bits(eti__wide_as_double((eti_wide){1, 0}), ldexp(1, 64));
    assert_bits(eti__wide_as_double((eti_wide){UINT64_MAX, UINT64_MAX}), ldexp(1, 128));
    assert_bits(eti__wide_as_double((eti_wide){first, 0}), ldexp(1, 127));
    /* A tie is rounded to the even neighbour; anything above it, however small, is rounded up. */
    assert_bits(eti__wide_as_double((eti_wide){first | half, 0}), ldexp(1, 127));
    assert_bits(eti__wide_as_double((eti_wide){first | half, 1}), ldexp((double)(first | one), 64));
    assert_bits(eti__wide_as_double((eti_wide){first | one | half, 0}),
                ldexp((double)(first | 2 * one), 64));
    assert_bits(eti__wide_as_double((eti_wide){1, 0x800}), ldexp(1, 64));
    assert_bits(eti__wide_as_double((eti_wide){1, 0x801}), ldexp(1, 64) + 4096);
    assert_bits(eti__wide_as_double((eti_wide){1, 0x1800}), ldexp(1, 64) + 8192);
}

/* ==== random ================================================================================== */

static bool has_no_call;

/* Replaces the system call that the library uses. */
ssize_t getrandom(void *out, size_t size, unsigned flags) {
    if (!has_no_call)
        return syscall(SYS_getrandom, out, size, flags);
    errno = ENOSYS;
    return -1;
}

/* Two equal draws of 16 bytes are less likely than a broken machine. */
static void assert_drawn(void) {
    uint8_t first[16] = {0}, second[16] = {0}, none[16] = {0};
    assert_true(eti__random_bytes(first, sizeof first));
    assert_true(eti__random_bytes(second, sizeof second));
    assert_memory_not_equal(first, none, sizeof none);
    assert_memory_not_equal(first, second, sizeof second);
}

static void bytes_are_drawn_anew(void **state) {
    (void)state;
    has_no_call = false;
    assert_drawn();
}

static void the_device_gives_bytes_where_the_call_is_missing(void **state) {
    (void)state;
    has_no_call = true;
    assert_drawn();
}

static void a_system_without_bytes_is_reported(void **state) {
    (void)state;
    struct rlimit before, none;
    uint8_t bytes[16];
    has_no_call = true;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = (struct rlimit){0, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    bool drawn = eti__random_bytes(bytes, sizeof bytes);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_false(drawn);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_negative_nan_has_no_sign),
        cmocka_unit_test(test_whole_numbers_end_in_point_zero),
        cmocka_unit_test(test_random_doubles_read_back),
        cmocka_unit_test(test_powers_of_two_and_their_neighbours_read_back),
        cmocka_unit_test(test_general_is_the_librarys),
        cmocka_unit_test(test_other_locales_change_nothing),
        cmocka_unit_test(changes_have_a_sign),
        cmocka_unit_test(cells_have_no_blank),
        cmocka_unit_test(bytes_have_the_largest_unit_that_fits),
        cmocka_unit_test(large_changes_have_no_decimals),
        cmocka_unit_test(nothing_is_infinite),
        cmocka_unit_test(shares_have_no_plus),
        cmocka_unit_test(both_are_appended),
        cmocka_unit_test(digits_that_fill_the_text_are_a_number),
        cmocka_unit_test(all_else_is_not),
        cmocka_unit_test(numbers_above_the_limit_are_refused),
        cmocka_unit_test(taking_stops_behind_the_digits),
        cmocka_unit_test(sums_carry_and_differences_borrow),
        cmocka_unit_test(differences_are_not_negative),
        cmocka_unit_test(the_high_half_decides_first),
        cmocka_unit_test(products_have_all_their_bits),
        cmocka_unit_test(quotients_are_rounded_down_and_have_a_limit),
        cmocka_unit_test(both_ways_agree),
        cmocka_unit_test(doubles_are_the_nearest),
        cmocka_unit_test(bytes_are_drawn_anew),
        cmocka_unit_test(the_device_gives_bytes_where_the_call_is_missing),
        cmocka_unit_test(a_system_without_bytes_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
