#include "inspector_fixture.h"

#define EDGE EDGE_PROGRAM(NODE("add", "1", "key,path,type"))
#define CALL(b, id) TIMED(b, .name = "a", .instruction_id = SOME(id), .end_time = 2000000)

static const eti_event *event_at(const session *s, size_t block, size_t event) {
    assert_true(block < eti_inspector_block_count(s->inspector));
    const eti_event_block *of = eti_inspector_block(s->inspector, block);
    assert_true(event < eti_event_block_event_count(of));
    return eti_event_block_event(of, event);
}

/* Opens a session with one of everything. */
static void open_full_session(session *s) {
    builder *b = &s->b;
    open_session(
        s,
        DUMP(b, put_run(b, &(run_spec){.name = "Execute",
                                       .bundled_input_index = SOME(3),
                                       .events = EVENTS(b, CALL(b, 1),
                                                        LOGGED(b, .instruction_id = SOME(1),
                                                               .value = INT_VALUE(b, 5)),
                                                        LOGGED(b, .value = INT_OUTPUT(b, 6)))})),
        &(record_spec){.handles = "{\"1\": [1, 1]}", .edge = EDGE, .num_outputs = "{\"1\": 2}"});
}

static void everything_can_be_asked_of_an_event(void **state) {
    (void)state;
    session s = {0};
    open_full_session(&s);
    const eti_event_block *block = eti_inspector_block(s.inspector, 0);
    assert_text(eti_event_block_name(block), "Execute");
    assert_text(eti_event_block_label(block), "Execute");
    assert_int_equal(eti_event_block_bundled_input_index(block), 3);
    assert_int_equal(eti_event_block_run_count(block), 1);
    assert_int_equal(eti_event_block_run_output_count(block), 1);
    assert_true(eti_value_as_int(eti_event_block_run_output(block, 0)) == 6);

    const eti_event *event = event_at(&s, 0, 0);
    assert_text(eti_event_name(event), "a");
    assert_int_equal(eti_event_instruction_id(event), 1);
    assert_false(eti_event_is_delegated_op(event));
    assert_false(eti_event_is_timed_by_delegate(event));
    assert_int_equal(eti_event_delegate_debug_identifier(event).kind, ETI_DELEGATE_ID_NONE);
    assert_absent(eti_event_delegate_backend_name(event));
    assert_int_equal(eti_event_debug_handles(event).n, 2);
    assert_int_equal(eti_event_num_outputs(event), 2);
    assert_int_equal(eti_event_sample_count(event), 1);
    assert_bits(eti_event_raw(event)[0], 2.0);
    assert_int_equal(eti_event_start_time(event)[0], 0);
    uint64_t end = 0;
    assert_true(eti_event_end_time(event, 0, &end));
    assert_int_equal(end, 2000000);
    assert_false(eti_event_end_time(event, 1, &end));
    assert_int_equal(eti_event_delegate_debug_metadata_count(event), 0);
    assert_int_equal(eti_event_debug_data_count(event), 1);
    assert_true(eti_value_as_int(eti_event_debug_data(event, 0)) == 5);
    eti_summary summary;
    assert_true(eti_event_summary(event, &summary));
    assert_bits(summary.avg, 2.0);

    assert_int_equal(eti_event_op_type_count(event), 2);
    assert_text(eti_event_op_type(event, 1), "aten.add.default");
    assert_int_equal(eti_event_op_node_count(event), 1);
    const eti_op_node *node = eti_event_op_node(event, 0);
    assert_text(eti_op_node_name(node), "add_");
    assert_text(eti_op_node_stack_trace(node), "at add");
    assert_true(eti_op_node_has_modules(node));
    assert_int_equal(eti_op_node_module_count(node), 1);
    const eti_module *module = eti_op_node_module(node, 0);
    assert_text(eti_module_key(module), "key");
    assert_text(eti_module_path(module), "path");
    assert_text(eti_module_type(module), "type");
    close_session(&s);
}

static void an_event_without_samples_has_no_summary(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, RUN(b, "r", LOGGED(b, .name = "d", .value = INT_VALUE(b, 1)))), NULL);
    eti_summary summary;
    assert_false(eti_event_summary(event_at(&s, 0, 0), &summary));
    assert_int_equal(eti_event_sample_count(event_at(&s, 0, 0)), 0);
    close_session(&s);
}

/* `past` is the first index after the last item. */
static void an_index_past_the_last_gives_nothing(void **state) {
    (void)state;
    session s = {0};
    open_full_session(&s);
    const eti_event_block *block = eti_inspector_block(s.inspector, 0);
    const eti_event *event = event_at(&s, 0, 0);
    const eti_op_node *node = eti_event_op_node(event, 0);
    const size_t ends[] = {0, SIZE_MAX / 2, SIZE_MAX};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        size_t more = ends[i];
        assert_null(eti_event_block_event(block, eti_event_block_event_count(block) | more));
        assert_null(eti_event_block_run_output(block, 1 | more));
        assert_null(eti_event_op_node(event, 1 | more));
        assert_null(eti_event_op_type(event, 2 | more).data);
        assert_null(eti_event_debug_data(event, 1 | more));
        assert_null(eti_event_delegate_debug_metadata(event, 0 | more).data);
        assert_null(eti_op_node_module(node, 1 | more));
        assert_null(eti_value_tensor(eti_event_debug_data(event, 0), 0 | more));
        assert_null(eti_inspector_block(s.inspector, 1 | more));
        assert_null(eti_inspector_graph_node(s.inspector, 1 | more));
        size_t n_notes = eti_inspector_note_count(s.inspector) | more;
        assert_null(eti_inspector_note_text(s.inspector, n_notes).data);
        assert_int_equal(eti_inspector_note_kind(s.inspector, n_notes), ETI_NOTE_INFO);
    }
    close_session(&s);
}

static void a_graph_node_has_the_node_of_its_event(void **state) {
    (void)state;
    session s = {0};
    open_full_session(&s);
    const eti_graph_node *node = eti_inspector_graph_node(s.inspector, 0);
    int64_t handle = 0;
    assert_int_equal(eti_inspector_method_count(s.inspector), 1);
    assert_text(eti_inspector_method_name(s.inspector, 0), "forward");
    assert_null(eti_inspector_method_name(s.inspector, 1).data);
    assert_int_equal(eti_inspector_graph_node_count(s.inspector), 1);
    assert_ptr_equal(eti_graph_node_op_node(node), eti_event_op_node(event_at(&s, 0, 0), 0));
    assert_text(eti_graph_node_op_type(node), "aten.add.default");
    assert_true(eti_graph_node_debug_handle(node, &handle));
    assert_int_equal(handle, 1);
    close_session(&s);
}

static void samples_of_others_are_summarized_too(void **state) {
    (void)state;
    const double samples[] = {4, 1, 3};
    eti_summary summary = ETI_SUMMARY_INIT;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti_summarize(&summary, samples, 3, &err), ETI_OK);
    assert_bits(summary.p50, 3.0);
    assert_bits(summary.p90, 3.8);
    assert_bits(summary.avg, 8.0 / 3);
    assert_bits(summary.min, 1.0);
    assert_bits(summary.max, 4.0);
    assert_int_equal(eti_summarize(&summary, samples, 0, &err), ETI_ERROR_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_can_be_asked_of_an_event),
        cmocka_unit_test(an_event_without_samples_has_no_summary),
        cmocka_unit_test(an_index_past_the_last_gives_nothing),
        cmocka_unit_test(a_graph_node_has_the_node_of_its_event),
        cmocka_unit_test(samples_of_others_are_summarized_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
