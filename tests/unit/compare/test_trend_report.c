/* Tests reports of a trend, for people and for programs. */
#include "compare/trend.h"
#include "history_fixture.h"
#include "report_fixture.h"

static eti_report *report_of_history(size_t n_files, const planted *changes, size_t n_changes,
                                     eti_profile **profile) {
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    *profile = make_history(n_files, changes, n_changes, 0.01, 7);
    assert_ok(eti__trend_report(&report, *profile, NULL, &err));
    return report;
}

static void a_change_is_named_first(void **state) {
    (void)state;
    static const planted changes[] = {{2, 13, 1.5}, {ALL_EVENTS, 22, 0.8}};
    eti_profile *profile;
    eti_report *report = report_of_history(30, changes, 2, &profile);
    assert_true(has_note(report, "summary", "the total got "));
    assert_true(has_note(report, "summary", " slower at history.csv (after 13 of 30 files), "));
    assert_true(has_note(report, "summary", " faster at history.csv (after 22 of 30 files), -"));
    assert_true(has_note(report, "summary", " % in all; 1 event changed: e2 got "));
    assert_true(has_note(report, "summary", "; drift also counts as a change"));
    const eti_table *rows = table_of(report, "changes");
    assert_int_equal(eti_table_row_count(rows), 3);
    assert_int_equal(cell_at(rows, 0, "number").as_int, 13);
    assert_int_equal(cell_at(rows, 1, "number").as_int, 22);
    assert_true(eti__text_is(cell_at(rows, 2, "event_name").as_text, "e2"));
    assert_true(cell_at(rows, 2, "p").as_double <= 0.005);
    assert_true(cell_at(rows, 2, "change").as_double > 0.45);
    assert_near(cell_at(rows, 2, "after").as_double / cell_at(rows, 2, "before").as_double - 1,
                cell_at(rows, 2, "change").as_double);
    const eti_table *summary = table_of(report, "summary");
    assert_int_equal(cell_at(summary, 0, "changed").as_int, 1);
    assert_int_equal(cell_at(summary, 0, "changes").as_int, 3);
    eti_report_free(report);
    eti_profile_free(profile);
}

static void programs_get_a_number_a_file(void **state) {
    (void)state;
    eti_profile *profile;
    eti_report *report = report_of_history(20, NULL, 0, &profile);
    eti_profile_free(profile); /* the report keeps it */
    const eti_table *series = table_of(report, "series");
    assert_int_equal(eti_table_row_count(series), (HISTORY_EVENTS + 1) * 20);
    assert_true(eti__text_is(cell_at(series, 19, "event_name").as_text, "Method::execute"));
    assert_int_equal(cell_at(series, 19, "number").as_int, 19);
    assert_true(eti__text_is(cell_at(series, 20, "event_name").as_text, "e5"));
    eti_cell list = cell_at(table_of(report, "events"), 0, "series");
    assert_int_equal(list.kind, ETI_CELL_DOUBLES);
    assert_int_equal(list.n_items, 20);
    for (size_t i = 0; i < 20; i++)
        assert_true(cell_at(series, 20 + i, "relative").as_double ==
                    ((const double *)list.items)[i]);
    assert_true(section_of(report, "series")->is_in_notes);
    eti_report_free(report);
}

static void no_change_is_reported_as_none(void **state) {
    (void)state;
    eti_profile *profile;
    eti_report *report = report_of_history(20, NULL, 0, &profile);
    assert_true(has_note(report, "summary",
                         "the total did not change in 20 files; no change was found in 6 "
                         "events"));
    assert_false(has_note(report, "summary", "drift"));
    assert_false(has_note(report, "events", "with fewer than"));
    assert_int_equal(cell_at(table_of(report, "events"), 0, "change").kind, ETI_CELL_NONE);
    eti_report_free(report);
    eti_profile_free(profile);
}

/* C(10, 5) is 252, C(11, 5) 462: with alpha 0.01 / 2 there must be 11 files for the total, 14 for one of 6 events. */
static void few_files_cannot_tell(void **state) {
    (void)state;
    static const planted change = {ALL_EVENTS, 5, 2};
    eti_profile *profile;
    eti_report *report = report_of_history(10, &change, 1, &profile);
    assert_true(has_note(report, "summary",
                         "the total: cannot tell, because 10 files are not enough to tell a change "
                         "from chance; need 11"));
    assert_true(has_note(report, "events",
                         "fewer than 14 files: not enough to tell a change of one of 6 events"));
    eti_report_free(report);
    eti_profile_free(profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_is_named_first),
        cmocka_unit_test(programs_get_a_number_a_file),
        cmocka_unit_test(no_change_is_reported_as_none),
        cmocka_unit_test(few_files_cannot_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
