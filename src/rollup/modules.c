#include "rollup/modules.h"

#include <stdlib.h>
#include <string.h>

/* A module inside a call. */
typedef struct inner_module {
    uint32_t call; /* number of a node */
    /* index into places->modules; the innermost module that the call's nodes share stands for the call itself */
    uint32_t module;
} inner_module;

static const eti_intern_kind inner_kind = {.item_size = sizeof(inner_module),
                                           .key_size = sizeof(inner_module)};

typedef struct maker {
    eti_timed_graph *graph;
    const eti_places *places;
    uint32_t *shared; /* per node that is a call: the innermost module that its nodes share */
    ETI_INTERN_OF(inner_module) inner;
    size_t most_inner;
} maker;

static void find_shared(maker *m) {
    const eti_timed_graph *graph = m->graph;
    for (size_t i = 0; i < graph->n_nodes; i++) {
        uint32_t call = graph->nodes[i].call, module = graph->nodes[i].module_number;
        if (call == ETI_NO_NODE || module == ETI_PREFIX_ROOT)
            continue;
        m->shared[call] =
            m->shared[call] == ETI_NO_NODE
                ? module
                : eti__prefix_tree_common(&m->places->modules, m->shared[call], module);
    }
}

/* Numbers a module inside a call after the modules around it, so that parents have lower numbers. If modules are
 * nested too deeply, the nodes of those over the limit are drawn in the call. */
static bool number_inner(maker *m, uint32_t call, uint32_t module, uint32_t *out) {
    const eti_prefix_tree *tree = &m->places->modules;
    uint32_t shared = m->shared[call];
    uint32_t depth = tree->nodes[shared].depth, least = depth, most = tree->nodes[module].depth;
    if (m->inner.count + (most - depth) > m->most_inner)
        most = depth;
    /* the modules around it that are already numbered are the first of its path */
    while (least <= most) {
        const inner_module key = {call, eti__prefix_tree_cut(tree, module, least++)};
        if (!eti__intern_add(&m->inner.table, &inner_kind, &key, out))
            return false;
    }
    return true;
}

static bool number_modules(maker *m, uint32_t n_plain) {
    for (size_t i = 0; i < m->graph->n_nodes; i++) {
        eti_timed_node *node = &m->graph->nodes[i];
        uint32_t number = 0;
        if (node->call == ETI_NO_NODE)
            continue;
        if (m->shared[node->call] == ETI_NO_NODE)
            m->shared[node->call] = ETI_PREFIX_ROOT;
        uint32_t module = node->module_number;
        if (module == ETI_PREFIX_ROOT)
            module = m->shared[node->call];
        if (!number_inner(m, node->call, module, &number))
            return false;
        node->module_number = n_plain + number;
    }
    return true;
}

/* Returns the part of a path after "PARENT.", or else the whole path. */
static eti_text part_below(eti_text parent, eti_text path) {
    if (parent.size > 0 && path.size > parent.size + 1 && path.data[parent.size] == '.' &&
        memcmp(path.data, parent.data, parent.size) == 0)
        return (eti_text){path.data + parent.size + 1, path.size - parent.size - 1};
    return path;
}

static eti_timed_module describe_module(const eti_places *places, uint32_t number) {
    uint32_t parent = places->modules.nodes[number].parent;
    eti_text path = eti__places_module(places, number)->path, above = {NULL, 0};
    if (parent != ETI_PREFIX_ROOT)
        above = eti__places_module(places, parent)->path;
    return (eti_timed_module){parent, eti__places_module_name(places, number),
                              part_below(above, path), false};
}

static eti_timed_module describe_inner(const maker *m, size_t number, uint32_t n_plain) {
    const inner_module *inner = &m->inner.items[number];
    if (inner->module == m->shared[inner->call]) {
        eti_text name = m->graph->nodes[inner->call].name;
        return (eti_timed_module){inner->module, name, name, true};
    }
    eti_timed_module module = describe_module(m->places, inner->module);
    const inner_module around = {inner->call, m->places->modules.nodes[inner->module].parent};
    uint32_t parent = 0;
    if (eti__intern_find(&m->inner.table, &inner_kind, &around, &parent))
        module.parent = n_plain + parent;
    return module;
}

static bool make(maker *m) {
    const eti_prefix_tree *tree = &m->places->modules;
    uint32_t n_plain = (uint32_t)tree->n_nodes;
    for (size_t i = 0; i < m->graph->n_nodes; i++)
        m->shared[i] = ETI_NO_NODE;
    find_shared(m);
    if (!number_modules(m, n_plain))
        return false;
    size_t n = n_plain + m->inner.count;
    eti_timed_module *modules = eti__arena_alloc_zero(&m->graph->arena, n, sizeof *modules);
    for (uint32_t i = 1; modules && i < n; i++)
        modules[i] =
            i < n_plain ? describe_module(m->places, i) : describe_inner(m, i - n_plain, n_plain);
    m->graph->modules = modules;
    m->graph->n_modules = n;
    return modules != NULL;
}

bool eti__graph_set_modules(eti_timed_graph *graph, const eti_places *places) {
    maker m = {.graph = graph,
               .places = places,
               .shared = malloc((graph->n_nodes + 1) * sizeof *m.shared),
               .most_inner = 1000 + 8 * (graph->n_nodes + places->modules.n_nodes)};
    bool done = m.shared && make(&m);
    free(m.shared);
    eti__intern_free(&m.inner.table);
    return done;
}
