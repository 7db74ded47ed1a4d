/* Tests which tensors of runs are listed, in which order, and which faults are reported. */
#include "numerics/recorded.h"

#include "recorded_fixture.h"

#define NO_ROOM UINT64_MAX /* the offset of a tensor that was not recorded */

static void tensors_have_their_faults(void **state) {
    (void)state;
    found f = {.recorded = {.n = 0}};
    builder *b = &f.s.b;
    static const struct {
        uint8_t fault;
        uint64_t n_elements;
    } expected[] = {{ETI_RECORDED_FINE, 4},     {ETI_RECORDED_FINE, 0},
                    {ETI_RECORDED_CONTENTS, 4}, {ETI_RECORDED_OUTSIDE, 61},
                    {ETI_RECORDED_OUTSIDE, 1},  {ETI_RECORDED_TYPE, 1},
                    {ETI_RECORDED_SHAPE, 0},    {ETI_RECORDED_FINE, 64}};
    place tensors[] = {TENSOR(b, TYPE_FLOAT, 0, 4),       TENSOR(b, TYPE_FLOAT, NO_ROOM, 3, 0),
                       TENSOR(b, TYPE_FLOAT, NO_ROOM, 4), TENSOR(b, TYPE_FLOAT, 16, 61),
                       TENSOR(b, TYPE_FLOAT, 256, 1),     TENSOR(b, 9, 0, 1),
                       TENSOR(b, TYPE_FLOAT, 0, -1),      TENSOR(b, TYPE_FLOAT, 0, 64)};
    place value = VALUE(b, .val = SOME(VAL_TENSOR_LIST),
                        .tensor_list = put_tensor_list(b, tensors, COUNT_OF(tensors)));
    find_recorded(&f,
                  DUMP(b, RUN(b, "Execute", TIMED_CALL(b, "k", 1),
                              LOGGED(b, .name = "k", .instruction_id = SOME(1), .value = value))),
                  NULL);
    assert_int_equal(f.recorded.n, COUNT_OF(expected));
    for (uint32_t i = 0; i < COUNT_OF(expected); i++) {
        const eti_recorded_tensor *tensor = &f.recorded.tensors[i];
        assert_int_equal(tensor->fault, expected[i].fault);
        assert_int_equal(tensor->index, i);
        assert_int_equal(tensor->n_of_event, COUNT_OF(expected));
        assert_int_equal(tensor->values.data != NULL,
                         tensor->fault == ETI_RECORDED_FINE && expected[i].n_elements > 0);
        if (tensor->fault != ETI_RECORDED_SHAPE)
            assert_int_equal(tensor->values.n_elements, expected[i].n_elements);
    }
    assert_int_equal(f.recorded.n_with_bytes, 4);
    assert_int_equal(f.recorded.n_outside, 2);
    close_recorded(&f);
}

/* A tensor that a list names twice is read once, and counted twice. */
static void a_list_may_repeat_a_tensor(void **state) {
    (void)state;
    found f = {.recorded = {.n = 0}};
    builder *b = &f.s.b;
    place fine = TENSOR(b, TYPE_FLOAT, 0, 4), outside = TENSOR(b, TYPE_FLOAT, 252, 2),
          empty = TENSOR(b, TYPE_FLOAT, 0, 0), complex = TENSOR(b, 9, 0, 1);
    const place tensors[] = {fine, fine, fine, outside, outside, empty, empty, complex, complex};
    place value = VALUE(b, .val = SOME(VAL_TENSOR_LIST),
                        .tensor_list = put_tensor_list(b, tensors, COUNT_OF(tensors)));
    find_recorded(&f,
                  DUMP(b, RUN(b, "Execute", TIMED_CALL(b, "k", 1),
                              LOGGED(b, .name = "k", .instruction_id = SOME(1), .value = value))),
                  NULL);
    assert_int_equal(f.recorded.n, COUNT_OF(tensors));
    for (uint32_t i = 0; i < COUNT_OF(tensors); i++)
        assert_int_equal(f.recorded.tensors[i].index, i);
    assert_int_equal(f.recorded.n_with_bytes, 5);
    assert_int_equal(f.recorded.n_outside, 2);
    close_recorded(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensors_have_their_faults),
        cmocka_unit_test(a_list_may_repeat_a_tensor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
