#include "etrecord/graph.h"

#include "base/python.h"
#include "etrecord/exported_program.h"
#include "etrecord/fx_names.h"
#include "etrecord/lowered_module.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ==== node ==================================================================================== */

/* The path of such a wrapper is, for example,
 * "torch.export._trace._non_strict_export.<locals>._tuplify_outputs.<locals>._aot_export_non_strict.<locals>.Wrapper". */
bool eti__module_is_wrapper(const eti_module *module) {
    const eti_text start = eti__text_of("torch.export."), end = eti__text_of(".<locals>.Wrapper");
    eti_text type = module->type;
    return module->path.size == 0 && type.size >= start.size + end.size &&
           memcmp(type.data + type.size - end.size, end.data, end.size) == 0 &&
           memcmp(type.data, start.data, start.size) == 0;
}

bool eti__node_is_inserted(const eti_op_node *node) {
    return node->is_of_quantizer ||
           (node->n_modules == 1 && eti__module_is_wrapper(&node->modules[0]));
}

/* Returns whether a node quantizes in a graph module that a quantizer made of the model. Other nodes of such a module may be
 * the model's own. */
static bool is_of_quantizer(const eti_graph_node *node) {
    const eti_module *modules = node->node.modules;
    return node->node.n_modules == 1 && modules[0].path.size == 0 &&
           eti__text_begins_with(modules[0].type, "torch.fx.graph_module.GraphModule") &&
           eti__text_contains(node->target, eti__text_of("quantize"));
}

bool eti__node_has_own_modules(const eti_op_node *node) {
    return node->n_modules > 0 && !eti__node_is_inserted(node);
}

eti_text eti_module_key(const eti_module *module) {
    return module->key;
}

eti_text eti_module_path(const eti_module *module) {
    return module->path;
}

eti_text eti_module_type(const eti_module *module) {
    return module->type;
}

eti_text eti_op_node_name(const eti_op_node *node) {
    return node->name;
}

eti_text eti_op_node_stack_trace(const eti_op_node *node) {
    return node->stack_trace;
}

bool eti_op_node_has_modules(const eti_op_node *node) {
    return node->has_modules;
}

size_t eti_op_node_module_count(const eti_op_node *node) {
    return node->n_modules;
}

const eti_module *eti_op_node_module(const eti_op_node *node, size_t i) {
    return i < node->n_modules ? &node->modules[i] : NULL;
}

const eti_op_node *eti_graph_node_op_node(const eti_graph_node *node) {
    return &node->node;
}

eti_text eti_graph_node_op_type(const eti_graph_node *node) {
    return node->inspector_op.data ? node->inspector_op : node->op_type;
}

eti_text eti_graph_node_target(const eti_graph_node *node) {
    return node->target;
}

bool eti_graph_node_debug_handle(const eti_graph_node *node, int64_t *out) {
    *out = node->has_debug_handle ? node->debug_handle : 0;
    return node->has_debug_handle;
}

/* ==== node metadata =========================================================================== */

/* ---- debug_handle ---------------------------------------------------------------------------- */

/* Parses digits with single "_" between them, up to 2 ** 63. */
static bool parse_magnitude(eti_text digits, uint64_t *out) {
    *out = 0;
    bool digit_before = false;
    for (size_t i = 0; i < digits.size; i++) {
        char c = digits.data[i];
        if (c == '_' && digit_before) {
            digit_before = false;
            continue;
        }
        if (c < '0' || c > '9' || *out > (uint64_t)INT64_MAX / 10)
            return false;
        *out = *out * 10 + (uint64_t)(c - '0');
        digit_before = true;
    }
    return digit_before && *out <= (uint64_t)INT64_MAX + 1;
}

eti_status eti__debug_handle_parse(eti_text text, bool *has_handle, int64_t *handle,
                                   eti_error *err) {
    *handle = 0;
    *has_handle = text.size > 0;
    if (!*has_handle)
        return ETI_OK;
    eti_text digits = eti__python_strip_number(text);
    bool negative = digits.size > 0 && digits.data[0] == '-';
    if (negative || (digits.size > 0 && digits.data[0] == '+'))
        digits = eti__text_from(digits, 1);
    uint64_t magnitude;
    if (!parse_magnitude(digits, &magnitude) || (!negative && magnitude > INT64_MAX))
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "debug_handle: expected an integer, found \"%.*s\"", ETI_TEXT_ARGS(text));
    uint64_t bits = negative ? 0 - magnitude : magnitude;
    memcpy(handle, &bits, sizeof *handle);
    return ETI_OK;
}

/* ---- nn_module_stack ------------------------------------------------------------------------- */

/* Splits `*rest` at the next ';'; returns false if nothing is left. */
static bool next_entry(eti_text *rest, eti_text *entry) {
    if (!rest->data)
        return false;
    const char *end = memchr(rest->data, ';', rest->size);
    *entry = *rest;
    if (!end) {
        *rest = (eti_text){NULL, 0};
        return true;
    }
    entry->size = (size_t)(end - entry->data);
    *rest = (eti_text){end + 1, rest->size - entry->size - 1};
    return true;
}

/* Splits "key,path,type"; returns false if there are not exactly three parts, or if a bracket is closed before it is
 * opened. */
static bool split_entry(eti_text entry, eti_text parts[3]) {
    static const bool is_special[UCHAR_MAX + 1] = {
        [','] = true, ['['] = true, ['('] = true, [']'] = true, [')'] = true};
    size_t n = 0;
    size_t start = 0;
    size_t depth = 0;
    for (size_t i = 0; i <= entry.size; i++) {
        while (i < entry.size && !is_special[(unsigned char)entry.data[i]])
            i++;
        bool at_end = i == entry.size;
        int c = at_end ? ',' : entry.data[i];
        if (c == '[' || c == '(') {
            depth++;
        } else if (c == ']' || c == ')') {
            if (depth-- == 0)
                return false;
        } else if (depth == 0 || at_end) {
            if (n == 3)
                return false;
            parts[n++] = eti__python_strip((eti_text){entry.data + start, i - start});
            start = i + 1;
        }
    }
    return n == 3;
}

typedef struct module_list {
    eti_module *modules;
    size_t n;
    size_t longest_key;
    eti_text_table
        keys; /* keys of all modules; empty as long as every key was longer than those before */
} module_list;

/* Finds the place of a key. Of equal keys, the last value counts, in the place of the first. A module's key is longer
 * than that of the enclosing module, so that look-ups are rarely needed. */
static bool find_place(module_list *list, eti_text key, size_t *place) {
    bool is_longest = list->n == 0 || key.size > list->longest_key;
    uint32_t number;
    *place = list->n;
    if (is_longest)
        list->longest_key = key.size;
    if (is_longest && list->keys.count == 0)
        return true;
    while (list->keys.count < list->n) {
        if (!eti__text_table_add(&list->keys, list->modules[list->keys.count].key, NULL, &number))
            return false;
    }
    if (!eti__text_table_add(&list->keys, key, NULL, &number))
        return false;
    *place = number;
    return true;
}

static eti_status read_entries(eti_text text, module_list *list, eti_error *err) {
    eti_text entry;
    while (next_entry(&text, &entry)) {
        eti_text parts[3];
        size_t place;
        if (!split_entry(entry, parts))
            return eti_fail(err, ETI_ERROR_MALFORMED,
                            "nn_module_stack: expected \"key,path,type\", found \"%.*s\"",
                            ETI_TEXT_ARGS(entry));
        if (!find_place(list, parts[0], &place))
            return eti_fail_memory(err);
        list->modules[place] = (eti_module){parts[0], parts[1], parts[2]};
        list->n += place == list->n;
    }
    return ETI_OK;
}

static size_t count_entries(eti_text text) {
    size_t n = 0;
    eti_text ignored;
    while (next_entry(&text, &ignored))
        n++;
    return n;
}

/* Counts the entries before it allocates, because a module is much larger than ",,;". */
eti_status eti__module_stack_parse(eti_text text, size_t *left, eti_arena *arena,
                                   const eti_module **modules, size_t *n_modules, eti_error *err) {
    size_t n = count_entries(text);
    *modules = NULL;
    *n_modules = 0;
    if (n > *left)
        return eti_fail(err, ETI_ERROR_LIMIT,
                        "nn_module_stack: more than %zu modules in all stacks of the graph",
                        ETI_MOST_MODULES);
    *left -= n;
    module_list list = {.modules = eti__arena_alloc(arena, n, sizeof *list.modules)};
    if (!list.modules)
        return eti_fail_memory(err);
    eti_status status = read_entries(text, &list, err);
    eti__text_table_free(&list.keys);
    if (status != ETI_OK)
        return status;
    *modules = list.modules;
    *n_modules = list.n;
    return ETI_OK;
}

/* ==== op target =============================================================================== */

/* A rule for targets; the first matching prefix decides. The displayed part follows the prefix and `drop` more dotted
 * parts, and must have `least` to `most` parts; otherwise the target is unknown. */
typedef struct rule {
    const char *prefix;
    eti_op_kind kind;
    size_t drop;
    size_t least, most;
} rule;

static const rule rules[] = {
    {"executorch.exir.dialects.edge.ops.", ETI_OP_EDGE, 0, 1, SIZE_MAX},
    {"executorch.exir.dialects.backend.ops.", ETI_OP_EDGE, 0, 1, SIZE_MAX},
    {"torch.ops.higher_order.", ETI_OP_TORCH, 0, 1, 1},
    {"torch.ops.", ETI_OP_TORCH, 1, 1, 2},
    {"torch.", ETI_OP_TORCH, 0, 1, 1},
    {"_operator.", ETI_OP_TORCH, 0, 1, 1},
};

static size_t count_parts(eti_text text) {
    size_t n = 1;
    for (size_t i = 0; i < text.size; i++)
        n += text.data[i] == '.';
    return n;
}

/* Returns the parts after the first `n`; empty if there are no more. */
static eti_text drop_parts(eti_text text, size_t n) {
    for (; n > 0 && text.size > 0; n--) {
        const char *dot = memchr(text.data, '.', text.size);
        text = eti__text_from(text, dot ? (size_t)(dot - text.data) + 1 : text.size);
    }
    return text;
}

static eti_op_target apply(const rule *applied, eti_text target) {
    eti_text op = drop_parts(eti__text_from(target, strlen(applied->prefix)), applied->drop);
    size_t n_parts = count_parts(op);
    if (op.size == 0 || n_parts < applied->least || n_parts > applied->most)
        return (eti_op_target){ETI_OP_UNKNOWN, target};
    return (eti_op_target){applied->kind, op};
}

eti_op_target eti__op_target_of(eti_text target) {
    if (eti__text_is(target, "memory.alloc"))
        return (eti_op_target){ETI_OP_ALLOC, eti__text_of("alloc")};
    if (eti__text_is(target, "executorch.exir.memory.view"))
        return (eti_op_target){ETI_OP_UNKNOWN, eti__text_of("view")};
    if (eti__text_is(target, ETI_DELEGATE_TARGET))
        return (eti_op_target){ETI_OP_DELEGATE, drop_parts(target, 3)};
    if (eti__text_is(target, "torch.sym_sqrt")) /* its __name__ differs */
        return (eti_op_target){ETI_OP_TORCH, eti__text_of("_sym_sqrt")};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (eti__text_begins_with(target, rules[i].prefix))
            return apply(&rules[i], target);
    }
    return (eti_op_target){ETI_OP_UNKNOWN, target};
}

/* ==== graph =================================================================================== */

/*
 * Names are given in the order in which executorch's GraphModuleDeserializer makes nodes, because each name may change later
 * ones: first all placeholders; then, for every node of the file, the graphs and the lowered module among its inputs, the
 * node, and one getitem per result if there are several. The names of placeholders and getitems are not shown; they only
 * take up names.
 */

/* The modules of a stack, parsed once for all nodes that share it. */
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
    size_t modules_left;         /* remaining part of ETI_MOST_MODULES */
    bool reads_inputs;           /* store the inputs of nodes */
    bool has_functional;         /* a node is an auto_functionalized */
    eti_op_target *targets;      /* by number in program.targets */
    eti_fx_names names;
} builder;

/* ---- names ----------------------------------------------------------------------------------- */

/* Takes the names of placeholders. A constant has no name of its own; the signature has one at the same position. */
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

/* Returns the text with a number; "" for ETI_NO_TEXT. */
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

/* Returns the name that torch is asked for; absent if it is to be made from the operator's. */
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

/* Names a node. Names from the program already have the Inspector's final "_" after them, and so do names that were made. */
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

/* Takes the names of getitems. A single result is the node itself; if it is a list, getitems return its elements. */
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

/* Adds the metadata. Empty texts count as absent. Operators of torch itself get an empty module stack instead of none. */
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

/* Returns the name of an operator with its namespace: "llama.update_cache.default" for
 * "torch.ops.llama.update_cache.default". */
static eti_text functional_op(eti_text target) {
    eti__text_take(&target, "torch.ops.");
    return target;
}

static eti_status build_node(builder *b, const eti_program_node *node, eti_op_target op,
                             eti_graph_node *out, eti_error *err) {
    *out =
        (eti_graph_node){.op_type = op.op_type, .target = b->program.targets.texts[node->target]};
    if (node->functional != ETI_NO_TEXT) {
        out->inspector_op = op.op_type;
        out->op_type = functional_op(b->program.targets.texts[node->functional]);
        b->has_functional = true;
    }
    if (!name_attributes(b, node, op.kind) || !name_node(b, node, op, &out->node.name) ||
        !name_getitems(b, node->outputs))
        return eti_fail_memory(err);
    eti_status status = add_metadata(b, node, op.kind, out, err);
    out->node.is_of_quantizer = is_of_quantizer(out);
    if (status != ETI_OK && status != ETI_ERROR_MEMORY) {
        eti_text name = {out->node.name.data, out->node.name.size - 1};
        eti__error_prefix(err, "node %.*s", ETI_TEXT_ARGS(name));
    }
    return status;
}

/* Parses every distinct target, and makes room for every distinct module stack. */
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

/* Makes the nodes of the program; `nodes` has room for them. */
static eti_status build_nodes(builder *b, eti_graph_node *nodes, size_t *n_out, eti_error *err) {
    if (!build_tables(b) || !name_placeholders(b))
        return eti_fail_memory(err);

    size_t n = 0;
    for (eti_program_node *node = b->program.nodes; node; node = node->next) {
        eti_op_target op = b->targets[node->target];
        ETI_TRY(build_node(b, node, op, &nodes[n], err));
        node->number = op.kind == ETI_OP_ALLOC ? ETI_NO_NODE : (uint32_t)n++;
    }
    *n_out = n;
    return ETI_OK;
}

/* ---- inputs of nodes ------------------------------------------------------------------------- */

static uint32_t producer_of(const eti_graph_values *values, size_t i, uint32_t k) {
    return values->values[values->ports[i].inputs[k]].producer;
}

static bool set_producers(eti_arena *arena, eti_graph_node *nodes, size_t n,
                          const eti_graph_values *values) {
    for (size_t i = 0; i < n; i++) {
        uint32_t n_inputs = values->ports[i].n_inputs;
        const eti_graph_node **producers = eti__arena_alloc(arena, n_inputs, sizeof *producers);
        if (!producers)
            return false;
        nodes[i].producers = producers;
        for (uint32_t k = 0; k < n_inputs; k++) {
            uint32_t producer = producer_of(values, i, k);
            if (producer < i)
                producers[nodes[i].n_producers++] = &nodes[producer];
        }
    }
    return true;
}

/* ---- nodes that a quantizer inserted --------------------------------------------------------- */

static const eti_op_node *operator_of(const eti_graph_node *nodes, size_t i) {
    const eti_op_node *node = &nodes[i].node;
    return eti__node_has_own_modules(node) ? node : node->served;
}

/* Lets inserted nodes serve their users. Goes from the last node to the first, so that the first user of a node is
 * applied last and counts. */
static void serve_users(eti_graph_node *nodes, size_t n, const eti_graph_values *values) {
    for (size_t i = n; i-- > 0;) {
        const eti_op_node *served = operator_of(nodes, i);
        for (uint32_t k = 0; k < values->ports[i].n_inputs && served; k++) {
            uint32_t producer = producer_of(values, i, k);
            if (producer < i && !eti__node_has_own_modules(&nodes[producer].node))
                nodes[producer].node.served = served;
        }
    }
}

/* Lets inserted nodes without a user serve the node of their input. */
static void serve_producers(eti_graph_node *nodes, size_t n, const eti_graph_values *values) {
    for (size_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < values->ports[i].n_inputs && !operator_of(nodes, i); k++) {
            uint32_t producer = producer_of(values, i, k);
            if (producer < i)
                nodes[i].node.served = operator_of(nodes, producer);
        }
    }
}

static bool have_one_handle(const eti_graph_node *a, const eti_graph_node *b) {
    return a->has_debug_handle && b->has_debug_handle && a->debug_handle == b->debug_handle;
}

/* Lets nodes that quantize the result of an operator, and therefore have its debug handle, serve it. */
static void serve_handles(eti_graph_node *nodes, size_t n, const eti_graph_values *values) {
    for (size_t i = 0; i < n; i++) {
        bool has_own = eti__node_has_own_modules(&nodes[i].node);
        for (uint32_t k = 0; k < values->ports[i].n_inputs && !has_own; k++) {
            uint32_t producer = producer_of(values, i, k);
            if (producer < i && have_one_handle(&nodes[i], &nodes[producer]) &&
                operator_of(nodes, producer))
                nodes[i].node.served = operator_of(nodes, producer);
        }
    }
}

/* Sets the inputs of nodes, if requested, and the operators served by nodes without modules of their own. False: out of
 * memory. */
static bool connect(const builder *b, eti_graph_node *nodes, size_t n) {
    eti_graph_values values;
    if (!b->reads_inputs && !b->program.is_quantized)
        return true;
    if (!eti__graph_values_make(&values, &b->program, n, b->scratch) ||
        (b->reads_inputs && !set_producers(b->arena, nodes, n, &values)))
        return false;
    if (!b->program.is_quantized)
        return true;
    serve_users(nodes, n, &values);
    serve_producers(nodes, n, &values);
    serve_handles(nodes, n, &values);
    return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Adds the nodes of a lowered module; a module that cannot be built has none. */
static eti_status build_module(builder *outer, const eti_lowered_program *of, eti_graph_node *nodes,
                               eti_lowered_module *out, eti_error *err) {
    builder b = {.arena = outer->arena,
                 .scratch = outer->scratch,
                 .program = of->program,
                 .modules_left = outer->modules_left};
    *out =
        (eti_lowered_module){.backend = of->backend, .payload = of->payload, .call = ETI_NO_NODE};
    eti__fx_names_init(&b.names, outer->arena);
    eti_status status = build_nodes(&b, nodes, &out->n_nodes, err);
    outer->modules_left = b.modules_left;
    outer->has_functional |= b.has_functional;
    if (status == ETI_OK && !connect(&b, nodes, out->n_nodes))
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
        module->first = out->n_nodes + out->n_lowered;
        out->n_lowered += module->n_nodes;
    }
    for (const eti_program_node *node = b->program.nodes; node; node = node->next) {
        if (node->lowered > 0 && node->lowered <= out->n_modules)
            modules[node->lowered - 1].call = node->number;
    }
    return ETI_OK;
}

static size_t count_nodes(const builder *b, const eti_lowered_programs *lowered) {
    size_t n = b->program.n_nodes;
    for (const eti_lowered_program *of = lowered->first; of; of = of->next)
        n += of->program.n_nodes;
    return n;
}

/* Builds the graph; `values` is NULL if values are not requested. */
static eti_status build_graph(builder *b, const eti_lowered_programs *lowered, eti_graph *out,
                              eti_graph_values *values, eti_error *err) {
    size_t n = 0;
    eti_graph_node *nodes = eti__arena_alloc(b->arena, count_nodes(b, lowered), sizeof *nodes);
    if (!nodes)
        return eti_fail_memory(err);
    ETI_TRY(build_nodes(b, nodes, &n, err));
    *out = (eti_graph){.nodes = nodes, .n_nodes = n};
    if (!connect(b, nodes, n))
        return eti_fail_memory(err);
    if (lowered->n > 0)
        ETI_TRY(build_modules(b, lowered, nodes + n, out, err));
    out->has_functional = b->has_functional;
    bool done =
        !values || eti__graph_values_make_lowered(values, &b->program, lowered, out, b->arena);
    return done ? ETI_OK : eti_fail_memory(err);
}

static void read_lowered_module(void *context, eti_json *json) {
    eti__lowered_module_read(context, json);
}

static eti_status read_graph(eti_graph *out, eti_graph_values *values, bool lowers,
                             eti_arena *arena, eti_json *json, eti_error *err) {
    *out = (eti_graph){0};
    eti_arena scratch = {0};
    const eti_program_extent extent = values   ? ETI_PROGRAM_VALUES
                                      : lowers ? ETI_PROGRAM_INPUTS
                                               : ETI_PROGRAM_NODES;
    builder b = {.arena = arena,
                 .scratch = &scratch,
                 .modules_left = ETI_MOST_MODULES,
                 .reads_inputs = extent != ETI_PROGRAM_NODES};
    eti_lowered_programs lowered = {.arena = arena,
                                    .scratch = &scratch,
                                    .extent = values ? ETI_PROGRAM_VALUES : ETI_PROGRAM_NODES};
    eti_program_lowering lowering = {lowers ? read_lowered_module : NULL, &lowered, 0, 0};
    eti__fx_names_init(&b.names, arena);
    eti__program_read(&b.program, extent, &lowering, json, arena, &scratch);
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
    return read_graph(out, values, true, arena, json, err);
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
