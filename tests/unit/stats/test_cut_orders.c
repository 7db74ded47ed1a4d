/* Counts the orders of a few values one by one. */
#include "cut_score.h"
#include "statistics_samples.h"

#include <math.h>
#include <string.h>

#include "stats/cut_orders.h"

static double share_of(const double *values, size_t n, double least, double alpha) {
    double copy[ETI_CUT_MOST_COUNTED], p = 77.0;
    memcpy(copy, values, n * sizeof *values);
    assert_int_equal(eti__share_of_orders(&p, copy, n, least, alpha, NULL), ETI_OK);
    return p;
}

static double best_score(const double *values, size_t n) {
    double best = (double)-INFINITY;
    for (size_t cut = ETI_CUT_LEAST_PART; cut <= n - ETI_CUT_LEAST_PART; cut++)
        best = fmax(best, score_by_definition(values, n, cut));
    return best;
}

static void swap(double *values, size_t i, size_t j) {
    double value = values[i];
    values[i] = values[j];
    values[j] = value;
}

/* Counts the orders of the values from `fixed` on. */
static size_t count_orders(double *values, size_t n, size_t fixed, double least) {
    if (fixed == n)
        return best_score(values, n) >= least;
    size_t n_orders = 0;
    for (size_t i = fixed; i < n; i++) {
        swap(values, fixed, i);
        n_orders += count_orders(values, n, fixed + 1, least);
        swap(values, fixed, i);
    }
    return n_orders;
}

static void the_share_is_that_of_all_orders(void **state) {
    (void)state;
    static const sample_kind kinds[] = {SAMPLES_EVEN, SAMPLES_HEAVY, SAMPLES_TIED, SAMPLES_RISING};
    for (size_t i = 0; i < 12; i++) {
        size_t n = 6 + i % 3, n_orders = n == 6 ? 720 : n == 7 ? 5040 : 40320;
        double *values = make_samples(kinds[i % COUNT_OF(kinds)], i, 1.0, n);
        double least = best_score(values, n) - 1e-9;
        double share = share_of(values, n, least, 1.0);
        assert_bits(share, (double)count_orders(values, n, 0, least) / (double)n_orders);
        assert_true(share > 0.0);
        free(values);
    }
}

static double binomial(size_t n, size_t k) {
    double ways = 1.0;
    for (size_t i = 1; i <= k; i++)
        ways = ways * (double)(n - k + i) / (double)i;
    return ways;
}

/* Only the order in which the values are and its mirror image separate two levels, whatever the order within them. */
static void two_levels_are_separated_twice(void **state) {
    (void)state;
    for (size_t n = 6; n <= ETI_CUT_MOST_COUNTED; n++) {
        double values[ETI_CUT_MOST_COUNTED];
        for (size_t i = 0; i < n; i++)
            values[i] = (i < n / 2 ? 1.0 : 2.0) + 0.001 * (double)((7 * i) % 5);
        double share = share_of(values, n, best_score(values, n) - 1e-9, 0.1);
        assert_bits(share, 2.0 / binomial(n, n / 2));
    }
}

static void any_share_above_alpha_may_stand_for_others(void **state) {
    (void)state;
    const double values[] = {0, 0, 0, 1, 1, 1};
    double least = best_score(values, 6) - 1e-9;
    assert_bits(share_of(values, 6, least, 0.1), 0.1);
    assert_true(share_of(values, 6, least, 0.09) > 0.09);
    assert_bits(share_of(values, 6, -1e9, 1.0), 1.0);
    assert_bits(share_of(values, 6, 1e9, 0.01), 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_is_that_of_all_orders),
        cmocka_unit_test(two_levels_are_separated_twice),
        cmocka_unit_test(any_share_above_alpha_may_stand_for_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
