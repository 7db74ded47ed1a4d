#include "file_order.h"

#include "support.h"

#include "numerics/metrics.h"
#include "numerics/numerics.h"
#include "tensors/tensors.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ==== metrics ================================================================================= */

enum {
    BYTE = 0,
    CHAR = 1,
    INT = 3,
    LONG = 4,
    HALF = 5,
    FLOAT = 6,
    DOUBLE = 7,
    BOOL = 11,
    BFLOAT = 15,
    UINT64 = 29
};

static const eti_tolerances usual = {1e-5, 1e-8}, exact = {0, 0};

static eti_tensor_values row_of(int8_t type, const void *data, const int64_t *n) {
    static const int64_t one = 1;
    eti_tensor_values values = {
        .scalar_type = type,
        .n_dims = 1,
        .sizes = n,
        .strides = &one,
        .data = in_file_order(data, (size_t)*n, eti__element_type(type)->width)};
    assert_null(eti__tensor_values_count(&values));
    return values;
}

static eti_metrics compare(int8_t type, const void *a, int8_t new_type, const void *b, int64_t n,
                           eti_tolerances tolerances) {
    eti_tensor_values base = row_of(type, a, &n), newer = row_of(new_type, b, &n);
    eti_metrics out;
    assert_true(eti__metrics_are_defined(&base, &newer));
    assert_int_equal(eti__metrics_compare(&base, &newer, &tolerances, 1, &out), ETI_OK);
    return out;
}

static void assert_near(double value, double expected, double within) {
    bool is_equal = value == expected || (isnan(value) && isnan(expected));
    if (!is_equal && !(fabs(value - expected) <= within * fabs(expected)))
        fail_msg("%.17g, expected %.17g", value, expected);
}

static void assert_close(double value, double expected) {
    assert_near(value, expected, 1e-14);
}

/* Differences 0, 0.5, -1, 0. */
static void the_metrics_are_those_of_their_definitions(void **state) {
    (void)state;
    const float a[] = {1, 2, 3, 4}, b[] = {1, 2.5F, 2, 4};
    const double wide_a[] = {1, 2, 3, 4}, wide_b[] = {1, 2.5, 2, 4};
    for (int i = 0; i < 3; i++) {
        eti_metrics got = i == 0   ? compare(FLOAT, a, FLOAT, b, 4, usual)
                          : i == 1 ? compare(DOUBLE, wide_a, DOUBLE, wide_b, 4, usual)
                                   : compare(FLOAT, a, DOUBLE, wide_b, 4, usual);
        assert_close(got.mse, 0.3125);
        assert_close(got.l1, 1.5);
        assert_close(got.snr, 10 * log10(24));
        assert_true(got.max_abs == 1 && got.max_abs_at == 2);
        assert_close(got.mean_abs, 0.375);
        assert_close(got.rmse, sqrt(0.3125));
        assert_close(got.max_rel, 1.0 / 3);
        assert_close(got.cosine, 28 / sqrt(30 * 27.25));
        assert_close(got.psnr, 10 * log10(51.2));
        assert_close(got.ulp_max, i == 0 ? 0x1p22 : i == 1 ? 0x1p51 : (double)NAN);
        assert_int_equal(got.pairs, 4);
        assert_int_equal(got.mismatched, 2);
        assert_false(got.identical);
    }
}

static void equal_tensors_are_identical(void **state) {
    (void)state;
    skip_without_wide_floats();
    enum { MANY = 5003 };
    float values[MANY];
    for (size_t i = 0; i < MANY; i++)
        values[i] = sinf((float)i) * 3;
    eti_metrics got = compare(FLOAT, values, FLOAT, values, MANY, exact);
    assert_true(got.identical && got.mse == 0 && got.l1 == 0 && got.rmse == 0);
    assert_true(got.max_abs == 0 && got.max_abs_at == 0 && got.max_rel == 0 && got.mean_abs == 0);
    assert_true(isinf(got.snr) && got.snr > 0 && isinf(got.psnr) && got.psnr > 0);
    assert_true(got.cosine == 1 && got.ulp_max == 0 && got.mismatched == 0 && got.pairs == MANY);
    values[17] = NAN;
    values[4000] = -INFINITY;
    got = compare(FLOAT, values, FLOAT, values, MANY, exact);
    assert_true(got.identical && got.mse == 0 && got.mismatched == 0 && got.cosine == 1);
    assert_int_equal(got.pairs, MANY - 2);
    assert_true(got.nan_base == 1 && got.nan_new == 1 && got.inf_base == 1 && got.inf_new == 1);
}

/* The elements are cut into pieces, which are joined: 1 to 7 in turn beside their negatives, and non-finite elements in
 * many pieces. */
static void many_elements_give_the_sums_of_all(void **state) {
    (void)state;
    enum { MANY = 7 * (ETI_MANY_ELEMENTS / 7 + 10) };
    double *a = malloc(MANY * sizeof *a), *b = malloc(MANY * sizeof *b);
    assert_non_null(a);
    assert_non_null(b);
    for (size_t i = 0; i < MANY; i++) {
        a[i] = (double)(i % 7 + 1);
        b[i] = -a[i];
    }
    eti_metrics got = compare(DOUBLE, a, DOUBLE, b, MANY, exact);
    assert_close(got.cosine, -1); /* within the rounding of the sums */
    assert_true(got.max_abs == 14 && got.max_abs_at == 6 && got.max_rel == 2);
    assert_close(got.mean_abs, 8); /* twice the mean of 1 to 7 */
    assert_close(got.mse, 80);     /* 4 (1 + 4 + ... + 49) / 7 */
    assert_close(got.psnr, 10 * log10(49.0 / 80));
    assert_int_equal(got.pairs, MANY);
    assert_int_equal(got.mismatched, MANY);
    for (size_t i = 0; i < 5; i++) {
        a[MANY / 5 * i] = NAN;
        a[MANY / 5 * i + 1] = -INFINITY;
        b[MANY / 5 * i + 2] = INFINITY;
        b[MANY / 5 * i + 3] = i < 3 ? NAN : b[MANY / 5 * i + 3];
    }
    got = compare(DOUBLE, a, DOUBLE, b, MANY, exact);
    assert_int_equal(got.nan_base, 5);
    assert_int_equal(got.inf_base, 5);
    assert_int_equal(got.inf_new, 5);
    assert_int_equal(got.nan_new, 3);
    assert_int_equal(got.pairs, MANY - 18);
    assert_int_equal(got.mismatched, MANY);
    assert_true(got.max_abs == 14 && got.cosine == -1);
    free(a);
    free(b);
}

static void nothing_is_known_of_no_elements(void **state) {
    (void)state;
    eti_metrics got = compare(FLOAT, NULL, FLOAT, NULL, 0, usual);
    assert_true(isnan(got.gap_mse) && got.gap_l1 == 0 && isnan(got.gap_snr) && isnan(got.cosine));
    assert_true(got.mse == 0 && got.l1 == 0 && isinf(got.snr) && got.snr > 0);
    assert_true(isnan(got.max_abs) && isnan(got.ulp_max) && got.identical && got.pairs == 0);
    got = compare(FLOAT, NULL, DOUBLE, NULL, 0, usual);
    assert_false(got.identical);
}

static void tensors_that_cannot_be_compared_are_refused(void **state) {
    (void)state;
    const float values[4] = {0};
    int64_t three = 3, four = 4;
    eti_tensor_values base = row_of(FLOAT, values, &four), fewer = row_of(FLOAT, values, &three);
    eti_tensor_values packed = row_of(16, values, &four), absent = row_of(FLOAT, NULL, &four);
    eti_metrics out;
    assert_int_equal(eti__metrics_compare(&base, &fewer, &usual, 1, &out), ETI_ERROR_DATA);
    assert_int_equal(eti__metrics_compare(&base, &packed, &usual, 1, &out), ETI_ERROR_DATA);
    assert_int_equal(eti__metrics_compare(&packed, &base, &usual, 1, &out), ETI_ERROR_DATA);
    assert_int_equal(eti__metrics_compare(&base, &absent, &usual, 1, &out), ETI_ERROR_DATA);
    assert_int_equal(eti__metrics_compare(&absent, &base, &usual, 1, &out), ETI_ERROR_DATA);
}

/* ---- non-finite values ------------------------------------------------------------------------ */

/* Results are those of the Inspector's convert_to_float_tensor(). */
static void a_nan_makes_zeros_and_large_numbers_of_its_tensor_in_the_gap(void **state) {
    (void)state;
    const double nan = (double)NAN, inf = (double)INFINITY;
    const struct {
        double a[2], b[2], mse, l1, snr;
        uint64_t mismatched;
    } cases[] = {
        {{1, nan}, {1, 2}, 2, 2, 10 * log10(0.25), 1},
        {{1, 2}, {1, nan}, 2, 2, 10 * log10(1.25), 1},
        {{1, nan}, {2, nan}, 0.5, 1, 0, 1},
        {{inf, 1}, {inf, 1}, nan, nan, nan, 0},
        {{inf, nan}, {inf, 0}, inf, inf, nan, 1},
        {{inf, nan}, {inf, nan}, 0, 0, inf, 0},
        {{-inf, nan}, {0, 0}, inf, DBL_MAX, nan, 2},
        {{-inf, nan}, {inf, nan}, inf, inf, nan, 1},
        {{inf, 1}, {3, 1}, inf, inf, nan, 1},
        {{3, 1}, {inf, 1}, inf, inf, -inf, 1},
        {{inf, 1}, {-inf, 1}, inf, inf, nan, 1},
        {{nan, nan}, {nan, nan}, 0, 0, nan, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_metrics got = compare(DOUBLE, cases[i].a, DOUBLE, cases[i].b, 2, usual);
        float a[2], b[2];
        for (int j = 0; j < 2; j++) {
            a[j] = (float)cases[i].a[j];
            b[j] = (float)cases[i].b[j];
        }
        eti_metrics narrow = compare(FLOAT, a, FLOAT, b, 2, usual);
        assert_close(got.gap_mse, cases[i].mse);
        assert_close(got.gap_l1, cases[i].l1);
        assert_close(got.gap_snr, cases[i].snr);
        assert_int_equal(got.mismatched, cases[i].mismatched);
        assert_close(narrow.gap_mse, cases[i].mse);
        assert_close(narrow.gap_l1, cases[i].l1);
        assert_close(narrow.gap_snr, cases[i].snr);
        assert_int_equal(narrow.mismatched, cases[i].mismatched);
    }
}

/* A pair of the same infinity is left out, and any other infinity differs infinitely. */
static void an_infinity_differs_from_all_but_itself(void **state) {
    (void)state;
    const double nan = (double)NAN, inf = (double)INFINITY;
    const struct {
        double a[4], b[4], mse, l1, snr;
    } cases[] = {
        {{-inf, 1, 2, 3}, {-inf, 1, 2, 3}, 0, 0, inf},
        {{-inf, 1, 2, 3}, {-inf, 1, 2, 5}, 4.0 / 3, 2, 10 * log10(14.0 / 4)},
        {{-inf, 1, 2, inf}, {-inf, 1, 4, inf}, 2, 2, 10 * log10(5.0 / 4)},
        {{-inf, 1, 2, nan}, {-inf, 1, 4, nan}, 4.0 / 3, 2, 10 * log10(5.0 / 4)},
        {{-inf, 1, 2, nan}, {-inf, 1, 4, 3}, 13.0 / 3, 5, 10 * log10(5.0 / 13)},
        {{-inf, 1, 2, 4}, {-inf, 1, nan, 4}, 4.0 / 3, 2, 10 * log10(21.0 / 4)},
        {{inf, inf, -inf, inf}, {inf, inf, -inf, inf}, 0, 0, inf},
        {{0, 0, 0, 0}, {0, 0, 0, 0}, 0, 0, inf},
        {{nan, nan, nan, nan}, {nan, nan, nan, nan}, 0, 0, inf},
        {{inf, 1, 2, 3}, {-inf, 1, 2, 3}, inf, inf, -inf},
        {{inf, 1, 2, 3}, {0, 1, 2, 3}, inf, inf, -inf},
        {{inf, 1, 2, 3}, {1, inf, 2, 3}, inf, inf, -inf},
        {{0, inf, inf, 0}, {nan, inf, inf, inf}, inf, inf, -inf},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_metrics got = compare(DOUBLE, cases[i].a, DOUBLE, cases[i].b, 4, usual);
        float a[4], b[4];
        for (int j = 0; j < 4; j++) {
            a[j] = (float)cases[i].a[j];
            b[j] = (float)cases[i].b[j];
        }
        eti_metrics narrow = compare(FLOAT, a, FLOAT, b, 4, usual);
        assert_close(got.mse, cases[i].mse);
        assert_close(got.l1, cases[i].l1);
        assert_close(got.snr, cases[i].snr);
        assert_close(narrow.mse, cases[i].mse);
        assert_close(narrow.l1, cases[i].l1);
        assert_close(narrow.snr, cases[i].snr);
    }
}

static void all_but_the_gap_are_of_finite_pairs(void **state) {
    (void)state;
    const float a[] = {NAN, 1, INFINITY, 2, 5, 3}, b[] = {0, 1, 1, 4, NAN, 2};
    eti_metrics got = compare(FLOAT, a, FLOAT, b, 6, usual);
    assert_int_equal(got.pairs, 3); /* 1, 1; 2, 4; 3, 2 */
    assert_true(got.max_abs == 2 && got.max_abs_at == 3);
    assert_close(got.mean_abs, 1);
    assert_close(got.rmse, sqrt(5.0 / 3));
    assert_close(got.max_rel, 0.5);
    assert_close(got.cosine, 15 / sqrt(14 * 21));
    assert_close(got.psnr, 10 * log10(9 / (5.0 / 3)));
    assert_true(got.ulp_max == 0x1p23);
    assert_true(got.nan_base == 1 && got.nan_new == 1 && got.inf_base == 1 && got.inf_new == 0);
    assert_int_equal(got.mismatched, 5);
}

/* ---- types ------------------------------------------------------------------------------------ */

static void half_precision_counts_in_its_own_floats(void **state) {
    (void)state;
    const uint16_t half_a[] = {0x3c00, 0x0001, 0x8000}, half_b[] = {0x3c01, 0x8001, 0x0000};
    eti_metrics got = compare(HALF, half_a, HALF, half_b, 3, usual);
    assert_true(got.max_abs == 0x1p-10 && got.max_abs_at == 0 && got.ulp_max == 2);
    assert_close(got.l1, 0x1p-10 + 0x1p-23);
    const uint16_t brain_a[] = {0x3f80, 0}, brain_b[] = {0x3f81, 0x8000};
    got = compare(BFLOAT, brain_a, BFLOAT, brain_b, 2, usual);
    assert_true(got.max_abs == 0x1p-7 && got.ulp_max == 1);
    got = compare(HALF, half_a + 2, HALF, half_b + 2, 1, exact);
    assert_true(got.ulp_max == 0 && got.mismatched == 0 && !got.identical); /* two zeros */
}

static void types_may_differ(void **state) {
    (void)state;
    const uint8_t truth[] = {0, 1, 2}, counts[] = {0, 1, 1};
    eti_metrics got = compare(BOOL, truth, BYTE, counts, 3, exact);
    assert_true(got.mse == 0 && got.mismatched == 0 && !got.identical && isnan(got.ulp_max));
    got = compare(BOOL, truth, BOOL, counts, 3, exact);
    assert_true(got.mse == 0 && !got.identical); /* other bytes */
    const int32_t small[] = {-3, 7, INT32_MIN};
    const int64_t large[] = {-3, 7, INT32_MIN};
    const float floats[] = {-3, 7, -0x1p31F};
    got = compare(INT, small, LONG, large, 3, exact);
    assert_true(got.mse == 0 && got.mismatched == 0 && got.cosine == 1);
    got = compare(INT, small, FLOAT, floats, 3, exact);
    assert_true(got.mse == 0 && got.mismatched == 0);
}

/* Doubles round 2^53 + 1 to 2^53. */
static void integers_of_64_bits_are_exact(void **state) {
    (void)state;
    skip_without_wide_floats();
    const int64_t a[] = {(INT64_C(1) << 53) + 1, 5}, b[] = {INT64_C(1) << 53, 5};
    eti_metrics got = compare(LONG, a, LONG, b, 2, exact);
    assert_true(got.gap_mse == 0 && isinf(got.gap_snr)); /* as torch */
    assert_close(got.snr, 10 * 106 * log10(2));
    assert_true(got.max_abs == 1 && got.max_abs_at == 0 && got.mismatched == 1 &&
                got.mean_abs == 0.5);
    assert_false(got.identical);
    const int64_t ends[] = {INT64_MIN, INT64_MAX};
    const uint64_t unsigned_ends[] = {0, UINT64_MAX};
    got = compare(LONG, ends, UINT64, unsigned_ends, 2, exact);
    assert_true(got.max_abs == 0x1p63 && got.mismatched == 2);
    got = compare(LONG, ends, LONG, ends, 2, exact);
    assert_true(got.identical && got.max_abs == 0 && got.mismatched == 0);
}

/* ---- extremes --------------------------------------------------------------------------------- */

static void squares_neither_overflow_nor_vanish(void **state) {
    (void)state;
    skip_without_wide_floats();
    const double large_a[] = {1e300, -1e300}, large_b[] = {1e300, 1e300};
    eti_metrics got = compare(DOUBLE, large_a, DOUBLE, large_b, 2, usual);
    assert_true(isinf(got.gap_mse) && isnan(got.gap_snr)); /* as torch */
    assert_close(got.snr, 10 * log10(0.5));
    assert_close(got.l1, 2e300);
    assert_close(got.rmse, sqrt(2) * 1e300);
    assert_close(got.max_abs, 2e300);
    assert_close(got.max_rel, 2);
    assert_true(fabs(got.cosine) < 1e-15);
    assert_close(got.psnr, 10 * log10(0.5));
    const double small_a[] = {0x1p-1074, 0x1p-1073}, small_b[] = {0x1p-1073, 0x1p-1072};
    got = compare(DOUBLE, small_a, DOUBLE, small_b, 2, exact);
    assert_true(got.gap_mse == 0 && isnan(got.gap_snr)); /* as torch */
    assert_true(fabs(got.snr) < 1e-12);
    assert_true(got.max_abs == 0x1p-1073 && got.max_abs_at == 1 && got.cosine == 1);
    assert_close(got.psnr, 10 * log10(1.6));
    assert_true(got.ulp_max == 2 && got.mismatched == 2);
    const float tiny_a[] = {0x1p-149F, 0}, tiny_b[] = {0, 0x1p-149F};
    got = compare(FLOAT, tiny_a, FLOAT, tiny_b, 2, exact);
    assert_true(got.mse == 0x1p-298 && got.max_abs == 0x1p-149 && got.snr < 0 && got.cosine == 0);
    const float wide_a[] = {FLT_MAX, -FLT_MAX}, wide_b[] = {-FLT_MAX, FLT_MAX};
    got = compare(FLOAT, wide_a, FLOAT, wide_b, 2, usual);
    assert_close(got.max_abs, 2 * (double)FLT_MAX);
    assert_close(got.cosine, -1);
    assert_true(got.ulp_max == 2.0 * 0x7f7fffff);
}

/* ---- layouts and parts ------------------------------------------------------------------------ */

static void strides_only_say_where_elements_lie(void **state) {
    (void)state;
    float rows[2 * 3 * 700], columns[2 * 3 * 700];
    const int64_t sizes[] = {2, 3, 700}, row_major[] = {2100, 700, 1}, last[] = {2100, 1, 3};
    for (int i = 0; i < 2 * 3 * 700; i++) {
        rows[i] = cosf((float)i);
        columns[i / 2100 * 2100 + i % 2100 / 700 + i % 700 * 3] = rows[i];
    }
    eti_tensor_values base = {.scalar_type = FLOAT, .n_dims = 3, .sizes = sizes};
    assert_null(eti__tensor_values_count(&base));
    eti_tensor_values newer = base;
    base.data = in_file_order(rows, COUNT_OF(rows), sizeof *rows);
    base.strides = row_major;
    newer.data = in_file_order(columns, COUNT_OF(columns), sizeof *columns);
    newer.strides = last;
    eti_metrics got;
    assert_int_equal(eti__metrics_compare(&base, &newer, &exact, 1, &got), ETI_OK);
    assert_true(got.identical && got.mse == 0);
    columns[2100 + 2 + 450 * 3] += 9; /* [1, 2, 450] */
    newer.data = in_file_order(columns, COUNT_OF(columns), sizeof *columns);
    assert_int_equal(eti__metrics_compare(&base, &newer, &exact, 1, &got), ETI_OK);
    assert_int_equal(got.max_abs_at, 2100 + 2 * 700 + 450);
    assert_int_equal(eti__metrics_compare(&newer, &base, &exact, 1, &got), ETI_OK);
    assert_int_equal(got.max_abs_at, 2100 + 2 * 700 + 450);
    assert_int_equal(got.mismatched, 1);
}

static void the_first_of_the_largest_differences_is_kept(void **state) {
    (void)state;
    enum { MANY = 4099 };
    float *a = calloc(MANY, sizeof *a), *b = calloc(MANY, sizeof *b);
    assert_true(a && b);
    b[3000] = -2;
    b[3001] = b[4098] = 2;
    b[1] = 1;
    eti_metrics got = compare(FLOAT, a, FLOAT, b, MANY, usual);
    assert_true(got.max_abs == 2 && got.max_abs_at == 3000 && got.max_rel == 1);
    assert_int_equal(got.mismatched, 4);
    assert_true(isnan(got.cosine) && got.snr < 0 && isinf(got.snr));
    free(a);
    free(b);
}

static void parts_make_the_whole(void **state) {
    (void)state;
    enum { MANY = 10007 };
    double a[MANY], b[MANY];
    int64_t n = MANY;
    srand(17);
    for (size_t i = 0; i < MANY; i++) {
        a[i] = (double)rand() / RAND_MAX - 0.3;
        b[i] = rand() % 50 == 0 ? (double)NAN : a[i] * 1.001;
    }
    eti_tensor_values base = row_of(DOUBLE, a, &n), newer = row_of(DOUBLE, b, &n);
    eti_metrics whole, joined;
    assert_int_equal(eti__metrics_compare(&base, &newer, &usual, 1, &whole), ETI_OK);
    eti_metric_parts parts = {.n = 0};
    for (uint64_t first = 0; first < MANY;) { /* adds the last parts first */
        uint64_t taken = first == 0 ? 7 : 2500;
        eti_metric_parts part = {.n = 0};
        eti__metrics_add(&part, &base, &newer, &usual, MANY - first - taken, taken);
        eti__metrics_join(&parts, &part);
        first += taken;
    }
    eti__metrics_finish(&parts, &base, &newer, &joined);
    assert_close(joined.mse, whole.mse);
    assert_close(joined.l1, whole.l1);
    assert_close(joined.snr, whole.snr);
    assert_close(joined.cosine, whole.cosine);
    assert_close(joined.rmse, whole.rmse);
    assert_true(joined.max_abs == whole.max_abs && joined.max_abs_at == whole.max_abs_at);
    assert_true(joined.max_rel == whole.max_rel && joined.ulp_max == whole.ulp_max);
    assert_int_equal(joined.pairs, whole.pairs);
    assert_int_equal(joined.mismatched, whole.mismatched);
    assert_int_equal(joined.nan_new, MANY - whole.pairs);
    assert_near(whole.max_rel, 0.001 / 1.001, 1e-12);
    assert_true(whole.cosine > 1 - 1e-14 && whole.cosine <= 1);
}

/* A tensor is cut into pieces, the last of which are not full. */
static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    int64_t n = (int64_t)ETI_MANY_ELEMENTS + 1234567;
    float *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b);
    assert_true(a && b);
    for (int64_t i = 0; i < n; i++) {
        a[i] = (float)(i * 7919 % 1000003) * 1e-6F - 0.5F;
        b[i] = i % 4 == 0 ? a[i] : a[i] * (1 + 1e-4F * (float)(i % 11 - 5));
    }
    a[5] = NAN;
    b[n - 1] = INFINITY;
    a[n - 9] = 3;
    b[n - 9] = -3;
    eti_tensor_values base = row_of(FLOAT, a, &n), newer = row_of(FLOAT, b, &n);
    eti_metrics one, got;
    assert_int_equal(eti__metrics_compare(&base, &newer, &usual, 1, &one), ETI_OK);
    assert_true(one.pairs == (uint64_t)n - 2 && one.max_abs == 6 && one.max_rel == 2);
    assert_true(one.max_abs_at == (uint64_t)n - 9 && one.nan_base == 1 && one.inf_new == 1);
    const size_t threads[] = {0, 2, 3, 31, 64};
    for (size_t i = 0; i < COUNT_OF(threads); i++) {
        assert_int_equal(eti__metrics_compare(&base, &newer, &usual, threads[i], &got), ETI_OK);
        assert_memory_equal(&got, &one, offsetof(eti_metrics, identical));
    }
    eti_metric_parts whole = {.n = 0};
    eti__metrics_add(&whole, &base, &newer, &usual, 0, (uint64_t)n);
    eti__metrics_finish(&whole, &base, &newer, &got);
    assert_near(got.snr, one.snr, 1e-12);
    assert_near(got.rmse, one.rmse, 1e-12);
    assert_near(got.cosine, one.cosine, 1e-12);
    assert_true(got.mismatched == one.mismatched && got.ulp_max == one.ulp_max);
    free(a);
    free(b);
}

/* b = 1.001 a: the difference is a thousandth of a. */
static void a_scaled_tensor_has_the_ratio_of_its_scale(void **state) {
    (void)state;
    enum { MANY = 3001 };
    double a[MANY], b[MANY];
    for (size_t i = 0; i < MANY; i++) {
        a[i] = sin((double)i) * exp((double)(i % 40) - 20);
        b[i] = a[i] * 1.001;
    }
    eti_metrics got = compare(DOUBLE, a, DOUBLE, b, MANY, usual);
    assert_near(got.snr, 60, 1e-11);
    assert_near(got.cosine, 1, 1e-15);
    eti_metrics opposite = compare(DOUBLE, b, DOUBLE, a, MANY, usual);
    assert_true(opposite.max_abs == got.max_abs && opposite.max_abs_at == got.max_abs_at);
    assert_true(opposite.mse == got.mse && opposite.max_rel == got.max_rel);
}

/* ==== number pairs ============================================================================ */

#define PAIRS_MANY 1000

/* The same numbers as floats and as doubles, followed by zeros. */
typedef struct arrays {
    float float_a[PAIRS_MANY + ETI_PAIR_LANES], float_b[PAIRS_MANY + ETI_PAIR_LANES];
    double a[PAIRS_MANY + ETI_PAIR_LANES], b[PAIRS_MANY + ETI_PAIR_LANES];
    eti_number_pairs floats, doubles;
} arrays;

static void make(arrays *out, const float *a, const float *b, size_t n) {
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < n; i++) {
        out->float_a[i] = a[i];
        out->float_b[i] = b[i];
        out->a[i] = (double)a[i];
        out->b[i] = (double)b[i];
    }
    out->floats = (eti_number_pairs){.float_a = out->float_a, .float_b = out->float_b, .n = n};
    out->doubles = (eti_number_pairs){.a = out->a, .b = out->b, .n = n};
}

static double ratio_of(double a, double b) {
    return fabs(a - b) / fmax(fmax(fabs(a), fabs(b)), ETI_LEAST_MAGNITUDE);
}

/* Makes numbers of all magnitudes, some of which are 0 and some equal. */
static void draw(float *a, float *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        a[i] = ldexpf((float)rand() / (float)RAND_MAX - 0.5F, rand() % 40 - 20);
        b[i] = rand() % 5 == 0 ? a[i] : a[i] * (1 + (float)(rand() % 100 - 50) * 1e-3F);
        if (rand() % 9 == 0)
            a[i] = 0;
    }
}

static void assert_pairs_near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-13 * fabs(expected)))
        fail_msg("%.17g, expected %.17g", value, expected);
}

static void sums_are_those_of_their_definitions(void **state) {
    (void)state;
    static arrays k;
    float a[PAIRS_MANY], b[PAIRS_MANY];
    srand(5);
    for (size_t n = 1; n <= PAIRS_MANY; n += 1 + n / 3) {
        long double d2 = 0, d1 = 0, a2 = 0, b2 = 0, ab = 0;
        double max_d = 0, max_a = 0, max_b = 0, n_mismatched = 0, ratio = 0;
        draw(a, b, n);
        make(&k, a, b, n);
        for (size_t i = 0; i < n; i++) {
            double x = k.a[i], y = k.b[i], d = fabs(x - y);
            d2 += (long double)(d * d);
            d1 += (long double)d;
            a2 += (long double)(x * x);
            b2 += (long double)(y * y);
            ab += (long double)(x * y);
            max_d = fmax(max_d, d);
            max_a = fmax(max_a, fabs(x));
            max_b = fmax(max_b, fabs(y));
            n_mismatched += d > 1e-6 + 0.02 * fabs(x) ? 1 : 0;
            ratio = fmax(ratio, ratio_of(x, y));
        }
        const eti_number_pairs *both[] = {&k.floats, &k.doubles};
        for (int i = 0; i < 2; i++) {
            eti_pair_sums got = eti__pairs_sum(both[i], 0.02, 1e-6);
            assert_pairs_near(got.d2, (double)d2);
            assert_pairs_near(got.d1, (double)d1);
            assert_pairs_near(got.a2, (double)a2);
            assert_pairs_near(got.b2, (double)b2);
            assert_pairs_near(got.ab, (double)ab);
            assert_true(got.max_d == max_d && got.max_a == max_a);
            assert_true(got.n_mismatched == n_mismatched);
            assert_true(eti__pairs_largest_b(both[i]) == max_b);
            assert_true(eti__pairs_larger_ratio(both[i], 0) == ratio);
            size_t first = eti__pairs_find(both[i], max_d);
            assert_true(first < n && fabs(k.a[first] - k.b[first]) == max_d);
            for (size_t j = 0; j < first; j++)
                assert_true(fabs(k.a[j] - k.b[j]) < max_d);
        }
    }
}

static void both_types_give_the_same_bits(void **state) {
    (void)state;
    static arrays k;
    float a[PAIRS_MANY], b[PAIRS_MANY];
    srand(6);
    draw(a, b, PAIRS_MANY);
    make(&k, a, b, PAIRS_MANY);
    eti_pair_sums narrow = eti__pairs_sum(&k.floats, 1e-5, 1e-8);
    eti_pair_sums wide = eti__pairs_sum(&k.doubles, 1e-5, 1e-8);
    assert_memory_equal(&narrow, &wide, sizeof wide);
    narrow = eti__pairs_sum_same(&k.floats);
    wide = eti__pairs_sum_same(&k.doubles);
    assert_memory_equal(&narrow, &wide, sizeof wide);
    k.floats.float_b = k.floats.float_a;
    eti_pair_sums of_pairs = eti__pairs_sum(&k.floats, 0, 0);
    assert_memory_equal(&narrow, &of_pairs, sizeof of_pairs);
}

/* The estimate of ratios may be too large, but never too small, even where a float overflows, vanishes or is rounded. */
static void no_larger_ratio_is_missed(void **state) {
    (void)state;
    static arrays k;
    const float pairs[][2] = {
        {FLT_MAX, -FLT_MAX},
        {FLT_MAX, FLT_MAX / 2},
        {FLT_MAX, FLT_MAX * 0.999999F},
        {0x1p-149F, 0},
        {0x1p-149F, 0x1p-148F},
        {1e-8F, 0},
        {1e-9F, -1e-9F},
        {1, 1 + FLT_EPSILON},
        {1, 1 - FLT_EPSILON / 2},
        {-1, 1},
        {3, 0},
        {0x1p-126F, 0x1p-127F},
    };
    const double below[] = {0, 0x1p-1074, 1e-300, 1e-40, 1e-30, 0.5, 1 - 1e-15};
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        make(&k, &pairs[i][0], &pairs[i][1], 1);
        double ratio = ratio_of(k.a[0], k.b[0]);
        for (size_t j = 0; j < COUNT_OF(below); j++) {
            /* just below the ratio, and fixed bounds */
            double bounds[] = {ratio * below[j], below[j], nextafter(ratio, 0), ratio};
            for (size_t l = 0; l < COUNT_OF(bounds); l++) {
                double expected = fmax(ratio, bounds[l]);
                assert_true(eti__pairs_larger_ratio(&k.floats, bounds[l]) == expected);
                assert_true(eti__pairs_larger_ratio(&k.doubles, bounds[l]) == expected);
            }
        }
    }
}

static bool is_finite(double value) {
    return value - value == 0;
}

static void numbers_that_are_not_finite_show_in_sums(void **state) {
    (void)state;
    static arrays k;
    const float odd[] = {NAN, INFINITY, -INFINITY};
    float a[PAIRS_MANY] = {0}, b[PAIRS_MANY] = {0};
    for (size_t i = 0; i < PAIRS_MANY; i += 37) {
        for (size_t j = 0; j < COUNT_OF(odd); j++) {
            a[i] = odd[j];
            make(&k, a, b, PAIRS_MANY);
            assert_false(is_finite(eti__pairs_sum(&k.floats, 0, 0).a2));
            assert_false(is_finite(eti__pairs_sum_same(&k.floats).a2));
            make(&k, b, a, PAIRS_MANY);
            assert_false(is_finite(eti__pairs_sum(&k.floats, 0, 0).b2));
            assert_true(eti__pairs_sum(&k.floats, 0, 0).a2 == 0);
        }
        a[i] = 0;
    }
}

static double distance_of(size_t width, const uint8_t *a, const uint8_t *b, size_t n) {
    return eti__largest_float_distance(width, a, b, n);
}

/* The pair may be anywhere, at any address. All other elements are zeros, of either sign. */
static void distances_are_found_everywhere(void **state) {
    (void)state;
    uint8_t a[8 * 41 + 3], b[8 * 41 + 3];
    for (size_t width = 1; width <= 8; width *= 2) {
        for (size_t at = 0; at < 40; at++) {
            for (size_t shift = 0; shift < 3; shift++) {
                uint8_t *x = a + shift, *y = b + shift;
                memset(a, 0, sizeof a);
                memset(b, 0, sizeof b);
                x[(at + 1) % 41 * width + width - 1] = 0x80;
                x[at * width] = 5;
                y[at * width] = 3;
                assert_true(distance_of(width, x, y, 40) == 2);
                assert_true(distance_of(width, y, x, 40) == 2);
                assert_true(distance_of(width, x, y, at + 1) == 2);
                assert_true(distance_of(width, x, y, at) == 0);
                y[at * width + width - 1] |= 0x80; /* -3 */
                assert_true(distance_of(width, x, y, 40) == 8);
                assert_true(distance_of(width, y, x, 40) == 8);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_metrics_are_those_of_their_definitions),
        cmocka_unit_test(equal_tensors_are_identical),
        cmocka_unit_test(many_elements_give_the_sums_of_all),
        cmocka_unit_test(nothing_is_known_of_no_elements),
        cmocka_unit_test(tensors_that_cannot_be_compared_are_refused),
        cmocka_unit_test(a_nan_makes_zeros_and_large_numbers_of_its_tensor_in_the_gap),
        cmocka_unit_test(an_infinity_differs_from_all_but_itself),
        cmocka_unit_test(all_but_the_gap_are_of_finite_pairs),
        cmocka_unit_test(half_precision_counts_in_its_own_floats),
        cmocka_unit_test(types_may_differ),
        cmocka_unit_test(integers_of_64_bits_are_exact),
        cmocka_unit_test(squares_neither_overflow_nor_vanish),
        cmocka_unit_test(strides_only_say_where_elements_lie),
        cmocka_unit_test(the_first_of_the_largest_differences_is_kept),
        cmocka_unit_test(parts_make_the_whole),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(a_scaled_tensor_has_the_ratio_of_its_scale),
        cmocka_unit_test(sums_are_those_of_their_definitions),
        cmocka_unit_test(both_types_give_the_same_bits),
        cmocka_unit_test(no_larger_ratio_is_missed),
        cmocka_unit_test(numbers_that_are_not_finite_show_in_sums),
        cmocka_unit_test(distances_are_found_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
