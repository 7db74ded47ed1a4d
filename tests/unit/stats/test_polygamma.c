/* Expected values come from mpmath's psi, with 40 digits, and from the specification. */
#include "statistics_samples.h"

#include "stats/polygamma.h"

static const struct {
    double x, digamma, trigamma, tetragamma;
} values[] = {
    {1e-3, -1000.5755719318103, 1000001.6425331958, -2000000002.3976322},
    {0.1, -10.423754940411076, 101.43329915079275, -2001.8614573783437},
    {0.5, -1.9635100260214235, 4.9348022005446793, -16.82879664423432},
    {1, -0.57721566490153286, 1.6449340668482264, -2.4041138063191886},
    {3.75, 1.1825373886117962, 0.30533985269025308, -0.09254633851589927},
    {9.999, 2.2516474172057353, 0.10517738667672886, -0.011052155237122938},
    {10, 2.2517525890667211, 0.10516633568168575, -0.011049834970802067},
    {25, 3.198742512851974, 0.040810663257225579, -0.0016652793184224682},
    {1e4, 9.2102903711428494, 0.00010000500016666667, -1.000100005e-8},
    {1e8, 18.420680738952365, 1.000000005e-8, -1.00000001e-16},
};

static void derivatives_are_those_of_mpmath(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        assert_near(eti__digamma(values[i].x), values[i].digamma);
        assert_near(eti__trigamma(values[i].x), values[i].trigamma);
        assert_near(eti__tetragamma(values[i].x), values[i].tetragamma);
    }
}

static void the_inverse_is_that_of_the_specification(void **state) {
    (void)state;
    assert_within(eti__trigamma_inverse(0.01), 100.4991666819, 1e-12);
    assert_within(eti__trigamma_inverse(0.5), 2.4599529484, 3e-11);
    assert_within(eti__trigamma_inverse(1.0), 1.4262551202, 5e-11);
    assert_within(eti__trigamma_inverse(10.0), 0.3350810444, 2e-10);
}

static void the_inverse_gives_its_argument_back(void **state) {
    (void)state;
    for (double y = 1.1e-6; y < 1e7; y *= 1.7)
        assert_near(eti__trigamma(eti__trigamma_inverse(y)), y);
}

static void the_ends_of_the_inverse_are_asymptotes(void **state) {
    (void)state;
    assert_bits(eti__trigamma_inverse(4e8), 5e-5);
    assert_bits(eti__trigamma_inverse(0.5e-6), 2e6);
    assert_within(eti__trigamma(eti__trigamma_inverse(1.1e7)), 1.1e7, 1e-3);
    assert_within(eti__trigamma(eti__trigamma_inverse(0.9e-6)), 0.9e-6, 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_mpmath),
        cmocka_unit_test(the_inverse_is_that_of_the_specification),
        cmocka_unit_test(the_inverse_gives_its_argument_back),
        cmocka_unit_test(the_ends_of_the_inverse_are_asymptotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
