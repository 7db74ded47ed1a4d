/* Makes test cases of tensors; tests/cli/programs tests the command, tests/parity the files. */
#include "program/test_case.h"

#include "file_order.h"
#include "support.h"

#include <math.h>

static eti_error err = ETI_ERROR_INIT;

static int compare(const char *a, const char *b) {
    int order = eti__compare_names(eti__text_of(a), eti__text_of(b));
    assert_int_equal(eti__compare_names(eti__text_of(b), eti__text_of(a)) > 0, order < 0);
    return order < 0 ? -1 : order > 0;
}

static void numbers_in_names_count_by_their_values(void **state) {
    (void)state;
    assert_int_equal(compare("x2", "x10"), -1);
    assert_int_equal(compare("x10", "x9"), 1);
    assert_int_equal(compare("x2y10", "x2y9"), 1);
    assert_int_equal(compare("a", "b"), -1);
    assert_int_equal(compare("x", "x0"), -1);
    assert_int_equal(compare("x1", "xa"), -1);
    assert_int_equal(compare("x", "x"), 0);
    /* equal except for zeros: the order is arbitrary but fixed */
    assert_int_equal(compare("x01", "x1"), -1);
    assert_int_equal(compare("18446744073709551617", "18446744073709551616"), 1);
    assert_int_equal(compare("", "a"), -1);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static const eti_pte_value taken[] = {
    {.kind = ETI_PTE_INT, .of.as_int = -3},
    {.kind = ETI_PTE_BOOL, .of.as_bool = true},
    {.kind = ETI_PTE_DOUBLE, .of.as_double = 0.1},
    {.kind = ETI_PTE_STRING},
    {.kind = ETI_PTE_DOUBLE, .of.as_double = INFINITY},
};

/* Makes a case of a method whose only input is `taken[number]`, from a tensor with this element. */
static eti_status make(int32_t number, int8_t type, const void *element, uint32_t n_dims,
                       eti_bundle_value *out) {
    static const int64_t one[] = {1, 1};
    const eti_tensor_values tensor = {
        .name = {"n", 1},
        .scalar_type = type,
        .n_dims = n_dims,
        .sizes = one,
        .strides = one,
        .n_elements = 1,
        .data = in_file_order(element, 1, eti__element_type(type)->width)};
    eti_tensor_file values = {.tensors = &tensor, .n_tensors = 1};
    const eti_test_file file = {&values, "in.npy", false};
    const eti_pte_plan plan = {.name = {"forward", 7},
                               .values = taken,
                               .n_values = COUNT_OF(taken),
                               .inputs = {&number, 1},
                               .outputs = {&number, 1}};
    eti_arena arena = {0};
    eti_bundle_case made = {.n_inputs = 0};
    eti_status status = eti__test_case_add_inputs(&made, &arena, &plan, &file, &err);
    if (status == ETI_OK) {
        assert_int_equal(made.n_inputs, 1);
        *out = made.inputs[0];
        assert_fails(eti__test_case_add_expected(&made, &arena, &plan, &file, &err), ETI_ERROR_DATA,
                     "output 0 of forward is not a tensor");
    }
    eti__arena_free(&arena);
    return status;
}

static void integers_are_those_of_the_program(void **state) {
    (void)state;
    eti_bundle_value found;
    const int8_t narrow = -3;
    const int16_t half = -3;
    const int32_t usual = -3;
    const int64_t wide = -3, other = 3;
    const uint8_t positive = 0xfd;
    const float number = -3;
    assert_ok(make(0, 1, &narrow, 0, &found));
    assert_int_equal(found.kind, ETI_BUNDLE_INT);
    assert_int_equal(found.as_int, -3);
    assert_ok(make(0, 2, &half, 0, &found));
    assert_ok(make(0, 3, &usual, 0, &found));
    assert_ok(make(0, 4, &wide, 0, &found));
    assert_int_equal(found.as_int, -3);
    assert_fails(make(0, 4, &other, 0, &found), ETI_ERROR_DATA,
                 "in.npy: n: expected -3 for input 0 of forward, the value that the program was "
                 "exported with: the runtime accepts no other");
    assert_fails(make(0, 0, &positive, 0, &found), ETI_ERROR_DATA, "expected -3");
    assert_fails(make(0, 6, &number, 0, &found), ETI_ERROR_DATA,
                 "expected an integer without dimensions for input 0 of forward, found float32 []");
    assert_fails(make(0, 4, &wide, 1, &found), ETI_ERROR_DATA, "found int64 [1]");
}

static void bools_are_those_of_the_program(void **state) {
    (void)state;
    eti_bundle_value found;
    const uint8_t yes = 1, no = 0;
    assert_ok(make(1, 11, &yes, 0, &found));
    assert_int_equal(found.kind, ETI_BUNDLE_BOOL);
    assert_int_equal(found.as_int, 1);
    assert_fails(make(1, 11, &no, 0, &found), ETI_ERROR_DATA, "expected true for input 0");
    assert_fails(make(1, 0, &yes, 0, &found), ETI_ERROR_DATA, "expected a bool without dimensions");
}

static void floats_are_near_those_of_the_program(void **state) {
    (void)state;
    eti_bundle_value found;
    const float narrow = 0.1f, infinite = INFINITY;
    const double wide = 0.1, near = 0.10005, far = 0.1002, nan = NAN;
    const int64_t whole = 0;
    assert_ok(make(2, 6, &narrow, 0, &found));
    assert_int_equal(found.kind, ETI_BUNDLE_DOUBLE);
    assert_true(found.as_double == (double)narrow);
    assert_ok(make(2, 7, &wide, 0, &found));
    assert_ok(make(2, 7, &near, 0, &found));
    assert_fails(make(2, 7, &far, 0, &found), ETI_ERROR_DATA, "expected 0.1");
    assert_fails(make(2, 7, &nan, 0, &found), ETI_ERROR_DATA, "expected 0.1");
    assert_fails(make(2, 4, &whole, 0, &found), ETI_ERROR_DATA, "expected 0.1");
    assert_ok(make(4, 6, &infinite, 0, &found));
    assert_fails(make(4, 7, &wide, 0, &found), ETI_ERROR_DATA, "expected inf");
    assert_fails(make(2, 5, &narrow, 0, &found), ETI_ERROR_DATA,
                 "expected a float without dimensions");
}

static void texts_have_no_place(void **state) {
    (void)state;
    eti_bundle_value found;
    const int64_t one = 1;
    assert_fails(make(3, 4, &one, 0, &found), ETI_ERROR_DATA,
                 "input 0 of forward is not a tensor or number, so no test case can contain it");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_names_count_by_their_values),
        cmocka_unit_test(integers_are_those_of_the_program),
        cmocka_unit_test(bools_are_those_of_the_program),
        cmocka_unit_test(floats_are_near_those_of_the_program),
        cmocka_unit_test(texts_have_no_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
