/* Expected output follows the description of the language by Graphviz. */
#include "etrecord/etrecord.h"
#include "report_text.h"
#include "rollup/rollup.h"

#include <math.h>

#define LITERAL(literal)                                                                           \
    { literal, sizeof(literal) - 1 }
#define NONE ((double)NAN)

static eti_error err;

/* Makes a report of these nodes; its table has no columns for a writer to use. */
static eti_report *make_nodes(eti_timed_graph *graph) {
    const eti_column column = {
        .name = eti__text_of("number"), .type = ETI_TYPE_INT64, .kind = ETI_COLUMN_NUMBER};
    eti_report *report;
    eti_table *table;
    assert_ok(eti__report_new(&report, "graph", ETI_SCALE_MS, &err));
    assert_ok(eti__table_new(&table, &column, 1, &err));
    for (size_t i = 0; i < graph->n_nodes; i++)
        *eti__table_add_row(table) = (eti_cell)INT((int64_t)i);
    assert_ok(eti__report_add(report, "nodes", NULL, table, &err));
    report->graph = graph;
    return report;
}

static void assert_graph(eti_timed_graph *graph, const eti_write_options *options,
                         const char *expected) {
    eti_report *report = make_nodes(graph);
    assert_report(report, "dot", options, expected);
    eti_report_free(report);
}

static void assert_dot(eti_timed_node *nodes, size_t n, const char *expected) {
    eti_timed_graph graph = {.nodes = nodes, .n_nodes = n};
    assert_graph(&graph, NULL, expected);
}

#define START "digraph \"graph\" {\n  node [shape=box style=filled fillcolor=white];\n"

/* The third input is the first one again, and the producer of the fourth is unknown. */
static const eti_text inputs_of_add[] = {LITERAL("x"), LITERAL("w"), LITERAL("x"), LITERAL("y")};
static const uint32_t givers_of_add[] = {0, 1, 0, ETI_NO_NODE};
static eti_timed_node five[] = {
    {.name = LITERAL("x"), .op = LITERAL("(input)"), .is_input = true, .share = NONE},
    {.name = LITERAL("w"),
     .op = LITERAL("(input)"),
     .is_input = true,
     .is_weight = true,
     .share = NONE},
    {.name = LITERAL("aten_add_tensor_1"),
     .op = LITERAL("aten.add.Tensor"),
     .inputs = inputs_of_add,
     .input_nodes = givers_of_add,
     .n_inputs = 4,
     .shape = LITERAL("[2]"),
     .typical = 0.0015,
     .share = 0.125,
     .total = 3},
    {.name = LITERAL("all"), .op = LITERAL("aten.mul"), .typical = 3, .share = 1, .total = 24},
    {.name = LITERAL("no"), .op = LITERAL(""), .share = 0, .total = 0},
};

#define X "  \"x\" [label=\"x\" tooltip=\"x\\n(input)\"];\n"
#define ADD                                                                                        \
    "  \"aten_add_tensor_1\" [label=\"aten_add_tensor_1\\n[2]\\n1.5 µs, 12.5 %\" "                \
    "tooltip=\"aten_add_tensor_1\\naten.add.Tensor\\n[2]\" fillcolor=\"0.08 0.125 1.0\"];\n"
#define ALL                                                                                        \
    "  \"all\" [label=\"all\\naten.mul\\n3 ms, 100.0 %\" tooltip=\"all\\naten.mul\" "              \
    "fillcolor=\"0.08 0.999 1.0\"];\n"
#define NO "  \"no\" [label=\"no\" tooltip=\"no\"];\n"

/* Weights are omitted with their edges; several edges between two nodes are drawn as one. */
static void nodes_have_their_inputs(void **state) {
    (void)state;
    assert_dot(five, COUNT(five), START X ADD ALL NO "  \"x\" -> \"aten_add_tensor_1\";\n}\n");
}

static void weights_are_shown_on_request(void **state) {
    (void)state;
    eti_timed_graph graph = {.nodes = five, .n_nodes = COUNT(five), .shows_weights = true};
    assert_graph(&graph, NULL,
                 START X
                 "  \"w\" [label=\"w\" tooltip=\"w\\n(input)\"];\n" ADD ALL NO
                 "  \"x\" -> \"aten_add_tensor_1\";\n  \"w\" -> \"aten_add_tensor_1\";\n}\n");
}

/* A tooltip has everything that is known, a label only short facts. */
static void tooltips_have_what_is_known(void **state) {
    (void)state;
    eti_timed_node nodes[] = {
        {.name = LITERAL("quantized_decomposed_dequantize_per_tensor_default_12"),
         .op = LITERAL("quantized_decomposed.dequantize_per_tensor.default"),
         .module = LITERAL("head"),
         .file = LITERAL("m.py"),
         .line = 12,
         .dtype = "float32",
         .shape = LITERAL("[2]"),
         .backend = LITERAL("Xnnpack"),
         .target = LITERAL("t"),
         .code = LITERAL("c"),
         .share = NONE}};
    assert_dot(nodes, 1,
               START "  \"quantized_decomposed_dequantize_per_tensor_default_12\" "
                     "[label=\"quantized_decom...sor_default_12\\n[2]\" "
                     "tooltip=\"quantized_decomposed_dequantize_per_tensor_default_12\\n"
                     "quantized_decomposed.dequantize_per_tensor.default\\nhead\\nm.py:12\\n"
                     "float32\\n[2]\\nXnnpack\"];\n}\n");
}

/* The model itself has no cluster, and neither has a module without nodes. */
static void modules_are_clusters(void **state) {
    (void)state;
    static const eti_timed_module modules[] = {
        {0},
        {.parent = 0, .name = LITERAL("Model"), .part = LITERAL("")},
        {.parent = 1, .name = LITERAL("a"), .part = LITERAL("a")},
        {.parent = 2, .name = LITERAL("a.\"b\""), .part = LITERAL("\"b\"")},
        {.parent = 1, .name = LITERAL("none"), .part = LITERAL("none")},
        {.parent = 1, .name = LITERAL("c"), .part = LITERAL("c")},
    };
    eti_timed_node nodes[] = {{.name = LITERAL("n"), .share = NONE, .module_number = 3},
                              {.name = LITERAL("m"), .share = NONE, .module_number = 1},
                              {.name = LITERAL("o"), .share = NONE, .module_number = 5},
                              {.name = LITERAL("p"), .share = NONE, .module_number = 2}};
    eti_timed_graph graph = {.nodes = nodes,
                             .n_nodes = COUNT(nodes),
                             .name = LITERAL("forward"),
                             .modules = modules,
                             .n_modules = COUNT(modules)};
    assert_graph(
        &graph, NULL,
        "digraph \"forward\" {\n  node [shape=box style=filled fillcolor=white];\n"
        "  \"m\" [label=\"m\" tooltip=\"m\"];\n"
        "  subgraph \"cluster_2\" {\n    label=\"a\"; tooltip=\"a\";\n"
        "    \"p\" [label=\"p\" tooltip=\"p\"];\n"
        "    subgraph \"cluster_3\" {\n      label=\"\\\"b\\\"\"; tooltip=\"a.\\\"b\\\"\";\n"
        "      \"n\" [label=\"n\" tooltip=\"n\"];\n    }\n  }\n"
        "  subgraph \"cluster_5\" {\n    label=\"c\"; tooltip=\"c\";\n"
        "    \"o\" [label=\"o\" tooltip=\"o\"];\n  }\n}\n");
}

#define N_DEEP 100

/* Graphviz draws clusters recursively. */
static void clusters_nest_only_so_deep(void **state) {
    (void)state;
    eti_timed_module modules[N_DEEP] = {{0}};
    eti_timed_node node = {.name = LITERAL("n"), .share = NONE, .module_number = N_DEEP - 1};
    eti_timed_graph graph = {.nodes = &node, .n_nodes = 1, .modules = modules, .n_modules = N_DEEP};
    for (uint32_t i = 1; i < N_DEEP; i++)
        modules[i] = (eti_timed_module){
            .parent = i - 1, .name = eti__text_of("m"), .part = eti__text_of("m")};
    eti_report *report = make_nodes(&graph);
    eti_buffer out = {0};
    assert_ok(eti__report_write(report, "dot", NULL, keep_output, &out, &err));
    assert_true(eti__text_contains(eti__buffer_text(&out), eti__text_of("cluster_32\"")));
    assert_false(eti__text_contains(eti__buffer_text(&out), eti__text_of("cluster_33\"")));
    assert_true(eti__text_contains(eti__buffer_text(&out), eti__text_of("\"n\" [label")));
    eti_report_free(report);
    eti__buffer_free(&out);
}

static void texts_cannot_leave_their_quotes(void **state) {
    (void)state;
    eti_timed_node nodes[] = {
        {.name = LITERAL("a\"b\\N\033[1m\xff\xc2\x9b\xc3\xa4"), .share = NONE}};
#define ESCAPED "\"a\\\"b\\\\N?[1m??\xc3\xa4\""
    assert_dot(nodes, 1, START "  " ESCAPED " [label=" ESCAPED " tooltip=" ESCAPED "];\n}\n");
}

/* Only selected nodes are drawn, in their order; edges from other nodes are omitted. */
static void selected_nodes_are_drawn(void **state) {
    (void)state;
    eti_timed_graph graph = {.nodes = five, .n_nodes = COUNT(five)};
    const eti_selection selection = {.filter = "number == 2 or number == 4", .sort = "number:desc"};
    eti_report *report = make_nodes(&graph);
    assert_ok(eti__report_select(report, &selection, &err));
    assert_report(report, "dot", NULL, START NO ADD "}\n");
    eti_report_free(report);
}

static void ascii_units_have_no_greek_letter(void **state) {
    (void)state;
    eti_timed_graph graph = {.nodes = five, .n_nodes = COUNT(five)};
    const eti_write_options options = {.ascii = true};
    eti_report *report = make_nodes(&graph);
    eti_buffer out = {0};
    assert_ok(eti__report_write(report, "dot", &options, keep_output, &out, &err));
    assert_true(eti__text_contains(eti__buffer_text(&out), eti__text_of("1.5 us")));
    eti_report_free(report);
    eti__buffer_free(&out);
}

/* For a graph without nodes the output gives the reason. */
static void an_empty_graph_has_a_note(void **state) {
    (void)state;
    eti_timed_graph graph = {.n_nodes = 0};
    eti_report *report = make_nodes(&graph);
    assert_ok(eti__report_note(report, &err, "there is \"none\""));
    assert_report(report, "dot", NULL, START "  label=\"there is \\\"none\\\"\";\n}\n");
    eti_report_free(report);
}

static void only_graphs_are_drawn(void **state) {
    (void)state;
    const eti_column column = {
        .name = eti__text_of("node"), .type = ETI_TYPE_UTF8, .kind = ETI_COLUMN_TEXT};
    eti_buffer out = {0};
    eti_report *report = make_report(&column, 1, NULL, 0);
    assert_fails(eti__report_write(report, "dot", NULL, keep_output, &out, &err), ETI_ERROR_USAGE,
                 "is for etinspect graph");
    assert_int_equal(out.size, 0);
    eti_report_free(report);
    eti__buffer_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_have_their_inputs),
        cmocka_unit_test(weights_are_shown_on_request),
        cmocka_unit_test(tooltips_have_what_is_known),
        cmocka_unit_test(modules_are_clusters),
        cmocka_unit_test(clusters_nest_only_so_deep),
        cmocka_unit_test(ascii_units_have_no_greek_letter),
        cmocka_unit_test(texts_cannot_leave_their_quotes),
        cmocka_unit_test(selected_nodes_are_drawn),
        cmocka_unit_test(an_empty_graph_has_a_note),
        cmocka_unit_test(only_graphs_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
