/* Tests the comparison of two sides by ranks. Expected values are those of scipy.stats and of hand calculations. */
#include "statistics_samples.h"

#include "support.h"

#include "stats/stats.h"

#include <math.h>
#include <string.h>

static eti_shift shift_of(const double *values, size_t n_base, size_t n_new) {
    eti_ranks ranks;
    double logs[400], scratch[400];
    assert_true(eti__ranks_make(&ranks, n_base, n_new));
    for (size_t i = 0; i < n_base + n_new; i++)
        logs[i] = log(values[i]);
    eti_shift shift = eti__shift_of(&ranks, logs, 0.05, scratch);
    eti__ranks_free(&ranks);
    return shift;
}

static void two_sides_apart_have_the_shift_of_hodges_and_lehmann(void **state) {
    (void)state;
    const double values[] = {100, 101, 103, 106, 110, 112, 113, 115, 118, 122};
    eti_shift shift = shift_of(values, 5, 5);
    assert_within(expm1(shift.estimate), 0.116505, 5e-6);
    assert_within(expm1(shift.low), 0.066038, 1e-5);
    assert_within(expm1(shift.high), 0.168317, 5e-6);
    assert_within(shift.p_slower, 1.0 / 252.0, 1e-12);
    assert_within(shift.p_faster, 1.0, 1e-12);
}

/* P(U <= 13), since 12 of 25 pairs have a greater new value, is 0.210317 (scipy.stats.mannwhitneyu of values without
 * ties and the same number of such pairs). */
static void equal_values_count_against_a_change(void **state) {
    (void)state;
    const double values[] = {100, 100, 100, 101, 102, 100, 101, 102, 103, 103};
    assert_within(shift_of(values, 5, 5).p_slower, 0.210317, 3e-6);
    const double equal[] = {7, 7, 7, 7, 7, 7};
    eti_shift shift = shift_of(equal, 3, 3);
    assert_bits(shift.p_slower, 1.0);
    assert_bits(shift.p_faster, 1.0);
    assert_bits(shift.estimate, 0.0);
}

static void bounds_leave_out_as_many_differences_as_chance_allows(void **state) {
    (void)state;
    static const struct {
        size_t n_base, n_new, outside;
    } cases[] = {{5, 5, 5}, {8, 8, 16}, {10, 10, 28}, {20, 20, 139},
                 {3, 3, 1}, {2, 2, 0},  {1, 20, 1},   {1, 18, 0}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_ranks ranks, exchanged;
        assert_true(eti__ranks_make(&ranks, cases[i].n_base, cases[i].n_new));
        assert_true(eti__ranks_make(&exchanged, cases[i].n_new, cases[i].n_base));
        assert_int_equal(eti__ranks_outside(&ranks, 0.05), cases[i].outside);
        assert_int_equal(eti__ranks_outside(&exchanged, 0.05), cases[i].outside);
        eti__ranks_free(&ranks);
        eti__ranks_free(&exchanged);
    }
}

/* Without enough values there is no bound, so nothing can pass. */
static void few_values_have_no_bounds(void **state) {
    (void)state;
    const double values[] = {100, 101, 110, 111};
    eti_shift shift = shift_of(values, 2, 2);
    assert_true(isinf(shift.low) && shift.low < 0.0 && isinf(shift.high) && shift.high > 0.0);
    assert_near(shift.estimate, (log(110.0 / 100.0) + log(111.0 / 101.0)) / 2.0);
}

/* All arrangements of 3 and 2 values: U = 0, 1, 2, 2, 3, 3, 4, 4, 5, 6. */
static void probabilities_count_arrangements(void **state) {
    (void)state;
    static const double expected[] = {0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0};
    eti_ranks ranks;
    assert_true(eti__ranks_make(&ranks, 3, 2));
    for (size_t u = 0; u < COUNT_OF(expected); u++)
        assert_within(eti__ranks_below(&ranks, u), expected[u], 1e-12);
    assert_bits(eti__ranks_below(&ranks, 100), 1.0);
    eti__ranks_free(&ranks);
}

/* The exact distribution of 500 and 500 values, and the normal one of 500 and 501. */
static void many_values_are_as_good_as_normal(void **state) {
    (void)state;
    eti_ranks exact, normal;
    assert_true(eti__ranks_make(&exact, 500, 500) && eti__ranks_make(&normal, 500, 501));
    assert_non_null(exact.below);
    assert_null(normal.below);
    assert_within(eti__ranks_below(&exact, 0), 3.699754e-300, 1e-5);
    for (double z = -3.0; z < 3.1; z += 0.5) {
        double found = eti__ranks_below(&exact, (uint64_t)(125000.0 + z * 4566.0));
        double other = eti__ranks_below(&normal, (uint64_t)(125250.0 + z * 4573.0));
        assert_true(fabs(found - other) < 2e-4 && fabs(log(found / other)) < 0.05);
    }
    eti__ranks_free(&exact);
    eti__ranks_free(&normal);
}

/* Runs that depend on each other are as good as fewer: with one of four, U varies twice as much. */
static void dependent_values_are_as_good_as_fewer(void **state) {
    (void)state;
    eti_ranks ranks = {.n_base = 1000, .n_new = 1000, .dependence = 1.0};
    double sd = sqrt(1e6 * 2001.0 / 12.0);
    assert_within(eti__ranks_below(&ranks, (uint64_t)(5e5 - sd)), 0.158655, 2e-4);
    ranks.dependence = 4.0;
    assert_within(eti__ranks_below(&ranks, (uint64_t)(5e5 - 2.0 * sd)), 0.158655, 2e-4);
}

static void fill(double *values, size_t n, uint64_t seed) {
    eti_random random = eti__random_start(seed, 0);
    for (size_t i = 0; i < n; i++)
        values[i] = floor(20.0 * eti__random_uniform(&random)) + 100.0;
}

/* Finds the differences themselves, sorts them, and takes those of the ranks. */
static void the_differences_are_those_of_a_sorted_list(void **state) {
    (void)state;
    static const size_t sides[][2] = {{5, 5}, {7, 4}, {20, 13}, {1, 30}};
    for (size_t i = 0; i < COUNT_OF(sides); i++) {
        size_t n_base = sides[i][0], n_new = sides[i][1], n = n_base * n_new;
        double values[60], all[400];
        fill(values, n_base + n_new, i);
        for (size_t k = 0; k < n; k++)
            all[k] = log(values[n_base + k % n_new]) - log(values[k / n_new]);
        eti__sort_doubles(all, n);
        eti_ranks ranks;
        assert_true(eti__ranks_make(&ranks, n_base, n_new));
        size_t outside = eti__ranks_outside(&ranks, 0.05);
        eti_shift shift = shift_of(values, n_base, n_new);
        assert_bits(shift.estimate + 0.0, (all[(n - 1) / 2] + all[n / 2]) / 2.0 + 0.0);
        if (outside > 0) {
            assert_bits(shift.low + 0.0, all[outside - 1] + 0.0);
            assert_bits(shift.high + 0.0, all[n - outside] + 0.0);
        }
        eti__ranks_free(&ranks);
    }
}

static void exchanged_sides_exchange_signs_and_order_changes_nothing(void **state) {
    (void)state;
    double values[33], exchanged[33], turned[33];
    fill(values, 33, 9);
    for (size_t i = 0; i < 33; i++)
        exchanged[i] = values[(i + 20) % 33];
    for (size_t i = 0; i < 20; i++)
        turned[i] = values[(i * 7 + 3) % 20];
    for (size_t i = 20; i < 33; i++)
        turned[i] = values[20 + (i - 20) * 5 % 13];
    eti_shift shift = shift_of(values, 20, 13), other = shift_of(exchanged, 13, 20),
              same = shift_of(turned, 20, 13);
    assert_bits(other.estimate + 0.0, 0.0 - shift.estimate);
    assert_bits(other.low + 0.0, 0.0 - shift.high);
    assert_bits(other.p_slower, shift.p_faster);
    assert_memory_equal(&same, &shift, sizeof same);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sides_apart_have_the_shift_of_hodges_and_lehmann),
        cmocka_unit_test(equal_values_count_against_a_change),
        cmocka_unit_test(bounds_leave_out_as_many_differences_as_chance_allows),
        cmocka_unit_test(few_values_have_no_bounds),
        cmocka_unit_test(probabilities_count_arrangements),
        cmocka_unit_test(many_values_are_as_good_as_normal),
        cmocka_unit_test(dependent_values_are_as_good_as_fewer),
        cmocka_unit_test(the_differences_are_those_of_a_sorted_list),
        cmocka_unit_test(exchanged_sides_exchange_signs_and_order_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
