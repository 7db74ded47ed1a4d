#include "compare/diff_summary.h"

#include "compare/diff_notes.h"

#include <math.h>

/* ---- summary --------------------------------------------------------------------------------- */

typedef struct summary_row {
    const eti_diff *diff;
    const eti_answer *answer;
    const eti_evidence *evidence;
    const eti_coverage *coverage;
    const eti_diff_pair *pair; /* first pair with levels; NULL if there is none */
    eti_text sentence;
} summary_row;

static const char *metric_name(eti_metric metric) {
    static const char *const names[ETI_N_METRICS] = {
        [ETI_METRIC_LOCATION] = "location", [ETI_METRIC_P50] = "p50", [ETI_METRIC_AVG] = "avg",
        [ETI_METRIC_P90] = "p90",           [ETI_METRIC_MIN] = "min", [ETI_METRIC_MAX] = "max",
    };
    return names[metric];
}

#define SUMMARY_CELL(name, value) ETI_CELL_SETTER(summary_row, name, value)
#define SUMMARY_COUNT(name, value) SUMMARY_CELL(name, eti__count_cell(value))
#define SUMMARY_NUMBER(name, value) SUMMARY_CELL(name, eti__finite_or_none(value))
#define COVERAGE_COUNT(field) SUMMARY_COUNT(field, row->coverage->field)

SUMMARY_CELL(answer, eti__text_cell(row->sentence))
SUMMARY_CELL(outcome, eti__string_cell(eti__outcome_name(row->answer->outcome)))
SUMMARY_CELL(unit, eti__string_cell(row->evidence->one_process ? "run" : "file"))
SUMMARY_CELL(metric, eti__string_cell(metric_name(row->diff->metric)))
SUMMARY_CELL(same_file, eti__bool_cell(row->diff->is_same_file))
SUMMARY_COUNT(n_base, row->evidence->n_base)
SUMMARY_COUNT(n_new, row->evidence->n_new)
SUMMARY_COUNT(fewest, row->evidence->fewest)
SUMMARY_NUMBER(alpha, row->diff->options.alpha)
SUMMARY_NUMBER(least_effect, row->diff->options.least_effect)
SUMMARY_COUNT(n_slower, row->answer->n_slower)
SUMMARY_COUNT(n_faster, row->answer->n_faster)
SUMMARY_NUMBER(change, row->answer->total ? row->answer->total->raw_ratio - 1 : (double)NAN)
SUMMARY_NUMBER(level, row->pair ? exp(row->pair->level.difference) : (double)NAN)
SUMMARY_NUMBER(level_p, row->pair && row->pair->has_level_test ? row->pair->level.p : (double)NAN)
SUMMARY_NUMBER(total_detectable, row->evidence->total_detectable)
SUMMARY_NUMBER(event_detectable, row->evidence->event_detectable)
SUMMARY_NUMBER(total_deviation, row->evidence->total_deviation)
SUMMARY_NUMBER(required, row->evidence->most_detectable)
ETI_CELL_SETTER(summary_row, n_needed, eti__files_needed_cell(row->evidence->n_needed))
COVERAGE_COUNT(n_events)
COVERAGE_COUNT(n_judged)
COVERAGE_COUNT(n_small)
COVERAGE_COUNT(n_no_time)
COVERAGE_COUNT(n_missing)
COVERAGE_COUNT(n_few_files)
COVERAGE_COUNT(n_added)
COVERAGE_COUNT(n_removed)
SUMMARY_NUMBER(judged_share, row->coverage->share)
SUMMARY_NUMBER(shared_base, row->answer->shared_base)
SUMMARY_NUMBER(shared_new, row->answer->shared_new)

static const eti_column_spec summary_columns[] = {
    {"outcome", ETI_TEXTS, false, "slower, not slower or cannot tell", set_outcome},
    {"answer", ETI_TEXTS, false, "the outcome as a sentence", set_answer},
    {"n_base", ETI_COUNTS, false, "files or runs of the base", set_n_base},
    {"n_new", ETI_COUNTS, false, "files or runs of the new side", set_n_new},
    {"unit", ETI_TEXTS, false, "unit of comparison: file, or run with one_process", set_unit},
    {"n_fewest", ETI_COUNTS, false, "units per side needed for any verdict", set_fewest},
    {"alpha", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false, "probability of at least one false alarm",
     set_alpha},
    {"least_effect", ETI_CHANGES, false, "changes below this are noise", set_least_effect},
    {"metric", ETI_TEXTS, false, "statistic that represents the runs of a file", set_metric},
    {"n_slower", ETI_COUNTS, false, "events that got slower, or groups if there are no events",
     set_n_slower},
    {"n_faster", ETI_COUNTS, false, "events that got faster, or groups if there are no events",
     set_n_faster},
    {"total_change", ETI_CHANGES, false, "change of the slowest total, as measured", set_change},
    {"level", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
     "new / base of most events; ratios of events are relative to it", set_level},
    {"level_p", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false, "probability of such a level by chance",
     set_level_p},
    {"total_detectable", ETI_CHANGES, false,
     "smallest change of the total that would have been detected", set_total_detectable},
    {"event_detectable", ETI_CHANGES, false,
     "smallest change of the median event that would have been detected", set_event_detectable},
    {"total_deviation", ETI_SHARES, false,
     "standard deviation of the total between units of one side", set_total_deviation},
    {"n_needed", ETI_COUNTS, false, "units per side needed to detect a change of the required size",
     set_n_needed},
    {"n_events", ETI_COUNTS, false, "events of both sides", set_n_events},
    {"n_judged", ETI_COUNTS, false, "events that were judged", set_n_judged},
    {"n_small", ETI_COUNTS, false, "events below min_share", set_n_small},
    {"n_no_time", ETI_COUNTS, false, "events with a time of 0", set_n_no_time},
    {"n_missing", ETI_COUNTS, false, "events that are not in all files", set_n_missing},
    {"n_few_files", ETI_COUNTS, false, "events with fewer units than n_fewest", set_n_few_files},
    {"n_added", ETI_COUNTS, false, "events only on the new side", set_n_added},
    {"n_removed", ETI_COUNTS, false, "events only in the base", set_n_removed},
    {"judged_share", ETI_SHARES, false, "share of the time of the new side taken by judged events",
     set_judged_share},
    {"shared_base", ETI_SHARES, false,
     "share of the time of the base taken by events that are on both sides", set_shared_base},
    {"shared_new", ETI_SHARES, false,
     "share of the time of the new side taken by events that are on both sides", set_shared_new},
    {"required", ETI_CHANGES, false,
     "change that must be detectable to answer that nothing is slower: detectable, or more because "
     "of least_effect",
     set_required},
    {"same_file", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, false, "true if a file is on both sides",
     set_same_file},
};

static const eti_diff_pair *find_pair_with_levels(const eti_diff *diff) {
    for (size_t i = 0; i < diff->n_pairs; i++) {
        if (diff->pairs[i].levels)
            return &diff->pairs[i];
    }
    return NULL;
}

static eti_status add_summary(eti_report *report, const eti_diff *diff, const eti_answer *answer,
                              eti_text sentence, eti_error *err) {
    eti_table *table;
    summary_row row = {.diff = diff,
                       .answer = answer,
                       .evidence = &answer->evidence,
                       .coverage = &diff->coverage,
                       .pair = find_pair_with_levels(diff)};
    ETI_TRY(eti__columns_add_section(&table, report, "summary", "Summary", summary_columns,
                                     ETI_N_COLUMNS(summary_columns), NULL, err));
    report->sections[report->n_sections - 1].is_in_notes = true;
    if (!eti__table_own_text(table, sentence, &row.sentence))
        return eti_fail_memory(err);
    ETI_TRY(
        eti__columns_add_row(table, summary_columns, ETI_N_COLUMNS(summary_columns), &row, err));
    ETI_TRY(eti__note_sides(report, diff, answer, err));
    return eti__report_note(report, err, "%.*s", (int)sentence.size, sentence.data);
}

eti_status eti__diff_add_summary(eti_report *report, const eti_diff *diff, const eti_answer *answer,
                                 eti_error *err) {
    eti_buffer sentence = {0};
    eti__add_answer(&sentence, answer);
    eti_status status = sentence.failed ? eti_fail_memory(err) : ETI_OK;
    if (status == ETI_OK)
        status = add_summary(report, diff, answer, eti__buffer_text(&sentence), err);
    eti__buffer_free(&sentence);
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

typedef struct file_row {
    const char *side;
    eti_text block, name;
    size_t n_runs;
    double level, total;
} file_row;

ETI_CELL_SETTER(file_row, side, eti__string_cell(row->side))
ETI_CELL_SETTER(file_row, block, eti__text_or_none(row->block))
ETI_CELL_SETTER(file_row, name, eti__text_or_none(row->name))
ETI_CELL_SETTER(file_row, n_runs, eti__count_cell(row->n_runs))
ETI_CELL_SETTER(file_row, file_level, eti__finite_or_none(row->level))
ETI_CELL_SETTER(file_row, total, eti__finite_or_none(row->total))

static const eti_column_spec file_columns[] = {
    {"side", ETI_TEXTS, false, "base or new", set_side},
    {"file", ETI_TEXTS, false, "name of the file", set_name},
    {"block", ETI_TEXTS, false, "EventBlock", set_block},
    {"runs", ETI_COUNTS, false, "runs that are compared", set_n_runs},
    {"total", ETI_TIMES, false, "total time, as measured", set_total},
    {"level", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
     "level of most events, relative to the median file", set_file_level},
};

/* Returns the level of file `k`; if runs are the units, the geometric mean of their levels. */
static double level_of(const eti_diff *diff, const double *levels, const eti_file_runs *files,
                       size_t k) {
    double sum = 0;
    if (!levels)
        return (double)NAN;
    if (!diff->options.one_process)
        return exp(levels[k]);
    for (size_t i = 0; i < files[k].n; i++)
        sum += levels[files[k].first + i];
    return exp(sum / (double)files[k].n);
}

static eti_status add_side(eti_table *table, const eti_diff *diff, const eti_diff_pair *pair,
                           bool is_new, eti_error *err) {
    const eti_profile *profile = is_new ? diff->new_side : diff->base;
    const eti_profile_block *block = is_new ? pair->new_side : pair->base;
    const eti_entry *total = is_new ? pair->total_new : pair->total_base;
    const double *levels = pair->levels && is_new ? pair->levels + pair->n_base : pair->levels;
    for (size_t k = 0; block && k < block->n_files; k++) {
        const eti_file_runs *file = &block->files[k];
        file_row row = {.side = is_new ? "new" : "base",
                        .block = block->label,
                        .name = profile->files[file->file].name,
                        .n_runs = file->n,
                        .level = level_of(diff, levels, block->files, k),
                        .total = (double)NAN};
        if (total)
            row.total = eti__file_metric(&total->times[k], diff->metric) /
                        (is_new ? profile->factor : diff->base_factor);
        ETI_TRY(eti__columns_add_row(table, file_columns, ETI_N_COLUMNS(file_columns), &row, err));
    }
    return ETI_OK;
}

/* Returns whether the pair has events. Loading happens once per file and has none. */
static bool has_events(const eti_diff_pair *pair) {
    const eti_profile_block *block = pair->base ? pair->base : pair->new_side;
    return block->n_entries > block->n_totals;
}

eti_status eti__diff_add_files(eti_report *report, const eti_diff *diff, eti_error *err) {
    eti_table *table;
    ETI_TRY(eti__columns_add_section(
        &table, report, "files", "Files", file_columns, ETI_N_COLUMNS(file_columns),
        eti__column_unit(diff->new_side->target_scale, diff->options.include_units), err));
    report->sections[report->n_sections - 1].is_detail = true;
    report->sections[report->n_sections - 1].is_told_above = true;
    for (size_t i = 0; i < diff->n_pairs; i++) {
        if (!has_events(&diff->pairs[i]))
            continue;
        ETI_TRY(add_side(table, diff, &diff->pairs[i], false, err));
        ETI_TRY(add_side(table, diff, &diff->pairs[i], true, err));
    }
    return ETI_OK;
}
