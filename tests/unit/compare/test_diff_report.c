#include "comparison_fixture.h"

#include "compare/parts.h"
#include "table/parts.h"

/* ==== diff report ============================================================================= */
/* Tests the tables of a comparison: their rows, their columns, and the rows that people see. */

static eti_report *report_on(const made *m, size_t n_files, const eti_diff_options *options) {
    eti_profile *base = make_side(m, 0, n_files), *new_side = make_side(m, 5, n_files);
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_report(&report, base, new_side, options, &err));
    eti_profile_free(base);
    eti_profile_free(new_side);
    return report;
}

static void sections_stand_in_their_order(void **state) {
    (void)state;
    static const char *const names[] = {"summary", "total", "events", "groups", "files"};
    const made m = make_example();
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.group = "op";
    eti_report *report = report_on(&m, 5, &options);
    assert_int_equal(report->n_sections, COUNT_OF(names));
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_string_equal(report->sections[i].name, names[i]);
    assert_int_equal(report->selected, 2);
    eti_report_free(report);
    report = report_on(&m, 5, NULL);
    assert_int_equal(report->n_sections, COUNT_OF(names) - 1);
    eti_report_free(report);
}

static void people_see_what_changed(void **state) {
    (void)state;
    const made m = make_example();
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    eti_report *report = report_on(&m, 5, &options);
    const eti_section *events = section_called(report, "events");
    assert_int_equal(eti_table_row_count(events->table), 9);
    assert_int_equal(events->n_kept_back, 8);
    assert_text(cell_in(events->table, 0, "event_name").as_text, "e2");
    eti_report_free(report);
    options.lists_all = true;
    report = report_on(&m, 5, &options);
    assert_int_equal(section_called(report, "events")->n_kept_back, 0);
    eti_report_free(report);
    /* nothing is judged: all rows that are large enough are shown */
    report = report_on(&m, 3, NULL);
    assert_int_equal(section_called(report, "events")->n_kept_back, 1);
    eti_report_free(report);
}

static double number_in(const eti_table *table, size_t row, const char *column) {
    return cell_in(table, row, column).as_double;
}

/* Who divides two columns gets the third. */
static void times_fit_the_change_beside_them(void **state) {
    (void)state;
    const made m = make_example();
    eti_report *report = report_on(&m, 5, NULL);
    const eti_table *events = section_called(report, "events")->table;
    for (size_t i = 0; i < eti_table_row_count(events); i++) {
        double measured = number_in(events, i, "new") / number_in(events, i, "base");
        assert_near(number_in(events, i, "change"), measured - 1);
    }
    const eti_table *total = section_called(report, "total")->table;
    assert_near(number_in(total, 0, "change"), expm1(0.01609582));
    assert_text(cell_in(total, 1, "total").as_text, "all events alike");
    assert_int_equal(cell_in(total, 1, "base").kind, ETI_CELL_NONE);
    eti_report_free(report);
}

static void rows_have_numbers_where_they_were_judged(void **state) {
    (void)state;
    const made m = make_example();
    eti_report *report = report_on(&m, 5, NULL);
    const eti_table *events = section_called(report, "events")->table;
    assert_true(fabs(number_in(events, 0, "p") - 0.00159191) < 5e-9);
    assert_text(cell_in(events, 0, "verdict").as_text, "slower");
    assert_int_equal(cell_in(events, 0, "reason").kind, ETI_CELL_NONE);
    assert_int_equal(cell_in(events, 0, "files_new").as_int, 5);
    assert_int_equal(cell_in(events, 0, "runs_base").as_int, 5);
    size_t last = 0;
    for (size_t i = 0; i < 9; i++) {
        if (eti__text_is(cell_in(events, i, "event_name").as_text, "small"))
            last = i;
    }
    assert_text(cell_in(events, last, "verdict").as_text, "untested");
    assert_text(cell_in(events, last, "reason").as_text, "below min_share");
    assert_int_equal(cell_in(events, last, "p").kind, ETI_CELL_NONE);
    assert_int_equal(cell_in(events, last, "low").kind, ETI_CELL_NONE);
    eti_report_free(report);
}

/* A total that is part of another has an interval and no verdict. */
static void parts_of_totals_are_not_judged(void **state) {
    (void)state;
    const char *side = HEAD "block,E,,5,0,1;2;3;4\nexecute,all,,,,,,,,,100;101;102;103;104\n"
                            "operators,part,,,,,,,,,50;51;52;53;54\n";
    eti_profile *profile = read_profile(side);
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_report(&report, profile, profile, NULL, &err));
    const eti_table *total = section_called(report, "total")->table;
    assert_text(cell_in(total, 1, "reason").as_text, "part of another total");
    assert_int_equal(cell_in(total, 1, "p").kind, ETI_CELL_NONE);
    assert_int_equal(cell_in(total, 1, "low").kind, ETI_CELL_DOUBLE);
    assert_int_equal(cell_in(total, 0, "p").kind, ETI_CELL_DOUBLE);
    eti_report_free(report);
    eti_profile_free(profile);
}

/* Where a time of 0 became greater, or neither is known, there is no number. */
static void no_number_is_infinite(void **state) {
    (void)state;
    eti_profile *base = read_profile(HEAD "block,E,,1,0\nkernel,a,,,,,,,,,0\nkernel,b,,,,,,,,,5\n"),
                *new_side =
                    read_profile(HEAD "block,E,,1,0\nkernel,a,,,,,,,,,7\nkernel,b,,,,,,,,,0\n");
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_report(&report, base, new_side, NULL, &err));
    for (size_t s = 0; s < report->n_sections; s++) {
        const eti_table *table = report->sections[s].table;
        for (size_t i = 0; i < eti_table_row_count(table); i++) {
            for (size_t k = 0; k < eti_table_column_count(table); k++) {
                eti_cell cell = table_cell(table, i, k);
                assert_true(cell.kind != ETI_CELL_DOUBLE || isfinite(cell.as_double));
            }
        }
    }
    eti_report_free(report);
    eti_profile_free(base);
    eti_profile_free(new_side);
}

static bool has_shown(const eti_section *section, const char *name) {
    for (size_t i = 0; i < eti_table_column_count(section->table); i++) {
        if (eti__text_is(eti_table_column_name(section->table, i), name))
            return !eti_table_column_is_extra(section->table, i);
    }
    return false;
}

#define IN(block) "block," block ",,1,0\nexecute,all,,,,,,,,,10\nkernel,a,,,,,,,,,10\n"

static void columns_that_say_nothing_are_left_out(void **state) {
    (void)state;
    eti_profile *one = read_profile(HEAD IN("E")), *two = read_profile(HEAD IN("E") IN("F"));
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_report(&report, one, one, NULL, &err));
    assert_false(has_shown(section_called(report, "events"), "block"));
    assert_false(has_shown(section_called(report, "events"), "match"));
    eti_report_free(report);
    assert_ok(eti__diff_report(&report, two, two, NULL, &err));
    assert_true(has_shown(section_called(report, "events"), "block"));
    assert_true(has_shown(section_called(report, "total"), "block"));
    eti_report_free(report);
    assert_ok(eti__diff_report(&report, one, two, NULL, &err));
    assert_true(has_shown(section_called(report, "events"), "match")); /* F's was added */
    eti_report_free(report);
    eti_profile_free(one);
    eti_profile_free(two);
}

/* ==== diff summary ============================================================================ */
/* Tests the numbers of a comparison as a whole, and those of its files. */

static eti_report *make_report(void) {
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__report_new(&report, "diff", ETI_SCALE_NS, &err));
    return report;
}

static eti_report *summarise(const eti_diff *diff) {
    eti_diff own = *diff; /* it was moved since it was made */
    own.totals.judgement.diff = own.events.judgement.diff = own.groups.judgement.diff = &own;
    const eti_answer answer = eti__diff_answer(&own);
    eti_report *report = make_report();
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__diff_add_summary(report, &own, &answer, &err));
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
    assert_words(report, "metric", "p50");
    assert_number(report, "n_base", 5);
    assert_number(report, "n_new", 5);
    assert_number(report, "n_fewest", 5);
    assert_number(report, "alpha", 0.01);
    assert_number(report, "least_effect", 0.05);
    assert_number(report, "n_slower", 1);
    assert_number(report, "n_faster", 0);
    assert_number(report, "total_change", expm1(0.01609582));
    assert_number(report, "total_low", expm1(-0.00525991));
    assert_number(report, "total_high", expm1(0.03313831));
    assert_number(report, "level", expm1(0.012690510576));
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
    eti_report_free(report);
    end(&c);
}

/* Five files per side have an interval that ends at u; more files scatter as much. */
static void files_that_are_needed_are_counted(void **state) {
    (void)state;
    made m = make_example();
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.margin = 0.001;
    options.least_effect = 0.025;
    options.min_share = 0.99; /* only the total is judged */
    comparison c = compare_made(&m, 5, &options);
    double e = 0.01609582, u = 0.03313831, top = log1p(0.026);
    eti_report *report = summarise(&c.diff);
    assert_words(report, "outcome", "cannot tell");
    assert_number(report, "n_needed", ceil(5 * pow((u - e) / (top - e), 2)));
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
    assert_near(exp((sums[1] - sums[0]) / 5), 1.01952588243);
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
                    exp(c.diff.pairs[0].events.levels[i]));
    eti_report_free(report);
    end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_stand_in_their_order),
        cmocka_unit_test(people_see_what_changed),
        cmocka_unit_test(times_fit_the_change_beside_them),
        cmocka_unit_test(rows_have_numbers_where_they_were_judged),
        cmocka_unit_test(parts_of_totals_are_not_judged),
        cmocka_unit_test(no_number_is_infinite),
        cmocka_unit_test(columns_that_say_nothing_are_left_out),
        cmocka_unit_test(numbers_and_words_are_apart),
        cmocka_unit_test(the_answer_is_the_first_note),
        cmocka_unit_test(files_that_are_needed_are_counted),
        cmocka_unit_test(files_have_their_levels),
        cmocka_unit_test(files_of_one_process_have_the_level_of_their_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
