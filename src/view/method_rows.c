#include "view/method_rows.h"

#include "view_events/view_events.h"

#include <stdlib.h>
#include <string.h>

static bool make_row(const void *context, size_t number, eti_row *out) {
    const eti_method_rows *rows = context;
    size_t at = eti__last_not_above(rows->first_rows, rows->n_parts, number);
    return rows->view->make_row(rows->parts[at], number - rows->first_rows[at], rows->columns,
                                rows->n_columns, out);
}

static void free_rows(void *context) {
    eti_method_rows *rows = context;
    for (size_t i = 0; i < rows->n_parts; i++) {
        rows->view->free(rows->parts[i]);
        eti__rollup_free(&rows->parts[i]->rollup);
        free(rows->parts[i]);
    }
    eti__summed_methods_free(&rows->methods);
    free(rows);
}

static eti_status take_part(eti_method_rows *rows, const eti_inspector *inspector,
                            const eti_summed_method *method, void *context, eti_error *err) {
    eti_method_part *part = calloc(1, rows->view->part_size);
    if (!part)
        return eti_fail_memory(err);
    part->method = method->name;
    rows->parts[rows->n_parts++] = part;
    ETI_TRY(rows->view->take(part, inspector, &method->options, context, err));
    rows->first_rows[rows->n_parts] = rows->first_rows[rows->n_parts - 1] + part->n_rows;
    eti__rollup_join_counts(&rows->counts, &part->rollup);
    return ETI_OK;
}

static eti_status take_parts(eti_method_rows *rows, const eti_inspector *inspector,
                             const eti_view_options *options, void *context, eti_error *err) {
    ETI_TRY(eti__summed_methods_find(&rows->methods, inspector, options, err));
    if (rows->methods.n == 1)
        rows->columns[0].name = NULL;
    for (size_t i = 0; i < rows->methods.n; i++)
        ETI_TRY(take_part(rows, inspector, &rows->methods.items[i], context, err));
    return ETI_OK;
}

eti_status eti__method_rows_make(eti_table **table, const eti_method_rows **out,
                                 const eti_method_view *view, const eti_column_spec *columns,
                                 size_t n_columns, const eti_inspector *inspector,
                                 const eti_view_options *options, void *context, eti_error *err) {
    eti_method_rows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return eti_fail_memory(err);
    *out = rows;
    rows->view = view;
    rows->n_columns = n_columns;
    memcpy(rows->columns, columns, n_columns * sizeof *columns);
    eti_status status = take_parts(rows, inspector, options, context, err);
    if (status != ETI_OK) {
        free_rows(rows);
        return status;
    }
    eti_row_source source = {make_row, free_rows, rows};
    return eti__columns_make_rows(table, rows->columns, n_columns, rows->first_rows[rows->n_parts],
                                  source, eti__view_unit(inspector, options), err);
}
