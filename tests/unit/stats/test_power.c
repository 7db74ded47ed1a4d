/* comparison_cases.h has what the formulas give with SciPy's quantiles; tests/parity/power_simulation.py
 * has simulations. */
#include "statistics_samples.h"

#include <math.h>

#include "comparison_cases.h"
#include "stats/order.h"
#include "stats/power.h"

static void numbers_of_samples_are_those_of_the_formulas(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(powers); i++) {
        double *samples = make_samples(powers[i].kind, 5, 1.0, powers[i].n);
        eti__sort_doubles(samples, powers[i].n);
        eti_noise noise = {samples, powers[i].n, powers[i].deviation};
        eti_power_goal goal = {
            .rule = {.alpha = powers[i].alpha, .least_effect = powers[i].least_effect},
            .confidence = 0.95,
            .n_family = powers[i].n_family,
            .power = powers[i].power,
        };
        double effect = powers[i].effect;
        assert_int_equal(eti__samples_for_effect(&noise, effect, &goal), powers[i].needed);
        noise.median_deviation = 0.0; /* leaves what the test needs */
        assert_int_equal(eti__samples_for_effect(&noise, effect, &goal), powers[i].for_test);
        free(samples);
    }
}

static const eti_power_goal usual_goal = {
    .rule = ETI_RULE_DEFAULT, .confidence = 0.95, .n_family = 10, .power = 0.95};

static eti_noise make_noise(double *samples, size_t n, double deviation) {
    eti__sort_doubles(samples, n);
    return (eti_noise){samples, n, deviation};
}

static void effects_and_numbers_of_samples_fit(void **state) {
    (void)state;
    double *samples = make_samples(SAMPLES_EVEN, 1, 1.0, 50);
    eti_noise noise = make_noise(samples, 50, 5.0);
    double last = (double)INFINITY;
    for (size_t n = 10; n < 100000; n *= 2) {
        double effect = eti__effect_for_samples(&noise, n, &usual_goal);
        assert_true(effect <= last);
        if (isinf(effect))
            continue;
        assert_true(eti__samples_for_effect(&noise, effect, &usual_goal) <= n);
        assert_true(eti__samples_for_effect(&noise, effect * 0.998, &usual_goal) > n);
        last = effect;
    }
    assert_true(last > usual_goal.rule.least_effect);
    free(samples);
}

static void too_small_effects_are_never_found(void **state) {
    (void)state;
    double *samples = make_samples(SAMPLES_EVEN, 1, 1.0, 50);
    eti_noise noise = make_noise(samples, 50, 5.0);
    assert_int_equal(eti__samples_for_effect(&noise, 0.05, &usual_goal), ETI_TOO_MANY_SAMPLES);
    assert_int_equal(eti__samples_for_effect(&noise, 0.0, &usual_goal), ETI_TOO_MANY_SAMPLES);
    free(samples);
}

static void few_samples_find_nothing(void **state) {
    (void)state;
    double *samples = make_samples(SAMPLES_EVEN, 1, 1.0, 50);
    eti_noise noise = make_noise(samples, 50, 5.0);
    assert_bits(eti__effect_for_samples(&noise, 3, &usual_goal), (double)INFINITY);
    free(samples);
}

static void without_noise_the_least_number_is_enough(void **state) {
    (void)state;
    double samples[] = {7, 7, 7, 7, 7};
    eti_noise noise = make_noise(samples, 5, 0.0);
    /* The normal approximation asks for 8; 7 would do. */
    size_t least = eti__samples_needed(8, 10, 0.01);
    assert_int_equal(eti__samples_for_effect(&noise, 0.2, &usual_goal), least);
    assert_true(eti__effect_for_samples(&noise, 100, &usual_goal) < 0.0501);
}

static void times_of_zero_find_nothing(void **state) {
    (void)state;
    double samples[] = {0, 0, 0, 0, 1, 1};
    eti_noise noise = make_noise(samples, 6, 0.4);
    assert_int_equal(eti__samples_for_effect(&noise, 0.5, &usual_goal), ETI_TOO_MANY_SAMPLES);
    assert_bits(eti__effect_for_samples(&noise, 100, &usual_goal), (double)INFINITY);
}

static void dependent_runs_count_less(void **state) {
    (void)state;
    assert_bits(eti__independent_runs(90, 0.5), 30.0);
    assert_bits(eti__independent_runs(90, 0.0), 90.0);
    assert_bits(eti__independent_runs(90, -0.5), 90.0);
    assert_bits(eti__independent_runs(90, 1.0), 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_samples_are_those_of_the_formulas),
        cmocka_unit_test(effects_and_numbers_of_samples_fit),
        cmocka_unit_test(too_small_effects_are_never_found),
        cmocka_unit_test(few_samples_find_nothing),
        cmocka_unit_test(without_noise_the_least_number_is_enough),
        cmocka_unit_test(times_of_zero_find_nothing),
        cmocka_unit_test(dependent_runs_count_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
