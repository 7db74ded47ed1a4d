/* test_summary.c has further tests of the selection of ranks, in contrived orders too. */
#include "statistics_samples.h"

#include "stats/order.h"

static int compare(const void *a, const void *b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static void values_are_sorted_as_by_the_c_library(void **state) {
    (void)state;
    for (int kind = SAMPLES_EVEN; kind <= SAMPLES_WARM; kind++) {
        for (size_t n = 0; n <= 3000; n += n < 100 ? 1 : 725) {
            double *sorted = make_samples((sample_kind)kind, n, 1.0, n);
            double *expected = make_samples((sample_kind)kind, n, 1.0, n);
            qsort(expected, n, sizeof *expected, compare);
            eti__sort_doubles(sorted, n);
            assert_memory_equal(sorted, expected, n * sizeof *sorted);
            free(expected);
            free(sorted);
        }
    }
}

/* Pairs that a median of three always chooses as its pivot. */
static void a_contrived_order_is_sorted_too(void **state) {
    (void)state;
    enum { N = 100000, HALF = N / 2 };
    double *values = malloc(N * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < HALF; i++) {
        values[i] = (double)(i % 2 ? HALF + i - 1 : i);
        values[HALF + i] = (double)(2 * i + 1);
    }
    eti__sort_doubles(values, N);
    for (size_t i = 1; i < N; i++)
        assert_true(values[i - 1] <= values[i]);
    free(values);
}

static void medians_are_numpys(void **state) {
    (void)state;
    double one[] = {3}, two[] = {4, 3}, odd[] = {9, 1, 5}, even[] = {9, 1, 5, 0.25};
    assert_bits(eti__median(one, 1), 3.0);
    assert_bits(eti__median(two, 2), 3.5);
    assert_bits(eti__median(odd, 3), 5.0);
    assert_bits(eti__median(even, 4), 3.0);
    /* The sum is rounded, unlike the midpoint that a percentile takes. */
    double rounded[] = {0.1, 0.7};
    assert_bits(eti__median(rounded, 2), (0.1 + 0.7) / 2.0);
}

static void median_of_values_leaves_them(void **state) {
    (void)state;
    const double values[] = {9, 1, 5, 0.25};
    double scratch[4];
    assert_bits(eti__median_of(values, 4, scratch), 3.0);
    assert_bits(eti__median_of(values, 1, scratch), 9.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_sorted_as_by_the_c_library),
        cmocka_unit_test(a_contrived_order_is_sorted_too),
        cmocka_unit_test(medians_are_numpys),
        cmocka_unit_test(median_of_values_leaves_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
