#include "compare/parts.h"

#include <math.h>
#include <stdio.h>

const char *eti__outcome_name(eti_outcome outcome) {
    static const char *const names[] = {
        [ETI_OUTCOME_SLOWER] = "slower",
        [ETI_OUTCOME_NOT_SLOWER] = "not slower",
        [ETI_OUTCOME_CANNOT_TELL] = "cannot tell",
    };
    return names[outcome];
}

/* ---- answers --------------------------------------------------------------------------------- */

static size_t count_verdicts(const eti_diff_rows *rows, eti_verdict verdict) {
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++)
        n += rows->rows[i].verdict == verdict;
    return n;
}

static int rank_of(const eti_diff_row *total) {
    return total->verdict == ETI_VERDICT_SLOWER ? 2 : total->verdict == ETI_VERDICT_FASTER;
}

/* Returns the slowest of the totals that are slower or, if there is none, of those that are faster or, again, of
 * those that are noise. */
static const eti_diff_row *find_worst_total(const eti_diff *diff) {
    const eti_diff_row *found = NULL;
    for (size_t i = 0; i < diff->totals.n; i++) {
        const eti_diff_row *row = &diff->totals.rows[i];
        if (row->kind != ETI_ENTRY_EXECUTE || !row->is_compared)
            continue;
        bool is_worse = found && rank_of(row) == rank_of(found) && row->ratio > found->ratio;
        if (!found || rank_of(row) > rank_of(found) || is_worse)
            found = row;
    }
    return found;
}

/* Returns the events, which name the cause, or the groups if they show a slowdown that no single event shows. */
static const eti_diff_rows *choose_parts(const eti_diff *diff) {
    bool are_groups = count_verdicts(&diff->events, ETI_VERDICT_SLOWER) == 0 &&
                      count_verdicts(&diff->groups, ETI_VERDICT_SLOWER) > 0;
    return are_groups ? &diff->groups : &diff->events;
}

/* Finds what is judged, in the order of sentences. */
static size_t list_judgements(const eti_diff *diff, const eti_judgement *out[3]) {
    size_t n = 0;
    out[n++] = &diff->totals.judgement;
    out[n++] = &diff->events.judgement;
    if (diff->options.group)
        out[n++] = &diff->groups.judgement;
    return n;
}

eti_answer eti__diff_answer(const eti_diff *diff) {
    const eti_judgement *judgements[3];
    size_t n = list_judgements(diff, judgements);
    eti_answer answer = {.diff = diff,
                         .outcome = ETI_OUTCOME_NOT_SLOWER,
                         .total = find_worst_total(diff),
                         .parts = choose_parts(diff)};
    eti_shared_times shared = {0};
    for (size_t i = 0; i < diff->events.n; i++)
        eti__add_shared(&shared, &diff->events.rows[i]);
    answer.shared_base = shared.base > 0 ? shared.of_base / shared.base : (double)NAN;
    answer.shared_new = shared.new_side > 0 ? shared.of_new_side / shared.new_side : (double)NAN;
    answer.n_slower = count_verdicts(answer.parts, ETI_VERDICT_SLOWER);
    answer.n_faster = count_verdicts(answer.parts, ETI_VERDICT_FASTER);
    bool is_known = true;
    for (size_t i = 0; i < n; i++) {
        is_known = is_known && judgements[i]->outcome != ETI_OUTCOME_CANNOT_TELL;
        if (judgements[i]->outcome == ETI_OUTCOME_SLOWER)
            answer.outcome = ETI_OUTCOME_SLOWER;
        if (judgements[i]->outcome == ETI_OUTCOME_CANNOT_TELL &&
            judgements[i]->n_needed > answer.n_needed)
            answer.n_needed = judgements[i]->n_needed;
    }
    if (answer.outcome != ETI_OUTCOME_SLOWER && !is_known)
        answer.outcome = ETI_OUTCOME_CANNOT_TELL;
    return answer;
}

/* ---- changes --------------------------------------------------------------------------------- */

static void add_size(eti_buffer *out, double log_change) {
    eti__add_share(out, fabs(expm1(log_change)));
}

/* Returns the word for a change of the row, which is of time unless the row is about bytes. */
static const char *word_of(const eti_diff_row *row, double log_change) {
    if (row && row->kind == ETI_ENTRY_ALLOCATED)
        return log_change < 0 ? " less" : " more";
    return log_change < 0 ? " faster" : " slower";
}

/* Appends a change of a row or, with NULL, of time. */
static void add_changed(eti_buffer *out, const eti_diff_row *row, double log_change) {
    add_size(out, log_change);
    eti__buffer_add_string(out, word_of(row, log_change));
}

/* Appends the metric if it is not the usual one, and the row has several. */
static void add_metric(eti_buffer *out, const eti_diff_row *row) {
    if (row->metric != ETI_METRIC_P50 && row->kind != ETI_ENTRY_ALLOCATED)
        eti__buffer_printf(out, " by %s", eti__metric_names[row->metric]);
}

/* Appends "between 7.1 % and 23.5 %", the smaller change first. Returns false if the ends have different signs, and then
 * appends what they are. */
static bool add_between(eti_buffer *out, const eti_diff_row *row) {
    double low = row->shift.low, high = row->shift.high;
    bool is_faster = high < 0, has_one_sign = is_faster || low >= 0;
    eti__buffer_add_string(out, "between ");
    if (has_one_sign)
        add_size(out, is_faster ? high : low);
    else
        add_changed(out, row, low);
    eti__buffer_add_string(out, " and ");
    if (has_one_sign)
        add_size(out, is_faster ? low : high);
    else
        add_changed(out, row, high);
    return has_one_sign;
}

void eti__add_size_of(eti_buffer *out, const eti_diff_row *row) {
    add_changed(out, row, row->shift.estimate);
    add_metric(out, row);
    eti__buffer_add_string(out, " (");
    add_between(out, row);
    eti__buffer_add_char(out, ')');
}

void eti__add_changed_row(eti_buffer *out, const eti_diff_row *row, bool names_block) {
    eti__add_row(out, row, names_block);
    eti__buffer_add_string(out, row->is_level ? " are " : " is ");
    eti__add_size_of(out, row);
}

void eti__add_unchanged_row(eti_buffer *out, const eti_diff_row *row, bool names_block) {
    eti__add_row(out, row, names_block);
    eti__buffer_add_string(out, row->is_level ? " are " : " is ");
    bool is_bounded = isfinite(row->shift.low) && isfinite(row->shift.high);
    if (!is_bounded)
        add_changed(out, row, row->shift.estimate);
    else if (add_between(out, row))
        eti__buffer_add_string(out, word_of(row, row->shift.high));
    add_metric(out, row);
    if (!is_bounded)
        eti__buffer_printf(out, " as measured (%sbeta is too small for an interval)",
                           eti__option_prefix());
}

void eti__add_limit(eti_buffer *out, double limit, const char *unit, double margin) {
    if (unit)
        eti__buffer_printf(out, "; the limit is +%.15g %s", limit, unit);
    else
        eti__buffer_printf(out, "; the limit is %.4g %%", 100 * limit);
    if (margin > 0)
        eti__buffer_printf(out, " with a margin of %.4g %%", 100 * margin);
}

void eti__add_units(eti_buffer *out, const eti_diff *diff) {
    eti__buffer_printf(out, "%zu and %zu %s", diff->n_base, diff->n_new,
                       diff->options.one_process ? "runs" : "files");
}

/* ---- doubts ---------------------------------------------------------------------------------- */

static void add_few_files(eti_buffer *out, const eti_diff *diff, size_t fewest) {
    bool has_one = diff->n_base == 1 || diff->n_new == 1;
    eti__buffer_printf(out, "not enough %s (base %zu, new %zu)",
                       diff->options.one_process ? "runs" : "files", diff->n_base, diff->n_new);
    if (diff->options.one_process) {
        eti__buffer_printf(out, "; need %zu per side", fewest);
        return;
    }
    eti__buffer_printf(out,
                       "%s; need %zu per side, recorded in turns (etinspect measure records them)",
                       has_one ? ": one process cannot show a change" : "", fewest);
    if (diff->has_equal_ticks)
        eti__buffer_printf(out,
                           "; all runs of a file took the same ticks: if this is so in every "
                           "process, %sone_process compares runs",
                           eti__option_prefix());
}

static void add_few_runs(eti_buffer *out, const eti_diff *diff, const eti_diff_pair *pair) {
    eti__buffer_printf(out, "a file has only %zu runs of %.*s, but %s needs %zu in every file",
                       pair->n_runs, ETI_TEXT_ARGS(pair->new_side->label),
                       eti__metric_names[diff->metric], eti__metric_fewest_runs(diff->metric));
}

/* Returns what a judgement about parts is about. */
static const char *noun_of(const eti_diff *diff, const eti_diff_row *row) {
    const eti_diff_grouping *grouping = eti__find_diff_grouping(diff->options.group);
    return row->family->is_of_groups && grouping ? grouping->nouns : "events";
}

/* Appends the largest rows that may be slower. */
static void add_doubtful(eti_buffer *out, const eti_judgement *of) {
    const eti_diff *diff = of->diff;
    if (!of->named[0]->family) {
        for (size_t i = 0; i < of->n_named; i++) {
            eti__buffer_add_string(out, i > 0 ? "; " : "");
            eti__add_unchanged_row(out, of->named[i], diff->names_blocks);
        }
        eti__add_limit(out, of->limit, of->limit_unit, of->margin);
        return;
    }
    eti__buffer_printf(out, "%zu of %zu %s", of->n_doubtful, of->n_judged,
                       noun_of(diff, of->named[0]));
    if (isfinite(of->share)) {
        eti__buffer_add_string(out, " (");
        eti__add_share(out, of->share);
        eti__buffer_add_string(out, " of the time)");
    }
    if (of->limit_unit)
        eti__buffer_printf(out, " may be slower by more than %.15g %s and a margin of %.4g %%",
                           of->limit, of->limit_unit, 100 * of->margin);
    else
        eti__buffer_printf(out, " may be more than %.4g %% slower", 100 * (of->limit + of->margin));
    add_metric(out, of->named[0]);
    eti__buffer_add_string(out, ": ");
    for (size_t i = 0; i < of->n_named; i++) {
        eti__buffer_add_string(out, i > 0 ? ", " : "");
        eti__add_row(out, of->named[i], diff->names_blocks);
    }
    if (of->n_doubtful > of->n_named)
        eti__buffer_printf(out, " and %zu more", of->n_doubtful - of->n_named);
}

void eti__add_odd_kind(eti_buffer *out, const eti_family *family) {
    eti__add_row_name(out, family->kind);
    eti__buffer_printf(out, " (%zu %s)", family->n_of_kind,
                       family->n_of_kind == 1 ? "event" : "events");
}

/* Appends that either one changed, or the others did, on another machine. */
static void add_either(eti_buffer *out, const eti_judgement *of) {
    const eti_diff *diff = of->diff;
    const eti_diff_row *row = of->named[0];
    const eti_family *family = row->family;
    bool has_kind = family->has_two_readings;
    double difference = has_kind ? family->kind_difference : row->judged.estimate;
    size_t n_others = family->n - (has_kind ? family->n_of_kind : 1);
    eti__buffer_add_string(out, "either ");
    if (has_kind)
        eti__add_odd_kind(out, family);
    else
        eti__add_row(out, row, diff->names_blocks);
    eti__buffer_add_string(out, " is ");
    add_changed(out, NULL, difference);
    add_metric(out, row);
    eti__buffer_printf(out,
                       n_others == 1 ? ", or the other event is " : ", or the other %zu %s are ",
                       n_others, noun_of(diff, row));
    add_changed(out, NULL, -difference);
    if (!diff->options.in_turns)
        eti__buffer_printf(out, " on a %s machine; record in turns (measure)",
                           difference > 0 ? "slower" : "faster");
}

static void add_contradiction(eti_buffer *out, const eti_judgement *of) {
    eti__add_row(out, of->named[0], of->diff->names_blocks);
    eti__buffer_add_string(out, " is ");
    add_changed(out, NULL, of->named[0]->shift.estimate);
    eti__buffer_add_string(out, " by p50, but ");
    add_changed(out, NULL, of->named[0]->fast);
    eti__buffer_add_string(out, " by fast");
}

/* Appends that nothing can be judged; the line about coverage gives the reasons for events. */
static void add_nothing(eti_buffer *out, const eti_judgement *of) {
    const eti_diff *diff = of->diff;
    if (of == &diff->totals.judgement)
        eti__buffer_add_string(out, "no total is in all files of both sides");
    else
        eti__buffer_printf(out, "no %s can be compared",
                           of == &diff->groups.judgement ? "group" : "event");
}

static void add_doubt(eti_buffer *out, const eti_diff *diff, const eti_judgement *of) {
    switch (of->doubt) {
    case ETI_DOUBT_FEW_UNITS:
        add_few_files(out, diff, of->n_units);
        break;
    case ETI_DOUBT_FEW_RUNS:
        add_few_runs(out, of->diff, of->pair);
        break;
    case ETI_DOUBT_JOBS:
        eti__buffer_add_string(out,
                               "the sides were recorded in different jobs (label job): measure "
                               "both builds in one job");
        break;
    case ETI_DOUBT_TWO_READINGS:
        add_either(out, of);
        break;
    case ETI_DOUBT_CONTRADICTION:
        add_contradiction(out, of);
        break;
    case ETI_DOUBT_NOISE:
        add_doubtful(out, of);
        break;
    case ETI_DOUBT_UNLIKE:
        eti__add_unlike(out, of->diff, &of->unlike, "events", of->diff->names_blocks);
        break;
    case ETI_DOUBT_NOTHING:
        add_nothing(out, of);
        break;
    case ETI_DOUBT_NONE:
        break;
    }
}

/* Returns the strongest doubt. If nothing at all can be judged, it is the only one that matters. */
static const eti_judgement *find_strongest(const eti_judgement *const *judgements, size_t n) {
    const eti_judgement *found = judgements[0];
    for (size_t i = 1; i < n; i++) {
        bool is_stronger =
            judgements[i]->doubt < found->doubt ||
            (judgements[i]->doubt == found->doubt && judgements[i]->n_units > found->n_units);
        if (is_stronger)
            found = judgements[i];
    }
    return found->doubt < ETI_DOUBT_TWO_READINGS ? found : NULL;
}

void eti__add_doubts(eti_buffer *out, const eti_diff *diff, const eti_judgement *const *judgements,
                     size_t n) {
    size_t n_needed = 0;
    bool is_above = false;
    const eti_judgement *strongest = n > 0 ? find_strongest(judgements, n) : NULL;
    if (strongest) {
        add_doubt(out, diff, strongest);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        eti__buffer_add_string(out, i > 0 ? "; " : "");
        add_doubt(out, diff, judgements[i]);
        n_needed = judgements[i]->n_needed > n_needed ? judgements[i]->n_needed : n_needed;
        is_above = is_above || judgements[i]->is_above;
    }
    if (is_above)
        eti__buffer_add_string(out, "; the measured change is above the limit; more files tell "
                                    "whether it is chance");
    else if (n_needed > 0)
        eti__buffer_printf(out, "; about %zu %s per side are needed", n_needed,
                           diff->options.one_process ? "runs" : "files");
}

/* ---- sentences ------------------------------------------------------------------------------- */

/* Appends the first rows with this verdict after those that are named already; counts those that are not named. */
static void add_rows(eti_buffer *out, const eti_answer *answer, const eti_diff_rows *rows,
                     eti_verdict verdict, size_t *n_named, size_t *n_more) {
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->rows[i].verdict != verdict)
            continue;
        if (*n_named >= ETI_MOST_NAMED) {
            ++*n_more;
            continue;
        }
        eti__buffer_add_string(out, (*n_named)++ > 0 ? "; " : "");
        eti__add_changed_row(out, &rows->rows[i], answer->diff->names_blocks);
    }
}

/* Appends the totals, the levels and the parts with this verdict. Returns whether there are any. */
static bool add_changes(eti_buffer *out, const eti_answer *answer, eti_verdict verdict,
                        const char *before) {
    const eti_diff_rows *totals = &answer->diff->totals;
    size_t n_named = 0, n_more = 0;
    if (count_verdicts(totals, verdict) + count_verdicts(answer->parts, verdict) == 0)
        return false;
    eti__buffer_add_string(out, before);
    add_rows(out, answer, totals, verdict, &n_named, &n_more);
    add_rows(out, answer, answer->parts, verdict, &n_named, &n_more);
    if (n_more > 0)
        eti__buffer_printf(out, " and %zu more", n_more);
    return true;
}

static void add_slower(eti_buffer *out, const eti_answer *answer) {
    eti__buffer_add_string(out, "slower: ");
    add_changes(out, answer, ETI_VERDICT_SLOWER, "");
    add_changes(out, answer, ETI_VERDICT_FASTER, "; ");
    eti__add_limit(out, answer->diff->options.least_effect, NULL, 0);
    eti__buffer_add_string(out, "; ");
    eti__add_units(out, answer->diff);
}

static void add_not_slower(eti_buffer *out, const eti_answer *answer) {
    const eti_diff_options *options = &answer->diff->options;
    bool is_faster = answer->total->verdict == ETI_VERDICT_FASTER;
    eti__buffer_add_string(out, "nothing slower: ");
    if (!is_faster)
        eti__add_unchanged_row(out, answer->total, answer->diff->names_blocks);
    add_changes(out, answer, ETI_VERDICT_FASTER, is_faster ? "" : "; ");
    if (!is_faster)
        eti__add_limit(out, options->least_effect, NULL, options->margin);
    eti__buffer_add_string(out, "; ");
    eti__add_units(out, answer->diff);
}

static void add_cannot_tell(eti_buffer *out, const eti_answer *answer) {
    const eti_judgement *all[3], *doubts[3];
    size_t n = list_judgements(answer->diff, all), n_doubts = 0;
    for (size_t i = 0; i < n; i++) {
        if (all[i]->outcome == ETI_OUTCOME_CANNOT_TELL)
            doubts[n_doubts++] = all[i];
    }
    eti__buffer_add_string(out, "cannot tell: ");
    eti__add_doubts(out, answer->diff, doubts, n_doubts);
}

void eti__add_answer(eti_buffer *out, const eti_answer *answer) {
    switch (answer->outcome) {
    case ETI_OUTCOME_SLOWER:
        add_slower(out, answer);
        break;
    case ETI_OUTCOME_NOT_SLOWER:
        add_not_slower(out, answer);
        break;
    case ETI_OUTCOME_CANNOT_TELL:
        add_cannot_tell(out, answer);
        break;
    }
    if (answer->diff->options.one_process)
        eti__buffer_add_string(out, "; " ETI_ONE_PROCESS_NOTE);
}

/* ---- coverage -------------------------------------------------------------------------------- */

void eti__add_reasons(eti_buffer *out, const char *before, const eti_reason *reasons, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (reasons[i].n == 0)
            continue;
        eti__buffer_printf(out, "%s%zu %s", before, reasons[i].n, reasons[i].words);
        before = ", ";
    }
}

void eti__add_coverage(eti_buffer *out, const eti_coverage *coverage) {
    char below[40], units[80];
    snprintf(below, sizeof below, "below %smin_share", eti__option_prefix());
    snprintf(units, sizeof units, "in cycles on one side only (%sdelegate_time_scale)",
             eti__option_prefix());
    const eti_reason reasons[] = {
        {coverage->n_small, below},
        {coverage->n_no_time, "with a time of 0"},
        {coverage->n_missing, "not in all files"},
        {coverage->n_few_files, "with too few files"},
        {coverage->n_units, units},
        {coverage->n_added, "added"},
        {coverage->n_removed, "removed"},
    };
    eti__buffer_printf(out, "checked %zu of %zu events", coverage->n_judged, coverage->n_events);
    if (coverage->n_judged > 0 && !isnan(coverage->share)) {
        eti__buffer_add_string(out, " (");
        eti__add_share(out, coverage->share);
        eti__buffer_add_string(out, " of the time)");
    }
    eti__add_reasons(out, "; ", reasons, sizeof reasons / sizeof *reasons);
}
