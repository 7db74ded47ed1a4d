/*
 * Sweeps down and up through the layers. In each layer, a stop moves to the mean place of the stops that it is linked with
 * in the layer before (its barycentre); the best order found is kept (Sugiyama, Tagawa and Toda, Methods for Visual
 * Understanding of Hierarchical System Structures, 1981).
 */
#include "report/layout_parts.h"

#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#define N_SWEEPS 8

/* A stop while its layer is sorted. */
typedef struct wish {
    double place;
    uint32_t position, stop;
} wish;

typedef struct sweeper {
    eti_layout_drawing *drawing;
    wish *wishes;   /* one per stop of the widest layer */
    uint32_t *best; /* order */
    uint64_t *sums; /* a Fenwick tree over the places of the widest layer */
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
    const wish *left = a, *right = b;
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
        s->wishes[i] = (wish){wished_place(d, links, order[i]), (uint32_t)i, order[i]};
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

bool eti__layout_order(eti_layout_drawing *drawing, uint64_t *crossings) {
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
