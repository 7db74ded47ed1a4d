/* Instructions of a program get the node, the module and the line that the ETRecord has for them. */
#include "rollup_fixture.h"
#include "seen_fixture.h"

#include "places/call_places.h"

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

#define FOUR_HANDLES "{\"0\": 1, \"1\": 1, \"2\": [2, 3], \"3\": 3, \"4\": 1, \"9\": 3}"

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
    eti_text node = found.node ? found.node->node.name : eti__text_of("-");
    eti__buffer_printf(&text, "%.*s %.*s %.*s:%u", ETI_TEXT_ARGS(node), ETI_TEXT_ARGS(found.module),
                       ETI_TEXT_ARGS(found.file), found.line);
    assert_text(eti__buffer_text(&text), expected);
    eti__buffer_free(&text);
    eti__call_places_free(&places);
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
    open_four(&s, &(record_spec){.handles = "{\"0\": 1, \"3\": 77}", .edge = EDGE});
    assert_place(&s, 0, "permute_ a.fc /m/a.py:7");
    assert_place(&s, 1, "-  :0");
    assert_place(&s, 3, "-  :0");
    close_seen(&s);
    open_four(&s, NULL);
    assert_place(&s, 0, "-  :0");
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
        assert_non_null(found.node);
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
    assert_null(found.node);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_have_the_node_of_their_operator),
        cmocka_unit_test(nothing_is_known_without_handles),
        cmocka_unit_test(delegate_calls_have_the_place_of_what_they_run),
        cmocka_unit_test(each_method_has_its_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
