#include "output/table.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROWS 16

static bool copy_names(eti_table *table, const eti_text *names, size_t n) {
    table->column_names = eti_arena_alloc_zero(&table->arena, n, sizeof *table->column_names);
    if (!table->column_names)
        return false;
    for (size_t i = 0; i < n; i++) {
        eti_text name = names[i].data ? names[i] : (eti_text){"", 0};
        if (!eti_table_own_text(table, name, &table->column_names[i]))
            return false;
    }
    table->n_columns = n;
    return true;
}

eti_status eti_table_new(eti_table **out, const eti_text *column_names, size_t n_columns,
                         eti_error *err) {
    *out = NULL;
    eti_table *table = calloc(1, sizeof *table);
    if (!table || !copy_names(table, column_names, n_columns)) {
        eti_table_free(table);
        return eti_fail_memory(err);
    }
    *out = table;
    return ETI_OK;
}

/* Doubles the room for rows; false when memory is out or the size overflows. */
static bool grow(eti_table *table) {
    size_t row_bytes = (table->n_columns ? table->n_columns : 1) * sizeof *table->cells;
    size_t rows = table->row_capacity ? table->row_capacity : FIRST_ROWS / 2;
    if (row_bytes / sizeof *table->cells < table->n_columns || rows > SIZE_MAX / 2 / row_bytes)
        return false;
    eti_cell *cells = realloc(table->cells, rows * 2 * row_bytes);
    if (!cells)
        return false;
    table->cells = cells;
    table->row_capacity = rows * 2;
    return true;
}

eti_cell *eti_table_add_row(eti_table *table) {
    if (table->n_rows == table->row_capacity && !grow(table))
        return NULL;
    eti_cell *row = table->cells + table->n_rows * table->n_columns;
    for (size_t i = 0; i < table->n_columns; i++)
        row[i] = (eti_cell){.kind = ETI_CELL_NONE};
    table->n_rows++;
    return row;
}

bool eti_table_own_text(eti_table *table, eti_text text, eti_text *out) {
    return eti_arena_copy_text(&table->arena, text, out);
}

void eti_table_free(eti_table *table) {
    if (!table)
        return;
    eti_arena_free(&table->arena);
    free(table->cells);
    free(table);
}

size_t eti_table_row_count(const eti_table *table) {
    return table->n_rows;
}

size_t eti_table_column_count(const eti_table *table) {
    return table->n_columns;
}

eti_text eti_table_column_name(const eti_table *table, size_t column) {
    return column < table->n_columns ? table->column_names[column] : (eti_text){NULL, 0};
}

eti_cell eti_table_cell(const eti_table *table, size_t row, size_t column) {
    if (row >= table->n_rows || column >= table->n_columns)
        return (eti_cell){.kind = ETI_CELL_NONE};
    return table->cells[row * table->n_columns + column];
}
