#include "record_builder.h"

#include "support.h"

#include "etrecord/etrecord.h"
#include "etrecord/graph.h"
#include "read/read.h"

/* ==== lowered module ========================================================================== */

#define WINDOW 65536 /* bytes that the JSON reader sees at once */
#define HEADER 18    /* bytes at the start of a payload, which give the place of the rest */

/* ---- making modules -------------------------------------------------------------------------- */

static void add_base64(eti_buffer *out, const unsigned char *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        unsigned word = 0;
        for (size_t k = 0; k < 3; k++)
            word = word << 8 | (i + k < size ? bytes[i + k] : 0u);
        for (size_t k = 0; k < 4; k++)
            eti__buffer_add_char(out, i + k > size ? '=' : digits[word >> (18 - 6 * k) & 63]);
    }
}

/* Fills a payload of XNNPACK whose FlatBuffer ends at `end`. */
static void make_payload(unsigned char *bytes, size_t size, size_t end) {
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(i * 7 + 1);
    memcpy(bytes + 4, "XH00", 4);
    for (size_t i = 0; i < 4; i++) {
        bytes[10 + i] = i == 0 ? HEADER : 0;
        bytes[14 + i] = (unsigned char)((end - HEADER) >> (8 * i) & 0xff);
    }
}

typedef enum spelling { SHORTEST, ALL_ESCAPED } spelling;

static void add_string(eti_buffer *out, eti_text text, spelling spelt) {
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (spelt == ALL_ESCAPED)
            eti__buffer_printf(out, "\\u%04x", (unsigned)(unsigned char)c);
        else if (c == '"' || c == '\\')
            eti__buffer_printf(out, "\\%c", c);
        else
            eti__buffer_add_char(out, c);
    }
}

/* Adds a call of a delegate whose module is `module`. */
static void add_call(eti_buffer *out, eti_text module, spelling spelt) {
    eti__buffer_add_string(out, "{\"target\": \"torch.ops.higher_order.executorch_call_delegate\", "
                                "\"inputs\": [{\"name\": \"lowered\", \"arg\": {\"as_string\": \"");
    add_string(out, module, spelt);
    eti__buffer_add_string(out, "\"}}], \"outputs\": [{\"as_tensor\": {\"name\": \"call\"}}], "
                                "\"metadata\": {\"debug_handle\": \"1\"}}");
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct fixture {
    eti_arena arena;
    eti_graph graph;
    eti_buffer text;
} fixture;

static void clear(fixture *f) {
    eti__arena_free(&f->arena);
    eti__buffer_free(&f->text);
    *f = (fixture){0};
}

/* Reads the edge program of a record with calls of `n` modules and one operator after them. */
static void read_calls(fixture *f, const char *const *modules, size_t n, spelling spelt) {
    record_builder r = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_etrecord *record;
    eti__buffer_add_string(&f->text, "{\"graph_module\": {\"graph\": {\"nodes\": [");
    for (size_t i = 0; i < n; i++) {
        add_call(&f->text, eti__text_of(modules[i]), spelt);
        eti__buffer_add_string(&f->text, ", ");
    }
    eti__buffer_add_string(&f->text, NODE("relu", "2", "") "]}}}");
    eti__buffer_add_char(&f->text, '\0');
    make_record(&r, &(record_spec){.edge = f->text.data});
    assert_ok(eti__etrecord_open(&record, &f->arena, &r.file, &err));
    assert_ok(eti__etrecord_read_lowered(record, 0, &f->graph, &err));
    eti__etrecord_close(record);
    free_record(&r);
    assert_int_equal(f->graph.n_nodes, n + 1);
    assert_int_equal(f->graph.n_modules, n);
}

/* Reads one module whose payload stands behind `padding` bytes. */
static void read_payload(fixture *f, const char *base64, size_t padding, spelling spelt) {
    eti_buffer module = {0};
    eti__buffer_add_string(&module, "{\"padding\": \"");
    for (size_t i = 0; i < padding; i++)
        eti__buffer_add_char(&module, 'x');
    eti__buffer_printf(&module, "\", \"processed_bytes\": \"%s\", \"backend_id\": \"B\"}", base64);
    const char *text = module.data;
    read_calls(f, &text, 1, spelt);
    eti__buffer_free(&module);
    assert_text(f->graph.modules[0].backend, "B");
}

static void expect_payload(const unsigned char *bytes, size_t size, size_t end, size_t padding,
                           spelling spelt) {
    fixture f = {0};
    eti_buffer base64 = {0};
    add_base64(&base64, bytes, size);
    eti__buffer_add_char(&base64, '\0');
    read_payload(&f, base64.data, padding, spelt);
    size_t expected = end < size ? end : size;
    assert_int_equal(f.graph.modules[0].payload.size, expected);
    assert_memory_equal(f.graph.modules[0].payload.data, bytes, expected);
    eti__buffer_free(&base64);
    clear(&f);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void a_module_has_a_payload_and_nodes(void **state) {
    (void)state;
    fixture f = {0};
    const char *modules[] = {
        "{\"backend_id\": \"XnnpackBackend\", \"processed_bytes\": "
        "\"AAAAAFhOMDBhYmNkZWZnaGlqa2w=\", "
        "\"original_module\": " EDGE_PROGRAM(NODE("add", "7", "") ", " NODE("mul", "8", "")) "}",
        "{\"backend_id\": null, \"original_module\": " EDGE_PROGRAM(NODE("sub", "9", "")) "}"};
    for (spelling spelt = SHORTEST; spelt <= ALL_ESCAPED; spelt++) {
        read_calls(&f, modules, 2, spelt);
        assert_text(f.graph.modules[0].backend, "XnnpackBackend");
        assert_int_equal(f.graph.modules[0].payload.size, 20);
        assert_memory_equal(f.graph.modules[0].payload.data + 4, "XN00abcdefghijkl", 16);
        assert_int_equal(f.graph.modules[0].n_nodes, 2);
        assert_int_equal(f.graph.modules[1].backend.size, 0);
        assert_int_equal(f.graph.modules[1].payload.size, 0);
        eti_graph whole = eti__graph_whole(&f.graph);
        assert_int_equal(whole.n_nodes, 3 + 3);
        assert_text(whole.nodes[3].op_type, "aten.add.default");
        assert_int_equal(whole.nodes[4].debug_handle, 8);
        assert_text(whole.nodes[5].op_type, "aten.sub.default");
        assert_false(eti__graph_has_handle(&whole, 0)); /* the nodes are in the module */
        assert_true(eti__graph_has_handle(&whole, 3));
        clear(&f);
    }
}

/* A window or a piece may end at any byte of it. */
static void payloads_are_whole_at_all_borders(void **state) {
    (void)state;
    unsigned char bytes[6400];
    for (size_t end = HEADER; end < 64; end++) {
        make_payload(bytes, sizeof bytes, end);
        expect_payload(bytes, 62, end, 0, end % 2 ? SHORTEST : ALL_ESCAPED);
    }
    for (size_t end = 3080; end < 3100; end++) {
        make_payload(bytes, sizeof bytes, end);
        expect_payload(bytes, sizeof bytes, end, 0, SHORTEST);
        expect_payload(bytes, end, end, 0, SHORTEST);
    }
    make_payload(bytes, sizeof bytes, 60);
    for (size_t before = 0; before < 160; before++) {
        expect_payload(bytes, 80, 60, WINDOW - 40 - before, SHORTEST);
        expect_payload(bytes, 80, 60, WINDOW / 6 - before, ALL_ESCAPED);
    }
}

/* Such a payload is dropped or ends there; the rest of the module is kept. */
static void payloads_end_where_base64_does(void **state) {
    (void)state;
    static const struct {
        const char *base64;
        size_t size;
    } cases[] = {
        {"", 0},
        {"====", 0},
        {"AAAAAFhO", 0},                    /* cut within the header */
        {"AAAAAFhOMDBhYmNkZWZna", 0},       /* 15 bytes, also within the header */
        {"AAAAAFhOMDBhYmNkZWZnaGlq", 18},   /* the header alone */
        {"AAAAAFhOMDBhYmNkZWZnaGlqa2", 19}, /* a digit short */
        {"AAAAAFhOMDBhYmNkZWZnaGlqa2w=a", 20},
        {"AAAAAFhOMDBhYmNkZWZnaGlq a2w=", 18},
        {"AAAAAFhOMDBhYmNkZWZnaGlq\\u0000a2w", 18},
        {"AAAAAFhOMDBhYmNkZWZnaGlq\\ud800a2w", 18},
        {"AAAAAFhOMDBh\\ud800YmNkZWZnaGlq", 0},
        {" AAAAAFhOMDBhYmNkZWZnaGlq", 0},
        {"AAAAAFhIMDBhYgAAAAAAAAAA", 0},     /* its FlatBuffer ends before it begins */
        {"AAAAAAAAAAAAAAAAAAAAAAAAAAAA", 0}, /* another backend's */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fixture f = {0};
        read_payload(&f, cases[i].base64, 0, SHORTEST);
        assert_int_equal(f.graph.modules[0].payload.size, cases[i].size);
        clear(&f);
    }
}

static void the_last_of_equal_keys_counts(void **state) {
    (void)state;
#define BARE "AAAAAFhOMDBhYmNkZWZnaGlqa2w="
    fixture f = {0};
    const char *modules[] = {
        "{\"processed_bytes\": \"" BARE "\", \"processed_bytes\": \"\"}",
        "{\"processed_bytes\": \"\", \"processed_bytes\": \"" BARE "\"}",
        "{\"original_module\": " EDGE_PROGRAM(NODE("add", "7", "") ", " NODE(
            "mul", "8", "")) ", \"original_module\": " EDGE_PROGRAM(NODE("sub", "9", "")) "}"};
    read_calls(&f, modules, 3, SHORTEST);
    assert_int_equal(f.graph.modules[0].payload.size, 0);
    assert_int_equal(f.graph.modules[1].payload.size, 20);
    assert_int_equal(f.graph.modules[2].n_nodes, 1);
    clear(&f);
}

/* The graph around it is still read. */
static void a_damaged_module_has_no_nodes(void **state) {
    (void)state;
#define SOUND "{\"original_module\": " EDGE_PROGRAM(NODE("add", "7", "")) "}"
    static const char *const damaged[] = {
        "",
        "[]",
        "{",
        "{\"original_module\": " EDGE_PROGRAM(NODE("add", "7", "")),
        SOUND "x",
        "{\"original_module\": {}}",
        "{\"processed_bytes\": 1}",
        "{\"original_module\": " EDGE_PROGRAM("{}") "}",
    };
    for (size_t i = 0; i < COUNT_OF(damaged); i++) {
        fixture f = {0};
        const char *modules[] = {damaged[i], SOUND};
        read_calls(&f, modules, 2, SHORTEST);
        assert_int_equal(f.graph.modules[0].n_nodes, 0);
        assert_int_equal(f.graph.modules[1].n_nodes, 1);
        assert_int_equal(f.graph.n_lowered, 1);
        clear(&f);
    }
}

/* A module inside a module is skipped, at any depth. */
static void modules_within_modules_are_passed_over(void **state) {
    (void)state;
    eti_buffer text = {0};
    eti__buffer_add_string(&text, SOUND);
    for (int depth = 0; depth < 6; depth++) {
        eti_buffer outer = {0};
        eti__buffer_add_string(
            &outer, "{\"original_module\": {\"graph_module\": {\"graph\": {\"nodes\": [");
        add_call(&outer, eti__buffer_text(&text), SHORTEST);
        eti__buffer_add_string(&outer, "]}}}}");
        eti__buffer_free(&text);
        text = outer;
    }
    eti__buffer_add_char(&text, '\0');
    fixture f = {0};
    const char *module = text.data;
    read_calls(&f, &module, 1, SHORTEST);
    assert_int_equal(f.graph.n_lowered, 1);
    assert_text(f.graph.nodes[2].op_type, "executorch_call_delegate");
    eti__buffer_free(&text);
    clear(&f);
}

/* ==== graph values ============================================================================ */

#define CALL_TARGET "torch.ops.higher_order.executorch_call_delegate"
#define RELU "executorch.exir.dialects.edge.ops.aten.relu.default"

/* A program, written with apostrophes for quotes; `%` stands for a module in it. */
typedef struct values_fixture {
    eti_arena arena;
    eti_buffer text;
    eti_graph graph;
    eti_graph_values values;
} values_fixture;

static void add_module(eti_buffer *out, const char *module) {
    for (const char *at = module; *at; at++) {
        if (*at == '\'')
            eti__buffer_add_char(out, '\\');
        eti__buffer_add_char(out, *at == '\'' ? '"' : *at);
    }
}

static void read_program(values_fixture *f, const char *program, const char *module) {
    eti_json json;
    eti_error err = ETI_ERROR_INIT;
    *f = (values_fixture){.text = {0}};
    for (const char *at = program; *at; at++) {
        if (*at == '%')
            add_module(&f->text, module);
        else
            eti__buffer_add_char(&f->text, *at == '\'' ? '"' : *at);
    }
    eti__json_open_text(&json, eti__buffer_text(&f->text));
    assert_ok(eti__graph_read_values(&f->graph, &f->values, &f->arena, &json, &err));
}

static void clear_values(values_fixture *f) {
    eti__arena_free(&f->arena);
    eti__buffer_free(&f->text);
}

/* Checks an input of a node of the whole graph: its name, and the node that produces it. */
static void expect_input(const values_fixture *f, size_t node, uint32_t i, const char *name,
                         uint32_t producer) {
    const eti_graph_ports *ports = &f->values.ports[node];
    assert_true(i < ports->n_inputs);
    const eti_graph_value *value = &f->values.values[ports->inputs[i]];
    assert_text(value->name, name);
    assert_int_equal(value->producer, producer);
}

#define T(name) "{'as_tensor': {'name': '" name "'}}"
#define ARG(name) "{'name': 'a', 'arg': " T(name) "}"
#define RUN(name, inputs)                                                                          \
    "{'name': '" name "', 'target': '" RELU "', 'inputs': [" inputs                                \
    "], 'outputs': [" T(name) "], 'metadata': {}}"
#define GIVEN(name) "{'user_input': {'arg': " T(name) "}}"
#define WEIGHT(name) "{'parameter': {'arg': {'name': '" name "'}}}"

/* x and w come from outside; the module also has a weight v, and one with the name of the program's u. */
#define PROGRAM(call_inputs)                                                                                                             \
    "{'graph_module': {'graph': {'inputs': [" T("u") ", " T(                                                                             \
        "x") "], 'outputs': [], 'nodes': [" RUN("first",                                                                                 \
                                                ARG("x")) ", {'name': 'call', 'target': "                                                \
                                                          "'" CALL_TARGET                                                                \
                                                          "', 'inputs': [{'name': "                                                      \
                                                          "'lowered_module_0', 'arg': "                                                  \
                                                          "{'as_string': '%'}}, " call_inputs                                            \
                                                          "], 'outputs': [" T("getitem") ", " T("getitem_1") "], 'metadata': {}}, " RUN( \
                                                              "last",                                                                    \
                                                              ARG("getitem_1") ", " ARG(                                                 \
                                                                  "getitem")) "], "                                                      \
                                                                              "'tensor_values': "                                        \
                                                                              "{}}, "                                                    \
                                                                              "'signature': "                                            \
                                                                              "{'input_specs': "                                         \
                                                                              "[" WEIGHT(                                                \
                                                                                  "u") ", " GIVEN("x") "]}}}"

#define MODULE(outputs)                                                                                                        \
    "{'backend_id': 'B', 'original_module': {'graph_module': {'graph': {'inputs': [" T(                                        \
        "v") ", " T("u") ", " T("p") ", " T("q") "], 'outputs': [" outputs                                                     \
                                                 "], 'nodes': [" RUN(                                                          \
                                                     "inner",                                                                  \
                                                     ARG("p") ", " ARG("v") ", " ARG(                                          \
                                                         "u")) ", " RUN("first",                                               \
                                                                        ARG("inner") ", " ARG(                                 \
                                                                            "q")) "], "                                        \
                                                                                  "'tensor_"                                   \
                                                                                  "values': "                                  \
                                                                                  "{'inner': "                                 \
                                                                                  "{'dtype': 7, "                              \
                                                                                  "'sizes': "                                  \
                                                                                  "[{'as_int': "                               \
                                                                                  "3}]}}}, "                                   \
                                                                                  "'signature': "                              \
                                                                                  "{'input_specs'"                             \
                                                                                  ": "                                         \
                                                                                  "[" WEIGHT("v") ", " WEIGHT("u") ", " GIVEN( \
                                                                                      "p") ","                                 \
                                                                                           " " GIVEN(                          \
                                                                                               "q") "]}}}}"

enum { FIRST, CALL, LAST, INNER, SECOND, N_NODES };

static void values_flow_through_calls(void **state) {
    (void)state;
    values_fixture f;
    read_program(&f, PROGRAM(ARG("x") ", " ARG("first")), MODULE(T("inner") ", " T("first")));
    assert_int_equal(f.graph.n_nodes, 3);
    assert_int_equal(f.graph.n_lowered, 2);
    assert_int_equal(f.graph.modules[0].call, CALL);
    assert_int_equal(f.graph.modules[0].first, INNER);
    assert_int_equal(f.values.n_graph_inputs, 3);
    static const char *const inputs[] = {"u", "x", "v"};
    for (size_t i = 0; i < 3; i++) {
        assert_text(f.values.values[i].name, inputs[i]);
        assert_int_equal(f.values.values[i].is_weight, i != 1);
    }
    expect_input(&f, INNER, 0, "x", ETI_NO_NODE);
    expect_input(&f, INNER, 1, "v", ETI_NO_NODE);
    expect_input(&f, INNER, 2, "u", ETI_NO_NODE);
    /* names in a module are separate: there is a node "first" outside, too */
    expect_input(&f, SECOND, 0, "inner", INNER);
    expect_input(&f, SECOND, 1, "first", FIRST);
    /* outputs of the call come from the nodes inside */
    expect_input(&f, LAST, 0, "getitem_1", SECOND);
    expect_input(&f, LAST, 1, "getitem", INNER);
    const eti_graph_value *inner = &f.values.values[f.values.ports[INNER].outputs[0]];
    assert_string_equal(inner->dtype, "float32");
    assert_text(inner->shape, "[3]");
    clear_values(&f);
}

/* Then values cannot be assigned to each other. */
static void a_call_that_takes_or_gives_another_number_is_not_followed(void **state) {
    (void)state;
    values_fixture f;
    read_program(&f, PROGRAM(ARG("x")), MODULE(T("inner")));
    expect_input(&f, INNER, 0, "p", ETI_NO_NODE);
    expect_input(&f, INNER, 1, "v", ETI_NO_NODE);
    expect_input(&f, SECOND, 1, "q", ETI_NO_NODE);
    expect_input(&f, LAST, 0, "getitem_1", CALL);
    expect_input(&f, LAST, 1, "getitem", CALL);
    clear_values(&f);
}

static void a_damaged_module_leaves_the_call_a_node(void **state) {
    (void)state;
    values_fixture f;
    read_program(&f, PROGRAM(ARG("x") ", " ARG("first")), "{'original_module': {'graph_module': 3");
    assert_int_equal(f.graph.n_lowered, 0);
    assert_int_equal(f.values.n_graph_inputs, 2);
    expect_input(&f, CALL, 0, "x", ETI_NO_NODE);
    expect_input(&f, CALL, 1, "first", FIRST);
    expect_input(&f, LAST, 0, "getitem_1", CALL);
    clear_values(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_module_has_a_payload_and_nodes),
        cmocka_unit_test(payloads_are_whole_at_all_borders),
        cmocka_unit_test(payloads_end_where_base64_does),
        cmocka_unit_test(the_last_of_equal_keys_counts),
        cmocka_unit_test(a_damaged_module_has_no_nodes),
        cmocka_unit_test(modules_within_modules_are_passed_over),
        cmocka_unit_test(values_flow_through_calls),
        cmocka_unit_test(a_call_that_takes_or_gives_another_number_is_not_followed),
        cmocka_unit_test(a_damaged_module_leaves_the_call_a_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
