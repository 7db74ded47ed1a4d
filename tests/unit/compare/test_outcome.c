/* Tests the answers of comparisons and their words. Facts are made by hand; test_diff_report.c has those of profiles. */
#include "base/text.h"
#include "compare/compare.h"
#include "compare/parts.h"
#include "profile/profile.h"
#include "stats/stats.h"
#include "support.h"

#include <math.h>

/* Returns the text that `add` appends. */
#define assert_words(call, expected)                                                               \
    do {                                                                                           \
        eti_buffer out = {0};                                                                      \
        call;                                                                                      \
        assert_text(eti__buffer_text(&out), (expected));                                           \
        eti__buffer_free(&out);                                                                    \
    } while (0)

static eti_diff make_diff(void) {
    return (eti_diff){.n_base = 5, .n_new = 6, .fewest = 5};
}

/* Makes a row whose interval is 6 % wide on both sides. */
static eti_diff_row make_row(const char *name, double ratio, eti_verdict verdict) {
    return (eti_diff_row){
        .name = eti__text_of(name),
        .verdict = (uint8_t)verdict,
        .is_compared = true,
        .fast = NAN,
        .ratio = ratio,
        .shift = {.estimate = log(ratio), .low = log(ratio - 0.06), .high = log(ratio + 0.06)}};
}

/* ---- changes --------------------------------------------------------------------------------- */

static void changes_begin_with_the_smaller_end(void **state) {
    (void)state;
    eti_diff_row slower = make_row("addmm", 1.18, ETI_VERDICT_SLOWER),
                 faster = make_row("relu", 0.88, ETI_VERDICT_FASTER),
                 noise = make_row("conv", 1.01, ETI_VERDICT_NOISE),
                 level = make_row("all events alike", 1.182, ETI_VERDICT_SLOWER);
    level.is_level = true;
    assert_words(eti__add_changed_row(&out, &slower, false),
                 "addmm is 18.0 % slower (between 12.0 % and 24.0 %)");
    assert_words(eti__add_changed_row(&out, &faster, false),
                 "relu is 12.0 % faster (between 6.0 % and 18.0 %)");
    assert_words(eti__add_changed_row(&out, &level, false),
                 "all events alike are 18.2 % slower (between 12.2 % and 24.2 %)");
    assert_words(eti__add_unchanged_row(&out, &noise, false),
                 "conv is between 5.0 % faster and 7.0 % slower");
    assert_words(eti__add_unchanged_row(&out, &slower, false),
                 "addmm is between 12.0 % and 24.0 % slower");
    assert_words(eti__add_unchanged_row(&out, &faster, false),
                 "relu is between 6.0 % and 18.0 % faster");
}

/* Only p50 is what people expect without a word. Ten times as long in one run of twenty is not "slower", but "slower by p99". */
static void other_metrics_are_named(void **state) {
    (void)state;
    eti_diff_row row = make_row("addmm", 1.18, ETI_VERDICT_SLOWER);
    row.metric = ETI_METRIC_P99;
    assert_words(eti__add_changed_row(&out, &row, false),
                 "addmm is 18.0 % slower by p99 (between 12.0 % and 24.0 %)");
    assert_words(eti__add_unchanged_row(&out, &row, false),
                 "addmm is between 12.0 % and 24.0 % slower by p99");
    row.kind = ETI_ENTRY_ALLOCATED;
    assert_words(eti__add_changed_row(&out, &row, false),
                 "addmm is 18.0 % more (between 12.0 % and 24.0 %)");
}

/* With 5 files per side, no bound is wrong with less than 1/252. */
static void a_change_without_bounds_has_no_interval(void **state) {
    (void)state;
    eti_diff_row row = make_row("addmm", 1.18, ETI_VERDICT_NOISE);
    row.shift.low = -INFINITY;
    row.shift.high = INFINITY;
    assert_words(eti__add_unchanged_row(&out, &row, false),
                 "addmm is 18.0 % slower as measured (beta is too small for an interval)");
    assert_true(isnan(eti__share_of_bound(row.shift.low)));
    assert_true(isnan(eti__share_of_bound(row.shift.high)));
    assert_true(fabs(eti__share_of_bound(log(1.25)) - 0.25) < 1e-15);
}

/* ---- doubts ---------------------------------------------------------------------------------- */

#define assert_doubts(expected, ...)                                                               \
    do {                                                                                           \
        const eti_judgement *all_[] = {__VA_ARGS__};                                               \
        assert_words(eti__add_doubts(&out, &sides, all_, COUNT_OF(all_)), (expected));             \
    } while (0)

static void few_files_are_the_only_doubt_that_matters(void **state) {
    (void)state;
    eti_diff sides = make_diff();
    const eti_judgement few = {.doubt = ETI_DOUBT_FEW_UNITS, .n_units = 5, .n_needed = 5},
                        fewer = {.doubt = ETI_DOUBT_FEW_UNITS, .n_units = 7, .n_needed = 7};
    sides.n_base = 1;
    assert_doubts("not enough files (base 1, new 6): one process cannot show a change; need 7 per "
                  "side, recorded in turns (etinspect measure records them)",
                  &few, &fewer);
    sides.n_base = 3;
    sides.has_equal_ticks = true;
    assert_doubts("not enough files (base 3, new 6); need 5 per side, recorded in turns (etinspect "
                  "measure records them); all runs of a file took the same ticks: if this is so in "
                  "every process, one_process compares runs",
                  &few);
    sides.options.one_process = true;
    assert_doubts("not enough runs (base 3, new 6); need 5 per side", &few);
}

static void wide_intervals_say_how_many_files_would_do(void **state) {
    (void)state;
    const eti_diff sides = make_diff();
    eti_diff_pair pair = {.n_base = 5, .n_new = 6};
    const eti_diff diff = {.pairs = &pair, .n_pairs = 1};
    const eti_diff_row total = make_row("Method::execute", 1.086, ETI_VERDICT_NOISE);
    eti_diff_row events[3];
    for (size_t i = 0; i < 3; i++) {
        events[i] = make_row((const char *[]){"a", "b", "c"}[i], 1.2, ETI_VERDICT_NOISE);
        events[i].family = &pair.events;
    }
    eti_judgement of_total = {.diff = &diff,
                              .doubt = ETI_DOUBT_NOISE,
                              .limit = 0.05,
                              .margin = 0.1,
                              .n_needed = 14,
                              .n_named = 1,
                              .named = {&total}};
    const eti_judgement of_events = {.diff = &diff,
                                     .doubt = ETI_DOUBT_NOISE,
                                     .limit = 0.05,
                                     .margin = 0.1,
                                     .n_judged = 15,
                                     .n_doubtful = 4,
                                     .share = 0.24,
                                     .n_needed = 9,
                                     .n_named = 3,
                                     .named = {&events[0], &events[1], &events[2]}};
    assert_doubts("Method::execute is between 2.6 % and 14.6 % slower; the limit is 5 % with a "
                  "margin of 10 %; about 14 files per side are needed",
                  &of_total);
    assert_doubts("Method::execute is between 2.6 % and 14.6 % slower; the limit is 5 % with a "
                  "margin of 10 %; 4 of 15 events (24.0 % of the time) may be more than 15 % "
                  "slower: a, b, c and 1 more; about 14 files per side are needed",
                  &of_total, &of_events);
    of_total.is_above = true;
    assert_doubts("Method::execute is between 2.6 % and 14.6 % slower; the limit is 5 % with a "
                  "margin of 10 %; the measured change is above the limit; more files tell whether "
                  "it is chance",
                  &of_total);
}

static void two_readings_are_both_said(void **state) {
    (void)state;
    const eti_diff sides = make_diff();
    eti_diff_pair pair = {.events = {.n = 20,
                                     .has_two_readings = true,
                                     .kind = eti__text_of("native_call_addmm.out"),
                                     .n_of_kind = 12,
                                     .kind_difference = log(1.212)}};
    eti_diff diff = {.pairs = &pair, .n_pairs = 1};
    eti_diff_row row = make_row("x", 1.2, ETI_VERDICT_UNDECIDED);
    row.family = &pair.events;
    row.judged.estimate = log(0.8);
    const eti_judgement of = {.diff = &diff,
                              .doubt = ETI_DOUBT_TWO_READINGS,
                              .pair = &pair,
                              .n_named = 1,
                              .named = {&row}};
    assert_doubts("either native_call_addmm.out (12 events) is 21.2 % slower, or the other 8 "
                  "events are 17.5 % faster on a slower machine; record in turns (measure)",
                  &of);
    pair.events.kind_difference = -log(1.212);
    pair.events.n_of_kind = 19;
    assert_doubts("either native_call_addmm.out (19 events) is 17.5 % faster, or the other event "
                  "is 21.2 % slower on a faster machine; record in turns (measure)",
                  &of);
    pair.events.has_two_readings = false;
    diff.options.in_turns = true;
    assert_doubts("either x is 20.0 % faster, or the other 19 events are 25.0 % slower", &of);
}

static void contradictions_name_both_metrics(void **state) {
    (void)state;
    const eti_diff sides = make_diff();
    const eti_diff diff = {.names_blocks = false};
    eti_diff_row total = make_row("Method::execute", 1.2, ETI_VERDICT_NOISE);
    total.fast = log(0.9);
    const eti_judgement of = {
        .diff = &diff, .doubt = ETI_DOUBT_CONTRADICTION, .n_named = 1, .named = {&total}};
    assert_doubts("Method::execute is 20.0 % slower by p50, but 10.0 % faster by fast", &of);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* Returns the answer about a comparison of these rows. */
static eti_answer answer_to(eti_diff_row *totals, size_t n_totals, eti_diff_row *events,
                            size_t n_events, eti_diff_row *groups, size_t n_groups) {
    static eti_diff diff;
    static eti_diff_pair pair;
    diff = (eti_diff){
        .pairs = &pair, .n_base = 5, .n_new = 6, .fewest = 5, .options = ETI_DIFF_OPTIONS_DEFAULT};
    diff.options.group = n_groups > 0 ? "op" : NULL;
    diff.totals = (eti_diff_rows){.rows = totals, .n = n_totals};
    diff.events = (eti_diff_rows){.rows = events, .n = n_events};
    diff.groups = (eti_diff_rows){.rows = groups, .n = n_groups};
    eti_diff_rows *const all[] = {&diff.totals, &diff.events, &diff.groups};
    for (size_t i = 0; i < 3; i++) {
        all[i]->judgement = (eti_judgement){
            .diff = &diff, .outcome = ETI_OUTCOME_NOT_SLOWER, .n_judged = all[i]->n, .n_units = 5};
        if (all[i]->n == 0) { /* as eti__judge() does */
            all[i]->judgement.outcome = ETI_OUTCOME_CANNOT_TELL;
            all[i]->judgement.doubt = ETI_DOUBT_NOTHING;
        }
        for (size_t k = 0; k < all[i]->n; k++) {
            if (all[i]->rows[k].verdict == ETI_VERDICT_SLOWER)
                all[i]->judgement.outcome = ETI_OUTCOME_SLOWER;
        }
    }
    return eti__diff_answer(&diff);
}

static void answers_lead_with_what_matters(void **state) {
    (void)state;
    eti_diff_row events[] = {
        make_row("a", 1.18, ETI_VERDICT_SLOWER), make_row("b", 0.9, ETI_VERDICT_FASTER),
        make_row("c", 1.07, ETI_VERDICT_SLOWER), make_row("d", 1.06, ETI_VERDICT_SLOWER)};
    eti_diff_row total = make_row("Method::execute", 1.3, ETI_VERDICT_SLOWER);
    eti_answer answer = answer_to(&total, 1, events, 4, NULL, 0);
    assert_words(
        eti__add_answer(&out, &answer),
        "slower: Method::execute is 30.0 % slower (between 24.0 % and 36.0 %); a is 18.0 % "
        "slower (between 12.0 % and 24.0 %); c is 7.0 % slower (between 1.0 % and 13.0 %) "
        "and 1 more; b is 10.0 % faster (between 4.0 % and 16.0 %); the limit is 5 %; 5 "
        "and 6 files");
    total = make_row("Method::execute", 1.01, ETI_VERDICT_NOISE);
    answer = answer_to(&total, 1, events + 1, 1, NULL, 0);
    assert_words(
        eti__add_answer(&out, &answer),
        "nothing slower: Method::execute is between 5.0 % faster and 7.0 % slower; b is "
        "10.0 % faster (between 4.0 % and 16.0 %); the limit is 5 % with a margin of 10 %; "
        "5 and 6 files");
    total = make_row("Method::execute", 0.384, ETI_VERDICT_FASTER);
    events[0].verdict = ETI_VERDICT_NOISE;
    answer = answer_to(&total, 1, events, 1, NULL, 0);
    eti_diff of_runs = *answer.diff;
    of_runs.options.one_process = true;
    answer.diff = &of_runs;
    assert_words(eti__add_answer(&out, &answer),
                 "nothing slower: Method::execute is 61.6 % faster (between 55.6 % and 67.6 %); 5 "
                 "and 6 runs; this applies only to the runs of these processes; another process of "
                 "the same program may differ");
    answer = answer_to(NULL, 0, events, 0, NULL, 0);
    assert_words(eti__add_answer(&out, &answer),
                 "cannot tell: no total is in all files of both sides; no event can be compared");
    answer = answer_to(&total, 1, events, 0, NULL, 0);
    assert_words(eti__add_answer(&out, &answer), "cannot tell: no event can be compared");
}

static void a_slower_total_is_worse_than_a_larger_one(void **state) {
    (void)state;
    eti_diff_row totals[] = {
        make_row("noise", 1.3, ETI_VERDICT_NOISE), make_row("slower", 1.1, ETI_VERDICT_SLOWER),
        make_row("slowest", 1.2, ETI_VERDICT_SLOWER), make_row("faster", 0.5, ETI_VERDICT_FASTER)};
    eti_answer answer = answer_to(totals, 4, NULL, 0, NULL, 0);
    assert_int_equal(answer.outcome, ETI_OUTCOME_SLOWER);
    assert_ptr_equal(answer.total, &totals[2]);
    totals[1].verdict = totals[2].verdict = ETI_VERDICT_NOISE;
    assert_ptr_equal(answer_to(totals, 4, NULL, 0, NULL, 0).total, &totals[3]);
    totals[3].kind = ETI_ENTRY_LOADING; /* loading is not judged */
    assert_ptr_equal(answer_to(totals, 4, NULL, 0, NULL, 0).total, &totals[0]);
}

static void groups_are_named_where_no_event_is_slower(void **state) {
    (void)state;
    eti_diff_row events[] = {make_row("a", 1.2, ETI_VERDICT_SLOWER),
                             make_row("b", 0.8, ETI_VERDICT_FASTER)},
                 groups[] = {make_row("c", 1.2, ETI_VERDICT_SLOWER),
                             make_row("d", 1.2, ETI_VERDICT_SLOWER)};
    eti_answer answer = answer_to(NULL, 0, events, 2, groups, 2);
    assert_int_equal(answer.n_slower, 1);
    assert_int_equal(answer.n_faster, 1);
    assert_ptr_equal(answer.parts->rows, events);
    events[0].verdict = ETI_VERDICT_NOISE;
    answer = answer_to(NULL, 0, events, 2, groups, 2);
    assert_int_equal(answer.outcome, ETI_OUTCOME_SLOWER);
    assert_int_equal(answer.n_slower, 2);
    assert_ptr_equal(answer.parts->rows, groups);
    answer = answer_to(NULL, 0, events, 2, NULL, 0);
    assert_int_equal(answer.outcome, ETI_OUTCOME_CANNOT_TELL);
}

static void coverage_counts_what_was_not_checked(void **state) {
    (void)state;
    const eti_coverage coverage = {.n_events = 288,
                                   .n_judged = 11,
                                   .n_small = 270,
                                   .n_no_time = 3,
                                   .n_missing = 1,
                                   .n_added = 2,
                                   .n_removed = 1,
                                   .share = 0.9712},
                       none = {.n_events = 1, .n_few_files = 1, .share = 0};
    assert_words(eti__add_coverage(&out, &coverage),
                 "checked 11 of 288 events (97.1 % of the time); 270 below min_share, 3 with a "
                 "time of 0, 1 not in all files, 2 added, 1 removed");
    assert_words(eti__add_coverage(&out, &none), "checked 0 of 1 events; 1 with too few files");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_begin_with_the_smaller_end),
        cmocka_unit_test(other_metrics_are_named),
        cmocka_unit_test(a_change_without_bounds_has_no_interval),
        cmocka_unit_test(few_files_are_the_only_doubt_that_matters),
        cmocka_unit_test(wide_intervals_say_how_many_files_would_do),
        cmocka_unit_test(two_readings_are_both_said),
        cmocka_unit_test(contradictions_name_both_metrics),
        cmocka_unit_test(answers_lead_with_what_matters),
        cmocka_unit_test(a_slower_total_is_worse_than_a_larger_one),
        cmocka_unit_test(groups_are_named_where_no_event_is_slower),
        cmocka_unit_test(coverage_counts_what_was_not_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
