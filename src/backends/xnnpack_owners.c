#include "backends/xnnpack_owners.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

#define NO_NODE UINT32_MAX
/* Number of value identifiers per node, and for all nodes, up to which values are known. */
#define VALUES_PER_NODE 8u
#define FEW_VALUES 1024u

/* Nodes with handles, ascending. */
typedef struct node_list {
    uint32_t nodes[ETI_XNNPACK_MOST_OWNERS];
    uint32_t n;
    bool is_used_directly; /* a node with a handle uses the value without a change of its form */
    bool is_cut;           /* there are more nodes */
} node_list;

typedef struct finder {
    eti_xnnpack_node *nodes;
    uint32_t n;
    size_t n_values;     /* ids of this number or more are unknown */
    node_list *users;    /* per value: nodes that use it, among those visited so far */
    uint32_t *producers; /* per value: the last node visited so far that produces it */
    /* per node: the nearest node with a handle on the path from which its first input comes */
    uint32_t *origins;
    uint32_t *owners;
    size_t n_owners, capacity;
} finder;

/* ---- kinds ----------------------------------------------------------------------------------- */

static bool concatenates(const eti_xnnpack_node *node) {
    return node->kind == ETI_XNNPACK_CONCATENATE_2 || node->kind == ETI_XNNPACK_CONCATENATE_3 ||
           node->kind == ETI_XNNPACK_CONCATENATE_4 || node->kind == ETI_XNNPACK_CONCATENATE_5;
}

/* Returns whether a node adds inputs to the concatenation before it, which has too many for one node. */
static bool continues(const eti_xnnpack_node *nodes, uint32_t number) {
    const eti_xnnpack_node *node = &nodes[number];
    if (number == 0 || !concatenates(node) || !concatenates(node - 1))
        return false;
    for (size_t i = 0; i < node->n_inputs; i++) {
        if (node->inputs[i] == node[-1].output)
            return true;
    }
    return false;
}

/* ---- data flow ------------------------------------------------------------------------------- */

static void find_origins(finder *f) {
    for (uint32_t i = 0; i < f->n; i++) {
        const eti_xnnpack_node *node = &f->nodes[i];
        bool has_input = node->n_inputs > 0 && node->inputs[0] < f->n_values;
        uint32_t producer = continues(f->nodes, i) ? i - 1
                            : has_input            ? f->producers[node->inputs[0]]
                                                   : NO_NODE;
        bool is_path = producer != NO_NODE && f->nodes[producer].is_inserted;
        f->origins[i] = is_path ? f->origins[producer] : producer;
        if (node->n_inputs > 0 && node->output < f->n_values)
            f->producers[node->output] = i;
    }
}

/* Adds a node to a list, which keeps the earliest ones if it is full. */
static void add_node(node_list *list, uint32_t node) {
    uint32_t at = list->n;
    while (at > 0 && list->nodes[at - 1] > node)
        at--;
    if (at > 0 && list->nodes[at - 1] == node)
        return;
    list->is_cut = list->is_cut || list->n == ETI_XNNPACK_MOST_OWNERS;
    if (at == ETI_XNNPACK_MOST_OWNERS)
        return;
    uint32_t n_kept = list->n < ETI_XNNPACK_MOST_OWNERS ? list->n : ETI_XNNPACK_MOST_OWNERS - 1;
    memmove(list->nodes + at + 1, list->nodes + at, (n_kept - at) * sizeof *list->nodes);
    list->nodes[at] = node;
    list->n = n_kept + 1;
}

/* Adds a node, or the users of an inserted node, to the users of a value. */
static void add_users(const finder *f, uint32_t value, uint32_t node, const node_list *users) {
    if (value >= f->n_values)
        return;
    node_list *list = &f->users[value];
    if (!f->nodes[node].is_inserted) {
        add_node(list, node);
        list->is_used_directly = true;
    }
    list->is_cut = list->is_cut || users->is_cut;
    for (uint32_t i = 0; i < users->n; i++)
        add_node(list, users->nodes[i]);
}

/* ---- owners ---------------------------------------------------------------------------------- */

/* Adds an owner; one of several owners with the same handle is enough. */
static bool add_owner(finder *f, eti_xnnpack_node *node, uint32_t owner) {
    for (uint32_t i = 0; i < node->n_owners; i++) {
        if (f->nodes[f->owners[node->first_owner + i]].debug_handle == f->nodes[owner].debug_handle)
            return true;
    }
    if (!ETI_GROW(f->owners, f->capacity, f->n_owners + 1))
        return false;
    if (node->n_owners == 0) {
        node->first_owner = (uint32_t)f->n_owners;
        node->debug_handle = f->nodes[owner].debug_handle;
        node->has_handle = true;
    }
    node->n_owners++;
    f->owners[f->n_owners++] = owner;
    return true;
}

/* Finds the owners of an inserted node. A node that computes and has lost its handle may be part of the operators on
 * either side; and nodes with handles that use the channels of a value in the order of the model may be the cause of that
 * order. */
static bool own_inserted(finder *f, uint32_t i, const node_list *users) {
    eti_xnnpack_node *node = &f->nodes[i];
    uint32_t origin = f->origins[i];
    bool moves = eti__xnnpack_kind_moves(node->kind);
    bool is_continued = origin != NO_NODE && continues(f->nodes, i);
    bool is_for_users = !is_continued && (node->change == ETI_XNNPACK_INTO || !moves);
    bool has_both = origin != NO_NODE && users->n > 0;
    bool is_ambiguous = node->change == ETI_XNNPACK_OTHER_CHANGE ||
                        (node->kind == ETI_XNNPACK_STATIC_TRANSPOSE &&
                         node->change == ETI_XNNPACK_OUT_OF && users->is_used_directly);
    bool is_known = origin != NO_NODE || users->n > 0;
    node->is_owner_sure =
        is_continued || (is_known && moves && !users->is_cut && !(has_both && is_ambiguous));
    if (origin != NO_NODE && (!is_for_users || users->n == 0))
        return add_owner(f, node, origin);
    for (uint32_t k = 0; k < users->n; k++) {
        if (!add_owner(f, node, users->nodes[k]))
            return false;
    }
    return true;
}

/* Goes from the last node to the first, so that all users of a value are visited before its producer. */
static bool own_by_flow(finder *f) {
    for (uint32_t i = f->n; i-- > 0;) {
        eti_xnnpack_node *node = &f->nodes[i];
        node_list users = {.n = 0};
        if (node->is_inserted && node->n_inputs > 0 && node->output < f->n_values)
            users = f->users[node->output];
        for (uint32_t k = 0; k < node->n_inputs; k++)
            add_users(f, node->inputs[k], i, &users);
        if (node->is_inserted && !own_inserted(f, i, &users))
            return false;
    }
    return true;
}

/* Gives the nodes without an owner that of the next node or, after the last node with a handle, of the previous one. */
static bool own_by_order(finder *f) {
    uint32_t nearest = NO_NODE;
    for (uint32_t i = f->n; i-- > 0;) {
        eti_xnnpack_node *node = &f->nodes[i];
        nearest = node->is_inserted ? nearest : i;
        if (!node->has_handle && nearest != NO_NODE && !add_owner(f, node, nearest))
            return false;
    }
    for (uint32_t i = 0; i < f->n; i++) {
        eti_xnnpack_node *node = &f->nodes[i];
        nearest = node->is_inserted ? nearest : i;
        if (!node->has_handle && nearest != NO_NODE && !add_owner(f, node, nearest))
            return false;
    }
    return true;
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool has_inserted(const finder *f) {
    for (uint32_t i = 0; i < f->n; i++) {
        if (f->nodes[i].is_inserted)
            return true;
    }
    return false;
}

static size_t count_values(const finder *f) {
    size_t n = 0, most = (size_t)f->n * VALUES_PER_NODE + FEW_VALUES;
    for (uint32_t i = 0; i < f->n; i++) {
        const eti_xnnpack_node *node = &f->nodes[i];
        for (uint32_t k = 0; k < node->n_inputs; k++)
            n = node->inputs[k] >= n && node->inputs[k] < most ? node->inputs[k] + (size_t)1 : n;
        n = node->output >= n && node->output < most ? node->output + (size_t)1 : n;
    }
    return n;
}

static bool find(finder *f) {
    f->n_values = count_values(f);
    f->users = calloc(f->n_values + 1, sizeof *f->users);
    f->producers = malloc((f->n_values + 1) * sizeof *f->producers);
    f->origins = malloc(((size_t)f->n + 1) * sizeof *f->origins);
    if (!f->users || !f->producers || !f->origins)
        return false;
    memset(f->producers, 0xff, f->n_values * sizeof *f->producers);
    find_origins(f);
    return own_by_flow(f) && own_by_order(f);
}

/* Copies the owners into the arena. */
static bool keep_owners(const finder *f, eti_arena *arena, const uint32_t **out) {
    uint32_t *owners = eti__arena_alloc(arena, f->n_owners + 1, sizeof *owners);
    if (owners && f->n_owners > 0)
        memcpy(owners, f->owners, f->n_owners * sizeof *owners);
    *out = owners;
    return owners != NULL;
}

bool eti__xnnpack_find_owners(eti_xnnpack_node *nodes, uint32_t n, eti_arena *arena,
                              const uint32_t **owners) {
    finder f = {.nodes = nodes, .n = n};
    bool done = (!has_inserted(&f) || find(&f)) && keep_owners(&f, arena, owners);
    free(f.users);
    free(f.producers);
    free(f.origins);
    free(f.owners);
    return done;
}
