/*
 * What is expected follows Graphviz' own description of its language.
 */
#include "report_text.h"
#include "table/select/selection.h"
#include "write/writer.h"

#include "account/graph.h"

#include <math.h>

#define LITERAL(literal)                                                                           \
    { literal, sizeof(literal) - 1 }
#define NONE ((double)NAN)

static eti_error err;

/* A report of these nodes; its table has no columns that a writer could look into. */
static eti_report *make_nodes(eti_timed_graph *graph) {
    const eti_column column = {
        eti__text_of("number"), ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, false, NULL, NULL, 0};
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

static void assert_dot(eti_timed_node *nodes, size_t n, const char *expected) {
    eti_timed_graph graph = {.nodes = nodes, .n_nodes = n};
    eti_report *report = make_nodes(&graph);
    assert_report(report, "dot", NULL, expected);
    eti_report_free(report);
}

#define START "digraph \"graph\" {\n  node [shape=box style=filled fillcolor=white];\n"

static const eti_text xyx[] = {LITERAL("x"), LITERAL("y"), LITERAL("x")};
static eti_timed_node four[] = {
    {.name = LITERAL("x"), .op = LITERAL("(input)"), .is_input = true, .share = NONE},
    {.name = LITERAL("add"),
     .op = LITERAL("aten.add"),
     .inputs = xyx,
     .n_inputs = 3,
     .share = 0.125,
     .total = 3},
    {.name = LITERAL("all"), .share = 1, .total = 24},
    {.name = LITERAL("no"), .op = LITERAL(""), .share = 0, .total = 0},
};

static void nodes_have_their_inputs(void **state) {
    (void)state;
    assert_dot(four, COUNT(four),
               START "  \"x\" [label=\"x\\n(input)\"];\n"
                     "  \"add\" [label=\"add\\naten.add\\n12.5 %\" fillcolor=\"0.08 0.125 1.0\"];\n"
                     "  \"x\" -> \"add\";\n  \"y\" -> \"add\";\n  \"x\" -> \"add\";\n"
                     "  \"all\" [label=\"all\\n100.0 %\" fillcolor=\"0.08 0.999 1.0\"];\n"
                     "  \"no\" [label=\"no\"];\n}\n");
}

static void labels_have_what_is_known(void **state) {
    (void)state;
    eti_timed_node nodes[] = {{.name = LITERAL("n"),
                               .op = LITERAL("aten.mm"),
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
               START
               "  \"n\" [label=\"n\\naten.mm\\nhead\\nm.py:12\\nfloat32\\n[2]\\nXnnpack\"];\n}\n");
}

static void texts_cannot_leave_their_quotes(void **state) {
    (void)state;
    const eti_text inputs[] = {eti__text_of("\"];x\n")};
    eti_timed_node nodes[] = {{.name = LITERAL("a\"b\\N\033[1m\xff\xc2\x9b\xc3\xa4"),
                               .inputs = inputs,
                               .n_inputs = 1,
                               .share = NONE}};
    assert_dot(nodes, 1,
               START "  \"a\\\"b\\\\N?[1m??\xc3\xa4\" [label=\"a\\\"b\\\\N?[1m??\xc3\xa4\"];\n"
                     "  \"\\\"];x?\" -> \"a\\\"b\\\\N?[1m??\xc3\xa4\";\n}\n");
}

/* What is drawn is what was selected, in that order. */
static void selected_nodes_are_drawn(void **state) {
    (void)state;
    eti_timed_graph graph = {.nodes = four, .n_nodes = COUNT(four)};
    const eti_selection selection = {.filter = "number != 1 and number != 2",
                                     .sort = "number:desc"};
    eti_report *report = make_nodes(&graph);
    assert_ok(eti__report_select(report, &selection, &err));
    assert_report(report, "dot", NULL,
                  START "  \"no\" [label=\"no\"];\n  \"x\" [label=\"x\\n(input)\"];\n}\n");
    eti_report_free(report);
}

/* A graph without nodes says why. */
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
        eti__text_of("node"), ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, false, NULL, NULL, 0};
    eti_buffer out = {0};
    eti_report *report = make_report(&column, 1, NULL, 0);
    assert_fails(eti__report_write(report, "dot", NULL, keep_output, &out, &err), ETI_ERROR_USAGE,
                 "that of etinspect graph");
    assert_int_equal(out.size, 0);
    eti_report_free(report);
    eti__buffer_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_have_their_inputs),
        cmocka_unit_test(labels_have_what_is_known),
        cmocka_unit_test(texts_cannot_leave_their_quotes),
        cmocka_unit_test(selected_nodes_are_drawn),
        cmocka_unit_test(an_empty_graph_has_a_note),
        cmocka_unit_test(only_graphs_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
