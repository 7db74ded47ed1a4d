#include "places/handle_nodes.h"

#include "places/kernel_uses.h"

#include <stdlib.h>
#include <string.h>

/* How well a node fits a kind, from worst to best. */
typedef enum fitness { QUANTIZES, WORKS, FITS, FITS_WELL, N_FITNESSES } fitness;

/* A range of nodes by number. */
typedef struct node_range {
    size_t first, end;
} node_range;

bool eti__handle_nodes_init(eti_handle_nodes *nodes, eti_arena *arena, const eti_graph *graph) {
    *nodes = (eti_handle_nodes){.arena = arena, .graph = graph};
    return eti__handle_index_init(&nodes->by_handle, graph);
}

void eti__handle_nodes_free(eti_handle_nodes *nodes) {
    eti__handle_index_free(&nodes->by_handle);
    eti__intern_free(&nodes->found.table);
    free(nodes->are_kernels);
    *nodes = (eti_handle_nodes){0};
}

bool eti__handle_nodes_leave_kernels(eti_handle_nodes *nodes, const eti_etrecord *record,
                                     size_t method, const eti_pte_plan *plan) {
    return eti__find_kernel_uses(&nodes->are_kernels, nodes->graph, record, method, plan);
}

/* ---- the nodes of a class -------------------------------------------------------------------- */

static fitness fitness_of(const eti_graph_node *node, const eti_found_class *found) {
    if (eti__xnnpack_kind_is_of((uint8_t)found->kind, node->op_type))
        return eti__xnnpack_op_gives(node->op_type, (uint8_t)found->output_bits) ? FITS_WELL : FITS;
    return eti__is_quantizing(node->op_type) ? QUANTIZES : WORKS;
}

/* Returns the node at a position of the index, or NULL if it ran as a kernel. */
static const eti_graph_node *node_at(const eti_handle_nodes *nodes, size_t at) {
    size_t number = nodes->by_handle.nodes[at].node;
    bool is_kernel = nodes->are_kernels && nodes->are_kernels[number];
    return is_kernel ? NULL : &nodes->graph->nodes[number];
}

/* Returns the first position of a handle whose node is not before `first`; the nodes of a handle are in graph order. */
static size_t find_first(const eti_handle_index *index, int64_t handle, size_t first) {
    size_t low = eti__handle_index_first(index, handle);
    size_t high = handle == INT64_MAX ? index->n : eti__handle_index_first(index, handle + 1);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->nodes[middle].node < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Lists the nodes in the range that fit best. */
static bool list_nodes(const eti_handle_nodes *nodes, const eti_found_class *found,
                       const node_range *range) {
    const eti_handle_index *index = &nodes->by_handle;
    size_t first = find_first(index, found->handle, range->first), end = first;
    size_t counts[N_FITNESSES] = {0};
    for (; end < index->n && index->nodes[end].handle == found->handle &&
           index->nodes[end].node < range->end;
         end++) {
        const eti_graph_node *node = node_at(nodes, end);
        if (node)
            counts[fitness_of(node, found)]++;
    }
    fitness best = FITS_WELL;
    while (best > QUANTIZES && counts[best] == 0)
        best--;
    const eti_op_node **listed =
        eti__arena_alloc(nodes->arena, counts[best] + 1, sizeof(const eti_op_node *));
    if (!listed)
        return false;
    found->of->nodes = listed;
    found->of->n = 0;
    found->of->fits = best >= FITS;
    for (size_t at = first; at < end; at++) {
        const eti_graph_node *node = node_at(nodes, at);
        if (node && fitness_of(node, found) == best)
            listed[found->of->n++] = &node->node;
    }
    return true;
}

/* Searches the module of the call, if there is one. Otherwise searches the nodes of all lowered modules first: the nodes
 * of the graph around them ran as kernels, and may share the handle. */
static bool search(const eti_handle_nodes *nodes, const eti_found_class *found) {
    const eti_graph *graph = nodes->graph;
    const eti_lowered_module *module = found->module;
    size_t n_around = graph->is_whole ? graph->n_nodes - graph->n_lowered : 0;
    if (module)
        return list_nodes(nodes, found,
                          &(node_range){module->first, module->first + module->n_nodes});
    return list_nodes(nodes, found, &(node_range){n_around, graph->n_nodes}) &&
           (found->of->n > 0 || n_around == 0 ||
            list_nodes(nodes, found, &(node_range){0, n_around}));
}

/* ---- the operators of a class ---------------------------------------------------------------- */

static eti_text op_of(const eti_node_class *of, size_t i) {
    return ((const eti_graph_node *)(const void *)of->nodes[i])->op_type;
}

static bool list_ops(eti_arena *arena, eti_node_class *of) {
    const eti_text none = {NULL, 0};
    eti_shared_texts seen = {.texts.count = 0};
    uint32_t number;
    bool done = true;
    for (size_t i = 0; i < of->n && done; i++)
        done = eti__shared_texts_add(&seen, op_of(of, i), &number);
    const eti_text *listed = done ? eti__shared_texts_copy(&seen, arena) : NULL;
    of->op_types = listed;
    of->n_op_types = listed ? seen.texts.count : 0;
    of->op = of->n_op_types == 1 ? listed[0] : none;
    eti__shared_texts_free(&seen);
    return listed != NULL;
}

/* ---- classes --------------------------------------------------------------------------------- */

/* Makes a class. Returns NULL if memory runs out. */
static eti_node_class *make_class(const eti_handle_nodes *nodes, const eti_found_class *wanted) {
    static const eti_op_node *const none[1];
    eti_found_class found = *wanted;
    found.of = eti__arena_alloc(nodes->arena, 1, sizeof *found.of);
    if (!found.of)
        return NULL;
    *found.of = (eti_node_class){.nodes = none, .block = SIZE_MAX};
    return search(nodes, &found) && list_ops(nodes->arena, found.of) ? found.of : NULL;
}

/* NOLINTNEXTLINE(misc-no-recursion): once, without the module */
eti_node_class *eti__handle_nodes_find(eti_handle_nodes *nodes, const eti_lowered_module *module,
                                       const eti_xnnpack_node *node) {
    static const eti_intern_kind found_kind = {.item_size = sizeof(eti_found_class),
                                               .key_size = offsetof(eti_found_class, of)};
    const eti_found_class wanted = {
        .handle = node->debug_handle,
        .module = module,
        .kind = node->kind,
        .output_bits = node->kind == ETI_XNNPACK_CONVERT ? node->output_bits : 0,
    };
    size_t n_known = nodes->found.count;
    uint32_t number;
    if (!eti__intern_add(&nodes->found.table, &found_kind, &wanted, &number))
        return NULL;
    if (number < n_known)
        return nodes->found.items[number].of;
    eti_node_class *of = make_class(nodes, &wanted);
    if (of && of->n == 0 && module)
        of = eti__handle_nodes_find(nodes, NULL, node);
    nodes->found.items[number].of = of; /* the search may have moved the items */
    return of;
}

const eti_op_node *eti__handle_nodes_at(eti_handle_nodes *nodes, eti_node_class *of, size_t place,
                                        bool *failed) {
    if (of->n == 1)
        return of->nodes[0];
    if (of->n != of->n_run || place >= of->n || !of->fits)
        return NULL;
    if (!of->order) {
        of->order = eti__node_order_find(nodes->arena, of->nodes, of->n, &nodes->order_work);
        if (!of->order) {
            *failed = true;
            return NULL;
        }
    }
    return of->order->is_known[place] ? of->nodes[place] : NULL;
}

/* ---- payloads of other exports ---------------------------------------------------------------- */

/* A payload belongs to the record's export if at most one in this number of its nodes has another operator there; the
 * right payload has none. */
#define ONE_UNLIKE_IN 8u

/* Returns whether a node must become the operator that its handle leads to; nodes that lowering inserts or splits off
 * need not. */
static bool is_operator(const eti_xnnpack_node *node) {
    return node->has_handle && !node->is_inserted && !eti__xnnpack_kind_is_fusible(node->kind) &&
           eti__xnnpack_kind_name(node->kind).data;
}

bool eti__handle_nodes_fit(eti_handle_nodes *nodes, const eti_lowered_module *module,
                           const eti_xnnpack *payload, bool *out) {
    size_t n = 0, n_unlike = 0;
    for (uint32_t i = 0; i < payload->n_nodes; i++) {
        const eti_xnnpack_node *node = &payload->nodes[i];
        if (!is_operator(node))
            continue;
        const eti_node_class *found = eti__handle_nodes_find(nodes, module, node);
        if (!found)
            return false;
        n += found->n > 0;
        n_unlike += found->n > 0 && !found->fits;
    }
    *out = n_unlike <= n / ONE_UNLIKE_IN;
    return true;
}

int eti__compare_handles(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

bool eti__payload_is_listed(const eti_xnnpack *payload, const eti_debug_handles *listed,
                            bool *out) {
    int64_t *sorted = malloc(listed->n * sizeof *sorted);
    if (!sorted)
        return false;
    *out = true;
    memcpy(sorted, listed->handles, listed->n * sizeof *sorted);
    qsort(sorted, listed->n, sizeof *sorted, eti__compare_handles);
    for (uint32_t i = 0; i < payload->n_nodes && *out; i++) {
        int64_t handle = payload->nodes[i].debug_handle;
        *out = !payload->nodes[i].has_handle ||
               bsearch(&handle, sorted, listed->n, sizeof *sorted, eti__compare_handles);
    }
    free(sorted);
    return true;
}
