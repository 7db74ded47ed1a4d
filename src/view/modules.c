#include "view/modules.h"

/* Source of the rows. */
typedef struct module_row {
    eti_table *table;
    const eti_inspector *inspector;
    const char *name;
} module_row;

static bool set_module(void *context, eti_cell *cell) {
    const module_row *row = context;
    cell->kind = ETI_CELL_TEXT;
    return eti__table_own_text(row->table, eti__text_of(row->name), &cell->as_text);
}

ETI_CELL_SETTER(module_row, total,
                eti__double_cell(eti_inspector_find_total_for_module(row->inspector, row->name)))

static const eti_column_spec columns[] = {
    {"module", ETI_TEXTS, false, "requested name", set_module},
    {"total", ETI_TIMES, false, "sum of the means of all events in modules whose name contains it",
     set_total},
};

eti_status eti__view_modules(eti_table **out, const eti_inspector *inspector,
                             const char *const *names, size_t n_names,
                             const eti_table_options *options, eti_error *err) {
    static const eti_table_options defaults = ETI_TABLE_OPTIONS_DEFAULT;
    options = options ? options : &defaults;
    const char *unit =
        eti__column_unit(inspector->options.target_time_scale, options->include_units);
    eti_table *table;
    eti_status status = ETI_OK;
    *out = NULL;
    ETI_TRY(eti__columns_make(&table, columns, ETI_N_COLUMNS(columns), unit, err));
    for (size_t i = 0; i < n_names && status == ETI_OK; i++) {
        module_row row = {table, inspector, names[i]};
        status = eti__columns_add_row(table, columns, ETI_N_COLUMNS(columns), &row, err);
    }
    if (status == ETI_OK)
        *out = table;
    else
        eti_table_free(table);
    return status;
}

eti_status eti__view_named_modules(eti_report *report, const eti_inspector *inspector,
                                   const eti_view_options *options, eti_error *err) {
    eti_table *table;
    ETI_TRY(eti__view_modules(&table, inspector, options->modules, options->n_modules,
                              &options->table, err));
    return eti__report_add(report, "modules", NULL, table, err);
}
