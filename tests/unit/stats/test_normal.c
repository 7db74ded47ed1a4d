/* Expected values come from scipy.stats.norm. */
#include "statistics_samples.h"

#include <math.h>

#include "stats/normal.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_equal_scipys),
        cmocka_unit_test(quantiles_equal_scipys),
        cmocka_unit_test(quantiles_are_the_inverse_of_tails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
