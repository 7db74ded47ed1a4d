/* Joins the memory of methods with the facts that an ETRecord has about them. */
#include "seen_fixture.h"

#include "places/planned_methods.h"

static eti_inspector *open_files(const char *program, const char *record, const char *method) {
    const eti_source pte = {.path = program}, etrecord = {.path = record};
    const eti_inputs inputs = {
        .etrecord = record ? &etrecord : NULL, .programs = &pte, .n_programs = program ? 1 : 0};
    const eti_options options = {.method = method};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&inspector, &inputs, &options, &err));
    return inspector;
}

static void methods_of_the_program_are_those_of_the_record(void **state) {
    (void)state;
    eti_inspector *inspector = open_files("testdata/multi-method/model.pte",
                                          "testdata/multi-method/record.etrecord", NULL);
    eti_error err = ETI_ERROR_INIT;
    eti_planned_methods all;
    eti_arena arena = {0};
    assert_ok(eti__planned_methods_make(&all, &arena, inspector, &err));
    assert_int_equal(all.n, 2);
    for (uint32_t i = 0; i < all.n; i++) {
        const eti_planned_method *of = &all.methods[i];
        assert_int_equal(of->number, i);
        assert_ptr_equal(of->plan, &all.pte->plans[i]);
        assert_true(eti__text_equal(eti__etrecord_method_name(inspector->record, of->record_method),
                                    of->plan->name));
        assert_true(of->arenas.n_arenas > 0);
    }
    eti__arena_free(&arena);
    eti_inspector_close(inspector);
}

static void one_method_is_chosen_by_name(void **state) {
    (void)state;
    eti_inspector *inspector = open_files("testdata/multi-method/model.pte", NULL, "forward");
    eti_error err = ETI_ERROR_INIT;
    eti_planned_methods all;
    eti_arena arena = {0};
    assert_ok(eti__planned_methods_make(&all, &arena, inspector, &err));
    assert_int_equal(all.n, 1);
    assert_text(all.methods[0].plan->name, "forward");
    assert_true(all.methods[0].record_method == ETI_NO_METHOD);
    inspector->options.method = "decode";
    assert_fails(eti__planned_methods_make(&all, &arena, inspector, &err), ETI_ERROR_USAGE,
                 "there is no method decode in testdata/multi-method/model.pte");
    inspector->n_programs = 0;
    assert_fails(eti__planned_methods_make(&all, &arena, inspector, &err), ETI_ERROR_USAGE,
                 "no program was given");
    inspector->n_programs = 1;
    eti__arena_free(&arena);
    eti_inspector_close(inspector);
}

/* If the record and the program have one method each, the names do not matter. */
static void only_methods_agree(void **state) {
    (void)state;
    static const eti_text other = {"other", 5};
    eti_inspector *inspector =
        open_files("testdata/mlp/model.pte", "testdata/mlp/record.etrecord", NULL);
    const eti_pte *pte = &inspector->programs[0];
    eti_pte_plan plan = pte->plans[0];
    plan.name = other;
    assert_int_equal(eti__record_method_of_plan(inspector, pte, &plan), 0);
    eti_inspector_close(inspector);

    inspector = open_files("testdata/multi-method/model.pte",
                           "testdata/multi-method/record.etrecord", NULL);
    pte = &inspector->programs[0];
    plan.name = other;
    assert_true(eti__record_method_of_plan(inspector, pte, &plan) == ETI_NO_METHOD);
    eti_inspector_close(inspector);
    inspector = open_files("testdata/multi-method/model.pte", "testdata/mlp/record.etrecord", NULL);
    assert_true(eti__record_method_of_plan(inspector, &inspector->programs[0], &plan) ==
                ETI_NO_METHOD);
    eti_inspector_close(inspector);
    inspector = open_files("testdata/mlp/model.pte", NULL, NULL);
    assert_true(eti__record_method_of_plan(inspector, &inspector->programs[0], &plan) ==
                ETI_NO_METHOD);
    eti_inspector_close(inspector);
}

static void the_record_is_of_the_first_program(void **state) {
    (void)state;
    const eti_source programs[] = {{.path = "testdata/mlp/model.pte"},
                                   {.path = "testdata/mlp/inline.pte"}};
    const eti_source record = {.path = "testdata/mlp/record.etrecord"};
    const eti_inputs inputs = {.etrecord = &record, .programs = programs, .n_programs = 2};
    eti_inspector *inspector;
    eti_planned_method method;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    for (size_t i = 0; i < 2; i++) {
        assert_ok(
            eti__planned_method_make(&method, &arena, inspector, &inspector->programs[i], 0, &err));
        assert_true(method.record_method == (i == 0 ? 0 : ETI_NO_METHOD));
    }
    eti__arena_free(&arena);
    eti_inspector_close(inspector);
}

/* Opens a delegate that takes x and a, and gives y, as its arguments and its number of outputs say. */
static void open_delegate(seen *s, const char *num_outputs) {
    program_spec *p = &s->program;
    builder *b = &p->b;
    for (uint32_t v = 0; v < 3; v++) {
        place sizes = I32S(b, 4), order = put_string_of(b, "", 1);
        ADD_TENSOR(p, .scalar_type = 1, .sizes = sizes, .dim_order = order, .is_planned = true,
                   .memory_id = 1, .offset_low = 16 * v);
    }
    p->inputs = I32S(b, 0);
    p->outputs = I32S(b, 2);
    p->arenas = I64S(b, 0, 48);
    s->payloads[s->n_payloads++] = PUT_TABLE(b, target_slot(put_bytes(b, "x", 1)));
    add_delegate_of(p, "Npu", false, 0);
    add_call(p, A_DELEGATE_CALL, 0, I32S(b, 0, 1, 2));
    open_seen(s, DUMP(&s->session.b, RUN(&s->session.b, "Execute", CALL_OF(&s->session.b, 0))),
              &(record_spec){.handles = "{\"0\": [1]}", .num_outputs = num_outputs});
}

/* Without that number, every argument that nothing refers to before is an output. */
static void the_record_knows_outputs_of_delegates(void **state) {
    (void)state;
    static const struct {
        const char *map;
        eti_planned_role role; /* of value 1 */
    } cases[] = {{"{\"0\": 1}", ETI_PLANNED_SCRATCH},
                 {"{\"0\": 2}", ETI_PLANNED_ACTIVATION},
                 {"{\"1\": 1}", ETI_PLANNED_ACTIVATION},
                 {"{\"0\": -1}", ETI_PLANNED_ACTIVATION},
                 {"{\"0\": 4294967297}", ETI_PLANNED_ACTIVATION},
                 {NULL, ETI_PLANNED_ACTIVATION}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        seen s = {0};
        eti_error err = ETI_ERROR_INIT;
        eti_planned_methods all;
        eti_arena arena = {0};
        open_delegate(&s, cases[i].map);
        assert_ok(eti__planned_methods_make(&all, &arena, s.session.inspector, &err));
        assert_int_equal(all.methods[0].liveness.n_tensors, 3);
        assert_int_equal(all.methods[0].liveness.tensors[1].role, cases[i].role);
        assert_int_equal(all.methods[0].liveness.tensors[2].role, ETI_PLANNED_OUTPUT);
        eti__arena_free(&arena);
        close_seen(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_of_the_program_are_those_of_the_record),
        cmocka_unit_test(one_method_is_chosen_by_name),
        cmocka_unit_test(only_methods_agree),
        cmocka_unit_test(the_record_is_of_the_first_program),
        cmocka_unit_test(the_record_knows_outputs_of_delegates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
