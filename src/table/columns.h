/*
 * columns.h - describes columns, makes tables of them, and fills rows by them.
 *
 * A view lists its columns as eti_column_spec: one row says all there is to know of a column, also how its cell
 * is made. A row of the table is one struct of the view's, which the set functions read.
 */
#ifndef ETI_TABLE_COLUMNS_H
#define ETI_TABLE_COLUMNS_H

#include "table/report.h"
#include "table/table.h"

#define ETI_MOST_COLUMN_SPECS 48

typedef struct eti_column_spec {
    const char *name; /* NULL: the column is left out */
    eti_column_type type;
    eti_column_kind kind;
    bool is_extra;
    const char *help; /* half a line: what its cells say */
    /* Fills a cell that is ETI_CELL_NONE from `row`, a struct of the view's; false when memory is out. */
    bool (*set)(void *row, eti_cell *cell);
} eti_column_spec;

/* The type and the kind of a column, where these go together. */
#define ETI_TEXTS ETI_TYPE_UTF8, ETI_COLUMN_TEXT
#define ETI_COUNTS ETI_TYPE_INT64, ETI_COLUMN_COUNT
#define ETI_TIMES ETI_TYPE_FLOAT64, ETI_COLUMN_TIME
#define ETI_SHARES ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE

/* Defines a set function, set_NAME(), whose cell is `value`, an expression of `row`, a `row_type *`; there is one
 * only where `condition` holds. */
#define ETI_CELL_SETTER_IF(row_type, name, condition, value)                                       \
    static bool set_##name(void *context, eti_cell *cell) {                                        \
        const row_type *row = context;                                                             \
        if (condition)                                                                             \
            eti__cell_put(cell, value);                                                            \
        return true;                                                                               \
    }
#define ETI_CELL_SETTER(row_type, name, value) ETI_CELL_SETTER_IF(row_type, name, true, value)

#define ETI_N_COLUMNS(specs) (sizeof(specs) / sizeof *(specs))

/* The unit that columns of times name: NULL without `include_units`. */
static inline const char *eti__column_unit(eti_time_scale scale, bool include_units) {
    return include_units ? eti_time_scale_name(scale) : NULL;
}

/* Fills the wanted cells of `out` by the set functions of the columns. `row` is theirs. False when memory is out. */
bool eti__columns_set(const eti_column_spec *specs, size_t n, void *row, eti_row *out);

/* Appends a row to a table of stored rows, filled in the same way. ETI_ERROR_MEMORY. */
eti_status eti__columns_add_row(eti_table *table, const eti_column_spec *specs, size_t n, void *row,
                                eti_error *err) ETI_WARN_UNUSED;

/* An empty table; ETI_COLUMN_TIME columns name `unit`, unless it is NULL. n <= ETI_MOST_COLUMN_SPECS.
 * ETI_ERROR_MEMORY. */
eti_status eti__columns_make(eti_table **out, const eti_column_spec *specs, size_t n,
                             const char *unit, eti_error *err) ETI_WARN_UNUSED;
/* The same as a section of the report, to which rows are still to be added. */
eti_status eti__columns_add_section(eti_table **out, eti_report *report, const char *name,
                                    const char *title, const eti_column_spec *specs, size_t n,
                                    const char *unit, eti_error *err) ETI_WARN_UNUSED;
/* The same of rows that are made; owns source.context. */
eti_status eti__columns_make_rows(eti_table **out, const eti_column_spec *specs, size_t n,
                                  size_t n_rows, eti_row_source source, const char *unit,
                                  eti_error *err) ETI_WARN_UNUSED;

/* The same of rows that are an array of structs for the set functions, which outlives the table. */
eti_status eti__columns_make_array(eti_table **out, const eti_column_spec *specs, size_t n,
                                   void *rows, size_t row_size, size_t n_rows, const char *unit,
                                   eti_error *err) ETI_WARN_UNUSED;

#endif
