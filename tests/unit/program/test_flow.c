#include "plan_fixture.h"

#include "program/flow.h"

/* ==== flow ==================================================================================== */
/* Finds the values that instructions read and write, and their bytes. */

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

/* ==== traffic ================================================================================= */
/* Counts the bytes that instructions read and write. */

enum { NAMED = 3 }; /* operator of the fixture whose name a test sets */

static eti_traffic traffic_at(uint32_t instruction) {
    eti_error err = ETI_ERROR_INIT;
    eti_value_bytes bytes;
    find_lives(&f);
    assert_ok(eti__value_bytes_make(&bytes, &f.arena, &f.plan, &err));
    return eti__call_traffic(&f.liveness, &bytes, instruction);
}

static void assert_traffic(eti_traffic found, uint64_t read, uint64_t written, bool is_bound) {
    assert_int_equal(found.read, read);
    assert_int_equal(found.written, written);
    assert_int_equal(found.is_bound, is_bound);
}

static void kernels_and_delegates_use_their_arguments(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 5), y = add_tensor(&f, 16, 7), z = add_tensor(&f, 32, 9);
    int32_t yes = add_tensor(&f, 64, 1);
    add_input(&f, x);
    add_kernel(&f, ADD, x, x, y, y);
    add_plan_delegate(&f, y, z);
    add_jump(&f, yes, 3);
    assert_traffic(traffic_at(0), 10, 7, false);
    assert_traffic(traffic_at(1), 7, 9, false);
    assert_traffic(traffic_at(2), 1, 0, false);
    end_plan(&f);
}

static void moves_views_and_sizes_use_no_bytes(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 16), y = add_tensor(&f, 0, 16), number = add_number(&f, 4);
    f.operators[NAMED] = (eti_pte_operator){eti__text_of("aten::sym_size"), eti__text_of("int")};
    add_move(&f, x, y);
    add_kernel(&f, VIEW, x, number, y);
    add_kernel(&f, NAMED, x, number, number);
    f.tensors[y].dynamism = ETI_PTE_UPPER_BOUND;
    for (uint32_t i = 0; i < 3; i++)
        assert_traffic(traffic_at(i), 0, 0, false);
    end_plan(&f);
}

static void copy_index_copies_one_slice(void **state) {
    (void)state;
    start_plan(&f);
    int32_t rows = add_tensor(&f, 0, 64), row = add_tensor(&f, 64, 16), i = add_number(&f, 0);
    f.tensors[rows].dynamism = ETI_PTE_UPPER_BOUND; /* as the exporter writes it */
    add_kernel(&f, COPY_INDEX, rows, row, i);
    assert_traffic(traffic_at(0), 16, 16, false);
    end_plan(&f);
}

/* Returns the traffic of an operator with inputs of 100, 20 and 3 bytes, and an output of 40. */
static eti_traffic traffic_of(const char *name) {
    int32_t n = (int32_t)f.chain.n_instructions;
    f.operators[NAMED].name = eti__text_of(name);
    if (n == 0) {
        int32_t x = add_tensor(&f, 0, 100), y = add_tensor(&f, 100, 20), z = add_tensor(&f, 120, 3);
        int32_t out = add_tensor(&f, 128, 40);
        add_kernel(&f, NAMED, x, y, z, out, out);
    }
    return traffic_at(0);
}

static void operators_use_parts_of_their_arguments(void **state) {
    (void)state;
    start_plan(&f);
    assert_traffic(traffic_of("aten::addmm"), 123, 40, false);
    assert_traffic(traffic_of("aten::copy_"), 23, 40, false);
    assert_traffic(traffic_of("aten::copy"), 23, 40, false);
    assert_traffic(traffic_of("aten::full_like"), 23, 40, false);
    assert_traffic(traffic_of("aten::embedding"), 63, 40, false);
    assert_traffic(traffic_of("aten::index"), 63, 40, false);
    assert_traffic(traffic_of("aten::index_select"), 63, 40, false);
    assert_traffic(traffic_of("aten::select_copy"), 63, 40, false);
    assert_traffic(traffic_of("aten::index_put"), 123, 40, false); /* copies its input */
    assert_traffic(traffic_of("aten::index_put_"), 123, 40, true);
    assert_traffic(traffic_of("aten::scatter_add"), 123, 40, true);
    assert_traffic(traffic_of("quantized_decomposed::embedding_byte"), 123, 40, true);
    assert_traffic(traffic_of("llama::update_cache"), 123, 40, true);
    assert_traffic(traffic_of("executorch_prim::add"), 0, 0, false);
    assert_traffic(traffic_of("aten::empty_like"), 0, 0, false);
    assert_traffic(traffic_of("dim_order_ops::_empty_dim_order"), 0, 0, false);
    end_plan(&f);
}

/* The destination is the first argument and the last. */
static void copies_do_not_read_their_destination(void **state) {
    (void)state;
    start_plan(&f);
    int32_t to = add_tensor(&f, 0, 16), from = add_tensor(&f, 16, 16), no = add_number(&f, 0);
    f.operators[NAMED].name = eti__text_of("aten::copy_");
    add_kernel(&f, NAMED, to, from, no, to);
    assert_traffic(traffic_at(0), 16, 16, false);
    end_plan(&f);
}

static void dynamic_shapes_give_upper_bounds(void **state) {
    (void)state;
    start_plan(&f);
    traffic_of("aten::embedding");
    f.tensors[0].dynamism = ETI_PTE_UPPER_BOUND; /* the table, whose size does not count */
    assert_traffic(traffic_of("aten::embedding"), 63, 40, false);
    assert_traffic(traffic_of("aten::add"), 123, 40, true);
    f.tensors[0].dynamism = ETI_PTE_STATIC;
    f.tensors[3].dynamism = ETI_PTE_UPPER_BOUND;
    assert_traffic(traffic_of("aten::embedding"), 63, 40, true);
    f.tensors[3].dynamism = ETI_PTE_UNBOUND;
    f.tensors[3].n_bytes = ETI_PTE_UNKNOWN_SIZE;
    assert_traffic(traffic_of("aten::add"), 123, ETI_PTE_UNKNOWN_SIZE, false);
    assert_traffic(traffic_of("aten::embedding"), ETI_PTE_UNKNOWN_SIZE, ETI_PTE_UNKNOWN_SIZE,
                   false);
    end_plan(&f);
}

/* An operator without arguments is valid in a file. */
static void calls_may_have_no_arguments(void **state) {
    (void)state;
    start_plan(&f);
    f.operators[NAMED].name = eti__text_of("aten::index");
    add_plan_call(&f, ETI_PTE_KERNEL_CALL, NAMED, NULL, 0);
    assert_traffic(traffic_at(0), 0, 0, false);
    end_plan(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_of_kernels_stand_last),
        cmocka_unit_test(outputs_of_delegates_are_new),
        cmocka_unit_test(others_read_and_write_one_value),
        cmocka_unit_test(bytes_of_lists_are_those_of_their_items),
        cmocka_unit_test(shapes_say_what_may_change),
        cmocka_unit_test(kernels_and_delegates_use_their_arguments),
        cmocka_unit_test(moves_views_and_sizes_use_no_bytes),
        cmocka_unit_test(copy_index_copies_one_slice),
        cmocka_unit_test(operators_use_parts_of_their_arguments),
        cmocka_unit_test(copies_do_not_read_their_destination),
        cmocka_unit_test(dynamic_shapes_give_upper_bounds),
        cmocka_unit_test(calls_may_have_no_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
