#include "inside/inside.h"

#include "base/array.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Steps of all searches, after which no more nodes are looked for. */
#define MOST_WORK ((size_t)1 << 24)
/* A name is that of several nodes or values. */
#define SEVERAL (ETI_NO_NODE - 1)

typedef eti_native_named named;

/* The search for the nodes of a payload. */
typedef struct finder {
    eti_native_nodes *of;
    const eti_graph *graph;
    const eti_graph_values *values;
    const eti_native *payload;
    eti_native_found *out;
} finder;

/* ---- names ----------------------------------------------------------------------------------- */

static const eti_intern_kind by_name = ETI_INTERN_BY_TEXT(named);

static const named *find_name(const finder *f, eti_text name) {
    uint32_t number;
    return name.size > 0 && eti__intern_find(&f->of->names.table, &by_name, &name, &number)
               ? &f->of->names.items[number]
               : NULL;
}

static named *add_name(eti_native_nodes *of, eti_text name) {
    const named item = {name, ETI_NO_NODE, ETI_NO_NODE};
    uint32_t number;
    return eti__intern_add(&of->names.table, &by_name, &item, &number) ? &of->names.items[number]
                                                                       : NULL;
}

static void set_number(uint32_t *out, size_t number) {
    *out = *out == ETI_NO_NODE ? (uint32_t)number : SEVERAL;
}

static bool list_names(eti_native_nodes *of) {
    for (size_t i = 0; i < of->graph->n_nodes; i++) {
        eti_text name = of->graph->nodes[i].node.name; /* with the Inspector's "_" */
        named *item = add_name(of, (eti_text){name.data, name.size > 0 ? name.size - 1 : 0});
        if (!item)
            return false;
        set_number(&item->node, i);
    }
    for (size_t i = 0; i < of->values->n_values; i++) {
        named *item = add_name(of, of->values->values[i].name);
        if (!item)
            return false;
        set_number(&item->value, i);
    }
    return true;
}

/* ---- values ---------------------------------------------------------------------------------- */

static const eti_graph_ports *ports_of(const finder *f, uint32_t node) {
    return &f->values->ports[node];
}

/* Lists the users of each value. */
static bool list_users(eti_native_nodes *of) {
    const eti_graph_ports *ports = of->values->ports;
    size_t n = 0, n_nodes = of->graph->n_nodes, n_values = of->values->n_values;
    of->firsts = calloc(n_values + 2, sizeof *of->firsts);
    for (size_t i = 0; of->firsts && i < n_nodes; i++) {
        for (uint32_t k = 0; k < ports[i].n_inputs; k++, n++)
            of->firsts[ports[i].inputs[k] + 2]++;
    }
    of->users = of->firsts ? malloc((n + 1) * sizeof *of->users) : NULL;
    for (size_t i = 2; of->users && i < n_values + 2; i++)
        of->firsts[i] += of->firsts[i - 1];
    for (size_t i = 0; of->users && i < n_nodes; i++) {
        for (uint32_t k = 0; k < ports[i].n_inputs; k++)
            of->users[of->firsts[ports[i].inputs[k] + 1]++] = (uint32_t)i;
    }
    return of->users != NULL;
}

/* Returns the value of the graph that has a name in the payload, or ETI_NO_NODE. */
static uint32_t value_named(const finder *f, eti_text name) {
    uint32_t node = eti__native_find(f->payload, name);
    if (node == ETI_NATIVE_NONE) {
        const named *item = find_name(f, name);
        return item && item->value < f->values->n_values ? item->value : ETI_NO_NODE;
    }
    const eti_native_node *of = &f->payload->nodes[node];
    if (f->out[node].node == ETI_NO_NODE)
        return ETI_NO_NODE;
    const eti_graph_ports *ports = ports_of(f, f->out[node].node);
    for (uint32_t i = 0; i < of->n_outputs && i < ports->n_outputs; i++) {
        if (eti__text_equal(f->payload->links[of->first_link + of->n_inputs + i], name))
            return ports->outputs[i];
    }
    return ETI_NO_NODE;
}

static bool takes(finder *f, uint32_t node, uint32_t value) {
    const eti_graph_ports *ports = ports_of(f, node);
    f->of->work += ports->n_inputs + 1;
    for (uint32_t i = 0; i < ports->n_inputs; i++) {
        if (ports->inputs[i] == value)
            return true;
    }
    return false;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void take(finder *f, uint32_t of, uint32_t node, eti_attribution attribution) {
    f->out[of] = (eti_native_found){node, (uint8_t)attribution};
    f->of->is_taken[node] = true;
}

/* Returns whether a node takes the constants of a node of the payload. */
static bool takes_constants(finder *f, uint32_t node, const eti_native_node *of) {
    for (uint32_t i = 0; i < of->n_inputs; i++) {
        eti_text name = f->payload->links[of->first_link + i];
        const named *item = eti__native_constant_of(f->payload, name) ? find_name(f, name) : NULL;
        if (item && item->value < f->values->n_values && !takes(f, node, item->value))
            return false;
    }
    return true;
}

/* Finds the nodes that have the name, the operator and the constants of a node of the payload. */
static void find_named(finder *f) {
    for (uint32_t i = 0; i < f->payload->n_nodes && f->of->work < MOST_WORK; i++) {
        const eti_native_node *of = &f->payload->nodes[i];
        const named *item = find_name(f, of->name);
        if (item && item->node < f->graph->n_nodes && !f->of->is_taken[item->node] &&
            eti__text_equal(f->graph->nodes[item->node].op_type, of->op) &&
            takes_constants(f, item->node, of))
            take(f, i, item->node, ETI_ATTRIBUTION_EXACT);
    }
}

/* Returns whether an operator overwrites its input, and is otherwise the same as another: "aten.relu_.default" for
 * "aten.relu.default". */
static bool overwrites_as(eti_text op, eti_text plain) {
    eti_text a = eti__operator_name(op), b = eti__operator_name(plain);
    return a.data && b.data && a.size == b.size + 1 && a.data[b.size] == '_' &&
           memcmp(a.data, b.data, b.size) == 0;
}

/* Returns whether a node takes all values of a node of the payload whose place is known. */
static bool takes_all(finder *f, uint32_t node, const eti_native_node *of) {
    for (uint32_t i = 0; i < of->n_inputs; i++) {
        uint32_t value = value_named(f, f->payload->links[of->first_link + i]);
        if (value != ETI_NO_NODE && !takes(f, node, value))
            return false;
    }
    return true;
}

/* Returns the only node left over that may have become a node of the payload, among those that take a value. */
static uint32_t find_user(finder *f, const eti_native_node *of, uint32_t value) {
    uint32_t found = ETI_NO_NODE;
    for (uint32_t i = f->of->firsts[value]; i < f->of->firsts[value + 1] && f->of->work < MOST_WORK;
         i++) {
        uint32_t node = f->of->users[i];
        f->of->work++;
        if (node == found || f->of->is_taken[node] ||
            !overwrites_as(of->op, f->graph->nodes[node].op_type) || !takes_all(f, node, of))
            continue;
        if (found != ETI_NO_NODE)
            return ETI_NO_NODE;
        found = node;
    }
    return found;
}

/* Finds the nodes of operators that overwrite their inputs. */
static void find_overwriting(finder *f) {
    for (uint32_t i = 0; i < f->payload->n_nodes && f->of->work < MOST_WORK; i++) {
        const eti_native_node *of = &f->payload->nodes[i];
        if (f->out[i].node != ETI_NO_NODE || of->n_inputs == 0)
            continue;
        uint32_t value = value_named(f, f->payload->links[of->first_link]);
        uint32_t node = value != ETI_NO_NODE ? find_user(f, of, value) : ETI_NO_NODE;
        if (node != ETI_NO_NODE)
            take(f, i, node, ETI_ATTRIBUTION_INFERRED);
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

bool eti__native_nodes_init(eti_native_nodes *out, const eti_graph *graph,
                            const eti_graph_values *values) {
    *out = (eti_native_nodes){.graph = graph, .values = values};
    out->is_taken = calloc(graph->n_nodes + 1, sizeof *out->is_taken);
    return out->is_taken && list_names(out) && list_users(out);
}

const eti_native_found *eti__native_nodes_find(eti_native_nodes *nodes, const eti_native *payload) {
    static const eti_intern_kind kind = {.item_size = sizeof(eti_native_of),
                                         .key_size = offsetof(eti_native_of, found)};
    finder f = {.of = nodes, .graph = nodes->graph, .values = nodes->values, .payload = payload};
    size_t n_known = nodes->found.count;
    uint32_t number;
    if (!eti__intern_add(&nodes->found.table, &kind, &(eti_native_of){payload, NULL}, &number))
        return NULL;
    if (number < n_known)
        return nodes->found.items[number].found;
    f.out = eti__arena_alloc(&nodes->arena, payload->n_nodes, sizeof *f.out);
    for (uint32_t i = 0; f.out && i < payload->n_nodes; i++)
        f.out[i] = (eti_native_found){ETI_NO_NODE, ETI_ATTRIBUTION_CALL};
    if (f.out) {
        find_named(&f);
        find_overwriting(&f);
    }
    nodes->found.items[number].found = f.out;
    return f.out;
}

void eti__native_nodes_free(eti_native_nodes *nodes) {
    eti__intern_free(&nodes->names.table);
    eti__intern_free(&nodes->found.table);
    eti__arena_free(&nodes->arena);
    free(nodes->is_taken);
    free(nodes->firsts);
    free(nodes->users);
    *nodes = (eti_native_nodes){0};
}
