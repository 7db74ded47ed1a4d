#include "table/report.h"

#include "base/array.h"
#include "table/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ==== report ================================================================================== */

#define MAX_NOTE 1024 /* bytes */

eti_status eti__report_new(eti_report **out, const char *view, eti_time_scale time_scale,
                           eti_error *err) {
    *out = calloc(1, sizeof **out);
    if (!*out)
        return eti_fail_memory(err);
    (*out)->view = view;
    (*out)->time_scale = time_scale;
    (*out)->has_time_scale = true;
    return ETI_OK;
}

void eti__report_keep(eti_report *report, eti_kept kept) {
    report->kept[report->n_kept++] = kept;
}

static void drop_table(void *table) {
    eti_table_free(table);
}

static void drop_report(void *report) {
    eti_report_free(report);
}

eti_kept eti__table_keep(const eti_table *table) {
    eti__references_add(table->report ? &table->report->references : &table->references);
    if (table->report)
        return (eti_kept){table->report, drop_report};
    return (eti_kept){(eti_table *)table, drop_table};
}

eti_status eti__report_add_source(eti_report *report, const char *kind, const struct eti_file *file,
                                  eti_error *err) {
    eti_report_source source = {.kind = kind, .data = file->data, .size = file->size};
    eti_report_source *grown =
        realloc(report->sources, (report->n_sources + 1) * sizeof *report->sources);
    if (!grown)
        return eti_fail_memory(err);
    report->sources = grown;
    if (!eti__arena_copy_text(&report->arena, eti__text_of(file->name), &source.path))
        return eti_fail_memory(err);
    report->sources[report->n_sources++] = source;
    return ETI_OK;
}

eti_status eti__report_add_label(eti_report *report, const char *key, const char *value,
                                 eti_error *err) {
    eti_label label = {key, value};
    if (!ETI_GROW(report->labels, report->label_capacity, report->n_labels + 1) ||
        !eti__arena_copy_string(&report->arena, &label.key) ||
        !eti__arena_copy_string(&report->arena, &label.value))
        return eti_fail_memory(err);
    report->labels[report->n_labels++] = label;
    return ETI_OK;
}

eti_status eti__report_add(eti_report *report, const char *name, const char *title,
                           eti_table *table, eti_error *err) {
    if (!ETI_GROW(report->sections, report->section_capacity, report->n_sections + 1)) {
        eti_table_free(table);
        return eti_fail_memory(err);
    }
    report->sections[report->n_sections++] =
        (eti_section){.name = name, .title = title, .table = table};
    table->report = report;
    return ETI_OK;
}

eti_status eti__report_note(eti_report *report, eti_error *err, const char *format, ...) {
    char note[MAX_NOTE];
    va_list arguments;
    va_start(arguments, format);
    eti__vsnprintf(note, sizeof note, format, arguments);
    va_end(arguments);
    eti_make_one_line(note);
    eti_section *section = &report->sections[report->n_sections - 1];
    eti_text copy;
    if (!ETI_GROW(section->notes, section->note_capacity, section->n_notes + 1) ||
        !eti__arena_copy_text(&report->arena, eti__text_of(note), &copy))
        return eti_fail_memory(err);
    section->notes[section->n_notes++] = copy;
    return ETI_OK;
}

eti_status eti__report_mark_sum(eti_report *report, eti_error *err) {
    eti_section *section = &report->sections[report->n_sections - 1];
    if (!ETI_GROW(section->sums, section->sum_capacity, section->n_sums + 1))
        return eti_fail_memory(err);
    section->sums[section->n_sums++] = section->table->n_rows - 1;
    return ETI_OK;
}

eti_status eti__report_add_series(eti_report *report, eti_series series, eti_error *err) {
    eti_section *section = &report->sections[report->n_sections - 1];
    double *values = eti__arena_alloc(&report->arena, series.n, sizeof *values);
    eti_text name;
    if (!values || !eti__arena_copy_text(&report->arena, series.name, &name) ||
        !ETI_GROW(section->series, section->series_capacity, section->n_series + 1))
        return eti_fail_memory(err);
    memcpy(values, series.values, series.n * sizeof *values);
    section->series[section->n_series++] = (eti_series){name, values, series.n};
    return ETI_OK;
}

eti_status eti__report_take_note(eti_report *report, eti_buffer *text, eti_error *err) {
    eti_status status = text->failed ? eti_fail_memory(err)
                                     : eti__report_note(report, err, "%.*s", (int)text->size,
                                                        text->data ? text->data : "");
    eti__buffer_free(text);
    return status;
}

void eti_report_free(eti_report *report) {
    if (!report || !eti__references_drop(&report->references))
        return;
    for (size_t i = 0; i < report->n_sections + report->n_left_out; i++) {
        eti_table_free(report->sections[i].table);
        free(report->sections[i].notes);
        free(report->sections[i].sums);
        free(report->sections[i].series);
    }
    free(report->sections);
    free(report->sources);
    free(report->labels);
    for (size_t i = 0; i < report->n_kept; i++)
        eti__kept_drop(&report->kept[i]);
    eti__arena_free(&report->arena);
    free(report);
}

bool eti_report_failed(const eti_report *report) {
    return report->is_failed;
}

size_t eti_report_table_count(const eti_report *report) {
    return report->n_sections;
}

size_t eti_report_selected_table(const eti_report *report) {
    return report->selected;
}

const char *eti_report_table_name(const eti_report *report, size_t i) {
    return i < report->n_sections ? report->sections[i].name : NULL;
}

const eti_table *eti_report_table(const eti_report *report, size_t i) {
    return i < report->n_sections ? report->sections[i].table : NULL;
}

/* ==== provenance ============================================================================== */

eti_text eti__source_sha256(const eti_report_source *source, bool is_wanted,
                            char out[ETI_SHA256_DIGITS + 1]) {
    if (!is_wanted)
        return (eti_text){NULL, 0};
    eti__sha256(source->data, source->size, out);
    return eti__text_of(out);
}

eti_text eti__report_time_scale(const eti_report *report) {
    return eti__text_of(report->has_time_scale ? eti_time_scale_name(report->time_scale) : NULL);
}
