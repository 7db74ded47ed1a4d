#include "view_events/view_events.h"

#include "view_events/events.h"

#include <inttypes.h>
#include <stdlib.h>

#define VALUES_SHOWN 8
/* Name of an output of the run, in place of that of an event. */
#define RUN_OUTPUT "(output of the run)"

typedef struct tensors_view {
    eti_recorded recorded;
    eti_origins origins;
    eti_places places;
    eti_place *places_of; /* per tensor */
} tensors_view;

typedef struct tensor_row {
    const tensors_view *view;
    const eti_recorded_tensor *of;
    const eti_tensor_origin *origin;
    const eti_place *place;
    eti_row *out;
} tensor_row;

/* ---- where it comes from ---------------------------------------------------------------------- */

static eti_text event_name(const eti_recorded_tensor *tensor) {
    return tensor->event ? tensor->event->name : eti__text_of(RUN_OUTPUT);
}

/* Finds the places of the tensors: that of the node, or else that of the event. */
static bool find_places(tensors_view *view) {
    const eti_recorded *recorded = &view->recorded;
    view->places_of = calloc(recorded->n + 1, sizeof *view->places_of);
    bool done = view->places_of && eti__places_init(&view->places);
    for (size_t i = 0; done && i < recorded->n; i++) {
        const eti_recorded_tensor *tensor = &recorded->tensors[i];
        const eti_tensor_origin *origin = &view->origins.of[i];
        if (origin->is_input || !tensor->event)
            continue;
        done = origin->node
                   ? eti__places_of_node(&view->places, &origin->node->node, &view->places_of[i])
                   : eti__places_of_event(&view->places, tensor->event, &view->places_of[i]);
    }
    return done;
}

/* ---- cells ------------------------------------------------------------------------------------ */

static bool has_values(const eti_recorded_tensor *tensor) {
    return tensor->values.data != NULL;
}

/* Returns whether NaNs were counted, or the tensor is empty and has none. */
static bool is_counted(const eti_recorded_tensor *tensor) {
    return tensor->fault == ETI_RECORDED_FINE;
}

static const char *status_of(const eti_recorded_tensor *tensor) {
    static const char *const faults[] = {
        [ETI_RECORDED_OUTSIDE] = "outside",
        [ETI_RECORDED_TYPE] = "type",
        [ETI_RECORDED_SHAPE] = "shape",
        [ETI_RECORDED_CONTENTS] = "not recorded",
    };
    if (tensor->fault == ETI_RECORDED_FINE && tensor->has_odd_strides)
        return "strides";
    return faults[tensor->fault];
}

static const char *role_of(const tensor_row *row) {
    if (!row->of->event)
        return "run output";
    return row->origin->is_input ? "input" : "output";
}

#define SETTER(name, value) ETI_CELL_SETTER(tensor_row, name, value)
#define SETTER_IF(name, condition, value) ETI_CELL_SETTER_IF(tensor_row, name, condition, value)
#define STATISTIC(name)                                                                            \
    SETTER_IF(name, is_counted(row->of),                                                           \
              eti__number_or_none(eti__statistics_##name(&row->of->statistics)))
#define COUNT(name, field)                                                                         \
    SETTER_IF(name, is_counted(row->of), eti__count_cell(row->of->statistics.field))

SETTER(block, eti__text_cell(row->of->block->label))
SETTER(run, eti__count_cell(row->of->run))
SETTER_IF(instruction, row->of->event != NULL && eti__event_names_instruction(row->of->event),
          eti__int_cell(row->of->event->instruction_id))
SETTER(event, eti__text_or_none(event_name(row->of)))
SETTER(output, eti__count_cell(row->of->index))
SETTER(dtype, eti__string_cell(eti__scalar_type(row->of->values.scalar_type)->name))
SETTER_IF(bytes, row->of->fault != ETI_RECORDED_SHAPE && row->of->fault != ETI_RECORDED_TYPE,
          eti__count_cell(eti__tensor_values_size(&row->of->values)))
STATISTIC(min)
STATISTIC(max)
STATISTIC(mean)
STATISTIC(deviation)
STATISTIC(absmax)
COUNT(nan, n_nan)
COUNT(inf, n_inf)
SETTER_IF(zero, is_counted(row->of) && row->of->statistics.n > 0,
          eti__double_cell((double)row->of->statistics.n_zero / (double)row->of->statistics.n))
SETTER_IF(handles, row->of->event && row->of->event->known->handles.kind != ETI_HANDLES_NONE,
          eti__list_cell(ETI_CELL_INTS, row->of->event->known->handles.handles,
                         row->of->event->known->handles.n))
SETTER_IF(source_node, row->origin->node, eti__text_or_none(row->origin->node->node.origin))
SETTER_IF(module, row->place->module != ETI_PREFIX_ROOT,
          eti__text_or_none(eti__places_module_name(&row->view->places, row->place->module)))
SETTER(status, eti__string_cell(status_of(row->of)))
SETTER(role, eti__string_cell(role_of(row)))
SETTER(offset, eti__int_cell(row->of->offset))
SETTER_IF(strides, row->of->n_strides > 0,
          eti__list_cell(ETI_CELL_INTS, row->of->strides, row->of->n_strides))

static bool set_shape(void *context, eti_cell *cell) {
    const tensor_row *row = context;
    const eti_tensor_values *values = &row->of->values;
    eti__buffer_add_sizes(&row->out->scratch, values->sizes, values->n_dims);
    return eti__row_take_cell(row->out, ETI_CELL_TEXT, cell);
}

static bool set_source(void *context, eti_cell *cell) {
    const tensor_row *row = context;
    return eti__set_place_source(row->out, &row->view->places, row->place, cell);
}

static bool set_sha256(void *context, eti_cell *cell) {
    const tensor_row *row = context;
    char digits[ETI_SHA256_DIGITS + 1];
    if (!has_values(row->of))
        return true;
    eti__sha256(row->of->values.data, (size_t)eti__tensor_values_size(&row->of->values), digits);
    cell->kind = ETI_CELL_TEXT;
    return eti__arena_own_text(&row->out->texts, eti__text_of(digits), &cell->as_text);
}

static bool set_histogram(void *context, eti_cell *cell) {
    const tensor_row *row = context;
    if (eti__statistics_finite(&row->of->statistics) == 0)
        return true;
    int64_t *counts = eti__arena_alloc(&row->out->texts, ETI_HISTOGRAM_BINS, sizeof *counts);
    if (!counts)
        return false;
    eti__tensor_histogram(&row->of->values, row->of->is_dense, row->of->statistics.min,
                          row->of->statistics.max, counts);
    eti__cell_put(cell, eti__list_cell(ETI_CELL_INTS, counts, ETI_HISTOGRAM_BINS));
    return true;
}

static bool set_percentile(const tensor_row *row, double quantile, eti_cell *cell) {
    uint64_t n = eti__statistics_finite(&row->of->statistics);
    double value;
    if (n == 0)
        return true;
    if (!eti__tensor_percentiles(&row->of->values, row->of->is_dense, n, &quantile, 1, &value))
        return false;
    eti__cell_put(cell, eti__double_cell(value));
    return true;
}

static bool set_p1(void *context, eti_cell *cell) {
    return set_percentile(context, 0.01, cell);
}

static bool set_p99(void *context, eti_cell *cell) {
    return set_percentile(context, 0.99, cell);
}

/* Sets the first values, in row-major order. */
static bool set_values(void *context, eti_cell *cell) {
    const tensor_row *row = context;
    const eti_tensor_values *values = &row->of->values;
    uint8_t bytes[VALUES_SHOWN * 8];
    if (!has_values(row->of))
        return true;
    size_t n = values->n_elements < VALUES_SHOWN ? (size_t)values->n_elements : VALUES_SHOWN;
    double *numbers = eti__arena_alloc(&row->out->texts, n, sizeof *numbers);
    if (!numbers)
        return false;
    eti__tensor_values_copy(values, 0, n, bytes);
    eti__elements_as_doubles(values->scalar_type, bytes, n, numbers);
    eti__cell_put(cell, eti__list_cell(ETI_CELL_DOUBLES, numbers, n));
    return true;
}

#define NUMBERS ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER
#define LIST_OF_INTS ETI_TYPE_LIST_INT64, ETI_COLUMN_LIST

static const eti_column_spec columns[] = {
    {"block", ETI_TEXTS, false, "EventBlock", set_block},
    {"run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false,
     "number of the run in its block, counting from 0", set_run},
    {"instruction", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, false, "instruction of the program",
     set_instruction},
    {"event_name", ETI_TEXTS, false, "name of the event, as given by the runtime or the delegate",
     set_event},
    {"output", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false,
     "number among the tensors of the event, or of the outputs of the run", set_output},
    {"dtype", ETI_TEXTS, false, "data type of the elements", set_dtype},
    {"shape", ETI_TEXTS, false, "sizes of the tensor", set_shape},
    {"bytes", ETI_TYPE_UINT64, ETI_COLUMN_BYTES, false, "size of the elements", set_bytes},
    {"min", NUMBERS, false, "smallest finite element", set_min},
    {"max", NUMBERS, false, "largest finite element", set_max},
    {"mean", NUMBERS, false, "mean of the finite elements", set_mean},
    {"std", NUMBERS, false, "standard deviation (population) of the finite elements",
     set_deviation},
    {"absmax", NUMBERS, false, "largest magnitude of a finite element", set_absmax},
    {"nan", ETI_COUNTS, false, "elements that are NaN", set_nan},
    {"inf", ETI_COUNTS, false, "elements that are infinite", set_inf},
    {"zero", ETI_SHARES, false, "share of elements that are 0", set_zero},
    {"debug_handles", LIST_OF_INTS, false, "debug handles of its event in the edge program",
     set_handles},
    {"source_node", ETI_TEXTS, false, "node of the exported program that it comes from",
     set_source_node},
    {"source", ETI_TEXTS, false, "file:line of the model that it comes from", set_source},
    {"module", ETI_TEXTS, false, "innermost module that it comes from", set_module},
    {"status", ETI_TEXTS, false,
     "outside (of the debug buffer), type or shape: not readable; strides: not dense, read row by "
     "row",
     set_status},
    {"role", ETI_TEXTS, true, "output, input (of a delegate call) or run output", set_role},
    {"offset", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "offset in the debug buffer, in bytes",
     set_offset},
    {"strides", LIST_OF_INTS, true, "strides as recorded, in elements", set_strides},
    {"values", ETI_TYPE_LIST_FLOAT64, ETI_COLUMN_LIST, true, "first 8 elements", set_values},
    {"p1", NUMBERS, true, "1st percentile of the finite elements", set_p1},
    {"p99", NUMBERS, true, "99th percentile of the finite elements", set_p99},
    {"histogram", LIST_OF_INTS, true, "finite elements in 16 equal bins from min to max",
     set_histogram},
    {"sha256", ETI_TEXTS, true, "SHA-256 of its bytes", set_sha256},
};

/* Returns whether a column requires reading the bytes again. */
static bool is_costly(const eti_column_spec *column) {
    return column->set == set_p1 || column->set == set_p99 || column->set == set_histogram ||
           column->set == set_sha256;
}

static bool make_row(const void *context, size_t number, eti_row *out) {
    const tensors_view *view = context;
    tensor_row row = {
        .view = view,
        .of = &view->recorded.tensors[number],
        .origin = &view->origins.of[number],
        .place = &view->places_of[number],
        .out = out,
    };
    return eti__columns_set(columns, ETI_N_COLUMNS(columns), &row, out);
}

/* ---- notes ------------------------------------------------------------------------------------ */

typedef uint64_t (*count_function)(const eti_recorded_tensor *tensor);

static uint64_t count_nan(const eti_recorded_tensor *tensor) {
    return tensor->statistics.n_nan;
}

static uint64_t count_inf(const eti_recorded_tensor *tensor) {
    return tensor->statistics.n_inf;
}

/* Appends a name such as "native_call_log.out, instruction 2", with block and run if others are listed. */
static void add_tensor_name(eti_buffer *text, const tensors_view *view,
                            const eti_recorded_tensor *tensor) {
    const eti_recorded *recorded = &view->recorded;
    if (recorded->tensors[0].block != recorded->tensors[recorded->n - 1].block)
        eti__buffer_printf(text, "%.*s, ", ETI_TEXT_ARGS(tensor->block->label));
    if (!eti__recorded_together(&recorded->tensors[0], &recorded->tensors[recorded->n - 1]))
        eti__buffer_printf(text, "run %zu, ", tensor->run);
    eti__buffer_add_text(text, event_name(tensor));
    if (tensor->event && eti__event_names_instruction(tensor->event))
        eti__buffer_printf(text, ", instruction %d", (int)tensor->event->instruction_id);
}

/* Appends whether the inputs of a tensor also have any; nothing if that is not known. False: out of memory. */
static bool add_inputs(eti_buffer *text, tensors_view *view, size_t number, count_function count) {
    const eti_recorded_tensor *tensors = view->recorded.tensors;
    eti_tensor_inputs inputs;
    bool done = eti__origins_inputs(&view->origins, number, &inputs);
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < inputs.n && first == SIZE_MAX; i++) {
        if (count(&tensors[inputs.tensors[i]]) > 0)
            first = inputs.tensors[i];
    }
    if (view->origins.of[number].is_input)
        eti__buffer_add_string(text, "; it is an input of the delegate");
    else if (first != SIZE_MAX)
        eti__buffer_printf(text, "; so has its input %.*s, instruction %d",
                           ETI_TEXT_ARGS(event_name(&tensors[first])),
                           (int)tensors[first].event->instruction_id);
    else if (inputs.n > 0)
        eti__buffer_add_string(text,
                               inputs.n == 1 ? "; its input has none" : "; its inputs have none");
    free(inputs.tensors);
    return done;
}

static eti_status note_first(eti_report *report, tensors_view *view, const char *what,
                             count_function count, eti_error *err) {
    size_t number = 0;
    while (number < view->recorded.n && count(&view->recorded.tensors[number]) == 0)
        number++;
    if (number == view->recorded.n)
        return eti__report_note(report, err, "first %s: none", what);
    const eti_recorded_tensor *tensor = &view->recorded.tensors[number];
    const eti_place *place = &view->places_of[number];
    eti_buffer text = {0};
    eti__buffer_printf(&text, "first %s: ", what);
    add_tensor_name(&text, view, tensor);
    eti__buffer_printf(&text, " (%" PRIu64 " of %" PRIu64 " elements)", count(tensor),
                       tensor->statistics.n);
    if (eti__place_has_line(place)) {
        eti__buffer_add_string(&text, ", ");
        eti__add_place_line(&text, &view->places, place);
    }
    if (!add_inputs(&text, view, number, count))
        text.failed = true;
    return eti__report_take_note(report, &text, err);
}

static eti_status note_faults(eti_report *report, const tensors_view *view, eti_error *err) {
    size_t n_odd = 0, n_types = 0, n_shapes = 0, n_without = 0;
    for (size_t i = 0; i < view->recorded.n; i++) {
        const eti_recorded_tensor *tensor = &view->recorded.tensors[i];
        n_odd += tensor->fault == ETI_RECORDED_FINE && tensor->has_odd_strides;
        n_types += tensor->fault == ETI_RECORDED_TYPE;
        n_shapes += tensor->fault == ETI_RECORDED_SHAPE;
        n_without += tensor->fault == ETI_RECORDED_CONTENTS;
    }
    if (n_odd > 0)
        ETI_TRY(eti__report_note(report, err,
                                 "strides: %zu tensors have strides that are not dense: their "
                                 "elements are read in memory order",
                                 n_odd));
    if (n_types > 0)
        ETI_TRY(eti__report_note(report, err, "type: %zu tensors have elements of another type",
                                 n_types));
    if (n_shapes > 0)
        ETI_TRY(
            eti__report_note(report, err, "shape: %zu tensors have impossible sizes", n_shapes));
    if (n_without > 0)
        ETI_TRY(eti__report_note(report, err,
                                 "not recorded: %zu tensors have no contents, because the "
                                 "recording program had no debug buffer, or a full one",
                                 n_without));
    if (view->recorded.n_outside > 0)
        return eti__report_note(
            report, err,
            "outside: %zu tensors lie beyond the end of the debug buffer: is it complete?",
            view->recorded.n_outside);
    return ETI_OK;
}

static eti_status add_notes(eti_report *report, tensors_view *view, eti_error *err) {
    if (view->recorded.n == 0)
        return eti__report_note(report, err,
                                "no tensor was recorded: the runtime records tensors if it has a "
                                "debug buffer and logging of intermediate outputs is on");
    ETI_TRY(note_first(report, view, "NaN", count_nan, err));
    ETI_TRY(note_first(report, view, "Inf", count_inf, err));
    return note_faults(report, view, err);
}

/* ---- the view --------------------------------------------------------------------------------- */

static void free_view(void *context) {
    tensors_view *view = context;
    eti__origins_free(&view->origins);
    eti__recorded_free(&view->recorded);
    eti__places_free(&view->places);
    free(view->places_of);
    free(view);
}

/* Returns the number of bytes of the names, shapes and debug handles of all rows. */
static uint64_t count_text(const tensors_view *view) {
    uint64_t n = 0;
    for (size_t i = 0; i < view->recorded.n; i++) {
        const eti_recorded_tensor *tensor = &view->recorded.tensors[i];
        n += tensor->block->label.size + event_name(tensor).size + tensor->values.n_dims;
        if (tensor->event)
            n += tensor->event->known->handles.n * ETI_LIST_ITEM_BYTES;
        if (view->places_of[i].module != ETI_PREFIX_ROOT)
            n += eti__places_module_name(&view->places, view->places_of[i].module).size;
    }
    return n;
}

static eti_status fill_view(tensors_view *view, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) {
    ETI_TRY(eti__recorded_read(&view->recorded, inspector, options, err));
    ETI_TRY(eti__origins_find(&view->origins, &view->recorded, inspector, err));
    if (!find_places(view))
        return eti_fail_memory(err);
    return eti__view_check_text(inspector, count_text(view), err);
}

eti_status eti__view_tensors(eti_report *report, const eti_inspector *inspector,
                             const eti_view_options *options, eti_error *err) {
    tensors_view *view = calloc(1, sizeof *view);
    if (!view)
        return eti_fail_memory(err);
    eti_status status = fill_view(view, inspector, options, err);
    if (status != ETI_OK) {
        free_view(view);
        return status;
    }
    eti_table *table;
    const eti_row_source source = {make_row, free_view, view};
    ETI_TRY(eti__columns_make_rows(&table, columns, ETI_N_COLUMNS(columns), view->recorded.n,
                                   source, NULL, err));
    for (size_t i = 0; i < ETI_N_COLUMNS(columns); i++)
        table->columns[i].is_on_request = is_costly(&columns[i]);
    table->most_drawn = eti__view_most_drawn(inspector);
    ETI_TRY(eti__report_add(report, "tensors", NULL, table, err));
    report->sections[report->n_sections - 1].hides_empty = true;
    return add_notes(report, view, err);
}

/* ---- saving ----------------------------------------------------------------------------------- */

/* Returns the table of the report whose rows are tensors; NULL: there is none. */
static const eti_table *find_table(const eti_report *report) {
    for (size_t i = 0; i < report->n_sections; i++) {
        const eti_table *table = report->sections[i].table;
        const eti_table *whole = table->whole ? table->whole : table;
        if (whole->source.make == make_row)
            return table;
    }
    return NULL;
}

eti_status eti__view_tensors_saved(eti_saved_tensors *out, const eti_report *report, unsigned key,
                                   eti_error *err) {
    const eti_table *table = find_table(report);
    *out = (eti_saved_tensors){.n = 0};
    if (!table)
        return eti_fail(err, ETI_ERROR_USAGE, "there are no tensors in a report of the view %s",
                        report->view);
    const tensors_view *view = (table->whole ? table->whole : table)->source.context;
    size_t *numbers = malloc((table->n_rows + 1) * sizeof *numbers);
    if (!numbers)
        return eti_fail_memory(err);
    for (size_t i = 0; i < table->n_rows; i++)
        numbers[i] = eti__table_row_number(table, i);
    eti_status status =
        eti__saved_tensors_list(out, &view->origins, numbers, table->n_rows, key, err);
    free(numbers);
    return status;
}
