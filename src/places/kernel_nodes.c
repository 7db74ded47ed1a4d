#include "places/kernel_nodes.h"

#include "backends/backends.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/intern.h"
#include "base/sort.h"
#include "base/status.h"
#include "base/text.h"
#include "model/model.h"
#include "places/free_nodes.h"

#include <stdlib.h>
#include <string.h>

/* Nodes of an instruction, which its events share. */
typedef struct node_list {
    const eti_op_node *const *nodes; /* the key */
    /* sorted by operator, then in graph order; in the inspector's arena */
    const eti_op_node **sorted;
} node_list;

/* Events of one kernel in instructions with the same nodes. */
typedef struct kernel {
    const eti_op_node *const *list; /* the key, with `name` */
    eti_text name;                  /* such as "add" */
    const eti_op_node *const *nodes, *const *single;
    size_t n_nodes; /* number of nodes with this name; 0: none */
    eti_text op;    /* operator that all nodes have; absent if they differ */
    /* state of the current block: */
    const eti_event_block *block;
    size_t n_events, n_passed;
    int32_t last_instruction;
    bool is_in_order; /* each event has a later instruction than the event before it */
} kernel;

/* A record of a kernel; equal to `of` except for its nodes. */
typedef struct kernel_record {
    const eti_event_record *of; /* the key, with `nodes` */
    const eti_op_node *const *nodes;
    const eti_event_record *made;
} kernel_record;

typedef struct resolver {
    eti_arena *arena;
    ETI_INTERN_OF(node_list) lists;
    ETI_INTERN_OF(kernel) kernels;
    ETI_INTERN_OF(kernel_record) records;
} resolver;

/* ---- names ----------------------------------------------------------------------------------- */

static eti_text op_type_of(const eti_op_node *node) {
    return ((const eti_graph_node *)(const void *)node)->op_type;
}

static eti_text operator_name(const eti_op_node *node) {
    return eti__operator_name(op_type_of(node));
}

static int compare_nodes(const void *a, const void *b, void *context) {
    const eti_op_node *x = *(const eti_op_node *const *)a, *y = *(const eti_op_node *const *)b;
    (void)context;
    int order = eti__text_compare(operator_name(x), operator_name(y));
    return order ? order : (x > y) - (x < y); /* the nodes of a graph are one array */
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Returns the sorted nodes, or NULL if memory runs out. */
static const eti_op_node **sort_list(resolver *r, const eti_event_record *record) {
    static const eti_intern_kind kind = {.item_size = sizeof(node_list),
                                         .key_size = offsetof(node_list, sorted)};
    size_t n_known = r->lists.count;
    uint32_t number;
    if (!eti__intern_add(&r->lists.table, &kind, &(node_list){.nodes = record->op_nodes}, &number))
        return NULL;
    node_list *list = &r->lists.items[number];
    if (number < n_known)
        return list->sorted;
    size_t n = record->n_op_nodes;
    list->sorted = eti__arena_alloc(r->arena, 2 * n, sizeof *list->sorted);
    if (list->sorted) {
        memcpy(list->sorted, record->op_nodes, n * sizeof *list->sorted);
        eti__sort(list->sorted, n, sizeof *list->sorted, compare_nodes, NULL);
        memcpy(list->sorted + n, list->sorted, n * sizeof *list->sorted);
    }
    return list->sorted;
}

/* Returns the index of the first sorted node whose operator is not before `name` or, with `after`, of the first whose
 * operator is after it. */
static size_t find_operator(const eti_op_node *const *nodes, size_t n, eti_text name, bool after) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (eti__text_compare(operator_name(nodes[middle]), name) < (after ? 1 : 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static eti_text common_op(const kernel *k) {
    for (size_t i = 1; i < k->n_nodes; i++) {
        if (!eti__text_equal(op_type_of(k->nodes[i]), op_type_of(k->nodes[0])))
            return (eti_text){NULL, 0};
    }
    return op_type_of(k->nodes[0]);
}

static bool find_nodes(resolver *r, const eti_event_record *record, kernel *k) {
    const eti_op_node *const *sorted = sort_list(r, record);
    if (!sorted)
        return false;
    size_t first = find_operator(sorted, record->n_op_nodes, k->name, false);
    k->nodes = sorted + first;
    k->single = k->nodes + record->n_op_nodes;
    k->n_nodes = find_operator(sorted, record->n_op_nodes, k->name, true) - first;
    if (k->n_nodes > 0)
        k->op = common_op(k);
    return true;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static uint64_t hash_kernel(const void *key, uint64_t seed) {
    const kernel *k = key;
    return eti__hash_mix(eti__text_hash(k->name, seed), (uintptr_t)k->list);
}

static bool kernels_equal(const void *key, const void *other) {
    const kernel *a = key, *b = other;
    return a->list == b->list && eti__text_equal(a->name, b->name);
}

/* Finds the kernel of an event. Sets `*out` to NULL if it is not a kernel, or is a kernel of a single node. Returns
 * false if memory runs out. */
static bool find_kernel(resolver *r, const eti_event *event, kernel **out) {
    static const eti_intern_kind kind = {
        .item_size = sizeof(kernel), .hash = hash_kernel, .is_equal = kernels_equal};
    const eti_event_record *record = event->known;
    size_t n_known = r->kernels.count;
    uint32_t number;
    *out = NULL;
    if (record->n_op_nodes < 2 || event->is_delegated_op)
        return true;
    const kernel wanted = {.list = record->op_nodes, .name = eti__kernel_operator(event->name)};
    if (wanted.name.size == 0)
        return true;
    if (!eti__intern_add(&r->kernels.table, &kind, &wanted, &number))
        return false;
    *out = &r->kernels.items[number];
    return number < n_known || find_nodes(r, record, *out);
}

static void count_event(kernel *k, const eti_event *event) {
    if (k->block != event->block) {
        k->block = event->block;
        k->n_events = k->n_passed = 0;
        k->is_in_order = true;
    }
    if (k->n_events++ > 0 && event->instruction_id <= k->last_instruction)
        k->is_in_order = false;
    k->last_instruction = event->instruction_id;
}

/* ---- records --------------------------------------------------------------------------------- */

/* Returns the record with these nodes, or NULL if memory runs out. */
static const eti_event_record *make_record(resolver *r, const eti_event_record *of,
                                           const eti_op_node *const *nodes, size_t n, eti_text op) {
    static const eti_intern_kind kind = {.item_size = sizeof(kernel_record),
                                         .key_size = offsetof(kernel_record, made)};
    size_t n_known = r->records.count;
    uint32_t number;
    if (!eti__intern_add(&r->records.table, &kind, &(kernel_record){of, nodes, NULL}, &number))
        return NULL;
    if (number == n_known) {
        eti_event_record *made = eti__arena_alloc(r->arena, 1, sizeof *made);
        if (!made)
            return NULL;
        *made = *of;
        made->op_nodes = nodes;
        made->n_op_nodes = n;
        made->own_op = op;
        r->records.items[number].made = made;
    }
    return r->records.items[number].made;
}

static bool resolve_event(resolver *r, eti_event *event) {
    kernel *k;
    if (!find_kernel(r, event, &k))
        return false;
    if (!k || k->n_nodes == 0)
        return true;
    size_t i = k->n_passed++;
    bool is_one = k->is_in_order && k->n_events == k->n_nodes;
    event->known = is_one ? make_record(r, event->known, &k->single[i], 1, op_type_of(k->single[i]))
                          : make_record(r, event->known, k->nodes, k->n_nodes, k->op);
    return event->known != NULL;
}

static bool resolve_block(resolver *r, eti_event_block *block) {
    bool done = true;
    for (size_t i = 0; i < block->n_events && done; i++) {
        kernel *k;
        done = find_kernel(r, &block->events[i], &k);
        if (done && k)
            count_event(k, &block->events[i]);
    }
    for (size_t i = 0; i < block->n_events && done; i++)
        done = resolve_event(r, &block->events[i]);
    return done;
}

eti_status eti__resolve_kernels(eti_inspector *inspector, eti_error *err) {
    resolver r = {.arena = &inspector->arena};
    eti_free_nodes free_nodes = {.inspector = inspector};
    bool done = true;
    for (size_t b = 0; b < inspector->blocks.n_blocks && done; b++) {
        eti_event_block *block = &inspector->blocks.blocks[b];
        done = !eti__block_is_to_set(inspector, block) ||
               (resolve_block(&r, block) && eti__free_nodes_set(&free_nodes, block, err) == ETI_OK);
    }
    eti__free_nodes_free(&free_nodes);
    eti__intern_free(&r.lists.table);
    eti__intern_free(&r.kernels.table);
    eti__intern_free(&r.records.table);
    return done ? ETI_OK : eti_fail_memory(err);
}
