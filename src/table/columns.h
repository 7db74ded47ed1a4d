/*
 * columns.h - makes tables whose columns are known beforehand, and fills their cells.
 */
#ifndef ETI_TABLE_COLUMNS_H
#define ETI_TABLE_COLUMNS_H

#include "base/text.h"
#include "model/inspector.h"
#include "table/table.h"

#include <math.h>

#define ETI_MOST_COLUMN_SPECS 32

typedef struct eti_column_spec {
    const char *name; /* NULL: the column is left out */
    eti_column_kind kind;
    bool is_extra;
    const char *help; /* half a line: what its cells say */
} eti_column_spec;

/* What columns of times are to name: NULL without `include_units`. */
static inline const char *eti_column_unit(eti_time_scale scale, bool include_units) {
    return include_units ? eti_time_scale_name(scale) : NULL;
}

/* The same for a view. */
static inline const char *eti_view_unit(const eti_inspector *inspector,
                                        const eti_view_options *options) {
    return eti_column_unit(inspector->options.target_time_scale, options->table.include_units);
}

/* An empty table; ETI_COLUMN_TIME columns name `unit`, unless it is NULL. n <= ETI_MOST_COLUMN_SPECS.
 * ETI_ERROR_MEMORY. */
eti_status eti_columns_make(eti_table **out, const eti_column_spec *specs, size_t n,
                            const char *unit, eti_error *err) ETI_WARN_UNUSED;
/* The same of rows that are made; owns source.context. */
eti_status eti_columns_make_rows(eti_table **out, const eti_column_spec *specs, size_t n,
                                 size_t n_rows, eti_row_source source, const char *unit,
                                 eti_error *err) ETI_WARN_UNUSED;

static inline eti_cell eti_text_cell(eti_text text) {
    return (eti_cell){.kind = ETI_CELL_TEXT, .as_text = text};
}

/* An absent text gives no value. */
static inline eti_cell eti_text_or_none(eti_text text) {
    return text.data ? eti_text_cell(text) : (eti_cell){.kind = ETI_CELL_NONE};
}

static inline eti_cell eti_string_cell(const char *c_string) {
    return eti_text_or_none(eti_text_of(c_string));
}

static inline eti_cell eti_double_cell(double value) {
    return (eti_cell){.kind = ETI_CELL_DOUBLE, .as_double = value};
}

/* NaN gives no value. */
static inline eti_cell eti_number_or_none(double value) {
    if (isnan(value))
        return (eti_cell){.kind = ETI_CELL_NONE};
    return eti_double_cell(value);
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
