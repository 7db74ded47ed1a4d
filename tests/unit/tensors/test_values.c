#include "support.h"

#include "file_order.h"

#include "tensors/tensors.h"

#include <math.h>

/* ==== tensor values =========================================================================== */
/* Tests shapes, strides, and copies in row-major order, by enumerating all indexes. */

#define BYTE 0
#define FLOAT 6
#define DOUBLE 7

static eti_tensor_values values_of(int8_t type, const int64_t *sizes, const int64_t *strides,
                                   uint32_t n_dims) {
    eti_tensor_values values = {
        .scalar_type = type, .sizes = sizes, .strides = strides, .n_dims = n_dims};
    assert_null(eti__tensor_values_count(&values));
    return values;
}

static void impossible_shapes_are_named(void **state) {
    (void)state;
    static const int64_t negative[] = {2, -1}, large[] = {INT64_MAX, 2},
                         wide[] = {1, INT64_MAX / 4}, empty[] = {INT64_MAX, 0},
                         both[] = {INT64_MAX, INT64_MAX, 0};
    static const int64_t many[ETI_TENSOR_MOST_DIMS + 1] = {0};
    eti_tensor_values values = {.scalar_type = FLOAT, .sizes = negative, .n_dims = 2};
    assert_string_equal(eti__tensor_values_count(&values), "a size is negative");
    values.sizes = large;
    assert_non_null(strstr(eti__tensor_values_count(&values), "too large for any memory"));
    values.sizes = wide;
    values.scalar_type = DOUBLE;
    assert_non_null(strstr(eti__tensor_values_count(&values), "too large for any memory"));
    values.scalar_type = BYTE;
    assert_null(eti__tensor_values_count(&values));
    values.sizes = empty;
    assert_null(eti__tensor_values_count(&values));
    assert_int_equal(values.n_elements, 0);
    values.sizes = both;
    values.n_dims = 3;
    assert_non_null(eti__tensor_values_count(&values));
    values.sizes = many;
    values.n_dims = ETI_TENSOR_MOST_DIMS + 1;
    assert_string_equal(eti__tensor_values_count(&values), "it has more than 64 dimensions");
    values.n_dims = 0;
    assert_null(eti__tensor_values_count(&values));
    assert_int_equal(values.n_elements, 1);
}

static void strides_of_dense_tensors(void **state) {
    (void)state;
    static const int64_t sizes[] = {2, 3, 5}, empty[] = {4, 0, 5};
    int64_t strides[3] = {0};
    eti_tensor_values values = values_of(FLOAT, sizes, strides, 3);
    eti__tensor_values_dense_strides(&values, false, strides);
    assert_memory_equal(strides, ((int64_t[]){15, 5, 1}), sizeof strides);
    assert_true(eti__tensor_values_are_row_major(&values));
    eti__tensor_values_dense_strides(&values, true, strides);
    assert_memory_equal(strides, ((int64_t[]){1, 2, 6}), sizeof strides);
    assert_false(eti__tensor_values_are_row_major(&values));
    values = values_of(FLOAT, empty, strides, 3);
    eti__tensor_values_dense_strides(&values, false, strides);
    assert_memory_equal(strides, ((int64_t[]){5, 5, 1}), sizeof strides);
    assert_true(eti__tensor_values_are_row_major(&values));
}

static void unused_strides_do_not_matter(void **state) {
    (void)state;
    static const int64_t sizes[] = {1, 3, 1, 2}, strides[] = {99, 2, 77, 1};
    eti_tensor_values values = values_of(FLOAT, sizes, strides, 4);
    assert_true(eti__tensor_values_are_row_major(&values));
}

static void extents(void **state) {
    (void)state;
    static const int64_t sizes[] = {3, 4}, far[] = {INT64_MAX / 2, 1}, negative[] = {-1, 1},
                         gaps[] = {10, 2}, repeated[] = {0, 1}, edge[] = {INT64_MAX / 8, 1};
    uint64_t n;
    eti_tensor_values values = values_of(FLOAT, sizes, gaps, 2);
    assert_true(eti__tensor_values_extent(&values, &n));
    assert_int_equal(n, 27);
    values.strides = repeated;
    assert_true(eti__tensor_values_extent(&values, &n));
    assert_int_equal(n, 4);
    values.strides = far;
    assert_false(eti__tensor_values_extent(&values, &n));
    values.strides = negative;
    assert_false(eti__tensor_values_extent(&values, &n));
    values.strides = edge;
    assert_false(eti__tensor_values_extent(&values, &n)); /* it has too many bytes */
    static const int64_t none[] = {0, 4};
    values = values_of(FLOAT, none, far, 2);
    assert_true(eti__tensor_values_extent(&values, &n));
    assert_int_equal(n, 0);
}

/* Copies all elements, in pieces of every length, and compares them with those at their indexes. */
static void expect_copies(const eti_tensor_values *values) {
    size_t width = eti__element_type(values->scalar_type)->width;
    size_t n = (size_t)values->n_elements;
    uint8_t *expected = malloc(n * width + 1), *found = malloc(n * width + 1);
    assert_true(expected && found);
    for (size_t i = 0; i < n; i++) {
        size_t rest = i, distance = 0;
        for (uint32_t d = values->n_dims; d-- > 0;) {
            distance += rest % (size_t)values->sizes[d] * (size_t)values->strides[d];
            rest /= (size_t)values->sizes[d];
        }
        memcpy(expected + i * width, values->data + distance * width, width);
    }
    for (size_t piece = 1; piece <= n; piece++) {
        memset(found, 0xee, n * width + 1);
        for (size_t at = 0; at < n; at += piece) {
            size_t taken = piece < n - at ? piece : n - at;
            eti__tensor_values_copy(values, at, taken, found + at * width);
        }
        assert_memory_equal(found, expected, n * width);
        assert_int_equal(found[n * width], 0xee);
    }
    free(expected);
    free(found);
}

static void sizes_are_equal_in_all_dimensions(void **state) {
    (void)state;
    static const int64_t a[] = {2, 3}, b[] = {2, 4}, c[] = {4, 3};
    assert_true(eti__sizes_equal(a, 2, (const int64_t[]){2, 3}, 2));
    assert_false(eti__sizes_equal(a, 2, b, 2));
    assert_false(eti__sizes_equal(a, 2, c, 2));
    assert_true(eti__sizes_equal(a, 1, b, 1));
    assert_false(eti__sizes_equal(a, 1, b, 2));
    assert_false(eti__sizes_equal(a, 2, b, 1));
    assert_true(eti__sizes_equal(NULL, 0, a, 0));
    assert_false(eti__sizes_equal(NULL, 0, a, 1));
}

static void copies_are_row_major(void **state) {
    (void)state;
    static const int64_t sizes[] = {2, 3, 4, 5};
    static const int64_t strides[][4] = {
        {60, 20, 5, 1},   /* row-major */
        {60, 1, 15, 3},   /* channels last */
        {1, 2, 6, 24},    /* column-major */
        {120, 40, 10, 2}, /* with gaps */
        {0, 5, 0, 1},     /* expanded */
        {1, 1, 1, 1},     /* overlapping */
    };
    static const int8_t types[] = {BYTE, 2, FLOAT, DOUBLE};
    uint8_t data[8 * 256 + 1];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 37 + i / 256);
    for (size_t t = 0; t < COUNT_OF(types); t++) {
        for (size_t i = 0; i < COUNT_OF(strides); i++) {
            eti_tensor_values values = values_of(types[t], sizes, strides[i], 4);
            values.data = data + 1; /* at an odd address */
            expect_copies(&values);
        }
        eti_tensor_values scalar = values_of(types[t], NULL, NULL, 0);
        scalar.data = data + 3;
        expect_copies(&scalar);
        static const int64_t one_size[] = {7}, one_stride[] = {3};
        eti_tensor_values vector = values_of(types[t], one_size, one_stride, 1);
        vector.data = data;
        expect_copies(&vector);
    }
}

/* ==== elements ================================================================================ */

static void assert_numbers(int8_t type, const void *bytes, const double *expected, size_t n) {
    double wide[8];
    float narrow[8];
    bytes = in_file_order(bytes, n, eti__element_type(type)->width);
    assert_true(eti__elements_are_readable(type));
    eti__elements_as_doubles(type, bytes, n, wide);
    for (size_t i = 0; i < n; i++)
        assert_true(isnan(expected[i]) ? isnan(wide[i]) : wide[i] == expected[i]);
    if (!eti__elements_fit_floats(type))
        return;
    eti__elements_as_floats(type, bytes, n, narrow);
    for (size_t i = 0; i < n; i++)
        assert_true(isnan(expected[i]) ? isnan(narrow[i]) : (double)narrow[i] == expected[i]);
}

#define ASSERT_NUMBERS(type, bytes, ...)                                                           \
    assert_numbers(type, bytes, (const double[]){__VA_ARGS__},                                     \
                   COUNT_OF(((const double[]){__VA_ARGS__})))

/* Values of the 8-bit types come from torch. */
static void every_type_gives_its_numbers(void **state) {
    (void)state;
    const uint8_t ones[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    ASSERT_NUMBERS(0, ones, 255);
    ASSERT_NUMBERS(1, ones, -1);
    ASSERT_NUMBERS(2, ones, -1);
    ASSERT_NUMBERS(3, ones, -1);
    ASSERT_NUMBERS(4, ones, -1);
    ASSERT_NUMBERS(11, ones, 1);
    ASSERT_NUMBERS(12, ones, -1);
    ASSERT_NUMBERS(13, ones, 255);
    ASSERT_NUMBERS(14, ones, -1);
    ASSERT_NUMBERS(22, ones, 65535);
    ASSERT_NUMBERS(27, ones, 65535);
    ASSERT_NUMBERS(28, ones, 4294967295.0);
    ASSERT_NUMBERS(29, ones, 18446744073709551615.0);
    const uint16_t halves[] = {0x3c00, 0xc000, 0x0001, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x8000};
    ASSERT_NUMBERS(5, halves, 1, -2, 0x1p-24, 65504, INFINITY, -INFINITY, NAN, 0);
    const uint16_t brains[] = {0x3f80, 0xc000, 0x0001, 0x7f80, 0xff80, 0x7fc0};
    ASSERT_NUMBERS(15, brains, 1, -2, 0x1p-133, INFINITY, -INFINITY, NAN);
    const float floats[] = {1.5F, -0.0F, INFINITY};
    ASSERT_NUMBERS(6, floats, 1.5, 0, INFINITY);
    const double doubles[] = {1e300, NAN};
    ASSERT_NUMBERS(7, doubles, 1e300, NAN);
    const uint8_t small[] = {0x3c, 0xbc, 0x01, 0x7b, 0x7c, 0x7d, 0x80, 0x7f};
    ASSERT_NUMBERS(23, small, 1, -1, 0x1p-16, 57344, INFINITY, NAN, 0, NAN);
    ASSERT_NUMBERS(24, small, 1.5, -1.5, 0x1p-9, 352, 384, 416, 0, NAN);
    ASSERT_NUMBERS(25, small, 0.5, -0.5, 0x1p-17, 28672, 32768, 40960, NAN, 57344);
    ASSERT_NUMBERS(26, small, 0.75, -0.75, 0x1p-10, 176, 192, 208, NAN, 240);
}

static void text_without_a_number_is_not_read(void **state) {
    (void)state;
    const int8_t types[] = {-1, 8, 9, 10, 16, 17, 21, 30, 127};
    for (size_t i = 0; i < COUNT_OF(types); i++)
        assert_false(eti__elements_are_readable(types[i]));
}

static bool are_dense(const int64_t *sizes, const int64_t *strides, uint32_t n) {
    eti_tensor_values values = {.scalar_type = 6, .n_dims = n, .sizes = sizes, .strides = strides};
    assert_null(eti__tensor_values_count(&values));
    return eti__elements_are_dense(&values);
}

#define ARE_DENSE(sizes, ...)                                                                      \
    are_dense(sizes, (const int64_t[]){__VA_ARGS__}, COUNT_OF(((const int64_t[]){__VA_ARGS__})))

static void permuted_dimensions_are_dense(void **state) {
    (void)state;
    const int64_t image[] = {1, 3, 6, 5}, none[] = {2, 0};
    assert_true(ARE_DENSE(image, 90, 30, 5, 1));
    assert_true(ARE_DENSE(image, 90, 1, 15, 3));
    /* the stride of a dimension of size 1 is never used */
    assert_true(ARE_DENSE(image, -7, 1, 15, 3));
    assert_false(ARE_DENSE(image, 90, 1, 16, 3));
    assert_false(ARE_DENSE(image, 90, 0, 15, 3));
    assert_false(ARE_DENSE(image, 90, 1, 15, -3));
    assert_false(ARE_DENSE(image, 90, 1, 1, 1));
    assert_true(ARE_DENSE(none, 5, 5));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_shapes_are_named),
        cmocka_unit_test(strides_of_dense_tensors),
        cmocka_unit_test(unused_strides_do_not_matter),
        cmocka_unit_test(extents),
        cmocka_unit_test(copies_are_row_major),
        cmocka_unit_test(sizes_are_equal_in_all_dimensions),
        cmocka_unit_test(every_type_gives_its_numbers),
        cmocka_unit_test(text_without_a_number_is_not_read),
        cmocka_unit_test(permuted_dimensions_are_dense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
