/*
 * layout.h - turns nodes in topological order, their sizes and edges into a layered drawing: integer coordinates and lines.
 *
 * Nodes are in layers, y grows downwards, and every edge leads from a layer to a lower one. An edge that passes layers has a
 * point in each; edges from one node share their points, so that they are drawn as a trunk with branches. Between two layers
 * lines go from the lower border of one to the upper border of the next; through a layer they go straight down.
 *
 * Edges of a node to itself are left out, and repeated edges are drawn once. An edge against the order of the nodes is drawn
 * upwards.
 */
#ifndef ETI_REPORT_LAYOUT_H
#define ETI_REPORT_LAYOUT_H

#include "base/arena.h"
#include "etinspect.h"

#define ETI_LAYOUT_MOST_NODES 5000

typedef struct eti_layout_size {
    int32_t width, height; /* 1 to ETI_LAYOUT_MOST_SIZE */
} eti_layout_size;

typedef struct eti_layout_edge {
    uint32_t from, to; /* numbers of nodes, below their number */
} eti_layout_edge;

/* A node, or a point of edges that pass a layer. */
typedef struct eti_layout_stop {
    int32_t x; /* of the middle */
    uint32_t layer;
    uint32_t above; /* of a point: the stop from which its line comes */
} eti_layout_stop;

/* An edge. Its line goes from its upper node through the stops that lead to `above` to its lower node. */
typedef struct eti_layout_line {
    uint32_t from, to;
    uint32_t above;  /* the last stop before the lower node */
    bool is_upwards; /* `to` is the upper node */
} eti_layout_line;

typedef struct eti_layout_layer {
    int32_t y, height; /* `y` of its upper border; `height` of its tallest node */
} eti_layout_layer;

typedef struct eti_layout {
    /* First the nodes, then the points. A line between stops of layers that are not neighbours goes straight down. */
    eti_layout_stop *stops;
    size_t n_nodes, n_stops;
    eti_layout_line *lines; /* by their lower nodes, then by their upper ones */
    size_t n_lines;
    eti_layout_layer *layers;
    size_t n_layers;
    int32_t width, height; /* of all, from 0 */
    uint64_t n_crossings;  /* of lines between neighbouring layers */
    eti_arena arena;
} eti_layout;

/* Lays out the nodes; the same input gives the same numbers. ETI_ERROR_LIMIT: more than ETI_LAYOUT_MOST_NODES nodes, or more
 * than ETI_LAYOUT_MOST_POINTS drawn edges or points of edges; ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__layout_make(eti_layout *out, const eti_layout_size *sizes, size_t n_nodes,
                            const eti_layout_edge *edges, size_t n_edges,
                            eti_error *err) ETI_WARN_UNUSED;
void eti__layout_free(eti_layout *layout);

#endif
