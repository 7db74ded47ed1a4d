#include "cut_score.h"

#include "statistics_samples.h"

#include "stats/parts.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

/* ==== e divisive ============================================================================== */
/* The expected cut comes from the specification; others are found by the definition, pair by pair. */

/* Returns the change that divides the whole series, if each cut counts as a change: the one whose score is that of its cut
 * in the whole. */
static eti_change_point best_cut(const double *values, size_t n) {
    eti_change_point points[50];
    size_t n_points = 0;
    assert_true(n <= COUNT_OF(points));
    assert_int_equal(eti__find_change_points(points, &n_points, values, n, 1.0, 1, NULL), ETI_OK);
    for (size_t i = 0; i < n_points; i++) {
        double score = score_by_definition(values, n, points[i].at);
        if (fabs(points[i].score - score) <= 1e-10 * fabs(score) + 1e-12)
            return points[i];
    }
    fail_msg("no change has the score of its cut");
    return points[0];
}

static void the_best_cut_is_that_of_the_specification(void **state) {
    (void)state;
    const double values[] = {0, .01, .02, .01, .5, .52, .51};
    eti_change_point cut = best_cut(values, COUNT_OF(values));
    assert_int_equal(cut.at, 4);
    assert_within(cut.score, 1.6742857143, 2e-11);
}

static void the_best_cut_is_that_of_the_definition(void **state) {
    (void)state;
    static const sample_kind kinds[] = {SAMPLES_EVEN, SAMPLES_HEAVY, SAMPLES_TIED, SAMPLES_RISING};
    for (size_t i = 0; i < 100; i++) {
        size_t n = 6 + i % 40, best = 3;
        double *values = make_samples(kinds[i % COUNT_OF(kinds)], i, 1.0, n);
        for (size_t k = 3; k <= n - 3; k++) {
            if (score_by_definition(values, n, k) > score_by_definition(values, n, best) + 1e-9)
                best = k;
        }
        eti_change_point cut = best_cut(values, n);
        assert_within(cut.score, score_by_definition(values, n, best), 1e-10);
        assert_int_equal(cut.at, best);
        free(values);
    }
}

static void both_parts_have_three_values(void **state) {
    (void)state;
    assert_int_equal(best_cut((const double[]){9, 9, 0, 0, 0, 0, 0, 0}, 8).at, 3);
    assert_int_equal(best_cut((const double[]){0, 0, 0, 0, 0, 0, 9, 9}, 8).at, 5);
    assert_int_equal(best_cut((const double[]){0, 0, 0, 9, 9, 9}, 6).at, 3);
}

/* Rounding must not decide between equal scores. */
static void the_first_of_the_best_cuts_counts(void **state) {
    (void)state;
    assert_int_equal(best_cut((const double[]){5, 5, 5, 5, 5, 5, 5, 5}, 8).at, 3);
    const double mirrored[] = {.3, 0, 0, .6, .6, .6, .6, 0, 0, .3};
    assert_int_equal(best_cut(mirrored, COUNT_OF(mirrored)).at, 3);
}

/* Makes `levels` of `length` values each, with slight noise. */
static size_t find_in_steps(eti_change_point *out, const double *levels, size_t n_levels,
                            size_t length, uint64_t seed) {
    size_t n = n_levels * length, n_out = 77;
    double *values = make_samples(SAMPLES_EVEN, 1, 1e-4, n);
    for (size_t i = 0; i < n; i++)
        values[i] += levels[i / length];
    assert_int_equal(eti__find_change_points(out, &n_out, values, n, 0.01, seed, NULL), ETI_OK);
    free(values);
    return n_out;
}

static void all_changes_are_found_in_order(void **state) {
    (void)state;
    const double levels[] = {1.0, 1.5, 1.2, 2.0};
    eti_change_point points[20];
    assert_int_equal(find_in_steps(points, levels, 4, 15, 1), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(points[i].at, 15 * (i + 1));
        assert_true(points[i].p > 0.0 && points[i].p <= 0.01);
        assert_true(points[i].score > 0.0);
    }
}

/* All orders of 20 values are counted: two sets of ten are at one side of the cut. Of 24 values, 500 orders are drawn, and
 * only the original one has such a set. */
static void a_change_has_the_least_p(void **state) {
    (void)state;
    const double levels[] = {0.0, 1.0};
    eti_change_point points[8];
    assert_int_equal(find_in_steps(points, levels, 2, 10, 7), 1);
    assert_bits(points[0].p, 2.0 / 184756.0);
    assert_int_equal(find_in_steps(points, levels, 2, 12, 7), 1);
    assert_bits(points[0].p, 1.0 / 500.0);
}

static size_t find_halves(size_t *at, size_t n, double alpha, uint64_t seed) {
    double values[30];
    eti_change_point points[10];
    size_t n_out = 77;
    for (size_t k = 0; k < n; k++)
        values[k] = (k < n / 2 ? 1.0 : 2.0) + 0.001 * (double)((7 * k) % 5);
    assert_int_equal(eti__find_change_points(points, &n_out, values, n, alpha, seed, NULL), ETI_OK);
    *at = n_out > 0 ? points[0].at : 0;
    return n_out;
}

/* The halves of the fewest values, whose p is about alpha, are always found. With 21 values, orders are drawn. */
static void the_seed_does_not_decide(void **state) {
    (void)state;
    const double alphas[] = {0.005, 0.005 / 31, 2.0 / 184756, 0.005 / 60};
    const size_t numbers[] = {11, 16, 20, 21};
    for (size_t i = 0; i < COUNT_OF(alphas); i++) {
        size_t n = numbers[i], at;
        for (uint64_t seed = 1; seed <= (n > 20 ? 4 : 30); seed++) {
            assert_int_equal(find_halves(&at, n, alphas[i], seed), 1);
            assert_int_equal(at, n / 2);
        }
        assert_int_equal(find_halves(&at, eti__fewest_values(alphas[i]) - 1, alphas[i], 1), 0);
    }
}

static void series_without_change_have_none(void **state) {
    (void)state;
    size_t n_alarms = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        eti_change_point points[7];
        size_t n_out;
        double *values = make_samples(SAMPLES_HEAVY, seed, 1.0, 20);
        assert_int_equal(eti__find_change_points(points, &n_out, values, 20, 0.05, seed, NULL),
                         ETI_OK);
        n_alarms += n_out > 0;
        free(values);
    }
    assert_true(n_alarms >= 2 && n_alarms <= 20); /* 10 are expected */
}

/* With 3 values per side, 2 of 20 orders have the greatest score: 0.1 is the smallest possible p. A change may be as
 * likely as alpha. */
static void six_values_change_at_a_tenth_only(void **state) {
    (void)state;
    const double values[] = {0, 0, 0, 1, 1, 1}, alphas[] = {0.0999, 0.1, 0.2};
    eti_change_point points[2];
    size_t n_out;
    for (size_t i = 0; i < COUNT_OF(alphas); i++) {
        assert_int_equal(eti__find_change_points(points, &n_out, values, 6, alphas[i], 1, NULL),
                         ETI_OK);
        assert_int_equal(n_out, i > 0);
    }
    assert_bits(points[0].p, 0.1);
}

static void short_equal_and_broken_series_have_no_change(void **state) {
    (void)state;
    double values[20] = {0};
    eti_change_point points[6];
    size_t n_out = 7;
    for (size_t n = 0; n <= COUNT_OF(values); n++) {
        assert_int_equal(eti__find_change_points(points, &n_out, values, n, 0.5, 1, NULL), ETI_OK);
        assert_int_equal(n_out, 0);
    }
    values[3] = (double)NAN;
    values[9] = (double)INFINITY;
    assert_int_equal(eti__find_change_points(points, &n_out, values, 20, 0.5, 1, NULL), ETI_OK);
    assert_int_equal(n_out, 0);
}

static void the_same_seed_gives_the_same_points(void **state) {
    (void)state;
    const double levels[] = {1.0, 1.004, 1.008};
    eti_change_point points[10], again[10];
    size_t n = find_in_steps(points, levels, 3, 10, 5);
    assert_int_equal(find_in_steps(again, levels, 3, 10, 5), n);
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(again[i].at, points[i].at);
        assert_bits(again[i].p, points[i].p);
    }
}

static void too_long_series_are_refused(void **state) {
    (void)state;
    double *values = make_samples(SAMPLES_EVEN, 1, 1.0, ETI_E_DIVISIVE_MOST + 1);
    eti_change_point point;
    size_t n_out = 0;
    eti_error err;
    assert_int_equal(
        eti__find_change_points(&point, &n_out, values, ETI_E_DIVISIVE_MOST + 1, 0.01, 1, &err),
        ETI_ERROR_LIMIT);
    assert_non_null(strstr(err.message, "20001"));
    assert_int_equal(
        eti__find_change_points(&point, &n_out, values, ETI_E_DIVISIVE_MOST, 0.01, 1, &err),
        ETI_OK);
    assert_int_equal(n_out, 0);
    free(values);
}

/* The values of both parts are equal, and each distance between the parts is 1: the score of the cut is k (n - k) / n * 2. */
static void the_longest_series_is_divided_at_its_step(void **state) {
    (void)state;
    enum { N = ETI_E_DIVISIVE_MOST, AT = 7000 };
    double *values = malloc(N * sizeof *values);
    eti_change_point *points = malloc((N / 3) * sizeof *points);
    assert_true(values && points);
    for (size_t i = 0; i < N; i++)
        values[i] = 1e6 + (i < AT ? 0.0 : 1.0);
    size_t n_out = 0;
    assert_int_equal(eti__find_change_points(points, &n_out, values, N, 0.01, 1, NULL), ETI_OK);
    assert_int_equal(n_out, 1);
    assert_int_equal(points[0].at, AT);
    assert_within(points[0].score, 2.0 * AT * (N - AT) / N, 1e-6);
    free(values);
    free(points);
}

/* One value is a hundred times as far away as the step is high. */
static void a_far_value_does_not_hide_a_step(void **state) {
    (void)state;
    enum { N = 400, AT = 150 };
    double *values = make_samples(SAMPLES_EVEN, 3, 1.0, N);
    eti_change_point points[N / 3];
    for (size_t i = AT; i < N; i++)
        values[i] += 200.0;
    values[40] = 20000.0;
    size_t n_out = 0;
    assert_int_equal(eti__find_change_points(points, &n_out, values, N, 0.01, 1, NULL), ETI_OK);
    assert_int_equal(n_out, 1);
    assert_int_equal(points[0].at, AT);
    double score = score_by_definition(values, N, AT);
    assert_within(points[0].score, score, 1e-9 * score);
    free(values);
}

/* Returns the score of the best cut by the definition. Derives the sums of a cut from the sums of the cut before. */
static double best_in_order(const double *order, size_t n) {
    double all = sum_of_distances(order, n, order, n), first = 0.0, second = all;
    double best = (double)-INFINITY;
    for (size_t k = 1; k <= n - ETI_CUT_LEAST_PART; k++) {
        const double *value = &order[k - 1];
        first += 2.0 * sum_of_distances(value, 1, order, k - 1);
        second -= 2.0 * sum_of_distances(value, 1, order + k, n - k);
        double a = (double)k, b = (double)(n - k), between = (all - first - second) / 2.0;
        double score =
            a * b / (a + b) *
            (2.0 * between / (a * b) - first / (a * (a - 1.0)) - second / (b * (b - 1.0)));
        if (k >= ETI_CUT_LEAST_PART)
            best = fmax(best, score);
    }
    return best;
}

/* Returns the share of n_orders orders with at least the score of the best cut: the order of the values, and orders drawn as
 * eti__find_change_points() draws them for the whole series. */
static double share_of_drawn(const double *values, size_t n, size_t n_orders, uint64_t seed) {
    double order[600], least = best_in_order(values, n) * (1.0 - 1e-9);
    eti_random random = eti__random_start(seed, n);
    size_t n_hits = 1;
    memcpy(order, values, n * sizeof *values);
    for (size_t drawn = 1; drawn < n_orders; drawn++) {
        for (size_t i = n - 1; i > 0; i--) {
            size_t j = (size_t)(eti__random_uniform(&random) * (double)(i + 1));
            double value = order[i];
            order[i] = order[j];
            order[j] = value;
        }
        n_hits += best_in_order(order, n) >= least;
    }
    return (double)n_hits / (double)n_orders;
}

/* An alpha of 0.05 takes 100 orders. */
static void the_share_is_that_of_drawn_orders(void **state) {
    (void)state;
    static const struct {
        sample_kind kind;
        size_t n;
        double step;
    } series[] = {
        {SAMPLES_EVEN, 300, 100.0}, {SAMPLES_EVEN, 600, 60.0},  {SAMPLES_EVEN, 600, 30.0},
        {SAMPLES_EVEN, 600, 8.0},   {SAMPLES_EVEN, 60, 20.0},   {SAMPLES_TIED, 400, 1000.0},
        {SAMPLES_TIED, 400, 2.0},   {SAMPLES_HEAVY, 500, 30.0}, {SAMPLES_HEAVY, 500, 0.7},
    };
    size_t n_changed = 0;
    for (size_t i = 0; i < COUNT_OF(series); i++) {
        size_t n = series[i].n, n_out = 0, first = 0;
        double *values = make_samples(series[i].kind, i, 1.0, n), best = (double)-INFINITY;
        eti_change_point points[600 / 3];
        for (size_t k = n / 3; k < n; k++)
            values[k] += series[i].step;
        assert_int_equal(eti__find_change_points(points, &n_out, values, n, 0.05, i, NULL), ETI_OK);
        for (size_t k = 0; k < n_out; k++) {
            double score = score_by_definition(values, n, points[k].at);
            first = score > best ? k : first;
            best = fmax(best, score);
        }
        double p = share_of_drawn(values, n, 100, i);
        assert_int_equal(n_out > 0, p <= 0.05);
        n_changed += n_out > 0;
        if (n_out > 0) {
            assert_within(best, best_in_order(values, n), 1e-9);
            assert_bits(points[first].p, p);
        }
        free(values);
    }
    assert_true(n_changed > 4 && n_changed < COUNT_OF(series));
}

/* C(10, 5) is 252, C(11, 5) 462, C(12, 6) 924: the two orders that separate the halves are 1 of 231. C(20, 10) is 184756;
 * of more values, orders are drawn, and C(21, 10) = 352716 is less than twice as many. */
static void so_few_values_have_no_change(void **state) {
    (void)state;
    assert_int_equal(eti__fewest_values(1), 6);
    assert_int_equal(eti__fewest_values(0.1), 6);
    assert_int_equal(eti__fewest_values(0.0999), 7);
    assert_int_equal(eti__fewest_values(2.0 / 252), 10);
    assert_int_equal(eti__fewest_values(0.005), 11);
    assert_int_equal(eti__fewest_values(1.0 / 231), 11);
    assert_int_equal(eti__fewest_values(0.9999 / 231), 12);
    assert_int_equal(eti__fewest_values(2.0 / 184756), 20);
    assert_int_equal(eti__fewest_values(1.9999 / 184756), 22);
    assert_int_equal(eti__fewest_values(4.0 / 705432), 22);
    assert_int_equal(eti__fewest_values(3.9999 / 705432), 23);
}

/* ==== cut orders ============================================================================== */
/* Counts the orders of a few values one by one. */

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
        cmocka_unit_test(the_best_cut_is_that_of_the_specification),
        cmocka_unit_test(the_best_cut_is_that_of_the_definition),
        cmocka_unit_test(both_parts_have_three_values),
        cmocka_unit_test(the_first_of_the_best_cuts_counts),
        cmocka_unit_test(all_changes_are_found_in_order),
        cmocka_unit_test(a_change_has_the_least_p),
        cmocka_unit_test(series_without_change_have_none),
        cmocka_unit_test(six_values_change_at_a_tenth_only),
        cmocka_unit_test(the_seed_does_not_decide),
        cmocka_unit_test(short_equal_and_broken_series_have_no_change),
        cmocka_unit_test(the_same_seed_gives_the_same_points),
        cmocka_unit_test(so_few_values_have_no_change),
        cmocka_unit_test(too_long_series_are_refused),
        cmocka_unit_test(the_longest_series_is_divided_at_its_step),
        cmocka_unit_test(a_far_value_does_not_hide_a_step),
        cmocka_unit_test(the_share_is_that_of_drawn_orders),
        cmocka_unit_test(the_share_is_that_of_all_orders),
        cmocka_unit_test(two_levels_are_separated_twice),
        cmocka_unit_test(any_share_above_alpha_may_stand_for_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
