/* Expected values come from scipy.stats.mannwhitneyu(new, base, method="asymptotic", use_continuity=False). */
#include "statistics_samples.h"

#include <math.h>

#include "stats/mann_whitney.h"

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
        cmocka_unit_test(p_values_equal_scipys),
        cmocka_unit_test(exchanging_the_sides_changes_nothing),
        cmocka_unit_test(equal_values_show_nothing),
        cmocka_unit_test(numbers_that_no_values_have_are_refused),
        cmocka_unit_test(callers_adjust_p_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
