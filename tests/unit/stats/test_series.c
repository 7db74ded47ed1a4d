/* Expected values from NumPy and SciPy are in series_cases.h. */
#include "statistics_samples.h"

#include "series_cases.h"
#include "stats/series.h"

#define assert_warm_up(expected, ...)                                                              \
    do {                                                                                           \
        const double values_[] = {__VA_ARGS__};                                                    \
        double scratch_[COUNT_OF(values_)];                                                        \
        assert_int_equal(eti__warm_up_runs(values_, COUNT_OF(values_), scratch_), (expected));     \
    } while (0)

static void slow_first_runs_are_warm_up(void **state) {
    (void)state;
    assert_warm_up(1, 20, 10, 10.1, 9.9, 10, 10.1, 9.9, 10);
    assert_warm_up(3, 30, 20, 15, 10, 10.1, 9.9, 10, 10.1, 9.9, 10);
    assert_warm_up(1, 20, 10, 10, 10);
}

static void steady_runs_have_no_warm_up(void **state) {
    (void)state;
    assert_warm_up(0, 10, 10.1, 9.9, 10, 10.1, 9.9, 10, 10.1);
    assert_warm_up(0, 10, 10, 10, 10);
    assert_warm_up(0, 0, 0, 0, 0);
    /* up to 5 % above is no warm-up, even if all other runs are equal */
    assert_warm_up(0, 10.5, 10, 10, 10, 10, 10, 10, 10);
    assert_warm_up(1, 10.51, 10, 10, 10, 10, 10, 10, 10);
    /* within the noise of the runs that follow */
    assert_warm_up(0, 15, 11, 9, 14, 8, 12, 10, 15, 7);
}

static void one_quick_run_does_not_end_warm_up(void **state) {
    (void)state;
    assert_warm_up(4, 30, 10, 25, 20, 10, 10.1, 9.9, 10, 10.1, 9.9, 10, 10.1);
    /* Slow runs prevail by one after the first and after the third run: the shorter beginning is chosen. */
    assert_warm_up(1, 30, 10, 25, 10, 10, 10.1, 9.9, 10, 10.1, 9.9, 10, 10.1);
}

static void a_slow_run_later_on_does_not_extend_warm_up(void **state) {
    (void)state;
    assert_warm_up(1, 30, 10, 10, 10, 20, 10, 10.1, 9.9, 10, 10.1, 9.9, 10);
    assert_warm_up(0, 10, 10, 10, 20, 10, 10, 10.1, 9.9, 10, 10.1, 9.9);
}

static void warm_up_is_half_of_the_runs_at_most(void **state) {
    (void)state;
    assert_warm_up(4, 30, 30, 30, 30, 10, 10, 10, 10);
    assert_warm_up(4, 30, 30, 30, 30, 10, 10, 10, 10, 10);
    /* If slow runs extend past the half, those before it are still reported as long as slow ones prevail there. */
    assert_warm_up(5, 30, 30, 30, 30, 30, 30, 10, 10, 10, 10, 10);
}

static void few_runs_cannot_tell(void **state) {
    (void)state;
    assert_warm_up(0, 20);
    assert_warm_up(0, 20, 10, 10);
    double none[1];
    assert_int_equal(eti__warm_up_runs(none, 0, none), 0);
}

static void slow_runs_are_found_in_noise(void **state) {
    (void)state;
    size_t n_found = 0, n_false = 0;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        double scratch[60];
        double *steady = make_samples(SAMPLES_EVEN, seed, 1.0, 60);
        n_false += eti__warm_up_runs(steady, 60, scratch) > 0;
        for (size_t i = 0; i < 3; i++)
            steady[i] += 300.0;
        n_found += eti__warm_up_runs(steady, 60, scratch) == 3;
        free(steady);
    }
    assert_int_equal(n_found, 500);
    assert_int_equal(n_false, 0);
}

static void trend_and_dependence_equal_their_definitions(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        size_t n = cases[i].n;
        double *values = make_samples(cases[i].kind, cases[i].seed, 1.0, n);
        double *scratch = malloc(2 * n * sizeof *scratch);
        assert_non_null(scratch);
        eti_run_trend trend = eti__trend_of(values, n, scratch);
        assert_near(trend.p, cases[i].p);
        assert_near(trend.per_run, cases[i].per_run);
        assert_near(eti__lag_correlation(values, n, scratch), cases[i].lag_correlation);
        free(scratch);
        free(values);
    }
}

/* Twice the ranks minus their mean are -1, -1, 2: (1 - 2) / (1 + 1 + 4). For three rising values S is 3 and its variance 11
 * / 3, and p is that of the normal distribution beyond 2 / sqrt(11 / 3), two-sided. Two values give no result. */
static void three_runs_are_the_fewest_that_depend(void **state) {
    (void)state;
    const double tied[] = {5.0, 5.0, 7.0}, rising[] = {1.0, 2.0, 3.0};
    double scratch[6];
    assert_near(eti__lag_correlation(tied, 3, scratch), -1.0 / 6);
    assert_bits(eti__lag_correlation(tied + 1, 2, scratch), 0.0);
    assert_near(eti__trend_of(rising, 3, scratch).p, 0.2962698714842864);
    assert_bits(eti__trend_of(rising, 3, scratch).per_run, 1.0);
    assert_bits(eti__trend_of(rising, 2, scratch).p, 1.0);
}

/* 100,000 runs have more pairs than 32 bits can count. */
static void long_series_have_a_trend(void **state) {
    (void)state;
    enum { N = 100000 };
    double *values = make_samples(SAMPLES_EVEN, 1, 1.0, 3 * N);
    double *scratch = values + N;
    for (size_t i = 0; i < N; i++)
        values[i] = (double)i;
    eti_run_trend rising = eti__trend_of(values, N, scratch);
    assert_bits(rising.per_run, 1.0);
    assert_bits(rising.p, 0.0);
    for (size_t i = 0; i < N; i++)
        values[i] = -2.0 * (double)i;
    eti_run_trend falling = eti__trend_of(values, N, scratch);
    assert_bits(falling.per_run, -2.0);
    assert_bits(falling.p, 0.0);
    assert_true(eti__lag_correlation(values, N, scratch) > 0.9999);
    free(values);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_first_runs_are_warm_up),
        cmocka_unit_test(steady_runs_have_no_warm_up),
        cmocka_unit_test(one_quick_run_does_not_end_warm_up),
        cmocka_unit_test(a_slow_run_later_on_does_not_extend_warm_up),
        cmocka_unit_test(warm_up_is_half_of_the_runs_at_most),
        cmocka_unit_test(few_runs_cannot_tell),
        cmocka_unit_test(slow_runs_are_found_in_noise),
        cmocka_unit_test(trend_and_dependence_equal_their_definitions),
        cmocka_unit_test(three_runs_are_the_fewest_that_depend),
        cmocka_unit_test(long_series_have_a_trend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
