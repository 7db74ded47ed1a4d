/*
 * Comma-separated values as RFC 4180 has them: CRLF ends a line. The cells' text is that of the
 * TSV; there is no index column, because only pandas wants one.
 *
 * A field is quoted, by libcsv, when it holds a comma, a quote, a CR or an LF, and when white space
 * at its ends would be dropped by readers that trim, libcsv among them.
 */
#include "output/cell_text.h"
#include "output/writer.h"

#include <csv.h>
#include <stdlib.h>

/* Room for one quoted field, kept from field to field. */
typedef struct quoted_field {
    char *data;
    size_t capacity;
} quoted_field;

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool needs_quotes(eti_text text) {
    if (text.size > 0 && (is_blank(text.data[0]) || is_blank(text.data[text.size - 1])))
        return true;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c == ',' || c == '"' || c == '\r' || c == '\n')
            return true;
    }
    return false;
}

static bool reserve(quoted_field *quoted, size_t size) {
    if (size <= quoted->capacity)
        return true;
    char *data = realloc(quoted->data, size);
    if (!data)
        return false;
    quoted->data = data;
    quoted->capacity = size;
    return true;
}

static bool add_quoted(eti_output *output, quoted_field *quoted, eti_text text) {
    const char *data = text.data ? text.data : "";
    if (text.size > (SIZE_MAX - 2) / 2 || !reserve(quoted, text.size * 2 + 2))
        return false;
    size_t size = csv_write2(quoted->data, quoted->capacity, data, text.size, CSV_QUOTE);
    eti_output_add(output, quoted->data, size);
    return true;
}

/* False when memory is out. An empty field that is all there is in a line gets quotes, lest the
 * line vanish. */
static bool add_field(eti_output *output, quoted_field *quoted, eti_text text, bool alone) {
    if (needs_quotes(text) || (alone && text.size == 0))
        return add_quoted(output, quoted, text);
    eti_output_add_text(output, text);
    return true;
}

static bool add_header(eti_output *output, quoted_field *quoted, const eti_table *table) {
    for (size_t i = 0; i < table->n_columns; i++) {
        if (i > 0)
            eti_output_add(output, ",", 1);
        if (!add_field(output, quoted, table->columns[i].name, table->n_columns == 1))
            return false;
    }
    eti_output_add(output, "\r\n", 2);
    return true;
}

static bool add_row(eti_output *output, quoted_field *quoted, const eti_cell *cells, size_t n) {
    eti_number_text number = {.size = 0};
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            eti_output_add(output, ",", 1);
        if (!add_field(output, quoted, eti_cell_text(&cells[i], &number), n == 1))
            return false;
    }
    eti_output_add(output, "\r\n", 2);
    return true;
}

static eti_status write_csv(const eti_table *table, eti_output *output, eti_error *err) {
    quoted_field quoted = {NULL, 0};
    eti_row_reader rows;
    bool ok = eti_row_reader_open(&rows, table) && add_header(output, &quoted, table);
    for (size_t row = 0; ok && row < table->n_rows && !eti_output_failed(output); row++) {
        const eti_cell *cells = eti_row_reader_read(&rows, row);
        ok = !rows.failed && add_row(output, &quoted, cells, table->n_columns);
    }
    eti_row_reader_close(&rows);
    free(quoted.data);
    return ok ? ETI_OK : eti_fail_memory(err);
}

const eti_writer eti_writer_csv = {
    .name = "csv",
    .summary = "comma-separated values (RFC 4180)",
    .write_table = write_csv,
};
