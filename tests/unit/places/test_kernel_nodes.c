#include "rollup_fixture.h"

#include "places/places.h"

/* Two steps of an unrolled loop, which share handle 7, with an operator of the model before them. */
#define STEP(number)                                                                               \
    OP("mm_" number, "mm.default", "7", MODEL, "", "x")                                            \
    "," OP("add_" number, "add.Tensor", "7", MODEL, "", "mm") "," OP("mul_" number, "mul.Scalar",  \
                                                                     "7", MODEL, "", "add")
#define NODES EDGE_PROGRAM(OP("add", "add.Scalar", "6", MODEL, "", "x") "," STEP("1") "," STEP("2"))
#define HANDLES_OF_STEPS                                                                           \
    "{\"0\": [6, 7], \"1\": [6, 7], \"2\": [6, 7], \"3\": [6, 7], \"4\": [6, 7], \"5\": [6, 7]}"
#define KERNEL(b, call_name, id) MS_CALL(b, call_name, id, 0, 1)

static void open_resolved(session *s, place dump) {
    open_session(s, dump, &(record_spec){.handles = HANDLES_OF_STEPS, .edge = NODES});
    assert_int_equal(eti__resolve_kernels(s->inspector, &s->err), ETI_OK);
}

/* "mm_1 mm_2": names of the nodes of an event. */
static void assert_nodes(const session *s, size_t block, size_t number, const char *names,
                         const char *op) {
    const eti_event *event = &s->inspector->blocks.blocks[block].events[number];
    eti_event_nodes nodes = eti__event_nodes(event);
    eti_buffer found = {0};
    for (size_t i = 0; i < nodes.n; i++) {
        eti_text name = nodes.all[i]->name;
        eti__buffer_printf(&found, "%s%.*s", i ? " " : "", (int)name.size - 1, name.data);
    }
    assert_text(eti__buffer_text(&found), names);
    eti__buffer_free(&found);
    if (op)
        assert_text(eti__event_op(event), op);
    else
        assert_null(eti__event_op(event).data);
}

static void steps_of_a_loop_have_a_node_each(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_resolved(
        &s, DUMP(b, RUN(b, "Execute", KERNEL(b, "native_call_add.Scalar_out", 0),
                        KERNEL(b, "native_call_mm.out", 1), KERNEL(b, "native_call_add.out", 2),
                        KERNEL(b, "native_call_mm.out", 3), KERNEL(b, "native_call_add.out", 4))));
    assert_nodes(&s, 0, 0, "add", "aten.add.Scalar");
    assert_nodes(&s, 0, 1, "mm_1", "aten.mm.default");
    assert_nodes(&s, 0, 2, "add_1", "aten.add.Tensor");
    assert_nodes(&s, 0, 3, "mm_2", "aten.mm.default");
    assert_nodes(&s, 0, 4, "add_2", "aten.add.Tensor");
    /* the Inspector's table lists all nodes */
    assert_int_equal(s.inspector->blocks.blocks[0].events[1].record->n_op_nodes, 7);
    close_session(&s);
}

static void all_nodes_of_the_operator_where_counts_differ(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_resolved(&s, DUMP(b, RUN(b, "Execute", KERNEL(b, "native_call_mm.out", 1),
                                  KERNEL(b, "native_call_add.out", 2),
                                  KERNEL(b, "native_call_other.out", 3))));
    assert_nodes(&s, 0, 0, "mm_1 mm_2", "aten.mm.default");
    assert_nodes(&s, 0, 1, "add add_1 add_2", NULL);
    /* no node has this name: the event gets all of them */
    assert_nodes(&s, 0, 2, "add mm_1 add_1 mul_1 mm_2 add_2 mul_2", NULL);
    close_session(&s);
}

/* Instructions of different chains have the same numbers. */
static void events_that_are_not_in_order_have_all_nodes(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_resolved(&s, DUMP(b, RUN(b, "Execute", KERNEL(b, "native_call_mm.out", 3),
                                  KERNEL(b, "native_call_mm.out", 1))));
    assert_nodes(&s, 0, 0, "mm_1 mm_2", "aten.mm.default");
    assert_nodes(&s, 0, 1, "mm_1 mm_2", "aten.mm.default");
    close_session(&s);
}

static void blocks_are_counted_one_by_one(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_resolved(&s, DUMP(b,
                           RUN(b, "Execute", KERNEL(b, "native_call_mm.out", 1),
                               KERNEL(b, "native_call_mm.out", 3)),
                           RUN(b, "Other", KERNEL(b, "native_call_mm.out", 1))));
    assert_nodes(&s, 0, 0, "mm_1", "aten.mm.default");
    assert_nodes(&s, 0, 1, "mm_2", "aten.mm.default");
    assert_nodes(&s, 1, 0, "mm_1 mm_2", "aten.mm.default");
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_a_loop_have_a_node_each),
        cmocka_unit_test(all_nodes_of_the_operator_where_counts_differ),
        cmocka_unit_test(events_that_are_not_in_order_have_all_nodes),
        cmocka_unit_test(blocks_are_counted_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
