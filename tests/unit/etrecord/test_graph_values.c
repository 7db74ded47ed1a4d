#include "support.h"

#include "etrecord/graph.h"
#include "etrecord/graph_values.h"

#define CALL_TARGET "torch.ops.higher_order.executorch_call_delegate"
#define RELU "executorch.exir.dialects.edge.ops.aten.relu.default"

/* A program, written with apostrophes for quotes; `%` stands for a module in it. */
typedef struct fixture {
    eti_arena arena;
    eti_buffer text;
    eti_graph graph;
    eti_graph_values values;
} fixture;

static void add_module(eti_buffer *out, const char *module) {
    for (const char *at = module; *at; at++) {
        if (*at == '\'')
            eti__buffer_add_char(out, '\\');
        eti__buffer_add_char(out, *at == '\'' ? '"' : *at);
    }
}

static void read_program(fixture *f, const char *program, const char *module) {
    eti_json json;
    eti_error err = ETI_ERROR_INIT;
    *f = (fixture){.text = {0}};
    for (const char *at = program; *at; at++) {
        if (*at == '%')
            add_module(&f->text, module);
        else
            eti__buffer_add_char(&f->text, *at == '\'' ? '"' : *at);
    }
    eti__json_open_text(&json, eti__buffer_text(&f->text));
    assert_ok(eti__graph_read_values(&f->graph, &f->values, &f->arena, &json, &err));
}

static void clear(fixture *f) {
    eti__arena_free(&f->arena);
    eti__buffer_free(&f->text);
}

/* Checks an input of a node of the whole graph: its name, and the node that produces it. */
static void expect_input(const fixture *f, size_t node, uint32_t i, const char *name,
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
    fixture f;
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
    clear(&f);
}

/* Then values cannot be assigned to each other. */
static void a_call_that_takes_or_gives_another_number_is_not_followed(void **state) {
    (void)state;
    fixture f;
    read_program(&f, PROGRAM(ARG("x")), MODULE(T("inner")));
    expect_input(&f, INNER, 0, "p", ETI_NO_NODE);
    expect_input(&f, INNER, 1, "v", ETI_NO_NODE);
    expect_input(&f, SECOND, 1, "q", ETI_NO_NODE);
    expect_input(&f, LAST, 0, "getitem_1", CALL);
    expect_input(&f, LAST, 1, "getitem", CALL);
    clear(&f);
}

static void a_damaged_module_leaves_the_call_a_node(void **state) {
    (void)state;
    fixture f;
    read_program(&f, PROGRAM(ARG("x") ", " ARG("first")), "{'original_module': {'graph_module': 3");
    assert_int_equal(f.graph.n_lowered, 0);
    assert_int_equal(f.values.n_graph_inputs, 2);
    expect_input(&f, CALL, 0, "x", ETI_NO_NODE);
    expect_input(&f, CALL, 1, "first", FIRST);
    expect_input(&f, LAST, 0, "getitem_1", CALL);
    clear(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_flow_through_calls),
        cmocka_unit_test(a_call_that_takes_or_gives_another_number_is_not_followed),
        cmocka_unit_test(a_damaged_module_leaves_the_call_a_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
