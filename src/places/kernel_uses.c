#include "places/kernel_uses.h"

#include "backends/backends.h"
#include "model/model.h"

#include <stdlib.h>

/* Uses of an operator with a debug handle. */
typedef struct operator_use {
    eti_text name; /* the key, with `handle`; such as "add" */
    int64_t handle;
    size_t n_nodes, n_kernels;
} operator_use;

typedef ETI_INTERN_OF(operator_use) use_table;

static uint64_t hash_use(const void *key, uint64_t seed) {
    const operator_use *use = key;
    return eti__hash_mix(eti__text_hash(use->name, seed), (uint64_t)use->handle);
}

static bool uses_equal(const void *key, const void *other) {
    const operator_use *a = key, *b = other;
    return a->handle == b->handle && eti__text_equal(a->name, b->name);
}

static const eti_intern_kind use_kind = {
    .item_size = sizeof(operator_use), .hash = hash_use, .is_equal = uses_equal};

/* ---- counts ---------------------------------------------------------------------------------- */

static bool find_node(const use_table *uses, const eti_graph *graph, size_t node,
                      uint32_t *number) {
    const eti_graph_node *of = &graph->nodes[node];
    const operator_use use = {.name = eti__operator_name(of->op_type), .handle = of->debug_handle};
    return use.name.size > 0 && eti__graph_has_handle(graph, node) &&
           eti__intern_find(&uses->table, &use_kind, &use, number);
}

/* Counts the kernel calls with a single handle; of several handles, any may be the operator's. */
static bool count_kernels(use_table *uses, const eti_etrecord *record, size_t method,
                          const eti_pte_plan *plan) {
    const eti_pte_chain *chain = &plan->chains[0];
    for (uint32_t i = 0; i < chain->n_instructions && i <= INT32_MAX; i++) {
        const eti_pte_instruction *instruction = &chain->instructions[i];
        eti_debug_handles handles;
        uint32_t number;
        if (instruction->kind != ETI_PTE_KERNEL_CALL ||
            !eti__etrecord_find_handles(record, method, (int32_t)i, &handles) || handles.n != 1)
            continue;
        const operator_use use = {
            .name = eti__operator_name(plan->operators[instruction->index].name),
            .handle = handles.handles[0],
        };
        if (use.name.size == 0)
            continue;
        if (!eti__intern_add(&uses->table, &use_kind, &use, &number))
            return false;
        uses->items[number].n_kernels++;
    }
    return true;
}

static bool mark_nodes(bool **out, const use_table *uses, const eti_graph *graph) {
    size_t n = graph->n_nodes - (graph->is_whole ? graph->n_lowered : 0);
    uint32_t number;
    *out = calloc(graph->n_nodes + 1, sizeof **out);
    if (!*out)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (find_node(uses, graph, i, &number))
            uses->items[number].n_nodes++;
    }
    for (size_t i = 0; i < n; i++)
        (*out)[i] = find_node(uses, graph, i, &number) &&
                    uses->items[number].n_nodes == uses->items[number].n_kernels;
    return true;
}

bool eti__find_kernel_uses(bool **out, const eti_graph *graph, const eti_etrecord *record,
                           size_t method, const eti_pte_plan *plan) {
    use_table uses = {{0}};
    *out = NULL;
    if (!record || method == ETI_NO_METHOD || !plan || plan->n_chains != 1)
        return true;
    bool done = count_kernels(&uses, record, method, plan) &&
                (uses.count == 0 || mark_nodes(out, &uses, graph));
    eti__intern_free(&uses.table);
    return done;
}
