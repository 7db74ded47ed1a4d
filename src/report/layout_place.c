/*
 * Sweeps through the layers. In each layer, the wish of a stop is the middle of the stops that it is linked with. The places
 * that are nearest to the wishes (least sum of weighted squares) and keep order and distances are the isotonic regression of
 * the wishes minus the distances, which pooling adjacent violators finds (Barlow and others, Statistical Inference under
 * Order Restrictions, 1972).
 */
#include "report/layout_parts.h"

#include <math.h>
#include <stdlib.h>

#define N_SWEEPS 12
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

static double weight_of(const eti_layout_drawing *d, uint32_t stop) {
    return eti__layout_is_point(d, stop) ? POINT_WEIGHT : 1.0;
}

/* Returns the least distance of the middles of two neighbours. */
static double distance(const eti_layout_drawing *d, uint32_t left, uint32_t right) {
    bool is_point = eti__layout_is_point(d, left), is_next = eti__layout_is_point(d, right);
    double gap = is_point && is_next   ? POINT_GAP
                 : is_point || is_next ? NODE_TO_POINT_GAP
                                       : NODE_GAP;
    return ((double)d->widths[left] + (double)d->widths[right]) / 2 + gap;
}

/* Adds up the weighted places of the stops linked with a stop. */
static void add_wishes(const eti_layout_drawing *d, const eti_layout_links *links, uint32_t stop,
                       double *sum, double *weight) {
    for (uint32_t i = links->first[stop]; i < links->first[stop + 1]; i++) {
        double of = eti__layout_is_point(d, stop) ? weight_of(d, links->items[i]) : 1.0;
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
        if (is_only || (eti__layout_is_point(d, stop) && eti__layout_is_point(d, below)))
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

bool eti__layout_place(eti_layout_drawing *drawing) {
    size_t n = drawing->n_layers;
    placer p = {.drawing = drawing,
                .offsets = eti__arena_alloc(&drawing->arena, drawing->n_stops, sizeof *p.offsets),
                .pools = eti__arena_alloc(&drawing->arena, drawing->n_stops, sizeof *p.pools)};
    if (!p.offsets || !p.pools)
        return false;
    start(&p);
    for (size_t i = 0; i < N_SWEEPS; i++) {
        bool is_down = i % 2 == 0, is_last = i >= N_SWEEPS - N_LAST_SWEEPS;
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
