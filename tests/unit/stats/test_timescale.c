#include "support.h"

#include "stats/timescale.h"

static void names_are_parsed_back(void **state) {
    (void)state;
    static const char *const names[] = {"ns", "us", "ms", "s", "cycles"};
    for (int i = 0; i < 5; i++) {
        eti_time_scale scale;
        assert_string_equal(eti_time_scale_name((eti_time_scale)i), names[i]);
        assert_true(eti_time_scale_parse(names[i], &scale));
        assert_int_equal(scale, i);
    }
}

static void unknown_names_are_refused(void **state) {
    (void)state;
    eti_time_scale scale = ETI_SCALE_S;
    static const char *const names[] = {"", "NS", "n", "nss", "cycle"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_false(eti_time_scale_parse(names[i], &scale));
    assert_int_equal(scale, ETI_SCALE_S);
}

static void factors_are_quotients_of_doubles(void **state) {
    (void)state;
    assert_bits(eti__time_scale_factor(ETI_SCALE_NS, ETI_SCALE_MS, 0), 1e6);
    assert_bits(eti__time_scale_factor(ETI_SCALE_NS, ETI_SCALE_NS, 0), 1.0);
    assert_bits(eti__time_scale_factor(ETI_SCALE_S, ETI_SCALE_NS, 0), 1e-9);
    assert_bits(eti__time_scale_factor(ETI_SCALE_MS, ETI_SCALE_US, 0), 1e-3);
    assert_bits(eti__time_scale_factor(ETI_SCALE_CYCLES, ETI_SCALE_CYCLES, 0), 1.0);
    assert_bits(eti__time_scale_factor(ETI_SCALE_CYCLES, ETI_SCALE_MS, 0), 1.0);
}

static void a_clock_makes_cycles_time(void **state) {
    (void)state;
    assert_bits(eti__time_scale_factor(ETI_SCALE_CYCLES, ETI_SCALE_MS, 400e6), 400e3);
    assert_bits(eti__time_scale_factor(ETI_SCALE_CYCLES, ETI_SCALE_NS, 1e9), 1.0);
    assert_bits(eti__time_scale_factor(ETI_SCALE_CYCLES, ETI_SCALE_CYCLES, 400e6), 1.0);
    assert_bits(eti__time_scale_factor(ETI_SCALE_NS, ETI_SCALE_MS, 400e6), 1e6);
    assert_true(eti__time_scales_fit(ETI_SCALE_CYCLES, ETI_SCALE_MS, 400e6));
    assert_false(eti__time_scales_fit(ETI_SCALE_NS, ETI_SCALE_CYCLES, 400e6));
}

static void cycles_convert_only_to_cycles(void **state) {
    (void)state;
    for (int source = 0; source < 5; source++) {
        for (int target = 0; target < 5; target++) {
            bool fit = (source == ETI_SCALE_CYCLES) == (target == ETI_SCALE_CYCLES);
            assert_int_equal(
                eti__time_scales_fit((eti_time_scale)source, (eti_time_scale)target, 0), fit);
        }
    }
}

static void exact_subtracts_integers_and_divides(void **state) {
    (void)state;
    double elapsed;
    assert_true(eti__elapsed_exact(1173212209, 1173213321, 1e6, &elapsed));
    assert_bits(elapsed, 0.001112);
    assert_true(eti__elapsed_exact(5, 5, 1e6, &elapsed));
    assert_bits(elapsed, 0.0);
    /* 4 s in ns: divided by 1e-9, not multiplied by 1e9 */
    assert_true(eti__elapsed_exact(0, 4, 1e-9, &elapsed));
    assert_bits(elapsed, 3999999999.9999995);
    assert_true(eti__elapsed_exact(0, UINT64_MAX, 1.0, &elapsed));
    assert_bits(elapsed, 18446744073709551616.0);
}

static void exact_wraps_around_one_tick_short(void **state) {
    (void)state;
    double elapsed;
    assert_true(eti__elapsed_exact(4294967291u, 10, 1.0, &elapsed));
    assert_bits(elapsed, 14.0);
    assert_true(eti__elapsed_exact(4294967295u, 0, 1.0, &elapsed));
    assert_bits(elapsed, 0.0);
    assert_true(eti__elapsed_exact(4294967295u, 4294967294u, 1.0, &elapsed));
    assert_bits(elapsed, 4294967294.0);
}

static void exact_fails_backwards_beyond_32_bits(void **state) {
    (void)state;
    double elapsed;
    assert_false(eti__elapsed_exact(4294967296u, 10, 1e6, &elapsed));
    assert_false(eti__elapsed_exact(UINT64_MAX, UINT64_MAX - 1, 1e6, &elapsed));
    assert_true(eti__elapsed_exact(4294967296u, 4294967296u, 1e6, &elapsed));
}

static void scaled_rounds_both_stamps_first(void **state) {
    (void)state;
    double elapsed;
    assert_true(eti__elapsed_scaled(1173212209, 1173213321, 1e6, &elapsed));
    assert_bits(elapsed, 0.001111999999920954);
    assert_true(eti__elapsed_scaled(UINT64_MAX, UINT64_MAX, 1e6, &elapsed));
    assert_bits(elapsed, 0.0);
}

static void scaled_wraps_around_scaled_values(void **state) {
    (void)state;
    double elapsed;
    assert_true(eti__elapsed_scaled(4294967291u, 10, 1e6, &elapsed));
    assert_bits(elapsed, 4294963000.032719);
    /* 4e12 ns are 4e6 ms, which fits 32 bits */
    assert_true(eti__elapsed_scaled(4000000000000u, 1, 1e6, &elapsed));
    assert_bits(elapsed, (4294967295.0 - 4e6) + 1e-6);
}

static void scaled_fails_only_when_scaled_values_exceed_32_bits(void **state) {
    (void)state;
    double elapsed;
    assert_false(eti__elapsed_scaled(4294967296u, 10, 1.0, &elapsed));
    assert_true(eti__elapsed_scaled(4294967296u, 10, 1e6, &elapsed));
    assert_true(eti__elapsed_scaled(4294967295u, 10, 1.0, &elapsed));
    assert_false(eti__elapsed_scaled(5, 1, 1e-9, &elapsed));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_parsed_back),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(factors_are_quotients_of_doubles),
        cmocka_unit_test(a_clock_makes_cycles_time),
        cmocka_unit_test(cycles_convert_only_to_cycles),
        cmocka_unit_test(exact_subtracts_integers_and_divides),
        cmocka_unit_test(exact_wraps_around_one_tick_short),
        cmocka_unit_test(exact_fails_backwards_beyond_32_bits),
        cmocka_unit_test(scaled_rounds_both_stamps_first),
        cmocka_unit_test(scaled_wraps_around_scaled_values),
        cmocka_unit_test(scaled_fails_only_when_scaled_values_exceed_32_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
