/*
 * What is expected follows Graphviz' own description of its language.
 */
#include "table_text.h"

/* Writes and frees the table. */
static eti_status write_dot(eti_table *table, eti_buffer *out, eti_error *err) {
    eti_section section = {.name = "nodes", .table = table};
    const eti_report report = {.view = "graph", .sections = &section, .n_sections = 1};
    eti_status status = eti_report_write(&report, "dot", NULL, keep_output, out, err);
    eti_buffer_add_char(out, '\0');
    eti_table_free(table);
    return status;
}

static void assert_dot(eti_table *table, const char *expected) {
    eti_buffer out = {0};
    assert_int_equal(write_dot(table, &out, NULL), ETI_OK);
    assert_string_equal(out.data, expected);
    eti_buffer_free(&out);
}

#define START "digraph \"graph\" {\n  node [shape=box style=filled fillcolor=white];\n"
#define TEXTS(array)                                                                               \
    { .kind = ETI_CELL_TEXTS, .items = (array), .n_items = COUNT(array) }

static void rows_are_nodes_with_their_inputs(void **state) {
    (void)state;
    static const char *const names[] = {"node", "op", "inputs", "share", "total (ms)", NULL};
    const eti_text inputs[] = {eti_text_of("x"), eti_text_of("y"), eti_text_of("x")};
    const eti_cell cells[] = {
        TEXT("x"),   TEXT("(input)"),  NO_CELL,       NO_CELL,       NO_CELL,
        TEXT("add"), TEXT("aten.add"), TEXTS(inputs), DOUBLE(0.125), DOUBLE(3),
        TEXT("all"), NO_CELL,          NO_CELL,       DOUBLE(1),     DOUBLE(24),
        TEXT("no"),  TEXT(""),         NO_CELL,       DOUBLE(0),     DOUBLE(0),
    };
    assert_dot(make_table(false, names, cells, COUNT(cells)),
               START "  \"x\" [label=\"x\\n(input)\"];\n"
                     "  \"add\" [label=\"add\\naten.add\\n12.5 %\" fillcolor=\"0.08 0.125 1.0\"];\n"
                     "  \"x\" -> \"add\";\n  \"y\" -> \"add\";\n  \"x\" -> \"add\";\n"
                     "  \"all\" [label=\"all\\n100.0 %\" fillcolor=\"0.08 0.999 1.0\"];\n"
                     "  \"no\" [label=\"no\"];\n}\n");
}

static void texts_cannot_leave_their_quotes(void **state) {
    (void)state;
    static const char *const names[] = {"node", "inputs", NULL};
    const eti_text inputs[] = {eti_text_of("\"];x\n")};
    const eti_cell cells[] = {TEXT("a\"b\\N\033[1m\xff\xc2\x9b\xc3\xa4"), TEXTS(inputs)};
    assert_dot(make_table(false, names, cells, COUNT(cells)),
               START "  \"a\\\"b\\\\N?[1m??\xc3\xa4\" [label=\"a\\\"b\\\\N?[1m??\xc3\xa4\"];\n"
                     "  \"\\\"];x?\" -> \"a\\\"b\\\\N?[1m??\xc3\xa4\";\n}\n");
}

static void only_graphs_are_drawn(void **state) {
    (void)state;
    static const char *const names[] = {"node", "output", NULL};
    eti_buffer out = {0};
    eti_error err;
    assert_int_equal(write_dot(make_table(false, names, NULL, 0), &out, &err), ETI_ERROR_USAGE);
    assert_int_equal(out.size, 1);
    eti_buffer_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_nodes_with_their_inputs),
        cmocka_unit_test(texts_cannot_leave_their_quotes),
        cmocka_unit_test(only_graphs_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
