#include "account/delegate/known_nodes.h"

#include "base/array.h"

#include <stdlib.h>

/* Largest number of nodes that are part of one event; real events have few. */
#define MOST_PARTS 64u

/* Payload nodes that make up one event; the first names the event. */
typedef struct event_parts {
    uint32_t nodes[MOST_PARTS];
    size_t n;
} event_parts;

/* Gives an event a record of its own to change; the old record is shared with other events. */
static eti_event_record *change(eti_known_nodes *known, eti_event *event,
                                eti_attribution attribution) {
    eti_event_record *record = eti__arena_alloc(known->arena, 1, sizeof *record);
    if (record) {
        *record = *event->known;
        record->attribution = (uint8_t)attribution;
        event->known = record;
    }
    return record;
}

/* ---- parts ----------------------------------------------------------------------------------- */

bool eti__known_nodes_begin(eti_known_nodes *known, const eti_alignment *alignment,
                            const eti_xnnpack *payload, size_t n_events) {
    if (alignment->is_exact || alignment->n_found == 0)
        return true;
    if (!ETI_GROW(known->firsts, known->first_capacity, n_events + 1) ||
        !ETI_GROW(known->nexts, known->next_capacity, (size_t)payload->n_nodes + 1))
        return false;
    for (size_t i = 0; i < n_events; i++)
        known->firsts[i] = ETI_NOT_ALIGNED;
    for (uint32_t i = payload->n_nodes; i-- > 0;) {
        uint32_t event = alignment->hosts[i];
        if (event == ETI_NOT_ALIGNED)
            continue;
        known->nexts[i] = known->firsts[event];
        known->firsts[event] = i;
    }
    return true;
}

static void add_part(event_parts *parts, uint32_t node) {
    for (size_t i = 0; i < parts->n; i++) {
        if (parts->nodes[i] == node)
            return;
    }
    if (parts->n < MOST_PARTS)
        parts->nodes[parts->n++] = node;
}

/* Adds conversions that several operators each do for themselves. */
static void add_shared(const eti_alignment *alignment, const eti_xnnpack *payload,
                       event_parts *parts) {
    const eti_xnnpack_node *node = &payload->nodes[parts->nodes[0]];
    for (size_t i = 0; i < node->n_inputs; i++) {
        uint32_t producer = eti__alignment_producer(alignment, node->inputs[i]);
        if (producer < parts->nodes[0] && payload->nodes[producer].kind == ETI_XNNPACK_CONVERT &&
            eti__alignment_is_fused_ahead(alignment, producer))
            add_part(parts, producer);
    }
}

static void list_parts(const eti_known_nodes *known, const eti_alignment *alignment,
                       const eti_xnnpack *payload, size_t event, event_parts *parts) {
    parts->nodes[0] = alignment->nodes[event];
    parts->n = 1;
    if (alignment->is_exact)
        return;
    uint32_t node = known->firsts[event];
    for (; node != ETI_NOT_ALIGNED && parts->n < MOST_PARTS; node = known->nexts[node])
        add_part(parts, node);
    add_shared(alignment, payload, parts);
}

/* ---- records --------------------------------------------------------------------------------- */

/* Handles, nodes and operators without repetition; there is room for all parts. */
typedef struct part_lists {
    int64_t *handles;
    const eti_op_node **nodes;
    eti_text *op_types;
    size_t n_handles, n_nodes;
} part_lists;

static void add_handle(part_lists *lists, int64_t handle) {
    for (size_t i = 0; i < lists->n_handles; i++) {
        if (lists->handles[i] == handle)
            return;
    }
    lists->handles[lists->n_handles++] = handle;
}

static void add_node(part_lists *lists, const eti_graph_node *node) {
    for (size_t i = 0; i < lists->n_nodes; i++) {
        if (lists->nodes[i] == &node->node)
            return;
    }
    lists->nodes[lists->n_nodes] = &node->node;
    lists->op_types[lists->n_nodes++] = node->op_type;
}

static bool make_lists(eti_known_nodes *known, size_t n, part_lists *lists) {
    *lists = (part_lists){
        .handles = eti__arena_alloc(known->arena, n, sizeof *lists->handles),
        .nodes = eti__arena_alloc(known->arena, n, sizeof *lists->nodes),
        .op_types = eti__arena_alloc(known->arena, n, sizeof *lists->op_types),
    };
    return lists->handles && lists->nodes && lists->op_types;
}

static bool list_nodes(eti_known_nodes *known, const eti_xnnpack *payload, const event_parts *parts,
                       part_lists *lists) {
    for (size_t i = 0; i < parts->n; i++) {
        const eti_xnnpack_node *part = &payload->nodes[parts->nodes[i]];
        const eti_graph_node *node;
        if (!part->has_handle)
            continue;
        add_handle(lists, part->debug_handle);
        if (!eti__handle_nodes_find(&known->graph, part->debug_handle, part->kind, &node))
            return false;
        if (node)
            add_node(lists, node);
    }
    return true;
}

static void take_lists(eti_event_record *record, const part_lists *lists) {
    record->handles = (eti_debug_handles){ETI_HANDLES_LIST, lists->handles, lists->n_handles};
    record->op_nodes = lists->nodes;
    record->op_types = lists->op_types;
    record->n_op_nodes = record->n_op_types = lists->n_nodes;
    record->is_first_node = true;
}

bool eti__known_nodes_set(eti_known_nodes *known, const eti_alignment *alignment,
                          const eti_xnnpack *payload, size_t i, eti_event *event) {
    event_parts parts;
    part_lists lists;
    eti_event_record *record =
        change(known, event, alignment->is_exact ? ETI_ATTRIBUTION_EXACT : ETI_ATTRIBUTION_ALIGNED);
    list_parts(known, alignment, payload, i, &parts);
    if (!record || !make_lists(known, parts.n, &lists) ||
        !list_nodes(known, payload, &parts, &lists))
        return false;
    take_lists(record, &lists);
    if (lists.n_nodes == 0) {
        lists.op_types[0] = eti__xnnpack_kind_name(payload->nodes[parts.nodes[0]].kind);
        record->n_op_types = lists.op_types[0].data != NULL;
    }
    return true;
}

bool eti__known_nodes_infer(eti_known_nodes *known, const eti_graph_node *node, eti_event *event) {
    part_lists lists;
    eti_event_record *record = change(known, event, ETI_ATTRIBUTION_INFERRED);
    if (!record || !make_lists(known, 1, &lists))
        return false;
    if (node->has_debug_handle)
        add_handle(&lists, node->debug_handle);
    add_node(&lists, node);
    take_lists(record, &lists);
    return true;
}

/* The operator is somewhere in the call, so the event takes the handles of the call. */
bool eti__known_nodes_set_call(eti_known_nodes *known, const eti_event_record *call,
                               eti_event *event) {
    eti_event_record *record = change(known, event, ETI_ATTRIBUTION_CALL);
    if (!record)
        return false;
    record->handles = call->handles;
    record->n_op_nodes = 0;
    return true;
}

bool eti__known_nodes_set_recorded(eti_known_nodes *known, eti_event *event) {
    return change(known, event, ETI_ATTRIBUTION_RECORDED) != NULL;
}

void eti__known_nodes_free(eti_known_nodes *known) {
    eti__handle_nodes_free(&known->graph);
    free(known->firsts);
    free(known->nexts);
    *known = (eti_known_nodes){0};
}
