/* Pairs events that a delegate logged with the nodes of its payload, or else of the ETRecord; other events belong to its
 * call. */
#include "seen_fixture.h"

#define RECORD(map, ids, nodes)                                                                    \
    &(record_spec) {                                                                               \
        .handles = (map),                                                                          \
        .delegates = "{\"0\": {\"name\": \"XnnpackBackend\", \"delegate_map\": " ids               \
                     "}, \"1\": {\"name\": \"XnnpackBackend\", \"delegate_map\": {}}}",            \
        .edge = EDGE_PROGRAM(nodes)                                                                \
    }
#define NODE_OF(name, handle) NODE(name, handle, "L__self__,,M")
#define CONV "Convolution (NHWC, F32) IGEMM #1"
#define TANH "TanH (NC) #1"

/* Nodes of one call: transpose, convolution, tanh; lowering inserted the transpose. */
#define THREE NODES(XNODE(STATIC_TRANSPOSE, INSERTED), XNODE(CONV2D, 7), XNODE(TANH, 8))

static place log_three(builder *b) {
    return DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, "Transpose (ND, X32) #1"),
                       LOGGED_BY(b, 0, CONV), LOGGED_BY(b, 0, TANH), CALL_OF(b, 0)));
}

/* ---- as many events as nodes ----------------------------------------------------------------- */

static void nodes_of_the_payload_are_exact(void **state) {
    (void)state;
    seen s = {0};
    add_payload(&s, THREE);
    open_seen(&s, log_three(&s.session.b), NULL);
    assert_seen(&s, "Transpose (ND, X32) #1", "exact [7] StaticTranspose");
    assert_seen(&s, CONV, "exact [7] Conv2d");
    assert_seen(&s, TANH, "exact [8] Tanh");
    assert_seen(&s, "DELEGATE_CALL", " []");
    assert_int_equal(notes_with(&s, "test.pte"), 0);
    close_seen(&s);
}

static void handles_lead_to_nodes_of_the_record(void **state) {
    (void)state;
    seen s = {0};
    add_payload(&s, THREE);
    open_seen(
        &s, log_three(&s.session.b),
        RECORD("{\"0\": [7, 8]}", "{}", NODE_OF("convolution", "7") "," NODE_OF("tanh", "8")));
    assert_seen(&s, "Transpose (ND, X32) #1", "exact [7] aten.convolution.default");
    assert_seen(&s, CONV, "exact [7] aten.convolution.default");
    assert_seen(&s, TANH, "exact [8] aten.tanh.default");
    assert_text(event_called(&s, TANH)->known->op_nodes[0]->name, "tanh_");
    /* the Inspector's result is unchanged */
    assert_int_equal(event_called(&s, TANH)->record->n_op_types, 0);
    close_seen(&s);
}

static void payloads_without_handles_name_kinds(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_payload(&s, NODES(XNODE(TANH, INSERTED)));
    open_seen(&s, DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, TANH), CALL_OF(b, 0))), NULL);
    assert_seen(&s, TANH, "exact [] Tanh");
    close_seen(&s);
}

static void nothing_is_seen_where_that_is_asked_for(void **state) {
    (void)state;
    const eti_options options = {.no_attribution = true};
    seen s = {.session.options = &options};
    add_payload(&s, THREE);
    open_seen(
        &s, log_three(&s.session.b),
        RECORD("{\"0\": [7, 8]}", "{}", NODE_OF("convolution", "7") "," NODE_OF("tanh", "8")));
    assert_seen(&s, CONV, " []");
    close_seen(&s);
}

/* A loop repeats the call, with the same events. */
static void a_call_that_is_repeated_is_seen_through_once(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_payload(&s, NODES(XNODE(TANH, 8)));
    open_seen(&s,
              DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, TANH), CALL_OF(b, 0), LOGGED_BY(b, 0, TANH),
                          CALL_OF(b, 0))),
              NULL);
    assert_seen(&s, TANH, "exact [8] Tanh");
    close_seen(&s);
}

/* The transpositions of two inputs come first. */
static void changes_of_layout_belong_to_the_operators_they_serve(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_payload(&s, NODES(XNODE(STATIC_TRANSPOSE, INSERTED, .input = 1, .output = 2),
                          XNODE(STATIC_TRANSPOSE, INSERTED, .input = 3, .output = 4),
                          XNODE(CONV2D, 7, .input = 2, .output = 5),
                          XNODE(TANH, 8, .input = 4, .output = 6)));
    open_seen(
        &s,
        DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, "Transpose (ND, X32) #1"),
                    LOGGED_BY(b, 0, "Transpose (ND, X32) #2"), LOGGED_BY(b, 0, CONV),
                    LOGGED_BY(b, 0, TANH), CALL_OF(b, 0))),
        RECORD("{\"0\": [7, 8]}", "{}", NODE_OF("convolution", "7") "," NODE_OF("tanh", "8")));
    assert_seen(&s, "Transpose (ND, X32) #1", "exact [7] aten.convolution.default");
    assert_seen(&s, "Transpose (ND, X32) #2", "exact [8] aten.tanh.default");
    close_seen(&s);
}

static void operators_share_a_change_of_layout(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_payload(&s, NODES(XNODE(STATIC_TRANSPOSE, INSERTED, .input = 1, .output = 2),
                          XNODE(CONV2D, 7, .input = 2, .output = 3),
                          XNODE(TANH, 8, .input = 2, .output = 4)));
    open_seen(
        &s, log_three(b),
        RECORD("{\"0\": [7, 8]}", "{}", NODE_OF("convolution", "7") "," NODE_OF("tanh", "8")));
    assert_seen(&s, "Transpose (ND, X32) #1",
                "inferred [7, 8] aten.convolution.default aten.tanh.default");
    assert_int_equal(eti__event_nodes(event_called(&s, "Transpose (ND, X32) #1")).n, 2);
    assert_seen(&s, TANH, "exact [8] aten.tanh.default");
    close_seen(&s);
}

/* It may serve the operator before it or the one after it. */
static void ambiguous_changes_are_inferred(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_payload(&s, NODES(XNODE(CONV2D, 7), XNODE(STATIC_TRANSPOSE, INSERTED), XNODE(TANH, 8)));
    open_seen(
        &s,
        DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, CONV), LOGGED_BY(b, 0, "Transpose (ND, X32) #1"),
                    LOGGED_BY(b, 0, TANH), CALL_OF(b, 0))),
        RECORD("{\"0\": [7, 8]}", "{}", NODE_OF("convolution", "7") "," NODE_OF("tanh", "8")));
    assert_seen(&s, "Transpose (ND, X32) #1", "inferred [7] aten.convolution.default");
    close_seen(&s);
}

/* ---- fewer or more events -------------------------------------------------------------------- */

static void fused_nodes_join_the_operator(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_payload(&s, NODES(XNODE(CONV2D, 7), XNODE(CLAMP, 8), XNODE(TANH, 9), XNODE(CONVERT, 10),
                          XNODE(FULLY_CONNECTED, 11)));
    open_seen(&s,
              DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, CONV), LOGGED_BY(b, 0, TANH),
                          LOGGED_BY(b, 0, "Fully Connected (NC, F32) GEMM #1"), CALL_OF(b, 0))),
              RECORD("{\"0\": [7, 8, 9, 10, 11]}", "{}",
                     NODE_OF("convolution", "7") "," NODE_OF("relu", "8") "," NODE_OF(
                         "tanh", "9") "," NODE_OF("_to_copy", "10") "," NODE_OF("linear", "11")));
    assert_seen(&s, CONV, "aligned [7, 8] aten.convolution.default aten.relu.default");
    assert_seen(&s, TANH, "aligned [9] aten.tanh.default");
    assert_seen(&s, "Fully Connected (NC, F32) GEMM #1",
                "aligned [11, 10] aten.linear.default aten._to_copy.default");
    /* the convolution is the node that names it */
    assert_text(eti__event_op(event_called(&s, CONV)), "aten.convolution.default");
    close_seen(&s);
}

/* The conversion of the convolution's output runs inside the next operator. */
static void inserted_nodes_add_no_operator(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_payload(&s, NODES(XNODE(CONV2D, 7), XNODE(CONVERT, INSERTED), XNODE(TANH, 8)));
    open_seen(
        &s, DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, CONV), LOGGED_BY(b, 0, TANH), CALL_OF(b, 0))),
        RECORD("{\"0\": [7, 8]}", "{}", NODE_OF("convolution", "7") "," NODE_OF("tanh", "8")));
    assert_seen(&s, CONV, "aligned [7] aten.convolution.default");
    assert_seen(&s, TANH, "aligned [8] aten.tanh.default");
    close_seen(&s);
}

/* Each operator that takes a converted value converts it separately. */
static void several_operators_share_a_conversion(void **state) {
    (void)state;
    static const char *const names[] = {"Fully Connected (NC, F32) GEMM #1",
                                        "Fully Connected (NC, F32) GEMM #2"};
    seen s = {0};
    builder *b = &s.session.b;
    add_payload(&s, NODES(XNODE(CONVERT, 7, .input = 1, .output = 2),
                          XNODE(FULLY_CONNECTED, 8, .input = 2, .output = 3),
                          XNODE(FULLY_CONNECTED, 9, .input = 2, .output = 4)));
    open_seen(&s,
              DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, names[0]), LOGGED_BY(b, 0, names[1]),
                          CALL_OF(b, 0))),
              NULL);
    assert_seen(&s, names[0], "aligned [8, 7] FullyConnected");
    assert_seen(&s, names[1], "aligned [9, 7] FullyConnected");
    close_seen(&s);
}

/* Other work is done once, for the first operator. */
static void other_work_is_not_shared(void **state) {
    (void)state;
    static const char *const names[] = {"Fully Connected (NC, F32) GEMM #1",
                                        "Fully Connected (NC, F32) GEMM #2"};
    seen s = {0};
    builder *b = &s.session.b;
    add_payload(&s, NODES(XNODE(STATIC_RESHAPE, 7, .input = 1, .output = 2),
                          XNODE(FULLY_CONNECTED, 8, .input = 2, .output = 3),
                          XNODE(FULLY_CONNECTED, 9, .input = 2, .output = 4)));
    open_seen(&s,
              DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, names[0]), LOGGED_BY(b, 0, names[1]),
                          CALL_OF(b, 0))),
              NULL);
    assert_seen(&s, names[0], "aligned [8, 7] FullyConnected");
    assert_seen(&s, names[1], "aligned [9] FullyConnected");
    close_seen(&s);
}

/* Handles and operators are listed once, however many nodes share them. */
static void equal_handles_are_listed_once(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_payload(&s, NODES(XNODE(CONV2D, 7), XNODE(CLAMP, 7), XNODE(TANH, 8)));
    open_seen(
        &s, DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, CONV), LOGGED_BY(b, 0, TANH), CALL_OF(b, 0))),
        RECORD("{\"0\": [7, 8]}", "{}", NODE_OF("convolution", "7") "," NODE_OF("tanh", "8")));
    assert_seen(&s, CONV, "aligned [7] aten.convolution.default");
    close_seen(&s);
}

#define ADDS(n) "Add (ND) #" #n
/* Opens a payload of `n` additions and a call that logs them and one more event, which no node explains. */
static void open_adds(seen *s, size_t n, const record_spec *record) {
    static const char *const names[] = {ADDS(1), ADDS(2), ADDS(3), ADDS(4), ADDS(5),
                                        ADDS(6), ADDS(7), ADDS(8), ADDS(9)};
    payload_node nodes[COUNT_OF(names)];
    place events[COUNT_OF(names) + 2];
    builder *b = &s->session.b;
    for (size_t i = 0; i < n; i++) {
        nodes[i] = (payload_node){.kind = ETI_XNNPACK_ADD, .handle = (uint32_t)i + 1};
        events[i] = LOGGED_BY(b, 0, names[i]);
    }
    events[n] = LOGGED_BY(b, 0, "Softmax (NC, F32) #1");
    events[n + 1] = CALL_OF(b, 0);
    add_payload(s, nodes, n);
    place run = put_run(b, &(run_spec){.name = "Execute", .events = put_tables(b, events, n + 2)});
    open_seen(s, DUMP(b, run), record);
}

/* One in sixteen nodes and events may be left over. */
static void operators_without_nodes_belong_to_the_call(void **state) {
    (void)state;
    seen s = {0};
    open_adds(&s, 8, RECORD("{\"0\": [1, 2, 3, 4, 5, 6, 7, 8]}", "{}", NODE_OF("add", "1")));
    assert_seen(&s, ADDS(8), "aligned [8] Add");
    assert_seen(&s, ADDS(1), "aligned [1] aten.add.default");
    assert_seen(&s, "Softmax (NC, F32) #1", "call [1, 2, 3, 4, 5, 6, 7, 8]");
    close_seen(&s);

    open_adds(&s, 7, RECORD("{\"0\": [1, 2, 3, 4, 5, 6, 7]}", "{}", NODE_OF("add", "1")));
    assert_seen(&s, ADDS(1), " []"); /* the record lacks the last operator, too */
    assert_int_equal(notes_with(&s, "test.pte does not match: 8 of 8 operators"), 1);
    close_seen(&s);
}

/* ---- payloads that did not run --------------------------------------------------------------- */

/* Opens two calls; the second logs operators that its payload lacks. At most one operator in four may be such. */
static void open_two_calls(seen *s, size_t n_more) {
    builder *b = &s->session.b;
    add_payload(s, NODES(XNODE(TANH, 1), XNODE(TANH, 2), XNODE(TANH, 3)));
    add_payload(s, NODES(XNODE(SIN, 4)));
    place events[] = {LOGGED_BY(b, 0, "TanH (NC) #1"),  LOGGED_BY(b, 0, "TanH (NC) #2"),
                      LOGGED_BY(b, 0, "TanH (NC) #3"),  CALL_OF(b, 0),
                      LOGGED_BY(b, 1, "Floor (NC) #1"), CALL_OF(b, 1),
                      LOGGED_BY(b, 1, "Floor (NC) #2")};
    if (n_more > 0) { /* the call comes last */
        place call = events[5];
        events[5] = events[6];
        events[6] = call;
    }
    place run =
        put_run(b, &(run_spec){.name = "Execute", .events = put_tables(b, events, 6 + n_more)});
    open_seen(s, DUMP(b, run), NULL);
}

static void a_program_that_misfits_is_not_used(void **state) {
    (void)state;
    seen s = {0};
    open_two_calls(&s, 0);
    assert_seen(&s, "TanH (NC) #2", "exact [2] Tanh");
    assert_seen(&s, "Floor (NC) #1", " []");
    assert_int_equal(notes_with(&s, "1 of 4 operators logged by delegates"), 1);
    close_seen(&s);

    open_two_calls(&s, 1);
    assert_seen(&s, "TanH (NC) #2", " []");
    assert_seen(&s, "Floor (NC) #1", " []");
    assert_int_equal(notes_with(&s, "5 of 5 operators logged by delegates"), 1);
    close_seen(&s);
}

static void handles_must_be_those_of_the_call(void **state) {
    (void)state;
    seen s = {0};
    add_payload(&s, THREE);
    open_seen(&s, log_three(&s.session.b),
              RECORD("{\"0\": [6, 7]}", "{}", NODE_OF("convolution", "7") "," NODE_OF("sin", "6")));
    assert_seen(&s, CONV, " []");
    assert_int_equal(notes_with(&s, "test.pte and test.etrecord are from two exports: the nodes of "
                                    "1 delegate call differ from those of the ETRecord"),
                     1);
    close_seen(&s);
}

/* Another export may give other operators the same numbers: at most one in eight may differ. */
static void handles_must_lead_to_the_operators(void **state) {
    (void)state;
    static const char *const logged[] = {"TanH (NC) #1", "Sine (NC) #1"};
    for (int n_sines = 6; n_sines <= 7; n_sines++) {
        seen s = {0};
        builder *b = &s.session.b;
        payload_node nodes[8] = {{.kind = ETI_XNNPACK_TANH, .handle = 1}};
        place events[9] = {LOGGED_BY(b, 0, logged[0])};
        for (int i = 1; i <= n_sines; i++) {
            nodes[i] = (payload_node){.kind = ETI_XNNPACK_SIN, .handle = 2};
            events[i] = LOGGED_BY(b, 0, logged[1]);
        }
        events[n_sines + 1] = CALL_OF(b, 0);
        add_payload(&s, nodes, (size_t)n_sines + 1);
        place run = put_run(b, &(run_spec){.name = "Execute",
                                           .events = put_tables(b, events, (size_t)n_sines + 2)});
        open_seen(&s, DUMP(b, run),
                  RECORD("{\"0\": [1, 2]}", "{}", NODE_OF("exp", "1") "," NODE_OF("sin", "2")));
        assert_seen(&s, logged[0], n_sines == 7 ? "exact [1] aten.exp.default" : " []");
        assert_int_equal(notes_with(&s, "are from two exports"), n_sines == 6);
        close_seen(&s);
    }
}

static void damaged_payloads_fail_nothing(void **state) {
    (void)state;
    static const record_spec *const none = NULL;
    for (int with_record = 0; with_record < 2; with_record++) {
        seen s = {0};
        add_delegate_bytes(&s, "XnnpackBackend", "\0\0\0\0XH00 and no more", 20);
        open_seen(&s, log_three(&s.session.b),
                  with_record ? RECORD("{\"0\": [7, 8]}", "{}",
                                       NODE_OF("convolution", "7") "," NODE_OF("tanh", "8"))
                              : none);
        assert_seen(&s, CONV, with_record ? "inferred [7] aten.convolution.default" : " []");
        assert_seen(&s, TANH, with_record ? "inferred [8] aten.tanh.default" : " []");
        assert_int_equal(notes_with(&s, "test.pte: cannot read 1 payload of XNNPACK"), 1);
        assert_int_equal(
            notes_with(&s, with_record ? "inferred from the ETRecord" : "operators are unknown"),
            1);
        close_seen(&s);
    }
}

static void older_payloads_are_bare(void **state) {
    (void)state;
    static const char *const identifiers[] = {"XN00", "XN01"};
    for (size_t i = 0; i < COUNT_OF(identifiers); i++) {
        seen s = {0};
        builder payload = {0};
        finish_graph(&payload, THREE, identifiers[i]);
        add_delegate_bytes(&s, "XnnpackBackend", payload.file.data, payload.file.size);
        builder_free(&payload);
        open_seen(&s, log_three(&s.session.b), NULL);
        assert_seen(&s, CONV, "exact [7] Conv2d");
        close_seen(&s);
    }
}

/* Events of other backends prove nothing about their payloads, even if these look like XNNPACK's. */
static void payloads_of_other_backends_are_not_looked_at(void **state) {
    (void)state;
    seen s = {0};
    builder payload = {0};
    finish_payload(&payload, THREE);
    add_delegate_bytes(&s, "OtherBackend", payload.file.data, payload.file.size);
    builder_free(&payload);
    open_seen(&s, log_three(&s.session.b), NULL);
    assert_seen(&s, CONV, " []");
    assert_int_equal(notes_with(&s, "test.pte"), 0);
    close_seen(&s);
}

/* ---- without a program ----------------------------------------------------------------------- */

/* A backend that logs identifiers logs them for the whole call. */
static void recorded_identifiers_come_first(void **state) {
    (void)state;
    seen s = {0};
    add_payload(&s, THREE);
    open_seen(&s, log_three(&s.session.b),
              RECORD("{\"0\": [7, 8]}", "{\"" TANH "\": [8]}",
                     NODE_OF("convolution", "7") "," NODE_OF("tanh", "8")));
    assert_seen(&s, TANH, "recorded [8] aten.tanh.default");
    assert_seen(&s, CONV, "call [7, 8]");
    close_seen(&s);
}

static void the_record_alone_lets_infer(void **state) {
    (void)state;
    seen s = {0};
    open_seen(
        &s, log_three(&s.session.b),
        RECORD("{\"0\": [8, 7]}", "{}", NODE_OF("convolution", "7") "," NODE_OF("tanh", "8")));
    assert_seen(&s, CONV, "inferred [7] aten.convolution.default");
    assert_seen(&s, TANH, "inferred [8] aten.tanh.default");
    /* the model requests no transpose of layouts */
    assert_seen(&s, "Transpose (ND, X32) #1", "call [8, 7]");
    close_seen(&s);
}

/* A node that quantizes the result of an operator run by another instruction has the handle of that operator. */
static void operators_of_other_instructions_may_be_missing(void **state) {
    (void)state;
    seen s = {0};
    open_seen(
        &s, log_three(&s.session.b),
        RECORD("{\"0\": [9, 8, 7], \"1\": [9]}", "{}",
               NODE_OF("mean", "9") "," NODE_OF("convolution", "7") "," NODE_OF("tanh", "8")));
    assert_int_equal(notes_with(&s, "have no counterpart"), 0);
    close_seen(&s);
    s = (seen){0};
    open_seen(
        &s, log_three(&s.session.b),
        RECORD("{\"0\": [9, 8, 7], \"1\": [8]}", "{}",
               NODE_OF("mean", "9") "," NODE_OF("convolution", "7") "," NODE_OF("tanh", "8")));
    assert_int_equal(notes_with(&s, "have no counterpart"), 1);
    assert_seen(&s, CONV, " []");
    close_seen(&s);
}

static void nothing_is_taken_from_a_record_with_other_operators(void **state) {
    (void)state;
    seen s = {0};
    open_seen(&s, log_three(&s.session.b),
              RECORD("{\"0\": [7, 8]}", "{}", NODE_OF("convolution", "7") "," NODE_OF("sin", "8")));
    assert_true(s.session.inspector->leaves_out_record);
    assert_int_equal(notes_with(&s, "in its debug_handle_map"), 1);
    assert_int_equal(notes_with(&s, "are shown"), 0);
    assert_seen(&s, CONV, " []");
    assert_int_equal(event_called(&s, CONV)->known->n_op_nodes, 0);
    assert_int_equal(event_called(&s, "DELEGATE_CALL")->known->n_op_nodes, 0);
    assert_int_equal(event_called(&s, "DELEGATE_CALL")->record->n_op_nodes, 2);
    close_seen(&s);
}

/* Payloads of a record made after lowering. */
static void lowered_modules_have_the_payloads(void **state) {
    (void)state;
    const eti_source dump = {.path = "testdata/xnnpack-conv/run.etdp"};
    const eti_source record = {.path = "testdata/xnnpack-conv/lowered.etrecord"};
    const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1, .etrecord = &record};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    size_t n = 0;
    assert_ok(eti__open_seen_through(&inspector, &inputs, NULL, &err));
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (size_t i = 0; i < block->n_events; i++) {
            if (!block->events[i].is_delegated_op)
                continue;
            assert_int_equal(block->events[i].known->attribution, ETI_ATTRIBUTION_EXACT);
            assert_int_equal(block->events[i].known->n_op_nodes, 1);
            n++;
        }
    }
    assert_true(n > 0);
    eti_inspector_close(inspector);
}

/* ---- several nodes with one handle ----------------------------------------------------------- */

#define STEP(name, op, handle, input)                                                              \
    "{\"name\": \"" name "\", \"target\": \"executorch.exir.dialects.edge.ops.aten." op            \
    ".default\", \"inputs\": [{\"name\": \"self\", \"arg\": {\"as_tensor\": {\"name\": \"" input   \
    "\"}}}], \"outputs\": [{\"as_tensor\": {\"name\": \"" name                                     \
    "\"}}], \"metadata\": {\"debug_handle\": \"" handle                                            \
    "\", \"nn_module_stack\": \"L__self__,,M\"}}"
#define LINEAR(n) "Fully Connected (NC, F32) GEMM #" #n

/* Opens two calls, each of which runs a linear layer with handle 7. */
static void open_two_layers(seen *s, const char *nodes) {
    builder *b = &s->session.b;
    eti_buffer edge = {0};
    eti__buffer_printf(&edge, EDGE_PROGRAM("%s"), nodes);
    eti__buffer_add_char(&edge, '\0');
    const record_spec record = {
        .handles = "{\"0\": [7], \"1\": [7]}",
        .delegates = "{\"0\": {\"name\": \"XnnpackBackend\", \"delegate_map\": {}}, "
                     "\"1\": {\"name\": \"XnnpackBackend\", \"delegate_map\": {}}}",
        .edge = edge.data,
    };
    add_payload(s, NODES(XNODE(FULLY_CONNECTED, 7)));
    add_payload(s, NODES(XNODE(FULLY_CONNECTED, 7)));
    open_seen(s,
              DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, LINEAR(1)), CALL_OF(b, 0),
                          LOGGED_BY(b, 1, LINEAR(2)), CALL_OF(b, 1))),
              &record);
    eti__buffer_free(&edge);
}

/* Checks the nodes that an event may be, such as "mm_1 mm_2". */
static void assert_own_nodes(const seen *s, const char *name, const char *expected) {
    eti_event_nodes nodes = eti__event_nodes(event_called(s, name));
    eti_buffer found = {0};
    for (size_t i = 0; i < nodes.n; i++) {
        eti_text node = nodes.all[i]->name;
        eti__buffer_printf(&found, "%s%.*s", i ? " " : "", (int)node.size - 1, node.data);
    }
    assert_text(eti__buffer_text(&found), expected);
    eti__buffer_free(&found);
}

/* Each step of a loop takes the result of the step before it. */
static void steps_that_need_each_other_run_in_order(void **state) {
    (void)state;
    seen s = {0};
    open_two_layers(&s, STEP("mm_1", "mm", "7", "x") "," STEP("tanh", "tanh", "7", "mm_1") "," STEP(
                            "mm_2", "mm", "7", "tanh"));
    assert_seen(&s, LINEAR(1), "inferred [7] aten.mm.default");
    assert_own_nodes(&s, LINEAR(1), "mm_1");
    assert_own_nodes(&s, LINEAR(2), "mm_2");
    close_seen(&s);
}

static void independent_nodes_are_not_told_apart(void **state) {
    (void)state;
    seen s = {0};
    open_two_layers(&s, STEP("mm_1", "mm", "7", "x") "," STEP("mm_2", "mm", "7", "x"));
    assert_seen(&s, LINEAR(1), "inferred [7] aten.mm.default");
    assert_own_nodes(&s, LINEAR(1), "mm_1 mm_2");
    assert_own_nodes(&s, LINEAR(2), "mm_1 mm_2");
    assert_text(eti__event_op(event_called(&s, LINEAR(1))), "aten.mm.default");
    close_seen(&s);
}

/* A third node of the kind may have run elsewhere. */
static void more_nodes_than_ran_are_not_told_apart(void **state) {
    (void)state;
    seen s = {0};
    open_two_layers(&s, STEP("mm_1", "mm", "7", "x") "," STEP("mm_2", "mm", "7", "mm_1") "," STEP(
                            "mm_3", "mm", "7", "mm_2"));
    assert_own_nodes(&s, LINEAR(1), "mm_1 mm_2 mm_3");
    close_seen(&s);
}

static void nodes_with_different_operators_are_several(void **state) {
    (void)state;
    seen s = {0};
    open_two_layers(&s, STEP("mm", "mm", "7", "x") "," STEP("linear", "linear", "7", "x"));
    assert_seen(&s, LINEAR(2), "inferred [7] aten.mm.default aten.linear.default");
    assert_null(eti__event_op(event_called(&s, LINEAR(2))).data);
    close_seen(&s);
}

/* Opens a call with a reshape, after as many kernels as there are names. */
static void open_reshape(seen *s, const char *const *kernels, size_t n) {
    builder *b = &s->session.b;
    s->program.operator_names = kernels;
    s->program.n_operators = n;
    add_payload(s, NODES(XNODE(STATIC_RESHAPE, 7)));
    for (size_t i = 0; i < n; i++)
        add_call(&s->program, A_KERNEL_CALL, (int32_t)i, I32S(&s->program.b, 0));
    open_seen(s,
              DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, "Static Reshape (NC) #1"), CALL_OF(b, 0))),
              &(record_spec){.handles = "{\"0\": [7], \"1\": [7], \"2\": [7]}",
                             .delegates = "{\"0\": {\"name\": \"XnnpackBackend\", "
                                          "\"delegate_map\": {}}}",
                             .edge = EDGE_PROGRAM(NODE_OF("squeeze_copy", "7") "," NODE_OF(
                                 "squeeze_copy", "7") "," NODE_OF("view_copy", "7"))});
}

/* As many kernels squeeze as there are such nodes, so that the delegate does not. */
static void nodes_that_ran_as_kernels_are_left_out(void **state) {
    (void)state;
    static const char *const both[] = {"aten::squeeze_copy", "aten::squeeze_copy"};
    static const char *const others[] = {"aten::squeeze", "aten::squeeze_copy"};
    seen s = {0};
    open_reshape(&s, both, 2);
    assert_seen(&s, "Static Reshape (NC) #1", "exact [7] aten.view_copy.default");
    close_seen(&s);
    open_reshape(&s, others, 2);
    assert_seen(&s, "Static Reshape (NC) #1",
                "inferred [7] aten.squeeze_copy.default aten.view_copy.default");
    close_seen(&s);
}

/* Nodes that may be fused into an operator are listed after its own. */
static void several_nodes_may_be_fused(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_payload(&s, NODES(XNODE(CONV2D, 8), XNODE(CLAMP, 7), XNODE(TANH, 9)));
    open_seen(
        &s, DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, CONV), LOGGED_BY(b, 0, TANH), CALL_OF(b, 0))),
        RECORD("{\"0\": [7, 8, 9]}", "{}",
               NODE_OF("relu", "7") "," NODE_OF("relu", "7") "," NODE_OF(
                   "convolution", "8") "," NODE_OF("tanh", "9")));
    assert_seen(&s, CONV, "aligned [8, 7] aten.convolution.default aten.relu.default");
    assert_own_nodes(&s, CONV, "convolution");
    assert_int_equal(event_called(&s, CONV)->known->n_op_nodes, 3);
    close_seen(&s);
}

/* A loop may run a call for several of the nodes. */
static void repeated_calls_have_no_order(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_payload(&s, NODES(XNODE(TANH, 7), XNODE(TANH, 7)));
    open_seen(
        &s,
        DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, "TanH (NC) #1"), LOGGED_BY(b, 0, "TanH (NC) #2"),
                    CALL_OF(b, 0), LOGGED_BY(b, 0, "TanH (NC) #1"), LOGGED_BY(b, 0, "TanH (NC) #2"),
                    CALL_OF(b, 0))),
        RECORD("{\"0\": [7]}", "{}",
               STEP("tanh_1", "tanh", "7", "x") "," STEP("tanh_2", "tanh", "7", "tanh_1")));
    assert_own_nodes(&s, "TanH (NC) #1", "tanh_1 tanh_2");
    close_seen(&s);
}

/* A concatenation of many inputs is made in several nodes; only the first has the handle. */
static void long_concatenations_are_continued(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_payload(&s, NODES(XNODE(CONCATENATE_5, 7), XNODE(CONCATENATE_2, INSERTED), XNODE(TANH, 8)));
    open_seen(
        &s,
        DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, "Copy (NC, X32) #1"),
                    LOGGED_BY(b, 0, "Copy (NC, X32) #2"), LOGGED_BY(b, 0, TANH), CALL_OF(b, 0))),
        RECORD("{\"0\": [7, 8]}", "{}", NODE_OF("cat", "7") "," NODE_OF("tanh", "8")));
    assert_seen(&s, "Copy (NC, X32) #2", "exact [7] aten.cat.default");
    close_seen(&s);
}

/* Checks the names of the nodes that the call at an instruction is for. */
static void assert_call_is_for(const seen *s, int32_t instruction, const char *expected) {
    const eti_event_block *block = &s->session.inspector->blocks.blocks[0];
    eti_buffer names = {0};
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        eti_event_nodes nodes = eti__event_nodes(event);
        bool is_call =
            eti__text_is(event->name, "DELEGATE_CALL") && event->instruction_id == instruction;
        for (size_t k = 0; k < nodes.n && is_call; k++)
            eti__buffer_printf(&names, "%s%.*s", k ? " " : "", ETI_TEXT_ARGS(nodes.all[k]->name));
    }
    assert_text(eti__buffer_text(&names), expected);
    eti__buffer_free(&names);
}

/* The second call takes the result of the first, which is quantized, so its list has the handle of both. The third logs
 * nothing. */
static void calls_are_for_what_they_run(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_payload(&s, NODES(XNODE(TANH, 7)));
    add_payload(&s, NODES(XNODE(STATIC_TRANSPOSE, INSERTED), XNODE(CONV2D, 8)));
    add_payload(&s, NODES(XNODE(SIN, 9)));
    open_seen(&s,
              DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, TANH), CALL_OF(b, 0),
                          LOGGED_BY(b, 1, "Transpose (ND, X32) #1"), LOGGED_BY(b, 1, CONV),
                          CALL_OF(b, 1), CALL_OF(b, 2))),
              RECORD("{\"0\": [7], \"1\": [7, 8], \"2\": [8, 9]}", "{}",
                     NODE_OF("tanh", "7") "," NODE_OF("convolution", "8") "," NODE_OF("sin", "9")));
    assert_call_is_for(&s, 0, "tanh_");
    assert_call_is_for(&s, 1, "convolution_");
    assert_call_is_for(&s, 2, "sin_");
    close_seen(&s);
}

/* The kernels differ from those of the payload, so it says nothing about the call either. */
static void misfits_say_nothing_about_calls(void **state) {
    (void)state;
    seen s = {0};
    builder *b = &s.session.b;
    add_payload(&s, NODES(XNODE(SIN, 7)));
    add_payload(&s, NODES(XNODE(SIN, 8)));
    open_seen(&s,
              DUMP(b, RUN(b, "Execute", LOGGED_BY(b, 0, TANH), CALL_OF(b, 0), LOGGED_BY(b, 1, CONV),
                          CALL_OF(b, 1))),
              RECORD("{\"0\": [7], \"1\": [7, 8]}", "{}",
                     NODE_OF("tanh", "7") "," NODE_OF("convolution", "8")));
    assert_call_is_for(&s, 0, "tanh_");
    assert_call_is_for(&s, 1, "tanh_ convolution_");
    close_seen(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_of_the_payload_are_exact),
        cmocka_unit_test(handles_lead_to_nodes_of_the_record),
        cmocka_unit_test(payloads_without_handles_name_kinds),
        cmocka_unit_test(changes_of_layout_belong_to_the_operators_they_serve),
        cmocka_unit_test(operators_share_a_change_of_layout),
        cmocka_unit_test(ambiguous_changes_are_inferred),
        cmocka_unit_test(inserted_nodes_add_no_operator),
        cmocka_unit_test(nothing_is_seen_where_that_is_asked_for),
        cmocka_unit_test(a_call_that_is_repeated_is_seen_through_once),
        cmocka_unit_test(fused_nodes_join_the_operator),
        cmocka_unit_test(several_operators_share_a_conversion),
        cmocka_unit_test(other_work_is_not_shared),
        cmocka_unit_test(equal_handles_are_listed_once),
        cmocka_unit_test(operators_without_nodes_belong_to_the_call),
        cmocka_unit_test(a_program_that_misfits_is_not_used),
        cmocka_unit_test(handles_must_be_those_of_the_call),
        cmocka_unit_test(handles_must_lead_to_the_operators),
        cmocka_unit_test(damaged_payloads_fail_nothing),
        cmocka_unit_test(older_payloads_are_bare),
        cmocka_unit_test(payloads_of_other_backends_are_not_looked_at),
        cmocka_unit_test(recorded_identifiers_come_first),
        cmocka_unit_test(the_record_alone_lets_infer),
        cmocka_unit_test(operators_of_other_instructions_may_be_missing),
        cmocka_unit_test(nothing_is_taken_from_a_record_with_other_operators),
        cmocka_unit_test(lowered_modules_have_the_payloads),
        cmocka_unit_test(steps_that_need_each_other_run_in_order),
        cmocka_unit_test(independent_nodes_are_not_told_apart),
        cmocka_unit_test(more_nodes_than_ran_are_not_told_apart),
        cmocka_unit_test(nodes_with_different_operators_are_several),
        cmocka_unit_test(nodes_that_ran_as_kernels_are_left_out),
        cmocka_unit_test(several_nodes_may_be_fused),
        cmocka_unit_test(repeated_calls_have_no_order),
        cmocka_unit_test(long_concatenations_are_continued),
        cmocka_unit_test(calls_are_for_what_they_run),
        cmocka_unit_test(misfits_say_nothing_about_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
