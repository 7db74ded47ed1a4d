#include "view/trace.h"

#include "table/table.h"
#include "timeline/timeline.h"
#include "view_events/view_events.h"

#include <stdlib.h>
#include <string.h>

typedef struct trace_row {
    const eti_slice_event *of;
    const eti_event_block *block;
    bool has_times;
    eti_summary times;
} trace_row;

ETI_CELL_SETTER(trace_row, block, eti__text_cell(row->block->label))
ETI_CELL_SETTER(trace_row, event, eti__text_or_none(eti__event_label(row->of->event)))
ETI_CELL_SETTER_IF(trace_row, p50, row->has_times, eti__double_cell(row->times.p50))
ETI_CELL_SETTER_IF(trace_row, avg, row->has_times, eti__double_cell(row->times.avg))
ETI_CELL_SETTER_IF(trace_row, max, row->has_times, eti__double_cell(row->times.max))
ETI_CELL_SETTER(trace_row, op_types, eti__text_or_none(row->of->op_types))
ETI_CELL_SETTER(trace_row, module, eti__text_or_none(row->of->module))
ETI_CELL_SETTER(trace_row, source, eti__text_or_none(row->of->source))
ETI_CELL_SETTER(trace_row, backend, eti__text_or_none(row->of->backend))
ETI_CELL_SETTER(trace_row, delegated, eti__bool_cell(row->of->event->is_delegated_op))
ETI_CELL_SETTER_IF(trace_row, instruction, row->of->instruction_id != -1,
                   eti__int_cell(row->of->instruction_id))

static const eti_column_spec columns[] = {
    {"block", ETI_TEXTS, false, "EventBlock", set_block},
    {"event_name", ETI_TEXTS, false, "name of its slices", set_event},
    {"p50", ETI_TIMES, false, "median over all runs, including the events inside it", set_p50},
    {"avg", ETI_TIMES, false, "mean over all runs", set_avg},
    {"max", ETI_TIMES, false, "maximum over all runs", set_max},
    {"op_types", ETI_TEXTS, false, "operators; if many, the first and the last", set_op_types},
    {"module", ETI_TEXTS, false, "innermost module of its operators", set_module},
    {"source", ETI_TEXTS, false, "line of the user's code", set_source},
    {"delegate_backend_name", ETI_TEXTS, false, "backend of delegate calls and their events",
     set_backend},
    {"is_delegated_op", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, false, "true if a delegate logged it",
     set_delegated},
    {"instruction_id", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, false, "instruction of the program",
     set_instruction},
};

/* Objects that the report borrows from. */
typedef struct traced {
    eti_slice_source slices;
    eti_stack_source stacks;
    char *block; /* stacks.options.block */
} traced;

static bool make_row(const void *context, size_t number, eti_row *out) {
    const traced *t = context;
    const eti_slice_event *of = &t->slices.events[number];
    trace_row row = {.of = of, .block = of->event->block};
    row.times = (eti_summary)ETI_SUMMARY_INIT;
    row.has_times = eti_event_summary(of->event, &row.times);
    return eti__columns_set(columns, ETI_N_COLUMNS(columns), &row, out);
}

static void free_traced(void *context) {
    traced *t = context;
    eti__slice_source_free(&t->slices);
    free(t->block);
    free(t);
}

/* Keeps the options for stacks. Their strings belong to the caller, and only the name of the block is used, which is
 * copied. */
static bool keep_options(traced *t, const eti_inspector *inspector,
                         const eti_view_options *options) {
    t->stacks = (eti_stack_source){
        .inspector = inspector,
        .options = {.like = options->like, .folds_layers = options->folds_layers},
        .most_text = eti__view_most_drawn(inspector),
    };
    t->block = options->block ? strdup(options->block) : NULL;
    t->stacks.options.block = t->block;
    return t->block || !options->block;
}

eti_status eti__view_trace(eti_report *report, const eti_inspector *inspector,
                           const eti_view_options *options, eti_error *err) {
    traced *t = calloc(1, sizeof *t);
    if (!t)
        return eti_fail_memory(err);
    eti_slice_source *source = &t->slices;
    eti_status status =
        eti__slice_source_make(source, inspector, options, eti__view_most_text(inspector), err);
    if (status == ETI_OK)
        status = eti__slice_source_add_counters(source, err);
    if (status == ETI_OK && !keep_options(t, inspector, options))
        status = eti_fail_memory(err);
    if (status != ETI_OK) {
        free_traced(t);
        return status;
    }
    eti_table *table;
    const eti_row_source rows = {make_row, free_traced, t};
    ETI_TRY(eti__columns_make_rows(&table, columns, ETI_N_COLUMNS(columns), source->n_events, rows,
                                   eti__view_unit(inspector, options), err));
    table->most_drawn = eti__view_most_drawn(inspector);
    ETI_TRY(eti__report_add(report, "events", NULL, table, err));
    report->slices = source;
    report->stacks = &t->stacks;
    return ETI_OK;
}
