/* Expected values come from the specification. */
#include "statistics_samples.h"

#include <math.h>

#include "stats/variance_prior.h"

static eti_variance_prior prior_of(const double *variances, size_t n, double dof) {
    double scratch[200];
    assert_true(2 * n <= COUNT_OF(scratch));
    return eti__variance_prior_of(variances, n, dof, scratch);
}

static void assert_moderated(const eti_variance_prior *prior, double variance, double expected,
                             double expected_dof) {
    double dof = 8.0;
    eti__moderate_variance(prior, &variance, &dof);
    assert_within(variance, expected, 3e-5);
    assert_within(dof, expected_dof, 5e-8);
}

static void variances_that_differ_have_the_prior_of_the_specification(void **state) {
    (void)state;
    const double variances[] = {1e-4, 2e-4, 4e-4, 8e-4, 10e-4, 50e-4};
    eti_variance_prior prior = prior_of(variances, COUNT_OF(variances), 8.0);
    assert_within(prior.dof, 3.3784974837, 2e-11);
    assert_within(prior.variance, 4.2992257806e-4, 3e-11);
    assert_moderated(&prior, 1e-4, 1.9796e-4, 11.378497);
    assert_moderated(&prior, 2e-4, 2.6827e-4, 11.378497);
    assert_moderated(&prior, 4e-4, 4.0888e-4, 11.378497);
    assert_moderated(&prior, 8e-4, 8e-4, 8.0);
    assert_moderated(&prior, 10e-4, 10e-4, 8.0);
    assert_moderated(&prior, 50e-4, 50e-4, 8.0);
}

static void variances_alike_are_taken_for_one(void **state) {
    (void)state;
    const double variances[] = {1e-4, 1.1e-4, 0.9e-4, 1.05e-4, 1e-4};
    eti_variance_prior prior = prior_of(variances, COUNT_OF(variances), 8.0);
    assert_true(isinf(prior.dof));
    assert_within(prior.variance, 1.1533051900e-4, 1e-10);
    assert_moderated(&prior, 1e-4, 1.15330519e-4, 1e6);
    assert_moderated(&prior, 1.2e-4, 1.2e-4, 8.0);
}

static void fewer_than_five_have_no_prior(void **state) {
    (void)state;
    const double variances[] = {1e-4, 2e-4, 3e-4, 4e-4};
    eti_variance_prior prior = prior_of(variances, COUNT_OF(variances), 8.0);
    assert_bits(prior.dof, 0.0);
    assert_moderated(&prior, 1e-4, 1e-4, 8.0);
    assert_moderated(&prior, 0.0, 0.0, 8.0);
}

static void their_order_changes_no_bit(void **state) {
    (void)state;
    double *variances = make_samples(SAMPLES_HEAVY, 3, 1e-4, 50), turned[50];
    for (size_t i = 0; i < 50; i++)
        turned[i] = variances[(i * 7 + 11) % 50];
    eti_variance_prior prior = prior_of(variances, 50, 8.0), other = prior_of(turned, 50, 8.0);
    assert_true(prior.dof > 0.0 && !isinf(prior.dof));
    assert_bits(other.dof, prior.dof);
    assert_bits(other.variance, prior.variance);
    free(variances);
}

static void their_unit_is_that_of_the_prior(void **state) {
    (void)state;
    double *variances = make_samples(SAMPLES_HEAVY, 4, 1e-4, 50), scaled[50];
    for (size_t i = 0; i < 50; i++)
        scaled[i] = 1e6 * variances[i];
    eti_variance_prior prior = prior_of(variances, 50, 5.0), other = prior_of(scaled, 50, 5.0);
    assert_near(other.dof, prior.dof);
    assert_near(other.variance, 1e6 * prior.variance);
    free(variances);
}

static void a_few_wild_ones_do_not_make_it(void **state) {
    (void)state;
    double *variances = make_samples(SAMPLES_HEAVY, 5, 1e-4, 50);
    eti_variance_prior prior = prior_of(variances, 50, 8.0);
    for (size_t i = 0; i < 50; i++) {
        if (variances[i] > 2.5e-3)
            variances[i] *= 1e6;
    }
    eti_variance_prior wilder = prior_of(variances, 50, 8.0);
    assert_within(wilder.dof, prior.dof, 1e-9);
    assert_within(wilder.variance, prior.variance, 1e-9);
    free(variances);
}

/* A variance of 0 counts as 1e-5 of the median, 1.5e-9 here. */
static void zeros_have_logarithms(void **state) {
    (void)state;
    const double zeros[] = {0.0, 0.0, 1e-4, 2e-4, 4e-4, 8e-4},
                 raised[] = {1.5e-9, 1.5e-9, 1e-4, 2e-4, 4e-4, 8e-4},
                 larger[] = {1.6e-9, 1.6e-9, 1e-4, 2e-4, 4e-4, 8e-4};
    eti_variance_prior prior = prior_of(zeros, COUNT_OF(zeros), 8.0),
                       expected = prior_of(raised, COUNT_OF(raised), 8.0),
                       other = prior_of(larger, COUNT_OF(larger), 8.0);
    assert_near(prior.dof, expected.dof);
    assert_near(prior.variance, expected.variance);
    assert_true(other.dof > 1.001 * prior.dof);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variances_that_differ_have_the_prior_of_the_specification),
        cmocka_unit_test(variances_alike_are_taken_for_one),
        cmocka_unit_test(fewer_than_five_have_no_prior),
        cmocka_unit_test(their_order_changes_no_bit),
        cmocka_unit_test(their_unit_is_that_of_the_prior),
        cmocka_unit_test(a_few_wild_ones_do_not_make_it),
        cmocka_unit_test(zeros_have_logarithms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
