/* Reads values written by torch.save. That those of test cases are assigned to their blocks is tested with the Inspector in
 * testdata/bundled-inputs. */
#include "model/reference_outputs.h"

#include "model/value.h"
#include "support.h"

#define ITEM(...) (&(const eti_saved_value){__VA_ARGS__})

static const int64_t sizes[] = {2, 3}, rows[] = {3, 1}, columns[] = {1, 2};
static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6};

static eti_tensor_values tensor_of(int8_t type, const int64_t *strides) {
    return (eti_tensor_values){.scalar_type = type,
                               .n_dims = 2,
                               .sizes = sizes,
                               .strides = strides,
                               .n_elements = 6,
                               .data = bytes};
}

static void every_kind_has_its_value(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_tensor_values plain = tensor_of(0, rows), turned = tensor_of(0, columns),
                      complex = tensor_of(9, rows);
    const eti_saved_value *pair[] = {ITEM(.kind = ETI_SAVED_TENSOR, .tensor = &plain),
                                     ITEM(.kind = ETI_SAVED_TENSOR, .tensor = &turned)};
    const eti_saved_value *mixed[] = {pair[0], ITEM(.kind = ETI_SAVED_NONE)};
    const eti_saved_value *items[] = {
        pair[0],
        pair[1],
        ITEM(.kind = ETI_SAVED_INT, .as_int = -7),
        ITEM(.kind = ETI_SAVED_BOOL, .as_bool = true),
        ITEM(.kind = ETI_SAVED_FLOAT, .as_float = 1.5),
        ITEM(.kind = ETI_SAVED_TUPLE, .items = pair, .n_items = 2),
        ITEM(.kind = ETI_SAVED_LIST, .items = mixed, .n_items = 2),
        ITEM(.kind = ETI_SAVED_TENSOR, .tensor = &complex),
        ITEM(.kind = ETI_SAVED_NONE),
    };
    static const eti_value_kind kinds[] = {
        ETI_VALUE_TENSOR,      ETI_VALUE_TENSOR, ETI_VALUE_INT,  ETI_VALUE_BOOL, ETI_VALUE_DOUBLE,
        ETI_VALUE_TENSOR_LIST, ETI_VALUE_NONE,   ETI_VALUE_NONE, ETI_VALUE_NONE};
    const eti_value *values;
    size_t n;
    assert_ok(eti__values_of_saved(
        &values, &n, &arena,
        ITEM(.kind = ETI_SAVED_LIST, .items = items, .n_items = COUNT_OF(items)), &err));
    assert_int_equal(n, COUNT_OF(kinds));
    for (size_t i = 0; i < n; i++)
        assert_int_equal(values[i].kind, kinds[i]);
    assert_ptr_equal(values[0].tensors->data, bytes);
    assert_int_equal(values[0].tensors->n_bytes, 6);
    assert_string_equal(values[0].tensors->dtype, "uint8");
    assert_memory_equal(values[1].tensors->data, "\1\3\5\2\4\6", 6);
    assert_true(values[2].as_int == -7 && values[3].as_bool);
    assert_bits(values[4].as_double, 1.5);
    assert_int_equal(values[5].n_tensors, 2);
    assert_memory_equal(values[5].tensors[1].data, "\1\3\5\2\4\6", 6);
    eti__arena_free(&arena);
}

static void a_value_alone_is_the_only_output(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_tensor_values plain = tensor_of(1, rows);
    const eti_value *values;
    size_t n;
    assert_ok(eti__values_of_saved(&values, &n, &arena,
                                   ITEM(.kind = ETI_SAVED_TENSOR, .tensor = &plain), &err));
    assert_int_equal(n, 1);
    assert_int_equal(values[0].kind, ETI_VALUE_TENSOR);
    assert_ok(eti__values_of_saved(&values, &n, &arena, ITEM(.kind = ETI_SAVED_TUPLE), &err));
    assert_int_equal(n, 0);
    eti__arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_its_value),
        cmocka_unit_test(a_value_alone_is_the_only_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
