/*
 * fuzz_native.c - the input is a payload of the native backend. It is read; then its nodes are found again in a graph with nodes
 * of the same names, of which every other one does not overwrite its input.
 */
#include "fuzz.h"

#include "backends/backends.h"
#include "base/text.h"
#include "etrecord/etrecord.h"
#include "inside/inside.h"

#define MOST_NODES 64u
#define MOST_VALUES 256u

typedef struct made_graph {
    eti_graph_node nodes[MOST_NODES];
    eti_graph_value values[MOST_VALUES];
    eti_graph_ports ports[MOST_NODES];
    uint32_t links[2 * MOST_VALUES];
    size_t n_nodes, n_values, n_links;
} made_graph;

/* Checks that all names lead to nodes and constants. */
static void expect_sound(const eti_native *payload) {
    for (uint32_t i = 0; i < payload->n_nodes; i++) {
        const eti_native_node *node = &payload->nodes[i];
        fuzz_touch(node->op);
        uint32_t found = eti__native_find(payload, node->name);
        FUZZ_EXPECT(found == ETI_NATIVE_NONE || found < payload->n_nodes);
        for (uint32_t k = 0; k < node->n_inputs + node->n_outputs; k++)
            fuzz_touch(payload->links[node->first_link + k]);
    }
    for (uint32_t i = 0; i < payload->n_constants; i++) {
        const eti_native_constant *constant = &payload->constants[i];
        const eti_native_constant *found = eti__native_constant_of(payload, constant->name);
        FUZZ_EXPECT(found && eti__text_equal(found->name, constant->name));
    }
    for (uint32_t i = 0; i < payload->n_keys; i++)
        fuzz_touch(payload->keys[i].name);
}

/* Returns the number of a value, which is added if it is new. */
static uint32_t number_value(made_graph *graph, eti_text name) {
    for (size_t i = 0; i < graph->n_values; i++) {
        if (eti__text_equal(graph->values[i].name, name))
            return (uint32_t)i;
    }
    if (graph->n_values == MOST_VALUES)
        return 0;
    graph->values[graph->n_values] = (eti_graph_value){.name = name, .producer = ETI_NO_NODE};
    return (uint32_t)graph->n_values++;
}

/* Returns a name as the reader of graphs keeps it. */
static eti_text copy_name(eti_arena *arena, eti_text name) {
    char *copy = eti__arena_alloc(arena, name.size + 1, 1);
    FUZZ_EXPECT(copy);
    if (name.size > 0)
        memcpy(copy, name.data, name.size);
    copy[name.size] = '_';
    return (eti_text){copy, name.size + 1};
}

/* Returns "aten.relu.default" for "aten.relu_.default". */
static eti_text plain_op(eti_arena *arena, eti_text op) {
    eti_text name = eti__operator_name(op);
    size_t n = name.size > 0 ? (size_t)(name.data - op.data) + name.size - 1 : 0;
    if (n == 0 || op.data[n] != '_')
        return op;
    char *copy = eti__arena_alloc(arena, op.size, 1);
    FUZZ_EXPECT(copy);
    memcpy(copy, op.data, n);
    memcpy(copy + n, op.data + n + 1, op.size - n - 1);
    return (eti_text){copy, op.size - 1};
}

static void add_node(made_graph *graph, const eti_native *payload, uint32_t number,
                     eti_arena *arena) {
    const eti_native_node *of = &payload->nodes[number];
    uint32_t *links = graph->links + graph->n_links;
    uint32_t n = of->n_inputs + of->n_outputs;
    if (n > 2 * MOST_VALUES - graph->n_links || graph->n_nodes == MOST_NODES)
        return;
    for (uint32_t k = 0; k < n; k++)
        links[k] = number_value(graph, payload->links[of->first_link + k]);
    graph->n_links += n;
    eti_graph_node *node = &graph->nodes[graph->n_nodes];
    *node = (eti_graph_node){.op_type = number % 2 ? plain_op(arena, of->op) : of->op};
    node->node.name = copy_name(arena, number % 2 ? of->op : of->name);
    graph->ports[graph->n_nodes++] =
        (eti_graph_ports){links, links + of->n_inputs, of->n_inputs, of->n_outputs};
}

static void find_again(const eti_native *payload, eti_arena *arena) {
    static made_graph made;
    eti_native_nodes nodes;
    bool is_taken[MOST_NODES] = {false};
    made.n_nodes = made.n_links = 0;
    made.n_values = 0;
    (void)number_value(&made, (eti_text){"x", 1});
    for (uint32_t i = 0; i < payload->n_nodes; i++)
        add_node(&made, payload, i, arena);
    const eti_graph graph = {.nodes = made.nodes, .n_nodes = made.n_nodes};
    const eti_graph_values values = {
        .values = made.values, .n_values = made.n_values, .ports = made.ports};
    FUZZ_EXPECT(eti__native_nodes_init(&nodes, &graph, &values));
    const eti_native_found *found = eti__native_nodes_find(&nodes, payload);
    FUZZ_EXPECT(found && found == eti__native_nodes_find(&nodes, payload));
    for (uint32_t i = 0; i < payload->n_nodes; i++) {
        FUZZ_EXPECT((found[i].node == ETI_NO_NODE) ==
                    (found[i].attribution == ETI_ATTRIBUTION_CALL));
        if (found[i].node == ETI_NO_NODE)
            continue;
        FUZZ_EXPECT(found[i].node < made.n_nodes && !is_taken[found[i].node]);
        is_taken[found[i].node] = true;
    }
    eti__native_nodes_free(&nodes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_native payload;
    eti_text bytes = {data ? (const char *)data : "", size};
    eti_status status = eti__native_read(&payload, &arena, bytes, &err);
    if (status == ETI_OK) {
        expect_sound(&payload);
        find_again(&payload, &arena);
    } else {
        fuzz_expect_error(status, &err);
    }
    eti__arena_free(&arena);
    return 0;
}
