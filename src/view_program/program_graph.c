#include "view_program/program_graph.h"

#include "view_events/view_events.h"
#include "view_program/graph_inputs.h"

#include <stdlib.h>

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

ETI_CELL_SETTER(node_row, node, eti__text_or_none(row->node->name))
ETI_CELL_SETTER(node_row, op, eti__text_or_none(row->node->op))
ETI_CELL_SETTER(node_row, backend, eti__text_or_none(row->node->backend))
ETI_CELL_SETTER(node_row, dtype, eti__string_cell(row->node->dtype))
ETI_CELL_SETTER(node_row, shape, eti__text_or_none(row->node->shape))
ETI_CELL_SETTER_IF(node_row, instruction, row->is_instruction, eti__count_cell(row->number))
ETI_CELL_SETTER_IF(node_row, inputs, row->is_instruction,
                   eti__list_cell(ETI_CELL_TEXTS, row->node->inputs, row->node->n_inputs))

static const eti_column_spec columns[] = {
    {"node", ETI_TEXTS, false, "number of the instruction, or name of an input", set_node},
    {"op", ETI_TEXTS, false, "operator or delegate that the instruction calls", set_op},
    {"dtype", ETI_TEXTS, false, "data type of its first result", set_dtype},
    {"shape", ETI_TEXTS, false, "shape of its first result", set_shape},
    {"inputs", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false,
     "instructions and inputs that provide the values it reads", set_inputs},
    {"backend", ETI_TEXTS, true, "backend of a delegate call", set_backend},
    {"instruction", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "number of the instruction",
     set_instruction},
};

static bool make_row(const void *context, size_t number, eti_row *out) {
    const program_graph *of = context;
    bool is_instruction = number >= of->n_inputs;
    node_row row = {&of->graph.nodes[number], is_instruction ? number - of->n_inputs : 0,
                    is_instruction};
    return eti__columns_set(columns, ETI_N_COLUMNS(columns), &row, out);
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

eti_status eti__view_program_graph(eti_report *report, const eti_inspector *inspector,
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
    const eti_row_source source = {make_row, free_graph, of};
    of->graph.shows_weights = options->lists_all;
    ETI_TRY(eti__columns_make_rows(&table, columns, ETI_N_COLUMNS(columns), of->graph.n_nodes,
                                   source, NULL, err));
    table->most_drawn = eti__view_most_drawn(inspector);
    ETI_TRY(eti__report_add(report, "nodes", NULL, table, err));
    report->sections[report->n_sections - 1].hides_empty = true;
    report->graph = &of->graph;
    if (!options->lists_all)
        ETI_TRY(eti__view_fold_inputs(&of->graph, report, err));
    return eti__report_note(report, err, "method %.*s of %s", ETI_TEXT_ARGS(of->graph.name),
                            inspector->programs[0].file->name);
}
