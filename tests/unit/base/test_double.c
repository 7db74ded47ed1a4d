/*
 * The expected texts were printed by Python 3.11: repr(value) and format(value, "g").
 */
/* cmocka.h needs these */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/double.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_negative_nan_has_no_sign),
        cmocka_unit_test(test_random_doubles_read_back),
        cmocka_unit_test(test_powers_of_two_and_their_neighbours_read_back),
        cmocka_unit_test(test_general_is_the_librarys),
        cmocka_unit_test(test_other_locales_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
