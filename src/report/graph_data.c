#include "report/graph_data.h"

#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

/* ==== contraction ============================================================================= */

#define NONE UINT32_MAX

/* A node of the graph that is drawn, while nodes are ordered. */
typedef struct placed_node {
    uint32_t before; /* the node that it is placed just before, or itself */
    uint32_t node;
} placed_node;

typedef struct maker {
    eti_contraction *out;
    const eti_timed_graph *graph;
    size_t depth;
    bool *is_used;        /* per node of the graph: whether a drawn node uses it */
    bool *is_output;      /* per node */
    uint32_t *by_lowered; /* per node of graph->lowered: its number */
    bool *is_constant;    /* per node: computed from weights alone, even if that takes time */
    bool *is_drawn;       /* per node */
    placed_node *order;   /* drawn nodes, in order */
    size_t n_drawn;
    uint32_t *drawn_as; /* per node: the node of the drawing that contains it; NONE */
    uint32_t *
        cut; /* per module: the module with `depth` parts, itself or around it; 0: its path has fewer parts */
    eti_text_table names; /* names of modules that nodes of the drawing stand for */
    uint32_t *named;      /* per name: the node of the drawing; NONE: several */
} maker;

static bool has_time(const eti_timed_node *node) {
    return node->total > 0; /* NaN is not */
}

/* ---- what is drawn --------------------------------------------------------------------------- */

/* Marks the nodes that give outputs of the graph; if these are not known, marks all nodes except inputs. */
static void find_outputs(maker *m) {
    const eti_lowered_graph *lowered = m->graph->lowered;
    for (size_t i = 0; i < m->graph->n_nodes; i++) {
        const eti_timed_node *node = &m->graph->nodes[i];
        m->is_output[i] = !lowered && !node->is_input;
        if (lowered && node->lowered != ETI_NO_NODE)
            m->by_lowered[node->lowered] = (uint32_t)i;
    }
    for (size_t i = 0; lowered && i < lowered->values.n_values; i++) {
        const eti_graph_value *value = &lowered->values.values[i];
        if (value->is_output && value->producer != ETI_NO_NODE)
            m->is_output[m->by_lowered[value->producer]] = true;
    }
}

/* Finds the nodes that are computed from weights alone: inputs of a node come before it. */
static void find_constants(maker *m) {
    for (size_t i = 0; i < m->graph->n_nodes; i++) {
        const eti_timed_node *node = &m->graph->nodes[i];
        bool is_constant = node->is_weight || !node->is_input;
        for (size_t k = 0; k < node->n_inputs && is_constant; k++) {
            uint32_t from = node->input_nodes[k];
            is_constant = from != ETI_NO_NODE && from < i && m->is_constant[from];
        }
        m->is_constant[i] = is_constant;
    }
}

/* Finds the nodes that are drawn, from the last to the first, so that the users of a node are known before it. */
static void find_drawn(maker *m) {
    for (size_t i = m->graph->n_nodes; i-- > 0;) {
        const eti_timed_node *node = &m->graph->nodes[i];
        bool is_needed = m->is_output[i] || (m->is_used[i] && !m->is_constant[i]) || has_time(node);
        m->is_drawn[i] = is_needed && !node->is_weight && !node->is_call;
        m->n_drawn += m->is_drawn[i];
        for (size_t k = 0; k < node->n_inputs && m->is_drawn[i]; k++) {
            if (node->input_nodes[k] != ETI_NO_NODE)
                m->is_used[node->input_nodes[k]] = true;
        }
    }
}

static int compare_placed(const void *a, const void *b, void *context) {
    const placed_node *left = a, *right = b;
    (void)context;
    if (left->before != right->before)
        return left->before < right->before ? -1 : 1;
    return left->node < right->node ? -1 : left->node > right->node;
}

/* Orders the nodes as in the graph, except that nodes computed from weights come just before their
 * first use: exports put such nodes first, far from their module. */
static bool order_drawn(maker *m) {
    size_t n = m->graph->n_nodes, at = m->n_drawn;
    uint32_t *before = eti__arena_alloc(&m->out->arena, n, sizeof *before);
    m->order = eti__arena_alloc(&m->out->arena, m->n_drawn, sizeof *m->order);
    if (!before || !m->order)
        return false;
    for (size_t i = 0; i < n; i++)
        before[i] = NONE;
    for (size_t i = n; i-- > 0;) {
        const eti_timed_node *node = &m->graph->nodes[i];
        if (!m->is_drawn[i])
            continue;
        if (!m->is_constant[i] || before[i] == NONE)
            before[i] = (uint32_t)i;
        m->order[--at] = (placed_node){before[i], (uint32_t)i};
        for (size_t k = 0; k < node->n_inputs; k++) {
            uint32_t from = node->input_nodes[k];
            if (from != ETI_NO_NODE && before[i] < before[from])
                before[from] = before[i];
        }
    }
    eti__sort(m->order, m->n_drawn, sizeof *m->order, compare_placed, NULL);
    return true;
}

/* ---- modules --------------------------------------------------------------------------------- */

/* Cuts the paths of all modules to `depth` parts; calls of delegates are not parts of paths. */
static bool cut_modules(maker *m) {
    const eti_timed_graph *graph = m->graph;
    uint32_t *parts = eti__arena_alloc_zero(&m->out->arena, graph->n_modules + 1, sizeof *parts);
    m->cut = eti__arena_alloc_zero(&m->out->arena, graph->n_modules + 1, sizeof *m->cut);
    if (!parts || !m->cut || m->depth == ETI_ALL_OPERATORS)
        return parts && m->cut;
    for (uint32_t i = 1; i < graph->n_modules; i++) {
        const eti_timed_module *module = &graph->modules[i];
        bool is_part = module->part.size > 0 && !module->is_call;
        parts[i] = parts[module->parent] + is_part;
        m->cut[i] = is_part && parts[i] == m->depth ? i : m->cut[module->parent];
    }
    return true;
}

/* Returns the name of the module that stands for a node; absent: the node stands for itself. */
static eti_text stand_in(const maker *m, const eti_timed_node *node) {
    uint32_t cut = node->is_input ? 0 : m->cut[node->module_number];
    return cut == 0 ? (eti_text){NULL, 0} : m->graph->modules[cut].name;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void add_time(double *sum, double time) {
    if (!isnan(time))
        *sum = isnan(*sum) ? time : *sum + time;
}

static bool add_name(maker *m, eti_text name, uint32_t node) {
    uint32_t number;
    size_t n_before = m->names.count;
    if (!eti__text_table_add(&m->names, name, NULL, &number))
        return false;
    m->named[number] = m->names.count > n_before ? node : NONE;
    return true;
}

/* Begins a node of the drawing. */
static bool begin_node(maker *m, const uint32_t *members, eti_text module) {
    if (module.size > 0 && !add_name(m, module, (uint32_t)m->out->n_nodes))
        return false;
    m->out->nodes[m->out->n_nodes++] = (eti_drawn_node){
        .members = members, .module = module, .typical = (double)NAN, .share = (double)NAN};
    return true;
}

/* Returns whether the last node of the drawing also stands for this module. */
static bool continues(const maker *m, eti_text module) {
    size_t n = m->out->n_nodes;
    return n > 0 && module.size > 0 && eti__text_equal(module, m->out->nodes[n - 1].module);
}

/* Adds a node to the drawing, or to the last node of the drawing. */
static bool add_node(maker *m, uint32_t *members, size_t at) {
    uint32_t number = m->order[at].node;
    const eti_timed_node *node = &m->graph->nodes[number];
    eti_text module = stand_in(m, node);
    members[at] = number;
    if (!continues(m, module) && !begin_node(m, &members[at], module))
        return false;
    eti_drawn_node *last = &m->out->nodes[m->out->n_nodes - 1];
    last->n_members++;
    add_time(&last->typical, node->typical);
    add_time(&last->share, node->share);
    eti__gap_join(&last->gap, &node->gap);
    m->drawn_as[number] = (uint32_t)(m->out->n_nodes - 1);
    return true;
}

static bool add_contracted_nodes(maker *m) {
    uint32_t *members = eti__arena_alloc(&m->out->arena, m->n_drawn, sizeof *members);
    m->out->nodes = eti__arena_alloc(&m->out->arena, m->n_drawn, sizeof *m->out->nodes);
    m->named = eti__arena_alloc(&m->out->arena, m->n_drawn, sizeof *m->named);
    bool done = members && m->out->nodes && m->named;
    for (size_t i = 0; i < m->n_drawn && done; i++)
        done = add_node(m, members, i);
    return done;
}

/* Adds the time of events of several nodes to the node of the drawing that contains them all, if it alone stands for its
 * module. The remaining time is the rest, apart from that of other methods. */
static void add_rest(maker *m) {
    const eti_timed_graph *graph = m->graph;
    m->out->rest_typical = m->out->rest_share = (double)NAN;
    m->out->other_typical = m->out->other_share = (double)NAN;
    for (size_t i = 0; i < graph->n_nodes + graph->n_rest; i++) {
        const eti_timed_node *node = &graph->nodes[i];
        double *typical = &m->out->rest_typical, *share = &m->out->rest_share;
        uint32_t name;
        if (i < graph->n_nodes && m->is_drawn[i])
            continue;
        if (node->is_other_method) {
            add_time(&m->out->other_typical, node->typical);
            add_time(&m->out->other_share, node->share);
            continue;
        }
        eti_text module = stand_in(m, node);
        if (module.size > 0 && eti__text_table_find(&m->names, module, &name) &&
            m->named[name] != NONE) {
            typical = &m->out->nodes[m->named[name]].typical;
            share = &m->out->nodes[m->named[name]].share;
        }
        add_time(typical, node->typical);
        add_time(share, node->share);
    }
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* Lists the edges between different nodes of the drawing in `edges`, unless it is NULL, and returns their number. */
static size_t visit_edges(const maker *m, eti_layout_edge *edges) {
    size_t n = 0;
    for (size_t i = 0; i < m->graph->n_nodes; i++) {
        const eti_timed_node *node = &m->graph->nodes[i];
        uint32_t to = m->drawn_as[i];
        for (size_t k = 0; k < node->n_inputs && to != NONE; k++) {
            uint32_t input = node->input_nodes[k];
            uint32_t from = input == ETI_NO_NODE ? NONE : m->drawn_as[input];
            if (from == NONE || from == to)
                continue;
            if (edges)
                edges[n] = (eti_layout_edge){from, to};
            n++;
        }
    }
    return n;
}

static bool add_edges(maker *m) {
    m->out->n_edges = visit_edges(m, NULL);
    m->out->edges = eti__arena_alloc(&m->out->arena, m->out->n_edges, sizeof *m->out->edges);
    if (m->out->edges)
        visit_edges(m, m->out->edges);
    return m->out->edges != NULL;
}

static bool make(maker *m) {
    eti_arena *arena = &m->out->arena;
    size_t n = m->graph->n_nodes;
    m->is_used = eti__arena_alloc_zero(arena, n + 1, sizeof *m->is_used);
    m->is_output = eti__arena_alloc_zero(arena, n + 1, sizeof *m->is_output);
    m->by_lowered = eti__arena_alloc_zero(arena, n + 1, sizeof *m->by_lowered);
    m->is_constant = eti__arena_alloc_zero(arena, n + 1, sizeof *m->is_constant);
    m->is_drawn = eti__arena_alloc_zero(arena, n + 1, sizeof *m->is_drawn);
    m->drawn_as = eti__arena_alloc(arena, n + 1, sizeof *m->drawn_as);
    if (!m->is_used || !m->is_output || !m->by_lowered || !m->is_constant || !m->is_drawn ||
        !m->drawn_as || !cut_modules(m))
        return false;
    for (size_t i = 0; i < n; i++)
        m->drawn_as[i] = NONE;
    find_outputs(m);
    find_constants(m);
    find_drawn(m);
    if (!order_drawn(m) || !add_contracted_nodes(m))
        return false;
    add_rest(m);
    return add_edges(m);
}

eti_status eti__contract(eti_contraction *out, const eti_timed_graph *graph, size_t depth,
                         eti_error *err) {
    maker m = {.out = out, .graph = graph, .depth = depth};
    *out = (eti_contraction){.nodes = NULL};
    bool done = make(&m);
    eti__text_table_free(&m.names);
    return done ? ETI_OK : eti_fail_memory(err);
}

void eti__contraction_free(eti_contraction *contraction) {
    eti__arena_free(&contraction->arena);
    *contraction = (eti_contraction){.nodes = NULL};
}

/* ==== graph data ============================================================================== */

#define ETI_MOST_GRAPH_DEPTH 3

/*
 * [
 * {"depth": 1, "width": 640, "height": 300, "rest_typical": 0.5, "rest_share": 0.1,
 *  "nodes": {"row": [0, 7], "x": [..], "layer": [0, 1], "width": [..],
 *            "module": [null, "blocks.0"], "members": [[0], [7, 8]], "typical": [..], "share": [..], "drop": [..]},
 * "points": {"x": [..], "layer": [..], "above": [..]}, "lines": {"from": [0], "to": [1], "above": [0]}, "layers": {"y": [0,
 * 68], "height": [38, 38]}}, {"depth": 0, "reason": "the graph has 6000 nodes: at most 5000 are drawn"} ] Depth 0 stands for
 * all operators; its nodes have only the first row of columns. If there are several methods, a drawing also has
 * "method": "forward", "other_typical": 0.5, "other_share": 0.1, the times of the other methods.
 */

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

/* Adds a number; NaN is a missing one. */
static void add_known(eti_json_writer *json, double number) {
    if (isnan(number))
        eti__json_add_null(json);
    else
        eti__json_add_double(json, number);
}

static void add_number(eti_json_writer *json, const char *name, double number) {
    eti__json_add_key(json, name);
    add_known(json, number);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static double typical_of(const eti_drawn_node *node) {
    return node->typical;
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
        add_known(json, of(&d->contraction.nodes[i]));
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
        add_doubles(json, d, "typical", typical_of);
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
    add_number(json, "other_typical", d->contraction.other_typical);
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
    add_number(json, "rest_typical", d->contraction.rest_typical);
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
