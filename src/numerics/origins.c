#include "numerics/origins.h"

#include "base/sort.h"
#include "numerics/numerics.h"

#include <stdlib.h>

bool eti__is_delegate_call(const eti_event *event) {
    return eti__text_is(event->name, "DELEGATE_CALL");
}

/* ---- graphs ----------------------------------------------------------------------------------- */

static size_t node_count(const eti_origin_graph *g) {
    return g->graph.graph.n_nodes;
}

static const eti_graph_ports *ports_of(const eti_origin_graph *g, uint32_t node) {
    return &g->graph.values.ports[node];
}

/* Lists the nodes that use each value. Returns false if memory runs out. */
static bool list_uses(eti_origin_graph *g) {
    size_t n_values = g->graph.values.n_values, n_uses = 0;
    g->first_use = calloc(n_values + 2, sizeof *g->first_use);
    g->marks = calloc(node_count(g) + 1, sizeof *g->marks);
    if (!g->first_use || !g->marks)
        return false;
    for (uint32_t i = 0; i < node_count(g); i++) {
        const eti_graph_ports *ports = ports_of(g, i);
        n_uses += ports->n_inputs;
        for (uint32_t p = 0; p < ports->n_inputs; p++)
            g->first_use[ports->inputs[p] + 2]++;
    }
    for (size_t i = 1; i < n_values + 2; i++)
        g->first_use[i] += g->first_use[i - 1];
    g->uses = malloc((n_uses + 1) * sizeof *g->uses);
    for (uint32_t i = 0; g->uses && i < node_count(g); i++) {
        const eti_graph_ports *ports = ports_of(g, i);
        for (uint32_t p = 0; p < ports->n_inputs; p++)
            g->uses[g->first_use[ports->inputs[p] + 1]++] = i;
    }
    return g->uses != NULL;
}

static const eti_intern_kind handled_kind = {sizeof(eti_handled_node), sizeof(int64_t), NULL, NULL};

static bool list_last_nodes(eti_origin_graph *g) {
    for (uint32_t i = 0; i < node_count(g); i++) {
        const eti_graph_node *node = &g->graph.graph.nodes[i];
        const eti_handled_node item = {node->debug_handle, i};
        uint32_t number;
        if (!node->has_debug_handle)
            continue;
        if (!eti__intern_add(&g->last_nodes.table, &handled_kind, &item, &number))
            return false;
        g->last_nodes.items[number].node = i;
    }
    return true;
}

eti_origin_graph *eti__origins_graph(const eti_origins *origins, const eti_event_block *block) {
    for (size_t i = 0; i < origins->n_graphs; i++) {
        if (origins->graphs[i].graph.method == block->method)
            return &origins->graphs[i];
    }
    return NULL;
}

static eti_status read_graphs(eti_origins *out, const eti_inspector *inspector, eti_error *err) {
    out->graphs = calloc(inspector->blocks.n_blocks + 1, sizeof *out->graphs);
    if (!out->graphs)
        return eti_fail_memory(err);
    for (size_t i = 0; i < out->recorded->n; i++) {
        const eti_event_block *block = out->recorded->tensors[i].block;
        if (block->method == ETI_NO_METHOD || eti__origins_graph(out, block))
            continue;
        eti_origin_graph *g = &out->graphs[out->n_graphs++];
        ETI_TRY(eti__lowered_graph_read_method(&g->graph, inspector, block->method, err));
        if (!list_uses(g) || !list_last_nodes(g))
            return eti_fail_memory(err);
    }
    return ETI_OK;
}

/* Returns the number of the node in the graph, or ETI_NO_NODE if it belongs to another graph. */
static uint32_t number_of(const eti_origin_graph *g, const eti_op_node *node) {
    uint32_t number = eti__lowered_graph_number(&g->graph, node);
    return number < node_count(g) ? number : ETI_NO_NODE;
}

/* Marks the nodes of an event, and returns the mark. */
static uint32_t mark_event(eti_origin_graph *g, const eti_event *event) {
    eti_event_nodes nodes = eti__event_nodes(event);
    uint32_t mark = ++g->n_searches;
    for (size_t i = 0; i < nodes.n; i++) {
        uint32_t number = number_of(g, nodes.all[i]);
        if (number != ETI_NO_NODE)
            g->marks[number] = mark;
    }
    return mark;
}

/* ---- outputs of events ------------------------------------------------------------------------ */

/* Returns the last node of the event with this handle, or NULL if there is none. */
static const eti_graph_node *node_with(const eti_origin_graph *g, const eti_event *event,
                                       int64_t handle) {
    eti_event_nodes nodes = eti__event_nodes(event);
    for (size_t i = nodes.n; i-- > 0;) {
        uint32_t number = number_of(g, nodes.all[i]);
        const eti_graph_node *node = number == ETI_NO_NODE ? NULL : &g->graph.graph.nodes[number];
        if (node && node->has_debug_handle && node->debug_handle == handle)
            return node;
    }
    return NULL;
}

/* A value that is used outside of the event. */
typedef struct boundary_value {
    int64_t handle;
    uint32_t node, port;
    bool is_placed;
} boundary_value;

typedef struct boundary {
    boundary_value *values; /* sorted by handle, node and port */
    size_t n, n_handles, capacity;
} boundary;

static int compare_values(const void *a, const void *b, void *unused) {
    const boundary_value *x = a, *y = b;
    (void)unused;
    if (x->handle != y->handle)
        return x->handle < y->handle ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->port > y->port) - (x->port < y->port);
}

/* Adds the results of the node that are used by the graph's output or by a node without the mark. */
static bool add_used_outside(boundary *out, const eti_origin_graph *g, uint32_t node,
                             uint32_t mark) {
    const eti_graph_ports *ports = ports_of(g, node);
    for (uint32_t p = 0; p < ports->n_outputs; p++) {
        uint32_t value = ports->outputs[p];
        bool is_used = g->graph.values.values[value].is_output;
        for (uint32_t use = g->first_use[value]; !is_used && use < g->first_use[value + 1]; use++)
            is_used = g->marks[g->uses[use]] != mark;
        if (!is_used)
            continue;
        if (!ETI_GROW(out->values, out->capacity, out->n + 1))
            return false;
        out->values[out->n++] =
            (boundary_value){g->graph.graph.nodes[node].debug_handle, node, p, false};
    }
    return true;
}

/* Lists the values of the event's nodes that are used outside, each once. */
static bool list_boundary(boundary *out, eti_origin_graph *g, const eti_event *event) {
    eti_event_nodes nodes = eti__event_nodes(event);
    uint32_t mark = mark_event(g, event);
    size_t n_distinct = 0;
    for (size_t i = 0; i < nodes.n; i++) {
        uint32_t number = number_of(g, nodes.all[i]);
        if (number != ETI_NO_NODE && g->graph.graph.nodes[number].has_debug_handle &&
            !add_used_outside(out, g, number, mark))
            return false;
    }
    eti__sort(out->values, out->n, sizeof *out->values, compare_values, NULL);
    for (size_t i = 0; i < out->n; i++) {
        const boundary_value *last = n_distinct > 0 ? &out->values[n_distinct - 1] : NULL;
        if (last && compare_values(last, &out->values[i], NULL) == 0)
            continue;
        out->n_handles += !last || last->handle != out->values[i].handle;
        out->values[n_distinct++] = out->values[i];
    }
    out->n = n_distinct;
    return true;
}

/* Keeps for each handle only the first value of its last node. */
static void keep_last_nodes(boundary *of, const eti_origin_graph *g, const eti_event *event) {
    size_t n = 0;
    for (size_t i = 0, end; i < of->n; i = end) {
        const eti_graph_node *last = node_with(g, event, of->values[i].handle);
        boundary_value kept = of->values[i];
        bool is_last = false;
        for (end = i; end < of->n && of->values[end].handle == kept.handle; end++) {
            if (!is_last && &g->graph.graph.nodes[of->values[end].node] == last) {
                kept = of->values[end];
                is_last = true;
            }
        }
        if (last && !is_last)
            kept = (boundary_value){kept.handle, (uint32_t)(last - g->graph.graph.nodes), 0, false};
        of->values[n++] = kept;
    }
    of->n = n;
}

/* Returns the index of the first value with the handle, or of->n if there is none. */
static size_t find_value(const boundary *of, int64_t handle) {
    size_t low = 0, high = of->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (of->values[middle].handle < handle)
            low = middle + 1;
        else
            high = middle;
    }
    return low < of->n && of->values[low].handle == handle ? low : of->n;
}

/* Assigns values to the n outputs of a call; each handle counts at its last position in the list. */
static void place_outputs(eti_tensor_origin *out, size_t n, boundary *of, const eti_origin_graph *g,
                          const eti_event *event) {
    const eti_debug_handles *handles = &event->known->handles;
    for (size_t i = handles->n; i-- > 0 && n > 0;) {
        size_t first = find_value(of, handles->handles[i]), end = first;
        if (first == of->n || of->values[first].is_placed)
            continue;
        while (end < of->n && of->values[end].handle == of->values[first].handle)
            end++;
        of->values[first].is_placed = true;
        const eti_graph_node *last = node_with(g, event, handles->handles[i]);
        for (; end > first && n > 0; end--) {
            const boundary_value *value = &of->values[end - 1];
            out[--n].node = &g->graph.graph.nodes[value->node];
            out[n].port = value->port;
            out[n].is_inner = out[n].node != last;
        }
    }
}

/* Finds the nodes of a call's outputs. Returns false if memory runs out. */
static bool find_outputs(eti_tensor_origin *out, size_t n, eti_origin_graph *g,
                         const eti_event *event) {
    const eti_debug_handles *handles = &event->known->handles;
    boundary of = {.n = 0};
    bool done = list_boundary(&of, g, event);
    for (size_t i = 0; i < n; i++) { /* from the end, as the Inspector pairs them */
        if (n - i <= handles->n)
            out[i].node = node_with(g, event, handles->handles[handles->n - (n - i)]);
    }
    if (done && of.n_handles == n)
        keep_last_nodes(&of, g, event);
    if (done && of.n == n)
        place_outputs(out, n, &of, g, event);
    free(of.values);
    return done;
}

#define MOST_OUTPUTS 1024

static eti_status find_of_call(eti_origins *origins, eti_origin_graph *g, size_t first,
                               eti_error *err) {
    const eti_recorded_tensor *tensor = &origins->recorded->tensors[first];
    const eti_event *event = tensor->event;
    size_t n = tensor->n_of_event;
    size_t n_outputs = event->known->num_outputs > 0 ? (size_t)event->known->num_outputs : 0;
    if (n_outputs > n || n_outputs > MOST_OUTPUTS)
        return ETI_OK;
    for (size_t i = 0; i < n - n_outputs; i++)
        origins->of[first + i].is_input = true;
    if (!g || event->known->handles.n == 0)
        return ETI_OK;
    eti_tensor_origin *outputs = &origins->of[first + n - n_outputs];
    return find_outputs(outputs, n_outputs, g, event) ? ETI_OK : eti_fail_memory(err);
}

static void find_of_kernel(eti_origins *origins, const eti_origin_graph *g, size_t first) {
    const eti_recorded_tensor *tensor = &origins->recorded->tensors[first];
    const eti_debug_handles *handles = &tensor->event->known->handles;
    if (!g || handles->n == 0)
        return;
    const eti_graph_node *node = node_with(g, tensor->event, handles->handles[handles->n - 1]);
    for (size_t i = 0; i < tensor->n_of_event; i++)
        origins->of[first + i].node = node;
}

static void find_last(eti_tensor_origin *of, const eti_origin_graph *g) {
    uint32_t number;
    if (of->node &&
        eti__intern_find(&g->last_nodes.table, &handled_kind, &of->node->debug_handle, &number))
        of->last = &g->graph.graph.nodes[g->last_nodes.items[number].node];
}

eti_status eti__origins_find(eti_origins *out, const eti_recorded *recorded,
                             const eti_inspector *inspector, eti_error *err) {
    *out = (eti_origins){.recorded = recorded};
    out->of = calloc(recorded->n + 1, sizeof *out->of);
    if (!out->of)
        return eti_fail_memory(err);
    if (!inspector->record)
        return ETI_OK;
    ETI_TRY(read_graphs(out, inspector, err));
    for (size_t i = 0; i < recorded->n; i += recorded->tensors[i].n_of_event) {
        const eti_recorded_tensor *tensor = &recorded->tensors[i];
        eti_origin_graph *g = eti__origins_graph(out, tensor->block);
        if (!tensor->event)
            continue;
        if (eti__is_delegate_call(tensor->event))
            ETI_TRY(find_of_call(out, g, i, err));
        else
            find_of_kernel(out, g, i);
        for (size_t k = i; g && k < i + tensor->n_of_event; k++)
            find_last(&out->of[k], g);
    }
    return ETI_OK;
}

void eti__origins_free(eti_origins *origins) {
    for (size_t i = 0; i < origins->n_graphs; i++) {
        eti_origin_graph *g = &origins->graphs[i];
        eti__lowered_graph_free(&g->graph);
        free(g->first_use);
        free(g->uses);
        free(g->marks);
        eti__intern_free(&g->last_nodes.table);
    }
    free(origins->graphs);
    free(origins->of);
    *origins = (eti_origins){.n_graphs = 0};
}

/* ---- inputs ----------------------------------------------------------------------------------- */

static bool add_input(eti_tensor_inputs *inputs, size_t tensor) {
    if (inputs->n > 0 && inputs->tensors[inputs->n - 1] == tensor)
        return true;
    if (!ETI_GROW(inputs->tensors, inputs->capacity, inputs->n + 1))
        return false;
    inputs->tensors[inputs->n++] = (uint32_t)tensor;
    return true;
}

/* State of a search upstream, per node of the graph. */
typedef struct upstream {
    const eti_origin_graph *g;
    /* 1 + the first tensor of the event that is this node; 0 if no event recorded any */
    uint32_t *givers;
    uint32_t *stack; /* nodes still to be visited */
    bool *seen;
    size_t n_stack;
} upstream;

/* Records the nodes that produced the tensors of the same run. */
static void note_givers(upstream *up, const eti_origins *origins,
                        const eti_recorded_tensor *tensor) {
    const eti_recorded *recorded = origins->recorded;
    for (size_t i = 0; i < recorded->n; i += recorded->tensors[i].n_of_event) {
        const eti_recorded_tensor *other = &recorded->tensors[i];
        if (!other->event || !eti__recorded_together(other, tensor))
            continue;
        eti_event_nodes nodes = eti__event_nodes(other->event);
        for (size_t k = 0; k < nodes.n; k++) {
            uint32_t number = number_of(up->g, nodes.all[k]);
            if (number != ETI_NO_NODE)
                up->givers[number] = (uint32_t)i + 1;
        }
    }
}

static void look_above(upstream *up, uint32_t node) {
    const eti_graph_ports *ports = ports_of(up->g, node);
    for (uint32_t p = 0; p < ports->n_inputs; p++) {
        uint32_t producer = up->g->graph.values.values[ports->inputs[p]].producer;
        if (producer == ETI_NO_NODE || producer >= node_count(up->g) || up->seen[producer])
            continue;
        up->seen[producer] = true;
        up->stack[up->n_stack++] = producer;
    }
}

/* Adds the tensors that belong to the node, if that is known. */
static bool add_given(const eti_origins *origins, size_t first, const eti_graph_node *node,
                      eti_tensor_inputs *out) {
    size_t n = origins->recorded->tensors[first].n_of_event;
    bool is_known = false, done = true;
    for (size_t i = first; i < first + n; i++)
        is_known |= origins->of[i].node == node;
    for (size_t i = first; done && i < first + n; i++) {
        if (!origins->of[i].is_input && (!is_known || origins->of[i].node == node))
            done = add_input(out, i);
    }
    return done;
}

static bool search(upstream *up, const eti_origins *origins, size_t tensor,
                   eti_tensor_inputs *out) {
    const eti_recorded_tensor *of = &origins->recorded->tensors[tensor];
    eti_event_nodes nodes = eti__event_nodes(of->event);
    note_givers(up, origins, of);
    for (size_t i = 0; i < nodes.n; i++) {
        uint32_t number = number_of(up->g, nodes.all[i]);
        if (number != ETI_NO_NODE && !up->seen[number]) {
            up->seen[number] = true;
            up->givers[number] = 0;
            up->stack[up->n_stack++] = number;
        }
    }
    while (up->n_stack > 0) {
        uint32_t node = up->stack[--up->n_stack];
        if (up->givers[node] == 0)
            look_above(up, node);
        else if (!add_given(origins, up->givers[node] - 1, &up->g->graph.graph.nodes[node], out))
            return false;
    }
    return true;
}

static int compare_tensors(const void *a, const void *b, void *unused) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    (void)unused;
    return (x > y) - (x < y);
}

static bool search_graph(eti_origins *origins, const eti_origin_graph *g, size_t tensor,
                         eti_tensor_inputs *out) {
    size_t n = node_count(g) + 1;
    upstream up = {g, calloc(n, sizeof *up.givers), calloc(n, sizeof *up.stack),
                   calloc(n, sizeof *up.seen), 0};
    bool done = up.givers && up.stack && up.seen && search(&up, origins, tensor, out);
    free(up.givers);
    free(up.stack);
    free(up.seen);
    return done;
}

bool eti__origins_inputs(eti_origins *origins, size_t tensor, eti_tensor_inputs *out) {
    const eti_recorded_tensor *of = &origins->recorded->tensors[tensor];
    *out = (eti_tensor_inputs){.n = 0};
    if (!of->event || origins->of[tensor].is_input)
        return true;
    size_t first = tensor - of->index;
    bool done = true;
    for (size_t i = first; done && i < first + of->n_of_event; i++) {
        if (origins->of[i].is_input)
            done = add_input(out, i);
    }
    const eti_origin_graph *g = eti__origins_graph(origins, of->block);
    if (done && out->n == 0 && g)
        done = search_graph(origins, g, tensor, out);
    eti__sort(out->tensors, out->n, sizeof *out->tensors, compare_tensors, NULL);
    return done;
}
