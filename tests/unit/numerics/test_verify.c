#include "file_order.h"

#include "inspector_fixture.h"
#include "support.h"

#include "account/account.h"
#include "numerics/numerics.h"
#include "numerics/verify.h"

#include <float.h>
#include <math.h>

/* ==== verify ================================================================================== */
/* Compares outputs of a run with those of a test case, as the runtime does; tests/parity/bundled.py compares with the
 * runtime itself. */

#define INF ((double)INFINITY)
#define NOT_A_NUMBER ((double)NAN)

static const int64_t verify_row[] = {1};

/* A tensor of one dimension. */
static eti_tensor_values vector_of(int8_t type, const void *data, const int64_t *n) {
    return (eti_tensor_values){
        .scalar_type = type,
        .n_dims = 1,
        .sizes = n,
        .strides = verify_row,
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

/* ==== verification ============================================================================ */
/* Tests which test case a run is compared with, and the work that a small file may cause. The comparisons are tested in
 * test_verify.c and tests/cli/views/numerics_expected.sh. */

static const float floats[] = {1, 2, 3, 4};

/* Makes `n_runs` runs, each with one output: the floats. */
static place put_runs(builder *b, size_t n_runs) {
    place runs[512],
        output = VALUE(b, .val = SOME(VAL_TENSOR), .tensor = TENSOR(b, TYPE_FLOAT, 0, 4),
                       .output = put_bool(b, 1));
    assert_true(n_runs <= COUNT_OF(runs));
    for (size_t i = 0; i < n_runs; i++)
        runs[i] = RUN(b, "Execute", LOGGED(b, .instruction_id = SOME(-1), .value = output));
    return put_dump(b, (optional){0}, put_tables(b, runs, n_runs));
}

/* Makes a suite of one case that expects the floats, the first of which is `first`, followed by `n_others` values that are
 * not tensors. */
static place put_suite(builder *b, const char *method, float first, size_t n_others) {
    float numbers[] = {first, 2, 3, 4};
    to_file_order(numbers, COUNT_OF(numbers), sizeof *numbers);
    place values[512], data = put_bytes(b, numbers, sizeof numbers), order = put_bytes(b, "\0", 1);
    put_number(b, 4, 4);
    put_number(b, 1, 4);
    place sizes = here(b);
    place tensor = PUT_TABLE(b, (slot){1, TYPE_FLOAT, 0}, target_slot(sizes), target_slot(data),
                             target_slot(order));
    assert_true(n_others < COUNT_OF(values));
    values[0] = PUT_TABLE(b, (slot){1, ETI_BUNDLE_TENSOR, 0}, target_slot(tensor));
    for (size_t i = 0; i < n_others; i++)
        values[i + 1] = PUT_TABLE(b, (slot){1, ETI_BUNDLE_INT, 0}, target_slot(put_int(b, 7)));
    place one = PUT_TABLE(b, (slot){0}, target_slot(put_tables(b, values, n_others + 1)));
    place cases = put_tables(b, &one, 1), name = put_string(b, method);
    return PUT_TABLE(b, target_slot(name), target_slot(cases));
}

static void finish_bundle(builder *b, place suites) {
    place program = put_bytes(b, "x", 1);
    finish_as(b, PUT_TABLE(b, (slot){4, 2, 0}, target_slot(suites), target_slot(program)), "BP08",
              false);
}

typedef struct fixture {
    session s;
    builder bundle;
    eti_verification found;
} fixture;

/* Compares all runs with this bundle. */
static eti_status verify_whole(fixture *f, size_t n_runs, const char *method, eti_error *err) {
    const eti_source buffer = {"debug.bin", in_file_order(floats, COUNT_OF(floats), sizeof *floats),
                               sizeof floats};
    const eti_options options = {
        .target_time_scale = ETI_SCALE_MS, .no_debug_data = true, .method = method};
    eti_numerics_options how = ETI_NUMERICS_OPTIONS_DEFAULT;
    how.view = (eti_view_options)ETI_VIEW_OPTIONS_DEFAULT;
    how.view.run = "all";
    f->s.options = &options;
    f->s.debug_buffer = &buffer;
    open_session(&f->s, put_runs(&f->s.b, n_runs), NULL);
    const eti_source source = {"model.bpte", f->bundle.file.data, f->bundle.file.size};
    struct eti_file file;
    assert_int_equal(eti__file_open_source(&file, &source, err), ETI_OK);
    return eti__verification_make(&f->found, f->s.inspector, &how, &file, err);
}

static void close_fixture(fixture *f) {
    eti__verification_free(&f->found);
    close_session(&f->s);
    builder_free(&f->bundle);
}

static void outputs_that_a_run_lacks_have_rows(void **state) {
    (void)state;
    fixture f = {.found = {.n = 0}};
    eti_error err = ETI_ERROR_INIT;
    place suite = put_suite(&f.bundle, "forward", 1, 2);
    finish_bundle(&f.bundle, put_tables(&f.bundle, &suite, 1));
    assert_ok(verify_whole(&f, 2, NULL, &err));
    assert_int_equal(f.found.n, 6);
    assert_int_equal(f.found.n_runs, 2);
    assert_int_equal(f.found.n_passed, 0);
    assert_int_equal(f.found.n_compared, 2);
    assert_int_equal(f.found.n_missing, 4);
    assert_int_equal(f.found.n_uncompared, 0);
    for (uint32_t i = 0; i < 6; i++) {
        const eti_verified_row *row = &f.found.rows[i];
        assert_int_equal(row->run, i / 3);
        assert_int_equal(row->output, i % 3);
        assert_text(row->method, "forward");
        assert_int_equal(row->verified.verdict, i % 3 ? ETI_VERIFY_NO_EXPECTED : ETI_VERIFY_PASSED);
        assert_int_equal(row->has_metrics, i % 3 == 0);
    }
    close_fixture(&f);
}

/* 300 runs and 300 values take a few kilobytes, and make 90,000 rows. */
static void rows_that_nothing_is_known_of_are_limited(void **state) {
    (void)state;
    fixture f = {.found = {.n = 0}};
    eti_error err = ETI_ERROR_INIT;
    place suite = put_suite(&f.bundle, "forward", 1, 300);
    finish_bundle(&f.bundle, put_tables(&f.bundle, &suite, 1));
    assert_fails(verify_whole(&f, 300, NULL, &err), ETI_ERROR_LIMIT,
                 "model.bpte: the test cases that ran expect more than 65536 outputs that the runs "
                 "do not have");
    close_fixture(&f);
}

static void of_two_suites_of_a_method_the_first_counts(void **state) {
    (void)state;
    static const char *const methods[] = {"encode", "forward", "decode"};
    for (size_t i = 0; i < COUNT_OF(methods); i++) {
        fixture f = {.found = {.n = 0}};
        eti_error err = ETI_ERROR_INIT;
        builder *b = &f.bundle;
        const place suites[] = {put_suite(b, "encode", 9, 0), put_suite(b, "forward", 1, 0),
                                put_suite(b, "encode", 1, 0), put_suite(b, "forward", 9, 0)};
        finish_bundle(b, put_tables(b, suites, COUNT_OF(suites)));
        eti_status status = verify_whole(&f, 1, methods[i], &err);
        if (i == 2) {
            assert_int_equal(status, ETI_ERROR_DATA);
            assert_non_null(strstr(err.message, "model.bpte: has no test cases for method decode"));
        } else {
            assert_ok(status);
            assert_int_equal(f.found.n, 1);
            assert_int_equal(f.found.n_passed, i);
        }
        close_fixture(&f);
    }
}

static void a_method_that_is_not_known_is_asked_for(void **state) {
    (void)state;
    fixture f = {.found = {.n = 0}};
    eti_error err = ETI_ERROR_INIT;
    const place suites[] = {put_suite(&f.bundle, "encode", 1, 0),
                            put_suite(&f.bundle, "forward", 1, 0)};
    finish_bundle(&f.bundle, put_tables(&f.bundle, suites, 2));
    assert_fails(verify_whole(&f, 1, NULL, &err), ETI_ERROR_USAGE, "has test cases of 2 methods");
    close_fixture(&f);
}

/* ==== output metrics ========================================================================== */

static const int64_t four[] = {4};

static eti_tensor row_of(int8_t type, const void *data, size_t n_bytes) {
    return (eti_tensor){.scalar_type = type,
                        .dtype = "some type",
                        .sizes = four,
                        .n_dims = 1,
                        .data = in_file_order(data, 4, n_bytes / 4),
                        .n_bytes = n_bytes};
}

static eti_output_metrics compare(const eti_tensor *reference, const eti_tensor *output) {
    eti_error err = ETI_ERROR_INIT;
    eti_output_metrics out;
    assert_ok(eti__output_metrics_compare(&out, reference, output, &err));
    return out;
}

/* Rounds as Python's round(): 2.675 is slightly less, 0.125 and 0.375 are ties. */
static void numbers_are_rounded_as_in_python(void **state) {
    (void)state;
    static const double cases[][2] = {
        {2.675, 2.67},     {0.125, 0.12},      {0.375, 0.38},  {-0.125, -0.12},
        {1.005, 1.0},      {0.005, 0.01},      {-0.001, -0.0}, {1e15 + 0.3, 1e15 + 0.3},
        {138.4001, 138.4}, {DBL_MAX, DBL_MAX}, {0, 0}};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_bits(eti__round_to_cents(cases[i][0]), cases[i][1]);
    assert_true(isnan(eti__round_to_cents((double)NAN)));
    assert_true(eti__round_to_cents((double)-INFINITY) == (double)-INFINITY);
}

/* Differences 0, 0.5, -1, 0: metrics as in the Inspector's compare_results(). */
static void outputs_are_compared_in_single_precision(void **state) {
    (void)state;
    const float a[] = {1, 2, 3, 4}, b[] = {1, 2.5F, 2, 4};
    const double wide_b[] = {1, 2.5, 2, 4};
    eti_tensor reference = row_of(6, a, sizeof a), output = row_of(6, b, sizeof b);
    eti_tensor wide = row_of(7, wide_b, sizeof wide_b);
    for (int i = 0; i < 2; i++) {
        eti_output_metrics got = compare(&reference, i == 0 ? &output : &wide);
        assert_bits(got.snr, 13.8);
        assert_bits(got.mse, 0.31);
        assert_bits(got.cosine_similarity, 0.98);
    }
    eti_output_metrics equal = compare(&reference, &reference);
    assert_true(isinf(equal.snr) && equal.mse == 0 && equal.cosine_similarity == 1);
    const float large[] = {3e38F, 0, 0, 0}, zeros[4] = {0};
    eti_tensor of_large = row_of(6, large, sizeof large), of_zeros = row_of(6, zeros, sizeof zeros);
    equal = compare(&of_large, &of_zeros); /* squares of floats overflow */
    assert_true(isinf(equal.mse) && isnan(equal.snr) && isnan(equal.cosine_similarity));
}

static void strides_are_honoured_where_they_make_sense(void **state) {
    (void)state;
    const float rows[] = {1, 2, 3, 4, 5, 6}, columns[] = {1, 4, 2, 5, 3, 6};
    static const int64_t sizes[] = {2, 3}, by_columns[] = {1, 2}, odd[] = {1, 1};
    eti_tensor reference = {.scalar_type = 6,
                            .sizes = sizes,
                            .n_dims = 2,
                            .data = in_file_order(rows, 6, sizeof *rows)};
    eti_tensor output = reference;
    output.data = in_file_order(columns, 6, sizeof *columns);
    output.strides = by_columns;
    assert_true(compare(&reference, &output).mse == 0);
    output.strides = odd;
    output.data = reference.data;
    assert_true(compare(&reference, &output).mse == 0); /* row-major */
}

static void refuse(const eti_tensor *reference, const eti_tensor *output, const char *message) {
    eti_error err = ETI_ERROR_INIT;
    eti_output_metrics out;
    assert_int_equal(eti__output_metrics_compare(&out, reference, output, &err), ETI_ERROR_DATA);
    assert_non_null(strstr(err.message, message));
}

static void other_shapes_and_types_are_refused(void **state) {
    (void)state;
    static const int64_t square[] = {2, 2}, many[65] = {1};
    const float values[4] = {0};
    eti_tensor row = row_of(6, values, sizeof values), other = row, empty = row, packed = row;
    other.sizes = square;
    other.n_dims = 2;
    refuse(&row, &other, "the output has the shape [2, 2], the reference output the shape [4]");
    empty.data = NULL;
    refuse(&row, &empty, "the output has no data");
    refuse(&empty, &row, "the reference output has no data");
    packed.scalar_type = 16;
    refuse(&row, &packed, "elements of the type some type");
    other.sizes = many;
    other.n_dims = 65;
    refuse(&row, &other, "more than 64 dimensions");
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
        cmocka_unit_test(outputs_that_a_run_lacks_have_rows),
        cmocka_unit_test(rows_that_nothing_is_known_of_are_limited),
        cmocka_unit_test(of_two_suites_of_a_method_the_first_counts),
        cmocka_unit_test(a_method_that_is_not_known_is_asked_for),
        cmocka_unit_test(numbers_are_rounded_as_in_python),
        cmocka_unit_test(outputs_are_compared_in_single_precision),
        cmocka_unit_test(strides_are_honoured_where_they_make_sense),
        cmocka_unit_test(other_shapes_and_types_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
