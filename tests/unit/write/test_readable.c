#include "support.h"

#include "base/text.h"
#include "table/table.h"
#include "write/readable.h"

#include <math.h>

/* ==== readable ================================================================================ */

#define MISSING                                                                                    \
    { .kind = ETI_CELL_NONE }
#define INT(value)                                                                                 \
    { .kind = ETI_CELL_INT, .as_int = (value) }
#define DOUBLE(value)                                                                              \
    { .kind = ETI_CELL_DOUBLE, .as_double = (value) }

/* Decimals needed for small times are too many for large ones in the same unit. */
static void test_large_times_in_a_small_unit(void **state) {
    (void)state;
    const eti_cell fits = DOUBLE(9.0), beyond = DOUBLE(6.875e13);
    eti_readable column = {.kind = ETI_COLUMN_TIME, .form = {.factor = 1, .decimals = 6}};
    char out[ETI_READABLE_MAX];
    eti__readable_look(&column, &fits);
    eti__readable_look(&column, &beyond);
    (void)eti__readable_settle(&column);
    assert_text(eti__readable_text(&column, &beyond, out), "6.875e+13");
    column.form.decimals = column.decimals = 5;
    assert_text(eti__readable_text(&column, &beyond, out), "68,750,000,000,000.00000");
}

/* Checks that a column of these cells is shown as these texts, the longest of which has the reported length. */
static void assert_column(eti_column_kind kind, const eti_cell *cells, size_t n,
                          const char *const *expected) {
    eti_readable column = {.kind = kind};
    size_t longest = 0;
    char out[ETI_READABLE_MAX];
    for (size_t i = 0; i < n; i++) {
        assert_true(eti__readable_is_number(&column, &cells[i]));
        eti__readable_look(&column, &cells[i]);
    }
    size_t width = eti__readable_settle(&column);
    for (size_t i = 0; i < n; i++) {
        eti_text text = eti__readable_text(&column, &cells[i], out);
        assert_text(text, expected[i]);
        longest = text.size > longest ? text.size : longest;
    }
    assert_int_equal(width, longest);
}

#define ASSERT_COLUMN(kind, cells, ...)                                                            \
    do {                                                                                           \
        static const char *const expected_[] = {__VA_ARGS__};                                      \
        assert_int_equal(COUNT_OF(cells), COUNT_OF(expected_));                                    \
        assert_column(kind, cells, COUNT_OF(cells), expected_);                                    \
    } while (0)

static void test_counts(void **state) {
    (void)state;
    static const eti_cell cells[] = {
        INT(0),  INT(999),       INT(1000),    INT(-1234567), INT(INT64_MIN),        INT(INT64_MAX),
        MISSING, DOUBLE(1234.0), DOUBLE(-0.0), DOUBLE(1e300), {.kind = ETI_CELL_NAN}};
    ASSERT_COLUMN(ETI_COLUMN_COUNT, cells, "0", "999", "1,000", "-1,234,567",
                  "-9,223,372,036,854,775,808", "9,223,372,036,854,775,807", "-", "1,234", "0",
                  "1e+300", "-");
}

static void test_ids_are_not_grouped(void **state) {
    (void)state;
    static const eti_cell cells[] = {INT(-1), INT(1234567)};
    ASSERT_COLUMN(ETI_COLUMN_NUMBER, cells, "-1", "1234567");
}

/* The smallest time has three digits, the largest six. */
static void test_times(void **state) {
    (void)state;
    static const eti_cell close[] = {DOUBLE(0.001157), DOUBLE(0.0309881), DOUBLE(0)};
    ASSERT_COLUMN(ETI_COLUMN_TIME, close, "0.00116", "0.03099", "0");
    static const eti_cell apart[] = {DOUBLE(0.00115), DOUBLE(31.25), DOUBLE(1234.5)};
    ASSERT_COLUMN(ETI_COLUMN_TIME, apart, "0.00", "31.25", "1,234.50");
    static const eti_cell whole[] = {DOUBLE(7), DOUBLE(1234567), DOUBLE(NAN)};
    ASSERT_COLUMN(ETI_COLUMN_TIME, whole, "7", "1,234,567", "-");
    static const eti_cell signs[] = {DOUBLE(-12.5), DOUBLE(1.25)};
    ASSERT_COLUMN(ETI_COLUMN_TIME, signs, "-12.50", "1.25");
    static const eti_cell odd[] = {DOUBLE(INFINITY), DOUBLE(-INFINITY), DOUBLE(5e-324)};
    ASSERT_COLUMN(ETI_COLUMN_TIME, odd, "inf", "-inf", "0.000000000");
    static const eti_cell large[] = {DOUBLE(999999999999999.0), DOUBLE(1e15)};
    ASSERT_COLUMN(ETI_COLUMN_TIME, large, "999,999,999,999,999", "1e+15");
    static const eti_cell rounded_up[] = {DOUBLE(99.9996), DOUBLE(99.96)};
    ASSERT_COLUMN(ETI_COLUMN_TIME, rounded_up, "100.0", "100.0");
}

/* Columns with several units have four digits each. */
static void test_numbers_of_several_units(void **state) {
    (void)state;
    static const eti_cell apart[] = {DOUBLE(0.0321255), DOUBLE(105628.44), DOUBLE(0.5),  DOUBLE(20),
                                     DOUBLE(0),         MISSING,           DOUBLE(1e-12)};
    ASSERT_COLUMN(ETI_COLUMN_NUMBER, apart, "0.03213", "105,628", "0.5000", "20", "0", "-",
                  "1.00e-12");
    static const eti_cell tiny[] = {DOUBLE(1.02737e-11), DOUBLE(-5.26e-12), DOUBLE(0)};
    ASSERT_COLUMN(ETI_COLUMN_NUMBER, tiny, "1.03e-11", "-5.26e-12", "0");
    static const eti_cell counts[] = {INT(20), DOUBLE(37.17365), DOUBLE(-1.5)};
    ASSERT_COLUMN(ETI_COLUMN_NUMBER, counts, "20", "37.17", "-1.500");
    static const eti_cell cycles[] = {INT(2000), DOUBLE(33131), DOUBLE(62936)};
    ASSERT_COLUMN(ETI_COLUMN_NUMBER, cycles, "2,000", "33,131", "62,936");
    static const eti_cell alike[] = {DOUBLE(0.332), DOUBLE(12.5)};
    ASSERT_COLUMN(ETI_COLUMN_NUMBER, alike, "0.332", "12.500");
}

static void test_shares(void **state) {
    (void)state;
    static const eti_cell cells[] = {DOUBLE(1), DOUBLE(0.1234), DOUBLE(0.0004), DOUBLE(-0.5),
                                     INT(1),    MISSING,        DOUBLE(0)};
    ASSERT_COLUMN(ETI_COLUMN_SHARE, cells, "100.0%", "12.3%", "0.0%", "-50.0%", "100.0%", "-",
                  "0.0%");
    static const eti_cell zero[] = {DOUBLE(0)};
    ASSERT_COLUMN(ETI_COLUMN_SHARE, zero, "0.0%");
}

static void test_changes(void **state) {
    (void)state;
    static const eti_cell cells[] = {DOUBLE(0.1234),        DOUBLE(-0.5), DOUBLE(0),
                                     DOUBLE(99.99),         INT(1),       MISSING,
                                     {.kind = ETI_CELL_NAN}};
    ASSERT_COLUMN(ETI_COLUMN_CHANGE, cells, "+12.3%", "-50.0%", "+0.0%", "+9999%", "+100.0%", "-",
                  "-");
}

static void test_bytes(void **state) {
    (void)state;
    static const eti_cell cells[] = {INT(0),
                                     INT(1023),
                                     INT(1024),
                                     INT(1536),
                                     INT(1 << 20),
                                     INT(-5),
                                     INT((int64_t)5 << 40),
                                     INT(INT64_MAX)};
    ASSERT_COLUMN(ETI_COLUMN_BYTES, cells, "0 B  ", "1023 B  ", "1.0 KiB", "1.5 KiB", "1.0 MiB",
                  "-5 B  ", "5.0 TiB", "8388608.0 TiB");
}

static void test_mixed(void **state) {
    (void)state;
    static const eti_cell cells[] = {INT(12345), DOUBLE(0.5), DOUBLE(1234567.0)};
    ASSERT_COLUMN(ETI_COLUMN_TEXT, cells, "12345", "0.5", "1.23457e+06");
    const eti_readable column = {.kind = ETI_COLUMN_TEXT};
    const eti_cell missing = MISSING;
    assert_false(eti__readable_is_number(&column, &missing));
}

/* Rounds as the C library rounds the exact value, near ties too. */
static void test_rounding(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 200000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        double value = (double)(seed >> 40) / (i % 2 ? 1000.0 : 4096.0);
        eti_readable column = {.kind = ETI_COLUMN_NUMBER, .decimals = i % 4};
        eti_cell cell = DOUBLE(value);
        char out[ETI_READABLE_MAX], expected[64];
        snprintf(expected, sizeof expected, "%.*f", i % 4, value);
        assert_text(eti__readable_text(&column, &cell, out), expected);
    }
}

/* ==== sparkline =============================================================================== */
/* Shows series as lines of characters. */

static void assert_line(const double *values, size_t n, size_t width, bool is_ascii,
                        const char *expected) {
    eti_buffer out = {0};
    eti__add_sparkline(&out, values, n, width, is_ascii);
    if (!eti__text_is(eti__buffer_text(&out), expected))
        fail_msg("expected %s, found %.*s", expected, ETI_TEXT_ARGS(eti__buffer_text(&out)));
    eti__buffer_free(&out);
}

static void heights_go_from_the_lowest_to_the_highest(void **state) {
    (void)state;
    static const double values[] = {1, 2, 3, 4, 5, 6, 7, 8};
    assert_line(values, 8, 8, false, "▁▂▃▄▅▆▇█");
    assert_line(values, 8, 8, true, "_.:-=+*#");
    assert_line(values, 8, 40, true, "_.:-=+*#");
    static const double below_zero[] = {-1, -3, -2};
    assert_line(below_zero, 3, 3, true, "#_=");
}

/* 10 % is the full height. */
static void noise_stays_small(void **state) {
    (void)state;
    static const double noise[] = {1, 1.01, 0.99, 1, 1.12};
    assert_line(noise, 4, 4, true, "-=--");
    assert_line(noise, 5, 5, true, "_.__#");
    static const double equal[] = {5, 5, 5};
    assert_line(equal, 3, 3, true, "===");
    static const double zeros[] = {0, 0};
    assert_line(zeros, 2, 2, true, "__");
}

static void long_series_are_averaged(void **state) {
    (void)state;
    static const double values[] = {1, 3, 1, 3, 9, 11, 9, 11};
    assert_line(values, 8, 4, true, "__##");
    assert_line(values, 8, 1, true, "-");
    /* 7 numbers: one, two, two and two per character */
    assert_line(values, 7, 4, true, "__=#");
}

static void nonfinite_values_are_blank(void **state) {
    (void)state;
    static const double values[] = {1, (double)NAN, 8, (double)INFINITY};
    assert_line(values, 4, 4, true, "_ # ");
    assert_line(values, 4, 2, true, "_#");
    assert_line(values + 1, 1, 4, true, " ");
    assert_line(values, 0, 4, true, "");
    static const double large[] = {-1.7e308, 1.7e308};
    assert_line(large, 2, 2, true, "__");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_times_in_a_small_unit),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_ids_are_not_grouped),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_numbers_of_several_units),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(heights_go_from_the_lowest_to_the_highest),
        cmocka_unit_test(noise_stays_small),
        cmocka_unit_test(long_series_are_averaged),
        cmocka_unit_test(nonfinite_values_are_blank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
