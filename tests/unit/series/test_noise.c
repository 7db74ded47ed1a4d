/* Tests how much files of one program differ, and which changes could be found among them. Expected numbers come from
 * SciPy. */
#include "compare/compare.h"
#include "files_fixture.h"
#include "report_fixture.h"

static eti_report *noise_of(eti_profile *profile, const eti_diff_options *options) {
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__noise_report(&report, profile, options, &err));
    return report;
}

/* Returns a cell of the event or total with this name. */
static eti_cell noise_cell(const eti_report *report, const char *table, const char *name,
                           const char *column) {
    const eti_table *of = table_of(report, table);
    const char *names = strcmp(table, "total") == 0 ? "total" : "event_name";
    for (size_t i = 0; i < eti_table_row_count(of); i++) {
        if (eti__text_is(cell_at(of, i, names).as_text, name))
            return cell_at(of, i, column);
    }
    fail_msg("there is no row %s", name);
    return (eti_cell){.kind = ETI_CELL_NONE};
}

static double number_of(const eti_report *report, const char *table, const char *name,
                        const char *column) {
    eti_cell cell = noise_cell(report, table, name, column);
    assert_int_equal(cell.kind, ETI_CELL_DOUBLE);
    return cell.as_double;
}

/* sd of ln 1000, 1010, 990, 1020, 980 is 0.0158134575; t at 0.95 with 2 m - 2 degrees of freedom, from SciPy. */
static void a_total_is_known_by_its_own_scatter(void **state) {
    (void)state;
    static const uint64_t ticks[] = {1000, 1010, 990, 1020, 980};
    eti_profile *profile = profile_of_files(ticks, 1, 5, 0);
    eti_report *report = noise_of(profile, NULL);
    static const char total[] = "Method::execute";
    assert_near(number_of(report, "total", total, "time"), 1000);
    assert_near(number_of(report, "total", total, "between_files"), 0.01593915186902977);
    assert_near(number_of(report, "total", total, "as_measured"), 0.01593915186902977);
    assert_near(number_of(report, "total", total, "with_5"), 0.018771932205946532);
    assert_near(number_of(report, "total", total, "with_8"), 0.014023622716163055);
    assert_near(number_of(report, "total", total, "with_12"), 0.011147242416963654);
    assert_near(number_of(report, "total", total, "with_20"), 0.008466515388116116);
    assert_true(has_note(report, "summary",
                         "the total differs by 1.6 % between 5 files, half of the events by 1.6 % "
                         "or less; with 8 files per side, a change of the total is known within "
                         "1.4 %, that of half of the events within 1.4 %"));
    assert_true(has_note(report, "events", "fewer than 5 events"));
    eti_report_free(report);
    eti_profile_free(profile);
}

#define N_EVENTS 7
#define N_FILES 6

/* Events of a file share its level, and one differs by more. The last event shows that the clock has no steps. */
static eti_profile *make_levels(void) {
    static const uint64_t levels[N_FILES] = {100, 110, 120, 90, 105, 100};
    uint64_t ticks[N_EVENTS * N_FILES];
    for (size_t i = 0; i < N_EVENTS; i++) {
        for (size_t file = 0; file < N_FILES; file++)
            ticks[i * N_FILES + file] = i < 6 ? 1000 * (i + 1) * levels[file] : 1;
    }
    ticks[5 * N_FILES] *= 2;
    return profile_of_files(ticks, N_EVENTS, N_FILES, 0);
}

static void events_differ_relative_to_the_level_of_their_file(void **state) {
    (void)state;
    eti_profile *profile = make_levels();
    eti_report *report = noise_of(profile, NULL);
    /* expm1(numpy.log([100, 110, 120, 90, 105, 100]).std(ddof=1)), and with [2, 1, 1, 1, 1, 1] */
    assert_near(number_of(report, "events", "e0", "as_measured"), 0.10255897100161583);
    assert_true(fabs(number_of(report, "events", "e0", "between_files")) < 1e-9);
    assert_near(number_of(report, "events", "e5", "between_files"), 0.3270735127316695);
    /* an event that does not differ is taken to differ by half a percent */
    assert_true(number_of(report, "events", "e0", "with_20") < 0.003);
    assert_true(number_of(report, "events", "e5", "with_5") > 0.3);
    assert_false(has_note(report, "events", "fewer than 5 events"));
    eti_report_free(report);
    eti_profile_free(profile);
}

/* 1 is below 1 % of the total, and a file with 0 cannot be a divisor. */
static void unjudged_rows_come_last(void **state) {
    (void)state;
    static const uint64_t ticks[] = {1, 1, 1, 500, 0, 500, 700, 702, 701};
    eti_profile *profile = profile_of_files(ticks, 3, 3, 0);
    eti_report *report = noise_of(profile, NULL);
    const eti_section *events = section_of(report, "events");
    assert_int_equal(events->n_kept_back, 2);
    assert_true(eti__text_is(cell_at(events->table, 0, "event_name").as_text, "e2"));
    assert_int_equal(noise_cell(report, "events", "e0", "between_files").kind, ETI_CELL_NONE);
    assert_int_equal(noise_cell(report, "events", "e1", "with_8").kind, ETI_CELL_NONE);
    assert_true(has_note(report, "events", "1 below min_share, 1 with a time of 0"));
    eti_report_free(report);
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.lists_all = true;
    report = noise_of(profile, &options);
    assert_int_equal(section_of(report, "events")->n_kept_back, 0);
    eti_report_free(report);
    eti_profile_free(profile);
}

/* A is only in the first file, so that nothing of it is judged; B is in all. */
static void totals_that_are_not_judged_come_last(void **state) {
    (void)state;
    static const char text[] = "time_scale,ns\nblock,A,,1,0\n"
                               "execute,of A,,,,,,,,,100\nkernel,x,,,,,,,,,50\n"
                               "block,B,,3,0,1;2\nexecute,of B,,,,,,,,,1000;1010;990\n"
                               "kernel,y,,,,,,,,,50;50;50\n"
                               "block,C,,3,0,1;2\nexecute,of C,,,,,,,,,100;101;99\n";
    eti_text whole = baseline_text(text, "a.csv");
    const eti_source source = {"a.csv", whole.data, whole.size};
    eti_profile *profile;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__profile_read(&profile, &source, NULL, &err));
    eti_report *report = noise_of(profile, NULL);
    const eti_section *total = section_of(report, "total");
    assert_int_equal(eti_table_row_count(total->table), 3);
    assert_text(total->table->columns[0].name, "block");
    assert_false(total->table->columns[0].is_extra);
    assert_int_equal(total->n_kept_back, 1);
    assert_true(eti__text_is(cell_at(total->table, 0, "total").as_text, "of B"));
    /* expm1(numpy.log([1000, 1010, 990]).std(ddof=1)) */
    assert_near(number_of(report, "total", "of B", "between_files"), 0.01005054587597214);
    assert_int_equal(noise_cell(report, "total", "of A", "between_files").kind, ETI_CELL_NONE);
    eti_report_free(report);
    eti_profile_free(profile);
}

static void one_file_shows_nothing(void **state) {
    (void)state;
    static const uint64_t ticks[] = {1000, 2000};
    eti_profile *profile = profile_of_files(ticks, 2, 1, 0);
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(eti__noise_report(&report, profile, NULL, &err), ETI_ERROR_TOO_FEW,
                 "history.csv: one process cannot show how much processes differ");
    assert_null(report);
    eti_profile_free(profile);
}

static eti_report *noise_of_namesakes(eti_profile *profile, const char *name) {
    eti_entry *events = profile->blocks[0].entries + profile->blocks[0].n_totals;
    events[0].name = events[1].name = eti__text_of(name);
    return noise_of(profile, NULL);
}

/* The report has the labels of namesakes, which the numbers behind it made. The second report would use their memory. */
static void labels_live_as_long_as_the_report(void **state) {
    (void)state;
    static const uint64_t ticks[] = {1000, 1010, 990, 980};
    eti_profile *profile = profile_of_files(ticks, 2, 2, 0);
    eti_profile *other = profile_of_files(ticks, 2, 2, 0);
    eti_report *report = noise_of_namesakes(profile, "aten::add.out");
    eti_report *second = noise_of_namesakes(other, "other");
    static const char *const labels[] = {"aten::add.out #1", "aten::add.out #2"};
    for (size_t i = 0; i < 2; i++) {
        const eti_cell cell = cell_at(table_of(report, "events"), i, "event_name");
        assert_text(cell.as_text, "aten::add.out");
        assert_text(((eti_text){cell.items, cell.n_items}), labels[i]);
    }
    eti_report_free(second);
    eti_report_free(report);
    eti_profile_free(other);
    eti_profile_free(profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_total_is_known_by_its_own_scatter),
        cmocka_unit_test(events_differ_relative_to_the_level_of_their_file),
        cmocka_unit_test(unjudged_rows_come_last),
        cmocka_unit_test(totals_that_are_not_judged_come_last),
        cmocka_unit_test(one_file_shows_nothing),
        cmocka_unit_test(labels_live_as_long_as_the_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
