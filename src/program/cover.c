#include "program/cover.h"

#include "base/sort.h"

static int compare_edges(const void *a, const void *b, void *context) {
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    (void)context;
    return (left > right) - (left < right);
}

/* Returns the number of nodes in a tree over `n` places. */
static size_t count_nodes(uint32_t n) {
    size_t width = 1;
    while (width < n)
        width *= 2;
    return 2 * width - 1;
}

static void list_edges(eti_cover *cover, const uint32_t *list, uint32_t n) {
    uint64_t *edges = cover->edges;
    size_t n_edges = 2 * (size_t)n, n_kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        edges[2 * (size_t)i] = cover->tensors[list[i]].tensor->memory_offset;
        edges[2 * (size_t)i + 1] = eti__planned_end(&cover->tensors[list[i]]);
    }
    eti__sort(edges, n_edges, sizeof *edges, compare_edges, NULL);
    for (size_t i = 0; i < n_edges; i++) {
        if (i == 0 || edges[i] != edges[n_kept - 1])
            edges[n_kept++] = edges[i];
    }
    cover->n_edges = (uint32_t)n_kept;
}

eti_status eti__cover_make(eti_cover *out, eti_arena *arena, const eti_planned *tensors,
                           const uint32_t *list, uint32_t n, eti_error *err) {
    *out = (eti_cover){.tensors = tensors};
    if (n == 0)
        return ETI_OK;
    if (n > UINT32_MAX / 4)
        return eti_fail(err, ETI_ERROR_LIMIT, "one arena has %u tensors, which is too many", n);
    out->edges = eti__arena_alloc(arena, 2 * (size_t)n, sizeof *out->edges);
    if (!out->edges)
        return eti_fail_memory(err);
    list_edges(out, list, n);
    out->nodes = eti__arena_alloc_zero(arena, count_nodes(out->n_edges), sizeof *out->nodes);
    out->owner = eti__arena_alloc(arena, out->n_edges, sizeof *out->owner);
    out->n_owners = eti__arena_alloc_zero(arena, (size_t)out->n_edges + 1, sizeof *out->n_owners);
    if (!out->nodes || !out->owner || !out->n_owners)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < out->n_edges; i++)
        out->owner[i] = ETI_NO_PLANNED;
    return ETI_OK;
}

/* Returns the number of edges before `byte`. */
static uint32_t find_edge(const eti_cover *cover, uint64_t byte) {
    uint32_t low = 0, high = cover->n_edges;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cover->edges[middle] < byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- covered bytes ----------------------------------------------------------------------------- */

/* The places [first, end); a place is numbered by the edge at its beginning. */
typedef struct places {
    uint32_t first, end;
} places;

/* Adds `change` to the counts of node `at`, which covers the places `of`, and its descendants, for the places in
 * `wanted`. */
static void change_node(eti_cover *cover, size_t at, places of, places wanted, int change) {
    eti_cover_node *node = &cover->nodes[at];
    if (wanted.end <= of.first || of.end <= wanted.first)
        return;
    bool is_whole = wanted.first <= of.first && of.end <= wanted.end;
    uint32_t middle = of.first + (of.end - of.first) / 2;
    if (is_whole) {
        node->n_whole += (uint32_t)change; /* -1 wraps around */
    } else {
        change_node(cover, 2 * at + 1, (places){of.first, middle}, wanted, change);
        change_node(cover, 2 * at + 2, (places){middle, of.end}, wanted, change);
    }
    if (node->n_whole > 0)
        node->bytes = cover->edges[of.end] - cover->edges[of.first];
    else if (of.end - of.first == 1)
        node->bytes = 0;
    else
        node->bytes = cover->nodes[2 * at + 1].bytes + cover->nodes[2 * at + 2].bytes;
}

static void change(eti_cover *cover, uint32_t tensor, int by) {
    const eti_planned *planned = &cover->tensors[tensor];
    places wanted = {find_edge(cover, planned->tensor->memory_offset),
                     find_edge(cover, eti__planned_end(planned))};
    change_node(cover, 0, (places){0, cover->n_edges - 1}, wanted, by);
}

void eti__cover_add(eti_cover *cover, uint32_t tensor) {
    change(cover, tensor, 1);
}

/* ---- owned bytes ------------------------------------------------------------------------------- */

static void count_owner(eti_cover *cover, uint32_t edge, int by) {
    for (uint32_t i = edge + 1; i <= cover->n_edges; i += i & (0u - i))
        cover->n_owners[i] += (uint32_t)by; /* -1 wraps around */
}

/* Returns the number of owners that begin at the first `n` edges. */
static uint32_t owners_before(const eti_cover *cover, uint32_t n) {
    uint32_t sum = 0;
    for (uint32_t i = n; i > 0; i -= i & (0u - i))
        sum += cover->n_owners[i];
    return sum;
}

/* Returns the edge at which owner `number`, counted from 0, begins. */
static uint32_t find_owner(const eti_cover *cover, uint32_t number) {
    uint32_t at = 0, step = 1;
    while (step <= cover->n_edges / 2)
        step *= 2;
    for (; step > 0; step /= 2) {
        if (at + step <= cover->n_edges && cover->n_owners[at + step] <= number) {
            at += step;
            number -= cover->n_owners[at];
        }
    }
    return at;
}

bool eti__cover_own(eti_cover *cover, uint32_t tensor, uint32_t *other) {
    const eti_planned *planned = &cover->tensors[tensor];
    uint32_t n = owners_before(cover, find_edge(cover, eti__planned_end(planned)));
    if (n > 0) {
        uint32_t last = cover->owner[find_owner(cover, n - 1)];
        if (eti__planned_end(&cover->tensors[last]) > planned->tensor->memory_offset) {
            *other = last;
            return false;
        }
    }
    uint32_t edge = find_edge(cover, planned->tensor->memory_offset);
    cover->owner[edge] = tensor;
    count_owner(cover, edge, 1);
    return true;
}

void eti__cover_remove(eti_cover *cover, uint32_t tensor) {
    uint32_t edge = find_edge(cover, cover->tensors[tensor].tensor->memory_offset);
    change(cover, tensor, -1);
    if (cover->owner[edge] != tensor)
        return;
    cover->owner[edge] = ETI_NO_PLANNED;
    count_owner(cover, edge, -1);
}
