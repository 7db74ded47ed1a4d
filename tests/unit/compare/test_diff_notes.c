/* Tests the lines below the tables of a comparison. */
#include "compare/parts.h"
#include "comparison_fixture.h"

typedef eti_status (*note_function)(eti_report *report, const eti_diff *diff, eti_error *err);

/* Makes a report with one section, which has an empty table. */
static eti_report *make_report(void) {
    eti_report *report;
    eti_table *table;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__report_new(&report, "diff", ETI_SCALE_MS, &err));
    assert_ok(eti__table_new(&table, NULL, 0, &err));
    assert_ok(eti__report_add(report, "section", NULL, table, &err));
    return report;
}

/* `expected` NULL: no note. */
static void assert_only_note(eti_report *report, const char *expected) {
    const eti_section *section = &report->sections[0];
    assert_int_equal(section->n_notes, expected ? 1 : 0);
    if (expected)
        assert_text(section->notes[0], expected);
    eti_report_free(report);
}

static void assert_note(note_function add, const eti_diff *diff, const char *expected) {
    eti_report *report = make_report();
    eti_error err = ETI_ERROR_INIT;
    assert_ok(add(report, diff, &err));
    assert_only_note(report, expected);
}

/* Adds the notes about events and totals, as diff does. */
static eti_status note_readings(eti_report *report, const eti_diff *diff, eti_error *err) {
    ETI_TRY(eti__note_readings(report, diff, false, err));
    return eti__note_metrics(report, diff, err);
}

static void assert_sides(const eti_diff *diff, const char *expected) {
    const eti_answer answer = eti__diff_answer(diff);
    eti_report *report = make_report();
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__note_sides(report, diff, &answer, &err));
    assert_only_note(report, expected);
}

/* ---- runs of one process --------------------------------------------------------------------- */

/* Makes a side of 40 runs of one total. They alternate, by 2 %, after so many runs; new files begin at `starts`. */
static void add_runs(eti_buffer *text, unsigned ticks, unsigned length, const char *starts) {
    eti__buffer_printf(text, HEAD "block,E,,40,0%s\nexecute,t,,,,,,,,,", starts);
    for (unsigned i = 0; i < 40; i++)
        eti__buffer_printf(text, "%s%u", i > 0 ? ";" : "",
                           ticks + ticks / 50 * (i / length % 2) + i % 3);
    eti__buffer_add_string(text, "\nkernel,a,,,,,,,,,1");
    for (unsigned i = 1; i < 40; i++)
        eti__buffer_add_string(text, ";1");
    eti__buffer_add_string(text, "\n");
    eti__buffer_add_char(text, '\0');
}

/* Compares runs of which the new ones take 1.2 % longer. */
static comparison compare_runs(unsigned length, const char *starts) {
    eti_buffer base = {0}, new_side = {0};
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.one_process = true;
    options.least_effect = 0;
    add_runs(&base, 100000, length, starts);
    add_runs(&new_side, 101200, length, starts);
    comparison c = compare_with(base.data, new_side.data, &options);
    eti__buffer_free(&base);
    eti__buffer_free(&new_side);
    return c;
}

static void dependent_runs_count_as_fewer(void **state) {
    (void)state;
    comparison c = compare_runs(1, "");
    assert_int_equal(row_of(&c.diff.totals, "t")->verdict, ETI_VERDICT_SLOWER);
    assert_note(eti__note_dependence, &c.diff, NULL);
    end(&c);
    c = compare_runs(10, "");
    assert_int_equal(row_of(&c.diff.totals, "t")->verdict, ETI_VERDICT_NOISE);
    assert_note(eti__note_dependence, &c.diff,
                "each run resembles the one before it: 40 and 40 runs count as about 8 and 8");
    end(&c);
    c = compare_runs(20, ",20"); /* the runs of each of the two files are alike, but independent */
    assert_int_equal(row_of(&c.diff.totals, "t")->verdict, ETI_VERDICT_SLOWER);
    assert_note(eti__note_dependence, &c.diff, NULL);
    end(&c);
}

/* ---- levels ---------------------------------------------------------------------------------- */

static made make_slower(double factor) {
    made m = make_example();
    for (int e = 0; e < N_EVENTS; e++) {
        for (int f = 5; f < N_FILES; f++)
            m.times[e][f] = round(m.times[e][f] * factor);
    }
    return m;
}

static void a_change_of_all_events_is_named(void **state) {
    (void)state;
    const made slower = make_slower(1.3), example = make_example();
    comparison c = compare_made(&slower, 5, NULL);
    assert_note(note_readings, &c.diff, "all events: +32.6 %; single events are judged without it");
    end(&c);
    c = compare_made(&example, 5, NULL);
    c.diff.pairs[0].events.most_rows = -log(1.011);
    assert_note(note_readings, &c.diff, "all events: -1.1 %; single events are judged without it");
    c.diff.pairs[0].events.most_rows = log(1.009);
    assert_note(note_readings, &c.diff, NULL);
    double level = 0; /* no total shows a change of events in cycles */
    c.diff.pairs[0].cycles =
        (eti_family){.n = 5, .is_of_cycles = true, .levels = &level, .most_rows = log(1.4)};
    assert_note(note_readings, &c.diff,
                "all events in cycles: +40.0 %; single events are judged without it");
    c.diff.pairs[0].cycles = (eti_family){.n = 1, .is_of_cycles = true};
    assert_note(note_readings, &c.diff,
                "1 event in cycles is judged as measured, because fewer than 5 have no level");
    c.diff.pairs[0].cycles = (eti_family){.n = 0};
    eti_diff_row *total = &c.diff.totals.rows[0];
    total->shift.estimate = log(1.905);
    total->fast = log(1.02);
    assert_note(note_readings, &c.diff, "total: +90.5 % by p50, +2.0 % by fast");
    total->fast = log(1.5);
    assert_note(note_readings, &c.diff, NULL);
    end(&c);
}

static void two_readings_are_explained(void **state) {
    (void)state;
    const made m = make_example();
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.in_turns = true;
    comparison c = compare_made(&m, 5, &options);
    eti_family *events = &c.diff.pairs[0].events;
    events->has_two_readings = true;
    events->kind = eti__text_of("addmm");
    events->n_of_kind = 5;
    events->kind_difference = -log(1.212);
    eti_report *report = make_report();
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__note_readings(report, &c.diff, true, &err));
    assert_only_note(
        report, "by p50, addmm (5 events) and the other 3 events differ by 21.2 %; the sides were "
                "recorded in turns, so changes are shown as measured");
    assert_note(note_readings, &c.diff,
                "addmm (5 events) and the other 3 events differ by 21.2 %; the sides were recorded "
                "in turns, so changes are shown as measured");
    end(&c);
}

/* ---- sides and evidence ---------------------------------------------------------------------- */

static void the_same_file_is_named(void **state) {
    (void)state;
    comparison c = compare(BASE, NEW, NULL);
    assert_sides(&c.diff, NULL);
    c.diff.is_same_file = true;
    c.diff.same_file[0] = eti__text_of("a.etdp");
    c.diff.same_file[1] = eti__text_of("b.etdp");
    assert_sides(&c.diff, "the same file is on both sides: b.etdp and a.etdp");
    c.diff.same_file[1] = eti__text_of("a.etdp");
    assert_sides(&c.diff, "the same file is on both sides: a.etdp");
    end(&c);
}

static void models_with_little_in_common_are_named(void **state) {
    (void)state;
    comparison c = compare(HEAD "block,E,,1,0\nkernel,a,x,,,,,,,,49\nkernel,b,y,,,,,,,,51\n",
                           HEAD "block,E,,1,0\nkernel,a,x,,,,,,,,50\nkernel,c,z,,,,,,,,50\n", NULL);
    assert_sides(&c.diff, "the sides have little in common: shared events take 49.0 % of the time "
                          "of the base and 50.0 % of the time of the new side");
    end(&c);
    c = compare(HEAD "block,E,,1,0\nkernel,a,x,,,,,,,,50\nkernel,b,y,,,,,,,,50\n",
                HEAD "block,E,,1,0\nkernel,a,x,,,,,,,,50\nkernel,c,z,,,,,,,,50\n", NULL);
    assert_sides(&c.diff, NULL);
    end(&c);
    c = compare(HEAD "block,E,,1,0\nexecute,total,,,,,,,,,50\n",
                HEAD "block,E,,1,0\nexecute,total,,,,,,,,,50\nkernel,c,z,,,,,,,,50\n", NULL);
    assert_sides(&c.diff, "the sides have little in common: shared events take 0.0 % of the time "
                          "of the base and 0.0 % of the time of the new side");
    end(&c);
    /* times of events may add up to more than the total */
    const char *five = HEAD "block,E,,5,0,1;2;3;4\nexecute,total,,,,,,,,,40;41;42;43;44\n"
                            "kernel,c,z,,,,,,,,50;51;52;53;54\n";
    c = compare(five, five, NULL);
    assert_int_equal(c.diff.coverage.n_judged, 1);
    assert_true(c.diff.coverage.share == 1);
    end(&c);
}

static void copies_are_asked_about(void **state) {
    (void)state;
    const char *copies = HEAD "block,E,,6,0,3\nkernel,a,,,,,,,,,1;2;3;1;2;3\n",
               *others = HEAD "block,E,,6,0,3\nkernel,a,,,,,,,,,1;2;3;1;2;4\n",
               *one = HEAD "block,E,,6,0\nkernel,a,,,,,,,,,1;2;3;1;2;3\n";
    comparison c = compare(others, copies, NULL);
    assert_note(eti__note_evidence, &c.diff, "new: identical ticks in 2 files; are they copies?");
    end(&c);
    c = compare(copies, one, NULL);
    assert_note(eti__note_evidence, &c.diff, "base: identical ticks in 2 files; are they copies?");
    end(&c);
    c = compare(others, one, NULL);
    assert_note(eti__note_evidence, &c.diff, NULL);
    end(&c);
}

/* ---- events ---------------------------------------------------------------------------------- */

static void coarse_clocks_are_named(void **state) {
    (void)state;
    eti_buffer text = {0};
    eti__buffer_add_string(&text, HEAD "block,E,,5,0,1;2;3;4\nexecute,total,,,,,,,,,100000;100001;"
                                       "100002;100003;100004\n");
    eti__buffer_add_string(&text, "delegated,a,,,X,1,,,,,10000;11000;10000;9000;10000\n"
                                  "delegated,b,,,X,2,,,,,5000;5000;6000;5000;5000\n"
                                  "delegated,c,,,X,3,,,,,30000;31000;30000;29000;30000\n"
                                  "kernel,d,,,,,,,,,10000;10001;10002;10003;10004\n");
    eti__buffer_add_char(&text, '\0');
    comparison c = compare(text.data, text.data, NULL);
    assert_note(eti__note_steps, &c.diff,
                "clock step 1 us is 20.0 % of b, and more than 5.0 % of 1 more; smaller changes "
                "cannot be judged");
    end(&c);
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    options.least_effect = 0.15;
    c = compare_with(text.data, text.data, &options);
    assert_note(eti__note_steps, &c.diff,
                "clock step 1 us is 20.0 % of b; smaller changes cannot be judged");
    end(&c);
    const made m = make_example();
    c = compare_made(&m, 5, NULL);
    assert_note(eti__note_steps, &c.diff, NULL);
    end(&c);
    eti__buffer_free(&text);
}

static void a_few_names_are_named(void **state) {
    (void)state;
    eti_buffer new_side = {0};
    eti__buffer_add_string(&new_side, HEAD "block,E,,1,0\nkernel,a,x,,,,,,,,1\n");
    for (int i = 0; i < 7; i++)
        eti__buffer_printf(&new_side, "kernel,n%d,y%d,,,,,,,,%d\n", i, i, 100 - i);
    eti__buffer_add_char(&new_side, '\0');
    comparison c = compare(HEAD "block,E,,1,0\nkernel,a,x,,,,,,,,1\n", new_side.data, NULL);
    assert_note(eti__note_matches, &c.diff, "added: n0, n1, n2, n3, n4 and 2 more");
    end(&c);
    eti__buffer_free(&new_side);
    c = compare(HEAD
                "block,E,,1,0\nkernel,a,x,,,,,,,,1\nkernel,mul,o,m,,,3,,,,1\nkernel,b,y,,,,,,,,"
                "1\n",
                HEAD "block,E,,1,0\nkernel,a,x,,,,,,,,1\nkernel,mul2,o,m,,,3,,,,1\nkernel,b,y,,,,,,"
                     ",,1\n",
                NULL);
    assert_note(eti__note_matches, &c.diff, "renamed: mul -> mul2");
    end(&c);
}

static void coverage_is_counted(void **state) {
    (void)state;
    const made m = make_example();
    comparison c = compare_made(&m, 5, NULL);
    assert_note(eti__note_coverage, &c.diff,
                "checked 8 of 9 events (100.0 % of the time); 1 below min_share");
    end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependent_runs_count_as_fewer),
        cmocka_unit_test(a_change_of_all_events_is_named),
        cmocka_unit_test(two_readings_are_explained),
        cmocka_unit_test(the_same_file_is_named),
        cmocka_unit_test(models_with_little_in_common_are_named),
        cmocka_unit_test(copies_are_asked_about),
        cmocka_unit_test(coarse_clocks_are_named),
        cmocka_unit_test(a_few_names_are_named),
        cmocka_unit_test(coverage_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
