/* The test of a limit: Student's, one-sided, of the logarithms of the files. */
#include "gate/gate.h"
#include "gate_fixture.h"

#include <math.h>

/* Quantiles of Student's distribution with 4 degrees of freedom, from tables. */
#define T_95 2.131846786
#define T_99 3.746947388

/* Five files of a run each, whose clock has no step. */
static const double times[] = {90001, 95000, 100003, 105007, 110001};
#define N_FILES COUNT_OF(times)

static eti_profile *make_profile(void) {
    eti_buffer text = {0};
    eti__buffer_add_string(&text, "time_scale,ns\n"
                                  "block,Execute,,5,0,1;2;3;4\nkernel,conv,,,,,,,,,");
    for (size_t i = 0; i < N_FILES; i++)
        eti__buffer_printf(&text, "%s%.0f", i > 0 ? ";" : "", times[i]);
    eti__buffer_add_char(&text, '\n');
    return read_file(text);
}

/* Returns a time that lies so many standard errors above the mean, of logarithms. */
static double time_at(double n_errors) {
    double mean = 0, square = 0;
    for (size_t i = 0; i < N_FILES; i++)
        mean += log(times[i]) / N_FILES;
    for (size_t i = 0; i < N_FILES; i++)
        square += pow(log(times[i]) - mean, 2) / (N_FILES - 1);
    return exp(mean + n_errors * sqrt(square / N_FILES));
}

static void expect_p(double limit, double p, eti_rule_outcome outcome) {
    eti_profile *profile = make_profile();
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    eti_gate gate;
    char rule[64];
    const char *const rules[] = {rule};
    snprintf(rule, sizeof rule, "op=conv:p50>%.9fns", limit);
    options.rules = rules;
    options.n_rules = 1;
    assert_ok(eti__gate_make(&gate, NULL, profile, &options, &err));
    assert_int_equal(gate.n_checks, 1);
    const eti_check *check = &gate.checks[0];
    assert_true(check->is_tested);
    if (fabs(check->p - p) > 1e-8)
        fail_msg("expected p = %.9g, found %.9g", p, check->p);
    if (fabs(check->change.difference - (log(time_at(0)) - log(limit))) > 1e-9)
        fail_msg("the difference is %.12g", check->change.difference);
    assert_true(check->change.dof == 4);
    assert_int_equal(gate.judgements[0].outcome, outcome);
    eti__gate_free(&gate);
    eti_profile_free(profile);
    free_files();
}

/* alpha is 0.01. What is measured above a limit, but not surely, is undecided; what is below it, passes. The density at T_99 is
 * 0.008682: a ten-thousandth of T_99 makes 3.253e-6. */
static void limits_are_tested_one_sided(void **state) {
    (void)state;
    expect_p(time_at(-T_95), 0.05, ETI_RULE_CANNOT_TELL);
    expect_p(time_at(-T_99 * 0.9999), 0.010003253, ETI_RULE_CANNOT_TELL);
    expect_p(time_at(-T_99 * 1.0001), 0.009996747, ETI_RULE_FAILED);
    expect_p(time_at(T_95), 0.95, ETI_RULE_PASSED);
    expect_p(time_at(T_99), 0.99, ETI_RULE_PASSED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_tested_one_sided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
