#include "report_fixture.h"
#include "timed_events.h"

#define MS UINT64_C(1000000)

static place put_branch(builder *b, const char *kernel, uint64_t start) {
    return RUN(b, "Execute", EVENT(b, kernel, start * MS, (start + 3) * MS),
               EVENT(b, "Method::execute", start * MS, (start + 4) * MS));
}

static void every_run_is_a_row_of_its_block(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Default", EVENT(b, "Method::init", 1, 2)),
                      put_branch(b, "native_call_a", 10), put_branch(b, "native_call_b", 20),
                      put_branch(b, "native_call_a", 30)),
                 NULL);
    eti_report *report = report_of(&s, "runs", NULL);
    const eti_table *table = table_of(report, "runs");
    const int64_t in_file[] = {1, 3, 2}, in_block[] = {0, 1, 0};
    assert_int_equal(eti_table_row_count(table), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(cell_at(table, i, "dump_run").as_int, in_file[i]);
        assert_int_equal(cell_at(table, i, "run").as_int, in_block[i]);
        assert_int_equal(cell_at(table, i, "representative").as_bool, in_block[i] == 0);
        assert_near(cell_at(table, i, "elapsed").as_double, 4);
        assert_near(cell_at(table, i, "operators").as_double, 3);
        assert_near(cell_at(table, i, "framework").as_double, 1);
        assert_near(cell_at(table, i, "deviation").as_double, 0);
    }
    assert_int_equal(cell_at(table, 1, "start_time").as_int, 30 * MS);
    assert_true(has_note(report, "runs", "too few runs"));
    eti_report_free(report);
    close_session(&s);
}

static void loading_is_listed_where_it_is_asked_for(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Default", EVENT(b, "Method::init", 1 * MS, 3 * MS)),
                      put_branch(b, "native_call_a", 10)),
                 NULL);
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    options.block = "Default";
    eti_report *report = report_of(&s, "runs", &options);
    const eti_table *table = table_of(report, "runs");
    assert_int_equal(eti_table_row_count(table), 1);
    assert_near(cell_at(table, 0, "loading").as_double, 2);
    assert_near(cell_at(table, 0, "elapsed").as_double, 2);
    eti_report_free(report);
    close_session(&s);
}

static void every_event_of_every_run_is_a_row(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, put_branch(b, "native_call_a", 10), put_branch(b, "native_call_a", 30),
                      RUN(b, "Logged", LOGGED(b, .name = "v", .value = INT_VALUE(b, 1))),
                      put_branch(b, "native_call_b", 50)),
                 NULL);
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    options.per_event = true;
    eti_report *report = report_of(&s, "runs", &options);
    const eti_table *table = table_of(report, "runs");
    static const struct {
        const char *event;
        int64_t run, dump_run, start;
    } rows[] = {{"native_call_a", 0, 0, 10}, {"Method::execute", 0, 0, 10},
                {"native_call_a", 1, 1, 30}, {"Method::execute", 1, 1, 30},
                {"native_call_b", 0, 3, 50}, {"Method::execute", 0, 3, 50}};
    assert_int_equal(eti_table_row_count(table), COUNT_OF(rows));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_text(cell_at(table, i, "event_name").as_text, rows[i].event);
        assert_int_equal(cell_at(table, i, "run").as_int, rows[i].run);
        assert_int_equal(cell_at(table, i, "dump_run").as_int, rows[i].dump_run);
        assert_int_equal(cell_at(table, i, "start_time").as_int, rows[i].start * (int64_t)MS);
        assert_near(cell_at(table, i, "self").as_double, i % 2 ? 1 : 3);
        assert_near(cell_at(table, i, "share").as_double, i % 2 ? 0.25 : 0.75);
    }
    eti_report_free(report);
    close_session(&s);
}

/* If the median is zero, no run deviates from it. */
static void runs_that_take_no_time_do_not_deviate(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute", EVENT(b, "Method::execute", 5, 5)),
                      RUN(b, "Execute", EVENT(b, "Method::execute", 6, 6)),
                      RUN(b, "Execute", EVENT(b, "Method::execute", 7, 9))),
                 NULL);
    eti_report *report = report_of(&s, "runs", NULL);
    for (size_t i = 0; i < 3; i++)
        assert_true(cell_at(table_of(report, "runs"), i, "deviation").as_double == 0);
    eti_report_free(report);
    close_session(&s);
}

/* Blocks of one long name differ at the end of their labels. */
static void notes_name_blocks_by_both_ends(void **state) {
    (void)state;
    static const char *const kernels[] = {"native_call_a", "native_call_b"};
    session s = {0};
    builder *b = &s.b;
    place runs[COUNT_OF(kernels)];
    for (size_t i = 0; i < COUNT_OF(runs); i++)
        runs[i] = RUN(
            b, "an EventBlock whose name takes \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 more columns",
            EVENT(b, kernels[i], i * 9, i * 9 + 3), EVENT(b, "Method::execute", i * 9, i * 9 + 4));
    open_session(&s, put_dump(b, (optional){0}, put_tables(b, runs, COUNT_OF(runs))), NULL);
    eti_report *report = report_of(&s, "runs", NULL);
    assert_true(
        has_note(report, "runs", "an EventBlock whose...\xc3\xa4 more columns [0]: too few runs"));
    assert_true(
        has_note(report, "runs", "an EventBlock whose...\xc3\xa4 more columns [1]: too few runs"));
    eti_report_free(report);
    close_session(&s);
}

/* 1.0, 1.1, ..., 2.9 ms: p is tiny, and so is the correlation of successive runs without the trend. */
static void a_trend_is_reported(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    place runs[20];
    for (uint64_t i = 0; i < COUNT_OF(runs); i++)
        runs[i] = RUN(b, "Execute",
                      EVENT(b, "Method::execute", i * 10 * MS, i * 10 * MS + MS + i * MS / 10));
    open_session(&s, put_dump(b, (optional){0}, put_tables(b, runs, COUNT_OF(runs))), NULL);
    eti_report *report = report_of(&s, "runs", NULL);
    assert_true(has_note(report, "runs", "no warm-up in 20 runs"));
    assert_true(has_note(report, "runs", "runs get slower: +97.4 %"));
    eti_report_free(report);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_is_a_row_of_its_block),
        cmocka_unit_test(loading_is_listed_where_it_is_asked_for),
        cmocka_unit_test(every_event_of_every_run_is_a_row),
        cmocka_unit_test(runs_that_take_no_time_do_not_deviate),
        cmocka_unit_test(notes_name_blocks_by_both_ends),
        cmocka_unit_test(a_trend_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
