/* Tests the readable list of events; tests/golden/screens shows it as people see it. */
#include "report_fixture.h"
#include "rollup_fixture.h"

/* Rows of the events of "Execute" follow the row of the block that loads. */
static size_t row_of(const eti_table *table, const char *event) {
    for (size_t row = 0; row < eti_table_row_count(table); row++) {
        if (eti__text_is(cell_at(table, row, "event_name").as_text, event))
            return row;
    }
    fail_msg("there is no event %s", event);
    return 0;
}

static double number(const eti_table *table, const char *event, const char *column) {
    return cell_at(table, row_of(table, event), column).as_double;
}

static void own_times_are_means(void **state) {
    (void)state;
    session s = {0};
    open_two_runs(&s);
    eti_report *report = report_of(&s, "event_list", NULL);
    const eti_table *events = table_of(report, "events");
    assert_near(number(events, "Method::execute", "self_time"),
                129 - 93); /* 17 + 8 + 64 + 4 inside */
    assert_near(number(events, "DELEGATE_CALL", "self_time"), 32);
    assert_near(number(events, "native_call_tan.out", "self_time"), 4);
    assert_near(number(events, "(around operators)", "self_time"), 1);
    double sum = 0;
    for (size_t row = 0; row < eti_table_row_count(events); row++) {
        if (eti__text_is(cell_at(events, row, "block").as_text, "Execute"))
            sum += cell_at(events, row, "share").as_double;
    }
    assert_near(sum, 1);
    eti_report_free(report);
    close_session(&s);
}

#define N_EVENTS 300

/* Opens N_EVENTS kernels with the same N_EVENTS nodes: `n_ops` operators in turns, whose names have about 100 bytes. */
static void open_shared(session *s, size_t n_ops) {
    eti_buffer edge = {0}, handles = {0};
    place events[N_EVENTS];
    eti__buffer_add_string(&edge, "{\"graph_module\": {\"graph\": {\"nodes\": [");
    for (size_t i = 0; i < N_EVENTS; i++) {
        eti__buffer_printf(
            &edge,
            "%s{\"name\": \"n%zu\", \"target\": "
            "\"executorch.exir.dialects.edge.ops.aten.%0100zu.default\", \"inputs\": [], "
            "\"outputs\": [], \"metadata\": {\"debug_handle\": \"7\"}}",
            i ? ", " : "", i, i % n_ops);
        eti__buffer_printf(&handles, "%s\"%zu\": [7]", i ? ", " : "{", i);
        events[i] = MS_CALL(&s->b, "native_call_add.out", i, i, i + 1);
    }
    eti__buffer_add(&edge, "]}}}", 5);
    eti__buffer_add(&handles, "}", 2);
    place run = put_run(
        &s->b, &(run_spec){.name = "Execute", .events = put_tables(&s->b, events, N_EVENTS)});
    open_session(s, DUMP(&s->b, run), &(record_spec){.handles = handles.data, .edge = edge.data});
    eti__buffer_free(&edge);
    eti__buffer_free(&handles);
}

static size_t count_columns(const eti_table *table, const char *name) {
    size_t n = 0;
    for (size_t i = 0; i < eti_table_column_count(table); i++)
        n += eti__text_is(eti_table_column_name(table, i), name);
    return n;
}

static void long_lists_have_each_operator_once(void **state) {
    (void)state;
    session s = {0};
    open_shared(&s, 2);
    eti_report *report = report_of(&s, "event_list", NULL);
    const eti_table *events = table_of(report, "events");
    assert_int_equal(cell_at(events, 0, "op_types").n_items, 2);
    assert_int_equal(count_columns(events, "debug_handles"), 1);
    eti_report_free(report);
    close_session(&s);
}

/* 300 lists of 300 operators would have 10 MB, 100 times as much as the inputs. */
static void lists_without_room_are_texts(void **state) {
    (void)state;
    session s = {0};
    open_shared(&s, N_EVENTS);
    eti_report *report = report_of(&s, "event_list", NULL);
    const eti_table *events = table_of(report, "events");
    eti_cell found = cell_at(events, 0, "op_types");
    assert_int_equal(found.n_items, 0);
    assert_true(found.as_text.size > 300 && found.as_text.size < 500);
    assert_memory_equal(found.as_text.data + found.as_text.size - 13, "] (300 total)", 13);
    assert_int_equal(count_columns(events, "debug_handles"), 0);
    assert_int_equal(count_columns(events, "instruction_id"), 1);
    eti_report_free(report);
    close_session(&s);
}

/* The share with the events inside is that of medians: one interrupted run changes nothing. */
static void inclusive_shares_are_of_medians(void **state) {
    (void)state;
    static const uint64_t lengths[] = {10,  12, 10,
                                       200, 14, 10}; /* ms of the kernel; 30 around it */
    session s = {0};
    builder *b = &s.b;
    place runs[COUNT_OF(lengths)];
    for (size_t i = 0; i < COUNT_OF(lengths); i++)
        runs[i] = RUN(b, "Execute", MS_CALL(b, "native_call_add.out", 0, 10, 10 + lengths[i]),
                      MS_CALL(b, "OPERATOR_CALL", 0, 5, 15 + lengths[i]),
                      MS_CALL(b, "Method::execute", 1, 0, 30 + lengths[i]));
    open_session(&s, put_dump(b, (optional){0}, put_tables(b, runs, COUNT_OF(runs))), NULL);
    eti_report *report = report_of(&s, "events", NULL);
    const eti_table *events = table_of(report, "events");
    assert_near(number(events, "native_call_add.out", "share"), 11.0 / 41);
    assert_near(number(events, "Method::execute", "share"), 1);
    eti_report_free(report);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_times_are_means),
        cmocka_unit_test(inclusive_shares_are_of_medians),
        cmocka_unit_test(long_lists_have_each_operator_once),
        cmocka_unit_test(lists_without_room_are_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
