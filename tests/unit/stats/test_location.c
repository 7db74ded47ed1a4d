#include "statistics_samples.h"

#include "stats/location.h"
#include "stats/order.h"

#define assert_location(expected, ...)                                                             \
    do {                                                                                           \
        double values_[] = {__VA_ARGS__};                                                          \
        assert_bits(eti__location(values_, COUNT_OF(values_)), (expected));                        \
    } while (0)

static void locations_are_those_of_the_specification(void **state) {
    (void)state;
    assert_location(2.0, 9, 1, 2, 3, 4, 5, 6, 7, 8, 100, 50, 60);
    assert_location(5.0, 5, 7);
    double ramp[60];
    for (size_t i = 0; i < COUNT_OF(ramp); i++)
        ramp[i] = (double)(59 - i);
    assert_bits(eti__location(ramp, COUNT_OF(ramp)), 8.5);
}

static void few_runs_have_the_fastest(void **state) {
    (void)state;
    assert_location(5.0, 5);
    assert_location(5.0, 9, 8, 7, 6, 7, 5, 9);
    assert_location(5.5, 9, 8, 7, 6, 7, 5, 9, 9);
}

/* From 20 runs on the fastest is ignored, from 40 on the second fastest, too. */
static void the_fastest_twentieth_does_not_count(void **state) {
    (void)state;
    double values[40];
    for (size_t n = 19; n <= COUNT_OF(values); n++) {
        for (size_t i = 0; i < n; i++)
            values[i] = i < n / 20 ? 1.0 : i < n / 4 ? 50.0 : 1000.0;
        assert_bits(eti__location(values, n), 50.0);
    }
}

/* Computes the definition literally. */
static double location_by_definition(double *values, size_t n) {
    eti__sort_doubles(values, n);
    size_t a = n / 20, b = n / 4 > a + 1 ? n / 4 : a + 1;
    double sum = 0.0;
    for (size_t i = a; i < b; i++)
        sum += values[i];
    return sum / (double)(b - a);
}

static void any_order_has_the_same_location(void **state) {
    (void)state;
    for (size_t n = 1; n < 500; n += 7) {
        double *values = make_samples(SAMPLES_HEAVY, n, 1000.0, n);
        for (size_t i = 0; i < n; i++)
            values[i] = (double)(uint64_t)values[i];
        double found = eti__location(values, n);
        assert_bits(found, location_by_definition(values, n));
        free(values);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locations_are_those_of_the_specification),
        cmocka_unit_test(few_runs_have_the_fastest),
        cmocka_unit_test(the_fastest_twentieth_does_not_count),
        cmocka_unit_test(any_order_has_the_same_location),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
