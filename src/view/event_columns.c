#include "view/event_columns.h"

#include "account/grouping.h"
#include "base/python_text.h"
#include "model/metadata.h"
#include "model/samples.h"
#include "stats/order.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>

#define MAX_PLACE_TEXT 1024 /* bytes */

/* ---- cells ----------------------------------------------------------------------------------- */

static bool set_text(eti_cell *cell, eti_text text) {
    if (text.data) {
        cell->kind = ETI_CELL_TEXT;
        cell->as_text = text;
    }
    return true;
}

static bool set_int(eti_cell *cell, int64_t value) {
    cell->kind = ETI_CELL_INT;
    cell->as_int = value;
    return true;
}

/* NaN: missing. */
static bool set_double(eti_cell *cell, double value) {
    if (!isnan(value)) {
        cell->kind = ETI_CELL_DOUBLE;
        cell->as_double = value;
    }
    return true;
}

static bool set_list(eti_cell *cell, eti_cell_kind kind, const void *items, size_t n) {
    cell->kind = kind;
    cell->items = items;
    cell->n_items = n;
    return true;
}

/* The text built in row->scratch. */
static bool take_text(eti_event_row *row, eti_cell *cell, eti_cell_kind kind) {
    cell->kind = kind;
    return eti_row_take_text(row->row, &cell->as_text);
}

/* ---- the Inspector's columns ----------------------------------------------------------------- */

/* numpy keeps block names in fixed-width fields and so loses NULs at their ends. */
static bool set_block_name(eti_event_row *row, eti_cell *cell) {
    eti_text name = row->event->block->name;
    while (name.size > 0 && name.data[name.size - 1] == '\0')
        name.size--;
    return set_text(cell, name);
}

static bool set_name(eti_event_row *row, eti_cell *cell) {
    return set_text(cell, row->event->name);
}

static void summarize(eti_event_row *row) {
    (void)eti_event_summary(row->event, &row->summary);
    row->is_summarized = true;
}

#define DEFINE_STATISTIC(field)                                                                    \
    static bool set_##field(eti_event_row *row, eti_cell *cell) {                                  \
        if (!row->event->is_timed)                                                                 \
            return true;                                                                           \
        if (!row->is_summarized)                                                                   \
            summarize(row);                                                                        \
        cell->kind = ETI_CELL_DOUBLE;                                                              \
        cell->as_double = row->summary.field;                                                      \
        return true;                                                                               \
    }
DEFINE_STATISTIC(p10)
DEFINE_STATISTIC(p50)
DEFINE_STATISTIC(p90)
DEFINE_STATISTIC(avg)
DEFINE_STATISTIC(min)
DEFINE_STATISTIC(max)
#undef DEFINE_STATISTIC

void eti_event_set_statistics(eti_event_row *row, eti_cell *cells) {
    if (!row->event->is_timed)
        return;
    summarize(row);
    const eti_summary *s = &row->summary;
    const double values[ETI_EVENT_N_STATISTICS] = {s->p10, s->p50, s->p90, s->avg, s->min, s->max};
    for (size_t i = 0; i < ETI_EVENT_N_STATISTICS; i++) {
        cells[i].kind = ETI_CELL_DOUBLE;
        cells[i].as_double = values[i];
    }
}

static void add_quoted_raw(eti_buffer *out, const char *before, eti_text name) {
    eti_buffer_add_string(out, before);
    eti_buffer_add_char(out, '\'');
    eti_buffer_add_text(out, name);
    eti_buffer_add_char(out, '\'');
}

/* The text is the Inspector's; formats for programs take the list. */
static bool set_op_types(eti_event_row *row, eti_cell *cell) {
    static const eti_text none[1];
    eti_buffer *out = &row->row->scratch;
    const eti_text *op_types = row->event->record->op_types;
    size_t n = row->event->record->n_op_types;
    if (row->has_lists)
        set_list(cell, ETI_CELL_LIST, n > 0 ? op_types : none, n);
    if (n == 0) {
        cell->kind = ETI_CELL_LIST;
        cell->as_text = (eti_text){"[]", 2};
        return true;
    }
    eti_buffer_add_char(out, '[');
    if (n < ETI_OP_TYPES_SHOWN) {
        for (size_t i = 0; i < n; i++) {
            eti_buffer_add_string(out, i ? ", " : "");
            eti_python_add_str(out, op_types[i]);
        }
        eti_buffer_add_char(out, ']');
    } else {
        add_quoted_raw(out, "", op_types[0]);
        add_quoted_raw(out, ", ", op_types[1]);
        add_quoted_raw(out, " ... ", op_types[n - 1]);
        eti_buffer_printf(out, "] (%zu total)", n);
    }
    return take_text(row, cell, ETI_CELL_LIST);
}

static bool set_is_delegated(eti_event_row *row, eti_cell *cell) {
    cell->kind = ETI_CELL_BOOL;
    cell->as_bool = row->event->is_delegated_op;
    return true;
}

static bool set_backend(eti_event_row *row, eti_cell *cell) {
    return set_text(cell, row->event->record->backend_name);
}

static bool set_start_time(eti_event_row *row, eti_cell *cell) {
    if (!row->event->is_timed)
        return true;
    return set_list(cell, ETI_CELL_UINTS, eti_event_start_time(row->event),
                    row->event->block->n_runs);
}

static bool set_metadata(eti_event_row *row, eti_cell *cell) {
    const eti_event *event = row->event;
    cell->kind = ETI_CELL_NAN;
    if (!event->has_metadata)
        return true;
    eti_buffer *out = &row->row->scratch;
    eti_metadata_form form = event->is_delegated_op ? row->metadata_form : ETI_METADATA_BYTES;
    eti_buffer_add_char(out, '[');
    for (size_t i = 0; event->is_timed && i < event->block->n_runs; i++) {
        eti_buffer_add_string(out, i ? ", " : "");
        eti_metadata_add(out, eti_event_delegate_debug_metadata(event, i), form);
    }
    eti_buffer_add_char(out, ']');
    return take_text(row, cell, ETI_CELL_LIST);
}

/* ---- more statistics ------------------------------------------------------------------------- */

static bool set_raw(eti_event_row *row, eti_cell *cell) {
    if (!row->event->is_timed)
        return true;
    return set_list(cell, ETI_CELL_DOUBLES, eti_event_raw(row->event), row->event->block->n_runs);
}

static bool set_count(eti_event_row *row, eti_cell *cell) {
    return set_int(cell, row->event->is_timed ? (int64_t)row->event->block->n_runs : 0);
}

static double total_of(const eti_event *event) {
    return event->is_timed ? eti_sum(eti_event_raw(event), event->block->n_runs) : NAN;
}

static bool set_total(eti_event_row *row, eti_cell *cell) {
    return set_double(cell, total_of(row->event));
}

/* Room for as many values as there are samples; NULL when memory is out. */
static double *make_scratch(const eti_event_row *row) {
    return eti_arena_alloc(&row->row->texts, row->event->block->n_runs, sizeof(double));
}

/* NaN where one sample does not tell. */
static bool find_deviation(eti_event_row *row, double *out) {
    *out = NAN;
    size_t n = row->event->block->n_runs;
    if (!row->event->is_timed || n < 2)
        return true;
    double *scratch = make_scratch(row);
    if (scratch)
        *out = eti_standard_deviation(eti_event_raw(row->event), n, scratch);
    return scratch != NULL;
}

static bool set_stddev(eti_event_row *row, eti_cell *cell) {
    double deviation;
    return find_deviation(row, &deviation) && set_double(cell, deviation);
}

static bool set_cv(eti_event_row *row, eti_cell *cell) {
    double deviation;
    if (!find_deviation(row, &deviation))
        return false;
    if (isnan(deviation))
        return true;
    double mean = eti_mean(eti_event_raw(row->event), row->event->block->n_runs);
    return set_double(cell, deviation / mean); /* missing where both are 0 */
}

static bool set_percentile(eti_event_row *row, eti_cell *cell, double quantile) {
    if (!row->event->is_timed)
        return true;
    size_t n = row->event->block->n_runs;
    if (!row->sorted) {
        row->sorted = make_scratch(row);
        if (!row->sorted)
            return false;
        memcpy(row->sorted, eti_event_raw(row->event), n * sizeof *row->sorted);
        eti_sort_doubles(row->sorted, n);
    }
    return set_double(cell, eti_percentile(row->sorted, n, quantile));
}

static bool set_p95(eti_event_row *row, eti_cell *cell) {
    return set_percentile(row, cell, 0.95);
}

static bool set_p99(eti_event_row *row, eti_cell *cell) {
    return set_percentile(row, cell, 0.99);
}

static bool set_share(eti_event_row *row, eti_cell *cell) {
    double executed;
    if (!eti_event_extras_executed(row->extras, row->event, &executed))
        return false;
    return set_double(cell, executed > 0 ? total_of(row->event) / executed : NAN);
}

#define DEFINE_OWN_TIME(name, field)                                                               \
    static bool set_##name(eti_event_row *row, eti_cell *cell) {                                   \
        eti_own_time own;                                                                          \
        return eti_event_extras_own_time(row->extras, row->event, &own) &&                         \
               set_double(cell, own.field);                                                        \
    }
DEFINE_OWN_TIME(self_time, time)
DEFINE_OWN_TIME(self_share, share)
DEFINE_OWN_TIME(cumulative_share, cumulative)
#undef DEFINE_OWN_TIME

/* ---- what an event is ------------------------------------------------------------------------ */

static bool set_all_op_types(eti_event_row *row, eti_cell *cell) {
    const eti_event_record *record = row->event->record;
    return set_list(cell, ETI_CELL_TEXTS, record->op_types, record->n_op_types);
}

static bool set_instruction(eti_event_row *row, eti_cell *cell) {
    return row->event->instruction_id == -1 || set_int(cell, row->event->instruction_id);
}

/* Of the first run's event. */
static bool set_chain(eti_event_row *row, eti_cell *cell) {
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
    eti_etdump_read_event(&read, run->dump, eti_block_run_position(run, event));
    return set_int(cell, (int64_t)read.key.chain_index);
}

static bool set_delegate_id(eti_event_row *row, eti_cell *cell) {
    const eti_event *event = row->event;
    if (event->delegate_id_kind == ETI_DELEGATE_ID_INT)
        return set_int(cell, event->delegate_id_int);
    return event->delegate_id_kind == ETI_DELEGATE_ID_NONE || set_text(cell, event->name);
}

static bool set_handles(eti_event_row *row, eti_cell *cell) {
    const eti_debug_handles *handles = &row->event->record->handles;
    return handles->kind == ETI_HANDLES_NONE ||
           set_list(cell, ETI_CELL_INTS, handles->handles, handles->n);
}

static bool set_outputs(eti_event_row *row, eti_cell *cell) {
    return set_int(cell, row->event->record->num_outputs);
}

static bool set_bundled_input(eti_event_row *row, eti_cell *cell) {
    int32_t index = row->event->block->bundled_input_index;
    return index == -1 || set_int(cell, index);
}

static bool set_run_count(eti_event_row *row, eti_cell *cell) {
    return set_int(cell, (int64_t)row->event->block->n_runs);
}

/* ---- where it comes from --------------------------------------------------------------------- */

/* A file may hold one that is very long, for very many events: its end then has to do. */
static bool set_short_text(eti_event_row *row, eti_cell *cell, eti_text text) {
    if (text.size <= MAX_PLACE_TEXT)
        return set_text(cell, text);
    eti_text end = {text.data + text.size - MAX_PLACE_TEXT, MAX_PLACE_TEXT};
    while (end.size > 0 && (*end.data & 0xc0) == 0x80) /* not the first byte of a character */
        end = (eti_text){end.data + 1, end.size - 1};
    eti_buffer_add_string(&row->row->scratch, "...");
    eti_buffer_add_text(&row->row->scratch, end);
    return take_text(row, cell, ETI_CELL_TEXT);
}

static bool set_module(eti_event_row *row, eti_cell *cell) {
    eti_place place;
    if (!eti_event_extras_place(row->extras, row->event, &place))
        return false;
    return place.module == ETI_PREFIX_ROOT ||
           set_short_text(row, cell, eti_places_module_name(&row->extras->places, place.module));
}

static bool set_module_type(eti_event_row *row, eti_cell *cell) {
    eti_place place;
    if (!eti_event_extras_place(row->extras, row->event, &place))
        return false;
    return place.module == ETI_PREFIX_ROOT ||
           set_short_text(row, cell, eti_places_module(&row->extras->places, place.module)->type);
}

static bool set_source(eti_event_row *row, eti_cell *cell) {
    eti_place place;
    if (!eti_event_extras_place(row->extras, row->event, &place))
        return false;
    if (!place.has_frames)
        return true;
    if (place.frame == ETI_PREFIX_ROOT)
        return set_text(cell, eti_text_of(ETI_GROUP_SEVERAL_LINES));
    const eti_stack_frame *frame = &eti_places_frame(&row->extras->places, place.frame)->frame;
    if (!set_short_text(row, cell, frame->file))
        return false;
    eti_add_source_line(&row->row->scratch, cell->as_text, frame->line);
    return take_text(row, cell, ETI_CELL_TEXT);
}

/* ---- the catalogue --------------------------------------------------------------------------- */

const eti_event_column eti_event_columns[] = {
    {"event_block_name", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false,
     "the EventBlock: runs that recorded the same events", set_block_name},
    {"event_name", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false,
     "the event, as the runtime or the delegate calls it", set_name},
    {"p10", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "10th percentile over all runs", set_p10},
    {"p50", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "median over all runs", set_p50},
    {"p90", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "90th percentile over all runs", set_p90},
    {"avg", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "mean of all runs", set_avg},
    {"min", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "the fastest run", set_min},
    {"max", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "the slowest run", set_max},
    {"op_types", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false,
     "operators of the edge program; of more than 4 some", set_op_types},
    {"is_delegated_op", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "whether a delegate logged it",
     set_is_delegated},
    {"delegate_backend_name", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "that delegate's backend",
     set_backend},
    {"start_time", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false, "when it began, per run, as stamped",
     set_start_time},
    {"delegate_debug_metadata", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false,
     "what the delegate logged with it, per run", set_metadata},
    {"raw", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, true, "the time of each run", set_raw},
    {"count", ETI_TYPE_INT64, ETI_COLUMN_COUNT, true, "runs that timed it", set_count},
    {"total", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, true, "sum of all runs", set_total},
    {"stddev", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, true, "sample standard deviation (n - 1)",
     set_stddev},
    {"cv", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "coefficient of variation: stddev / avg",
     set_cv},
    {"p95", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, true, "95th percentile over all runs", set_p95},
    {"p99", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, true, "99th percentile over all runs", set_p99},
    {"share", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, true,
     "total / total of Method::execute in its block", set_share},
    {"self_time", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, true,
     "mean of its own time: without events inside it", set_self_time},
    {"self_share", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, true,
     "own time / own times of all events of its block", set_self_share},
    {"cumulative_share", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, true,
     "self_share of it and of all with more own time", set_cumulative_share},
    {"op_types_all", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, true, "all operators of the edge program",
     set_all_op_types},
    {"instruction_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
     "instruction of the program's chain", set_instruction},
    {"chain_index", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
     "chain of instructions, in the first run", set_chain},
    {"delegate_debug_identifier", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
     "the delegate's own name or number of it", set_delegate_id},
    {"debug_handles", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, true,
     "handles of its operators in the edge program", set_handles},
    {"num_outputs", ETI_TYPE_INT64, ETI_COLUMN_COUNT, true, "outputs of its instruction",
     set_outputs},
    {"module", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
     "the innermost module that all its operators are in", set_module},
    {"module_type", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "that module's class", set_module_type},
    {"source", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
     "file:line of the model that all its operators come from", set_source},
    {"bundled_input_index", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
     "the bundled input that its block ran on", set_bundled_input},
    {"run_count", ETI_TYPE_INT64, ETI_COLUMN_COUNT, true, "runs of its block", set_run_count},
};

const size_t eti_event_column_count = sizeof eti_event_columns / sizeof *eti_event_columns;

bool eti_event_column_is_metadata(const eti_event_column *column) {
    return column->set == set_metadata;
}

bool eti_event_column_is_per_run(const eti_event_column *column) {
    return column->set == set_raw || column->set == set_start_time;
}

bool eti_event_column_is_all_op_types(const eti_event_column *column) {
    return column->set == set_all_op_types;
}

bool eti_event_column_is_long(const eti_event_column *column) {
    return column->set == set_all_op_types || column->set == set_handles;
}
