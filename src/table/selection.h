/*
 * selection.h - selects the rows and columns of a table that a user asks for, in the requested order.
 */
#ifndef ETI_TABLE_SELECTION_H
#define ETI_TABLE_SELECTION_H

#include "etinspect.h"
#include "table/report.h"

/* The rows and columns of a table to show, and their order; NULL and 0: unchanged. */
typedef struct eti_selection {
    const char *table; /* name of the only table to keep; NULL: all, and the other options apply to
                        * the table report->selected */
    const char
        *columns; /* names separated by commas; units may be left out; "all": also all others */
    const char *filter; /* rows for which this expression is true; see the man page, SELECTION */
    const char *sort;   /* COLUMN[:asc|:desc], separated by commas; missing values go last */
    size_t top;         /* number of first rows to keep */
} eti_selection;

/* How columns are prepared for a writer. */
typedef struct eti_projection {
    bool leaves_out_extra;
    bool is_for_programs; /* leaves out columns that are shown only on request */
    /* shows labels of texts that do not suffice to distinguish rows, and moves columns that do to these */
    bool is_for_people;
    bool
        spells_lists; /* ETI_CELL_DOUBLES and other lists become ETI_CELL_LIST, as Python prints lists */
} eti_projection;

/* Returns whether the table has texts that do not suffice to distinguish rows, so that people see more. */
bool eti__table_distinguishes(const eti_table *table);

/* Makes a view of `table`, which must live longer: its rows are read when those of the view are. If
 * nothing has to change, the view is a plain copy. ETI_ERROR_MEMORY. */
eti_status eti__table_project(eti_table **out, const eti_table *table, eti_projection projection,
                              eti_error *err) ETI_WARN_UNUSED;

/* Does the same with a view that owns `table`, even if this fails. */
eti_status eti__table_project_owned(eti_table **out, eti_table *table, eti_projection projection,
                                    eti_error *err) ETI_WARN_UNUSED;

/* Makes the table of the chosen rows and columns, which owns `table`; on failure the caller keeps it. selection->table is
 * not read; `scale` is that of times in the filter. ETI_ERROR_USAGE; ETI_ERROR_MEMORY. */
eti_status eti__table_select(eti_table **out, eti_table *table, eti_time_scale scale,
                             const eti_selection *selection, eti_error *err) ETI_WARN_UNUSED;

/* eti_report_select() of etinspect.h. */
eti_status eti__report_select(eti_report *report, const eti_selection *selection,
                              eti_error *err) ETI_WARN_UNUSED;

#endif
