#include "recorded_fixture.h"

/* x -> first -> second -> third -> fourth, and the fifth takes the output of the second. The last two are outputs. */
#define NODES                                                                                      \
    MADE("first", "1", FROM("part", FROM("root", "")), ARG("x"))                                   \
    ", " MADE("second", "2", FROM("mul", ""), ARG("first")) ", " MADE(                             \
        "third", "3", "", ARG("second")) ", " MADE("fourth", "4", FROM("relu", ""),                \
                                                   ARG("third")) ", " MADE("fifth", "5",           \
                                                                           FROM("exp", ""),        \
                                                                           ARG("second"))
#define PROGRAM GRAPH_OF(T("fourth") ", " T("fifth"), NODES)

/* `name` is the name that torch gives the node, with _ after it; NULL: there is no node. */
static void expect_node(const found *f, size_t tensor, const char *name, const char *source) {
    const eti_graph_node *node = f->origins.of[tensor].node;
    if (!node || !name) {
        assert_true(!node && !name);
        return;
    }
    assert_text(node->node.name, name);
    if (source)
        assert_text(node->node.origin, source);
    else
        assert_null(node->node.origin.data);
}

static void expect_inputs(found *f, size_t tensor, size_t n, const uint32_t *expected) {
    eti_tensor_inputs inputs;
    assert_true(eti__origins_inputs(&f->origins, tensor, &inputs));
    assert_int_equal(inputs.n, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(inputs.tensors[i], expected[i]);
    free(inputs.tensors);
}

static void kernels_give_what_the_last_node_of_their_handles_gives(void **state) {
    (void)state;
    found f = {0};
    builder *b = &f.s.b;
    find_recorded(
        &f,
        DUMP(b, RUN(b, "Execute", TIMED_CALL(b, "a", 0), LOGGED_AT(b, "a", 0, 0, 2),
                    LOGGED_AT(b, "a", 0, 8, 2), TIMED_CALL(b, "d", 1), LOGGED_AT(b, "d", 1, 16, 1),
                    TIMED_CALL(b, "c", 2), LOGGED_AT(b, "c", 2, 24, 1))),
        &(record_spec){.handles = "{\"0\": [2, 1], \"1\": [3, 4], \"2\": 3}", .edge = PROGRAM});
    assert_int_equal(f.recorded.n, 4);
    expect_node(&f, 0, "first_", "root"); /* not "part", which is its immediate origin */
    expect_node(&f, 1, "first_", "root");
    expect_node(&f, 2, "fourth_", "relu");
    expect_node(&f, 3, "third_", NULL); /* the record does not give the origin */
    assert_ptr_equal(f.origins.of[3].last, f.origins.of[3].node);
    close_recorded(&f);
}

#define CALL_OF_THREE(b)                                                                           \
    DUMP(b, RUN(b, "Execute", TIMED_CALL(b, "DELEGATE_CALL", 7),                                   \
                LOGGED_AT(b, "DELEGATE_CALL", 7, 0, 1), LOGGED_AT(b, "DELEGATE_CALL", 7, 4, 1),    \
                LOGGED_AT(b, "DELEGATE_CALL", 7, 8, 1)))
#define DELEGATE "{\"7\": {\"name\": \"Npu\", \"delegate_map\": {}}}"

/* Nodes 2 and 3 are used by others; the last 3 in the list precedes the last 2. The Inspector would take 2 for both
 * outputs. */
static void outputs_of_a_delegate_are_its_boundary_in_order(void **state) {
    (void)state;
    found f = {0};
    builder *b = &f.s.b;
    find_recorded(&f, CALL_OF_THREE(b),
                  &(record_spec){.handles = "{\"7\": [2, 1, 3, 1, 2, 2]}",
                                 .delegates = DELEGATE,
                                 .num_outputs = "{\"7\": 2}",
                                 .edge = PROGRAM});
    assert_int_equal(f.recorded.n, 3);
    assert_true(f.origins.of[0].is_input);
    assert_false(f.origins.of[1].is_input);
    expect_node(&f, 0, NULL, NULL);
    expect_node(&f, 1, "third_", NULL);
    expect_node(&f, 2, "second_", "mul");
    expect_inputs(&f, 1, 1, (const uint32_t[]){0});
    expect_inputs(&f, 0, 0, NULL);
    close_recorded(&f);
}

/* Only the output of 2 is used outside and it is no output of the graph: one node for two outputs. */
static void otherwise_outputs_are_counted_from_the_end(void **state) {
    (void)state;
    found f = {0};
    builder *b = &f.s.b;
    find_recorded(&f, CALL_OF_THREE(b),
                  &(record_spec){.handles = "{\"7\": [1, 2]}",
                                 .delegates = DELEGATE,
                                 .num_outputs = "{\"7\": 2}",
                                 .edge = PROGRAM});
    expect_node(&f, 1, "first_", "root");
    expect_node(&f, 2, "second_", "mul");
    close_recorded(&f);
}

/* "pieces" has three outputs: "fourth" uses the second and "fifth" the third; "first" uses the other. */
#define PIECES                                                                                     \
    "{\"name\": \"pieces\", \"target\": "                                                          \
    "\"executorch.exir.dialects.edge.ops.aten.split_with_sizes_copy.default\", \"inputs\": [" ARG( \
        "x") "], \"outputs\": [{\"as_tensors\": [{\"name\": \"piece_0\"}, "                        \
             "{\"name\": \"piece_1\"}, {\"name\": \"piece_2\"}]}], \"metadata\": "                 \
             "{\"debug_handle\": \"1\"}}"
#define PROGRAM_OF_PIECES                                                                          \
    GRAPH_OF(                                                                                      \
        T("fourth") ", " T("fifth"),                                                               \
        PIECES ", " MADE("first", "2", "", ARG("piece_0")) ", " MADE(                              \
            "second", "2", "", ARG("first")) ", " MADE("fourth", "4", "",                          \
                                                       ARG("piece_1")) ", " MADE("fifth", "5", "", \
                                                                                 ARG("piece_2")))

#define SPLIT "aten_split_with_sizes_copy_default_"

static void expect_port(const found *f, size_t tensor, const char *name, uint32_t port,
                        bool is_inner) {
    assert_non_null(f->origins.of[tensor].node);
    assert_text(f->origins.of[tensor].node->node.name, name);
    assert_int_equal(f->origins.of[tensor].port, port);
    assert_int_equal(f->origins.of[tensor].is_inner, is_inner);
}

/* One node gives both outputs: the Inspector would take the node of 2 for the second. */
static void a_node_may_give_several_outputs(void **state) {
    (void)state;
    found f = {0};
    builder *b = &f.s.b;
    find_recorded(&f, CALL_OF_THREE(b),
                  &(record_spec){.handles = "{\"7\": [1, 2, 2]}",
                                 .delegates = DELEGATE,
                                 .num_outputs = "{\"7\": 2}",
                                 .edge = PROGRAM_OF_PIECES});
    assert_true(f.origins.of[0].is_input);
    expect_port(&f, 1, SPLIT, 1, false);
    expect_port(&f, 2, SPLIT, 2, false);
    eti_points points;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__points_find(&points, &f.origins, 0, f.recorded.n, &err));
    assert_int_equal(points.n, 1);
    assert_int_equal(points.points[0].n, 2);
    assert_ptr_equal(points.points[0].tensors, &f.recorded.tensors[1]);
    assert_int_equal(points.points[0].ports[0], 1);
    assert_int_equal(points.points[0].ports[1], 2);
    assert_int_equal(points.points[0].output, 0);
    eti__points_free(&points);
    close_recorded(&f);
}

static void one_used_output_of_several_is_known(void **state) {
    (void)state;
    found f = {0};
    builder *b = &f.s.b;
    find_recorded(&f, CALL_OF_THREE(b),
                  &(record_spec){.handles = "{\"7\": [1, 4]}",
                                 .delegates = DELEGATE,
                                 .num_outputs = "{\"7\": 3}",
                                 .edge = PROGRAM_OF_PIECES});
    expect_port(&f, 0, SPLIT, 0, false);
    expect_port(&f, 1, SPLIT, 2, false);
    expect_port(&f, 2, "fourth_", 0, false);
    close_recorded(&f);
    f = (found){0};
    find_recorded(&f, CALL_OF_THREE(b),
                  &(record_spec){.handles = "{\"7\": [5, 1, 2]}",
                                 .delegates = DELEGATE,
                                 .num_outputs = "{\"7\": 2}",
                                 .edge = PROGRAM_OF_PIECES});
    expect_port(&f, 1, "fifth_", 0, false);
    expect_port(&f, 2, SPLIT, 1, false);
    close_recorded(&f);
}

/* Both nodes with handle 2 are used outside: only the last one gives the value that the handle stands for. */
static void nodes_with_one_handle_are_distinguished(void **state) {
    (void)state;
    found f = {0};
    builder *b = &f.s.b;
    find_recorded(
        &f, CALL_OF_THREE(b),
        &(record_spec){.handles = "{\"7\": [2, 2]}",
                       .delegates = DELEGATE,
                       .num_outputs = "{\"7\": 2}",
                       .edge = GRAPH_OF(T("second") ", " T("first"),
                                        MADE("first", "2", FROM("gelu", ""), ARG("x")) ", " MADE(
                                            "second", "2", FROM("gelu", ""), ARG("first")))});
    expect_port(&f, 1, "first_", 0, true);
    expect_port(&f, 2, "second_", 0, false);
    eti_points points;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__points_find(&points, &f.origins, 0, f.recorded.n, &err));
    assert_int_equal(points.n, 2);
    assert_false(points.points[0].has_handle);
    assert_true(points.points[1].has_handle);
    assert_text(points.points[0].last_node->node.name, "second_");
    assert_ptr_equal(points.points[1].last_node, points.points[1].node);
    eti__points_free(&points);
    close_recorded(&f);
}

static void outputs_of_the_graph_are_used_outside(void **state) {
    (void)state;
    found f = {0};
    builder *b = &f.s.b;
    find_recorded(&f, CALL_OF_THREE(b),
                  &(record_spec){.handles = "{\"7\": [4, 5, 3, 2]}",
                                 .delegates = DELEGATE,
                                 .num_outputs = "{\"7\": 2}",
                                 .edge = PROGRAM});
    expect_node(&f, 1, "fourth_", "relu");
    expect_node(&f, 2, "fifth_", "exp");
    close_recorded(&f);
}

static void more_outputs_than_were_logged_are_unknown(void **state) {
    (void)state;
    found f = {0};
    builder *b = &f.s.b;
    find_recorded(&f, CALL_OF_THREE(b),
                  &(record_spec){.handles = "{\"7\": [4, 5, 3, 2]}",
                                 .delegates = DELEGATE,
                                 .num_outputs = "{\"7\": 4}",
                                 .edge = PROGRAM});
    for (size_t i = 0; i < 3; i++) {
        expect_node(&f, i, NULL, NULL);
        assert_false(f.origins.of[i].is_input);
    }
    close_recorded(&f);
}

/* The third node was not recorded: the fourth node's input is looked up further above. Other runs do not count. */
static void inputs_are_the_nearest_tensors_upstream(void **state) {
    (void)state;
    found f = {0};
    builder *b = &f.s.b;
    place other =
        RUN(b, "Execute", TIMED_CALL(b, "a", 0), LOGGED_AT(b, "a", 0, 0, 1), TIMED_CALL(b, "b", 1),
            LOGGED_AT(b, "b", 1, 4, 1), TIMED_CALL(b, "d", 2), LOGGED_AT(b, "d", 2, 8, 1));
    place run =
        RUN(b, "Execute", TIMED_CALL(b, "a", 0), LOGGED_AT(b, "a", 0, 16, 1), TIMED_CALL(b, "b", 1),
            LOGGED_AT(b, "b", 1, 20, 1), TIMED_CALL(b, "d", 2), LOGGED_AT(b, "d", 2, 24, 1));
    find_recorded(&f, DUMP(b, other, run),
                  &(record_spec){.handles = "{\"0\": 1, \"1\": 2, \"2\": 4}", .edge = PROGRAM});
    assert_int_equal(f.recorded.n, 6);
    expect_inputs(&f, 5, 1, (const uint32_t[]){4});
    expect_inputs(&f, 4, 1, (const uint32_t[]){3});
    expect_inputs(&f, 3, 0, NULL); /* the input of the method */
    expect_inputs(&f, 2, 1, (const uint32_t[]){1});
    close_recorded(&f);
}

/* Two nodes of one Event give the same tensor, which is one input. */
static void an_input_is_listed_once(void **state) {
    (void)state;
    found f = {0};
    builder *b = &f.s.b;
    place run = RUN(b, "Execute", TIMED_CALL(b, "first", 0), LOGGED_AT(b, "first", 0, 0, 1),
                    TIMED_CALL(b, "a", 1), LOGGED_AT(b, "a", 1, 4, 1), TIMED_CALL(b, "d", 2),
                    LOGGED_AT(b, "d", 2, 8, 1));
    find_recorded(
        &f, DUMP(b, run),
        &(record_spec){.handles = "{\"0\": 1, \"1\": [2, 3], \"2\": [4, 5]}", .edge = PROGRAM});
    expect_node(&f, 1, "third_", NULL);
    expect_inputs(&f, 2, 1, (const uint32_t[]){1});
    close_recorded(&f);
}

static void nothing_is_known_without_a_record(void **state) {
    (void)state;
    found f = {0};
    builder *b = &f.s.b;
    find_recorded(&f, CALL_OF_THREE(b), NULL);
    assert_int_equal(f.recorded.n, 3);
    for (size_t i = 0; i < 3; i++) {
        expect_node(&f, i, NULL, NULL);
        expect_inputs(&f, i, 0, NULL);
    }
    close_recorded(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_give_what_the_last_node_of_their_handles_gives),
        cmocka_unit_test(outputs_of_a_delegate_are_its_boundary_in_order),
        cmocka_unit_test(otherwise_outputs_are_counted_from_the_end),
        cmocka_unit_test(a_node_may_give_several_outputs),
        cmocka_unit_test(one_used_output_of_several_is_known),
        cmocka_unit_test(nodes_with_one_handle_are_distinguished),
        cmocka_unit_test(outputs_of_the_graph_are_used_outside),
        cmocka_unit_test(more_outputs_than_were_logged_are_unknown),
        cmocka_unit_test(inputs_are_the_nearest_tensors_upstream),
        cmocka_unit_test(an_input_is_listed_once),
        cmocka_unit_test(nothing_is_known_without_a_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
