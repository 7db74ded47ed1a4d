#include "output/selection.h"

eti_status eti_table_project(eti_table **out, const eti_table *table, eti_projection projection,
                             eti_error *err) {
    (void)table;
    (void)projection;
    *out = NULL;
    return eti_fail(err, ETI_ERROR_USAGE, "to be written");
}

eti_status eti_report_select(eti_report *report, const eti_selection *selection, eti_error *err) {
    (void)report;
    (void)selection;
    return eti_fail(err, ETI_ERROR_USAGE, "to be written");
}
