/* Counts the bytes that instructions read and write. */
#include "program/traffic.h"

#include "plan_fixture.h"

enum { NAMED = 3 }; /* operator of the fixture whose name a test sets */

static plan_fixture f;

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
