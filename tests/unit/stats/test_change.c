/* Expected values are those of the specification. */
#include "statistics_samples.h"

#include <math.h>
#include <string.h>

#include "stats/change.h"
#include "stats/holm.h"

enum { EVENTS = 8, A_SIDE = 5, FILES = 2 * A_SIDE };

#define ALPHA 0.005 /* of a family: half of 0.01 */
#define LEAST 0.05

/* All that a comparison of at most 400 rows in at most 20 files needs. */
typedef struct comparison {
    eti_locations locations;
    double values[400 * 20], logs[400 * 20], levels[20], scratch[400 * 20 + 400 + 20];
    double p[400], p_scratch[800];
    eti_variance_prior prior;
    eti_change changes[400];
} comparison;

static comparison *new_comparison(size_t n, size_t n_base, size_t n_new) {
    comparison *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->locations = (eti_locations){n, n_base, n_new, c->values, NULL};
    return c;
}

static void run(comparison *c) {
    eti__log_locations(c->logs, &c->locations);
    eti__find_levels(c->levels, c->logs, &c->locations, c->scratch);
    eti__find_changes(c->changes, c->logs, c->levels, &c->locations, &c->prior, c->scratch);
    for (size_t i = 0; i < c->locations.n; i++)
        c->p[i] = c->changes[i].p;
    eti__holm_adjust(c->p, c->locations.n, c->p_scratch);
}

static eti_verdict verdict_on(const comparison *c, size_t row) {
    return eti__verdict_on(&c->changes[row], c->p[row], ALPHA, LEAST);
}

static double example_location(size_t e, size_t f) {
    double m = 1000.0 * (double)(e + 1);
    m *= 1.0 + 0.01 * ((double)((7 * e + 3 * f * f + e * f) % 11) - 5.0);
    m *= 1.0 + 0.02 * (double)(f % 3);
    return e == 2 && f >= A_SIDE ? m * 1.2 : m;
}

static comparison *new_example(void) {
    comparison *c = new_comparison(EVENTS, A_SIDE, A_SIDE);
    for (size_t e = 0; e < EVENTS; e++) {
        for (size_t f = 0; f < FILES; f++)
            c->values[e * FILES + f] = example_location(e, f);
    }
    return c;
}

static void the_example_is_that_of_the_specification(void **state) {
    (void)state;
    comparison *c = new_example();
    run(c);
    for (size_t e = 0; e < EVENTS; e++)
        assert_int_equal(verdict_on(c, e), e == 2 ? ETI_VERDICT_SLOWER : ETI_VERDICT_NOISE);
    assert_true(isinf(c->prior.dof));
    assert_within(c->prior.variance, 0.00110372616, 5e-9);
    const eti_change *slower = &c->changes[2];
    assert_within(slower->difference, 0.14219214, 4e-8);
    assert_within(slower->error, 0.02450357, 2e-7);
    assert_near(slower->dof, 8.0);
    assert_within(c->p[2], 0.00323055, 2e-6);
    assert_within(eti__detectable(slower, EVENTS, ALPHA, LEAST), 0.1674017, 3e-7);
    free(c);
}

static void the_total_is_judged_as_measured(void **state) {
    (void)state;
    comparison *c = new_comparison(1, A_SIDE, A_SIDE);
    for (size_t f = 0; f < FILES; f++) {
        for (size_t e = 0; e < EVENTS; e++)
            c->values[f] += example_location(e, f);
    }
    eti__log_locations(c->logs, &c->locations);
    eti__find_changes(c->changes, c->logs, NULL, &c->locations, NULL, c->scratch);
    assert_within(c->changes->difference, 0.01638164, 3e-7);
    assert_within(c->changes->error, 0.00942869, 6e-7);
    assert_int_equal(eti__verdict_on(c->changes, c->changes->p, ALPHA, LEAST), ETI_VERDICT_NOISE);
    free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_is_that_of_the_specification),
        cmocka_unit_test(the_total_is_judged_as_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
