/*
 * profile_report.c - makes tables of a profile's entries and files.
 */
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "etinspect.h"
#include "profile/profile.h"
#include "table/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct entry_row {
    eti_table *table;
    const eti_profile_block *block;
    const eti_entry *entry;
} entry_row;

#define TEXT_CELL(field) ETI_CELL_SETTER(entry_row, field, eti__text_or_none(row->entry->field))
#define TIME_CELL(field)                                                                           \
    ETI_CELL_SETTER_IF(entry_row, field,                                                           \
                       eti__entry_is_time(row->entry) && !isnan(row->entry->summary.field),        \
                       eti__double_cell(row->entry->summary.field))

ETI_CELL_SETTER(entry_row, block, eti__text_or_none(row->block->label))
ETI_CELL_SETTER(entry_row, kind, eti__string_cell(eti__entry_kind_name(row->entry)))
TEXT_CELL(name)

static uint64_t count_entry_runs(const entry_row *row) {
    size_t n = 0;
    for (size_t i = 0; i < row->block->n_files; i++) {
        if (!eti__file_lacks_entry(&row->entry->times[i]))
            n += row->block->files[i].n;
    }
    return n;
}
ETI_CELL_SETTER(entry_row, n, eti__count_cell(count_entry_runs(row)))
TIME_CELL(p10)
TIME_CELL(p50)
TIME_CELL(p90)
TIME_CELL(avg)
TIME_CELL(min)
TIME_CELL(max)
ETI_CELL_SETTER_IF(entry_row, value, !eti__entry_is_time(row->entry),
                   eti__number_or_none(row->entry->summary.p50))
TEXT_CELL(unit)
TEXT_CELL(op)
TEXT_CELL(op_type)
TEXT_CELL(module)
TEXT_CELL(backend)
TEXT_CELL(delegate_id)
TEXT_CELL(handles)
TEXT_CELL(code)

static uint64_t count_files(const entry_row *row) {
    size_t n = 0;
    for (size_t i = 0; i < row->block->n_files; i++)
        n += !eti__file_lacks_entry(&row->entry->times[i]);
    return n;
}
ETI_CELL_SETTER(entry_row, files, eti__count_cell(count_files(row)))

static bool set_source(void *context, eti_cell *cell) {
    const entry_row *row = context;
    eti_buffer text = {0};
    if (!row->entry->file.data)
        return true;
    eti__add_source_line(&text, row->entry->file, row->entry->line);
    cell->kind = ETI_CELL_TEXT;
    bool done =
        !text.failed && eti__table_own_text(row->table, eti__buffer_text(&text), &cell->as_text);
    eti__buffer_free(&text);
    return done;
}

static const eti_column_spec columns[] = {
    {"block", ETI_TEXTS, false, "EventBlock", set_block},
    {"kind", ETI_TEXTS, false, "kind of the total or event", set_kind},
    {"event_name", ETI_TEXTS, false, "name of the total or event", set_name},
    {"n", ETI_COUNTS, false, "number of runs", set_n},
    {"p10", ETI_TIMES, true, "10th percentile of its self time", set_p10},
    {"p50", ETI_TIMES, false, "median of its self time", set_p50},
    {"p90", ETI_TIMES, true, "90th percentile of its self time", set_p90},
    {"avg", ETI_TIMES, false, "mean of its self time", set_avg},
    {"min", ETI_TIMES, false, "shortest self time", set_min},
    {"max", ETI_TIMES, false, "longest self time", set_max},
    {"value", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true,
     "median of an event that counts something else than time", set_value},
    {"unit", ETI_TEXTS, true, "unit of `value`", set_unit},
    {"op", ETI_TEXTS, true, "operators", set_op},
    {"op_type", ETI_TEXTS, true, "operator of the event", set_op_type},
    {"files", ETI_COUNTS, true, "number of files with the event", set_files},
    {"module", ETI_TEXTS, true, "innermost module common to all its nodes", set_module},
    {"backend", ETI_TEXTS, true, "backend of delegates", set_backend},
    {"delegate_id", ETI_TEXTS, true, "delegate debug id", set_delegate_id},
    {"handles", ETI_TEXTS, true, "debug handles", set_handles},
    {"source", ETI_TEXTS, true, "source line common to all its nodes", set_source},
    {"code", ETI_TEXTS, true, "source code of that line", set_code},
};

/* ---- files ----------------------------------------------------------------------------------- */

typedef struct file_row {
    eti_table *table;
    const eti_profile *profile;
    uint32_t number;
    const eti_profile_file *file;
} file_row;

/* Returns the largest number of runs in a block. */
static uint64_t count_runs(const file_row *row) {
    size_t most = 0;
    for (size_t i = 0; i < row->profile->n_blocks; i++) {
        const eti_profile_block *block = &row->profile->blocks[i];
        for (size_t k = 0; k < block->n_files; k++) {
            if (block->files[k].file == row->number && block->files[k].n > most)
                most = block->files[k].n;
        }
    }
    return most;
}

ETI_CELL_SETTER(file_row, file, eti__text_cell(row->file->shown))
ETI_CELL_SETTER(file_row, runs, eti__count_cell(count_runs(row)))
ETI_CELL_SETTER_IF(file_row, bytes, row->file->size > 0, eti__count_cell(row->file->size))
ETI_CELL_SETTER(file_row, sha256, eti__text_or_none(row->file->sha256))

static bool set_labels(void *context, eti_cell *cell) {
    const file_row *row = context;
    eti_buffer text = {0};
    for (size_t i = 0; i < row->file->n_labels; i++)
        eti__buffer_printf(&text, "%s%s=%s", i > 0 ? " " : "", row->file->labels[i].key,
                           row->file->labels[i].value);
    if (row->file->n_merged > 0)
        eti__buffer_printf(&text, "%sfiles=%" PRIu32, text.size > 0 ? " " : "",
                           row->file->n_merged);
    if (text.size > 0)
        cell->kind = ETI_CELL_TEXT;
    bool done =
        !text.failed && eti__table_own_text(row->table, eti__buffer_text(&text), &cell->as_text);
    eti__buffer_free(&text);
    return done;
}

static const eti_column_spec file_columns[] = {
    {"file", ETI_TEXTS, false,
     "name of the file of one process, or of the first file of a merged push", set_file},
    {"runs", ETI_COUNTS, false, "largest number of runs in an EventBlock", set_runs},
    {"labels", ETI_TEXTS, false,
     "labels that may differ between files; files=N: merged from N files", set_labels},
    {"bytes", ETI_TYPE_INT64, ETI_COLUMN_BYTES, true, "size of the file", set_bytes},
    {"sha256", ETI_TEXTS, true, "SHA-256 of a file in a baseline", set_sha256},
};

static eti_status add_files(eti_report *report, const eti_profile *profile, eti_error *err) {
    eti_table *table;
    ETI_TRY(eti__columns_add_section(&table, report, "files", "Files", file_columns,
                                     ETI_N_COLUMNS(file_columns), "", err));
    for (uint32_t i = 0; i < profile->n_files; i++) {
        file_row row = {table, profile, i, &profile->files[i]};
        ETI_TRY(eti__columns_add_row(table, file_columns, ETI_N_COLUMNS(file_columns), &row, err));
    }
    return ETI_OK;
}

/* ---- the report ------------------------------------------------------------------------------ */

/* Counts runs, except for loading, which is not a run of the model: `etinspect summary` and `runs` do not count it
 * either; and events that count cycles. */
static void count_all_runs(const eti_profile *profile, size_t *n_runs, size_t *n_skipped,
                           size_t *n_cycles) {
    *n_runs = *n_skipped = *n_cycles = 0;
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_profile_block *block = &profile->blocks[i];
        for (size_t k = block->n_totals; k < block->n_entries; k++)
            *n_cycles += !eti__entry_is_time(&block->entries[k]);
        if (block->n_entries > 0 && block->entries[0].kind == ETI_ENTRY_LOADING)
            continue;
        *n_runs += block->n_runs;
        *n_skipped += block->n_skipped;
    }
}

static eti_status add_entries(eti_report *report, const eti_profile *profile, bool include_units,
                              eti_error *err) {
    eti_table *table;
    eti_column_spec shown[ETI_N_COLUMNS(columns)];
    size_t n_runs, n_skipped, n_cycles;
    memcpy(shown, columns, sizeof columns);
    count_all_runs(profile, &n_runs, &n_skipped, &n_cycles);
    if (n_cycles > 0)
        eti__columns_show_values(shown, ETI_N_COLUMNS(columns));
    ETI_TRY(eti__columns_add_section(&table, report, "entries", NULL, shown, ETI_N_COLUMNS(columns),
                                     eti__column_unit(profile->target_scale, include_units), err));
    for (size_t i = 0; i < profile->n_blocks; i++) {
        const eti_profile_block *block = &profile->blocks[i];
        for (size_t k = 0; k < block->n_entries; k++) {
            entry_row row = {table, block, &block->entries[k]};
            ETI_TRY(eti__columns_add_row(table, shown, ETI_N_COLUMNS(columns), &row, err));
        }
    }
    return ETI_OK;
}

eti_status eti__profile_note_runs(eti_report *report, const eti_profile *profile, const char *side,
                                  eti_error *err) {
    size_t n_runs, n_skipped, n_cycles;
    count_all_runs(profile, &n_runs, &n_skipped, &n_cycles);
    if (n_skipped > 0)
        ETI_TRY(eti__report_note(report, err,
                                 "%s: dropped %zu of %zu runs as warm-up (%sskip_first)", side,
                                 n_skipped, n_runs + n_skipped, eti__option_prefix()));
    if (n_cycles > 0)
        ETI_TRY(eti__report_note(report, err,
                                 "%s: %zu %s cycles of an unknown clock instead of a time; see "
                                 "%sdelegate_time_scale",
                                 side, n_cycles, n_cycles == 1 ? "event has" : "events have",
                                 eti__option_prefix()));
    return ETI_OK;
}

static eti_status note_facts(eti_report *report, const eti_profile *profile, eti_error *err) {
    ETI_TRY(eti__profile_note_runs(report, profile, "runs", err));
    if (profile->method.data)
        ETI_TRY(eti__report_note(report, err, "method: %.*s", ETI_TEXT_ARGS(profile->method)));
    for (size_t i = 0; i < profile->n_labels; i++)
        ETI_TRY(eti__report_note(report, err, "%.200s: %.200s", profile->labels[i].key,
                                 profile->labels[i].value));
    return profile->has_ticks ? ETI_OK
                              : eti__report_note(report, err, "times of runs are not stored");
}

eti_status eti__profile_report(eti_report **out, const eti_profile *profile, bool include_units,
                               eti_error *err) {
    eti_report *report;
    *out = NULL;
    ETI_TRY(eti__profiles_begin_report(&report, "baseline", NULL, profile, err));
    eti_status status = add_entries(report, profile, include_units, err);
    if (status == ETI_OK)
        status = note_facts(report, profile, err);
    if (status == ETI_OK)
        status = add_files(report, profile, err);
    if (status == ETI_OK)
        *out = report;
    else
        eti_report_free(report);
    return status;
}
