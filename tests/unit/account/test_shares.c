#include "account/shares.h"

#include "account_fixture.h"
#include "base/numbers.h"

#include <math.h>
#include <stdlib.h>

/* ---- medians --------------------------------------------------------------------------------- */

static int compare_values(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Returns the sum of the two middle values by sorting all of them. */
static eti_wide by_sorting(const uint64_t *values, size_t n) {
    uint64_t sorted[201];
    memcpy(sorted, values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, compare_values);
    eti_wide sum = eti__wide_of(sorted[(n - 1) / 2]);
    eti__wide_add(&sum, eti__wide_of(sorted[n / 2]));
    return sum;
}

/* Compares with sorting, and checks that the values are only reordered. */
static void assert_median(const uint64_t *values, size_t n, const char *what) {
    uint64_t found[201], all[201];
    eti_wide expected = {0}, median;
    memcpy(found, values, n * sizeof *values);
    memcpy(all, values, n * sizeof *values);
    if (n > 0)
        expected = by_sorting(values, n);
    median = eti__doubled_median(found, n);
    if (eti__wide_compare(median, expected) != 0)
        fail_msg("%zu %s values", n, what);
    qsort(found, n, sizeof *found, compare_values);
    qsort(all, n, sizeof *all, compare_values);
    assert_memory_equal(found, all, n * sizeof *found);
}

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void medians_are_those_of_sorted_values(void **state) {
    (void)state;
    uint64_t values[201] = {0}, random = UINT64_C(88172645463325252);
    for (size_t n = 0; n <= 200; n++) {
        for (size_t i = 0; i < n; i++)
            values[i] = 7;
        assert_median(values, n, "equal");
        for (size_t i = 0; i < n; i++)
            values[i] = 10 * i;
        assert_median(values, n, "sorted");
        for (size_t i = 0; i < n; i++)
            values[i] = 10 * (n - i);
        assert_median(values, n, "reversed");
        for (size_t i = 0; i < n; i++)
            values[i] = i < n / 2 ? i : n - i;
        assert_median(values, n, "rising and falling");
        for (size_t i = 0; i < n; i++)
            values[i] = UINT64_MAX - i % 3;
        assert_median(values, n, "huge");
        for (size_t i = 0; i < n; i++)
            values[i] = i % 2 ? UINT64_MAX : 0;
        assert_median(values, n, "smallest and largest");
        for (int repeat = 0; repeat < 10; repeat++) {
            for (size_t i = 0; i < n; i++)
                values[i] = next_random(&random);
            assert_median(values, n, "random");
            for (size_t i = 0; i < n; i++)
                values[i] = next_random(&random) % 4;
            assert_median(values, n, "few different");
        }
    }
}

static void sums_of_huge_values_do_not_overflow(void **state) {
    (void)state;
    uint64_t values[] = {UINT64_MAX, UINT64_MAX - 1, 5, UINT64_MAX};
    eti_wide median = eti__doubled_median(values, 4);
    assert_int_equal(median.high, 1);
    assert_int_equal(median.low, UINT64_MAX - 2); /* 2^64 - 1 + 2^64 - 2 */
}

/* ---- typical times --------------------------------------------------------------------------- */
/* Runs are lists of self ticks, laid out one after the other; an event outside of an instruction is work. */

#define ABSENT UINT64_MAX
#define MOST_RUNS 10
#define MOST_EVENTS 4

/* Self ticks of events by run, and what follows from them. */
typedef struct timed_event {
    const char *name;
    uint64_t ticks[MOST_RUNS]; /* ABSENT: not in this run */
    uint64_t weight;
    double typical, share, share_mean;
} timed_event;

static place put_timed_run(builder *b, const timed_event *events, size_t n, size_t run) {
    place of_run[MOST_EVENTS];
    size_t n_here = 0;
    uint64_t now = 1000;
    for (size_t i = 0; i < n; i++) {
        if (events[i].ticks[run] == ABSENT)
            continue;
        of_run[n_here++] = CALL(b, events[i].name, i, now, now + events[i].ticks[run]);
        now += events[i].ticks[run];
    }
    return put_run(b, &(run_spec){.name = "Execute", .events = put_tables(b, of_run, n_here)});
}

static void open_runs(session *s, const timed_event *events, size_t n, size_t n_runs) {
    static const eti_options all_runs = {.target_time_scale = ETI_SCALE_NS, .keeps_warm_up = true};
    place runs[MOST_RUNS];
    s->options = &all_runs;
    for (size_t i = 0; i < n_runs; i++)
        runs[i] = put_timed_run(&s->b, events, n, i);
    open_session(s, put_dump(&s->b, (optional){0}, put_tables(&s->b, runs, n_runs)), NULL);
}

/* Sums of events with one name, or of all if it is NULL. */
static eti_time_sum sum_of(const session *s, const char *name, eti_method_runs *runs) {
    eti_time_sum sum = {.methods = 0};
    for (size_t i = 0; i < s->inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &s->inspector->blocks.blocks[i];
        eti_error err = ETI_ERROR_INIT;
        eti_account account;
        assert_ok(eti__account_new(&account, block, &s->inspector->options, &err));
        uint64_t method = eti__method_runs_add(runs, &account);
        for (size_t k = 0; k < block->n_events; k++) {
            if (name && !eti__text_is(block->events[k].name, name))
                continue;
            eti_time_sum own = eti__account_sum(&account, k);
            own.methods = method;
            eti__time_sum_add(&sum, &own);
        }
        eti__account_free(&account);
    }
    return sum;
}

/* Checks the sums of each event, and that they add up to `whole` half ticks. */
static void assert_times(const timed_event *events, size_t n, size_t n_runs, uint64_t whole) {
    session s = {0};
    open_runs(&s, events, n, n_runs);
    eti_method_runs of_all = {.n = 0};
    const eti_time_sum all = sum_of(&s, NULL, &of_all);
    eti_wide sum = {0};
    assert_int_equal(all.weight.low, whole);
    assert_int_equal(all.weight.high, 0);
    assert_bits(eti__typical_ticks(&of_all, &all), (double)whole / 2 / (double)n_runs);
    for (size_t i = 0; i < n; i++) {
        eti_method_runs runs = {.n = 0};
        const eti_time_sum own = sum_of(&s, events[i].name, &runs);
        assert_int_equal(own.weight.low, events[i].weight);
        assert_bits(eti__typical_ticks(&runs, &own), events[i].typical);
        /* the expected shares have six decimals */
        assert_true(fabs(eti__time_sum_share(&own, &all) - events[i].share) <= 5.0001e-7);
        assert_true(fabs(eti__time_sum_share_mean(&own, &all) - events[i].share_mean) <= 5.0001e-7);
        eti__wide_add(&sum, own.weight);
    }
    assert_int_equal(eti__wide_compare(sum, all.weight), 0);
    close_session(&s);
}

/* An event of some runs counts with their part of the runs; "y" runs in both branches. */
static void a_branch_counts_with_its_part_of_the_runs(void **state) {
    (void)state;
    static const timed_event events[] = {
        {"x",
         {ABSENT, 30, ABSENT, ABSENT, 32, ABSENT, 28, ABSENT, 30, ABSENT},
         240,
         12,
         0.12,
         0.12},
        {"y", {88, 88, 88, 88, 88, 88, 88, 88, 88, 88}, 1760, 88, 0.88, 0.88},
    };
    assert_times(events, 2, 10, 2000);
}

static void two_speeds_have_the_middle_one(void **state) {
    (void)state;
    static const timed_event events[] = {
        {"x", {10, 20, 10, 20, 10, 20}, 180, 15, 0.15, 0.15},
        {"y", {85, 85, 85, 85, 85, 85}, 1020, 85, 0.85, 0.85},
    };
    assert_times(events, 2, 6, 1200);
}

static void events_of_modules_are_added(void **state) {
    (void)state;
    static const timed_event events[] = {
        {"a.0", {10, 11, 60, 10}, 84, 10.5, 0.3, 0.315972},
        {"a.1", {20, 20, 21, 70}, 164, 20.5, 0.585714, 0.454861},
        {"a", {1, 50, 1, 1}, 8, 1, 0.028571, 0.184028},
        {"net", {3, 3, 3, 4}, 24, 3, 0.085714, 0.045139},
    };
    assert_times(events, 4, 4, 280);
}

/* Of a run, its time; of two, their mean. */
static void one_run_is_typical(void **state) {
    (void)state;
    static const timed_event once[] = {{"x", {7}, 14, 7, 0.7, 0.7}, {"y", {3}, 6, 3, 0.3, 0.3}};
    static const timed_event twice[] = {{"x", {7, 0}, 14, 3.5, 0.7, 0.7},
                                        {"y", {3, 0}, 6, 1.5, 0.3, 0.3}};
    assert_times(once, 2, 1, 20);
    assert_times(twice, 2, 2, 20);
}

static void runs_without_time_have_no_shares(void **state) {
    (void)state;
    static const timed_event events[] = {{"x", {0, 0, 9}, 0, 0, 0, 1}, {"y", {0}, 0, 0, 0, 0}};
    assert_times(events, 2, 3, 0);
}

/* ---- unsteady times -------------------------------------------------------------------------- */

static bool is_unsteady(uint64_t total, uint64_t weight, uint64_t whole) {
    const eti_time_sum of = {.total = eti__wide_of(total), .weight = eti__wide_of(weight)};
    const eti_time_sum all = {.total = eti__wide_of(whole), .weight = eti__wide_of(2 * whole)};
    return eti__time_sum_is_unsteady(&of, &all);
}

static void means_far_from_the_median_are_unsteady(void **state) {
    (void)state;
    assert_false(is_unsteady(15, 2 * 10, 100)); /* just 1.5 times */
    assert_true(is_unsteady(16, 2 * 10, 100));
    assert_false(is_unsteady(10, 2 * 15, 100));
    assert_true(is_unsteady(10, 2 * 16, 100));
    assert_false(is_unsteady(16, 2 * 10, 600)); /* 1 % of the whole */
    assert_true(is_unsteady(16, 2 * 10, 599));
    assert_false(is_unsteady(0, 0, 100));
    assert_false(is_unsteady(0, 0, 0));
}

/* ---- runs by method -------------------------------------------------------------------------- */

static void typical_times_are_those_of_their_methods(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    static const eti_options all_runs = {.target_time_scale = ETI_SCALE_NS, .keeps_warm_up = true};
    s.options = &all_runs;
    open_session(&s,
                 DUMP(b, RUN(b, "encode", CALL(b, "x", 0, 10, 14)),
                      RUN(b, "decode", CALL(b, "x", 0, 20, 26), CALL(b, "y", 1, 26, 36)),
                      RUN(b, "decode", CALL(b, "x", 0, 40, 46), CALL(b, "y", 1, 46, 56))),
                 NULL);
    eti_method_runs runs = {.n = 0};
    const eti_time_sum y = sum_of(&s, "y", &runs);
    assert_int_equal(runs.n, 2);
    assert_int_equal(y.weight.low, 40);
    assert_bits(eti__typical_ticks(&runs, &y), 10); /* of two runs */
    runs.n = 0;
    memset(&runs, 0, sizeof runs);
    const eti_time_sum x = sum_of(&s, "x", &runs);
    assert_int_equal(x.weight.low, 8 + 24);
    assert_bits(eti__typical_ticks(&runs, &x), 32.0 / 2 / 3);
    close_session(&s);
}

static void methods_beyond_the_last_are_one(void **state) {
    (void)state;
    eti_method_runs runs = {.n = 0};
    char names[ETI_MOST_METHODS_APART + 2][16];
    for (size_t i = 0; i < ETI_MOST_METHODS_APART + 2; i++) {
        snprintf(names[i], sizeof names[i], "method%zu", i);
        const eti_event_block block = {.method_name = eti__text_of(names[i])};
        const eti_account account = {.block = &block, .n_runs = i + 1};
        size_t bit = i < ETI_MOST_METHODS_APART ? i : ETI_MOST_METHODS_APART - 1;
        assert_true(eti__method_runs_add(&runs, &account) == UINT64_C(1) << bit);
    }
    assert_int_equal(runs.n, ETI_MOST_METHODS_APART);
    assert_int_equal(runs.of[ETI_MOST_METHODS_APART - 1].n_runs, 64 + 65 + 66);
    const eti_time_sum none = {.weight = eti__wide_of(5)};
    assert_bits(eti__typical_ticks(&runs, &none), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_are_those_of_sorted_values),
        cmocka_unit_test(sums_of_huge_values_do_not_overflow),
        cmocka_unit_test(a_branch_counts_with_its_part_of_the_runs),
        cmocka_unit_test(two_speeds_have_the_middle_one),
        cmocka_unit_test(events_of_modules_are_added),
        cmocka_unit_test(one_run_is_typical),
        cmocka_unit_test(runs_without_time_have_no_shares),
        cmocka_unit_test(means_far_from_the_median_are_unsteady),
        cmocka_unit_test(typical_times_are_those_of_their_methods),
        cmocka_unit_test(methods_beyond_the_last_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
