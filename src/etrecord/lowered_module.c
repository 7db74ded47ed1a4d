#include "etrecord/lowered_module.h"

#include <stdlib.h>
#include <string.h>

/* ==== lowered module ========================================================================== */

/* Number of bytes of an XNNPACK payload that contain the place of its FlatBuffer, see backends/xnnpack.c. */
#define HEADER_BYTES 18

/* ---- base64 ---------------------------------------------------------------------------------- */

typedef struct decoding {
    eti_buffer *out;
    uint32_t bits; /* read but not yet written */
    unsigned n_bits;
    size_t limit; /* largest number of bytes to write */
} decoding;

/* Returns the value of a base64 digit, or -1. */
static int digit_of(unsigned char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decodes base64; anything other than a digit ends the bytes. */
static void decode(decoding *d, const unsigned char *text, size_t size) {
    for (size_t i = 0; i < size && d->out->size < d->limit; i++) {
        int digit = digit_of(text[i]);
        if (digit < 0) {
            d->limit = d->out->size;
            return;
        }
        d->bits = (d->bits << 6 | (uint32_t)digit) & 0xffffff;
        d->n_bits += 6;
        if (d->n_bits >= 8) {
            d->n_bits -= 8;
            eti__buffer_add_char(d->out, (char)(d->bits >> d->n_bits & 0xff));
        }
    }
}

/* ---- the payload ----------------------------------------------------------------------------- */

static size_t read_u32(const char *at) {
    unsigned char bytes[4];
    memcpy(bytes, at, sizeof bytes);
    return (size_t)bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 |
           (size_t)bytes[3] << 24;
}

/* Returns how much of a payload with this beginning is needed; constants follow the FlatBuffer. */
static size_t bytes_needed(const eti_buffer *payload, size_t most) {
    if (payload->size < HEADER_BYTES)
        return 0;
    if (memcmp(payload->data + 4, "XH00", 4) == 0) {
        size_t end = read_u32(payload->data + 10) + read_u32(payload->data + 14);
        return end < most ? end : most;
    }
    bool is_bare =
        memcmp(payload->data + 4, "XN00", 4) == 0 || memcmp(payload->data + 4, "XN01", 4) == 0;
    return is_bare ? most : 0;
}

/* Reads the payload in pieces, because most of its bytes are constants, which are not kept. */
static void read_payload(eti_lowered_programs *modules, eti_json *json, eti_text *out) {
    unsigned char piece[4096];
    eti_buffer bytes = {0};
    *out = (eti_text){
        NULL, 0}; /* the text of an equal key before it stays in the arena and remains counted */
    decoding d = {.out = &bytes, .limit = HEADER_BYTES};
    eti_json_text text;
    size_t n = 1;
    eti__json_text_open(&text, json);
    while (n > 0 && d.limit > bytes.size && !bytes.failed) {
        /* first a piece of the header's size, so that the digits after it are not lost */
        size_t size = bytes.size < HEADER_BYTES ? 1 : sizeof piece;
        if (eti__json_text_read(&text, piece, size, &n, NULL) != ETI_OK)
            break;
        decode(&d, piece, n);
        if (bytes.size == HEADER_BYTES && d.limit == HEADER_BYTES)
            d.limit = bytes_needed(&bytes, ETI_MOST_PAYLOAD - modules->payload_bytes);
    }
    eti__json_text_close(&text);
    bool is_kept = bytes.size >= HEADER_BYTES && d.limit >= HEADER_BYTES;
    if (bytes.failed ||
        (is_kept && !eti__arena_copy_text(modules->arena, eti__buffer_text(&bytes), out)))
        eti__json_fail_memory(json);
    modules->payload_bytes += out->size;
    eti__buffer_free(&bytes);
}

/* ---- the module ------------------------------------------------------------------------------ */

static void read_backend(eti_lowered_programs *modules, eti_json *json, eti_text *out) {
    eti_text backend;
    if (eti__json_read_string(json, &backend) &&
        !eti__arena_copy_text(modules->arena, backend, out))
        eti__json_fail_memory(json);
}

static void read_module(eti_lowered_programs *modules, eti_json *json, eti_lowered_program *out) {
    eti_text key;
    (void)eti__json_enter_object(json);
    while (eti__json_next_key(json, &key)) {
        if (eti__json_take_null(json))
            continue;
        if (eti__text_is(key, "backend_id")) {
            read_backend(modules, json, &out->backend);
        } else if (eti__text_is(key, "processed_bytes")) {
            read_payload(modules, json, &out->payload);
        } else if (eti__text_is(key, "original_module")) {
            eti_program_lowering nested = {.n_items = modules->n_items};
            eti__program_free(&out->program);
            eti__program_read(&out->program, modules->extent, &nested, json, modules->arena,
                              modules->scratch);
            modules->n_items = nested.n_items;
        } else {
            eti__json_skip(json);
        }
    }
}

static eti_lowered_program *add_module(eti_lowered_programs *modules) {
    eti_lowered_program *added = eti__arena_alloc_zero(modules->scratch, 1, sizeof *added);
    if (!added)
        return NULL;
    if (!modules->end)
        modules->end = &modules->first;
    *modules->end = added;
    modules->end = &added->next;
    modules->n++;
    return added;
}

void eti__lowered_module_read(eti_lowered_programs *modules, eti_json *json) {
    if (modules->n == ETI_MOST_LOWERED_MODULES) {
        eti__json_skip(json);
        return;
    }
    eti_lowered_program *out = add_module(modules);
    eti_json_text text;
    eti_json inner;
    if (!out) {
        eti__json_fail_memory(json);
        return;
    }
    eti__json_text_open(&text, json);
    eti__json_open_stream(&inner, (eti_json_source){eti__json_text_read, &text});
    read_module(modules, &inner, out);
    eti_status status = eti__json_close(&inner, NULL);
    eti__json_text_close(&text);
    if (status == ETI_ERROR_MEMORY)
        eti__json_fail_memory(json);
    if (status == ETI_OK)
        return;
    modules->n_damaged++;
    out->program.n_nodes = 0;
    out->program.nodes = NULL;
}

void eti__lowered_programs_free(eti_lowered_programs *modules) {
    for (eti_lowered_program *module = modules->first; module; module = module->next)
        eti__program_free(&module->program);
    *modules = (eti_lowered_programs){0};
}

/* ==== graph values ============================================================================ */

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

static bool add_valued_module(maker *m, const eti_program *program,
                              const eti_lowered_module *module) {
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
        done = graph->modules[i].n_nodes == 0 ||
               add_valued_module(m, &of->program, &graph->modules[i]);
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
