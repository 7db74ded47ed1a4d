/*
 * view_events.h - views with one row per event, tensor or allocation; notes and columns that all views share.
 */
#ifndef ETI_VIEW_EVENTS_VIEW_EVENTS_H
#define ETI_VIEW_EVENTS_VIEW_EVENTS_H

#include "account/account.h"
#include "base/arena.h"
#include "etinspect.h"
#include "model/model.h"
#include "numerics/numerics.h"
#include "places/places.h"
#include "rollup/rollup.h"
#include "table/table.h"

#include <pthread.h>
#include <stdatomic.h>

/* ==== allocations ============================================================================= */
/* Turns allocations into tables: of allocators, and of runs. */

/* Makes the view "alloc". */
eti_status eti__view_allocations(eti_report *report, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* ==== dump rows =============================================================================== */
/* Makes a table with the times of one of many ETDumps, with a row for each sample or each Event;
 * all ETDumps get the same columns. */

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

/* ==== event extras ============================================================================ */
/* Computes further data for rows of events when the first row needs them: the time of
 * Method::execute, self times, and the places of events in the user's model. Several threads may
 * call these functions. */

/* Data of a block's events in the runs that count, see account/account.h. */
typedef struct eti_block_extras {
    atomic_bool has_executed;
    double executed; /* median time of Method::execute; NaN: unknown */
    atomic_bool has_own_times;
    eti_time_sum *cumulative; /* per event: self time of the event and of all events with more */
    eti_place *places;        /* per event; NULL: not found yet */
} eti_block_extras;

typedef struct eti_event_extras {
    const eti_inspector *inspector;
    pthread_mutex_t finding_out;
    eti_block_extras *blocks; /* per block of the inspector */
    eti_places places;        /* of all events */
    atomic_bool has_places;
} eti_event_extras;

/* ==== event columns =========================================================================== */
/* Turns an Event into the cells of its row: the catalogue of all columns of the view "events". */

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

/* Set the cells of rows that begin with an eti_event_row. */
bool eti__set_event_p10(void *row, eti_cell *cell);
bool eti__set_event_p50(void *row, eti_cell *cell);
bool eti__set_event_p90(void *row, eti_cell *cell);
bool eti__set_event_avg(void *row, eti_cell *cell);
bool eti__set_event_min(void *row, eti_cell *cell);
bool eti__set_event_max(void *row, eti_cell *cell);

/* ==== event list ============================================================================== */
/* Makes the view "event_list": the events in order of execution, with their times after the
 * warm-up, their operators and modules. */

eti_status eti__view_event_list(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* ==== events ================================================================================== */
/* Turns EventBlocks into the Inspector's own table: one row per event. */

/* Does the work of eti_inspector_events_table() of etinspect.h; `options` may be NULL. */
eti_status eti__inspector_events_table(eti_table **out, const eti_inspector *inspector,
                                       const eti_table_options *options,
                                       eti_error *err) ETI_WARN_UNUSED;

/* Returns the number of bytes of text that a view may have: many times the size of the inputs. */
uint64_t eti__view_most_text(const eti_inspector *inspector);
/* Fails with ETI_ERROR_LIMIT because rows repeat names so often that their text has `n_bytes`, many
 * times the size of the inputs. */
eti_status eti__view_check_text(const eti_inspector *inspector, uint64_t n_bytes,
                                eti_error *err) ETI_WARN_UNUSED;
/* Returns the value for eti_table.most_drawn. */
uint64_t eti__view_most_drawn(const eti_inspector *inspector);

/* Makes the view "events": the same rows, with all columns. */
eti_status eti__view_all_events(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* ==== group row =============================================================================== */
/* The cells that rows of groups of events have in common: number of Events, times, share.
 *
 * If the struct of a row begins with an eti_group_row, these are the set functions of its columns. */

typedef struct eti_group_row {
    eti_text method; /* method of these runs; absent unless there are several methods */
    const eti_rollup *rollup;
    const eti_group *group;
    const eti_time_sum *whole; /* time that shares refer to */
    bool is_of_block; /* typical times are those of runs of its blocks, not of its methods */
    eti_arena *arena;
    bool is_summarized;
    eti_summary times; /* of the sums per run; valid if `is_summarized` */
} eti_group_row;

/* Makes a row. `group` is a group of the rollup, or one without runs; NULL: the row has none of these cells. The arena,
 * which only statistics need, lives as long as the row. */
static inline eti_group_row eti__group_row_of(const eti_rollup *rollup, const eti_group *group,
                                              eti_arena *arena) {
    return (eti_group_row){
        .rollup = rollup, .group = group, .whole = &rollup->whole, .arena = arena};
}

bool eti__set_group_method(void *row, eti_cell *cell);
bool eti__set_group_events(void *row, eti_cell *cell);
bool eti__set_group_calls(void *row, eti_cell *cell);
bool eti__set_group_total(void *row, eti_cell *cell);
bool eti__set_group_typical(void *row, eti_cell *cell);
bool eti__set_group_share(void *row, eti_cell *cell);
bool eti__set_group_share_mean(void *row, eti_cell *cell);
bool eti__set_group_unsteady(void *row, eti_cell *cell);

/* Columns that follow those which identify a group. */
#define ETI_GROUP_TYPICAL_COLUMN                                                                   \
    {                                                                                              \
        "typical", ETI_TIMES, false, "typical time per run: the sum of the medians of its events", \
            eti__set_group_typical                                                                 \
    }
#define ETI_UNSTEADY_HELP "true if mean and typical time differ by more than half"
#define ETI_GROUP_SHARE_COLUMNS                                                                    \
    {"share", ETI_SHARES, false, "share of the typical time", eti__set_group_share}, {             \
        "unsteady", ETI_MARKS, false, ETI_UNSTEADY_HELP, eti__set_group_unsteady                   \
    }
#define ETI_GROUP_MEAN_COLUMN                                                                      \
    { "share_mean", ETI_SHARES, true, "share of the mean time", eti__set_group_share_mean }

/* Set statistics; groups without runs have none. */
bool eti__set_group_p50(void *row, eti_cell *cell);
bool eti__set_group_avg(void *row, eti_cell *cell);
bool eti__set_group_min(void *row, eti_cell *cell);
bool eti__set_group_max(void *row, eti_cell *cell);

/* ==== notes =================================================================================== */
/* Inputs and notes that several views add to a report; notes go to its last section. */

/* Makes the report keep the inspector, and names its files as sources. ETI_ERROR_MEMORY. */
eti_status eti__view_add_inputs(eti_report *report, const eti_inspector *inspector,
                                eti_error *err) ETI_WARN_UNUSED;

/* Adds a note that events of a delegate divide the time of their call by cycles, if events do. */
eti_status eti__view_note_cycles(eti_report *report, const eti_cycle_counts *cycles,
                                 eti_error *err) ETI_WARN_UNUSED;

/* Adds how much of the unlogged time of delegates may come from rounding the times of their
 * operators; nothing if these are not rounded. */
eti_status eti__view_note_rounding(eti_report *report, const eti_rounding *rounding,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Adds notes if sums, shares and averages leave out the warm-up, and if lanes work at the same time. */
eti_status eti__view_note_runs(eti_report *report, const eti_inspector *inspector,
                               const eti_run_counts *runs, eti_error *err) ETI_WARN_UNUSED;

/* Explains the marks of shares if a group of the rollup is unsteady. */
eti_status eti__view_note_unsteady(eti_report *report, const eti_rollup *counts,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Adds the names of the blocks whose times are added up, if there are several, or a note that methods are listed
 * separately. */
eti_status eti__view_note_blocks(eti_report *report, const eti_inspector *inspector,
                                 const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Adds the number and names of events with wrong time stamps, a line for each kind of fault. */
eti_status eti__view_note_time_faults(eti_report *report, const eti_time_faults *faults,
                                      eti_error *err) ETI_WARN_UNUSED;

/* Adds a note that times are sums of calls, if a run calls an Event several times. */
eti_status eti__view_note_repeated(eti_report *report, const eti_event_times *times,
                                   eti_error *err) ETI_WARN_UNUSED;

/* Adds a note that `what` is known only with the ETRecord of the program that ran, unless there is one. */
eti_status eti__view_note_record(eti_report *report, const eti_inspector *inspector,
                                 const char *what, eti_error *err) ETI_WARN_UNUSED;

/* Adds the backends whose times, or only positions, look synthetic, and the reason. */
eti_status eti__view_note_synthetic(eti_report *report, const eti_synthetic *synthetic,
                                    eti_error *err) ETI_WARN_UNUSED;

/* ==== op lists ================================================================================ */
/* The lists of operators and debug handles that rows of Events repeat.
 *
 * Events share lists: all kernels of an unrolled loop have the operators of all its steps. So a
 * long list has each operator once, and lists that would still make the rows much longer than the
 * inputs have no place in them. */

/* Returns the approximate number of bytes of a list in a row; stops counting above `most`. */
uint64_t eti__op_list_size(const eti_text *op_types, size_t n, uint64_t most);

/* ==== samples ================================================================================= */
/* Makes a table with a row for each sample: Event, run, start time and elapsed time. */

/* Makes the table, which keeps the inspector alive. ETI_ERROR_MEMORY. */
eti_status eti__view_samples(eti_table **out, const eti_inspector *inspector,
                             eti_error *err) ETI_WARN_UNUSED;

/* ==== source cell ============================================================================= */
/* Turns the place of a row in the model into the cell of its column "source": file:line. */

/* Returns whether a place has exactly one line. */
static inline bool eti__place_has_line(const eti_place *of) {
    return of->has_frames && of->frame != ETI_PREFIX_ROOT;
}

/* Appends the line of a place that has one. */
void eti__add_place_line(eti_buffer *out, const eti_places *places, const eti_place *of);

/* Sets the cell of a place: its line, or a text for several lines; nothing if it has no stack trace. False: out of
 * memory. */
bool eti__set_place_source(eti_row *row, const eti_places *places, const eti_place *place,
                           eti_cell *cell);

/* ==== tensors ================================================================================= */
/* The view "tensors": one row per recorded tensor with its statistics, and below them the places
 * of the first NaN and the first infinity. */

eti_status eti__view_tensors(eti_report *report, const eti_inspector *inspector,
                             const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Lists the tensors of the remaining rows of such a report, in their order. They live as long as the report.
 * ETI_ERROR_USAGE: the report is of another view; ETI_ERROR_LIMIT: handles overlap too much; ETI_ERROR_MEMORY. Free `out` in
 * any case. */
eti_status eti__view_tensors_saved(eti_saved_tensors *out, const eti_report *report, unsigned key,
                                   eti_error *err) ETI_WARN_UNUSED;

/* ==== view ==================================================================================== */
/* The struct of a view. A view is one file here and one row in view/registry.c. */

typedef struct eti_view {
    const char *name; /* name for eti_inspector_report(), and of the command that prints the view */
    const char *help; /* half a sentence */
    /* Adds the view's sections to the report. Tables may borrow from the inspector. */
    eti_status (*make)(eti_report *report, const eti_inspector *inspector,
                       const eti_view_options *options, eti_error *err);
} eti_view;

/* Returns the unit in the names of columns of times, or NULL. */
static inline const char *eti__view_unit(const eti_inspector *inspector,
                                         const eti_view_options *options) {
    return eti__column_unit(inspector->options.target_time_scale, options->table.include_units);
}

#endif
