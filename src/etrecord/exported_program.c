#include "etrecord/exported_program.h"

#include "etrecord/graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ==== program reader ========================================================================== */
/* The state of reading an exported program, and functions that read objects by their members. */

/* The last text of its kind: most nodes have the same text as the node before. */
typedef struct eti_last_text {
    eti_buffer spelling; /* as spelled in the file */
    uint32_t number;
} eti_last_text;

typedef struct eti_program_reader {
    eti_json *json;
    eti_arena *arena;
    eti_arena *scratch;
    eti_program *program;
    eti_program_node *node; /* the current one */
    eti_buffer node_name;   /* of that node */
    eti_argument *argument; /* the current one */
    eti_argument input;     /* room for an argument that is not kept */
    eti_last_text stack_trace, module_stack;
    bool keep_names; /* names of arguments are kept */
    eti_argument **graphs_end;
    eti_argument **inputs_end;
    bool reads_values, reads_inputs;
    eti_program_tensor *tensor; /* the current one */
    eti_buffer shape;           /* of that tensor */
    size_t n_inputs;            /* of the node so far */
    size_t n_items;             /* of the program so far, up to ETI_MOST_ITEMS */
    bool has_nodes;
    struct eti_program_lowering *lowering; /* NULL: lowered modules are skipped */
} eti_program_reader;

/* A requested member of an object, and the function that reads its value. */
typedef struct eti_program_member {
    eti_text key;
    void (*read)(eti_program_reader *in);
} eti_program_member;

#define ETI_KEY(text)                                                                              \
    { (text), sizeof(text) - 1 }

#define ETI_N_MEMBERS(array) (sizeof(array) / sizeof *(array))

/* The keys that an object has: bit i stands for member i, bit n for all unlisted keys. */
typedef unsigned eti_program_keys;

/* Reads an object: listed members are read, unless they are null; others are skipped. */
static eti_program_keys read_program_members(eti_program_reader *in,
                                             const eti_program_member *members, size_t n) {
    eti_program_keys found = 0;
    eti_text key;
    if (!eti__json_enter_object(in->json))
        return found;
    while (eti__json_next_key(in->json, &key)) {
        size_t i = 0;
        while (i < n && !eti__text_equal(key, members[i].key))
            i++;
        found |= 1u << i;
        if (i == n)
            eti__json_skip(in->json);
        else if (!eti__json_take_null(in->json))
            members[i].read(in);
    }
    return found;
}

/* Does the same for an object that must have at least one key. */
static void read_nonempty_object(eti_program_reader *in, const eti_program_member *members,
                                 size_t n) {
    if (read_program_members(in, members, n) == 0)
        eti__json_fail(in->json, ETI_ERROR_MALFORMED,
                       "expected a key in the object that ends here, found none");
}

/* Counts an item; returns false if there are too many. */
static bool count_program_item(eti_program_reader *in) {
    if (in->n_items++ < ETI_MOST_ITEMS)
        return true;
    eti__json_fail(in->json, ETI_ERROR_LIMIT,
                   "more than %zu nodes, inputs, outputs and distinct texts in them",
                   ETI_MOST_ITEMS);
    return false;
}

/* Copies a name with the "_" that the Inspector appends, so that it need not be copied again. False: out of memory. */
static bool copy_program_name(eti_program_reader *in, eti_text name, eti_text *out) {
    char *copy = eti__arena_alloc(in->arena, name.size + 1, 1);
    if (!copy) {
        eti__json_fail_memory(in->json);
        return false;
    }
    if (name.size > 0)
        memcpy(copy, name.data, name.size);
    copy[name.size] = '_';
    *out = (eti_text){copy, name.size};
    return true;
}

/* ==== program arguments ======================================================================= */
/* Reads the arguments of a program's nodes:
 *     {"as_tensor": {"name": "x"}}, {"as_tensors": [{"name": "x"}]}, {"as_int": 3}, … */

/* Adds an empty argument to the list that ends at `*end`. NULL: too many arguments, or out of memory. */
static eti_argument *add_program_argument(eti_program_reader *in, eti_argument ***end) {
    if (!count_program_item(in))
        return NULL;
    eti_argument *argument = eti__arena_alloc_zero(in->scratch, 1, sizeof *argument);
    if (!argument) {
        eti__json_fail_memory(in->json);
        return NULL;
    }
    argument->name = (eti_text){"", 0};
    **end = argument;
    *end = &argument->next;
    return argument;
}

/* Read one kind of Argument each: functions for the members of objects that may contain only some kinds. */
static void read_program_name(eti_program_reader *in) {
    eti_text name;
    if (!in->keep_names || eti__json_peek(in->json) != ETI_JSON_STRING)
        eti__json_skip(in->json);
    else if (eti__json_read_string(in->json, &name))
        (void)copy_program_name(in, name, &in->argument->name);
}

static const eti_program_member named_members[] = {{ETI_KEY("name"), read_program_name},
                                                   {ETI_KEY("as_name"), read_program_name}};

/* Reads {"name": "x"}, or {"as_name": "x"} for symbols; anything else has no name. */
static void read_named(eti_program_reader *in, eti_argument_kind kind) {
    in->argument->kind = kind;
    if (eti__json_peek(in->json) == ETI_JSON_OBJECT)
        read_program_members(in, named_members, ETI_N_MEMBERS(named_members));
    else
        eti__json_skip(in->json);
}

static void read_program_tensor(eti_program_reader *in) {
    read_named(in, ETI_ARGUMENT_TENSOR);
}

static void read_program_symbol(eti_program_reader *in) {
    read_named(in, ETI_ARGUMENT_SYMBOL);
}

static void read_program_object(eti_program_reader *in) {
    read_named(in, ETI_ARGUMENT_OBJECT);
}

static void read_program_tensors(eti_program_reader *in) {
    eti_argument *list = in->argument;
    list->kind = ETI_ARGUMENT_TENSORS;
    list->items = NULL;
    eti_argument **end = &list->items;
    if (!in->keep_names) {
        eti__json_skip(in->json);
        return;
    }
    if (!eti__json_enter_array(in->json))
        return;
    while (eti__json_next_element(in->json) &&
           (in->argument = add_program_argument(in, &end)) != NULL) {
        in->argument->kind = ETI_ARGUMENT_TENSOR;
        read_nonempty_object(in, named_members, ETI_N_MEMBERS(named_members));
    }
    in->argument = list;
}

static void read_program_graph(eti_program_reader *in) {
    bool keep_names = in->keep_names;
    in->keep_names = true;
    read_named(in, ETI_ARGUMENT_GRAPH);
    in->keep_names = keep_names;
}

static void read_other(eti_program_reader *in) {
    in->argument->kind = ETI_ARGUMENT_OTHER;
    eti__json_skip(in->json);
}

/* The remaining kind is as_none; lists of constants occur neither as outputs nor as inputs of a graph. */
static const eti_program_member argument_members[] = {
    {ETI_KEY("as_tensor"), read_program_tensor},
    {ETI_KEY("as_tensors"), read_program_tensors},
    {ETI_KEY("as_sym_int"), read_program_symbol},
    {ETI_KEY("as_sym_bool"), read_program_symbol},
    {ETI_KEY("as_custom_obj"), read_program_object},
    {ETI_KEY("as_graph"), read_program_graph},
    {ETI_KEY("as_int"), read_other},
    {ETI_KEY("as_float"), read_other},
    {ETI_KEY("as_bool"), read_other},
    {ETI_KEY("as_string"), read_other},
};

/* Read the next Argument into in->argument, or the next list of Arguments into `list`. */
static void read_program_argument(eti_program_reader *in) {
    read_nonempty_object(in, argument_members, ETI_N_MEMBERS(argument_members));
}

static void read_program_arguments(eti_program_reader *in, eti_argument **list) {
    *list = NULL;
    if (!eti__json_enter_array(in->json))
        return;
    in->keep_names = true;
    while (eti__json_next_element(in->json) &&
           (in->argument = add_program_argument(in, &list)) != NULL)
        read_program_argument(in);
}

/* ==== program ================================================================================= */
/* Reads the JSON of an exported program:
 *
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
 * Programs that torch cannot load are rejected: those with a node without "target", "inputs",
 * "outputs" or "metadata", and those with an argument without any key. Otherwise, a file with
 * thousands of empty ones could take much more memory than its text. */

/* ---- texts ----------------------------------------------------------------------------------- */

/* Returns the number of `text` in `table`; a new text is copied into `owner`. */
static uint32_t number_text(eti_program_reader *in, eti_text_table *table, eti_text text,
                            eti_arena *owner) {
    uint32_t number;
    size_t old_count = table->count;
    if (!eti__text_table_add(table, text, owner, &number)) {
        eti__json_fail_memory(in->json);
        return ETI_NO_TEXT;
    }
    return table->count == old_count || count_program_item(in) ? number : ETI_NO_TEXT;
}

/* Returns the number in `table` of the next text. */
static uint32_t read_shared_text(eti_program_reader *in, eti_text_table *table, eti_arena *owner) {
    eti_text text;
    return eti__json_read_string(in->json, &text) ? number_text(in, table, text, owner)
                                                  : ETI_NO_TEXT;
}

static uint32_t read_repeated_text(eti_program_reader *in, eti_text_table *table,
                                   eti_last_text *last) {
    if (eti__json_take_spelled_string(in->json, &last->spelling))
        return last->number;
    eti_text text;
    if (!eti__json_read_spelled_string(in->json, &text, &last->spelling))
        return ETI_NO_TEXT;
    last->number = number_text(in, table, text, in->arena);
    return last->number;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void read_node_name(eti_program_reader *in) {
    eti_text name;
    in->node_name.size = 0;
    if (eti__json_read_string(in->json, &name))
        eti__buffer_add_text(&in->node_name, name);
    in->node->name = eti__buffer_text(&in->node_name);
    if (in->node_name.failed)
        eti__json_fail_memory(in->json);
}

/* Keeps the node's name. Most nodes have the name of their output, whose text is already stored. */
static void keep_node_name(eti_program_reader *in) {
    eti_program_node *node = in->node;
    if (node->outputs && eti__text_equal(node->outputs->name, node->name))
        node->name = node->outputs->name;
    else if (node->name.data && !copy_program_name(in, node->name, &node->name))
        node->name = (eti_text){NULL, 0};
}

/* Requests the inputs of nodes if the operator quantizes: nodes inserted by a quantizer have no modules of their own, and
 * their inputs lead to nodes that have. */
static void note_target(eti_program_reader *in, eti_text target) {
    if (!eti__text_contains(target, eti__text_of("quantize")))
        return;
    in->program->is_quantized = true;
    in->reads_inputs = true;
}

static void read_node_target(eti_program_reader *in) {
    const eti_text_table *targets = &in->program->targets;
    size_t n_known = targets->count;
    in->node->target = read_shared_text(in, &in->program->targets, in->arena);
    if (targets->count > n_known)
        note_target(in, targets->texts[n_known]);
}

static void read_input_name(eti_program_reader *in) {
    if (in->n_inputs == 0)
        in->node->first_input_name = read_shared_text(in, &in->program->input_names, in->scratch);
    else
        eti__json_skip(in->json);
}

static void keep_input(eti_program_reader *in) {
    eti_argument *input = add_program_argument(in, &in->inputs_end);
    if (input)
        *input = in->input;
}

/* [{"as_tensor": {"name": "x"}}, {"as_none": true}] */
static void read_optional_tensors(eti_program_reader *in) {
    static const eti_program_member members[] = {{ETI_KEY("as_tensor"), read_program_tensor}};
    if (!eti__json_enter_array(in->json))
        return;
    while (eti__json_next_element(in->json)) {
        in->input = (eti_argument){.name = {"", 0}};
        read_nonempty_object(in, members, ETI_N_MEMBERS(members));
        if (in->input.kind == ETI_ARGUMENT_TENSOR)
            keep_input(in);
    }
    in->input.kind = ETI_ARGUMENT_NONE;
}

/* [{"as_name": "s0"}, {"as_int": 3}] */
static void read_symbols(eti_program_reader *in) {
    if (!eti__json_enter_array(in->json))
        return;
    while (eti__json_next_element(in->json)) {
        in->input = (eti_argument){.name = {"", 0}};
        read_program_symbol(in);
        if (in->input.name.size > 0)
            keep_input(in);
    }
    in->input.kind = ETI_ARGUMENT_NONE;
}

/* Kinds of inputs that are values of the graph; constants are skipped. */
static const eti_program_member input_members[] = {
    {ETI_KEY("as_tensor"), read_program_tensor},
    {ETI_KEY("as_tensors"), read_program_tensors},
    {ETI_KEY("as_optional_tensors"), read_optional_tensors},
    {ETI_KEY("as_sym_int"), read_program_symbol},
    {ETI_KEY("as_sym_bool"), read_program_symbol},
    {ETI_KEY("as_sym_float"), read_program_symbol},
    {ETI_KEY("as_sym_ints"), read_symbols},
    {ETI_KEY("as_custom_obj"), read_program_object},
    {ETI_KEY("as_graph"), read_program_graph},
};

/* Keeps a graph, even if values are not requested, because it takes a name that a later node could have. */
static void keep_graph(eti_program_reader *in) {
    eti_argument *graph = add_program_argument(in, &in->graphs_end);
    if (graph)
        graph->name = in->input.name;
}

/* Returns whether a lowered module comes next and is requested. */
static bool takes_lowered_module(const eti_program_reader *in) {
    return in->lowering && in->lowering->read && in->n_inputs == 0 &&
           in->node->target != ETI_NO_TEXT &&
           eti__text_is(in->program->targets.texts[in->node->target], ETI_DELEGATE_TARGET);
}

static void read_lowered_module(eti_program_reader *in) {
    if (eti__json_peek(in->json) != ETI_JSON_STRING) {
        eti__json_skip(in->json);
        return;
    }
    in->lowering->read(in->lowering->context, in->json);
    in->node->lowered = ++in->lowering->n_modules;
}

/* Returns whether the operator that a node stands for comes next: the first input of auto_functionalized, which returns the
 * tensors that the operator changes in place. */
static bool takes_operator(const eti_program_reader *in) {
    if (in->n_inputs > 0 || in->node->target == ETI_NO_TEXT)
        return false;
    eti_text target = in->program->targets.texts[in->node->target];
    return eti__text_is(target, "torch.ops.higher_order.auto_functionalized_v2") ||
           eti__text_is(target, "torch.ops.higher_order.auto_functionalized");
}

static void read_operator(eti_program_reader *in) {
    if (eti__json_peek(in->json) == ETI_JSON_STRING)
        in->node->functional = read_shared_text(in, &in->program->targets, in->arena);
    else
        eti__json_skip(in->json);
}

static void read_input_argument(eti_program_reader *in) {
    static const eti_program_member lowered[] = {{ETI_KEY("as_string"), read_lowered_module}};
    static const eti_program_member operator[] = {{ETI_KEY("as_operator"), read_operator}};
    if (takes_lowered_module(in)) {
        read_nonempty_object(in, lowered, ETI_N_MEMBERS(lowered));
        return;
    }
    if (takes_operator(in)) {
        read_nonempty_object(in, operator, ETI_N_MEMBERS(operator));
        return;
    }
    in->input = (eti_argument){.name = {"", 0}};
    in->argument = &in->input;
    in->keep_names = in->reads_inputs;
    if (in->reads_inputs)
        read_nonempty_object(in, input_members, ETI_N_MEMBERS(input_members));
    else
        read_program_argument(in);
    if (in->input.kind == ETI_ARGUMENT_GRAPH)
        keep_graph(in);
    else if (in->reads_inputs && (in->input.name.size > 0 || in->input.items))
        keep_input(in);
}

static void read_node_inputs(eti_program_reader *in) {
    static const eti_program_member members[] = {{ETI_KEY("name"), read_input_name},
                                                 {ETI_KEY("arg"), read_input_argument}};
    in->node->graphs = in->node->inputs = NULL;
    in->graphs_end = &in->node->graphs;
    in->inputs_end = &in->node->inputs;
    if (!eti__json_enter_array(in->json))
        return;
    for (in->n_inputs = 0; eti__json_next_element(in->json); in->n_inputs++)
        read_program_members(in, members, ETI_N_MEMBERS(members));
}

static void read_node_outputs(eti_program_reader *in) {
    read_program_arguments(in, &in->node->outputs);
}

static void read_debug_handle(eti_program_reader *in) {
    eti_text text;
    if (eti__json_read_string(in->json, &text) &&
        !eti__arena_copy_text(in->scratch, text, &in->node->debug_handle))
        eti__json_fail_memory(in->json);
}

static void read_stack_trace(eti_program_reader *in) {
    in->node->stack_trace = read_repeated_text(in, &in->program->stack_traces, &in->stack_trace);
}

static void read_module_stack(eti_program_reader *in) {
    in->node->module_stack = read_repeated_text(in, &in->program->module_stacks, &in->module_stack);
}

/* Returns the name of the oldest ancestor in a text such as [{"name": "linear", ..., "from_node": [{"name": "linear",
 * ..., "from_node": []}]}]. It is in the last element at each depth, and its name is the last name in the text, because
 * "from_node" is the last member. */
static eti_text find_origin(eti_text text) {
    static const char key[] = "\"name\": \"";
    const size_t n = sizeof key - 1;
    for (size_t at = text.size; at >= n; at--) {
        const char *name = text.data + at;
        const char *end = memcmp(name - n, key, n) == 0 ? memchr(name, '"', text.size - at) : NULL;
        if (end)
            return (eti_text){name, (size_t)(end - name)};
    }
    return (eti_text){NULL, 0};
}

static void read_origin(eti_program_reader *in) {
    eti_text text;
    if (!in->reads_values) {
        eti__json_skip(in->json);
        return;
    }
    if (!eti__json_read_string(in->json, &text))
        return;
    eti_text origin = find_origin(text);
    if (origin.size > 0)
        in->node->origin = number_text(in, &in->program->origins, origin, in->arena);
}

static void read_metadata(eti_program_reader *in) {
    static const eti_program_member members[] = {
        {ETI_KEY("debug_handle"), read_debug_handle},
        {ETI_KEY("stack_trace"), read_stack_trace},
        {ETI_KEY("nn_module_stack"), read_module_stack},
        {ETI_KEY("from_node"), read_origin},
    };
    in->node->debug_handle = (eti_text){NULL, 0};
    in->node->stack_trace = in->node->module_stack = in->node->origin = ETI_NO_TEXT;
    read_program_members(in, members, ETI_N_MEMBERS(members));
}

static void read_node(eti_program_reader *in) {
    static const eti_program_member members[] = {
        {ETI_KEY("target"), read_node_target},   {ETI_KEY("inputs"), read_node_inputs},
        {ETI_KEY("outputs"), read_node_outputs}, {ETI_KEY("metadata"), read_metadata},
        {ETI_KEY("name"), read_node_name}, /* missing in old files; the others always exist */
    };
    const size_t n_required = ETI_N_MEMBERS(members) - 1;
    in->node->target = in->node->functional = in->node->first_input_name = ETI_NO_TEXT;
    in->node->stack_trace = in->node->module_stack = in->node->origin = ETI_NO_TEXT;
    eti_program_keys found = read_program_members(in, members, ETI_N_MEMBERS(members));
    keep_node_name(in);
    if (in->node->target == ETI_NO_TEXT)
        eti__json_fail(in->json, ETI_ERROR_MALFORMED,
                       "expected a \"target\" in the node that ends here");
    for (size_t i = 0; i < n_required; i++) {
        if (!(found & 1u << i))
            eti__json_fail(in->json, ETI_ERROR_MALFORMED,
                           "expected \"%.*s\" in the node that ends here",
                           ETI_TEXT_ARGS(members[i].key));
    }
}

static void read_nodes(eti_program_reader *in) {
    eti_program *program = in->program;
    eti_program_node **end = &program->nodes;
    program->n_nodes = 0;
    *end = NULL;
    in->has_nodes = true;
    if (!eti__json_enter_array(in->json))
        return;
    while (eti__json_next_element(in->json) && count_program_item(in)) {
        in->node = eti__arena_alloc_zero(in->scratch, 1, sizeof *in->node);
        if (!in->node) {
            eti__json_fail_memory(in->json);
            return;
        }
        *end = in->node;
        end = &in->node->next;
        program->n_nodes++;
        read_node(in);
    }
}

/* ---- tensors --------------------------------------------------------------------------------- */

static void add_to_shape(eti_program_reader *in, eti_text size) {
    eti__buffer_add_string(&in->shape, in->shape.size > 1 ? ", " : "");
    eti__buffer_add_text(&in->shape, size);
}

static void read_fixed_size(eti_program_reader *in) {
    int64_t size;
    if (!eti__json_read_int64(in->json, &size))
        return;
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRId64, size);
    add_to_shape(in, (eti_text){digits, (size_t)n});
}

static void read_expression(eti_program_reader *in) {
    eti_text expression;
    if (eti__json_read_string(in->json, &expression))
        add_to_shape(in, expression);
}

static void read_symbolic_size(eti_program_reader *in) {
    static const eti_program_member members[] = {{ETI_KEY("expr_str"), read_expression}};
    read_program_members(in, members, ETI_N_MEMBERS(members));
}

static void read_sizes(eti_program_reader *in) {
    static const eti_program_member members[] = {{ETI_KEY("as_int"), read_fixed_size},
                                                 {ETI_KEY("as_expr"), read_symbolic_size}};
    eti_text_table *shapes = &in->program->shapes;
    size_t old_count = shapes->count;
    if (!eti__json_enter_array(in->json))
        return;
    in->shape.size = 0;
    eti__buffer_add_char(&in->shape, '[');
    while (eti__json_next_element(in->json))
        read_program_members(in, members, ETI_N_MEMBERS(members));
    eti__buffer_add_char(&in->shape, ']');
    if (in->shape.failed ||
        !eti__text_table_add(shapes, eti__buffer_text(&in->shape), in->arena, &in->tensor->shape))
        eti__json_fail_memory(in->json);
    else if (shapes->count > old_count)
        (void)count_program_item(in);
}

static void read_dtype(eti_program_reader *in) {
    (void)eti__json_read_int64(in->json, &in->tensor->dtype);
}

static void read_tensor_values(eti_program_reader *in) {
    static const eti_program_member members[] = {{ETI_KEY("dtype"), read_dtype},
                                                 {ETI_KEY("sizes"), read_sizes}};
    eti_program_tensor **end = &in->program->tensors;
    eti_text name;
    *end = NULL;
    if (!in->reads_values) {
        eti__json_skip(in->json);
        return;
    }
    if (!eti__json_enter_object(in->json))
        return;
    while (eti__json_next_key(in->json, &name) && count_program_item(in)) {
        in->tensor = eti__arena_alloc_zero(in->scratch, 1, sizeof *in->tensor);
        if (!in->tensor || !eti__arena_copy_text(in->scratch, name, &in->tensor->name)) {
            eti__json_fail_memory(in->json);
            return;
        }
        in->tensor->shape = ETI_NO_TEXT;
        *end = in->tensor;
        end = &in->tensor->next;
        if (!eti__json_take_null(in->json))
            read_program_members(in, members, ETI_N_MEMBERS(members));
    }
}

/* ---- the program ----------------------------------------------------------------------------- */

static void read_inputs(eti_program_reader *in) {
    read_program_arguments(in, &in->program->inputs);
}

static void read_outputs(eti_program_reader *in) {
    if (in->reads_values)
        read_program_arguments(in, &in->program->outputs);
    else
        eti__json_skip(in->json);
}

static void read_graph(eti_program_reader *in) {
    static const eti_program_member members[] = {{ETI_KEY("inputs"), read_inputs},
                                                 {ETI_KEY("outputs"), read_outputs},
                                                 {ETI_KEY("nodes"), read_nodes},
                                                 {ETI_KEY("tensor_values"), read_tensor_values}};
    read_program_members(in, members, ETI_N_MEMBERS(members));
}

/* Reads {"name": "x"} or an Argument; a constant, which has no name, counts as "". */
static void read_spec_arg(eti_program_reader *in) {
    static const eti_program_member members[] = {
        {ETI_KEY("name"), read_program_name},
        {ETI_KEY("as_tensor"), read_program_tensor},
        {ETI_KEY("as_sym_int"), read_program_symbol},
        {ETI_KEY("as_custom_obj"), read_program_object},
    };
    read_program_members(in, members, ETI_N_MEMBERS(members));
}

/* One of a union's alternatives, such as
 *     {"arg": {"name": "p_weight"}, "parameter_name": "weight"}
 *     {"name": "n", "value": {"as_int": 3}} */
static void read_spec(eti_program_reader *in) {
    static const eti_program_member members[] = {{ETI_KEY("arg"), read_spec_arg},
                                                 {ETI_KEY("name"), read_program_name}};
    read_program_members(in, members, ETI_N_MEMBERS(members));
}

static void read_weight_spec(eti_program_reader *in) {
    in->argument->is_weight = true;
    read_spec(in);
}

static void read_input_specs(eti_program_reader *in) {
    static const eti_program_member alternatives[] = {
        {ETI_KEY("user_input"), read_spec},
        {ETI_KEY("parameter"), read_weight_spec},
        {ETI_KEY("buffer"), read_weight_spec},
        {ETI_KEY("token"), read_spec},
        {ETI_KEY("tensor_constant"), read_weight_spec},
        {ETI_KEY("custom_obj"), read_weight_spec},
        {ETI_KEY("constant_input"), read_spec},
    };
    eti_argument **end = &in->program->input_specs;
    *end = NULL;
    if (!eti__json_enter_array(in->json))
        return;
    in->keep_names = true;
    while (eti__json_next_element(in->json) &&
           (in->argument = add_program_argument(in, &end)) != NULL)
        read_nonempty_object(in, alternatives, ETI_N_MEMBERS(alternatives));
}

static void read_signature(eti_program_reader *in) {
    static const eti_program_member members[] = {{ETI_KEY("input_specs"), read_input_specs}};
    read_program_members(in, members, ETI_N_MEMBERS(members));
}

static void read_graph_module(eti_program_reader *in) {
    static const eti_program_member members[] = {{ETI_KEY("graph"), read_graph},
                                                 {ETI_KEY("signature"), read_signature}};
    read_program_members(in, members, ETI_N_MEMBERS(members));
}

void eti__program_read(eti_program *out, eti_program_extent extent, eti_program_lowering *lowering,
                       eti_json *json, eti_arena *arena, eti_arena *scratch) {
    static const eti_program_member members[] = {{ETI_KEY("graph_module"), read_graph_module}};
    *out = (eti_program){0};
    eti_program_reader in = {.json = json,
                             .arena = arena,
                             .scratch = scratch,
                             .program = out,
                             .lowering = lowering,
                             .n_items = lowering ? lowering->n_items : 0,
                             .reads_values = extent == ETI_PROGRAM_VALUES,
                             .reads_inputs = extent != ETI_PROGRAM_NODES};
    read_program_members(&in, members, ETI_N_MEMBERS(members));
    if (lowering)
        lowering->n_items = in.n_items;
    eti__buffer_free(&in.node_name);
    eti__buffer_free(&in.shape);
    eti__buffer_free(&in.stack_trace.spelling);
    eti__buffer_free(&in.module_stack.spelling);
    if (!in.has_nodes)
        eti__json_fail(json, ETI_ERROR_MALFORMED,
                       "expected graph_module.graph.nodes before this end of the program");
}

void eti__program_free(eti_program *program) {
    eti__text_table_free(&program->targets);
    eti__text_table_free(&program->input_names);
    eti__text_table_free(&program->stack_traces);
    eti__text_table_free(&program->module_stacks);
    eti__text_table_free(&program->origins);
    eti__text_table_free(&program->shapes);
}
