/* Expected values come from mpmath, with 40 digits, and from the specification. */
#include "statistics_samples.h"

#include <math.h>

#include "stats/student.h"

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
} quantiles[] = {
    {0.975, 1, 12.706204736174693},        {0.8, 8, 0.88888951776701997},
    {0.995, 2, 9.9248432009182886},        {0.0001, 3, -22.203742273204183},
    {1e-12, 2.5, -55306.174076515816},     {0.51, 6, 0.026131359673892681},
    {0.5000001, 8, 2.5859905126925407e-7}, {0.75, 4, 0.74069708411268263},
    {0.7499, 4, 0.74032941613778852},      {1e-40, 30, -107.97196876541787},
    {1e-100, 500, -27.150499636901129},    {0.001, 1e6, -3.0902404563165196},
    {0.001, 20000, -3.0906398618543306},   {0.001, INFINITY, -3.0902323061678135},
};

static void quantiles_are_those_of_mpmath(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(quantiles); i++) {
        double t = eti__student_quantile(quantiles[i].probability, quantiles[i].dof);
        assert_within(t, quantiles[i].t, DIGITS);
    }
    assert_bits(eti__student_quantile(0.5, 8.0), 0.0);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_are_those_of_mpmath),
        cmocka_unit_test(the_ends_are_one_and_zero),
        cmocka_unit_test(quantiles_are_those_of_mpmath),
        cmocka_unit_test(quantiles_and_probabilities_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
