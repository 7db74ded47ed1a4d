/*
 * pair_shapes.c - inputs that are expensive only together: an ETDump with an ETRecord, debug values with a
 * debug buffer.
 */
#include "shapes.h"

/* Maximum of names of instructions in all maps. */
#define MOST_INSTRUCTIONS 2000000

/* Adds events of instructions from 0 on with this name, up to `size` bytes; returns their number. */
static size_t put_instructions(builder *b, size_t size, const char *name) {
    places events = {0};
    b->vtables_shared = true;
    place text = put_string(b, name);
    while (b->size + 4 * events.n < size && events.n < MOST_INSTRUCTIONS)
        add_place(&events, PUT_TIMED(b, .name = text, .id = (int32_t)events.n));
    size_t n = events.n;
    finish_run(b, &events);
    return n;
}

/* Adds delegated events of instruction 0, each with a separate id. */
static void put_delegated(builder *b, size_t size) {
    places events = {0};
    b->vtables_shared = true;
    while (b->size + 4 * events.n < size) {
        place profile = PUT_TABLE(b, (slot){0}, (slot){0}, (slot){4, 0, 0}, (slot){4, events.n, 0});
        add_place(&events, put_event(b, profile, 0, 0));
    }
    finish_run(b, &events);
}

/* {"forward": {"0": VALUE, "1": VALUE, …}} */
static void add_map(files *out, const char *name, size_t n, const char *value) {
    eti_buffer *json = start_member(out, name, false);
    eti__buffer_add_string(json, "{\"forward\":{");
    for (uint64_t i = 0; i < n; i++) {
        eti__buffer_add_string(json, i ? ",\"" : "\"");
        add_number(json, i);
        eti__buffer_add_string(json, "\":");
        eti__buffer_add_string(json, value);
    }
    eti__buffer_add_string(json, "}}");
}

static eti_buffer *start_graph(files *out) {
    (void)start_member(out, "ETRECORD_V0", false);
    return start_member(out, "edge_dialect_exported_program/forward", false);
}

#define GRAPH_START "{\"graph_module\": {\"graph\": {\"inputs\": [], \"nodes\": ["
#define GRAPH_END "]}}}"

#define LONGEST_TEXT 1000000 /* inflated bytes allowed for a record */

static size_t text_bytes(size_t size) {
    return size < LONGEST_TEXT ? size : LONGEST_TEXT;
}

/* Adds a node with handle 1 whose target is `before`, then `text` up to `size` bytes. */
static void add_node_with_target(files *out, const char *before, const char *text, size_t size) {
    eti_buffer *json = start_graph(out);
    eti__buffer_add_string(json, GRAPH_START "{\"target\":\"");
    eti__buffer_add_string(json, before);
    add_until(json, text, size);
    eti__buffer_add_string(json, "\",\"inputs\":[],\"outputs\":[],\"metadata\":{\"debug_handle\":"
                                 "\"1\"}}" GRAPH_END);
}

/* ---- a dump and its record ------------------------------------------------------------------- */

static void make_valid_pair(files *out, size_t size) {
    eti_buffer *json = start_graph(out);
    eti__buffer_add_string(json, GRAPH_START);
    size_t n = add_real_nodes(json, 0, size / 2);
    eti__buffer_add_string(json, GRAPH_END);
    make_small_dump(&out->dump, size < 4096 ? 4 : size / 200);
    json = start_member(out, "debug_handle_map", false);
    eti__buffer_add_string(json, "{\"forward\": {\"0\": 1");
    for (uint64_t i = 1; i < n; i++) {
        eti__buffer_add_string(json, ", \"");
        add_number(json, i);
        eti__buffer_add_string(json, "\": ");
        add_number(json, i + 1);
    }
    eti__buffer_add_string(json, "}}");
}

/* Every event prints the long name of its operator. */
static void make_long_target(files *out, size_t size) {
    size_t n = put_instructions(&out->dump, size / 4, "k");
    add_node_with_target(out, "torch.", "t", text_bytes(size / 4));
    add_map(out, "debug_handle_map", n, "[1,1,1,1,1]");
}

static void make_long_backend(files *out, size_t size) {
    put_delegated(&out->dump, size / 2);
    add_node_with_target(out, "torch.", "t", 100);
    add_map(out, "debug_handle_map", 1, "1");
    eti_buffer *json = start_member(out, "delegate_map", false);
    eti__buffer_add_string(json, "{\"forward\":{\"0\":{\"name\":\"");
    add_until(json, "b", text_bytes(size / 3));
    eti__buffer_add_string(json, "\"}}}");
}

/* Every event examines all modules of one long stack. */
static void make_module_search(files *out, size_t size) {
    size_t n = put_instructions(&out->dump, size / 4, "k");
    eti_buffer *json = start_graph(out);
    eti__buffer_add_string(json, GRAPH_START "{\"target\":\"torch.x\",\"inputs\":[],\"outputs\":[],"
                                             "\"metadata\":{\"debug_handle\":\"1\","
                                             "\"nn_module_stack\":\"a,,");
    for (uint64_t i = 0; json->size < size / 4 && i < 1000; i++) {
        eti__buffer_add_string(json, ";");
        add_number(json, i);
        eti__buffer_add_string(json, ",,");
    }
    eti__buffer_add_string(json, "\"}}" GRAPH_END);
    add_map(out, "debug_handle_map", n, "[1]");
}

/* Every event has the operators of all nodes. */
static void make_operator_lists(files *out, size_t size) {
    size_t n = put_instructions(&out->dump, size / 4, "k");
    eti_buffer *json = start_graph(out);
    const char *node = "{\"target\":\"torch.x\",\"inputs\":[],\"outputs\":[],\"metadata\":{\"debug_"
                       "handle\":\"1\"}},";
    eti__buffer_add_string(json, GRAPH_START);
    add_until(json, node, size / 4);
    eti__buffer_add_string(
        json, "{\"target\":\"t\",\"inputs\":[],\"outputs\":[],\"metadata\":{}}" GRAPH_END);
    add_map(out, "debug_handle_map", n, "[1]");
}

/* The kernel's name is searched for in a long name of dots. */
static void make_kernel_names(files *out, size_t size) {
    size_t n = put_instructions(&out->dump, size / 4, "native_call_k.out");
    add_node_with_target(out, "executorch.exir.dialects.edge.ops.", ".", text_bytes(size / 4));
    add_map(out, "debug_handle_map", n, "[1]");
}

/* All methods are compared with all events. */
static void make_methods_compared(files *out, size_t size) {
    (void)put_instructions(&out->dump, size - size / 3, "k");
    add_node_with_target(out, "torch.", "t", 100);
    eti_buffer *json = start_member(out, "debug_handle_map", false);
    eti__buffer_add_string(json, "{");
    for (uint64_t i = 0; i < 16; i++) {
        eti__buffer_add_string(json, i ? ",\"" : "\"");
        add_number(json, i);
        eti__buffer_add_string(json, "\":{\"0\":1}");
    }
    eti__buffer_add_string(json, "}");
}

#define LONGEST_KEYS 8000000 /* of a record, in all */

/* Keys of all lengths are searched for in long names. */
static void find_keys(files *out, size_t size, size_t name_length) {
    builder *b = &out->dump;
    places events = {0};
    b->vtables_shared = true;
    while (b->size + 4 * events.n < size / 2) {
        place name = put_filled_string(b, 'k', name_length);
        add_place(&events, PUT_TIMED(b, .delegate_name = name, .id = 0));
        b->bytes[b->capacity - name + 4 + events.n % name_length] =
            (uint8_t)('a' + events.n / name_length % 9);
    }
    finish_run(b, &events);
    add_node_with_target(out, "torch.", "t", 100);
    add_map(out, "debug_handle_map", 1, "1");
    eti_buffer *json = start_member(out, "delegate_map", false);
    eti__buffer_add_string(json, "{\"forward\":{\"0\":{\"name\":\"B\",\"delegate_map\":{\"x\":1");
    size_t end = size / 2 < LONGEST_KEYS ? size / 2 - 100 : LONGEST_KEYS;
    for (size_t length = 1; json->size < end; length++) {
        eti__buffer_add_string(json, ",\"");
        eti__buffer_add_repeated(json, "k", length);
        eti__buffer_add_string(json, "z\":1");
    }
    eti__buffer_add_string(json, "}}}}");
}

static void make_delegate_keys(files *out, size_t size) {
    find_keys(out, size, 200);
}

static void make_delegate_keys_long(files *out, size_t size) {
    find_keys(out, size, size / 20 + 1);
}

/* ---- debug values ---------------------------------------------------------------------------- */

static place put_tensor_event(builder *b, int32_t id, int8_t type, uint64_t offset, int64_t n) {
    place value = TENSOR_VALUE(b, TENSOR(b, type, offset, n));
    return put_event(b, 0, 0,
                     PUT_TABLE(b, (slot){0}, (slot){4, (uint32_t)id, 0}, target_slot(value)));
}

/* Makes `n_runs` runs with one tensor each, of `n` bytes, each `step` bytes after the previous one. */
static void put_tensor_runs(files *out, size_t n_runs, int8_t type, int64_t n, uint64_t step) {
    builder *b = &out->dump;
    places runs = {0};
    b->vtables_shared = true;
    place name = put_string(b, "r");
    for (size_t i = 0; i < n_runs; i++) {
        place event = put_tensor_event(b, 1, type, i * step, n);
        add_place(&runs, put_run_at(b, name, put_tables(b, &event, 1)));
    }
    finish_runs(b, &runs);
}

static void fill_debug(files *out, char byte, size_t size) {
    char bytes[4096];
    memset(bytes, byte, sizeof bytes);
    while (out->debug.size < size) {
        size_t left = size - out->debug.size;
        eti__buffer_add(&out->debug, bytes, left < sizeof bytes ? left : sizeof bytes);
    }
}

#define TENSOR_RUN_BYTES 100 /* approximate size in the dump */

static void make_valid_debug(files *out, size_t size) {
    size_t n = size / 1124 + 2;
    put_tensor_runs(out, n, TYPE_FLOAT, 256, 1024);
    fill_debug(out, 1, n * 1024);
}

/* Each tensor is nearly the whole debug buffer. */
static void make_overlapping_tensors(files *out, size_t size) {
    size_t n = size / 2 / TENSOR_RUN_BYTES + 2;
    put_tensor_runs(out, n, TYPE_BYTE, (int64_t)(size / 2), 1);
    fill_debug(out, 1, size / 2 + n);
}

/* Zeros of both signs are equal, though no byte is. */
static void make_signed_zeros(files *out, size_t size) {
    put_tensor_runs(out, 2, 24 /* float8 */, (int64_t)(size / 2), size / 2);
    fill_debug(out, 0, size / 2);
    fill_debug(out, (char)0x80, size);
}

static void make_two_truths(files *out, size_t size) {
    put_tensor_runs(out, 2, TYPE_BOOL, (int64_t)(size / 2), size / 2);
    fill_debug(out, 1, size / 2);
    fill_debug(out, 2, size);
}

/* Makes `n_debug` debug events and `n_profile` profile events of one instruction and chain. The profile events are called
 * 0, `step`, 2 * `step` … */
static void put_group(builder *b, places *events, uint32_t chain, size_t n_debug, size_t n_profile,
                      size_t step) {
    place value = INT_VALUE(b, 1);
    for (size_t i = 0; i < n_debug; i++) {
        place debug = PUT_TABLE(b, (slot){8, chain, 0}, (slot){4, 1, 0}, target_slot(value));
        add_place(events, put_event(b, 0, 0, debug));
    }
    for (size_t i = 0; i < n_profile; i++) {
        char text[24];
        int length = snprintf(text, sizeof text, "%zu", i * step);
        place name = put_string_of(b, text, (size_t)length);
        place profile = PUT_TABLE(b, target_slot(name), (slot){4, chain, 0}, (slot){4, 1, 0});
        add_place(events, put_event(b, profile, 0, 0));
    }
}

/* Events alternate between the debug values of two groups. */
static void make_alternating_groups(files *out, size_t size) {
    places events = {0};
    out->dump.vtables_shared = true;
    put_group(&out->dump, &events, 0, size / 140, size / 110, 1);
    put_group(&out->dump, &events, 1, size / 140, size / 220, 2);
    finish_run(&out->dump, &events);
}

/* A list of tensors with many sizes each, all the same one. */
static void make_tensor_lists(files *out, size_t size) {
    builder *b = &out->dump;
    places tensors = {0};
    b->vtables_shared = true;
    const int64_t ones[] = {1, 1, 1, 1, 1, 1, 1, 1};
    place tensor = put_tensor(b, &(tensor_spec){.scalar_type = SOME(TYPE_BYTE),
                                                .sizes = put_i64s(b, ones, 8),
                                                .offset = SOME(0)});
    while (tensors.n < size / 42)
        add_place(&tensors, tensor);
    place list = PUT_TABLE(b, target_slot(put_places(b, &tensors)));
    place value = VALUE(b, .val = SOME(VAL_TENSOR_LIST), .tensor_list = list);
    place event = put_event(b, 0, 0, PUT_TABLE(b, (slot){0}, (slot){4, 1, 0}, target_slot(value)));
    places events = {0};
    add_place(&events, event);
    pad_dump(b, size / 2);
    finish_run(b, &events);
    fill_debug(out, 1, size / 2);
}

static place put_ones(builder *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        put_number(b, 1, 8);
    put_number(b, n, 4);
    return here(b);
}

static void make_many_sizes(files *out, size_t size) {
    builder *b = &out->dump;
    places runs = {0};
    b->vtables_shared = true;
    place name = put_string(b, "r");
    for (uint64_t i = 0; i < 4; i++) {
        place sizes = put_ones(b, size / 80);
        place tensor = put_tensor(
            b, &(tensor_spec){.scalar_type = SOME(TYPE_BYTE), .sizes = sizes, .offset = SOME(i)});
        place value = TENSOR_VALUE(b, tensor);
        place event =
            put_event(b, 0, 0, PUT_TABLE(b, (slot){0}, (slot){4, 1, 0}, target_slot(value)));
        place events = put_tables(b, &event, 1);
        for (int run = 0; run < 4; run++)
            add_place(&runs, put_run_at(b, name, events));
    }
    finish_runs(b, &runs);
    fill_debug(out, 1, size / 2);
}

/* ---- all ------------------------------------------------------------------------------------- */

const shape pair_shapes[] = {
    {"valid_pair", make_valid_pair, "valid_pair", "0"},
    {"valid_debug", make_valid_debug, "valid_debug", "0"},
    {"long_target", make_long_target, "valid_pair", "0 3"},
    {"long_backend", make_long_backend, "valid_pair", "0 3"},
    {"module_search", make_module_search, "valid_pair", "0 3"},
    {"operator_lists", make_operator_lists, "valid_pair", "0 3"},
    {"kernel_names", make_kernel_names, "valid_pair", "0 3"},
    {"methods_compared", make_methods_compared, "valid_pair", "0"},
    {"delegate_keys", make_delegate_keys, "valid_pair", "0 3"},
    {"delegate_keys_long", make_delegate_keys_long, "valid_pair", "0 3"},
    {"overlapping_tensors", make_overlapping_tensors, "valid_debug", "0 3"},
    {"signed_zeros", make_signed_zeros, "valid_debug", "0"},
    {"two_truths", make_two_truths, "valid_debug", "0"},
    {"alternating_groups", make_alternating_groups, "valid_rows", "0"},
    {"tensor_lists", make_tensor_lists, "valid_debug", "0 3"},
    {"many_sizes", make_many_sizes, "valid_debug", "0"},
    {NULL, NULL, NULL, NULL},
};
