/* Tests the answers of comparisons and their words. Facts are made by hand; test_diff_report.c has those of profiles. */
#include "base/text.h"
#include "compare/compare.h"
#include "compare/outcome.h"
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

static eti_evidence make_evidence(void) {
    return (eti_evidence){.n_base = 5,
                          .n_new = 6,
                          .fewest = 5,
                          .total_detectable = 0.06,
                          .total_deviation = 0.162,
                          .event_detectable = 0.05,
                          .most_detectable = 0.25};
}

static eti_diff_row make_row(const char *name, double ratio, eti_verdict verdict) {
    return (eti_diff_row){.name = eti__text_of(name),
                          .verdict = (uint8_t)verdict,
                          .is_compared = true,
                          .ratio = ratio,
                          .raw_ratio = ratio,
                          .interval = {ratio - 0.06, ratio + 0.06}};
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void rows_are_named_with_their_interval(void **state) {
    (void)state;
    const eti_diff_row slower = make_row("addmm", 1.18, ETI_VERDICT_SLOWER),
                       faster = make_row("relu", 0.88, ETI_VERDICT_FASTER);
    assert_words(eti__add_changed_row(&out, &slower, false),
                 "addmm by 18.0 % (+12.0 % to +24.0 %)");
    assert_words(eti__add_changed_row(&out, &faster, false), "relu by 12.0 % (-18.0 % to -6.0 %)");
}

/* ---- evidence -------------------------------------------------------------------------------- */

static void evidence_is_enough_where_total_and_events_are_known_well(void **state) {
    (void)state;
    eti_evidence evidence = make_evidence();
    assert_true(eti__evidence_is_enough(&evidence));
    evidence.event_detectable = evidence.total_detectable = 0.25;
    assert_true(eti__evidence_is_enough(&evidence));
    evidence.event_detectable = 0.2501;
    assert_false(eti__evidence_is_enough(&evidence));
    evidence.event_detectable = NAN; /* no event is judged */
    assert_true(eti__evidence_is_enough(&evidence));
    evidence.total_detectable = NAN;
    assert_false(eti__evidence_is_enough(&evidence));
    evidence.total_detectable = 0.2501;
    assert_false(eti__evidence_is_enough(&evidence));
    evidence = make_evidence();
    evidence.n_base = 4;
    assert_false(eti__evidence_is_enough(&evidence));
    evidence = make_evidence();
    evidence.n_new = 4;
    assert_false(eti__evidence_is_enough(&evidence));
}

static void doubts_say_what_to_do(void **state) {
    (void)state;
    eti_evidence evidence = make_evidence();
    evidence.total_detectable = 1.14;
    evidence.n_needed = 24;
    assert_words(eti__add_doubt(&out, &evidence),
                 "the total differs by 16.2 % between files of one side: only a change of the "
                 "total by 114.0 %, of half of the events by 5.0 %, would have been detected; "
                 "about 24 files per side are needed");
    evidence.is_raised = true;
    assert_words(eti__add_doubt(&out, &evidence),
                 "the total differs by 16.2 % between files of one side: only a change of the "
                 "total by 114.0 %, of half of the events by 5.0 %, would have been detected, but "
                 "25.0 % is required; about 24 files per side are needed");
    evidence.is_raised = false;
    evidence.n_needed = ETI_TOO_MANY_FILES;
    evidence.event_detectable = NAN;
    assert_words(eti__add_doubt(&out, &evidence),
                 "the total differs by 16.2 % between files of one side: only a change of the "
                 "total by 114.0 % would have been detected; more files would not help");
    evidence.total_detectable = NAN;
    evidence.n_needed = 0;
    assert_words(eti__add_doubt(&out, &evidence), "no total is in all files of both sides");
    evidence.n_base = 1;
    assert_words(eti__add_doubt(&out, &evidence),
                 "not enough files (base 1, new 6): one process cannot show a change; need 5 per "
                 "side, recorded in turns (etinspect measure records them)");
    evidence.n_base = 3;
    evidence.has_equal_ticks = true;
    assert_words(eti__add_doubt(&out, &evidence),
                 "not enough files (base 3, new 6); need 5 per side, recorded in turns (etinspect "
                 "measure records them); all runs of a file took the same ticks: if this is so in "
                 "every process, one_process compares runs");
    evidence.one_process = true;
    assert_words(eti__add_doubt(&out, &evidence),
                 "not enough runs (base 3, new 6); need 5 per side");
}

/* ---- answers --------------------------------------------------------------------------------- */

static void answers_lead_with_what_matters(void **state) {
    (void)state;
    eti_diff_row rows[] = {
        make_row("a", 1.18, ETI_VERDICT_SLOWER), make_row("b", 0.9, ETI_VERDICT_FASTER),
        make_row("c", 1.07, ETI_VERDICT_SLOWER), make_row("d", 1.06, ETI_VERDICT_SLOWER),
        make_row("e", 1.06, ETI_VERDICT_SLOWER)};
    const eti_diff_rows events = {.rows = rows, .n = 5, .alpha = 0.01};
    eti_diff_row total = make_row("Method::execute", 1.04, ETI_VERDICT_NOISE);
    total.adjusted_p = 0.2;
    eti_answer answer = {.outcome = ETI_OUTCOME_SLOWER,
                         .evidence = make_evidence(),
                         .n_slower = 4,
                         .n_faster = 1,
                         .level = 1,
                         .parts = &events,
                         .total = &total};
    assert_words(
        eti__add_answer(&out, &answer),
        "slower: a by 18.0 % (+12.0 % to +24.0 %), c by 7.0 % (+1.0 % to +13.0 %), d by 6.0 % "
        "(+0.0 % to +12.0 %) and 1 more; faster: b by 10.0 % (-16.0 % to -4.0 %); 5 and 6 "
        "files; Method::execute +4.0 % (noise)");
    total.adjusted_p = 0.001; /* certain, but small */
    assert_words(
        eti__add_answer(&out, &answer),
        "slower: a by 18.0 % (+12.0 % to +24.0 %), c by 7.0 % (+1.0 % to +13.0 %), d by 6.0 % "
        "(+0.0 % to +12.0 %) and 1 more; faster: b by 10.0 % (-16.0 % to -4.0 %); 5 and 6 "
        "files; Method::execute +4.0 % (below least_effect)");
    total.adjusted_p = 0.2;
    answer.level = 1.3;
    answer.n_faster = 0;
    eti_diff_row slower_total = make_row("Method::execute", 1.3, ETI_VERDICT_SLOWER);
    answer.total = &slower_total;
    assert_words(
        eti__add_answer(&out, &answer),
        "slower: Method::execute by 30.0 % (+24.0 % to +36.0 %), a by 18.0 % (+12.0 % to +24.0 %), "
        "c by 7.0 % (+1.0 % to +13.0 %), d by 6.0 % (+0.0 % to +12.0 %) and 1 more; the "
        "others are 30.0 % slower; 5 and 6 files");
    answer.n_slower = 0;
    assert_words(eti__add_answer(&out, &answer),
                 "slower: Method::execute by 30.0 % (+24.0 % to +36.0 %), no event more than most "
                 "others; 5 and 6 files");
    answer.outcome = ETI_OUTCOME_NOT_SLOWER;
    answer.total = &total;
    assert_words(eti__add_answer(&out, &answer),
                 "nothing slower; a change of the total by 6.0 %, of half of the events by 5.0 %, "
                 "would have been detected; 5 and 6 files; Method::execute +4.0 % (noise)");
    answer.evidence.one_process = true;
    assert_words(
        eti__add_answer(&out, &answer),
        "nothing slower; a change of the total by 6.0 %, of half of the events by 5.0 %, would "
        "have been detected; 5 and 6 runs; Method::execute +4.0 % (noise); this applies only to "
        "the runs of these processes; another process of the same program may differ");
    answer.evidence.one_process = false;
    answer.outcome = ETI_OUTCOME_CANNOT_TELL;
    answer.evidence.n_new = 1;
    answer.total = NULL;
    assert_words(eti__add_answer(&out, &answer),
                 "cannot tell: not enough files (base 5, new 1): one process cannot show a change; "
                 "need 5 per side, recorded in turns (etinspect measure records them)");
}

/* Returns the answer about a comparison of these rows. */
static eti_answer answer_to(eti_diff_row *totals, size_t n_totals, eti_diff_row *events,
                            size_t n_events, eti_diff_row *groups, size_t n_groups) {
    static eti_diff diff;
    static eti_diff_pair pair;
    diff = (eti_diff){.pairs = &pair, .n_base = 5, .n_new = 5, .fewest = 5};
    diff.totals = (eti_diff_rows){.rows = totals, .n = n_totals};
    diff.events = (eti_diff_rows){.rows = events, .n = n_events};
    diff.groups = (eti_diff_rows){.rows = groups, .n = n_groups};
    return eti__diff_answer(&diff);
}

/* Makes a row whose file's level differs: relative to the level it changed by `ratio`. */
static eti_diff_row make_relative(const char *name, double ratio, double raw, eti_verdict verdict) {
    eti_diff_row row = make_row(name, ratio, verdict);
    row.raw_ratio = raw;
    return row;
}

static void relative_rows_show_the_measured_change(void **state) {
    (void)state;
    const eti_diff_row row = make_relative("addmm", 1.2, 1.56, ETI_VERDICT_SLOWER),
                       close = make_relative("addmm", 1.2, 1.2048, ETI_VERDICT_SLOWER);
    assert_words(eti__add_changed_row(&out, &row, false),
                 "addmm by 20.0 % (+14.0 % to +26.0 %; as measured +56.0 %)");
    assert_words(eti__add_changed_row(&out, &close, false), "addmm by 20.0 % (+14.0 % to +26.0 %)");
}

/* Where half of the events got slower, the answer does not begin with the other half. */
static void rows_faster_only_relative_to_others_are_counted(void **state) {
    (void)state;
    eti_diff_row rows[] = {make_relative("a", 0.9, 1.001, ETI_VERDICT_FASTER),
                           make_relative("b", 0.8, 0.88, ETI_VERDICT_FASTER),
                           make_relative("c", 1, 1.12, ETI_VERDICT_NOISE)},
                 total = make_row("total", 1.1, ETI_VERDICT_SLOWER);
    rows[2].delta = 7;
    rows[2].new_side.share = 0.62;
    const eti_diff_rows events = {.rows = rows, .n = 3};
    eti_answer answer = {.outcome = ETI_OUTCOME_SLOWER,
                         .evidence = make_evidence(),
                         .n_faster = 2,
                         .parts = &events,
                         .level = 1.1,
                         .largest = &rows[2],
                         .total = &total};
    assert_words(eti__add_answer(&out, &answer),
                 "slower: total by 10.0 % (+4.0 % to +16.0 %), no event more than most others, the "
                 "largest part of it in c (+12.0 %, 62.0 % of the time); faster: b by 20.0 % "
                 "(-26.0 % to -14.0 %; as measured -12.0 %); 1 faster only relative to the "
                 "others; the others are 10.0 % slower; 5 and 6 files");
    /* nothing is known about events that are on one side only */
    answer.evidence.event_detectable = NAN;
    answer.largest = NULL;
    answer.n_faster = 0;
    assert_words(eti__add_answer(&out, &answer),
                 "slower: total by 10.0 % (+4.0 % to +16.0 %), and no event could be compared; 5 "
                 "and 6 files");
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

/* The evidence is that of the total that could hide the largest change; loading and parts of totals are not judged. */
static void evidence_is_that_of_the_vaguest_total(void **state) {
    (void)state;
    eti_diff_row totals[] = {
        make_row("a", 1, ETI_VERDICT_NOISE), make_row("b", 1, ETI_VERDICT_NOISE),
        make_row("c", 1, ETI_VERDICT_NOISE), make_row("loading", 1, ETI_VERDICT_UNTESTED)};
    const double detectable[] = {0.1, 0.3, 0.2, 0.9};
    for (size_t i = 0; i < 4; i++)
        totals[i].detectable = detectable[i];
    totals[3].kind = ETI_ENTRY_LOADING;
    totals[1].change.variance = log(1.07) * log(1.07);
    eti_diff diff = {.totals = {.rows = totals, .n = 4}, .options.detectable = 1};
    const eti_evidence evidence = eti__diff_evidence(&diff);
    assert_true(evidence.total_detectable == 0.3);
    assert_true(fabs(evidence.total_deviation - 0.07) < 1e-12);
    assert_true(isnan(evidence.event_detectable));
    assert_int_equal(evidence.n_needed, 0);
}

/* The level is that of the first changed event, not of the first event. */
static void the_level_is_that_of_what_changed(void **state) {
    (void)state;
    double levels[2] = {0};
    eti_diff_pair pairs[] = {{.levels = levels, .level.difference = log(1.3)},
                             {.levels = levels, .level.difference = log(1.1)},
                             {.levels = levels, .level.difference = log(1.004)}};
    eti_diff_row events[] = {make_row("noise", 1, ETI_VERDICT_NOISE),
                             make_row("faster", 0.8, ETI_VERDICT_FASTER),
                             make_row("slower", 1.2, ETI_VERDICT_SLOWER)};
    for (uint32_t i = 0; i < 3; i++) {
        events[i].pair = i;
        events[i].is_relative = true;
    }
    eti_diff diff = {.pairs = pairs, .n_pairs = 3, .events = {.rows = events, .n = 3}};
    assert_true(fabs(eti__diff_answer(&diff).level - 1.1) < 1e-12);
    events[1].is_relative = false;
    assert_true(eti__diff_answer(&diff).level == 1);
    events[1].verdict = ETI_VERDICT_NOISE; /* in the noise, which hides the third pair */
    assert_true(eti__diff_answer(&diff).level == 1);
    pairs[2].level.difference = log(1.006);
    assert_true(fabs(eti__diff_answer(&diff).level - 1.006) < 1e-12);
}

static void groups_are_named_where_no_event_is_slower(void **state) {
    (void)state;
    eti_diff_row events[] = {make_row("a", 1.2, ETI_VERDICT_SLOWER),
                             make_row("b", 0.8, ETI_VERDICT_FASTER)},
                 groups[] = {make_row("c", 1.2, ETI_VERDICT_SLOWER),
                             make_row("d", 1.2, ETI_VERDICT_SLOWER)};
    events[0].is_compared = events[1].is_compared = true;
    events[0].delta = 3;
    events[1].delta = 4;
    eti_answer answer = answer_to(NULL, 0, events, 2, groups, 2);
    assert_ptr_equal(answer.largest, &events[1]);
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
    assert_int_equal(answer.n_faster, 1);
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
        cmocka_unit_test(rows_are_named_with_their_interval),
        cmocka_unit_test(evidence_is_enough_where_total_and_events_are_known_well),
        cmocka_unit_test(doubts_say_what_to_do),
        cmocka_unit_test(answers_lead_with_what_matters),
        cmocka_unit_test(relative_rows_show_the_measured_change),
        cmocka_unit_test(rows_faster_only_relative_to_others_are_counted),
        cmocka_unit_test(a_slower_total_is_worse_than_a_larger_one),
        cmocka_unit_test(evidence_is_that_of_the_vaguest_total),
        cmocka_unit_test(the_level_is_that_of_what_changed),
        cmocka_unit_test(groups_are_named_where_no_event_is_slower),
        cmocka_unit_test(coverage_counts_what_was_not_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
