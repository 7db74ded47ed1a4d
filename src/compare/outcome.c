#include "compare/outcome.h"

#include <math.h>
#include <stdio.h>

/* With the default of 25 %, an answer requires 25 % up to an effect of 13 %, and 43 % with an effect of 30 %. */
#define PART_ABOVE_EFFECT 0.4

const char *eti__outcome_name(eti_outcome outcome) {
    static const char *const names[] = {
        [ETI_OUTCOME_SLOWER] = "slower",
        [ETI_OUTCOME_NOT_SLOWER] = "not slower",
        [ETI_OUTCOME_CANNOT_TELL] = "cannot tell",
    };
    return names[outcome];
}

#define LEAST_LEVEL 1.005 /* visible in numbers of three digits */

/* ---- evidence -------------------------------------------------------------------------------- */

double eti__most_detectable(double detectable, double least_effect) {
    return fmax(detectable, (1 + least_effect) * (1 + PART_ABOVE_EFFECT * detectable) - 1);
}

/* Return whether there are enough files, and whether the detectable changes are small enough. */
static bool evidence_has_files(const eti_evidence *evidence) {
    return evidence->n_base >= evidence->fewest && evidence->n_new >= evidence->fewest;
}

/* Uses the total if a comparison has no event to judge. */
bool eti__evidence_is_enough(const eti_evidence *evidence) {
    bool has_events = !isnan(evidence->event_detectable);
    return evidence_has_files(evidence) &&
           evidence->total_detectable <= evidence->most_detectable &&
           (!has_events || evidence->event_detectable <= evidence->most_detectable);
}

static bool is_judged_total(const eti_diff_row *row) {
    return row->kind == ETI_ENTRY_EXECUTE && row->is_compared;
}

/* Returns the total that could hide the largest change, or NULL if no total is judged. */
static const eti_diff_row *find_vaguest_total(const eti_diff *diff) {
    const eti_diff_row *found = NULL;
    for (size_t i = 0; i < diff->totals.n; i++) {
        const eti_diff_row *row = &diff->totals.rows[i];
        if (is_judged_total(row) && (!found || row->detectable > found->detectable))
            found = row;
    }
    return found;
}

/* Returns the event whose detectable change is that of the family, or NULL if there are no events. */
static const eti_diff_row *find_median_event(const eti_diff *diff) {
    for (size_t i = 0; i < diff->events.n; i++) {
        const eti_diff_row *row = &diff->events.rows[i];
        if (row->is_compared && row->detectable == diff->events.detectable)
            return row;
    }
    return NULL;
}

/* Returns the number of files per side with which a change of `most` would be detected in the row; 0 if there are
 * enough files. */
static size_t count_needed(const eti_diff *diff, const eti_diff_rows *rows, const eti_diff_row *row,
                           double most) {
    const eti_diff_options *options = &diff->options;
    if (!row || row->detectable <= most)
        return 0;
    const eti_diff_pair *pair = &diff->pairs[row->pair];
    return eti__files_for_effect(&row->change, pair->n_base, pair->n_new, most, rows->n_family,
                                 rows->alpha, options->least_effect,
                                 eti__fewest_files(options->alpha));
}

eti_evidence eti__diff_evidence(const eti_diff *diff) {
    const eti_diff_row *total = find_vaguest_total(diff), *event = find_median_event(diff);
    double most = eti__most_detectable(diff->options.detectable, diff->options.least_effect);
    size_t for_total = count_needed(diff, &diff->totals, total, most),
           for_event = count_needed(diff, &diff->events, event, most);
    return (eti_evidence){
        .n_base = diff->n_base,
        .n_new = diff->n_new,
        .fewest = diff->fewest,
        .one_process = diff->options.one_process,
        .has_equal_ticks = diff->has_equal_ticks,
        .total_detectable = total ? total->detectable : (double)NAN,
        .total_deviation = total ? expm1(sqrt(total->change.variance)) : (double)NAN,
        .event_detectable = event ? event->detectable : (double)NAN,
        .most_detectable = most,
        .is_raised = most > diff->options.detectable,
        .n_needed = for_total > for_event ? for_total : for_event,
    };
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
        if (!is_judged_total(row))
            continue;
        bool is_worse = found && rank_of(row) == rank_of(found) && row->ratio > found->ratio;
        if (!found || rank_of(row) > rank_of(found) || is_worse)
            found = row;
    }
    return found;
}

/* Returns the share of a side's time in events that the other side has, too. */
static double share_in_common(const eti_diff *diff, bool is_new) {
    double common = 0, all = 0;
    for (size_t i = 0; i < diff->events.n; i++) {
        const eti_diff_row *row = &diff->events.rows[i];
        const eti_row_side *side = is_new ? &row->new_side : &row->base;
        all += side->typical;
        if (eti__diff_row_is_on_both(row))
            common += side->typical;
    }
    return all > 0 ? common / all : (double)NAN;
}

bool eti__has_level(const eti_diff_pair *pair) {
    return pair->levels && fabs(pair->level.difference) > log(LEAST_LEVEL);
}

/* Returns the level of the first row that is slower or faster. */
static double find_level(const eti_diff *diff, const eti_diff_rows *rows) {
    for (size_t i = 0; i < rows->n; i++) {
        const eti_diff_row *row = &rows->rows[i];
        const eti_diff_pair *pair = &diff->pairs[row->pair];
        if (row->verdict == ETI_VERDICT_SLOWER || row->verdict == ETI_VERDICT_FASTER)
            return row->is_relative && eti__has_level(pair) ? exp(pair->level.difference) : 1;
    }
    return 1;
}

/* Returns the events, which name the cause, or the groups if they show a slowdown that no single event shows. */
static const eti_diff_rows *choose_parts(const eti_diff *diff) {
    bool are_groups = count_verdicts(&diff->events, ETI_VERDICT_SLOWER) == 0 &&
                      count_verdicts(&diff->groups, ETI_VERDICT_SLOWER) > 0;
    return are_groups ? &diff->groups : &diff->events;
}

static const eti_diff_row *find_largest(const eti_diff *diff) {
    const eti_diff_row *found = NULL;
    for (size_t i = 0; i < diff->events.n; i++) {
        const eti_diff_row *row = &diff->events.rows[i];
        if (row->is_compared && row->delta > (found ? found->delta : 0))
            found = row;
    }
    return found;
}

eti_answer eti__diff_answer(const eti_diff *diff) {
    eti_answer answer = {.evidence = eti__diff_evidence(diff),
                         .total = find_worst_total(diff),
                         .parts = choose_parts(diff),
                         .shared_base = share_in_common(diff, false),
                         .shared_new = share_in_common(diff, true),
                         .names_blocks = diff->names_blocks};
    answer.n_slower = count_verdicts(answer.parts, ETI_VERDICT_SLOWER);
    answer.n_faster = count_verdicts(answer.parts, ETI_VERDICT_FASTER);
    answer.level = find_level(diff, answer.parts);
    answer.largest = find_largest(diff);
    if (answer.n_slower > 0 || count_verdicts(&diff->totals, ETI_VERDICT_SLOWER) > 0)
        answer.outcome = ETI_OUTCOME_SLOWER;
    else
        answer.outcome = eti__evidence_is_enough(&answer.evidence) ? ETI_OUTCOME_NOT_SLOWER
                                                                   : ETI_OUTCOME_CANNOT_TELL;
    return answer;
}

/* ---- rows ------------------------------------------------------------------------------------ */

void eti__add_changed_row(eti_buffer *out, const eti_diff_row *row, bool names_block) {
    eti__add_row(out, row, names_block);
    eti__buffer_add_string(out, " by ");
    eti__add_share(out, fabs(row->ratio - 1));
    eti__buffer_add_string(out, " (");
    eti__add_change(out, row->interval.low - 1);
    eti__buffer_add_string(out, " to ");
    eti__add_change(out, row->interval.high - 1);
    if (fabs(row->raw_ratio / row->ratio - 1) > LEAST_LEVEL - 1) {
        eti__buffer_add_string(out, "; as measured ");
        eti__add_change(out, row->raw_ratio - 1);
    }
    eti__buffer_add_char(out, ')');
}

void eti__add_units(eti_buffer *out, const eti_evidence *evidence) {
    eti__buffer_printf(out, "%zu and %zu %s", evidence->n_base, evidence->n_new,
                       evidence->one_process ? "runs" : "files");
}

/* ---- sentences ------------------------------------------------------------------------------- */

void eti__add_detectable(eti_buffer *out, const eti_evidence *evidence) {
    bool has_total = !isnan(evidence->total_detectable),
         has_events = !isnan(evidence->event_detectable);
    if (has_total) {
        eti__buffer_add_string(out, "a change of the total by ");
        eti__add_share(out, evidence->total_detectable);
    }
    if (has_total && has_events)
        eti__buffer_add_string(out, ", ");
    if (has_events) {
        eti__buffer_add_string(out, has_total ? "of half of the events by "
                                              : "a change of half of the events by ");
        eti__add_share(out, evidence->event_detectable);
    }
    if (has_total || has_events)
        eti__buffer_add_string(out, has_total && has_events ? ", would have been detected"
                                                            : " would have been detected");
}

static void add_few_files(eti_buffer *out, const eti_evidence *evidence) {
    bool has_one = evidence->n_base == 1 || evidence->n_new == 1;
    eti__buffer_printf(out, "not enough %s (base %zu, new %zu)",
                       evidence->one_process ? "runs" : "files", evidence->n_base, evidence->n_new);
    if (evidence->one_process) {
        eti__buffer_printf(out, "; need %zu per side", evidence->fewest);
        return;
    }
    eti__buffer_printf(out,
                       "%s; need %zu per side, recorded in turns (etinspect measure records them)",
                       has_one ? ": one process cannot show a change" : "", evidence->fewest);
    if (evidence->has_equal_ticks)
        eti__buffer_printf(out,
                           "; all runs of a file took the same ticks: if this is so in every "
                           "process, %sone_process compares runs",
                           eti__option_prefix());
}

static void add_scatter(eti_buffer *out, const eti_evidence *evidence) {
    if (isnan(evidence->total_detectable)) {
        eti__buffer_add_string(out, "no total is in all files of both sides");
    } else {
        eti__buffer_add_string(out, "the total differs by ");
        eti__add_share(out, evidence->total_deviation);
        eti__buffer_printf(out, " between %s of one side: only ",
                           evidence->one_process ? "runs" : "files");
        eti__add_detectable(out, evidence);
        if (evidence->is_raised) {
            eti__buffer_add_string(out, ", but ");
            eti__add_share(out, evidence->most_detectable);
            eti__buffer_add_string(out, " is required");
        }
    }
    if (evidence->n_needed >= ETI_TOO_MANY_FILES)
        eti__buffer_add_string(out, "; more files would not help");
    else if (evidence->n_needed > 0)
        eti__buffer_printf(out, "; about %zu %s per side are needed", evidence->n_needed,
                           evidence->one_process ? "runs" : "files");
}

void eti__add_doubt(eti_buffer *out, const eti_evidence *evidence) {
    if (evidence_has_files(evidence))
        add_scatter(out, evidence);
    else
        add_few_files(out, evidence);
}

#define MOST_NAMED 3 /* number of events that a sentence names */

bool eti__is_so_as_measured(const eti_diff_row *row) {
    return row->verdict == ETI_VERDICT_SLOWER ? row->raw_ratio > 1 : row->raw_ratio < 1;
}

/* Returns whether a row is named. Skips rows that are faster only relative to others that became slower, because the
 * others may be the ones that changed. */
static bool is_named(const eti_diff_row *row, eti_verdict verdict) {
    return row->verdict == verdict &&
           (verdict == ETI_VERDICT_SLOWER || eti__is_so_as_measured(row));
}

static size_t count_named(const eti_diff_rows *rows, eti_verdict verdict) {
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++)
        n += is_named(&rows->rows[i], verdict);
    return n;
}

/* Appends the first of the n parts with this verdict. */
static void add_parts(eti_buffer *out, const eti_answer *answer, eti_verdict verdict, size_t n) {
    const eti_diff_rows *rows = answer->parts;
    size_t n_named = 0;
    for (size_t i = 0; i < rows->n && n_named < MOST_NAMED; i++) {
        if (!is_named(&rows->rows[i], verdict))
            continue;
        eti__buffer_add_string(out, n_named++ > 0 ? ", " : "");
        eti__add_changed_row(out, &rows->rows[i], answer->names_blocks);
    }
    if (n > n_named)
        eti__buffer_printf(out, " and %zu more", n - n_named);
}

/* Appends the change of the total, unless it is named among the changes. */
static void add_total(eti_buffer *out, const eti_answer *answer) {
    const eti_diff_row *total = answer->total;
    if (!total || total->verdict != ETI_VERDICT_NOISE)
        return;
    eti__buffer_add_string(out, "; ");
    eti__add_row(out, total, answer->names_blocks);
    eti__buffer_add_char(out, ' ');
    eti__add_change(out, total->raw_ratio - 1);
    if (total->adjusted_p <= answer->parts->alpha)
        eti__buffer_printf(out, " (below %sleast_effect)", eti__option_prefix());
    else
        eti__buffer_add_string(out, " (noise)");
}

static bool has_total(const eti_answer *answer, eti_verdict verdict) {
    return answer->total && answer->total->verdict == verdict;
}

/* Appends the total, if it has this verdict, and the parts that have it. */
static void add_changed(eti_buffer *out, const eti_answer *answer, eti_verdict verdict,
                        size_t n_parts) {
    bool is_total = has_total(answer, verdict);
    if (is_total)
        eti__add_changed_row(out, answer->total, answer->names_blocks);
    eti__buffer_add_string(out, is_total && n_parts > 0 ? ", " : "");
    if (n_parts > 0)
        add_parts(out, answer, verdict, n_parts);
}

static void add_faster(eti_buffer *out, const eti_answer *answer) {
    size_t n = answer->n_faster > 0 ? count_named(answer->parts, ETI_VERDICT_FASTER) : 0;
    if (n > 0 || has_total(answer, ETI_VERDICT_FASTER)) {
        eti__buffer_add_string(out, "; faster: ");
        add_changed(out, answer, ETI_VERDICT_FASTER, n);
    }
    if (answer->n_faster > n)
        eti__buffer_printf(out, "; %zu faster only relative to the others", answer->n_faster - n);
}

/* Appends the level that changes of events are relative to. */
static void add_level(eti_buffer *out, const eti_answer *answer) {
    double level = answer->level;
    if (answer->n_slower + answer->n_faster == 0 || level == 1)
        return;
    eti__buffer_add_string(out, "; the others are ");
    eti__add_share(out, fabs(level - 1));
    eti__buffer_add_string(out, level > 1 ? " slower" : " faster");
}

/* Appends the event with the largest increase if no event is slower relative to the level: it shows where to look. */
static void add_largest(eti_buffer *out, const eti_answer *answer) {
    const eti_diff_row *largest = answer->largest;
    if (isnan(answer->evidence.event_detectable)) {
        eti__buffer_add_string(out, ", and no event could be compared");
        return;
    }
    eti__buffer_add_string(out, ", no event more than most others");
    if (!largest)
        return;
    eti__buffer_add_string(out, ", the largest part of it in ");
    eti__add_row(out, largest, answer->names_blocks);
    eti__buffer_add_string(out, " (");
    eti__add_change(out, largest->raw_ratio - 1);
    if (!isnan(largest->new_side.share)) {
        eti__buffer_add_string(out, ", ");
        eti__add_share(out, largest->new_side.share);
        eti__buffer_add_string(out, " of the time");
    }
    eti__buffer_add_char(out, ')');
}

static void add_slower(eti_buffer *out, const eti_answer *answer) {
    eti__buffer_add_string(out, "slower: ");
    add_changed(out, answer, ETI_VERDICT_SLOWER, answer->n_slower);
    if (answer->n_slower == 0)
        add_largest(out, answer);
    add_faster(out, answer);
    add_level(out, answer);
    eti__buffer_add_string(out, "; ");
    eti__add_units(out, &answer->evidence);
    add_total(out, answer);
}

static void add_not_slower(eti_buffer *out, const eti_answer *answer) {
    eti__buffer_add_string(out, "nothing slower");
    add_faster(out, answer);
    add_level(out, answer);
    eti__buffer_add_string(out, "; ");
    eti__add_detectable(out, &answer->evidence);
    eti__buffer_add_string(out, "; ");
    eti__add_units(out, &answer->evidence);
    add_total(out, answer);
}

static void add_cannot_tell(eti_buffer *out, const eti_answer *answer) {
    eti__buffer_add_string(out, "cannot tell: ");
    eti__add_doubt(out, &answer->evidence);
    add_faster(out, answer);
    add_level(out, answer);
    add_total(out, answer);
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
    if (answer->evidence.one_process)
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
    char below[40];
    snprintf(below, sizeof below, "below %smin_share", eti__option_prefix());
    const eti_reason reasons[] = {
        {coverage->n_small, below},
        {coverage->n_no_time, "with a time of 0"},
        {coverage->n_missing, "not in all files"},
        {coverage->n_few_files, "with too few files"},
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
