#include "history_fixture.h"

#include "report_fixture.h"

#include "compare/compare.h"
#include "series/parts.h"
#include "series/series.h"

#include <math.h>

/* ==== trend =================================================================================== */
/* Finds where the files of a profile changed. */

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

/* Fewer than half of the events change, at two places. They hardly shift the level of the others, which is a median. */
static void events_that_change_hardly_shift_the_level(void **state) {
    (void)state;
    static const planted changes[] = {{0, 14, 0.7}, {4, 14, 0.7}, {5, 25, 1.5}};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        eti_profile *profile = make_history(36, changes, COUNT_OF(changes), 0.03, seed);
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

/* ---- pushes ---------------------------------------------------------------------------------- */

#define PUSHES 20
#define FILES_A_PUSH 5

/* Jobs differ by up to 15 %, events of a job by up to 2 %, and its files by up to 1 %; event 2 is slower from push 9 on. */
static eti_profile *make_pushes(double factor, uint64_t seed) {
    static char names[PUSHES][8];
    static eti_label commits[PUSHES];
    const planted change = {.event = 2, .first = 9, .factor = factor};
    uint64_t ticks[HISTORY_EVENTS * PUSHES * FILES_A_PUSH];
    eti_random random = eti__random_start(seed, 2);
    for (size_t push = 0; push < PUSHES; push++) {
        double job = 1 + 0.15 * (2 * eti__random_uniform(&random) - 1);
        for (size_t i = 0; i < HISTORY_EVENTS; i++) {
            double event = 1 + 0.02 * (2 * eti__random_uniform(&random) - 1);
            for (size_t k = 0; k < FILES_A_PUSH; k++) {
                double file = 1 + 0.01 * (2 * eti__random_uniform(&random) - 1);
                ticks[(i * PUSHES + push) * FILES_A_PUSH + k] =
                    (uint64_t)(10001 * (double)(i + 1) * job * event * file *
                               factor_of(&change, 1, i, push));
            }
        }
        snprintf(names[push], sizeof names[push], "c%02zu4f2a", push);
        commits[push] = (eti_label){"commit", names[push]};
    }
    eti_profile *profile = profile_of_files(ticks, HISTORY_EVENTS, PUSHES * FILES_A_PUSH, 0);
    for (size_t i = 0; i < profile->n_files; i++) {
        profile->files[i].labels = &commits[i / FILES_A_PUSH];
        profile->files[i].n_labels = 1;
    }
    return profile;
}

/* Returns how many of 20 histories without a change seem to have one. */
static size_t count_alarms(const char *by) {
    eti_trend_options options = ETI_TREND_OPTIONS_DEFAULT;
    size_t n_alarms = 0;
    options.by = by;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        eti_profile *profile = make_pushes(1, seed);
        eti_trend trend;
        eti_error err = ETI_ERROR_INIT;
        assert_ok(eti__trend_make(&trend, profile, &options, &err));
        n_alarms += trend.n_changed + trend.totals[0].n_changes > 0;
        eti__trend_free(&trend);
        eti_profile_free(profile);
    }
    return n_alarms;
}

static void jobs_that_differ_are_no_change(void **state) {
    (void)state;
    assert_true(count_alarms(NULL) <= 1); /* 0.2 are expected at most */
    assert_true(count_alarms("commit") <= 1);
    assert_true(count_alarms("file") > 10); /* files of a job are no evidence of their own */
}

static void a_change_is_found_at_its_push(void **state) {
    (void)state;
    eti_profile *profile = make_pushes(1.1, 3);
    eti_trend trend;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__trend_make(&trend, profile, NULL, &err));
    const eti_trend_series *event = event_of(&trend, "e2");
    assert_int_equal(trend.n_changed, 1);
    assert_int_equal(event->n_changes, 1);
    assert_int_equal(event->changes[0].at, 9);
    assert_within(event->changes[0].after / event->changes[0].before, 1.1, 0.02);
    eti__trend_free(&trend);
    eti_report *report;
    assert_ok(eti__trend_report(&report, profile, NULL, &err));
    assert_true(has_note(report, "summary",
                         "the total did not change in 20 pushes; 1 event "
                         "changed: e2 got "));
    assert_true(
        has_note(report, "summary", " slower at history.csv (c094f2a; after 9 of 20 pushes)"));
    assert_int_equal(cell_at(table_of(report, "summary"), 0, "pushes").as_int, 20);
    assert_int_equal(cell_at(table_of(report, "summary"), 0, "files").as_int, 100);
    const eti_table *series = table_of(report, "series");
    assert_int_equal(eti_table_row_count(series), (HISTORY_EVENTS + 1) * PUSHES);
    assert_int_equal(cell_at(series, 19, "number").as_int, 19);
    assert_int_equal(cell_at(series, 19, "files").as_int, 5);
    eti_report_free(report);
    eti_profile_free(profile);
}

/* Makes the report of a history with one change, at push c09..., and a list of known changes. */
static eti_report *report_with(const char *known, eti_status expected) {
    const eti_source source = {"known.csv", known, strlen(known)};
    eti_trend_options options = ETI_TREND_OPTIONS_DEFAULT;
    options.allowed = &source;
    options.n_allowed = 1;
    eti_profile *profile = make_pushes(1.1, 3);
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti__trend_report(&report, profile, &options, &err), expected);
    eti_profile_free(profile);
    return report;
}

static void a_known_change_is_only_counted(void **state) {
    (void)state;
    static const char *const lists[] = {
        "pattern,reason,commit\ne2,as wanted,c094f2a\n",
        ("# of the gate, too\ncommit,expires,pattern,reason\n,,e2,flaky\nc09,2026-01-01,e*,as "
         "wanted\n"),
        "pattern,reason,commit\ne2,as wanted,c08\n", /* beside it */
        "pattern,reason,commit\ne2,as wanted,c10\n",
    };
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        eti_report *report = report_with(lists[i], ETI_OK);
        assert_true(has_note(report, "summary",
                             "the total did not change in 20 pushes; no new change was found in 6 "
                             "events; 1 change is known"));
        assert_false(has_note(report, "summary", "drift"));
        const eti_table *rows = table_of(report, "changes");
        assert_int_equal(eti_table_row_count(rows), 1);
        assert_text(cell_at(rows, 0, "known").as_text, "as wanted");
        assert_int_equal(section_of(report, "changes")->n_kept_back, 1);
        assert_true(section_of(report, "changes")->is_in_notes);
        assert_int_equal(cell_at(table_of(report, "summary"), 0, "changes").as_int, 0);
        assert_int_equal(cell_at(table_of(report, "summary"), 0, "known").as_int, 1);
        eti_report_free(report);
    }
}

static void other_changes_stay_new(void **state) {
    (void)state;
    static const char *const lists[] = {
        "pattern,reason,commit\ne1,other,c09\n",       "pattern,reason,commit\ne2,other,c07\n",
        "pattern,reason,commit\ne2,other,c11\n",       "pattern,reason,commit\ne2,no commit,\n",
        "pattern,reason,commit\ne2,longer,c094f2a0\n",
    };
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        eti_report *report = report_with(lists[i], ETI_OK);
        assert_true(has_note(report, "summary", "1 event changed: e2 got "));
        assert_false(has_note(report, "summary", "known"));
        assert_int_equal(cell_at(table_of(report, "changes"), 0, "known").kind, ETI_CELL_NONE);
        eti_report_free(report);
    }
    assert_null(report_with("pattern,reason\ne2,x\n", ETI_ERROR_MALFORMED));
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
                 "a trend needs 11 files of one program, in chronological order; found 5");
    eti__trend_free(&trend);
    eti_profile_free(profile);
    profile = profile_of_files(ticks, 1, 6, 0);
    assert_ok(eti__trend_make(&trend, profile, NULL, &err));
    eti__trend_free(&trend);
    eti_profile_free(profile);
    uint64_t *many = malloc(20001 * sizeof *many);
    assert_non_null(many);
    for (size_t i = 0; i < 20001; i++)
        many[i] = 1000;
    profile = profile_of_files(many, 1, 20001, 0);
    assert_fails(eti__trend_make(&trend, profile, NULL, &err), ETI_ERROR_LIMIT,
                 "a trend has at most 20000");
    eti__trend_free(&trend);
    eti_profile_free(profile);
    free(many);
}

/* ==== trend report ============================================================================ */
/* Tests reports of a trend, for people and for programs. */

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

/* Makes a report whose files are too few for any answer. */
static eti_report *make_vague_report(const eti_profile *profile, const char *reason) {
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(eti__trend_report(&report, profile, NULL, &err), ETI_ERROR_TOO_FEW, reason);
    assert_non_null(report);
    return report;
}

/* C(10, 5) is 252, C(11, 5) 462: with alpha 0.01 / 2 there must be 11 files for the total, 14 for one of 6 events. */
static void few_files_cannot_tell(void **state) {
    (void)state;
    static const planted change = {ALL_EVENTS, 5, 2};
    eti_profile *profile = make_history(10, &change, 1, 0.01, 7);
    eti_report *report =
        make_vague_report(profile, "10 files are not enough to tell a change from chance: a trend "
                                   "needs 11");
    assert_true(has_note(report, "summary",
                         "the total: cannot tell, because 10 files are not enough to tell a change "
                         "from chance; need 11"));
    assert_true(has_note(report, "events",
                         "fewer than 14 files: not enough to tell a change of one of 6 events"));
    eti_report_free(report);
    eti_profile_free(profile);
}

/* ---- sentences ------------------------------------------------------------------------------- */

#define MOST_EVENTS 20
#define MOST_FILES 60

/* Event i takes about 100000 + 1000 i ticks in each file, times its factor: files differ by up to six ticks, so that the clock
 * has no step and all shares are whole percents. */
static eti_profile *make_steady(size_t n_events, size_t n_files, const planted *changes,
                                size_t n_changes) {
    static const char *const names[] = {"run00", "run10", "run20", "run30", "run40", "run50"};
    uint64_t ticks[MOST_EVENTS * MOST_FILES];
    for (size_t i = 0; i < n_events; i++) {
        for (size_t file = 0; file < n_files; file++)
            ticks[i * n_files + file] =
                (uint64_t)((double)(100000 + 1000 * i) * factor_of(changes, n_changes, i, file)) +
                (file * (i + 3)) % 7;
    }
    eti_profile *profile = profile_of_files(ticks, n_events, n_files, 0);
    for (size_t file = 0; file < n_files; file += 10)
        profile->files[file].shown = eti__text_of(names[file / 10]);
    return profile;
}

static eti_report *make_trend_report(const eti_profile *profile, const eti_trend_options *options) {
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__trend_report(&report, profile, options, &err));
    return report;
}

static void expect_sentence(const eti_report *report, const char *expected) {
    const eti_section *summary = section_of(report, "summary");
    assert_int_equal(summary->n_notes, 1);
    assert_text(summary->notes[0], expected);
}

static void expect_sentence_of(eti_profile *profile, const char *expected) {
    eti_report *report = make_trend_report(profile, NULL);
    expect_sentence(report, expected);
    eti_report_free(report);
    eti_profile_free(profile);
}

/* The first file after a change is named with what is known about it: its commit, its date, or both. */
static void a_file_is_named_with_its_commit_and_date(void **state) {
    (void)state;
    static const eti_label both[] = {{"commit", "4f2a"}, {"date", "2026-11-20"}},
                           commit[] = {{"build", "7"}, {"commit", "77c0"}},
                           date[] = {{"date", "2026-11-22"}}, neither[] = {{"build", "9"}},
                           before[] = {{"commit", "3e19"}};
    static const planted change = {ALL_EVENTS, 10, 1.25};
    static const struct {
        const eti_label *labels;
        size_t n;
        const char *words, *label;
    } cases[] = {
        {both, 2, "4f2a, 2026-11-20; ", "4f2a, 2026-11-20"},
        {commit, 2, "77c0; ", "77c0"},
        {date, 1, "2026-11-22; ", "2026-11-22"},
        {neither, 1, "", NULL},
        {NULL, 0, "", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char expected[256];
        eti_profile *profile = make_steady(6, 30, &change, 1);
        profile->files[9].labels = before; /* not that of the file before */
        profile->files[9].n_labels = 1;
        profile->files[10].labels = cases[i].labels;
        profile->files[10].n_labels = cases[i].n;
        eti_report *report = make_trend_report(profile, NULL);
        snprintf(
            expected, sizeof expected,
            "the total got 25.0 %% slower at run10 (%safter 10 of 30 files); no change was found "
            "in 6 events; drift also counts as a change",
            cases[i].words);
        expect_sentence(report, expected);
        eti_cell label = cell_at(table_of(report, "changes"), 0, "label");
        assert_int_equal(label.kind == ETI_CELL_NONE, !cases[i].label);
        if (cases[i].label)
            assert_text(label.as_text, cases[i].label);
        assert_text(cell_at(table_of(report, "changes"), 0, "file").as_text, "run10");
        eti_report_free(report);
        eti_profile_free(profile);
    }
}

/* Three are named, and what they all come to. */
static void further_changes_are_counted(void **state) {
    (void)state;
    static const planted changes[] = {{ALL_EVENTS, 10, 1.25},
                                      {ALL_EVENTS, 20, 1.2},
                                      {ALL_EVENTS, 30, 1.2},
                                      {ALL_EVENTS, 40, 1.25},
                                      {ALL_EVENTS, 50, 1.2}};
    expect_sentence_of(
        make_steady(6, 30, changes, 2),
        "the total got 25.0 % slower at run10 (after 10 of 30 files), 20.0 % slower at "
        "run20 (after 20 of 30 files), +50.0 % in all; no change was found in 6 events; "
        "drift also counts as a change");
    expect_sentence_of(
        make_steady(6, 40, changes, 3),
        "the total got 25.0 % slower at run10 (after 10 of 40 files), 20.0 % slower at "
        "run20 (after 20 of 40 files), 20.0 % slower at run30 (after 30 of 40 files), "
        "+80.0 % in all; no change was found in 6 events; drift also counts as a change");
    expect_sentence_of(
        make_steady(6, 60, changes, 5),
        "the total got 25.0 % slower at run10 (after 10 of 60 files), 20.0 % slower at "
        "run20 (after 20 of 60 files), 20.0 % slower at run30 (after 30 of 60 files) "
        "and changed 2 more times, +170.0 % in all; no change was found in 6 events; "
        "drift also counts as a change");
}

/* Of 20 events, four that take a fifth longer make the total 4 % slower, which is below 5 %. Those with the longest
 * median of all files come first. */
static void further_events_are_counted(void **state) {
    (void)state;
    static const planted changes[] = {{3, 10, 1.2}, {7, 20, 1.2}, {5, 10, 0.8}, {11, 10, 1.2}};
    expect_sentence_of(
        make_steady(20, 30, changes, 1),
        "the total did not change in 30 files; 1 event changed: e3 got 20.0 % slower "
        "at run10 (after 10 of 30 files); drift also counts as a change");
    expect_sentence_of(
        make_steady(20, 30, changes, 3),
        "the total did not change in 30 files; 3 events changed: e3 got 20.0 % slower "
        "at run10 (after 10 of 30 files), e7 got 20.0 % slower at run20 (after 20 of 30 "
        "files), e5 got 20.0 % faster at run10 (after 10 of 30 files); drift also counts "
        "as a change");
    expect_sentence_of(
        make_steady(20, 30, changes, 4),
        "the total did not change in 30 files; 4 events changed: e11 got 20.0 % slower "
        "at run10 (after 10 of 30 files), e3 got 20.0 % slower at run10 (after 10 of 30 "
        "files), e7 got 20.0 % slower at run20 (after 20 of 30 files) and 1 more; drift "
        "also counts as a change");
}

/* ---- few files and events -------------------------------------------------------------------- */

#define RELATIVE "events are compared relative to the level of their file"

/* There must be 11 files for the total, 14 for one of 6 events: see few_files_cannot_tell(). */
static void events_are_silent_in_too_few_files(void **state) {
    (void)state;
    static const struct {
        size_t n_files;
        const char *sentence;
        bool has_note;
    } cases[] = {
        {11, "the total did not change in 11 files", true},
        {13, "the total did not change in 13 files", true},
        {14, "the total did not change in 14 files; no change was found in 6 events", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_profile *profile = make_steady(6, cases[i].n_files, NULL, 0);
        eti_report *report = make_trend_report(profile, NULL);
        expect_sentence(report, cases[i].sentence);
        assert_int_equal(has_note(report, "events", "fewer than 14 files"), cases[i].has_note);
        assert_int_equal(cell_at(table_of(report, "summary"), 0, "fewest_for_total").as_int, 11);
        assert_int_equal(cell_at(table_of(report, "summary"), 0, "fewest_for_events").as_int, 14);
        assert_true(has_note(report, "events", "checked 6 of 6 events (100.0 % of the time)"));
        eti_report_free(report);
        eti_profile_free(profile);
    }
}

static void few_events_are_compared_as_measured(void **state) {
    (void)state;
    static const struct {
        size_t n;
        const char *sentence;
        bool is_measured;
    } cases[] = {
        {1, "the total did not change in 20 files; no change was found in 1 event", true},
        {4, "the total did not change in 20 files; no change was found in 4 events", true},
        {5, "the total did not change in 20 files; no change was found in 5 events", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_profile *profile = make_steady(cases[i].n, 20, NULL, 0);
        eti_report *report = make_trend_report(profile, NULL);
        expect_sentence(report, cases[i].sentence);
        assert_int_equal(
            has_note(report, "events", "fewer than 5 events: they are compared as measured"),
            cases[i].is_measured);
        assert_int_equal(has_note(report, "events", RELATIVE), !cases[i].is_measured);
        eti_report_free(report);
        eti_profile_free(profile);
    }
    /* one event in 6 files, of which the total needs 11 and the event as many */
    eti_profile *profile = make_steady(1, 6, NULL, 0);
    eti_report *report = make_vague_report(profile, "6 files are not enough");
    assert_true(has_note(report, "events", "fewer than 11 files: not enough to tell"));
    eti_report_free(report);
    eti_profile_free(profile);
}

/* ---- several blocks -------------------------------------------------------------------------- */

/* Appends a block of an event `name` and, with a name, a total: 100000 ticks, times the factor from file 10 on; 0 in the first
 * file where `has_gap`. */
static void add_timed_block(eti_buffer *out, const char *block, const char *total, const char *name,
                            size_t n_files, double factor, bool has_gap) {
    uint64_t ticks[MOST_FILES];
    char start[64];
    for (size_t file = 0; file < n_files; file++)
        ticks[file] = (uint64_t)(100000 * (file < 10 ? 1 : factor)) + file % 2;
    if (has_gap)
        ticks[0] = 0;
    add_block(out, block, n_files);
    if (total) {
        snprintf(start, sizeof start, "execute,%s", total);
        add_row(out, start, ticks, n_files);
    }
    snprintf(start, sizeof start, "kernel,%s", name);
    add_row(out, start, ticks, n_files);
}

static eti_buffer *begin_text(void) {
    eti_buffer *text = lasting_buffer();
    eti__buffer_add_string(text, "time_scale,ns\n");
    return text;
}

static eti_profile *read_text(eti_buffer *text) {
    eti__buffer_add_char(text, '\0');
    eti_text whole = baseline_text(text->data, "history.csv");
    const eti_source source = {"history.csv", whole.data, whole.size};
    eti_profile *profile;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__profile_read(&profile, &source, NULL, &err));
    return profile;
}

static bool shows_block(const eti_report *report, const char *section) {
    const eti_table *table = table_of(report, section);
    for (size_t i = 0; i < eti_table_column_count(table); i++) {
        if (eti__text_is(eti_table_column_name(table, i), "block"))
            return !table->columns[i].is_extra;
    }
    fail_msg("%s has no column block", section);
    return false;
}

static void totals_of_blocks_are_told_apart(void **state) {
    (void)state;
    eti_buffer *text = begin_text();
    add_timed_block(text, "E", "te", "a", 20, 1, false);
    add_timed_block(text, "F", "tf", "b", 20, 1.25, false);
    eti_profile *profile = read_text(text);
    eti_report *report = make_trend_report(profile, NULL);
    assert_true(
        has_note(report, "summary",
                 "the total of E did not change in 20 files; the total of F got 25.0 % slower "
                 "at history.csv (after 10 of 20 files); 1 event changed: b of F got 25.0 % "));
    assert_true(shows_block(report, "total"));
    assert_true(shows_block(report, "changes"));
    assert_true(shows_block(report, "events"));
    /* the first total is the one whose change the summary has */
    assert_near(cell_at(table_of(report, "summary"), 0, "total_change").as_double, 0);
    assert_text(cell_at(table_of(report, "total"), 1, "total").as_text, "tf");
    assert_text(cell_at(table_of(report, "events"), 0, "event_name").as_text, "b");
    eti_report_free(report);
    eti_profile_free(profile);
}

/* A total of 0 in a file is not judged, and is passed over. */
static void a_total_that_is_not_judged_is_passed_over(void **state) {
    (void)state;
    eti_buffer *text = begin_text();
    add_timed_block(text, "E", "te", "a", 20, 1, true);
    add_timed_block(text, "F", "tf", "b", 20, 1.25, false);
    eti_profile *profile = read_text(text);
    eti_report *report = make_trend_report(profile, NULL);
    assert_true(
        has_note(report, "summary",
                 "the total got 25.0 % slower at history.csv (after 10 of 20 files); 1 event"));
    assert_false(shows_block(report, "total"));
    assert_false(shows_block(report, "events"));
    const eti_table *summary = table_of(report, "summary");
    const eti_table *totals = table_of(report, "total");
    assert_near(cell_at(summary, 0, "total_change").as_double,
                cell_at(totals, 1, "last").as_double / cell_at(totals, 1, "first").as_double - 1);
    assert_true(fabs(cell_at(summary, 0, "total_change").as_double - 0.25) < 1e-4);
    assert_int_equal(cell_at(totals, 0, "changes").kind, ETI_CELL_NONE);
    assert_int_equal(cell_at(totals, 1, "changes").as_int, 1);
    assert_int_equal(cell_at(summary, 0, "events").as_int, 2);
    assert_int_equal(cell_at(summary, 0, "judged").as_int, 1);
    eti_report_free(report);
    eti_profile_free(profile);
}

/* Events of two blocks may have one name, whether the blocks have a total or not. */
static void events_name_their_block_without_a_total(void **state) {
    (void)state;
    eti_buffer *text = begin_text();
    add_timed_block(text, "E", NULL, "a", 20, 1, false);
    add_timed_block(text, "F", NULL, "a", 20, 1.25, false);
    eti_profile *profile = read_text(text);
    eti_report *report = make_trend_report(profile, NULL);
    assert_true(has_note(report, "summary", "1 event changed: a of F got 25.0 % slower at "));
    assert_true(shows_block(report, "changes"));
    assert_true(shows_block(report, "events"));
    eti_report_free(report);
    eti_profile_free(profile);
}

/* Without a total, the sentence is about events. */
static void events_without_a_total_are_spoken_of(void **state) {
    (void)state;
    eti_buffer *text = begin_text();
    add_timed_block(text, "E", NULL, "a", 8, 1, false);
    eti_profile *profile = read_text(text);
    eti_report *report = make_vague_report(profile, "8 files are not enough");
    expect_sentence(report, "1 event: cannot tell, because 8 files are not enough to tell a change "
                            "from chance; need 11");
    assert_int_equal(cell_at(table_of(report, "summary"), 0, "total_change").kind, ETI_CELL_NONE);
    eti_report_free(report);
    eti_profile_free(profile);
    text = begin_text();
    add_timed_block(text, "E", "te", "a", 8, 1, true);
    profile = read_text(text);
    report = make_vague_report(profile, "no total or event has a time above 0 in all files");
    expect_sentence(report, "no total or event has a time above 0 in all files");
    assert_true(has_note(report, "events", "checked 0 of 1 events; 1 with a time of 0"));
    assert_false(has_note(report, "events", "fewer than"));
    assert_false(has_note(report, "events", RELATIVE));
    eti_report_free(report);
    eti_profile_free(profile);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* The total is the only one, and six events share alpha. */
static void p_values_are_adjusted_within_a_family(void **state) {
    (void)state;
    static const planted changes[] = {{ALL_EVENTS, 10, 1.25}, {2, 20, 1.5}};
    eti_profile *profile = make_steady(6, 30, changes, 2);
    eti_trend trend;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__trend_make(&trend, profile, NULL, &err));
    eti_report *report = make_trend_report(profile, NULL);
    const eti_table *rows = table_of(report, "changes");
    const eti_trend_series *total = &trend.totals[0], *event = &trend.events[0];
    assert_int_equal(eti_table_row_count(rows), total->n_changes + 1);
    assert_int_equal(event->n_changes, 1);
    assert_near(cell_at(rows, 0, "p").as_double, total->changes[0].p);
    assert_near(cell_at(rows, total->n_changes, "p").as_double, 6 * event->changes[0].p);
    assert_true(event->changes[0].p > 0);
    assert_text(cell_at(rows, 0, "kind").as_text, "execute");
    assert_text(cell_at(rows, total->n_changes, "event_name").as_text, "e2");
    eti_report_free(report);
    eti__trend_free(&trend);
    eti_profile_free(profile);
}

/* Programs get all tables; people read the summary as a sentence, changes only where there are some, and no event that is too
 * small unless they ask for all. */
static void people_see_what_matters(void **state) {
    (void)state;
    static const planted changes[] = {{ALL_EVENTS, 10, 1.25}, {0, 0, 0.001}};
    eti_trend_options options = ETI_TREND_OPTIONS_DEFAULT;
    eti_profile *profile = make_steady(7, 30, changes, 2);
    eti_report *report = make_trend_report(profile, &options);
    assert_true(section_of(report, "summary")->is_in_notes);
    assert_false(section_of(report, "changes")->is_in_notes);
    assert_true(section_of(report, "changes")->hides_empty);
    assert_false(section_of(report, "events")->is_in_notes);
    assert_ptr_equal(&report->sections[report->selected], section_of(report, "events"));
    assert_int_equal(section_of(report, "events")->n_kept_back, 1);
    assert_int_equal(eti_table_row_count(table_of(report, "events")), 7);
    assert_text(cell_at(table_of(report, "total"), 0, "total").as_text, "Method::execute");
    assert_false(shows_block(report, "total"));
    eti_report_free(report);
    options.diff.lists_all = true;
    report = make_trend_report(profile, &options);
    assert_int_equal(section_of(report, "events")->n_kept_back, 0);
    eti_report_free(report);
    eti_profile_free(profile);
    profile = make_steady(6, 30, NULL, 0);
    report = make_trend_report(profile, NULL);
    assert_true(section_of(report, "changes")->is_in_notes);
    eti_report_free(report);
    eti_profile_free(profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_changes_by_chance),
        cmocka_unit_test(a_planted_change_is_found_at_its_file),
        cmocka_unit_test(events_that_change_hardly_shift_the_level),
        cmocka_unit_test(equal_changes_of_all_change_the_total),
        cmocka_unit_test(small_changes_are_joined),
        cmocka_unit_test(jobs_that_differ_are_no_change),
        cmocka_unit_test(a_change_is_found_at_its_push),
        cmocka_unit_test(a_known_change_is_only_counted),
        cmocka_unit_test(other_changes_stay_new),
        cmocka_unit_test(no_change_is_below_a_step_of_the_clock),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(numbers_of_files_have_limits),
        cmocka_unit_test(a_change_is_named_first),
        cmocka_unit_test(programs_get_a_number_a_file),
        cmocka_unit_test(no_change_is_reported_as_none),
        cmocka_unit_test(few_files_cannot_tell),
        cmocka_unit_test(a_file_is_named_with_its_commit_and_date),
        cmocka_unit_test(further_changes_are_counted),
        cmocka_unit_test(further_events_are_counted),
        cmocka_unit_test(events_are_silent_in_too_few_files),
        cmocka_unit_test(few_events_are_compared_as_measured),
        cmocka_unit_test(totals_of_blocks_are_told_apart),
        cmocka_unit_test(a_total_that_is_not_judged_is_passed_over),
        cmocka_unit_test(events_without_a_total_are_spoken_of),
        cmocka_unit_test(events_name_their_block_without_a_total),
        cmocka_unit_test(p_values_are_adjusted_within_a_family),
        cmocka_unit_test(people_see_what_matters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
