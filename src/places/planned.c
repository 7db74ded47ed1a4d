#include "places/places.h"

#include "base/sort.h"
#include "inside/inside.h"
#include "places/free_nodes.h"
#include "places/known_nodes.h"
#include "places/parts.h"

#include <stdlib.h>
#include <string.h>

/* ==== planned methods ========================================================================= */

size_t eti__record_method_of_plan(const eti_inspector *inspector, const eti_pte *pte,
                                  const eti_pte_plan *plan) {
    size_t n = eti__uses_record(inspector) ? eti__etrecord_method_count(inspector->record) : 0;
    if (n == 1 && pte->n_plans == 1)
        return 0;
    for (size_t i = 0; i < n; i++) {
        if (eti__text_equal(eti__etrecord_method_name(inspector->record, i), plan->name))
            return i;
    }
    return ETI_NO_METHOD;
}

/* Returns the number of outputs that the record lists for an instruction, or UINT32_MAX. The record's ids are those
 * of the first chain. */
static uint32_t known_outputs(const eti_etrecord *record, const eti_planned_method *method,
                              uint32_t instruction) {
    int32_t id = (int32_t)instruction;
    if (instruction >= method->plan->chains[0].n_instructions || instruction > INT32_MAX ||
        !eti__etrecord_has_num_outputs(record, method->record_method, id))
        return UINT32_MAX;
    int64_t n = eti__etrecord_find_num_outputs(record, method->record_method, id);
    return n < 0 || n >= UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

static eti_status list_outputs(const uint32_t **out, eti_arena *arena,
                               const eti_inspector *inspector, const eti_planned_method *method,
                               eti_error *err) {
    const eti_pte_plan *plan = method->plan;
    eti_calls calls;
    *out = NULL;
    if (method->record_method == ETI_NO_METHOD)
        return ETI_OK;
    ETI_TRY(eti__calls_make(&calls, arena, plan, err));
    uint32_t *n_outputs = eti__arena_alloc(arena, calls.n, sizeof *n_outputs);
    if (!n_outputs)
        return eti_fail_memory(err);
    for (uint32_t k = 0; k < calls.n; k++)
        n_outputs[k] = known_outputs(inspector->record, method, k);
    *out = n_outputs;
    return ETI_OK;
}

eti_status eti__planned_method_make(eti_planned_method *out, eti_arena *arena,
                                    const eti_inspector *inspector, const eti_pte *pte,
                                    uint32_t number, eti_error *err) {
    bool is_first = pte == inspector->programs; /* the ETRecord belongs to the first program */
    const uint32_t *n_outputs;
    out->plan = &pte->plans[number];
    out->number = number;
    out->record_method =
        is_first ? eti__record_method_of_plan(inspector, pte, out->plan) : ETI_NO_METHOD;
    ETI_TRY(list_outputs(&n_outputs, arena, inspector, out, err));
    ETI_TRY(eti__liveness_make(&out->liveness, arena, out->plan, n_outputs, err));
    return eti__arenas_make(&out->arenas, arena, &out->liveness, err);
}

eti_status eti__planned_methods_make(eti_planned_methods *out, eti_arena *arena,
                                     const eti_inspector *inspector, eti_error *err) {
    const char *wanted = inspector->options.method;
    *out = (eti_planned_methods){0};
    if (inspector->n_programs == 0)
        return eti_fail(err, ETI_ERROR_USAGE, "no program was given: name the .pte");
    out->pte = &inspector->programs[0];
    out->methods = eti__arena_alloc_zero(arena, out->pte->n_plans, sizeof *out->methods);
    if (!out->methods)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < out->pte->n_plans; i++) {
        if (!wanted || eti__text_is(out->pte->plans[i].name, wanted))
            ETI_TRY(eti__planned_method_make(&out->methods[out->n++], arena, inspector, out->pte, i,
                                             err));
    }
    if (out->n > 0 || !wanted)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_USAGE, "%smethod: there is no method %s in %s",
                    eti__option_prefix(), wanted, out->pte->file->name);
}

/* ==== call places ============================================================================= */

/* Limit on the number of nodes of all instructions that are looked up. */
#define MOST_LISTED ((size_t)4 << 20)

eti_status eti__call_places_init(eti_call_places *out, const eti_inspector *inspector,
                                 const eti_planned_method *method, eti_error *err) {
    *out = (eti_call_places){.method = method, .graph = inspector->graph};
    out->payloads.arena = &out->arena;
    if (!eti__places_init(&out->places))
        return eti_fail_memory(err);
    if (method->record_method == ETI_NO_METHOD)
        return ETI_OK;
    out->record = inspector->record;
    out->work = (eti_call_work){.record = out->record, .method = method->record_method};
    out->n_left = ETI_PAYLOADS_EXAMINED * (uint64_t)inspector->programs[0].file->size;
    if (method->record_method != inspector->method)
        ETI_TRY(eti__record_graph(inspector->opened_record, ETI_READ_EDGE, method->record_method,
                                  NULL, &out->graph, NULL, err));
    return eti__handle_index_init(&out->by_handle, &out->graph) ? ETI_OK : eti_fail_memory(err);
}

void eti__call_places_free(eti_call_places *places) {
    eti__places_free(&places->places);
    eti__handle_index_free(&places->by_handle);
    free((void *)places->found);
    eti__call_work_free(&places->work);
    eti__payloads_free(&places->payloads);
    eti__arena_free(&places->arena);
    *places = (eti_call_places){0};
}

/* Lists the nodes of handles, up to the limit. Returns false if memory runs out. */
static bool find_nodes(eti_call_places *places, const eti_debug_handles *handles) {
    const eti_handle_index *index = &places->by_handle;
    places->n_found = 0;
    for (size_t i = 0; i < handles->n; i++) {
        int64_t handle = handles->handles[i];
        for (size_t at = eti__handle_index_first(index, handle);
             at < index->n && index->nodes[at].handle == handle; at++) {
            if (places->n_listed == MOST_LISTED) {
                /* some of the nodes may have a place that not all of them share */
                places->n_found = 0;
                return true;
            }
            places->n_listed++;
            if (!ETI_GROW(places->found, places->found_capacity, places->n_found + 1))
                return false;
            places->found[places->n_found++] = &places->graph.nodes[index->nodes[at].node].node;
        }
    }
    return true;
}

static bool has_kernel(const eti_op_node *node, eti_text kernel) {
    eti_text op = ((const eti_graph_node *)(const void *)node)->op_type;
    return eti__text_equal(eti__operator_name(op), kernel);
}

/* Keeps only the nodes of the kernel's operator, if there are any. */
static void keep_kernel(eti_call_places *places, eti_text kernel) {
    size_t n = 0;
    for (size_t i = 0; i < places->n_found && kernel.size > 0; i++) {
        const eti_op_node *node = places->found[i];
        if (!has_kernel(node, kernel))
            continue;
        places->found[i] = places->found[n]; /* swapped, so that all nodes are kept if none fits */
        places->found[n++] = node;
    }
    if (n > 0)
        places->n_found = n;
}

/* Returns "add" for "aten::add"; absent for calls of other kinds. */
static eti_text kernel_of(const eti_pte_plan *plan, const eti_pte_instruction *call) {
    if (call->kind != ETI_PTE_KERNEL_CALL)
        return (eti_text){NULL, 0};
    return eti__operator_name(plan->operators[call->index].name);
}

/* Keeps only the nodes that a delegate call is for, if the program has a payload that fits. Returns false if memory runs
 * out. */
static bool keep_work(eti_call_places *places, const eti_pte_instruction *call,
                      const eti_debug_handles *handles) {
    const eti_pte_delegate *delegate = &places->method->plan->delegates[call->index];
    const eti_xnnpack *payload;
    eti_error ignored;
    bool fits;
    if (!eti__is_xnnpack(delegate->id) || delegate->payload.size > places->n_left)
        return true;
    places->n_left -= delegate->payload.size;
    if (eti__payloads_find(&places->payloads, delegate->id, delegate->payload, &payload,
                           &ignored) != ETI_OK)
        return false;
    return !payload || (eti__payload_is_listed(payload, handles, &fits) &&
                        (!fits || eti__call_work_find(&places->work, payload, places->found,
                                                      places->n_found, &places->n_found)));
}

/* Takes the nodes of a kernel that the debug_handle_map lacks. Returns false if memory runs out. */
static bool take_free_nodes(eti_call_places *places, uint32_t instruction) {
    const eti_planned_method *method = places->method;
    if (!places->has_free_nodes &&
        !eti__free_nodes_match(&places->arena, places->record, method->record_method, method->plan,
                               &places->graph, &places->free_nodes))
        return false;
    places->has_free_nodes = true;
    const eti_event_record *found = places->free_nodes ? places->free_nodes[instruction] : NULL;
    places->n_found = 0;
    if (!found)
        return true;
    if (!ETI_GROW(places->found, places->found_capacity, found->n_op_nodes))
        return false;
    memcpy((void *)places->found, (const void *)found->op_nodes,
           found->n_op_nodes * sizeof *places->found);
    places->n_found = found->n_op_nodes;
    return true;
}

bool eti__call_places_find(eti_call_places *places, uint32_t instruction, eti_call_place *out) {
    const eti_planned_method *method = places->method;
    eti_debug_handles handles;
    eti_place place;
    *out = (eti_call_place){0};
    places->n_found = 0;
    if (!places->record || !method || instruction >= method->plan->chains[0].n_instructions ||
        instruction >= method->liveness.calls.n)
        return true;
    if (eti__etrecord_find_handles(places->record, method->record_method, (int32_t)instruction,
                                   &handles)
            ? !find_nodes(places, &handles)
            : !take_free_nodes(places, instruction))
        return false;
    if (places->n_found == 0)
        return true;
    const eti_pte_instruction *call = method->liveness.calls.items[instruction];
    keep_kernel(places, kernel_of(method->plan, call));
    if (call->kind == ETI_PTE_DELEGATE_CALL && !keep_work(places, call, &handles))
        return false;
    eti_event_nodes nodes = {places->found, places->n_found};
    if (!eti__places_of_nodes(&places->places, &nodes, &place))
        return false;
    const eti_graph_node *single = eti__event_nodes_single(&nodes);
    if (single)
        out->node = single->node.name;
    if (place.module != ETI_PREFIX_ROOT)
        out->module = eti__places_module_name(&places->places, place.module);
    if (place.frame != ETI_PREFIX_ROOT) {
        const eti_stack_frame *frame = &eti__places_frame(&places->places, place.frame)->frame;
        out->file = frame->file;
        out->line = frame->line;
    }
    return true;
}

/* ==== weight places =========================================================================== */

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
    eti__native_nodes_free(&weights->native);
    eti__arena_free(&weights->arena);
    free(weights->is_read);
    *weights = (eti_weight_places){0};
}

/* ---- uses of weights ------------------------------------------------------------------------- */

/* A node uses a weight. */
typedef struct use {
    eti_text key;
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
        uses->items[uses->n++] = (use){payload->keys[of->numbers].name, node};
    if (of->scales != ETI_XNNPACK_NO_KEY)
        uses->items[uses->n++] = (use){payload->keys[of->scales].name, node};
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
    return eti__text_compare(x->key, y->key);
}

/* Adds the module of each weight, whose uses come one after the other. Returns false if memory runs out. */
static bool add_modules(eti_weight_places *weights, eti_call_places *places, uint32_t delegate,
                        const use_list *uses) {
    const eti_op_node **nodes = calloc(uses->n + 1, sizeof *nodes);
    bool done = nodes != NULL;
    for (size_t i = 0, end; i < uses->n && done; i = end) {
        eti_weight_place weight = {.delegate = delegate, .key = uses->items[i].key};
        eti_place place;
        uint32_t number;
        for (end = i; end < uses->n && eti__text_equal(uses->items[end].key, weight.key); end++)
            nodes[end - i] = uses->items[end].node;
        const eti_event_nodes of = {nodes, end - i};
        done = eti__places_of_nodes(&places->places, &of, &place);
        if (done && place.module != ETI_PREFIX_ROOT)
            weight.module = eti__places_module_name(&places->places, place.module);
        done = done && eti__intern_add(&weights->found.table, &weight_kind, &weight, &number);
    }
    free((void *)nodes);
    return done;
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
    use_list uses = {.items = calloc((size_t)payload->n_nodes * MOST_USES + 1, sizeof *uses.items)};
    bool done = uses.items && list_uses(weights, payload, &uses);
    if (done) {
        eti__sort(uses.items, uses.n, sizeof *uses.items, compare_uses, NULL);
        done = add_modules(weights, places, delegate, &uses);
    }
    free(uses.items);
    return done;
}

/* Adds the uses of the constants of a Vulkan graph. What is made of a constant while loading is the constant. */
static bool list_vulkan_uses(const eti_vulkan *graph, const eti_call_nodes *nodes, use_list *uses) {
    uint32_t *constants = malloc(((size_t)graph->n_values + 1) * sizeof *constants);
    if (!constants)
        return false;
    for (uint32_t i = 0; i < graph->n_values; i++)
        constants[i] = graph->constants_of[i];
    for (uint32_t i = 0; i < graph->n_calls; i++) {
        const eti_vulkan_call *call = &graph->calls[i];
        const uint32_t *links = graph->links + call->first_link;
        bool is_prepack = eti__vulkan_op_of(call->op).is_prepack;
        for (uint32_t k = 0; k < call->n_inputs; k++) {
            uint32_t constant = constants[links[k]];
            if (constant == ETI_VULKAN_NONE || graph->constants[constant].name.size == 0)
                continue;
            if (is_prepack && call->n_outputs > 0)
                constants[links[call->n_inputs]] = constant;
            else if (nodes[i].n > 0)
                uses->items[uses->n++] = (use){graph->constants[constant].name, nodes[i].nodes[0]};
        }
    }
    free(constants);
    return true;
}

/* Adds the constants of the Vulkan graph that an instruction calls. */
static bool add_vulkan(eti_weight_places *weights, eti_call_places *places, const eti_vulkan *graph,
                       uint32_t delegate, uint32_t instruction) {
    eti_debug_handles handles;
    if (!eti__etrecord_find_handles(places->record, places->method->record_method,
                                    (int32_t)instruction, &handles))
        return true;
    if (!find_nodes(places, &handles))
        return false;
    if (places->n_found == 0)
        return true;
    const eti_call_nodes *nodes = eti__vulkan_nodes_find(&weights->arena, graph, places->found,
                                                         places->n_found, NULL, &weights->work);
    use_list uses = {.items = calloc(eti__vulkan_count_inputs(graph) + 1, sizeof *uses.items)};
    bool done = nodes && uses.items && list_vulkan_uses(graph, nodes, &uses);
    if (done) {
        eti__sort(uses.items, uses.n, sizeof *uses.items, compare_uses, NULL);
        done = add_modules(weights, places, delegate, &uses);
    }
    free(uses.items);
    return done;
}

/* Starts the search for nodes of native payloads; the names of nodes suffice. */
static bool begin_native(eti_weight_places *weights, const eti_call_places *places) {
    eti_graph_ports *ports =
        eti__arena_alloc_zero(&weights->arena, places->graph.n_nodes, sizeof *ports);
    weights->no_values = (eti_graph_values){.ports = ports};
    return ports && eti__native_nodes_init(&weights->native, &places->graph, &weights->no_values);
}

/* Adds the uses of the constants of a native payload by one of its nodes. */
static void list_native_uses(const eti_native *payload, const eti_native_node *of,
                             const eti_op_node *node, use_list *uses) {
    for (uint32_t i = 0; i < of->n_inputs; i++) {
        const eti_native_constant *constant =
            eti__native_constant_of(payload, payload->links[of->first_link + i]);
        for (size_t k = 0; constant && k < ETI_NATIVE_MOST_KEYS; k++) {
            if (constant->keys[k].size > 0)
                uses->items[uses->n++] = (use){constant->keys[k], node};
        }
    }
}

static bool add_native(eti_weight_places *weights, eti_call_places *places,
                       const eti_native *payload, uint32_t delegate) {
    if (!weights->native.graph && !begin_native(weights, places))
        return false;
    const eti_native_found *found = eti__native_nodes_find(&weights->native, payload);
    size_t n = 0;
    for (uint32_t i = 0; i < payload->n_nodes; i++)
        n += ETI_NATIVE_MOST_KEYS * (size_t)payload->nodes[i].n_inputs;
    use_list uses = {.items = calloc(n + 1, sizeof *uses.items)};
    bool done = found && uses.items;
    for (uint32_t i = 0; done && i < payload->n_nodes; i++) {
        if (found[i].node != ETI_NO_NODE)
            list_native_uses(payload, &payload->nodes[i], &places->graph.nodes[found[i].node].node,
                             &uses);
    }
    if (done) {
        eti__sort(uses.items, uses.n, sizeof *uses.items, compare_uses, NULL);
        done = add_modules(weights, places, delegate, &uses);
    }
    free(uses.items);
    return done;
}

eti_status eti__weight_places_add(eti_weight_places *weights, eti_call_places *places,
                                  eti_payloads *payloads, uint32_t instruction, eti_error *err) {
    const eti_pte_plan *plan = places->method->plan;
    const eti_pte_instruction *call = places->method->liveness.calls.items[instruction];
    const eti_xnnpack *payload;
    const eti_vulkan *graph;
    const eti_native *native;
    bool fits;
    if (!places->record || call->kind != ETI_PTE_DELEGATE_CALL || weights->is_read[call->index])
        return ETI_OK;
    const eti_pte_delegate *delegate = &plan->delegates[call->index];
    weights->is_read[call->index] = true;
    if (!(eti__is_xnnpack(delegate->id) || eti__is_vulkan(delegate->id) ||
          eti__backend_of_id(delegate->id) == ETI_BACKEND_NATIVE) ||
        delegate->payload.size > weights->n_left)
        return ETI_OK;
    weights->n_left -= delegate->payload.size;
    ETI_TRY(eti__payloads_find_vulkan(payloads, delegate->id, delegate->payload, &graph, err));
    if (graph)
        return add_vulkan(weights, places, graph, (uint32_t)call->index, instruction)
                   ? ETI_OK
                   : eti_fail_memory(err);
    ETI_TRY(eti__payloads_find_native(payloads, delegate->id, delegate->payload, &native, err));
    if (native)
        return add_native(weights, places, native, (uint32_t)call->index) ? ETI_OK
                                                                          : eti_fail_memory(err);
    ETI_TRY(eti__payloads_find(payloads, delegate->id, delegate->payload, &payload, err));
    if (!payload)
        return ETI_OK;
    if (!fits_call(places, payload, instruction, &fits) ||
        (fits && !eti__handle_nodes_fit(&weights->nodes, NULL, payload, &fits)) ||
        (fits && !add_payload(weights, places, payload, (uint32_t)call->index)))
        return eti_fail_memory(err);
    return ETI_OK;
}
