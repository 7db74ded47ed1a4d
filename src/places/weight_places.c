#include "places/weight_places.h"

#include "base/sort.h"

#include <stdlib.h>

/* ---- table of weights ------------------------------------------------------------------------ */

static uint64_t hash_weight(const void *key, uint64_t seed) {
    const eti_weight_place *weight = key;
    return eti__text_hash(weight->key, eti__hash_mix(seed, weight->delegate));
}

static bool weights_equal(const void *key, const void *other) {
    const eti_weight_place *a = key, *b = other;
    return a->delegate == b->delegate && eti__text_equal(a->key, b->key);
}

static const eti_intern_kind weight_kind = {
    .item_size = sizeof(eti_weight_place), .hash = hash_weight, .is_equal = weights_equal};

eti_text eti__weight_places_find(const eti_weight_places *weights, uint32_t delegate,
                                 eti_text key) {
    const eti_weight_place wanted = {.delegate = delegate, .key = key};
    uint32_t number;
    return eti__intern_find(&weights->found.table, &weight_kind, &wanted, &number)
               ? weights->found.items[number].module
               : (eti_text){NULL, 0};
}

bool eti__weight_places_init(eti_weight_places *out, const eti_call_places *places, uint64_t most) {
    *out = (eti_weight_places){.n_left = most};
    out->is_read = calloc((size_t)places->method->plan->n_delegates + 1, sizeof *out->is_read);
    return out->is_read && eti__handle_nodes_init(&out->nodes, &out->arena, &places->graph);
}

void eti__weight_places_free(eti_weight_places *weights) {
    eti__intern_free(&weights->found.table);
    eti__handle_nodes_free(&weights->nodes);
    eti__arena_free(&weights->arena);
    free(weights->is_read);
    *weights = (eti_weight_places){0};
}

/* ---- uses of weights ------------------------------------------------------------------------- */

/* A node uses a weight. */
typedef struct use {
    uint32_t key;
    const eti_op_node *node;
} use;

typedef struct use_list {
    use *items; /* has room for all uses */
    size_t n;
} use_list;

/* Most weights that a node can use: numbers and scales of its inputs and its bias. */
#define MOST_USES ((size_t)2 * (ETI_XNNPACK_MOST_INPUTS + 1))

static void add_value(use_list *uses, const eti_xnnpack *payload, uint32_t value,
                      const eti_op_node *node) {
    if (value >= payload->n_values)
        return;
    const eti_xnnpack_value *of = &payload->values[value];
    if (of->numbers != ETI_XNNPACK_NO_KEY)
        uses->items[uses->n++] = (use){of->numbers, node};
    if (of->scales != ETI_XNNPACK_NO_KEY)
        uses->items[uses->n++] = (use){of->scales, node};
}

/* Lists the uses by nodes that have a node in the graph. Nodes with one handle come from one operator of the model, so the
 * first of them has the module of all. Returns false if memory runs out. */
static bool list_uses(eti_weight_places *weights, const eti_xnnpack *payload, use_list *uses) {
    for (uint32_t i = 0; i < payload->n_nodes; i++) {
        const eti_xnnpack_node *node = &payload->nodes[i];
        if (!node->has_handle)
            continue;
        const eti_node_class *found = eti__handle_nodes_find(&weights->nodes, NULL, node);
        if (!found)
            return false;
        for (uint32_t k = 0; k < node->n_inputs && found->n > 0; k++)
            add_value(uses, payload, node->inputs[k], found->nodes[0]);
        if (found->n > 0)
            add_value(uses, payload, node->bias, found->nodes[0]);
    }
    return true;
}

static int compare_uses(const void *a, const void *b, void *context) {
    const use *x = a, *y = b;
    (void)context;
    return (x->key > y->key) - (x->key < y->key);
}

/* Adds the module of each weight. `nodes` has room for the nodes of all uses. Returns false if memory runs out. */
static bool add_modules(eti_weight_places *weights, eti_call_places *places,
                        const eti_xnnpack *payload, uint32_t delegate, const use_list *uses,
                        const eti_op_node **nodes) {
    for (size_t i = 0, end; i < uses->n; i = end) {
        eti_weight_place weight = {.delegate = delegate,
                                   .key = payload->keys[uses->items[i].key].name};
        eti_place place;
        uint32_t number;
        for (end = i; end < uses->n && uses->items[end].key == uses->items[i].key; end++)
            nodes[end - i] = uses->items[end].node;
        const eti_event_nodes of = {nodes, end - i};
        if (!eti__places_of_nodes(&places->places, &of, &place))
            return false;
        if (place.module != ETI_PREFIX_ROOT)
            weight.module = eti__places_module_name(&places->places, place.module);
        if (!eti__intern_add(&weights->found.table, &weight_kind, &weight, &number))
            return false;
    }
    return true;
}

/* ---- payloads -------------------------------------------------------------------------------- */

/* Sets `*out` to whether the record lists all handles of the payload for the call. Returns false if memory runs out. */
static bool fits_call(const eti_call_places *places, const eti_xnnpack *payload,
                      uint32_t instruction, bool *out) {
    eti_debug_handles listed;
    *out = eti__etrecord_find_handles(places->record, places->method->record_method,
                                      (int32_t)instruction, &listed) &&
           listed.n > 0;
    return !*out || eti__payload_is_listed(payload, &listed, out);
}

static bool add_payload(eti_weight_places *weights, eti_call_places *places,
                        const eti_xnnpack *payload, uint32_t delegate) {
    size_t most = (size_t)payload->n_nodes * MOST_USES + 1;
    use_list uses = {.items = calloc(most, sizeof *uses.items)};
    const eti_op_node **nodes = calloc(most, sizeof *nodes);
    bool done = uses.items && nodes && list_uses(weights, payload, &uses);
    if (done) {
        eti__sort(uses.items, uses.n, sizeof *uses.items, compare_uses, NULL);
        done = add_modules(weights, places, payload, delegate, &uses, nodes);
    }
    free(uses.items);
    free((void *)nodes);
    return done;
}

eti_status eti__weight_places_add(eti_weight_places *weights, eti_call_places *places,
                                  eti_payloads *payloads, uint32_t instruction, eti_error *err) {
    const eti_pte_plan *plan = places->method->plan;
    const eti_pte_instruction *call = places->method->liveness.calls.items[instruction];
    const eti_xnnpack *payload;
    bool fits;
    if (!places->record || call->kind != ETI_PTE_DELEGATE_CALL || weights->is_read[call->index])
        return ETI_OK;
    const eti_pte_delegate *delegate = &plan->delegates[call->index];
    weights->is_read[call->index] = true;
    if (!eti__is_xnnpack(delegate->id) || delegate->payload.size > weights->n_left)
        return ETI_OK;
    weights->n_left -= delegate->payload.size;
    ETI_TRY(eti__payloads_find(payloads, delegate->id, delegate->payload, &payload, err));
    if (!payload)
        return ETI_OK;
    if (!fits_call(places, payload, instruction, &fits) ||
        (fits && !eti__handle_nodes_fit(&weights->nodes, NULL, payload, &fits)) ||
        (fits && !add_payload(weights, places, payload, (uint32_t)call->index)))
        return eti_fail_memory(err);
    return ETI_OK;
}
