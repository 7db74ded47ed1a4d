#include "inspector_fixture.h"
#include "table/table.h"
#include "view_events/view_events.h"

#define EDGE EDGE_PROGRAM(NODE("add", "1", "key,path,type"))
#define CALL(b, id) TIMED(b, .name = "a", .instruction_id = SOME(id), .end_time = 2000000)

static const eti_event *event_at(const session *s, size_t block, size_t event) {
    assert_true(block < eti_inspector_block_count(s->inspector));
    const eti_event_block *of = eti_inspector_block(s->inspector, block);
    assert_true(event < eti_event_block_event_count(of));
    return eti_event_block_event(of, event);
}

/* Checks that the failing call sets NULL and the message. */
static void assert_refused(session *s, place dump, eti_status status, const char *what) {
    s->inspector = (eti_inspector *)(uintptr_t)s;
    assert_int_equal(try_session(s, dump), status);
    assert_null(s->inspector);
    if (!strstr(s->err.message, what))
        fail_msg("expected \"%s\" in: %s", what, s->err.message);
    close_session(s);
}

static void closing_nothing_is_allowed(void **state) {
    (void)state;
    eti_inspector_close(NULL);
    eti_table_free(NULL);
}

/* ---- options --------------------------------------------------------------------------------- */

static void defaults_are_ns_to_ms(void **state) {
    (void)state;
    session s = {0};
    open_session(&s, DUMP(&s.b, RUN(&s.b, "r", CALL(&s.b, 1))), NULL);
    assert_int_equal(eti_inspector_source_time_scale(s.inspector), ETI_SCALE_NS);
    assert_int_equal(eti_inspector_target_time_scale(s.inspector), ETI_SCALE_MS);
    close_session(&s);
}

static void options_need_not_outlive_the_call(void **state) {
    (void)state;
    eti_options *options = malloc(sizeof *options);
    eti_delegate_time_scale *scale = malloc(sizeof *scale);
    char *backend = strdup("Npu"), *method = strdup("forward");
    assert_true(options && scale && backend && method);
    *scale = (eti_delegate_time_scale){backend, ETI_SCALE_CYCLES, 0};
    *options = (eti_options){.target_time_scale = ETI_SCALE_US,
                             .delegate_time_scales = scale,
                             .n_delegate_time_scales = 1,
                             .method = method,
                             .n_threads = 1};
    session s = {.options = options};
    builder *b = &s.b;
    place delegated =
        TIMED(b, .delegate_id_int = SOME(1), .instruction_id = SOME(1), .end_time = 5000);
    open_session(&s, DUMP(b, RUN(b, "r", delegated, CALL(b, 1))),
                 &(record_spec){.handles = "{\"1\": 1}",
                                .edge = EDGE,
                                .delegates = "{\"1\": {\"name\": \"Npu\"}}"});
    memset(backend, 'x', 3);
    memset(method, 'x', 7);
    memset(scale, 0xff, sizeof *scale);
    memset(options, 0xff, sizeof *options);
    free(backend);
    free(method);
    free(scale);
    free(options);
    assert_bits(eti_event_raw(event_at(&s, 0, 0))[0], 5000.0);
    assert_bits(eti_event_raw(event_at(&s, 0, 1))[0], 2000.0);
    assert_int_equal(eti_inspector_target_time_scale(s.inspector), ETI_SCALE_US);
    eti_table *table;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_events_table(&table, s.inspector, NULL, &err));
    assert_text(eti_table_column_name(table, 2), "p10 (us)");
    eti_table_free(table);
    close_session(&s);
}

static void cycles_go_only_with_cycles(void **state) {
    (void)state;
    eti_options options = {.source_time_scale = ETI_SCALE_CYCLES,
                           .target_time_scale = ETI_SCALE_MS};
    session s = {.options = &options};
    assert_refused(
        &s, DUMP(&s.b, RUN(&s.b, "r", CALL(&s.b, 1))), ETI_ERROR_USAGE,
        "source and target time scale are cycles and ms; use cycles for both or neither");
    options.target_time_scale = ETI_SCALE_CYCLES;
    s.options = &options;
    open_session(&s, DUMP(&s.b, RUN(&s.b, "r", CALL(&s.b, 1))), NULL);
    assert_bits(eti_event_raw(event_at(&s, 0, 0))[0], 2000000.0);
    close_session(&s);
}

static void delegates_times_cannot_become_cycles(void **state) {
    (void)state;
    const eti_delegate_time_scale scales[] = {{"Npu", ETI_SCALE_CYCLES, 0},
                                              {NULL, ETI_SCALE_NS, 0}};
    eti_options options = {.source_time_scale = ETI_SCALE_CYCLES,
                           .target_time_scale = ETI_SCALE_CYCLES,
                           .delegate_time_scales = scales,
                           .n_delegate_time_scales = 2};
    session s = {.options = &options};
    assert_refused(&s, DUMP(&s.b, RUN(&s.b, "r", CALL(&s.b, 1))), ETI_ERROR_USAGE,
                   "delegate times in ns cannot be converted to the target time scale cycles");
    options.n_delegate_time_scales = 1;
    s.options = &options;
    open_session(&s, DUMP(&s.b, RUN(&s.b, "r", CALL(&s.b, 1))), NULL);
    close_session(&s);
}

/* ---- methods --------------------------------------------------------------------------------- */

/* Two methods, in this order; their only instructions have handles 10 and 20. */
static void make_methods(session *s, const char *first, const char *second) {
    char json[256];
    snprintf(json, sizeof json, "{\"%s\": {\"1\": 10}, \"%s\": {\"1\": 20}}", first, second);
    add_member(&s->record, "ETRECORD_V0", "");
    add_member(&s->record, "debug_handle_map", json);
    finish_record(&s->record);
}

static int64_t handle_with(const char *first, const char *second, const char *method) {
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.method = method;
    session s = {.options = &options};
    make_methods(&s, first, second);
    open_session(&s, DUMP(&s.b, RUN(&s.b, "r", CALL(&s.b, 1))), NULL);
    int64_t handle = eti_event_debug_handles(event_at(&s, 0, 0)).handles[0];
    close_session(&s);
    return handle;
}

static void forward_is_the_default_and_else_the_first_method(void **state) {
    (void)state;
    assert_int_equal(handle_with("encode", "forward", NULL), 20);
    assert_int_equal(handle_with("forward", "encode", NULL), 10);
    assert_int_equal(handle_with("encode", "decode", NULL), 10);
    assert_int_equal(handle_with("encode", "forward", "encode"), 10);
    assert_int_equal(handle_with("encode", "forward", "forward"), 20);
}

/* The Inspector cannot open records without a method forward. */
static void without_forward_each_block_has_the_method_found_for_it(void **state) {
    (void)state;
    for (int is_chosen = 0; is_chosen < 2; is_chosen++) {
        eti_options options = ETI_OPTIONS_DEFAULT;
        options.method = is_chosen ? "encode" : NULL;
        options.no_attribution = true;
        session s = {.options = &options};
        add_member(&s.record, "ETRECORD_V0", "");
        add_member(&s.record, "debug_handle_map",
                   "{\"encode\": {\"1\": 10}, \"decode\": {\"1\": 20, \"2\": 21}}");
        finish_record(&s.record);
        place first = RUN(&s.b, "r", CALL(&s.b, 1));
        place second = RUN(&s.b, "r", CALL(&s.b, 1), CALL(&s.b, 2));
        open_session(&s, DUMP(&s.b, first, second), NULL);
        assert_int_equal(eti_event_debug_handles(event_at(&s, 0, 0)).handles[0], 10);
        assert_int_equal(eti_event_debug_handles(event_at(&s, 1, 0)).handles[0],
                         is_chosen ? 10 : 20);
        close_session(&s);
    }
}

static void a_method_that_is_not_there_is_refused_with_those_that_are(void **state) {
    (void)state;
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.method = "other";
    session s = {.options = &options};
    make_methods(&s, "encode", "forward");
    assert_refused(&s, DUMP(&s.b, RUN(&s.b, "r", CALL(&s.b, 1))), ETI_ERROR_USAGE,
                   "test.etrecord: has no method other; it has: encode, forward");
}

static void a_method_without_a_record_is_not_looked_for(void **state) {
    (void)state;
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.method = "other";
    session s = {.options = &options};
    open_session(&s, DUMP(&s.b, RUN(&s.b, "r", CALL(&s.b, 1))), NULL);
    close_session(&s);
}

/* ---- reference graphs ------------------------------------------------------------------------ */

#define BEFORE                                                                                     \
    EDGE_PROGRAM(NODE("mul", "1", "key,path,type") "," NODE("sub", "1", "other,path,type"))

static void make_graphs(session *s) {
    add_member(&s->record, "ETRECORD_V0", "");
    add_member(&s->record, "edge_dialect_exported_program/forward", EDGE);
    add_member(&s->record, "before/forward", BEFORE);
    add_member(&s->record, "edge_dialect_graph_module", BEFORE);
    add_member(&s->record, "debug_handle_map", "{\"forward\": {\"1\": 1}}");
    finish_record(&s->record);
}

/* Checks the operators of the only event, joined by commas, in the Inspector's order. */
static void assert_op_types(const char *name, const char *expected) {
    char found[64] = "";
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.reference_graph = name;
    session s = {.options = &options};
    make_graphs(&s);
    open_session(&s, DUMP(&s.b, RUN(&s.b, "r", CALL(&s.b, 1))), NULL);
    const eti_event *event = event_at(&s, 0, 0);
    for (size_t i = 0; i < eti_event_op_type_count(event); i++) {
        eti_text op = eti_event_op_type(event, i);
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%.*s", i ? "," : "",
                 ETI_TEXT_ARGS(op));
    }
    assert_string_equal(found, expected);
    assert_text(event->known->op_types[0], "aten.add.default");
    assert_int_equal(event->known->n_op_types, 1);
    assert_int_equal(eti_inspector_graph_node_count(s.inspector), 1);
    close_session(&s);
}

static void operators_are_of_the_reference_graph(void **state) {
    (void)state;
    assert_op_types(NULL, "aten.add.default");
    assert_op_types("before/forward", "aten.mul.default,aten.sub.default");
    assert_op_types("edge_dialect_graph_module", "aten.add.default"); /* not the extra program */
}

static void a_reference_graph_that_is_not_there_is_refused_with_those_that_are(void **state) {
    (void)state;
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.reference_graph = "before";
    session s = {.options = &options};
    make_graphs(&s);
    assert_refused(&s, DUMP(&s.b, RUN(&s.b, "r", CALL(&s.b, 1))), ETI_ERROR_USAGE,
                   "test.etrecord has no graph before; it has edge_dialect_graph_module, "
                   "before/forward, edge_dialect_graph_module");
}

static void a_reference_graph_without_a_record_is_not_looked_for(void **state) {
    (void)state;
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.reference_graph = "other";
    session s = {.options = &options};
    open_session(&s, DUMP(&s.b, RUN(&s.b, "r", CALL(&s.b, 1))), NULL);
    close_session(&s);
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static void nothing_to_inspect_is_a_wrong_request(void **state) {
    (void)state;
    session s = {0};
    assert_refused(&s, 0, ETI_ERROR_USAGE,
                   "neither an ETDump, nor an ETRecord, nor a program was given");
}

static void a_record_alone_can_be_inspected(void **state) {
    (void)state;
    session s = {0};
    open_session(&s, 0, &(record_spec){.handles = "{\"1\": 1}", .edge = EDGE});
    assert_int_equal(eti_inspector_block_count(s.inspector), 0);
    assert_true(eti_inspector_note_count(s.inspector) > 0);
    close_session(&s);
}

/* A large record is read by a separate thread. Errors of the profile are still reported first. */
static void a_large_record_gives_the_same_on_several_threads(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    for (size_t n_threads = 1; n_threads <= 3; n_threads++) {
        eti_options options = ETI_OPTIONS_DEFAULT;
        options.n_threads = n_threads;
        session s = {.options = &options};
        builder *b = &s.b;
        char *weights = calloc(1, ETI_PARALLEL_BYTES);
        assert_non_null(weights);
        add_sized_member(&s.record, "program_buffer", weights, ETI_PARALLEL_BYTES);
        free(weights);
        open_session(&s, DUMP(b, RUN(b, "r", CALL(b, 1))),
                     &(record_spec){.handles = "{\"1\": 1}", .edge = EDGE});
        assert_int_equal(eti_event_op_type_count(event_at(&s, 0, 0)), 1);
        assert_text(eti_event_op_type(event_at(&s, 0, 0), 0), "aten.add.default");
        eti_inspector_close(s.inspector);

        options.method = "backward";
        const eti_source record = {"r", s.record.file.data, s.record.file.size};
        const eti_source good = {"good", s.b.file.data, s.b.file.size};
        const eti_source bad = {"bad", "nonsense", 8};
        assert_fails(eti__inspector_open(
                         &s.inspector,
                         &(eti_inputs){.etdumps = &good, .n_etdumps = 1, .etrecord = &record},
                         &options, &err),
                     ETI_ERROR_USAGE, "r: has no method backward; it has: forward");
        assert_fails(
            eti__inspector_open(&s.inspector,
                                &(eti_inputs){.etdumps = &bad, .n_etdumps = 1, .etrecord = &record},
                                &options, &err),
            ETI_ERROR_MALFORMED, "bad: expected an ETDump");
        close_session(&s);
    }
}

/* Returns false at call number `context`, and true at all others. */
static bool cancel_once(void *context, const char *step, uint64_t done, uint64_t total) {
    (void)step, (void)done, (void)total;
    return --*(size_t *)context != 0;
}

/* Cancels opening at each of its steps in turn, until it completes. */
static void opening_can_be_cancelled(void **state) {
    (void)state;
    for (size_t n_threads = 1; n_threads <= 3; n_threads += 2) {
        size_t calls = 0;
        eti_status status = ETI_ERROR_CANCELLED;
        for (; status != ETI_OK; calls++) {
            size_t left = calls + 1;
            eti_options options = ETI_OPTIONS_DEFAULT;
            options.n_threads = n_threads;
            options.progress = (eti_progress){cancel_once, &left};
            session s = {.options = &options};
            builder *b = &s.b;
            make_record(&s.record, &(record_spec){.handles = "{\"1\": 1}", .edge = EDGE});
            status = try_session(&s, DUMP(b, RUN(b, "r", CALL(b, 1))));
            assert_true((status == ETI_OK) == (s.inspector != NULL));
            if (status != ETI_OK)
                assert_fails_at(status, ETI_ERROR_CANCELLED, "cancelled by the caller while ",
                                &s.err, __FILE__, __LINE__);
            close_session(&s);
        }
        assert_int_equal(calls, 1 + 5); /* verifying, reading runs, the graph, matching, times */
    }
}

static void several_dumps_are_one(void **state) {
    (void)state;
    builder a = {0}, b = {0};
    finish_dump(&a, DUMP(&a, RUN(&a, "r", TIMED(&a, .name = "e", .end_time = 1000000))), true);
    finish_dump(&b, DUMP(&b, RUN(&b, "r", TIMED(&b, .name = "e", .end_time = 3000000))), false);
    const eti_source sources[] = {{"a", a.file.data, a.file.size}, {"b", b.file.data, b.file.size}};
    const eti_inputs inputs = {.etdumps = sources, .n_etdumps = 2};
    session s = {0};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&s.inspector, &inputs, NULL, &err));
    assert_int_equal(eti_inspector_block_count(s.inspector), 1);
    assert_int_equal(eti_event_sample_count(event_at(&s, 0, 0)), 2);
    assert_bits(eti_event_raw(event_at(&s, 0, 0))[1], 3.0);
    eti_inspector_close(s.inspector);

    const eti_source bad[] = {sources[0], {"bad.bin", "nonsense", 8}};
    const eti_inputs with_bad = {.etdumps = bad, .n_etdumps = 2};
    assert_fails(eti__inspector_open(&s.inspector, &with_bad, NULL, &err), ETI_ERROR_MALFORMED,
                 "bad.bin: expected an ETDump");
    assert_null(s.inspector);
    builder_free(&a);
    builder_free(&b);
}

static void files_are_opened_by_path(void **state) {
    (void)state;
    const eti_source dump = {.path = "testdata/mlp/run.etdp"},
                     record = {.path = "testdata/mlp/record.etrecord"},
                     buffer = {.path = "testdata/mlp/debug_buffer.bin"};
    const eti_inputs inputs = {
        .etdumps = &dump, .n_etdumps = 1, .etrecord = &record, .debug_buffer = &buffer};
    session s = {0};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_open(&s.inspector, &inputs, NULL, &err));
    assert_int_equal(eti_inspector_block_count(s.inspector), 2);
    const eti_event_block *block = eti_inspector_block(s.inspector, 1);
    assert_text(eti_event_block_name(block), "Execute");
    assert_int_equal(eti_event_block_run_count(block), 20);
    static const char *const kinds[] = {"etdump", "etrecord", "debug_buffer"};
    const char *const paths[] = {dump.path, record.path, buffer.path};
    const char *kind;
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(eti__inspector_file(s.inspector, i, &kind)->name, paths[i]);
        assert_string_equal(kind, kinds[i]);
    }
    assert_null(eti__inspector_file(s.inspector, 3, &kind));
    eti_inspector_close(s.inspector);
}

/* A debug buffer without a record follows the dumps; a record alone is the first file. */
static void only_files_that_are_there_are_listed(void **state) {
    (void)state;
    const eti_source dump = {.path = "testdata/mlp/run.etdp"},
                     record = {.path = "testdata/mlp/record.etrecord"},
                     buffer = {.path = "testdata/mlp/debug_buffer.bin"};
    const eti_inputs without_record = {.etdumps = &dump, .n_etdumps = 1, .debug_buffer = &buffer},
                     alone = {.etrecord = &record};
    session s = {0};
    eti_error err = ETI_ERROR_INIT;
    const char *kind;
    assert_ok(eti__inspector_open(&s.inspector, &without_record, NULL, &err));
    assert_string_equal(eti__inspector_file(s.inspector, 1, &kind)->name, buffer.path);
    assert_string_equal(kind, "debug_buffer");
    assert_null(eti__inspector_file(s.inspector, 2, &kind));
    eti_inspector_close(s.inspector);
    assert_ok(eti__inspector_open(&s.inspector, &alone, NULL, &err));
    assert_string_equal(eti__inspector_file(s.inspector, 0, &kind)->name, record.path);
    assert_string_equal(kind, "etrecord");
    assert_null(eti__inspector_file(s.inspector, 1, &kind));
    eti_inspector_close(s.inspector);
}

/* The tensors of each ETDump are in its own debug buffer. */
static void etdumps_may_have_debug_buffers_of_their_own(void **state) {
    (void)state;
    const eti_source dumps[] = {{.path = "testdata/mlp/run.etdp"},
                                {.path = "testdata/xnnpack-conv/run.etdp"}};
    const eti_source buffers[] = {{.path = "testdata/mlp/debug_buffer.bin"},
                                  {.path = "testdata/xnnpack-conv/debug_buffer.bin"}};
    eti_inputs inputs = {.etdumps = dumps,
                         .n_etdumps = 2,
                         .debug_buffer = &buffers[0],
                         .more_debug_buffers = &buffers[1],
                         .n_more_debug_buffers = 1};
    session s = {0};
    eti_error err = ETI_ERROR_INIT;
    const char *kind;
    assert_ok(eti__inspector_open(&s.inspector, &inputs, NULL, &err));
    for (size_t i = 0; i < 2; i++) {
        assert_ptr_equal(s.inspector->dumps[i].debug_buffer,
                         eti__inspector_file(s.inspector, 2 + i, &kind));
        assert_string_equal(s.inspector->dumps[i].debug_buffer->name, buffers[i].path);
        assert_string_equal(kind, "debug_buffer");
    }
    assert_null(eti__inspector_file(s.inspector, 4, &kind));
    eti_inspector_close(s.inspector);
    inputs.n_etdumps = 1;
    assert_int_equal(eti__inspector_open(&s.inspector, &inputs, NULL, &err), ETI_ERROR_USAGE);
    assert_non_null(strstr(err.message, "debug buffers: 2, ETDumps: 1"));
    assert_null(s.inspector);
}

static void inputs_that_cannot_be_read_are_named(void **state) {
    (void)state;
    const eti_source good = {.path = "testdata/mlp/run.etdp"}, missing = {.path = "/no/file"};
    const eti_inputs cases[] = {
        {.etdumps = &missing, .n_etdumps = 1},
        {.etdumps = &good, .n_etdumps = 1, .etrecord = &missing},
        {.etdumps = &good, .n_etdumps = 1, .debug_buffer = &missing},
        {.etdumps = &good, .n_etdumps = 1, .programs = &missing, .n_programs = 1},
        {.etdumps = &good, .n_etdumps = 1, .data = &missing, .n_data = 1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_inspector *inspector;
        eti_error err = ETI_ERROR_INIT;
        assert_fails(eti__inspector_open(&inspector, &cases[i], NULL, &err), ETI_ERROR_READ,
                     "/no/file: cannot read");
        assert_null(inspector);
    }
}

static void swapped_inputs_are_distinguished(void **state) {
    (void)state;
    const eti_source dump = {.path = "testdata/mlp/run.etdp"},
                     record = {.path = "testdata/mlp/record.etrecord"};
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    const eti_inputs record_as_dump = {.etdumps = &record, .n_etdumps = 1};
    assert_fails(eti__inspector_open(&inspector, &record_as_dump, NULL, &err), ETI_ERROR_MALFORMED,
                 "record.etrecord: expected an ETDump, found a ZIP such as an ETRecord");
    const eti_inputs dump_as_record = {.etdumps = &dump, .n_etdumps = 1, .etrecord = &dump};
    assert_fails(eti__inspector_open(&inspector, &dump_as_record, NULL, &err), ETI_ERROR_MALFORMED,
                 "run.etdp: ");
}

static void the_error_may_be_left_out(void **state) {
    (void)state;
    const eti_inputs nothing = {.n_etdumps = 0};
    eti_inspector *inspector;
    assert_int_equal(eti__inspector_open(&inspector, &nothing, NULL, NULL), ETI_ERROR_USAGE);
}

static void a_malformed_debug_value_names_its_block(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    place value = VALUE(b, .val = SOME(VAL_INT));
    assert_refused(&s, DUMP(b, RUN(b, "Execute", LOGGED(b, .value = value))), ETI_ERROR_MALFORMED,
                   "block Execute: a debug event says that it has a Int value");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closing_nothing_is_allowed),
        cmocka_unit_test(defaults_are_ns_to_ms),
        cmocka_unit_test(options_need_not_outlive_the_call),
        cmocka_unit_test(cycles_go_only_with_cycles),
        cmocka_unit_test(delegates_times_cannot_become_cycles),
        cmocka_unit_test(forward_is_the_default_and_else_the_first_method),
        cmocka_unit_test(without_forward_each_block_has_the_method_found_for_it),
        cmocka_unit_test(a_method_that_is_not_there_is_refused_with_those_that_are),
        cmocka_unit_test(a_method_without_a_record_is_not_looked_for),
        cmocka_unit_test(operators_are_of_the_reference_graph),
        cmocka_unit_test(a_reference_graph_that_is_not_there_is_refused_with_those_that_are),
        cmocka_unit_test(a_reference_graph_without_a_record_is_not_looked_for),
        cmocka_unit_test(nothing_to_inspect_is_a_wrong_request),
        cmocka_unit_test(a_record_alone_can_be_inspected),
        cmocka_unit_test(a_large_record_gives_the_same_on_several_threads),
        cmocka_unit_test(opening_can_be_cancelled),
        cmocka_unit_test(several_dumps_are_one),
        cmocka_unit_test(files_are_opened_by_path),
        cmocka_unit_test(only_files_that_are_there_are_listed),
        cmocka_unit_test(etdumps_may_have_debug_buffers_of_their_own),
        cmocka_unit_test(inputs_that_cannot_be_read_are_named),
        cmocka_unit_test(swapped_inputs_are_distinguished),
        cmocka_unit_test(the_error_may_be_left_out),
        cmocka_unit_test(a_malformed_debug_value_names_its_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
