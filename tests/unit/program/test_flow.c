/* Finds the values that instructions read and write, and their bytes. */
#include "program/flow.h"

#include "plan_fixture.h"

static plan_fixture f;

static void assert_values(eti_pte_indices found, const int32_t *expected, size_t n) {
    assert_int_equal(found.n, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(found.items[i], expected[i]);
}

static void outputs_of_kernels_stand_last(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 4), y = add_tensor(&f, 4, 4), z = add_tensor(&f, 8, 4);
    int32_t list = add_list(&f, y, z);
    add_input(&f, x);
    add_kernel(&f, ADD, x, y, y);        /* the output twice */
    add_kernel(&f, ADD, x, y, x);        /* in place */
    add_kernel(&f, ADD, x, y, z, list);  /* outputs, and the list that holds them */
    add_kernel(&f, ADD, x, list, list);  /* a list twice */
    add_kernel(&f, COPY_INDEX, y, x, z); /* the output first */
    int32_t same = add_list(&f, y, z);
    add_kernel(&f, ADD, x, list, same); /* the list that is returned has the same tensors */
    find_lives(&f);
    assert_values(eti__call_flow(&f.liveness, 0).reads, ITEMS(x));
    assert_values(eti__call_flow(&f.liveness, 0).writes, ITEMS(y));
    eti_call_flow in_place = eti__call_flow(&f.liveness, 1);
    assert_values(in_place.reads, ITEMS(x, y));
    assert_values(in_place.writes, ITEMS(x));
    eti_call_flow of_list = eti__call_flow(&f.liveness, 2);
    assert_values(of_list.reads, ITEMS(x));
    assert_values(of_list.writes, ITEMS(list));
    assert_values(eti__call_flow(&f.liveness, 3).reads, ITEMS(x));
    eti_call_flow copy = eti__call_flow(&f.liveness, 4);
    assert_values(copy.reads, ITEMS(x, z));
    assert_values(copy.writes, ITEMS(y));
    assert_values(eti__call_flow(&f.liveness, 5).reads, ITEMS(x));
    end_plan(&f);
}

static void outputs_of_delegates_are_new(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 4), y = add_tensor(&f, 4, 4), z = add_tensor_in(&f, 0, 0, 4);
    add_input(&f, x);
    add_output(&f, z);
    add_plan_delegate(&f, x, y);
    add_plan_delegate(&f, y, z);
    find_lives(&f);
    eti_call_flow first = eti__call_flow(&f.liveness, 0), second = eti__call_flow(&f.liveness, 1);
    assert_values(first.reads, ITEMS(x));
    assert_values(first.writes, ITEMS(y));
    assert_values(second.reads, ITEMS(y));
    assert_values(second.writes, ITEMS(z)); /* the caller's tensor; the caller provides the bytes */
    end_plan(&f);
}

static void others_read_and_write_one_value(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 4), y = add_tensor(&f, 4, 4), condition = add_number(&f, 1);
    add_move(&f, x, y);
    add_jump(&f, condition, 2);
    add_plan_instruction(&f, ETI_PTE_FREE_CALL, x);
    find_lives(&f);
    eti_call_flow move = eti__call_flow(&f.liveness, 0), jump = eti__call_flow(&f.liveness, 1);
    assert_values(move.reads, ITEMS(x));
    assert_values(move.writes, ITEMS(y));
    assert_values(jump.reads, ITEMS(condition));
    assert_int_equal(jump.writes.n, 0);
    assert_int_equal(eti__call_flow(&f.liveness, 2).reads.n, 0);
    end_plan(&f);
}

static void bytes_of_lists_are_those_of_their_items(void **state) {
    (void)state;
    eti_value_bytes bytes;
    eti_error err = ETI_ERROR_INIT;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 5), y = add_tensor(&f, 8, 7), number = add_number(&f, 3);
    int32_t list = add_list(&f, x, -1, y), unknown = add_tensor(&f, 16, 1);
    f.tensors[unknown].n_bytes = ETI_PTE_UNKNOWN_SIZE;
    assert_ok(eti__value_bytes_make(&bytes, &f.arena, &f.plan, &err));
    assert_int_equal(eti__values_bytes(&bytes, add_items(&f, ITEMS(x, list, number))).bytes, 17);
    assert_int_equal(eti__values_bytes(&bytes, add_items(&f, ITEMS(x, x))).bytes, 10);
    assert_true(eti__values_bytes(&bytes, add_items(&f, ITEMS(x, unknown))).bytes ==
                ETI_PTE_UNKNOWN_SIZE);
    assert_false(eti__values_bytes(&bytes, add_items(&f, ITEMS(x, list))).is_bound);
    f.tensors[y].dynamism = ETI_PTE_UPPER_BOUND;
    assert_ok(eti__value_bytes_make(&bytes, &f.arena, &f.plan, &err));
    assert_true(eti__values_bytes(&bytes, add_items(&f, ITEMS(x, list))).is_bound);
    assert_false(eti__values_bytes(&bytes, add_items(&f, ITEMS(x, number))).is_bound);
    end_plan(&f);
}

static void shapes_say_what_may_change(void **state) {
    (void)state;
    static const int32_t sizes[] = {8, 3};
    static const struct {
        uint8_t dynamism, n_dims;
        const char *shape;
    } cases[] = {{ETI_PTE_STATIC, 2, "[8, 3]"},
                 {ETI_PTE_UPPER_BOUND, 2, "[<=8, <=3]"},
                 {ETI_PTE_UNBOUND, 2, "[?, ?]"},
                 {ETI_PTE_STATIC, 0, "[]"},
                 {ETI_PTE_STATIC, 1, "[8]"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const eti_pte_tensor tensor = {
            .sizes = sizes, .n_dims = cases[i].n_dims, .dynamism = cases[i].dynamism};
        eti_buffer shape = {0};
        eti__tensor_add_bounds(&shape, &tensor);
        assert_text(eti__buffer_text(&shape), cases[i].shape);
        eti__buffer_free(&shape);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_of_kernels_stand_last),
        cmocka_unit_test(outputs_of_delegates_are_new),
        cmocka_unit_test(others_read_and_write_one_value),
        cmocka_unit_test(bytes_of_lists_are_those_of_their_items),
        cmocka_unit_test(shapes_say_what_may_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
