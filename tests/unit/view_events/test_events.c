#include "inspector_fixture.h"

#include "support.h"

#include "table_cell.h"

#include "account/account.h"
#include "view_events/events.h"
#include "view_events/view_events.h"

/* ==== events ================================================================================== */

static eti_table *table_of(const session *s, const eti_table_options *options) {
    eti_table *table;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__inspector_events_table(&table, s->inspector, options, &err));
    return table;
}

static size_t column(const eti_table *table, const char *name) {
    for (size_t i = 0; i < eti_table_column_count(table); i++) {
        if (eti__text_is(eti_table_column_name(table, i), name))
            return i;
    }
    fail_msg("no column %s", name);
    return 0;
}

static eti_cell cell(const eti_table *table, size_t row, const char *name) {
    assert_true(row < eti_table_row_count(table));
    return table_cell(table, row, column(table, name));
}

static void assert_cell(const eti_table *table, size_t row, const char *name, eti_cell_kind kind,
                        const char *text) {
    eti_cell found = cell(table, row, name);
    assert_int_equal(found.kind, kind);
    assert_text(found.as_text, text);
}

static void assert_columns(const eti_table *table, const char *expected) {
    eti_buffer names = {0};
    for (size_t i = 0; i < eti_table_column_count(table); i++) {
        eti__buffer_add_string(&names, i ? "|" : "");
        eti__buffer_add_text(&names, eti_table_column_name(table, i));
    }
    assert_text(eti__buffer_text(&names), expected);
    eti__buffer_free(&names);
}

static void columns_are_the_inspectors(void **state) {
    (void)state;
    eti_options options = ETI_OPTIONS_DEFAULT;
    options.target_time_scale = ETI_SCALE_US;
    session s = {.options = &options};
    open_session(&s, DUMP(&s.b, RUN(&s.b, "Execute", TIMED(&s.b, .name = "a"))), NULL);
    eti_table *table = table_of(&s, NULL);
    assert_columns(table,
                   "event_block_name|event_name|p10 (us)|p50 (us)|p90 (us)|avg (us)|min "
                   "(us)|max (us)|op_types|is_delegated_op|delegate_backend_name|start_time");
    eti_table_free(table);
    table = table_of(&s, &(eti_table_options){.include_units = false});
    assert_columns(table, "event_block_name|event_name|p10|p50|p90|avg|min|max|op_types|"
                          "is_delegated_op|delegate_backend_name|start_time");
    eti_table_free(table);
    close_session(&s);
}

static void a_row_per_event_in_order_without_operator_calls(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Default", TIMED(b, .name = "init")),
                      RUN(b, "Execute", TIMED(b, .name = "a"), TIMED(b, .name = "OPERATOR_CALL"),
                          TIMED(b, .name = "x OPERATOR_CALL x"), TIMED(b, .name = "b"))),
                 NULL);
    eti_table *table = table_of(&s, NULL);
    assert_int_equal(eti_table_row_count(table), 3);
    assert_cell(table, 0, "event_block_name", ETI_CELL_TEXT, "Default");
    assert_cell(table, 0, "event_name", ETI_CELL_TEXT, "init");
    assert_cell(table, 1, "event_name", ETI_CELL_TEXT, "a");
    assert_cell(table, 2, "event_block_name", ETI_CELL_TEXT, "Execute");
    assert_cell(table, 2, "event_name", ETI_CELL_TEXT, "b");
    eti_table_free(table);
    close_session(&s);
}

static void cells_hold_statistics_and_start_times(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b, "r", TIMED(b, .name = "a", .end_time = 1000000)),
             RUN(b, "r", TIMED(b, .name = "a", .start_time = UINT64_MAX, .end_time = UINT64_MAX))),
        NULL);
    eti_table *table = table_of(&s, NULL);
    static const char *const names[] = {"p10 (ms)", "p50 (ms)", "p90 (ms)",
                                        "avg (ms)", "min (ms)", "max (ms)"};
    static const double values[] = {0.1, 0.5, 0.9, 0.5, 0.0, 1.0};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        assert_int_equal(cell(table, 0, names[i]).kind, ETI_CELL_DOUBLE);
        assert_bits(cell(table, 0, names[i]).as_double, values[i]);
    }
    assert_cell(table, 0, "start_time", ETI_CELL_LIST, "[0, 18446744073709551615]");
    assert_cell(table, 0, "op_types", ETI_CELL_LIST, "[]");
    assert_int_equal(cell(table, 0, "is_delegated_op").kind, ETI_CELL_BOOL);
    assert_false(cell(table, 0, "is_delegated_op").as_bool);
    assert_int_equal(cell(table, 0, "delegate_backend_name").kind, ETI_CELL_NONE);
    eti_table_free(table);
    close_session(&s);
}

static void an_event_without_samples_has_no_numbers(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, RUN(b, "r", LOGGED(b, .name = "d", .value = INT_VALUE(b, 1)))), NULL);
    eti_table *table = table_of(&s, NULL);
    assert_int_equal(cell(table, 0, "avg (ms)").kind, ETI_CELL_NONE);
    assert_int_equal(cell(table, 0, "start_time").kind, ETI_CELL_NONE);
    assert_cell(table, 0, "op_types", ETI_CELL_LIST, "[]");
    eti_table_free(table);
    close_session(&s);
}

static void block_names_lose_nuls_at_their_end(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    place run = PUT_TABLE(b, target_slot(put_string_of(b, "a\0b\0\0", 5)), (slot){0}, (slot){0},
                          target_slot(EVENTS(b, TIMED(b, .name = "e"))));
    open_session(&s, DUMP(b, run), NULL);
    eti_table *table = table_of(&s, NULL);
    eti_text name = cell(table, 0, "event_block_name").as_text;
    assert_int_equal(name.size, 3);
    assert_memory_equal(name.data, "a\0b", 3);
    eti_table_free(table);
    close_session(&s);
}

#define SIX                                                                                        \
    EDGE_PROGRAM(NODE("a", "1", "k,p,t") "," NODE("b", "2", "k,p,t") "," NODE(                     \
        "c", "3", "k,p,t") "," NODE("d", "4", "k,p,t") "," NODE("e", "5", "k,p,t"))

static void five_operators_or_more_are_shortened(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "r", TIMED(b, .name = "one", .instruction_id = SOME(1)),
                             TIMED(b, .name = "four", .instruction_id = SOME(4)),
                             TIMED(b, .name = "five", .instruction_id = SOME(5)),
                             TIMED(b, .name = "ten", .instruction_id = SOME(10)))),
                 &(record_spec){.handles = "{\"1\": 1, \"4\": [1,2,3,4], \"5\": [1,2,3,4,5], "
                                           "\"10\": [5,4,3,2,1,1,2,3,4,5]}",
                                .edge = SIX});
    eti_table *table = table_of(&s, NULL);
    assert_cell(table, 0, "op_types", ETI_CELL_LIST, "['aten.a.default']");
    assert_cell(table, 1, "op_types", ETI_CELL_LIST,
                "['aten.a.default', 'aten.b.default', 'aten.c.default', 'aten.d.default']");
    assert_cell(table, 2, "op_types", ETI_CELL_LIST,
                "['aten.a.default', 'aten.b.default' ... 'aten.e.default'] (5 total)");
    assert_cell(table, 3, "op_types", ETI_CELL_LIST,
                "['aten.e.default', 'aten.d.default' ... 'aten.e.default'] (10 total)");
    eti_table_free(table);
    close_session(&s);
}

static void a_backend_is_shown_even_when_its_name_is_empty(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(
        &s,
        DUMP(b, RUN(b, "r", TIMED(b, .delegate_id_int = SOME(1), .instruction_id = SOME(1)),
                    TIMED(b, .delegate_id_int = SOME(1), .instruction_id = SOME(2)))),
        &(record_spec){.handles = "{\"1\": 1, \"2\": 1}",
                       .delegates = "{\"1\": {\"name\": \"Npu\"}, \"2\": {}}"});
    eti_table *table = table_of(&s, NULL);
    assert_cell(table, 0, "delegate_backend_name", ETI_CELL_TEXT, "Npu");
    assert_cell(table, 1, "delegate_backend_name", ETI_CELL_TEXT, "");
    assert_true(cell(table, 0, "is_delegated_op").as_bool);
    eti_table_free(table);
    close_session(&s);
}

/* ---- delegates' metadata --------------------------------------------------------------------- */

static place put_metadata_dump(builder *b) {
    return DUMP(b, RUN(b, "r", TIMED(b, .delegate_id_int = SOME(1), .metadata = "m\xff"),
                       TIMED(b, .name = "plain", .metadata = "p"), TIMED(b, .name = "none")));
}

static void metadata_have_a_column_when_asked_for_and_there(void **state) {
    (void)state;
    session s = {0};
    eti_table_options options = ETI_TABLE_OPTIONS_DEFAULT;
    open_session(&s, put_metadata_dump(&s.b), NULL);
    eti_table *table = table_of(&s, &options);
    assert_int_equal(eti_table_column_count(table), 12);
    eti_table_free(table);

    options.include_delegate_debug_data = true;
    table = table_of(&s, &options);
    assert_int_equal(eti_table_column_count(table), 13);
    assert_cell(table, 0, "delegate_debug_metadata", ETI_CELL_LIST, "[b'm\\xff']");
    assert_cell(table, 1, "delegate_debug_metadata", ETI_CELL_LIST, "[b'p']");
    assert_int_equal(cell(table, 2, "delegate_debug_metadata").kind, ETI_CELL_NAN);
    eti_table_free(table);
    close_session(&s);

    open_session(
        &s, DUMP(&s.b, RUN(&s.b, "r", TIMED(&s.b, .delegate_id_int = SOME(1), .metadata = ""))),
        NULL);
    table = table_of(&s, &options);
    assert_int_equal(eti_table_column_count(table), 12);
    eti_table_free(table);
    close_session(&s);
}

static void metadata_of_a_hidden_row_make_the_column_all_the_same(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    const eti_table_options options = {.include_delegate_debug_data = true};
    open_session(&s,
                 DUMP(b, RUN(b, "r", TIMED(b, .name = "OPERATOR_CALL", .metadata = "m"),
                             TIMED(b, .name = "a"))),
                 NULL);
    eti_table *table = table_of(&s, &options);
    assert_int_equal(eti_table_row_count(table), 1);
    assert_int_equal(cell(table, 0, "delegate_debug_metadata").kind, ETI_CELL_NAN);
    eti_table_free(table);
    close_session(&s);
}

/* Only metadata that delegates wrote are parsed, as in the Inspector. */
static void only_delegates_metadata_change_form(void **state) {
    (void)state;
    session s = {0};
    eti_table_options options = {.include_delegate_debug_data = true,
                                 .delegate_metadata = ETI_METADATA_HEX};
    open_session(&s, put_metadata_dump(&s.b), NULL);
    eti_table *table = table_of(&s, &options);
    assert_cell(table, 0, "delegate_debug_metadata", ETI_CELL_LIST, "['6dff']");
    assert_cell(table, 1, "delegate_debug_metadata", ETI_CELL_LIST, "[b'p']");
    eti_table_free(table);
    close_session(&s);
}

static void a_dump_without_events_gives_an_empty_table(void **state) {
    (void)state;
    session s = {0};
    open_session(&s, put_dump(&s.b, (optional){0}, 0), NULL);
    eti_table *table = table_of(&s, NULL);
    assert_int_equal(eti_table_row_count(table), 0);
    assert_int_equal(eti_table_column_count(table), 12);
    eti_table_free(table);
    close_session(&s);
}

/* Views `n` events in a run whose name has `length` bytes. */
static eti_status view_named_run(size_t n, size_t length, eti_error *err) {
    session s = {0};
    char *name = calloc(length + 1, 1);
    place *events = calloc(n, sizeof *events);
    assert_true(name && events);
    memset(name, 'r', length);
    for (size_t i = 0; i < n; i++)
        events[i] = TIMED(&s.b, .instruction_id = SOME(i));
    place run = put_run(&s.b, &(run_spec){.name = name, .events = put_tables(&s.b, events, n)});
    open_session(&s, DUMP(&s.b, run), NULL);
    eti_table *table;
    eti_status status = eti__inspector_events_table(&table, s.inspector, NULL, err);
    assert_true((status == ETI_OK) == (table != NULL));
    eti_table_free(table);
    close_session(&s);
    free(name);
    free(events);
    return status;
}

/* The name counts once for every row. */
static void text_is_limited_by_the_inputs(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(view_named_run(60, 1000, &err));
    assert_ok(view_named_run(1000, 1000, &err));
    assert_fails(view_named_run(2000, 2000, &err), ETI_ERROR_LIMIT,
                 "test.etdp: names are repeated so often that a table of them would "
                 "have more than 32 times the text of the inputs");
}

/* ==== op lists ================================================================================ */
/* Lists of operators in rows: long ones have each operator once, and events share them. */

#define MOST 32

static eti_event_record record_of(const eti_text *op_types, size_t n) {
    return (eti_event_record){.op_types = op_types, .n_op_types = n};
}

/* Sets n operators: "a" and "b" in turns. */
static void set_ops(eti_text *out, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = eti__text_of(i % 2 ? "b" : "a");
}

static void long_lists_have_each_operator_once(void **state) {
    (void)state;
    eti_text ops[MOST + 1];
    eti_op_lists lists = {0};
    size_t n;
    set_ops(ops, MOST + 1);
    const eti_event_record few = record_of(ops, MOST), many = record_of(ops, MOST + 1);
    assert_true(eti__op_lists_add(&lists, &few));
    assert_ptr_equal(eti__op_lists_of(&lists, &few, &n), ops);
    assert_int_equal(n, MOST);
    assert_int_equal(lists.distinct.count, 0);
    assert_true(eti__op_lists_add(&lists, &many));
    const eti_text *found = eti__op_lists_of(&lists, &many, &n);
    assert_int_equal(n, 2);
    assert_text(found[0], "a");
    assert_text(found[1], "b");
    eti__op_lists_free(&lists);
}

static void events_share_a_list(void **state) {
    (void)state;
    eti_text ops[MOST + 1];
    eti_op_lists lists = {0};
    size_t n;
    set_ops(ops, MOST + 1);
    const eti_event_record first = record_of(ops, MOST + 1);
    eti_event_record second = first;
    second.num_outputs = 2;
    assert_true(eti__op_lists_add(&lists, &first));
    assert_true(eti__op_lists_add(&lists, &second));
    assert_int_equal(lists.distinct.count, 1);
    assert_ptr_equal(eti__op_lists_of(&lists, &first, &n), eti__op_lists_of(&lists, &second, &n));
    eti__op_lists_free(&lists);
}

static void sizes_are_counted_up_to_a_limit(void **state) {
    (void)state;
    eti_text ops[MOST];
    set_ops(ops, MOST);
    const uint64_t item = 1 + ETI_LIST_ITEM_BYTES;
    assert_int_equal(eti__op_list_size(ops, 0, 1000), 0);
    assert_int_equal(eti__op_list_size(ops, MOST, UINT64_MAX), MOST * item);
    assert_int_equal(eti__op_list_size(ops, MOST, 2 * item), 3 * item);
}

static void assert_text_of(const eti_text *ops, size_t n, const char *expected, uint64_t size) {
    eti_buffer text = {0};
    eti__op_list_add_text(&text, ops, n);
    assert_text(eti__buffer_text(&text), expected);
    assert_int_equal(eti__op_list_text_size(ops, n), size);
    eti__buffer_free(&text);
}

static void texts_of_many_operators_are_short(void **state) {
    (void)state;
    const eti_text ops[] = {
        eti__text_of("a"), eti__text_of("it's"),  eti__text_of("ccc"),
        eti__text_of("d"), eti__text_of("eeeee"),
    };
    assert_text_of(ops, 0, "[]", 0);
    assert_text_of(ops, 4, "['a', \"it's\", 'ccc', 'd']", 9);
    assert_text_of(ops, 5, "['a', 'it's' ... 'eeeee'] (5 total)", 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_the_inspectors),
        cmocka_unit_test(a_row_per_event_in_order_without_operator_calls),
        cmocka_unit_test(cells_hold_statistics_and_start_times),
        cmocka_unit_test(an_event_without_samples_has_no_numbers),
        cmocka_unit_test(block_names_lose_nuls_at_their_end),
        cmocka_unit_test(five_operators_or_more_are_shortened),
        cmocka_unit_test(a_backend_is_shown_even_when_its_name_is_empty),
        cmocka_unit_test(metadata_have_a_column_when_asked_for_and_there),
        cmocka_unit_test(metadata_of_a_hidden_row_make_the_column_all_the_same),
        cmocka_unit_test(only_delegates_metadata_change_form),
        cmocka_unit_test(a_dump_without_events_gives_an_empty_table),
        cmocka_unit_test(text_is_limited_by_the_inputs),
        cmocka_unit_test(long_lists_have_each_operator_once),
        cmocka_unit_test(events_share_a_list),
        cmocka_unit_test(sizes_are_counted_up_to_a_limit),
        cmocka_unit_test(texts_of_many_operators_are_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
