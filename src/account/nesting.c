#include "account/nesting.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

eti_status eti__nesting_init(eti_nesting *out, size_t n, eti_error *err) {
    *out = (eti_nesting){.n = n};
    size_t room = n ? n : 1;
    out->start = calloc(room, sizeof *out->start);
    out->end = calloc(room, sizeof *out->end);
    out->self = calloc(room, sizeof *out->self);
    out->parent = calloc(room, sizeof *out->parent);
    out->order = calloc(room, sizeof *out->order);
    out->scratch = calloc(room, sizeof *out->scratch);
    if (!out->start || !out->end || !out->self || !out->parent || !out->order || !out->scratch) {
        eti__nesting_free(out);
        return eti_fail_memory(err);
    }
    for (size_t i = 0; i < n; i++)
        out->order[i] = (uint32_t)i;
    return ETI_OK;
}

void eti__nesting_free(eti_nesting *nesting) {
    free(nesting->start);
    free(nesting->end);
    free(nesting->self);
    free(nesting->parent);
    free(nesting->order);
    free(nesting->scratch);
    *nesting = (eti_nesting){0};
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Returns whether `a` comes before `b`: it starts first or, if both start together, is longer or, if both are equal,
 * was recorded last. Thus the outer interval comes before the inner one. */
static bool comes_first(const eti_nesting *nesting, uint32_t a, uint32_t b) {
    if (nesting->start[a] != nesting->start[b])
        return nesting->start[a] < nesting->start[b];
    if (nesting->end[a] != nesting->end[b])
        return nesting->end[a] > nesting->end[b];
    return a > b;
}

static bool is_sorted(const eti_nesting *nesting) {
    for (size_t i = 1; i < nesting->n; i++) {
        if (!comes_first(nesting, nesting->order[i - 1], nesting->order[i]))
            return false;
    }
    return true;
}

/* Merges the sorted parts [first, middle) and [middle, end) of `from` into `to`. */
static void merge(const eti_nesting *nesting, const uint32_t *from, uint32_t *to, size_t first,
                  size_t middle, size_t end) {
    size_t a = first, b = middle;
    for (size_t i = first; i < end; i++) {
        bool takes_a = a < middle && (b == end || comes_first(nesting, from[a], from[b]));
        to[i] = takes_a ? from[a++] : from[b++];
    }
}

/* Sorts by merging, which is also fast in the worst case. */
static void sort(eti_nesting *nesting) {
    size_t n = nesting->n;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t first = 0; first < n; first += 2 * width) {
            size_t middle = n - first < width ? n : first + width;
            size_t end = n - middle < width ? n : middle + width;
            merge(nesting, nesting->order, nesting->scratch, first, middle, end);
        }
        uint32_t *sorted = nesting->scratch;
        nesting->scratch = nesting->order;
        nesting->order = sorted;
    }
}

/* ---- nesting --------------------------------------------------------------------------------- */

/* Returns whether `inner`, which comes later in order, lies outside of `outer`. */
static bool is_past(const eti_nesting *nesting, uint32_t outer, uint32_t inner, bool is_outermost) {
    if (nesting->end[outer] < nesting->end[inner])
        return true;
    return nesting->end[outer] == nesting->start[inner] &&
           nesting->start[outer] < nesting->start[inner] && !is_outermost;
}

/* Pops intervals that do not contain `interval` off the stack. Intervals come in the order of their starts, so any
 * later interval that lies inside a popped one also lies inside this one. Until the sums are made, `self` is the part
 * of an interval that counts. */
static size_t unwind(eti_nesting *nesting, const uint32_t *stack, size_t depth, uint32_t interval) {
    size_t kept = depth;
    while (kept > 0 && is_past(nesting, stack[kept - 1], interval, kept == 1))
        kept--;
    if (kept == 0)
        return 0;
    uint64_t start = nesting->start[interval];
    for (size_t i = kept; i < depth; i++) {
        uint32_t open = stack[i];
        if (nesting->end[open] > start) {
            nesting->self[open] = start - nesting->start[open];
            if (nesting->n_overlaps < ETI_OVERLAPS_KEPT)
                nesting->overlaps[nesting->n_overlaps] = open;
            nesting->n_overlaps++;
        }
    }
    return kept;
}

void eti__nesting_find(eti_nesting *nesting) {
    if (!is_sorted(nesting))
        sort(nesting);
    uint32_t *stack = nesting->scratch;
    size_t depth = 0;
    nesting->n_overlaps = 0;
    for (size_t i = 0; i < nesting->n; i++) {
        uint32_t interval = nesting->order[i];
        nesting->self[interval] = nesting->end[interval] - nesting->start[interval];
        depth = unwind(nesting, stack, depth, interval);
        nesting->parent[interval] = depth > 0 ? stack[depth - 1] : ETI_NO_PARENT;
        stack[depth++] = interval;
    }
    /* from the outermost interval inwards, so that each `self` is still complete when it is subtracted from its
     * parent's */
    for (size_t i = 0; i < nesting->n; i++) {
        uint32_t interval = nesting->order[i], parent = nesting->parent[interval];
        if (parent != ETI_NO_PARENT)
            nesting->self[parent] -= nesting->self[interval];
    }
}
