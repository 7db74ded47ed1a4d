#include "view_events/samples.h"

#include <stdlib.h>

/* Positions of the samples of each timed event among all samples. */
typedef struct sample_list {
    const eti_event **events;
    size_t *first;
    size_t n_events;
} sample_list;

typedef struct sample_row {
    const eti_event *event;
    size_t run;
} sample_row;

ETI_CELL_SETTER(sample_row, block, eti__text_or_none(row->event->block->label))
ETI_CELL_SETTER(sample_row, input, eti__int_cell(row->event->block->bundled_input_index))
ETI_CELL_SETTER(sample_row, run, eti__count_cell(row->run))
ETI_CELL_SETTER(sample_row, number,
                eti__count_cell((size_t)(row->event - row->event->block->events)))
ETI_CELL_SETTER(sample_row, event, eti__text_or_none(row->event->name))
ETI_CELL_SETTER(sample_row, instruction,
                eti__int_cell(eti__event_names_instruction(row->event) ? row->event->instruction_id
                                                                       : -1))
ETI_CELL_SETTER(sample_row, is_delegated, eti__bool_cell(row->event->is_delegated_op))
ETI_CELL_SETTER(sample_row, backend, eti__text_or_none(row->event->known->backend_name))
ETI_CELL_SETTER(sample_row, start, eti__count_cell(eti_event_start_time(row->event)[row->run]))
ETI_CELL_SETTER(sample_row, elapsed, eti__double_cell(eti_event_raw(row->event)[row->run]))

static const eti_column_spec columns[] = {
    {"block", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "EventBlock", set_block},
    {"bundled_input_index", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, true, "bundled input; -1: none",
     set_input},
    {"run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, "number of the run in its block", set_run},
    {"event", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, "number of the event in its block",
     set_number},
    {"event_name", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "name of the event", set_event},
    {"instruction_id", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, true, "instruction; -1: none",
     set_instruction},
    {"is_delegated_op", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, true, "true if logged by a delegate",
     set_is_delegated},
    {"delegate_backend_name", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "backend of the delegate",
     set_backend},
    {"start_time", ETI_TYPE_UINT64, ETI_COLUMN_NUMBER, false, "time stamp, as recorded", set_start},
    {"elapsed", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "time in the target time scale",
     set_elapsed},
};

static bool make_row(const void *context, size_t number, eti_row *out) {
    const sample_list *list = context;
    size_t at = eti__last_not_above(list->first, list->n_events, number);
    sample_row row = {list->events[at], number - list->first[at]};
    return eti__columns_set(columns, ETI_N_COLUMNS(columns), &row, out);
}

static void free_list(void *context) {
    sample_list *list = context;
    free((void *)list->events);
    free(list->first);
    free(list);
}

/* Lists the events that have samples, and sets `n_rows` to the number of samples. NULL: out of memory. */
static sample_list *list_samples(const eti_blocks *blocks, size_t *n_rows) {
    sample_list *list = calloc(1, sizeof *list);
    size_t n = 0;
    for (size_t b = 0; b < blocks->n_blocks; b++)
        n += blocks->blocks[b].n_events;
    if (!list)
        return NULL;
    list->events = calloc(n + 1, sizeof *list->events);
    list->first = calloc(n + 1, sizeof *list->first);
    if (!list->events || !list->first) {
        free_list(list);
        return NULL;
    }
    *n_rows = 0;
    for (size_t b = 0; b < blocks->n_blocks; b++) {
        const eti_event_block *block = &blocks->blocks[b];
        for (size_t i = 0; i < block->n_events; i++) {
            if (!block->events[i].is_timed)
                continue;
            list->events[list->n_events] = &block->events[i];
            list->first[list->n_events++] = *n_rows;
            *n_rows += block->n_runs;
        }
    }
    return list;
}

eti_status eti__view_samples(eti_table **out, const eti_inspector *inspector, eti_error *err) {
    size_t n_rows;
    sample_list *list = list_samples(&inspector->blocks, &n_rows);
    *out = NULL;
    if (!list)
        return eti_fail_memory(err);
    const eti_row_source source = {make_row, free_list, list};
    ETI_TRY(
        eti__columns_make_rows(out, columns, ETI_N_COLUMNS(columns), n_rows, source, NULL, err));
    (*out)->kept = eti__inspector_keep(inspector);
    return ETI_OK;
}
