#include "support.h"

#include <math.h>

#include "stats/mann_whitney.h"
#include "stats/verdict.h"

static const eti_rule rule = {.alpha = 0.05, .least_effect = 0.05};

/* With 20 samples a side. */
static eti_verdict judge(double ratio, double low, double high, double p) {
    eti_comparison comparison = {
        .n_base = 20, .n_new = 20, .ratio = ratio, .ratio_interval = {low, high}};
    return eti_judge(&comparison, p, 10, &rule);
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
        .n_base = 3, .n_new = 3, .ratio = 9.0, .ratio_interval = {8.0, 10.0}};
    assert_int_equal(eti_judge(&comparison, 0.1, 1, &rule), ETI_VERDICT_TOO_FEW);
    comparison.n_new = 5; /* 2 / C(8, 3) = 0.036 */
    assert_int_equal(eti_judge(&comparison, 0.036, 1, &rule), ETI_VERDICT_SLOWER);
    assert_int_equal(eti_judge(&comparison, 0.072, 2, &rule), ETI_VERDICT_TOO_FEW);
}

static void the_number_needed_is_the_least_that_suffices(void **state) {
    (void)state;
    assert_int_equal(eti_samples_needed(1, 1, 0.05), 4);    /* 2 / C(8, 4) = 0.029 */
    assert_int_equal(eti_samples_needed(1, 10, 0.05), 6);   /* 2 / C(12, 6) = 0.0022 */
    assert_int_equal(eti_samples_needed(1, 100, 0.05), 8);  /* 2 / C(16, 8) = 0.00016 */
    assert_int_equal(eti_samples_needed(9, 100, 0.05), 9);  /* the approximation: 0.00041 */
    assert_int_equal(eti_samples_needed(9, 200, 0.05), 10); /* 0.00018 */
    assert_int_equal(eti_samples_needed(30, 100, 0.05), 30);
    for (size_t n_family = 1; n_family < 100000; n_family *= 3) {
        size_t n = eti_samples_needed(1, n_family, 0.01);
        assert_true(eti_mann_whitney_least_p(n, n) * (double)n_family < 0.01);
        assert_true(eti_mann_whitney_least_p(n - 1, n - 1) * (double)n_family >= 0.01);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_difference_must_be_significant_and_large),
        cmocka_unit_test(exchanged_sides_have_the_opposite_verdict),
        cmocka_unit_test(too_few_samples_are_a_verdict_of_their_own),
        cmocka_unit_test(the_number_needed_is_the_least_that_suffices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
