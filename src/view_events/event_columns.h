/*
 * event_columns.h - turns an Event into the cells of its row: the catalogue of all columns of the
 * view "events".
 */
#ifndef ETI_VIEW_EVENTS_EVENT_COLUMNS_H
#define ETI_VIEW_EVENTS_EVENT_COLUMNS_H

#include "model/model.h"
#include "table/table.h"
#include "view_events/event_extras.h"

/* An event whose row is being made. */
typedef struct eti_event_row {
    const eti_event *event;
    eti_metadata_form metadata_form;
    bool has_lists; /* rows may repeat lists that events share */
    eti_event_extras *extras;
    eti_row *row;
    eti_summary summary; /* valid if `is_summarized` */
    bool is_summarized;
    double *sorted; /* samples in ascending order; NULL: not sorted yet */
} eti_event_row;

/* The Inspector's own columns come first, in its order; they are not extra columns. */
extern const eti_column_spec eti__event_columns[];
extern const size_t eti__event_column_count;

/* Set the cells of rows that begin with an eti_event_row. */
bool eti__set_event_p10(void *row, eti_cell *cell);
bool eti__set_event_p50(void *row, eti_cell *cell);
bool eti__set_event_p90(void *row, eti_cell *cell);
bool eti__set_event_avg(void *row, eti_cell *cell);
bool eti__set_event_min(void *row, eti_cell *cell);
bool eti__set_event_max(void *row, eti_cell *cell);
bool eti__set_event_module(void *row, eti_cell *cell);
bool eti__set_event_source(void *row, eti_cell *cell);

/* Returns whether the column exists only if it is requested and there is metadata. */
bool eti__event_column_is_metadata(const eti_column_spec *column);
/* Returns whether the cells of the column have a value for each run. */
bool eti__event_column_is_per_run(const eti_column_spec *column);
/* Returns whether the column is the list of all operators, which programs also find in op_types. */
bool eti__event_column_is_all_op_types(const eti_column_spec *column);
/* Returns whether the cells of the column grow with a list that many events may share. */
bool eti__event_column_is_long(const eti_column_spec *column);

#endif
