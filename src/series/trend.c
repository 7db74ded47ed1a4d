#include "series/trend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one series ------------------------------------------------------------------------------ */

#define MORE (1 + 1e-9) /* factor of more than a step, regardless of rounding */

/* A series that is searched for changes. `points` has room for a third of the files, `scratch` for two numbers per
 * file. */
typedef struct search {
    eti_trend_series *series;
    size_t n_files;
    eti_change_point *points;
    size_t n_points;
    double *scratch;
} search;

static size_t begin_of(const search *s, size_t part) {
    return part > 0 ? s->points[part - 1].at : 0;
}

static size_t end_of(const search *s, size_t part) {
    return part < s->n_points ? s->points[part].at : s->n_files;
}

/* Returns the median of the files between two changes; part i is before point i. */
static double median_of_part(const search *s, const double *values, size_t part) {
    size_t begin = begin_of(s, part);
    return eti__median_of(values + begin, end_of(s, part) - begin, s->scratch);
}

/* Removes the smallest change if it is below `least`, a logarithm. Returns false if no change is that small. */
static bool join_closest(search *s, double least) {
    size_t closest = s->n_points;
    for (size_t i = 0; i < s->n_points; i++) {
        double size = fabs(median_of_part(s, s->series->of->logs, i + 1) -
                           median_of_part(s, s->series->of->logs, i));
        if (size < least) {
            least = size;
            closest = i;
        }
    }
    if (closest == s->n_points)
        return false;
    s->n_points--;
    memmove(&s->points[closest], &s->points[closest + 1],
            (s->n_points - closest) * sizeof *s->points);
    return true;
}

/* Computes the values as if all files had the same level, in the target scale. */
static void level_values(const eti_side *side, const search *s, double *out) {
    const double *levels = s->series->of->block->family.levels;
    bool is_event = s->series->of->entry->kind >= ETI_N_TOTALS;
    for (size_t i = 0; i < s->n_files; i++) {
        double level = is_event && levels ? exp(levels[i]) : 1;
        out[i] = s->series->of->values[i] / level / side->profile->factor;
    }
}

/* Stores the changes that were found. `values` come from level_values(). */
static void set_changes(const search *s, const double *values) {
    eti_trend_series *out = s->series;
    out->n_changes = s->n_points;
    out->first = median_of_part(s, values, 0);
    out->last = median_of_part(s, values, s->n_points);
    for (size_t i = 0; i < s->n_points; i++)
        out->changes[i] = (eti_trend_change){s->points[i].at, median_of_part(s, values, i),
                                             median_of_part(s, values, i + 1), s->points[i].p};
    double usual = eti__median_of(values, s->n_files, s->scratch);
    for (size_t i = 0; i < s->n_files; i++)
        out->relative[i] = values[i] / usual;
}

/* Returns false if memory runs out. */
static bool search_series(const eti_trend *trend, search *s) {
    const eti_side_row *of = s->series->of;
    double alpha = of->entry->kind < ETI_N_TOTALS ? trend->total_alpha : trend->event_alpha;
    double step = of->step / eti__median_of(of->values, s->n_files, s->scratch);
    double least = fmax(log1p(trend->options.diff.least_effect), log1p(step) * MORE);
    double *values = s->scratch + s->n_files;
    if (eti__find_change_points(s->points, &s->n_points, of->logs, s->n_files, alpha,
                                trend->options.seed, NULL) != ETI_OK)
        return false;
    while (join_closest(s, least))
        ;
    level_values(&trend->side, s, values);
    set_changes(s, values);
    return true;
}

/* ---- all series ------------------------------------------------------------------------------ */

typedef struct work {
    const eti_trend *trend;
    size_t n_tasks;
    bool only_divided;            /* searches the events of divided blocks only */
    bool failed[ETI_MAX_THREADS]; /* per task: memory ran out */
} work;

static eti_trend_series *series_at(const eti_trend *trend, size_t i) {
    size_t n_totals = trend->side.totals.n;
    return i < n_totals ? &trend->totals[i] : &trend->events[i - n_totals];
}

static bool must_search(const work *w, const eti_side_row *of) {
    bool is_divided = of->entry->kind >= ETI_N_TOTALS && of->block->family.is_divided;
    return of->unjudged == ETI_JUDGED && (is_divided || !w->only_divided);
}

/* Searches every n_tasks-th series, because changed series take the most time and are often adjacent. */
static void search_some(void *context, size_t number) {
    work *w = context;
    const eti_trend *trend = w->trend;
    size_t most = trend->side.n_files, n_series = trend->side.totals.n + trend->side.events.n;
    search s = {
        .points = malloc((most / 3 + 1) * sizeof *s.points),
        .scratch = malloc((2 * most + 1) * sizeof *s.scratch),
    };
    bool done = s.points && s.scratch;
    for (size_t i = number; i < n_series && done; i += w->n_tasks) {
        s.series = series_at(trend, i);
        s.n_files = s.series->of->block->block->n_files;
        if (must_search(w, s.series->of))
            done = search_series(trend, &s);
    }
    w->failed[number] = !done;
    free(s.points);
    free(s.scratch);
}

static eti_status search_all(const eti_trend *trend, bool only_divided, eti_error *err) {
    size_t n_series = trend->side.totals.n_judged + trend->side.events.n_judged;
    work w = {.trend = trend,
              .n_tasks = eti__thread_count(trend->options.n_threads),
              .only_divided = only_divided};
    w.n_tasks = n_series < w.n_tasks ? n_series : w.n_tasks;
    eti__parallel(w.n_tasks, search_some, &w);
    for (size_t i = 0; i < w.n_tasks; i++) {
        if (w.failed[i])
            return eti_fail_memory(err);
    }
    return ETI_OK;
}

/* ---- levels between changes ------------------------------------------------------------------ */

#define FEWEST_OF_PART (ETI_E_DIVISIVE_FEWEST / 2)

/* A change of an event that is relative to a level. */
typedef struct event_change {
    size_t block, at; /* index of the block; number of its file */
} event_change;

static int compare_blocks(const void *a, const void *b) {
    const event_change *x = a, *y = b;
    return (x->block > y->block) - (x->block < y->block);
}

/* Returns all changes of events that are relative to a level, block by block; NULL if memory runs out. Free them. */
static event_change *list_changes(const eti_trend *trend, size_t *n) {
    const eti_side *side = &trend->side;
    size_t most = 1;
    for (size_t i = 0; i < side->events.n; i++)
        most += trend->events[i].n_changes;
    event_change *changes = malloc(most * sizeof *changes);
    *n = 0;
    for (size_t i = 0; i < side->events.n && changes; i++) {
        const eti_trend_series *series = &trend->events[i];
        const eti_side_block *block = series->of->block;
        for (size_t k = 0; k < series->n_changes && block->family.levels; k++)
            changes[(*n)++] = (event_change){(size_t)(block - side->blocks), series->changes[k].at};
    }
    if (changes)
        qsort(changes, *n, sizeof *changes, compare_blocks);
    return changes;
}

/* Counts, per file, the first of these events that are of the same block. Returns how many these are. */
static size_t count_changes(const event_change *changes, size_t n, size_t *counts, size_t n_files) {
    size_t n_own = 0;
    memset(counts, 0, n_files * sizeof *counts);
    for (; n_own < n && changes[n_own].block == changes[0].block; n_own++)
        counts[changes[n_own].at]++;
    return n_own;
}

/* Returns the file at which most events change, the first of several; n if no event changes. */
static size_t find_most(const size_t *counts, size_t n) {
    size_t most = n;
    for (size_t i = 0; i < n; i++) {
        if (counts[i] > (most < n ? counts[most] : 0))
            most = i;
    }
    return most;
}

/* Fills the ends of the parts between files at which events change; of places so close that a part would have fewer
 * files than FEWEST_OF_PART, the one with most events counts. Clears `counts`. Returns the number of parts. */
static size_t choose_parts(size_t *counts, size_t n, size_t *ends) {
    size_t n_parts = 0;
    for (size_t at; (at = find_most(counts, n)) < n;) {
        for (size_t i = 0; i < n; i++) {
            if (i + FEWEST_OF_PART > at && i < at + FEWEST_OF_PART)
                counts[i] = 0;
        }
        if (at < FEWEST_OF_PART || at + FEWEST_OF_PART > n)
            continue;
        size_t place = n_parts++;
        for (; place > 0 && ends[place - 1] > at; place--)
            ends[place] = ends[place - 1];
        ends[place] = at;
    }
    ends[n_parts++] = n;
    return n_parts;
}

/* Divides the blocks where events change, as eti__side_divide() explains. Sets `*is_divided` if there are any. Returns
 * false if memory runs out. */
static bool divide(eti_trend *trend, bool *is_divided) {
    size_t *counts = malloc((trend->side.n_files + 1) * sizeof *counts);
    size_t *ends = malloc((trend->side.n_files + 1) * sizeof *ends);
    size_t n_changes, n_own;
    event_change *changes = list_changes(trend, &n_changes);
    bool done = counts && ends && changes;
    for (size_t i = 0; i < n_changes && done; i += n_own) {
        eti_side_block *block = &trend->side.blocks[changes[i].block];
        size_t n_files = block->block->n_files;
        n_own = count_changes(changes + i, n_changes - i, counts, n_files);
        size_t n_parts = choose_parts(counts, n_files, ends);
        if (n_parts < 2)
            continue;
        done = eti__side_divide(&trend->side, block, ends, n_parts);
        *is_divided = true;
    }
    free(counts);
    free(ends);
    free(changes);
    return done;
}

/* Searches all series; those of blocks where events change a second time, with the levels between the changes: with
 * levels over all files, the other events would seem to change the other way. */
static eti_status search_twice(eti_trend *trend, eti_error *err) {
    bool is_divided = false;
    ETI_TRY(search_all(trend, false, err));
    if (!divide(trend, &is_divided))
        return eti_fail_memory(err);
    return is_divided ? search_all(trend, true, err) : ETI_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool make_series(eti_trend *trend, const eti_side_row *of, eti_trend_series *out) {
    *out = (eti_trend_series){.of = of, .first = (double)NAN, .last = (double)NAN};
    if (of->unjudged != ETI_JUDGED)
        return true;
    size_t n_files = of->block->block->n_files;
    out->relative = eti__arena_alloc(&trend->arena, n_files, sizeof *out->relative);
    out->changes = eti__arena_alloc(&trend->arena, n_files / 3 + 1, sizeof *out->changes);
    return out->relative && out->changes;
}

static bool list_series(eti_trend *trend, const eti_side_rows *rows, eti_trend_series **out) {
    *out = eti__arena_alloc(&trend->arena, rows->n + 1, sizeof **out);
    bool done = *out;
    for (size_t i = 0; i < rows->n && done; i++)
        done = make_series(trend, rows->rows[i], &(*out)[i]);
    return done;
}

/* Moves changed events to the front; the others keep their order. Returns false if memory runs out. */
static bool move_changed(eti_trend *trend) {
    size_t n = trend->side.events.n, n_moved = 0;
    eti_trend_series *moved = eti__arena_alloc(&trend->arena, n + 1, sizeof *moved);
    if (!moved)
        return false;
    for (int is_changed = 1; is_changed >= 0; is_changed--) {
        for (size_t i = 0; i < n; i++) {
            if ((trend->events[i].n_changes > 0) == is_changed)
                moved[n_moved++] = trend->events[i];
        }
        if (is_changed)
            trend->n_changed = n_moved;
    }
    trend->events = moved;
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static double share_alpha(double alpha, size_t n) {
    return alpha / 2 / (double)(n > 0 ? n : 1);
}

size_t eti__trend_fewest_files(double alpha) {
    return eti__fewest_values(alpha);
}

static eti_status check_files(const eti_side *side, eti_error *err) {
    if (side->n_files < ETI_E_DIVISIVE_FEWEST)
        return eti_fail(
            err, ETI_ERROR_TOO_FEW,
            "%.*s: %zu file%s of one program: a trend needs %zu, in chronological order",
            ETI_TEXT_ARGS(side->profile->name), side->n_files, side->n_files == 1 ? "" : "s",
            eti__trend_fewest_files(share_alpha(side->options.alpha, 1)));
    if (side->n_files > ETI_E_DIVISIVE_MOST)
        return eti_fail(err, ETI_ERROR_LIMIT, "%.*s: %zu files: a trend has at most %zu",
                        ETI_TEXT_ARGS(side->profile->name), side->n_files, ETI_E_DIVISIVE_MOST);
    return ETI_OK;
}

/* Returns the largest number of files of a judged row; 0 if none is judged. */
static size_t find_most_files(const eti_side_rows *rows) {
    size_t most = 0;
    for (size_t i = 0; i < rows->n; i++) {
        size_t n = rows->rows[i]->block->block->n_files;
        if (rows->rows[i]->unjudged == ETI_JUDGED && n > most)
            most = n;
    }
    return most;
}

eti_status eti__trend_check_files(const eti_trend *trend, eti_error *err) {
    const eti_side *side = &trend->side;
    size_t of_totals = find_most_files(&side->totals), of_events = find_most_files(&side->events);
    bool are_totals = of_totals > 0;
    double alpha = are_totals ? trend->total_alpha : trend->event_alpha;
    if (of_totals + of_events == 0)
        return eti_fail(err, ETI_ERROR_TOO_FEW,
                        "%.*s: no total or event has a time above 0 in all files",
                        ETI_TEXT_ARGS(side->profile->name));
    if (of_totals >= eti__trend_fewest_files(trend->total_alpha) ||
        of_events >= eti__trend_fewest_files(trend->event_alpha))
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_TOO_FEW,
                    "%.*s: %zu files are not enough to tell a change from chance: a trend needs "
                    "%zu, in chronological order",
                    ETI_TEXT_ARGS(side->profile->name), are_totals ? of_totals : of_events,
                    eti__trend_fewest_files(alpha));
}

eti_status eti__trend_make(eti_trend *out, const eti_profile *profile,
                           const eti_trend_options *options, eti_error *err) {
    static const eti_trend_options defaults = ETI_TREND_OPTIONS_DEFAULT;
    *out = (eti_trend){.options = options ? *options : defaults};
    eti_side *side = &out->side;
    ETI_TRY(eti__side_make(side, profile, &out->options.diff, ETI_E_DIVISIVE_FEWEST, err));
    ETI_TRY(check_files(side, err));
    out->names_blocks =
        eti__side_rows_name_blocks(&side->totals) || eti__side_rows_name_blocks(&side->events);
    out->total_alpha = share_alpha(side->options.alpha, side->totals.n_judged);
    out->event_alpha = share_alpha(side->options.alpha, side->events.n_judged);
    if (!list_series(out, &side->totals, &out->totals) ||
        !list_series(out, &side->events, &out->events))
        return eti_fail_memory(err);
    ETI_TRY(search_twice(out, err));
    return move_changed(out) ? ETI_OK : eti_fail_memory(err);
}

void eti__trend_free(eti_trend *trend) {
    eti__side_free(&trend->side);
    eti__arena_free(&trend->arena);
    *trend = (eti_trend){0};
}
