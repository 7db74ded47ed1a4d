#include "rollup/program_graph.h"

#include "program/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limit on the number of edges: an argument takes four bytes of the program, but a list may be an argument many
 * times. */
#define MOST_EDGES(n_bytes) (10000 + (uint64_t)(n_bytes) / 2)

/* State of a value during a visit of all instructions. */
typedef struct value_source {
    /* node that wrote it last, or that stands for it; ETI_NO_NODE if there is none */
    uint32_t node;
    uint32_t alias_of; /* value with the same bytes; ETI_NO_NODE if there is none */
    bool is_input;     /* it is an input of the method */
} value_source;

typedef struct maker {
    eti_timed_graph *out;
    const eti_pte_plan *plan;
    eti_liveness liveness;
    eti_arena scratch;
    value_source *values;
    uint64_t n_edges, most_edges;
    eti_buffer text;
} maker;

/* ---- the method ------------------------------------------------------------------------------ */

eti_status eti__program_method(const eti_pte_plan **out, const eti_inspector *inspector,
                               const char *name, eti_error *err) {
    const eti_pte *pte = &inspector->programs[0];
    *out = eti__pte_find_plan(pte, eti__text_of(name ? name : "forward"));
    if (*out)
        return ETI_OK;
    if (pte->n_plans == 0)
        return eti_fail(err, ETI_ERROR_DATA, "%s: has no method", pte->file->name);
    *out = &pte->plans[0];
    return name ? eti_fail(err, ETI_ERROR_USAGE, "%s: has no method %s; its first is %.*s",
                           pte->file->name, name, ETI_TEXT_ARGS(pte->plans[0].name))
                : ETI_OK;
}

/* ---- sources of values ----------------------------------------------------------------------- */

static void start_values(maker *m) {
    for (uint32_t v = 0; v < m->plan->n_values; v++)
        m->values[v] = (value_source){ETI_NO_NODE, ETI_NO_NODE, false};
    for (uint32_t i = 0; i < m->plan->inputs.n; i++)
        m->values[m->plan->inputs.items[i]].is_input = true;
    for (uint32_t i = 0; i < m->liveness.n_tensors; i++) {
        const eti_planned *planned = &m->liveness.tensors[i];
        if (planned->alias_of != ETI_NO_PLANNED)
            m->values[planned->value].alias_of = m->liveness.tensors[planned->alias_of].value;
    }
}

/* Returns the source of a value: the value itself or, if it is not yet written, the value with whose bytes it shares
 * memory. */
static value_source *source_of(const maker *m, int32_t value) {
    value_source *of = &m->values[value];
    bool is_alias = of->node == ETI_NO_NODE && of->alias_of != ETI_NO_NODE;
    return is_alias ? &m->values[of->alias_of] : of;
}

/* Returns whether a value that no instruction writes is a node; numbers and strings in the program are not. */
static bool is_node(const maker *m, const value_source *of) {
    uint32_t value = (uint32_t)(of - m->values);
    return of->is_input || eti__pte_tensor_at(m->plan, (int32_t)value);
}

typedef bool visit_value(maker *m, int32_t value, void *context);

/* Visits values; a list is replaced by its items. Returns false if there are too many or memory runs out. */
static bool visit_values(maker *m, eti_pte_indices values, visit_value *visit, void *context) {
    for (uint32_t i = 0; i < values.n; i++) {
        if (values.items[i] < 0)
            continue;
        eti_pte_indices items = eti__value_items(m->plan, &values.items[i]);
        m->n_edges += items.n;
        if (m->n_edges > m->most_edges)
            return false;
        for (uint32_t k = 0; k < items.n; k++) {
            if (items.items[k] >= 0 && !visit(m, items.items[k], context))
                return false;
        }
    }
    return true;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

#define IS_NEEDED (ETI_NO_NODE - 1) /* marks an input whose node has no number yet */
#define IS_WRITTEN (ETI_NO_NODE - 2)

static bool need(maker *m, int32_t value, void *context) {
    value_source *of = source_of(m, value);
    (void)context;
    if (of->node == ETI_NO_NODE && is_node(m, of))
        of->node = IS_NEEDED;
    return true;
}

/* Marks a value as written; a value that is read before it is written stays an input. */
static bool write(maker *m, int32_t value, void *context) {
    (void)context;
    if (m->values[value].node == ETI_NO_NODE)
        m->values[value].node = IS_WRITTEN;
    return true;
}

/* Finds the values that instructions read before any instruction writes them. */
static bool find_inputs(maker *m) {
    for (uint32_t k = 0; k < m->liveness.calls.n; k++) {
        eti_call_flow flow = eti__call_flow(&m->liveness, k);
        if (!visit_values(m, flow.reads, need, NULL) || !visit_values(m, flow.writes, write, NULL))
            return false;
    }
    m->n_edges = 0;
    return true;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool take_text(maker *m, eti_text *out) {
    bool done =
        !m->text.failed && eti__arena_copy_text(&m->out->arena, eti__buffer_text(&m->text), out);
    m->text.size = 0;
    return done;
}

static eti_timed_node *add_node(maker *m) {
    eti_timed_node *node = &m->out->nodes[m->out->n_nodes++];
    *node = (eti_timed_node){.call = ETI_NO_NODE,
                             .total = (double)NAN,
                             .p50 = (double)NAN,
                             .share = (double)NAN,
                             .shared = (double)NAN};
    return node;
}

static bool set_tensor(maker *m, eti_timed_node *node, const eti_pte_tensor *tensor) {
    if (!tensor)
        return true;
    node->dtype = eti__needed_dtype_name(tensor->scalar_type);
    eti__tensor_add_shape(&m->text, tensor);
    return take_text(m, &node->shape);
}

static bool add_input(maker *m, uint32_t value) {
    const eti_pte_tensor *tensor = eti__pte_tensor_at(m->plan, (int32_t)value);
    value_source *of = &m->values[value];
    of->node = (uint32_t)m->out->n_nodes;
    eti_timed_node *node = add_node(m);
    node->is_input = true;
    node->is_weight = !of->is_input;
    node->op = eti__text_of("(input)");
    if (tensor && tensor->name.size > 0)
        eti__buffer_add_text(&m->text, tensor->name);
    else
        eti__buffer_printf(&m->text, of->is_input ? "input_%u" : "value_%u", value);
    return take_text(m, &node->name) && set_tensor(m, node, tensor);
}

static bool add_inputs(maker *m) {
    for (uint32_t v = 0; v < m->plan->n_values; v++) {
        bool is_needed = m->values[v].node == IS_NEEDED;
        m->values[v].node = ETI_NO_NODE;
        if (is_needed && !add_input(m, v))
            return false;
    }
    return true;
}

/* Inputs of the current node; the arrays are reused. */
typedef struct edge_list {
    eti_text *names;
    uint32_t *nodes;
    size_t n, n_names, n_nodes; /* capacities */
} edge_list;

static bool add_edge(maker *m, int32_t value, void *context) {
    edge_list *edges = context;
    uint32_t node = source_of(m, value)->node;
    if (node == ETI_NO_NODE)
        return true;
    if (!ETI_GROW(edges->names, edges->n_names, edges->n + 1) ||
        !ETI_GROW(edges->nodes, edges->n_nodes, edges->n + 1))
        return false;
    edges->names[edges->n] = m->out->nodes[node].name;
    edges->nodes[edges->n++] = node;
    return true;
}

static bool set_edges(maker *m, eti_timed_node *node, const edge_list *edges) {
    eti_text *names = eti__arena_alloc(&m->out->arena, edges->n, sizeof *names);
    uint32_t *nodes = eti__arena_alloc(&m->out->arena, edges->n, sizeof *nodes);
    if (!names || !nodes)
        return false;
    if (edges->n > 0) {
        memcpy(names, edges->names, edges->n * sizeof *names);
        memcpy(nodes, edges->nodes, edges->n * sizeof *nodes);
    }
    node->inputs = names;
    node->input_nodes = nodes;
    node->n_inputs = edges->n;
    return true;
}

/* The node that writes values, and the first tensor among them. */
typedef struct written_values {
    uint32_t node;
    const eti_pte_tensor *first;
} written_values;

static bool set_writer(maker *m, int32_t value, void *context) {
    written_values *written = context;
    m->values[value].node = written->node;
    if (!written->first)
        written->first = eti__pte_tensor_at(m->plan, value);
    return true;
}

static bool add_instruction(maker *m, uint32_t number, edge_list *edges) {
    const eti_pte_instruction *instruction = m->liveness.calls.items[number];
    eti_call_flow flow = eti__call_flow(&m->liveness, number);
    written_values written = {.node = (uint32_t)m->out->n_nodes};
    edges->n = 0;
    if (!visit_values(m, flow.reads, add_edge, edges) ||
        !visit_values(m, flow.writes, set_writer, &written))
        return false;
    eti_timed_node *node = add_node(m);
    if (instruction->kind == ETI_PTE_DELEGATE_CALL)
        node->backend = m->plan->delegates[instruction->index].id;
    eti__buffer_add_u64(&m->text, number);
    if (!take_text(m, &node->name))
        return false;
    eti__instruction_add_name(&m->text, m->plan, instruction);
    return take_text(m, &node->op) && set_tensor(m, node, written.first) &&
           set_edges(m, node, edges);
}

static bool make_nodes(maker *m, size_t *n_inputs) {
    edge_list edges = {.n = 0};
    size_t n = (size_t)m->plan->n_values + m->liveness.calls.n;
    m->out->nodes = eti__arena_alloc(&m->out->arena, n, sizeof *m->out->nodes);
    bool done = m->out->nodes && add_inputs(m);
    *n_inputs = m->out->n_nodes;
    for (uint32_t k = 0; k < m->liveness.calls.n && done; k++)
        done = add_instruction(m, k, &edges);
    free(edges.names);
    free(edges.nodes);
    return done;
}

/* ---- all ------------------------------------------------------------------------------------- */

static eti_status make(maker *m, size_t *n_inputs, eti_error *err) {
    ETI_TRY(eti__liveness_make(&m->liveness, &m->scratch, m->plan, NULL, err));
    m->values = eti__arena_alloc(&m->scratch, m->plan->n_values, sizeof *m->values);
    eti_timed_module *none = eti__arena_alloc_zero(&m->out->arena, 1, sizeof *none);
    if (!m->values || !none)
        return eti_fail_memory(err);
    m->out->modules = none;
    m->out->n_modules = 1;
    m->out->name = m->plan->name;
    start_values(m);
    bool done = find_inputs(m) && make_nodes(m, n_inputs);
    if (m->n_edges > m->most_edges)
        return eti_fail(err, ETI_ERROR_LIMIT,
                        "method %.*s: instructions use lists so often that the graph would have "
                        "more than %llu edges",
                        ETI_TEXT_ARGS(m->plan->name), (unsigned long long)m->most_edges);
    return done ? ETI_OK : eti_fail_memory(err);
}

eti_status eti__program_graph_make(eti_timed_graph *out, size_t *n_inputs,
                                   const eti_inspector *inspector, eti_error *err) {
    maker m = {.out = out, .most_edges = MOST_EDGES(inspector->programs[0].size)};
    *out = (eti_timed_graph){.nodes = NULL};
    *n_inputs = 0;
    ETI_TRY(eti__program_method(&m.plan, inspector, inspector->options.method, err));
    eti_status status = make(&m, n_inputs, err);
    eti__arena_free(&m.scratch);
    eti__buffer_free(&m.text);
    return status;
}
