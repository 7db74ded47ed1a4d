#include "base/json_writer.h"
#include "base/names.h"
#include "base/output.h"
#include "base/status.h"
#include "base/text.h"
#include "etinspect.h"
#include "rollup/rollup.h"
#include "table/table.h"
#include "write/write.h"
#include "write/writer.h"

#include <math.h>
#include <stdlib.h>

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

#define MOST_AT_ONCE 4096 /* bytes that are kept before they are written */

typedef struct explorer {
    const eti_report *report;
    const eti_timed_graph *graph;
    eti_output *output;
    eti_buffer text; /* text that is not written yet */
    eti_json_writer json;
    eti_buffer scratch; /* for one text */
    bool *is_drawn;     /* per node */
} explorer;

static void flush(explorer *e) {
    eti__output_add_text(e->output, eti__buffer_text(&e->text));
    e->text.size = 0;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Returns the id of a node, in e->scratch. Events that do not belong to a single node may share a name, so their ids have a number, after a
 * blank, which no node's name contains. */
static eti_text id_of(explorer *e, size_t number) {
    const eti_timed_node *node = &e->graph->nodes[number];
    e->scratch.size = 0;
    eti__buffer_add_text(&e->scratch, node->name);
    if (node->is_rest)
        eti__buffer_printf(&e->scratch, " #%zu", number - e->graph->n_nodes + 1);
    return eti__buffer_text(&e->scratch);
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
    eti__json_add_member(&e->json, "namespace",
                         node->is_input ? eti__text_of("inputs") : eti__buffer_text(&e->scratch));
}

static void add_attribute(explorer *e, const char *key, eti_text value) {
    if (value.size == 0)
        return;
    eti__json_open_object(&e->json);
    eti__json_add_member(&e->json, "key", eti__text_of(key));
    eti__json_add_member(&e->json, "value", value);
    eti__json_close_level(&e->json);
}

/* Adds a time with its unit, as the file of values has it. */
static void add_time(explorer *e, const char *key, double time) {
    eti_cell cell = eti__double_cell(time);
    e->scratch.size = 0;
    if (isnan(time))
        return;
    eti__cell_add_json(&e->scratch, &cell);
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
        eti__cell_add_json(&e->scratch, &cell);
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
    eti__json_add_key(&e->json, "attrs");
    eti__json_open_array(&e->json);
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
    add_time(e, "typical", node->typical);
    add_time(e, "p50", node->p50);
    add_time(e, "total", node->total);
    add_time(e, "shared", node->shared);
    add_gap(e, &node->gap);
    eti__json_close_level(&e->json);
}

/* Adds the edges from nodes that are written. */
static void add_edges(explorer *e, const eti_timed_node *node) {
    eti__json_add_key(&e->json, "incomingEdges");
    eti__json_open_array(&e->json);
    for (size_t i = 0; i < node->n_inputs; i++) {
        uint32_t from = node->input_nodes[i];
        if (from == ETI_NO_NODE || !e->is_drawn[from])
            continue;
        eti__json_open_object(&e->json);
        eti__json_add_member(&e->json, "sourceNodeId", id_of(e, from));
        eti__json_add_member(&e->json, "sourceNodeOutputId", eti__text_of("0"));
        e->scratch.size = 0;
        eti__buffer_add_u64(&e->scratch, i);
        eti__json_add_member(&e->json, "targetNodeInputId", eti__buffer_text(&e->scratch));
        eti__json_close_level(&e->json);
    }
    eti__json_close_level(&e->json);
}

static void add_node(explorer *e, size_t number) {
    const eti_timed_node *node = &e->graph->nodes[number];
    eti__json_add_line(&e->json, 0);
    eti__json_open_object(&e->json);
    eti__json_add_member(&e->json, "id", id_of(e, number));
    eti__json_add_member(&e->json, "label",
                         node->op.size > 0 && !node->is_input ? node->op : node->name);
    add_namespace(e, node);
    add_attributes(e, node);
    add_edges(e, node);
    eti__json_close_level(&e->json);
    if (e->text.size > MOST_AT_ONCE)
        flush(e);
}

/* ---- documents ------------------------------------------------------------------------------- */

static eti_text graph_name(const explorer *e) {
    return e->graph->name.size > 0 ? e->graph->name : eti__text_of("graph");
}

static void write_nodes(explorer *e) {
    eti__json_open_object(&e->json);
    eti__json_add_member(&e->json, "label", graph_name(e));
    eti__json_add_key(&e->json, "graphs");
    eti__json_open_array(&e->json);
    eti__json_open_object(&e->json);
    eti__json_add_member(&e->json, "id", graph_name(e));
    eti__json_add_key(&e->json, "nodes");
    eti__json_open_array(&e->json);
    for (size_t i = 0; i < eti__report_chosen_count(e->report); i++) {
        if (eti__output_failed(e->output))
            return;
        size_t number = eti__report_chosen(e->report, i);
        if (e->is_drawn[number])
            add_node(e, number);
    }
    eti__json_close_level(&e->json);
    eti__json_close_level(&e->json);
    eti__json_close_level(&e->json);
    eti__json_close_level(&e->json);
}

/* Colours of times, from the lowest to the highest; for losses, a value has the colour of the first threshold that is not
 * below it. */
typedef struct colour {
    uint64_t at;
    const char *name;
} colour;
static const colour time_colours[] = {{0, "#ffffff"}, {1, "#ff5a36"}};
static const colour loss_colours[] = {
    {3, "#ffffff"}, {20, "#ffd9cf"}, {60, "#ffa48f"}, {150, "#ff5a36"}};

static void add_colours(explorer *e, const char *key, const char *at, const colour *colours,
                        size_t n) {
    eti__json_add_key(&e->json, key);
    eti__json_open_array(&e->json);
    for (size_t i = 0; i < n; i++) {
        eti__json_open_object(&e->json);
        eti__json_add_u64_member(&e->json, at, colours[i].at);
        eti__json_add_member(&e->json, "bgColor", eti__text_of(colours[i].name));
        eti__json_close_level(&e->json);
    }
    eti__json_close_level(&e->json);
}

/* Returns the value of a node. A loss is in dB, up to a maximum, which also stands for NaN. */
static double value_of(const explorer *e, const eti_timed_node *node) {
    if (!e->graph->has_gaps)
        return node->typical;
    if (!node->gap.is_known || isnan(node->gap.snr_drop))
        return (double)NAN;
    return fmax(-ETI_MOST_DROP, fmin(node->gap.snr_drop, ETI_MOST_DROP));
}

/* Writes the values of nodes; nodes without a value have no colour. */
static void write_values(explorer *e) {
    bool has_gaps = e->graph->has_gaps;
    eti__json_open_object(&e->json);
    eti__json_add_key_text(&e->json, graph_name(e));
    eti__json_open_object(&e->json);
    eti__buffer_printf(&e->scratch, "%s (%s)", has_gaps ? "snr_drop" : "typical",
                       has_gaps ? "dB" : eti_time_scale_name(e->report->time_scale));
    eti__json_add_member(&e->json, "name", eti__buffer_text(&e->scratch));
    eti__json_add_key(&e->json, "results");
    eti__json_open_object(&e->json);
    for (size_t i = 0; i < eti__report_chosen_count(e->report); i++) {
        size_t number = eti__report_chosen(e->report, i);
        double value = value_of(e, &e->graph->nodes[number]);
        if (!e->is_drawn[number] || isnan(value) || eti__output_failed(e->output))
            continue;
        eti__json_add_line(&e->json, 0);
        eti__json_add_key_text(&e->json, id_of(e, number));
        eti__json_open_object(&e->json);
        eti__json_add_key(&e->json, "value");
        eti__json_add_double(&e->json, value);
        eti__json_close_level(&e->json);
        if (e->text.size > MOST_AT_ONCE)
            flush(e);
    }
    eti__json_close_level(&e->json);
    if (has_gaps)
        add_colours(e, "thresholds", "value", loss_colours,
                    sizeof loss_colours / sizeof *loss_colours);
    else
        add_colours(e, "gradient", "stop", time_colours,
                    sizeof time_colours / sizeof *time_colours);
    eti__json_close_level(&e->json);
    eti__json_close_level(&e->json);
}

static eti_status write_document(const eti_report *report, eti_output *output,
                                 void (*write_all)(explorer *e), eti_error *err) {
    explorer e = {.report = report, .graph = report->graph, .output = output};
    e.is_drawn = calloc(e.graph->n_nodes + e.graph->n_rest + 1, sizeof *e.is_drawn);
    for (size_t i = 0; e.is_drawn && i < eti__report_chosen_count(report); i++) {
        size_t number = eti__report_chosen(report, i);
        e.is_drawn[number] = !e.graph->nodes[number].is_call;
    }
    e.json = eti__json_writer(&e.text, ETI_JSON_COMPACT);
    if (e.is_drawn)
        write_all(&e);
    eti__buffer_add_char(&e.text, '\n');
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
    .other_suffixes = "json",
    .takes = ETI_TAKES_GRAPH,
    .write_report = write_graph,
};

const eti_writer eti__writer_model_explorer_data = {
    .name = "model-explorer-data",
    .summary = "times or gaps of the nodes, for Model Explorer",
    .other_suffixes = "json",
    .takes = ETI_TAKES_GRAPH,
    .write_report = write_data,
};
