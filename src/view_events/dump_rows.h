/*
 * dump_rows.h - makes a table with the times of one of many ETDumps, with a row for each sample or
 * each Event; all ETDumps get the same columns.
 */
#ifndef ETI_VIEW_EVENTS_DUMP_ROWS_H
#define ETI_VIEW_EVENTS_DUMP_ROWS_H

#include "account/account.h"
#include "base/arena.h"
#include "model/model.h"
#include "table/table.h"

/* The contents of a row. */
typedef enum eti_granularity {
    ETI_PER_SAMPLE, /* a time of an Event in a run */
    ETI_PER_DUMP,   /* an Event of the ETDump */
} eti_granularity;

typedef struct eti_rows_column eti_rows_column;

/* The columns of all tables. */
typedef struct eti_rows_form {
    eti_granularity granularity;
    size_t n_labels;
    eti_column *columns;
    eti_rows_column *cells; /* how the cells of each column are made */
    size_t n_columns;
} eti_rows_form;

/* Makes the form, in the arena. `labels` are UTF-8 and live as long as it. ETI_ERROR_USAGE: a label has the name of a
 * column; ETI_ERROR_MEMORY. */
eti_status eti__rows_form_make(eti_rows_form *out, eti_arena *arena, eti_granularity granularity,
                               const eti_text *labels, size_t n_labels,
                               eti_error *err) ETI_WARN_UNUSED;
/* Leaves only the columns with these numbers, in this order. False: out of memory. */
bool eti__rows_form_choose(eti_rows_form *form, eti_arena *arena, const size_t *columns, size_t n);

/* Makes a table with these columns and no rows. ETI_ERROR_MEMORY. */
eti_status eti__rows_form_table(eti_table **out, const eti_rows_form *form,
                                eti_error *err) ETI_WARN_UNUSED;

/* Names an ETDump. */
typedef struct eti_dump_name {
    eti_text path;
    const eti_text *labels; /* n_labels of the form; absent: it has no such label */
} eti_dump_name;

/* Makes the table of an inspector, which the table keeps alive. `shown` has the columns that will be written, if the table
 * has more for a filter. `owner` is a reference that keeps both forms alive; the table drops it when it is freed, and this
 * function if it fails. The name is copied. Lists of more than 32 operators have each operator once. ETI_ERROR_LIMIT: the
 * text of all rows is too long; ETI_ERROR_MEMORY. */
eti_status eti__view_dump_rows(eti_table **out, const eti_inspector *inspector,
                               const eti_rows_form *form, const eti_rows_form *shown,
                               const eti_dump_name *name, const eti_view_options *options,
                               eti_kept owner, eti_error *err) ETI_WARN_UNUSED;

/* Makes the table of an ETDump that cannot be read; its only row has the reason, `message`. */
eti_status eti__view_failed_dump(eti_table **out, const eti_rows_form *form,
                                 const eti_dump_name *name, const char *message, eti_kept owner,
                                 eti_error *err) ETI_WARN_UNUSED;

#endif
