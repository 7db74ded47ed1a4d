/* Finds, of the nodes with a debug handle, those that may have become a node of the payload. */
#include "support.h"

#include "backends/xnnpack.h"
#include "places/handle_nodes.h"

#define TRACED(operator_name, handle)                                                              \
    {                                                                                              \
        .node.stack_trace = {"at x", 4}, .op_type = {operator_name, sizeof operator_name - 1},     \
        .has_debug_handle = true, .debug_handle = (handle)                                         \
    }
#define UNTRACED(operator_name, handle)                                                            \
    {                                                                                              \
        .op_type = {operator_name, sizeof operator_name - 1}, .has_debug_handle = true,            \
        .debug_handle = (handle)                                                                   \
    }

#define QUANTIZE "quantized_decomposed.quantize_per_tensor.default"

#define DEQUANTIZE "quantized_decomposed.dequantize_per_tensor.default"

/* Checks the numbers of the nodes found, such as "0 2"; and that they are found again. */
static void check_found(const eti_graph *graph, const eti_lowered_module *module,
                        const eti_xnnpack_node *node, const char *expected) {
    eti_arena arena = {0};
    eti_handle_nodes nodes;
    eti_buffer numbers = {0};
    assert_true(eti__handle_nodes_init(&nodes, &arena, graph));
    const eti_node_class *found = eti__handle_nodes_find(&nodes, module, node);
    assert_non_null(found);
    assert_ptr_equal(eti__handle_nodes_find(&nodes, module, node), found);
    for (size_t i = 0; i < found->n; i++) {
        const eti_graph_node *of = (const eti_graph_node *)(const void *)found->nodes[i];
        eti__buffer_printf(&numbers, "%s%d", i ? " " : "", (int)(of - graph->nodes));
    }
    assert_text(eti__buffer_text(&numbers), expected);
    eti__buffer_free(&numbers);
    eti__handle_nodes_free(&nodes);
    eti__arena_free(&arena);
}

#define CHECK(all, with_handle, of_kind, expected)                                                 \
    check_found(&(eti_graph){.nodes = (all), .n_nodes = COUNT_OF(all)}, NULL,                      \
                &(eti_xnnpack_node){.kind = ETI_XNNPACK_##of_kind, .debug_handle = (with_handle)}, \
                (expected))

static void fitting_operators_go_first(void **state) {
    (void)state;
    static const eti_graph_node nodes[] = {UNTRACED(QUANTIZE, 7), UNTRACED("aten.relu.default", 7),
                                           UNTRACED("aten.convolution.default", 7),
                                           TRACED("aten.convolution.default", 7),
                                           TRACED("aten.convolution.default", 8)};
    CHECK(nodes, 7, CONV2D, "2 3");
    CHECK(nodes, 8, CONV2D, "4");
    CHECK(nodes, 7, CLAMP, "1");
    CHECK(nodes, 7, CONVERT, "0");
    /* none fits: the nodes that do more than quantize */
    CHECK(nodes, 7, STATIC_TRANSPOSE, "1 2 3");
    CHECK(nodes, 9, CONV2D, "");
}

/* A conversion to 8 bits quantizes, another one dequantizes. */
static void conversions_give_the_same_numbers(void **state) {
    (void)state;
    static const eti_graph_node all[] = {UNTRACED(QUANTIZE, 7), UNTRACED(DEQUANTIZE, 7),
                                         UNTRACED("aten._to_copy.default", 8)};
    const eti_graph graph = {.nodes = all, .n_nodes = COUNT_OF(all)};
    eti_xnnpack_node node = {.kind = ETI_XNNPACK_CONVERT, .debug_handle = 7};
    check_found(&graph, NULL, &node, "0 1");
    node.output_bits = 8;
    check_found(&graph, NULL, &node, "0");
    node.output_bits = 32;
    check_found(&graph, NULL, &node, "1");
    node.debug_handle = 8;
    check_found(&graph, NULL, &node, "2");
}

/* The result for a handle is remembered for one kind only. */
static void kinds_do_not_mix(void **state) {
    (void)state;
    static const eti_graph_node all[] = {TRACED("aten.relu.default", 7),
                                         TRACED("aten.add.Tensor", 7)};
    const eti_graph graph = {.nodes = all, .n_nodes = 2};
    eti_xnnpack_node node = {.kind = ETI_XNNPACK_CLAMP, .debug_handle = 7};
    eti_arena arena = {0};
    eti_handle_nodes nodes;
    assert_true(eti__handle_nodes_init(&nodes, &arena, &graph));
    assert_ptr_equal(eti__handle_nodes_find(&nodes, NULL, &node)->nodes[0], &all[0].node);
    node.kind = ETI_XNNPACK_ADD;
    assert_ptr_equal(eti__handle_nodes_find(&nodes, NULL, &node)->nodes[0], &all[1].node);
    eti__handle_nodes_free(&nodes);
    eti__arena_free(&arena);
}

static void operators_are_listed_once(void **state) {
    (void)state;
    static const eti_text add = {"aten.add.Tensor", 15}, sub = {"aten.sub.Tensor", 15};
    const eti_graph_node all[] = {
        {.op_type = sub, .has_debug_handle = true, .debug_handle = 7},
        {.op_type = add, .has_debug_handle = true, .debug_handle = 7},
        {.op_type = sub, .has_debug_handle = true, .debug_handle = 7},
    };
    const eti_graph graph = {.nodes = all, .n_nodes = COUNT_OF(all)};
    eti_xnnpack_node node = {.kind = ETI_XNNPACK_SUBTRACT, .debug_handle = 7};
    eti_arena arena = {0};
    eti_handle_nodes nodes;
    assert_true(eti__handle_nodes_init(&nodes, &arena, &graph));
    const eti_node_class *found = eti__handle_nodes_find(&nodes, NULL, &node);
    assert_int_equal(found->n, 2);
    assert_int_equal(found->n_op_types, 1);
    assert_text(found->op, "aten.sub.Tensor");
    assert_true(found->fits);
    node.kind = ETI_XNNPACK_TANH;
    found = eti__handle_nodes_find(&nodes, NULL, &node);
    assert_int_equal(found->n, 3);
    assert_int_equal(found->n_op_types, 2);
    assert_text(found->op_types[1], "aten.add.Tensor");
    assert_null(found->op.data);
    assert_false(found->fits);
    eti__handle_nodes_free(&nodes);
    eti__arena_free(&arena);
}

static void nodes_that_quantize_go_last(void **state) {
    (void)state;
    static const eti_graph_node nodes[] = {TRACED(QUANTIZE, 7), TRACED(QUANTIZE, 7)};
    CHECK(nodes, 7, CONV2D, "0 1");
}

/* Two nodes after lowering; the others belong to lowered modules of one node each. */
static void nodes_of_the_lowered_module_go_first(void **state) {
    (void)state;
    static const eti_graph_node nodes[] = {
        TRACED("aten.add.Tensor", 7), TRACED("aten.sin.default", 8), TRACED("aten.add.Tensor", 7),
        TRACED("aten.add.Tensor", 7)};
    const eti_lowered_module second = {.first = 3, .n_nodes = 1};
    const eti_xnnpack_node add = {.kind = ETI_XNNPACK_ADD, .debug_handle = 7};
    const eti_xnnpack_node sine = {.kind = ETI_XNNPACK_SIN, .debug_handle = 8};
    eti_graph graph = {.nodes = nodes, .n_nodes = 4, .n_lowered = 2, .is_whole = true};
    check_found(&graph, NULL, &add, "2 3");
    check_found(&graph, &second, &add, "3");
    /* found only outside the lowered modules */
    check_found(&graph, &second, &sine, "1");
    graph.is_whole = false;
    check_found(&graph, NULL, &add, "0 2 3");
}

static void without_nodes_none_is_found(void **state) {
    (void)state;
    const eti_xnnpack_node add = {.kind = ETI_XNNPACK_ADD, .debug_handle = 7};
    check_found(&(eti_graph){.n_nodes = 0}, NULL, &add, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fitting_operators_go_first),
        cmocka_unit_test(conversions_give_the_same_numbers),
        cmocka_unit_test(kinds_do_not_mix),
        cmocka_unit_test(operators_are_listed_once),
        cmocka_unit_test(nodes_that_quantize_go_last),
        cmocka_unit_test(nodes_of_the_lowered_module_go_first),
        cmocka_unit_test(without_nodes_none_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
