/*
 * Names are given in the order in which executorch's GraphModuleDeserializer makes nodes, because
 * each may push a later one aside: first all placeholders, then for every node of the file the
 * graphs and the lowered module among its inputs, the node, and one getitem per result when there
 * are several. The names of placeholders and getitems are shown nowhere, they only take places.
 */
#include "read/graph.h"

#include "base/array.h"
#include "read/fx_names.h"
#include "read/lowered_module.h"
#include "read/node_metadata.h"
#include "read/op_target.h"
#include "read/program.h"

#include <stdlib.h>
#include <string.h>

/* The modules of a stack, parsed once for all nodes that have it. */
typedef struct module_stack {
    bool parsed;
    const eti_module *modules;
    size_t n_modules;
} module_stack;

typedef struct builder {
    eti_arena *arena;
    eti_arena *scratch;
    eti_program program;
    module_stack *module_stacks; /* by number in program.module_stacks */
    size_t modules_left;         /* of ETI_MOST_MODULES */
    eti_op_target *targets;      /* by number in program.targets */
    eti_fx_names names;
} builder;

/* ---- names ----------------------------------------------------------------------------------- */

/* A constant has no name of its own; the signature has one for it at the same position. */
static bool name_placeholders(builder *b) {
    const eti_argument *spec = b->program.input_specs;
    for (const eti_argument *input = b->program.inputs; input; input = input->next) {
        bool named = input->kind == ETI_ARGUMENT_TENSOR || input->kind == ETI_ARGUMENT_SYMBOL ||
                     input->kind == ETI_ARGUMENT_OBJECT;
        eti_text target = named || !spec ? input->name : spec->name;
        if (!eti__fx_names_create_from_str(&b->names, target, NULL))
            return false;
        spec = spec ? spec->next : NULL;
    }
    return true;
}

/* The text with a number; "" for none. */
static eti_text text_of(const eti_text_table *table, uint32_t number) {
    return number == ETI_NO_TEXT ? eti__text_of("") : table->texts[number];
}

static bool name_attributes(builder *b, const eti_program_node *node, eti_op_kind kind) {
    eti_text module = text_of(&b->program.input_names, node->first_input_name);
    if (kind == ETI_OP_DELEGATE && !eti__fx_names_create_from_str(&b->names, module, NULL))
        return false;
    for (const eti_argument *graph = node->graphs; graph; graph = graph->next) {
        if (!eti__fx_names_create(&b->names, graph->name, NULL))
            return false;
    }
    return true;
}

/* The name that torch is asked for; absent when it is to be made from the operator's. */
static eti_text wanted_name(const eti_program_node *node, eti_op_kind kind) {
    const eti_argument *outputs = node->outputs;
    bool one_tensor = outputs && !outputs->next && outputs->kind == ETI_ARGUMENT_TENSOR;
    if (kind == ETI_OP_ALLOC)
        return (eti_text){"alloc_", sizeof "alloc" - 1};
    if (kind == ETI_OP_UNKNOWN)
        return (eti_text){NULL, 0};
    if (kind == ETI_OP_TORCH && node->name.data)
        return node->name;
    return one_tensor ? outputs->name : (eti_text){NULL, 0};
}

static bool copy_with_underscore(builder *b, eti_text name, eti_text *out) {
    char *copy = eti__arena_alloc(b->arena, name.size + 1, 1);
    if (!copy)
        return false;
    memcpy(copy, name.data, name.size);
    copy[name.size] = '_';
    *out = (eti_text){copy, name.size + 1};
    return true;
}

/* A name of the program has the Inspector's final "_" behind it, and so has one that was made. */
static bool name_node(builder *b, const eti_program_node *node, eti_op_target op, eti_text *out) {
    eti_text wanted = wanted_name(node, op.kind);
    eti_text name;
    if (wanted.data ? !eti__fx_names_create(&b->names, wanted, &name)
                    : !eti__fx_names_create_from_callable(&b->names, op.op_type, &name))
        return false;
    *out = (eti_text){name.data, name.size + 1};
    return name.data != op.op_type.data || copy_with_underscore(b, name, out);
}

static bool name_result(builder *b, const eti_argument *result) {
    bool named = result->kind == ETI_ARGUMENT_TENSOR || result->kind == ETI_ARGUMENT_SYMBOL;
    return eti__fx_names_create(&b->names, named ? result->name : eti__text_of("getitem"), NULL);
}

static bool name_results(builder *b, const eti_argument *results) {
    for (const eti_argument *result = results; result; result = result->next) {
        if (!name_result(b, result))
            return false;
        for (const eti_argument *item = result->items; item; item = item->next) {
            if (!name_result(b, item))
                return false;
        }
    }
    return true;
}

/* One result is the node itself; of one list the elements are got, not the list. */
static bool name_getitems(builder *b, const eti_argument *outputs) {
    if (!outputs)
        return true;
    return name_results(b, outputs->next ? outputs : outputs->items);
}

/* ---- metadata -------------------------------------------------------------------------------- */

static eti_status add_modules(builder *b, uint32_t number, eti_op_node *out, eti_error *err) {
    module_stack *stack = &b->module_stacks[number];
    if (!stack->parsed)
        ETI_TRY(eti__module_stack_parse(b->program.module_stacks.texts[number], &b->modules_left,
                                        b->arena, &stack->modules, &stack->n_modules, err));
    stack->parsed = true;
    out->has_modules = true;
    out->modules = stack->modules;
    out->n_modules = stack->n_modules;
    return ETI_OK;
}

/* Empty texts count as absent ones. Operators of torch itself get an empty module stack instead of
 * none. */
static eti_status add_metadata(builder *b, const eti_program_node *node, eti_op_kind kind,
                               eti_graph_node *out, eti_error *err) {
    if (kind == ETI_OP_UNKNOWN)
        return ETI_OK;
    eti_text stack_trace = text_of(&b->program.stack_traces, node->stack_trace);
    if (stack_trace.size > 0)
        out->node.stack_trace = stack_trace;
    if (node->origin != ETI_NO_TEXT)
        out->node.origin = b->program.origins.texts[node->origin];
    out->node.has_modules = kind == ETI_OP_TORCH;
    if (text_of(&b->program.module_stacks, node->module_stack).size > 0)
        ETI_TRY(add_modules(b, node->module_stack, &out->node, err));
    return eti__debug_handle_parse(node->debug_handle, &out->has_debug_handle, &out->debug_handle,
                                   err);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static eti_status build_node(builder *b, const eti_program_node *node, eti_op_target op,
                             eti_graph_node *out, eti_error *err) {
    *out =
        (eti_graph_node){.op_type = op.op_type, .target = b->program.targets.texts[node->target]};
    if (!name_attributes(b, node, op.kind) || !name_node(b, node, op, &out->node.name) ||
        !name_getitems(b, node->outputs))
        return eti_fail_memory(err);
    eti_status status = add_metadata(b, node, op.kind, out, err);
    if (status != ETI_OK && status != ETI_ERROR_MEMORY) {
        eti_text name = {out->node.name.data, out->node.name.size - 1};
        eti__error_prefix(err, "node %.*s", ETI_TEXT_ARGS(name));
    }
    return status;
}

/* What is known of every distinct target, and room for every distinct module stack. */
static bool build_tables(builder *b) {
    const eti_text_table *targets = &b->program.targets;
    b->targets = eti__arena_alloc(b->scratch, targets->count, sizeof *b->targets);
    b->module_stacks =
        eti__arena_alloc_zero(b->scratch, b->program.module_stacks.count, sizeof *b->module_stacks);
    if (!b->targets || !b->module_stacks)
        return false;
    for (size_t i = 0; i < targets->count; i++)
        b->targets[i] = eti__op_target_of(targets->texts[i]);
    return true;
}

/* `nodes` has room for those of the program. */
static eti_status build_nodes(builder *b, eti_graph_node *nodes, size_t *n_out, eti_error *err) {
    if (!build_tables(b) || !name_placeholders(b))
        return eti_fail_memory(err);

    size_t n = 0;
    for (const eti_program_node *node = b->program.nodes; node; node = node->next) {
        eti_op_target op = b->targets[node->target];
        ETI_TRY(build_node(b, node, op, &nodes[n], err));
        n += op.kind != ETI_OP_ALLOC;
    }
    *n_out = n;
    return ETI_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* torch.export's numbers. */
static const char *const dtypes[] = {
    NULL,      "uint8",    "int8",    "int16",         "int32",       "int64",
    "float16", "float32",  "float64", "complex32",     "complex64",   "complex128",
    "bool",    "bfloat16", "uint16",  "float8_e4m3fn", "float8_e5m2",
};

typedef struct value_builder {
    const builder *b;
    eti_arena *arena;                      /* of ports */
    ETI_INTERN_OF(eti_graph_value) values; /* in the arena once complete */
    uint32_t *ports;                       /* of the node that is looked at */
    size_t n_ports, port_capacity;
} value_builder;

static const eti_intern_kind value_kind = ETI_INTERN_BY_TEXT(eti_graph_value);

static bool add_value(value_builder *v, eti_text name, uint32_t *number) {
    const eti_graph_value value = {.name = name, .producer = ETI_NO_NODE};
    return eti__intern_add(&v->values.table, &value_kind, &value, number);
}

static bool add_port(value_builder *v, const eti_argument *argument, uint32_t producer) {
    uint32_t number;
    if (argument->name.size == 0)
        return true;
    if (!add_value(v, argument->name, &number) ||
        !ETI_GROW(v->ports, v->port_capacity, v->n_ports + 1))
        return false;
    if (producer != ETI_NO_NODE)
        v->values.items[number].producer = producer;
    v->ports[v->n_ports++] = number;
    return true;
}

/* The numbers of all arguments, copied into the arena. */
static bool add_ports(value_builder *v, const eti_argument *arguments, uint32_t producer,
                      const uint32_t **out, uint32_t *n) {
    v->n_ports = 0;
    for (const eti_argument *argument = arguments; argument; argument = argument->next) {
        if (!add_port(v, argument, producer))
            return false;
        for (const eti_argument *item = argument->items; item; item = item->next) {
            if (!add_port(v, item, producer))
                return false;
        }
    }
    uint32_t *copy = eti__arena_alloc(v->arena, v->n_ports, sizeof *copy);
    if (!copy)
        return false;
    if (v->n_ports > 0)
        memcpy(copy, v->ports, v->n_ports * sizeof *copy);
    *out = copy;
    *n = (uint32_t)v->n_ports;
    return true;
}

/* The signature has the inputs of the graph in the same order. */
static void mark_weights(value_builder *v) {
    const eti_argument *spec = v->b->program.input_specs;
    for (const eti_argument *input = v->b->program.inputs; input && spec; input = input->next) {
        uint32_t number;
        if (spec->is_weight &&
            eti__intern_find(&v->values.table, &value_kind, &input->name, &number))
            v->values.items[number].is_weight = true;
        spec = spec->next;
    }
}

static bool add_all_ports(value_builder *v, eti_graph_values *out, size_t n_nodes) {
    const uint32_t *ignored;
    uint32_t n_inputs, number = 0;
    eti_graph_ports *ports = eti__arena_alloc(v->arena, n_nodes, sizeof *ports);
    if (!ports || !add_ports(v, v->b->program.inputs, ETI_NO_NODE, &ignored, &n_inputs))
        return false;
    mark_weights(v);
    out->n_graph_inputs = v->values.count;
    for (const eti_program_node *node = v->b->program.nodes; node; node = node->next) {
        if (v->b->targets[node->target].kind == ETI_OP_ALLOC)
            continue;
        eti_graph_ports *p = &ports[number];
        if (!add_ports(v, node->inputs, ETI_NO_NODE, &p->inputs, &p->n_inputs) ||
            !add_ports(v, node->outputs, number, &p->outputs, &p->n_outputs))
            return false;
        number++;
    }
    out->ports = ports;
    return true;
}

static void describe_tensors(value_builder *v) {
    const eti_program *program = &v->b->program;
    for (const eti_program_tensor *t = program->tensors; t; t = t->next) {
        uint32_t number;
        if (!eti__intern_find(&v->values.table, &value_kind, &t->name, &number))
            continue;
        bool is_known = t->dtype > 0 && (size_t)t->dtype < sizeof dtypes / sizeof *dtypes;
        v->values.items[number].dtype = is_known ? dtypes[t->dtype] : "unknown";
        if (t->shape != ETI_NO_TEXT)
            v->values.items[number].shape = program->shapes.texts[t->shape];
    }
}

static bool keep_values(value_builder *v, eti_graph_values *out) {
    size_t n = v->values.count;
    eti_graph_value *values = eti__arena_alloc(v->b->arena, n, sizeof *values);
    if (!values)
        return false;
    if (n > 0)
        memcpy(values, v->values.items, n * sizeof *values);
    out->values = values;
    out->n_values = n;
    return true;
}

static eti_status build_values(const builder *b, const eti_graph *graph, eti_graph_values *out,
                               eti_error *err) {
    value_builder v = {.b = b, .arena = b->arena};
    bool done = add_all_ports(&v, out, graph->n_nodes);
    if (done) {
        describe_tensors(&v);
        done = keep_values(&v, out);
    }
    eti__intern_free(&v.values.table);
    free(v.ports);
    return done ? ETI_OK : eti_fail_memory(err);
}

/* ---- nodes that a quantizer inserted --------------------------------------------------------- */

static const eti_op_node *operator_of(const eti_graph_node *nodes, size_t i) {
    const eti_op_node *node = &nodes[i].node;
    return eti__node_has_own_modules(node) ? node : node->served;
}

/* From the last node to the first: the first user of a node is the last that it takes. */
static void serve_users(eti_graph_node *nodes, size_t n, const value_builder *v,
                        const eti_graph_ports *ports) {
    for (size_t i = n; i-- > 0;) {
        const eti_op_node *served = operator_of(nodes, i);
        for (uint32_t k = 0; k < ports[i].n_inputs && served; k++) {
            uint32_t producer = v->values.items[ports[i].inputs[k]].producer;
            if (producer < i && !eti__node_has_own_modules(&nodes[producer].node))
                nodes[producer].node.served = served;
        }
    }
}

/* Nodes without a user serve what they take. */
static void serve_producers(eti_graph_node *nodes, size_t n, const value_builder *v,
                            const eti_graph_ports *ports) {
    for (size_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < ports[i].n_inputs && !operator_of(nodes, i); k++) {
            uint32_t producer = v->values.items[ports[i].inputs[k]].producer;
            if (producer < i)
                nodes[i].node.served = operator_of(nodes, producer);
        }
    }
}

/* Finds the operators that nodes without modules of their own serve. False: out of memory. */
static bool find_served(const builder *b, eti_graph_node *nodes, size_t n) {
    value_builder v = {.b = b, .arena = b->scratch};
    eti_graph_values values;
    bool done = add_all_ports(&v, &values, n);
    if (done) {
        serve_users(nodes, n, &v, values.ports);
        serve_producers(nodes, n, &v, values.ports);
    }
    eti__intern_free(&v.values.table);
    free(v.ports);
    return done;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Adds the nodes of a lowered module. One that cannot be built has none. */
static eti_status build_module(builder *outer, const eti_lowered_program *of, eti_graph_node *nodes,
                               eti_lowered_module *out, eti_error *err) {
    builder b = {.arena = outer->arena,
                 .scratch = outer->scratch,
                 .program = of->program,
                 .modules_left = outer->modules_left};
    *out = (eti_lowered_module){.backend = of->backend, .payload = of->payload};
    eti__fx_names_init(&b.names, outer->arena);
    eti_status status = build_nodes(&b, nodes, &out->n_nodes, err);
    outer->modules_left = b.modules_left;
    if (status == ETI_OK && of->program.is_quantized && !find_served(&b, nodes, out->n_nodes))
        status = eti_fail_memory(err);
    eti__fx_names_free(&b.names);
    if (status != ETI_OK)
        out->n_nodes = 0;
    return status == ETI_ERROR_MEMORY ? status : ETI_OK;
}

static eti_status build_modules(builder *b, const eti_lowered_programs *lowered,
                                eti_graph_node *nodes, eti_graph *out, eti_error *err) {
    eti_lowered_module *modules = eti__arena_alloc(b->arena, lowered->n, sizeof *modules);
    if (!modules)
        return eti_fail_memory(err);
    out->modules = modules;
    for (const eti_lowered_program *of = lowered->first; of; of = of->next) {
        eti_lowered_module *module = &modules[out->n_modules++];
        ETI_TRY(build_module(b, of, nodes + out->n_lowered, module, err));
        out->n_lowered += module->n_nodes;
    }
    return ETI_OK;
}

static size_t count_nodes(const builder *b, const eti_lowered_programs *lowered) {
    size_t n = b->program.n_nodes;
    for (const eti_lowered_program *of = lowered->first; of; of = of->next)
        n += of->program.n_nodes;
    return n;
}

/* `values` NULL: not asked for. */
static eti_status build_graph(builder *b, const eti_lowered_programs *lowered, eti_graph *out,
                              eti_graph_values *values, eti_error *err) {
    size_t n = 0;
    eti_graph_node *nodes = eti__arena_alloc(b->arena, count_nodes(b, lowered), sizeof *nodes);
    if (!nodes)
        return eti_fail_memory(err);
    ETI_TRY(build_nodes(b, nodes, &n, err));
    *out = (eti_graph){.nodes = nodes, .n_nodes = n};
    if (b->program.is_quantized && !find_served(b, nodes, n))
        return eti_fail_memory(err);
    if (lowered->n > 0)
        ETI_TRY(build_modules(b, lowered, nodes + n, out, err));
    return values ? build_values(b, out, values, err) : ETI_OK;
}

static void read_lowered_module(void *context, eti_json *json) {
    eti__lowered_module_read(context, json);
}

static eti_status read_graph(eti_graph *out, eti_graph_values *values, bool lowers,
                             eti_arena *arena, eti_json *json, eti_error *err) {
    *out = (eti_graph){0};
    eti_arena scratch = {0};
    builder b = {.arena = arena, .scratch = &scratch, .modules_left = ETI_MOST_MODULES};
    eti_lowered_programs lowered = {.arena = arena, .scratch = &scratch};
    eti_program_lowering lowering = {lowers ? read_lowered_module : NULL, &lowered, 0};
    eti__fx_names_init(&b.names, arena);
    eti__program_read(&b.program, values ? ETI_PROGRAM_VALUES : ETI_PROGRAM_NODES, &lowering, json,
                      arena, &scratch);
    eti_status status = eti__json_close(json, err);
    if (status == ETI_OK)
        status = build_graph(&b, &lowered, out, values, err);
    eti__lowered_programs_free(&lowered);
    eti__program_free(&b.program);
    eti__fx_names_free(&b.names);
    eti__arena_free(&scratch);
    return status;
}

eti_status eti__graph_read(eti_graph *out, eti_arena *arena, eti_json *json, eti_error *err) {
    return read_graph(out, NULL, false, arena, json, err);
}

eti_status eti__graph_read_values(eti_graph *out, eti_graph_values *values, eti_arena *arena,
                                  eti_json *json, eti_error *err) {
    *values = (eti_graph_values){0};
    return read_graph(out, values, false, arena, json, err);
}

eti_status eti__graph_read_lowered(eti_graph *out, eti_arena *arena, eti_json *json,
                                   eti_error *err) {
    return read_graph(out, NULL, true, arena, json, err);
}

/* ---- lowered modules ------------------------------------------------------------------------- */

eti_graph eti__graph_whole(const eti_graph *graph) {
    eti_graph whole = *graph;
    whole.n_nodes += whole.n_lowered;
    whole.is_whole = whole.n_lowered > 0;
    return whole;
}

bool eti__graph_has_handle(const eti_graph *graph, size_t node) {
    const eti_graph_node *of = &graph->nodes[node];
    return of->has_debug_handle &&
           !(graph->is_whole && eti__text_is(of->target, ETI_DELEGATE_TARGET));
}
