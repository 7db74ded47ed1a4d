#include "file_order.h"
#include "report_fixture.h"

#include <math.h>

static const float floats[] = {1, 2, 3, 4, 5, 6, NAN, 8};

/* Opens a dump as the command does: runs may differ, and tensors may lie anywhere. */
static void open_recorded(session *s, place dump) {
    static const eti_options options = {.target_time_scale = ETI_SCALE_MS, .no_debug_data = true};
    const eti_source buffer = {"debug.bin", in_file_order(floats, COUNT_OF(floats), 4),
                               sizeof floats};
    s->options = &options;
    s->debug_buffer = &buffer;
    open_session(s, dump, NULL);
}

static place put_log(builder *b, int32_t instruction, place tensor) {
    return LOGGED(b, .name = "native_call_log.out", .instruction_id = SOME(instruction),
                  .value = TENSOR_VALUE(b, tensor));
}

static void every_tensor_of_a_run_is_a_row(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    const int64_t sizes[] = {2, 3}, strides[] = {1, 2};
    place permuted = put_tensor(b, &(tensor_spec){.scalar_type = SOME(TYPE_FLOAT),
                                                  .sizes = put_i64s(b, sizes, 2),
                                                  .strides = put_i64s(b, strides, 2)});
    place with_nan = TENSOR(b, TYPE_FLOAT, 20, 3);
    open_recorded(&s, DUMP(b, RUN(b, "Execute", put_log(b, 1, permuted), put_log(b, 2, with_nan))));
    eti_report *report = report_of(&s, "tensors", NULL);
    const eti_table *table = table_of(report, "tensors");
    assert_int_equal(eti_table_row_count(table), 2);
    assert_near(cell_at(table, 0, "mean").as_double, 3.5);
    eti_cell values = cell_at(table, 0, "values");
    const double row_major[] = {1, 3, 5, 2, 4, 6};
    assert_int_equal(values.n_items, 6);
    assert_memory_equal(values.items, row_major, sizeof row_major);
    assert_int_equal(cell_at(table, 0, "status").kind, ETI_CELL_NONE);
    assert_int_equal(cell_at(table, 1, "nan").as_int, 1);
    assert_int_equal(cell_at(table, 1, "instruction").as_int, 2);
    assert_near(cell_at(table, 1, "max").as_double, 8);
    assert_true(has_note(report, "tensors",
                         "first NaN: native_call_log.out, instruction 2 (1 of 3 elements)"));
    assert_true(has_note(report, "tensors", "first Inf: none"));
    eti_report_free(report);
    close_session(&s);
}

/* The runs recorded different tensors; the Inspector refuses them. */
static void runs_are_chosen_by_their_number(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_recorded(&s, DUMP(b, RUN(b, "Execute", put_log(b, 1, TENSOR(b, TYPE_FLOAT, 0, 1))),
                           RUN(b, "Execute", put_log(b, 1, TENSOR(b, TYPE_FLOAT, 4, 1)))));
    const struct {
        const char *run;
        size_t n_rows;
        double first;
    } cases[] = {{NULL, 1, 1}, {"0", 1, 1}, {"1", 1, 2}, {"all", 2, 1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
        options.run = cases[i].run;
        eti_report *report = report_of(&s, "tensors", &options);
        const eti_table *table = table_of(report, "tensors");
        assert_int_equal(eti_table_row_count(table), cases[i].n_rows);
        assert_near(cell_at(table, 0, "mean").as_double, cases[i].first);
        eti_report_free(report);
    }
    close_session(&s);
}

static void unreadable_tensors_have_a_status(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    const int64_t sizes[] = {2, 2}, strides[] = {3, 1};
    place gaps = put_tensor(b, &(tensor_spec){.scalar_type = SOME(TYPE_FLOAT),
                                              .sizes = put_i64s(b, sizes, 2),
                                              .strides = put_i64s(b, strides, 2)});
    open_recorded(
        &s,
        DUMP(b, RUN(b, "Execute", put_log(b, 1, gaps), put_log(b, 2, TENSOR(b, TYPE_FLOAT, 0, 2)),
                    put_log(b, 3, TENSOR(b, TYPE_FLOAT, 32, 1)), put_log(b, 4, TENSOR(b, 16, 0, 2)),
                    put_log(b, 5, TENSOR(b, TYPE_FLOAT, 0, -1)),
                    put_log(b, 6, TENSOR(b, TYPE_FLOAT, -1, 2)))));
    eti_report *report = report_of(&s, "tensors", NULL);
    const eti_table *table = table_of(report, "tensors");
    const char *const statuses[] = {"strides", NULL, "outside", "type", "shape", "not recorded"};
    for (size_t i = 0; i < COUNT_OF(statuses); i++) {
        eti_cell status = cell_at(table, i, "status");
        if (statuses[i])
            assert_text(status.as_text, statuses[i]);
        else
            assert_int_equal(status.kind, ETI_CELL_NONE);
        assert_true((cell_at(table, i, "mean").kind == ETI_CELL_NONE) == (i >= 2));
    }
    assert_near(cell_at(table, 0, "mean").as_double, 2.5); /* in the order of the buffer */
    assert_true(has_note(report, "tensors", "outside: 1 tensors lie beyond the end"));
    assert_true(has_note(report, "tensors", "not recorded: 1 tensors have no contents"));
    eti_report_free(report);
    close_session(&s);
}

/* Such tensors prove neither that the debug buffer is wrong nor that one is needed. */
static void tensors_without_contents_need_no_buffer(void **state) {
    (void)state;
    for (int given = 0; given < 2; given++) {
        session s = {0};
        builder *b = &s.b;
        place dump = DUMP(b, RUN(b, "Execute", put_log(b, 1, TENSOR(b, TYPE_FLOAT, -1, 2)),
                                 put_log(b, 2, TENSOR(b, TYPE_FLOAT, -1, 1))));
        if (given)
            open_recorded(&s, dump);
        else
            open_session(&s, dump, NULL);
        eti_report *report = report_of(&s, "tensors", NULL);
        const eti_table *table = table_of(report, "tensors");
        assert_int_equal(eti_table_row_count(table), 2);
        assert_text(cell_at(table, 1, "status").as_text, "not recorded");
        eti_report_free(report);
        close_session(&s);
    }
}

static void a_wrong_debug_buffer_is_refused(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_error err = ETI_ERROR_INIT;
    eti_report *report;
    open_recorded(&s, DUMP(b, RUN(b, "Execute", put_log(b, 1, TENSOR(b, TYPE_FLOAT, 64, 2)))));
    assert_int_equal(eti__inspector_report(&report, s.inspector, "tensors", NULL, &err),
                     ETI_ERROR_DATA);
    assert_non_null(strstr(err.message, "debug.bin: does not belong to this ETDump: 1 of the 1"));
    close_session(&s);
}

/* Tensors of one delegate call share its debug handles. */
static void handles_are_limited_by_the_inputs(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    const size_t n = 100000;
    int64_t *handles = calloc(n, sizeof *handles);
    assert_non_null(handles);
    open_recorded(&s, DUMP(b, RUN(b, "Execute", put_log(b, 1, TENSOR(b, TYPE_FLOAT, 0, 1)))));
    eti_event *event = (eti_event *)&s.inspector->blocks.blocks[0].events[0];
    const eti_event_record *before = event->known;
    eti_event_record known = *before;
    known.handles.handles = handles;
    known.handles.n = n;
    event->known = &known;
    assert_fails(eti__inspector_report(&report, s.inspector, "tensors", NULL, &err),
                 ETI_ERROR_LIMIT,
                 "test.etdp: names are repeated so often that a table of them would have more than "
                 "32 times the text of the inputs");
    event->known = before;
    eti_report_free(report_of(&s, "tensors", NULL));
    close_session(&s);
    free(handles);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tensor_of_a_run_is_a_row),
        cmocka_unit_test(runs_are_chosen_by_their_number),
        cmocka_unit_test(unreadable_tensors_have_a_status),
        cmocka_unit_test(tensors_without_contents_need_no_buffer),
        cmocka_unit_test(a_wrong_debug_buffer_is_refused),
        cmocka_unit_test(handles_are_limited_by_the_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
