/*
 * {"graph_module": {
 *     "graph": {
 *         "inputs": [Argument],
 *         "nodes": [{"name": "aten_add_tensor",
 *                    "target": "executorch.….edge.ops.aten.add.Tensor",
 *                    "inputs": [{"name": "self", "arg": Argument}],
 *                    "outputs": [Argument],
 *                    "metadata": {"stack_trace": "…",
 *                                 "nn_module_stack": "…",
 *                                 "debug_handle": "7"}}],
 *         "tensor_values": {"x": {"dtype": 7,
 *                                 "sizes": [{"as_int": 3}, {"as_expr": {"expr_str": "s0"}}]}}},
 *     "signature": {"input_specs": [{"parameter": {"arg": {"name": "p_weight"}}}]}}}
 *
 * An Argument is {"as_tensor": {"name": "x"}}, {"as_tensors": [{"name": "x"}]}, {"as_int": 3}, …
 *
 * What torch cannot load is refused: a node without one of "target", "inputs", "outputs" and
 * "metadata", and an argument without any key. Files hold these by the thousand, so that the memory
 * they cost stays a small multiple of their text.
 */
#include "format/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The text that came last of its kind: most nodes have what the node before them has. */
typedef struct last_text {
    eti_buffer spelling; /* in the file */
    uint32_t number;
} last_text;

typedef struct reader {
    eti_json *json;
    eti_arena *arena;
    eti_arena *scratch;
    eti_program *program;
    eti_program_node *node; /* the one that is being read */
    eti_buffer node_name;   /* of that node */
    eti_argument *argument; /* the one that is being read */
    eti_argument input;     /* place for one that is not kept */
    last_text stack_trace, module_stack;
    bool keep_names; /* of arguments */
    eti_argument **graphs_end;
    eti_argument **inputs_end;
    bool reads_values;
    eti_program_tensor *tensor; /* the one that is being read */
    eti_buffer shape;           /* of that tensor */
    size_t n_inputs;            /* of the node */
    size_t n_items;             /* of the program, up to ETI_MOST_ITEMS */
    bool has_nodes;
} reader;

/* A member of an object that is wanted, and the function that takes its value. */
typedef struct member {
    eti_text key;
    void (*read)(reader *in);
} member;

#define KEY(text)                                                                                  \
    { (text), sizeof(text) - 1 }

#define N_ITEMS(array) (sizeof(array) / sizeof *(array))

/* Which keys an object has: bit i stands for member i, bit n for all that are not listed. */
typedef unsigned key_set;

/* An object: the members listed are read, null ones and others are passed over. */
static key_set read_members(reader *in, const member *members, size_t n) {
    key_set found = 0;
    eti_text key;
    if (!eti_json_enter_object(in->json))
        return found;
    while (eti_json_next_key(in->json, &key)) {
        size_t i = 0;
        while (i < n && !eti_text_equal(key, members[i].key))
            i++;
        found |= 1u << i;
        if (i == n)
            eti_json_skip(in->json);
        else if (!eti_json_take_null(in->json))
            members[i].read(in);
    }
    return found;
}

/* The same for an object that must have a key, no matter which. */
static void read_some_member(reader *in, const member *members, size_t n) {
    if (read_members(in, members, n) == 0)
        eti_json_fail(in->json, ETI_ERROR_MALFORMED,
                      "expected a key in the object that ends here, found none");
}

/* False when there are too many. */
static bool count_item(reader *in) {
    if (in->n_items++ < ETI_MOST_ITEMS)
        return true;
    eti_json_fail(in->json, ETI_ERROR_LIMIT,
                  "more than %zu nodes, inputs, outputs and different texts of them",
                  ETI_MOST_ITEMS);
    return false;
}

/* A name is kept with the "_" that the Inspector puts behind it, so that it need not be copied
 * again. */
static bool copy_name(reader *in, eti_text name, eti_text *out) {
    char *copy = eti_arena_alloc(in->arena, name.size + 1, 1);
    if (!copy) {
        eti_json_fail_memory(in->json);
        return false;
    }
    if (name.size > 0)
        memcpy(copy, name.data, name.size);
    copy[name.size] = '_';
    *out = (eti_text){copy, name.size};
    return true;
}

/* The number of `text` in `table`; a new one is copied into `owner`. */
static uint32_t number_text(reader *in, eti_text_table *table, eti_text text, eti_arena *owner) {
    uint32_t number;
    size_t old_count = table->count;
    if (!eti_text_table_add(table, text, owner, &number)) {
        eti_json_fail_memory(in->json);
        return ETI_NO_TEXT;
    }
    return table->count == old_count || count_item(in) ? number : ETI_NO_TEXT;
}

/* The number in `table` of the text that comes next. */
static uint32_t read_shared_text(reader *in, eti_text_table *table, eti_arena *owner) {
    eti_text text;
    return eti_json_read_string(in->json, &text) ? number_text(in, table, text, owner)
                                                 : ETI_NO_TEXT;
}

static uint32_t read_repeated_text(reader *in, eti_text_table *table, last_text *last) {
    if (eti_json_take_spelled_string(in->json, &last->spelling))
        return last->number;
    eti_text text;
    if (!eti_json_read_spelled_string(in->json, &text, &last->spelling))
        return ETI_NO_TEXT;
    last->number = number_text(in, table, text, in->arena);
    return last->number;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* Adds an empty argument to the list that ends at `*end`. NULL: too many, or out of memory. */
static eti_argument *add_argument(reader *in, eti_argument ***end) {
    if (!count_item(in))
        return NULL;
    eti_argument *argument = eti_arena_alloc_zero(in->scratch, 1, sizeof *argument);
    if (!argument) {
        eti_json_fail_memory(in->json);
        return NULL;
    }
    argument->name = (eti_text){"", 0};
    **end = argument;
    *end = &argument->next;
    return argument;
}

static void read_argument_name(reader *in) {
    eti_text name;
    if (!in->keep_names || eti_json_peek(in->json) != ETI_JSON_STRING)
        eti_json_skip(in->json);
    else if (eti_json_read_string(in->json, &name))
        (void)copy_name(in, name, &in->argument->name);
}

static const member named_members[] = {{KEY("name"), read_argument_name},
                                       {KEY("as_name"), read_argument_name}};

/* {"name": "x"}, or {"as_name": "x"} for symbols; anything else has no name. */
static void read_named(reader *in, eti_argument_kind kind) {
    in->argument->kind = kind;
    if (eti_json_peek(in->json) == ETI_JSON_OBJECT)
        read_members(in, named_members, N_ITEMS(named_members));
    else
        eti_json_skip(in->json);
}

static void read_tensor(reader *in) {
    read_named(in, ETI_ARGUMENT_TENSOR);
}

static void read_symbol(reader *in) {
    read_named(in, ETI_ARGUMENT_SYMBOL);
}

static void read_object(reader *in) {
    read_named(in, ETI_ARGUMENT_OBJECT);
}

static void read_tensors(reader *in) {
    eti_argument *list = in->argument;
    list->kind = ETI_ARGUMENT_TENSORS;
    list->items = NULL;
    eti_argument **end = &list->items;
    if (!in->keep_names) {
        eti_json_skip(in->json);
        return;
    }
    if (!eti_json_enter_array(in->json))
        return;
    while (eti_json_next_element(in->json) && (in->argument = add_argument(in, &end)) != NULL) {
        in->argument->kind = ETI_ARGUMENT_TENSOR;
        read_some_member(in, named_members, N_ITEMS(named_members));
    }
    in->argument = list;
}

static void read_graph_argument(reader *in) {
    bool keep_names = in->keep_names;
    in->keep_names = true;
    read_named(in, ETI_ARGUMENT_GRAPH);
    in->keep_names = keep_names;
}

static void read_other(reader *in) {
    in->argument->kind = ETI_ARGUMENT_OTHER;
    eti_json_skip(in->json);
}

/* as_none is what remains; lists of constants occur neither as outputs nor as a graph's inputs. */
static const member argument_members[] = {
    {KEY("as_tensor"), read_tensor},     {KEY("as_tensors"), read_tensors},
    {KEY("as_sym_int"), read_symbol},    {KEY("as_sym_bool"), read_symbol},
    {KEY("as_custom_obj"), read_object}, {KEY("as_graph"), read_graph_argument},
    {KEY("as_int"), read_other},         {KEY("as_float"), read_other},
    {KEY("as_bool"), read_other},        {KEY("as_string"), read_other},
};

/* The Argument that comes next, into in->argument. */
static void read_argument(reader *in) {
    read_some_member(in, argument_members, N_ITEMS(argument_members));
}

static void read_arguments(reader *in, eti_argument **list) {
    *list = NULL;
    if (!eti_json_enter_array(in->json))
        return;
    in->keep_names = true;
    while (eti_json_next_element(in->json) && (in->argument = add_argument(in, &list)) != NULL)
        read_argument(in);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void read_node_name(reader *in) {
    eti_text name;
    in->node_name.size = 0;
    if (eti_json_read_string(in->json, &name))
        eti_buffer_add_text(&in->node_name, name);
    in->node->name = eti_buffer_text(&in->node_name);
    if (in->node_name.failed)
        eti_json_fail_memory(in->json);
}

/* Most nodes are called what their output is called: then the text is there already. */
static void keep_node_name(reader *in) {
    eti_program_node *node = in->node;
    if (node->outputs && eti_text_equal(node->outputs->name, node->name))
        node->name = node->outputs->name;
    else if (node->name.data && !copy_name(in, node->name, &node->name))
        node->name = (eti_text){NULL, 0};
}

static void read_node_target(reader *in) {
    in->node->target = read_shared_text(in, &in->program->targets, in->arena);
}

static void read_input_name(reader *in) {
    if (in->n_inputs == 0)
        in->node->first_input_name = read_shared_text(in, &in->program->input_names, in->scratch);
    else
        eti_json_skip(in->json);
}

static void keep_input(reader *in) {
    eti_argument *input = add_argument(in, &in->inputs_end);
    if (input)
        *input = in->input;
}

/* [{"as_tensor": {"name": "x"}}, {"as_none": true}] */
static void read_optional_tensors(reader *in) {
    static const member members[] = {{KEY("as_tensor"), read_tensor}};
    if (!eti_json_enter_array(in->json))
        return;
    while (eti_json_next_element(in->json)) {
        in->input = (eti_argument){.name = {"", 0}};
        read_some_member(in, members, N_ITEMS(members));
        if (in->input.kind == ETI_ARGUMENT_TENSOR)
            keep_input(in);
    }
    in->input.kind = ETI_ARGUMENT_NONE;
}

/* [{"as_name": "s0"}, {"as_int": 3}] */
static void read_symbols(reader *in) {
    if (!eti_json_enter_array(in->json))
        return;
    while (eti_json_next_element(in->json)) {
        in->input = (eti_argument){.name = {"", 0}};
        read_symbol(in);
        if (in->input.name.size > 0)
            keep_input(in);
    }
    in->input.kind = ETI_ARGUMENT_NONE;
}

/* Inputs that are values of the graph; constants are passed over. */
static const member input_members[] = {
    {KEY("as_tensor"), read_tensor},
    {KEY("as_tensors"), read_tensors},
    {KEY("as_optional_tensors"), read_optional_tensors},
    {KEY("as_sym_int"), read_symbol},
    {KEY("as_sym_bool"), read_symbol},
    {KEY("as_sym_float"), read_symbol},
    {KEY("as_sym_ints"), read_symbols},
    {KEY("as_custom_obj"), read_object},
    {KEY("as_graph"), read_graph_argument},
};

/* With names, for the edges of the graph. */
static void read_named_input(reader *in) {
    in->input = (eti_argument){.name = {"", 0}};
    in->argument = &in->input;
    in->keep_names = true;
    read_some_member(in, input_members, N_ITEMS(input_members));
    if (in->input.kind == ETI_ARGUMENT_GRAPH) {
        eti_argument *graph = add_argument(in, &in->graphs_end);
        if (graph)
            graph->name = in->input.name;
    } else if (in->input.name.size > 0 || in->input.items) {
        keep_input(in);
    }
}

/* Unless values are asked for, only graphs are of interest, because they take names. */
static void read_input_argument(reader *in) {
    if (in->reads_values) {
        read_named_input(in);
        return;
    }
    in->input = (eti_argument){.name = {"", 0}};
    in->argument = &in->input;
    in->keep_names = false;
    read_argument(in);
    if (in->input.kind != ETI_ARGUMENT_GRAPH)
        return;
    eti_argument *graph = add_argument(in, &in->graphs_end);
    if (graph)
        graph->name = in->input.name;
}

static void read_node_inputs(reader *in) {
    static const member members[] = {{KEY("name"), read_input_name},
                                     {KEY("arg"), read_input_argument}};
    in->node->graphs = in->node->inputs = NULL;
    in->graphs_end = &in->node->graphs;
    in->inputs_end = &in->node->inputs;
    if (!eti_json_enter_array(in->json))
        return;
    for (in->n_inputs = 0; eti_json_next_element(in->json); in->n_inputs++)
        read_members(in, members, N_ITEMS(members));
}

static void read_node_outputs(reader *in) {
    read_arguments(in, &in->node->outputs);
}

static void read_debug_handle(reader *in) {
    eti_text text;
    if (eti_json_read_string(in->json, &text) &&
        !eti_arena_copy_text(in->scratch, text, &in->node->debug_handle))
        eti_json_fail_memory(in->json);
}

static void read_stack_trace(reader *in) {
    in->node->stack_trace = read_repeated_text(in, &in->program->stack_traces, &in->stack_trace);
}

static void read_module_stack(reader *in) {
    in->node->module_stack = read_repeated_text(in, &in->program->module_stacks, &in->module_stack);
}

static void read_metadata(reader *in) {
    static const member members[] = {
        {KEY("debug_handle"), read_debug_handle},
        {KEY("stack_trace"), read_stack_trace},
        {KEY("nn_module_stack"), read_module_stack},
    };
    in->node->debug_handle = (eti_text){NULL, 0};
    in->node->stack_trace = in->node->module_stack = ETI_NO_TEXT;
    read_members(in, members, N_ITEMS(members));
}

static void read_node(reader *in) {
    static const member members[] = {
        {KEY("target"), read_node_target},   {KEY("inputs"), read_node_inputs},
        {KEY("outputs"), read_node_outputs}, {KEY("metadata"), read_metadata},
        {KEY("name"), read_node_name}, /* old files have none, the others are always there */
    };
    const size_t n_required = N_ITEMS(members) - 1;
    in->node->target = in->node->first_input_name = ETI_NO_TEXT;
    in->node->stack_trace = in->node->module_stack = ETI_NO_TEXT;
    key_set found = read_members(in, members, N_ITEMS(members));
    keep_node_name(in);
    if (in->node->target == ETI_NO_TEXT)
        eti_json_fail(in->json, ETI_ERROR_MALFORMED,
                      "expected a \"target\" in the node that ends here");
    for (size_t i = 0; i < n_required; i++) {
        if (!(found & 1u << i))
            eti_json_fail(in->json, ETI_ERROR_MALFORMED,
                          "expected \"%.*s\" in the node that ends here",
                          ETI_TEXT_ARGS(members[i].key));
    }
}

static void read_nodes(reader *in) {
    eti_program *program = in->program;
    eti_program_node **end = &program->nodes;
    program->n_nodes = 0;
    *end = NULL;
    in->has_nodes = true;
    if (!eti_json_enter_array(in->json))
        return;
    while (eti_json_next_element(in->json) && count_item(in)) {
        in->node = eti_arena_alloc_zero(in->scratch, 1, sizeof *in->node);
        if (!in->node) {
            eti_json_fail_memory(in->json);
            return;
        }
        *end = in->node;
        end = &in->node->next;
        program->n_nodes++;
        read_node(in);
    }
}

/* ---- tensors --------------------------------------------------------------------------------- */

static void add_to_shape(reader *in, eti_text size) {
    eti_buffer_add_string(&in->shape, in->shape.size > 1 ? ", " : "");
    eti_buffer_add_text(&in->shape, size);
}

static void read_fixed_size(reader *in) {
    int64_t size;
    if (!eti_json_read_int64(in->json, &size))
        return;
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRId64, size);
    add_to_shape(in, (eti_text){digits, (size_t)n});
}

static void read_expression(reader *in) {
    eti_text expression;
    if (eti_json_read_string(in->json, &expression))
        add_to_shape(in, expression);
}

static void read_symbolic_size(reader *in) {
    static const member members[] = {{KEY("expr_str"), read_expression}};
    read_members(in, members, N_ITEMS(members));
}

static void read_sizes(reader *in) {
    static const member members[] = {{KEY("as_int"), read_fixed_size},
                                     {KEY("as_expr"), read_symbolic_size}};
    eti_text_table *shapes = &in->program->shapes;
    size_t old_count = shapes->count;
    if (!eti_json_enter_array(in->json))
        return;
    in->shape.size = 0;
    eti_buffer_add_char(&in->shape, '[');
    while (eti_json_next_element(in->json))
        read_members(in, members, N_ITEMS(members));
    eti_buffer_add_char(&in->shape, ']');
    if (in->shape.failed ||
        !eti_text_table_add(shapes, eti_buffer_text(&in->shape), in->arena, &in->tensor->shape))
        eti_json_fail_memory(in->json);
    else if (shapes->count > old_count)
        (void)count_item(in);
}

static void read_dtype(reader *in) {
    (void)eti_json_read_int64(in->json, &in->tensor->dtype);
}

static void read_tensor_values(reader *in) {
    static const member members[] = {{KEY("dtype"), read_dtype}, {KEY("sizes"), read_sizes}};
    eti_program_tensor **end = &in->program->tensors;
    eti_text name;
    *end = NULL;
    if (!in->reads_values) {
        eti_json_skip(in->json);
        return;
    }
    if (!eti_json_enter_object(in->json))
        return;
    while (eti_json_next_key(in->json, &name) && count_item(in)) {
        in->tensor = eti_arena_alloc_zero(in->scratch, 1, sizeof *in->tensor);
        if (!in->tensor || !eti_arena_copy_text(in->scratch, name, &in->tensor->name)) {
            eti_json_fail_memory(in->json);
            return;
        }
        in->tensor->shape = ETI_NO_TEXT;
        *end = in->tensor;
        end = &in->tensor->next;
        if (!eti_json_take_null(in->json))
            read_members(in, members, N_ITEMS(members));
    }
}

/* ---- the program ----------------------------------------------------------------------------- */

static void read_inputs(reader *in) {
    read_arguments(in, &in->program->inputs);
}

static void read_graph(reader *in) {
    static const member members[] = {{KEY("inputs"), read_inputs},
                                     {KEY("nodes"), read_nodes},
                                     {KEY("tensor_values"), read_tensor_values}};
    read_members(in, members, N_ITEMS(members));
}

/* {"name": "x"}, or an Argument: what has no name, a constant, counts as "". */
static void read_spec_arg(reader *in) {
    static const member members[] = {
        {KEY("name"), read_argument_name},
        {KEY("as_tensor"), read_tensor},
        {KEY("as_sym_int"), read_symbol},
        {KEY("as_custom_obj"), read_object},
    };
    read_members(in, members, N_ITEMS(members));
}

/* One of a union's alternatives, such as
 *     {"arg": {"name": "p_weight"}, "parameter_name": "weight"}
 *     {"name": "n", "value": {"as_int": 3}} */
static void read_spec(reader *in) {
    static const member members[] = {{KEY("arg"), read_spec_arg},
                                     {KEY("name"), read_argument_name}};
    read_members(in, members, N_ITEMS(members));
}

static void read_input_specs(reader *in) {
    static const member alternatives[] = {
        {KEY("user_input"), read_spec},      {KEY("parameter"), read_spec},
        {KEY("buffer"), read_spec},          {KEY("token"), read_spec},
        {KEY("tensor_constant"), read_spec}, {KEY("custom_obj"), read_spec},
        {KEY("constant_input"), read_spec},
    };
    eti_argument **end = &in->program->input_specs;
    *end = NULL;
    if (!eti_json_enter_array(in->json))
        return;
    in->keep_names = true;
    while (eti_json_next_element(in->json) && (in->argument = add_argument(in, &end)) != NULL)
        read_some_member(in, alternatives, N_ITEMS(alternatives));
}

static void read_signature(reader *in) {
    static const member members[] = {{KEY("input_specs"), read_input_specs}};
    read_members(in, members, N_ITEMS(members));
}

static void read_graph_module(reader *in) {
    static const member members[] = {{KEY("graph"), read_graph},
                                     {KEY("signature"), read_signature}};
    read_members(in, members, N_ITEMS(members));
}

void eti_program_read(eti_program *out, eti_program_extent extent, eti_json *json, eti_arena *arena,
                      eti_arena *scratch) {
    static const member members[] = {{KEY("graph_module"), read_graph_module}};
    *out = (eti_program){0};
    reader in = {.json = json,
                 .arena = arena,
                 .scratch = scratch,
                 .program = out,
                 .reads_values = extent == ETI_PROGRAM_VALUES};
    read_members(&in, members, N_ITEMS(members));
    eti_buffer_free(&in.node_name);
    eti_buffer_free(&in.shape);
    eti_buffer_free(&in.stack_trace.spelling);
    eti_buffer_free(&in.module_stack.spelling);
    if (!in.has_nodes)
        eti_json_fail(json, ETI_ERROR_MALFORMED,
                      "expected graph_module.graph.nodes before this end of the program");
}

void eti_program_free(eti_program *program) {
    eti_text_table_free(&program->targets);
    eti_text_table_free(&program->input_names);
    eti_text_table_free(&program->stack_traces);
    eti_text_table_free(&program->module_stacks);
    eti_text_table_free(&program->shapes);
}
