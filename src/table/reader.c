/* Implements the functions of etinspect.h that read tables: one cell at a time, or many values of a
 * column. */
#include "base/status.h"
#include "table/table.h"

#include <stdlib.h>

struct eti_table_reader {
    eti_row_reader rows;
};

eti_status eti_table_reader_open(eti_table_reader **out, const eti_table *table, eti_error *err) {
    *out = calloc(1, sizeof **out);
    if (*out && eti__row_reader_open(&(*out)->rows, table))
        return ETI_OK;
    free(*out);
    *out = NULL;
    return eti_fail_memory(err);
}

const eti_cell *eti_table_reader_cell(eti_table_reader *reader, size_t row, size_t column) {
    const eti_table *table = reader->rows.table;
    if (row >= table->n_rows || column >= table->n_columns)
        return NULL;
    const eti_cell *cells = eti__row_reader_read(&reader->rows, row);
    return reader->rows.failed ? NULL : &cells[column];
}

void eti_table_reader_close(eti_table_reader *reader) {
    if (!reader)
        return;
    eti__row_reader_close(&reader->rows);
    free(reader);
}

/* ---- a column at once ------------------------------------------------------------------------ */

/* Destination of values. */
typedef struct column_values {
    bool are_ints;
    double *doubles;
    int64_t *ints;
    bool *is_valid; /* may be NULL */
} column_values;

static bool has_type(const eti_table *table, size_t column, const column_values *values) {
    switch (table->columns[column].type) {
    case ETI_TYPE_INT32:
    case ETI_TYPE_INT64:
        return true;
    case ETI_TYPE_BOOL:
        return values->are_ints;
    case ETI_TYPE_UINT64:
    case ETI_TYPE_FLOAT64:
        return !values->are_ints;
    default:
        return false;
    }
}

static eti_status check_range(const eti_table *table, size_t column, size_t first, size_t n,
                              const column_values *values, eti_error *err) {
    if (column >= table->n_columns)
        return eti_fail(err, ETI_ERROR_USAGE, "the table has %zu columns: there is no column %zu",
                        table->n_columns, column);
    if (first > table->n_rows || n > table->n_rows - first)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the table has %zu rows: there are no %zu rows from row %zu", table->n_rows,
                        n, first);
    if (!has_type(table, column, values))
        return eti_fail(
            err, ETI_ERROR_USAGE, "column %.*s does not have a type that can be read as %s",
            ETI_TEXT_ARGS(table->columns[column].name), values->are_ints ? "int64_t" : "double");
    return ETI_OK;
}

static void take_value(const eti_cell *cell, const column_values *values, size_t i) {
    bool is_valid = values->are_ints ? eti__cell_read_int(cell, &values->ints[i])
                                     : eti__cell_read_double(cell, &values->doubles[i]);
    if (values->is_valid)
        values->is_valid[i] = is_valid;
}

/* Reads values; only the cells of this column are made. */
static eti_status read_values(const eti_table *table, size_t column, size_t first, size_t n,
                              const column_values *values, eti_error *err) {
    ETI_TRY(check_range(table, column, first, n, values, err));
    eti_row_reader rows;
    bool *wanted = calloc(table->n_columns, sizeof *wanted);
    if (!wanted || !eti__row_reader_open(&rows, table)) {
        free(wanted);
        return eti_fail_memory(err);
    }
    wanted[column] = true;
    rows.row.wanted = wanted;
    for (size_t i = 0; i < n && !rows.failed; i++)
        take_value(&eti__row_reader_read(&rows, first + i)[column], values, i);
    bool failed = rows.failed;
    eti__row_reader_close(&rows);
    free(wanted);
    return failed ? eti_fail_memory(err) : ETI_OK;
}

eti_status eti_table_read_doubles(const eti_table *table, size_t column, size_t first_row,
                                  size_t n_rows, double *out, bool *is_valid, eti_error *err) {
    const column_values values = {.doubles = out, .is_valid = is_valid};
    return read_values(table, column, first_row, n_rows, &values, err);
}

eti_status eti_table_read_ints(const eti_table *table, size_t column, size_t first_row,
                               size_t n_rows, int64_t *out, bool *is_valid, eti_error *err) {
    const column_values values = {.are_ints = true, .ints = out, .is_valid = is_valid};
    return read_values(table, column, first_row, n_rows, &values, err);
}
