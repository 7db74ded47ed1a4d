#include "file_order.h"
#include "numerics/numerics.h"
#include "support.h"
#include "tensors/tensors.h"

#include <math.h>
#include <stdlib.h>

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

static eti_tensor_statistics statistics_of(int8_t type, const void *data, int64_t n) {
    eti_tensor_values values = row_of(type, data, &n);
    eti_tensor_statistics out = {0};
    eti__statistics_add(&out, &values, true, 0, (uint64_t)n);
    return out;
}

static void assert_close(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-13 * fabs(expected)))
        fail_msg("%.17g, expected %.17g", value, expected);
}

static void all_that_is_not_finite_is_only_counted(void **state) {
    (void)state;
    const float values[] = {1, NAN, -3, INFINITY, 0, -INFINITY, -0.0F, NAN, 4};
    eti_tensor_statistics got = statistics_of(6, values, COUNT_OF(values));
    assert_int_equal(got.n, 9);
    assert_int_equal(got.n_nan, 2);
    assert_int_equal(got.n_inf, 2);
    assert_int_equal(got.n_zero, 2);
    assert_true(eti__statistics_min(&got) == -3);
    assert_true(eti__statistics_max(&got) == 4);
    assert_true(eti__statistics_absmax(&got) == 4);
    assert_close(eti__statistics_mean(&got), 0.4);
    assert_close(eti__statistics_deviation(&got), sqrt(25.2 / 5));
}

static void without_finite_elements_nothing_is_known(void **state) {
    (void)state;
    const double values[] = {NAN, INFINITY};
    eti_tensor_statistics got = statistics_of(7, values, 2), none = statistics_of(7, values, 0);
    assert_true(isnan(eti__statistics_min(&got)) && isnan(eti__statistics_max(&got)));
    assert_true(isnan(eti__statistics_mean(&got)) && isnan(eti__statistics_absmax(&got)));
    assert_true(isnan(eti__statistics_deviation(&got)));
    assert_int_equal(none.n, 0);
}

/* 1e9 + 0, 1, 0, 1, ...: the sum of squares alone has no digit of the deviation. */
static void a_large_mean_does_not_hide_the_deviation(void **state) {
    (void)state;
    skip_without_wide_floats();
    enum { N = 10007 };
    double *values = malloc(N * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < N; i++)
        values[i] = 1e9 + (double)(i % 2);
    eti_tensor_statistics got = statistics_of(7, values, N);
    double p = 5003.0 / N;
    assert_close(eti__statistics_mean(&got), 1e9 + p);
    assert_close(eti__statistics_deviation(&got), sqrt(p * (1 - p)));
    free(values);
}

static void squares_neither_overflow_nor_vanish(void **state) {
    (void)state;
    skip_without_wide_floats();
    const double large[] = {1e308, -1e308, 1e308, -1e308}, small[] = {1e-308, 3e-308};
    eti_tensor_statistics got = statistics_of(7, large, 4);
    assert_close(eti__statistics_deviation(&got), 1e308);
    assert_true(eti__statistics_mean(&got) == 0);
    got = statistics_of(7, large, 1);
    assert_close(eti__statistics_mean(&got), 1e308);
    assert_true(eti__statistics_deviation(&got) == 0);
    got = statistics_of(7, small, 2);
    assert_close(eti__statistics_deviation(&got), 1e-308);
    assert_close(eti__statistics_mean(&got), 2e-308);
}

/* From a certain number of elements on, bytes are counted by their values. */
static void bytes_give_the_same_in_both_ways(void **state) {
    (void)state;
    enum { N = 5000 };
    int8_t bytes[N];
    for (size_t i = 0; i < N; i++)
        bytes[i] = (int8_t)(i * 31 % 251 - 125);
    int64_t n = N;
    eti_tensor_values values = row_of(1, bytes, &n);
    eti_tensor_statistics counted = statistics_of(1, bytes, N), read = {0};
    for (uint64_t i = 0; i < N; i += 500)
        eti__statistics_add(&read, &values, true, i, 500);
    assert_close(eti__statistics_mean(&counted), eti__statistics_mean(&read));
    assert_close(eti__statistics_deviation(&counted), eti__statistics_deviation(&read));
    assert_true(counted.min == -125 && counted.max == 125 && read.min == -125 && read.max == 125);
    assert_int_equal(counted.n_zero, read.n_zero);
    assert_int_equal(counted.n, N);
}

/* All patterns of float8_e5m2, which has IEEE's layout with 5 and 2 bits, 20 times: two zeros, two infinities and six NaNs.
 * Mean and deviation of the 248 others, and of the 124 that are not negative, were summed in Python with math.fsum. */
static void floats_of_8_bits_are_counted_by_their_patterns(void **state) {
    (void)state;
    enum { E5M2 = 23, N = 20 * 256 };
    uint8_t bytes[N];
    for (size_t i = 0; i < N; i++)
        bytes[i] = (uint8_t)i;
    eti_tensor_statistics got = statistics_of(E5M2, bytes, N);
    assert_int_equal(got.n, N);
    assert_int_equal(got.n_zero, 40);
    assert_int_equal(got.n_inf, 40);
    assert_int_equal(got.n_nan, 120);
    assert_true(eti__statistics_min(&got) == -57344 && eti__statistics_max(&got) == 57344);
    assert_close(eti__statistics_mean(&got), 0);
    assert_close(eti__statistics_deviation(&got), 9535.28639893304);
    for (size_t i = 0; i < N; i++)
        bytes[i] = (uint8_t)(i % 128);
    got = statistics_of(E5M2, bytes, N - 1); /* without the last pattern, a NaN */
    assert_int_equal(got.n, N - 1);
    assert_int_equal(got.n_nan, 119);
    assert_true(eti__statistics_min(&got) == 0);
    assert_close(eti__statistics_mean(&got), 2906.8387077085436);
    assert_close(eti__statistics_deviation(&got), 9081.40822984215);
}

/* Expected values come from numpy.percentile and numpy.histogram of the same numbers. */
static void distributions_are_those_of_numpy(void **state) {
    (void)state;
    const float values[] = {3, -1, NAN, 0.5F, 2, 7, -4, INFINITY, 1, 1};
    int64_t n = COUNT_OF(values), counts[ETI_HISTOGRAM_BINS];
    const int64_t expected[ETI_HISTOGRAM_BINS] = {1, 0, 0, 0, 1, 0, 1, 2, 1, 0, 1, 0, 0, 0, 0, 1};
    const double quantiles[] = {0.01, 0.99};
    double got[2];
    eti_tensor_values of = row_of(6, values, &n);
    assert_true(eti__tensor_percentiles(&of, true, 8, quantiles, 2, got));
    assert_close(got[0], -3.79);
    assert_close(got[1], 6.72);
    eti__tensor_histogram(&of, true, -4, 7, counts);
    assert_memory_equal(counts, expected, sizeof counts);
}

static void a_single_value_is_in_the_middle(void **state) {
    (void)state;
    const double values[] = {5, 5, 5}, wide[] = {-1.7e308, 1.7e308};
    int64_t n = 3, two = 2, counts[ETI_HISTOGRAM_BINS];
    double quantile = 0.99, got;
    eti_tensor_values of = row_of(7, values, &n), of_wide = row_of(7, wide, &two);
    eti__tensor_histogram(&of, true, 5, 5, counts);
    assert_int_equal(counts[8], 3);
    assert_true(eti__tensor_percentiles(&of, true, 3, &quantile, 1, &got));
    assert_true(got == 5);
    eti__tensor_histogram(&of_wide, true, wide[0], wide[1], counts);
    assert_true(counts[0] == 1 && counts[ETI_HISTOGRAM_BINS - 1] == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_is_not_finite_is_only_counted),
        cmocka_unit_test(without_finite_elements_nothing_is_known),
        cmocka_unit_test(a_large_mean_does_not_hide_the_deviation),
        cmocka_unit_test(squares_neither_overflow_nor_vanish),
        cmocka_unit_test(bytes_give_the_same_in_both_ways),
        cmocka_unit_test(floats_of_8_bits_are_counted_by_their_patterns),
        cmocka_unit_test(distributions_are_those_of_numpy),
        cmocka_unit_test(a_single_value_is_in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
