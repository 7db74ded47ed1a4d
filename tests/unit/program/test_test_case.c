/* Makes test cases of tensors; tests/cli/programs tests the command, tests/parity the files. */
#include "base/arena.h"
#include "base/text.h"
#include "program/program.h"
#include "program/test_case.h"
#include "pte/pte.h"
#include "tensors/tensors.h"

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

/* ---- tensors --------------------------------------------------------------------------------- */

/* Whether a tensor with these two sizes fits that of a method; both are float32. */
static bool fits(int64_t rows, int64_t columns, eti_pte_dynamism dynamism, int32_t most_rows,
                 int32_t most_columns) {
    const int64_t sizes[] = {rows, columns};
    const int32_t bounds[] = {most_rows, most_columns};
    const eti_tensor_values found = {.scalar_type = 6,
                                     .n_dims = 2,
                                     .sizes = sizes,
                                     .n_elements = (uint64_t)rows * (uint64_t)columns};
    const eti_pte_tensor tensor = {
        .sizes = bounds, .n_dims = 2, .scalar_type = 6, .dynamism = (uint8_t)dynamism};
    return eti__test_case_fits(&found, &tensor);
}

static void sizes_are_those_of_the_method_or_below_its_bounds(void **state) {
    (void)state;
    const int64_t most = INT32_MAX;
    assert_true(fits(2, 3, ETI_PTE_STATIC, 2, 3));
    assert_false(fits(2, 3, ETI_PTE_STATIC, 2, 4));
    assert_false(fits(1, 4, ETI_PTE_STATIC, 2, 4));
    assert_false(fits(3, 2, ETI_PTE_STATIC, 2, 3));
    /* Bounds limit the number of elements only. */
    assert_true(fits(1, 2, ETI_PTE_UPPER_BOUND, 2, 3));
    assert_true(fits(6, 1, ETI_PTE_UPPER_BOUND, 2, 3));
    assert_false(fits(7, 1, ETI_PTE_UPPER_BOUND, 2, 3));
    assert_true(fits(100, 100, ETI_PTE_UNBOUND, 2, 3));
    assert_true(fits(most, 0, ETI_PTE_UNBOUND, 1, 1));
    assert_false(fits(most + 1, 0, ETI_PTE_UNBOUND, 1, 1));
    assert_false(fits(0, most + 1, ETI_PTE_UPPER_BOUND, 1, 1));
    const int64_t cube[] = {most, 2, 2};
    const int32_t bounds[] = {1 << 30, 1 << 30, 16}; /* 2^64 elements */
    const eti_tensor_values found = {
        .scalar_type = 6, .n_dims = 3, .sizes = cube, .n_elements = (uint64_t)most * 4};
    eti_pte_tensor tensor = {
        .sizes = bounds, .n_dims = 3, .scalar_type = 6, .dynamism = ETI_PTE_UPPER_BOUND};
    assert_true(eti__test_case_fits(&found, &tensor));
    tensor.n_dims = 2;
    assert_false(eti__test_case_fits(&found, &tensor));
    tensor.n_dims = 3;
    tensor.scalar_type = 7;
    assert_false(eti__test_case_fits(&found, &tensor));
    eti_buffer text = {0};
    tensor.dynamism = ETI_PTE_STATIC;
    eti__test_case_add_unfit(&text, &found, &tensor);
    assert_text(eti__buffer_text(&text),
                "expected float64 [1073741824, 1073741824, 16], found float32 [2147483647, 2, 2]");
    eti__buffer_free(&text);
}

/* A method with the inputs float32 [2, 3] and [4], the second of which is its output, and a file of tensors for it. */
typedef struct two_tensors {
    uint8_t dim_order[2];
    eti_pte_tensor tensors[2];
    eti_pte_value values[2];
    eti_pte_plan plan;
    eti_tensor_values found[2];
    eti_tensor_file content;
    eti_test_file file;
    eti_arena arena;
    eti_bundle_case made;
} two_tensors;

static const int32_t both[] = {0, 1};

static void start(two_tensors *t, bool is_ordered) {
    static const int32_t matrix[] = {2, 3}, row[] = {4};
    static const int64_t matrix_found[] = {2, 3}, row_found[] = {4}, strides[] = {3, 1};
    static const float elements[6];
    *t = (two_tensors){.dim_order = {1, 0}};
    t->tensors[0] =
        (eti_pte_tensor){.sizes = matrix, .dim_order = t->dim_order, .n_dims = 2, .scalar_type = 6};
    t->tensors[1] = (eti_pte_tensor){.sizes = row, .n_dims = 1, .scalar_type = 6};
    for (size_t i = 0; i < 2; i++)
        t->values[i] = (eti_pte_value){.kind = ETI_PTE_TENSOR, .of.as_tensor = &t->tensors[i]};
    t->plan = (eti_pte_plan){.name = {"forward", 7},
                             .values = t->values,
                             .n_values = 2,
                             .inputs = {both, 2},
                             .outputs = {&both[1], 1}};
    t->found[0] = (eti_tensor_values){.name = {"x2", 2},
                                      .scalar_type = 6,
                                      .n_dims = 2,
                                      .sizes = matrix_found,
                                      .strides = strides,
                                      .n_elements = 6,
                                      .data = (const uint8_t *)elements};
    t->found[1] = (eti_tensor_values){.name = {"x10", 3},
                                      .scalar_type = 6,
                                      .n_dims = 1,
                                      .sizes = row_found,
                                      .strides = &strides[1],
                                      .n_elements = 4,
                                      .data = (const uint8_t *)elements};
    t->content = (eti_tensor_file){.tensors = t->found, .n_tensors = 2};
    t->file = (eti_test_file){&t->content, "in.npz", is_ordered};
}

static eti_status add_inputs(two_tensors *t) {
    return eti__test_case_add_inputs(&t->made, &t->arena, &t->plan, &t->file, &err);
}

static void swap_found(two_tensors *t) {
    eti_tensor_values first = t->found[0];
    t->found[0] = t->found[1];
    t->found[1] = first;
}

static void tensors_are_in_order_of_names_unless_the_file_has_one(void **state) {
    (void)state;
    two_tensors t;
    for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
        for (int is_ordered = 0; is_ordered < 2; is_ordered++) {
            start(&t, is_ordered == 1);
            if (is_swapped)
                swap_found(&t);
            if (is_ordered && is_swapped) {
                assert_fails(add_inputs(&t), ETI_ERROR_DATA,
                             "in.npz: x10: expected float32 [2, 3] for input 0 of forward, found "
                             "float32 [4]");
            } else {
                assert_ok(add_inputs(&t));
                assert_int_equal(t.made.n_inputs, 2);
                assert_text(t.made.inputs[0].tensor.name, "x2");
                assert_text(t.made.inputs[1].tensor.name, "x10");
            }
            eti__arena_free(&t.arena);
        }
    }
}

static void dimensions_are_in_the_order_of_the_method(void **state) {
    (void)state;
    two_tensors t;
    start(&t, true);
    assert_ok(add_inputs(&t));
    assert_int_equal(t.made.inputs[0].kind, ETI_BUNDLE_TENSOR);
    assert_memory_equal(t.made.inputs[0].dim_order, t.dim_order, 2);
    assert_int_equal(t.made.inputs[1].dim_order[0], 0);
    t.tensors[0].dim_order = NULL;
    assert_ok(add_inputs(&t));
    assert_memory_equal(t.made.inputs[0].dim_order, "\0\1", 2);
    t.tensors[0].dim_order = t.dim_order;
    static const char order[] =
        "input 0 of forward has a dim_order that does not name each dimension once";
    t.dim_order[1] = 1; /* dimension 1 twice */
    assert_fails(add_inputs(&t), ETI_ERROR_DATA, order);
    t.dim_order[1] = 32; /* no dimension; shifting 1 by it is undefined */
    assert_fails(add_inputs(&t), ETI_ERROR_DATA, order);
    t.dim_order[1] = 1;
    t.dim_order[0] = 0;
    assert_ok(add_inputs(&t));
    static const int32_t many[ETI_BUNDLE_MOST_DIMS + 1];
    t.tensors[0].sizes = many;
    t.tensors[0].n_dims = ETI_BUNDLE_MOST_DIMS + 1;
    t.tensors[0].dim_order = NULL;
    assert_fails(add_inputs(&t), ETI_ERROR_DATA,
                 "has 17 dimensions, but a tensor of a test case at most 16");
    t.tensors[0].n_dims = ETI_BUNDLE_MOST_DIMS;
    assert_fails(add_inputs(&t), ETI_ERROR_DATA, "for input 0 of forward, found float32 [2, 3]");
    eti__arena_free(&t.arena);
}

static void there_is_a_tensor_for_each_value(void **state) {
    (void)state;
    two_tensors t;
    start(&t, true);
    assert_fails(eti__test_case_add_expected(&t.made, &t.arena, &t.plan, &t.file, &err),
                 ETI_ERROR_DATA,
                 "in.npz: expected 1 tensor, one for each output of forward, found 2");
    t.content.n_tensors = 1;
    assert_fails(add_inputs(&t), ETI_ERROR_DATA,
                 "in.npz: expected 2 tensors, one for each input of forward, found 1");
    t.content.tensors = &t.found[1];
    assert_ok(eti__test_case_add_expected(&t.made, &t.arena, &t.plan, &t.file, &err));
    assert_int_equal(t.made.n_expected, 1);
    assert_text(t.made.expected[0].tensor.name, "x10");
    t.plan.n_values = 1; /* the output has no value */
    assert_fails(eti__test_case_add_expected(&t.made, &t.arena, &t.plan, &t.file, &err),
                 ETI_ERROR_DATA, "output 0 of forward is not a tensor, so");
    eti__arena_free(&t.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_names_count_by_their_values),
        cmocka_unit_test(integers_are_those_of_the_program),
        cmocka_unit_test(bools_are_those_of_the_program),
        cmocka_unit_test(floats_are_near_those_of_the_program),
        cmocka_unit_test(texts_have_no_place),
        cmocka_unit_test(sizes_are_those_of_the_method_or_below_its_bounds),
        cmocka_unit_test(tensors_are_in_order_of_names_unless_the_file_has_one),
        cmocka_unit_test(dimensions_are_in_the_order_of_the_method),
        cmocka_unit_test(there_is_a_tensor_for_each_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
