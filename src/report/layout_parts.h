/*
 * layout_parts.h - declarations shared by the sources of a layout: nodes and points of edges, by layers, and the links
 * between them.
 */
#ifndef ETI_REPORT_LAYOUT_PARTS_H
#define ETI_REPORT_LAYOUT_PARTS_H

#include "base/arena.h"

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

/* Returns whether a stop is a point of edges that pass its layer. */
static inline bool eti__layout_is_point(const eti_layout_drawing *drawing, uint32_t stop) {
    return stop >= drawing->n_nodes;
}

/* Orders the stops of each layer so that few links cross; `order` has the initial order, which is kept if none is better.
 * Stores the number of crossings in `crossings`. False: out of memory. */
bool eti__layout_order(eti_layout_drawing *drawing, uint64_t *crossings) ETI_WARN_UNUSED;

/* Sets `x` of all stops, in their order. False: out of memory. */
bool eti__layout_place(eti_layout_drawing *drawing) ETI_WARN_UNUSED;

#endif
