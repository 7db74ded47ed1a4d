/*
 * JSON: one document with the report's tables as arrays of objects, one row per line, as specified by
 * schema/etinspect.schema.json. NDJSON: each row is a line of its own with its provenance, so that lines can be cut, sorted
 * and joined with those of other files.
 */
#include "table/rows.h"
#include "write/json_provenance.h"
#include "write/json_text.h"
#include "write/writer.h"

#include <stdlib.h>

typedef struct json_writer {
    const eti_report *report;
    const eti_write_options *options;
    eti_output *output;
    eti_buffer text;       /* text that is not written yet */
    eti_buffer provenance; /* of each line */
    bool failed;           /* out of memory */
    eti_status status;     /* status of rows that are read while they are written */
    eti_error *err;
} json_writer;

static void flush(json_writer *w) {
    eti__output_add_text(w->output, eti__buffer_text(&w->text));
    w->text.size = 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The form of rows, and their section. */
typedef struct line_form {
    const json_writer *writer;
    const eti_section *section;
    eti_buffer keys; /* keys of all columns, each after ", " and followed by ": " */
    size_t *ends;    /* per column: of its key */
} line_form;

/* Makes the keys, which are the same in all rows. False: out of memory. */
static bool make_keys(line_form *form) {
    const eti_table *table = form->section->table;
    form->ends = malloc((table->n_columns + 1) * sizeof *form->ends);
    for (size_t i = 0; form->ends && i < table->n_columns; i++) {
        eti__buffer_add(&form->keys, ", ", 2);
        eti__json_add_key(&form->keys, form->writer->report, &table->columns[i]);
        form->ends[i] = form->keys.size;
    }
    return form->ends && !form->keys.failed;
}

/* Adds the cells [first, end) of a row; `is_first`: nothing precedes cell 0. */
static void add_cells(eti_buffer *out, const line_form *form, const eti_cell *cells, size_t first,
                      size_t end, bool is_first) {
    size_t at = first > 0 ? form->ends[first - 1] : is_first ? 2 : 0; /* no comma */
    for (size_t i = first; i < end; i++) {
        eti__buffer_add(out, form->keys.data + at, form->ends[i] - at);
        eti__json_add_cell(out, &cells[i]);
        at = form->ends[i];
    }
}

/* Functions that write rows as whole lines and as parts of lines. */
typedef struct row_functions {
    eti_row_function line;
    eti_cells_function cells;
} row_functions;

/* Writes the tables that follow the table of the section. */
static void add_parts(json_writer *w, line_form *form, eti_cells_function add) {
    const eti_row_parts *parts = &form->section->parts;
    size_t n_rows = 0;
    void *pass;
    eti_table *part = NULL;
    w->status = parts->open(&pass, parts->context, w->err);
    if (w->status != ETI_OK)
        return;
    w->status = parts->next(pass, &part, w->err);
    while (w->status == ETI_OK && part && !w->failed && !eti__output_failed(w->output)) {
        w->failed = !eti__rows_write_alike(part, add, form, n_rows, w->output);
        n_rows += part->n_rows;
        eti_table_free(part);
        part = NULL;
        if (!w->failed)
            w->status = parts->next(pass, &part, w->err);
    }
    eti_table_free(part);
    parts->close(pass);
}

static void add_rows(json_writer *w, const eti_section *section, row_functions add) {
    line_form form = {.writer = w, .section = section};
    if (w->text.failed || w->provenance.failed || w->status != ETI_OK)
        return;
    flush(w);
    if (!make_keys(&form) || !eti__rows_each(section->table, add.line, &form, 0, w->output))
        w->failed = true;
    else if (section->parts.open)
        add_parts(w, &form, add.cells);
    eti__buffer_free(&form.keys);
    free(form.ends);
}

static eti_status finish(json_writer *w, eti_error *err) {
    bool failed = w->failed || w->text.failed || w->provenance.failed;
    if (!failed && w->status == ETI_OK)
        flush(w);
    eti__buffer_free(&w->text);
    eti__buffer_free(&w->provenance);
    return failed ? eti_fail_memory(err) : w->status;
}

/* ---- one document ---------------------------------------------------------------------------- */

static void add_object_cells(void *state, size_t row, const eti_cell *cells, size_t first,
                             size_t end, eti_buffer *out) {
    const line_form *form = state;
    if (first == 0)
        eti__buffer_add_string(out, row > 0 ? ",\n{" : "\n{");
    add_cells(out, form, cells, first, end, true);
    if (end == form->section->table->n_columns)
        eti__buffer_add_char(out, '}');
}

static void add_object(void *state, size_t row, const eti_cell *cells, eti_buffer *out) {
    const line_form *form = state;
    add_object_cells(state, row, cells, 0, form->section->table->n_columns, out);
}

static void add_notes(json_writer *w) {
    bool is_first = true;
    eti__buffer_add_string(&w->text, "\"notes\": [");
    for (size_t i = 0; i < w->report->n_sections; i++) {
        const eti_section *section = &w->report->sections[i];
        for (size_t n = 0; n < section->n_notes; n++) {
            eti__buffer_add_string(&w->text, is_first ? "\n{" : ",\n{");
            eti__json_add_member(&w->text, "table", eti__text_of(section->name));
            eti__buffer_add_string(&w->text, ", ");
            eti__json_add_member(&w->text, "text", section->notes[n]);
            eti__buffer_add_char(&w->text, '}');
            is_first = false;
        }
    }
    eti__buffer_add_string(&w->text, "]\n");
}

static eti_status write_json(const eti_report *report, const eti_write_options *options,
                             eti_output *output, eti_error *err) {
    json_writer w = {.report = report, .options = options, .output = output, .err = err};
    eti__buffer_add_string(&w.text, "{\n");
    eti__json_add_provenance(&w.text, report, options, ",\n");
    eti__buffer_add_string(&w.text, ",\n\"tables\": {");
    for (size_t i = 0; i < report->n_sections; i++) {
        eti__buffer_add_string(&w.text, i > 0 ? ",\n" : "\n");
        eti__json_add_string(&w.text, eti__text_of(report->sections[i].name));
        eti__buffer_add_string(&w.text, ": [");
        add_rows(&w, &report->sections[i], (row_functions){add_object, add_object_cells});
        eti__buffer_add_char(&w.text, ']');
    }
    eti__buffer_add_string(&w.text, "},\n");
    add_notes(&w);
    eti__buffer_add_string(&w.text, "}\n");
    return finish(&w, err);
}

/* ---- one row a line -------------------------------------------------------------------------- */

static void add_line_cells(void *state, size_t row, const eti_cell *cells, size_t first, size_t end,
                           eti_buffer *out) {
    const line_form *form = state;
    (void)row;
    if (first == 0) {
        eti__buffer_add_char(out, '{');
        eti__json_add_member(out, "table", eti__text_of(form->section->name));
    }
    add_cells(out, form, cells, first, end, false);
    if (end == form->section->table->n_columns)
        eti__buffer_add_text(out, eti__buffer_text(&form->writer->provenance));
}

static void add_line(void *state, size_t row, const eti_cell *cells, eti_buffer *out) {
    const line_form *form = state;
    add_line_cells(state, row, cells, 0, form->section->table->n_columns, out);
}

static eti_status write_ndjson(const eti_report *report, const eti_write_options *options,
                               eti_output *output, eti_error *err) {
    json_writer w = {.report = report, .options = options, .output = output, .err = err};
    eti__buffer_add_string(&w.provenance, ", \"provenance\": {");
    eti__json_add_provenance(&w.provenance, report, options, ", ");
    eti__buffer_add_string(&w.provenance, "}}\n");
    for (size_t i = 0; i < report->n_sections; i++)
        add_rows(&w, &report->sections[i], (row_functions){add_line, add_line_cells});
    return finish(&w, err);
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
