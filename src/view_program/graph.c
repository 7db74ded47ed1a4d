#include "view_program/view_program.h"

#include "base/names.h"
#include "places/places.h"
#include "rollup/rollup.h"
#include "table/table.h"
#include "view_events/view_events.h"
#include "view_numerics/view_numerics.h"

#include <stdlib.h>

/* ==== graph inputs ============================================================================ */
/* Folds the inputs at the beginning of a graph's nodes into one line. */

#define MOST_INPUTS 3 /* inputs named in the line for all of them */

/* Replaces the inputs at the beginning of the graph by one line in formats for people, in the last section of the report:
 * "14 inputs: p_attention_norm_weight, p_attention_norm_bias ... x". ETI_ERROR_MEMORY. */
static eti_status add_folded_inputs(const eti_timed_graph *graph, eti_report *report,
                                    eti_error *err) {
    eti_section *section = &report->sections[report->n_sections - 1];
    eti_buffer text = {0};
    size_t n = 0;
    while (n < graph->n_nodes && graph->nodes[n].is_input)
        n++;
    if (n < 2)
        return ETI_OK;
    eti__buffer_printf(&text, "%zu inputs: ", n);
    for (size_t i = 0; i < n; i++) {
        bool is_left_out = n > MOST_INPUTS && i + 1 >= MOST_INPUTS && i + 1 < n;
        if (is_left_out)
            continue;
        bool is_gap = n > MOST_INPUTS && i + 1 == n;
        eti__buffer_add_string(&text, i == 0 ? "" : is_gap ? " ... " : ", ");
        eti__buffer_add_text(&text, graph->nodes[i].name);
    }
    bool done = !text.failed &&
                eti__arena_own_text(&report->arena, eti__buffer_text(&text), &section->folded);
    eti__buffer_free(&text);
    section->n_folded = n;
    return done ? ETI_OK : eti_fail_memory(err);
}

/* ==== program graph =========================================================================== */
/* Lists the instructions of a method with their values: the view "graph" without an ETDump. */

/* The graph, and the index of its first instruction. */
typedef struct program_graph {
    eti_timed_graph graph;
    size_t n_inputs;
} program_graph;

typedef struct node_row {
    const eti_timed_node *node;
    size_t number;
    bool is_instruction;
} node_row;

ETI_CELL_SETTER(node_row, program_node, eti__text_or_none(row->node->name))
ETI_CELL_SETTER(node_row, program_op, eti__text_or_none(row->node->op))
ETI_CELL_SETTER(node_row, program_backend, eti__text_or_none(row->node->backend))
ETI_CELL_SETTER(node_row, program_dtype, eti__string_cell(row->node->dtype))
ETI_CELL_SETTER(node_row, program_shape, eti__text_or_none(row->node->shape))
ETI_CELL_SETTER_IF(node_row, instruction, row->is_instruction, eti__count_cell(row->number))
ETI_CELL_SETTER_IF(node_row, program_inputs, row->is_instruction,
                   eti__list_cell(ETI_CELL_TEXTS, row->node->inputs, row->node->n_inputs))

static const eti_column_spec program_columns[] = {
    {"node", ETI_TEXTS, false, "number of the instruction, or name of an input", set_program_node},
    {"op", ETI_TEXTS, false, "operator or delegate that the instruction calls", set_program_op},
    {"dtype", ETI_TEXTS, false, "data type of its first result", set_program_dtype},
    {"shape", ETI_TEXTS, false, "shape of its first result", set_program_shape},
    {"inputs", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false,
     "instructions and inputs that provide the values it reads", set_program_inputs},
    {"backend", ETI_TEXTS, true, "backend of a delegate call", set_program_backend},
    {"instruction", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "number of the instruction",
     set_instruction},
};

static bool make_program_row(const void *context, size_t number, eti_row *out) {
    const program_graph *of = context;
    bool is_instruction = number >= of->n_inputs;
    node_row row = {&of->graph.nodes[number], is_instruction ? number - of->n_inputs : 0,
                    is_instruction};
    return eti__columns_set(program_columns, ETI_N_COLUMNS(program_columns), &row, out);
}

static void free_graph(void *context) {
    program_graph *of = context;
    eti__timed_graph_free(&of->graph);
    free(of);
}

static eti_status check_text(const eti_inspector *inspector, const eti_timed_graph *graph,
                             eti_error *err) {
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < graph->n_nodes; i++) {
        n_bytes += graph->nodes[i].op.size;
        for (size_t k = 0; k < graph->nodes[i].n_inputs; k++)
            n_bytes += graph->nodes[i].inputs[k].size;
    }
    return eti__view_check_text(inspector, n_bytes, err);
}

/* Adds the graph of the program's method: see rollup/graph.h. */
static eti_status add_program_graph(eti_report *report, const eti_inspector *inspector,
                                    const eti_view_options *options, eti_error *err) {
    program_graph *of = calloc(1, sizeof *of);
    if (!of)
        return eti_fail_memory(err);
    eti_status status = eti__program_graph_make(&of->graph, &of->n_inputs, inspector, err);
    if (status == ETI_OK)
        status = check_text(inspector, &of->graph, err);
    if (status != ETI_OK) {
        free_graph(of);
        return status;
    }
    eti_table *table;
    const eti_row_source source = {make_program_row, free_graph, of};
    of->graph.shows_weights = options->lists_all;
    ETI_TRY(eti__columns_make_rows(&table, program_columns, ETI_N_COLUMNS(program_columns),
                                   of->graph.n_nodes, source, NULL, err));
    table->most_drawn = eti__view_most_drawn(inspector);
    ETI_TRY(eti__report_add(report, "nodes", NULL, table, err));
    report->sections[report->n_sections - 1].hides_empty = true;
    report->graph = &of->graph;
    if (!options->lists_all)
        ETI_TRY(add_folded_inputs(&of->graph, report, err));
    return eti__report_note(report, err, "method %.*s of %s", ETI_TEXT_ARGS(of->graph.name),
                            inspector->programs[0].file->name);
}

/* ==== graph nodes ============================================================================= */

typedef struct graph_row {
    const eti_timed_node *node;
    const eti_timed_graph *graph;
    eti_row *row;
} graph_row;

/* ---- cells ----------------------------------------------------------------------------------- */

ETI_CELL_SETTER(graph_row, node, eti__text_or_none(row->node->name))
ETI_CELL_SETTER(graph_row, op, eti__text_or_none(row->node->op))
ETI_CELL_SETTER(graph_row, total, eti__number_or_none(row->node->total))
ETI_CELL_SETTER(graph_row, typical, eti__number_or_none(row->node->typical))
ETI_CELL_SETTER(graph_row, p50, eti__number_or_none(row->node->p50))
ETI_CELL_SETTER(graph_row, share, eti__number_or_none(row->node->share))
ETI_CELL_SETTER(graph_row, share_mean, eti__number_or_none(row->node->share_mean))
ETI_CELL_SETTER_IF(graph_row, unsteady, row->node->share == row->node->share,
                   eti__bool_cell(row->node->is_unsteady))
ETI_CELL_SETTER(graph_row, module, eti__text_or_none(row->node->module))
ETI_CELL_SETTER_IF(graph_row, handle, row->node->has_debug_handle,
                   eti__int_cell(row->node->debug_handle))
ETI_CELL_SETTER(graph_row, dtype, eti__string_cell(row->node->dtype))
ETI_CELL_SETTER(graph_row, shape, eti__text_or_none(row->node->shape))
ETI_CELL_SETTER_IF(graph_row, inputs, !row->node->is_input && !row->node->is_rest,
                   eti__list_cell(ETI_CELL_TEXTS, row->node->inputs, row->node->n_inputs))
ETI_CELL_SETTER(graph_row, backend, eti__text_or_none(row->node->backend))
ETI_CELL_SETTER_IF(graph_row, call, row->node->call != ETI_NO_NODE,
                   eti__text_cell(row->graph->nodes[row->node->call].name))
ETI_CELL_SETTER(graph_row, shared, eti__number_or_none(row->node->shared))
ETI_CELL_SETTER(graph_row, target, eti__text_or_none(row->node->target))
ETI_CELL_SETTER(graph_row, code, eti__text_or_none(row->node->code))

static bool set_source(void *context, eti_cell *cell) {
    const graph_row *row = context;
    if (row->node->has_several_lines)
        *cell = eti__string_cell(ETI_GROUP_SEVERAL_LINES);
    if (!row->node->file.data)
        return true;
    eti__add_source_line(&row->row->scratch, row->node->file, row->node->line);
    return eti__row_take_cell(row->row, ETI_CELL_TEXT, cell);
}

ETI_GAP_SETTERS(graph_row, row->node->gap)

static const eti_column_spec columns[] = {
    {"node", ETI_TEXTS, false, "name of the node", set_node},
    {"typical", ETI_TIMES, false, "typical time per run, for events of this node alone",
     set_typical},
    {"share", ETI_SHARES, false, "share of the typical time", set_share},
    {"unsteady", ETI_MARKS, false, ETI_UNSTEADY_HELP, set_unsteady},
    ETI_GAP_COLUMNS,
    {"module", ETI_TEXTS, false, "innermost module of the node", set_module},
    {"shape", ETI_TEXTS, false, "shape of its first result", set_shape},
    {"op", ETI_TEXTS, false, "operator of the node", set_op},
    {"dtype", ETI_TEXTS, false, "data type of its first result", set_dtype},
    {"backend", ETI_TEXTS, false, "delegate that took the node", set_backend},
    {"source", ETI_TEXTS, false, "line of the user's code", set_source},
    {"inputs", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false, "nodes whose results it takes",
     set_inputs},
    {"total", ETI_TIMES, false, "time of events of this node alone, in all runs", set_total},
    {"shared", ETI_TIMES, false, "typical time per run of events of this and other nodes",
     set_shared},
    {"debug_handle", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false,
     "debug handle, which events refer to", set_handle},
    {"target", ETI_TEXTS, true, "target of the node, as in the file", set_target},
    {"code", ETI_TEXTS, true, "line of the user's code", set_code},
    {"delegate_call", ETI_TEXTS, true, "node of the delegate call that it is part of", set_call},
    {"p50", ETI_TIMES, true, "median time per run, for events of this node alone", set_p50},
    {"share_mean", ETI_SHARES, true, "share of the mean time", set_share_mean},
};

/* Source of the rows. */
typedef struct graph_rows {
    eti_timed_graph graph;
    eti_column_spec columns[ETI_N_COLUMNS(columns)]; /* columns that it has */
} graph_rows;

static bool make_row(const void *context, size_t number, eti_row *out) {
    const graph_rows *rows = context;
    graph_row row = {&rows->graph.nodes[number], &rows->graph, out};
    return eti__columns_set(rows->columns, ETI_N_COLUMNS(columns), &row, out);
}

/* ---- the view -------------------------------------------------------------------------------- */

static void free_rows(void *context) {
    graph_rows *rows = context;
    eti__timed_graph_free(&rows->graph);
    free(rows);
}

/* Returns the number of bytes of the texts of a row, except the name of a node. */
static uint64_t row_text(const eti_timed_node *node) {
    uint64_t size = node->op.size + node->target.size + node->backend.size + node->module.size +
                    node->file.size + node->code.size + node->shape.size;
    if (node->is_rest)
        size += node->name.size;
    for (size_t i = 0; i < node->n_inputs; i++)
        size += node->inputs[i].size;
    return size;
}

/* Gives each node the worst gap of its results. */
static eti_status take_gaps(eti_timed_graph *graph, const eti_gaps *gaps,
                            const eti_view_options *options, eti_error *err) {
    const eti_lowered_graph *lowered = graph->lowered;
    graph->has_gaps = gaps->is_asked && graph->has_times;
    if (!graph->has_gaps)
        return ETI_OK;
    uint32_t *numbers = malloc((lowered->graph.n_nodes + 1) * sizeof *numbers);
    if (!numbers)
        return eti_fail_memory(err);
    for (size_t i = 0; i < lowered->graph.n_nodes; i++)
        numbers[i] = ETI_NO_NODE;
    for (size_t i = 0; i < graph->n_nodes; i++) {
        if (graph->nodes[i].lowered != ETI_NO_NODE)
            numbers[graph->nodes[i].lowered] = (uint32_t)i;
    }
    for (size_t i = 0; i < gaps->n; i++) {
        const eti_gap_of *of = &gaps->of[i];
        uint32_t number =
            of->node ? eti__lowered_graph_number(lowered, &of->node->node) : ETI_NO_NODE;
        if (number < lowered->graph.n_nodes && numbers[number] != ETI_NO_NODE &&
            eti__block_is_chosen(options, of->block))
            eti__gap_join(&graph->nodes[numbers[number]].gap, &of->gap);
    }
    free(numbers);
    return ETI_OK;
}

static eti_status make_graph(eti_timed_graph *out, const eti_inspector *inspector,
                             const eti_view_options *options, const eti_gaps *gaps,
                             eti_error *err) {
    uint64_t n_bytes = 0;
    ETI_TRY(eti__timed_graph_make(out, inspector, options, err));
    ETI_TRY(take_gaps(out, gaps, options, err));
    for (size_t i = 0; i < out->n_nodes + out->n_rest; i++)
        n_bytes += row_text(&out->nodes[i]);
    return eti__view_check_text(inspector, n_bytes, err);
}

/* Names the method of the graph, and says where the times of other methods are. */
static eti_status note_method(const eti_timed_graph *graph, eti_report *report, eti_error *err) {
    bool has_others = false;
    for (size_t i = 0; i < graph->n_rest; i++)
        has_others = has_others || graph->nodes[graph->n_nodes + i].is_other_method;
    if (!has_others)
        return eti__report_note(report, err, "method %.*s", ETI_TEXT_ARGS(graph->name));
    return eti__report_note(report, err,
                            "method %.*s; other methods have one row each, with their whole time: "
                            "%smethod NAME shows the nodes of another",
                            ETI_TEXT_ARGS(graph->name), eti__option_prefix());
}

static eti_status add_notes(const eti_timed_graph *graph, eti_report *report,
                            const eti_inspector *inspector, const eti_view_options *options,
                            eti_error *err) {
    ETI_TRY(eti__view_note_runs(report, inspector, &graph->runs, err));
    if (!graph->has_record)
        return eti__report_note(report, err, "the graph is known only with its ETRecord");
    if (graph->is_of_several_methods && graph->name.size > 0)
        ETI_TRY(note_method(graph, report, err));
    if (!graph->has_times)
        return eti__report_note(report, err, "only nodes of the edge program have times%s",
                                options->reference ? " and gaps" : "");
    if (graph->n_lists == 0)
        return ETI_OK;
    return eti__report_note(report, err,
                            "%zu group%s of nodes %s only a common time: it is in \"shared\" of "
                            "each node, and once at the end",
                            graph->n_lists, graph->n_lists == 1 ? "" : "s",
                            graph->n_lists == 1 ? "has" : "have");
}

static eti_status add_graph(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_gaps *gaps, eti_error *err) {
    ETI_TRY(eti__gaps_find(gaps, inspector, options, err));
    graph_rows *rows = malloc(sizeof *rows);
    if (!rows)
        return eti_fail_memory(err);
    eti_timed_graph *graph = &rows->graph;
    eti_status status = make_graph(graph, inspector, options, gaps, err);
    if (status != ETI_OK) {
        free_rows(rows);
        return status;
    }
    eti_table *table;
    const eti_row_source source = {make_row, free_rows, rows};
    eti__gap_columns_choose(rows->columns, columns, ETI_N_COLUMNS(columns), set_snr,
                            graph->has_gaps);
    ETI_TRY(eti__columns_make_rows(&table, rows->columns, ETI_N_COLUMNS(columns),
                                   graph->n_nodes + graph->n_rest, source,
                                   eti__view_unit(inspector, options), err));
    table->most_drawn = eti__view_most_drawn(inspector);
    ETI_TRY(eti__report_add(report, "nodes", NULL, table, err));
    report->sections[report->n_sections - 1].hides_empty = true;
    report->graph = graph;
    if (!options->lists_all)
        ETI_TRY(add_folded_inputs(graph, report, err));
    if (graph->has_times)
        ETI_TRY(eti__view_note_blocks(report, inspector, options, err));
    ETI_TRY(add_notes(graph, report, inspector, options, err));
    return eti__gaps_note(gaps, report, err);
}

eti_status eti__view_graph(eti_report *report, const eti_inspector *inspector,
                           const eti_view_options *options, eti_error *err) {
    eti_gaps gaps;
    if (inspector->n_dumps == 0 && options->reference)
        return eti_fail(err, ETI_ERROR_USAGE, "%sreference: there is no ETDump to compare with %s",
                        eti__option_prefix(), options->reference->path);
    if (inspector->n_dumps == 0 && inspector->n_programs > 0 && !options->graph &&
        !eti__shows_recorded_graph(inspector))
        return add_program_graph(report, inspector, options, err);
    eti_status status = add_graph(report, inspector, options, &gaps, err);
    eti__gaps_free(&gaps);
    return status;
}
