/*
 * verdict.c - judges the changes of rows by a limit.
 */
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>

/* Part of the time of a family that must have passed. */
#define ENOUGH_TIME 0.8
#define MOST_NEEDED 100000.0 /* units per side; more would not help, either */

/* ---- one row --------------------------------------------------------------------------------- */

/* Returns the verdict on the changes of one direction, of which larger ones are worse: that of a row, or its opposite. `p`
 * is adjusted. */
static bool is_changed(const eti_diff_row *row, double sign, double p, double share, double limit) {
    double estimate = sign * row->judged.estimate, measured = sign * row->shift.estimate;
    double end = sign > 0 ? row->judged.low : -row->judged.high;
    return p < share && end > limit && estimate > log1p(row->change.relative_step) &&
           (row->is_measured || measured >= fmax(limit, estimate / 2));
}

/* Returns whether a row changed so much relative to the others that one of both must have changed, but perhaps the
 * others. */
static bool is_either(const eti_diff_row *row, double p, double share, double limit) {
    return row->is_unreadable || (!row->is_measured && p < share && row->judged.low > limit &&
                                  row->judged.estimate > log1p(row->change.relative_step));
}

/* Returns the largest change that passes. */
static double top_of(const eti_judged *judged, const eti_terms *terms) {
    return log1p(judged->limit + terms->margin);
}

bool eti__level_is_checked(const eti_diff *diff, const eti_diff_row *level, double share) {
    const eti_diff_pair *pair = &diff->pairs[level->pair];
    return diff->options.in_turns && !level->family->has_two_readings && pair->n_base > 1 &&
           pair->n_new > 1 && eti__ranks_below(&pair->ranks, 0) < share / 2;
}

/* ---- p-values -------------------------------------------------------------------------------- */

/* The rows of a comparison that are judged together, and room for numbers. */
typedef struct jury {
    const eti_diff *diff;
    const eti_terms *terms;
    eti_judged *rows;
    size_t n, n_parts;       /* the levels come after the parts */
    double *slower, *faster; /* adjusted p-values */
    double *scratch;         /* room for 2 n numbers */
    double share;            /* of each family of p-values */
    eti_judgement *out;
} jury;

static bool is_part(const jury *j) {
    const eti_diff_row *row = j->n > 0 ? j->rows[0].row : NULL;
    return row && (row->is_level || row->kind == ETI_ENTRY_EVENT);
}

static void adjust(const jury *j, size_t first, size_t n) {
    for (size_t i = first; i < first + n; i++) {
        j->slower[i] = j->rows[i].row->judged.p_slower;
        j->faster[i] = j->rows[i].row->judged.p_faster;
    }
    eti__holm_adjust(j->slower + first, n, j->scratch);
    eti__holm_adjust(j->faster + first, n, j->scratch);
}

/* ---- totals and parts ------------------------------------------------------------------------ */

static const eti_diff_pair *pair_of(const jury *j, size_t i) {
    return &j->diff->pairs[j->rows[i].row->pair];
}

static bool has_units(const jury *j, size_t i) {
    const eti_diff_pair *pair = pair_of(j, i);
    size_t fewer = pair->n_base < pair->n_new ? pair->n_base : pair->n_new;
    return fewer >= 2 && fewer >= j->out->n_units;
}

/* Fills the verdict of a row. A level is judged only if its rows can be. */
static void judge_row(const jury *j, size_t i) {
    eti_judged *of = &j->rows[i];
    const eti_diff_row *row = of->row;
    double limit = log1p(of->limit);
    of->p = row->judged.estimate < 0 ? j->faster[i] : j->slower[i];
    of->is_doubtful = false;
    of->verdict = ETI_VERDICT_NOISE;
    if (!has_units(j, i) || row->is_unreadable)
        of->verdict = ETI_VERDICT_UNDECIDED;
    else if (row->is_level && !eti__level_is_checked(j->diff, row, 2 * j->share))
        of->verdict = ETI_VERDICT_UNTESTED;
    else if (is_changed(row, 1, j->slower[i], j->share, limit))
        of->verdict = ETI_VERDICT_SLOWER;
    else if (is_changed(row, -1, j->faster[i], j->share, limit))
        of->verdict = ETI_VERDICT_FASTER;
}

/* Returns whether p50 and fast of a total changed in opposite directions, both by more than the limit. */
static bool is_contradicted(const eti_diff_row *row, double limit) {
    double estimate = row->shift.estimate;
    return fabs(estimate) > limit && fabs(row->fast) > limit && estimate * row->fast < 0;
}

static void doubt(const jury *j, eti_doubt why, size_t i) {
    eti_judgement *out = j->out;
    if (out->doubt != ETI_DOUBT_NONE && out->doubt <= why)
        return;
    out->doubt = why;
    out->pair = pair_of(j, i);
    out->limit = j->rows[i].limit;
}

static double count_units(const jury *j, size_t i) {
    const eti_diff_pair *pair = pair_of(j, i);
    return 2 / (1 / (double)pair->n_base + 1 / (double)pair->n_new);
}

/* Returns how many units would decide a row whose interval would have to end below the top, if it scatters as now; infinite
 * if more units cannot. A row without an interval needs at least the units that give one. */
static double count_needed(const jury *j, size_t i) {
    const eti_shift *shift = &j->rows[i].row->judged;
    double top = top_of(&j->rows[i], j->terms);
    double room = top - fmax(shift->estimate, 0), reach = shift->high - shift->estimate;
    if (room > 0 && isinf(reach))
        return (double)eti__fewest_files(j->diff->options.beta);
    return room > 0 ? count_units(j, i) * reach * reach / (room * room) : (double)INFINITY;
}

static void need(const jury *j, double n) {
    if (!(n < MOST_NEEDED))
        j->out->is_above = true;
    else if (n > (double)j->out->n_needed)
        j->out->n_needed = (size_t)ceil(n);
}

/* Judges whether a total passes that is not slower. */
static void judge_total(const jury *j, size_t i) {
    eti_judged *of = &j->rows[i];
    double limit = log1p(of->limit);
    const eti_shift *shift = &of->row->shift;
    if (is_contradicted(of->row, limit)) {
        of->verdict = ETI_VERDICT_NOISE;
        doubt(j, ETI_DOUBT_CONTRADICTION, i);
    } else if (of->verdict != ETI_VERDICT_SLOWER &&
               !(shift->estimate <= limit && shift->high < top_of(of, j->terms))) {
        doubt(j, ETI_DOUBT_NOISE, i);
        if (shift->estimate > limit)
            j->out->is_above = true;
        else
            need(j, count_needed(j, i));
    } else {
        return;
    }
    of->is_doubtful = true;
}

typedef struct weighed {
    double needed, weight;
} weighed;

static int compare_weighed(const void *a, const void *b) {
    const weighed *x = a, *y = b;
    return (x->needed > y->needed) - (x->needed < y->needed);
}

/* Counts the units that would decide for enough of the time of n sorted rows. */
static void need_for_time(const jury *j, weighed *rows, size_t n, double time) {
    double sum = 0;
    size_t i = 0;
    qsort(rows, n, sizeof *rows, compare_weighed);
    while (i + 1 < n && sum + rows[i].weight < ENOUGH_TIME * time)
        sum += rows[i++].weight;
    need(j, rows[i].needed);
}

/* Judges whether the family's parts among first .. end - 1, which are those of one pair, pass, except for those that are
 * slower. */
static bool judge_parts(const jury *j, size_t first, size_t end, const eti_family *family) {
    double time = 0, passed = 0;
    bool has_either = false, has_above = false;
    size_t n = 0;
    weighed *needed = malloc((end - first + 1) * sizeof *needed);
    if (!needed)
        return false;
    for (size_t i = first; i < end; i++) {
        eti_judged *of = &j->rows[i];
        const eti_shift *shift = &of->row->judged;
        double limit = log1p(of->limit), top = top_of(of, j->terms);
        if (of->verdict == ETI_VERDICT_SLOWER || of->row->family != family)
            continue;
        bool is_either_one = is_either(of->row, j->slower[i], j->share, limit);
        of->is_doubtful = is_either_one || !(shift->high < top);
        time += of->row->weight;
        passed += shift->high < top ? of->row->weight : 0;
        has_either = has_either || is_either_one;
        has_above = has_above || shift->estimate > top;
        needed[n++] = (weighed){count_needed(j, i), of->row->weight};
        if (is_either_one)
            doubt(j, ETI_DOUBT_TWO_READINGS, i);
    }
    bool is_enough = !has_either && !has_above && passed >= ENOUGH_TIME * time;
    for (size_t i = first; i < end && is_enough; i++) {
        if (j->rows[i].row->family == family)
            j->rows[i].is_doubtful = false;
    }
    if (!is_enough) {
        doubt(j, ETI_DOUBT_NOISE, first);
        if (has_above) /* whatever most of the others need */
            j->out->is_above = true;
        else if (!has_either) /* more units tell nothing about which ones changed */
            need_for_time(j, needed, n, time);
    }
    free(needed);
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Returns whether a row takes more than another of the same unit; times come before cycles. */
static bool is_larger(const eti_diff_row *row, const eti_diff_row *than) {
    bool is_time = !eti__diff_row_unit(row).data, than_is_time = !eti__diff_row_unit(than).data;
    return is_time == than_is_time ? row->weight > than->weight : is_time;
}

void eti__judgement_name(eti_judgement *judgement, const eti_diff_row *row) {
    size_t at = judgement->n_named;
    while (at > 0 && is_larger(row, judgement->named[at - 1]))
        at--;
    if (at == ETI_MOST_NAMED)
        return;
    if (judgement->n_named < ETI_MOST_NAMED)
        judgement->n_named++;
    for (size_t i = judgement->n_named - 1; i > at; i--)
        judgement->named[i] = judgement->named[i - 1];
    judgement->named[at] = row;
}

/* Returns whether something prevents a judgement of any row. */
static bool is_prevented(const jury *j) {
    for (size_t i = 0; i < j->n_parts; i++) {
        const eti_diff_pair *pair = pair_of(j, i);
        if (!has_units(j, i))
            doubt(j, ETI_DOUBT_FEW_UNITS, i);
        else if (!j->diff->options.one_process &&
                 pair->n_runs < eti__metric_fewest_runs(j->diff->metric))
            doubt(j, ETI_DOUBT_FEW_RUNS, i);
        else if (j->diff->is_of_two_jobs)
            doubt(j, ETI_DOUBT_JOBS, i);
    }
    if (j->n_parts == 0)
        j->out->doubt = ETI_DOUBT_NOTHING;
    if (j->out->doubt == ETI_DOUBT_FEW_UNITS)
        j->out->n_needed = j->out->n_units;
    return j->out->doubt != ETI_DOUBT_NONE;
}

static void find_outcome(const jury *j) {
    eti_judgement *out = j->out;
    double share = 0;
    for (size_t i = 0; i < j->n; i++) {
        if (j->rows[i].verdict == ETI_VERDICT_SLOWER)
            out->outcome = ETI_OUTCOME_SLOWER;
        if (!j->rows[i].is_doubtful)
            continue;
        out->n_doubtful++;
        share += j->rows[i].row->new_side.share;
        eti__judgement_name(out, j->rows[i].row);
    }
    out->n_judged = j->n_parts;
    out->share = share;
    if (out->outcome != ETI_OUTCOME_SLOWER && out->doubt != ETI_DOUBT_NONE)
        out->outcome = ETI_OUTCOME_CANNOT_TELL;
}

static bool judge_all(const jury *j) {
    bool done = true, are_parts = is_part(j);
    adjust(j, 0, j->n_parts);
    adjust(j, j->n_parts, j->n - j->n_parts);
    for (size_t i = 0; i < j->n; i++)
        judge_row(j, i);
    if (is_prevented(j)) {
        for (size_t i = 0; i < j->n; i++)
            j->rows[i].verdict = ETI_VERDICT_UNDECIDED;
    } else if (are_parts) {
        for (size_t first = 0, end; first < j->n_parts && done; first = end) {
            for (end = first;
                 end < j->n_parts && j->rows[end].row->pair == j->rows[first].row->pair;)
                end++;
            const eti_diff_pair *pair = pair_of(j, first);
            const eti_family *const families[] = {&pair->events, &pair->cycles, &pair->groups,
                                                  &pair->cycle_groups};
            for (size_t i = 0; i < sizeof families / sizeof *families && done; i++)
                done = judge_parts(j, first, end, families[i]);
        }
    } else {
        for (size_t i = 0; i < j->n; i++)
            judge_total(j, i);
    }
    if (done)
        find_outcome(j);
    return done;
}

bool eti__judge(eti_judgement *out, const eti_diff *diff, const eti_terms *terms, eti_judged *rows,
                size_t n) {
    double *numbers = malloc((4 * n + 1) * sizeof *numbers);
    *out = (eti_judgement){.diff = diff,
                           .outcome = ETI_OUTCOME_NOT_SLOWER,
                           .margin = terms->margin,
                           .limit = n > 0 ? rows[0].limit : 0};
    if (!numbers)
        return false;
    jury j = {.diff = diff,
              .terms = terms,
              .rows = rows,
              .n = n,
              .n_parts = n,
              .slower = numbers,
              .faster = numbers + n,
              .scratch = numbers + 2 * n,
              .out = out};
    bool are_parts = is_part(&j);
    j.share = are_parts ? terms->share / 2 : terms->share;
    /* the ranks of several totals share it, too */
    out->n_units = eti__fewest_files(terms->share / (are_parts || n == 0 ? 1 : (double)n));
    if (out->n_units < 2)
        out->n_units = 2;
    while (j.n_parts > 0 && rows[j.n_parts - 1].row->is_level)
        j.n_parts--;
    bool done = judge_all(&j);
    free(numbers);
    return done;
}
