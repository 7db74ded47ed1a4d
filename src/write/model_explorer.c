/*
 * The graph and its times as Model Explorer (ai-edge-model-explorer) reads them: one file with the graph, another with
 * values for its nodes, which colour them. Ids of nodes are the names that its own adapter for PyTorch gives them, so
 * that the values fit an exported program opened there, too.
 *
 * The values are times; with a reference they are the losses of nodes (the column snr_drop), because a file has one value
 * per node.
 *
 * A call of a delegate whose nodes are known is a layer around them, not a node.
 *
 * Events that do not belong to a single node are nodes without edges, so that all values add up to the whole.
 */
#include "account/graph.h"
#include "base/stack_frame.h"
#include "table/cell.h"
#include "write/json_text.h"
#include "write/writer.h"

#include <math.h>
#include <stdlib.h>

#define MOST_AT_ONCE 4096 /* bytes that are kept before they are written */

typedef struct explorer {
    const eti_report *report;
    const eti_timed_graph *graph;
    eti_output *output;
    eti_buffer text;     /* text that is not written yet */
    eti_buffer scratch;  /* for one text */
    bool *is_drawn;      /* per node */
    size_t n_attributes; /* of the node, so far */
} explorer;

static void flush(explorer *e) {
    eti__output_add_text(e->output, eti__buffer_text(&e->text));
    e->text.size = 0;
}

static void add_string(explorer *e, const char *c_string) {
    eti__buffer_add_string(&e->text, c_string);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Adds the id of a node. Events that do not belong to a single node may share a name, so their ids have a number, after a
 * blank, which no node's name contains. */
static void add_id(explorer *e, size_t number) {
    const eti_timed_node *node = &e->graph->nodes[number];
    e->scratch.size = 0;
    eti__buffer_add_text(&e->scratch, node->name);
    if (node->is_rest)
        eti__buffer_printf(&e->scratch, " #%zu", number - e->graph->n_nodes + 1);
    eti__json_add_string(&e->text, eti__buffer_text(&e->scratch));
}

#define MOST_NESTED 64 /* modules in a namespace; the outermost beyond these are left out */

/* Adds the modules around a node: "blocks.0/q". */
static void add_namespace(explorer *e, const eti_timed_node *node) {
    uint32_t path[MOST_NESTED];
    size_t n = 0;
    e->scratch.size = 0;
    for (uint32_t i = node->module_number; i != 0 && n < MOST_NESTED;
         i = e->graph->modules[i].parent) {
        if (e->graph->modules[i].part.size > 0)
            path[n++] = i;
    }
    while (n-- > 0) {
        eti__buffer_add_text(&e->scratch, e->graph->modules[path[n]].part);
        eti__buffer_add_string(&e->scratch, n > 0 ? "/" : "");
    }
    eti__json_add_string(&e->text,
                         node->is_input ? eti__text_of("inputs") : eti__buffer_text(&e->scratch));
}

static void add_attribute(explorer *e, const char *key, eti_text value) {
    if (value.size == 0)
        return;
    add_string(e, e->n_attributes++ == 0 ? "{\"key\":" : ",{\"key\":");
    eti__json_add_string(&e->text, eti__text_of(key));
    add_string(e, ",\"value\":");
    eti__json_add_string(&e->text, value);
    eti__buffer_add_char(&e->text, '}');
}

/* Adds a time with its unit, as the file of values has it. */
static void add_time(explorer *e, const char *key, double time) {
    eti_cell cell = eti__double_cell(time);
    e->scratch.size = 0;
    if (isnan(time))
        return;
    eti__json_add_cell(&e->scratch, &cell);
    eti__buffer_printf(&e->scratch, " %s", eti_time_scale_name(e->report->time_scale));
    add_attribute(e, key, eti__buffer_text(&e->scratch));
}

/* Adds a number, with its unit unless that is NULL. */
static void add_number(explorer *e, const char *key, eti_cell cell, const char *unit) {
    if (cell.kind == ETI_CELL_NONE)
        return;
    e->scratch.size = 0;
    if (cell.kind == ETI_CELL_DOUBLE && isinf(cell.as_double)) /* JSON has no infinity */
        eti__buffer_add_string(&e->scratch, cell.as_double > 0 ? "inf" : "-inf");
    else
        eti__json_add_cell(&e->scratch, &cell);
    if (unit)
        eti__buffer_printf(&e->scratch, " %s", unit);
    add_attribute(e, key, eti__buffer_text(&e->scratch));
}

static void add_gap(explorer *e, const eti_gap *gap) {
    if (!gap->is_known)
        return;
    add_number(e, "snr", eti__number_or_none(gap->snr), "dB");
    add_number(e, "snr_drop", eti__number_or_none(gap->snr_drop), "dB");
    add_number(e, "max_abs", eti__number_or_none(gap->max_abs), NULL);
    add_number(e, "nan_new", eti__count_cell(gap->nan_new), NULL);
}

static void add_attributes(explorer *e, const eti_timed_node *node) {
    e->n_attributes = 0;
    add_string(e, ",\"attrs\":[");
    add_attribute(e, "target", node->target);
    add_attribute(e, "dtype", eti__text_of(node->dtype));
    add_attribute(e, "shape", node->shape);
    add_attribute(e, "backend", node->backend);
    add_attribute(e, "module", node->module);
    e->scratch.size = 0;
    if (node->file.data)
        eti__add_source_line(&e->scratch, node->file, node->line);
    add_attribute(e, "source", eti__buffer_text(&e->scratch));
    add_attribute(e, "code", node->code);
    e->scratch.size = 0;
    if (node->has_debug_handle)
        eti__buffer_add_i64(&e->scratch, node->debug_handle);
    add_attribute(e, "debug_handle", eti__buffer_text(&e->scratch));
    add_time(e, "p50", node->p50);
    add_time(e, "total", node->total);
    add_time(e, "shared", node->shared);
    add_gap(e, &node->gap);
    add_string(e, "]");
}

/* Adds the edges from nodes that are written. */
static void add_edges(explorer *e, const eti_timed_node *node) {
    bool is_first = true;
    add_string(e, ",\"incomingEdges\":[");
    for (size_t i = 0; i < node->n_inputs; i++) {
        uint32_t from = node->input_nodes[i];
        if (from == ETI_NO_NODE || !e->is_drawn[from])
            continue;
        add_string(e, is_first ? "{\"sourceNodeId\":" : ",{\"sourceNodeId\":");
        add_id(e, from);
        eti__buffer_printf(&e->text, ",\"sourceNodeOutputId\":\"0\",\"targetNodeInputId\":\"%zu\"}",
                           i);
        is_first = false;
    }
    add_string(e, "]");
}

static void add_node(explorer *e, size_t number) {
    const eti_timed_node *node = &e->graph->nodes[number];
    add_string(e, "{\"id\":");
    add_id(e, number);
    add_string(e, ",\"label\":");
    eti__json_add_string(&e->text, node->op.size > 0 && !node->is_input ? node->op : node->name);
    add_string(e, ",\"namespace\":");
    add_namespace(e, node);
    add_attributes(e, node);
    add_edges(e, node);
    add_string(e, "}");
    if (e->text.size > MOST_AT_ONCE)
        flush(e);
}

/* ---- documents ------------------------------------------------------------------------------- */

static eti_text graph_name(const explorer *e) {
    return e->graph->name.size > 0 ? e->graph->name : eti__text_of("graph");
}

static void write_nodes(explorer *e) {
    const char *separator = "\n";
    add_string(e, "{\"label\":");
    eti__json_add_string(&e->text, graph_name(e));
    add_string(e, ",\"graphs\":[{\"id\":");
    eti__json_add_string(&e->text, graph_name(e));
    add_string(e, ",\"nodes\":[");
    for (size_t i = 0; i < eti__report_chosen_count(e->report); i++) {
        if (eti__output_failed(e->output))
            return;
        size_t number = eti__report_chosen(e->report, i);
        if (!e->is_drawn[number])
            continue;
        add_string(e, separator);
        add_node(e, number);
        separator = ",\n";
    }
    add_string(e, "]}]}\n");
}

/* Colours of times, from the lowest to the highest; for losses, a value has the colour of the first threshold that is not
 * below it. */
static const char time_colours[] = "\"gradient\":[{\"stop\":0,\"bgColor\":\"#ffffff\"},"
                                   "{\"stop\":1,\"bgColor\":\"#ff5a36\"}]";
static const char loss_colours[] = "\"thresholds\":[{\"value\":3,\"bgColor\":\"#ffffff\"},"
                                   "{\"value\":20,\"bgColor\":\"#ffd9cf\"},"
                                   "{\"value\":60,\"bgColor\":\"#ffa48f\"},"
                                   "{\"value\":150,\"bgColor\":\"#ff5a36\"}]";

/* Returns the value of a node. A loss is in dB, up to a maximum, which also stands for NaN. */
static double value_of(const explorer *e, const eti_timed_node *node) {
    if (!e->graph->has_gaps)
        return node->total;
    if (!node->gap.is_known || isnan(node->gap.snr_drop))
        return (double)NAN;
    return fmax(-ETI_MOST_DROP, fmin(node->gap.snr_drop, ETI_MOST_DROP));
}

/* Writes the values of nodes; nodes without a value have no colour. */
static void write_values(explorer *e) {
    const char *separator = "\n";
    bool has_gaps = e->graph->has_gaps;
    add_string(e, "{");
    eti__json_add_string(&e->text, graph_name(e));
    eti__buffer_printf(&e->text, ":{\"name\":\"%s (%s)\",\"results\":{",
                       has_gaps ? "snr_drop" : "total",
                       has_gaps ? "dB" : eti_time_scale_name(e->report->time_scale));
    for (size_t i = 0; i < eti__report_chosen_count(e->report); i++) {
        size_t number = eti__report_chosen(e->report, i);
        eti_cell value = eti__double_cell(value_of(e, &e->graph->nodes[number]));
        if (!e->is_drawn[number] || isnan(value.as_double) || eti__output_failed(e->output))
            continue;
        add_string(e, separator);
        add_id(e, number);
        add_string(e, ":{\"value\":");
        eti__json_add_cell(&e->text, &value);
        add_string(e, "}");
        separator = ",\n";
        if (e->text.size > MOST_AT_ONCE)
            flush(e);
    }
    add_string(e, "},");
    add_string(e, has_gaps ? loss_colours : time_colours);
    add_string(e, "}}\n");
}

static eti_status write_document(const eti_report *report, eti_output *output,
                                 void (*write_all)(explorer *e), eti_error *err) {
    explorer e = {.report = report, .graph = report->graph, .output = output};
    e.is_drawn = calloc(e.graph->n_nodes + e.graph->n_rest + 1, sizeof *e.is_drawn);
    for (size_t i = 0; e.is_drawn && i < eti__report_chosen_count(report); i++) {
        size_t number = eti__report_chosen(report, i);
        e.is_drawn[number] = !e.graph->nodes[number].is_call;
    }
    if (e.is_drawn)
        write_all(&e);
    bool done = e.is_drawn && !e.text.failed && !e.scratch.failed;
    if (done)
        flush(&e);
    eti__buffer_free(&e.text);
    eti__buffer_free(&e.scratch);
    free(e.is_drawn);
    return done ? ETI_OK : eti_fail_memory(err);
}

static eti_status write_graph(const eti_report *report, const eti_write_options *options,
                              eti_output *output, eti_error *err) {
    (void)options;
    return write_document(report, output, write_nodes, err);
}

static eti_status write_data(const eti_report *report, const eti_write_options *options,
                             eti_output *output, eti_error *err) {
    (void)options;
    return write_document(report, output, write_values, err);
}

const eti_writer eti__writer_model_explorer = {
    .name = "model-explorer",
    .summary = "graph for Model Explorer",
    .takes = ETI_TAKES_GRAPH,
    .write_report = write_graph,
};

const eti_writer eti__writer_model_explorer_data = {
    .name = "model-explorer-data",
    .summary = "times or gaps of the nodes, for Model Explorer",
    .takes = ETI_TAKES_GRAPH,
    .write_report = write_data,
};
