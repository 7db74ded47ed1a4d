#include "places/known_nodes.h"

#include <stdlib.h>
#include <string.h>

/* ==== call work =============================================================================== */

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

/* Returns whether the nodes of a call and of its payload can still be examined within the limit for all calls. */
static bool call_work_has_room(const eti_call_work *work, const eti_xnnpack *payload, size_t n) {
    return n <= MOST_WORK && payload->n_nodes <= MOST_WORK &&
           work->work + n + payload->n_nodes <= MOST_WORK;
}

bool eti__call_work_find(eti_call_work *work, const eti_xnnpack *payload, const eti_op_node **nodes,
                         size_t n, size_t *n_own) {
    size_t n_uses;
    *n_own = n;
    if (!work->record || n < 2 || !call_work_has_room(work, payload, n))
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

/* ==== known nodes ============================================================================= */

/* Largest number of nodes that are part of one event; real events have few. */
#define MOST_PARTS 64u
_Static_assert(MOST_PARTS >= ETI_XNNPACK_MOST_OWNERS, "all owners of a node are parts");
/* Number of nodes that events with several nodes for one part may list. Real models have fewer; events beyond have only
 * the nodes that are chosen alone. */
#define MOST_LISTED ((size_t)1 << 22)

/* Payload nodes that make up one event. The event is the first of them; an event that runs an inserted node is one of the
 * first, its owners. */
typedef struct event_parts {
    uint32_t nodes[MOST_PARTS];
    size_t n_own, n;
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

/* Adds a node that is part of an event. An inserted node adds nothing to the operator that includes its work. */
static void add_part(event_parts *parts, const eti_xnnpack *payload, uint32_t node) {
    if (payload->nodes[node].is_inserted)
        return;
    for (size_t i = 0; i < parts->n; i++) {
        if (parts->nodes[i] == node)
            return;
    }
    if (parts->n < MOST_PARTS)
        parts->nodes[parts->n++] = node;
}

/* Adds conversions that several operators each do for themselves. */
static void add_shared(const eti_alignment *alignment, const eti_xnnpack *payload, size_t event,
                       event_parts *parts) {
    uint32_t number = alignment->nodes[event];
    const eti_xnnpack_node *node = &payload->nodes[number];
    for (size_t i = 0; i < node->n_inputs; i++) {
        uint32_t producer = eti__alignment_producer(alignment, node->inputs[i]);
        if (producer < number && payload->nodes[producer].kind == ETI_XNNPACK_CONVERT &&
            eti__alignment_is_fused_ahead(alignment, producer))
            add_part(parts, payload, producer);
    }
}

static void list_own_parts(const eti_xnnpack *payload, uint32_t node, event_parts *parts) {
    const eti_xnnpack_node *own = &payload->nodes[node];
    parts->nodes[0] = node;
    for (uint32_t i = 0; i < own->n_owners; i++)
        parts->nodes[i] = payload->owners[own->first_owner + i];
    parts->n = parts->n_own = own->n_owners > 0 ? own->n_owners : 1;
}

static void list_parts(const eti_known_nodes *known, const eti_alignment *alignment,
                       const eti_xnnpack *payload, size_t event, event_parts *parts) {
    list_own_parts(payload, alignment->nodes[event], parts);
    if (alignment->is_exact)
        return;
    uint32_t node = known->firsts[event];
    for (; node != ETI_NOT_ALIGNED && parts->n < MOST_PARTS; node = known->nexts[node])
        add_part(parts, payload, node);
    add_shared(alignment, payload, event, parts);
}

/* ---- records --------------------------------------------------------------------------------- */

/* Handles, nodes and operators without repetition; there is room for all parts. */
typedef struct part_lists {
    int64_t *handles;
    const eti_op_node **nodes;
    eti_text *op_types;
    size_t n_handles, n_nodes;
    size_t n_own; /* number of nodes that the event itself is */
} part_lists;

static void add_handle(part_lists *lists, int64_t handle) {
    for (size_t i = 0; i < lists->n_handles; i++) {
        if (lists->handles[i] == handle)
            return;
    }
    lists->handles[lists->n_handles++] = handle;
}

static void add_node(part_lists *lists, const eti_op_node *node) {
    for (size_t i = 0; i < lists->n_nodes; i++) {
        if (lists->nodes[i] == node)
            return;
    }
    lists->nodes[lists->n_nodes] = node;
    lists->op_types[lists->n_nodes++] = ((const eti_graph_node *)(const void *)node)->op_type;
}

static bool make_lists(eti_known_nodes *known, size_t n, part_lists *lists) {
    *lists = (part_lists){
        .handles = eti__arena_alloc(known->arena, n, sizeof *lists->handles),
        .nodes = eti__arena_alloc(known->arena, n, sizeof *lists->nodes),
        .op_types = eti__arena_alloc(known->arena, n, sizeof *lists->op_types),
    };
    return lists->handles && lists->nodes && lists->op_types;
}

static void list_handles(const eti_xnnpack *payload, const event_parts *parts, part_lists *lists) {
    for (size_t i = 0; i < parts->n; i++) {
        const eti_xnnpack_node *part = &payload->nodes[parts->nodes[i]];
        if (part->has_handle)
            add_handle(lists, part->debug_handle);
    }
}

static void list_nodes(const eti_node_choice *choices, const event_parts *parts,
                       part_lists *lists) {
    for (size_t i = 0; i < parts->n; i++) {
        if (choices[i].node)
            add_node(lists, choices[i].node);
        if (i + 1 == parts->n_own)
            lists->n_own = lists->n_nodes;
    }
}

static void take_lists(eti_event_record *record, const part_lists *lists) {
    record->handles = (eti_debug_handles){ETI_HANDLES_LIST, lists->handles, lists->n_handles};
    record->op_nodes = lists->nodes;
    record->op_types = lists->op_types;
    record->n_op_nodes = record->n_op_types = lists->n_nodes;
    record->n_own_nodes = lists->n_own > 0 ? lists->n_own : 1;
}

/* ---- several nodes for one part -------------------------------------------------------------- */

/* Lists for a combination of choices. */
typedef struct combination {
    eti_text choices; /* the key, with n_own: bytes of an array of choices */
    size_t n_own;     /* number of choices that the event itself is one of */
    const eti_op_node **nodes;
    eti_text *op_types;
    size_t n_nodes, n_op_types;
    size_t n_own_nodes; /* number of nodes of the first n_own choices */
} combination;

static uint64_t hash_combination(const void *key, uint64_t seed) {
    const combination *of = key;
    return eti__hash_mix(eti__text_hash(of->choices, seed), of->n_own);
}

static bool combinations_equal(const void *key, const void *other) {
    const combination *a = key, *b = other;
    return a->n_own == b->n_own && eti__text_equal(a->choices, b->choices);
}

static size_t count_chosen(const eti_node_choice *choice) {
    return choice->node ? 1 : choice->of ? choice->of->n : 0;
}

static const eti_op_node *chosen_at(const eti_node_choice *choice, size_t i) {
    return choice->node ? choice->node : choice->of->nodes[i];
}

static eti_text chosen_op_at(const eti_node_choice *choice, size_t i) {
    return choice->node ? ((const eti_graph_node *)(const void *)choice->node)->op_type
                        : choice->of->op_types[i];
}

/* Returns whether a node is one of a choice: nodes are in graph order, which is the order of their addresses. */
static bool is_chosen(const eti_node_choice *choice, const eti_op_node *node) {
    size_t low = 0, high = count_chosen(choice);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (chosen_at(choice, middle) < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count_chosen(choice) && chosen_at(choice, low) == node;
}

/* Adds the nodes of a choice that the choices before it lack. */
static void combine_nodes(combination *out, const eti_node_choice *choices, size_t i) {
    for (size_t k = 0; k < count_chosen(&choices[i]); k++) {
        const eti_op_node *node = chosen_at(&choices[i], k);
        bool is_listed = false;
        for (size_t before = 0; before < i && !is_listed; before++)
            is_listed = is_chosen(&choices[before], node);
        if (!is_listed)
            out->nodes[out->n_nodes++] = node;
    }
}

static void combine_ops(combination *out, const eti_node_choice *choices, size_t i) {
    const eti_node_choice *choice = &choices[i];
    size_t n = choice->node ? 1 : choice->of ? choice->of->n_op_types : 0;
    for (size_t before = 0; before < i; before++) {
        if (choices[before].of == choice->of && choices[before].node == choice->node)
            return;
    }
    for (size_t k = 0; k < n; k++)
        out->op_types[out->n_op_types++] = chosen_op_at(choice, k);
}

static bool combine(eti_known_nodes *known, const eti_node_choice *choices, size_t n,
                    combination *out) {
    size_t n_nodes = 0;
    for (size_t i = 0; i < n; i++)
        n_nodes += count_chosen(&choices[i]);
    out->nodes = eti__arena_alloc(known->arena, n_nodes + 1, sizeof *out->nodes);
    out->op_types = eti__arena_alloc(known->arena, n_nodes + 1, sizeof *out->op_types);
    if (!out->nodes || !out->op_types)
        return false;
    for (size_t i = 0; i < n; i++) {
        combine_nodes(out, choices, i);
        combine_ops(out, choices, i);
        if (i + 1 == out->n_own)
            out->n_own_nodes = out->n_nodes;
    }
    return eti__arena_copy_text(known->arena, out->choices, &out->choices);
}

/* Returns the lists for a combination of choices, or NULL if memory runs out. */
static const combination *find_combination(eti_known_nodes *known, const eti_node_choice *choices,
                                           const event_parts *parts) {
    static const eti_intern_kind kind = {
        .item_size = sizeof(combination), .hash = hash_combination, .is_equal = combinations_equal};
    const combination wanted = {.choices = {(const char *)choices, parts->n * sizeof *choices},
                                .n_own = parts->n_own};
    size_t n_known = known->combinations.count;
    uint32_t number;
    if (!eti__intern_add(&known->combinations, &kind, &wanted, &number))
        return NULL;
    combination *found = &((combination *)known->combinations.items)[number];
    return number < n_known || combine(known, choices, parts->n, found) ? found : NULL;
}

static bool has_several(const eti_node_choice *choices, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (count_chosen(&choices[i]) > 1)
            return true;
    }
    return false;
}

/* Takes the lists of a combination. */
static bool take_combination(eti_known_nodes *known, const eti_node_choice *choices,
                             const event_parts *parts, const part_lists *lists,
                             eti_event_record *record) {
    const combination *found = find_combination(known, choices, parts);
    if (!found)
        return false;
    take_lists(record, lists);
    record->op_nodes = found->nodes;
    record->n_op_nodes = found->n_nodes;
    record->op_types = found->op_types;
    record->n_op_types = found->n_op_types;
    record->n_own_nodes = found->n_own_nodes > 0 ? found->n_own_nodes : 1;
    if (parts->n_own == 1 && !choices[0].node && choices[0].of)
        record->own_op = choices[0].of->op;
    known->n_listed += found->n_nodes;
    return true;
}

/* ---- events ---------------------------------------------------------------------------------- */

static void list_choices(const eti_known_nodes *known, const event_parts *parts,
                         eti_node_choice *choices) {
    for (size_t i = 0; i < parts->n; i++)
        choices[i] = known->choices.items[parts->nodes[i]];
}

/* Returns the attribution of an event that runs a node, with the choice for its first part. */
static eti_attribution attribution_of(const eti_alignment *alignment, const eti_xnnpack_node *node,
                                      const eti_node_choice *choice) {
    bool is_inferred = (choice->of && choice->of->n > 1) || node->n_owners > 1 ||
                       (node->n_owners > 0 && !node->is_owner_sure);
    return is_inferred           ? ETI_ATTRIBUTION_INFERRED
           : alignment->is_exact ? ETI_ATTRIBUTION_EXACT
                                 : ETI_ATTRIBUTION_ALIGNED;
}

bool eti__known_nodes_set(eti_known_nodes *known, const eti_alignment *alignment,
                          const eti_xnnpack *payload, size_t i, eti_event *event) {
    event_parts parts;
    part_lists lists;
    eti_node_choice choices[MOST_PARTS];
    const eti_xnnpack_node *node = &payload->nodes[alignment->nodes[i]];
    list_parts(known, alignment, payload, i, &parts);
    list_choices(known, &parts, choices);
    const eti_node_choice *first = &known->choices.items[parts.nodes[0]];
    eti_event_record *record = change(known, event, attribution_of(alignment, node, first));
    if (!record || !make_lists(known, parts.n, &lists))
        return false;
    list_handles(payload, &parts, &lists);
    if (has_several(choices, parts.n) && known->n_listed < MOST_LISTED)
        return take_combination(known, choices, &parts, &lists, record);
    list_nodes(choices, &parts, &lists);
    take_lists(record, &lists);
    if (lists.n_nodes == 0) {
        lists.op_types[0] = eti__xnnpack_kind_name(node->kind);
        record->n_op_types = lists.op_types[0].data != NULL;
    }
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* The record of a delegate call, and the one that replaces it. */
typedef struct known_call {
    const eti_event_record *record; /* the key, with `payload` */
    const eti_xnnpack *payload;
    const eti_event_record *made; /* may be the same */
} known_call;

/* Makes the record of a call, if the call is not for all nodes of its instruction. */
static bool find_work(eti_known_nodes *known, known_call *call) {
    size_t n = call->record->n_op_nodes, n_own;
    bool fits;
    if (!call_work_has_room(&known->work, call->payload, n))
        return true;
    if (!eti__payload_is_listed(call->payload, &call->record->handles, &fits))
        return false;
    if (!fits)
        return true;
    if (!ETI_GROW(known->nodes, known->node_capacity, n + 1))
        return false;
    memcpy((void *)known->nodes, (const void *)call->record->op_nodes, n * sizeof *known->nodes);
    if (!eti__call_work_find(&known->work, call->payload, known->nodes, n, &n_own))
        return false;
    if (n_own == n)
        return true;
    const eti_op_node **nodes = eti__arena_alloc(known->arena, n, sizeof *nodes);
    eti_event_record *record = eti__arena_alloc(known->arena, 1, sizeof *record);
    if (!nodes || !record)
        return false;
    memcpy((void *)nodes, (const void *)known->nodes, n * sizeof *nodes);
    *record = *call->record;
    record->op_nodes = nodes;
    record->n_own_nodes = n_own;
    call->made = record;
    return true;
}

bool eti__known_nodes_set_work(eti_known_nodes *known, const eti_xnnpack *payload,
                               eti_event *call) {
    static const eti_intern_kind kind = {.item_size = sizeof(known_call),
                                         .key_size = offsetof(known_call, made)};
    const known_call wanted = {call->known, payload, call->known};
    size_t n_known = known->calls.count;
    uint32_t number;
    if (!eti__intern_add(&known->calls, &kind, &wanted, &number))
        return false;
    known_call *found = &((known_call *)known->calls.items)[number];
    if (number == n_known && !find_work(known, found))
        return false;
    call->known = found->made;
    return true;
}

/* ---- events without a payload ---------------------------------------------------------------- */

bool eti__known_nodes_infer(eti_known_nodes *known, const eti_graph_node *node, eti_event *event) {
    part_lists lists;
    eti_event_record *record = change(known, event, ETI_ATTRIBUTION_INFERRED);
    if (!record || !make_lists(known, 1, &lists))
        return false;
    if (node->has_debug_handle)
        add_handle(&lists, node->debug_handle);
    add_node(&lists, &node->node);
    take_lists(record, &lists);
    return true;
}

bool eti__known_nodes_set_found(eti_known_nodes *known, const eti_call_nodes *found,
                                eti_attribution attribution, eti_event *event) {
    eti_event_record *record = change(known, event, attribution);
    if (!record)
        return false;
    record->handles = (eti_debug_handles){ETI_HANDLES_LIST, found->handles, found->n_handles};
    record->op_nodes = found->nodes;
    record->n_op_nodes = found->n;
    record->n_own_nodes = found->n_own;
    record->op_types = found->op_types;
    record->n_op_types = found->n_op_types;
    record->own_op = (eti_text){NULL, 0};
    return true;
}

bool eti__known_nodes_drop(eti_known_nodes *known, const eti_event_record *call,
                           eti_attribution attribution, eti_event *event) {
    eti_event_record *record = change(known, event, attribution);
    if (!record)
        return false;
    record->handles = call->handles;
    record->op_nodes = NULL;
    record->op_types = NULL;
    record->n_op_nodes = record->n_op_types = record->n_own_nodes = 0;
    record->own_op = (eti_text){NULL, 0};
    return true;
}

/* The operator is somewhere in the call, so the event takes the handles of the call. */
bool eti__known_nodes_set_call(eti_known_nodes *known, const eti_event_record *call,
                               eti_event *event) {
    eti_event_record *record = change(known, event, ETI_ATTRIBUTION_CALL);
    if (!record)
        return false;
    record->handles = call->handles;
    record->n_op_nodes = record->n_op_types = 0;
    return true;
}

bool eti__known_nodes_set_device(eti_known_nodes *known, const eti_event_record *call,
                                 eti_event *event) {
    eti_event_record *record = change(known, event, ETI_ATTRIBUTION_CALL);
    if (!record)
        return false;
    record->handles = call->handles;
    record->op_types = call->op_types;
    record->n_op_types = call->n_op_types;
    record->op_nodes = call->op_nodes;
    record->n_op_nodes = call->n_op_nodes;
    record->n_own_nodes = call->n_own_nodes;
    record->own_op = call->own_op;
    return true;
}

static eti_text op_type_of(const eti_op_node *node) {
    return ((const eti_graph_node *)(const void *)node)->op_type;
}

/* Moves the only node with a main operator to the front. Returns the number of nodes that the event is. */
static size_t put_main_first(const eti_op_node **nodes, size_t n) {
    size_t n_main = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        if (!eti__is_main_operator(op_type_of(nodes[i])))
            continue;
        at = i;
        n_main++;
    }
    if (n_main != 1)
        return n;
    const eti_op_node *node = nodes[at];
    for (; at > 0; at--)
        nodes[at] = nodes[at - 1];
    nodes[0] = node;
    return 1;
}

bool eti__known_nodes_set_list(eti_known_nodes *known, eti_attribution attribution,
                               const eti_op_node **nodes, size_t n, const int64_t *handles,
                               size_t n_handles, eti_event *event) {
    eti_event_record *record = change(known, event, attribution);
    eti_text *op_types = eti__arena_alloc(known->arena, n + 1, sizeof *op_types);
    if (!record || !op_types)
        return false;
    record->n_own_nodes = put_main_first(nodes, n);
    for (size_t i = 0; i < n; i++)
        op_types[i] = op_type_of(nodes[i]);
    record->handles = (eti_debug_handles){ETI_HANDLES_LIST, handles, n_handles};
    record->op_nodes = nodes;
    record->op_types = op_types;
    record->n_op_nodes = record->n_op_types = n;
    if (n == 0 && event->logged && event->logged->kernel.data)
        op_types[record->n_op_types++] = event->logged->kernel;
    if (record->n_own_nodes == 1 && n > 0)
        record->own_op = op_types[0];
    return true;
}

bool eti__known_nodes_add(eti_known_nodes *known, const eti_op_node *const *nodes, size_t n,
                          eti_event *call) {
    eti_event_record *record = change(known, call, (eti_attribution)call->known->attribution);
    if (!record)
        return false;
    size_t n_nodes = record->n_op_nodes, n_types = record->n_op_types;
    const eti_op_node **all = eti__arena_alloc(known->arena, n_nodes + n, sizeof *all);
    eti_text *op_types = eti__arena_alloc(known->arena, n_types + n, sizeof *op_types);
    if (!all || !op_types)
        return false;
    if (n_nodes > 0)
        memcpy((void *)all, (const void *)record->op_nodes, n_nodes * sizeof *all);
    if (n_types > 0)
        memcpy(op_types, record->op_types, n_types * sizeof *op_types);
    for (size_t i = 0; i < n; i++) {
        all[n_nodes + i] = nodes[i];
        op_types[n_types + i] = op_type_of(nodes[i]);
    }
    record->op_nodes = all;
    record->op_types = op_types;
    record->n_op_nodes += n;
    record->n_op_types += n;
    if (record->n_own_nodes > 0)
        record->n_own_nodes += n;
    record->own_op = (eti_text){NULL, 0};
    return true;
}

/* Returns the number of nodes with a handle, and sets `*first` to the position of the first one. */
static size_t count_nodes(const eti_known_nodes *known, int64_t handle, size_t *first) {
    const eti_handle_index *index = &known->graph.by_handle;
    size_t end;
    *first = end = eti__handle_index_first(index, handle);
    while (end < index->n && index->nodes[end].handle == handle)
        end++;
    return end - *first;
}

/* Lists the nodes with the handles, while the limit for all events is not reached. */
static bool list_handle_nodes(eti_known_nodes *known, const eti_debug_handles *handles,
                              eti_event_record *record) {
    size_t n = 0, first;
    for (size_t i = 0; i < handles->n; i++)
        n += count_nodes(known, handles->handles[i], &first);
    n = n <= MOST_LISTED - known->n_listed ? n : 0;
    known->n_listed += n;
    const eti_op_node **nodes = eti__arena_alloc(known->arena, n + 1, sizeof *nodes);
    eti_text *op_types = eti__arena_alloc(known->arena, n + 1, sizeof *op_types);
    if (!nodes || !op_types)
        return false;
    record->n_op_nodes = 0;
    for (size_t i = 0; i < handles->n && record->n_op_nodes < n; i++) {
        size_t n_nodes = count_nodes(known, handles->handles[i], &first);
        for (size_t k = 0; k < n_nodes; k++) {
            const eti_graph_node *node =
                &known->graph.graph->nodes[known->graph.by_handle.nodes[first + k].node];
            op_types[record->n_op_nodes] = node->op_type;
            nodes[record->n_op_nodes++] = &node->node;
        }
    }
    record->op_nodes = nodes;
    record->op_types = op_types;
    record->n_op_types = record->n_op_nodes;
    return true;
}

bool eti__known_nodes_set_recorded(eti_known_nodes *known, const eti_debug_handles *handles,
                                   eti_attribution attribution, eti_event *event) {
    eti_event_record *record = change(known, event, attribution);
    if (!record)
        return false;
    if (record->handles.n == handles->n && record->handles.handles == handles->handles)
        return true; /* the association has found the same */
    record->handles = *handles;
    record->n_own_nodes = 0;
    record->own_op = (eti_text){NULL, 0};
    return list_handle_nodes(known, handles, record);
}

void eti__known_nodes_free(eti_known_nodes *known) {
    eti__handle_nodes_free(&known->graph);
    eti__node_choices_free(&known->choices);
    eti__call_work_free(&known->work);
    free((void *)known->nodes);
    eti__intern_free(&known->calls);
    eti__intern_free(&known->combinations);
    free(known->firsts);
    free(known->nexts);
    *known = (eti_known_nodes){0};
}
