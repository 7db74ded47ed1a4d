/* Compares outputs of a run with those of a test case, as the runtime does; tests/parity/bundled.py compares with the
 * runtime itself. */
#include "file_order.h"
#include "numerics/verify.h"
#include "support.h"

#include <math.h>

#define INF ((double)INFINITY)
#define NOT_A_NUMBER ((double)NAN)

static const int64_t row[] = {1};

/* A tensor of one dimension. */
static eti_tensor_values vector_of(int8_t type, const void *data, const int64_t *n) {
    return (eti_tensor_values){
        .scalar_type = type,
        .n_dims = 1,
        .sizes = n,
        .strides = row,
        .n_elements = (uint64_t)*n,
        .data = *n > 0 ? in_file_order(data, (size_t)*n, eti__element_type(type)->width) : NULL};
}

static eti_bundle_value expect_of(const eti_tensor_values *tensor) {
    return (eti_bundle_value){.kind = ETI_BUNDLE_TENSOR, .tensor = *tensor};
}

static eti_verified_output verify(int8_t type, const void *expected, const void *output, int64_t n,
                                  double rtol, double atol) {
    eti_tensor_values e = vector_of(type, expected, &n), y = vector_of(type, output, &n);
    eti_bundle_value value = expect_of(&e);
    return eti__verify_output(&value, &y, &(eti_tolerances){rtol, atol});
}

static bool passes(double e, double y, double rtol, double atol) {
    float narrow[2] = {(float)e, (float)y};
    eti_verified_output wide = verify(7, &e, &y, 1, rtol, atol);
    eti_verified_output found = verify(6, &narrow[0], &narrow[1], 1, rtol, atol);
    assert_int_equal(wide.verdict, found.verdict);
    assert_int_equal(found.n_failed, found.verdict != ETI_VERIFY_PASSED);
    return found.verdict == ETI_VERIFY_PASSED;
}

static void the_bound_is_of_the_output(void **state) {
    (void)state;
    assert_true(passes(1, 1.5, 0.34, 0)); /* 0.5 <= 0.34 * 1.5, but not 0.34 * 1 */
    assert_false(passes(1.5, 1, 0.34, 0));
    assert_true(passes(1, -1.5, -2, 0)); /* |rtol * y| */
    assert_true(passes(0.5, 0.25, 0, 0.25));
    assert_false(passes(0.5, 0.25, 0, 0.125));
    assert_true(passes(0.5, 0.25, 0.5, 0.125));
    assert_true(passes(1, 2, 0, 1));
    assert_false(passes(1, 2.5, 0, 1));
    assert_true(passes(1, 2, 1, 0));
    assert_false(passes(3, 1, 1, 0));
}

static void numbers_that_are_not_finite_match_their_like(void **state) {
    (void)state;
    static const double tolerances[][2] = {{0, 0}, {1e-5, 1e-8}, {1, 1}, {0, 1e30}};
    for (size_t i = 0; i < COUNT_OF(tolerances); i++) {
        double rtol = tolerances[i][0], atol = tolerances[i][1];
        assert_true(passes(NOT_A_NUMBER, NOT_A_NUMBER, rtol, atol));
        assert_true(passes(INF, INF, rtol, atol));
        assert_true(passes(-INF, -INF, rtol, atol));
        assert_false(passes(INF, -INF, rtol, atol));
        assert_false(passes(INF, 1, rtol, atol));
        assert_false(passes(1, INF, rtol, atol));
        assert_false(passes(NOT_A_NUMBER, 1, rtol, atol));
        assert_false(passes(1, NOT_A_NUMBER, rtol, atol));
        assert_false(passes(NOT_A_NUMBER, INF, rtol, atol));
        assert_true(passes(NOT_A_NUMBER, -INF, rtol, atol)); /* in the runtime */
        assert_true(passes(-INF, NOT_A_NUMBER, rtol, atol));
    }
}

static void without_tolerance_only_equals_pass(void **state) {
    (void)state;
    assert_true(passes(1, 1, 0, 0));
    assert_true(passes(0.0, -0.0, 0, 0));
    assert_false(passes(1, 1 + 1e-6, 0, 0));
}

/* float32 elements are subtracted as float32. */
static void differences_are_rounded_as_in_the_runtime(void **state) {
    (void)state;
    const float e = 16777216, y = 0.25f;
    eti_verified_output found = verify(6, &e, &y, 1, 0, 16777216);
    assert_int_equal(found.verdict, ETI_VERIFY_PASSED);
    assert_true(found.errors.max_abs == 16777216);
    const double wide_e = 16777216, wide_y = 0.25;
    found = verify(7, &wide_e, &wide_y, 1, 0, 16777215);
    assert_int_equal(found.verdict, ETI_VERIFY_VALUES);
    assert_true(found.errors.max_abs == 16777215.75);
}

static void half_precision_has_tolerances(void **state) {
    (void)state;
    const uint16_t one = 0x3c00, next = 0x3c01; /* 1 and 1 + 2^-10 */
    assert_int_equal(verify(5, &one, &next, 1, 1e-3, 0).verdict, ETI_VERIFY_PASSED);
    assert_int_equal(verify(5, &one, &next, 1, 1e-4, 0).verdict, ETI_VERIFY_VALUES);
    assert_int_equal(verify(15, &one, &next, 1, 1, 1).verdict, ETI_VERIFY_VALUES); /* bfloat16 */
    assert_int_equal(verify(15, &one, &one, 1, 0, 0).verdict, ETI_VERIFY_PASSED);
}

static void other_types_have_the_same_bytes(void **state) {
    (void)state;
    const int32_t e[] = {1, -2, 3, 4}, y[] = {1, -2, 5, 0};
    eti_verified_output found = verify(3, e, y, 4, 1, 100);
    assert_int_equal(found.verdict, ETI_VERIFY_VALUES);
    assert_int_equal(found.n_failed, 2);
    assert_int_equal(found.first_failed, 2);
    assert_true(found.has_errors && found.errors.max_abs == 4);
    assert_int_equal(verify(3, e, e, 4, 0, 0).verdict, ETI_VERIFY_PASSED);
    const uint8_t t[] = {1, 2}, u[] = {1, 1}; /* two different bytes for true */
    assert_int_equal(verify(11, t, u, 2, 0, 0).verdict, ETI_VERIFY_VALUES);
}

static void errors_are_of_all_elements(void **state) {
    (void)state;
    const float e[] = {1, 0, -4, 1e-9f}, y[] = {1.5f, 0, -2, 0};
    eti_verified_output found = verify(6, e, y, 4, 0, 10);
    double tiny = (double)1e-9f / (double)1e-8f;
    assert_true(found.has_errors && found.errors.n == 4);
    assert_true(found.errors.max_abs == 2);
    assert_true(found.errors.max_rel == 0.5);
    assert_true(fabs(eti__errors_mean_abs(&found.errors) - (2.5 + (double)1e-9f) / 4) < 1e-15);
    assert_true(fabs(eti__errors_mean_rel(&found.errors) - (0.5 / 1.5 + 0.5 + tiny) / 4) < 1e-15);
    const float nan[] = {NAN, 3}, other[] = {1, 1}; /* NaN affects the means, but not the maxima */
    found = verify(6, nan, other, 2, 0, 10);
    assert_true(isnan(eti__errors_mean_abs(&found.errors)) && found.errors.max_abs == 2);
    assert_true(isnan(eti__errors_mean_rel(&found.errors)));
    found = verify(6, e, y, 0, 0, 0);
    assert_int_equal(found.verdict, ETI_VERIFY_PASSED);
    assert_true(eti__errors_mean_abs(&found.errors) == 0);
}

static void many_elements_are_all_compared(void **state) {
    (void)state;
    static float e[5000], y[5000];
    for (size_t i = 0; i < COUNT_OF(e); i++)
        e[i] = y[i] = (float)i;
    y[4321] += 1;
    y[4999] += 1;
    eti_verified_output found = verify(6, e, y, COUNT_OF(e), 0, 0);
    assert_int_equal(found.n_failed, 2);
    assert_int_equal(found.first_failed, 4321);
    assert_int_equal(found.errors.n, COUNT_OF(e));
}

static void types_sizes_and_strides_are_equal(void **state) {
    (void)state;
    static const int64_t sizes[] = {2, 3}, turned[] = {3, 2}, rows[] = {3, 1}, columns[] = {1, 2};
    const float data[] = {1, 2, 3, 4, 5, 6}, by_columns[] = {1, 4, 2, 5, 3, 6};
    const eti_tolerances exact = {0, 0};
    eti_tensor_values e = {.scalar_type = 6,
                           .n_dims = 2,
                           .sizes = sizes,
                           .strides = rows,
                           .n_elements = 6,
                           .data = in_file_order(data, 6, sizeof *data)};
    eti_tensor_values y = e;
    eti_bundle_value value = expect_of(&e);
    assert_int_equal(eti__verify_output(&value, &y, &exact).verdict, ETI_VERIFY_PASSED);
    y.sizes = turned;
    assert_int_equal(eti__verify_output(&value, &y, &exact).verdict, ETI_VERIFY_SIZES);
    y = e;
    y.n_dims = 1;
    assert_int_equal(eti__verify_output(&value, &y, &exact).verdict, ETI_VERIFY_SIZES);
    y = e;
    y.scalar_type = 3;
    assert_int_equal(eti__verify_output(&value, &y, &exact).verdict, ETI_VERIFY_TYPE);
    y = e;
    y.strides = columns;
    y.data = in_file_order(by_columns, 6, sizeof *by_columns);
    eti_verified_output found = eti__verify_output(&value, &y, &exact);
    assert_int_equal(found.verdict, ETI_VERIFY_STRIDES);
    assert_int_equal(found.n_failed, 0); /* in row-major order they are equal */
    assert_true(found.has_errors && found.errors.max_abs == 0);
    const float other_columns[] = {1, 4, 2, 5, 3, 9};
    y.data = in_file_order(other_columns, 6, sizeof *other_columns);
    found = eti__verify_output(&value, &y, &exact);
    assert_int_equal(found.errors.n, 6);
    assert_true(found.errors.max_abs == 3); /* 6 and 9 */
    eti_tensor_values columns_expected = y;
    columns_expected.data = in_file_order(by_columns, 6, sizeof *by_columns);
    eti_bundle_value turned_value = expect_of(&columns_expected);
    eti_tensor_values rows_output = e;
    found = eti__verify_output(&turned_value, &rows_output, &exact);
    assert_true(found.errors.max_abs == 0);
    columns_expected.data = in_file_order(other_columns, 6, sizeof *other_columns);
    turned_value = expect_of(&columns_expected);
    assert_true(eti__verify_output(&turned_value, &rows_output, &exact).errors.max_abs == 3);
    y = e;
    y.data = NULL;
    assert_int_equal(eti__verify_output(&value, &y, &exact).verdict, ETI_VERIFY_NO_DATA);
    assert_int_equal(eti__verify_output(&value, NULL, &exact).verdict, ETI_VERIFY_NO_OUTPUT);
    assert_int_equal(eti__verify_output(NULL, &e, &exact).verdict, ETI_VERIFY_NO_EXPECTED);
    value.fault = "has less data than its sizes require";
    assert_int_equal(eti__verify_output(&value, &e, &exact).verdict, ETI_VERIFY_FAULT);
    value.kind = ETI_BUNDLE_INT;
    assert_int_equal(eti__verify_output(&value, &e, &exact).verdict, ETI_VERIFY_NO_EXPECTED);
}

static void both_are_channels_last(void **state) {
    (void)state;
    static const int64_t sizes[] = {2, 3}, columns[] = {1, 2};
    const float e[] = {1, 2, 3, 4, 5, 6}, y[] = {1, 2, 3, 4, 5, 7};
    eti_tensor_values expected = {.scalar_type = 6,
                                  .n_dims = 2,
                                  .sizes = sizes,
                                  .strides = columns,
                                  .n_elements = 6,
                                  .data = in_file_order(e, 6, sizeof *e)};
    eti_tensor_values output = expected;
    output.data = in_file_order(y, 6, sizeof *y);
    eti_bundle_value value = expect_of(&expected);
    eti_verified_output found =
        eti__verify_output(&value, &output, &(eti_tolerances){ETI_USUAL_RTOL, ETI_USUAL_ATOL});
    assert_int_equal(found.verdict, ETI_VERIFY_VALUES);
    assert_int_equal(found.first_failed, 5);
}

static void a_case_passes_with_all_outputs(void **state) {
    (void)state;
    const float e[] = {1, 2}, y[] = {1, 3};
    const int64_t n = 2;
    eti_tensor_values right = vector_of(6, e, &n), wrong = vector_of(6, y, &n);
    const eti_bundle_value values[] = {expect_of(&right), expect_of(&right)};
    const eti_tensor_values *both[] = {&right, &right}, *one_wrong[] = {&right, &wrong},
                            *absent[] = {&right, NULL};
    eti_bundle_case expected = {.expected = values, .n_expected = 2};
    eti_verified_output rows[3];
    const eti_tolerances exact = {0, 0};
    eti_verified_case found = eti__verify_case(&expected, both, 2, &exact, rows);
    assert_true(found.passed && found.has_errors && found.errors.n == 4);
    found = eti__verify_case(&expected, one_wrong, 2, &exact, rows);
    assert_false(found.passed);
    assert_int_equal(rows[0].verdict, ETI_VERIFY_PASSED);
    assert_int_equal(rows[1].verdict, ETI_VERIFY_VALUES);
    assert_true(eti__errors_mean_abs(&found.errors) == 0.25 && found.errors.max_abs == 1);
    found = eti__verify_case(&expected, absent, 2, &exact, rows);
    assert_false(found.passed || found.has_errors);
    assert_int_equal(eti__verify_row_count(&expected, 1), 2);
    assert_false(eti__verify_case(&expected, both, 1, &exact, rows).passed);
    assert_int_equal(rows[1].verdict, ETI_VERIFY_NO_OUTPUT);
    expected.n_expected = 1;
    assert_false(eti__verify_case(&expected, both, 2, &exact, rows).passed);
    assert_int_equal(rows[1].verdict, ETI_VERIFY_NO_EXPECTED);
    expected.n_expected = 0;
    found = eti__verify_case(&expected, both, 2, &exact, rows);
    assert_false(found.passed || found.has_expected);
}

static void verdicts_have_names(void **state) {
    (void)state;
    for (int i = 0; i < ETI_N_VERIFY_VERDICTS; i++)
        assert_true(*eti__verify_name((eti_verdict_of_output)i) != '\0');
    assert_string_equal(eti__verify_name(ETI_N_VERIFY_VERDICTS), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_is_of_the_output),
        cmocka_unit_test(numbers_that_are_not_finite_match_their_like),
        cmocka_unit_test(without_tolerance_only_equals_pass),
        cmocka_unit_test(differences_are_rounded_as_in_the_runtime),
        cmocka_unit_test(half_precision_has_tolerances),
        cmocka_unit_test(other_types_have_the_same_bytes),
        cmocka_unit_test(errors_are_of_all_elements),
        cmocka_unit_test(many_elements_are_all_compared),
        cmocka_unit_test(types_sizes_and_strides_are_equal),
        cmocka_unit_test(both_are_channels_last),
        cmocka_unit_test(a_case_passes_with_all_outputs),
        cmocka_unit_test(verdicts_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
