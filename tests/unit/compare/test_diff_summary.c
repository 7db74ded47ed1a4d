/* Tests the numbers of a comparison as a whole, and those of its files. */
#include "compare/diff_summary.h"
#include "comparison_fixture.h"

#include "table/parts.h"

static eti_report *make_report(void) {
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__report_new(&report, "diff", ETI_SCALE_NS, &err));
    return report;
}

static eti_report *summarise(const eti_diff *diff) {
    const eti_answer answer = eti__diff_answer(diff);
    eti_report *report = make_report();
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_add_summary(report, diff, &answer, &err));
    return report;
}

static void assert_number(const eti_report *report, const char *column, double expected) {
    double found;
    eti_cell cell = cell_in(report->sections[0].table, 0, column);
    assert_true(eti__cell_read_double(&cell, &found));
    assert_near(found, expected);
}

static void assert_words(const eti_report *report, const char *column, const char *expected) {
    assert_text(cell_in(report->sections[0].table, 0, column).as_text, expected);
}

/* Uses the numbers of the specification's example; its level was computed by a script. */
static void numbers_and_words_are_apart(void **state) {
    (void)state;
    const made m = make_example();
    comparison c = compare_made(&m, 5, NULL);
    eti_report *report = summarise(&c.diff);
    assert_int_equal(eti_table_row_count(report->sections[0].table), 1);
    assert_words(report, "outcome", "slower");
    assert_words(report, "unit", "file");
    assert_words(report, "metric", "location");
    assert_number(report, "n_base", 5);
    assert_number(report, "n_new", 5);
    assert_number(report, "n_fewest", 5);
    assert_number(report, "alpha", 0.01);
    assert_number(report, "least_effect", 0.05);
    assert_number(report, "n_slower", 1);
    assert_number(report, "n_faster", 0);
    assert_number(report, "total_change", expm1(0.01638164));
    assert_number(report, "level", 1.01789621);
    assert_number(report, "total_deviation", expm1(0.00942869 / sqrt(0.4)));
    assert_number(report, "n_events", 9);
    assert_number(report, "n_judged", 8);
    assert_number(report, "n_small", 1);
    assert_number(report, "shared_base", 1);
    assert_int_equal(cell_in(report->sections[0].table, 0, "n_needed").kind, ETI_CELL_NONE);
    assert_true(report->sections[0].is_in_notes);
    eti_report_free(report);
    end(&c);
}

static void the_answer_is_the_first_note(void **state) {
    (void)state;
    const made m = make_example();
    comparison c = compare_made(&m, 3, NULL);
    eti_report *report = summarise(&c.diff);
    const char *answer = "cannot tell: not enough files (base 3, new 3); need 5 per side, recorded "
                         "in turns (etinspect measure records them)";
    assert_words(report, "answer", answer);
    assert_int_equal(report->sections[0].n_notes, 1);
    assert_text(report->sections[0].notes[0], answer);
    assert_words(report, "outcome", "cannot tell");
    assert_int_equal(cell_in(report->sections[0].table, 0, "level_p").kind, ETI_CELL_NONE);
    assert_int_equal(cell_in(report->sections[0].table, 0, "total_change").kind, ETI_CELL_NONE);
    eti_report_free(report);
    end(&c);
}

/* As many as the less precise of the total and the median event needs; here this is the event. */
static void files_that_are_needed_are_counted(void **state) {
    (void)state;
    made m = make_example();
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.detectable = 0.1;
    for (int f = 5; f < N_FILES; f++)
        m.times[2][f] /= 1.2;
    comparison c = compare_made(&m, 5, &options);
    const eti_diff_row *median = NULL;
    for (size_t i = 0; i < c.diff.events.n; i++) {
        if (c.diff.events.rows[i].detectable == c.diff.events.detectable)
            median = &c.diff.events.rows[i];
    }
    assert_non_null(median);
    assert_true(median->detectable > 0.1);
    size_t expected = eti__files_for_effect(&median->change, 5, 5, 0.1, 8, 0.005, 0.05, 5);
    assert_in_range(expected, 6, 100);
    eti_report *report = summarise(&c.diff);
    assert_words(report, "outcome", "cannot tell");
    assert_number(report, "n_needed", (double)expected);
    eti_report_free(report);
    end(&c);
}

static void files_have_their_levels(void **state) {
    (void)state;
    const made m = make_example();
    eti_error err = ETI_ERROR_INIT;
    comparison c = compare_made(&m, 5, NULL);
    eti_report *report = make_report();
    c.diff.base_factor = c.new_side->factor = 1000; /* us */
    assert_ok(eti__diff_add_files(report, &c.diff, &err));
    const eti_table *table = report->sections[0].table;
    assert_int_equal(eti_table_row_count(table), 10);
    double sums[2] = {0, 0};
    for (size_t i = 0; i < 10; i++) {
        eti_cell level = cell_in(table, i, "level"), total = cell_in(table, i, "total");
        sums[i / 5] += log(level.as_double);
        assert_text(cell_in(table, i, "side").as_text, i < 5 ? "base" : "new");
        assert_int_equal(cell_in(table, i, "runs").as_int, 1);
        double expected = 0;
        for (size_t e = 0; e < N_EVENTS; e++)
            expected += m.times[e][i];
        assert_near(total.as_double, expected / 1000);
    }
    assert_near(exp((sums[1] - sums[0]) / 5), 1.01789621);
    eti_report_free(report);
    end(&c);
}

/* With runs as units, a file has the mean level of its runs. */
static void files_of_one_process_have_the_level_of_their_runs(void **state) {
    (void)state;
    const made m = make_example();
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.one_process = true;
    eti_error err = ETI_ERROR_INIT;
    comparison c = compare_made(&m, 5, &options);
    eti_report *report = make_report();
    assert_ok(eti__diff_add_files(report, &c.diff, &err));
    assert_int_equal(eti_table_row_count(report->sections[0].table), 10);
    for (size_t i = 0; i < 10; i++)
        assert_near(cell_in(report->sections[0].table, i, "level").as_double,
                    exp(c.diff.pairs[0].levels[i]));
    eti_report_free(report);
    end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_words_are_apart),
        cmocka_unit_test(the_answer_is_the_first_note),
        cmocka_unit_test(files_that_are_needed_are_counted),
        cmocka_unit_test(files_have_their_levels),
        cmocka_unit_test(files_of_one_process_have_the_level_of_their_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
