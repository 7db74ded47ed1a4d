#include "report/layout.h"

#include "base/sort.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== layout order ============================================================================ */

/*
 * Sweeps down and up through the layers. In each layer, a stop moves to the mean place of the stops that it is linked with
 * in the layer before (its barycentre); the best order found is kept (Sugiyama, Tagawa and Toda, Methods for Visual
 * Understanding of Hierarchical System Structures, 1981).
 */

#define N_SWEEPS 8

/* A stop while its layer is sorted. */
typedef struct order_wish {
    double place;
    uint32_t position, stop;
} order_wish;

/* Numbers of stops, grouped by one of them: those of stop i are items[first[i]] to items[first[i + 1] - 1]. */
typedef struct eti_layout_links {
    uint32_t *first; /* per stop, and one more */
    uint32_t *items;
} eti_layout_links;

typedef struct eti_layout_drawing {
    eti_arena arena;
    size_t n_nodes, n_stops, n_links, n_layers;
    uint32_t *layer_of;            /* per stop */
    eti_layout_links above, below; /* in the neighbouring layers, ascending */
    uint32_t *first_of_layer;      /* in `order`, per layer, and one more */
    uint32_t *order;               /* stops from left to right, layer by layer */
    uint32_t *position;            /* per stop: its place in its layer */
    int32_t *widths;               /* per stop */
    double *x;                     /* per stop: of its middle */
} eti_layout_drawing;

typedef struct sweeper {
    eti_layout_drawing *drawing;
    order_wish *wishes; /* one per stop of the widest layer */
    uint32_t *best;     /* order */
    uint64_t *sums;     /* a Fenwick tree over the places of the widest layer */
} sweeper;

static size_t size_of_layer(const eti_layout_drawing *drawing, size_t layer) {
    return drawing->first_of_layer[layer + 1] - drawing->first_of_layer[layer];
}

static size_t widest_layer(const eti_layout_drawing *drawing) {
    size_t most = 0;
    for (size_t i = 0; i < drawing->n_layers; i++)
        most = size_of_layer(drawing, i) > most ? size_of_layer(drawing, i) : most;
    return most;
}

/* ---- crossings ------------------------------------------------------------------------------- */

static void add_link(uint64_t *sums, size_t n, size_t place) {
    for (size_t i = place + 1; i <= n; i += i & (~i + 1))
        sums[i]++;
}

/* Returns the number of links added at places up to this one. */
static uint64_t links_up_to(const uint64_t *sums, size_t place) {
    uint64_t sum = 0;
    for (size_t i = place + 1; i > 0; i -= i & (~i + 1))
        sum += sums[i];
    return sum;
}

/* Counts the crossings between a layer and the next: pairs of links whose ends are in opposite orders. */
static uint64_t count_below(const sweeper *s, size_t layer) {
    const eti_layout_drawing *d = s->drawing;
    size_t n = size_of_layer(d, layer + 1);
    uint64_t crossings = 0, n_added = 0;
    memset(s->sums, 0, (n + 1) * sizeof *s->sums);
    for (uint32_t i = d->first_of_layer[layer]; i < d->first_of_layer[layer + 1]; i++) {
        uint32_t stop = d->order[i], first = d->below.first[stop], end = d->below.first[stop + 1];
        for (uint32_t k = first; k < end; k++)
            crossings += n_added - links_up_to(s->sums, d->position[d->below.items[k]]);
        for (uint32_t k = first; k < end; k++)
            add_link(s->sums, n, d->position[d->below.items[k]]);
        n_added += end - first;
    }
    return crossings;
}

static uint64_t count_crossings(const sweeper *s) {
    uint64_t sum = 0;
    for (size_t i = 0; i + 1 < s->drawing->n_layers; i++)
        sum += count_below(s, i);
    return sum;
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

static int compare_wishes(const void *a, const void *b, void *context) {
    const order_wish *left = a, *right = b;
    (void)context;
    if (left->place < right->place)
        return -1;
    if (left->place > right->place)
        return 1;
    return left->position < right->position ? -1 : left->position > right->position;
}

static void set_positions(eti_layout_drawing *drawing, size_t layer) {
    uint32_t first = drawing->first_of_layer[layer];
    for (uint32_t i = first; i < drawing->first_of_layer[layer + 1]; i++)
        drawing->position[drawing->order[i]] = i - first;
}

/* Returns the mean place of the stops linked with a stop, as a share of their layer's size; without links, its own place. */
static double wished_place(const eti_layout_drawing *d, const eti_layout_links *links,
                           uint32_t stop) {
    uint32_t first = links->first[stop], end = links->first[stop + 1];
    uint64_t sum = 0;
    if (first == end)
        return ((double)d->position[stop] + 0.5) / (double)size_of_layer(d, d->layer_of[stop]);
    for (uint32_t i = first; i < end; i++)
        sum += d->position[links->items[i]];
    return ((double)sum / (double)(end - first) + 0.5) /
           (double)size_of_layer(d, d->layer_of[links->items[first]]);
}

static void sort_layer(const sweeper *s, size_t layer, const eti_layout_links *links) {
    eti_layout_drawing *d = s->drawing;
    uint32_t *order = d->order + d->first_of_layer[layer];
    size_t n = size_of_layer(d, layer);
    for (size_t i = 0; i < n; i++)
        s->wishes[i] = (order_wish){wished_place(d, links, order[i]), (uint32_t)i, order[i]};
    eti__sort(s->wishes, n, sizeof *s->wishes, compare_wishes, NULL);
    for (size_t i = 0; i < n; i++)
        order[i] = s->wishes[i].stop;
    set_positions(d, layer);
}

static void sweep(const sweeper *s, bool is_down) {
    size_t n = s->drawing->n_layers;
    for (size_t i = 1; i < n; i++)
        sort_layer(s, is_down ? i : n - 1 - i, is_down ? &s->drawing->above : &s->drawing->below);
}

static void copy_order(const sweeper *s, uint32_t *to, const uint32_t *from) {
    if (s->drawing->n_stops > 0)
        memcpy(to, from, s->drawing->n_stops * sizeof *to);
}

/* Orders the stops of each layer so that few links cross; `order` has the initial order, which is kept if none is better.
 * Stores the number of crossings in `crossings`. False: out of memory. */
static bool order_layout(eti_layout_drawing *drawing, uint64_t *crossings) {
    size_t widest = widest_layer(drawing);
    sweeper s = {.drawing = drawing,
                 .wishes = eti__arena_alloc(&drawing->arena, widest, sizeof *s.wishes),
                 .best = eti__arena_alloc(&drawing->arena, drawing->n_stops, sizeof *s.best),
                 .sums = eti__arena_alloc(&drawing->arena, widest + 1, sizeof *s.sums)};
    if (!s.wishes || !s.best || !s.sums)
        return false;
    for (size_t i = 0; i < drawing->n_layers; i++)
        set_positions(drawing, i);
    copy_order(&s, s.best, drawing->order);
    *crossings = count_crossings(&s);
    for (size_t i = 0; i<N_SWEEPS && * crossings> 0; i++) {
        sweep(&s, i % 2 == 0);
        uint64_t now = count_crossings(&s);
        if (now >= *crossings)
            continue;
        *crossings = now;
        copy_order(&s, s.best, drawing->order);
    }
    copy_order(&s, drawing->order, s.best);
    for (size_t i = 0; i < drawing->n_layers; i++)
        set_positions(drawing, i);
    return true;
}

/* ==== layout place ============================================================================ */

/*
 * Sweeps through the layers. In each layer, the wish of a stop is the middle of the stops that it is linked with. The places
 * that are nearest to the wishes (least sum of weighted squares) and keep order and distances are the isotonic regression of
 * the wishes minus the distances, which pooling adjacent violators finds (Barlow and others, Statistical Inference under
 * Order Restrictions, 1972).
 */

#define N_PLACE_SWEEPS 12
#define N_LAST_SWEEPS 2  /* last sweeps, which use the links to both sides */
#define N_STRAIGHTENED 2 /* straightened lines make room for others */
#define POINT_WEIGHT 4.0 /* of a point of an edge, so that long edges become straight */
#define NODE_GAP 24.0    /* between two nodes of a layer */
#define POINT_GAP 14.0   /* between two points */
#define NODE_TO_POINT_GAP 18.0

#define NO_STOP UINT32_MAX

/* Stops of a layer that are as close to each other as possible. */
typedef struct pool {
    double sum,
        weight; /* of the wishes, each minus the stop's least distance from the first stop of the layer */
    uint32_t n;
} pool;

typedef struct placer {
    eti_layout_drawing *drawing;
    double *offsets; /* per stop of the widest layer: its least distance from the first */
    pool *pools;
} placer;

/* Returns whether a stop is a point of edges that pass its layer. */
static inline bool layout_is_point(const eti_layout_drawing *drawing, uint32_t stop) {
    return stop >= drawing->n_nodes;
}

static double weight_of(const eti_layout_drawing *d, uint32_t stop) {
    return layout_is_point(d, stop) ? POINT_WEIGHT : 1.0;
}

/* Returns the least distance of the middles of two neighbours. */
static double distance(const eti_layout_drawing *d, uint32_t left, uint32_t right) {
    bool is_point = layout_is_point(d, left), is_next = layout_is_point(d, right);
    double gap = is_point && is_next   ? POINT_GAP
                 : is_point || is_next ? NODE_TO_POINT_GAP
                                       : NODE_GAP;
    return ((double)d->widths[left] + (double)d->widths[right]) / 2 + gap;
}

/* Adds up the weighted places of the stops linked with a stop. */
static void add_wishes(const eti_layout_drawing *d, const eti_layout_links *links, uint32_t stop,
                       double *sum, double *weight) {
    for (uint32_t i = links->first[stop]; i < links->first[stop + 1]; i++) {
        double of = layout_is_point(d, stop) ? weight_of(d, links->items[i]) : 1.0;
        *sum += of * d->x[links->items[i]];
        *weight += of;
    }
}

static double wished_x(const eti_layout_drawing *d, uint32_t stop, bool sees_above,
                       bool sees_below) {
    double sum = 0, weight = 0;
    if (sees_above)
        add_wishes(d, &d->above, stop, &sum, &weight);
    if (sees_below)
        add_wishes(d, &d->below, stop, &sum, &weight);
    return weight > 0 ? sum / weight : d->x[stop];
}

static void set_offsets(const placer *p, const uint32_t *order, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        p->offsets[i] =
            i == 0 ? 0 : p->offsets[i - 1] + distance(p->drawing, order[i - 1], order[i]);
}

static void place_layer(const placer *p, size_t layer, bool sees_above, bool sees_below) {
    eti_layout_drawing *d = p->drawing;
    const uint32_t *order = d->order + d->first_of_layer[layer];
    uint32_t n = d->first_of_layer[layer + 1] - d->first_of_layer[layer], n_pools = 0, next = 0;
    set_offsets(p, order, n);
    for (uint32_t i = 0; i < n; i++) {
        double weight = weight_of(d, order[i]);
        double wish = wished_x(d, order[i], sees_above, sees_below) - p->offsets[i];
        pool last = {weight * wish, weight, 1};
        /* a pool that would be too close to the one before joins it */
        while (n_pools > 0 &&
               p->pools[n_pools - 1].sum * last.weight >= last.sum * p->pools[n_pools - 1].weight) {
            const pool *before = &p->pools[--n_pools];
            last = (pool){last.sum + before->sum, last.weight + before->weight, last.n + before->n};
        }
        p->pools[n_pools++] = last;
    }
    for (uint32_t i = 0; i < n_pools; i++) {
        for (uint32_t k = 0; k < p->pools[i].n; k++, next++)
            d->x[order[next]] = p->pools[i].sum / p->pools[i].weight + p->offsets[next];
    }
}

/* Puts the stops of each layer side by side, with its middle at 0. */
static void start(const placer *p) {
    eti_layout_drawing *d = p->drawing;
    for (size_t layer = 0; layer < d->n_layers; layer++) {
        const uint32_t *order = d->order + d->first_of_layer[layer];
        uint32_t n = d->first_of_layer[layer + 1] - d->first_of_layer[layer];
        set_offsets(p, order, n);
        for (uint32_t i = 0; i < n; i++)
            d->x[order[i]] = p->offsets[i] - p->offsets[n - 1] / 2;
    }
}

/* ---- straight lines -------------------------------------------------------------------------- */

/* Range of places of a stop between its neighbours. */
typedef struct room {
    double least, most;
} room;

static room room_of(const eti_layout_drawing *d, uint32_t stop) {
    size_t layer = d->layer_of[stop];
    uint32_t at = d->first_of_layer[layer] + d->position[stop];
    room of = {-INFINITY, INFINITY};
    if (at > d->first_of_layer[layer])
        of.least = ceil(d->x[d->order[at - 1]] + distance(d, d->order[at - 1], stop));
    if (at + 1 < d->first_of_layer[layer + 1])
        of.most = floor(d->x[d->order[at + 1]] - distance(d, stop, d->order[at + 1]));
    if (of.least > d->x[stop])
        of.least = d->x[stop];
    if (of.most < d->x[stop])
        of.most = d->x[stop];
    return of;
}

/* Returns the stop to which a line continues: the next point of a trunk, or the only stop below if nothing else leads
 * there. */
static uint32_t stop_below(const eti_layout_drawing *d, uint32_t stop) {
    uint32_t first = d->below.first[stop], end = d->below.first[stop + 1];
    for (uint32_t i = first; i < end; i++) {
        uint32_t below = d->below.items[i];
        bool is_only = end - first == 1 && d->above.first[below + 1] - d->above.first[below] == 1;
        if (is_only || (layout_is_point(d, stop) && layout_is_point(d, below)))
            return below;
    }
    return NO_STOP;
}

/* Puts `n` successive stops of a line, beginning with `first`, below each other, near the mean of their old places. */
static void align(eti_layout_drawing *d, uint32_t first, size_t n, double sum, room of) {
    double x = floor(sum / (double)n + 0.5);
    x = x < of.least ? of.least : x > of.most ? of.most : x;
    for (; n > 0; n--, first = stop_below(d, first))
        d->x[first] = x;
}

/* Makes a line straight as far as there is room, and starts again where the room ends. */
static void straighten(eti_layout_drawing *d, uint32_t stop) {
    while (stop != NO_STOP) {
        uint32_t first = stop;
        room of = room_of(d, stop);
        double sum = 0;
        size_t n = 0;
        for (; stop != NO_STOP; stop = stop_below(d, stop), n++) {
            room next = room_of(d, stop);
            if (next.least > of.most || next.most < of.least)
                break;
            of.least = next.least > of.least ? next.least : of.least;
            of.most = next.most < of.most ? next.most : of.most;
            sum += d->x[stop];
        }
        align(d, first, n, sum, of);
    }
}

/* Straightens all lines. False: out of memory. */
static bool straighten_lines(eti_layout_drawing *d) {
    bool *is_inner = eti__arena_alloc_zero(&d->arena, d->n_stops, sizeof *is_inner);
    if (!is_inner)
        return false;
    for (uint32_t i = 0; i < d->n_stops; i++) {
        uint32_t below = stop_below(d, i);
        if (below != NO_STOP)
            is_inner[below] = true;
    }
    for (uint32_t i = 0; i < d->n_stops; i++) {
        if (!is_inner[i])
            straighten(d, i);
    }
    return true;
}

/* Sets `x` of all stops, in their order. False: out of memory. */
static bool place_layout(eti_layout_drawing *drawing) {
    size_t n = drawing->n_layers;
    placer p = {.drawing = drawing,
                .offsets = eti__arena_alloc(&drawing->arena, drawing->n_stops, sizeof *p.offsets),
                .pools = eti__arena_alloc(&drawing->arena, drawing->n_stops, sizeof *p.pools)};
    if (!p.offsets || !p.pools)
        return false;
    start(&p);
    for (size_t i = 0; i < N_PLACE_SWEEPS; i++) {
        bool is_down = i % 2 == 0, is_last = i >= N_PLACE_SWEEPS - N_LAST_SWEEPS;
        for (size_t k = 0; k < n; k++)
            place_layer(&p, is_down ? k : n - 1 - k, is_down || is_last, !is_down || is_last);
    }
    for (size_t i = 0; i < drawing->n_stops; i++)
        drawing->x[i] = floor(drawing->x[i] + 0.5);
    for (size_t i = 0; i < N_STRAIGHTENED; i++) {
        if (!straighten_lines(drawing))
            return false;
    }
    return true;
}

/* ==== layout ================================================================================== */

#define ETI_LAYOUT_MOST_POINTS 50000 /* and edges, each */
#define ETI_LAYOUT_MOST_SIZE 1000    /* of a node */

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
        if (layout_is_point(d, i)) { /* the stop above it has a smaller number */
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
    bool done = make_links(m) && make_order(m) && order_layout(&m->drawing, &m->out->n_crossings) &&
                place_layout(&m->drawing) && set_result(m);
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
