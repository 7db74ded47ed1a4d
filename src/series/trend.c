#include "series/parts.h"

#include "base/csv.h"
#include "base/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== trend =================================================================================== */

/* ---- one series ------------------------------------------------------------------------------ */

#define MORE (1 + 1e-9) /* factor of more than a step, regardless of rounding */

/* A series that is searched for changes. `points` has room for a third of the units, `scratch` for two numbers per
 * unit. */
typedef struct search {
    eti_trend_series *series;
    size_t n_units;
    eti_change_point *points;
    size_t n_points;
    double *scratch;
} search;

/* Returns the median of the units between two changes; part i is before point i. */
static double median_of_part(const search *s, const double *values, size_t part) {
    size_t begin = part > 0 ? s->points[part - 1].at : 0;
    size_t end = part < s->n_points ? s->points[part].at : s->n_units;
    return eti__median_of(values + begin, end - begin, s->scratch);
}

static bool is_total(const eti_side_row *row) {
    return row->entry->kind < ETI_N_TOTALS;
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
static void level_values(const search *s, double *out) {
    const eti_side_row *of = s->series->of;
    bool has_level = !is_total(of) && of->family->levels;
    for (size_t i = 0; i < s->n_units; i++) {
        double value = has_level ? exp(of->logs[i]) - of->step / 2 : of->values[i];
        out[i] = value / of->factor;
    }
}

/* Stores the changes that were found. `values` come from level_values(). */
static void set_changes(const search *s, const double *values) {
    eti_trend_series *out = s->series;
    out->n_changes = s->n_points;
    out->first = median_of_part(s, values, 0);
    out->last = median_of_part(s, values, s->n_points);
    for (size_t i = 0; i < s->n_points; i++)
        out->changes[i] = (eti_trend_change){.at = s->points[i].at,
                                             .before = median_of_part(s, values, i),
                                             .after = median_of_part(s, values, i + 1),
                                             .p = s->points[i].p};
    double usual = eti__median_of(values, s->n_units, s->scratch);
    for (size_t i = 0; i < s->n_units; i++)
        out->relative[i] = values[i] / usual;
}

/* Returns false if memory runs out. */
static bool search_series(const eti_trend *trend, search *s) {
    const eti_side_row *of = s->series->of;
    double alpha = is_total(of) ? trend->total_alpha : trend->event_alpha;
    double step = of->step / eti__median_of(of->values, s->n_units, s->scratch);
    double least = fmax(log1p(trend->options.diff.least_effect), log1p(step) * MORE);
    double *values = s->scratch + s->n_units;
    if (eti__find_change_points(s->points, &s->n_points, of->logs, s->n_units, alpha,
                                trend->options.seed, NULL) != ETI_OK)
        return false;
    while (join_closest(s, least))
        ;
    level_values(s, values);
    set_changes(s, values);
    return true;
}

/* ---- all series ------------------------------------------------------------------------------ */

typedef struct work {
    const eti_trend *trend;
    size_t n_tasks;
    bool failed[ETI_MAX_THREADS]; /* per task: memory ran out */
} work;

static size_t count_series(const eti_trend *trend) {
    return trend->side.totals.n + trend->side.events.n;
}

static eti_trend_series *series_at(const eti_trend *trend, size_t i) {
    size_t n_totals = trend->side.totals.n;
    return i < n_totals ? &trend->totals[i] : &trend->events[i - n_totals];
}

/* Searches every n_tasks-th series, because changed series take the most time and are often adjacent. */
static void search_some(void *context, size_t number) {
    work *w = context;
    const eti_trend *trend = w->trend;
    size_t most = trend->side.n_units, n_series = count_series(trend);
    search s = {
        .points = malloc((most / 3 + 1) * sizeof *s.points),
        .scratch = malloc((2 * most + 1) * sizeof *s.scratch),
    };
    bool done = s.points && s.scratch;
    for (size_t i = number; i < n_series && done; i += w->n_tasks) {
        s.series = series_at(trend, i);
        s.n_units = s.series->of->block->n_units;
        if (s.series->of->unjudged == ETI_JUDGED)
            done = search_series(trend, &s);
    }
    w->failed[number] = !done;
    free(s.points);
    free(s.scratch);
}

static eti_status search_all(const eti_trend *trend, eti_error *err) {
    size_t n_series = trend->side.totals.n_judged + trend->side.events.n_judged;
    work w = {.trend = trend, .n_tasks = eti__thread_count(trend->options.n_threads)};
    w.n_tasks = n_series < w.n_tasks ? n_series : w.n_tasks;
    eti__parallel(w.n_tasks, search_some, &w);
    for (size_t i = 0; i < w.n_tasks; i++) {
        if (w.failed[i])
            return eti_fail_memory(err);
    }
    return ETI_OK;
}

/* ---- known changes --------------------------------------------------------------------------- */

#define MOST_KNOWN 10000

/* Columns of a list. */
enum { PATTERN, REASON, COMMIT, N_KNOWN_COLUMNS };

typedef struct known_changes {
    eti_text (*entries)[N_KNOWN_COLUMNS];
    size_t n, capacity;
} known_changes;

/* Takes a row; one without a commit is an exception for gates alone. */
static eti_status take_known(const eti_csv_table *table, const eti_text *fields, eti_text origin) {
    known_changes *known = table->out;
    (void)origin;
    if (!fields[COMMIT].data)
        return ETI_OK;
    if (!ETI_GROW(known->entries, known->capacity, known->n + 1))
        return eti_fail_memory(table->err);
    memcpy(known->entries[known->n++], fields, sizeof *known->entries);
    return ETI_OK;
}

static eti_status read_known(eti_trend *trend, known_changes *out, eti_error *err) {
    static const char *const columns[] = {
        [PATTERN] = "pattern", [REASON] = "reason", [COMMIT] = "commit"};
    for (size_t i = 0; i < trend->options.n_allowed; i++) {
        eti_csv_table table = {.columns = columns,
                               .n_columns = N_KNOWN_COLUMNS,
                               .n_required = N_KNOWN_COLUMNS,
                               .may_be_empty[COMMIT] = true,
                               .max_size = (size_t)1 << 20,
                               .max_rows = MOST_KNOWN,
                               .take = take_known,
                               .out = out,
                               .arena = &trend->arena,
                               .err = err};
        ETI_TRY(eti__csv_table_read(&table, &trend->options.allowed[i]));
    }
    return ETI_OK;
}

/* Returns the first file of push i of a block. */
static const eti_profile_file *file_of(const eti_profile *profile, const eti_side_block *of,
                                       size_t i) {
    return &profile->files[of->block->files[i > 0 ? of->ends[i - 1] : 0].file];
}

/* Returns whether a change happened at this commit, which may be abbreviated: at its push or, since noise can move a
 * change by one, at one beside it. */
static bool is_at(const eti_profile *profile, const eti_side_block *of, size_t at,
                  eti_text commit) {
    for (size_t i = at - 1; i < of->n_units && i <= at + 1; i++) {
        const eti_profile_file *file = file_of(profile, of, i);
        const eti_label *label = eti__find_label(file->labels, file->n_labels, "commit");
        if (label && strlen(label->value) >= commit.size &&
            memcmp(label->value, commit.data, commit.size) == 0)
            return true;
    }
    return false;
}

static void mark_known(const eti_trend *trend, const known_changes *known, eti_trend_series *s) {
    const eti_entry *entry = s->of->entry;
    s->n_new = s->n_changes;
    for (size_t i = 0; i < s->n_changes; i++) {
        for (size_t k = 0; k < known->n && !s->changes[i].known.data; k++) {
            const eti_text *of = known->entries[k];
            if ((eti__glob_match(of[PATTERN], entry->name) ||
                 eti__glob_match(of[PATTERN], entry->op)) &&
                is_at(trend->side.profile, s->of->block, s->changes[i].at, of[COMMIT]))
                s->changes[i].known = of[REASON];
        }
        s->n_new -= s->changes[i].known.data != NULL;
    }
}

static eti_status mark_all_known(eti_trend *trend, eti_error *err) {
    known_changes known = {.n = 0};
    eti_status status = read_known(trend, &known, err);
    for (size_t i = 0; i < count_series(trend); i++)
        mark_known(trend, &known, series_at(trend, i));
    free(known.entries);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool make_series(eti_trend *trend, const eti_side_row *of, eti_trend_series *out) {
    *out = (eti_trend_series){.of = of, .first = (double)NAN, .last = (double)NAN};
    if (of->unjudged != ETI_JUDGED)
        return true;
    size_t n_units = of->block->n_units;
    out->relative = eti__arena_alloc(&trend->arena, n_units, sizeof *out->relative);
    out->changes = eti__arena_alloc(&trend->arena, n_units / 3 + 1, sizeof *out->changes);
    return out->relative && out->changes;
}

static bool list_series(eti_trend *trend, const eti_side_rows *rows, eti_trend_series **out) {
    *out = eti__arena_alloc(&trend->arena, rows->n + 1, sizeof **out);
    bool done = *out;
    for (size_t i = 0; i < rows->n && done; i++)
        done = make_series(trend, rows->rows[i], &(*out)[i]);
    return done;
}

/* Moves events with new changes to the front; the others keep their order. Returns false if memory runs out. */
static bool move_changed(eti_trend *trend) {
    size_t n = trend->side.events.n, n_moved = 0;
    eti_trend_series *moved = eti__arena_alloc(&trend->arena, n + 1, sizeof *moved);
    if (!moved)
        return false;
    for (int is_changed = 1; is_changed >= 0; is_changed--) {
        for (size_t i = 0; i < n; i++) {
            if ((trend->events[i].n_new > 0) == is_changed)
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

static eti_status check_units(const eti_side *side, eti_error *err) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a side has a profile */
    eti_text name = side->profile->name;
    if (side->n_units < ETI_E_DIVISIVE_FEWEST)
        return eti_fail(
            err, ETI_ERROR_TOO_FEW,
            "%.*s: a trend needs %zu %s of one program, in chronological order; found %zu",
            ETI_TEXT_ARGS(name), eti__fewest_values(share_alpha(side->options.alpha, 1)),
            side->units, side->n_units);
    if (side->n_units > ETI_E_DIVISIVE_MOST)
        return eti_fail(err, ETI_ERROR_LIMIT, "%.*s: %zu %s: a trend has at most %zu",
                        ETI_TEXT_ARGS(name), side->n_units, side->units, ETI_E_DIVISIVE_MOST);
    return ETI_OK;
}

/* Returns the largest number of pushes of a judged row; 0 if none is judged. */
static size_t find_most_units(const eti_side_rows *rows) {
    size_t most = 0;
    for (size_t i = 0; i < rows->n; i++) {
        size_t n = rows->rows[i]->block->n_units;
        if (rows->rows[i]->unjudged == ETI_JUDGED && n > most)
            most = n;
    }
    return most;
}

/* Checks that a change could have been detected in a total or an event. Fails with ETI_ERROR_TOO_FEW if there are too few
 * files, or if nothing is judged. */
static eti_status check_trend_units(const eti_trend *trend, eti_error *err) {
    const eti_side *side = &trend->side;
    size_t of_totals = find_most_units(&side->totals), of_events = find_most_units(&side->events);
    bool are_totals = of_totals > 0;
    double alpha = are_totals ? trend->total_alpha : trend->event_alpha;
    if (of_totals + of_events == 0)
        return eti_fail(err, ETI_ERROR_TOO_FEW,
                        "%.*s: no total or event has a time above 0 in all files",
                        ETI_TEXT_ARGS(side->profile->name));
    if (of_totals >= eti__fewest_values(trend->total_alpha) ||
        of_events >= eti__fewest_values(trend->event_alpha))
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_TOO_FEW,
                    "%.*s: %zu %s are not enough to tell a change from chance: a trend needs "
                    "%zu, in chronological order",
                    ETI_TEXT_ARGS(side->profile->name), are_totals ? of_totals : of_events,
                    side->units, eti__fewest_values(alpha));
}

eti_status eti__trend_make(eti_trend *out, const eti_profile *profile,
                           const eti_trend_options *options, eti_error *err) {
    static const eti_trend_options defaults = ETI_TREND_OPTIONS_DEFAULT;
    *out = (eti_trend){.options = options ? *options : defaults};
    eti_side *side = &out->side;
    ETI_TRY(eti__side_make(side, profile, &out->options.diff, out->options.by,
                           ETI_E_DIVISIVE_FEWEST, err));
    ETI_TRY(check_units(side, err));
    out->names_blocks =
        eti__side_rows_name_blocks(&side->totals) || eti__side_rows_name_blocks(&side->events);
    out->total_alpha = share_alpha(side->options.alpha, side->totals.n_judged);
    out->event_alpha = share_alpha(side->options.alpha, side->events.n_judged);
    if (!list_series(out, &side->totals, &out->totals) ||
        !list_series(out, &side->events, &out->events))
        return eti_fail_memory(err);
    ETI_TRY(search_all(out, err));
    ETI_TRY(mark_all_known(out, err));
    return move_changed(out) ? ETI_OK : eti_fail_memory(err);
}

void eti__trend_free(eti_trend *trend) {
    eti__side_free(&trend->side);
    eti__arena_free(&trend->arena);
    *trend = (eti_trend){0};
}

/* ==== trend report ============================================================================ */
/* Turns a trend into tables and the sentence above them. */

/* A trend that the report owns, with the rows of its tables. */
typedef struct kept_trend {
    eti_trend trend;
    struct changed_row *changes; /* new changes of totals, then of events; then known ones */
    struct push_row *pushes;     /* rows of each series, in order */
    size_t n_changes, n_new, n_pushes;
} kept_trend;

/* A series at one of its changes. */
typedef struct changed_row {
    eti_side_ref of; /* that of the series */
    const eti_trend_series *series;
    const eti_trend_change *change;
    const eti_profile_file *file; /* first file of the push after the change */
    eti_text label;               /* commit and date of the file; absent if it has none */
    double p;                     /* adjusted */
} changed_row;

/* A series in one push. */
typedef struct push_row {
    eti_side_ref of; /* that of the series */
    const eti_trend_series *series;
    const eti_profile *profile;
    size_t i; /* index of the push in the block */
} push_row;

static void drop_trend(void *object) {
    kept_trend *kept = object;
    eti__trend_free(&kept->trend);
    free(kept);
}

/* ---- series ---------------------------------------------------------------------------------- */

ETI_SIDE_SETTERS
ETI_TIME_AND_VALUE(eti_trend_series, first, row->of, row->first)
ETI_TIME_AND_VALUE(eti_trend_series, last, row->of, row->last)
ETI_CELL_SETTER_IF(eti_trend_series, time, eti__entry_is_time(row->of->entry),
                   eti__number_or_none(row->of->location))
ETI_CELL_SETTER(eti_trend_series, n_pushes, eti__count_cell(row->of->block->n_units))
ETI_CELL_SETTER_IF(eti_trend_series, n_changes, row->relative, eti__count_cell(row->n_changes))
ETI_CELL_SETTER_IF(eti_trend_series, change, row->n_changes > 0,
                   eti__number_or_none(row->last / row->first - 1))
ETI_CELL_SETTER_IF(eti_trend_series, series, row->relative,
                   eti__list_cell(ETI_CELL_DOUBLES, row->relative, row->of->block->n_units))

static const eti_column_spec series_specs[] = {
    {"block", ETI_TEXTS, true, "EventBlock", set_block},
    {"event_name", ETI_TEXTS, false, "name of the event", set_name},
    {"change", ETI_CHANGES, false, "last / first - 1; empty if nothing changed", set_change},
    {"series", ETI_SERIES, false,
     "one number per push: its time relative to the median of all pushes", set_series},
    {"first", ETI_TIMES, false, "median of the pushes before the first change", set_first},
    {"last", ETI_TIMES, false, "median of the pushes after the last change", set_last},
    {"first_value", ETI_VALUES, true,
     "the same as first, of an event that counts something else than time", set_first_value},
    {"last_value", ETI_VALUES, true, "the same as last", set_last_value},
    {"unit", ETI_TEXTS, true, "unit of `first_value` and `last_value`, such as cycles", set_unit},
    {"changes", ETI_COUNTS, false, "number of changes", set_n_changes},
    {"time", ETI_TIMES, true, "median of all files, as measured", set_time},
    {"share", ETI_SHARES, true, "share of the total", set_share},
    {"pushes", ETI_COUNTS, true, "number of pushes", set_n_pushes},
    {"files", ETI_COUNTS, true, "number of files", set_files},
    {"kind", ETI_TEXTS, true, "kernel, delegated, delegate_call or instruction", set_kind},
    {"op", ETI_TEXTS, true, "operators", set_op},
    {"module", ETI_TEXTS, true, "innermost module common to all its nodes", set_module},
};

/* ---- changes --------------------------------------------------------------------------------- */

#define CHANGED_CELL(name, value) ETI_CELL_SETTER(changed_row, changed_##name, value)

CHANGED_CELL(file, eti__text_or_none(row->file->shown))
CHANGED_CELL(label, eti__text_or_none(row->label))
CHANGED_CELL(number, eti__count_cell(row->change->at))
ETI_TIME_AND_VALUE(changed_row, changed_before, row->of, row->change->before)
ETI_TIME_AND_VALUE(changed_row, changed_after, row->of, row->change->after)
CHANGED_CELL(change, eti__number_or_none(row->change->after / row->change->before - 1))
CHANGED_CELL(p, eti__number_or_none(row->p))
CHANGED_CELL(known, eti__text_or_none(row->change->known))

static const eti_column_spec changed_specs[] = {
    {"block", ETI_TEXTS, true, "EventBlock", set_block},
    {"event_name", ETI_TEXTS, false, "name of the total or event", set_name},
    {"change", ETI_CHANGES, false, "after / before - 1", set_changed_change},
    {"file", ETI_TEXTS, false, "first file of the push after the change", set_changed_file},
    {"label", ETI_TEXTS, false, "commit and date of that file", set_changed_label},
    {"number", ETI_COUNTS, false, "number of pushes before the change", set_changed_number},
    {"before", ETI_TIMES, false, "median of the pushes since the previous change",
     set_changed_before},
    {"after", ETI_TIMES, false, "median of the pushes until the next change", set_changed_after},
    {"before_value", ETI_VALUES, true,
     "the same as before, of an event that counts something else than time",
     set_changed_before_value},
    {"after_value", ETI_VALUES, true, "the same as after", set_changed_after_value},
    {"unit", ETI_TEXTS, true, "unit of `before_value` and `after_value`, such as cycles", set_unit},
    {"p", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
     "p-value of a permutation test, adjusted for the number of events by Bonferroni's method",
     set_changed_p},
    {"known", ETI_TEXTS, true, "reason, if the change is known", set_changed_known},
    {"kind", ETI_TEXTS, true, "execute, kernel, delegated, delegate_call or instruction", set_kind},
    {"op", ETI_TEXTS, true, "operators", set_op},
    {"module", ETI_TEXTS, true, "innermost module common to all its nodes", set_module},
};

/* ---- pushes ---------------------------------------------------------------------------------- */

#define PUSH_CELL(name, value) ETI_CELL_SETTER(push_row, push_##name, value)

static uint64_t count_files(const push_row *row) {
    const eti_side_block *of = row->of->block;
    return of->ends[row->i] - (row->i > 0 ? of->ends[row->i - 1] : 0);
}

PUSH_CELL(name, eti__text_or_none(file_of(row->profile, row->of->block, row->i)->shown))
PUSH_CELL(number, eti__count_cell(row->i))
PUSH_CELL(files, eti__count_cell(count_files(row)))
ETI_TIME_AND_VALUE(push_row, push_time, row->of, row->of->values[row->i] / row->of->factor)
ETI_CELL_SETTER_IF(push_row, push_relative, row->series->relative,
                   eti__number_or_none(row->series->relative[row->i]))

static const eti_column_spec push_specs[] = {
    {"block", ETI_TEXTS, true, "EventBlock", set_block},
    {"event_name", ETI_TEXTS, false, "name of the total or event", set_name},
    {"kind", ETI_TEXTS, false, "execute, kernel, delegated, delegate_call or instruction",
     set_kind},
    {"number", ETI_COUNTS, false, "number of the push", set_push_number},
    {"file", ETI_TEXTS, false, "name of its first file", set_push_name},
    {"files", ETI_COUNTS, false, "number of its files", set_push_files},
    {"time", ETI_TIMES, false, "self time as measured: median of its files", set_push_time},
    {"value", ETI_VALUES, true, "the same of an event that counts something else than time",
     set_push_time_value},
    {"unit", ETI_TEXTS, true, "unit of `value`, such as cycles", set_unit},
    {"relative", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
     "time relative to the median of all pushes; for events, as if all files had the same level",
     set_push_relative},
};

/* ---- rows ------------------------------------------------------------------------------------ */

/* Sets the label to the commit and the date of a file, if it has them, such as "1a2b3c4, 2026-11-22". Returns false
 * if memory runs out. */
static bool set_label(eti_arena *arena, const eti_profile_file *file, eti_text *out) {
    static const char *const keys[] = {"commit", "date"};
    eti_buffer text = {0};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const eti_label *label = eti__find_label(file->labels, file->n_labels, keys[i]);
        if (!label)
            continue;
        eti__buffer_add_string(&text, text.size > 0 ? ", " : "");
        eti__buffer_add_string(&text, label->value);
    }
    bool done = !text.failed &&
                (text.size == 0 || eti__arena_own_text(arena, eti__buffer_text(&text), out));
    eti__buffer_free(&text);
    return done;
}

static bool add_changes(kept_trend *kept, const eti_trend_series *series, bool are_known) {
    const eti_side *side = &kept->trend.side;
    size_t n_tests = is_total(series->of) ? side->totals.n_judged : side->events.n_judged;
    bool done = true;
    for (size_t i = 0; i < series->n_changes && done; i++) {
        const eti_trend_change *change = &series->changes[i];
        if ((change->known.data != NULL) != are_known)
            continue;
        changed_row *row = &kept->changes[kept->n_changes++];
        *row = (changed_row){.of = series->of,
                             .series = series,
                             .change = change,
                             .file = file_of(side->profile, series->of->block, change->at),
                             .p = fmin(1, change->p * (double)n_tests)};
        done = set_label(&kept->trend.arena, row->file, &row->label);
    }
    return done;
}

static eti_status list_rows(kept_trend *kept, eti_error *err) {
    eti_trend *trend = &kept->trend;
    size_t n_changes = 0, n_pushes = 0, n = count_series(trend);
    for (size_t i = 0; i < n; i++) {
        n_changes += series_at(trend, i)->n_changes;
        n_pushes += series_at(trend, i)->of->block->n_units;
    }
    kept->changes = eti__arena_alloc(&trend->arena, n_changes + 1, sizeof *kept->changes);
    kept->pushes = eti__arena_alloc(&trend->arena, n_pushes + 1, sizeof *kept->pushes);
    if (!kept->changes || !kept->pushes)
        return eti_fail_memory(err);
    for (int are_known = 0; are_known < 2; are_known++) {
        for (size_t i = 0; i < n; i++) {
            if (!add_changes(kept, series_at(trend, i), are_known))
                return eti_fail_memory(err);
        }
        kept->n_new = are_known ? kept->n_new : kept->n_changes;
    }
    for (size_t i = 0; i < n; i++) {
        const eti_trend_series *series = series_at(trend, i);
        for (size_t k = 0; k < series->of->block->n_units; k++)
            kept->pushes[kept->n_pushes++] = (push_row){series->of, series, trend->side.profile, k};
    }
    return ETI_OK;
}

/* ---- words ----------------------------------------------------------------------------------- */

#define MOST_NAMED 3 /* number of changes of the total, and of events, that a sentence names */

/* Appends "12.0 % slower at run17.etdp (after 16 of 40 pushes)". */
static void add_change(eti_buffer *out, const changed_row *row, const char *units) {
    double change = row->change->after / row->change->before - 1;
    eti__add_share(out, fabs(change));
    eti__buffer_add_string(out, change > 0 ? " slower at " : " faster at ");
    eti__buffer_add_text(out, row->file->shown);
    eti__buffer_add_string(out, " (");
    if (row->label.data) {
        eti__buffer_add_text(out, row->label);
        eti__buffer_add_string(out, "; ");
    }
    eti__buffer_printf(out, "after %zu of %zu %s)", row->change->at,
                       row->series->of->block->n_units, units);
}

/* Appends the new changes of the series at the beginning of `rows`. Returns the rows of the next series. */
static const changed_row *add_series(eti_buffer *out, const changed_row *rows, const char *units) {
    const eti_trend_series *series = rows->series;
    eti__buffer_add_string(out, " got ");
    for (size_t i = 0; i < series->n_new && i < MOST_NAMED; i++) {
        eti__buffer_add_string(out, i > 0 ? ", " : "");
        add_change(out, &rows[i], units);
    }
    if (series->n_new > MOST_NAMED) {
        size_t n = series->n_new - MOST_NAMED;
        eti__buffer_printf(out, " and changed %zu more time%s", n, n == 1 ? "" : "s");
    }
    if (series->n_new > 1) {
        eti__buffer_add_string(out, ", ");
        eti__add_change(out, series->last / series->first - 1);
        eti__buffer_add_string(out, " in all");
    }
    return rows + series->n_new;
}

static void add_few_units(eti_buffer *out, size_t n, const char *units, size_t fewest) {
    eti__buffer_printf(out,
                       ": cannot tell, because %zu %s are not enough to tell a change from "
                       "chance; need %zu",
                       n, units, fewest);
}

/* Appends the changes of totals. Returns the rows of events. */
static const changed_row *add_totals(eti_buffer *out, const kept_trend *kept) {
    const eti_trend *trend = &kept->trend;
    const changed_row *rows = kept->changes;
    size_t fewest = eti__fewest_values(trend->total_alpha);
    for (size_t i = 0; i < trend->side.totals.n; i++) {
        const eti_trend_series *total = &trend->totals[i];
        if (!total->relative)
            continue;
        eti__buffer_add_string(out, out->size > 0 ? "; the total" : "the total");
        if (trend->names_blocks) {
            eti__buffer_add_string(out, " of ");
            eti__buffer_add_text(out, total->of->block->block->label);
        }
        if (total->n_new > 0)
            rows = add_series(out, rows, trend->side.units);
        else if (total->of->block->n_units < fewest)
            add_few_units(out, total->of->block->n_units, trend->side.units, fewest);
        else
            eti__buffer_printf(out, " %s in %zu %s",
                               total->n_changes > 0 ? "has no new change" : "did not change",
                               total->of->block->n_units, trend->side.units);
    }
    return rows;
}

static void add_events(eti_buffer *out, const kept_trend *kept, const changed_row *rows) {
    const eti_trend *trend = &kept->trend;
    size_t n = trend->n_changed, n_judged = trend->side.events.n_judged;
    size_t fewest = eti__fewest_values(trend->event_alpha);
    bool is_known = trend->side.n_units >= fewest; /* see note_events() */
    if (n_judged == 0 || (n == 0 && !is_known && out->size > 0))
        return;
    eti__buffer_add_string(out, out->size > 0 ? "; " : "");
    if (n == 0 && !is_known) {
        eti__buffer_add_string(out, n_judged == 1 ? "1 event" : "events");
        add_few_units(out, trend->side.n_units, trend->side.units, fewest);
        return;
    }
    if (n == 0) {
        eti__buffer_printf(out, "no %schange was found in %zu event%s",
                           kept->n_new < kept->n_changes ? "new " : "", n_judged,
                           n_judged == 1 ? "" : "s");
        return;
    }
    eti__buffer_printf(out, "%zu event%s changed: ", n, n == 1 ? "" : "s");
    for (size_t i = 0; i < n && i < MOST_NAMED; i++) {
        eti__buffer_add_string(out, i > 0 ? ", " : "");
        eti__add_entry_label(out, rows->series->of->entry, rows->series->of->namesakes);
        if (trend->names_blocks)
            eti__add_row_block(out, rows->series->of->block->block->label);
        rows = add_series(out, rows, trend->side.units);
    }
    if (n > MOST_NAMED)
        eti__buffer_printf(out, " and %zu more", n - MOST_NAMED);
}

static void add_sentence(eti_buffer *out, const kept_trend *kept) {
    const changed_row *of_events = add_totals(out, kept);
    add_events(out, kept, of_events);
    size_t n_known = kept->n_changes - kept->n_new;
    if (n_known > 0)
        eti__buffer_printf(out, "; %zu change%s known", n_known, n_known == 1 ? " is" : "s are");
    if (kept->n_new > 0)
        eti__buffer_add_string(out, "; drift also counts as a change");
    else if (out->size == 0)
        eti__buffer_add_string(out, "no total or event has a time above 0 in all files");
}

/* ---- summary --------------------------------------------------------------------------------- */

#define SUMMARY_CELL(name, value) ETI_CELL_SETTER(kept_trend, summary_##name, value)

static double total_change(const eti_trend *trend) {
    for (size_t i = 0; i < trend->side.totals.n; i++) {
        if (trend->totals[i].relative)
            return trend->totals[i].last / trend->totals[i].first - 1;
    }
    return (double)NAN;
}

SUMMARY_CELL(pushes, eti__count_cell(row->trend.side.n_units))
SUMMARY_CELL(files, eti__count_cell(row->trend.side.n_files))
SUMMARY_CELL(alpha, eti__double_cell(row->trend.side.options.alpha))
SUMMARY_CELL(least_effect, eti__double_cell(row->trend.side.options.least_effect))
SUMMARY_CELL(seed, eti__count_cell(row->trend.options.seed))
SUMMARY_CELL(total_change, eti__number_or_none(total_change(&row->trend)))
SUMMARY_CELL(events, eti__count_cell(row->trend.side.events.n))
SUMMARY_CELL(judged, eti__count_cell(row->trend.side.events.n_judged))
SUMMARY_CELL(changed, eti__count_cell(row->trend.n_changed))
SUMMARY_CELL(changes, eti__count_cell(row->n_new))
SUMMARY_CELL(known, eti__count_cell(row->n_changes - row->n_new))
SUMMARY_CELL(fewest_total, eti__count_cell(eti__fewest_values(row->trend.total_alpha)))
SUMMARY_CELL(fewest_events, eti__count_cell(eti__fewest_values(row->trend.event_alpha)))

static const eti_column_spec summary_specs[] = {
    {"pushes", ETI_COUNTS, false, "number of pushes", set_summary_pushes},
    {"files", ETI_COUNTS, false, "number of files", set_summary_files},
    {"alpha", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false, "alpha of the trend", set_summary_alpha},
    {"least_effect", ETI_SHARES, false, "changes below this are noise", set_summary_least_effect},
    {"seed", ETI_COUNTS, false, "seed of the permutations", set_summary_seed},
    {"total_change", ETI_CHANGES, false, "last / first - 1 of the first total",
     set_summary_total_change},
    {"events", ETI_COUNTS, false, "number of events", set_summary_events},
    {"judged", ETI_COUNTS, false, "events that were judged", set_summary_judged},
    {"changed", ETI_COUNTS, false, "events with new changes", set_summary_changed},
    {"changes", ETI_COUNTS, false, "new changes of totals and events", set_summary_changes},
    {"known", ETI_COUNTS, false, "known changes", set_summary_known},
    {"fewest_for_total", ETI_COUNTS, false,
     "fewest pushes in which a change of a total can be detected", set_summary_fewest_total},
    {"fewest_for_events", ETI_COUNTS, false,
     "fewest pushes in which a change of an event can be detected", set_summary_fewest_events},
};

/* ---- report ---------------------------------------------------------------------------------- */

/* Source of a table; its rows are an array. */
typedef struct content {
    const char *name, *title;
    const eti_column_spec *specs;
    size_t n_specs;
    void *rows;
    size_t row_size, n_rows;
    const char *thing; /* name of the column event_name */
} content;

#define CONTENT(name, title, specs, rows, n_rows, thing)                                           \
    (&(const content){name, title, specs, ETI_N_COLUMNS(specs), rows, sizeof *(rows), n_rows,      \
                      thing})

static eti_status add_table(eti_report *report, const kept_trend *kept, const content *of,
                            eti_error *err) {
    const eti_side *side = &kept->trend.side;
    eti_column_spec specs[ETI_MOST_COLUMN_SPECS];
    eti_table *table;
    for (size_t i = 0; i < of->n_specs; i++) {
        specs[i] = of->specs[i];
        if (strcmp(specs[i].name, "block") == 0)
            specs[i].is_extra = !kept->trend.names_blocks;
        if (strcmp(specs[i].name, "event_name") == 0)
            specs[i].name = of->thing;
    }
    if (strcmp(of->name, "total") != 0)
        eti__side_show_values(side, specs, of->n_specs);
    ETI_TRY(eti__columns_make_array(
        &table, specs, of->n_specs, of->rows, of->row_size, of->n_rows,
        eti__column_unit(side->profile->target_scale, side->options.include_units), err));
    return eti__report_add(report, of->name, of->title, table, err);
}

static eti_section *last_section(eti_report *report) {
    return &report->sections[report->n_sections - 1];
}

static eti_status add_summary(eti_report *report, kept_trend *kept, eti_error *err) {
    eti_buffer sentence = {0};
    ETI_TRY(
        add_table(report, kept, CONTENT("summary", "Summary", summary_specs, kept, 1, NULL), err));
    last_section(report)->is_in_notes = true;
    add_sentence(&sentence, kept);
    return eti__report_take_note(report, &sentence, err);
}

static eti_status note_events(eti_report *report, const kept_trend *kept, eti_error *err) {
    const eti_side *side = &kept->trend.side;
    size_t n_judged = side->events.n_judged, fewest = eti__fewest_values(kept->trend.event_alpha);
    eti_buffer coverage = {0};
    eti__add_coverage(&coverage, &side->coverage);
    ETI_TRY(eti__report_take_note(report, &coverage, err));
    if (n_judged > 0 && side->n_units < fewest)
        ETI_TRY(eti__report_note(
            report, err,
            "fewer than %zu %s: not enough to tell a change of one of %zu events from chance",
            fewest, side->units, n_judged));
    if (n_judged > 0 && n_judged < ETI_LEVEL_FEWEST_EVENTS)
        return eti__report_note(report, err, "fewer than %d events: they are compared as measured",
                                ETI_LEVEL_FEWEST_EVENTS);
    if (n_judged == 0)
        return ETI_OK;
    return eti__report_note(report, err,
                            "events are compared relative to the level of their file: a change "
                            "that is the same in all events shows only in the total");
}

/* Makes people see in the last table what they need to distinguish its events, the first n. */
static void distinguish_events(eti_report *report, const eti_trend *trend, size_t n) {
    eti_row_needs needs = {0};
    for (size_t i = 0; i < n; i++)
        eti__needs_add(&needs, trend->events[i].of->entry, trend->events[i].of->namesakes);
    eti__needs_show(&needs, last_section(report)->table, "event_name");
}

static eti_status add_sections(eti_report *report, kept_trend *kept, eti_error *err) {
    const eti_trend *trend = &kept->trend;
    ETI_TRY(add_summary(report, kept, err));
    ETI_TRY(add_table(
        report, kept,
        CONTENT("total", "Total", series_specs, trend->totals, trend->side.totals.n, "total"),
        err));
    ETI_TRY(eti__report_note(report, err,
                             "first, last: median of the %s before the first change and after the "
                             "last one; if nothing changed, the median of all %s",
                             trend->side.units, trend->side.units));
    ETI_TRY(eti__profile_note_runs(report, trend->side.profile, "runs", err));
    ETI_TRY(add_table(
        report, kept,
        CONTENT("changes", "Changes", changed_specs, kept->changes, kept->n_changes, "event_name"),
        err));
    /* without notes, people do not see it */
    bool lists_known = trend->side.options.lists_all;
    last_section(report)->is_in_notes = (lists_known ? kept->n_changes : kept->n_new) == 0;
    last_section(report)->hides_empty = true;
    if (!lists_known)
        last_section(report)->n_kept_back = kept->n_changes - kept->n_new;
    distinguish_events(report, trend, trend->n_changed);
    ETI_TRY(add_table(report, kept,
                      CONTENT("events", "Events", series_specs, trend->events, trend->side.events.n,
                              "event_name"),
                      err));
    report->selected = report->n_sections - 1;
    if (!trend->side.options.lists_all)
        last_section(report)->n_kept_back = trend->side.events.n - trend->side.events.n_judged;
    distinguish_events(report, trend, trend->side.events.n - last_section(report)->n_kept_back);
    ETI_TRY(note_events(report, kept, err));
    ETI_TRY(add_table(
        report, kept,
        CONTENT("series", NULL, push_specs, kept->pushes, kept->n_pushes, "event_name"), err));
    last_section(report)->is_in_notes = true; /* without notes, people do not see it */
    return ETI_OK;
}

static eti_status make_report(eti_report **out, kept_trend *kept, eti_error *err) {
    ETI_TRY(list_rows(kept, err));
    ETI_TRY(eti__profiles_begin_report(out, "trend", NULL, kept->trend.side.profile, err));
    return add_sections(*out, kept, err);
}

eti_status eti__trend_report(eti_report **out, const eti_profile *profile,
                             const eti_trend_options *options, eti_error *err) {
    kept_trend *kept = calloc(1, sizeof *kept);
    eti_report *report = NULL;
    *out = NULL;
    if (!kept)
        return eti_fail_memory(err);
    eti_status status = eti__trend_make(&kept->trend, profile, options, err);
    if (status == ETI_OK)
        status = make_report(&report, kept, err);
    if (report)
        eti__report_keep(report, (eti_kept){kept, drop_trend});
    else
        drop_trend(kept);
    if (status != ETI_OK) {
        eti_report_free(report);
        return status;
    }
    *out = report;
    return check_trend_units(&kept->trend, err);
}
