/*
 * trend_report.c - turns a trend into tables and the sentence above them.
 */
#include "series/trend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A trend that the report owns, with the rows of its tables. */
typedef struct kept_trend {
    eti_trend trend;
    struct changed_row *changes; /* changes of totals, then of events */
    struct file_row *files;      /* rows of each series, in order */
    size_t n_changes, n_files;
} kept_trend;

/* A series at one of its changes. */
typedef struct changed_row {
    const eti_trend_series *series;
    const eti_trend_change *change;
    const eti_profile_file *file; /* first file after the change */
    eti_text label;               /* commit and date of the file; absent if it has none */
    double p;                     /* adjusted */
} changed_row;

/* A series in one file. */
typedef struct file_row {
    const eti_trend_series *series;
    const eti_profile *profile;
    size_t i; /* index of the file in the block */
} file_row;

static void drop_trend(void *object) {
    kept_trend *kept = object;
    eti__trend_free(&kept->trend);
    free(kept);
}

static const eti_profile_file *file_of(const eti_profile *profile, const eti_trend_series *series,
                                       size_t i) {
    return &profile->files[series->of->block->block->files[i].file];
}

/* ---- series ---------------------------------------------------------------------------------- */

#define SERIES_CELL(name, value) ETI_CELL_SETTER(eti_trend_series, name, value)

SERIES_CELL(block, eti__text_or_none(row->of->block->block->label))
SERIES_CELL(name,
            eti__named_cell(row->of->entry->name, eti__label_beside_module(row->of->namesakes)))
SERIES_CELL(first, eti__number_or_none(row->first))
SERIES_CELL(last, eti__number_or_none(row->last))
SERIES_CELL(time, eti__number_or_none(row->of->location))
SERIES_CELL(share, eti__number_or_none(row->of->share))
SERIES_CELL(n_files, eti__count_cell(row->of->block->block->n_files))
SERIES_CELL(kind, eti__string_cell(eti__entry_kind_name(row->of->entry)))
SERIES_CELL(op, eti__text_or_none(row->of->entry->op))
SERIES_CELL(module, eti__text_or_none(row->of->entry->module))
ETI_CELL_SETTER_IF(eti_trend_series, n_changes, row->relative, eti__count_cell(row->n_changes))
ETI_CELL_SETTER_IF(eti_trend_series, change, row->n_changes > 0,
                   eti__number_or_none(row->last / row->first - 1))
ETI_CELL_SETTER_IF(eti_trend_series, series, row->relative,
                   eti__list_cell(ETI_CELL_DOUBLES, row->relative, row->of->block->block->n_files))

static const eti_column_spec series_specs[] = {
    {"block", ETI_TEXTS, true, "EventBlock", set_block},
    {"event_name", ETI_TEXTS, false, "name of the event", set_name},
    {"change", ETI_CHANGES, false, "last / first - 1; empty if nothing changed", set_change},
    {"series", ETI_SERIES, false,
     "one number per file: its time relative to the median of all files", set_series},
    {"first", ETI_TIMES, false, "median of the files before the first change", set_first},
    {"last", ETI_TIMES, false, "median of the files after the last change", set_last},
    {"changes", ETI_COUNTS, false, "number of changes", set_n_changes},
    {"time", ETI_TIMES, true, "median of all files, as measured", set_time},
    {"share", ETI_SHARES, true, "share of the total", set_share},
    {"files", ETI_COUNTS, true, "number of files", set_n_files},
    {"kind", ETI_TEXTS, true, "kernel, delegated, delegate_call or instruction", set_kind},
    {"op", ETI_TEXTS, true, "operators", set_op},
    {"module", ETI_TEXTS, true, "innermost module common to all its nodes", set_module},
};

/* ---- changes --------------------------------------------------------------------------------- */

#define CHANGED_CELL(name, value) ETI_CELL_SETTER(changed_row, changed_##name, value)

CHANGED_CELL(block, eti__text_or_none(row->series->of->block->block->label))
CHANGED_CELL(name, eti__named_cell(row->series->of->entry->name,
                                   eti__label_beside_module(row->series->of->namesakes)))
CHANGED_CELL(kind, eti__string_cell(eti__entry_kind_name(row->series->of->entry)))
CHANGED_CELL(op, eti__text_or_none(row->series->of->entry->op))
CHANGED_CELL(module, eti__text_or_none(row->series->of->entry->module))
CHANGED_CELL(file, eti__text_or_none(row->file->name))
CHANGED_CELL(label, eti__text_or_none(row->label))
CHANGED_CELL(number, eti__count_cell(row->change->at))
CHANGED_CELL(before, eti__number_or_none(row->change->before))
CHANGED_CELL(after, eti__number_or_none(row->change->after))
CHANGED_CELL(change, eti__number_or_none(row->change->after / row->change->before - 1))
CHANGED_CELL(p, eti__number_or_none(row->p))

static const eti_column_spec changed_specs[] = {
    {"block", ETI_TEXTS, true, "EventBlock", set_changed_block},
    {"event_name", ETI_TEXTS, false, "name of the total or event", set_changed_name},
    {"change", ETI_CHANGES, false, "after / before - 1", set_changed_change},
    {"file", ETI_TEXTS, false, "first file after the change", set_changed_file},
    {"label", ETI_TEXTS, false, "commit and date of that file", set_changed_label},
    {"number", ETI_COUNTS, false, "number of files before the change", set_changed_number},
    {"before", ETI_TIMES, false, "median of the files since the previous change",
     set_changed_before},
    {"after", ETI_TIMES, false, "median of the files until the next change", set_changed_after},
    {"p", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
     "p-value of a permutation test, adjusted for the number of events by Bonferroni's method",
     set_changed_p},
    {"kind", ETI_TEXTS, true, "execute, kernel, delegated, delegate_call or instruction",
     set_changed_kind},
    {"op", ETI_TEXTS, true, "operators", set_changed_op},
    {"module", ETI_TEXTS, true, "innermost module common to all its nodes", set_changed_module},
};

/* ---- files ----------------------------------------------------------------------------------- */

#define FILE_CELL(name, value) ETI_CELL_SETTER(file_row, file_##name, value)

FILE_CELL(block, eti__text_or_none(row->series->of->block->block->label))
FILE_CELL(event, eti__text_or_none(row->series->of->entry->name))
FILE_CELL(kind, eti__string_cell(eti__entry_kind_name(row->series->of->entry)))
FILE_CELL(name, eti__text_or_none(file_of(row->profile, row->series, row->i)->name))
FILE_CELL(number, eti__count_cell(row->i))
FILE_CELL(time, eti__number_or_none(row->series->of->values[row->i] / row->profile->factor))
ETI_CELL_SETTER_IF(file_row, file_relative, row->series->relative,
                   eti__number_or_none(row->series->relative[row->i]))

static const eti_column_spec file_specs[] = {
    {"block", ETI_TEXTS, true, "EventBlock", set_file_block},
    {"event_name", ETI_TEXTS, false, "name of the total or event", set_file_event},
    {"kind", ETI_TEXTS, false, "execute, kernel, delegated, delegate_call or instruction",
     set_file_kind},
    {"number", ETI_COUNTS, false, "number of the file", set_file_number},
    {"file", ETI_TEXTS, false, "name of the file", set_file_name},
    {"time", ETI_TIMES, false, "self time as measured: mean of the fastest quarter of the runs",
     set_file_time},
    {"relative", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
     "time relative to the median of all files; for events, as if all files had the same level",
     set_file_relative},
};

/* ---- rows ------------------------------------------------------------------------------------ */

static size_t n_series(const kept_trend *kept) {
    return kept->trend.side.totals.n + kept->trend.side.events.n;
}

static const eti_trend_series *series_at(const kept_trend *kept, size_t i) {
    size_t n_totals = kept->trend.side.totals.n;
    return i < n_totals ? &kept->trend.totals[i] : &kept->trend.events[i - n_totals];
}

static bool is_total(const eti_trend_series *series) {
    return series->of->entry->kind < ETI_N_TOTALS;
}

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

static bool add_changes(kept_trend *kept, const eti_trend_series *series) {
    const eti_side *side = &kept->trend.side;
    size_t n_tests = is_total(series) ? side->totals.n_judged : side->events.n_judged;
    bool done = true;
    for (size_t i = 0; i < series->n_changes && done; i++) {
        const eti_trend_change *change = &series->changes[i];
        changed_row *row = &kept->changes[kept->n_changes++];
        *row = (changed_row){.series = series,
                             .change = change,
                             .file = file_of(side->profile, series, change->at),
                             .p = fmin(1, change->p * (double)n_tests)};
        done = set_label(&kept->trend.arena, row->file, &row->label);
    }
    return done;
}

static eti_status list_rows(kept_trend *kept, eti_error *err) {
    const eti_profile *profile = kept->trend.side.profile;
    eti_arena *arena = &kept->trend.arena;
    size_t n_changes = 0, n_files = 0;
    for (size_t i = 0; i < n_series(kept); i++) {
        n_changes += series_at(kept, i)->n_changes;
        n_files += series_at(kept, i)->of->block->block->n_files;
    }
    kept->changes = eti__arena_alloc(arena, n_changes + 1, sizeof *kept->changes);
    kept->files = eti__arena_alloc(arena, n_files + 1, sizeof *kept->files);
    if (!kept->changes || !kept->files)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n_series(kept); i++) {
        const eti_trend_series *series = series_at(kept, i);
        if (!add_changes(kept, series))
            return eti_fail_memory(err);
        for (size_t k = 0; k < series->of->block->block->n_files; k++)
            kept->files[kept->n_files++] = (file_row){series, profile, k};
    }
    return ETI_OK;
}

/* ---- words ----------------------------------------------------------------------------------- */

#define MOST_NAMED 3 /* number of changes of the total, and of events, that a sentence names */

/* Appends "12.0 % slower at run17.etdp (after 16 of 40 files)". */
static void add_change(eti_buffer *out, const changed_row *row) {
    double change = row->change->after / row->change->before - 1;
    eti__add_share(out, fabs(change));
    eti__buffer_add_string(out, change > 0 ? " slower at " : " faster at ");
    eti__buffer_add_utf8(out, row->file->name);
    eti__buffer_add_string(out, " (");
    if (row->label.data) {
        eti__buffer_add_utf8(out, row->label);
        eti__buffer_add_string(out, "; ");
    }
    eti__buffer_printf(out, "after %zu of %zu files)", row->change->at,
                       row->series->of->block->block->n_files);
}

/* Appends the changes of the series at the beginning of `rows`. Returns the rows of the next series. */
static const changed_row *add_series(eti_buffer *out, const changed_row *rows) {
    const eti_trend_series *series = rows->series;
    eti__buffer_add_string(out, " got ");
    for (size_t i = 0; i < series->n_changes && i < MOST_NAMED; i++) {
        eti__buffer_add_string(out, i > 0 ? ", " : "");
        add_change(out, &rows[i]);
    }
    if (series->n_changes > MOST_NAMED) {
        size_t n = series->n_changes - MOST_NAMED;
        eti__buffer_printf(out, " and changed %zu more time%s", n, n == 1 ? "" : "s");
    }
    if (series->n_changes > 1) {
        eti__buffer_add_string(out, ", ");
        eti__add_change(out, series->last / series->first - 1);
        eti__buffer_add_string(out, " in all");
    }
    return rows + series->n_changes;
}

static void add_few_files(eti_buffer *out, size_t n_files, size_t fewest) {
    eti__buffer_printf(out,
                       ": cannot tell, because %zu files are not enough to tell a change from "
                       "chance; need %zu",
                       n_files, fewest);
}

/* Appends the changes of totals. Returns the rows of events. */
static const changed_row *add_totals(eti_buffer *out, const kept_trend *kept) {
    const eti_trend *trend = &kept->trend;
    const changed_row *rows = kept->changes;
    size_t fewest = eti__trend_fewest_files(trend->total_alpha);
    for (size_t i = 0; i < trend->side.totals.n; i++) {
        const eti_trend_series *total = &trend->totals[i];
        if (!total->relative)
            continue;
        eti__buffer_add_string(out, out->size > 0 ? "; the total" : "the total");
        if (trend->names_blocks) {
            eti__buffer_add_string(out, " of ");
            eti__buffer_add_utf8(out, total->of->block->block->label);
        }
        if (total->n_changes > 0)
            rows = add_series(out, rows);
        else if (total->of->block->block->n_files < fewest)
            add_few_files(out, total->of->block->block->n_files, fewest);
        else
            eti__buffer_printf(out, " did not change in %zu files",
                               total->of->block->block->n_files);
    }
    return rows;
}

static void add_events(eti_buffer *out, const kept_trend *kept, const changed_row *rows) {
    const eti_trend *trend = &kept->trend;
    size_t n = trend->n_changed, n_judged = trend->side.events.n_judged;
    size_t fewest = eti__trend_fewest_files(trend->event_alpha);
    bool is_known = trend->side.n_files >= fewest; /* see note_events() */
    if (n_judged == 0 || (n == 0 && !is_known && out->size > 0))
        return;
    eti__buffer_add_string(out, out->size > 0 ? "; " : "");
    if (n == 0 && !is_known) {
        eti__buffer_add_string(out, n_judged == 1 ? "1 event" : "events");
        add_few_files(out, trend->side.n_files, fewest);
        return;
    }
    if (n == 0) {
        eti__buffer_printf(out, "no change was found in %zu event%s", n_judged,
                           n_judged == 1 ? "" : "s");
        return;
    }
    eti__buffer_printf(out, "%zu event%s changed: ", n, n == 1 ? "" : "s");
    for (size_t i = 0; i < n && i < MOST_NAMED; i++) {
        eti__buffer_add_string(out, i > 0 ? ", " : "");
        eti__add_entry_label(out, rows->series->of->entry, rows->series->of->namesakes);
        if (trend->names_blocks)
            eti__add_row_block(out, rows->series->of->block->block->label);
        rows = add_series(out, rows);
    }
    if (n > MOST_NAMED)
        eti__buffer_printf(out, " and %zu more", n - MOST_NAMED);
}

static void add_sentence(eti_buffer *out, const kept_trend *kept) {
    const changed_row *of_events = add_totals(out, kept);
    add_events(out, kept, of_events);
    if (kept->n_changes > 0)
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

SUMMARY_CELL(files, eti__count_cell(row->trend.side.n_files))
SUMMARY_CELL(alpha, eti__double_cell(row->trend.side.options.alpha))
SUMMARY_CELL(least_effect, eti__double_cell(row->trend.side.options.least_effect))
SUMMARY_CELL(seed, eti__count_cell(row->trend.options.seed))
SUMMARY_CELL(total_change, eti__number_or_none(total_change(&row->trend)))
SUMMARY_CELL(events, eti__count_cell(row->trend.side.events.n))
SUMMARY_CELL(judged, eti__count_cell(row->trend.side.events.n_judged))
SUMMARY_CELL(changed, eti__count_cell(row->trend.n_changed))
SUMMARY_CELL(changes, eti__count_cell(row->n_changes))
SUMMARY_CELL(fewest_total, eti__count_cell(eti__trend_fewest_files(row->trend.total_alpha)))
SUMMARY_CELL(fewest_events, eti__count_cell(eti__trend_fewest_files(row->trend.event_alpha)))

static const eti_column_spec summary_specs[] = {
    {"files", ETI_COUNTS, false, "number of files", set_summary_files},
    {"alpha", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false, "alpha of the trend", set_summary_alpha},
    {"least_effect", ETI_SHARES, false, "changes below this are noise", set_summary_least_effect},
    {"seed", ETI_COUNTS, false, "seed of the permutations", set_summary_seed},
    {"total_change", ETI_CHANGES, false, "last / first - 1 of the first total",
     set_summary_total_change},
    {"events", ETI_COUNTS, false, "number of events", set_summary_events},
    {"judged", ETI_COUNTS, false, "events that were judged", set_summary_judged},
    {"changed", ETI_COUNTS, false, "events that changed", set_summary_changed},
    {"changes", ETI_COUNTS, false, "changes of totals and events", set_summary_changes},
    {"fewest_for_total", ETI_COUNTS, false,
     "fewest files in which a change of a total can be detected", set_summary_fewest_total},
    {"fewest_for_events", ETI_COUNTS, false,
     "fewest files in which a change of an event can be detected", set_summary_fewest_events},
};

/* ---- report ---------------------------------------------------------------------------------- */

/* Source of a table. */
typedef struct content {
    const char *name, *title;
    const eti_column_spec *specs;
    size_t n_specs;
    void *rows;
    size_t row_size, n_rows;
    const char *thing; /* name of the column event_name */
} content;

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
    ETI_TRY(eti__columns_make_array(
        &table, specs, of->n_specs, of->rows, of->row_size, of->n_rows,
        eti__column_unit(side->profile->target_scale, side->options.include_units), err));
    return eti__report_add(report, of->name, of->title, table, err);
}

static eti_section *last_section(eti_report *report) {
    return &report->sections[report->n_sections - 1];
}

static eti_status add_summary(eti_report *report, const kept_trend *kept, eti_error *err) {
    const content summary = {
        "summary",    "Summary", summary_specs, ETI_N_COLUMNS(summary_specs), (void *)kept,
        sizeof *kept, 1,         NULL};
    eti_buffer sentence = {0};
    ETI_TRY(add_table(report, kept, &summary, err));
    last_section(report)->is_in_notes = true;
    add_sentence(&sentence, kept);
    return eti__report_take_note(report, &sentence, err);
}

static eti_status note_events(eti_report *report, const kept_trend *kept, eti_error *err) {
    const eti_side *side = &kept->trend.side;
    size_t n_judged = side->events.n_judged,
           fewest = eti__trend_fewest_files(kept->trend.event_alpha);
    eti_buffer coverage = {0};
    eti__add_coverage(&coverage, &side->coverage);
    ETI_TRY(eti__report_take_note(report, &coverage, err));
    if (n_judged > 0 && side->n_files < fewest)
        ETI_TRY(eti__report_note(
            report, err,
            "fewer than %zu files: not enough to tell a change of one of %zu events from chance",
            fewest, n_judged));
    if (n_judged > 0 && n_judged < ETI_LEVEL_FEWEST_EVENTS)
        return eti__report_note(report, err, "fewer than %d events: they are compared as measured",
                                ETI_LEVEL_FEWEST_EVENTS);
    if (n_judged == 0 || side->options.keep_pace)
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

static eti_status add_sections(eti_report *report, const kept_trend *kept, eti_error *err) {
    const eti_trend *trend = &kept->trend;
    const content totals = {"total",
                            "Total",
                            series_specs,
                            ETI_N_COLUMNS(series_specs),
                            trend->totals,
                            sizeof *trend->totals,
                            trend->side.totals.n,
                            "total"};
    const content changes = {"changes",       "Changes",
                             changed_specs,   ETI_N_COLUMNS(changed_specs),
                             kept->changes,   sizeof *kept->changes,
                             kept->n_changes, "event_name"};
    const content events = {"events",
                            "Events",
                            series_specs,
                            ETI_N_COLUMNS(series_specs),
                            trend->events,
                            sizeof *trend->events,
                            trend->side.events.n,
                            "event_name"};
    const content files = {"series",      NULL,
                           file_specs,    ETI_N_COLUMNS(file_specs),
                           kept->files,   sizeof *kept->files,
                           kept->n_files, "event_name"};
    ETI_TRY(add_summary(report, kept, err));
    ETI_TRY(add_table(report, kept, &totals, err));
    ETI_TRY(eti__report_note(report, err,
                             "first, last: median of the files before the first change and after "
                             "the last one; if nothing changed, the median of all files"));
    ETI_TRY(eti__profile_note_runs(report, trend->side.profile, "runs", err));
    ETI_TRY(add_table(report, kept, &changes, err));
    /* without notes, people do not see it */
    last_section(report)->is_in_notes = kept->n_changes == 0;
    last_section(report)->hides_empty = true;
    distinguish_events(report, trend, trend->n_changed);
    ETI_TRY(add_table(report, kept, &events, err));
    report->selected = report->n_sections - 1;
    if (!trend->side.options.lists_all)
        last_section(report)->n_kept_back = trend->side.events.n - trend->side.events.n_judged;
    distinguish_events(report, trend, trend->side.events.n - last_section(report)->n_kept_back);
    ETI_TRY(note_events(report, kept, err));
    ETI_TRY(add_table(report, kept, &files, err));
    last_section(report)->is_in_notes = true; /* without notes, people do not see it */
    return ETI_OK;
}

static eti_status make_report(eti_report **out, kept_trend *kept, eti_error *err) {
    const eti_profile *profile = kept->trend.side.profile;
    ETI_TRY(list_rows(kept, err));
    ETI_TRY(eti__report_new(out, "trend", profile->target_scale, err));
    ETI_TRY(eti__profile_add_sources(*out, profile, err));
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
    return eti__trend_check_files(&kept->trend, err);
}
