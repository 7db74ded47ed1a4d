#include "inside/inside.h"

#include "base/array.h"
#include "base/intern.h"

#include <stdlib.h>
#include <string.h>

/* Limit on the calls and nodes of all searches. */
#define MOST_ITEMS ((size_t)1 << 22)
/* A record is of another export if fewer operators that compute than one in this number find a node. */
#define ONE_FOUND_IN 2u

typedef struct finder {
    eti_arena *arena;  /* owns the result */
    eti_arena scratch; /* owns the rest */
    const eti_vulkan *graph;
    const eti_weight_users *weights;
    const eti_graph_node **nodes; /* in graph order */
    uint32_t n_nodes;
    eti_vulkan_op *call_ops, *node_ops;
    eti_flow calls_flow, nodes_flow;
    eti_pairs pairs;
    uint32_t *hosts;                /* per node: the call that it is a part of; ETI_NO_ITEM */
    uint32_t *parts, *parts_firsts; /* parts of each call */
    uint32_t n_heavy, n_heavy_found;
    bool
        is_whole; /* every call that computes has a node, and every node has a call or is part of one in a known way */
    eti_call_nodes *out;
} finder;

/* ---- lists ----------------------------------------------------------------------------------- */

static int compare_nodes(const void *a, const void *b) {
    const eti_graph_node *x = *(const eti_graph_node *const *)a;
    const eti_graph_node *y = *(const eti_graph_node *const *)b;
    return (x > y) - (x < y);
}

/* Lists the nodes in graph order, which is the order of their addresses, each once. */
static bool list_nodes(finder *f, const eti_op_node *const *nodes, size_t n) {
    f->nodes = eti__arena_alloc(&f->scratch, n + 1, sizeof *f->nodes);
    f->node_ops = eti__arena_alloc(&f->scratch, n + 1, sizeof *f->node_ops);
    if (!f->nodes || !f->node_ops)
        return false;
    for (size_t i = 0; i < n; i++)
        f->nodes[i] = (const eti_graph_node *)(const void *)nodes[i];
    qsort((void *)f->nodes, n, sizeof *f->nodes, compare_nodes);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || f->nodes[i] != f->nodes[i - 1])
            f->nodes[f->n_nodes++] = f->nodes[i];
    }
    for (uint32_t i = 0; i < f->n_nodes; i++)
        f->node_ops[i] = eti__vulkan_op_of(f->nodes[i]->op_type);
    return true;
}

static bool list_calls(finder *f) {
    uint32_t n = f->graph->n_calls;
    bool *is_left_out = eti__arena_alloc(&f->scratch, (size_t)n + 1, sizeof *is_left_out);
    f->call_ops = eti__arena_alloc(&f->scratch, (size_t)n + 1, sizeof *f->call_ops);
    if (!is_left_out || !f->call_ops)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        f->call_ops[i] = eti__vulkan_op_of(f->graph->calls[i].op);
        is_left_out[i] = f->call_ops[i].is_prepack;
    }
    f->pairs.is_left_out = is_left_out;
    return true;
}

/* ---- data flow ------------------------------------------------------------------------------- */

/* Connects the calls that write a value with those that read it. Of several writers, the last one before the reader counts. */
static bool connect_calls(finder *f) {
    const eti_vulkan *graph = f->graph;
    size_t n_edges = 0, n_inputs = eti__vulkan_count_inputs(graph);
    eti_flow_edge *edges = eti__arena_alloc(&f->scratch, n_inputs + 1, sizeof *edges);
    uint32_t *givers = eti__arena_alloc(&f->scratch, (size_t)graph->n_values + 1, sizeof *givers);
    if (!edges || !givers)
        return false;
    memset(givers, 0xff, ((size_t)graph->n_values + 1) * sizeof *givers);
    for (uint32_t i = 0; i < graph->n_calls; i++) {
        const eti_vulkan_call *call = &graph->calls[i];
        const uint32_t *links = graph->links + call->first_link;
        for (uint32_t k = 0; k < call->n_inputs; k++) {
            if (givers[links[k]] != ETI_NO_ITEM)
                edges[n_edges++] = (eti_flow_edge){givers[links[k]], i};
        }
        for (uint32_t k = 0; k < call->n_outputs; k++)
            givers[links[call->n_inputs + k]] = i;
    }
    return eti__flow_make(&f->calls_flow, &f->scratch, graph->n_calls, edges, n_edges);
}

/* Returns the number of a node in the list, or ETI_NO_ITEM. */
static uint32_t number_of(const finder *f, const eti_graph_node *node) {
    const eti_graph_node **found = (const eti_graph_node **)bsearch(
        &node, (const void *)f->nodes, f->n_nodes, sizeof *f->nodes, compare_nodes);
    return found ? (uint32_t)(found - f->nodes) : ETI_NO_ITEM;
}

static bool connect_nodes(finder *f) {
    size_t n_edges = 0, n_inputs = 0;
    for (uint32_t i = 0; i < f->n_nodes; i++)
        n_inputs += f->nodes[i]->n_producers;
    eti_flow_edge *edges = eti__arena_alloc(&f->scratch, n_inputs + 1, sizeof *edges);
    if (!edges)
        return false;
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        for (uint32_t k = 0; k < f->nodes[i]->n_producers; k++) {
            uint32_t giver = number_of(f, f->nodes[i]->producers[k]);
            if (giver != ETI_NO_ITEM)
                edges[n_edges++] = (eti_flow_edge){giver, i};
        }
    }
    return eti__flow_make(&f->nodes_flow, &f->scratch, f->n_nodes, edges, n_edges);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static uint8_t fit(const void *context, uint32_t call, uint32_t node) {
    const finder *f = context;
    return (uint8_t)eti__vulkan_fit(&f->call_ops[call], &f->node_ops[node]);
}

static int compare_keys(const void *key, const void *item) {
    const eti_weight_user *a = key, *b = item;
    return eti__text_compare(a->key, b->key);
}

/* Returns the node that uses a constant, or the one that uses what it makes of it, if a call may have been made from it. */
static uint32_t user_of(finder *f, uint32_t call, eti_text key) {
    const eti_weight_user wanted = {.key = key};
    const eti_weight_user *found =
        f->weights && f->weights->n > 0
            ? bsearch(&wanted, f->weights->items, f->weights->n, sizeof wanted, compare_keys)
            : NULL;
    bool is_known = found && found->node < f->weights->graph->n_nodes;
    uint32_t node = is_known ? number_of(f, &f->weights->graph->nodes[found->node]) : ETI_NO_ITEM;
    while (node != ETI_NO_ITEM && fit(f, call, node) == 0) {
        const eti_flow_side *users = &f->nodes_flow.sides[ETI_FLOW_AHEAD];
        bool is_only = users->firsts[node + 1] - users->firsts[node] == 1;
        bool is_passed = f->node_ops[node].is_light || f->node_ops[node].joins_user;
        node = is_only && is_passed ? users->items[users->firsts[node]] : ETI_NO_ITEM;
    }
    return node;
}

/* Pairs the calls whose constants are known parameters. */
static void pair_by_weights(finder *f) {
    const eti_vulkan *graph = f->graph;
    for (uint32_t i = 0; i < graph->n_calls; i++) {
        const eti_vulkan_call *call = &graph->calls[i];
        for (uint32_t k = 0; k < call->n_inputs && f->pairs.from_of[i] == ETI_NO_ITEM; k++) {
            uint32_t constant = graph->constants_of[graph->links[call->first_link + k]];
            if (constant == ETI_VULKAN_NONE || f->call_ops[i].is_prepack)
                continue;
            uint32_t node = user_of(f, i, graph->constants[constant].name);
            if (node != ETI_NO_ITEM && f->pairs.made_of[node] == ETI_NO_ITEM)
                eti__pairs_set(&f->pairs, i, node, 2);
        }
    }
}

/* Pairs the calls and nodes that compute. */
static bool pair_heavy(finder *f) {
    uint32_t n_calls = 0, n_nodes = 0;
    uint32_t *calls = eti__arena_alloc(&f->scratch, (size_t)f->graph->n_calls + 1, sizeof *calls);
    uint32_t *nodes = eti__arena_alloc(&f->scratch, (size_t)f->n_nodes + 1, sizeof *nodes);
    if (!calls || !nodes)
        return false;
    for (uint32_t i = 0; i < f->graph->n_calls; i++) {
        if (!f->call_ops[i].is_light)
            calls[n_calls++] = i;
    }
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        if (!f->node_ops[i].is_light)
            nodes[n_nodes++] = i;
    }
    return eti__pair_in_order(&f->pairs, calls, n_calls, nodes, n_nodes);
}

static bool pair(finder *f) {
    f->pairs.made = &f->calls_flow;
    f->pairs.from = &f->nodes_flow;
    f->pairs.fit = fit;
    f->pairs.context = f;
    if (!eti__pairs_begin(&f->pairs, &f->scratch))
        return false;
    pair_by_weights(f);
    if (!pair_heavy(f))
        return false;
    eti__pair_by_flow(&f->pairs);
    f->is_whole = true;
    for (uint32_t i = 0; i < f->graph->n_calls; i++) {
        bool is_found = f->pairs.from_of[i] != ETI_NO_ITEM;
        f->n_heavy += !f->call_ops[i].is_light;
        f->n_heavy_found += !f->call_ops[i].is_light && is_found;
    }
    f->is_whole = f->n_heavy == f->n_heavy_found;
    return true;
}

/* ---- what is left over ----------------------------------------------------------------------- */

/* Lets calls that compute, but have no node, stand for the nodes left over between their neighbours. */
static void host_fused(finder *f) {
    for (uint32_t i = 0; i < f->graph->n_calls; i++) {
        uint32_t between[ETI_MOST_NEIGHBOURS];
        if (f->pairs.from_of[i] != ETI_NO_ITEM || f->call_ops[i].is_light)
            continue;
        uint32_t n = eti__pairs_between(&f->pairs, i, between);
        for (uint32_t k = 0; k < n; k++) {
            if (f->hosts[between[k]] == ETI_NO_ITEM)
                f->hosts[between[k]] = i;
        }
    }
}

/* Returns whether one of the nodes that take the result of a node is a linear operator. */
static bool is_before_linear(const finder *f, uint32_t node) {
    static const char linear[] = "aten.linear.default";
    const eti_vulkan_op wanted = eti__vulkan_op_of(eti__text_of(linear));
    const eti_flow_side *users = &f->nodes_flow.sides[ETI_FLOW_AHEAD];
    for (uint32_t i = users->firsts[node]; i < users->firsts[node + 1]; i++) {
        if (eti__vulkan_fit(&wanted, &f->node_ops[users->items[i]]) != ETI_VULKAN_UNLIKE)
            return true;
    }
    return false;
}

/* Makes a node part of the operator that gives its input or uses its output. */
static void host_node(finder *f, uint32_t node) {
    const eti_vulkan_op *op = &f->node_ops[node];
    bool is_ahead = op->joins_user && (!op->is_light || is_before_linear(f, node));
    uint32_t near[ETI_MOST_NEIGHBOURS];
    eti_flow_direction direction = is_ahead ? ETI_FLOW_AHEAD : ETI_FLOW_BACK;
    uint32_t n = eti__pairs_near(&f->pairs, false, node, direction, near);
    f->is_whole = f->is_whole && n > 0 && (is_ahead || op->joins_producer);
    if (n == 0)
        n = eti__pairs_near(&f->pairs, false, node, is_ahead ? ETI_FLOW_BACK : ETI_FLOW_AHEAD,
                            near);
    if (n > 0)
        f->hosts[node] = f->pairs.made_of[near[0]];
}

static bool host_rest(finder *f) {
    f->hosts = eti__arena_alloc(&f->scratch, (size_t)f->n_nodes + 1, sizeof *f->hosts);
    if (!f->hosts)
        return false;
    memset(f->hosts, 0xff, ((size_t)f->n_nodes + 1) * sizeof *f->hosts);
    host_fused(f);
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        if (f->pairs.made_of[i] == ETI_NO_ITEM && f->hosts[i] == ETI_NO_ITEM)
            host_node(f, i);
    }
    return true;
}

/* Lists the parts of each call, in graph order. */
static bool list_parts(finder *f) {
    uint32_t n = f->graph->n_calls;
    uint32_t *firsts = eti__arena_alloc_zero(&f->scratch, (size_t)n + 2, sizeof *firsts);
    uint32_t *parts = eti__arena_alloc(&f->scratch, (size_t)f->n_nodes + 1, sizeof *parts);
    if (!firsts || !parts)
        return false;
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        if (f->hosts[i] != ETI_NO_ITEM)
            firsts[f->hosts[i] + 2]++;
    }
    for (uint32_t i = 0; i < n; i++)
        firsts[i + 2] += firsts[i + 1];
    for (uint32_t i = 0; i < f->n_nodes; i++) {
        if (f->hosts[i] != ETI_NO_ITEM)
            parts[firsts[f->hosts[i] + 1]++] = i;
    }
    f->parts = parts;
    f->parts_firsts = firsts;
    return true;
}

/* ---- result ---------------------------------------------------------------------------------- */

/* Sets the handles and operators of a call's nodes, each once. Calls with many nodes have but a part of them. */
static bool set_lists(finder *f, eti_call_nodes *out) {
    enum { MOST_LISTED = 64 };
    uint32_t most = out->n < MOST_LISTED ? out->n : MOST_LISTED;
    int64_t *handles = eti__arena_alloc(f->arena, (size_t)most + 1, sizeof *handles);
    eti_text *op_types = eti__arena_alloc(f->arena, (size_t)most + 1, sizeof *op_types);
    if (!handles || !op_types)
        return false;
    for (uint32_t i = 0; i < most; i++) {
        const eti_graph_node *node = (const eti_graph_node *)(const void *)out->nodes[i];
        uint32_t k = 0;
        while (k < out->n_handles && handles[k] != node->debug_handle)
            k++;
        if (k == out->n_handles && node->has_debug_handle)
            handles[out->n_handles++] = node->debug_handle;
        for (k = 0; k < out->n_op_types && !eti__text_equal(op_types[k], node->op_type);)
            k++;
        if (k == out->n_op_types)
            op_types[out->n_op_types++] = node->op_type;
    }
    out->handles = handles;
    out->op_types = op_types;
    return true;
}

/* Puts the only product among the parts of a fused operator first: it is the operator of the event. */
static void put_product_first(const finder *f, uint32_t first, eti_call_nodes *out,
                              const eti_op_node **nodes) {
    uint32_t found = ETI_NO_ITEM;
    for (uint32_t i = 0; i < out->n; i++) {
        if (!f->node_ops[f->parts[first + i]].is_product)
            continue;
        if (found != ETI_NO_ITEM)
            return;
        found = i;
    }
    if (found == ETI_NO_ITEM)
        return;
    const eti_op_node *product = nodes[found];
    memmove((void *)(nodes + 1), (void *)nodes, found * sizeof *nodes);
    nodes[0] = product;
    out->n_own = 1;
}

/* Sets the nodes of a call: the one that it was made from, or all parts of a fused operator; then its parts. */
static bool set_nodes(finder *f, uint32_t call, eti_call_nodes *out) {
    uint32_t from = f->pairs.from_of[call], first = f->parts_firsts[call];
    uint32_t n_parts = f->parts_firsts[call + 1] - first;
    bool is_paired = from != ETI_NO_ITEM;
    const eti_op_node **nodes = eti__arena_alloc(f->arena, (size_t)n_parts + 1, sizeof *nodes);
    if (!nodes)
        return false;
    out->nodes = nodes;
    if (is_paired)
        nodes[out->n++] = &f->nodes[from]->node;
    for (uint32_t i = 0; i < n_parts; i++)
        nodes[out->n++] = &f->nodes[f->parts[first + i]]->node;
    out->n_own = is_paired ? 1 : out->n;
    if (!is_paired)
        put_product_first(f, first, out, nodes);
    bool is_exact = f->is_whole && f->pairs.n_sides[call] == 2;
    out->attribution = !is_paired || f->pairs.is_cut ? ETI_ATTRIBUTION_INFERRED
                       : is_exact                    ? ETI_ATTRIBUTION_EXACT
                                                     : ETI_ATTRIBUTION_ALIGNED;
    return set_lists(f, out);
}

/* Gives a call that was inserted the node of the operator that gives its input or, without one, of a user of its output. */
static bool set_inserted(finder *f, uint32_t call, eti_call_nodes *out) {
    uint32_t near[ETI_MOST_NEIGHBOURS];
    uint32_t n = eti__pairs_near(&f->pairs, true, call, ETI_FLOW_BACK, near);
    if (n == 0)
        n = eti__pairs_near(&f->pairs, true, call, ETI_FLOW_AHEAD, near);
    if (n == 0)
        return true;
    out->nodes = f->out[near[0]].nodes;
    out->n = out->n_own = 1;
    out->attribution = ETI_ATTRIBUTION_INFERRED;
    return set_lists(f, out);
}

static bool set_all(finder *f) {
    for (uint32_t i = 0; i < f->graph->n_calls; i++) {
        bool is_known =
            f->pairs.from_of[i] != ETI_NO_ITEM || f->parts_firsts[i + 1] > f->parts_firsts[i];
        if (is_known && !set_nodes(f, i, &f->out[i]))
            return false;
    }
    for (uint32_t i = 0; i < f->graph->n_calls; i++) {
        if (f->out[i].n == 0 && !set_inserted(f, i, &f->out[i]))
            return false;
    }
    return true;
}

/* Gives the calls of a graph without a record their own operators. */
static bool set_operators(finder *f) {
    for (uint32_t i = 0; i < f->graph->n_calls; i++) {
        f->out[i].attribution = ETI_ATTRIBUTION_EXACT;
        f->out[i].op_types = &f->graph->calls[i].op;
        f->out[i].n_op_types = f->graph->calls[i].op.size > 0;
    }
    return true;
}

static bool find(finder *f, const eti_op_node *const *nodes, size_t n_nodes) {
    if (n_nodes == 0)
        return set_operators(f);
    if (!list_nodes(f, nodes, n_nodes) || !list_calls(f) || !connect_calls(f) ||
        !connect_nodes(f) || !pair(f))
        return false;
    if (f->n_heavy_found < f->n_heavy / ONE_FOUND_IN)
        return true;
    return host_rest(f) && list_parts(f) && set_all(f);
}

const eti_call_nodes *eti__vulkan_nodes_find(eti_arena *arena, const eti_vulkan *graph,
                                             const eti_op_node *const *nodes, size_t n_nodes,
                                             const eti_weight_users *weights, size_t *work) {
    finder f = {.arena = arena, .graph = graph, .weights = weights, .pairs.work = work};
    f.out = eti__arena_alloc_zero(arena, (size_t)graph->n_calls + 1, sizeof *f.out);
    for (uint32_t i = 0; f.out && i < graph->n_calls; i++)
        f.out[i].attribution = ETI_ATTRIBUTION_CALL;
    bool has_room =
        n_nodes <= MOST_ITEMS && *work <= MOST_ITEMS * 8 && graph->n_calls <= MOST_ITEMS;
    *work += has_room ? n_nodes + graph->n_calls : 0;
    bool done = f.out && (!has_room || find(&f, nodes, n_nodes));
    eti__arena_free(&f.scratch);
    return done ? f.out : NULL;
}

/* ==== events ================================================================================== */

/* Events of one operator. */
typedef struct group {
    const eti_delegate_event *first;
    eti_vulkan_op op; /* of the operator, or of the kernel if no operator is named */
} group;

typedef struct event_finder {
    const eti_vulkan *graph;
    eti_arena scratch;
    group *groups;
    uint32_t *group_of; /* per event */
    uint32_t n_groups;
    uint32_t *chain; /* calls that run */
    eti_vulkan_op *chain_ops;
    uint32_t n_chain;
} event_finder;

static uint8_t fit_group(const void *context, uint32_t i, uint32_t k) {
    const event_finder *f = context;
    eti_text op = f->groups[i].first->op;
    if (op.size > 0)
        return eti__text_equal(op, f->graph->calls[f->chain[k]].op) ? 2 : 0;
    return (uint8_t)eti__vulkan_fit(&f->groups[i].op, &f->chain_ops[k]);
}

/* Returns the call that an event names, or ETI_VULKAN_NONE. */
static uint32_t find_named(const eti_vulkan *graph, const eti_delegate_event *event) {
    uint64_t node = 0;
    for (size_t i = 0; i < event->node.size && node <= UINT32_MAX; i++)
        node = node * 10 + (uint64_t)(event->node.data[i] - '0');
    /* Numbers are those of the calls, unless the exporter left some out; they ascend. */
    uint32_t low = 0, high = graph->n_calls;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (graph->calls[middle].node_id < node)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_found = low < graph->n_calls && graph->calls[low].node_id == node &&
                    eti__text_equal(graph->calls[low].op, event->op);
    return is_found ? low : ETI_VULKAN_NONE;
}

static bool is_same_operator(const eti_delegate_event *a, const eti_delegate_event *b) {
    return a->op.size > 0 && a->operator_number >= 0 && a->operator_number == b->operator_number &&
           eti__text_equal(a->op, b->op);
}

static bool list_groups(event_finder *f, const eti_delegate_event *const *events, size_t n) {
    f->groups = eti__arena_alloc(&f->scratch, n + 1, sizeof *f->groups);
    f->group_of = eti__arena_alloc(&f->scratch, n + 1, sizeof *f->group_of);
    if (!f->groups || !f->group_of)
        return false;
    for (size_t i = 0; i < n; i++) {
        f->group_of[i] = ETI_NO_ITEM;
        if (events[i]->role != ETI_DELEGATE_NODE || events[i]->node.size > 0)
            continue;
        bool is_next =
            f->n_groups > 0 && is_same_operator(f->groups[f->n_groups - 1].first, events[i]);
        if (!is_next)
            f->groups[f->n_groups++] =
                (group){events[i], eti__vulkan_op_of_kernel(events[i]->kernel)};
        f->group_of[i] = f->n_groups - 1;
    }
    return true;
}

static bool list_chain(event_finder *f) {
    uint32_t n = f->graph->n_calls;
    f->chain = eti__arena_alloc(&f->scratch, (size_t)n + 1, sizeof *f->chain);
    f->chain_ops = eti__arena_alloc(&f->scratch, (size_t)n + 1, sizeof *f->chain_ops);
    if (!f->chain || !f->chain_ops)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        eti_vulkan_op op = eti__vulkan_op_of(f->graph->calls[i].op);
        if (op.is_prepack)
            continue;
        f->chain[f->n_chain] = i;
        f->chain_ops[f->n_chain++] = op;
    }
    return true;
}

/* Aligns events that name no node with the calls that run. */
static bool align_events(event_finder *f, uint32_t *out, size_t n, eti_attribution *attribution,
                         size_t *work) {
    uint32_t *found = eti__arena_alloc(&f->scratch, (size_t)f->n_groups + 1, sizeof *found);
    bool is_cut = false, is_exact = false;
    if (!found || !list_chain(f))
        return false;
    is_exact = f->n_groups == f->n_chain;
    for (uint32_t i = 0; i < f->n_groups && is_exact; i++) {
        found[i] = i;
        is_exact = fit_group(f, i, i) > 0;
    }
    if (!is_exact && !eti__align_lists(fit_group, f, f->n_groups, f->n_chain, found, work, &is_cut))
        return false;
    *attribution = is_exact ? ETI_ATTRIBUTION_EXACT
                   : is_cut ? ETI_ATTRIBUTION_INFERRED
                            : ETI_ATTRIBUTION_ALIGNED;
    for (size_t i = 0; i < n; i++) {
        uint32_t of = f->group_of[i];
        if (of != ETI_NO_ITEM && found[of] != ETI_NO_ITEM)
            out[i] = f->chain[found[of]];
    }
    return true;
}

bool eti__vulkan_calls_find(uint32_t *out, const eti_vulkan *graph,
                            const eti_delegate_event *const *events, size_t n,
                            eti_attribution *attribution, size_t *work) {
    event_finder f = {.graph = graph};
    *attribution = ETI_ATTRIBUTION_EXACT;
    for (size_t i = 0; i < n; i++)
        out[i] = events[i]->node.size > 0 ? find_named(graph, events[i]) : ETI_VULKAN_NONE;
    bool done = list_groups(&f, events, n) &&
                (f.n_groups == 0 || align_events(&f, out, n, attribution, work));
    eti__arena_free(&f.scratch);
    return done;
}

/* ==== graphs of events ======================================================================== */

/* A value of the process. */
typedef struct logged_value {
    int64_t number;
} logged_value;

typedef struct graph_maker {
    eti_arena *arena;
    eti_vulkan_call *calls;
    uint32_t n_calls;
    uint32_t *links;
    uint32_t n_links;
    ETI_INTERN_OF(logged_value) values;
} graph_maker;

static bool is_same_call(const eti_delegate_event *a, const eti_delegate_event *b) {
    return is_same_operator(a, b) && eti__text_equal(a->node, b->node);
}

/* Adds a call with the tensors of an event: the last one is its output. Constants are no part of the data flow. */
static bool add_logged_call(graph_maker *m, const eti_delegate_event *event) {
    static const eti_intern_kind kind = {.item_size = sizeof(logged_value),
                                         .key_size = sizeof(logged_value)};
    eti_vulkan_call *call = &m->calls[m->n_calls++];
    *call = (eti_vulkan_call){.node_id = m->n_calls - 1, .op = event->op, .first_link = m->n_links};
    for (uint32_t i = 0; i < event->n_tensors; i++) {
        const eti_logged_tensor *tensor = &event->tensors[i];
        bool is_output = i + 1 == event->n_tensors;
        uint32_t value;
        if (tensor->is_constant || tensor->value < 0)
            continue;
        if (!eti__intern_add(&m->values.table, &kind, &(logged_value){tensor->value}, &value))
            return false;
        m->links[m->n_links++] = value;
        call->n_inputs += !is_output;
        call->n_outputs += is_output;
    }
    return true;
}

static bool add_logged_calls(graph_maker *m, uint32_t *calls,
                             const eti_delegate_event *const *events, size_t n) {
    const eti_delegate_event *last = NULL;
    for (size_t i = 0; i < n; i++) {
        calls[i] = ETI_VULKAN_NONE;
        if (events[i]->role != ETI_DELEGATE_NODE || events[i]->op.size == 0)
            continue;
        if (!(last && is_same_call(last, events[i])) && !add_logged_call(m, events[i]))
            return false;
        last = events[i];
        calls[i] = m->n_calls - 1;
    }
    return true;
}

bool eti__vulkan_of_events(eti_vulkan *out, uint32_t *calls, eti_arena *arena,
                           const eti_delegate_event *const *events, size_t n) {
    graph_maker m = {.arena = arena};
    size_t n_tensors = 0;
    for (size_t i = 0; i < n; i++)
        n_tensors += events[i]->n_tensors;
    m.calls = eti__arena_alloc(arena, n + 1, sizeof *m.calls);
    m.links = eti__arena_alloc(arena, n_tensors + 1, sizeof *m.links);
    bool done = m.calls && m.links && add_logged_calls(&m, calls, events, n);
    uint32_t *none = eti__arena_alloc(arena, m.values.count + 1, sizeof *none);
    if (none)
        memset(none, 0xff, (m.values.count + 1) * sizeof *none);
    *out = (eti_vulkan){.calls = m.calls,
                        .n_calls = m.n_calls,
                        .links = m.links,
                        .constants_of = none,
                        .n_values = (uint32_t)m.values.count};
    eti__intern_free(&m.values.table);
    return done && none;
}
