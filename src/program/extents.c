#include "program/extents.h"

#include "base/sort.h"
#include "base/status.h"

#include <stdlib.h>

static int compare_numbers(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

/* Sorts by holder, so that a holder comes before its contents; then by the first byte. */
static int compare_extents(const void *a, const void *b, void *context) {
    const eti_extent *extents = context;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    const eti_extent *l = &extents[left], *r = &extents[right];
    bool l_is_held = l->holder != ETI_NO_HOLDER, r_is_held = r->holder != ETI_NO_HOLDER;
    int order = l_is_held - r_is_held;
    if (order == 0 && l_is_held)
        order = compare_numbers(l->holder, r->holder);
    if (order == 0)
        order = compare_numbers(l->begin, r->begin);
    return order ? order : compare_numbers(left, right);
}

/* Cuts an extent to its holder and to the bytes after `end`, before which all are assigned. */
static void cut(eti_extent *extent, const eti_extent *holder, uint64_t *end) {
    if (extent->begin < *end)
        extent->begin = *end;
    if (extent->end > holder->end)
        extent->end = holder->end;
    if (extent->end < extent->begin)
        extent->end = extent->begin;
    else
        *end = extent->end;
}

eti_status eti__extents_share(eti_extent *extents, size_t n, eti_error *err) {
    uint32_t *order = malloc((n + 1) * sizeof *order);
    uint32_t holder = ETI_NO_HOLDER;
    uint64_t end = 0;
    if (!order || n > UINT32_MAX) {
        free(order);
        return eti_fail_memory(err);
    }
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    eti__sort(order, n, sizeof *order, compare_extents, extents);
    for (size_t i = 0; i < n; i++) {
        eti_extent *extent = &extents[order[i]];
        if (extent->holder != holder) {
            holder = extent->holder;
            end = extents[holder].begin;
        }
        if (holder != ETI_NO_HOLDER)
            cut(extent, &extents[holder], &end);
        extent->bytes = extent->end - extent->begin;
        if (holder != ETI_NO_HOLDER)
            extents[holder].bytes -= extent->bytes;
    }
    free(order);
    return ETI_OK;
}
