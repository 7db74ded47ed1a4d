/* Reads test cases of bundled programs: exported ones, and synthetic ones that no exporter writes. */
#include "program_builder.h"
#include "support.h"

#include "pte/pte.h"
#include "tensors/tensors.h"

static eti_error err = ETI_ERROR_INIT;

typedef struct fixture {
    builder b;
    eti_arena arena;
    eti_bundle bundle;
    const eti_bundle_case *cases; /* of the first suite */
} fixture;

static void free_fixture(fixture *f) {
    eti__arena_free(&f->arena);
    builder_free(&f->b);
}

static void open_bytes(fixture *f, const void *data, size_t size) {
    assert_ok(eti__bundle_open(&f->bundle, &f->arena, (eti_text){data, size}, &err));
    assert_ok(eti__bundle_read_suite(&f->cases, &f->arena, &f->bundle, 0, &err));
}

/* ---- real ones ------------------------------------------------------------------------------- */

static void cases_of_the_exporter_are_read(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = read_whole_file("testdata/bundled-inputs/bundle.bpte", &size);
    fixture f = {.cases = NULL};
    open_bytes(&f, bytes, size);
    assert_int_equal(f.bundle.suites[0].n_cases, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(f.cases[i].n_inputs, 1);
        assert_int_equal(f.cases[i].n_expected, 1);
        const eti_bundle_value *input = f.cases[i].inputs, *output = f.cases[i].expected;
        assert_int_equal(input->kind, ETI_BUNDLE_TENSOR);
        assert_null(input->fault);
        assert_int_equal(input->tensor.scalar_type, 6);
        assert_int_equal(input->tensor.n_dims, 2);
        assert_int_equal(input->tensor.sizes[1], 8);
        assert_int_equal(input->tensor.strides[0], 8);
        assert_int_equal(input->tensor.strides[1], 1);
        assert_int_equal(output->tensor.n_elements, 4);
        assert_non_null(output->tensor.data);
    }
    assert_memory_not_equal(f.cases[0].inputs->tensor.data, f.cases[1].inputs->tensor.data, 32);
    assert_text(f.bundle.suites[0].method, "forward");
    free_fixture(&f);
    free(bytes);
}

/* ---- made ones ------------------------------------------------------------------------------- */

enum { TENSOR = 1, INT, BOOL, DOUBLE };

/* The value is the only input of the only case of "forward". */
static const eti_bundle_value *open_value(fixture *f, place value) {
    builder *b = &f->b;
    place inputs = put_tables(b, &value, 1), program = put_bytes(b, "x", 1);
    place one = PUT_TABLE(b, target_slot(inputs)), cases = put_tables(b, &one, 1);
    place name = put_string(b, "forward");
    place suite = PUT_TABLE(b, target_slot(name), target_slot(cases));
    place suites = put_tables(b, &suite, 1);
    finish_as(b, PUT_TABLE(b, (slot){4, 2, 0}, target_slot(suites), target_slot(program)), "BP08",
              false);
    open_bytes(f, b->file.data, b->file.size);
    assert_int_equal(f->cases[0].n_inputs, 1);
    assert_int_equal(f->cases[0].n_expected, 0);
    return f->cases[0].inputs;
}

typedef struct made_tensor {
    uint8_t scalar_type;
    const int32_t *sizes;
    size_t n_dims;
    const char *dim_order; /* has n_orders bytes; NULL: absent */
    size_t n_orders;
    size_t n_data; /* bytes 0, 1, 2, ...; SIZE_MAX: absent */
} made_tensor;

static const eti_bundle_value *open_tensor(fixture *f, const made_tensor *t) {
    builder *b = &f->b;
    uint8_t data[256];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)i;
    place sizes = put_i32s(b, t->sizes, t->n_dims);
    place bytes = t->n_data == SIZE_MAX ? 0 : put_bytes(b, data, t->n_data);
    place order = t->dim_order ? put_bytes(b, t->dim_order, t->n_orders) : 0;
    place tensor = PUT_TABLE(b, (slot){1, t->scalar_type, 0}, target_slot(sizes),
                             target_slot(bytes), target_slot(order));
    return open_value(f, put_either(b, TENSOR, tensor));
}

#define SIZES(...)                                                                                 \
    .sizes = (const int32_t[]){__VA_ARGS__}, .n_dims = COUNT_OF(((const int32_t[]){__VA_ARGS__}))

static void expect_fault(const made_tensor *t, const char *why) {
    fixture f = {.cases = NULL};
    const eti_bundle_value *value = open_tensor(&f, t);
    assert_int_equal(value->kind, ETI_BUNDLE_TENSOR);
    if (!value->fault || !strstr(value->fault, why))
        fail_msg("expected \"%s\" in \"%s\"", why, value->fault ? value->fault : "no fault");
    assert_null(value->tensor.data);
    free_fixture(&f);
}

static void data_lie_in_the_order_of_dimensions(void **state) {
    (void)state;
    const made_tensor channels_last = {
        .scalar_type = 1, SIZES(1, 2, 2, 3), .dim_order = "\0\2\3\1", .n_orders = 4, .n_data = 12};
    static const uint8_t expected[] = {0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11};
    uint8_t found[12];
    fixture f = {.cases = NULL};
    const eti_bundle_value *value = open_tensor(&f, &channels_last);
    assert_null(value->fault);
    assert_int_equal(value->tensor.n_elements, 12);
    eti__tensor_values_copy(&value->tensor, 0, 12, found);
    assert_memory_equal(found, expected, 12);
    free_fixture(&f);
}

static void scalars_and_empty_tensors_are_read(void **state) {
    (void)state;
    const made_tensor scalar = {.scalar_type = 6, .dim_order = "", .n_data = 4};
    const made_tensor empty = {
        .scalar_type = 6, SIZES(3, 0), .dim_order = "\0\1", .n_orders = 2, .n_data = SIZE_MAX};
    const made_tensor slice = {
        .scalar_type = 1, SIZES(3), .dim_order = "", .n_orders = 1, .n_data = 9};
    fixture f = {.cases = NULL};
    const eti_bundle_value *value = open_tensor(&f, &scalar);
    assert_null(value->fault);
    assert_int_equal(value->tensor.n_elements, 1);
    free_fixture(&f);
    f = (fixture){.cases = NULL};
    value = open_tensor(&f, &empty);
    assert_null(value->fault);
    assert_int_equal(value->tensor.n_elements, 0);
    assert_null(value->tensor.data);
    free_fixture(&f);
    f = (fixture){.cases = NULL}; /* the exporter writes the whole storage of a slice */
    value = open_tensor(&f, &slice);
    assert_null(value->fault);
    assert_int_equal(value->tensor.n_elements, 3);
    free_fixture(&f);
}

static void impossible_tensors_are_marked(void **state) {
    (void)state;
    static const int32_t many[17] = {1};
    expect_fault(
        &(made_tensor){.scalar_type = 6, SIZES(2), .dim_order = "", .n_orders = 1, .n_data = 7},
        "less data");
    expect_fault(
        &(made_tensor){
            .scalar_type = 6, SIZES(2), .dim_order = "", .n_orders = 1, .n_data = SIZE_MAX},
        "less data");
    expect_fault(&(made_tensor){.scalar_type = 6, SIZES(-1), .dim_order = "", .n_orders = 1},
                 "negative");
    expect_fault(&(made_tensor){.scalar_type = 7,
                                SIZES(INT32_MAX, INT32_MAX, INT32_MAX),
                                .dim_order = "\0\1\2",
                                .n_orders = 3},
                 "too large for any memory");
    expect_fault(
        &(made_tensor){
            .scalar_type = 6, .sizes = many, .n_dims = 17, .dim_order = "", .n_orders = 1},
        "16 dimensions");
    expect_fault(&(made_tensor){.scalar_type = 6, SIZES(1, 1), .n_data = 4}, "length differs");
    expect_fault(
        &(made_tensor){.scalar_type = 6, SIZES(1, 1), .dim_order = "", .n_orders = 1, .n_data = 4},
        "length differs");
    expect_fault(
        &(made_tensor){
            .scalar_type = 6, SIZES(1, 1), .dim_order = "\0\2", .n_orders = 2, .n_data = 4},
        "not a permutation of its dimensions");
    expect_fault(
        &(made_tensor){
            .scalar_type = 6, SIZES(1, 1), .dim_order = "\1\1", .n_orders = 2, .n_data = 4},
        "not a permutation of its dimensions");
    expect_fault(
        &(made_tensor){.scalar_type = 16, SIZES(1), .dim_order = "", .n_orders = 1, .n_data = 4},
        "unknown");
    expect_fault(
        &(made_tensor){.scalar_type = 200, SIZES(1), .dim_order = "", .n_orders = 1, .n_data = 4},
        "unknown");
}

static void numbers_are_read(void **state) {
    (void)state;
    double number = -0.5;
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    fixture f = {.cases = NULL};
    const eti_bundle_value *value =
        open_value(&f, put_either(&f.b, INT, PUT_TABLE(&f.b, (slot){8, (uint64_t)-7, 0})));
    assert_int_equal(value->kind, ETI_BUNDLE_INT);
    assert_int_equal(value->as_int, -7);
    free_fixture(&f);
    f = (fixture){.cases = NULL};
    value = open_value(&f, put_either(&f.b, BOOL, PUT_TABLE(&f.b, (slot){1, 2, 0})));
    assert_int_equal(value->kind, ETI_BUNDLE_BOOL);
    assert_int_equal(value->as_int, 1);
    free_fixture(&f);
    f = (fixture){.cases = NULL};
    value = open_value(&f, put_either(&f.b, DOUBLE, PUT_TABLE(&f.b, (slot){8, bits, 0})));
    assert_int_equal(value->kind, ETI_BUNDLE_DOUBLE);
    assert_true(value->as_double == -0.5);
    free_fixture(&f);
    f = (fixture){.cases = NULL}; /* defaults are not stored */
    value = open_value(&f, put_either(&f.b, INT, PUT_TABLE(&f.b, (slot){0})));
    assert_int_equal(value->kind, ETI_BUNDLE_INT);
    assert_int_equal(value->as_int, 0);
    free_fixture(&f);
}

static void other_values_are_marked(void **state) {
    (void)state;
    fixture f = {.cases = NULL};
    const eti_bundle_value *value =
        open_value(&f, put_either(&f.b, 5, PUT_TABLE(&f.b, (slot){8, 1, 0})));
    assert_int_equal(value->kind, ETI_BUNDLE_ABSENT);
    assert_non_null(value->fault);
    free_fixture(&f);
    f = (fixture){.cases = NULL};
    value = open_value(&f, PUT_TABLE(&f.b, (slot){0}));
    assert_int_equal(value->kind, ETI_BUNDLE_ABSENT);
    assert_non_null(value->fault);
    free_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_of_the_exporter_are_read),
        cmocka_unit_test(data_lie_in_the_order_of_dimensions),
        cmocka_unit_test(scalars_and_empty_tensors_are_read),
        cmocka_unit_test(impossible_tensors_are_marked),
        cmocka_unit_test(numbers_are_read),
        cmocka_unit_test(other_values_are_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
