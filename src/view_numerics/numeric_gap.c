#include "view_numerics/numeric_gap.h"

#include "base/python.h"
#include "base/sort.h"
#include "table/table.h"
#include "view_numerics/numerics.h"

#include <stdlib.h>
#include <string.h>

/* ==== numeric gap ============================================================================= */

/* Largest number of elements to which shapes are broadcast. */
#define MOST_BROADCAST ((uint64_t)1 << 26)

/* A node by its name, or by its debug handle. */
typedef struct named_node {
    eti_text name;
    eti_text stack_trace;
} named_node;

typedef struct handled_point {
    int64_t handle;
    size_t number; /* of the base's point */
} handled_point;

static const eti_intern_kind name_kind = ETI_INTERN_BY_TEXT(named_node);
static const eti_intern_kind handle_kind = {sizeof(handled_point), sizeof(int64_t), NULL, NULL};

/* A row, with the numbers of the base's points, whose names are aot_ops. */
typedef struct gap_row {
    const eti_difference *of;
    size_t first; /* of the base's points */
    size_t *nodes, n_nodes;
    double gap; /* NaN: the metric is NaN, or unknown */
    bool has_gap;
} gap_row;

typedef struct gap_table {
    numerics_view *view;
    eti_arena arena;
    gap_row *rows;
    size_t n;
    ETI_INTERN_OF(handled_point) by_handle;
    ETI_INTERN_OF(named_node) nodes; /* of the edge program and of the exported program */
    eti_lowered_graph exported;
    char metric;
} gap_table;

typedef struct shown_gap {
    const gap_table *table;
    const gap_row *of;
    const eti_point *base, *newer;
    eti_row *out;
} shown_gap;

static const eti_points *base_points(const gap_table *gap) {
    return &gap->view->inputs[0].base;
}

/* ---- gaps ------------------------------------------------------------------------------------- */

/* Makes views of both tensors with the shape to which torch broadcasts them. False: torch does not, or the shape is too
 * large. */
static bool broadcast(const eti_tensor_values *values, const eti_tensor_values *other,
                      int64_t *sizes, int64_t *strides, eti_tensor_values *out) {
    uint32_t n = values->n_dims > other->n_dims ? values->n_dims : other->n_dims;
    *out = *values;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t own = i + values->n_dims - n, of_other = i + other->n_dims - n;
        int64_t size = i + values->n_dims >= n ? values->sizes[own] : 1;
        int64_t wanted = i + other->n_dims >= n ? other->sizes[of_other] : 1;
        if (size != wanted && size != 1 && wanted != 1)
            return false;
        sizes[i] = size == 1 ? wanted : size;
        strides[i] = size == 1 ? 0 : values->strides[own];
    }
    out->n_dims = n;
    out->sizes = sizes;
    out->strides = strides;
    return !eti__tensor_values_count(out) && out->n_elements <= MOST_BROADCAST;
}

static double metric_of(const gap_table *gap, const eti_metrics *metrics) {
    return gap->metric == 'm'   ? metrics->gap_mse
           : gap->metric == 'l' ? metrics->gap_l1
                                : metrics->gap_snr;
}

static eti_status find_gap(const gap_table *gap, gap_row *row, eti_error *err) {
    const eti_matched_outputs *of = row->of->of;
    const eti_tensor_values *a = &of->base_tensor->values, *b = &of->newer_tensor->values;
    bool is_same_shape =
        a->n_dims == b->n_dims &&
        (a->n_dims == 0 || memcmp(a->sizes, b->sizes, a->n_dims * sizeof *a->sizes) == 0);
    row->has_gap = eti__difference_is_compared(row->of);
    row->gap = metric_of(gap, &row->of->metrics);
    if (is_same_shape || of->base_tensor->fault || of->newer_tensor->fault)
        return ETI_OK;
    int64_t sizes[2][ETI_TENSOR_MOST_DIMS], strides[2][ETI_TENSOR_MOST_DIMS];
    eti_tensor_values base, newer;
    eti_metrics metrics;
    if (a->n_dims > ETI_TENSOR_MOST_DIMS || b->n_dims > ETI_TENSOR_MOST_DIMS)
        return ETI_OK;
    const eti_element_loader loader = eti__numerics_loader(&gap->view->inputs[0]);
    eti_arena arena = {NULL};
    eti_tensor_values loaded;
    eti_status status = eti__elements_load(&loader, of->base_tensor, &arena, &loaded, err);
    if (status == ETI_OK && broadcast(&loaded, b, sizes[0], strides[0], &base) &&
        broadcast(b, &loaded, sizes[1], strides[1], &newer) &&
        eti__metrics_compare(&base, &newer, &gap->view->options->tolerances, 1, &metrics) ==
            ETI_OK) {
        row->has_gap = true;
        row->gap = metric_of(gap, &metrics);
    }
    eti__arena_free(&arena);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------- */

static bool list_handles(gap_table *gap) {
    const eti_points *points = base_points(gap);
    bool done = true;
    for (size_t i = 0; done && i < points->n; i++) {
        const handled_point item = {points->points[i].handle, i};
        uint32_t number;
        if (points->points[i].has_handle)
            done = eti__intern_add(&gap->by_handle.table, &handle_kind, &item, &number);
    }
    return done;
}

static int compare_numbers(const void *a, const void *b, void *unused) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    (void)unused;
    return (x > y) - (x < y);
}

/* Lists the base's points that have one of the row's handles. `before` is the previous row, which may be of the same
 * Event. */
static bool list_nodes(gap_table *gap, gap_row *row, const gap_row *before) {
    const eti_point *newer = row->of->of->newer;
    if (before && gap->view->by == ETI_MATCH_BY_HANDLE &&
        before->of->of->newer->handles == newer->handles) {
        row->nodes = before->nodes;
        row->n_nodes = before->n_nodes;
        row->first = before->first;
        return true;
    }
    bool by_handle = gap->view->by == ETI_MATCH_BY_HANDLE;
    size_t n = 0;
    row->nodes = eti__arena_alloc(&gap->arena, newer->n_handles + 1, sizeof *row->nodes);
    if (!row->nodes)
        return false;
    for (size_t i = 0; by_handle && i < newer->n_handles; i++) {
        uint32_t number;
        if (eti__intern_find(&gap->by_handle.table, &handle_kind, &newer->handles[i], &number))
            row->nodes[n++] = gap->by_handle.items[number].number;
    }
    if (n == 0)
        row->nodes[n++] = (size_t)(row->of->of->base - base_points(gap)->points);
    eti__sort(row->nodes, n, sizeof *row->nodes, compare_numbers, NULL);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || row->nodes[i] != row->nodes[row->n_nodes - 1])
            row->nodes[row->n_nodes++] = row->nodes[i];
    }
    row->first = row->nodes[0];
    return true;
}

/* Compares rows; the Inspector lists the last output of an Event first. */
static int compare_rows(const void *a, const void *b, void *unused) {
    const gap_row *x = a, *y = b;
    (void)unused;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->of->of->output < y->of->of->output) - (x->of->of->output > y->of->of->output);
}

static eti_status make_rows(gap_table *gap, eti_error *err) {
    const eti_differences *differences = &gap->view->inputs[0].differences;
    gap->rows = calloc(differences->n + 1, sizeof *gap->rows);
    if (!gap->rows || !list_handles(gap))
        return eti_fail_memory(err);
    for (size_t i = 0; i < differences->n; i++) {
        const eti_matched_outputs *of = differences->rows[i].of;
        gap_row *row = &gap->rows[gap->n];
        if (!of->base || !of->newer || !of->newer->event || of->newer->is_remainder ||
            of->base->n > 1)
            continue;
        row->of = &differences->rows[i];
        if (!list_nodes(gap, row, gap->n > 0 ? row - 1 : NULL))
            return eti_fail_memory(err);
        ETI_TRY(find_gap(gap, row, err));
        gap->n++;
    }
    eti__sort(gap->rows, gap->n, sizeof *gap->rows, compare_rows, NULL);
    return ETI_OK;
}

/* ---- stack traces ----------------------------------------------------------------------------- */

static bool add_nodes(gap_table *gap, const eti_graph *graph) {
    bool done = true;
    for (size_t i = 0; done && i < graph->n_nodes; i++) {
        const eti_op_node *node = &graph->nodes[i].node;
        named_node item = {node->name, node->stack_trace};
        uint32_t number;
        if (item.name.size > 0 && item.name.data[item.name.size - 1] == '_')
            item.name.size--; /* removes the Inspector's final "_" */
        done = eti__intern_add(&gap->nodes.table, &name_kind, &item, &number);
    }
    return done;
}

/* Lists the stack traces. A record need not have the exported program. */
static eti_status list_traces(gap_table *gap, eti_error *err) {
    const eti_inspector *inspector = gap->view->newer.inspector;
    if (!inspector->record)
        return ETI_OK;
    if (!add_nodes(gap, &inspector->graph))
        return eti_fail_memory(err);
    eti_error unused = ETI_ERROR_INIT;
    eti_status status = eti__lowered_graph_read(
        &gap->exported, inspector, &gap->view->options->view, "exported_program", &unused);
    if (status == ETI_ERROR_MEMORY || (status == ETI_OK && !add_nodes(gap, &gap->exported.graph)))
        return eti_fail_memory(err);
    return ETI_OK;
}

/* ---- cells ------------------------------------------------------------------------------------ */

/* Steps through the names of the operators of a row. */
typedef struct op_names {
    const shown_gap *row;
    size_t node, at;
} op_names;

static bool next_op(op_names *names, eti_text *out) {
    const gap_row *row = names->row->of;
    while (names->node < row->n_nodes) {
        eti_text all = base_points(names->row->table)->points[row->nodes[names->node]].name;
        size_t end = names->at;
        while (end < all.size && all.data[end] != ',')
            end++;
        *out = (eti_text){all.data + names->at, end - names->at};
        bool is_last = end >= all.size;
        names->at = is_last ? 0 : end + 1;
        names->node += is_last;
        if (out->size > 0)
            return true;
    }
    return false;
}

#define SETTER(name, value) ETI_CELL_SETTER(shown_gap, name, value)
#define SETTER_IF(name, condition, value) ETI_CELL_SETTER_IF(shown_gap, name, condition, value)

SETTER(handles, eti__list_cell(ETI_CELL_INTS, row->newer->handles, row->newer->n_handles))
SETTER(runtime_ops, row->newer->n_names > 0
                        ? eti__list_cell(ETI_CELL_TEXTS, row->newer->names, row->newer->n_names)
                        : eti__list_cell(ETI_CELL_TEXTS, &row->newer->name, 1))
SETTER_IF(aot_output, row->base->has_handle, eti__int_cell(row->base->handle))
SETTER(block, eti__count_cell((uint64_t)(row->of->of->of->newer_tensor->block -
                                         row->table->view->newer.inspector->blocks.blocks)))
SETTER(event, eti__count_cell((uint64_t)(row->newer->event - row->newer->event->block->events)))
SETTER(output, eti__count_cell(row->of->of->of->newer_tensor->index))
SETTER_IF(gap, row->of->has_gap, eti__list_cell(ETI_CELL_DOUBLES, &row->of->gap, 1))
SETTER(status, eti__string_cell(eti__difference_status_name(row->of->of->status)))

static bool set_aot_ops(void *context, eti_cell *cell) {
    const shown_gap *row = context;
    op_names names = {row, 0, 0};
    eti_text op;
    size_t n = 0;
    while (next_op(&names, &op))
        n++;
    eti_text *ops = eti__arena_alloc(&row->out->texts, n, sizeof *ops);
    if (!ops)
        return false;
    names = (op_names){row, 0, 0};
    for (n = 0; next_op(&names, &op);)
        ops[n++] = op;
    eti__cell_put(cell, eti__list_cell(ETI_CELL_TEXTS, ops, n));
    return true;
}

/* Sets the stack traces as a Python dict, like the Inspector. */
static bool set_traces(void *context, eti_cell *cell) {
    const shown_gap *row = context;
    op_names names = {row, 0, 0};
    eti_buffer *text = &row->out->scratch;
    eti_text op;
    eti__buffer_add_char(text, '{');
    for (bool is_first = true; next_op(&names, &op); is_first = false) {
        uint32_t number;
        eti_text trace = {NULL, 0};
        if (eti__intern_find(&row->table->nodes.table, &name_kind, &op, &number))
            trace = row->table->nodes.items[number].stack_trace;
        eti__buffer_add_string(text, is_first ? "" : ", ");
        eti__python_add_str(text, op);
        eti__buffer_add_string(text, ": ");
        if (trace.data)
            eti__python_add_str(text, trace);
        else
            eti__buffer_add_string(text, "None");
    }
    eti__buffer_add_char(text, '}');
    return eti__row_take_cell(row->out, ETI_CELL_TEXT, cell);
}

#define LIST_OF_INTS ETI_TYPE_LIST_INT64, ETI_COLUMN_LIST
#define LIST_OF_TEXTS ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST

static const eti_column_spec columns[] = {
    {"aot_debug_handle", LIST_OF_INTS, false, "debug handles of the event, as in the Inspector",
     set_handles},
    {"aot_ops", LIST_OF_TEXTS, false, "nodes of the base with these handles", set_aot_ops},
    {"runtime_ops", LIST_OF_TEXTS, false, "events with these handles", set_runtime_ops},
    {"runtime_debug_handle", LIST_OF_INTS, false, "debug handles of the event", set_handles},
    {"gap", ETI_TYPE_LIST_FLOAT64, ETI_COLUMN_LIST, false, "value of the metric", set_gap},
    {"status", ETI_TEXTS, false, "reason why there is no gap, or none in the Inspector",
     set_status},
    {"stacktraces", ETI_TEXTS, true, "stack traces of the nodes", set_traces},
    {"aot_output", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
     "debug handle of the tensor of the base", set_aot_output},
    {"block", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "number of the EventBlock", set_block},
    {"event", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "number of the event in its EventBlock",
     set_event},
    {"output", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
     "number of the tensor among those that the event recorded", set_output},
};

static bool make_row(const void *context, size_t number, eti_row *out) {
    const gap_table *gap = context;
    const gap_row *of = &gap->rows[number];
    shown_gap row = {gap, of, of->of->of->base, of->of->of->newer, out};
    return eti__columns_set(columns, ETI_N_COLUMNS(columns), &row, out);
}

static void free_table(void *context) {
    gap_table *gap = context;
    eti__numerics_view_free(gap->view);
    eti__lowered_graph_free(&gap->exported);
    eti__intern_free(&gap->by_handle.table);
    eti__intern_free(&gap->nodes.table);
    eti__arena_free(&gap->arena);
    free(gap->rows);
    free(gap);
}

eti_status eti__numeric_gap_add(eti_report *report, numerics_view *view, eti_error *err) {
    gap_table *gap = calloc(1, sizeof *gap);
    eti_table *table;
    if (!gap) {
        eti__numerics_view_free(view);
        return eti_fail_memory(err);
    }
    gap->view = view;
    gap->metric = *view->options->metric;
    eti_status status = make_rows(gap, err);
    if (status == ETI_OK)
        status = list_traces(gap, err);
    if (status != ETI_OK) {
        free_table(gap);
        return status;
    }
    ETI_TRY(eti__columns_make_rows(&table, columns, ETI_N_COLUMNS(columns), gap->n,
                                   (eti_row_source){make_row, free_table, gap}, NULL, err));
    ETI_TRY(eti__report_add(report, "numeric_gap", NULL, table, err));
    report->sections[report->n_sections - 1].hides_empty = true;
    return ETI_OK;
}

/* ==== gaps ==================================================================================== */

/* ---- one output ------------------------------------------------------------------------------- */

static eti_gap gap_of(const eti_difference *row) {
    return (eti_gap){.is_known = true,
                     .snr = row->metrics.snr,
                     .snr_drop = row->has_snr_in ? row->snr_drop : (double)NAN,
                     .max_abs = row->metrics.max_abs,
                     .nan_new = row->metrics.nan_new};
}

/* Returns the inspector's node for a point's node, which is in the graph that was read for the comparison. It lives as long
 * as that graph. */
static const eti_graph_node *known_node(const eti_origins *origins, const eti_point *point) {
    const eti_origin_graph *g =
        point->event ? eti__origins_graph(origins, point->event->block) : NULL;
    if (!g || !point->node || !g->graph.matched)
        return NULL;
    size_t number = (size_t)(point->node - g->graph.graph.nodes);
    return number < g->graph.n_matched ? &g->graph.matched[number] : NULL;
}

static void set_place(const eti_places *places, const eti_place *place, eti_gap_of *out) {
    if (place->module != ETI_PREFIX_ROOT)
        out->module = eti__places_module_name(places, place->module);
    if (place->has_frames && place->frame != ETI_PREFIX_ROOT) {
        const eti_stack_frame *frame = &eti__places_frame(places, place->frame)->frame;
        out->file = frame->file;
        out->line = frame->line;
    }
}

static void take_rows(eti_gaps *out) {
    const eti_joined_differences *joined = &out->view->joined;
    for (size_t i = 0; i < joined->n; i++) {
        const eti_difference *row = &joined->rows[i].worst;
        const eti_point *newer = row->of->newer;
        if (joined->rows[i].n_compared == 0)
            continue;
        eti_gap_of *of = &out->of[out->n++];
        *of = (eti_gap_of){
            .gap = gap_of(row),
            .block = row->of->newer_tensor->block,
            .event = newer->event,
            .node = known_node(&out->view->newer.origins, newer),
            .base_event = row->of->base->event,
            .source_node = newer->source_node,
        };
        set_place(&out->view->places, &out->view->places_of[i], of);
    }
}

/* Finds the place of an output: that of its node, or else of its Event. Returns false if memory runs out. */
static bool find_place(const eti_gap_of *of, eti_places *places, eti_place *out) {
    *out = (eti_place){0};
    if (of->node)
        return eti__places_of_node(places, &of->node->node, out);
    return !of->event || eti__places_of_event(places, of->event, out);
}

eti_gap *eti__gaps_of_groups(const eti_gaps *gaps, eti_places *places,
                             const eti_view_options *options, const eti_gap_grouping *grouping) {
    uint32_t *groups = calloc(gaps->n + 1, sizeof *groups);
    eti_gap *out = NULL;
    bool done = groups != NULL;
    for (size_t i = 0; done && i < gaps->n; i++) {
        eti_place place;
        done = find_place(&gaps->of[i], places, &place);
        groups[i] = grouping->group_of(grouping->context, &place);
    }
    if (done)
        out = calloc(grouping->count(grouping->context) + 1, sizeof *out);
    for (size_t i = 0; out && i < gaps->n; i++) {
        const eti_gap_of *of = &gaps->of[i];
        bool is_shown = of->event && eti__block_is_chosen(options, of->block);
        if (is_shown)
            eti__gap_join(&out[groups[i]], &of->gap);
    }
    free(groups);
    return out;
}

/* ---- all -------------------------------------------------------------------------------------- */

/* Makes options of the view "numerics" from those of this view and the defaults. */
static eti_numerics_options options_of(const eti_view_options *options) {
    eti_numerics_options all = ETI_NUMERICS_OPTIONS_DEFAULT;
    all.view = *options;
    all.references = options->reference;
    all.n_references = options->reference != NULL;
    all.match = options->match;
    return all;
}

static eti_status compare(eti_gaps *out, const eti_inspector *base, const eti_inspector *newer,
                          const eti_numerics_options *options, struct eti_file **files,
                          eti_error *err) {
    out->is_asked = true;
    ETI_TRY(eti__numerics_view_make(&out->view, base, newer, options, files, err));
    out->view->options = NULL;
    out->of = calloc(out->view->joined.n + 1, sizeof *out->of);
    if (!out->of)
        return eti_fail_memory(err);
    take_rows(out);
    return ETI_OK;
}

static void release(struct eti_file *file) {
    if (file)
        eti__file_release(file);
    free(file);
}

static eti_status check_kind(const struct eti_file *file, eti_error *err) {
    if (file->kind == ETI_FILE_BUNDLED_PROGRAM)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sreference: %s is a bundled program, which has outputs of runs but no "
                        "results of operators: use etinspect numerics to compare with it",
                        eti__option_prefix(), file->name);
    if (file->kind == ETI_FILE_ETDUMP || file->kind == ETI_FILE_RUNNER_LOG)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%sreference: %s is an ETDump, but only tensors can be a reference here: "
                        "use etinspect numerics or etinspect diff to compare with it",
                        eti__option_prefix(), file->name);
    return ETI_OK;
}

eti_status eti__gaps_find(eti_gaps *out, const eti_inspector *inspector,
                          const eti_view_options *options, eti_error *err) {
    const eti_numerics_options all = options_of(options);
    *out = (eti_gaps){.n = 0};
    if (!options->reference)
        return ETI_OK;
    struct eti_file *file =
        calloc(1, sizeof *file); /* allocated, because the comparison may keep it */
    if (!file)
        return eti_fail_memory(err);
    eti_status status = ETI_OK;
    if (!eti__source_is_folder(options->reference))
        status = eti__input_open_unchanged(file, options->reference, err);
    if (status == ETI_OK)
        status = check_kind(file, err);
    if (status == ETI_OK)
        status = compare(out, NULL, inspector, &all, &file, err);
    release(file);
    return status;
}

/* Compares with a base; ignores options->reference, which is for other views. */
eti_status eti__gaps_between(eti_gaps *out, const eti_inspector *base, const eti_inspector *newer,
                             const eti_view_options *options, eti_error *err) {
    eti_numerics_options all = options_of(options);
    struct eti_file *none = NULL;
    all.n_references = 0;
    *out = (eti_gaps){.n = 0};
    return compare(out, base, newer, &all, &none, err);
}

eti_status eti__gaps_note(const eti_gaps *gaps, eti_report *report, eti_error *err) {
    return gaps->is_asked ? eti__numerics_note_compared(report, gaps->view, err) : ETI_OK;
}

void eti__gaps_free(eti_gaps *gaps) {
    if (gaps->view)
        eti__numerics_view_free(gaps->view);
    free(gaps->of);
    *gaps = (eti_gaps){.n = 0};
}
