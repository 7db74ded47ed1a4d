#include "base/csv.h"
#include "base/output.h"
#include "base/status.h"
#include "base/text.h"
#include "etinspect.h"
#include "table/table.h"
#include "write/write.h"
#include "write/writer.h"

/* ==== csv ===================================================================================== */

/*
 * Comma-separated values by RFC 4180: CRLF ends a line. The text of cells is that of the TSV; there
 * is no index column, because only pandas expects one.
 */

/* Adds a field. An empty field that is alone in a line gets quotes, so that the line is not
 * empty. */
static void add_field(eti_buffer *out, eti_text text, bool alone) {
    ETI_EXPECT_UTF8(text);
    if (alone && text.size == 0)
        eti__csv_add_quoted(out, text);
    else
        eti__csv_add_field(out, text);
}

static void add_header(eti_buffer *out, const eti_table *table) {
    for (size_t i = 0; i < table->n_columns; i++) {
        if (i > 0)
            eti__buffer_add_char(out, ',');
        add_field(out, table->columns[i].name, table->n_columns == 1);
    }
    eti__buffer_add(out, "\r\n", 2);
}

static void add_cells(void *state, size_t row, const eti_cell *cells, size_t first, size_t end,
                      eti_buffer *out) {
    size_t n = *(const size_t *)state;
    eti_number_text number = {.size = 0};
    (void)row;
    for (size_t i = first; i < end; i++) {
        if (i > 0)
            eti__buffer_add_char(out, ',');
        eti_text text = eti__cell_text(&cells[i], &number);
        if (eti__cell_is_text(&cells[i]) || text.size == 0)
            add_field(out, text, n == 1);
        else
            eti__buffer_add_text(out, text);
    }
    if (end == n)
        eti__buffer_add(out, "\r\n", 2);
}

static void add_row(void *state, size_t row, const eti_cell *cells, eti_buffer *out) {
    add_cells(state, row, cells, 0, *(const size_t *)state, out);
}

static eti_status write_rows(const eti_table *table, eti_output *output, eti_error *err) {
    size_t n_columns = table->n_columns;
    bool done = eti__rows_write_alike(table, add_cells, &n_columns, 0, output);
    return done ? ETI_OK : eti_fail_memory(err);
}

static eti_status write_csv(const eti_table *table, const eti_write_options *options,
                            eti_output *output, eti_error *err) {
    (void)options;
    size_t n_columns = table->n_columns;
    eti_buffer header = {0};
    add_header(&header, table);
    bool done = !header.failed;
    eti__output_add_text(output, eti__buffer_text(&header));
    eti__buffer_free(&header);
    done = done && eti__rows_each(table, add_row, &n_columns, 0, output);
    return done ? ETI_OK : eti_fail_memory(err);
}

const eti_writer eti__writer_csv = {
    .name = "csv",
    .summary = "comma-separated values (RFC 4180)",
    .suffixes = "csv",
    .takes = ETI_TAKES_TABLES,
    .write_table = write_csv,
    .write_rows = write_rows,
};

/* ==== tsv ===================================================================================== */

/*
 * Tab-separated values as pandas writes them with Python's csv module: LF ends a line, and a field
 * is quoted only when it holds a TAB, a quote or an LF.
 */

typedef struct tsv_form {
    const eti_table *table;
    bool alone; /* a field is alone in its line */
} tsv_form;

/* Adds a field. An empty field that is alone in a line gets quotes, so that the line is not
 * empty. */
static void add_tsv_field(eti_buffer *out, eti_text text, bool alone) {
    ETI_EXPECT_UTF8(text);
    if (eti__text_has_any(text, "\t\n\"\"") || (alone && text.size == 0))
        eti__csv_add_quoted(out, text);
    else
        eti__buffer_add_text(out, text);
}

static void add_tsv_header(eti_buffer *out, const tsv_form *form) {
    const eti_table *table = form->table;
    for (size_t i = 0; i < table->n_columns; i++) {
        if (i > 0 || table->index_column)
            eti__buffer_add_char(out, '\t');
        add_tsv_field(out, table->columns[i].name, form->alone);
    }
    eti__buffer_add_char(out, '\n');
}

static void add_tsv_cells(void *state, size_t row, const eti_cell *cells, size_t first, size_t end,
                          eti_buffer *out) {
    const tsv_form *form = state;
    const eti_table *table = form->table;
    eti_number_text number = {.size = 0};
    if (table->index_column && first == 0) {
        eti_cell index = {.kind = ETI_CELL_INT,
                          .as_int = (int64_t)eti__table_row_number(table, row)};
        eti__buffer_add_text(out, eti__cell_text(&index, &number));
    }
    for (size_t i = first; i < end; i++) {
        if (i > 0 || table->index_column)
            eti__buffer_add_char(out, '\t');
        eti_text text = eti__cell_text(&cells[i], &number);
        if (eti__cell_is_text(&cells[i]) || text.size == 0)
            add_tsv_field(out, text, form->alone);
        else
            eti__buffer_add_text(out, text);
    }
    if (end == table->n_columns)
        eti__buffer_add_char(out, '\n');
}

static void add_tsv_row(void *state, size_t row, const eti_cell *cells, eti_buffer *out) {
    const tsv_form *form = state;
    add_tsv_cells(state, row, cells, 0, form->table->n_columns, out);
}

static tsv_form form_of(const eti_table *table) {
    return (tsv_form){table, table->n_columns == 1 && !table->index_column};
}

static eti_status write_tsv_rows(const eti_table *table, eti_output *output, eti_error *err) {
    tsv_form form = form_of(table);
    bool done = eti__rows_write_alike(table, add_tsv_cells, &form, 0, output);
    return done ? ETI_OK : eti_fail_memory(err);
}

static eti_status write_tsv(const eti_table *table, const eti_write_options *options,
                            eti_output *output, eti_error *err) {
    (void)options;
    tsv_form form = form_of(table);
    eti_buffer header = {0};
    add_tsv_header(&header, &form);
    bool done = !header.failed;
    eti__output_add_text(output, eti__buffer_text(&header));
    eti__buffer_free(&header);
    done = done && eti__rows_each(table, add_tsv_row, &form, 0, output);
    return done ? ETI_OK : eti_fail_memory(err);
}

const eti_writer eti__writer_tsv = {
    .name = "tsv",
    .summary = "tab-separated values, as the Inspector saves them",
    .suffixes = "tsv",
    .takes = ETI_TAKES_TABLES,
    .write_table = write_tsv,
    .write_rows = write_tsv_rows,
};
