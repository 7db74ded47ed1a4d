#include "file_order.h"
#include "tensors/elements.h"
#include "support.h"

#include <math.h>

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
        cmocka_unit_test(every_type_gives_its_numbers),
        cmocka_unit_test(text_without_a_number_is_not_read),
        cmocka_unit_test(permuted_dimensions_are_dense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
