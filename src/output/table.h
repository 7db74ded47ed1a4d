/*
 * table.h - the one typed table that every view makes and every writer prints.
 *
 * A column has a name and cells; a cell has a kind of its own (see eti_cell), because the
 * Inspector's columns mix numbers and missing values. Cells hold text as views: the caller keeps it
 * alive, or has it copied with eti_table_own_text(). Cells are stored by row.
 */
#ifndef ETI_OUTPUT_TABLE_H
#define ETI_OUTPUT_TABLE_H

#include "base/arena.h"

struct eti_table {
    eti_arena arena; /* of column names and owned text */
    eti_text *column_names;
    size_t n_columns;
    eti_cell *cells; /* n_rows x n_columns, by row */
    size_t n_rows;
    size_t row_capacity;
    /* "table" and "tsv" put a column with the row's number, from 0 on, and no name in front;
     * "table" only when there are rows. Starts as false. */
    bool index_column;
    /* Bytes that a writer may make of it by filling cells with blanks; 0: any number. */
    uint64_t most_drawn;
};

/* An empty table of `n_columns` columns; names are copied, an absent one as "".
 * ETI_ERROR_MEMORY. */
eti_status eti_table_new(eti_table **out, const eti_text *column_names, size_t n_columns,
                         eti_error *err) ETI_WARN_UNUSED;

/* Appends a row of ETI_CELL_NONE cells, to be filled in: n_columns of them, valid until the next
 * row is added. NULL when memory is out, with the table as it was. */
eti_cell *eti_table_add_row(eti_table *table);

/* Copies `text` into the table's arena; false when memory is out. */
bool eti_table_own_text(eti_table *table, eti_text text, eti_text *out);

#endif
