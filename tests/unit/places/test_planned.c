#include "seen_fixture.h"

#include "rollup_fixture.h"

#include "support.h"

/* ==== planned methods ========================================================================= */
/* Joins the memory of methods with the facts that an ETRecord has about them. */

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

/* Adds three tensors of four elements, side by side in an arena. */
static void add_tensors(program_spec *p) {
    builder *b = &p->b;
    for (uint32_t v = 0; v < 3; v++) {
        place sizes = I32S(b, 4), order = put_string_of(b, "", 1);
        ADD_TENSOR(p, .scalar_type = 1, .sizes = sizes, .dim_order = order, .is_planned = true,
                   .memory_id = 1, .offset_low = 16 * v);
    }
}

/* Opens a delegate that takes x and a, and gives y, as its arguments and its number of outputs say. */
static void open_delegate(seen *s, const char *num_outputs) {
    program_spec *p = &s->program;
    builder *b = &p->b;
    add_tensors(p);
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

/* ==== call places ============================================================================= */
/* Instructions of a program get the node, the module and the line that the ETRecord has for them. */

/* Instructions: permute, mm, a delegate, tan; the handles of rollup_fixture.h. */
static void open_four(seen *s, const record_spec *record) {
    static const char *const operators[] = {"aten::tan", "aten::permute", "aten::mm",
                                            "aten::permut"}; /* the delegate's number is tan's */
    program_spec *p = &s->program;
    builder *b = &p->b;
    p->operator_names = operators;
    p->n_operators = COUNT_OF(operators);
    add_call(p, A_KERNEL_CALL, 1, I32S(b, 0));
    add_call(p, A_KERNEL_CALL, 2, I32S(b, 0));
    add_delegate_bytes(s, "Npu", "x", 1);
    add_call(p, A_KERNEL_CALL, 0, I32S(b, 0));
    /* belongs to another operator than its handle does */
    add_call(p, A_KERNEL_CALL, 3, I32S(b, 0));
    open_seen(s, DUMP(&s->session.b, RUN(&s->session.b, "Execute", CALL_OF(&s->session.b, 2))),
              record);
}

#define FOUR_HANDLES "{\"0\": 1, \"1\": 1, \"2\": [2, 3], \"3\": 3, \"4\": 1}"

static eti_call_place place_of(seen *s, uint32_t instruction, eti_call_places *places,
                               eti_planned_method *method, eti_arena *arena) {
    const eti_inspector *inspector = s->session.inspector;
    eti_error err = ETI_ERROR_INIT;
    eti_call_place found;
    assert_ok(eti__planned_method_make(method, arena, inspector, &inspector->programs[0], 0, &err));
    assert_ok(eti__call_places_init(places, inspector, method, &err));
    /* an earlier query makes no difference */
    assert_true(eti__call_places_find(places, 1, &found));
    assert_true(eti__call_places_find(places, instruction, &found));
    return found;
}

/* "mm_ a.fc /m/a.py:7" */
static void assert_place(seen *s, uint32_t instruction, const char *expected) {
    eti_call_places places;
    eti_planned_method method;
    eti_arena arena = {0};
    eti_buffer text = {0};
    eti_call_place found = place_of(s, instruction, &places, &method, &arena);
    eti__call_places_free(&places); /* the record owns the texts */
    eti_text node = found.node.data ? found.node : eti__text_of("-");
    eti__buffer_printf(&text, "%.*s %.*s %.*s:%u", ETI_TEXT_ARGS(node), ETI_TEXT_ARGS(found.module),
                       ETI_TEXT_ARGS(found.file), found.line);
    assert_text(eti__buffer_text(&text), expected);
    eti__buffer_free(&text);
    eti__arena_free(&arena);
}

static void kernels_have_the_node_of_their_operator(void **state) {
    (void)state;
    seen s = {0};
    open_four(&s, &(record_spec){.handles = FOUR_HANDLES, .edge = EDGE});
    assert_place(&s, 0, "permute_ a.fc /m/a.py:7");
    assert_place(&s, 1, "mm_ a.fc /m/a.py:7");
    assert_place(&s, 3, "tan_ my.Model /m/b.py:3");
    /* the innermost module that holds all nodes of a delegate; they share no line */
    assert_place(&s, 2, "- my.Model :0");
    /* no node has this operator: all nodes are taken, and share a module and a line */
    assert_place(&s, 4, "- a.fc /m/a.py:7");
    /* the program has no such instruction */
    assert_place(&s, 9, "-  :0");
    close_seen(&s);
}

static void nothing_is_known_without_handles(void **state) {
    (void)state;
    seen s = {0};
    open_four(&s, &(record_spec){.handles = "{\"0\": 1, \"2\": 3, \"3\": 77}", .edge = EDGE});
    assert_place(&s, 0, "permute_ a.fc /m/a.py:7");
    assert_place(&s, 1, "-  :0");
    assert_place(&s, 3, "-  :0");
    close_seen(&s);
    open_four(&s, NULL);
    assert_place(&s, 0, "-  :0");
    close_seen(&s);
}

/* The exporter inserts a copy into a buffer after it has numbered the nodes: the copy has no handle, and no node of the graph. */
static void copies_have_the_node_that_made_their_tensor(void **state) {
    (void)state;
    static const char *const operators[] = {"aten::tan", "aten::copy_"};
    seen s = {0};
    program_spec *p = &s.program;
    builder *b = &p->b;
    p->operator_names = operators;
    p->n_operators = COUNT_OF(operators);
    add_tensors(p);
    p->inputs = I32S(b, 0);
    p->outputs = I32S(b, 1);
    p->arenas = I64S(b, 0, 48);
    add_call(p, A_KERNEL_CALL, 0, I32S(b, 0, 1));
    add_call(p, A_KERNEL_CALL, 1, I32S(b, 2, 1, 2));
    add_call(p, A_KERNEL_CALL, 1, I32S(b, 0, 1, 0));
    open_seen(&s, DUMP(&s.session.b, RUN(&s.session.b, "Execute", CALL_OF(&s.session.b, 0))),
              &(record_spec){.handles = "{\"0\": 3}", .edge = EDGE});
    assert_place(&s, 0, "tan_ my.Model /m/b.py:3");
    assert_place(&s, 1, "tan_ my.Model /m/b.py:3");
    assert_place(&s, 2, "tan_ my.Model /m/b.py:3");
    /* however many copies there are, they take memory for one node */
    eti_call_places places;
    eti_planned_method method;
    eti_arena arena = {0};
    (void)place_of(&s, 1, &places, &method, &arena);
    const eti_op_node *first = places.found[0];
    eti_call_place found;
    assert_true(eti__call_places_find(&places, 2, &found));
    assert_ptr_equal(places.found[0], first);
    eti__call_places_free(&places);
    eti__arena_free(&arena);
    close_seen(&s);
}

/* The list of the second call has the handle of the first one, whose result is quantized. */
static void delegate_calls_have_the_place_of_what_they_run(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_payload(&s, NODES(XNODE(STATIC_TRANSPOSE, 1)));
    add_payload(&s, NODES(XNODE(TANH, 3)));
    open_seen(&s, DUMP(b, RUN(b, "Execute", CALL_OF(b, 0), CALL_OF(b, 1))),
              &(record_spec){.handles = "{\"0\": 1, \"1\": [1, 3]}", .edge = EDGE});
    assert_place(&s, 1, "tan_ my.Model /m/b.py:3");
    close_seen(&s);
}

/* Nests the modules of instructions as testdata/models.py does. */
static void assert_modules(const eti_inspector *inspector, const eti_planned_method *method,
                           const char *const *modules) {
    eti_call_places places;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__call_places_init(&places, inspector, method, &err));
    for (uint32_t k = 0; k < method->liveness.calls.n; k++) {
        eti_call_place found;
        assert_true(eti__call_places_find(&places, k, &found));
        assert_non_null(found.node.data);
        assert_text(found.module, modules[k]);
    }
    eti__call_places_free(&places);
}

static void assert_unknown(const eti_inspector *inspector, const eti_planned_method *method) {
    eti_planned_method other = *method;
    eti_call_places places;
    eti_call_place found;
    eti_error err = ETI_ERROR_INIT;
    other.record_method = ETI_NO_METHOD;
    assert_ok(eti__call_places_init(&places, inspector, &other, &err));
    assert_true(eti__call_places_find(&places, 0, &found));
    assert_absent(found.node);
    assert_absent(found.module);
    eti__call_places_free(&places);
}

static void each_method_has_its_graph(void **state) {
    (void)state;
    static const char *const encode[] = {"project", "project", "models.Encoder"};
    static const char *const forward[] = {
        "encoder.project", "encoder.project", "encoder", "head", "head", "models.Classifier"};
    const eti_source program = {.path = "testdata/multi-method/model.pte"};
    const eti_source record = {.path = "testdata/multi-method/record.etrecord"};
    const eti_inputs inputs = {.etrecord = &record, .programs = &program, .n_programs = 1};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    eti_planned_methods all;
    eti_arena arena = {0};
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    assert_ok(eti__planned_methods_make(&all, &arena, inspector, &err));
    assert_text(all.methods[0].plan->name, "encode");
    assert_modules(inspector, &all.methods[0], encode);
    assert_modules(inspector, &all.methods[1], forward);
    assert_unknown(inspector, &all.methods[1]);
    eti__arena_free(&arena);
    eti_inspector_close(inspector);
}

/* ==== weight places =========================================================================== */
/* Finds the modules of weights in two payloads of XNNPACK: those of the layers "first" and "second". */

#define FOLDER "testdata/xnnpack-conv/"
#define FIRST "d82e730beb44d7d3b56c9a0d4cdebd364108bfccefa3a311bbf307e25172823e"
#define FIRST_BIAS "0ae45a4c6a97f96648fa9bd34b21c4d990c9c0f7111673729f84466cc3de047e"
#define SECOND "1b085f180a62a4212ddffa155a4ea9a7d8dea075865bac750d4ed30f222c1566"

typedef struct weight_places_found {
    eti_inspector *inspector;
    eti_arena arena;
    eti_planned_method method;
    eti_call_places places;
    eti_payloads payloads;
    eti_weight_places weights;
} weight_places_found;

static void find(weight_places_found *f, const char *record_path, uint64_t most) {
    eti_error err = ETI_ERROR_INIT;
    const eti_source program = {.path = FOLDER "model.pte"}, record = {.path = record_path};
    const eti_inputs inputs = {.programs = &program, .n_programs = 1, .etrecord = &record};
    *f = (weight_places_found){0};
    assert_ok(eti__inspector_open(&f->inspector, &inputs, NULL, &err));
    assert_ok(eti__planned_method_make(&f->method, &f->arena, f->inspector,
                                       &f->inspector->programs[0], 0, &err));
    assert_ok(eti__call_places_init(&f->places, f->inspector, &f->method, &err));
    assert_true(eti__weight_places_init(&f->weights, &f->places, most));
    f->payloads.arena = &f->arena;
    for (uint32_t i = 0; i < f->method.liveness.calls.n; i++)
        assert_ok(eti__weight_places_add(&f->weights, &f->places, &f->payloads, i, &err));
}

static void end(weight_places_found *f) {
    eti__weight_places_free(&f->weights);
    eti__payloads_free(&f->payloads);
    eti__call_places_free(&f->places);
    eti__arena_free(&f->arena);
    eti_inspector_close(f->inspector);
}

static eti_text module_of(const weight_places_found *f, uint32_t delegate, const char *key) {
    return eti__weight_places_find(&f->weights, delegate, eti__text_of(key));
}

static void weights_have_the_module_of_their_nodes(void **state) {
    (void)state;
    weight_places_found f;
    find(&f, FOLDER "record.etrecord", UINT64_MAX);
    assert_text(module_of(&f, 0, FIRST), "first");
    assert_text(module_of(&f, 0, FIRST_BIAS), "first");
    assert_text(module_of(&f, 1, SECOND), "second");
    assert_null(module_of(&f, 1, FIRST).data); /* of the other delegate */
    assert_null(module_of(&f, 0, "x").data);
    end(&f);
}

/* The payloads have 1,136 and 1,568 bytes. */
static void the_bytes_to_examine_are_limited(void **state) {
    (void)state;
    weight_places_found f;
    find(&f, FOLDER "record.etrecord", 1136 + 1567);
    assert_text(module_of(&f, 0, FIRST), "first");
    assert_null(module_of(&f, 1, SECOND).data);
    end(&f);
}

/* Its handles are numbers of other nodes. */
static void records_of_other_exports_are_not_used(void **state) {
    (void)state;
    weight_places_found f;
    find(&f, "testdata/mlp/record.etrecord", UINT64_MAX);
    assert_null(module_of(&f, 0, FIRST).data);
    assert_null(module_of(&f, 1, SECOND).data);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_of_the_program_are_those_of_the_record),
        cmocka_unit_test(one_method_is_chosen_by_name),
        cmocka_unit_test(only_methods_agree),
        cmocka_unit_test(the_record_is_of_the_first_program),
        cmocka_unit_test(the_record_knows_outputs_of_delegates),
        cmocka_unit_test(kernels_have_the_node_of_their_operator),
        cmocka_unit_test(nothing_is_known_without_handles),
        cmocka_unit_test(copies_have_the_node_that_made_their_tensor),
        cmocka_unit_test(delegate_calls_have_the_place_of_what_they_run),
        cmocka_unit_test(each_method_has_its_graph),
        cmocka_unit_test(weights_have_the_module_of_their_nodes),
        cmocka_unit_test(the_bytes_to_examine_are_limited),
        cmocka_unit_test(records_of_other_exports_are_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
