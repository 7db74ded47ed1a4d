#include "report_fixture.h"

#define ALLOCATION(b, id, size) put_event(b, 0, put_allocation(b, id, size), 0)

/* A run with two allocators, "pool" and "temp". */
#define TRACKED(b, ...)                                                                            \
    put_run(b, &(run_spec){.name = "Execute",                                                      \
                           .allocators = put_tables(                                               \
                               b, PLACES(PUT_TABLE(b, target_slot(put_string(b, "pool"))),         \
                                         PUT_TABLE(b, target_slot(put_string(b, "temp"))))),       \
                           .events = EVENTS(b, __VA_ARGS__)})

static void allocators_are_added_up_over_runs(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s,
                 DUMP(b,
                      TRACKED(b, ALLOCATION(b, 1, 100), ALLOCATION(b, 2, 7), ALLOCATION(b, 1, 50)),
                      TRACKED(b, ALLOCATION(b, 1, 140)), RUN(b, "Other", ALLOCATION(b, 9, 1))),
                 NULL);
    eti_report *report = report_of(&s, "alloc", NULL);
    const eti_table *table = table_of(report, "allocators");
    assert_int_equal(eti_table_row_count(table), 3);
    assert_int_equal(cell_of(table, "pool", "allocations").as_int, 3);
    assert_int_equal(cell_of(table, "pool", "total_bytes").as_int, 290);
    assert_int_equal(cell_of(table, "pool", "largest_bytes").as_int, 140);
    assert_int_equal(cell_of(table, "pool", "peak_bytes").as_int, 150);
    assert_int_equal(cell_of(table, "pool", "runs").as_int, 2);
    assert_int_equal(cell_of(table, "temp", "total_bytes").as_int, 7);
    assert_int_equal(cell_of(table, "(allocator 9)", "total_bytes").as_int, 1);
    const eti_table *runs = table_of(report, "runs");
    assert_int_equal(eti_table_row_count(runs), 4);
    assert_int_equal(cell_at(runs, 2, "dump_run").as_int, 1);
    assert_int_equal(cell_at(runs, 2, "bytes").as_int, 140);
    eti_report_free(report);

    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    options.block = "Other";
    report = report_of(&s, "alloc", &options);
    assert_int_equal(eti_table_row_count(table_of(report, "allocators")), 1);
    eti_report_free(report);
    options.block = "all";
    report = report_of(&s, "alloc", &options);
    assert_int_equal(eti_table_row_count(table_of(report, "allocators")), 3);
    eti_report_free(report);
    close_session(&s);
}

static void a_dump_without_allocations_says_so(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    open_session(&s, DUMP(b, RUN(b, "r", TIMED(b, .name = "a"))), NULL);
    eti_report *report = report_of(&s, "alloc", NULL);
    assert_int_equal(eti_table_row_count(table_of(report, "allocators")), 0);
    assert_true(has_note(report, "allocators", "no allocation was recorded"));
    eti_report_free(report);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocators_are_added_up_over_runs),
        cmocka_unit_test(a_dump_without_allocations_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
