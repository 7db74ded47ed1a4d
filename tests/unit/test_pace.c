#include "statistics_samples.h"

#include "stats/pace.h"

enum { EVENTS = 12, RUNS = 3 };

static void fill(double table[EVENTS][RUNS], const double **rows, double *usual) {
    for (size_t i = 0; i < EVENTS; i++) {
        usual[i] = (double)(i + 1);
        for (size_t run = 0; run < RUNS; run++)
            table[i][run] = usual[i] * (double)(run + 1);
        rows[i] = table[i];
    }
}

static void a_run_in_which_all_takes_longer_is_slow(void **state) {
    (void)state;
    double table[EVENTS][RUNS], usual[EVENTS], pace[RUNS], scratch[EVENTS];
    const double *rows[EVENTS];
    fill(table, rows, usual);
    eti_find_paces(pace, rows, usual, EVENTS, RUNS, scratch);
    for (size_t run = 0; run < RUNS; run++)
        assert_bits(pace[run], (double)(run + 1));
}

static void one_slow_event_changes_no_pace(void **state) {
    (void)state;
    double table[EVENTS][RUNS], usual[EVENTS], pace[RUNS], scratch[EVENTS];
    const double *rows[EVENTS];
    fill(table, rows, usual);
    table[4][0] *= 100.0;
    table[5][0] *= 100.0;
    eti_find_paces(pace, rows, usual, EVENTS, RUNS, scratch);
    assert_bits(pace[0], 1.0);
}

static void events_that_take_no_time_tell_nothing(void **state) {
    (void)state;
    double table[EVENTS][RUNS], usual[EVENTS], pace[RUNS], scratch[EVENTS];
    const double *rows[EVENTS];
    fill(table, rows, usual);
    usual[0] = usual[1] = 0.0;
    eti_find_paces(pace, rows, usual, EVENTS, RUNS, scratch);
    assert_bits(pace[2], 3.0);
    usual[2] = 0.0; /* nine are left */
    eti_find_paces(pace, rows, usual, EVENTS, RUNS, scratch);
    assert_bits(pace[2], 1.0);
}

static void a_pace_is_never_zero(void **state) {
    (void)state;
    double table[EVENTS][RUNS] = {{0}}, usual[EVENTS], pace[RUNS], scratch[EVENTS];
    const double *rows[EVENTS];
    for (size_t i = 0; i < EVENTS; i++) {
        rows[i] = table[i];
        usual[i] = 1.0;
    }
    eti_find_paces(pace, rows, usual, EVENTS, RUNS, scratch);
    assert_bits(pace[0], 1.0);
}

static void a_pace_helps_when_it_takes_scatter_away(void **state) {
    (void)state;
    const double pace[] = {1, 2, 3, 1, 2, 3}, other[] = {30, 1, 20, 1, 3, 2};
    const double values[] = {10, 20.5, 30, 10.5, 20, 31}, equal[] = {5, 5, 5, 5, 5, 5};
    double scratch[12];
    assert_true(eti_pace_helps(values, pace, 6, scratch));
    assert_false(eti_pace_helps(values, other, 6, scratch));
    assert_false(eti_pace_helps(equal, pace, 6, scratch));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_in_which_all_takes_longer_is_slow),
        cmocka_unit_test(one_slow_event_changes_no_pace),
        cmocka_unit_test(events_that_take_no_time_tell_nothing),
        cmocka_unit_test(a_pace_is_never_zero),
        cmocka_unit_test(a_pace_helps_when_it_takes_scatter_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
