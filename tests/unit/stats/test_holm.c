/* Expected values were worked out by hand; statsmodels.stats.multitest.multipletests(p, method="holm") agrees. */
#include "statistics_samples.h"

#include "stats/holm.h"

#define assert_adjusted(expected, ...)                                                             \
    do {                                                                                           \
        double p_[] = {__VA_ARGS__}, expected_[] = expected;                                       \
        double scratch_[2 * COUNT_OF(p_)];                                                         \
        eti__holm_adjust(p_, COUNT_OF(p_), scratch_);                                              \
        for (size_t i_ = 0; i_ < COUNT_OF(p_); i_++)                                               \
            assert_near(p_[i_], expected_[i_]);                                                    \
    } while (0)
#define LIST(...)                                                                                  \
    { __VA_ARGS__ }

static void p_values_count_as_often_as_tests_are_left(void **state) {
    (void)state;
    assert_adjusted(LIST(0.03), 0.03);
    assert_adjusted(LIST(0.02, 0.03), 0.01, 0.03);
    assert_adjusted(LIST(0.03, 0.06, 0.06, 0.02), 0.01, 0.04, 0.03, 0.005);
}

static void no_p_value_falls_below_one_before_it(void **state) {
    (void)state;
    assert_adjusted(LIST(0.06, 0.06, 0.06), 0.02, 0.03, 0.04);
    assert_adjusted(LIST(0.06, 0.06, 0.06), 0.04, 0.03, 0.02);
}

static void equal_p_values_stay_equal(void **state) {
    (void)state;
    assert_adjusted(LIST(0.04, 0.04, 0.04, 0.04), 0.01, 0.01, 0.01, 0.01);
    assert_adjusted(LIST(0.9, 0.06, 0.06), 0.9, 0.02, 0.02);
}

static void no_p_value_is_above_one(void **state) {
    (void)state;
    assert_adjusted(LIST(1.0, 1.0, 0.0, 1.0), 0.5, 1.0, 0.0, 0.6);
}

static void no_p_values_are_no_mistake(void **state) {
    (void)state;
    double none[2];
    eti__holm_adjust(none, 0, none);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_values_count_as_often_as_tests_are_left),
        cmocka_unit_test(no_p_value_falls_below_one_before_it),
        cmocka_unit_test(equal_p_values_stay_equal),
        cmocka_unit_test(no_p_value_is_above_one),
        cmocka_unit_test(no_p_values_are_no_mistake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
