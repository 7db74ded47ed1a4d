/*
 * columns.h - describes columns, makes tables of them, and fills rows by them.
 *
 * A view lists its columns as eti_column_spec: one row describes a column completely, including the function that makes its
 * cells. The set functions read the row from a struct of the view.
 */
#ifndef ETI_TABLE_COLUMNS_H
#define ETI_TABLE_COLUMNS_H

#include "etinspect.h"
#include "table/report.h"
#include "table/table.h"

#define ETI_MOST_COLUMN_SPECS 48

typedef struct eti_column_spec {
    const char *name; /* NULL: the column is left out */
    eti_column_type type;
    eti_column_kind kind;
    bool is_extra;
    const char *help; /* describes its cells in half a line */
    /* Fills a cell, initially ETI_CELL_NONE, from `row`, a struct of the view. False: out of memory. */
    bool (*set)(void *row, eti_cell *cell);
} eti_column_spec;

/* Types and kinds of common columns. */
#define ETI_TEXTS ETI_TYPE_UTF8, ETI_COLUMN_TEXT
#define ETI_COUNTS ETI_TYPE_INT64, ETI_COLUMN_COUNT
#define ETI_TIMES ETI_TYPE_FLOAT64, ETI_COLUMN_TIME
#define ETI_SHARES ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE
#define ETI_CHANGES ETI_TYPE_FLOAT64, ETI_COLUMN_CHANGE
#define ETI_MARKS ETI_TYPE_BOOL, ETI_COLUMN_MARK
#define ETI_UNITS ETI_TYPE_UTF8, ETI_COLUMN_UNIT
#define ETI_SERIES ETI_TYPE_LIST_FLOAT64, ETI_COLUMN_SERIES

/* Defines a set function, set_NAME(), that sets the cell to `value`, an expression of `row`, a `row_type *`, if
 * `condition` holds. */
#define ETI_CELL_SETTER_IF(row_type, name, condition, value)                                       \
    static bool set_##name(void *context, eti_cell *cell) {                                        \
        const row_type *row = context;                                                             \
        if (condition)                                                                             \
            eti__cell_put(cell, value);                                                            \
        return true;                                                                               \
    }
#define ETI_CELL_SETTER(row_type, name, value) ETI_CELL_SETTER_IF(row_type, name, true, value)

#define ETI_N_COLUMNS(specs) (sizeof(specs) / sizeof *(specs))

/* Returns the unit in the names of columns of times; NULL without `include_units`. */
static inline const char *eti__column_unit(eti_time_scale scale, bool include_units) {
    return include_units ? eti_time_scale_name(scale) : NULL;
}

/* Fills the wanted cells of `out` with the set functions of the columns, which receive `row`. False: out of memory. */
bool eti__columns_set(const eti_column_spec *specs, size_t n, void *row, eti_row *out);

/* Appends a row, filled in the same way, to a table of stored rows. ETI_ERROR_MEMORY. */
eti_status eti__columns_add_row(eti_table *table, const eti_column_spec *specs, size_t n, void *row,
                                eti_error *err) ETI_WARN_UNUSED;

/* Makes an empty table. ETI_COLUMN_TIME columns have `unit` in their names, unless it is NULL. n <=
 * ETI_MOST_COLUMN_SPECS. ETI_ERROR_MEMORY. */
eti_status eti__columns_make(eti_table **out, const eti_column_spec *specs, size_t n,
                             const char *unit, eti_error *err) ETI_WARN_UNUSED;
/* Makes the same table as a section of the report; the caller adds the rows. */
eti_status eti__columns_add_section(eti_table **out, eti_report *report, const char *name,
                                    const char *title, const eti_column_spec *specs, size_t n,
                                    const char *unit, eti_error *err) ETI_WARN_UNUSED;
/* Makes a table whose rows `source` makes; owns source.context. */
eti_status eti__columns_make_rows(eti_table **out, const eti_column_spec *specs, size_t n,
                                  size_t n_rows, eti_row_source source, const char *unit,
                                  eti_error *err) ETI_WARN_UNUSED;

/* Makes a table over an array of structs for the set functions; the array must outlive the table. */
eti_status eti__columns_make_array(eti_table **out, const eti_column_spec *specs, size_t n,
                                   void *rows, size_t row_size, size_t n_rows, const char *unit,
                                   eti_error *err) ETI_WARN_UNUSED;

#endif
