/*
 * Tab-separated values as pandas writes them with Python's csv module: LF ends a line, and a field
 * is quoted only when it holds a TAB, a quote or an LF.
 */
#include "output/cell_text.h"
#include "output/writer.h"

static bool needs_quotes(eti_text text) {
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c == '\t' || c == '\n' || c == '"')
            return true;
    }
    return false;
}

static void add_quoted(eti_output *output, eti_text text) {
    size_t start = 0;
    eti_output_add(output, "\"", 1);
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] != '"')
            continue;
        /* Up to the quote and with it; it comes again as the first byte of the next piece. */
        eti_output_add(output, text.data + start, i + 1 - start);
        start = i;
    }
    eti_output_add(output, text.data + start, text.size - start);
    eti_output_add(output, "\"", 1);
}

/* An empty field that is all there is in a line gets quotes, lest the line vanish. */
static void add_field(eti_output *output, eti_text text, bool alone) {
    if (needs_quotes(text) || (alone && text.size == 0))
        add_quoted(output, text);
    else
        eti_output_add_text(output, text);
}

static void add_header(eti_output *output, const eti_table *table) {
    bool alone = table->n_columns == 1 && !table->index_column;
    for (size_t i = 0; i < table->n_columns; i++) {
        if (i > 0 || table->index_column)
            eti_output_add(output, "\t", 1);
        add_field(output, table->columns[i].name, alone);
    }
    eti_output_add(output, "\n", 1);
}

static void add_row(eti_output *output, const eti_table *table, size_t row, const eti_cell *cells) {
    eti_number_text number = {.size = 0};
    bool alone = table->n_columns == 1 && !table->index_column;
    if (table->index_column) {
        eti_cell index = {.kind = ETI_CELL_INT,
                          .as_int = (int64_t)eti_table_row_number(table, row)};
        eti_output_add_text(output, eti_cell_text(&index, &number));
    }
    for (size_t i = 0; i < table->n_columns; i++) {
        if (i > 0 || table->index_column)
            eti_output_add(output, "\t", 1);
        add_field(output, eti_cell_text(&cells[i], &number), alone);
    }
    eti_output_add(output, "\n", 1);
}

static eti_status write_tsv(const eti_table *table, eti_output *output, eti_error *err) {
    eti_row_reader rows;
    bool ok = eti_row_reader_open(&rows, table);
    if (ok)
        add_header(output, table);
    for (size_t row = 0; ok && row < table->n_rows && !eti_output_failed(output); row++) {
        const eti_cell *cells = eti_row_reader_read(&rows, row);
        ok = !rows.failed;
        if (ok)
            add_row(output, table, row, cells);
    }
    eti_row_reader_close(&rows);
    return ok ? ETI_OK : eti_fail_memory(err);
}

const eti_writer eti_writer_tsv = {
    .name = "tsv",
    .summary = "tab-separated values, as the Inspector saves them",
    .write_table = write_tsv,
};
