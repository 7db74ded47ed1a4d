#include "plan_fixture.h"

#include "base/text.h"
#include "view/program/planned_memory.h"

static plan_fixture f;

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
        eti__shape_add(&shape, &tensor);
        assert_text(eti__buffer_text(&shape), cases[i].shape);
        eti__buffer_free(&shape);
    }
}

static void calls_have_the_names_of_what_they_call(void **state) {
    (void)state;
    start_plan(&f);
    eti_method_names names;
    int32_t x = add_tensor(&f, 0, 4), y = add_tensor(&f, 4, 4);
    add_kernel(&f, COPY_INDEX, x, y);
    add_delegate(&f, x, y);
    add_move(&f, x, y);
    f.operators[ADD].name = eti__text_of("aten::\xff");
    assert_true(eti__method_names_make(&names, &f.arena, &f.plan));
    assert_text(names.method, "forward");
    assert_text(eti__call_name(&names, &f.instructions[0]),
                "executorch_prim::et_copy_index.tensor");
    assert_text(eti__call_name(&names, &f.instructions[1]), "XnnpackBackend");
    assert_text(eti__call_name(&names, &f.instructions[2]), "move");
    /* what is shown is UTF-8 */
    assert_text(names.operators[ADD], "aten::\xef\xbf\xbd.out");
    end_plan(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_say_what_may_change),
        cmocka_unit_test(calls_have_the_names_of_what_they_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
