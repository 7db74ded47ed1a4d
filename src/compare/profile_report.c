/*
 * profile_report.c - turns a profile into a table: what is in a baseline.
 */
#include "base/stack_frame.h"
#include "compare/diff_report.h"
#include "table/columns.h"

enum {
    COLUMN_BLOCK,
    COLUMN_KIND,
    COLUMN_NAME,
    COLUMN_N,
    COLUMN_P10,
    COLUMN_P50,
    COLUMN_P90,
    COLUMN_AVG,
    COLUMN_MIN,
    COLUMN_MAX,
    COLUMN_OP,
    COLUMN_MODULE,
    COLUMN_BACKEND,
    COLUMN_ID,
    COLUMN_HANDLES,
    COLUMN_SOURCE,
    COLUMN_CODE,
    N_COLUMNS
};

static const eti_column_spec specs[N_COLUMNS] = {
    [COLUMN_BLOCK] = {"block", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "EventBlock"},
    [COLUMN_KIND] = {"kind", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "of total or event"},
    [COLUMN_NAME] = {"event_name", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "of total or event"},
    [COLUMN_N] = {"n", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false, "runs"},
    [COLUMN_P10] = {"p10", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, true, "of own times"},
    [COLUMN_P50] = {"p50", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "of own times"},
    [COLUMN_P90] = {"p90", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, true, "of own times"},
    [COLUMN_AVG] = {"avg", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "of own times"},
    [COLUMN_MIN] = {"min", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "of own times"},
    [COLUMN_MAX] = {"max", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "of own times"},
    [COLUMN_OP] = {"op", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "operators"},
    [COLUMN_MODULE] = {"module", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
                       "innermost that all its nodes share"},
    [COLUMN_BACKEND] = {"backend", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "of delegates"},
    [COLUMN_ID] = {"delegate_id", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "delegate debug id"},
    [COLUMN_HANDLES] = {"handles", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "debug handles"},
    [COLUMN_SOURCE] = {"source", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
                       "line that all its nodes share"},
    [COLUMN_CODE] = {"code", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "what stands there"},
};

static bool set_source(eti_table *table, const eti_entry *entry, eti_cell *cell) {
    eti_buffer text = {0};
    if (!entry->file.data)
        return true;
    eti_add_source_line(&text, entry->file, entry->line);
    cell->kind = ETI_CELL_TEXT;
    bool done = !text.failed && eti_table_own_text(table, eti_buffer_text(&text), &cell->as_text);
    eti_buffer_free(&text);
    return done;
}

static bool add_row(eti_table *table, const eti_profile_block *block, const eti_entry *entry) {
    const eti_summary *of = &entry->summary;
    const double times[] = {of->p10, of->p50, of->p90, of->avg, of->min, of->max};
    const eti_text texts[N_COLUMNS] = {
        [COLUMN_BLOCK] = block->name,     [COLUMN_KIND] = eti_text_of(eti_entry_kind_name(entry)),
        [COLUMN_NAME] = entry->name,      [COLUMN_OP] = entry->op,
        [COLUMN_MODULE] = entry->module,  [COLUMN_BACKEND] = entry->backend,
        [COLUMN_ID] = entry->delegate_id, [COLUMN_HANDLES] = entry->handles,
        [COLUMN_CODE] = entry->code,
    };
    eti_cell *cells = eti_table_add_row(table);
    if (!cells)
        return false;
    for (size_t i = 0; i < N_COLUMNS; i++)
        cells[i] = eti_text_or_none(texts[i]);
    cells[COLUMN_N] = eti_count_cell(block->n_runs);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        cells[COLUMN_P10 + i] = eti_double_cell(times[i]);
    return set_source(table, entry, &cells[COLUMN_SOURCE]);
}

static eti_status make_table(eti_table **out, const eti_profile *profile, bool include_units,
                             eti_error *err) {
    ETI_TRY(eti_columns_make(out, specs, N_COLUMNS,
                             eti_column_unit(profile->target_scale, include_units), err));
    for (size_t i = 0; i < profile->n_blocks; i++) {
        for (size_t k = 0; k < profile->blocks[i].n_entries; k++) {
            if (add_row(*out, &profile->blocks[i], &profile->blocks[i].entries[k]))
                continue;
            eti_table_free(*out);
            return eti_fail_memory(err);
        }
    }
    return ETI_OK;
}

static eti_status note_facts(eti_report *report, const eti_profile *profile, eti_error *err) {
    ETI_TRY(eti_profile_note_runs(report, profile, "runs", err));
    if (profile->method.data)
        ETI_TRY(eti_report_note(report, err, "method: %.*s", ETI_TEXT_ARGS(profile->method)));
    for (size_t i = 0; i < profile->n_labels; i++)
        ETI_TRY(eti_report_note(report, err, "%.200s: %.200s", profile->labels[i].key,
                                profile->labels[i].value));
    return profile->is_summarised ? eti_report_note(report, err, "a summary: there are no samples")
                                  : ETI_OK;
}

eti_status eti_profile_report(eti_report **out, const eti_profile *profile, bool include_units,
                              eti_error *err) {
    eti_report *report;
    eti_table *table;
    *out = NULL;
    ETI_TRY(eti_report_new(&report, "baseline", profile->target_scale, err));
    eti_status status = eti_profile_add_sources(report, profile, err);
    if (status == ETI_OK)
        status = make_table(&table, profile, include_units, err);
    if (status == ETI_OK)
        status = eti_report_add(report, "entries", NULL, table, err);
    if (status == ETI_OK)
        status = note_facts(report, profile, err);
    if (status == ETI_OK)
        *out = report;
    else
        eti_report_free(report);
    return status;
}
