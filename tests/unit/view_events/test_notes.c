#include "report_fixture.h"

#include "support.h"

#include "rollup/parts.h"
#include "view_events/view_events.h"

#include <math.h>

/* ==== notes =================================================================================== */

/* Makes a report with one section, below which notes stand. */
static eti_report *open_report(void) {
    const eti_column column = {.name = eti__text_of("c")};
    eti_report *report;
    eti_table *table;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__report_new(&report, "view", ETI_SCALE_NS, &err));
    assert_ok(eti__table_new(&table, &column, 1, &err));
    assert_ok(eti__report_add(report, "section", NULL, table, &err));
    return report;
}

static void assert_note(const eti_report *report, const char *expected) {
    const eti_section *section = section_of(report, "section");
    assert_int_equal(section->n_notes, 1);
    assert_text(section->notes[0], expected);
}

/* A backend called `name` with these stamps. */
static void assert_synthetic(const char *name, eti_delegate_stamps stamps, const char *expected) {
    eti_synthetic synthetic = {.stamps = {.items = &stamps, .count = 1}};
    eti_report *report = open_report();
    eti_error err = ETI_ERROR_INIT;
    stamps.backend = eti__text_of(name);
    assert_ok(eti__view_note_synthetic(report, &synthetic, &err));
    if (expected)
        assert_note(report, expected);
    else
        assert_int_equal(section_of(report, "section")->n_notes, 0);
    eti_report_free(report);
}

static void synthetic_times_are_named_with_their_reason(void **state) {
    (void)state;
    const eti_delegate_stamps measured = {.n_events = 5,
                                          .n_samples = 10,
                                          .n_pairs = 8,
                                          .first_length = 7,
                                          .step = 1,
                                          .lengths_differ = true,
                                          .runs_differ = true,
                                          .has_gaps = true,
                                          .most_runs = 3};
    eti_delegate_stamps stamps = measured;
    assert_synthetic("Xnn", stamps, NULL);
    stamps.lengths_differ = false;
    assert_synthetic("Xnn", stamps,
                     "times of Xnn look computed (not measured): each of its events takes 7 ticks");
    stamps = measured;
    stamps.runs_differ = false;
    assert_synthetic(
        "", stamps,
        "times of a delegate look computed (not measured): they are the same in every run");
    stamps = measured;
    stamps.has_gaps = false;
    stamps.step = 100;
    assert_synthetic("Xnn", stamps,
                     "durations of Xnn are as recorded (in steps of 100 ticks), but it did not "
                     "record when its events began: they are shown back to back");
}

static void warm_up_and_lanes_are_counted(void **state) {
    (void)state;
    static const struct {
        eti_run_counts runs;
        size_t n_files;
        const char *expected;
    } cases[] = {
        {{.n = 5, .n_warm_up = 5, .n_blocks = 1},
         1,
         "warm-up: first 5 of 10 runs left out (skip_first 0 keeps them)"},
        {{.n = 19, .n_warm_up = 1, .n_blocks = 1},
         1,
         "warm-up: first of 20 runs left out (skip_first 0 keeps it)"},
        {{.n = 27, .n_warm_up = 3, .n_blocks = 1},
         3,
         "warm-up: 3 of 30 runs of 3 files left out (skip_first 0 keeps them)"},
        {{.n = 8, .n_warm_up = 2, .n_blocks = 2},
         1,
         "warm-up: 2 of 10 runs of 2 blocks left out (skip_first 0 keeps them)"},
        {{.n = 8, .n_warm_up = 2, .n_blocks = 2},
         3,
         "warm-up: 2 of 10 runs of 2 blocks of 3 files left out (skip_first 0 keeps them)"},
        {{.n = 8, .n_blocks = 2}, 3, NULL},
        {{.n = 8, .n_blocks = 1, .n_overlapping = 6, .busy = {.low = 270}, .elapsed = {.low = 180}},
         1,
         "lanes work at the same time in 6 of 8 runs: together they are busy for 1.50 times the "
         "elapsed time; shares are of the busy time"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const eti_inspector inspector = {.n_dumps = cases[i].n_files};
        eti_report *report = open_report();
        eti_error err = ETI_ERROR_INIT;
        assert_ok(eti__view_note_runs(report, &inspector, &cases[i].runs, &err));
        if (cases[i].expected)
            assert_note(report, cases[i].expected);
        else
            assert_int_equal(section_of(report, "section")->n_notes, 0);
        eti_report_free(report);
    }
}

static void four_backends_are_named(void **state) {
    (void)state;
    static const char *const backends[] = {"first", "second", "third", "fourth", "fifth"};
    session s = {0};
    builder *b = &s.b;
    place events[COUNT_OF(backends) * 4];
    for (uint32_t i = 0; i < COUNT_OF(events); i++)
        events[i] = TIMED(b, .delegate_id_int = SOME(i), .instruction_id = SOME(i / 4),
                          .start_time = 100 * i, .end_time = 100 * i + 70);
    place run = put_run(
        b, &(run_spec){.name = "Execute", .events = put_tables(b, events, COUNT_OF(events))});
    open_session(&s, DUMP(b, run),
                 &(record_spec){.handles = "{\"0\": 1, \"1\": 1, \"2\": 1, \"3\": 1, \"4\": 1}",
                                .delegates =
                                    "{\"0\": {\"name\": \"first\"}, \"1\": {\"name\": \"second\"}, "
                                    "\"2\": {\"name\": \"third\"}, \"3\": {\"name\": \"fourth\"}, "
                                    "\"4\": {\"name\": \"fifth\"}}"});
    eti_report *report = report_of(&s, "summary", NULL);
    for (size_t i = 0; i < COUNT_OF(backends); i++) {
        char note[64];
        snprintf(note, sizeof note, "times of %s look computed (not measured)", backends[i]);
        assert_int_equal(has_note(report, "account", note), i < 4);
    }
    eti_report_free(report);
    close_session(&s);
}

static void delegates_that_count_cycles_are_named(void **state) {
    (void)state;
    eti_report *report = open_report();
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__view_note_cycles(report, &(eti_cycle_counts){0}, &err));
    assert_int_equal(section_of(report, "section")->n_notes, 0);
    eti_cycle_counts counted = {.n = 12, .backend = eti__text_of("NeutronBackend")};
    const eti_cycle_counts unknown = {.n = 1};
    assert_ok(eti__view_note_cycles(report, &counted, &err));
    assert_note(report, "NeutronBackend counts cycles: the time of a call is divided by them, "
                        "including its overhead; delegate_time_scale takes the frequency of its "
                        "clock");
    counted.has_frequency = true;
    assert_ok(eti__view_note_cycles(report, &counted, &err));
    assert_text(section_of(report, "section")->notes[1],
                "NeutronBackend counts cycles: the time of a call is divided by them, including "
                "its overhead; clock_hz takes the frequency of the ETDump's clock");
    assert_ok(eti__view_note_cycles(report, &unknown, &err));
    assert_int_equal(section_of(report, "section")->n_notes, 3);
    eti_report_free(report);
}

/* ==== group row =============================================================================== */

static const uint64_t sums[] = {40, 10, 60};

/* One block of three runs; a unit of time is 10 ticks. The second group has no events in any run. */
static const eti_rollup rollup = {
    .groups =
        (eti_group[]){
            {.time = {.total = {0, 110}, .weight = {0, 240}, .methods = 1},
             .n_events = 2,
             .n_calls = 6,
             .n_runs = 3,
             .newest_block = 0},
            {.newest_block = ETI_NO_GROUP},
        },
    .n_groups = 2,
    .parts = (eti_group_part[]){{.next = ETI_NO_GROUP, .n_runs = 3, .first_sum = 0}},
    .n_parts = 1,
    .sums = (uint64_t *)sums,
    .n_sums = 3,
    .whole = {.total = {0, 220}, .weight = {0, 480}, .methods = 1},
    .method_runs = {.n = 1, .of = {{.n_runs = 3}}},
    .factor = 10,
    .runs = {.n = 3},
    .most_runs = 3,
};

typedef bool set_function(void *row, eti_cell *cell);

static set_function *const counts_and_times[] = {eti__set_group_events, eti__set_group_calls,
                                                 eti__set_group_total, eti__set_group_share};
static set_function *const statistics[] = {eti__set_group_p50, eti__set_group_avg,
                                           eti__set_group_min, eti__set_group_max};

static eti_cell group_cell_of(eti_group_row *row, set_function *set) {
    eti_cell cell = {.kind = ETI_CELL_NONE};
    assert_true(set(row, &cell));
    return cell;
}

static void assert_number(eti_cell cell, eti_cell_kind kind, double expected) {
    assert_int_equal(cell.kind, kind);
    assert_true(fabs((kind == ETI_CELL_INT ? (double)cell.as_int : cell.as_double) - expected) <
                1e-12);
}

static void a_group_has_all_cells(void **state) {
    (void)state;
    static const double expected[] = {2, 6, 11, 0.5}, of_sums[] = {4, 110 / 30.0, 1, 6};
    eti_arena arena = {0};
    eti_group_row row = eti__group_row_of(&rollup, &rollup.groups[0], &arena);
    for (size_t i = 0; i < 4; i++) {
        assert_number(group_cell_of(&row, counts_and_times[i]),
                      i < 2 ? ETI_CELL_INT : ETI_CELL_DOUBLE, expected[i]);
        assert_false(row.is_summarized);
    }
    for (size_t i = 0; i < 4; i++)
        assert_number(group_cell_of(&row, statistics[i]), ETI_CELL_DOUBLE, of_sums[i]);
    eti__arena_free(&arena);
}

static void sums_are_summarized_once(void **state) {
    (void)state;
    eti_arena arena = {0};
    eti_group_row row = eti__group_row_of(&rollup, &rollup.groups[0], &arena);
    assert_number(group_cell_of(&row, eti__set_group_max), ETI_CELL_DOUBLE, 6);
    assert_true(row.is_summarized);
    row.times.min = 77;
    assert_number(group_cell_of(&row, eti__set_group_min), ETI_CELL_DOUBLE, 77);
    eti__arena_free(&arena);
}

static void a_group_without_runs_has_no_statistics(void **state) {
    (void)state;
    eti_group_row row = eti__group_row_of(&rollup, &rollup.groups[1], NULL);
    for (size_t i = 0; i < 4; i++) {
        assert_number(group_cell_of(&row, counts_and_times[i]),
                      i < 2 ? ETI_CELL_INT : ETI_CELL_DOUBLE, 0);
        assert_int_equal(group_cell_of(&row, statistics[i]).kind, ETI_CELL_NONE);
    }
}

static void a_row_without_a_group_has_none_of_the_cells(void **state) {
    (void)state;
    eti_group_row row = eti__group_row_of(&rollup, NULL, NULL);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(group_cell_of(&row, counts_and_times[i]).kind, ETI_CELL_NONE);
        assert_int_equal(group_cell_of(&row, statistics[i]).kind, ETI_CELL_NONE);
    }
}

static void marks_are_explained(void **state) {
    (void)state;
    for (int is_unsteady = 0; is_unsteady < 2; is_unsteady++) {
        const eti_rollup counts = {.is_unsteady = is_unsteady == 1};
        eti_report *report = open_report();
        eti_error err = ETI_ERROR_INIT;
        assert_ok(eti__view_note_unsteady(report, &counts, &err));
        if (is_unsteady)
            assert_note(report, "* mean and typical time differ by more than half: runs were "
                                "interrupted or have two speeds (etinspect runs shows which)");
        else
            assert_int_equal(report->sections[0].n_notes, 0);
        eti_report_free(report);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(synthetic_times_are_named_with_their_reason),
        cmocka_unit_test(warm_up_and_lanes_are_counted),
        cmocka_unit_test(four_backends_are_named),
        cmocka_unit_test(delegates_that_count_cycles_are_named),
        cmocka_unit_test(a_group_has_all_cells),
        cmocka_unit_test(sums_are_summarized_once),
        cmocka_unit_test(a_group_without_runs_has_no_statistics),
        cmocka_unit_test(a_row_without_a_group_has_none_of_the_cells),
        cmocka_unit_test(marks_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
