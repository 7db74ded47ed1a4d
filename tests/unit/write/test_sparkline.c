/* Shows series as lines of characters. */
#include "support.h"
#include "write/sparkline.h"

#include <math.h>

static void assert_line(const double *values, size_t n, size_t width, bool is_ascii,
                        const char *expected) {
    eti_buffer out = {0};
    eti__add_sparkline(&out, values, n, width, is_ascii);
    if (!eti__text_is(eti__buffer_text(&out), expected))
        fail_msg("expected %s, found %.*s", expected, ETI_TEXT_ARGS(eti__buffer_text(&out)));
    eti__buffer_free(&out);
}

static void heights_go_from_the_lowest_to_the_highest(void **state) {
    (void)state;
    static const double values[] = {1, 2, 3, 4, 5, 6, 7, 8};
    assert_line(values, 8, 8, false, "▁▂▃▄▅▆▇█");
    assert_line(values, 8, 8, true, "_.:-=+*#");
    assert_line(values, 8, 40, true, "_.:-=+*#");
    static const double below_zero[] = {-1, -3, -2};
    assert_line(below_zero, 3, 3, true, "#_=");
}

/* 10 % is the full height. */
static void noise_stays_small(void **state) {
    (void)state;
    static const double noise[] = {1, 1.01, 0.99, 1, 1.12};
    assert_line(noise, 4, 4, true, "-=--");
    assert_line(noise, 5, 5, true, "_.__#");
    static const double equal[] = {5, 5, 5};
    assert_line(equal, 3, 3, true, "===");
    static const double zeros[] = {0, 0};
    assert_line(zeros, 2, 2, true, "__");
}

static void long_series_are_averaged(void **state) {
    (void)state;
    static const double values[] = {1, 3, 1, 3, 9, 11, 9, 11};
    assert_line(values, 8, 4, true, "__##");
    assert_line(values, 8, 1, true, "-");
    /* 7 numbers: one, two, two and two per character */
    assert_line(values, 7, 4, true, "__=#");
}

static void nonfinite_values_are_blank(void **state) {
    (void)state;
    static const double values[] = {1, (double)NAN, 8, (double)INFINITY};
    assert_line(values, 4, 4, true, "_ # ");
    assert_line(values, 4, 2, true, "_#");
    assert_line(values + 1, 1, 4, true, " ");
    assert_line(values, 0, 4, true, "");
    static const double large[] = {-1.7e308, 1.7e308};
    assert_line(large, 2, 2, true, "__");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_go_from_the_lowest_to_the_highest),
        cmocka_unit_test(noise_stays_small),
        cmocka_unit_test(long_series_are_averaged),
        cmocka_unit_test(nonfinite_values_are_blank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
