/*
 * diff_judge.c - chooses the rows to be judged, and finds levels and changes.
 */
#include "compare/parts.h"

#include "base/intern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two ways to read the changes of a family differ by at least this, and by more than chance. */
#define VISIBLY_APART 1.02
#define UNLIKELY 0.01
#define FEWEST_KINDS 3

/* ---- values of rows -------------------------------------------------------------------------- */

/* Rows of one pair of blocks that are judged together, with their values. */
typedef struct family {
    const eti_diff *diff;
    const eti_diff_pair *pair;
    eti_family *out;
    eti_diff_row **rows;
    eti_file_values given; /* the rows taken so far */
    double *values, *logs, *steps, *scratch;
    double *levels; /* per unit; 0 without a level */
    eti_change *changes;
    size_t n_units;
    eti_arena arena;
} family;

/* Allocates room for `most` rows. Returns false if memory runs out. */
static bool reserve(family *f, size_t most) {
    size_t n_values = (most + 1) * f->n_units;
    eti_arena *arena = &f->arena;
    f->rows = eti__arena_alloc(arena, most, sizeof(eti_diff_row *));
    f->values = eti__arena_alloc(arena, n_values, sizeof *f->values);
    f->logs = eti__arena_alloc(arena, n_values, sizeof *f->logs);
    f->steps = eti__arena_alloc(arena, most, sizeof *f->steps);
    f->scratch = eti__arena_alloc(arena, n_values + 5 * most + 3 * f->n_units, sizeof *f->scratch);
    f->levels = eti__arena_alloc_zero(arena, f->n_units, sizeof *f->levels);
    f->changes = eti__arena_alloc_zero(arena, most, sizeof *f->changes);
    f->given = (eti_file_values){
        .n_base = f->pair->n_base, .n_new = f->pair->n_new, .values = f->values, .steps = f->steps};
    return f->rows && f->values && f->logs && f->steps && f->scratch && f->levels && f->changes;
}

/* Returns the mean of the cycles that the events of a block count in a run. */
static double count_cycles(const eti_profile_block *block) {
    double sum = 0;
    for (size_t i = block->n_totals; i < block->n_entries; i++) {
        if (block->entries[i].unit.data)
            sum += eti__entry_typical(block, &block->entries[i]);
    }
    return block->n_runs > 0 ? sum / (double)block->n_runs : 0;
}

/* Returns the smallest median value of a judged event: min_share of the total or, in cycles, of all cycles. */
static double least_value(const family *f) {
    const eti_diff_row *total = f->pair->total;
    if (f->out->is_of_cycles)
        return f->diff->options.min_share *
               fmax(count_cycles(f->pair->base), count_cycles(f->pair->new_side));
    if (!total || !eti__diff_row_is_on_both(total) ||
        !eti__diff_row_metric(f->diff, total, f->diff->metric, f->values) ||
        eti__has_missing(f->values, f->n_units))
        return 0;
    return f->diff->options.min_share * eti__median_of(f->values, f->n_units, f->scratch);
}

/* ---- dependence of runs ---------------------------------------------------------------------- */

/* Returns the mean correlation of the runs of a side's files with the previous ones, weighted by the number of runs. */
static double find_correlation(const eti_profile_block *block, const double *logs,
                               const double *levels, double *scratch) {
    double sum = 0, n_runs = 0;
    for (size_t k = 0; k < block->n_files; k++) {
        size_t first = block->files[k].first, n = block->files[k].n;
        double *values = scratch + 2 * n;
        for (size_t i = 0; i < n; i++)
            values[i] = logs[first + i] - levels[first + i];
        sum += (double)n * eti__correlation_of_runs(values, n, scratch);
        n_runs += (double)n;
    }
    return sum / n_runs;
}

/* Makes a change between runs less certain if they depend on the previous runs of their file, on the side where they depend
 * more: many independent runs of one side must not hide the dependence of the few of the other. */
static void widen(const family *f, eti_change *change, const double *logs, const double *levels) {
    const eti_diff_pair *pair = f->pair;
    double base = find_correlation(pair->base, logs, levels, f->scratch);
    double new_side =
        find_correlation(pair->new_side, logs + pair->n_base, levels + pair->n_base, f->scratch);
    eti__widen_for_dependence(change, fmax(base, new_side), pair->n_base, pair->n_new);
}

/* Compares the logarithms of both sides as they are. Sets the dependence if the units are runs. */
static eti_shift shift_of(const family *f, const double *logs, double *dependence) {
    eti_ranks ranks = f->pair->ranks;
    bool are_few = ranks.n_base < 2 || ranks.n_new < 2;
    if (f->diff->options.one_process && !are_few) {
        double *none = f->scratch + f->n_units * 3;
        eti_change change = {.dependence = 1};
        for (size_t i = 0; i < f->n_units; i++)
            none[i] = 0;
        widen(f, &change, logs, none);
        *dependence = change.dependence;
        if (change.dependence > 1) {
            ranks.dependence = change.dependence;
            ranks.below = NULL;
        }
    }
    return eti__shift_of(&ranks, logs, f->diff->options.beta, f->scratch);
}

/* ---- the family ------------------------------------------------------------------------------- */

/* Fills the locations of both sides: the usual value of the base, and that value changed by the estimate. */
static void set_locations(const family *f, eti_diff_row *row, const double *logs) {
    double *values = f->scratch;
    for (size_t i = 0; i < f->n_units; i++)
        values[i] = logs[i] - (i < f->pair->n_base ? 0 : row->shift.estimate);
    bool is_time = row->kind != ETI_ENTRY_ALLOCATED && !eti__diff_row_unit(row).data;
    row->base.location =
        exp(eti__median(values, f->n_units)) / (is_time ? f->diff->new_side->factor : 1);
    row->ratio = exp(row->shift.estimate);
    row->new_side.location = row->base.location * row->ratio;
}

/* Fills the change of a row that is too small to be judged. */
static void show_small(const family *f, eti_diff_row *row, double *values) {
    double dependence;
    for (size_t i = 0; i < f->n_units; i++)
        values[i] = log(values[i] + row->step / 2);
    row->shift = shift_of(f, values, &dependence);
    set_locations(f, row, values);
}

/* Adds a row that both sides have to the family, or records why it is not judged. Its median over all units must be at
 * least `least`. */
static void take_row(family *f, eti_diff_row *row, double least) {
    double *values = f->values + f->given.n * f->n_units;
    bool is_whole = f->pair->is_whole || f->diff->options.one_process;
    if (row->unjudged == ETI_UNJUDGED_UNITS)
        return;
    row->unjudged = ETI_UNJUDGED_MISSING;
    if (is_whole && eti__diff_row_metric(f->diff, row, f->diff->metric, values))
        row->unjudged = (uint8_t)eti__find_unjudged(values, f->n_units, least, f->scratch);
    if (row->unjudged == ETI_UNJUDGED_SMALL)
        show_small(f, row, values);
    if (row->unjudged != ETI_JUDGED)
        return;
    row->weight = eti__median_of(values, f->n_units, f->scratch);
    row->family = row->kind == ETI_ENTRY_EVENT ? f->out : NULL;
    f->out->time += row->weight;
    f->steps[f->given.n] = row->step;
    f->rows[f->given.n++] = row;
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* The kinds of a family's rows. */
typedef struct kinds {
    size_t n;
    eti_text *names;
    size_t *firsts; /* per kind, and the end: index into `rows` */
    size_t *rows;   /* all rows, by kind */
} kinds;

/* Returns the operator of an event or, inside a delegate, its name without a counter such as " #3". */
static eti_text kind_of(const eti_diff_row *row) {
    const eti_entry *entry = row->new_side.entry;
    eti_text name = entry->name;
    size_t end = name.size;
    if (entry->role != ETI_ROLE_DELEGATED)
        return entry->op_type;
    while (end > 0 && eti__is_digit(name.data[end - 1]))
        end--;
    if (end < name.size && end > 2 && name.data[end - 1] == '#' && name.data[end - 2] == ' ')
        name.size = end - 2;
    return name;
}

/* Sorts the rows by their kinds. Returns false if memory runs out. */
static bool find_kinds(kinds *out, family *f) {
    ETI_INTERN_OF(eti_text) known = {{0}};
    uint32_t *numbers = eti__arena_alloc(&f->arena, f->given.n, sizeof *numbers);
    out->names = eti__arena_alloc(&f->arena, f->given.n, sizeof *out->names);
    out->firsts = eti__arena_alloc_zero(&f->arena, f->given.n + 2, sizeof *out->firsts);
    out->rows = eti__arena_alloc(&f->arena, f->given.n, sizeof *out->rows);
    bool done = numbers && out->names && out->firsts && out->rows;
    for (size_t i = 0; i < f->given.n && done; i++) {
        eti_text name = kind_of(f->rows[i]);
        done = eti__intern_add(&known.table, &eti__text_kind, &name, &numbers[i]);
        if (done) {
            out->names[numbers[i]] = name;
            out->firsts[numbers[i] + 1]++;
        }
    }
    out->n = known.count;
    for (size_t k = 0; k < out->n && done; k++)
        out->firsts[k + 1] += out->firsts[k];
    for (size_t i = f->given.n; i-- > 0 && done;)
        out->rows[--out->firsts[numbers[i] + 1]] = i;
    if (done)
        memmove(out->firsts, out->firsts + 1, out->n * sizeof *out->firsts);
    if (done)
        out->firsts[out->n] = f->given.n;
    eti__intern_free(&known.table);
    return done;
}

/* Fills the median of the rows of each kind; more numbers, one per row, serve as scratch. */
static void find_medians(const kinds *k, const double *of_rows, double *medians) {
    double *values = medians + k->n;
    for (size_t kind = 0; kind < k->n; kind++) {
        size_t n = 0;
        for (size_t i = k->firsts[kind]; i < k->firsts[kind + 1]; i++)
            values[n++] = of_rows[k->rows[i]];
        medians[kind] = eti__median(values, n);
    }
}

/* Returns the median over the kinds of the medians of their rows. `scratch` has room for 2 numbers per row. */
static double median_of_kinds(const kinds *k, const double *of_rows, double *scratch) {
    find_medians(k, of_rows, scratch);
    return eti__median(scratch, k->n);
}

/* Finds the kind whose median change differs most from that of the other kinds. `scratch` has room for 2 numbers per row. */
static void find_odd_kind(const family *f, const kinds *k, const double *differences,
                          double *scratch) {
    double *medians = scratch, *others = scratch + k->n, most = 0;
    find_medians(k, differences, medians);
    for (size_t kind = 0; kind < k->n; kind++) {
        size_t n = 0;
        for (size_t i = 0; i < k->n; i++) {
            if (i != kind)
                others[n++] = medians[i];
        }
        double difference = medians[kind] - eti__median(others, n);
        if (!(fabs(difference) > fabs(most)))
            continue;
        most = difference;
        f->out->kind = k->names[kind];
        f->out->n_of_kind = k->firsts[kind + 1] - k->firsts[kind];
    }
    f->out->kind_difference = most;
}

/* Finds out whether most kinds of events changed otherwise than most events. `differences` are those of the rows, as
 * measured. Returns false if memory runs out. */
static bool find_readings(family *f, const double *differences) {
    kinds k = {.n = 0};
    size_t n_scratch = 2 * f->given.n + 2 * f->n_units;
    double *deviations =
        eti__arena_alloc(&f->arena, f->given.n * f->n_units + n_scratch, sizeof *deviations);
    bool done = find_kinds(&k, f) && deviations;
    if (done && k.n >= FEWEST_KINDS) {
        double *scratch = deviations + f->given.n * f->n_units, *levels = scratch + 2 * f->given.n;
        double dependence;
        eti__find_deviations(deviations, f->logs, &f->given, scratch);
        for (size_t i = 0; i < f->n_units; i++)
            levels[i] = median_of_kinds(&k, deviations + i * f->given.n, scratch) - f->levels[i];
        const eti_shift apart = shift_of(f, levels, &dependence);
        f->out->most_kinds = median_of_kinds(&k, differences, scratch);
        f->out->has_two_readings =
            2 * fmin(apart.p_slower, apart.p_faster) < UNLIKELY &&
            fabs(f->out->most_kinds - f->out->most_rows) > log(VISIBLY_APART);
        if (f->out->has_two_readings)
            find_odd_kind(f, &k, differences, scratch);
    }
    return done;
}

/* ---- changes --------------------------------------------------------------------------------- */

/* Judges a row as measured. */
static void take_measured(const family *f, size_t i) {
    eti_diff_row *row = f->rows[i];
    const double *logs = f->logs + i * f->n_units;
    row->shift = row->judged = shift_of(f, logs, &row->change.dependence);
    row->is_measured = true;
    set_locations(f, row, logs);
}

/* Judges a row relative to the others. The interval that people see is moved by the change of most rows. */
static void take_relative(const family *f, size_t i, double measured) {
    eti_diff_row *row = f->rows[i];
    double common = f->out->most_rows, relative = measured - common;
    double error = row->change.error, dof = row->change.dof;
    double reach = -eti__student_quantile(f->diff->options.beta, dof) * error;
    row->judged = (eti_shift){.estimate = relative,
                              .low = relative - reach,
                              .high = relative + reach,
                              .p_slower = eti__student_above(relative / error, dof),
                              .p_faster = eti__student_above(-relative / error, dof)};
    row->shift = row->judged;
    row->shift.estimate = measured;
    row->shift.low += common;
    row->shift.high += common;
    set_locations(f, row, f->logs + i * f->n_units);
}

/* Finds the levels of the files, and how they changed. Returns false if memory runs out. */
static bool find_levels(const family *f, eti_arena *arena) {
    double dependence;
    if (f->given.n < ETI_LEVEL_FEWEST_EVENTS)
        return true;
    f->out->levels = eti__arena_alloc(arena, f->n_units, sizeof *f->out->levels);
    if (!f->out->levels)
        return false;
    eti__find_levels(f->levels, f->logs, &f->given, f->scratch);
    memcpy(f->out->levels, f->levels, f->n_units * sizeof *f->levels);
    f->out->level = shift_of(f, f->levels, &dependence);
    return true;
}

/* Finds the changes of the rows relative to the levels, and whether they can be read in two ways. Returns false if memory
 * runs out. */
static bool find_changes(family *f, bool has_kinds) {
    eti_variance_prior prior;
    bool has_level = f->out->levels != NULL;
    double *differences = eti__arena_alloc(&f->arena, 2 * f->given.n, sizeof *differences);
    if (!differences)
        return false;
    eti__find_changes(f->changes, f->logs, f->levels, &f->given, &prior, f->scratch);
    for (size_t i = 0; i < f->given.n; i++) {
        if (f->diff->options.one_process)
            widen(f, &f->changes[i], f->logs + i * f->n_units, f->levels);
        f->rows[i]->change = f->changes[i];
        differences[i] = f->changes[i].difference + f->out->level.estimate;
    }
    /* the change of few rows is not a level, either */
    if (has_level)
        f->out->most_rows = eti__median_of(differences, f->given.n, differences + f->given.n);
    bool done = !has_level || !has_kinds || find_readings(f, differences);
    for (size_t i = 0; i < f->given.n && done; i++) {
        if (f->out->has_two_readings)
            take_measured(f, i);
        else
            take_relative(f, i, differences[i]);
        f->rows[i]->is_compared = true;
        f->rows[i]->is_unreadable = f->out->has_two_readings && !f->diff->options.in_turns;
    }
    return done;
}

/* Finds the changes of the family's rows among first .. end - 1, which are the events or the groups of one pair. */
static bool compare_family(eti_diff *diff, eti_diff_rows *rows, size_t first, size_t end,
                           eti_family *out) {
    eti_diff_pair *pair = &diff->pairs[rows->rows[first].pair];
    family f = {.diff = diff, .pair = pair, .out = out, .n_units = pair->n_base + pair->n_new};
    bool done = reserve(&f, end - first);
    double least = done ? least_value(&f) : 0;
    for (size_t i = first; i < end && done; i++) {
        eti_diff_row *row = &rows->rows[i];
        if (eti__diff_row_is_on_both(row) &&
            (eti__diff_row_unit(row).data != NULL) == out->is_of_cycles)
            take_row(&f, row, least);
    }
    f.out->n = f.given.n;
    if (done && f.given.n > 0) {
        eti__log_values(f.logs, &f.given);
        done = find_levels(&f, &diff->arena);
        if (done && pair->n_base > 1 && pair->n_new > 1)
            done = find_changes(&f, !out->is_of_groups);
        else
            for (size_t i = 0; i < f.given.n && done; i++)
                take_measured(&f, i);
    }
    eti__arena_free(&f.arena);
    return done;
}

/* Compares all events or all groups, which are still in the order of their pairs. */
static bool compare_parts(eti_diff *diff, eti_diff_rows *rows, bool are_events) {
    bool done = true;
    for (size_t first = 0, end; first < rows->n && done; first = end) {
        for (end = first; end < rows->n && rows->rows[end].pair == rows->rows[first].pair;)
            end++;
        eti_diff_pair *pair = &diff->pairs[rows->rows[first].pair];
        eti_family *of_time = are_events ? &pair->events : &pair->groups;
        eti_family *of_cycles = are_events ? &pair->cycles : &pair->cycle_groups;
        *of_time = (eti_family){.is_of_groups = !are_events};
        *of_cycles = (eti_family){.is_of_groups = !are_events, .is_of_cycles = true};
        if (pair->base && pair->new_side)
            done = compare_family(diff, rows, first, end, of_time) &&
                   compare_family(diff, rows, first, end, of_cycles);
    }
    return done;
}

/* Compares a total, whose clock is never too coarse, as measured. */
static bool compare_total(const eti_diff *diff, eti_diff_row *row) {
    const eti_diff_pair *pair = &diff->pairs[row->pair];
    eti_family unused = {.n = 1};
    family f = {.diff = diff, .pair = pair, .out = &unused, .n_units = pair->n_base + pair->n_new};
    row->fast = (double)NAN;
    if (!eti__diff_row_is_on_both(row))
        return true;
    bool done = reserve(&f, 1);
    if (done)
        take_row(&f, row, 0);
    if (f.given.n > 0) {
        eti__log_values(f.logs, &f.given);
        take_measured(&f, 0);
        row->is_compared = pair->n_base > 1 && pair->n_new > 1;
        if (diff->metric == ETI_METRIC_P50 && row->kind == ETI_ENTRY_EXECUTE &&
            eti__diff_row_metric(diff, row, ETI_METRIC_FAST, f.values)) {
            double dependence;
            eti__log_values(f.logs, &f.given);
            row->fast = shift_of(&f, f.logs, &dependence).estimate;
        }
    }
    eti__arena_free(&f.arena);
    return done;
}

/* ---- levels as rows -------------------------------------------------------------------------- */

/* Adds the level of a pair as a row after the totals. */
static void add_level(eti_diff *diff, uint32_t number, const eti_family *of, const char *name) {
    const eti_diff_pair *pair = &diff->pairs[number];
    const double none = (double)NAN;
    if (!of->levels)
        return;
    diff->totals.rows[diff->totals.n++] = (eti_diff_row){
        .pair = number,
        .kind = ETI_ENTRY_EVENT,
        .block = pair->new_side->label,
        .name = eti__text_of(name),
        .is_level = true,
        .metric = diff->options.one_process ? ETI_METRIC_P50 : (uint8_t)diff->metric,
        .family = of,
        .is_measured = true,
        .is_compared = pair->n_base > 1 && pair->n_new > 1,
        .base = {.p50 = none, .location = none, .share = none, .n_events = 1},
        .new_side = {.p50 = none, .location = none, .share = none, .n_events = 1},
        .shift = of->level,
        .judged = of->level,
        .fast = none,
        .ratio = exp(of->level.estimate),
        .delta = none,
        .impact = none,
        .adjusted_p = 1,
    };
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* Returns whether a row belongs to a family. The change of a total that is part of another is known, but gets no
 * verdict. */
static bool is_in_family(const eti_diff_row *row) {
    return eti__diff_row_is_on_both(row) && row->unjudged == ETI_JUDGED;
}

static eti_verdict verdict_without_test(const eti_diff_row *row) {
    if (row->base.n_events == 0)
        return ETI_VERDICT_ADDED;
    return row->new_side.n_events == 0 ? ETI_VERDICT_REMOVED : ETI_VERDICT_UNTESTED;
}

static void take_verdict(eti_diff_row *row, const eti_judged *judged) {
    row->adjusted_p = judged->p;
    row->verdict = judged->verdict;
    row->is_doubtful = judged->is_doubtful;
    if (row->verdict == ETI_VERDICT_UNDECIDED && !row->is_unreadable)
        row->unjudged = ETI_UNJUDGED_FEW_FILES;
}

/* Returns whether a row is the level of events or of groups, of which these are the rows. */
static bool is_level_of(const eti_diff *diff, const eti_diff_row *row, const eti_diff_rows *rows) {
    return row->is_level && rows == (row->family->is_of_groups ? &diff->groups : &diff->events);
}

/* Judges rows and, if they are parts, the level of their families. Returns false if memory runs out. */
static bool judge(eti_diff *diff, eti_diff_rows *rows, double share) {
    const eti_terms terms = {.share = share, .margin = diff->options.margin};
    size_t n = 0, most = rows->n + diff->totals.n;
    eti_arena arena = {0};
    eti_judged *judged = eti__arena_alloc(&arena, most, sizeof *judged);
    eti_diff_row **of = eti__arena_alloc(&arena, most, sizeof(eti_diff_row *));
    bool done = judged && of;
    for (size_t i = 0; i < rows->n && done; i++) {
        eti_diff_row *row = &rows->rows[i];
        row->verdict = (uint8_t)verdict_without_test(row);
        if (is_in_family(row) && !row->is_level)
            of[n++] = row;
    }
    for (size_t i = 0; i < diff->totals.n && done; i++) {
        if (is_level_of(diff, &diff->totals.rows[i], rows))
            of[n++] = &diff->totals.rows[i];
    }
    for (size_t i = 0; i < n; i++)
        judged[i] = (eti_judged){.row = of[i], .limit = diff->options.least_effect};
    done = done && eti__judge(&rows->judgement, diff, &terms, judged, n);
    for (size_t i = 0; i < n && done; i++)
        take_verdict(of[i], &judged[i]);
    eti__arena_free(&arena);
    return done;
}

/* ---- sides that are not alike ---------------------------------------------------------------- */

static bool is_execute(const void *rule, const eti_diff_row *row) {
    (void)rule;
    return row->kind == ETI_ENTRY_EXECUTE;
}

/* Sets rows that passed to undecided if parts of the sides were not compared. Returns false if memory runs out. */
static bool doubt_unlike(eti_diff *diff, eti_diff_rows *rows) {
    eti_judgement *judgement = &rows->judgement;
    bool are_events = rows == &diff->events;
    const eti_compared_rows of = {.diff = diff,
                                  .rows = rows,
                                  .is_about = are_events ? NULL : is_execute,
                                  .compares = true,
                                  .are_parts = are_events,
                                  .have_warm_up = true};
    bool *are_checked = calloc(diff->n_pairs + 1, sizeof *are_checked);
    if (!are_checked)
        return false;
    for (size_t i = 0; i < rows->n; i++) {
        if (is_in_family(&rows->rows[i]))
            are_checked[rows->rows[i].pair] = true;
    }
    bool done = eti__find_unlike(&judgement->unlike, &of, are_checked);
    if (done && judgement->unlike.kind != ETI_ALIKE) {
        judgement->outcome = ETI_OUTCOME_CANNOT_TELL;
        judgement->doubt = ETI_DOUBT_UNLIKE;
    }
    free(are_checked);
    return done;
}

/* Calls doubt_unlike() for the totals or, if these are alike, for the events. */
static bool doubt_all(eti_diff *diff) {
    eti_diff_rows *const all[] = {&diff->totals, &diff->events};
    bool done = true, is_alike = true;
    for (size_t i = 0; i < 2 && done && is_alike; i++) {
        if (all[i]->judgement.outcome != ETI_OUTCOME_NOT_SLOWER)
            continue;
        done = doubt_unlike(diff, all[i]);
        is_alike = all[i]->judgement.unlike.kind == ETI_ALIKE;
    }
    return done;
}

/* ---- coverage -------------------------------------------------------------------------------- */

static void count_row(eti_coverage *coverage, const eti_diff_row *row) {
    if (eti__diff_row_is_on_both(row)) {
        eti__coverage_add(coverage, (eti_unjudged)row->unjudged);
        return;
    }
    coverage->n_events++;
    coverage->n_added += row->verdict == ETI_VERDICT_ADDED;
    coverage->n_removed += row->verdict == ETI_VERDICT_REMOVED;
}

static void count_coverage(eti_diff *diff) {
    double judged = 0, all = 0;
    for (size_t i = 0; i < diff->events.n; i++) {
        const eti_diff_row *row = &diff->events.rows[i];
        count_row(&diff->coverage, row);
        if (is_in_family(row) && !eti__diff_row_unit(row).data)
            judged += row->new_side.typical;
    }
    for (size_t i = 0; i < diff->n_pairs; i++)
        all += diff->pairs[i].typical_new;
    diff->coverage.share = all > 0 ? fmin(1, judged / all) : (double)NAN;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool compare_totals(eti_diff *diff) {
    bool done = true;
    for (size_t i = 0; i < diff->totals.n && done; i++) {
        eti_diff_row *row = &diff->totals.rows[i];
        done = compare_total(diff, row);
        if (row->kind != ETI_ENTRY_EXECUTE && row->unjudged == ETI_JUDGED)
            row->unjudged = ETI_UNJUDGED_PART;
    }
    for (size_t i = 0; i < diff->allocated.n && done; i++)
        done = compare_total(diff, &diff->allocated.rows[i]);
    return done;
}

/* Totals and events share alpha. Groups are sums of events, and are judged like them. Allocations are compared, but have no share of alpha and no
 * verdict, except by a rule of a gate. */
eti_status eti__diff_judge(eti_diff *diff, eti_error *err) {
    const eti_diff_grouping *grouping = eti__find_diff_grouping(diff->options.group);
    double share = diff->options.alpha / 2;
    bool done = compare_totals(diff) && compare_parts(diff, &diff->events, true) &&
                compare_parts(diff, &diff->groups, false);
    for (uint32_t i = 0; i < diff->n_pairs && done; i++) {
        add_level(diff, i, &diff->pairs[i].events, "all events alike");
        add_level(diff, i, &diff->pairs[i].cycles, "all events in cycles alike");
        add_level(diff, i, &diff->pairs[i].groups, grouping ? grouping->alike : NULL);
        add_level(diff, i, &diff->pairs[i].cycle_groups, "all groups in cycles alike");
    }
    done = done && judge(diff, &diff->totals, share) && judge(diff, &diff->events, share) &&
           (!diff->options.group || judge(diff, &diff->groups, share)) && doubt_all(diff);
    if (!done)
        return eti_fail_memory(err);
    count_coverage(diff);
    return ETI_OK;
}
