#include "program/alias_sources.h"

#include "base/sort.h"

/* ---- ranges ---------------------------------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int compare_tensors(const void *a, const void *b, void *context) {
    const eti_planned *tensors = context;
    const eti_planned *left = &tensors[*(const uint32_t *)a],
                      *right = &tensors[*(const uint32_t *)b];
    int order = compare_numbers(left->tensor->memory_id, right->tensor->memory_id);
    if (order == 0)
        order = left->tensor->scalar_type - right->tensor->scalar_type;
    if (order == 0)
        order = compare_numbers(left->tensor->memory_offset, right->tensor->memory_offset);
    return order ? order : compare_numbers(eti__planned_end(left), eti__planned_end(right));
}

static bool is_same_group(const eti_alias_range *a, const eti_alias_range *b) {
    return a->memory_id == b->memory_id && a->scalar_type == b->scalar_type;
}

/* Makes the ranges; `order` lists the tensors in order of their ranges. */
static void make_ranges(eti_alias_sources *out, const uint32_t *order, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        const eti_planned *planned = &out->tensors[order[i]];
        bool is_new = i == 0 || compare_tensors(&order[i - 1], &order[i],
                                                (void *)out->tensors /* only read */) != 0;
        if (is_new)
            out->ranges[out->n_ranges++] = (eti_alias_range){
                .memory_id = planned->tensor->memory_id,
                .scalar_type = planned->tensor->scalar_type,
                .offset = planned->tensor->memory_offset,
                .end = eti__planned_end(planned),
                .latest = ETI_NO_PLANNED,
            };
        out->range_of[order[i]] = out->n_ranges - 1;
    }
}

static void make_groups(eti_alias_sources *out) {
    for (uint32_t i = 0, end; i < out->n_ranges; i = end) {
        for (end = i + 1; end < out->n_ranges && is_same_group(&out->ranges[i], &out->ranges[end]);)
            end++;
        for (uint32_t j = i; j < end; j++) {
            out->ranges[j].group = i;
            out->ranges[j].n_group = end - i;
        }
    }
}

/* Returns the number of ranges that node i of a tree, counted from 1, covers. */
static uint32_t node_span(uint32_t i) {
    return i & (0u - i);
}

/* Places the stacks, and returns their total size: each stack contains a range at most once. */
static size_t place_stacks(eti_alias_sources *out) {
    size_t total = 0;
    for (uint32_t i = 0; i < out->n_ranges; i++) {
        out->stacks[i] = total;
        total += node_span(i - out->ranges[i].group + 1);
    }
    return total;
}

eti_status eti__alias_sources_make(eti_alias_sources *out, eti_arena *arena,
                                   const eti_planned *tensors, uint32_t n, eti_error *err) {
    *out = (eti_alias_sources){.tensors = tensors};
    uint32_t *order = eti__arena_alloc(arena, n, sizeof *order);
    out->range_of = eti__arena_alloc(arena, n, sizeof *out->range_of);
    out->ranges = eti__arena_alloc(arena, n, sizeof *out->ranges);
    out->stacks = eti__arena_alloc(arena, n, sizeof *out->stacks);
    out->depth = eti__arena_alloc_zero(arena, n, sizeof *out->depth);
    if (!order || !out->range_of || !out->ranges || !out->stacks || !out->depth)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    eti__sort(order, n, sizeof *order, compare_tensors, (void *)tensors /* only read */);
    make_ranges(out, order, n);
    make_groups(out);
    out->stacked = eti__arena_alloc(arena, place_stacks(out), sizeof *out->stacked);
    return out->stacked ? ETI_OK : eti_fail_memory(err);
}

/* ---- writing and finding --------------------------------------------------------------------- */

void eti__alias_sources_write(eti_alias_sources *sources, uint32_t tensor, uint32_t time) {
    uint32_t number = sources->range_of[tensor];
    eti_alias_range *range = &sources->ranges[number];
    range->latest = tensor;
    range->time = time;
    for (uint32_t i = number - range->group + 1; i <= range->n_group; i += node_span(i)) {
        uint32_t node = range->group + i - 1;
        uint32_t *stack = sources->stacked + sources->stacks[node];
        uint32_t *depth = &sources->depth[node];
        while (*depth > 0 && sources->ranges[stack[*depth - 1]].end <= range->end)
            --*depth;
        stack[(*depth)++] = number;
    }
}

/* Returns the last written of a node's ranges that reach `end`; NULL if none does. */
static const eti_alias_range *find_in_node(const eti_alias_sources *sources, uint32_t node,
                                           uint64_t end) {
    const uint32_t *stack = sources->stacked + sources->stacks[node];
    uint32_t low = 0,
             high =
                 sources
                     ->depth[node]; /* binary search for the first range that does not reach it */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sources->ranges[stack[middle]].end >= end)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &sources->ranges[stack[low - 1]] : NULL;
}

static bool is_later(const eti_alias_range *a, const eti_alias_range *b) {
    return a->time != b->time ? a->time > b->time : a->latest > b->latest;
}

/* Returns the number of ranges in the group of `range` that begin where it begins or earlier. */
static uint32_t count_not_after(const eti_alias_sources *sources, const eti_alias_range *range) {
    uint32_t low = 0, high = range->n_group;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sources->ranges[range->group + middle].offset <= range->offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t eti__alias_sources_find(const eti_alias_sources *sources, uint32_t tensor) {
    const eti_alias_range *range = &sources->ranges[sources->range_of[tensor]];
    const eti_alias_range *best = NULL;
    if (range->latest != ETI_NO_PLANNED)
        return range->latest;
    for (uint32_t i = count_not_after(sources, range); i > 0; i -= node_span(i)) {
        const eti_alias_range *found = find_in_node(sources, range->group + i - 1, range->end);
        if (found && (!best || is_later(found, best)))
            best = found;
    }
    return best ? best->latest : ETI_NO_PLANNED;
}
