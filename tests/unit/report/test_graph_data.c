#include "report/graph_data.h"

#include "inspector_fixture.h"
#include "report/layout.h"

#include <math.h>

/* Returns the text added for a graph; the caller frees it. */
static eti_buffer add(const eti_timed_graph *graph, bool leaves_out_large) {
    eti_error err = ETI_ERROR_INIT;
    eti_buffer out = {0};
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_SPACED);
    assert_ok(eti__graph_data_add(&json, graph, leaves_out_large, &err));
    eti__buffer_add_char(&out, '\0');
    assert_false(out.failed);
    return out;
}

static void assert_data(const eti_timed_graph *graph, bool leaves_out_large, const char *expected) {
    eti_buffer out = add(graph, leaves_out_large);
    assert_string_equal(out.data, expected);
    eti__buffer_free(&out);
}

/* The model, "a", "b". */
static const eti_timed_module modules[] = {
    {.name = {NULL, 0}},
    {.parent = 0, .name = {"M", 1}, .part = {"", 0}},
    {.parent = 1, .name = {"a", 1}, .part = {"a", 1}},
    {.parent = 1, .name = {"b", 1}, .part = {"b", 1}},
};

/* x -> relu and tanh in "a" -> add in the model, which takes x, too. */
static const uint32_t x[] = {0}, relu[] = {1}, tanh_and_x[] = {2, 0};

static eti_timed_graph make_graph(eti_timed_node nodes[4]) {
    nodes[0] = (eti_timed_node){
        .name = {"x", 1}, .op = {"(input)", 7}, .is_input = true, .total = (double)NAN};
    nodes[1] = (eti_timed_node){.op = {"relu", 4},
                                .module_number = 2,
                                .input_nodes = x,
                                .n_inputs = 1,
                                .total = 1,
                                .share = 0.25};
    nodes[2] = (eti_timed_node){.op = {"tanh", 4},
                                .module_number = 2,
                                .input_nodes = relu,
                                .n_inputs = 1,
                                .total = 2,
                                .share = 0.5};
    nodes[3] = (eti_timed_node){.op = {"an_operator_with_a_long_name", 28},
                                .module_number = 1,
                                .input_nodes = tanh_and_x,
                                .n_inputs = 2,
                                .total = 1,
                                .share = 0.25};
    nodes[0].share = (double)NAN;
    for (size_t i = 0; i < 4; i++)
        nodes[i].lowered = nodes[i].call = ETI_NO_NODE;
    return (eti_timed_graph){
        .nodes = nodes, .n_nodes = 4, .modules = modules, .n_modules = 4, .has_times = true};
}

#define FLAT                                                                                       \
    "[\n{\"depth\": 1, \"width\": 319, \"height\": 180, \"rest_total\": null, \"rest_share\": "    \
    "null,\n"                                                                                      \
    " \"nodes\": {\"row\": [0,1,3], \"x\": [154,215,126], \"layer\": [0,1,2], "                    \
    "\"width\": [128,208,252], \"module\": [null,\"a\",null], \"members\": [[0],[1,2],[3]], "      \
    "\"total\": [null,3.0,1.0], \"share\": [null,0.75,0.25]},\n"                                   \
    " \"points\": {\"x\": [93], \"layer\": [1], \"above\": [0]},\n"                                \
    " \"lines\": {\"from\": [0,0,1], \"to\": [1,2,2], \"above\": [0,3,1]},\n"                      \
    " \"layers\": {\"y\": [0,70,140], \"height\": [40,40,40]}},\n"

#define ALL                                                                                        \
    "{\"depth\": 0, \"width\": 252, \"height\": 250, \"rest_total\": null, \"rest_share\": "       \
    "null,\n"                                                                                      \
    " \"nodes\": {\"row\": [0,1,2,3], \"x\": [133,174,174,126], \"layer\": [0,1,2,3], "            \
    "\"width\": [128,128,128,252]},\n"                                                             \
    " \"points\": {\"x\": [92,92], \"layer\": [1,2], \"above\": [0,4]},\n"                         \
    " \"lines\": {\"from\": [0,1,0,2], \"to\": [1,2,3,3], \"above\": [0,1,5,2]},\n"                \
    " \"layers\": {\"y\": [0,70,140,210], \"height\": [40,40,40,40]}}\n]"

static void each_depth_is_drawn(void **state) {
    (void)state;
    eti_timed_node nodes[4];
    eti_timed_graph graph = make_graph(nodes);
    assert_data(&graph, false, FLAT ALL);
}

static void large_parts_are_left_out(void **state) {
    (void)state;
    eti_timed_node nodes[4];
    eti_timed_graph graph = make_graph(nodes);
    assert_data(&graph, true,
                FLAT "{\"depth\": 0, \"reason\": \"left out to keep the page small\"}\n]");
    /* a graph without modules has only one drawing */
    for (size_t i = 0; i < 4; i++)
        nodes[i].module_number = 0;
    eti_buffer out = add(&graph, true);
    assert_non_null(strstr(out.data, "\"lines\""));
    eti__buffer_free(&out);
    graph.n_nodes = 0;
    assert_data(&graph, false, "");
}

/* Modules of a graph that is too large are still drawn. */
static void a_large_graph_has_its_modules(void **state) {
    (void)state;
    size_t n = ETI_LAYOUT_MOST_NODES + 1;
    eti_timed_node *nodes = calloc(n, sizeof *nodes);
    assert_non_null(nodes);
    for (size_t i = 0; i < n; i++)
        nodes[i] = (eti_timed_node){.op = {"op", 2},
                                    .module_number = i < n / 2 ? 2 : 3,
                                    .lowered = ETI_NO_NODE,
                                    .call = ETI_NO_NODE};
    eti_timed_graph graph = {.nodes = nodes, .n_nodes = n, .modules = modules, .n_modules = 4};
    eti_buffer out = add(&graph, false);
    assert_non_null(strstr(out.data, "\"module\": [\"a\",\"b\"]"));
    assert_non_null(strstr(
        out.data,
        "{\"depth\": 0, \"reason\": \"the graph has 5001 nodes: at most 5000 are drawn\"}\n]"));
    eti__buffer_free(&out);
    free(nodes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_depth_is_drawn),
        cmocka_unit_test(large_parts_are_left_out),
        cmocka_unit_test(a_large_graph_has_its_modules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
