#include "table/columns.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_NAME 48

/* Returns the number of columns. */
static size_t spell_columns(eti_column *out, char (*names)[LONGEST_NAME],
                            const eti_column_spec *specs, size_t n, const char *unit) {
    size_t n_columns = 0;
    for (size_t i = 0; i < n && n_columns < ETI_MOST_COLUMN_SPECS; i++) {
        const eti_column_spec *spec = &specs[i];
        if (!spec->name)
            continue;
        out[n_columns] = (eti_column){
            .name = eti__text_of(spec->name),
            .type = spec->type,
            .kind = spec->kind,
            .is_extra = spec->is_extra,
            .help = spec->help,
        };
        if (spec->kind == ETI_COLUMN_TIME && unit) {
            snprintf(names[n_columns], LONGEST_NAME, "%s (%s)", spec->name, unit);
            out[n_columns].name = eti__text_of(names[n_columns]);
            out[n_columns].unit = unit;
        }
        n_columns++;
    }
    return n_columns;
}

eti_status eti__columns_make(eti_table **out, const eti_column_spec *specs, size_t n,
                             const char *unit, eti_error *err) {
    eti_column columns[ETI_MOST_COLUMN_SPECS];
    char names[ETI_MOST_COLUMN_SPECS][LONGEST_NAME];
    return eti__table_new(out, columns, spell_columns(columns, names, specs, n, unit), err);
}

eti_status eti__columns_add_section(eti_table **out, eti_report *report, const char *name,
                                    const char *title, const eti_column_spec *specs, size_t n,
                                    const char *unit, eti_error *err) {
    ETI_TRY(eti__columns_make(out, specs, n, unit, err));
    return eti__report_add(report, name, title, *out, err);
}

eti_status eti__columns_make_rows(eti_table **out, const eti_column_spec *specs, size_t n,
                                  size_t n_rows, eti_row_source source, const char *unit,
                                  eti_error *err) {
    eti_column columns[ETI_MOST_COLUMN_SPECS];
    char names[ETI_MOST_COLUMN_SPECS][LONGEST_NAME];
    size_t n_columns = spell_columns(columns, names, specs, n, unit);
    return eti__table_new_made(out, columns, n_columns, n_rows, source, err);
}

bool eti__columns_set(const eti_column_spec *specs, size_t n, void *row, eti_row *out) {
    size_t column = 0;
    for (size_t i = 0; i < n && column < out->n_wanted; i++) {
        if (!specs[i].name)
            continue;
        if ((!out->wanted || out->wanted[column]) && !specs[i].set(row, &out->cells[column]))
            return false;
        column++;
    }
    return true;
}

eti_status eti__columns_add_row(eti_table *table, const eti_column_spec *specs, size_t n, void *row,
                                eti_error *err) {
    eti_row out = {.cells = eti__table_add_row(table), .n_wanted = table->n_columns};
    return out.cells && eti__columns_set(specs, n, row, &out) ? ETI_OK : eti_fail_memory(err);
}

/* Rows that are structs in an array. */
typedef struct array_rows {
    char *rows;
    size_t row_size, n_specs;
    eti_column_spec specs[];
} array_rows;

static bool make_array_row(const void *context, size_t number, eti_row *out) {
    const array_rows *a = context;
    return eti__columns_set(a->specs, a->n_specs, a->rows + number * a->row_size, out);
}

eti_status eti__columns_make_array(eti_table **out, const eti_column_spec *specs, size_t n,
                                   void *rows, size_t row_size, size_t n_rows, const char *unit,
                                   eti_error *err) {
    array_rows *a = malloc(sizeof *a + n * sizeof *specs);
    *out = NULL;
    if (!a)
        return eti_fail_memory(err);
    *a = (array_rows){.rows = rows, .row_size = row_size, .n_specs = n};
    memcpy(a->specs, specs, n * sizeof *specs);
    const eti_row_source source = {make_array_row, free, a};
    /* cppcheck-suppress memleak ; the table owns it */
    return eti__columns_make_rows(out, specs, n, n_rows, source, unit, err);
}
