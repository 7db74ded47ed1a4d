#include "file_order.h"
#include "model/model.h"
#include "numerics/output_metrics.h"
#include "support.h"

#include <float.h>
#include <math.h>

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
        cmocka_unit_test(numbers_are_rounded_as_in_python),
        cmocka_unit_test(outputs_are_compared_in_single_precision),
        cmocka_unit_test(strides_are_honoured_where_they_make_sense),
        cmocka_unit_test(other_shapes_and_types_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
