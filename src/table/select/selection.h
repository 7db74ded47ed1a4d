/*
 * selection.h - turns a table into the rows and columns of it that a user asks for, in the order asked for.
 */
#ifndef ETI_TABLE_SELECT_SELECTION_H
#define ETI_TABLE_SELECT_SELECTION_H

#include "table/report.h"

/* How columns are made ready for a writer. */
typedef struct eti_projection {
    bool leaves_out_extra;
    bool is_for_programs; /* leaves out what is there on request only */
    bool
        spells_lists; /* ETI_CELL_DOUBLES and its like become ETI_CELL_LIST, as Python prints lists */
} eti_projection;

/* A view of `table`, which it reads when rows are read, and which must live longer; with nothing to change it
 * is a plain copy. ETI_ERROR_MEMORY. */
eti_status eti_table_project(eti_table **out, const eti_table *table, eti_projection projection,
                             eti_error *err) ETI_WARN_UNUSED;

/* The same, which owns `table`, even when it fails. */
eti_status eti_table_project_owned(eti_table **out, eti_table *table, eti_projection projection,
                                   eti_error *err) ETI_WARN_UNUSED;

/* eti_report_select() of etinspect.h is here too. */

#endif
