#include "statistics_samples.h"

#include "series_cases.h"

#include "stats/stats.h"

#include <math.h>
#include <string.h>

/* ==== series ================================================================================== */
/* Expected values from NumPy and SciPy are in series_cases.h. */

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

/* ==== dependence ============================================================================== */
/* Tests that a change between runs is less certain if each run resembles the one before it. */

enum { MOST = 400 };

/* A row of n_base and n_new runs. */
typedef struct runs {
    double logs[2 * MOST], scratch[5 * MOST];
    size_t n_base, n_new;
} runs;

/* Returns at least 0 and less than 1. */
static double next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 16777216.0;
}

/* Fills a side with an autoregression whose runs have this correlation with the previous ones. */
static void fill(double *out, size_t n, double r, uint32_t *state) {
    double x = 0;
    for (int i = -50; i < (int)n; i++) {
        double noise = 0;
        for (int k = 0; k < 12; k++)
            noise += next_random(state);
        x = r * x + sqrt(1 - r * r) * (noise - 6);
        if (i >= 0)
            out[i] = 10 + 0.02 * x;
    }
}

static void fill_runs(runs *of, size_t n_base, size_t n_new, double r, uint32_t seed) {
    of->n_base = n_base;
    of->n_new = n_new;
    fill(of->logs, n_base, r, &seed);
    fill(of->logs + n_base, n_new, r, &seed);
}

static eti_change find_change(runs *of, bool widens) {
    eti_change change;
    const eti_file_values one = {.n = 1, .n_base = of->n_base, .n_new = of->n_new};
    eti__find_changes(&change, of->logs, NULL, &one, NULL, of->scratch);
    if (!widens)
        return change;
    double base = eti__correlation_of_runs(of->logs, of->n_base, of->scratch);
    double new_side = eti__correlation_of_runs(of->logs + of->n_base, of->n_new, of->scratch);
    double r = (base * (double)of->n_base + new_side * (double)of->n_new) /
               (double)(of->n_base + of->n_new);
    eti__widen_for_dependence(&change, r, of->n_base, of->n_new);
    return change;
}

static double p_of(eti_change change) {
    return eti__student_two_sided(change.difference / change.error, change.dof);
}

/* Returns the share of comparisons of equal sides that find a change at an alpha of 0.05. */
static double share_of_alarms(size_t n_base, size_t n_new, double r, bool widens) {
    enum { N = 2000 };
    static runs of;
    size_t n = 0;
    for (uint32_t seed = 1; seed <= N; seed++) {
        fill_runs(&of, n_base, n_new, r, 7919 * seed);
        n += p_of(find_change(&of, widens)) < 0.05;
    }
    return (double)n / N;
}

static void dependent_runs_raise_no_alarms(void **state) {
    (void)state;
    assert_true(share_of_alarms(60, 60, 0.5, false) > 0.2);
    assert_true(share_of_alarms(60, 60, 0.5, true) < 0.075);
    assert_true(share_of_alarms(200, 200, 0.5, true) < 0.065);
    assert_true(share_of_alarms(200, 200, 0.9, true) < 0.1);
    assert_true(share_of_alarms(60, 200, 0.5, true) < 0.075);
    assert_true(share_of_alarms(20, 20, 0, true) > 0.025);
    assert_true(share_of_alarms(200, 200, 0, true) > 0.03);
}

static void runs_count_as_fewer(void **state) {
    (void)state;
    static runs of;
    fill_runs(&of, 400, 400, 0.5, 1);
    eti_change narrow = find_change(&of, false), wide = find_change(&of, true);
    assert_true(wide.dependence > 2.4 && wide.dependence < 3.6); /* (1 + 0.5) / (1 - 0.5) */
    assert_bits(wide.difference, narrow.difference);
    assert_bits(wide.variance, narrow.variance);
    assert_true(fabs(wide.error / narrow.error - sqrt(wide.dependence)) < 0.01);
    assert_true(fabs(wide.dof * wide.dependence - narrow.dof) < 1e-9);
}

/* 10 runs count as 10 / 3: the variance around two means is too small by (1 - 2 / (20 / 3)) / (1 - 2 / 20) = 7 / 9. */
static void few_runs_also_vary_more(void **state) {
    (void)state;
    eti_change change = {.difference = 1, .error = 1, .dof = 18};
    eti__widen_for_dependence(&change, 0.5, 10, 10);
    assert_true(fabs(change.dependence - 3) < 1e-12);
    assert_true(fabs(change.dof - 6) < 1e-12);
    assert_true(fabs(change.error - sqrt(27.0 / 7.0)) < 1e-12);
}

/* Runs that differ from the previous ones more than by chance are not more certain. Few runs and equal ones have no
 * correlation. */
static void other_runs_keep_their_certainty(void **state) {
    (void)state;
    static runs of;
    for (size_t n = 5; n <= 40; n += 35) {
        fill_runs(&of, n, n, 0, 3);
        for (size_t i = 0; i < 2 * n && n > 8; i++)
            of.logs[i] = 10 + (i % 2 ? 0.01 : -0.01);
        for (int equal = 0; equal < 2; equal++) {
            for (size_t i = 0; i < 2 * n && equal; i++)
                of.logs[i] = 10;
            eti_change narrow = find_change(&of, false), wide = find_change(&of, true);
            assert_bits(wide.dependence, 1);
            assert_bits(wide.error, narrow.error);
            assert_bits(wide.dof, narrow.dof);
        }
    }
}

/* However similar the runs, two of each side remain. */
static void two_runs_remain(void **state) {
    (void)state;
    static runs of;
    of.n_base = of.n_new = 10;
    for (size_t i = 0; i < 20; i++)
        of.logs[i] = 10 + 0.01 * (double)(i % 10);
    eti_change change = find_change(&of, true);
    assert_bits(change.dependence, 5);
    assert_true(isfinite(change.error) && change.dof >= 1);
    assert_true(p_of(change) > 0 && p_of(change) <= 1);
}

/* ==== clusters ================================================================================ */

#define MOST_TIMES 400

static bool has_clusters(const double *times, size_t n, eti_clusters *out) {
    double copy[MOST_TIMES];
    memcpy(copy, times, n * sizeof *times);
    memset(out, 0, sizeof *out);
    return eti__find_clusters(copy, n, out);
}

#define assert_no_clusters(...)                                                                    \
    do {                                                                                           \
        const double times_[] = {__VA_ARGS__};                                                     \
        eti_clusters ignored_;                                                                     \
        assert_false(has_clusters(times_, COUNT_OF(times_), &ignored_));                           \
    } while (0)

#define assert_clusters(low_, n_low_, high_, n_high_, ...)                                         \
    do {                                                                                           \
        const double times_[] = {__VA_ARGS__};                                                     \
        eti_clusters of_;                                                                          \
        assert_true(has_clusters(times_, COUNT_OF(times_), &of_));                                 \
        assert_int_equal(of_.n_low, (n_low_));                                                     \
        assert_int_equal(of_.n_high, (n_high_));                                                   \
        assert_float_equal(of_.low, (low_), 1e-12);                                                \
        assert_float_equal(of_.high, (high_), 1e-12);                                              \
    } while (0)

static void two_kinds_of_runs_are_found(void **state) {
    (void)state;
    assert_clusters(1, 3, 4.1, 2, 4, 1, 1.01, 4.2, 0.99);
    assert_clusters(0.9, 8, 4.1, 4, 4.1, 0.9, 0.91, 0.89, 4.2, 0.9, 0.9, 4.1, 0.88, 0.92, 4.0, 0.9);
    /* without any spread inside */
    assert_clusters(1, 2, 2, 2, 1, 2, 1, 2);
    /* one run of the short kind was interrupted */
    assert_clusters(1, 9, 30, 3, 1, 1, 1.1, 1, 1, 0.9, 1, 1, 3, 30, 30, 31);
}

static void single_runs_are_no_cluster(void **state) {
    (void)state;
    assert_no_clusters(1, 1, 1, 1.01, 0.99, 1, 1, 1, 1, 100);
    assert_no_clusters(1, 100, 101, 100, 99, 100, 100.5, 100, 99, 101);
    assert_no_clusters(1, 1, 10);
    assert_no_clusters(1, 10);
}

static void close_clusters_are_none(void **state) {
    (void)state;
    assert_no_clusters(1, 1, 1, 1, 1, 1.2, 1.2, 1.2, 1.2, 1.2);
    assert_clusters(1, 5, 1.26, 5, 1, 1, 1, 1, 1, 1.26, 1.26, 1.26, 1.26, 1.26);
}

static void wide_clusters_are_none(void **state) {
    (void)state;
    assert_no_clusters(1, 1.5, 2, 2.5, 3, 6, 7, 8, 9, 10);
    assert_no_clusters(1, 1.2, 3, 3.6); /* few */
}

static void times_without_logarithm_have_none(void **state) {
    (void)state;
    assert_no_clusters(0, 0, 5, 5, 5);
    assert_no_clusters(-1, -1, 5, 5, 5);
    assert_no_clusters(1, 1, INFINITY, INFINITY);
    assert_no_clusters(1, 1, NAN, NAN);
    eti_clusters ignored;
    assert_false(eti__find_clusters(NULL, 0, &ignored));
}

/* Returns a number of the standard normal distribution, by Box and Muller. */
static double normal_number(eti_random *random) {
    double radius = sqrt(-2 * log(1 - eti__random_uniform(random)));
    return radius * cos(6.283185307179586 * eti__random_uniform(random));
}

static void noise_has_clusters_in_one_of_100_samples_at_most(void **state) {
    (void)state;
    static const size_t sizes[] = {4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 24, 37, 100, MOST_TIMES};
    static const double sigmas[] = {0.02, 0.3, 2};
    double times[MOST_TIMES];
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        for (size_t k = 0; k < COUNT_OF(sigmas); k++) {
            eti_random random = eti__random_start(1, s * COUNT_OF(sigmas) + k);
            size_t n_samples = 4000, n_found = 0;
            for (size_t i = 0; i < n_samples; i++) {
                eti_clusters ignored;
                for (size_t j = 0; j < sizes[s]; j++)
                    times[j] = exp(sigmas[k] * normal_number(&random));
                n_found += eti__find_clusters(times, sizes[s], &ignored);
            }
            assert_in_range(n_found, 0, n_samples / 100);
        }
    }
}

static void clusters_are_found_in_noise(void **state) {
    (void)state;
    eti_random random = eti__random_start(2, 0);
    double times[37];
    size_t n_found = 0;
    for (size_t i = 0; i < 1000; i++) {
        eti_clusters of;
        for (size_t j = 0; j < COUNT_OF(times); j++)
            times[j] = (j % 8 == 0 ? 4.1 : 0.9) * exp(0.1 * normal_number(&random));
        n_found += eti__find_clusters(times, COUNT_OF(times), &of) && of.n_high == 5;
    }
    assert_in_range(n_found, 990, 1000);
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
        cmocka_unit_test(dependent_runs_raise_no_alarms),
        cmocka_unit_test(runs_count_as_fewer),
        cmocka_unit_test(few_runs_also_vary_more),
        cmocka_unit_test(other_runs_keep_their_certainty),
        cmocka_unit_test(two_runs_remain),
        cmocka_unit_test(two_kinds_of_runs_are_found),
        cmocka_unit_test(single_runs_are_no_cluster),
        cmocka_unit_test(close_clusters_are_none),
        cmocka_unit_test(wide_clusters_are_none),
        cmocka_unit_test(times_without_logarithm_have_none),
        cmocka_unit_test(noise_has_clusters_in_one_of_100_samples_at_most),
        cmocka_unit_test(clusters_are_found_in_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
