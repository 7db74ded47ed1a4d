#include "report/layout.h"

#include "base/status.h"
#include "report/layout_parts.h"

#include <stdlib.h>
#include <string.h>

#define LAYER_GAP 30 /* between two layers */

/* An edge between two nodes, of which `upper` comes first in the order of the nodes. */
typedef struct drawn_edge {
    uint32_t upper, lower;
    bool is_upwards;
} drawn_edge;

typedef struct maker {
    eti_layout *out;
    eti_layout_drawing drawing;
    const eti_layout_size *sizes;
    drawn_edge *edges; /* by their lower nodes, then by their upper ones */
    size_t n_edges;
    uint32_t *edges_of;   /* per node, and one more: index of the first edge with this lower node */
    uint32_t *last_layer; /* per node: the last layer that its edges pass */
    uint32_t *points; /* per node: the first point of its edges; those of the layers below follow */
} maker;

/* ---- edges ----------------------------------------------------------------------------------- */

static uint32_t lower_of(const eti_layout_edge *edge) {
    return edge->from > edge->to ? edge->from : edge->to;
}

static uint32_t upper_of(const eti_layout_edge *edge) {
    return edge->from > edge->to ? edge->to : edge->from;
}

/* Turns counts per group, from the second place on, into the first place of each. */
static void add_up(uint32_t *first, size_t n) {
    for (size_t i = 0; i < n; i++)
        first[i + 1] += first[i];
}

/* Sorts edges by one of their nodes, stably, and fills `first`. */
static void sort_by(uint32_t (*node_of)(const eti_layout_edge *edge), const eti_layout_edge *edges,
                    size_t n_edges, eti_layout_edge *sorted, uint32_t *first, size_t n_nodes) {
    memset(first, 0, (n_nodes + 1) * sizeof *first);
    for (size_t i = 0; i < n_edges; i++)
        first[node_of(&edges[i]) + 1]++;
    add_up(first, n_nodes);
    for (size_t i = 0; i < n_edges; i++)
        sorted[first[node_of(&edges[i])]++] = edges[i];
}

static int direction_of(const eti_layout_edge *edge) {
    return edge->from > edge->to;
}

/* Keeps one of equal sorted edges, and no edge of a node to itself. */
static size_t keep_distinct(const maker *m, const eti_layout_edge *sorted, size_t n) {
    size_t n_kept = 0;
    uint32_t upper = 0, lower = 0; /* of the edges before; equal at first, as in no kept edge */
    bool has[2] = {false, false};  /* either direction */
    for (size_t i = 0; i < n; i++) {
        const eti_layout_edge *edge = &sorted[i];
        int direction = direction_of(edge);
        if (upper_of(edge) != upper || lower_of(edge) != lower)
            has[0] = has[1] = false;
        upper = upper_of(edge);
        lower = lower_of(edge);
        if (upper == lower || has[direction])
            continue;
        has[direction] = true;
        if (n_kept < ETI_LAYOUT_MOST_POINTS)
            m->edges[n_kept] = (drawn_edge){upper, lower, direction == 1};
        n_kept++;
    }
    return n_kept;
}

static eti_status fail_too_many(eti_error *err, const char *what) {
    return eti_fail(err, ETI_ERROR_LIMIT, "the graph has more than %d %s to draw",
                    ETI_LAYOUT_MOST_POINTS, what);
}

static eti_status list_edges(maker *m, const eti_layout_edge *edges, size_t n_edges,
                             eti_error *err) {
    eti_layout_drawing *d = &m->drawing;
    size_t most = n_edges < ETI_LAYOUT_MOST_POINTS ? n_edges : ETI_LAYOUT_MOST_POINTS;
    if (n_edges >= UINT32_MAX)
        return fail_too_many(err, "edges");
    m->edges = eti__arena_alloc(&d->arena, most, sizeof *m->edges);
    m->edges_of = eti__arena_alloc_zero(&d->arena, d->n_nodes + 1, sizeof *m->edges_of);
    eti_layout_edge *sorted = calloc(2 * n_edges + 1, sizeof *sorted);
    if (!sorted || !m->edges || !m->edges_of) {
        free(sorted);
        return eti_fail_memory(err);
    }
    sort_by(upper_of, edges, n_edges, sorted + n_edges, m->edges_of, d->n_nodes);
    sort_by(lower_of, sorted + n_edges, n_edges, sorted, m->edges_of, d->n_nodes);
    m->n_edges = keep_distinct(m, sorted, n_edges);
    free(sorted);
    if (m->n_edges > ETI_LAYOUT_MOST_POINTS)
        return fail_too_many(err, "edges");
    memset(m->edges_of, 0, (d->n_nodes + 1) * sizeof *m->edges_of);
    for (size_t i = 0; i < m->n_edges; i++)
        m->edges_of[m->edges[i].lower + 1]++;
    add_up(m->edges_of, d->n_nodes);
    return ETI_OK;
}

/* ---- layers ---------------------------------------------------------------------------------- */

/* Returns a node's layer: below all nodes whose edges lead down to it. */
static uint32_t layer_below(const maker *m, uint32_t node) {
    uint32_t layer = 0;
    for (uint32_t i = m->edges_of[node]; i < m->edges_of[node + 1]; i++) {
        uint32_t above = m->drawing.layer_of[m->edges[i].upper];
        layer = above + 1 > layer ? above + 1 : layer;
    }
    return layer;
}

/* Puts nodes into layers; a node without edges from above goes just above the first node that it leads to. */
static bool set_layers(maker *m) {
    eti_layout_drawing *d = &m->drawing;
    uint32_t *layers = eti__arena_alloc(&d->arena, d->n_nodes, sizeof *layers);
    uint32_t *first_below = eti__arena_alloc(&d->arena, d->n_nodes, sizeof *first_below);
    if (!layers || !first_below)
        return false;
    d->layer_of = layers;
    for (uint32_t i = 0; i < d->n_nodes; i++) {
        first_below[i] = UINT32_MAX;
        layers[i] = layer_below(m, i);
        if (layers[i] >= d->n_layers)
            d->n_layers = (size_t)layers[i] + 1;
    }
    for (size_t i = 0; i < m->n_edges; i++) {
        uint32_t below = layers[m->edges[i].lower];
        if (below < first_below[m->edges[i].upper])
            first_below[m->edges[i].upper] = below;
    }
    for (uint32_t i = 0; i < d->n_nodes; i++) {
        if (m->edges_of[i] == m->edges_of[i + 1] && first_below[i] != UINT32_MAX)
            layers[i] = first_below[i] - 1;
    }
    return true;
}

/* ---- points and links ------------------------------------------------------------------------ */

/* Counts the points that each node needs: one in every layer that its edges pass. */
static eti_status count_points(maker *m, eti_error *err) {
    eti_layout_drawing *d = &m->drawing;
    size_t n_points = 0;
    m->last_layer = eti__arena_alloc(&d->arena, d->n_nodes, sizeof *m->last_layer);
    m->points = eti__arena_alloc(&d->arena, d->n_nodes, sizeof *m->points);
    if (!m->last_layer || !m->points)
        return eti_fail_memory(err);
    for (size_t i = 0; i < d->n_nodes; i++)
        m->last_layer[i] = d->layer_of[i];
    for (size_t i = 0; i < m->n_edges; i++) {
        uint32_t passed = d->layer_of[m->edges[i].lower] - 1;
        if (passed > m->last_layer[m->edges[i].upper])
            m->last_layer[m->edges[i].upper] = passed;
    }
    for (size_t i = 0; i < d->n_nodes; i++) {
        m->points[i] = (uint32_t)(d->n_nodes + n_points);
        n_points += m->last_layer[i] - d->layer_of[i];
    }
    d->n_stops = d->n_nodes + n_points;
    d->n_links = m->n_edges + n_points;
    return n_points > ETI_LAYOUT_MOST_POINTS ? fail_too_many(err, "bends of edges") : ETI_OK;
}

/* Returns the stop of a node's edges in a layer: the node itself, or a point. */
static uint32_t stop_in_layer(const maker *m, uint32_t node, uint32_t layer) {
    uint32_t own = m->drawing.layer_of[node];
    return layer == own ? node : m->points[node] + (layer - own - 1);
}

static void set_points(maker *m, uint32_t *layer_of) {
    const eti_layout_drawing *d = &m->drawing;
    for (uint32_t i = 0; i < d->n_nodes; i++) {
        layer_of[i] = d->layer_of[i];
        for (uint32_t layer = d->layer_of[i] + 1; layer <= m->last_layer[i]; layer++)
            layer_of[stop_in_layer(m, i, layer)] = layer;
    }
}

typedef void visit_link(void *context, uint32_t upper, uint32_t lower);

static void visit_links(const maker *m, visit_link *visit, void *context) {
    const eti_layout_drawing *d = &m->drawing;
    for (uint32_t i = 0; i < d->n_nodes; i++) {
        for (uint32_t layer = d->layer_of[i] + 1; layer <= m->last_layer[i]; layer++)
            visit(context, stop_in_layer(m, i, layer - 1), stop_in_layer(m, i, layer));
    }
    for (size_t i = 0; i < m->n_edges; i++) {
        uint32_t lower = m->edges[i].lower;
        visit(context, stop_in_layer(m, m->edges[i].upper, d->layer_of[lower] - 1), lower);
    }
}

static void count_link(void *context, uint32_t upper, uint32_t lower) {
    eti_layout_drawing *d = context;
    d->above.first[lower + 1]++;
    d->below.first[upper + 1]++;
}

/* Adds a link to both lists. Advances their `first`, which rewind_lists() restores. */
static void set_link(void *context, uint32_t upper, uint32_t lower) {
    eti_layout_drawing *d = context;
    d->above.items[d->above.first[lower]++] = upper;
    d->below.items[d->below.first[upper]++] = lower;
}

/* Restores the beginnings of lists, which moved while the lists were filled. */
static void rewind_lists(uint32_t *first, size_t n) {
    memmove(first + 1, first, n * sizeof *first);
    first[0] = 0;
}

static bool make_links(maker *m) {
    eti_layout_drawing *d = &m->drawing;
    size_t n = d->n_stops;
    uint32_t *layer_of = eti__arena_alloc(&d->arena, n, sizeof *layer_of);
    d->above.first = eti__arena_alloc_zero(&d->arena, n + 1, sizeof *d->above.first);
    d->below.first = eti__arena_alloc_zero(&d->arena, n + 1, sizeof *d->below.first);
    d->above.items = eti__arena_alloc(&d->arena, d->n_links, sizeof *d->above.items);
    d->below.items = eti__arena_alloc(&d->arena, d->n_links, sizeof *d->below.items);
    if (!layer_of || !d->above.first || !d->below.first || !d->above.items || !d->below.items)
        return false;
    set_points(m, layer_of);
    visit_links(m, count_link, d);
    add_up(d->above.first, n);
    add_up(d->below.first, n);
    visit_links(m, set_link, d);
    rewind_lists(d->above.first, n);
    rewind_lists(d->below.first, n);
    d->layer_of = layer_of;
    return true;
}

/* Makes the initial order: the nodes in their order, each followed by the points of its edges. */
static bool make_order(maker *m) {
    eti_layout_drawing *d = &m->drawing;
    d->first_of_layer =
        eti__arena_alloc_zero(&d->arena, d->n_layers + 1, sizeof *d->first_of_layer);
    d->order = eti__arena_alloc(&d->arena, d->n_stops, sizeof *d->order);
    d->position = eti__arena_alloc(&d->arena, d->n_stops, sizeof *d->position);
    d->widths = eti__arena_alloc_zero(&d->arena, d->n_stops, sizeof *d->widths);
    d->x = eti__arena_alloc_zero(&d->arena, d->n_stops, sizeof *d->x);
    if (!d->first_of_layer || !d->order || !d->position || !d->widths || !d->x)
        return false;
    for (size_t i = 0; i < d->n_stops; i++)
        d->first_of_layer[d->layer_of[i] + 1]++;
    add_up(d->first_of_layer, d->n_layers);
    for (uint32_t i = 0; i < d->n_nodes; i++) {
        d->widths[i] = m->sizes[i].width;
        for (uint32_t layer = d->layer_of[i]; layer <= m->last_layer[i]; layer++)
            d->order[d->first_of_layer[layer]++] = stop_in_layer(m, i, layer);
    }
    rewind_lists(d->first_of_layer, d->n_layers);
    return true;
}

/* ---- the result ------------------------------------------------------------------------------ */

static bool set_layer_sizes(maker *m) {
    eti_layout *out = m->out;
    int32_t y = 0;
    out->n_layers = m->drawing.n_layers;
    out->layers = eti__arena_alloc_zero(&out->arena, out->n_layers, sizeof *out->layers);
    if (!out->layers)
        return false;
    for (size_t i = 0; i < out->n_nodes; i++) {
        eti_layout_layer *layer = &out->layers[out->stops[i].layer];
        if (m->sizes[i].height > layer->height)
            layer->height = m->sizes[i].height;
    }
    for (size_t i = 0; i < out->n_layers; i++) {
        out->layers[i].y = y;
        y += out->layers[i].height + LAYER_GAP;
    }
    out->height = out->n_layers > 0 ? y - LAYER_GAP : 0;
    return true;
}

/* Moves all so that the leftmost begins at 0. */
static void set_width(maker *m) {
    eti_layout *out = m->out;
    int32_t left = INT32_MAX, right = 0;
    for (size_t i = 0; i < out->n_stops; i++) {
        int32_t begin = out->stops[i].x - m->drawing.widths[i] / 2;
        left = begin < left ? begin : left;
    }
    for (size_t i = 0; i < out->n_stops; i++) {
        out->stops[i].x -= left;
        int32_t end = out->stops[i].x + (m->drawing.widths[i] + 1) / 2;
        right = end > right ? end : right;
    }
    out->width = right;
}

/* Returns whether a point can be left out: the only line through it goes straight down. */
static bool is_passed_straight(const eti_layout_drawing *d, uint32_t point) {
    uint32_t above = d->above.items[d->above.first[point]], first = d->below.first[point];
    return d->below.first[point + 1] - first == 1 && d->x[above] == d->x[point] &&
           d->x[d->below.items[first]] == d->x[point];
}

/* Keeps the nodes, and the points where lines bend or branch. Returns the new numbers; a point that is left out has the
 * number of the stop above it. */
static uint32_t *keep_stops(maker *m) {
    const eti_layout_drawing *d = &m->drawing;
    eti_layout *out = m->out;
    uint32_t *kept_as = eti__arena_alloc(&m->drawing.arena, d->n_stops, sizeof *kept_as);
    out->stops = eti__arena_alloc(&out->arena, d->n_stops, sizeof *out->stops);
    if (!kept_as || !out->stops)
        return NULL;
    for (uint32_t i = 0; i < d->n_stops; i++) {
        uint32_t above = 0;
        if (eti__layout_is_point(d, i)) { /* the stop above it has a smaller number */
            above = kept_as[d->above.items[d->above.first[i]]];
            kept_as[i] = above;
            if (is_passed_straight(d, i))
                continue;
        }
        kept_as[i] = (uint32_t)out->n_stops;
        out->stops[out->n_stops++] = (eti_layout_stop){(int32_t)d->x[i], d->layer_of[i], above};
    }
    return kept_as;
}

static bool set_result(maker *m) {
    eti_layout *out = m->out;
    out->n_nodes = m->drawing.n_nodes;
    const uint32_t *kept_as = keep_stops(m);
    out->lines = eti__arena_alloc(&out->arena, m->n_edges, sizeof *out->lines);
    if (!kept_as || !out->lines || !set_layer_sizes(m))
        return false;
    set_width(m);
    for (size_t i = 0; i < m->n_edges; i++) {
        const drawn_edge *edge = &m->edges[i];
        uint32_t passed = m->drawing.layer_of[edge->lower] - 1;
        out->lines[out->n_lines++] =
            (eti_layout_line){.from = edge->is_upwards ? edge->lower : edge->upper,
                              .to = edge->is_upwards ? edge->upper : edge->lower,
                              .above = kept_as[stop_in_layer(m, edge->upper, passed)],
                              .is_upwards = edge->is_upwards};
    }
    return true;
}

static eti_status make(maker *m, const eti_layout_edge *edges, size_t n_edges, eti_error *err) {
    ETI_TRY(list_edges(m, edges, n_edges, err));
    if (!set_layers(m))
        return eti_fail_memory(err);
    ETI_TRY(count_points(m, err));
    bool done = make_links(m) && make_order(m) &&
                eti__layout_order(&m->drawing, &m->out->n_crossings) &&
                eti__layout_place(&m->drawing) && set_result(m);
    return done ? ETI_OK : eti_fail_memory(err);
}

eti_status eti__layout_make(eti_layout *out, const eti_layout_size *sizes, size_t n_nodes,
                            const eti_layout_edge *edges, size_t n_edges, eti_error *err) {
    maker m = {.out = out, .sizes = sizes, .drawing = {.n_nodes = n_nodes}};
    *out = (eti_layout){.stops = NULL};
    if (n_nodes > ETI_LAYOUT_MOST_NODES)
        return eti_fail(err, ETI_ERROR_LIMIT, "the graph has %zu nodes: at most %d are drawn",
                        n_nodes, ETI_LAYOUT_MOST_NODES);
    eti_status status = make(&m, edges, n_edges, err);
    eti__arena_free(&m.drawing.arena);
    return status;
}

void eti__layout_free(eti_layout *layout) {
    eti__arena_free(&layout->arena);
    *layout = (eti_layout){0};
}
