#include "places/call_work.h"

#include "places/handle_nodes.h"

#include <stdlib.h>

/* Largest number of nodes of calls and payloads that are examined; they take at most a second. */
#define MOST_WORK ((size_t)1 << 23)

/* Value of a node as evidence of the purpose of its call, ascending. */
typedef enum value { NOTHING, CONVERTS, MOVES, COMPUTES } value;

/* The use of a debug handle in a payload. */
typedef struct eti_handle_use {
    int64_t handle; /* the key: the first member, for eti__compare_handles() */
    value value;    /* of a node with this handle */
} handle_use;

/* ---- the payload ----------------------------------------------------------------------------- */

/* Puts the most valuable use of a handle first. */
static int compare_uses(const void *a, const void *b) {
    const handle_use *x = a, *y = b;
    if (x->handle != y->handle)
        return x->handle < y->handle ? -1 : 1;
    return (x->value < y->value) - (x->value > y->value);
}

static value value_of_kind(uint8_t kind) {
    return kind == ETI_XNNPACK_CONVERT     ? CONVERTS
           : eti__xnnpack_kind_moves(kind) ? MOVES
                                           : COMPUTES;
}

/* Lists the handles that nodes of the payload have of their own, each once. */
static bool list_uses(eti_call_work *work, const eti_xnnpack *payload, size_t *n_uses) {
    size_t n = 0;
    *n_uses = 0;
    if (!ETI_GROW(work->uses, work->use_capacity, (size_t)payload->n_nodes + 1))
        return false;
    for (uint32_t i = 0; i < payload->n_nodes; i++) {
        const eti_xnnpack_node *node = &payload->nodes[i];
        if (!node->is_inserted)
            work->uses[n++] = (handle_use){node->debug_handle, value_of_kind(node->kind)};
    }
    qsort(work->uses, n, sizeof *work->uses, compare_uses);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || work->uses[i].handle != work->uses[i - 1].handle)
            work->uses[(*n_uses)++] = work->uses[i];
    }
    return true;
}

/* ---- the nodes of the call ------------------------------------------------------------------- */

static value value_of_op(eti_text op_type) {
    eti_xnnpack_kinds kinds = eti__xnnpack_kinds_of(op_type);
    bool moves = kinds != 0;
    for (uint8_t kind = 0; kind < ETI_XNNPACK_N_KINDS && moves; kind++)
        moves = !eti__xnnpack_kinds_have(kinds, kind) || eti__xnnpack_kind_moves(kind);
    return eti__is_quantizing(op_type) ? CONVERTS : moves ? MOVES : COMPUTES;
}

/* Returns the value of a node whose handle the payload may have. If it does not, the node was fused into another or
 * belongs to another instruction. */
static value value_of(const eti_call_work *work, size_t n_uses, const eti_graph_node *node) {
    const handle_use *use =
        bsearch(&node->debug_handle, work->uses, n_uses, sizeof *work->uses, eti__compare_handles);
    if (use)
        return use->value;
    return eti__shared_handles_have(&work->shared, node->debug_handle) ? NOTHING
                                                                       : value_of_op(node->op_type);
}

/* Moves the nodes with the largest value to the front; the order among them and among the others stays. */
static size_t move_best(eti_call_work *work, const eti_op_node **nodes, size_t n) {
    uint8_t best = NOTHING;
    size_t n_own = 0, n_others = 0;
    for (size_t i = 0; i < n; i++)
        best = work->values[i] > best ? work->values[i] : best;
    for (size_t i = 0; i < n; i++) {
        if (work->values[i] == best)
            nodes[n_own++] = nodes[i];
        else
            work->others[n_others++] = nodes[i];
    }
    for (size_t i = 0; i < n_others; i++)
        nodes[n_own + i] = work->others[i];
    return n_own;
}

bool eti__call_work_has_room(const eti_call_work *work, const eti_xnnpack *payload, size_t n) {
    return n <= MOST_WORK && payload->n_nodes <= MOST_WORK &&
           work->work + n + payload->n_nodes <= MOST_WORK;
}

bool eti__call_work_find(eti_call_work *work, const eti_xnnpack *payload, const eti_op_node **nodes,
                         size_t n, size_t *n_own) {
    size_t n_uses;
    *n_own = n;
    if (!work->record || n < 2 || !eti__call_work_has_room(work, payload, n))
        return true;
    work->work += n + payload->n_nodes;
    if (!eti__shared_handles_list(&work->shared, work->record, work->method) ||
        !ETI_GROW(work->values, work->value_capacity, n) ||
        !ETI_GROW(work->others, work->other_capacity, n) || !list_uses(work, payload, &n_uses))
        return false;
    for (size_t i = 0; i < n; i++)
        work->values[i] =
            (uint8_t)value_of(work, n_uses, (const eti_graph_node *)(const void *)nodes[i]);
    *n_own = move_best(work, nodes, n);
    return true;
}

void eti__call_work_free(eti_call_work *work) {
    eti__shared_handles_free(&work->shared);
    free(work->uses);
    free(work->values);
    free((void *)work->others);
    *work = (eti_call_work){0};
}
