#include "view_numerics/numerics.h"

#include "gate/gate.h"
#include "table/table.h"
#include "view_events/view_events.h"
#include "view_numerics/comparing.h"
#include "view_numerics/expected.h"
#include "view_numerics/failing.h"
#include "view_numerics/numeric_gap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== findings ================================================================================ */
/* Turns outputs that fail into findings. */

static eti_text numerics_name(const eti_point *point);

/* "linear (native_call_addmm.out)" */
static void add_name(eti_buffer *text, const eti_point *point) {
    if (point->source_node.size > 0)
        eti__buffer_printf(text, "%.*s (", ETI_TEXT_ARGS(point->source_node));
    eti__buffer_add_text(text, numerics_name(point));
    if (point->source_node.size > 0)
        eti__buffer_add_char(text, ')');
}

/* "linear (native_call_addmm.out), output 0: snr 25.3 dB, max_abs 0.5, the worst of 3 inputs" */
static void add_message(eti_buffer *text, const eti_joined_difference *joined,
                        const eti_point *point) {
    const eti_difference *row = &joined->worst;
    const char *status = eti__difference_status_name(row->status);
    add_name(text, point);
    eti__buffer_printf(text, ", output %u:", (unsigned)eti__matched_port(row->of));
    if (joined->n_compared > 0)
        eti__buffer_printf(text, " snr %.3g dB, max_abs %.3g", row->metrics.snr,
                           row->metrics.max_abs);
    if (joined->n_compared > 1)
        eti__buffer_printf(text, ", the worst of %zu inputs", joined->n_compared);
    if (status)
        eti__buffer_printf(text, "%s %s", joined->n_compared > 0 ? "," : "", status);
}

static void describe(const void *context, size_t number, eti_buffer *key, eti_buffer *message,
                     eti_finding *out) {
    const numerics_view *view = context;
    const eti_joined_difference *joined = &view->joined.rows[number];
    const eti_difference *row = &joined->worst;
    const eti_point *point = row->of->newer ? row->of->newer : row->of->base;
    const eti_place *place = &view->places_of[number];
    out->name = numerics_name(point);
    if (point->event)
        out->block = point->event->block->label;
    if (point->node)
        out->op = point->node->op_type;
    if (place->module != ETI_PREFIX_ROOT)
        out->module = eti__places_module_name(&view->places, place->module);
    if (place->has_frames && place->frame != ETI_PREFIX_ROOT) {
        out->file = eti__places_frame(&view->places, place->frame)->frame.file;
        out->line = eti__places_frame(&view->places, place->frame)->frame.line;
    }
    if (view->options->is_each)
        eti__buffer_printf(key, "input %zu: ", joined->input);
    eti__buffer_add_text(message, eti__buffer_text(key));
    add_name(key, point);
    eti__buffer_printf(key, "#%u", (unsigned)eti__matched_port(row->of));
    add_message(message, joined, point);
}

static bool differs(const void *context, size_t number) {
    const numerics_view *view = context;
    const eti_joined_difference *joined = &view->joined.rows[number];
    return joined->n_compared > 0 && eti__metrics_differ(&joined->worst.metrics);
}

/* Returns the functions that test and describe rows of the view. */
static eti_failing_rows numerics_failing_rows(const numerics_view *view) {
    return (eti_failing_rows){view->joined.n, view->joined.n_compared, differs, describe, view};
}

/* Adds a rule for each expression and a finding for each output that fails. ETI_ERROR_MEMORY. */
static eti_status add_numerics_findings(eti_report *report, const numerics_view *view,
                                        eti_error *err) {
    const eti_failing_rows rows = numerics_failing_rows(view);
    return eti__failing_add_findings(report, &view->failing, view->options, &rows, err);
}

/* ==== numerics ================================================================================ */

#define RUN_OUTPUT "(output of the run)"

typedef struct numerics_row {
    const numerics_view *view;
    const eti_joined_difference *joined;
    const eti_difference *of;            /* the worst of the differences */
    const eti_point *base, *newer, *one; /* `one`: that of the new side, or else of the base */
    const eti_place *place;
    eti_row *out;
} numerics_row;

/* ---- cells ------------------------------------------------------------------------------------ */

static bool is_compared(const numerics_row *row) {
    return row->joined->n_compared > 0;
}

/* Returns the name of an output: that of its Event, or a name for outputs of the run. */
static eti_text numerics_name(const eti_point *point) {
    return eti__point_is_run_outputs(point) ? eti__text_of(RUN_OUTPUT) : point->name;
}

static const eti_graph_node *node_of(const numerics_row *row) {
    const eti_graph_node *of_base = row->base ? row->base->node : NULL;
    return row->newer && row->newer->node ? row->newer->node : of_base;
}

static eti_text source_node_of(const numerics_row *row) {
    return row->newer && row->newer->source_node.data ? row->newer->source_node
           : row->base && row->base->node             ? row->base->source_node
                                                      : (eti_text){NULL, 0};
}

static eti_text backend_of(const eti_point *point) {
    return point && point->event ? point->event->known->backend_name : (eti_text){NULL, 0};
}

/* Returns the tensor of the row in an ETDump, preferably that of the new side; NULL: only a file has it. */
static const eti_recorded_tensor *tensor_of(const numerics_row *row) {
    if (row->newer)
        return row->newer->tensors;
    return row->view->base.inspector ? row->base->tensors : NULL;
}

#define SETTER(name, value) ETI_CELL_SETTER(numerics_row, name, value)
#define SETTER_IF(name, condition, value) ETI_CELL_SETTER_IF(numerics_row, name, condition, value)
#define METRIC(name) SETTER_IF(name, is_compared(row), eti__number_or_none(row->of->metrics.name))
#define METRIC_COUNT(name) SETTER_IF(name, is_compared(row), eti__count_cell(row->of->metrics.name))

SETTER(source_node, eti__text_or_none(source_node_of(row)))
SETTER_IF(op, node_of(row), eti__text_or_none(node_of(row)->op_type))
SETTER(output, eti__count_cell(eti__matched_port(row->of->of)))
SETTER(status, eti__string_cell(eti__difference_status_name(row->of->status)))
METRIC(snr)
METRIC(max_abs)
METRIC(max_rel)
METRIC(cosine)
METRIC_COUNT(mismatched)
SETTER(input, eti__count_cell(row->joined->input))
SETTER_IF(block, tensor_of(row), eti__text_cell(tensor_of(row)->block->label))
SETTER_IF(run, tensor_of(row), eti__count_cell(tensor_of(row)->run))
SETTER(inputs, eti__count_cell(row->joined->n_compared))
SETTER_IF(snr_p50, is_compared(row), eti__number_or_none(row->joined->snr_p50))
SETTER_IF(snr_in, row->of->has_snr_in, eti__double_cell(row->of->snr_in))
SETTER_IF(snr_drop, row->of->has_snr_in, eti__double_cell(row->of->snr_drop))
METRIC_COUNT(nan_base)
METRIC_COUNT(nan_new)
METRIC_COUNT(inf_base)
METRIC_COUNT(inf_new)
SETTER_IF(module, row->place->module != ETI_PREFIX_ROOT,
          eti__text_or_none(eti__places_module_name(&row->view->places, row->place->module)))
METRIC(mse)
METRIC(l1)
METRIC(mean_abs)
METRIC(rmse)
METRIC(psnr)
METRIC_COUNT(pairs)
METRIC(ulp_max)
SETTER_IF(identical, is_compared(row), eti__bool_cell(row->of->metrics.identical))
SETTER_IF(instruction, row->newer && row->newer->instruction != -1,
          eti__int_cell(row->newer->instruction))
SETTER_IF(base_instruction, row->base && row->base->instruction != -1,
          eti__int_cell(row->base->instruction))
SETTER_IF(handles, row->newer && row->newer->n_handles > 0,
          eti__list_cell(ETI_CELL_INTS, row->newer->handles, row->newer->n_handles))
SETTER_IF(base_handles, row->base && row->base->n_handles > 0,
          eti__list_cell(ETI_CELL_INTS, row->base->handles, row->base->n_handles))

/* Makes a cell of one text, or of both with a slash if they differ. */
static bool set_both(const numerics_row *row, eti_text base, eti_text newer, eti_cell *cell) {
    eti_buffer *text = &row->out->scratch;
    if (!newer.data || !base.data || eti__text_equal(base, newer)) {
        eti__cell_put(cell, eti__text_or_none(newer.data ? newer : base));
        return true;
    }
    eti__buffer_add_text(text, base);
    eti__buffer_add_string(text, " / ");
    eti__buffer_add_text(text, newer);
    return eti__row_take_cell(row->out, ETI_CELL_TEXT, cell);
}

/* Sets the name of the Event; a file has none. */
static bool set_event_name(void *context, eti_cell *cell) {
    const numerics_row *row = context;
    const eti_text none = {NULL, 0};
    bool is_file = !row->view->base.inspector;
    eti_text base = row->base && (!is_file || !row->newer) ? numerics_name(row->base) : none;
    return set_both(row, base, row->newer ? numerics_name(row->newer) : none, cell);
}

static bool set_backend(void *context, eti_cell *cell) {
    const numerics_row *row = context;
    return set_both(row, backend_of(row->base), backend_of(row->newer), cell);
}

static bool set_dtype(void *context, eti_cell *cell) {
    const numerics_row *row = context;
    eti_text names[2] = {{NULL, 0}, {NULL, 0}};
    const eti_recorded_tensor *tensors[2] = {row->of->of->base_tensor, row->of->of->newer_tensor};
    for (size_t i = 0; i < 2; i++) {
        if (tensors[i])
            names[i] = eti__text_of(eti__element_type(tensors[i]->values.scalar_type)->name);
    }
    return set_both(row, names[0], names[1], cell);
}

static bool shapes_differ(const eti_tensor_values *a, const eti_tensor_values *b) {
    return a->n_dims != b->n_dims ||
           (a->n_dims > 0 && memcmp(a->sizes, b->sizes, a->n_dims * sizeof *a->sizes) != 0);
}

static bool set_shape(void *context, eti_cell *cell) {
    const numerics_row *row = context;
    const eti_recorded_tensor *base = row->of->of->base_tensor, *newer = row->of->of->newer_tensor;
    const eti_recorded_tensor *one = newer ? newer : base;
    eti_buffer *text = &row->out->scratch;
    if (!one)
        return true;
    if (base && newer && shapes_differ(&base->values, &newer->values)) {
        eti__buffer_add_sizes(text, base->values.sizes, base->values.n_dims);
        eti__buffer_add_string(text, " / ");
    }
    eti__buffer_add_sizes(text, one->values.sizes, one->values.n_dims);
    return eti__row_take_cell(row->out, ETI_CELL_TEXT, cell);
}

/* Sets the place of the largest difference as an index, such as [0, 3]. */
static bool set_max_abs_at(void *context, eti_cell *cell) {
    const numerics_row *row = context;
    const eti_metrics *metrics = &row->of->metrics;
    if (!is_compared(row) || metrics->pairs == 0)
        return true;
    const eti_tensor_values *values = &row->joined->of_max_abs->of->newer_tensor->values;
    int64_t index[ETI_TENSOR_MOST_DIMS];
    uint64_t left = metrics->max_abs_at;
    if (values->n_dims > ETI_TENSOR_MOST_DIMS)
        return true;
    for (uint32_t i = values->n_dims; i-- > 0;) {
        index[i] = (int64_t)(left % (uint64_t)values->sizes[i]);
        left /= (uint64_t)values->sizes[i];
    }
    eti__buffer_add_sizes(&row->out->scratch, index, values->n_dims);
    return eti__row_take_cell(row->out, ETI_CELL_TEXT, cell);
}

static bool set_source(void *context, eti_cell *cell) {
    const numerics_row *row = context;
    return eti__set_place_source(row->out, &row->view->places, row->place, cell);
}

static bool set_reason(void *context, eti_cell *cell) {
    const numerics_row *row = context;
    if (row->of->inside.size == 0)
        return true;
    eti__buffer_add_string(&row->out->scratch, "inside a delegate of ");
    eti__buffer_add_text(&row->out->scratch, row->of->inside);
    return eti__row_take_cell(row->out, ETI_CELL_TEXT, cell);
}

#define NUMBERS ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER
#define LIST_OF_INTS ETI_TYPE_LIST_INT64, ETI_COLUMN_LIST

static const eti_column_spec columns[] = {
    {"block", ETI_TEXTS, true, "EventBlock of the run; with several inputs, that of `input`",
     set_block},
    {"run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "number of the run in the EventBlock",
     set_run},
    {"source_node", ETI_TEXTS, false, "node of the exported program that the tensor comes from",
     set_source_node},
    {"op", ETI_TEXTS, false, "operator of that node in the edge program", set_op},
    {"event_name", ETI_TEXTS, false, "name of the event; base / new if they differ",
     set_event_name},
    {"backend", ETI_TEXTS, false, "backend of the delegate that ran it", set_backend},
    {"output", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false,
     "output of the node, or of the event if the node is unknown", set_output},
    {"shape", ETI_TEXTS, false, "sizes of the tensor; base / new if they differ", set_shape},
    {"status", ETI_TEXTS, false,
     "view, nonfinite: compared in row-major order, or with other NaN or infinities; otherwise the "
     "reason why it was not compared",
     set_status},
    {"reason", ETI_TEXTS, false, "reason why it is only on one side", set_reason},
    {"inputs", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
     "number of inputs for which it could be compared", set_inputs},
    {"snr_min", NUMBERS, true, "lowest signal-to-noise ratio of all inputs, in dB", set_snr},
    {"snr_p50", NUMBERS, true, "median signal-to-noise ratio of the inputs, in dB", set_snr_p50},
    {"max_abs_max", NUMBERS, true, "largest difference in all inputs", set_max_abs},
    {"snr", NUMBERS, false, "signal-to-noise ratio, in dB", set_snr},
    {"max_abs", NUMBERS, false, "largest difference", set_max_abs},
    {"max_rel", NUMBERS, false, "largest difference relative to the elements", set_max_rel},
    {"cosine", NUMBERS, false, "cosine similarity", set_cosine},
    {"mismatched", ETI_COUNTS, false, "elements that differ by more than atol + rtol * |base|",
     set_mismatched},
    {"snr_drop", NUMBERS, false, "loss in this operator: snr_in - snr, each at most 150 dB",
     set_snr_drop},
    {"nan_new", ETI_COUNTS, false, "NaN on the new side", set_nan_new},
    {"source", ETI_TEXTS, false, "file:line of the model that the tensor comes from", set_source},
    {"module", ETI_TEXTS, false, "innermost module that the tensor comes from", set_module},
    {"input", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
     "number of the input, counting from 0; of several, the one with the lowest snr", set_input},
    {"dtype", ETI_TEXTS, true, "data type of the elements; base / new if they differ", set_dtype},
    {"snr_in", NUMBERS, true, "lowest snr of its own inputs", set_snr_in},
    {"mse", NUMBERS, true, "mean of the squared differences", set_mse},
    {"l1", NUMBERS, true, "sum of the differences", set_l1},
    {"mean_abs", NUMBERS, true, "mean of the differences", set_mean_abs},
    {"rmse", NUMBERS, true, "root of the mean squared difference", set_rmse},
    {"psnr", NUMBERS, true, "peak signal-to-noise ratio, in dB", set_psnr},
    {"max_abs_at", ETI_TEXTS, true, "index of the largest difference", set_max_abs_at},
    {"pairs", ETI_COUNTS, true, "elements that are finite on both sides", set_pairs},
    {"ulp_max", NUMBERS, true, "largest difference in units in the last place", set_ulp_max},
    {"identical", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, true, "same type, shape and bytes",
     set_identical},
    {"nan_base", ETI_COUNTS, true, "NaN in the base", set_nan_base},
    {"inf_base", ETI_COUNTS, true, "infinities in the base", set_inf_base},
    {"inf_new", ETI_COUNTS, true, "infinities on the new side", set_inf_new},
    {"instruction", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, true, "instruction of the program",
     set_instruction},
    {"base_instruction", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, true,
     "instruction of the program of the base", set_base_instruction},
    {"debug_handles", LIST_OF_INTS, true, "debug handles of the event in the edge program",
     set_handles},
    {"base_debug_handles", LIST_OF_INTS, true, "debug handles of the base", set_base_handles},
};

static bool is_called(const eti_column_spec *spec, const char *const *names) {
    while (*names && strcmp(spec->name, *names) != 0)
        names++;
    return *names != NULL;
}

/* Makes a table, with the column that distinguishes the inputs, or else with the columns of the worst and the median of
 * several inputs. */
static eti_status make_table(eti_table **out, const numerics_view *view, size_t n,
                             eti_row_source source, eti_error *err) {
    static const char *const of_each[] = {"block", "run", NULL};
    static const char *const of_one[] = {"snr", "max_abs", NULL};
    static const char *const of_all[] = {"inputs", "snr_min", "snr_p50", "max_abs_max", NULL};
    eti_column_spec shown[ETI_N_COLUMNS(columns)];
    memcpy(shown, columns, sizeof columns);
    const bool is_each = view->options->is_each, is_joined = view->n_inputs > 1 && !is_each;
    for (size_t i = 0; i < ETI_N_COLUMNS(columns); i++) {
        if ((is_each && is_called(&shown[i], of_each)) ||
            (is_joined && is_called(&shown[i], of_all)))
            shown[i].is_extra = false;
        else if (is_joined && is_called(&shown[i], of_one))
            shown[i].is_extra = true;
    }
    return eti__columns_make_rows(out, shown, ETI_N_COLUMNS(columns), n, source, NULL, err);
}

static bool make_row(const void *context, size_t number, eti_row *out) {
    const numerics_view *view = context;
    size_t i = eti__failing_row(&view->failing, number);
    const eti_joined_difference *joined = &view->joined.rows[i];
    const eti_difference *of = &joined->worst;
    numerics_row row = {
        .view = view,
        .joined = joined,
        .of = of,
        .base = of->of->base,
        .newer = of->of->newer,
        .one = of->of->newer ? of->of->newer : of->of->base,
        .place = &view->places_of[i],
        .out = out,
    };
    return eti__columns_set(columns, ETI_N_COLUMNS(columns), &row, out);
}

/* ---- places ------------------------------------------------------------------------------------ */

/* Finds the places of the rows: that of the node, or else that of the Event, on the new side if possible. */
static bool find_places(numerics_view *view) {
    view->places_of = calloc(view->joined.n + 1, sizeof *view->places_of);
    bool done = view->places_of && eti__places_init(&view->places);
    for (size_t i = 0; done && i < view->joined.n; i++) {
        const eti_matched_outputs *of = view->joined.rows[i].worst.of;
        const eti_point *points[] = {of->newer, of->base};
        for (size_t k = 0; done && k < 2 && !view->places_of[i].has_frames; k++) {
            if (points[k] && points[k]->node)
                done =
                    eti__places_of_node(&view->places, &points[k]->node->node, &view->places_of[i]);
            else if (points[k] && points[k]->event)
                done = eti__places_of_event(&view->places, points[k]->event, &view->places_of[i]);
        }
    }
    return done;
}

/* ---- the table -------------------------------------------------------------------------------- */

/* Closes and frees the files of references, if `files` is not NULL. */
static void release_files(struct eti_file *files, size_t n) {
    for (size_t i = 0; files && i < n; i++)
        eti__file_release(&files[i]);
    free(files);
}

static void free_inputs(numerics_view *view) {
    size_t n = view->newer.inputs.n > 0 ? view->newer.inputs.n : 1;
    for (size_t i = 0; view->inputs && i < n; i++) {
        eti__points_free(&view->inputs[i].base);
        eti__points_free(&view->inputs[i].newer);
        eti__matches_free(&view->inputs[i].matches);
        eti__differences_free(&view->inputs[i].differences);
    }
    free(view->inputs);
}

void eti__numerics_view_free(numerics_view *view) {
    numerics_side *sides[] = {&view->base, &view->newer};
    eti__joined_differences_free(&view->joined);
    free_inputs(view);
    for (size_t i = 0; i < 2; i++) {
        eti__run_inputs_free(&sides[i]->inputs);
        eti__origins_free(&sides[i]->origins);
        eti__recorded_free(&sides[i]->recorded);
    }
    for (size_t i = 0; i < view->n_references; i++)
        eti__reference_points_free(&view->references[i]);
    free(view->references);
    release_files(view->files, view->n_files);
    eti__places_free(&view->places);
    free(view->places_of);
    eti__failing_free(&view->failing);
    free(view);
}

static void free_view(void *context) {
    eti__numerics_view_free(context);
}

static void leave(void *context) {
    (void)context;
}

static uint64_t count_modules(const numerics_view *view) {
    uint64_t n = 0;
    for (size_t i = 0; i < view->joined.n; i++) {
        if (view->places_of[i].module != ETI_PREFIX_ROOT)
            n += eti__places_module_name(&view->places, view->places_of[i].module).size;
    }
    return n;
}

/* Chooses the rows that fail. */
static eti_status choose_failing(numerics_view *view, eti_time_scale scale, eti_error *err) {
    eti_table *table;
    const eti_failing_rows rows = numerics_failing_rows(view);
    ETI_TRY(make_table(&table, view, view->joined.n, (eti_row_source){make_row, leave, view}, err));
    eti_status status =
        eti__failing_choose(&view->failing, table, view->options, &rows, scale, err);
    eti_table_free(table);
    return status;
}

/* Adds notes about several inputs, and about runs that were not compared. */
static eti_status note_inputs(eti_report *report, const numerics_view *view, eti_error *err) {
    const numerics_runs *runs = &view->runs;
    size_t n = view->newer.inputs.n;
    const char *rows =
        view->n_inputs > 1 && !view->is_each ? "; rows show the worst, and snr_p50 the median" : "";
    if (runs->n > 1 && runs->n_compared < runs->n)
        ETI_TRY(eti__report_note(report, err, "inputs: %zu, compared runs: %zu of %zu%s",
                                 view->n_inputs, runs->n_compared, runs->n, rows));
    else if (view->n_inputs > 1)
        ETI_TRY(eti__report_note(report, err, "inputs: %zu%s", view->n_inputs, rows));
    if (view->n_inputs < n)
        ETI_TRY(eti__report_note(
            report, err,
            "runs that were not compared, because there is nothing to compare them with: %zu",
            n - view->n_inputs));
    if (view->n_base_left > 0)
        return eti__report_note(
            report, err, "runs of the base that were not compared with any selected run: %zu",
            view->n_base_left);
    return ETI_OK;
}

/* Numbers of rows that were compared in only some of their inputs, and of rows that were not compared. */
typedef struct row_counts {
    size_t n_partial;
    size_t n_only_base, n_only_newer, n_others;
} row_counts;

static row_counts count_rows(const numerics_view *view) {
    const eti_joined_differences *joined = &view->joined;
    row_counts counts = {.n_others = joined->n - joined->n_compared};
    for (size_t i = 0; i < joined->n; i++) {
        const eti_joined_difference *row = &joined->rows[i];
        counts.n_partial += row->n_compared > 0 && row->n_compared < row->n_inputs;
        counts.n_only_base += row->n_compared == 0 && row->worst.status == ETI_DIFFERENCE_ONLY_BASE;
        counts.n_only_newer += row->n_compared == 0 && row->worst.status == ETI_DIFFERENCE_ONLY_NEW;
    }
    counts.n_others -= counts.n_only_base + counts.n_only_newer;
    return counts;
}

eti_status eti__numerics_note_compared(eti_report *report, const numerics_view *view,
                                       eti_error *err) {
    static const char *const matched[] = {
        [ETI_MATCH_BY_SOURCE] = "the node of the exported program",
        [ETI_MATCH_BY_HANDLE] = "their debug handle",
        [ETI_MATCH_BY_INSTRUCTION] = "their instruction",
        [ETI_MATCH_BY_NAME] = "their name",
    };
    const row_counts counts = count_rows(view);
    char partial[64] = "";
    if (counts.n_partial > 0)
        snprintf(partial, sizeof partial, " (%zu of them for only some of the inputs)",
                 counts.n_partial);
    ETI_TRY(note_inputs(report, view, err));
    return eti__report_note(report, err,
                            "compared outputs: %zu%s, matched by %s; only in the base: %zu, only "
                            "on the new side: %zu, not comparable: %zu",
                            view->joined.n_compared, partial, matched[view->by], counts.n_only_base,
                            counts.n_only_newer, counts.n_others);
}

static eti_status add_notes(eti_report *report, const numerics_view *view, eti_error *err) {
    ETI_TRY(eti__numerics_note_compared(report, view, err));
    if (view->options->n_fail_on > 0)
        return eti__report_note(report, err, "failing outputs: %zu of %zu", view->failing.n,
                                view->joined.n);
    return ETI_OK;
}

/* Checks that the expressions judged each run; outputs that fail are an answer in any case. */
static eti_status check_judged(const numerics_view *view, eti_error *err) {
    const numerics_runs *runs = &view->runs;
    const eti_failing_rows rows = numerics_failing_rows(view);
    if (view->failing.n > 0)
        return ETI_OK;
    if (view->joined.n_compared > 0 && !runs->first)
        return eti__failing_check(&view->failing, view->options, &rows, err);
    if (view->joined.n_compared > 0)
        return eti_fail(err, ETI_ERROR_TOO_FEW,
                        "runs that %sfail_on could not judge, because none of their outputs could "
                        "be compared: %zu of %zu, the first is run %zu of %.*s: choose runs with "
                        "%sblock or %srun, or list the reasons with %sper_input instead",
                        eti__option_prefix(), runs->n - runs->n_compared, runs->n, runs->first->run,
                        ETI_TEXT_ARGS(runs->first->block->label), eti__option_prefix(),
                        eti__option_prefix(), eti__option_prefix());
    const row_counts counts = count_rows(view);
    return eti_fail(err, ETI_ERROR_TOO_FEW,
                    "no output could be compared, so %sfail_on has nothing to judge (only in the "
                    "base: %zu, only on the new side: %zu, not comparable: %zu): leave it out to "
                    "see the status of each output",
                    eti__option_prefix(), counts.n_only_base, counts.n_only_newer, counts.n_others);
}

static eti_status make_view(numerics_view *view, eti_time_scale scale, eti_error *err) {
    ETI_TRY(eti__numerics_compare(view, err));
    if (!find_places(view))
        return eti_fail_memory(err);
    ETI_TRY(eti__view_check_text(view->newer.inspector, count_modules(view), err));
    if (view->options->n_fail_on == 0)
        return ETI_OK;
    ETI_TRY(choose_failing(view, scale, err));
    return check_judged(view, err);
}

static eti_status add_table(eti_report *report, numerics_view *view, eti_error *err) {
    eti_table *table;
    size_t n = view->failing.is_asked ? view->failing.n : view->joined.n;
    uint64_t most_drawn = eti__view_most_drawn(view->newer.inspector);
    size_t n_failing = view->failing.n;
    ETI_TRY(make_table(&table, view, n, (eti_row_source){make_row, free_view, view}, err));
    table->most_drawn = most_drawn;
    ETI_TRY(eti__report_add(report, "numerics", NULL, table, err));
    report->sections[report->n_sections - 1].hides_empty = true;
    report->is_failed = n_failing > 0;
    if (view->options->n_fail_on > 0)
        ETI_TRY(add_numerics_findings(report, view, err));
    return add_notes(report, view, err);
}

eti_status eti__numerics_view_make(numerics_view **out, const eti_inspector *base,
                                   const eti_inspector *newer, const eti_numerics_options *options,
                                   struct eti_file **files, eti_error *err) {
    numerics_view *view = calloc(1, sizeof *view);
    *out = NULL;
    if (!view)
        return eti_fail_memory(err);
    view->files = *files;
    view->n_files = options->n_references;
    *files = NULL;
    view->options = options;
    view->is_each = options->is_each;
    view->base.inspector = base;
    view->newer.inspector = newer;
    eti_status status = make_view(view, newer->options.target_time_scale, err);
    if (status == ETI_OK)
        *out = view;
    else
        eti__numerics_view_free(view);
    return status;
}

static eti_status add_all(eti_report *report, const eti_inspector *base, const eti_inspector *newer,
                          const eti_numerics_options *options, struct eti_file **files,
                          eti_error *err) {
    numerics_view *view;
    ETI_TRY(eti__numerics_view_make(&view, base, newer, options, files, err));
    return options->metric ? eti__numeric_gap_add(report, view, err) : add_table(report, view, err);
}

/* ---- references ------------------------------------------------------------------------------- */

/* Checks the options that do not depend on the reference. */
static eti_status check_options(const eti_inspector *base, const eti_inspector *newer,
                                const eti_numerics_options *options, eti_error *err) {
    if (newer->n_dumps == 0 || (base && base->n_dumps == 0))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the %s has no ETDump and thus no recorded tensors: open it with one",
                        newer->n_dumps == 0 ? "new side" : "base");
    if (!base && options->n_references == 0)
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "there is nothing to compare with: give a second ETDump before it, or %sreference",
            eti__option_prefix());
    if (base && options->n_references > 0)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sreference: the base is already an ETDump: give one of them",
                        eti__option_prefix());
    if (options->metric && (options->n_fail_on > 0 || options->is_each))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%smetric prints a table to which %s%s does not apply: give one of them",
                        eti__option_prefix(), eti__option_prefix(),
                        options->is_each ? "per_input" : "fail_on");
    if (options->metric && options->n_references > 1)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%smetric: the Inspector compares with one reference, but %zu were given",
                        eti__option_prefix(), options->n_references);
    return ETI_OK;
}

/* Checks the kinds of the files; that of a folder is unknown. */
static eti_status check_files(const struct eti_file *files, const eti_numerics_options *options,
                              bool *is_bundle, eti_error *err) {
    size_t n_bundles = 0;
    for (size_t i = 0; i < options->n_references; i++) {
        if (files[i].kind == ETI_FILE_ETDUMP || files[i].kind == ETI_FILE_RUNNER_LOG)
            return eti_fail(err, ETI_ERROR_USAGE,
                            "%sreference: %s is an ETDump: open it with its debug buffer and "
                            "compare with it as the base",
                            eti__option_prefix(), files[i].name);
        n_bundles += files[i].kind == ETI_FILE_BUNDLED_PROGRAM;
    }
    *is_bundle = n_bundles > 0;
    if (n_bundles > 0 && options->n_references > 1)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sreference: a bundled program contains the outputs of all its test "
                        "cases: give it alone",
                        eti__option_prefix());
    if (*is_bundle && options->is_each)
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "%sper_input: with a bundled program each run has its own rows anyway: leave it out",
            eti__option_prefix());
    if (!*is_bundle && (options->verify || options->test_case != ETI_NO_TEST_CASE_ASKED))
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "%s%s: there is no bundled program to compare with: give one as %sreference",
            eti__option_prefix(), options->verify ? "verify" : "testset", eti__option_prefix());
    return ETI_OK;
}

/* Makes the report; the parts that need the files of the references take them over. */
static eti_status make_report(eti_report **out, const eti_inspector *base,
                              const eti_inspector *newer, const eti_numerics_options *options,
                              struct eti_file **files, eti_error *err) {
    eti_report *report;
    bool is_bundle;
    ETI_TRY(check_files(*files, options, &is_bundle, err));
    ETI_TRY(eti__report_new(&report, "numerics", newer->options.target_time_scale, err));
    eti_status status = ETI_OK;
    if (base)
        status = eti__view_add_inputs(report, base, err);
    if (status == ETI_OK)
        status = eti__view_add_inputs(report, newer, err);
    if (status == ETI_OK)
        status = is_bundle ? eti__expected_add(report, newer, options, &(*files)[0], err)
                           : add_all(report, base, newer, options, files, err);
    if (status == ETI_OK)
        *out = report;
    else
        eti_report_free(report);
    return status;
}

eti_status eti__numerics_report(eti_report **out, const eti_inspector *base,
                                const eti_inspector *newer, const eti_numerics_options *options,
                                eti_error *err) {
    size_t n = options->n_references;
    *out = NULL;
    ETI_TRY(check_options(base, newer, options, err));
    struct eti_file *files = calloc(n + 1, sizeof *files);
    if (!files)
        return eti_fail_memory(err);
    eti_status status = ETI_OK;
    for (size_t i = 0; status == ETI_OK && i < n; i++) {
        if (!eti__source_is_folder(&options->references[i]))
            status = eti__input_open_unchanged(&files[i], &options->references[i], err);
    }
    if (status == ETI_OK)
        status = make_report(out, base, newer, options, &files, err);
    release_files(files, n);
    return status;
}
