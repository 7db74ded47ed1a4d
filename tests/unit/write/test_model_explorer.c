/* Expected output follows the classes of ai-edge-model-explorer (graph_builder.py, node_data_builder.py). */
#include "etrecord/etrecord.h"
#include "report_text.h"
#include "rollup/rollup.h"

#include <math.h>

#define LITERAL(literal)                                                                           \
    { literal, sizeof(literal) - 1 }
#define NONE ((double)NAN)

static eti_error err;

static const eti_timed_module modules[] = {
    {0},
    {.parent = 0, .name = LITERAL("Model"), .part = LITERAL("")},
    {.parent = 1, .name = LITERAL("blocks.0"), .part = LITERAL("blocks.0")},
    {.parent = 2, .name = LITERAL("blocks.0.q"), .part = LITERAL("q")},
};

static const eti_text inputs[] = {LITERAL("x"), LITERAL("unknown"), LITERAL("x")};
static const uint32_t givers[] = {0, ETI_NO_NODE, 0};

/* Two nodes, then two that stand for other events. */
static eti_timed_node nodes[] = {
    {.name = LITERAL("x"),
     .op = LITERAL("(input)"),
     .is_input = true,
     .dtype = "float32",
     .shape = LITERAL("[2]"),
     .total = NONE,
     .typical = NONE,
     .p50 = NONE,
     .shared = NONE},
    {.name = LITERAL("add"),
     .op = LITERAL("aten.add.Tensor"),
     .target = LITERAL("edge.add"),
     .has_debug_handle = true,
     .debug_handle = 7,
     .backend = LITERAL("Xnnpack"),
     .module = LITERAL("blocks.0.q"),
     .module_number = 3,
     .file = LITERAL("m.py"),
     .line = 12,
     .code = LITERAL("a + \"b\""),
     .inputs = inputs,
     .input_nodes = givers,
     .n_inputs = 3,
     .total = 3,
     .typical = 0.2,
     .p50 = 0.1,
     .shared = 0},
    {.name = LITERAL("(framework)"),
     .is_rest = true,
     .total = 0.5,
     .typical = 0.25,
     .p50 = NONE,
     .shared = NONE},
    {.name = LITERAL("(framework)"),
     .is_rest = true,
     .total = 24,
     .typical = 12,
     .p50 = NONE,
     .shared = NONE},
};

static eti_timed_graph graph = {.nodes = nodes,
                                .n_nodes = 2,
                                .n_rest = 2,
                                .name = LITERAL("for\"ward"),
                                .modules = modules,
                                .n_modules = COUNT(modules)};

/* Makes a report of the graph; its table has no columns for a writer to use. */
static eti_report *make_nodes(void) {
    const eti_column column = {
        .name = eti__text_of("number"), .type = ETI_TYPE_INT64, .kind = ETI_COLUMN_NUMBER};
    eti_report *report;
    eti_table *table;
    assert_ok(eti__report_new(&report, "graph", ETI_SCALE_MS, &err));
    assert_ok(eti__table_new(&table, &column, 1, &err));
    for (size_t i = 0; i < COUNT(nodes); i++)
        *eti__table_add_row(table) = (eti_cell)INT((int64_t)i);
    assert_ok(eti__report_add(report, "nodes", NULL, table, &err));
    report->graph = &graph;
    return report;
}

#define ADD_START                                                                                  \
    "{\"id\":\"add\",\"label\":\"aten.add.Tensor\",\"namespace\":\"blocks.0/q\",\"attrs\":["       \
    "{\"key\":\"target\",\"value\":\"edge.add\"},{\"key\":\"backend\",\"value\":\"Xnnpack\"},"     \
    "{\"key\":\"module\",\"value\":\"blocks.0.q\"},{\"key\":\"source\",\"value\":\"m.py:12\"},"    \
    "{\"key\":\"code\",\"value\":\"a + \\\"b\\\"\"},{\"key\":\"debug_handle\",\"value\":\"7\"},"   \
    "{\"key\":\"typical\",\"value\":\"0.2 ms\"},{\"key\":\"p50\",\"value\":\"0.1 "                 \
    "ms\"},{\"key\":\"total\",\"value\":\"3.0 ms\"},"                                              \
    "{\"key\":\"shared\",\"value\":\"0.0 ms\"}],\"incomingEdges\":["

static void graphs_have_nodes_and_edges(void **state) {
    (void)state;
    eti_report *report = make_nodes();
    assert_report(
        report, "model-explorer", NULL,
        "{\"label\":\"for\\\"ward\",\"graphs\":[{\"id\":\"for\\\"ward\",\"nodes\":[\n"
        "{\"id\":\"x\",\"label\":\"x\",\"namespace\":\"inputs\",\"attrs\":["
        "{\"key\":\"dtype\",\"value\":\"float32\"},{\"key\":\"shape\",\"value\":\"[2]\"}],"
        "\"incomingEdges\":[]},\n" ADD_START
        "{\"sourceNodeId\":\"x\",\"sourceNodeOutputId\":\"0\",\"targetNodeInputId\":\"0\"},"
        "{\"sourceNodeId\":\"x\",\"sourceNodeOutputId\":\"0\",\"targetNodeInputId\":\"2\"}]},\n"
        "{\"id\":\"(framework) #1\",\"label\":\"(framework)\",\"namespace\":\"\",\"attrs\":["
        "{\"key\":\"typical\",\"value\":\"0.25 ms\"},"
        "{\"key\":\"total\",\"value\":\"0.5 ms\"}],\"incomingEdges\":[]},\n"
        "{\"id\":\"(framework) #2\",\"label\":\"(framework)\",\"namespace\":\"\",\"attrs\":["
        "{\"key\":\"typical\",\"value\":\"12.0 ms\"},"
        "{\"key\":\"total\",\"value\":\"24.0 ms\"}],\"incomingEdges\":[]}]}]}\n");
    eti_report_free(report);
}

#define COLOURS                                                                                    \
    "\"gradient\":[{\"stop\":0,\"bgColor\":\"#ffffff\"},{\"stop\":1,\"bgColor\":\"#ff5a36\"}]}}\n"

/* A node with an unknown time has none. */
static void values_are_typical_times(void **state) {
    (void)state;
    eti_report *report = make_nodes();
    assert_report(report, "model-explorer-data", NULL,
                  "{\"for\\\"ward\":{\"name\":\"typical (ms)\",\"results\":{\n"
                  "\"add\":{\"value\":0.2},\n\"(framework) #1\":{\"value\":0.25},\n"
                  "\"(framework) #2\":{\"value\":12.0}}," COLOURS);
    eti_report_free(report);
}

static void selected_nodes_are_written(void **state) {
    (void)state;
    const eti_selection selection = {.filter = "number == 1"};
    eti_report *report = make_nodes();
    assert_ok(eti__report_select(report, &selection, &err));
    assert_report(
        report, "model-explorer", NULL,
        "{\"label\":\"for\\\"ward\",\"graphs\":[{\"id\":\"for\\\"ward\",\"nodes\":[\n" ADD_START
        "]}]}]}\n");
    assert_report(report, "model-explorer-data", NULL,
                  "{\"for\\\"ward\":{\"name\":\"typical (ms)\",\"results\":{\n"
                  "\"add\":{\"value\":0.2}}," COLOURS);
    eti_report_free(report);
}

/* Without an ETRecord there is no graph to name. */
static void an_empty_graph_is_a_document(void **state) {
    (void)state;
    eti_timed_graph empty = {0};
    const eti_selection selection = {.filter = "number == 9"};
    eti_report *report = make_nodes();
    assert_ok(eti__report_select(report, &selection, &err));
    report->graph = &empty;
    assert_report(report, "model-explorer", NULL,
                  "{\"label\":\"graph\",\"graphs\":[{\"id\":\"graph\",\"nodes\":[]}]}\n");
    assert_report(report, "model-explorer-data", NULL,
                  "{\"graph\":{\"name\":\"typical (ms)\",\"results\":{}," COLOURS);
    eti_report_free(report);
}

static void only_graphs_are_written(void **state) {
    (void)state;
    eti_buffer out = {0};
    eti_report *report = make_nodes();
    report->graph = NULL;
    assert_fails(eti__report_write(report, "model-explorer", NULL, keep_output, &out, &err),
                 ETI_ERROR_USAGE, "the format model-explorer is for etinspect graph");
    assert_int_equal(out.size, 0);
    eti_report_free(report);
    eti__buffer_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_have_nodes_and_edges),
        cmocka_unit_test(values_are_typical_times),
        cmocka_unit_test(selected_nodes_are_written),
        cmocka_unit_test(an_empty_graph_is_a_document),
        cmocka_unit_test(only_graphs_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
