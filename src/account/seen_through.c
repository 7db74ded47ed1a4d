#include "account/seen_through.h"

#include "account/alignment.h"
#include "account/block_methods.h"
#include "account/call_order.h"
#include "account/handle_nodes.h"
#include "account/kernel_nodes.h"
#include "account/payloads.h"
#include "base/array.h"
#include "base/text.h"
#include "model/methods.h"
#include "model/notes.h"

#include <stdlib.h>

/* Nodes that are part of one event: any real one has few. */
#define MOST_FUSED 64u

/* A delegate call and what it logged. */
typedef struct delegate_call {
    const eti_event *event; /* DELEGATE_CALL */
    uint64_t chain;
    int32_t instruction;
    size_t n; /* number of its events */
} delegate_call;

/* Nodes of the payload that make one event, the first of which names it. */
typedef struct event_parts {
    uint32_t nodes[MOST_FUSED];
    size_t n;
} event_parts;

typedef struct see_through {
    eti_inspector *inspector;
    eti_event_block *block;
    eti_call_order order;
    uint32_t *firsts, *nexts; /* per call: the first of its events; per event: the next, as calls */
    eti_event **events;       /* of the delegate call at hand */
    eti_text *names;          /* likewise */
    size_t first_capacity, next_capacity, event_capacity, name_capacity;
    eti_alignment alignment;
    uint32_t *fused_first, *fused_next; /* per event and per node: lists of nodes that are parts */
    size_t fused_first_capacity, fused_next_capacity;
    eti_payloads payloads;
    eti_handle_nodes nodes; /* of the graph of the method at hand */
    eti_error *err;
} see_through;

eti_text eti__attribution_name(uint8_t attribution) {
    static const char *const names[] = {
        [ETI_ATTRIBUTION_NONE] = NULL,           [ETI_ATTRIBUTION_RECORDED] = "recorded",
        [ETI_ATTRIBUTION_EXACT] = "exact",       [ETI_ATTRIBUTION_ALIGNED] = "aligned",
        [ETI_ATTRIBUTION_INFERRED] = "inferred", [ETI_ATTRIBUTION_CALL] = "call",
    };
    return eti__text_of(names[attribution]);
}

/* ---- what is known of one event -------------------------------------------------------------- */

/* Changes what is known of an event; what was known is shared with other events. */
static eti_event_record *change_known(see_through *s, eti_event *event) {
    eti_event_record *known = eti__arena_alloc(&s->inspector->arena, 1, sizeof *known);
    if (known) {
        *known = *event->known;
        event->known = known;
    }
    return known;
}

static void add_part(event_parts *parts, uint32_t node) {
    for (size_t i = 0; i < parts->n; i++) {
        if (parts->nodes[i] == node)
            return;
    }
    if (parts->n < MOST_FUSED)
        parts->nodes[parts->n++] = node;
}

/* Adds nodes that are part of several events, as a conversion that several operators do. */
static void add_inputs(const see_through *s, const eti_xnnpack *payload, event_parts *parts) {
    const eti_xnnpack_node *node = &payload->nodes[parts->nodes[0]];
    for (size_t i = 0; i < node->n_inputs; i++) {
        uint32_t producer = eti__alignment_producer(&s->alignment, node->inputs[i]);
        if (producer < parts->nodes[0] && payload->nodes[producer].kind == ETI_XNNPACK_CONVERT &&
            eti__alignment_is_fused(&s->alignment, producer))
            add_part(parts, producer);
    }
}

static void list_parts(const see_through *s, const eti_xnnpack *payload, size_t event,
                       event_parts *parts) {
    parts->nodes[0] = s->alignment.nodes[event];
    parts->n = 1;
    if (s->alignment.is_exact)
        return;
    uint32_t node = s->fused_first[event];
    for (; node != ETI_NOT_ALIGNED && parts->n < MOST_FUSED; node = s->fused_next[node])
        add_part(parts, node);
    add_inputs(s, payload, parts);
}

static bool has_handle(const int64_t *handles, size_t n, int64_t handle) {
    for (size_t i = 0; i < n; i++) {
        if (handles[i] == handle)
            return true;
    }
    return false;
}

static bool has_node(const eti_op_node *const *nodes, size_t n, const eti_op_node *node) {
    for (size_t i = 0; i < n; i++) {
        if (nodes[i] == node)
            return true;
    }
    return false;
}

/* Handles, nodes of the graph and operators of the parts; without a graph the kinds of the parts stand for operators. */
static eti_status fill_known(see_through *s, const eti_xnnpack *payload, const event_parts *parts,
                             eti_event_record *known) {
    eti_arena *arena = &s->inspector->arena;
    int64_t *handles = eti__arena_alloc(arena, parts->n, sizeof *handles);
    const eti_op_node **op_nodes = eti__arena_alloc(arena, parts->n, sizeof *op_nodes);
    eti_text *op_types = eti__arena_alloc(arena, parts->n, sizeof *op_types);
    if (!handles || !op_nodes || !op_types)
        return eti_fail_memory(s->err);
    size_t n_handles = 0, n_nodes = 0;
    for (size_t i = 0; i < parts->n; i++) {
        const eti_xnnpack_node *part = &payload->nodes[parts->nodes[i]];
        const eti_graph_node *node = NULL;
        if (!part->has_handle)
            continue;
        if (!has_handle(handles, n_handles, part->debug_handle))
            handles[n_handles++] = part->debug_handle;
        if (!eti__handle_nodes_find(&s->nodes, part->debug_handle, part->kind, &node))
            return eti_fail_memory(s->err);
        if (!node || has_node(op_nodes, n_nodes, &node->node))
            continue;
        op_nodes[n_nodes] = &node->node;
        op_types[n_nodes++] = node->op_type;
    }
    known->handles = (eti_debug_handles){ETI_HANDLES_LIST, handles, n_handles};
    known->op_nodes = op_nodes;
    known->op_types = op_types;
    known->n_op_nodes = known->n_op_types = n_nodes;
    known->is_first_node = true;
    if (n_nodes == 0) {
        op_types[0] = eti__xnnpack_kind_name(payload->nodes[parts->nodes[0]].kind);
        known->n_op_types = op_types[0].data != NULL;
    }
    return ETI_OK;
}

static eti_status set_node(see_through *s, const eti_xnnpack *payload, size_t event) {
    event_parts parts;
    eti_event_record *known = change_known(s, s->events[event]);
    if (!known)
        return eti_fail_memory(s->err);
    list_parts(s, payload, event, &parts);
    known->attribution = s->alignment.is_exact ? ETI_ATTRIBUTION_EXACT : ETI_ATTRIBUTION_ALIGNED;
    return fill_known(s, payload, &parts, known);
}

/* The place of the call is that of the event. */
static eti_status set_call(see_through *s, const delegate_call *call, size_t event) {
    const eti_debug_handles handles = call->event->known->handles;
    if (handles.n == 0 && s->alignment.n_found == 0)
        return ETI_OK;
    eti_event_record *known = change_known(s, s->events[event]);
    if (!known)
        return eti_fail_memory(s->err);
    known->attribution = ETI_ATTRIBUTION_CALL;
    known->handles = handles;
    known->n_op_nodes = 0;
    return ETI_OK;
}

/* ---- one call of a delegate ------------------------------------------------------------------ */

/* Makes lists of the nodes that are parts of each event. */
static bool list_fused(see_through *s, const eti_xnnpack *payload, size_t n_events) {
    if (s->alignment.is_exact)
        return true;
    if (!ETI_GROW(s->fused_first, s->fused_first_capacity, n_events + 1) ||
        !ETI_GROW(s->fused_next, s->fused_next_capacity, (size_t)payload->n_nodes + 1))
        return false;
    for (size_t i = 0; i < n_events; i++)
        s->fused_first[i] = ETI_NOT_ALIGNED;
    for (uint32_t i = payload->n_nodes; i-- > 0;) {
        uint32_t event = s->alignment.hosts[i];
        if (event == ETI_NOT_ALIGNED)
            continue;
        s->fused_next[i] = s->fused_first[event];
        s->fused_first[event] = i;
    }
    return true;
}

static const eti_pte_delegate *delegate_of(const eti_pte_plan *plan, const delegate_call *call) {
    if (!plan || call->chain >= plan->n_chains || call->instruction < 0)
        return NULL;
    const eti_pte_chain *chain = &plan->chains[call->chain];
    if ((uint32_t)call->instruction >= chain->n_instructions)
        return NULL;
    const eti_pte_instruction *instruction = &chain->instructions[call->instruction];
    return instruction->kind == ETI_PTE_DELEGATE_CALL ? &plan->delegates[instruction->index] : NULL;
}

static bool is_recorded(const see_through *s, const eti_event *event) {
    return s->inspector->record && event->known->handles.n > 0 &&
           eti__etrecord_find_delegate(s->inspector->record, s->block->method,
                                       event->instruction_id);
}

static eti_status set_known(see_through *s, const delegate_call *call, const eti_xnnpack *payload) {
    for (size_t i = 0; i < call->n; i++) {
        if (payload && s->alignment.n_found > 0 && s->alignment.nodes[i] != ETI_NOT_ALIGNED)
            ETI_TRY(set_node(s, payload, i));
        else
            ETI_TRY(set_call(s, call, i));
    }
    return ETI_OK;
}

static eti_status see_through_call(see_through *s, const delegate_call *call) {
    const eti_xnnpack *payload = NULL;
    const eti_pte_delegate *delegate = delegate_of(s->block->plan, call);
    s->alignment.n_found = 0;
    if (delegate)
        ETI_TRY(
            eti__payloads_find(&s->payloads, delegate->id, delegate->payload, &payload, s->err));
    if (payload && (!eti__align(&s->alignment, payload, s->names, call->n) ||
                    (s->alignment.n_found > 0 && !list_fused(s, payload, call->n))))
        return eti_fail_memory(s->err);
    return set_known(s, call, payload);
}

/* ---- the calls of a run ---------------------------------------------------------------------- */

/* Makes the list of events of each call. */
static bool list_events(see_through *s) {
    size_t n = s->order.n_calls;
    if (!ETI_GROW(s->firsts, s->first_capacity, n + 1) ||
        !ETI_GROW(s->nexts, s->next_capacity, n + 1))
        return false;
    for (size_t i = 0; i < n; i++)
        s->firsts[i] = ETI_NO_CALL;
    for (size_t i = n; i-- > 0;) {
        uint32_t call = s->order.calls[i].delegate_call;
        if (call == ETI_NO_CALL)
            continue;
        s->nexts[i] = s->firsts[call];
        s->firsts[call] = (uint32_t)i;
    }
    return true;
}

static bool take_events(see_through *s, size_t number, delegate_call *call) {
    const eti_block_run *run = &s->block->runs[0];
    eti_etdump_event read;
    eti__etdump_read_event(&read, run->dump,
                           eti__block_run_position(run, s->order.calls[number].number));
    *call = (delegate_call){.event = &s->block->events[s->order.calls[number].event],
                            .chain = read.key.chain_index,
                            .instruction = read.key.instruction_id};
    for (uint32_t i = s->firsts[number]; i != ETI_NO_CALL; i = s->nexts[i]) {
        eti_event *event = &s->block->events[s->order.calls[i].event];
        if (event->known->attribution != ETI_ATTRIBUTION_NONE)
            continue; /* of a call before */
        if (is_recorded(s, event)) {
            eti_event_record *known = change_known(s, event);
            if (!known)
                return false;
            known->attribution = ETI_ATTRIBUTION_RECORDED;
            continue;
        }
        if (!ETI_GROW(s->events, s->event_capacity, call->n + 1) ||
            !ETI_GROW(s->names, s->name_capacity, call->n + 1))
            return false;
        s->events[call->n] = event;
        s->names[call->n++] = event->name;
    }
    return true;
}

static bool has_delegated(const eti_event_block *block) {
    for (size_t i = 0; i < block->n_events; i++) {
        if (block->events[i].is_timed_as_delegated)
            return true;
    }
    return false;
}

static eti_status see_through_block(see_through *s, eti_event_block *block) {
    if (block->n_runs == 0 || !has_delegated(block))
        return ETI_OK;
    s->block = block;
    ETI_TRY(eti__call_order_read(&s->order, block, &block->runs[0], s->err));
    if (!list_events(s))
        return eti_fail_memory(s->err);
    for (size_t i = 0; i < s->order.n_calls; i++) {
        delegate_call call;
        if (s->firsts[i] == ETI_NO_CALL)
            continue;
        if (!take_events(s, i, &call))
            return eti_fail_memory(s->err);
        if (call.n > 0)
            ETI_TRY(see_through_call(s, &call));
    }
    return ETI_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Sees through the blocks of one method. */
static eti_status see_through_method(see_through *s, size_t method) {
    static const eti_graph empty = {0};
    eti_blocks *blocks = &s->inspector->blocks;
    const eti_graph *graph = eti__methods_graph(s->inspector, method);
    if (!eti__handle_nodes_init(&s->nodes, graph ? graph : &empty))
        return eti_fail_memory(s->err);
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        if (blocks->blocks[i].method == method)
            ETI_TRY(see_through_block(s, &blocks->blocks[i]));
    }
    eti__handle_nodes_free(&s->nodes);
    return ETI_OK;
}

static eti_status see_through_all(see_through *s) {
    const eti_inspector *inspector = s->inspector;
    for (size_t i = 0; i < inspector->n_methods; i++) {
        if (inspector->methods[i].number != ETI_NO_METHOD)
            ETI_TRY(see_through_method(s, inspector->methods[i].number));
    }
    if (inspector->n_methods == 0 && inspector->method != ETI_NO_METHOD)
        ETI_TRY(see_through_method(s, inspector->method));
    return see_through_method(s, ETI_NO_METHOD);
}

eti_status eti__see_through(eti_inspector *inspector, eti_error *err) {
    see_through s = {.inspector = inspector, .payloads.arena = &inspector->arena, .err = err};
    if (inspector->n_programs == 0 && !inspector->record)
        return ETI_OK;
    eti_status status = see_through_all(&s);
    eti__call_order_free(&s.order);
    free(s.firsts);
    free(s.nexts);
    free(s.events);
    free(s.names);
    free(s.fused_first);
    free(s.fused_next);
    eti__alignment_free(&s.alignment);
    eti__payloads_free(&s.payloads);
    eti__handle_nodes_free(&s.nodes);
    return status;
}

eti_status eti__open_seen_through(eti_inspector **out, const eti_inputs *inputs,
                                  const eti_options *options, eti_error *err) {
    ETI_TRY(eti__inspector_open(out, inputs, options, err));
    bool sees_through = !(*out)->options.no_attribution;
    eti_status status = sees_through ? eti__tell_methods_apart(*out, err) : ETI_OK;
    if (status == ETI_OK)
        status = eti__notes_of_methods(*out, err);
    if (status == ETI_OK && sees_through)
        status = eti__see_through(*out, err);
    if (status == ETI_OK)
        status = eti__resolve_kernels(*out, err);
    if (status != ETI_OK) {
        eti_inspector_close(*out);
        *out = NULL;
    }
    return status;
}
