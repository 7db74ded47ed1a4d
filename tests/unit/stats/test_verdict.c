#include "support.h"

#include <math.h>

#include "stats/mann_whitney.h"
#include "stats/verdict.h"

static const eti_rule rule = {.alpha = 0.05, .least_effect = 0.05};

/* With 20 samples a side. */
static eti_verdict judge(double ratio, double low, double high, double p) {
    eti_comparison comparison = {
        .n_base = 20, .n_new = 20, .ratio = ratio, .ratio_interval = {low, high}};
    return eti__judge(&comparison, p, 10, &rule);
}

static void a_difference_must_be_significant_and_large(void **state) {
    (void)state;
    assert_int_equal(judge(1.10, 1.02, 1.2, 0.01), ETI_VERDICT_SLOWER);
    assert_int_equal(judge(1.10, 1.02, 1.2, 0.05), ETI_VERDICT_NOISE);
    assert_int_equal(judge(1.10, 1.00, 1.2, 0.01), ETI_VERDICT_NOISE);
    assert_int_equal(judge(1.04, 1.02, 1.2, 0.01), ETI_VERDICT_NOISE);
    assert_int_equal(judge(0.90, 0.85, 0.98, 0.01), ETI_VERDICT_FASTER);
    assert_int_equal(judge(0.90, 0.85, 0.98, 0.05), ETI_VERDICT_NOISE);
    assert_int_equal(judge(0.90, 0.85, 1.00, 0.01), ETI_VERDICT_NOISE);
    assert_int_equal(judge(0.96, 0.85, 0.98, 0.01), ETI_VERDICT_NOISE);
    assert_int_equal(judge(INFINITY, INFINITY, INFINITY, 0.01), ETI_VERDICT_SLOWER);
    assert_int_equal(judge(0.0, 0.0, 0.0, 0.01), ETI_VERDICT_FASTER);
}

/* What is as large as --least_effect says is large enough. */
static void the_least_effect_is_one(void **state) {
    (void)state;
    assert_int_equal(judge(1.05, 1.02, 1.2, 0.01), ETI_VERDICT_SLOWER);
    assert_int_equal(judge(1.0 / 1.05, 0.85, 0.98, 0.01), ETI_VERDICT_FASTER);
    assert_int_equal(judge(1.0499, 1.02, 1.2, 0.01), ETI_VERDICT_NOISE);
    assert_int_equal(judge(1.0 / 1.0499, 0.85, 0.98, 0.01), ETI_VERDICT_NOISE);
}

static void exchanged_sides_have_the_opposite_verdict(void **state) {
    (void)state;
    for (double ratio = 0.8; ratio < 1.25; ratio += 0.003) {
        eti_verdict found = judge(ratio, ratio * 0.99, ratio * 1.01, 0.01);
        eti_verdict exchanged = judge(1.0 / ratio, 0.99 / ratio, 1.01 / ratio, 0.01);
        eti_verdict opposite = found == ETI_VERDICT_SLOWER   ? ETI_VERDICT_FASTER
                               : found == ETI_VERDICT_FASTER ? ETI_VERDICT_SLOWER
                                                             : found;
        assert_int_equal(exchanged, opposite);
    }
}

static void too_few_samples_are_a_verdict_of_their_own(void **state) {
    (void)state;
    eti_comparison comparison = {
        .n_base = 3, .n_new = 3, .ratio = 9.0, .ratio_interval = {8.0, 10.0}, .least_p = 0.1};
    assert_int_equal(eti__judge(&comparison, 0.1, 1, &rule), ETI_VERDICT_UNDECIDED);
    comparison.n_new = 5;
    comparison.least_p = 2.0 / 56.0; /* 2 / C(8, 3) */
    assert_int_equal(eti__judge(&comparison, 0.036, 1, &rule), ETI_VERDICT_SLOWER);
    assert_int_equal(eti__judge(&comparison, 0.072, 2, &rule), ETI_VERDICT_UNDECIDED);
}

/* One pair of equal samples, as a coarse clock makes them, and the test is not exact: scipy.stats.mannwhitneyu() says
 * 0.000931, where 8 other samples a side could reach 0.00016. */
static void ties_need_more_samples(void **state) {
    (void)state;
    static const double base[] = {10, 11, 12, 13, 14, 15, 16, 16};
    static const double slower[] = {20, 21, 22, 23, 24, 25, 26, 27};
    eti_compare_scratch scratch = {0};
    eti_comparison found;
    assert_int_equal(eti__compare(&found, (eti_sample_set){base, 8}, (eti_sample_set){slower, 8},
                                  NULL, &scratch, NULL),
                     ETI_OK);
    assert_float_equal(found.p, 0.000930972271575002, 1e-15);
    assert_true(found.least_p == found.p);
    assert_int_equal(eti__judge(&found, found.p * 50, 50, &rule), ETI_VERDICT_SLOWER);
    assert_int_equal(eti__judge(&found, found.p * 100, 100, &rule), ETI_VERDICT_UNDECIDED);
    assert_int_equal(eti__samples_needed_with_ties(100, 0.05), 9);
    assert_int_equal(eti__samples_needed_with_ties(200, 0.05), 10);
    eti__compare_scratch_free(&scratch);
}

/* What all samples agree on is decided: the sides are equal, or they are not. */
static void equal_samples_need_no_more(void **state) {
    (void)state;
    static const double base[] = {64, 64, 64, 64, 64}, more[] = {80, 80, 80, 80, 80};
    eti_compare_scratch scratch = {0};
    eti_comparison found;
    assert_int_equal(eti__compare(&found, (eti_sample_set){base, 5}, (eti_sample_set){more, 5},
                                  NULL, &scratch, NULL),
                     ETI_OK);
    assert_int_equal(eti__judge(&found, found.p, 1, &(eti_rule){0.01, 0}), ETI_VERDICT_SLOWER);
    assert_int_equal(eti__compare(&found, (eti_sample_set){base, 5}, (eti_sample_set){base, 5},
                                  NULL, &scratch, NULL),
                     ETI_OK);
    assert_int_equal(eti__judge(&found, found.p, 1, &(eti_rule){0.01, 0}), ETI_VERDICT_NOISE);
    eti__compare_scratch_free(&scratch);
}

static void the_number_needed_is_the_least_that_suffices(void **state) {
    (void)state;
    assert_int_equal(eti__samples_needed(1, 1, 0.05), 4);    /* 2 / C(8, 4) = 0.029 */
    assert_int_equal(eti__samples_needed(1, 10, 0.05), 6);   /* 2 / C(12, 6) = 0.0022 */
    assert_int_equal(eti__samples_needed(1, 100, 0.05), 8);  /* 2 / C(16, 8) = 0.00016 */
    assert_int_equal(eti__samples_needed(9, 100, 0.05), 9);  /* the approximation: 0.00041 */
    assert_int_equal(eti__samples_needed(9, 200, 0.05), 10); /* 0.00018 */
    assert_int_equal(eti__samples_needed(30, 100, 0.05), 30);
    for (size_t n_family = 1; n_family < 100000; n_family *= 3) {
        size_t n = eti__samples_needed(1, n_family, 0.01);
        assert_true(eti__mann_whitney_least_p(n, n) * (double)n_family < 0.01);
        assert_true(eti__mann_whitney_least_p(n - 1, n - 1) * (double)n_family >= 0.01);
    }
}

static void verdicts_have_names(void **state) {
    (void)state;
    static const char *const names[ETI_N_VERDICTS] = {"~",     "slower",  "faster",  "few",
                                                      "added", "removed", "untested"};
    for (int i = 0; i < ETI_N_VERDICTS; i++)
        assert_string_equal(eti__verdict_name((eti_verdict)i), names[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_difference_must_be_significant_and_large),
        cmocka_unit_test(the_least_effect_is_one),
        cmocka_unit_test(exchanged_sides_have_the_opposite_verdict),
        cmocka_unit_test(too_few_samples_are_a_verdict_of_their_own),
        cmocka_unit_test(ties_need_more_samples),
        cmocka_unit_test(equal_samples_need_no_more),
        cmocka_unit_test(the_number_needed_is_the_least_that_suffices),
        cmocka_unit_test(verdicts_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
