/*
 * record_shapes.c - ETRecords beside a small ETDump.
 */
#include "shapes.h"

#define GRAPH_START "{\"graph_module\": {\"graph\": {\"inputs\": [], \"nodes\": ["
#define GRAPH_END "]}}}"
#define NODE_TAIL "\"inputs\": [], \"outputs\": [], \"metadata\": {}}"

/* Approximate size of the ZIP itself. */
#define ZIP_BYTES 500

static size_t json_bytes(size_t size) {
    return size > ZIP_BYTES + 100 ? size - ZIP_BYTES : 100;
}

static eti_buffer *start_graph(files *out, bool is_deflated) {
    eti_buffer *json = start_member(out, "edge_dialect_exported_program/forward", is_deflated);
    eti__buffer_add_string(json, GRAPH_START);
    return json;
}

static void start_record(files *out) {
    make_small_dump(&out->dump, 8);
    (void)start_member(out, "ETRECORD_V0", false);
}

/* Adds weights, or another unread member, that make the file as large as required. */
static void pad(files *out, size_t size, size_t used) {
    if (used < size)
        add_until(start_member(out, "program_buffer", false), "pad", size - used);
}

/* ---- valid records --------------------------------------------------------------------------- */

/* Writes digits that no compressor can shorten much. */
static unsigned long long draw(size_t i) {
    return (i + 1) * 6364136223846793005u >> 11;
}

static void add_real_node(eti_buffer *out, size_t i) {
    static const char *const operators[] = {"addmm", "permute_copy", "view_copy", "bmm", "gelu"};
    const char *op = operators[i % 5];
    eti__buffer_printf(
        out,
        "{\"name\": \"aten_%s_default_%zu\", \"target\": \"executorch.exir.dialects.edge.ops.aten."
        "%s.default\", \"inputs\": [{\"name\": \"self\", \"arg\": {\"as_tensor\": {\"name\": "
        "\"aten_%s_default_%zu\"}}}, {\"name\": \"sizes\", \"arg\": {\"as_ints\": [16, 16, 16]}}, "
        "{\"name\": \"dim\", \"arg\": {\"as_int\": -1}}], \"outputs\": [{\"as_tensor\": {\"name\": "
        "\"aten_%s_default_%zu\"}}], \"metadata\": {",
        op, i, op, op, i ? i - 1 : 0, op, i);
    eti__buffer_printf(
        out,
        "\"stack_trace\": \"File \\\"/home/user/models/model.py\\\", line 97, in forward\\n    x = "
        "x + self.attention(self.attention_norm(x))\\n  File \\\"/home/user/models/model.py\\\", "
        "line %zu, in forward\\n    q, k, v = (self.split_heads(part) for part in "
        "self.qkv(x).chunk(3, dim=-1))\", \"nn_module_stack\": "
        "\"L__self__,,models.Transformer;L__self___layers_%zu,layers.%zu,models.Block\", "
        "\"torch_fn\": \"chunk_%llu;method_descriptor.chunk\", \"debug_handle\": \"%zu\", "
        "\"from_node\": \"[{\\\"name\\\": \\\"split\\\", \\\"target\\\": "
        "\\\"aten.split.Tensor\\\", "
        "\\\"graph_id\\\": %llu, \\\"pass_name\\\": \\\"ExportedProgram.module()\\\", "
        "\\\"action\\\": \\\"create\\\", \\\"from_node\\\": []}]\"}}",
        80 + i % 50, i / 20, i / 20, draw(i), i + 1, draw(i + 1));
}

size_t add_real_nodes(eti_buffer *out, size_t first, size_t size) {
    size_t i = first;
    do {
        eti__buffer_add_string(out, i > first ? ", " : "");
        add_real_node(out, i++);
    } while (out->size < size);
    return i;
}

/* Writes the description of every tensor, which takes as much text as the nodes. */
static void add_tensor_values(eti_buffer *out, size_t size) {
    eti__buffer_add_string(out, "], \"tensor_values\": {\"x\": {}");
    for (size_t i = 0; out->size < size; i++)
        eti__buffer_printf(
            out,
            ", \"aten_permute_copy_default_%zu\": {\"dtype\": 7, \"sizes\": [{\"as_int\": 1}, "
            "{\"as_int\": 128}], \"requires_grad\": false, \"device\": {\"type\": \"cpu\", "
            "\"index\": null}, \"strides\": [{\"as_int\": 128}, {\"as_int\": 1}], "
            "\"storage_offset\": {\"as_int\": 0}, \"layout\": 7}",
            i);
    eti__buffer_add_string(out, "}}}}");
}

static void make_valid(files *out, size_t size, bool is_deflated) {
    start_record(out);
    eti__buffer_add_string(start_member(out, "debug_handle_map", false),
                           "{\"forward\": {\"0\": 1, \"1\": 2, \"2\": [3, 4]}}");
    eti_buffer *json = start_graph(out, is_deflated);
    size_t n = json_bytes(size) * (is_deflated ? 8 : 1);
    (void)add_real_nodes(json, 0, n - n / 4);
    add_tensor_values(json, n);
}

static void make_valid_record(files *out, size_t size) {
    make_valid(out, size, false);
}

static void make_valid_deflated(files *out, size_t size) {
    make_valid(out, size, true);
    pad(out, size, size / 3);
}

/* ---- skipped JSON ---------------------------------------------------------------------------- */

/* Adds an unused member of the graph: `before`, repeated `text`, `after`. */
static void skip_json(files *out, size_t size, const char *before, const char *text,
                      const char *after) {
    start_record(out);
    eti_buffer *json = start_graph(out, false);
    eti__buffer_add_string(json, "], \"ignored\": ");
    eti__buffer_add_string(json, before);
    add_until(json, text, json_bytes(size));
    eti__buffer_add_string(json, after);
    eti__buffer_add_string(json, "}}}");
}

static void make_json_zeros(files *out, size_t size) {
    skip_json(out, size, "[0", ",0", "]");
}

static void make_json_empty_lists(files *out, size_t size) {
    skip_json(out, size, "[0", ",[]", "]");
}

static void make_json_empty_keys(files *out, size_t size) {
    skip_json(out, size, "{\"\":0", ",\"\":0", "}");
}

static void make_json_nested(files *out, size_t size) {
    skip_json(out, size, "", "[", "");
}

static void make_json_nested_to_limit(files *out, size_t size) {
    eti_buffer text = {0};
    eti__buffer_add_repeated(&text, "[", 250);
    eti__buffer_add_repeated(&text, "]", 250);
    eti__buffer_add(&text, ",", 2);
    skip_json(out, size, "[", text.data, "0]");
    eti__buffer_free(&text);
}

static void make_json_digits(files *out, size_t size) {
    skip_json(out, size, "1", "7", "");
}

static void make_json_blanks(files *out, size_t size) {
    skip_json(out, size, "", " ", "0");
}

static void make_json_escapes(files *out, size_t size) {
    skip_json(out, size, "\"", "\\n", "\"");
}

static void make_json_unicode_escapes(files *out, size_t size) {
    skip_json(out, size, "\"", "\\u00e9", "\"");
}

static void make_json_accents(files *out, size_t size) {
    skip_json(out, size, "\"", "a\xc3\xa9", "\"");
}

/* ---- maps ------------------------------------------------------------------------------------ */

/* Adds a map of "forward": `before`, repeated `text`, `after`. */
static void repeat_in_map(files *out, size_t size, const char *map, const char *before,
                          const char *text, const char *after) {
    start_record(out);
    eti_buffer *json = start_member(out, map, false);
    eti__buffer_add_string(json, before);
    add_until(json, text, json_bytes(size));
    eti__buffer_add_string(json, after);
}

static void make_handle_list(files *out, size_t size) {
    repeat_in_map(out, size, "debug_handle_map", "{\"forward\": {\"0\": [1", ",1", "]}}");
}

static void make_equal_keys(files *out, size_t size) {
    repeat_in_map(out, size, "debug_handle_map", "{\"forward\": {\"0\":1", ",\"0\":1", "}}");
}

static void make_equal_lists(files *out, size_t size) {
    repeat_in_map(out, size, "debug_handle_map", "{\"forward\": {\"0\":[]", ",\"0\":[]", "}}");
}

static void make_equal_methods(files *out, size_t size) {
    repeat_in_map(out, size, "debug_handle_map", "{\"forward\":{}", ",\"forward\":{\"0\":1}", "}");
}

static void make_equal_delegate_maps(files *out, size_t size) {
    repeat_in_map(out, size, "delegate_map", "{\"forward\": {\"0\": {\"name\": \"B\"",
                  ",\"delegate_map\":{\"a\":1}", "}}}");
}

static void make_equal_backends(files *out, size_t size) {
    repeat_in_map(out, size, "delegate_map", "{\"forward\": {\"0\": {\"name\": \"B\"",
                  ",\"name\":\"\"", "}}}");
}

static void number_keys(eti_buffer *json, size_t size, const char *value) {
    for (uint64_t i = 0; json->size < size; i++) {
        eti__buffer_add_string(json, i ? ",\"" : "\"");
        add_number(json, i);
        eti__buffer_add_string(json, value);
    }
}

static void make_many_instructions(files *out, size_t size) {
    start_record(out);
    eti_buffer *json = start_member(out, "debug_handle_map", false);
    eti__buffer_add_string(json, "{\"forward\":{");
    number_keys(json, json_bytes(size), "\":1");
    eti__buffer_add_string(json, "}}");
}

static void make_many_delegates(files *out, size_t size) {
    start_record(out);
    eti_buffer *json = start_member(out, "delegate_map", false);
    eti__buffer_add_string(json, "{\"forward\":{");
    number_keys(json, json_bytes(size), "\":{}");
    eti__buffer_add_string(json, "}}");
}

static void make_many_delegate_keys(files *out, size_t size) {
    start_record(out);
    eti_buffer *json = start_member(out, "delegate_map", false);
    eti__buffer_add_string(json, "{\"forward\":{\"0\":{\"delegate_map\":{");
    number_keys(json, json_bytes(size), "\":1");
    eti__buffer_add_string(json, "}}}}");
}

static void make_many_methods(files *out, size_t size) {
    start_record(out);
    eti_buffer *json = start_member(out, "debug_handle_map", false);
    eti__buffer_add_string(json, "{");
    number_keys(json, json_bytes(size), "\":{\"0\":1}");
    eti__buffer_add_string(json, "}");
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* Adds a graph of identical nodes, up to `bytes` of text. */
static void repeat_node(files *out, size_t bytes, const char *node, bool is_deflated) {
    start_record(out);
    eti_buffer *json = start_graph(out, is_deflated);
    eti__buffer_add_string(json, node);
    eti_buffer text = {0};
    eti__buffer_add_string(&text, ",");
    eti__buffer_add(&text, node, strlen(node) + 1);
    add_until(json, text.data, bytes);
    eti__buffer_free(&text);
    eti__buffer_add_string(json, GRAPH_END);
}

#define SMALL_NODE "{\"target\":\"t\",\"inputs\":[],\"outputs\":[],\"metadata\":{}}"
#define NAMED_NODE                                                                                 \
    "{\"name\":\"x\",\"target\":\"torch.x\",\"inputs\":[],\"outputs\":[],\"metadata\":{}}"

static void make_small_nodes(files *out, size_t size) {
    repeat_node(out, json_bytes(size), SMALL_NODE, false);
}

static void make_equal_names(files *out, size_t size) {
    repeat_node(out, json_bytes(size), NAMED_NODE, false);
}

/* Adds a node whose `list` repeats `item`. */
static void repeat_in_node(files *out, size_t bytes, const char *list, const char *item,
                           bool is_deflated) {
    start_record(out);
    eti_buffer *json = start_graph(out, is_deflated);
    eti__buffer_add_string(json, "{\"target\":\"t\",\"metadata\":{}");
    if (strcmp(list, "inputs") != 0)
        eti__buffer_add_string(json, ",\"inputs\":[]");
    if (strcmp(list, "outputs") != 0)
        eti__buffer_add_string(json, ",\"outputs\":[]");
    eti__buffer_printf(json, ",\"%s\":[%s", list, item + 1);
    add_until(json, item, bytes);
    eti__buffer_add_string(json, "]}" GRAPH_END);
}

static void make_many_outputs(files *out, size_t size) {
    repeat_in_node(out, json_bytes(size), "outputs", ",{\"\":0}", false);
}

static void make_many_graphs(files *out, size_t size) {
    repeat_in_node(out, json_bytes(size), "inputs", ",{\"arg\":{\"as_graph\":0}}", false);
}

/* Adds the inputs of the graph, or their descriptions in its signature. */
static void repeat_inputs(files *out, size_t size, const char *before, const char *after) {
    start_record(out);
    eti_buffer *json = start_member(out, "edge_dialect_exported_program/forward", false);
    eti__buffer_add_string(json, before);
    add_until(json, ",{\"\":0}", json_bytes(size));
    eti__buffer_add_string(json, after);
}

static void make_many_inputs(files *out, size_t size) {
    repeat_inputs(out, size, "{\"graph_module\":{\"graph\":{\"nodes\":[],\"inputs\":[{\"\":0}",
                  "]}}}");
}

static void make_many_specs(files *out, size_t size) {
    repeat_inputs(out, size,
                  "{\"graph_module\":{\"graph\":{\"nodes\":[]},\"signature\":{\"input_specs\":[{"
                  "\"\":0}",
                  "]}}}");
}

/* Names that collide with the numbers of others. */
static void make_taken_names(files *out, size_t size) {
    start_record(out);
    eti_buffer *json = start_graph(out, false);
    for (size_t i = 0; json->size < json_bytes(size); i++) {
        eti__buffer_add_string(json, i ? "," : "");
        eti__buffer_printf(json, "{\"name\":\"x_%zu\",\"target\":\"torch.x\"," NODE_TAIL, i);
        eti__buffer_add_string(json, ",{\"name\":\"x\",\"target\":\"torch.x\"," NODE_TAIL);
    }
    eti__buffer_add_string(json, GRAPH_END);
}

/* x, x, x …, each name as long as the number of names. */
static void make_long_names(files *out, size_t size) {
    size_t length = 1;
    while ((length + 100) * (length + 100) < json_bytes(size))
        length++;
    eti_buffer node = {0};
    eti__buffer_add_string(&node, "{\"target\":\"torch.x\",\"name\":\"");
    eti__buffer_add_repeated(&node, "x", length);
    eti__buffer_add(&node, "\"," NODE_TAIL, sizeof("\"," NODE_TAIL));
    repeat_node(out, json_bytes(size), node.data, false);
    eti__buffer_free(&node);
}

static void make_long_module_stack(files *out, size_t size) {
    start_record(out);
    eti_buffer *json = start_graph(out, false);
    eti__buffer_add_string(json,
                           "{\"target\":\"torch.x\",\"inputs\":[],\"outputs\":[],\"metadata\":"
                           "{\"nn_module_stack\":\"a,,");
    for (uint64_t i = 0; json->size < json_bytes(size); i++) {
        eti__buffer_add_string(json, ";");
        add_number(json, i);
        eti__buffer_add_string(json, ",,");
    }
    eti__buffer_add_string(json, "\"}}" GRAPH_END);
}

static void make_many_module_stacks(files *out, size_t size) {
    start_record(out);
    eti_buffer *json = start_graph(out, false);
    for (uint64_t i = 0; json->size < json_bytes(size); i++) {
        eti__buffer_add_string(json, i ? "," : "");
        eti__buffer_add_string(json, "{\"target\":\"torch.x\",\"inputs\":[],\"outputs\":[],"
                                     "\"metadata\":{\"nn_module_stack\":\"");
        add_number(json, i);
        eti__buffer_add_string(json, ",,\"}}");
    }
    eti__buffer_add_string(json, GRAPH_END);
}

/* ---- bombs ----------------------------------------------------------------------------------- */

/* Returns about how much text a file of this size may inflate to. */
static size_t bomb_bytes(size_t size) {
    size_t most = ((size_t)256 << 10) + 55 * size;
    return most < (size_t)1 << 30 ? most : ((size_t)1 << 30) - 10000;
}

static void make_bomb_blanks(files *out, size_t size) {
    start_record(out);
    eti_buffer *json = start_member(out, "delegate_map", true);
    add_until(json, " ", bomb_bytes(size));
    eti__buffer_add_string(json, "null");
    pad(out, size, size / 15 + 700);
}

static void make_bomb_over_limit(files *out, size_t size) {
    start_record(out);
    eti_buffer *json = start_member(out, "delegate_map", true);
    add_until(json, " ", size > 4096 ? bomb_bytes(size) * 2 : size * 500);
    eti__buffer_add_string(json, "null");
}

static void make_bomb_handles(files *out, size_t size) {
    start_record(out);
    eti_buffer *json = start_member(out, "debug_handle_map", true);
    eti__buffer_add_string(json, "{\"forward\":{\"0\":[1");
    add_until(json, ",1", bomb_bytes(size));
    eti__buffer_add_string(json, "]}}");
    pad(out, size, size / 15 + 700);
}

static void make_bomb_nodes(files *out, size_t size) {
    repeat_node(out, bomb_bytes(size), SMALL_NODE, true);
    pad(out, size, size / 15 + 700);
}

static void make_bomb_names(files *out, size_t size) {
    repeat_node(out, bomb_bytes(size), NAMED_NODE, true);
    pad(out, size, size / 15 + 700);
}

static void make_bomb_outputs(files *out, size_t size) {
    repeat_in_node(out, bomb_bytes(size), "outputs", ",{\"\":0}", true);
    pad(out, size, size / 15 + 700);
}

/* Handles times nodes. */
static void make_bomb_operators(files *out, size_t size) {
    size_t half = bomb_bytes(size) / 2;
    start_record(out);
    eti_buffer *json = start_member(out, "debug_handle_map", true);
    eti__buffer_add_string(json, "{\"forward\":{\"0\":[1");
    add_until(json, ",1", half);
    eti__buffer_add_string(json, "]}}");
    json = start_graph(out, true);
    eti__buffer_add_string(json, SMALL_NODE);
    add_until(json,
              ",{\"target\":\"torch.x\",\"inputs\":[],\"outputs\":[],\"metadata\":{"
              "\"debug_handle\":\"1\"}}",
              half);
    eti__buffer_add_string(json, GRAPH_END);
    pad(out, size, size / 15 + 700);
}

/* The operator of every event has a very long name. */
static void make_bomb_target(files *out, size_t size) {
    start_record(out);
    eti_buffer *json = start_member(out, "debug_handle_map", true);
    eti__buffer_add_string(json,
                           "{\"forward\":{\"0\":[1,1,1],\"1\":[1,1,1],\"2\":[1,1,1],\"3\":[1]}}");
    json = start_graph(out, true);
    eti__buffer_add_string(json, "{\"target\":\"torch.");
    add_until(json, "x", bomb_bytes(size) < 1000000 ? bomb_bytes(size) - 1000 : 1000000);
    eti__buffer_add_string(json, "\",\"inputs\":[],\"outputs\":[],\"metadata\":{\"debug_handle\":"
                                 "\"1\"}}" GRAPH_END);
    pad(out, size, size / 15 + 700);
}

/* ---- all ------------------------------------------------------------------------------------- */

const shape record_shapes[] = {
    {"valid_record", make_valid_record, "valid_record", "0"},
    {"valid_deflated", make_valid_deflated, "valid_deflated", "0"},
    {"json_zeros", make_json_zeros, "valid_record", "0"},
    {"json_empty_lists", make_json_empty_lists, "valid_record", "0"},
    {"json_empty_keys", make_json_empty_keys, "valid_record", "0"},
    {"json_nested", make_json_nested, "valid_record", "3"},
    {"json_nested_to_limit", make_json_nested_to_limit, "valid_record", "0"},
    {"json_digits", make_json_digits, "valid_record", "0"},
    {"json_blanks", make_json_blanks, "valid_record", "0"},
    {"json_escapes", make_json_escapes, "valid_record", "0"},
    {"json_unicode_escapes", make_json_unicode_escapes, "valid_record", "0"},
    {"json_accents", make_json_accents, "valid_record", "0"},
    {"handle_list", make_handle_list, "valid_record", "0"},
    {"equal_keys", make_equal_keys, "valid_record", "0"},
    {"equal_lists", make_equal_lists, "valid_record", "0"},
    {"equal_methods", make_equal_methods, "valid_record", "0"},
    {"equal_delegate_maps", make_equal_delegate_maps, "valid_record", "0"},
    {"equal_backends", make_equal_backends, "valid_record", "0"},
    {"many_instructions", make_many_instructions, "valid_record", "0 3"},
    {"many_delegates", make_many_delegates, "valid_record", "0 3"},
    {"many_delegate_keys", make_many_delegate_keys, "valid_record", "0 3"},
    {"many_methods", make_many_methods, "valid_record", "0 3"},
    {"small_nodes", make_small_nodes, "valid_record", "0 3"},
    {"equal_names", make_equal_names, "valid_record", "0 3"},
    {"many_outputs", make_many_outputs, "valid_record", "0 3"},
    {"many_graphs", make_many_graphs, "valid_record", "0 3"},
    {"many_inputs", make_many_inputs, "valid_record", "0 3"},
    {"many_specs", make_many_specs, "valid_record", "0 3"},
    {"taken_names", make_taken_names, "valid_record", "0 3"},
    {"long_names", make_long_names, "valid_record", "0 3"},
    {"long_module_stack", make_long_module_stack, "valid_record", "0 3"},
    {"many_module_stacks", make_many_module_stacks, "valid_record", "0 3"},
    {"bomb_blanks", make_bomb_blanks, "valid_deflated", "0"},
    {"bomb_over_limit", make_bomb_over_limit, "valid_deflated", "3"},
    {"bomb_handles", make_bomb_handles, "valid_deflated", "0"},
    {"bomb_nodes", make_bomb_nodes, "valid_deflated", "0 3"},
    {"bomb_names", make_bomb_names, "valid_deflated", "0 3"},
    {"bomb_outputs", make_bomb_outputs, "valid_deflated", "0 3"},
    {"bomb_operators", make_bomb_operators, "valid_deflated", "0 3"},
    {"bomb_target", make_bomb_target, "valid_deflated", "0 3"},
    {NULL, NULL, NULL, NULL},
};
