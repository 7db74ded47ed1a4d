/* The sign test, against exact fractions (Python's fractions and math.comb, rounded once). */
#include "support.h"

#include "stats/sign_test.h"

#include <math.h>

static void test_exact(void **state) {
    (void)state;
    static const struct {
        size_t n_above, n;
        double quantile, p;
    } cases[] = {
        {1, 1, 0.5, 0.5},
        {5, 10, 0.5, 0.623046875},
        {9, 10, 0.5, 0.0107421875},
        {40, 50, 0.5, 1.1930665838377763e-05},
        {50, 50, 0.5, 8.881784197001252e-16},
        {1, 10, 0.9, 0.6513215599},
        {12, 50, 0.9, 0.003219921135909912},
        {3, 50, 0.9, 0.8882712436536528},
        {540, 1000, 0.5, 0.00622207313858589},
        {10, 1000, 0.5, 1.0},
        {0, 5, 0.5, 1.0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        double p = eti__sign_test(cases[i].n_above, cases[i].n, cases[i].quantile);
        if (!(fabs(p - cases[i].p) <= 1e-11 * cases[i].p))
            fail_msg("%zu of %zu: found %.17g, expected %.17g", cases[i].n_above, cases[i].n, p,
                     cases[i].p);
    }
}

static void test_needs(void **state) {
    (void)state;
    assert_int_equal(eti__sign_test_needs(1, 0.5, 0.01), 7); /* 2^-7 = 0.0078 */
    assert_int_equal(eti__sign_test_needs(2, 0.5, 0.01), 8);
    assert_int_equal(eti__sign_test_needs(100, 0.5, 0.01), 14); /* 100 / 2^14 = 0.0061 */
    assert_int_equal(eti__sign_test_needs(1, 0.9, 0.02), 2);
    assert_int_equal(eti__sign_test_needs(0, 0.5, 0.6), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
