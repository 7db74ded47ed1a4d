#include "places/inferring.h"

#include <stdlib.h>

/* Limit that no real call reaches. */
#define MOST_OPERATORS 65536u

#define CLAMPS ((eti_xnnpack_kinds)1 << ETI_XNNPACK_CLAMP)

/* Lists the operators in graph order, which is the order of addresses, because the nodes of a graph are one array. */
static bool list_operators(eti_inferring *inferring, const eti_event_record *record) {
    inferring->n_operators = 0;
    if (record->n_op_nodes > MOST_OPERATORS)
        return true;
    if (!ETI_GROW(inferring->operators, inferring->operator_capacity, record->n_op_nodes + 1))
        return false;
    for (size_t i = 0; i < record->n_op_nodes; i++)
        inferring->operators[inferring->n_operators++] =
            (const eti_graph_node *)(const void *)record->op_nodes[i];
    qsort(inferring->operators, inferring->n_operators, sizeof(const eti_graph_node *),
          eti__compare_operators);
    return true;
}

/* Adds an operator or event that may not be left out, or that clamps. */
static void add_part(eti_run_part *parts, size_t *n, eti_xnnpack_kinds kinds, size_t number) {
    if ((kinds & (~eti__xnnpack_fusible_kinds() | CLAMPS)) != 0)
        parts[(*n)++] = (eti_run_part){kinds, (uint32_t)number};
}

static bool list_parts(eti_inferring *inferring, const eti_delegated_call *call) {
    inferring->n_asked = inferring->n_run = 0;
    if (!ETI_GROW(inferring->asked, inferring->asked_capacity, inferring->n_operators + 1) ||
        !ETI_GROW(inferring->run, inferring->run_capacity, call->n + 1))
        return false;
    for (size_t i = 0; i < inferring->n_operators; i++)
        add_part(inferring->asked, &inferring->n_asked,
                 eti__xnnpack_kinds_of(inferring->operators[i]->op_type), i);
    for (size_t i = 0; i < call->n; i++)
        add_part(inferring->run, &inferring->n_run,
                 eti__xnnpack_kinds_that_run_as(eti__xnnpack_kernel(call->names[i])), i);
    return true;
}

static size_t count_clamps(const eti_run_part *parts, size_t n) {
    size_t n_clamps = 0;
    for (size_t i = 0; i < n; i++)
        n_clamps += parts[i].kinds == CLAMPS;
    return n_clamps;
}

static size_t drop_clamps(eti_run_part *parts, size_t n) {
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (parts[i].kinds != CLAMPS)
            parts[n_kept++] = parts[i];
    }
    return n_kept;
}

static bool all_fit(const eti_inferring *inferring) {
    if (inferring->n_asked != inferring->n_run)
        return false;
    for (size_t i = 0; i < inferring->n_asked; i++) {
        if ((inferring->asked[i].kinds & inferring->run[i].kinds) == 0)
            return false;
    }
    return inferring->n_asked > 0;
}

/* Sets the operators of the events; only operators with a known place in the order are used. */
static bool take_operators(eti_inferring *inferring, const eti_delegated_call *call) {
    if (!eti__run_order_find(&inferring->order, inferring->operators, inferring->n_operators,
                             inferring->asked, inferring->run, inferring->n_asked))
        return false;
    for (size_t i = 0; i < call->n; i++)
        inferring->found[i] = NULL;
    for (size_t i = 0; i < inferring->n_run; i++) {
        if (inferring->order.is_known[i])
            inferring->found[inferring->run[i].number] =
                inferring->operators[inferring->asked[i].number];
    }
    return true;
}

bool eti__infer(eti_inferring *inferring, const eti_delegated_call *call, bool *is_inferred) {
    *is_inferred = false;
    if (!list_operators(inferring, call->event->known) || !list_parts(inferring, call) ||
        !ETI_GROW(inferring->found, inferring->found_capacity, call->n + 1))
        return false;
    if (count_clamps(inferring->asked, inferring->n_asked) !=
        count_clamps(inferring->run, inferring->n_run)) {
        inferring->n_asked = drop_clamps(inferring->asked, inferring->n_asked);
        inferring->n_run = drop_clamps(inferring->run, inferring->n_run);
    }
    *is_inferred = all_fit(inferring);
    return !*is_inferred || take_operators(inferring, call);
}

void eti__inferring_free(eti_inferring *inferring) {
    free(inferring->found);
    free(inferring->operators);
    free(inferring->asked);
    free(inferring->run);
    eti__run_order_free(&inferring->order);
    *inferring = (eti_inferring){0};
}
