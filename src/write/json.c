#include "write/write.h"

#include "table/table.h"
#include "write/writer.h"

#include <stdlib.h>

/* ==== json provenance ========================================================================= */

static void add_source(eti_json_writer *json, const eti_report_source *source, bool has_sha256) {
    char digits[ETI_SHA256_DIGITS + 1];
    eti__json_open_object(json);
    eti__json_add_member(json, "kind", eti__text_of(source->kind));
    eti__json_add_member(json, "path", source->path);
    eti__json_add_u64_member(json, "size", source->size);
    eti__json_add_member(json, "sha256", eti__source_sha256(source, has_sha256, digits));
    eti__json_close_level(json);
}

static bool has_label(const eti_write_options *options, const char *key) {
    for (size_t i = 0; i < options->n_labels; i++) {
        if (strcmp(options->labels[i].key, key) == 0)
            return true;
    }
    return false;
}

/* Adds the labels: first those of the report, then those of the user, which replace labels of the report. */
static void add_labels(eti_json_writer *json, const eti_report *report,
                       const eti_write_options *options) {
    eti__json_add_key(json, "labels");
    eti__json_open_object(json);
    for (size_t i = 0; i < report->n_labels + options->n_labels; i++) {
        const eti_label *label =
            i < report->n_labels ? &report->labels[i] : &options->labels[i - report->n_labels];
        if (i < report->n_labels && has_label(options, label->key))
            continue;
        eti__json_add_member(json, label->key, eti__text_of(label->value));
    }
    eti__json_close_level(json);
}

/* Makes the next member begin a line, if the members have lines of their own. */
static void separate(eti_json_writer *json, bool has_lines) {
    if (has_lines)
        eti__json_add_line(json, 0);
}

void eti__json_add_provenance(eti_json_writer *json, const eti_report *report,
                              const eti_write_options *options, bool has_lines) {
    eti__json_add_member(json, "schema", eti__text_of(ETI_OUTPUT_SCHEMA));
    separate(json, has_lines);
    eti__json_add_member(json, "version", eti__text_of(eti_version()));
    separate(json, has_lines);
    eti__json_add_member(json, "view", eti__text_of(report->view));
    separate(json, has_lines);
    eti__json_add_member(json, "time_scale", eti__report_time_scale(report));
    separate(json, has_lines);
    eti__json_add_key(json, "sources");
    eti__json_open_array(json);
    for (size_t i = 0; i < report->n_sources; i++)
        add_source(json, &report->sources[i], !options->no_sha256);
    eti__json_close_level(json);
    separate(json, has_lines);
    add_labels(json, report, options);
}

/* ==== json ==================================================================================== */

/*
 * JSON: one document with the report's tables as arrays of objects, one row per line, as specified by
 * schema/etinspect.schema.json. NDJSON: each row is a line of its own with its provenance, so that lines can be cut, sorted
 * and joined with those of other files.
 */

typedef struct document {
    const eti_report *report;
    const eti_write_options *options;
    eti_output *output;
    eti_buffer text; /* text that is not written yet */
    eti_json_writer json;
    eti_buffer provenance; /* of each line */
    bool failed;           /* out of memory */
    eti_status status;     /* status of rows that are read while they are written */
    eti_error *err;
} document;

static void flush(document *d) {
    eti__output_add_text(d->output, eti__buffer_text(&d->text));
    d->text.size = 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* A part of a text. */
typedef struct range {
    size_t begin, end;
} range;

/* The text of a row without its cells, which all rows of a section have in common, except for the beginning of the first. */
typedef struct row_form {
    const eti_section *section;
    eti_buffer text;
    range first, next; /* the beginning of the first row, and of the others */
    size_t keys;       /* where the key of the first column begins */
    size_t *ends;      /* per column: where its key ends, which the cell follows */
    range tail;        /* the end of a row */
} row_form;

typedef void (*form_function)(const document *d, row_form *form);

static void add_keys(const document *d, row_form *form, eti_json_writer *json) {
    const eti_table *table = form->section->table;
    form->keys = form->text.size;
    for (size_t i = 0; i < table->n_columns; i++) {
        eti__json_add_key_text(json, eti__column_bare_name(d->report, &table->columns[i]));
        form->ends[i] = form->text.size;
        eti__json_begin_value(json);
    }
}

static void add_range(eti_buffer *out, const row_form *form, range part) {
    eti__buffer_add(out, form->text.data + part.begin, part.end - part.begin);
}

static void add_cells(void *state, size_t row, const eti_cell *cells, size_t first, size_t end,
                      eti_buffer *out) {
    const row_form *form = state;
    size_t at = first > 0 ? form->ends[first - 1] : form->keys;
    if (first == 0)
        add_range(out, form, row > 0 ? form->next : form->first);
    for (size_t i = first; i < end; i++) {
        eti__buffer_add(out, form->text.data + at, form->ends[i] - at);
        eti__cell_add_json(out, &cells[i]);
        at = form->ends[i];
    }
    if (end == form->section->table->n_columns)
        add_range(out, form, form->tail);
}

static void add_row(void *state, size_t row, const eti_cell *cells, eti_buffer *out) {
    const row_form *form = state;
    add_cells(state, row, cells, 0, form->section->table->n_columns, out);
}

/* Writes the tables that follow the table of the section. */
static void add_parts(document *d, row_form *form) {
    const eti_row_parts *parts = &form->section->parts;
    size_t n_rows = 0;
    void *pass;
    eti_table *part = NULL;
    d->status = parts->open(&pass, parts->context, d->err);
    if (d->status != ETI_OK)
        return;
    d->status = parts->next(pass, &part, d->err);
    while (d->status == ETI_OK && part && !d->failed && !eti__output_failed(d->output)) {
        d->failed = !eti__rows_write_alike(part, add_cells, form, n_rows, d->output);
        n_rows += part->n_rows;
        eti_table_free(part);
        part = NULL;
        if (!d->failed)
            d->status = parts->next(pass, &part, d->err);
    }
    eti_table_free(part);
    parts->close(pass);
}

static void add_rows(document *d, const eti_section *section, form_function make_form) {
    row_form form = {.section = section};
    if (d->text.failed || d->provenance.failed || d->status != ETI_OK)
        return;
    flush(d);
    form.ends = malloc((section->table->n_columns + 1) * sizeof *form.ends);
    if (form.ends)
        make_form(d, &form);
    if (!form.ends || form.text.failed ||
        !eti__rows_each(section->table, add_row, &form, 0, d->output))
        d->failed = true;
    else if (section->parts.open)
        add_parts(d, &form);
    eti__buffer_free(&form.text);
    free(form.ends);
}

static eti_status finish(document *d, eti_error *err) {
    bool failed = d->failed || d->text.failed || d->provenance.failed;
    if (!failed && d->status == ETI_OK)
        flush(d);
    eti__buffer_free(&d->text);
    eti__buffer_free(&d->provenance);
    return failed ? eti_fail_memory(err) : d->status;
}

/* ---- one document ---------------------------------------------------------------------------- */

/* Makes the form of a row: an object of an array, on its own line. */
static void make_object(const document *d, row_form *form) {
    eti_json_writer json = eti__json_writer(&form->text, ETI_JSON_SPACED);
    eti__json_open_array(&json);
    form->first.begin = form->text.size;
    eti__json_add_line(&json, 0);
    eti__json_open_object(&json);
    form->first.end = form->text.size;
    add_keys(d, form, &json);
    form->tail.begin = form->text.size;
    eti__json_close_level(&json);
    form->tail.end = form->next.begin = form->text.size;
    eti__json_add_line(&json, 0);
    eti__json_open_object(&json);
    form->next.end = form->text.size;
}

static void add_notes(document *d) {
    eti__json_add_key(&d->json, "notes");
    eti__json_open_array(&d->json);
    for (size_t i = 0; i < d->report->n_sections; i++) {
        const eti_section *section = &d->report->sections[i];
        for (size_t n = 0; n < section->n_notes; n++) {
            eti__json_add_line(&d->json, 0);
            eti__json_open_object(&d->json);
            eti__json_add_member(&d->json, "table", eti__text_of(section->name));
            eti__json_add_member(&d->json, "text", section->notes[n]);
            eti__json_close_level(&d->json);
        }
    }
    eti__json_close_level(&d->json);
}

static void add_tables(document *d) {
    eti__json_add_key(&d->json, "tables");
    eti__json_open_object(&d->json);
    for (size_t i = 0; i < d->report->n_sections; i++) {
        eti__json_add_line(&d->json, 0);
        eti__json_add_key(&d->json, d->report->sections[i].name);
        eti__json_open_array(&d->json);
        add_rows(d, &d->report->sections[i], make_object);
        eti__json_close_level(&d->json);
    }
    eti__json_close_level(&d->json);
}

static eti_status write_json(const eti_report *report, const eti_write_options *options,
                             eti_output *output, eti_error *err) {
    document d = {.report = report, .options = options, .output = output, .err = err};
    d.json = eti__json_writer(&d.text, ETI_JSON_SPACED);
    eti__json_open_object(&d.json);
    eti__json_add_line(&d.json, 0);
    eti__json_add_provenance(&d.json, report, options, true);
    eti__json_add_line(&d.json, 0);
    add_tables(&d);
    eti__json_add_line(&d.json, 0);
    add_notes(&d);
    eti__json_add_line(&d.json, 0);
    eti__json_close_level(&d.json);
    eti__buffer_add_char(&d.text, '\n');
    return finish(&d, err);
}

/* ---- one row a line -------------------------------------------------------------------------- */

/* Makes the form of a row: an object with the name of its table and its provenance. */
static void make_line(const document *d, row_form *form) {
    eti_json_writer json = eti__json_writer(&form->text, ETI_JSON_SPACED);
    eti__json_open_object(&json);
    eti__json_add_member(&json, "table", eti__text_of(form->section->name));
    form->first = form->next = (range){0, form->text.size};
    add_keys(d, form, &json);
    form->tail.begin = form->text.size;
    eti__json_add_key(&json, "provenance");
    eti__json_add_raw(&json, eti__buffer_text(&d->provenance));
    eti__json_close_level(&json);
    eti__buffer_add_char(&form->text, '\n');
    form->tail.end = form->text.size;
}

static eti_status write_ndjson(const eti_report *report, const eti_write_options *options,
                               eti_output *output, eti_error *err) {
    document d = {.report = report, .options = options, .output = output, .err = err};
    d.json = eti__json_writer(&d.provenance, ETI_JSON_SPACED);
    eti__json_open_object(&d.json);
    eti__json_add_provenance(&d.json, report, options, false);
    eti__json_close_level(&d.json);
    for (size_t i = 0; i < report->n_sections; i++)
        add_rows(&d, &report->sections[i], make_line);
    return finish(&d, err);
}

const eti_writer eti__writer_json = {
    .name = "json",
    .summary = "one JSON document, for jq and others",
    .suffixes = "json",
    .takes = ETI_TAKES_TABLES,
    .write_report = write_json,
    .takes_parts = true,
    .is_for_programs = true,
};

const eti_writer eti__writer_ndjson = {
    .name = "ndjson",
    .summary = "one JSON object per row, for pandas and DuckDB",
    .suffixes = "ndjson,jsonl",
    .takes = ETI_TAKES_TABLES,
    .write_report = write_ndjson,
    .takes_parts = true,
    .is_for_programs = true,
};
