/* Finds where the files of a profile changed. */
#include "series/trend.h"
#include "history_fixture.h"

#include <math.h>

typedef struct made {
    eti_profile *profile;
    eti_trend trend;
} made;

static made make(size_t n_files, const planted *changes, size_t n_changes,
                 const eti_trend_options *options) {
    made m = {.profile = make_history(n_files, changes, n_changes, 0.01, 7)};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__trend_make(&m.trend, m.profile, options, &err));
    return m;
}

static void end(made *m) {
    eti__trend_free(&m->trend);
    eti_profile_free(m->profile);
}

static const eti_trend_series *event_of(const eti_trend *trend, const char *name) {
    for (size_t i = 0; i < trend->side.events.n; i++) {
        if (eti__text_is(trend->events[i].of->entry->name, name))
            return &trend->events[i];
    }
    fail_msg("there is no event %s", name);
    return NULL;
}

static void assert_within(double found, double expected, double share) {
    if (!(fabs(found / expected - 1) <= share))
        fail_msg("expected about %g, found %g", expected, found);
}

static void nothing_changes_by_chance(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        eti_profile *profile = make_history(30, NULL, 0, 0.03, seed);
        eti_trend trend;
        eti_error err = ETI_ERROR_INIT;
        assert_ok(eti__trend_make(&trend, profile, NULL, &err));
        assert_int_equal(trend.n_changed, 0);
        assert_int_equal(trend.totals[0].n_changes, 0);
        assert_true(trend.totals[0].first == trend.totals[0].last);
        eti__trend_free(&trend);
        eti_profile_free(profile);
    }
}

/* An event changes relative to the others, whose median stays: the others are not reported. */
static void a_planted_change_is_found_at_its_file(void **state) {
    (void)state;
    static const planted change = {.event = 2, .first = 13, .factor = 1.2};
    made m = make(30, &change, 1, NULL);
    const eti_trend_series *event = event_of(&m.trend, "e2");
    assert_int_equal(m.trend.n_changed, 1);
    assert_ptr_equal(event, &m.trend.events[0]);
    assert_int_equal(event->n_changes, 1);
    assert_int_equal(event->changes[0].at, 13);
    assert_within(event->changes[0].after / event->changes[0].before, 1.2, 0.01);
    assert_within(event->first, 30003, 0.02);
    assert_within(event->last, 36003, 0.02);
    assert_true(event->first == event->changes[0].before && event->last == event->changes[0].after);
    assert_true(event->changes[0].p <= m.trend.event_alpha);
    assert_within(event->relative[29] / event->relative[0], 1.2, 0.03);
    end(&m);
}

/* Fewer than half of the events change, at two places. They do not shift the level of the others, however noisy these are. */
static void events_that_change_do_not_shift_the_level(void **state) {
    (void)state;
    static const planted changes[] = {{0, 14, 0.7}, {4, 14, 0.7}, {5, 25, 1.5}};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        eti_profile *profile = make_history(36, changes, COUNT_OF(changes), 0.08, seed);
        eti_trend trend;
        eti_error err = ETI_ERROR_INIT;
        assert_ok(eti__trend_make(&trend, profile, NULL, &err));
        assert_int_equal(trend.n_changed, 3);
        assert_int_equal(event_of(&trend, "e5")->n_changes, 1);
        const eti_trend_change *change = &event_of(&trend, "e0")->changes[0];
        assert_within(change->after / change->before, 0.7, 0.08);
        eti__trend_free(&trend);
        eti_profile_free(profile);
    }
}

/* Equal changes of all events change only the total. */
static void equal_changes_of_all_change_the_total(void **state) {
    (void)state;
    static const planted changes[] = {{ALL_EVENTS, 10, 1.1}, {ALL_EVENTS, 20, 0.8}};
    made m = make(30, changes, 2, NULL);
    const eti_trend_series *total = &m.trend.totals[0];
    assert_int_equal(m.trend.n_changed, 0);
    assert_int_equal(total->n_changes, 2);
    assert_int_equal(total->changes[0].at, 10);
    assert_int_equal(total->changes[1].at, 20);
    assert_within(total->changes[0].after / total->changes[0].before, 1.1, 0.03);
    assert_within(total->last / total->first, 0.88, 0.03);
    const eti_trend_series *event = event_of(&m.trend, "e3");
    assert_within(event->relative[15] / event->relative[29], 1, 0.03);
    end(&m);
}

/* Two steps of 3 % are each too small, but not together. Without a minimum effect both count. */
static void small_changes_are_joined(void **state) {
    (void)state;
    static const planted changes[] = {{1, 20, 1.035}, {1, 40, 1.035}};
    eti_trend_options options = ETI_TREND_OPTIONS_DEFAULT;
    options.diff.least_effect = 0.01;
    made m = make(60, changes, 2, &options);
    assert_int_equal(event_of(&m.trend, "e1")->n_changes, 2);
    end(&m);
    m = make(60, changes, 2, NULL);
    const eti_trend_series *event = event_of(&m.trend, "e1");
    assert_int_equal(event->n_changes, 1);
    assert_within(event->last / event->first, 1.05, 0.02);
    end(&m);
    options.diff.least_effect = 0.1;
    m = make(60, changes, 2, &options);
    assert_int_equal(m.trend.n_changed, 0);
    end(&m);
}

/* The clock advances in steps of 1000. */
static void no_change_is_below_a_step_of_the_clock(void **state) {
    (void)state;
    uint64_t ticks[2 * 30];
    for (size_t file = 0; file < 30; file++) {
        ticks[file] = file < 15 ? 3000 : 4000;
        ticks[30 + file] = 60000 + 1000 * (file % 2);
    }
    eti_profile *profile = profile_of_files(ticks, 2, 30, 0);
    eti_trend trend;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__trend_make(&trend, profile, NULL, &err));
    assert_int_equal(trend.side.events.n_judged, 2);
    assert_int_equal(event_of(&trend, "e0")->n_changes, 0);
    eti__trend_free(&trend);
    eti_profile_free(profile);
}

/* Compares members, since padding may differ. */
static void assert_same_change(const eti_trend_change *a, const eti_trend_change *b) {
    assert_int_equal(a->at, b->at);
    assert_bits(a->before, b->before);
    assert_bits(a->after, b->after);
    assert_bits(a->p, b->p);
}

static void threads_change_nothing(void **state) {
    (void)state;
    static const planted changes[] = {{2, 13, 1.2}, {4, 20, 0.8}, {ALL_EVENTS, 5, 1.3}};
    eti_trend_options options = ETI_TREND_OPTIONS_DEFAULT;
    options.n_threads = 1;
    made one = make(30, changes, 3, &options);
    options.n_threads = 8;
    made eight = make(30, changes, 3, &options);
    assert_int_equal(one.trend.n_changed, 2);
    for (size_t i = 0; i < HISTORY_EVENTS; i++) {
        const eti_trend_series *a = &one.trend.events[i], *b = &eight.trend.events[i];
        assert_true(eti__text_equal(a->of->entry->name, b->of->entry->name));
        assert_int_equal(a->n_changes, b->n_changes);
        assert_memory_equal(a->relative, b->relative, 30 * sizeof *a->relative);
        for (size_t k = 0; k < a->n_changes; k++)
            assert_same_change(&a->changes[k], &b->changes[k]);
    }
    end(&one);
    end(&eight);
}

static void numbers_of_files_have_limits(void **state) {
    (void)state;
    uint64_t ticks[6] = {1000, 1001, 1002, 1003, 1004, 1005};
    eti_trend trend;
    eti_error err = ETI_ERROR_INIT;
    eti_profile *profile = profile_of_files(ticks, 1, 5, 0);
    assert_fails(eti__trend_make(&trend, profile, NULL, &err), ETI_ERROR_TOO_FEW,
                 "5 files of one program: a trend needs 11");
    eti__trend_free(&trend);
    eti_profile_free(profile);
    profile = profile_of_files(ticks, 1, 6, 0);
    assert_ok(eti__trend_make(&trend, profile, NULL, &err));
    eti__trend_free(&trend);
    eti_profile_free(profile);
    uint64_t *many = malloc(2001 * sizeof *many);
    assert_non_null(many);
    for (size_t i = 0; i < 2001; i++)
        many[i] = 1000;
    profile = profile_of_files(many, 1, 2001, 0);
    assert_fails(eti__trend_make(&trend, profile, NULL, &err), ETI_ERROR_LIMIT,
                 "a trend has at most 2000");
    eti__trend_free(&trend);
    eti_profile_free(profile);
    free(many);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_changes_by_chance),
        cmocka_unit_test(a_planted_change_is_found_at_its_file),
        cmocka_unit_test(events_that_change_do_not_shift_the_level),
        cmocka_unit_test(equal_changes_of_all_change_the_total),
        cmocka_unit_test(small_changes_are_joined),
        cmocka_unit_test(no_change_is_below_a_step_of_the_clock),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(numbers_of_files_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
