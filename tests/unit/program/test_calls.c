#include "plan_fixture.h"

static plan_fixture f;

static void assert_name(const eti_pte_instruction *instruction, const char *expected) {
    eti_buffer name = {0};
    eti__instruction_add_name(&name, &f.plan, instruction);
    assert_text(eti__buffer_text(&name), expected);
    eti__buffer_free(&name);
}

static void instructions_have_names(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 4), y = add_tensor(&f, 4, 4);
    add_kernel(&f, ADD, x, y);
    add_kernel(&f, VIEW, x, y);
    add_plan_delegate(&f, x, y);
    add_move(&f, x, y);
    add_jump(&f, x, 0);
    add_plan_instruction(&f, ETI_PTE_FREE_CALL, x);
    add_plan_instruction(&f, ETI_PTE_NO_CALL, 0);
    static const char *const expected[] = {"aten::add.out",  "executorch_prim::et_view",
                                           "XnnpackBackend", "move",
                                           "jump if false",  "free",
                                           "unknown"};
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_name(&f.instructions[i], expected[i]);
    end_plan(&f);
}

static void kernels_write_their_last_argument(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 4), y = add_tensor(&f, 4, 4);
    add_kernel(&f, ADD, x, y);
    add_kernel(&f, COPY_INDEX, x, y);
    add_plan_delegate(&f, x, y);
    add_plan_call(&f, ETI_PTE_KERNEL_CALL, ADD, NULL, 0);
    assert_int_equal(*eti__kernel_output(&f.plan, &f.instructions[0]), y);
    assert_int_equal(*eti__kernel_output(&f.plan, &f.instructions[1]), x);
    assert_null(eti__kernel_output(&f.plan, &f.instructions[2]));
    assert_null(eti__kernel_output(&f.plan, &f.instructions[3]));
    end_plan(&f);
}

static void only_lists_have_items(void **state) {
    (void)state;
    start_plan(&f);
    int32_t x = add_tensor(&f, 0, 4), list = add_list(&f, x, -1);
    assert_int_equal(eti__value_items(&f.plan, &x).n, 1);
    assert_ptr_equal(eti__value_items(&f.plan, &x).items, &x);
    assert_int_equal(eti__value_items(&f.plan, &list).n, 2);
    end_plan(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_have_names),
        cmocka_unit_test(kernels_write_their_last_argument),
        cmocka_unit_test(only_lists_have_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
