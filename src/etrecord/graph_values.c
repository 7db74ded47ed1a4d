#include "etrecord/graph_values.h"

#include <stdlib.h>
#include <string.h>

/* Names by torch.export's numbers. */
static const char *const dtypes[] = {
    NULL,      "uint8",    "int8",    "int16",         "int32",       "int64",
    "float16", "float32",  "float64", "complex32",     "complex64",   "complex128",
    "bool",    "bfloat16", "uint16",  "float8_e4m3fn", "float8_e5m2",
};

/* A name of a value in a program. */
typedef struct named_value {
    eti_text name;
    uint32_t value;
} named_value;

static const eti_intern_kind named_kind = ETI_INTERN_BY_TEXT(named_value);

typedef ETI_INTERN_OF(named_value) value_names;

typedef struct maker {
    eti_arena *arena;
    eti_graph_value *values;
    size_t n_values, value_capacity;
    value_names *names;    /* of the current program */
    eti_graph_ports *made; /* per node */
    uint32_t *ports;       /* of the node being processed */
    size_t n_ports, port_capacity;
} maker;

/* ---- values ---------------------------------------------------------------------------------- */

/* Finds the value with a name, or adds one. */
static bool add_value(maker *m, eti_text name, uint32_t *number) {
    const named_value added = {name, (uint32_t)m->n_values};
    size_t n_known = m->names->count;
    uint32_t named;
    if (!eti__intern_add(&m->names->table, &named_kind, &added, &named))
        return false;
    *number = m->names->items[named].value;
    if (m->names->count == n_known)
        return true;
    if (!ETI_GROW(m->values, m->value_capacity, m->n_values + 1))
        return false;
    m->values[m->n_values++] = (eti_graph_value){.name = name, .producer = ETI_NO_NODE};
    return true;
}

static bool find_value(const maker *m, eti_text name, uint32_t *number) {
    uint32_t named;
    if (!eti__intern_find(&m->names->table, &named_kind, &name, &named))
        return false;
    *number = m->names->items[named].value;
    return m->values != NULL;
}

static bool add_port(maker *m, const eti_argument *argument, uint32_t producer) {
    uint32_t number;
    if (argument->name.size == 0)
        return true;
    if (!add_value(m, argument->name, &number) ||
        !ETI_GROW(m->ports, m->port_capacity, m->n_ports + 1))
        return false;
    if (producer != ETI_NO_NODE)
        m->values[number].producer = producer;
    m->ports[m->n_ports++] = number;
    return true;
}

/* Lists the values of all arguments in m->ports. */
static bool list_ports(maker *m, const eti_argument *arguments, uint32_t producer) {
    m->n_ports = 0;
    for (const eti_argument *argument = arguments; argument; argument = argument->next) {
        if (!add_port(m, argument, producer))
            return false;
        for (const eti_argument *item = argument->items; item; item = item->next) {
            if (!add_port(m, item, producer))
                return false;
        }
    }
    return true;
}

/* Lists the values of all arguments, in the arena. */
static bool add_ports(maker *m, const eti_argument *arguments, uint32_t producer,
                      const uint32_t **out, uint32_t *n) {
    if (!list_ports(m, arguments, producer))
        return false;
    uint32_t *copy = eti__arena_alloc(m->arena, m->n_ports, sizeof *copy);
    if (!copy)
        return false;
    if (m->n_ports > 0)
        memcpy(copy, m->ports, m->n_ports * sizeof *copy);
    *out = copy;
    *n = (uint32_t)m->n_ports;
    return true;
}

/* Adds the inputs of the graph, which are in the same order in the signature. */
static bool add_inputs(maker *m, const eti_program *program) {
    const eti_argument *spec = program->input_specs;
    if (!list_ports(m, program->inputs, ETI_NO_NODE))
        return false;
    for (const eti_argument *input = program->inputs; input && spec; input = input->next) {
        uint32_t number;
        if (spec->is_weight && find_value(m, input->name, &number))
            m->values[number].is_weight = true;
        spec = spec->next;
    }
    return true;
}

/* Adds the values of all nodes; `first` is the index of the program's first node. */
static bool add_nodes(maker *m, const eti_program *program, uint32_t first) {
    for (const eti_program_node *node = program->nodes; node; node = node->next) {
        if (node->number == ETI_NO_NODE)
            continue;
        uint32_t number = first + node->number;
        eti_graph_ports *p = &m->made[number];
        if (!add_ports(m, node->inputs, ETI_NO_NODE, &p->inputs, &p->n_inputs) ||
            !add_ports(m, node->outputs, number, &p->outputs, &p->n_outputs))
            return false;
    }
    return true;
}

static void describe_tensors(maker *m, const eti_program *program) {
    for (const eti_program_tensor *t = program->tensors; t; t = t->next) {
        uint32_t number;
        if (!find_value(m, t->name, &number) || m->values[number].dtype)
            continue;
        bool is_known = t->dtype > 0 && (size_t)t->dtype < sizeof dtypes / sizeof *dtypes;
        m->values[number].dtype = is_known ? dtypes[t->dtype] : "unknown";
        if (t->shape != ETI_NO_TEXT)
            m->values[number].shape = program->shapes.texts[t->shape];
    }
}

static void mark_outputs(maker *m, const eti_program *program) {
    for (const eti_argument *output = program->outputs; output; output = output->next) {
        uint32_t number;
        if (find_value(m, output->name, &number))
            m->values[number].is_output = true;
    }
}

static bool keep_values(maker *m, eti_graph_values *out) {
    eti_graph_value *values = eti__arena_alloc(m->arena, m->n_values, sizeof *values);
    if (!values)
        return false;
    if (m->n_values > 0)
        memcpy(values, m->values, m->n_values * sizeof *values);
    out->values = values;
    out->n_values = m->n_values;
    out->ports = m->made;
    return true;
}

/* ---- lowered modules ------------------------------------------------------------------------- */

/* Adds a module's weights, which have the same names in all modules: those in the exported program. */
static bool add_weights(maker *m, const eti_program *module) {
    const eti_argument *spec = module->input_specs;
    for (const eti_argument *input = module->inputs; input && spec; input = input->next) {
        size_t n_known = m->n_values;
        uint32_t number;
        if (spec->is_weight && input->name.size > 0 && !add_value(m, input->name, &number))
            return false;
        if (m->n_values > n_known)
            m->values[number].is_weight = true;
        spec = spec->next;
    }
    return true;
}

static bool name_value(value_names *names, eti_text name, uint32_t value) {
    uint32_t ignored;
    return eti__intern_add(&names->table, &named_kind, &(named_value){name, value}, &ignored);
}

static uint32_t count_given(const eti_program *module) {
    const eti_argument *spec = module->input_specs;
    uint32_t n = 0;
    for (const eti_argument *input = module->inputs; input; input = input->next) {
        n += input->name.size > 0 && !(spec && spec->is_weight);
        spec = spec ? spec->next : NULL;
    }
    return n;
}

/* Names the inputs of a module: weights, which have the same names outside it, and the inputs of its call, in order. */
static bool name_inputs(const maker *m, value_names *names, const eti_program *module,
                        const eti_graph_ports *call) {
    const eti_argument *spec = module->input_specs;
    bool is_given_all = count_given(module) == call->n_inputs;
    uint32_t next = 0;
    for (const eti_argument *input = module->inputs; input; input = input->next) {
        bool is_weight = spec && spec->is_weight;
        spec = spec ? spec->next : NULL;
        uint32_t value = 0;
        if (input->name.size == 0 || !(is_weight || is_given_all))
            continue;
        if (!is_weight)
            value = call->inputs[next++];
        else if (!find_value(m, input->name, &value))
            continue;
        if (!name_value(names, input->name, value))
            return false;
    }
    return true;
}

/* Makes the module's nodes the producers of the call's results. */
static bool set_producers(maker *m, const eti_program *module, const eti_graph_ports *call) {
    if (!list_ports(m, module->outputs, ETI_NO_NODE))
        return false;
    for (uint32_t i = 0; i < call->n_outputs && m->n_ports == call->n_outputs; i++) {
        uint32_t producer = m->values[m->ports[i]].producer;
        if (producer != ETI_NO_NODE && call->outputs[i] != m->ports[i])
            m->values[call->outputs[i]].producer = producer;
    }
    return true;
}

static bool add_module(maker *m, const eti_program *program, const eti_lowered_module *module) {
    static const eti_graph_ports none = {NULL, NULL, 0, 0};
    const eti_graph_ports *call = module->call == ETI_NO_NODE ? &none : &m->made[module->call];
    value_names names = {.count = 0}, *outer = m->names;
    bool done = name_inputs(m, &names, program, call);
    m->names = &names;
    done =
        done && add_nodes(m, program, (uint32_t)module->first) && set_producers(m, program, call);
    if (done)
        describe_tensors(m, program);
    eti__intern_free(&names.table);
    m->names = outer;
    return done;
}

/* ---- the result ------------------------------------------------------------------------------ */

static bool make(maker *m, eti_graph_values *out, const eti_program *program,
                 const eti_lowered_programs *lowered, const eti_graph *graph) {
    m->made = eti__arena_alloc_zero(m->arena, graph->n_nodes + graph->n_lowered, sizeof *m->made);
    bool done = m->made && add_inputs(m, program);
    const eti_lowered_program *of = lowered->first;
    for (size_t i = 0; i < graph->n_modules && done; i++, of = of->next)
        done = graph->modules[i].n_nodes == 0 || add_weights(m, &of->program);
    out->n_graph_inputs = m->n_values;
    done = done && add_nodes(m, program, 0);
    if (done) {
        describe_tensors(m, program);
        mark_outputs(m, program);
    }
    of = lowered->first;
    for (size_t i = 0; i < graph->n_modules && done; i++, of = of->next)
        done = graph->modules[i].n_nodes == 0 || add_module(m, &of->program, &graph->modules[i]);
    return done && keep_values(m, out);
}

bool eti__graph_values_make_lowered(eti_graph_values *out, const eti_program *program,
                                    const eti_lowered_programs *lowered, const eti_graph *graph,
                                    eti_arena *arena) {
    value_names names = {.count = 0};
    maker m = {.arena = arena, .names = &names};
    *out = (eti_graph_values){0};
    bool done = make(&m, out, program, lowered, graph);
    eti__intern_free(&names.table);
    free(m.values);
    free(m.ports);
    return done;
}

bool eti__graph_values_make(eti_graph_values *out, const eti_program *program, size_t n_nodes,
                            eti_arena *arena) {
    const eti_lowered_programs none = {.n = 0};
    return eti__graph_values_make_lowered(out, program, &none, &(eti_graph){.n_nodes = n_nodes},
                                          arena);
}
