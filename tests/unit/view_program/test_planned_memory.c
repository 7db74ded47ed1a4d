#include "plan_fixture.h"

#include "view_program/planned_memory.h"

static plan_fixture f;

static void calls_have_the_names_of_what_they_call(void **state) {
    (void)state;
    start_plan(&f);
    eti_method_names names;
    int32_t x = add_tensor(&f, 0, 4), y = add_tensor(&f, 4, 4);
    add_kernel(&f, COPY_INDEX, x, y);
    add_plan_delegate(&f, x, y);
    add_move(&f, x, y);
    f.operators[ADD].name = eti__text_of("aten::\xff");
    assert_true(eti__method_names_make(&names, &f.arena, &f.plan));
    assert_text(names.method, "forward");
    assert_text(eti__call_name(&names, &f.instructions[0]),
                "executorch_prim::et_copy_index.tensor");
    assert_text(eti__call_name(&names, &f.instructions[1]), "XnnpackBackend");
    assert_text(eti__call_name(&names, &f.instructions[2]), "move");
    /* displayed text is UTF-8 */
    assert_text(names.operators[ADD], "aten::\xef\xbf\xbd.out");
    end_plan(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_have_the_names_of_what_they_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
