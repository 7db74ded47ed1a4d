#include "rollup_fixture.h"

#include "places/places.h"

/* ==== places ================================================================================== */

#define WRAPPER "W,,torch.export._trace._non_strict_export.<locals>.Wrapper"
#define Q(name, handle, input) OP(name, "quantize.default", handle, WRAPPER, "", input)
#define DQ(name, handle, input) OP(name, "dequantize.default", handle, WRAPPER, "", input)
#define MM(handle, input) OP("mm", "mm.default", handle, LINEAR, LINE(7), input)
#define RELU(handle, input) OP("relu", "relu.default", handle, BLOCK, LINE(8), input)
#define LINE(number) FRAME("/m/a.py", number, "y = f(x)")

/* Nodes of a quantizer before, between and after mm and relu, and one for a weight. */
static const char quantized[] = EDGE_PROGRAM(
    DQ("dq_w", "1", "w") "," Q("q", "2", "x") "," DQ("dq", "2", "q") "," MM("3", "dq") "," OP(
        "q_1", "quantize.default", "4", WRAPPER, LINE(9),
        "mm") "," DQ("dq_1", "4", "q_1") "," RELU("4", "dq_1") "," Q("q_2", "5",
                                                                     "relu") "," DQ("dq_2", "5",
                                                                                    "q_2"));

static const eti_op_node *node_called(const session *s, const char *name) {
    const eti_graph *graph = &s->inspector->graph;
    for (size_t i = 0; i < graph->n_nodes; i++) {
        eti_text found = graph->nodes[i].node.name;
        if (eti__text_is((eti_text){found.data, found.size - 1}, name))
            return &graph->nodes[i].node;
    }
    fail_msg("there is no node %s", name);
    return NULL;
}

/* NULL: no module. */
static void assert_module(const eti_places *places, const eti_place *of, const char *module) {
    if (module)
        assert_text(eti__places_module_name(places, of->module), module);
    else
        assert_int_equal(of->module, ETI_PREFIX_ROOT);
}

static void assert_node(const session *s, const char *name, const char *module) {
    eti_places places;
    eti_place found;
    assert_true(eti__places_init(&places));
    assert_true(eti__places_of_node(&places, node_called(s, name), &found));
    assert_module(&places, &found, module);
    eti__places_free(&places);
}

static void open_record(session *s, const char *edge, const char *handles) {
    builder *b = &s->b;
    open_session(s,
                 DUMP(b, RUN(b, "Execute", MS_CALL(b, "native_call_quantize.out", 1, 0, 1),
                             MS_CALL(b, "DELEGATE_CALL", 2, 1, 2))),
                 &(record_spec){.handles = handles, .edge = edge});
}

static void nodes_of_a_quantizer_are_in_the_module_they_serve(void **state) {
    (void)state;
    session s = {0};
    open_record(&s, quantized, "{}");
    assert_node(&s, "q", "a.fc");
    assert_node(&s, "dq", "a.fc");
    assert_node(&s, "mm", "a.fc");
    assert_node(&s, "q_1", "a");
    assert_node(&s, "dq_1", "a");
    /* nothing uses these */
    assert_node(&s, "q_2", "a");
    assert_node(&s, "dq_2", "a");
    /* nothing uses it, and its input is a weight */
    assert_node(&s, "dq_w", NULL);
    close_session(&s);
}

static void the_first_user_counts(void **state) {
    (void)state;
    session s = {0};
    open_record(
        &s,
        EDGE_PROGRAM(Q("q", "1", "x") "," DQ("dq", "1", "q") "," MM("2", "dq") "," RELU("3", "q")),
        "{}");
    assert_node(&s, "q", "a.fc");
    close_session(&s);
}

static void a_wrapper_around_modules_is_no_level(void **state) {
    (void)state;
    session s = {0};
    eti_places places;
    eti_place found;
    open_record(&s,
                EDGE_PROGRAM(OP("mm", "mm.default", "1", WRAPPER ";L_a,a,my.Block", "", "x") "," OP(
                    "relu", "relu.default", "2", "L,,my.<locals>.Wrapper", "", "mm")),
                "{}");
    assert_true(eti__places_init(&places));
    assert_true(eti__places_of_node(&places, node_called(&s, "mm"), &found));
    assert_module(&places, &found, "a");
    assert_int_equal(places.modules.nodes[found.module].depth, 1);
    eti__places_free(&places);
    /* a class of the user's model that has this name */
    assert_node(&s, "relu", "my.<locals>.Wrapper");
    close_session(&s);
}

/* Strict export leaves a frame of torch's exporter in each stack trace, and often no other. */
static void frames_of_the_exporter_are_no_source(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        session s = {0};
        eti_places places;
        eti_place found;
        char edge[1024];
        snprintf(edge, sizeof edge, EDGE_PROGRAM(OP("mm", "mm.default", "1", LINEAR, "%s", "x")),
                 i == 0 ? FRAME("/site-packages/torch/_dynamo/functional_export.py", 232, "f()")
                        : LIBRARY);
        open_record(&s, edge, "{}");
        assert_true(eti__places_init(&places));
        assert_true(eti__places_of_node(&places, node_called(&s, "mm"), &found));
        assert_int_equal(found.has_frames, i == 1);
        eti__places_free(&places);
        close_session(&s);
    }
}

/* Instruction 1 has only nodes of a quantizer, instruction 2 also has nodes of an operator. */
static void nodes_of_a_quantizer_count_where_there_are_no_others(void **state) {
    (void)state;
    session s = {0};
    eti_places places;
    eti_place found;
    open_record(&s, quantized, "{\"1\": [2], \"2\": [4, 5]}");
    const eti_event_block *block = eti_inspector_block(s.inspector, 0);
    assert_true(eti__places_init(&places));
    assert_true(eti__places_of_event(&places, &block->events[0], &found));
    assert_module(&places, &found, "a.fc");
    assert_int_equal(eti__places_frame(&places, found.frame)->line, 7); /* of mm */
    assert_true(eti__places_of_event(&places, &block->events[1], &found));
    assert_module(&places, &found, "a");
    assert_int_equal(eti__places_frame(&places, found.frame)->line, 8);
    eti__places_free(&places);
    close_session(&s);
}

/* Each kernel has a node of its own, and all share the operators of their handle, which may be as many as the kernels. */
static void operators_that_kernels_share_are_examined_once(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_places places;
    eti_place found;
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute", MS_CALL(b, "native_call_relu.out", 1, 0, 1),
                    MS_CALL(b, "native_call_relu.out", 2, 1, 2),
                    MS_CALL(b, "native_call_relu.out", 3, 2, 3))),
        &(record_spec){.handles = "{\"1\": [7], \"2\": [7], \"3\": [7]}",
                       .edge = EDGE_PROGRAM(RELU("7", "x") "," RELU("7", "x") "," RELU("7", "x"))});
    assert_int_equal(eti__resolve_kernels(s.inspector, &s.err), ETI_OK);
    const eti_event_block *block = eti_inspector_block(s.inspector, 0);
    assert_true(eti__places_init(&places));
    for (size_t i = 0; i < 3; i++) {
        eti_buffer ops = {0};
        assert_int_equal(eti__event_nodes(&block->events[i]).n, 1);
        assert_true(eti__places_of_event(&places, &block->events[i], &found));
        assert_module(&places, &found, "a");
        eti__places_add_ops(&places, found.ops, &ops);
        assert_text(eti__buffer_text(&ops), "aten.relu.default");
        eti__buffer_free(&ops);
    }
    assert_int_equal(places.lists.count, 3);
    assert_int_equal(places.op_lists.count, 1);
    eti__places_free(&places);
    close_session(&s);
}

/* ==== event nodes ============================================================================= */

#define NODES                                                                                      \
    EDGE_PROGRAM(OP("a", "a.default", "1", MODEL, "", "x") "," OP(                                 \
        "b", "b.default", "2", MODEL, "", "a") "," OP("a_1", "a.default", "3", MODEL, "", "b"))
#define OF_SEVERAL "{\"1\": [1, 2], \"2\": [1, 2, 3], \"3\": [1, 3], \"4\": 2}"
#define KERNEL(b, call_name, id) MS_CALL(b, call_name, id, 0, 1)

static const eti_event *event_of(const session *s, const char *name, int instruction_id) {
    const eti_event_block *block = eti_inspector_block(s->inspector, 0);
    for (size_t i = 0; i < block->n_events; i++) {
        if (eti__text_is(block->events[i].name, name) &&
            block->events[i].instruction_id == instruction_id)
            return &block->events[i];
    }
    fail_msg("there is no event %s", name);
    return NULL;
}

static void assert_nodes(const eti_event *event, size_t n, bool is_single, const char *op) {
    eti_event_nodes nodes = eti__event_nodes(event);
    assert_int_equal(nodes.n, n);
    assert_int_equal(eti__event_nodes_single(&nodes) != NULL, is_single);
    eti_text name = eti__event_op(event);
    if (op)
        assert_text(name, op);
    else
        assert_null(name.data);
}

static void events_are_the_nodes_of_their_instruction(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", KERNEL(b, "DELEGATE_CALL", 1), KERNEL(b, "other", 3),
                             KERNEL(b, "native_call_a.out", 4), KERNEL(b, "other", 9))),
                 &(record_spec){.handles = OF_SEVERAL, .edge = NODES});
    assert_nodes(event_of(&s, "DELEGATE_CALL", 1), 2, false, NULL);
    assert_nodes(event_of(&s, "other", 3), 2, false, "aten.a.default");
    /* the only node is taken, whatever its name */
    assert_nodes(event_of(&s, "native_call_a.out", 4), 1, true, "aten.b.default");
    assert_nodes(event_of(&s, "other", 9), 0, false, NULL);
    close_session(&s);
}

/* A node fused into an operator of a delegate is not that operator. */
static void operators_of_delegates_are_their_first_node(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, RUN(b, "Execute", KERNEL(b, "conv #1", 1))),
                 &(record_spec){.handles = OF_SEVERAL, .edge = NODES});
    eti_event *event = &s.inspector->blocks.blocks[0].events[0];
    eti_event_record record = *event->known;
    record.n_own_nodes = 1;
    event->known = &record;
    assert_nodes(event, 1, true, "aten.a.default");
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_of_the_exporter_are_no_source),
        cmocka_unit_test(nodes_of_a_quantizer_are_in_the_module_they_serve),
        cmocka_unit_test(the_first_user_counts),
        cmocka_unit_test(a_wrapper_around_modules_is_no_level),
        cmocka_unit_test(nodes_of_a_quantizer_count_where_there_are_no_others),
        cmocka_unit_test(operators_that_kernels_share_are_examined_once),
        cmocka_unit_test(events_are_the_nodes_of_their_instruction),
        cmocka_unit_test(operators_of_delegates_are_their_first_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
