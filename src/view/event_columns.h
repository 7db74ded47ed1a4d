/*
 * event_columns.h - turns an Event into the cells of its row: the catalogue of everything that the view
 * "events" knows about one.
 */
#ifndef ETI_VIEW_EVENT_COLUMNS_H
#define ETI_VIEW_EVENT_COLUMNS_H

#include "table/table.h"
#include "view/event_extras.h"

/* From this many operators on, op_types names only the first two and the last. */
#define ETI_OP_TYPES_SHOWN 5

/* An event whose row is being made. */
typedef struct eti_event_row {
    const eti_event *event;
    eti_metadata_form metadata_form;
    bool has_lists; /* there is room for lists that events share in every row */
    eti_event_extras *extras;
    eti_row *row;
    eti_summary summary; /* where `is_summarized` */
    bool is_summarized;
    double *sorted; /* samples in ascending order; NULL: not asked for yet */
} eti_event_row;

typedef struct eti_event_column {
    const char *name; /* without its unit */
    eti_column_type type;
    eti_column_kind kind;
    bool is_extra;
    const char *help;
    /* Fills a cell that is ETI_CELL_NONE; false when memory is out. */
    bool (*set)(eti_event_row *row, eti_cell *cell);
} eti_event_column;

/* First the Inspector's own, in its order; they are no extra ones. */
extern const eti_event_column eti_event_columns[];
extern const size_t eti_event_column_count;

/* The first column of statistics, in any table, and how many follow each other. */
#define ETI_EVENT_STATISTICS 2
#define ETI_EVENT_N_STATISTICS 6
/* Fills their cells at once, which is faster than one by one. */
void eti_event_set_statistics(eti_event_row *row, eti_cell *cells);

/* Whether it is there only when it is asked for, and there is any metadata. */
bool eti_event_column_is_metadata(const eti_event_column *column);
/* Whether its cells have a value for each run. */
bool eti_event_column_is_per_run(const eti_event_column *column);
/* Whether it is the list of all operators, which programs get from op_types too. */
bool eti_event_column_is_all_op_types(const eti_event_column *column);
/* Whether it is as long as a list that many events may share. */
bool eti_event_column_is_long(const eti_event_column *column);

#endif
