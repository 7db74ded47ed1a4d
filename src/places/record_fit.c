#include "places/record_fit.h"

#include "places/handle_nodes.h"

#include <stddef.h>
#include <stdlib.h>

/* Limit that no real call reaches. */
#define MOST_OPERATORS 65536u
/* A record belongs to another model if more than one in this number of operators and events has no counterpart. */
#define ONE_UNLIKE_IN 32u

/* ---- counts ---------------------------------------------------------------------------------- */

static bool add_count(eti_kinds_counts *counts, eti_xnnpack_kinds kinds, bool is_needed) {
    size_t i = 0;
    if (kinds == 0) {
        counts->n_unknown++;
        return true;
    }
    while (i < counts->n && counts->items[i].kinds != kinds)
        i++;
    if (i == counts->n) {
        if (!ETI_GROW(counts->items, counts->capacity, counts->n + 1))
            return false;
        counts->items[counts->n++] = (eti_kinds_count){.kinds = kinds};
    }
    counts->items[i].n++;
    counts->items[i].n_needed += is_needed;
    return true;
}

/* Returns the number of items in `counts` that cannot have a counterpart in `others`, even if the items of `others`
 * have no other counterpart. */
static uint64_t count_unlike(const eti_kinds_counts *counts, const eti_kinds_counts *others,
                             uint64_t *n_compared) {
    uint64_t n_unlike = 0;
    for (size_t i = 0; i < counts->n; i++) {
        const eti_kinds_count *count = &counts->items[i];
        uint64_t n_fitting = others->n_unknown;
        for (size_t k = 0; k < others->n; k++)
            n_fitting += (others->items[k].kinds & count->kinds) != 0 ? others->items[k].n : 0;
        n_unlike += count->n_needed > n_fitting ? count->n_needed - n_fitting : 0;
        *n_compared += count->n_needed;
    }
    return n_unlike;
}

/* ---- events ---------------------------------------------------------------------------------- */

static bool count_events(eti_record_fit *fit, const eti_delegated_call *call) {
    const eti_xnnpack_kinds fusible = eti__xnnpack_fusible_kinds();
    fit->run.n = 0;
    fit->run.n_unknown = 0;
    for (size_t i = 0; i < call->n; i++) {
        eti_xnnpack_kinds kinds =
            eti__xnnpack_kinds_that_run_as(eti__xnnpack_kernel(call->names[i]));
        if (!add_count(&fit->run, kinds, (kinds & fusible) == 0))
            return false;
        eti_xnnpack_numbers numbers = eti__xnnpack_event_numbers(call->names[i]);
        fit->runs_quantized = fit->runs_quantized || numbers == ETI_XNNPACK_QUANTIZED;
        fit->runs_bytes = fit->runs_bytes || numbers != ETI_XNNPACK_WIDE;
    }
    return true;
}

/* ---- operators ------------------------------------------------------------------------------- */

static const eti_operator_kinds *find_operator(eti_record_fit *fit, eti_text op_type) {
    static const eti_intern_kind kind = {.item_size = sizeof(eti_operator_kinds),
                                         .key_size = offsetof(eti_operator_kinds, kinds)};
    const eti_operator_kinds wanted = {.op_type = op_type.data};
    size_t n_known = fit->operators.count;
    uint32_t number;
    if (!eti__intern_add(&fit->operators.table, &kind, &wanted, &number))
        return NULL;
    eti_operator_kinds *found = &fit->operators.items[number];
    if (number == n_known) {
        found->kinds = eti__xnnpack_kinds_of(op_type);
        found->is_needed = found->kinds != 0 && (found->kinds & eti__xnnpack_fusible_kinds()) == 0;
        if (found->kinds == 0)
            found->kinds = eti__xnnpack_kinds_of_folded(op_type);
    }
    return found;
}

static const eti_graph_node *node_of(const eti_event_record *record, size_t i) {
    return (const eti_graph_node *)(const void *)record->op_nodes[i];
}

/* Lists the debug handles of the needed operators, sorted. Returns false if memory runs out. */
static bool list_handles(eti_record_fit *fit, const eti_event_record *record, size_t *n) {
    *n = 0;
    if (!ETI_GROW(fit->handles, fit->handle_capacity, record->n_op_nodes + 1))
        return false;
    for (size_t i = 0; i < record->n_op_nodes; i++) {
        const eti_graph_node *node = node_of(record, i);
        const eti_operator_kinds *kinds = find_operator(fit, node->op_type);
        if (!kinds)
            return false;
        if (kinds->is_needed && node->has_debug_handle)
            fit->handles[(*n)++] = node->debug_handle;
        fit->asks_quantized = fit->asks_quantized || eti__is_quantizing(node->op_type);
    }
    qsort(fit->handles, *n, sizeof *fit->handles, eti__compare_handles);
    return true;
}

/* ---- counting operators ---------------------------------------------------------------------- */

/* Returns whether the sorted list has the handle exactly once. */
static bool is_alone(const eti_record_fit *fit, size_t n, int64_t handle) {
    const int64_t *found = bsearch(&handle, fit->handles, n, sizeof handle, eti__compare_handles);
    return found && (found == fit->handles || found[-1] != handle) &&
           (found + 1 == fit->handles + n || found[1] != handle);
}

static bool count_operators(eti_record_fit *fit, const eti_event_record *record) {
    size_t n;
    fit->asked.n = 0;
    fit->asked.n_unknown = 0;
    if (!list_handles(fit, record, &n))
        return false;
    for (size_t i = 0; i < record->n_op_nodes; i++) {
        const eti_graph_node *node = node_of(record, i);
        const eti_operator_kinds *kinds = find_operator(fit, node->op_type);
        if (!kinds)
            return false;
        bool is_needed = kinds->is_needed && node->has_debug_handle &&
                         is_alone(fit, n, node->debug_handle) &&
                         !eti__shared_handles_have(&fit->shared, node->debug_handle);
        if (!add_count(&fit->asked, kinds->kinds, is_needed))
            return false;
    }
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Sets `*out` to whether the operators of the call can be compared and were not compared before. Returns false if
 * memory runs out. */
static bool is_to_judge(eti_record_fit *fit, const eti_delegated_call *call, bool *out) {
    static const eti_intern_kind kind = {.item_size = sizeof(eti_judged_call),
                                         .key_size = sizeof(eti_judged_call)};
    const eti_event_record *record = call->event->known;
    size_t n_judged = fit->judged.count;
    uint32_t number = 0;
    *out = record->n_op_nodes > 0 && record->n_op_nodes <= MOST_OPERATORS &&
           eti__is_xnnpack(call->events[0]->known->backend_name);
    if (*out && !eti__intern_add(&fit->judged.table, &kind, &(eti_judged_call){record}, &number))
        return false;
    *out = *out && number == n_judged;
    return true;
}

void eti__record_fit_begin(eti_record_fit *fit, const eti_etrecord *record, size_t method) {
    eti__intern_free(&fit->judged.table);
    eti__shared_handles_free(&fit->shared);
    fit->record = record;
    fit->method = method;
    fit->n_compared = fit->n_unlike = 0;
    fit->asks_quantized = fit->runs_quantized = fit->runs_bytes = false;
}

static bool compare(eti_record_fit *fit, const eti_delegated_call *call, uint64_t *n_unlike,
                    uint64_t *n_compared) {
    if (!count_events(fit, call) || !count_operators(fit, call->event->known))
        return false;
    *n_unlike = *n_compared = 0;
    *n_unlike += count_unlike(&fit->run, &fit->asked, n_compared);
    *n_unlike += count_unlike(&fit->asked, &fit->run, n_compared);
    return true;
}

bool eti__record_fit_add(eti_record_fit *fit, const eti_delegated_call *call) {
    uint64_t n_unlike, n_compared;
    bool is_judged;
    if (!is_to_judge(fit, call, &is_judged))
        return false;
    if (!is_judged)
        return true;
    if (!compare(fit, call, &n_unlike, &n_compared))
        return false;
    /* shared handles matter only in this case */
    if (n_unlike > 0 && !fit->shared.handles &&
        !(eti__shared_handles_list(&fit->shared, fit->record, fit->method) &&
          compare(fit, call, &n_unlike, &n_compared)))
        return false;
    fit->n_unlike += n_unlike;
    fit->n_compared += n_compared;
    return true;
}

bool eti__record_quantizes_otherwise(const eti_record_fit *fit) {
    return fit->judged.count > 0 && (fit->asks_quantized ? !fit->runs_bytes : fit->runs_quantized);
}

bool eti__record_is_foreign(const eti_record_fit *fit) {
    return fit->n_unlike > fit->n_compared / ONE_UNLIKE_IN || eti__record_quantizes_otherwise(fit);
}

void eti__record_fit_free(eti_record_fit *fit) {
    eti__intern_free(&fit->operators.table);
    eti__intern_free(&fit->judged.table);
    free(fit->asked.items);
    free(fit->run.items);
    free(fit->handles);
    eti__shared_handles_free(&fit->shared);
    *fit = (eti_record_fit){0};
}
