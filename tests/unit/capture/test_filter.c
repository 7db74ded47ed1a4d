#include "capture_fixture.h"

static bool keeps(etc_globs *globs, const char *name, int32_t id) {
    etc_filter_event event = {ETC_EVENT_DEBUG, name, id, 0};
    return etc_filter_globs(globs, &event);
}

static bool matches(const char *pattern, const char *name) {
    etc_globs globs = {.include = &pattern, .n_include = 1};
    return keeps(&globs, name, -1);
}

static void patterns(void **state) {
    (void)state;
    assert_true(matches("conv", "conv"));
    assert_false(matches("conv", "conv2"));
    assert_false(matches("conv2", "conv"));
    assert_true(matches("conv*", "conv"));
    assert_true(matches("*conv*", "aten_convolution_default"));
    assert_true(matches("a*b*c", "a_b_b_c"));
    assert_false(matches("a*b*c", "a_b_b_d"));
    assert_true(matches("?onv", "conv"));
    assert_false(matches("?", ""));
    assert_true(matches("*", ""));
    assert_true(matches("**", "x"));
    assert_false(matches("", "x"));
    assert_true(matches("", ""));
    assert_false(matches("*", NULL));
}

static void included_and_excluded_rows(void **state) {
    (void)state;
    static const char *const include[] = {"conv*", NULL}, *const exclude[] = {"*_bias"};
    static const etc_id_range ranges[] = {{0, 3}, {10, 11}};
    etc_globs none = {0};
    assert_true(keeps(&none, "any", -1));
    assert_true(keeps(&none, NULL, 5));
    etc_globs all = {include, 2, exclude, 1, ranges, 2};
    assert_true(keeps(&all, "conv1", -1));
    assert_false(keeps(&all, "conv1_bias", -1));
    assert_false(keeps(&all, "relu", -1));
    for (int32_t id = -1; id < 12; id++)
        assert_int_equal(keeps(&all, NULL, id), (id >= 0 && id < 3) || id == 10);
    etc_globs without = {.exclude = exclude, .n_exclude = 1};
    assert_true(keeps(&without, "relu", -1));
    assert_false(keeps(&without, "x_bias", -1));
    etc_globs negative = {.ranges = (etc_id_range[]){{-5, 5}}, .n_ranges = 1};
    assert_false(keeps(&negative, NULL, -1)); /* not an id */
    assert_true(etc_filter_globs(NULL, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),
        cmocka_unit_test(included_and_excluded_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
