#include "view_events/event_columns.h"

#include "rollup/rollup.h"
#include "view_events/op_lists.h"

#include <math.h>
#include <string.h>

#define MAX_PLACE_TEXT 1024 /* bytes */

/* ---- the Inspector's columns ----------------------------------------------------------------- */

/* Sets the block name without NULs at its end, which numpy loses in its fixed-width fields. */
static bool set_block_name(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    eti_text name = row->event->block->name;
    while (name.size > 0 && name.data[name.size - 1] == '\0')
        name.size--;
    eti__cell_put(cell, eti__text_or_none(name));
    return true;
}

ETI_CELL_SETTER(eti_event_row, name, eti__text_or_none(row->event->name))

static const eti_summary *summary_of(eti_event_row *row) {
    if (!row->is_summarized)
        row->is_summarized = eti_event_summary(row->event, &row->summary);
    return &row->summary;
}

#define DEFINE_STATISTIC(field)                                                                    \
    bool eti__set_event_##field(void *context, eti_cell *cell) {                                   \
        eti_event_row *row = context;                                                              \
        if (row->event->is_timed)                                                                  \
            eti__cell_put(cell, eti__double_cell(summary_of(row)->field));                         \
        return true;                                                                               \
    }
DEFINE_STATISTIC(p10)
DEFINE_STATISTIC(p50)
DEFINE_STATISTIC(p90)
DEFINE_STATISTIC(avg)
DEFINE_STATISTIC(min)
DEFINE_STATISTIC(max)
#undef DEFINE_STATISTIC

/* Sets the operators: the text is that of the Inspector; formats for programs use the list. */
static bool set_op_types(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    static const eti_text none[1];
    const eti_text *op_types = row->event->record->op_types;
    size_t n = row->event->record->n_op_types;
    if (row->has_lists)
        eti__cell_put(cell, eti__list_cell(ETI_CELL_LIST, n > 0 ? op_types : none, n));
    if (n == 0) {
        cell->kind = ETI_CELL_LIST;
        cell->as_text = (eti_text){"[]", 2};
        return true;
    }
    eti__op_list_add_text(&row->row->scratch, op_types, n);
    return eti__row_take_cell(row->row, ETI_CELL_LIST, cell);
}

ETI_CELL_SETTER(eti_event_row, is_delegated, eti__bool_cell(row->event->is_delegated_op))

ETI_CELL_SETTER(eti_event_row, backend, eti__text_or_none(row->event->record->backend_name))

ETI_CELL_SETTER_IF(eti_event_row, start_time, row->event->is_timed,
                   eti__list_cell(ETI_CELL_UINTS, eti_event_start_time(row->event),
                                  row->event->block->n_runs))

static bool set_metadata(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    const eti_event *event = row->event;
    cell->kind = ETI_CELL_NAN;
    if (!event->has_metadata)
        return true;
    eti_buffer *out = &row->row->scratch;
    eti_metadata_form form = event->is_delegated_op ? row->metadata_form : ETI_METADATA_BYTES;
    eti__buffer_add_char(out, '[');
    for (size_t i = 0; event->is_timed && i < event->block->n_runs; i++) {
        eti__buffer_add_string(out, i ? ", " : "");
        eti__metadata_add(out, eti_event_delegate_debug_metadata(event, i), form);
    }
    eti__buffer_add_char(out, ']');
    return eti__row_take_cell(row->row, ETI_CELL_LIST, cell);
}

/* ---- more statistics ------------------------------------------------------------------------- */

ETI_CELL_SETTER_IF(eti_event_row, raw, row->event->is_timed,
                   eti__list_cell(ETI_CELL_DOUBLES, eti_event_raw(row->event),
                                  row->event->block->n_runs))

ETI_CELL_SETTER(eti_event_row, count,
                eti__count_cell(row->event->is_timed ? row->event->block->n_runs : 0))

static double total_of(const eti_event *event) {
    return event->is_timed ? eti__sum(eti_event_raw(event), event->block->n_runs) : NAN;
}

ETI_CELL_SETTER(eti_event_row, total, eti__number_or_none(total_of(row->event)))

/* Allocates room for a value per sample; NULL: out of memory. */
static double *make_scratch(const eti_event_row *row) {
    return eti__arena_alloc(&row->row->texts, row->event->block->n_runs, sizeof(double));
}

/* Computes the deviation; NaN for a single sample. */
static bool find_deviation(eti_event_row *row, double *out) {
    *out = NAN;
    size_t n = row->event->block->n_runs;
    if (!row->event->is_timed || n < 2)
        return true;
    double *scratch = make_scratch(row);
    if (scratch)
        *out = eti__standard_deviation(eti_event_raw(row->event), n, scratch);
    return scratch != NULL;
}

static bool set_stddev(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    double deviation;
    bool found = find_deviation(row, &deviation);
    eti__cell_put(cell, eti__number_or_none(deviation));
    return found;
}

static bool set_cv(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    double deviation;
    bool found = find_deviation(row, &deviation);
    if (!isnan(deviation)) /* no value if both are 0 */
        eti__cell_put(cell, eti__number_or_none(deviation / eti__mean(eti_event_raw(row->event),
                                                                      row->event->block->n_runs)));
    return found;
}

static bool set_percentile(eti_event_row *row, double quantile, eti_cell *cell) {
    if (!row->event->is_timed)
        return true;
    size_t n = row->event->block->n_runs;
    if (!row->sorted) {
        row->sorted = make_scratch(row);
        if (!row->sorted)
            return false;
        memcpy(row->sorted, eti_event_raw(row->event), n * sizeof *row->sorted);
        eti__sort_doubles(row->sorted, n);
    }
    eti__cell_put(cell, eti__number_or_none(eti__percentile(row->sorted, n, quantile)));
    return true;
}

static bool set_p95(void *context, eti_cell *cell) {
    return set_percentile(context, 0.95, cell);
}

static bool set_p99(void *context, eti_cell *cell) {
    return set_percentile(context, 0.99, cell);
}

static bool set_share(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    double share;
    bool found = eti__event_extras_share(row->extras, row->event, &share);
    eti__cell_put(cell, eti__number_or_none(share));
    return found;
}

#define DEFINE_OWN_TIME(name, field)                                                               \
    static bool set_##name(void *context, eti_cell *cell) {                                        \
        eti_event_row *row = context;                                                              \
        eti_own_time own;                                                                          \
        bool found = eti__event_extras_own_time(row->extras, row->event, &own);                    \
        eti__cell_put(cell, eti__number_or_none(own.field));                                       \
        return found;                                                                              \
    }
DEFINE_OWN_TIME(self_time, time)
DEFINE_OWN_TIME(self_share, share)
DEFINE_OWN_TIME(cumulative_share, cumulative)
#undef DEFINE_OWN_TIME

/* ---- what an event is ------------------------------------------------------------------------ */

ETI_CELL_SETTER(eti_event_row, all_op_types,
                eti__list_cell(ETI_CELL_TEXTS, row->event->record->op_types,
                               row->event->record->n_op_types))

static bool set_op_type(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    eti_text op;
    bool found = eti__event_extras_op(row->extras, row->event, &op);
    eti__cell_put(cell, eti__text_or_none(op));
    return found;
}

ETI_CELL_SETTER_IF(eti_event_row, instruction, row->event->instruction_id != -1,
                   eti__int_cell(row->event->instruction_id))

/* Sets the chain index of the first run's event. */
static bool set_chain(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    const eti_event_block *block = row->event->block;
    const eti_block_run *run = &block->runs[0];
    size_t number = (size_t)(row->event - block->events);
    uint32_t event;
    if (row->event->is_timed)
        event = run->layout->profile_events[number];
    else if (run->layout->debug_events && run->layout->debug_events[number].n > 0)
        event = run->layout->debug_events[number].events[0];
    else
        return true;
    eti_etdump_event read;
    eti__etdump_read_event(&read, run->dump, eti__block_run_position(run, event));
    eti__cell_put(cell, eti__int_cell((int64_t)read.key.chain_index));
    return true;
}

/* Sets the delegate's identifier. A number also has a text, because the column has texts. */
static bool set_delegate_id(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    const eti_event *event = row->event;
    if (event->delegate_id_kind == ETI_DELEGATE_ID_NONE)
        return true;
    if (event->delegate_id_kind == ETI_DELEGATE_ID_STRING) {
        eti__cell_put(cell, eti__text_or_none(event->name));
        return true;
    }
    eti__buffer_printf(&row->row->scratch, "%d", (int)event->delegate_id_int);
    eti__cell_put(cell, eti__int_cell(event->delegate_id_int));
    return eti__row_take_text(row->row, &cell->as_text);
}

ETI_CELL_SETTER_IF(eti_event_row, handles, row->event->known->handles.kind != ETI_HANDLES_NONE,
                   eti__list_cell(ETI_CELL_INTS, row->event->known->handles.handles,
                                  row->event->known->handles.n))

ETI_CELL_SETTER(eti_event_row, attribution,
                eti__text_or_none(eti__attribution_name(row->event->known->attribution)))

ETI_CELL_SETTER(eti_event_row, outputs, eti__int_cell(row->event->record->num_outputs))

ETI_CELL_SETTER_IF(eti_event_row, bundled_input, row->event->block->bundled_input_index != -1,
                   eti__int_cell(row->event->block->bundled_input_index))

ETI_CELL_SETTER(eti_event_row, run_count, eti__count_cell(row->event->block->n_runs))

/* ---- where it comes from --------------------------------------------------------------------- */

/* Sets a text, or the end of a text that is very long: a file may repeat it for very many
 * events. */
static bool set_short_text(eti_event_row *row, eti_text text, eti_cell *cell) {
    if (text.size <= MAX_PLACE_TEXT) {
        eti__cell_put(cell, eti__text_or_none(text));
        return true;
    }
    eti_text end = {text.data + text.size - MAX_PLACE_TEXT, MAX_PLACE_TEXT};
    while (end.size > 0 && (*end.data & 0xc0) == 0x80) /* not the first byte of a character */
        end = (eti_text){end.data + 1, end.size - 1};
    eti__buffer_add_string(&row->row->scratch, "...");
    eti__buffer_add_text(&row->row->scratch, end);
    return eti__row_take_cell(row->row, ETI_CELL_TEXT, cell);
}

/* Sets the name or the class of the innermost module that all nodes of the event share. */
static bool set_module_text(eti_event_row *row, bool is_class, eti_cell *cell) {
    const eti_places *places = &row->extras->places;
    eti_place place;
    bool found = eti__event_extras_place(row->extras, row->event, &place);
    if (!found || place.module == ETI_PREFIX_ROOT)
        return found;
    return set_short_text(row,
                          is_class ? eti__places_module(places, place.module)->type
                                   : eti__places_module_name(places, place.module),
                          cell);
}

bool eti__set_event_module(void *context, eti_cell *cell) {
    return set_module_text(context, false, cell);
}

static bool set_module_type(void *context, eti_cell *cell) {
    return set_module_text(context, true, cell);
}

bool eti__set_event_source(void *context, eti_cell *cell) {
    eti_event_row *row = context;
    eti_place place;
    bool found = eti__event_extras_place(row->extras, row->event, &place);
    if (!found || !place.has_frames)
        return found;
    if (place.frame == ETI_PREFIX_ROOT) {
        eti__cell_put(cell, eti__string_cell(ETI_GROUP_SEVERAL_LINES));
        return true;
    }
    const eti_stack_frame *frame = &eti__places_frame(&row->extras->places, place.frame)->frame;
    if (!set_short_text(row, frame->file, cell))
        return false;
    eti__add_source_line(&row->row->scratch, cell->as_text, frame->line);
    return eti__row_take_cell(row->row, ETI_CELL_TEXT, cell);
}

/* ---- the catalogue --------------------------------------------------------------------------- */

const eti_column_spec eti__event_columns[] = {
    {"event_block_name", ETI_TEXTS, false, "EventBlock: runs that recorded the same events",
     set_block_name},
    {"event_name", ETI_TEXTS, false, "name of the event, as given by the runtime or the delegate",
     set_name},
    {"p10", ETI_TIMES, false, "10th percentile over all runs", eti__set_event_p10},
    {"p50", ETI_TIMES, false, "median over all runs", eti__set_event_p50},
    {"p90", ETI_TIMES, false, "90th percentile over all runs", eti__set_event_p90},
    {"avg", ETI_TIMES, false, "mean of all runs", eti__set_event_avg},
    {"min", ETI_TIMES, false, "fastest run", eti__set_event_min},
    {"max", ETI_TIMES, false, "slowest run", eti__set_event_max},
    {"op_types", ETI_TYPE_LIST_UTF8, ETI_COLUMN_TEXT, false,
     "operators of the edge program; if more than 4, some of them", set_op_types},
    {"is_delegated_op", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, false,
     "true if a delegate logged the event", set_is_delegated},
    {"delegate_backend_name", ETI_TEXTS, false, "backend of that delegate", set_backend},
    {"start_time", ETI_TYPE_LIST_UINT64, ETI_COLUMN_LIST, false, "start time per run, as recorded",
     set_start_time},
    {"delegate_debug_metadata", ETI_TEXTS, false,
     "metadata that the delegate logged with it, per run", set_metadata},
    {"raw", ETI_TYPE_LIST_FLOAT64, ETI_COLUMN_LIST, true, "time of each run", set_raw},
    {"count", ETI_COUNTS, true, "number of runs with a time", set_count},
    {"total", ETI_TIMES, true, "sum of all runs", set_total},
    {"stddev", ETI_TIMES, true, "sample standard deviation (n - 1)", set_stddev},
    {"cv", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true, "coefficient of variation: stddev / avg",
     set_cv},
    {"p95", ETI_TIMES, true, "95th percentile over all runs", set_p95},
    {"p99", ETI_TIMES, true, "99th percentile over all runs", set_p99},
    {"share", ETI_SHARES, true,
     "share of the time of Method::execute in its block, after the warm-up", set_share},
    {"self_time", ETI_TIMES, true,
     "mean of its self time, without events inside it, after the warm-up", set_self_time},
    {"self_share", ETI_SHARES, true,
     "self time / time of its block, after the warm-up; time around operators is not in any row",
     set_self_share},
    {"cumulative_share", ETI_SHARES, true,
     "self_share of this row and of all rows with more self time", set_cumulative_share},
    {"op_types_all", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, true, "all operators of the edge program",
     set_all_op_types},
    {"op_type", ETI_TEXTS, true, "operator, as in the view ops", set_op_type},
    {"instruction_id", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, true,
     "instruction in the chain of the program", set_instruction},
    {"chain_index", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
     "chain of instructions, in the first run", set_chain},
    {"delegate_debug_identifier", ETI_TEXTS, true,
     "name or number given to the event by the delegate", set_delegate_id},
    {"debug_handles", ETI_TYPE_LIST_INT64, ETI_COLUMN_LIST, true,
     "debug handles of its operators in the edge program", set_handles},
    {"attribution", ETI_TEXTS, true,
     "how the operator of a delegate's event is known: recorded, exact, aligned, inferred or call",
     set_attribution},
    {"num_outputs", ETI_COUNTS, true, "outputs of its instruction", set_outputs},
    {"module", ETI_TEXTS, true, "innermost module common to all its operators",
     eti__set_event_module},
    {"module_type", ETI_TEXTS, true, "class of that module", set_module_type},
    {"source", ETI_TEXTS, true, "file:line of the model common to all its operators",
     eti__set_event_source},
    {"bundled_input_index", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, true,
     "bundled input that its block ran on", set_bundled_input},
    {"run_count", ETI_COUNTS, true, "number of runs of its block", set_run_count},
};

const size_t eti__event_column_count = sizeof eti__event_columns / sizeof *eti__event_columns;

bool eti__event_column_is_metadata(const eti_column_spec *column) {
    return column->set == set_metadata;
}

bool eti__event_column_is_per_run(const eti_column_spec *column) {
    return column->set == set_raw || column->set == set_start_time;
}

bool eti__event_column_is_all_op_types(const eti_column_spec *column) {
    return column->set == set_all_op_types;
}

bool eti__event_column_is_long(const eti_column_spec *column) {
    return column->set == set_all_op_types || column->set == set_handles;
}
