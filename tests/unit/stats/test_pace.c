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
    eti__find_paces(pace, rows, usual, EVENTS, RUNS, scratch);
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
    eti__find_paces(pace, rows, usual, EVENTS, RUNS, scratch);
    assert_bits(pace[0], 1.0);
}

static void events_that_take_no_time_tell_nothing(void **state) {
    (void)state;
    double table[EVENTS][RUNS], usual[EVENTS], pace[RUNS], scratch[EVENTS];
    const double *rows[EVENTS];
    fill(table, rows, usual);
    usual[0] = usual[1] = 0.0;
    eti__find_paces(pace, rows, usual, EVENTS, RUNS, scratch);
    assert_bits(pace[2], 3.0);
    usual[2] = 0.0; /* nine are left */
    eti__find_paces(pace, rows, usual, EVENTS, RUNS, scratch);
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
    eti__find_paces(pace, rows, usual, EVENTS, RUNS, scratch);
    assert_bits(pace[0], 1.0);
}

static void as_much_of_the_pace_is_taken_as_scatters_least(void **state) {
    (void)state;
    const double pace[] = {1, 4, 9, 1, 4, 9};
    const double noise[] = {10, 10.5, 10, 10.5, 10, 10.2}, equal[] = {5, 5, 5, 5, 5, 5};
    const double powers[][6] = {
        {1, 1, 1, 1, 1, 1}, {1, 2, 3, 1, 2, 3}, {1, 4, 9, 1, 4, 9}, {1, 8, 27, 1, 8, 27}};
    double values[6], scratch[12], out[6];
    for (int share = ETI_PACE_NONE; share <= ETI_PACE_MORE; share++) {
        for (size_t i = 0; i < 6; i++)
            values[i] = noise[i] * powers[share][i];
        assert_int_equal(eti__choose_pace_share(values, pace, 3, 6, scratch), share);
        eti__apply_pace(out, values, pace, 6, (eti_pace_share)share);
        for (size_t i = 0; i < 6; i++)
            assert_near(out[i], noise[i]);
    }
    assert_int_equal(eti__choose_pace_share(equal, pace, 3, 6, scratch), ETI_PACE_NONE);
}

/* The new side takes three times as long on a machine that is at times twice as slow, mostly for the base: taken together
 * the sides would scatter least with that left in. */
static void a_large_change_is_no_scatter(void **state) {
    (void)state;
    const double pace[] = {2, 1.5, 2.5, 1, 3, 1, 1.2, 0.8, 1.5, 0.6};
    const double noise[] = {10, 10.5, 10.2, 10.1, 10.4, 30.3, 31, 30.1, 30.6, 30.2};
    double values[10], scratch[20];
    for (size_t i = 0; i < 10; i++)
        values[i] = noise[i] * pace[i];
    assert_int_equal(eti__choose_pace_share(values, pace, 5, 10, scratch), ETI_PACE_FULL);
    assert_int_equal(eti__choose_pace_share(noise, pace, 5, 10, scratch), ETI_PACE_NONE);
    /* With one sample a side there is no scatter to go by. */
    assert_int_equal(eti__choose_pace_share(values, pace + 4, 1, 2, scratch), ETI_PACE_FULL);
}

static void events_without_time_keep_their_samples(void **state) {
    (void)state;
    const double pace[] = {1, 2, 3}, zeros[] = {0, 0, 0};
    double scratch[6], out[3];
    eti__apply_pace(out, zeros, pace, 3, eti__choose_pace_share(zeros, pace, 2, 3, scratch));
    for (size_t i = 0; i < 3; i++)
        assert_bits(out[i], 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_in_which_all_takes_longer_is_slow),
        cmocka_unit_test(one_slow_event_changes_no_pace),
        cmocka_unit_test(events_that_take_no_time_tell_nothing),
        cmocka_unit_test(a_pace_is_never_zero),
        cmocka_unit_test(as_much_of_the_pace_is_taken_as_scatters_least),
        cmocka_unit_test(a_large_change_is_no_scatter),
        cmocka_unit_test(events_without_time_keep_their_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
