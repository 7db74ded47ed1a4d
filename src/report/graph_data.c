/*
 * [
 * {"depth": 1, "width": 640, "height": 300, "rest_total": 0.5, "rest_share": 0.1,
 *  "nodes": {"row": [0, 7], "x": [..], "layer": [0, 1], "width": [..],
 *            "module": [null, "blocks.0"], "members": [[0], [7, 8]], "total": [..], "share": [..], "drop": [..]},
 * "points": {"x": [..], "layer": [..], "above": [..]}, "lines": {"from": [0], "to": [1], "above": [0]}, "layers": {"y": [0,
 * 68], "height": [38, 38]}}, {"depth": 0, "reason": "the graph has 6000 nodes: at most 5000 are drawn"} ] Depth 0 stands for
 * all operators; its nodes have only the first row of columns. If there are several methods, a drawing also has
 * "method": "forward", "other_total": 0.5, "other_share": 0.1, the times of the other methods.
 */
#include "report/graph_data.h"

#include "report/contraction.h"
#include "report/layout.h"

#include <math.h>
#include <stdlib.h>

/* Pixels: a box has a label, and below it a shape or a time; for a module, also the number of operators. */
#define BOX_HEIGHT 40
#define BOX_MARGIN 28
#define CHARACTER_WIDTH 8
#define LEAST_WIDTH 128
#define LEAST_MODULE_WIDTH 208
#define MOST_CHARACTERS 32

/* One drawing. */
typedef struct drawing {
    const eti_timed_graph *graph;
    size_t depth;
    eti_contraction contraction;
    eti_layout layout;
} drawing;

/* ---- columns --------------------------------------------------------------------------------- */

static void open_column(eti_json_writer *json, const char *name) {
    eti__json_add_key(json, name);
    eti__json_open_compact_array(json);
}

/* Adds a column with a member of each of `n` structs. */
#define ADD_COLUMN(json, name, items, n, member)                                                   \
    do {                                                                                           \
        open_column(json, name);                                                                   \
        for (size_t item = 0; item < (n); item++)                                                  \
            eti__json_add_i64(json, (int64_t)(items)[item].member);                                \
        eti__json_close_level(json);                                                               \
    } while (0)

static void add_number(eti_json_writer *json, const char *name, double number) {
    eti__json_add_key(json, name);
    eti__json_add_double(json, number);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static double total_of(const eti_drawn_node *node) {
    return node->total;
}

static double share_of(const eti_drawn_node *node) {
    return node->share;
}

static double drop_of(const eti_drawn_node *node) {
    return node->gap.is_known ? node->gap.snr_drop : (double)NAN;
}

static void add_doubles(eti_json_writer *json, const drawing *d, const char *name,
                        double (*of)(const eti_drawn_node *node)) {
    open_column(json, name);
    for (size_t i = 0; i < d->contraction.n_nodes; i++)
        eti__json_add_double(json, of(&d->contraction.nodes[i]));
    eti__json_close_level(json);
}

/* Adds the data of modules' nodes that are not in the rows of their members. */
static void add_modules(eti_json_writer *json, const drawing *d) {
    const eti_drawn_node *nodes = d->contraction.nodes;
    open_column(json, "module");
    for (size_t i = 0; i < d->contraction.n_nodes; i++)
        eti__json_add_text(json, nodes[i].module);
    eti__json_close_level(json);
    open_column(json, "members");
    for (size_t i = 0; i < d->contraction.n_nodes; i++) {
        eti__json_open_array(json);
        for (size_t k = 0; k < nodes[i].n_members; k++)
            eti__json_add_u64(json, nodes[i].members[k]);
        eti__json_close_level(json);
    }
    eti__json_close_level(json);
    if (d->graph->has_times) {
        add_doubles(json, d, "total", total_of);
        add_doubles(json, d, "share", share_of);
    }
    if (d->graph->has_gaps)
        add_doubles(json, d, "drop", drop_of);
}

static eti_text label_of(const drawing *d, const eti_drawn_node *drawn) {
    const eti_timed_node *node = &d->graph->nodes[drawn->members[0]];
    if (drawn->module.size > 0)
        return drawn->module;
    return node->op.size > 0 && !node->is_input ? node->op : node->name;
}

/* Opens an object of columns on a line of its own. */
static void open_columns(eti_json_writer *json, const char *name) {
    eti__json_add_line(json, 1);
    eti__json_add_key(json, name);
    eti__json_open_object(json);
}

static void add_nodes(eti_json_writer *json, const drawing *d, const eti_layout_size *sizes) {
    const eti_contraction *of = &d->contraction;
    open_columns(json, "nodes");
    ADD_COLUMN(json, "row", of->nodes, of->n_nodes, members[0]);
    ADD_COLUMN(json, "x", d->layout.stops, of->n_nodes, x);
    ADD_COLUMN(json, "layer", d->layout.stops, of->n_nodes, layer);
    ADD_COLUMN(json, "width", sizes, of->n_nodes, width);
    if (d->depth != ETI_ALL_OPERATORS)
        add_modules(json, d);
    eti__json_close_level(json);
}

/* Names the method if there are several, with the time of the others. */
static void add_method(eti_json_writer *json, const drawing *d) {
    if (!d->graph->is_of_several_methods || d->graph->name.size == 0)
        return;
    eti__json_add_member(json, "method", d->graph->name);
    add_number(json, "other_total", d->contraction.other_total);
    add_number(json, "other_share", d->contraction.other_share);
}

/* ---- drawings -------------------------------------------------------------------------------- */

static void add_lines(eti_json_writer *json, const eti_layout *layout) {
    const eti_layout_stop *points = layout->stops + layout->n_nodes;
    size_t n_points = layout->n_stops - layout->n_nodes;
    open_columns(json, "points");
    ADD_COLUMN(json, "x", points, n_points, x);
    ADD_COLUMN(json, "layer", points, n_points, layer);
    ADD_COLUMN(json, "above", points, n_points, above);
    eti__json_close_level(json);
    open_columns(json, "lines");
    ADD_COLUMN(json, "from", layout->lines, layout->n_lines, from);
    ADD_COLUMN(json, "to", layout->lines, layout->n_lines, to);
    ADD_COLUMN(json, "above", layout->lines, layout->n_lines, above);
    eti__json_close_level(json);
    open_columns(json, "layers");
    ADD_COLUMN(json, "y", layout->layers, layout->n_layers, y);
    ADD_COLUMN(json, "height", layout->layers, layout->n_layers, height);
    eti__json_close_level(json);
}

static eti_layout_size size_of(const drawing *d, const eti_drawn_node *drawn) {
    size_t n_characters = eti__text_width(label_of(d, drawn));
    int32_t least = drawn->module.size > 0 ? LEAST_MODULE_WIDTH : LEAST_WIDTH;
    int32_t width = (int32_t)(n_characters < MOST_CHARACTERS ? n_characters : MOST_CHARACTERS) *
                        CHARACTER_WIDTH +
                    BOX_MARGIN;
    return (eti_layout_size){width < least ? least : width, BOX_HEIGHT};
}

static eti_status lay_out(drawing *d, eti_layout_size *sizes, eti_error *err) {
    const eti_contraction *of = &d->contraction;
    for (size_t i = 0; i < of->n_nodes; i++)
        sizes[i] = size_of(d, &of->nodes[i]);
    return eti__layout_make(&d->layout, sizes, of->n_nodes, of->edges, of->n_edges, err);
}

static void add_laid_out(eti_json_writer *json, const drawing *d, const eti_layout_size *sizes) {
    eti__json_add_key(json, "width");
    eti__json_add_i64(json, d->layout.width);
    eti__json_add_key(json, "height");
    eti__json_add_i64(json, d->layout.height);
    add_number(json, "rest_total", d->contraction.rest_total);
    add_number(json, "rest_share", d->contraction.rest_share);
    add_method(json, d);
    add_nodes(json, d, sizes);
    add_lines(json, &d->layout);
}

static eti_status add_drawing(eti_json_writer *json, drawing *d, eti_error *err) {
    eti_error refusal = ETI_ERROR_INIT;
    eti_layout_size *sizes = calloc(d->contraction.n_nodes + 1, sizeof *sizes);
    if (!sizes)
        return eti_fail_memory(err);
    eti__json_open_object(json);
    eti__json_add_u64_member(json, "depth", d->depth);
    eti_status status = lay_out(d, sizes, &refusal);
    if (status == ETI_ERROR_LIMIT) {
        eti__json_add_member(json, "reason", eti__text_of(refusal.message));
        status = ETI_OK;
    } else if (status == ETI_OK) {
        add_laid_out(json, d, sizes);
    } else {
        status = eti_fail_memory(err);
    }
    eti__json_close_level(json);
    eti__layout_free(&d->layout);
    free(sizes);
    return status;
}

static eti_status contract(drawing *d, const eti_timed_graph *graph, size_t depth, eti_error *err) {
    *d = (drawing){.graph = graph, .depth = depth};
    return eti__contract(&d->contraction, graph, depth, err);
}

/* Adds an object that says why all operators are not drawn. */
static void add_left_out(eti_json_writer *json) {
    eti__json_open_object(json);
    eti__json_add_u64_member(json, "depth", ETI_ALL_OPERATORS);
    eti__json_add_member(json, "reason", eti__text_of("left out to keep the page small"));
    eti__json_close_level(json);
}

/* Adds the drawing of a depth unless the one of the next depth has as many nodes. */
static eti_status add_drawings(eti_json_writer *json, drawing *drawings, size_t n,
                               bool leaves_out_large, eti_error *err) {
    bool has_drawings = false;
    for (size_t i = 0; i < n; i++) {
        size_t n_nodes = drawings[i].contraction.n_nodes;
        bool is_last = i + 1 == n;
        if (n_nodes == 0 || (!is_last && drawings[i + 1].contraction.n_nodes == n_nodes))
            continue;
        if (!has_drawings)
            eti__json_open_array(json);
        eti__json_add_line(json, 0);
        if (is_last && leaves_out_large && has_drawings)
            add_left_out(json);
        else
            ETI_TRY(add_drawing(json, &drawings[i], err));
        has_drawings = true;
    }
    if (has_drawings) {
        eti__json_add_line(json, 0);
        eti__json_close_level(json);
    }
    return json->out->failed ? eti_fail_memory(err) : ETI_OK;
}

eti_status eti__graph_data_add(eti_json_writer *json, const eti_timed_graph *graph,
                               bool leaves_out_large, eti_error *err) {
    drawing drawings[ETI_MOST_GRAPH_DEPTH + 1];
    size_t n = 0;
    eti_status status = ETI_OK;
    for (size_t i = 0; i <= ETI_MOST_GRAPH_DEPTH && status == ETI_OK; i++, n++)
        status = contract(&drawings[i], graph, i < ETI_MOST_GRAPH_DEPTH ? i + 1 : ETI_ALL_OPERATORS,
                          err);
    if (status == ETI_OK)
        status = add_drawings(json, drawings, n, leaves_out_large, err);
    for (size_t i = 0; i < n; i++)
        eti__contraction_free(&drawings[i].contraction);
    return status;
}
