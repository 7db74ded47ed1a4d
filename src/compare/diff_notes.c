#include "compare/parts.h"

#include <math.h>

#define LEAST_LEVEL 1.01 /* smaller changes of all events are not noted */
#define MOST_NAMES 5
#define NOTED_DEPENDENCE 2 /* runs that count as one */

/* Begins a note about one of several pairs of blocks. */
static void begin_about(eti_buffer *text, const eti_diff *diff, const eti_diff_pair *pair) {
    if (diff->names_blocks)
        eti__buffer_printf(text, "%.*s: ", ETI_TEXT_ARGS(pair->new_side->label));
}

/* ---- sides ----------------------------------------------------------------------------------- */

static bool is_little(double share) {
    return share < ETI_LITTLE_IN_COMMON; /* false for NaN */
}

/* Appends the share in common; a side without events has none. */
static void add_common(eti_buffer *out, double share) {
    eti__add_share(out, isnan(share) ? 0 : share);
}

/* Returns whether the nodes of the profile's events are known: it is not a baseline, and has an ETRecord. */
static bool has_graph(const eti_profile *profile) {
    return profile->inspector && profile->method.data;
}

eti_status eti__note_sides(eti_report *report, const eti_diff *diff, const eti_answer *answer,
                           eti_error *err) {
    if (diff->is_same_file && eti__text_equal(diff->same_file[0], diff->same_file[1]))
        ETI_TRY(eti__report_note(report, err, "the same file is on both sides: %.*s",
                                 ETI_TEXT_ARGS(diff->same_file[0])));
    else if (diff->is_same_file)
        ETI_TRY(eti__report_note(report, err, "the same file is on both sides: %.*s and %.*s",
                                 ETI_TEXT_ARGS(diff->same_file[1]),
                                 ETI_TEXT_ARGS(diff->same_file[0])));
    bool has_times = diff->base->n_blocks > 0 && diff->new_side->n_blocks > 0;
    if (!has_times || (!is_little(answer->shared_base) && !is_little(answer->shared_new)))
        return ETI_OK;
    eti_buffer text = {0};
    eti__buffer_add_string(&text, "the sides have little in common: shared events take ");
    add_common(&text, answer->shared_base);
    eti__buffer_add_string(&text, " of the time of the base and ");
    add_common(&text, answer->shared_new);
    eti__buffer_add_string(&text, " of the time of the new side");
    if (!diff->options.group && has_graph(diff->base) && has_graph(diff->new_side))
        eti__buffer_printf(&text, "; diff with %sgroup node compares two exports of one model",
                           eti__option_prefix());
    return eti__report_take_note(report, &text, err);
}

/* ---- evidence -------------------------------------------------------------------------------- */

static bool is_copy(const eti_profile_block *block, size_t file) {
    if (block->files[file].n != block->files[0].n)
        return false;
    for (size_t i = 0; i < block->n_entries; i++) {
        const eti_file_times *first = &block->entries[i].times[0],
                             *other = &block->entries[i].times[file];
        if (first->p50 != other->p50 || first->avg != other->avg || first->min != other->min ||
            first->max != other->max || first->p10 != other->p10 || first->p90 != other->p90)
            return false;
    }
    return true;
}

/* Returns whether a side has several files, all with the same times. */
static bool are_copies(const eti_profile *profile) {
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_profile_block *block = &profile->blocks[i];
        if (block->n_files != profile->n_files)
            return false;
        for (size_t k = 1; k < block->n_files; k++) {
            if (!is_copy(block, k))
                return false;
        }
    }
    return profile->n_files > 1 && profile->n_blocks > 0;
}

static eti_status note_copies(eti_report *report, const eti_profile *profile, const char *side,
                              eti_error *err) {
    if (!are_copies(profile))
        return ETI_OK;
    return eti__report_note(report, err, "%s: identical ticks in %zu files; are they copies?", side,
                            profile->n_files);
}

eti_status eti__note_dependence(eti_report *report, const eti_diff *diff, eti_error *err) {
    const eti_diff_row *most = NULL;
    for (size_t i = 0; i < diff->totals.n; i++) {
        const eti_diff_row *row = &diff->totals.rows[i];
        if (row->kind == ETI_ENTRY_EXECUTE && row->is_compared &&
            row->change.dependence >= NOTED_DEPENDENCE &&
            (!most || row->change.dependence > most->change.dependence))
            most = row;
    }
    if (!most)
        return ETI_OK;
    const eti_diff_pair *pair = &diff->pairs[most->pair];
    eti_buffer text = {0};
    begin_about(&text, diff, pair);
    eti__buffer_printf(&text,
                       "each run resembles the one before it: %zu and %zu runs count as about %.0f "
                       "and %.0f",
                       pair->n_base, pair->n_new, (double)pair->n_base / most->change.dependence,
                       (double)pair->n_new / most->change.dependence);
    return eti__report_take_note(report, &text, err);
}

eti_status eti__note_evidence(eti_report *report, const eti_diff *diff, eti_error *err) {
    ETI_TRY(eti__note_dependence(report, diff, err));
    ETI_TRY(note_copies(report, diff->base, "base", err));
    return note_copies(report, diff->new_side, "new", err);
}

/* ---- readings -------------------------------------------------------------------------------- */

static eti_status note_events(eti_report *report, const eti_diff *diff, const eti_diff_pair *pair,
                              const eti_family *events, bool names_metric, eti_error *err) {
    eti_buffer text = {0};
    if (events->n == 0)
        return ETI_OK;
    begin_about(&text, diff, pair);
    if (names_metric)
        eti__buffer_printf(&text, "by %s, ", eti__metric_names[diff->metric]);
    if (events->has_two_readings && diff->options.in_turns) {
        size_t n_others = events->n - events->n_of_kind;
        eti__add_odd_kind(&text, events);
        eti__buffer_printf(&text,
                           n_others == 1 ? " and the other event differ by "
                                         : " and the other %zu events differ by ",
                           n_others);
        eti__add_share(&text, expm1(fabs(events->kind_difference)));
        eti__buffer_add_string(&text, "; the sides were recorded in turns, so changes are shown as "
                                      "measured");
    } else if (!events->has_two_readings && fabs(events->most_rows) >= log(LEAST_LEVEL)) {
        eti__buffer_add_string(&text,
                               events->is_of_cycles ? "all events in cycles: " : "all events: ");
        eti__add_change(&text, expm1(events->most_rows));
        eti__buffer_add_string(&text, "; single events are judged without it");
    } else if (!events->levels) {
        eti__buffer_printf(
            &text, "%zu %s%s %s judged as measured, because fewer than %d have no level", events->n,
            events->n == 1 ? "event" : "events", events->is_of_cycles ? " in cycles" : "",
            events->n == 1 ? "is" : "are", ETI_LEVEL_FEWEST_EVENTS);
    } else {
        eti__buffer_free(&text);
        return ETI_OK;
    }
    return eti__report_take_note(report, &text, err);
}

/* Adds that p50 and fast of a total differ much: one is beyond the limit, and more than twice the other. */
static eti_status note_metrics(eti_report *report, const eti_diff *diff, const eti_diff_row *row,
                               eti_error *err) {
    double p50 = row->shift.estimate, greater = fmax(fabs(p50), fabs(row->fast));
    eti_buffer text = {0};
    if (!row->is_compared || !(greater > log1p(diff->options.least_effect)) ||
        greater < 2 * fmin(fabs(p50), fabs(row->fast)))
        return ETI_OK;
    eti__add_row(&text, row, diff->names_blocks);
    eti__buffer_add_string(&text, ": ");
    eti__add_change(&text, expm1(p50));
    eti__buffer_add_string(&text, " by p50, ");
    eti__add_change(&text, expm1(row->fast));
    eti__buffer_add_string(&text, " by fast");
    return eti__report_take_note(report, &text, err);
}

eti_status eti__note_readings(eti_report *report, const eti_diff *diff, bool names_metric,
                              eti_error *err) {
    for (size_t i = 0; i < diff->n_pairs; i++) {
        const eti_diff_pair *pair = &diff->pairs[i];
        ETI_TRY(note_events(report, diff, pair, &pair->events, names_metric, err));
        ETI_TRY(note_events(report, diff, pair, &pair->cycles, names_metric, err));
    }
    return ETI_OK;
}

eti_status eti__note_metrics(eti_report *report, const eti_diff *diff, eti_error *err) {
    for (size_t i = 0; i < diff->totals.n; i++)
        ETI_TRY(note_metrics(report, diff, &diff->totals.rows[i], err));
    return ETI_OK;
}

/* ---- clocks ---------------------------------------------------------------------------------- */

/* Returns whether the clock's step limits the row. A change of one step gets no verdict; the step matters if it is
 * the larger of the limits. */
static bool is_coarse(const eti_diff *diff, const eti_diff_row *row) {
    return row->is_compared && row->change.relative_step > diff->options.least_effect;
}

eti_status eti__note_steps(eti_report *report, const eti_diff *diff, eti_error *err) {
    const eti_diff_row *coarsest = NULL;
    size_t n = 0;
    for (size_t i = 0; i < diff->events.n; i++) {
        const eti_diff_row *row = &diff->events.rows[i];
        if (!is_coarse(diff, row))
            continue;
        n++;
        if (!coarsest || row->change.relative_step > coarsest->change.relative_step)
            coarsest = row;
    }
    if (!coarsest)
        return ETI_OK;
    eti_buffer text = {0};
    bool is_time = !eti__diff_row_unit(coarsest).data;
    double step = coarsest->step / (is_time ? diff->new_side->factor : 1);
    eti_time_scale scale = is_time ? diff->new_side->target_scale : ETI_SCALE_CYCLES;
    eti_time_scale unit = eti__time_scale_for(step, scale);
    if (unit != scale)
        step = eti__time_convert(step, scale, unit);
    eti__buffer_printf(&text, "clock step %g %s is ", step, eti_time_scale_name(unit));
    eti__add_share(&text, coarsest->change.relative_step);
    eti__buffer_add_string(&text, " of ");
    eti__add_row(&text, coarsest, false);
    if (n > 1) {
        eti__buffer_add_string(&text, ", and more than ");
        eti__add_share(&text, diff->options.least_effect);
        eti__buffer_printf(&text, " of %zu more", n - 1);
    }
    eti__buffer_add_string(&text, "; smaller changes cannot be judged");
    return eti__report_take_note(report, &text, err);
}

/* ---- matches --------------------------------------------------------------------------------- */

typedef struct named_rows {
    const eti_diff_row *first;
    size_t n;
} named_rows;

static bool are_namesakes(const eti_diff_row *a, const eti_diff_row *b) {
    return eti__text_equal(a->name, b->name) &&
           (a->match != ETI_MATCH_RENAMED ||
            eti__text_equal(a->base.entry->name, b->base.entry->name));
}

static void add_named(eti_buffer *text, const named_rows *named) {
    if (named->first->match == ETI_MATCH_RENAMED) {
        eti__add_row_name(text, named->first->base.entry->name);
        eti__buffer_add_string(text, " -> ");
    }
    eti__add_row_name(text, named->first->name);
    if (named->n > 1)
        eti__buffer_printf(text, " (%zu)", named->n);
}

/* Counts the rows with each of the first names; returns the number of these names, and sets `n_more` to the number of
 * other rows. */
static size_t count_names(const eti_diff *diff, eti_match_kind match, named_rows named[MOST_NAMES],
                          size_t *n_more) {
    size_t n = 0;
    *n_more = 0;
    for (size_t i = 0; i < diff->events.n; i++) {
        const eti_diff_row *row = &diff->events.rows[i];
        size_t k = 0;
        if (row->match != match)
            continue;
        while (k < n && !are_namesakes(named[k].first, row))
            k++;
        if (k == MOST_NAMES)
            ++*n_more;
        else if (k < n)
            named[k].n++;
        else
            named[n++] = (named_rows){row, 1};
    }
    return n;
}

static eti_status note_match(eti_report *report, const eti_diff *diff, eti_match_kind match,
                             eti_error *err) {
    named_rows named[MOST_NAMES];
    eti_buffer text = {0};
    size_t n_more, n = count_names(diff, match, named, &n_more);
    if (n == 0)
        return ETI_OK;
    for (size_t i = 0; i < n; i++) {
        eti__buffer_printf(&text, "%s%s", i == 0 ? eti__match_kind_name(match) : "",
                           i == 0 ? ": " : ", ");
        add_named(&text, &named[i]);
    }
    if (n_more > 0)
        eti__buffer_printf(&text, " and %zu more", n_more);
    return eti__report_take_note(report, &text, err);
}

eti_status eti__note_matches(eti_report *report, const eti_diff *diff, eti_error *err) {
    ETI_TRY(note_match(report, diff, ETI_MATCH_RENAMED, err));
    ETI_TRY(note_match(report, diff, ETI_MATCH_ADDED, err));
    return note_match(report, diff, ETI_MATCH_REMOVED, err);
}

/* ---- coverage -------------------------------------------------------------------------------- */

eti_status eti__note_coverage(eti_report *report, const eti_diff *diff, eti_error *err) {
    eti_buffer text = {0};
    eti__add_coverage(&text, &diff->coverage);
    return eti__report_take_note(report, &text, err);
}
