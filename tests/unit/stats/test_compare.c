/* comparison_cases.h has what SciPy and NumPy say. */
#include "statistics_samples.h"

#include <math.h>

#include "comparison_cases.h"
#include "stats/compare.h"

static eti_comparison compare_sides(const double *base, size_t n_base, const double *new_samples,
                                    size_t n_new, const eti_compare_options *options,
                                    eti_compare_scratch *scratch) {
    eti_error err = ETI_ERROR_INIT;
    eti_comparison found;
    assert_ok(eti__compare(&found, (eti_sample_set){base, n_base},
                           (eti_sample_set){new_samples, n_new}, options, scratch, &err));
    return found;
}

static void comparisons_equal_scipys_and_numpys(void **state) {
    (void)state;
    eti_compare_scratch scratch = {0};
    for (size_t i = 0; i < COUNT_OF(comparisons); i++) {
        size_t n_base = comparisons[i].n_base, n_new = comparisons[i].n_new;
        double *base = make_samples(comparisons[i].kind, comparisons[i].seed, 1.0, n_base);
        double *new_samples = make_samples(comparisons[i].kind, comparisons[i].seed + 1,
                                           comparisons[i].factor, n_new);
        eti_comparison found = compare_sides(base, n_base, new_samples, n_new, NULL, &scratch);
        double median_base = comparisons[i].median_base, median_new = comparisons[i].median_new;
        assert_int_equal(found.n_base, n_base);
        assert_int_equal(found.n_new, n_new);
        assert_bits(found.median_base, median_base);
        assert_bits(found.median_new, median_new);
        assert_bits(found.delta, median_new - median_base);
        assert_bits(found.ratio, eti__ratio(median_new, median_base));
        assert_near(found.p, comparisons[i].p);
        assert_int_equal(found.p_is_exact, comparisons[i].exact);
        if (!isnan(comparisons[i].shift))
            assert_bits(found.shift, comparisons[i].shift);
        assert_true(found.ratio_interval.low <= found.ratio_interval.high);
        assert_true(found.ratio_interval.low <= found.ratio * (1.0 + 1e-12));
        assert_true(found.ratio_interval.high >= found.ratio * (1.0 - 1e-12));
        free(new_samples);
        free(base);
    }
    eti__compare_scratch_free(&scratch);
}

static void assert_same(eti_comparison a, eti_comparison b) {
    assert_bits(a.median_base, b.median_base);
    assert_bits(a.median_new, b.median_new);
    assert_bits(a.delta, b.delta);
    assert_bits(a.ratio, b.ratio);
    assert_bits(a.ratio_interval.low, b.ratio_interval.low);
    assert_bits(a.ratio_interval.high, b.ratio_interval.high);
    assert_bits(a.shift, b.shift);
    assert_bits(a.p, b.p);
}

static void samples_are_neither_changed_nor_asked_for_their_order(void **state) {
    (void)state;
    const double base[] = {3, 1, 2, 5, 4}, sorted[] = {1, 2, 3, 4, 5}, new_side[] = {9, 7, 8};
    const double kept[] = {3, 1, 2, 5, 4};
    eti_compare_scratch scratch = {0};
    assert_same(compare_sides(base, 5, new_side, 3, NULL, &scratch),
                compare_sides(sorted, 5, new_side, 3, NULL, &scratch));
    assert_memory_equal(base, kept, sizeof base);
    eti__compare_scratch_free(&scratch);
}

/* Comparisons of other sizes before it leave nothing behind. */
static void scratch_has_no_influence(void **state) {
    (void)state;
    eti_compare_scratch used = {0};
    double *samples = make_samples(SAMPLES_EVEN, 1, 1.0, 3000);
    const size_t sizes[][2] = {{5, 9}, {1000, 2000}, {5, 9}, {1, 1}, {9, 5}, {50, 50}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        eti_compare_scratch fresh = {0};
        const double *base = samples, *new_side = samples + sizes[i][0];
        assert_same(compare_sides(base, sizes[i][0], new_side, sizes[i][1], NULL, &used),
                    compare_sides(base, sizes[i][0], new_side, sizes[i][1], NULL, &fresh));
        eti__compare_scratch_free(&fresh);
    }
    free(samples);
    eti__compare_scratch_free(&used);
}

static void a_higher_confidence_has_a_wider_interval(void **state) {
    (void)state;
    eti_compare_scratch scratch = {0};
    double *base = make_samples(SAMPLES_EVEN, 1, 1.0, 40);
    double *new_side = make_samples(SAMPLES_EVEN, 2, 1.2, 40);
    double width = 0.0;
    for (double confidence = 0.5; confidence < 1.0; confidence += 0.166) {
        eti_compare_options options = {confidence, 5000, 1};
        eti_interval found =
            compare_sides(base, 40, new_side, 40, &options, &scratch).ratio_interval;
        assert_true(found.high - found.low > width);
        width = found.high - found.low;
    }
    free(new_side);
    free(base);
    eti__compare_scratch_free(&scratch);
}

static void sides_are_resampled_independently(void **state) {
    (void)state;
    eti_compare_scratch scratch = {0};
    double *samples = make_samples(SAMPLES_EVEN, 1, 1.0, 30);
    eti_comparison found = compare_sides(samples, 30, samples, 30, NULL, &scratch);
    assert_bits(found.ratio, 1.0);
    assert_true(found.ratio_interval.low < 0.95 && found.ratio_interval.high > 1.05);
    free(samples);
    eti__compare_scratch_free(&scratch);
}

static void a_seed_may_move_the_interval_but_little(void **state) {
    (void)state;
    eti_compare_scratch scratch = {0};
    double *base = make_samples(SAMPLES_EVEN, 1, 1.0, 200);
    double *new_side = make_samples(SAMPLES_EVEN, 2, 1.2, 200);
    eti_compare_options one = {0.95, 4000, 1}, two = {0.95, 4000, 2};
    eti_comparison first = compare_sides(base, 200, new_side, 200, &one, &scratch);
    eti_comparison second = compare_sides(base, 200, new_side, 200, &two, &scratch);
    double width = first.ratio_interval.high - first.ratio_interval.low;
    assert_true(fabs(first.ratio_interval.low - second.ratio_interval.low) < width / 8);
    assert_true(fabs(first.ratio_interval.high - second.ratio_interval.high) < width / 8);
    assert_true(first.ratio_interval.low != second.ratio_interval.low ||
                first.ratio_interval.high != second.ratio_interval.high);
    free(new_side);
    free(base);
    eti__compare_scratch_free(&scratch);
}

static void what_is_no_duration_is_refused(void **state) {
    (void)state;
    const double good[] = {1, 2, 3};
    const double bad[][3] = {{1, NAN, 3}, {1, INFINITY, 3}, {1, -1, 3}, {1, 1.1e300, 3}};
    eti_compare_scratch scratch = {0};
    eti_comparison found;
    eti_error err = ETI_ERROR_INIT;
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        assert_fails(eti__compare(&found, (eti_sample_set){bad[i], 3}, (eti_sample_set){good, 3},
                                  NULL, &scratch, &err),
                     ETI_ERROR_DATA, "sample 1 of the base");
        assert_fails(eti__compare(&found, (eti_sample_set){good, 3}, (eti_sample_set){bad[i], 3},
                                  NULL, &scratch, &err),
                     ETI_ERROR_DATA, "sample 1 of the new side");
    }
    assert_fails(eti__compare(&found, (eti_sample_set){good, 0}, (eti_sample_set){good, 3}, NULL,
                              &scratch, &err),
                 ETI_ERROR_DATA, "the base has none");
    assert_fails(eti__compare(&found, (eti_sample_set){good, 3}, (eti_sample_set){good, 0}, NULL,
                              &scratch, &err),
                 ETI_ERROR_DATA, "the new side has none");
    assert_fails(eti__compare(&found, (eti_sample_set){good, (size_t)1 << 31},
                              (eti_sample_set){good, 3}, NULL, &scratch, &err),
                 ETI_ERROR_LIMIT, "2^31");
    eti__compare_scratch_free(&scratch);
}

static void options_out_of_range_are_refused(void **state) {
    (void)state;
    const double good[] = {1, 2, 3};
    const eti_compare_options bad[] = {
        {0.0, 10, 1}, {1.0, 10, 1}, {NAN, 10, 1}, {0.9, 0, 1}, {0.9, ETI_MOST_RESAMPLES + 1, 1}};
    eti_compare_scratch scratch = {0};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        eti_comparison found;
        eti_error err = ETI_ERROR_INIT;
        assert_fails(eti__compare(&found, (eti_sample_set){good, 3}, (eti_sample_set){good, 3},
                                  &bad[i], &scratch, &err),
                     ETI_ERROR_USAGE, "expected");
    }
    eti__compare_scratch_free(&scratch);
}

static void geometric_means_are_roots_of_products(void **state) {
    (void)state;
    const double ratios[] = {0.5, 2.0, 4.0}, zero[] = {0.0, 2.0}, infinite[] = {INFINITY, 2.0},
                 both[] = {INFINITY, 0.0};
    assert_near(eti__geometric_mean(ratios, 3), 1.5874010519681994);
    assert_bits(eti__geometric_mean(ratios, 0), 1.0);
    assert_bits(eti__geometric_mean(zero, 2), 0.0);
    assert_bits(eti__geometric_mean(infinite, 2), (double)INFINITY);
    assert_bits(eti__geometric_mean(both, 2), 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons_equal_scipys_and_numpys),
        cmocka_unit_test(samples_are_neither_changed_nor_asked_for_their_order),
        cmocka_unit_test(scratch_has_no_influence),
        cmocka_unit_test(a_higher_confidence_has_a_wider_interval),
        cmocka_unit_test(sides_are_resampled_independently),
        cmocka_unit_test(a_seed_may_move_the_interval_but_little),
        cmocka_unit_test(what_is_no_duration_is_refused),
        cmocka_unit_test(options_out_of_range_are_refused),
        cmocka_unit_test(geometric_means_are_roots_of_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
