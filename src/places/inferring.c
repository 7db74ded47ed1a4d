#include "places/inferring.h"

#include "inside/inside.h"

#include <stdlib.h>
#include <string.h>

/* ==== run order =============================================================================== */

/* Limit that no real call reaches; beyond it no place is known. */
#define MOST_ORDERED_OPERATORS 4096u
#define N_KINDS 64u

/* ---- dependencies ---------------------------------------------------------------------------- */

/* Compares pointers to nodes of one graph, for qsort() and bsearch(). The nodes lie in one array, so this is graph
 * order. */
static int compare_operators(const void *a, const void *b) {
    const eti_graph_node *x = *(const eti_graph_node *const *)a;
    const eti_graph_node *y = *(const eti_graph_node *const *)b;
    return (x > y) - (x < y);
}

/* Adds an input of an operator of the call, and everything that this input needs. Producers come before the operator. */
static void add_producer(uint64_t *rows, size_t n_words, const eti_graph_node *const *operators,
                         size_t i, const eti_graph_node *producer) {
    const eti_graph_node *const *found =
        bsearch(&producer, operators, i, sizeof(const eti_graph_node *), compare_operators);
    if (!found)
        return;
    size_t p = (size_t)(found - operators);
    eti__need_row_join(rows + i * n_words, rows + p * n_words, n_words);
    eti__need_row_add(rows + i * n_words, p);
}

static bool find_needs(eti_run_order *order, const eti_graph_node *const *operators, size_t n) {
    size_t n_words = eti__need_row_words(n);
    if (!ETI_GROW(order->needs, order->needs_capacity, n * n_words + 1))
        return false;
    memset(order->needs, 0, n * n_words * sizeof *order->needs);
    for (size_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < operators[i]->n_producers; k++)
            add_producer(order->needs, n_words, operators, i, operators[i]->producers[k]);
    }
    return true;
}

/* ---- equivalent kinds ------------------------------------------------------------------------ */

/* Joins sets of kinds that one event or operator may be. */
static void join_kinds(eti_xnnpack_kinds *alike, const eti_run_part *parts, size_t n) {
    for (size_t i = 0; i < n; i++) {
        eti_xnnpack_kinds all = parts[i].kinds;
        for (size_t k = 0; k < N_KINDS; k++)
            all |= (parts[i].kinds >> k & 1) != 0 ? alike[k] : 0;
        for (size_t k = 0; k < N_KINDS; k++)
            alike[k] = (all >> k & 1) != 0 ? all : alike[k];
    }
}

static bool are_alike(const eti_xnnpack_kinds *alike, const eti_run_part *a,
                      const eti_run_part *b) {
    return (alike[__builtin_ctzll(a->kinds)] & b->kinds) != 0;
}

/* ---- the order ------------------------------------------------------------------------------- */

/* Finds the operators with a known place: two alike operators that do not need each other may have run in either
 * order. */
static void find_known(eti_run_order *order, const eti_xnnpack_kinds *alike,
                       const eti_run_part *asked, size_t n, size_t n_words) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t *row = order->needs + asked[i].number * n_words;
        order->is_known[i] = true;
        for (size_t k = 0; k < i; k++) {
            if (!are_alike(alike, &asked[i], &asked[k]) || eti__need_row_has(row, asked[k].number))
                continue;
            order->is_known[i] = false;
            order->is_known[k] = false;
        }
    }
}

bool eti__run_order_find(eti_run_order *order, const eti_graph_node *const *operators,
                         size_t n_operators, const eti_run_part *asked, const eti_run_part *run,
                         size_t n) {
    eti_xnnpack_kinds alike[N_KINDS];
    if (!ETI_GROW(order->is_known, order->known_capacity, n + 1))
        return false;
    memset(order->is_known, 0, n * sizeof *order->is_known);
    if (n_operators > MOST_ORDERED_OPERATORS)
        return true;
    if (!find_needs(order, operators, n_operators))
        return false;
    for (size_t k = 0; k < N_KINDS; k++)
        alike[k] = (eti_xnnpack_kinds)1 << k;
    join_kinds(alike, asked, n);
    join_kinds(alike, run, n);
    find_known(order, alike, asked, n, (n_operators + 63) / 64);
    return true;
}

void eti__run_order_free(eti_run_order *order) {
    free(order->is_known);
    free(order->needs);
    *order = (eti_run_order){0};
}

/* ==== inferring =============================================================================== */

/* Limit that no real call reaches. */
#define MOST_INFERRED_OPERATORS 65536u

#define CLAMPS ((eti_xnnpack_kinds)1 << ETI_XNNPACK_CLAMP)

/* Lists the operators in graph order, which is the order of addresses, because the nodes of a graph are one array. */
static bool list_operators(eti_inferring *inferring, const eti_event_record *record) {
    inferring->n_operators = 0;
    if (record->n_op_nodes > MOST_INFERRED_OPERATORS)
        return true;
    if (!ETI_GROW(inferring->operators, inferring->operator_capacity, record->n_op_nodes + 1))
        return false;
    for (size_t i = 0; i < record->n_op_nodes; i++)
        inferring->operators[inferring->n_operators++] =
            (const eti_graph_node *)(const void *)record->op_nodes[i];
    qsort(inferring->operators, inferring->n_operators, sizeof(const eti_graph_node *),
          compare_operators);
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

/* ==== delegated calls ========================================================================= */

static bool has_delegated(const eti_event_block *block) {
    for (size_t i = 0; i < block->n_events; i++) {
        if (block->events[i].is_timed_as_delegated)
            return true;
    }
    return false;
}

/* Makes the list of events of each call, and counts all listed events. */
static bool link_events(eti_delegated_calls *calls, size_t *n_events) {
    const eti_call_order *order = &calls->order;
    size_t n = order->n_calls;
    *n_events = 0;
    if (!ETI_GROW(calls->firsts, calls->first_capacity, n + 1) ||
        !ETI_GROW(calls->nexts, calls->next_capacity, n + 1))
        return false;
    for (size_t i = 0; i < n; i++)
        calls->firsts[i] = ETI_NO_CALL;
    for (size_t i = n; i-- > 0;) {
        uint32_t call = order->calls[i].delegate_call;
        if (call == ETI_NO_CALL)
            continue;
        calls->nexts[i] = calls->firsts[call];
        calls->firsts[call] = (uint32_t)i;
        ++*n_events;
    }
    return true;
}

/* Lists a call; its events come after the `n_listed` events listed so far. */
static bool add_call(eti_delegated_calls *calls, eti_event_block *block, size_t number,
                     size_t *n_listed) {
    const eti_call *call = &calls->order.calls[number];
    const eti_block_run *run = &block->runs[0];
    eti_etdump_event read;
    if (!ETI_GROW(calls->calls, calls->capacity, calls->n + 1))
        return false;
    eti__etdump_read_event(&read, run->dump, eti__block_run_position(run, call->number));
    eti_delegated_call *out = &calls->calls[calls->n++];
    *out = (eti_delegated_call){.event = &block->events[call->event],
                                .chain = read.key.chain_index,
                                .instruction = read.key.instruction_id,
                                .events = calls->events + *n_listed,
                                .names = calls->names + *n_listed};
    for (uint32_t i = calls->firsts[number]; i != ETI_NO_CALL; i = calls->nexts[i]) {
        eti_event *event = &block->events[calls->order.calls[i].event];
        calls->events[*n_listed] = event;
        calls->names[*n_listed] = event->name;
        ++*n_listed;
        out->n++;
    }
    return true;
}

static bool add_calls(eti_delegated_calls *calls, eti_event_block *block) {
    size_t n_events, n_listed = 0;
    if (!link_events(calls, &n_events) ||
        !ETI_GROW(calls->events, calls->event_capacity, n_events + 1) ||
        !ETI_GROW(calls->names, calls->name_capacity, n_events + 1))
        return false;
    for (size_t i = 0; i < calls->order.n_calls; i++) {
        if (calls->firsts[i] != ETI_NO_CALL && !add_call(calls, block, i, &n_listed))
            return false;
    }
    return true;
}

eti_status eti__delegated_calls_list(eti_delegated_calls *calls, eti_event_block *block,
                                     eti_error *err) {
    calls->n = 0;
    if (block->n_runs == 0 || !has_delegated(block))
        return ETI_OK;
    ETI_TRY(eti__call_order_read(&calls->order, block, &block->runs[0], err));
    return add_calls(calls, block) ? ETI_OK : eti_fail_memory(err);
}

void eti__delegated_calls_free(eti_delegated_calls *calls) {
    eti__call_order_free(&calls->order);
    free(calls->calls);
    free(calls->firsts);
    free(calls->nexts);
    free(calls->events);
    free(calls->names);
    *calls = (eti_delegated_calls){0};
}

const eti_pte_delegate *eti__delegated_call_delegate(const eti_delegated_call *call,
                                                     const eti_pte_plan *plan) {
    if (!plan || call->chain >= plan->n_chains || call->instruction < 0)
        return NULL;
    const eti_pte_chain *chain = &plan->chains[call->chain];
    if ((uint32_t)call->instruction >= chain->n_instructions)
        return NULL;
    const eti_pte_instruction *instruction = &chain->instructions[call->instruction];
    return instruction->kind == ETI_PTE_DELEGATE_CALL ? &plan->delegates[instruction->index] : NULL;
}

/* ==== record fit ============================================================================== */

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
