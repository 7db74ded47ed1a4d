#include "plan_fixture.h"

#include "program/calls.h"

/* ==== calls =================================================================================== */

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

/* ==== operators =============================================================================== */

static eti_pte program;
static eti_needed_operators ops;

static void start(void) {
    start_plan(&f);
    program = (eti_pte){.plans = &f.plan, .n_plans = 1};
}

static void list_operators(size_t n_programs) {
    eti_error err = ETI_ERROR_INIT;
    const eti_pte programs[] = {program, program};
    assert_ok(eti__operators_make(&ops, &f.arena, programs, n_programs, &err));
}

static const eti_needed_operator *find(const char *name) {
    for (uint32_t i = 0; i < ops.n; i++) {
        if (eti__text_is(ops.items[i].name, name))
            return &ops.items[i];
    }
    fail_msg("no operator %s", name);
    return NULL;
}

static void calls_are_in_order(void **state) {
    (void)state;
    start();
    int32_t x = add_tensor(&f, 0, 4), y = add_tensor(&f, 4, 4);
    add_kernel(&f, ADD, x, y);
    add_plan_delegate(&f, x, y);
    add_kernel(&f, VIEW, x, y);
    add_kernel(&f, ADD, x, y);
    list_operators(2);
    const eti_needed_operator *add = find("aten::add.out");
    assert_int_equal(add->n_calls, 4);
    assert_int_equal(add->calls[0].instruction, 0);
    assert_int_equal(add->calls[1].instruction, 3);
    assert_int_equal(add->calls[1].program, 0);
    assert_int_equal(add->calls[2].program, 1);
    assert_int_equal(find("executorch_prim::et_view")->calls[0].instruction, 2);
    assert_int_equal(find("executorch_prim::et_copy_index.tensor")->n_calls, 0);
    end_plan(&f);
}

static void names_are_sorted(void **state) {
    (void)state;
    start();
    f.plan.n_operators = 3;
    list_operators(1);
    assert_int_equal(ops.n, 3);
    assert_text(ops.items[0].name, "aten::add.out");
    assert_text(ops.items[1].name, "executorch_prim::et_copy_index.tensor");
    assert_text(ops.items[2].name, "executorch_prim::et_view");
    end_plan(&f);
}

/* For a list its first tensor counts; numbers are ignored. */
static void keys_name_types_and_orders(void **state) {
    (void)state;
    static const uint8_t order[] = {1, 0};
    start();
    int32_t x = add_tensor(&f, 0, 4), y = add_tensor(&f, 4, 4), number = add_number(&f, 7);
    int32_t list = add_list(&f, -1, y, x), empty = add_list_of(&f, NULL, 0);
    f.tensors[x].scalar_type = 6;
    f.tensors[y].scalar_type = 4;
    f.tensors[y].dim_order = order;
    f.tensors[y].n_dims = 2;
    add_kernel(&f, ADD, x, number, list, empty, -1);
    add_kernel(&f, ADD, x, x);
    add_kernel(&f, ADD, x, x);
    add_kernel(&f, VIEW, number);
    list_operators(1);
    const eti_needed_operator *add = find("aten::add.out");
    assert_int_equal(add->dtypes, 1 << 6 | 1 << 4);
    assert_int_equal(add->n_kernel_keys, 2);
    assert_text(add->kernel_keys[0], "v1/6;|4;1,0");
    assert_text(add->kernel_keys[1], "v1/6;|6;");
    /* its key has no tensors */
    assert_int_equal(find("executorch_prim::et_view")->n_kernel_keys, 1);
    assert_text(find("executorch_prim::et_view")->kernel_keys[0], "v1");
    end_plan(&f);
}

/* The set of types holds the numbers from 0 to 63. */
static void types_without_a_bit_are_left_out(void **state) {
    (void)state;
    static const struct {
        int8_t type;
        uint64_t dtypes;
    } expected[] = {{-128, 0}, {-1, 0}, {0, 1}, {63, (uint64_t)1 << 63}, {64, 0}, {127, 0}};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        start();
        int32_t x = add_tensor(&f, 0, 4);
        f.tensors[x].scalar_type = expected[i].type;
        add_kernel(&f, ADD, x, x);
        list_operators(1);
        assert_true(find("aten::add.out")->dtypes == expected[i].dtypes);
        end_plan(&f);
    }
}

/* Returns the number of missing operators of a program that calls aten::add.out and executorch_prim::et_view. */
static uint32_t count_missing(const char *list) {
    eti_error err = ETI_ERROR_INIT;
    uint32_t n;
    const eti_source source = {.path = "list", .data = list, .size = strlen(list)};
    start();
    int32_t x = add_tensor(&f, 0, 4);
    add_kernel(&f, ADD, x);
    add_kernel(&f, VIEW, x);
    list_operators(1);
    assert_ok(eti__operators_find_missing(&ops, &source, &n, &err));
    end_plan(&f);
    return n;
}

static void lists_have_a_name_a_line(void **state) {
    (void)state;
    assert_int_equal(count_missing("aten::add.out\nexecutorch_prim::et_view"), 0);
    assert_int_equal(count_missing("# all\r\n  aten::add.out  float32\r\n"), 1);
    assert_int_equal(count_missing("aten::add\nexecutorch_prim::et_view.out\n"), 2);
}

static void lists_may_be_yaml(void **state) {
    (void)state;
    assert_int_equal(count_missing("operators:\n"
                                   "  aten::add.out:\n"
                                   "    is_root_operator: true\n"
                                   "  'executorch_prim::et_view': {}\n"),
                     0);
    /* Only the keys of operators count, not those below them. */
    assert_int_equal(count_missing("et_kernel_metadata:\n"
                                   "  aten::add.out: []\n"
                                   "operators:\n"
                                   "  aten::mul.out:\n"
                                   "    executorch_prim::et_view: 1\n"
                                   "other:\n"
                                   "  aten::add.out: 1\n"),
                     2);
}

static void a_list_without_names_is_refused(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    uint32_t n;
    const eti_source source = {.path = "list", .data = "# none\n", .size = 7};
    const eti_source bare = {.path = "list", .data = "add.out\nmul.out\n", .size = 16};
    start();
    list_operators(1);
    assert_fails(eti__operators_find_missing(&ops, &source, &n, &err), ETI_ERROR_MALFORMED,
                 "list: contains no operator names");
    assert_fails(eti__operators_find_missing(&ops, &bare, &n, &err), ETI_ERROR_MALFORMED,
                 "expected one name per line, such as aten::add.out");
    end_plan(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_have_names),
        cmocka_unit_test(kernels_write_their_last_argument),
        cmocka_unit_test(only_lists_have_items),
        cmocka_unit_test(calls_are_in_order),
        cmocka_unit_test(names_are_sorted),
        cmocka_unit_test(keys_name_types_and_orders),
        cmocka_unit_test(types_without_a_bit_are_left_out),
        cmocka_unit_test(lists_have_a_name_a_line),
        cmocka_unit_test(lists_may_be_yaml),
        cmocka_unit_test(a_list_without_names_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
