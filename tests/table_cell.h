/*
 * table_cell.h - reads single cells of a table, for tests that need only a few.
 */
#ifndef ETI_TESTS_TABLE_CELL_H
#define ETI_TESTS_TABLE_CELL_H

#include "table/table.h"

/* Returns a cell. Texts and lists stay valid until the next call. ETI_CELL_NONE: there is no such cell. */
static inline eti_cell table_cell(const eti_table *table, size_t row, size_t column) {
    static eti_row_reader reader;
    eti__row_reader_close(&reader);
    if (row >= table->n_rows || column >= table->n_columns || !eti__row_reader_open(&reader, table))
        return (eti_cell){.kind = ETI_CELL_NONE};
    return eti__row_reader_read(&reader, row)[column];
}

#endif
