/* Expected values from NumPy and SciPy are in series_cases.h. */
#include "statistics_samples.h"

#include <math.h>

#include "series_cases.h"
#include "stats/spread.h"

static void spread_equals_numpys_and_scipys(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        size_t n = cases[i].n;
        double *samples = make_samples(cases[i].kind, cases[i].seed, 1.0, n);
        double *scratch = malloc(n * sizeof *scratch);
        assert_non_null(scratch);
        eti_spread spread = eti__spread_of(samples, n, scratch);
        assert_near(spread.median, cases[i].median);
        assert_near(spread.mad, cases[i].mad);
        assert_near(spread.mean_deviation, cases[i].mean_deviation);
        assert_near(eti__coefficient_of_variation(samples, n, scratch), cases[i].variation);
        free(scratch);
        free(samples);
    }
}

static void scaled_mad_is_scipys(void **state) {
    (void)state;
    /* scipy.stats.median_abs_deviation([1, 2, 3, 4, 6, 9], scale="normal") */
    const double samples[] = {1, 2, 3, 4, 6, 9};
    double scratch[6];
    assert_near(eti__spread_of(samples, 6, scratch).mad * ETI_MAD_TO_SIGMA, 2.9652044370112037);
}

/* Data of chapter 3 by Iglewicz and Hoaglin: plain z-scores miss both of the last two. */
static void outliers_do_not_hide_each_other(void **state) {
    (void)state;
    const double samples[] = {2.1, 2.6, 2.4, 2.5, 2.3, 2.1, 2.3, 2.6, 8.2, 8.3};
    double scratch[10];
    eti_spread spread = eti__spread_of(samples, 10, scratch);
    assert_near(spread.median, 2.45);
    assert_near(eti__modified_z(&spread, 8.2), 0.6745 * 5.75 / spread.mad);
    size_t n_outliers = 0;
    for (size_t i = 0; i < 10; i++)
        n_outliers += eti__is_outlier(&spread, samples[i]);
    assert_int_equal(n_outliers, 2);
}

static void mostly_equal_samples_have_outliers_too(void **state) {
    (void)state;
    const double samples[] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 6};
    double scratch[10];
    eti_spread spread = eti__spread_of(samples, 10, scratch);
    assert_bits(spread.mad, 0.0);
    assert_near(eti__modified_z(&spread, 6), 1.0 / (1.253314 * 0.1));
    assert_true(eti__is_outlier(&spread, 6));
    assert_false(eti__is_outlier(&spread, 5));
}

static void only_another_value_lies_outside_equal_samples(void **state) {
    (void)state;
    const double samples[] = {5, 5, 5};
    double scratch[3];
    eti_spread spread = eti__spread_of(samples, 3, scratch);
    assert_bits(eti__modified_z(&spread, 5), 0.0);
    assert_bits(eti__modified_z(&spread, 6), (double)INFINITY);
    assert_bits(eti__modified_z(&spread, 4), -(double)INFINITY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spread_equals_numpys_and_scipys),
        cmocka_unit_test(scaled_mad_is_scipys),
        cmocka_unit_test(outliers_do_not_hide_each_other),
        cmocka_unit_test(mostly_equal_samples_have_outliers_too),
        cmocka_unit_test(only_another_value_lies_outside_equal_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
