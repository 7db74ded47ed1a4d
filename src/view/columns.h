/*
 * columns.h - makes tables whose columns are known beforehand, and fills their cells.
 */
#ifndef ETI_VIEW_COLUMNS_H
#define ETI_VIEW_COLUMNS_H

#include "model/inspector.h"
#include "output/table.h"

typedef struct eti_column_spec {
    const char *name; /* NULL: the column is left out */
    eti_column_kind kind;
    bool is_extra;
    const char *help; /* half a line: what its cells say */
} eti_column_spec;

/* An empty table; ETI_COLUMN_TIME columns name the unit where options->table.include_units. n <= 24.
 * ETI_ERROR_MEMORY. */
eti_status eti_columns_make(eti_table **out, const eti_column_spec *specs, size_t n,
                            const eti_inspector *inspector, const eti_view_options *options,
                            eti_error *err) ETI_WARN_UNUSED;
/* The same of rows that are made; owns source.context. */
eti_status eti_columns_make_rows(eti_table **out, const eti_column_spec *specs, size_t n,
                                 size_t n_rows, eti_row_source source,
                                 const eti_inspector *inspector, const eti_view_options *options,
                                 eti_error *err) ETI_WARN_UNUSED;

static inline eti_cell eti_text_cell(eti_text text) {
    return (eti_cell){.kind = ETI_CELL_TEXT, .as_text = text};
}

static inline eti_cell eti_double_cell(double value) {
    return (eti_cell){.kind = ETI_CELL_DOUBLE, .as_double = value};
}

static inline eti_cell eti_bool_cell(bool value) {
    return (eti_cell){.kind = ETI_CELL_BOOL, .as_bool = value};
}

/* Numbers beyond INT64_MAX as doubles. */
static inline eti_cell eti_count_cell(uint64_t value) {
    if (value > INT64_MAX)
        return eti_double_cell((double)value);
    return (eti_cell){.kind = ETI_CELL_INT, .as_int = (int64_t)value};
}

#endif
