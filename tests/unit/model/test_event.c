#include "inspector_fixture.h"

#include "model_fixture.h"

#include "support.h"

#include "model/parts.h"

/* ==== event =================================================================================== */

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

/* ==== samples ================================================================================= */

static eti_options defaults(void) {
    return (eti_options)ETI_OPTIONS_DEFAULT;
}

static eti_status fill(model *m, const eti_options *options) {
    eti_status status = ETI_OK;
    for (size_t i = 0; i < m->blocks.n_blocks && status == ETI_OK; i++)
        status = eti__samples_fill(&m->blocks.blocks[i], &m->arena, options, &m->err);
    return status;
}

/* Returns the sample of the only event of a dump. */
static double sample_of(profile_spec spec, eti_options options) {
    model m = {0};
    build_model(&m, DUMP(&m.b, RUN(&m.b, "r", put_event(&m.b, put_profile(&m.b, &spec), 0, 0))));
    if (fill(&m, &options) != ETI_OK)
        fail_msg("%s", m.err.message);
    assert_int_equal(eti_event_sample_count(&m.blocks.blocks[0].events[0]), 1);
    double sample = eti_event_raw(&m.blocks.blocks[0].events[0])[0];
    free_model(&m);
    return sample;
}

#define SAMPLE(options, ...) sample_of((profile_spec){__VA_ARGS__}, (options))

static void a_stamp_difference_is_divided_by_the_scale(void **state) {
    (void)state;
    eti_options options = defaults();
    assert_bits(SAMPLE(options, .start_time = 1173212209, .end_time = 1173213321), 0.001112);
    options.source_time_scale = ETI_SCALE_S;
    options.target_time_scale = ETI_SCALE_NS;
    assert_bits(SAMPLE(options, .end_time = 4), 3999999999.9999995);
    options.source_time_scale = options.target_time_scale = ETI_SCALE_CYCLES;
    assert_bits(SAMPLE(options, .start_time = 3, .end_time = 10), 7.0);
}

static void delegates_stamps_are_scaled_before_they_are_subtracted(void **state) {
    (void)state;
    eti_options options = defaults();
    assert_bits(SAMPLE(options, .delegate_id_int = SOME(0), .start_time = 1173212209,
                       .end_time = 1173213321),
                0.001111999999920954);
    assert_bits(
        SAMPLE(options, .delegate_id_str = "d", .start_time = 1173212209, .end_time = 1173213321),
        0.001111999999920954);
}

static void exact_time_treats_delegates_like_others(void **state) {
    (void)state;
    eti_options options = defaults();
    options.exact_time = true;
    assert_bits(SAMPLE(options, .delegate_id_int = SOME(0), .start_time = 1173212209,
                       .end_time = 1173213321),
                0.001112);
}

static void a_clock_of_32_bits_wraps_around(void **state) {
    (void)state;
    eti_options options = defaults();
    options.target_time_scale = ETI_SCALE_NS;
    assert_bits(SAMPLE(options, .start_time = 4294967291u, .end_time = 10), 14.0);
    options.target_time_scale = ETI_SCALE_MS;
    assert_bits(SAMPLE(options, .start_time = 4294967291u, .end_time = 10), 14.0 / 1e6);
    assert_bits(
        SAMPLE(options, .delegate_id_int = SOME(1), .start_time = 4294967291u, .end_time = 10),
        4294963000.032719);
    options.exact_time = true;
    assert_bits(
        SAMPLE(options, .delegate_id_int = SOME(1), .start_time = 4294967291u, .end_time = 10),
        14.0 / 1e6);
}

static void time_that_runs_backwards_beyond_32_bits_is_an_error(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    eti_options options = defaults();
    build_model(&m,
                DUMP(b, RUN(b, "r", TIMED(b, .name = "a", .end_time = 1)),
                     RUN(b, "r", TIMED(b, .name = "a", .start_time = 4294967296u, .end_time = 5))));
    assert_int_equal(fill(&m, &options), ETI_ERROR_DATA);
    assert_string_equal(m.err.message,
                        "test.etdp: run 1: event a: start_time 4294967296 is after end_time 5, and "
                        "only 32-bit clocks (up to 4294967295) can wrap around");
    free_model(&m);
}

static void a_delegates_stamps_must_fit_32_bits_only_when_scaled(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "r",
                                TIMED(b, .delegate_id_int = SOME(1), .start_time = 4294967296u,
                                      .end_time = 5))));
    eti_options options = defaults();
    assert_int_equal(fill(&m, &options), ETI_OK);
    options.target_time_scale = ETI_SCALE_NS;
    assert_int_equal(fill(&m, &options), ETI_ERROR_DATA);
    free_model(&m);
}

/* ---- scales of delegates --------------------------------------------------------------------- */

static void a_delegates_own_scale_goes_by_backend_and_else_by_default(void **state) {
    (void)state;
    const eti_delegate_time_scale scales[] = {
        {NULL, ETI_SCALE_US, 0}, {"Npu", ETI_SCALE_CYCLES, 0}, {"Npu", ETI_SCALE_S, 0}};
    eti_options options = defaults();
    assert_null(eti__delegate_time_scale_for(&options, eti__text_of("Npu")));
    options.delegate_time_scales = scales;
    options.n_delegate_time_scales = 3;
    assert_ptr_equal(eti__delegate_time_scale_for(&options, eti__text_of("Npu")), &scales[2]);
    assert_ptr_equal(eti__delegate_time_scale_for(&options, eti__text_of("Npus")), &scales[0]);
    assert_ptr_equal(eti__delegate_time_scale_for(&options, eti__text_of(NULL)), &scales[0]);
    options.delegate_time_scales = scales + 1;
    options.n_delegate_time_scales = 2;
    assert_null(eti__delegate_time_scale_for(&options, eti__text_of(NULL)));
}

static void only_delegates_have_a_scale_of_their_own(void **state) {
    (void)state;
    const eti_delegate_time_scale scales[] = {{NULL, ETI_SCALE_US, 0}};
    eti_options options = defaults();
    options.delegate_time_scales = scales;
    options.n_delegate_time_scales = 1;
    assert_bits(SAMPLE(options, .name = "a", .end_time = 5000), 0.005);
    assert_bits(SAMPLE(options, .delegate_id_int = SOME(1), .end_time = 5000), 5.0);
}

static void cycles_of_a_delegate_are_shown_as_counted(void **state) {
    (void)state;
    const eti_delegate_time_scale scales[] = {{"Npu", ETI_SCALE_CYCLES, 0}};
    eti_options options = defaults();
    options.delegate_time_scales = scales;
    options.n_delegate_time_scales = 1;
    model m = {0};
    builder *b = &m.b;
    build_model(
        &m, DUMP(b, RUN(b, "r",
                        TIMED(b, .delegate_id_int = SOME(1), .start_time = 10, .end_time = 5010),
                        TIMED(b, .delegate_id_int = SOME(2), .end_time = 5000))));
    const eti_event_record npu = {.backend_name = eti__text_of("Npu"), .num_outputs = 1};
    m.blocks.blocks[0].events[0].record = &npu;
    assert_int_equal(fill(&m, &options), ETI_OK);
    assert_bits(eti_event_raw(&m.blocks.blocks[0].events[0])[0], 5000.0);
    assert_bits(eti_event_raw(&m.blocks.blocks[0].events[1])[0], 0.005);
    free_model(&m);
}

/* 400,000 cycles per millisecond, but only for the clock given with --clock_hz. */
static void a_delegates_own_cycles_are_of_another_clock(void **state) {
    (void)state;
    const eti_delegate_time_scale scales[] = {{NULL, ETI_SCALE_CYCLES, 0}};
    eti_options options = defaults();
    options.source_time_scale = ETI_SCALE_CYCLES;
    options.clock_hz = 400e6;
    assert_bits(SAMPLE(options, .name = "a", .end_time = 8000), 0.02);
    assert_bits(SAMPLE(options, .delegate_id_int = SOME(1), .end_time = 8000), 0.02);
    options.delegate_time_scales = scales;
    options.n_delegate_time_scales = 1;
    assert_bits(SAMPLE(options, .name = "a", .end_time = 8000), 0.02);
    assert_bits(SAMPLE(options, .delegate_id_int = SOME(1), .end_time = 8000), 8000.0);
}

/* ---- other values of a sample ---------------------------------------------------------------- */

static void every_run_gives_a_sample_in_order(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "r", TIMED(b, .name = "a", .start_time = 30, .end_time = 37)),
                         RUN(b, "r", TIMED(b, .name = "a", .start_time = 10, .end_time = 11)),
                         RUN(b, "r", TIMED(b, .name = "a", .start_time = 20, .end_time = 24))));
    eti_options options = defaults();
    options.target_time_scale = ETI_SCALE_NS;
    assert_int_equal(fill(&m, &options), ETI_OK);
    const eti_event *event = &m.blocks.blocks[0].events[0];
    assert_int_equal(eti_event_sample_count(event), 3);
    static const uint64_t starts[] = {30, 10, 20};
    static const double samples[] = {7, 1, 4};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(eti_event_start_time(event)[i], starts[i]);
        assert_bits(eti_event_raw(event)[i], samples[i]);
    }
    eti_summary summary;
    assert_true(eti_event_summary(event, &summary));
    assert_bits(summary.min, 1.0);
    assert_bits(summary.avg, 4.0);
    assert_bits(summary.p50, 4.0);
    assert_bits(summary.max, 7.0);
    free_model(&m);
}

static void start_times_are_not_scaled(void **state) {
    (void)state;
    model m = {0};
    build_model(&m, DUMP(&m.b, RUN(&m.b, "r",
                                   TIMED(&m.b, .delegate_id_int = SOME(1), .start_time = UINT64_MAX,
                                         .end_time = UINT64_MAX))));
    eti_options options = defaults();
    assert_int_equal(fill(&m, &options), ETI_OK);
    assert_true(eti_event_start_time(&m.blocks.blocks[0].events[0])[0] == UINT64_MAX);
    free_model(&m);
}

static void metadata_has_an_entry_per_sample_or_none_at_all(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(
        &m, DUMP(b, RUN(b, "r", TIMED(b, .name = "some", .metadata = ""), TIMED(b, .name = "no")),
                 RUN(b, "r", TIMED(b, .name = "some", .metadata = "m\xff"),
                     TIMED(b, .name = "no", .metadata = ""))));
    eti_options options = defaults();
    assert_int_equal(fill(&m, &options), ETI_OK);
    const eti_event *events = m.blocks.blocks[0].events;
    assert_int_equal(eti_event_delegate_debug_metadata_count(&events[0]), 2);
    assert_int_equal(eti_event_delegate_debug_metadata(&events[0], 0).size, 0);
    assert_text(eti_event_delegate_debug_metadata(&events[0], 1), "m\xff");
    assert_int_equal(eti_event_delegate_debug_metadata_count(&events[1]), 0);
    free_model(&m);
}

static void events_that_were_only_logged_have_no_samples(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "r", LOGGED(b, .name = "d", .value = INT_VALUE(b, 1))),
                         put_run(b, &(run_spec){.name = "e", .events = put_tables(b, NULL, 0)})));
    eti_options options = defaults();
    assert_int_equal(fill(&m, &options), ETI_OK);
    assert_int_equal(eti_event_sample_count(&m.blocks.blocks[0].events[0]), 0);
    assert_null(eti_event_raw(&m.blocks.blocks[0].events[0]));
    free_model(&m);
}

/* The debug event says delegate, but the event that took the time was not delegated. */
static void delegation_is_judged_before_debug_events(void **state) {
    (void)state;
    model m = {0};
    build_model(&m, DUMP(&m.b, RUN(&m.b, "r",
                                   TIMED(&m.b, .name = "a", .start_time = 1173212209,
                                         .end_time = 1173213321))));
    eti_event *event = &m.blocks.blocks[0].events[0];
    event->is_delegated_op = true;
    eti_options options = defaults();
    assert_int_equal(fill(&m, &options), ETI_OK);
    assert_bits(eti_event_raw(event)[0], 0.001112);
    free_model(&m);
}

/* ==== metadata ================================================================================ */

/* Returns the list of `n` entries in this form. */
static void assert_list(eti_metadata_form form, const eti_text *entries, size_t n,
                        const char *expected) {
    eti_buffer out = {0};
    eti__buffer_add_char(&out, '[');
    for (size_t i = 0; i < n; i++) {
        eti__buffer_add_string(&out, i ? ", " : "");
        eti__metadata_add(&out, entries[i], form);
    }
    eti__buffer_add_char(&out, ']');
    assert_text(eti__buffer_text(&out), expected);
    eti__buffer_free(&out);
}

#define ASSERT_ONE(form, text, expected)                                                           \
    assert_list((form), &(eti_text){(text), sizeof(text) - 1}, 1, (expected))

static void lists_have_brackets_and_commas(void **state) {
    (void)state;
    const eti_text entries[] = {{"a", 1}, {NULL, 0}, {"b", 1}};
    assert_list(ETI_METADATA_BYTES, entries, 3, "[b'a', '', b'b']");
    assert_list(ETI_METADATA_UTF8, entries, 3, "['a', '', 'b']");
    assert_list(ETI_METADATA_HEX, entries, 3, "['61', '', '62']");
    assert_list(ETI_METADATA_JSON, entries, 3, "[\"a\", null, \"b\"]");
    assert_list(ETI_METADATA_BYTES, entries, 0, "[]");
}

static void bytes_are_written_as_python_does(void **state) {
    (void)state;
    ASSERT_ONE(ETI_METADATA_BYTES, "a\0\n\xff'", "[b\"a\\x00\\n\\xff'\"]");
    ASSERT_ONE(ETI_METADATA_BYTES, "a\\\"", "[b'a\\\\\"']");
}

static void text_is_written_as_python_does(void **state) {
    (void)state;
    ASSERT_ONE(ETI_METADATA_UTF8, "caf\xc3\xa9\t", "['caf\xc3\xa9\\t']");
    ASSERT_ONE(ETI_METADATA_UTF8,
               "a\xff"
               "b",
               "['a\xef\xbf\xbd"
               "b']");
    ASSERT_ONE(ETI_METADATA_UTF8, "it's", "[\"it's\"]");
}

static void hexadecimal_digits_are_lower_case(void **state) {
    (void)state;
    ASSERT_ONE(ETI_METADATA_HEX, "\0\x1f\xab\xff", "['001fabff']");
}

static void json_stays_json_and_other_text_becomes_a_string(void **state) {
    (void)state;
    ASSERT_ONE(ETI_METADATA_JSON, "{\"a\": [1, 2.5]}", "[{\"a\": [1, 2.5]}]");
    ASSERT_ONE(ETI_METADATA_JSON, "17", "[17]");
    ASSERT_ONE(ETI_METADATA_JSON, "1 2", "[\"1 2\"]");
    ASSERT_ONE(ETI_METADATA_JSON, "{", "[\"{\"]");
    ASSERT_ONE(ETI_METADATA_JSON, "a\"b\\c", "[\"a\\\"b\\\\c\"]");
    ASSERT_ONE(ETI_METADATA_JSON, "a\n\x01\xff", "[\"a\\u000a\\u0001\\ufffd\"]");
    ASSERT_ONE(ETI_METADATA_JSON, "caf\xc3\xa9", "[\"caf\xc3\xa9\"]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_can_be_asked_of_an_event),
        cmocka_unit_test(an_event_without_samples_has_no_summary),
        cmocka_unit_test(an_index_past_the_last_gives_nothing),
        cmocka_unit_test(a_graph_node_has_the_node_of_its_event),
        cmocka_unit_test(samples_of_others_are_summarized_too),
        cmocka_unit_test(a_stamp_difference_is_divided_by_the_scale),
        cmocka_unit_test(delegates_stamps_are_scaled_before_they_are_subtracted),
        cmocka_unit_test(exact_time_treats_delegates_like_others),
        cmocka_unit_test(a_clock_of_32_bits_wraps_around),
        cmocka_unit_test(time_that_runs_backwards_beyond_32_bits_is_an_error),
        cmocka_unit_test(a_delegates_stamps_must_fit_32_bits_only_when_scaled),
        cmocka_unit_test(a_delegates_own_scale_goes_by_backend_and_else_by_default),
        cmocka_unit_test(only_delegates_have_a_scale_of_their_own),
        cmocka_unit_test(cycles_of_a_delegate_are_shown_as_counted),
        cmocka_unit_test(a_delegates_own_cycles_are_of_another_clock),
        cmocka_unit_test(every_run_gives_a_sample_in_order),
        cmocka_unit_test(start_times_are_not_scaled),
        cmocka_unit_test(metadata_has_an_entry_per_sample_or_none_at_all),
        cmocka_unit_test(events_that_were_only_logged_have_no_samples),
        cmocka_unit_test(delegation_is_judged_before_debug_events),
        cmocka_unit_test(lists_have_brackets_and_commas),
        cmocka_unit_test(bytes_are_written_as_python_does),
        cmocka_unit_test(text_is_written_as_python_does),
        cmocka_unit_test(hexadecimal_digits_are_lower_case),
        cmocka_unit_test(json_stays_json_and_other_text_becomes_a_string),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
