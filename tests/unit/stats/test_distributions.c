#include "statistics_samples.h"

#include "stats/parts.h"
#include "stats/stats.h"

#include <math.h>

/* ==== normal ================================================================================== */
/* Expected values come from scipy.stats.norm. */

static void tails_equal_scipys(void **state) {
    (void)state;
    const struct {
        double z, above;
    } tails[] = {
        {0.0, 0.5},
        {1.0, 0.15865525393145707},
        {-2.5, 0.9937903346742238},
        {8.0, 6.22096057427174e-16},
        {37.0, 5.7255712225239266e-300},
    };
    for (size_t i = 0; i < COUNT_OF(tails); i++) {
        assert_near(eti__normal_above(tails[i].z), tails[i].above);
        if (tails[i].z >= 0.0) {
            assert_near(eti__normal_two_sided(tails[i].z), 2.0 * tails[i].above);
            assert_near(eti__normal_two_sided(-tails[i].z), 2.0 * tails[i].above);
        }
    }
}

static void quantiles_equal_scipys(void **state) {
    (void)state;
    const struct {
        double p, z;
    } quantiles[] = {
        {0.025, 1.9599639845400545}, {0.05, 1.6448536269514729}, {1e-12, 7.034483825301131},
        {1e-300, 37.0470962993612},  {0.8, -0.8416212335729143},
    };
    for (size_t i = 0; i < COUNT_OF(quantiles); i++)
        assert_near(eti__normal_quantile_above(quantiles[i].p), quantiles[i].z);
    assert_true(fabs(eti__normal_quantile_above(0.5)) < 1e-15);
}

static void quantiles_are_the_inverse_of_tails(void **state) {
    (void)state;
    for (double p = 1e-300; p < 0.5; p *= 3.7)
        assert_true(fabs(eti__normal_above(eti__normal_quantile_above(p)) / p - 1.0) < 1e-11);
}

/* ==== student ================================================================================= */
/* Expected values come from mpmath, with 40 digits, and from the specification. */

#define DIGITS 1e-11

static const struct {
    double t, dof, p;
} probabilities[] = {
    {0.5, 1, 0.70483276469913345},        {1, 1, 0.5},
    {2, 2, 0.18350341907227397},          {1e-3, 3, 0.99926489496946094},
    {2.5, 8, 0.036942037713624105},       {40, 8, 1.6785718879145792e-10},
    {12.5, 2.5, 0.0025643845419078632},   {3, 29.75, 0.0054164847132486289},
    {30, 60, 7.9616679485697637e-38},     {4, 1e3, 6.8009919208781578e-5},
    {20, 9999, 2.7657076275757335e-87},   {5, 10001, 5.8303168190693479e-7},
    {15, 1e6, 7.4362647672103856e-51},    {2, 1e6, 0.045500533851319208},
    {3, INFINITY, 0.0026997960632601891},
};

static void probabilities_are_those_of_mpmath(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(probabilities); i++) {
        double p = eti__student_two_sided(probabilities[i].t, probabilities[i].dof);
        assert_within(p, probabilities[i].p, DIGITS);
        assert_bits(eti__student_two_sided(-probabilities[i].t, probabilities[i].dof), p);
    }
}

static void the_ends_are_one_and_zero(void **state) {
    (void)state;
    assert_bits(eti__student_two_sided(0.0, 8.0), 1.0);
    assert_bits(eti__student_two_sided(0.0, 1e6), 1.0);
    assert_bits(eti__student_two_sided((double)INFINITY, 8.0), 0.0);
    assert_bits(eti__student_two_sided((double)INFINITY, 1e6), 0.0);
    assert_true(isnan(eti__student_two_sided((double)NAN, 8.0)));
}

static const struct {
    double probability, dof, t;
} student_quantiles[] = {
    {0.975, 1, 12.706204736174693},      {0.8, 8, 0.88888951776701997},
    {0.995, 2, 9.9248432009182886},      {0.0001, 3, -22.203742273204183},
    {1e-12, 2.5, -55306.174076515816},   {0.51, 6, 0.026131359673892681},
    {0.501, 8, 0.002585993756576742},    {0.75, 4, 0.74069708411268263},
    {0.7499, 4, 0.74032941613778852},    {1e-40, 30, -107.97196876541787},
    {1e-100, 500, -27.150499636901129},  {0.001, 1e6, -3.0902404563165196},
    {0.001, 20000, -3.0906398618543306}, {0.001, INFINITY, -3.0902323061678135},
};

static void quantiles_are_those_of_mpmath(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(student_quantiles); i++) {
        double t =
            eti__student_quantile(student_quantiles[i].probability, student_quantiles[i].dof);
        assert_within(t, student_quantiles[i].t, DIGITS);
    }
    assert_true(fabs(eti__student_quantile(0.5, 8.0)) < 1e-15);
    assert_within(eti__student_quantile(1.0 - 0.005 / 60.0, 8.0), 6.6155429905, 1e-11);
}

/* Tests the places where one method takes over from another, too. */
static void quantiles_and_probabilities_fit(void **state) {
    (void)state;
    static const double dofs[] = {0.5, 1, 2.7, 8, 17.3, 100, 3000, 9999.9, 1e4, 1e6, 1e15};
    for (size_t i = 0; i < COUNT_OF(dofs); i++) {
        for (double share = 0.49; share > 1e-60; share *= 0.6) {
            double t = eti__student_quantile(share, dofs[i]);
            assert_true(t < 0.0);
            assert_within(eti__student_two_sided(t, dofs[i]), 2.0 * share, 1e-10);
        }
    }
}

/* ==== polygamma =============================================================================== */
/* Expected values come from mpmath's psi, with 40 digits, and from the specification. */

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

/* ==== mann whitney ============================================================================ */
/* Expected values come from scipy.stats.mannwhitneyu(new, base, method="asymptotic", use_continuity=False). */

static void p_values_equal_scipys(void **state) {
    (void)state;
    eti_rank_sum few_ties = {5, 6, 21.5, 36}; /* 3 1 4 1 5 and 9 2 6 5 3 5 */
    assert_near(eti__mann_whitney(&few_ties), 0.11560643738731947);
    eti_rank_sum apart = {3, 3, 6, 0}; /* 1 2 3 and 4 5 6 */
    assert_near(eti__mann_whitney(&apart), 0.049534613435626706);
    eti_rank_sum many = {25, 20, 730, 60}; /* 20 21 ... 44 and 0 2 ... 38 */
    assert_near(eti__mann_whitney(&many), 0.0003976836155224817);
}

static void exchanging_the_sides_changes_nothing(void **state) {
    (void)state;
    eti_rank_sum one = {25, 20, 730, 60}, other = {20, 25, 305, 60}; /* 45 * 46 / 2 - 730 */
    assert_true(eti__mann_whitney(&one) == eti__mann_whitney(&other));
}

static void equal_values_show_nothing(void **state) {
    (void)state;
    eti_rank_sum equal = {3, 3, 10.5, 210};
    assert_true(eti__rank_sum_is_possible(&equal));
    assert_true(eti__mann_whitney(&equal) == 1.0);
}

static void numbers_that_no_values_have_are_refused(void **state) {
    (void)state;
    const eti_rank_sum impossible[] = {
        {0, 6, 0, 0},        {5, 0, 15, 0},          {5, 6, 14.5, 0},       {5, 6, 45.5, 0},
        {5, 6, 21.5, -1},    {5, 6, 21.5, 1321},     {5, 6, NAN, 0},        {5, 6, 21.5, NAN},
        {5, 6, INFINITY, 0}, {UINT64_MAX, 6, 20, 0}, {5, UINT64_MAX, 20, 0}};
    for (size_t i = 0; i < COUNT_OF(impossible); i++) {
        double p = 7.0;
        eti_error err = ETI_ERROR_INIT;
        assert_int_equal(eti_mann_whitney(&p, impossible[i].n_new, impossible[i].n_base,
                                          impossible[i].rank_sum, impossible[i].tie_term, &err),
                         ETI_ERROR_USAGE);
        assert_true(p == 7.0);
    }
    assert_false(eti__rank_sum_is_possible(&impossible[0]));
    eti_rank_sum most = {5, 6, 45, 1320};
    assert_true(eti__rank_sum_is_possible(&most));
}

/* ==== sign test =============================================================================== */
/* Expected values are the exact sums of binomial coefficients, those of scipy.stats.binomtest(). */

static void p_values_of_signs_are_exact(void **state) {
    (void)state;
    static const struct {
        size_t n_above, n_below;
        double p;
    } cases[] = {
        {0, 0, 1},
        {1, 0, 1},
        {5, 0, 0.0625},
        {6, 0, 0.03125},
        {5, 1, 0.21875},
        {9, 1, 0.021484375},
        {15, 5, 0.04138946533203125},
        {14, 6, 0.11531829833984375},
        {10, 10, 1},
        {11, 10, 1},
        {1100, 900, 8.457089535503927e-06}, /* 2^-2000 is no double */
        {5000, 5000, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        double p = eti__sign_test(cases[i].n_above, cases[i].n_below);
        if (fabs(p - cases[i].p) > 1e-9 * cases[i].p)
            fail_msg("%zu and %zu: expected %.17g, found %.17g", cases[i].n_above, cases[i].n_below,
                     cases[i].p, p);
        assert_true(eti__sign_test(cases[i].n_below, cases[i].n_above) == p);
    }
    assert_true(eti__sign_test(3000, 0) == 0);
}

static void callers_adjust_p_values(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    double p[] = {0.02, 0.03, 0.01};
    assert_int_equal(eti_holm_adjust(p, 3, &err), ETI_OK);
    assert_near(p[0], 0.04);
    assert_near(p[1], 0.04);
    assert_near(p[2], 0.03);
    assert_int_equal(eti_holm_adjust(NULL, 0, &err), ETI_OK);
    double wrong[][2] = {{0.02, 1.5}, {0.02, -0.1}, {0.02, NAN}};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_int_equal(eti_holm_adjust(wrong[i], 2, &err), ETI_ERROR_USAGE);
        assert_true(wrong[i][0] == 0.02);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_equal_scipys),
        cmocka_unit_test(quantiles_equal_scipys),
        cmocka_unit_test(quantiles_are_the_inverse_of_tails),
        cmocka_unit_test(probabilities_are_those_of_mpmath),
        cmocka_unit_test(the_ends_are_one_and_zero),
        cmocka_unit_test(quantiles_are_those_of_mpmath),
        cmocka_unit_test(quantiles_and_probabilities_fit),
        cmocka_unit_test(derivatives_are_those_of_mpmath),
        cmocka_unit_test(the_inverse_is_that_of_the_specification),
        cmocka_unit_test(the_inverse_gives_its_argument_back),
        cmocka_unit_test(the_ends_of_the_inverse_are_asymptotes),
        cmocka_unit_test(p_values_equal_scipys),
        cmocka_unit_test(exchanging_the_sides_changes_nothing),
        cmocka_unit_test(equal_values_show_nothing),
        cmocka_unit_test(numbers_that_no_values_have_are_refused),
        cmocka_unit_test(p_values_of_signs_are_exact),
        cmocka_unit_test(callers_adjust_p_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
