/* Finds, of the nodes with a debug handle, the one that became a node of the payload. */
#include "support.h"

#include "account/delegate/handle_nodes.h"
#include "account/delegate/xnnpack_kinds.h"
#include "base/text.h"

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

/* Returns the number of the node found, or -1. */
static int find_in(const eti_graph *graph, int64_t handle, uint8_t kind) {
    eti_handle_nodes nodes;
    const eti_graph_node *first, *again;
    assert_true(eti__handle_nodes_init(&nodes, graph));
    assert_true(eti__handle_nodes_find(&nodes, handle, kind, &first));
    assert_true(eti__handle_nodes_find(&nodes, handle, kind, &again));
    assert_ptr_equal(first, again);
    eti__handle_nodes_free(&nodes);
    return first ? (int)(first - graph->nodes) : -1;
}

#define FIND(nodes, handle, kind)                                                                  \
    find_in(&(eti_graph){.nodes = (nodes), .n_nodes = COUNT_OF(nodes)}, (handle), (kind))

static void the_fitting_operator_goes_first(void **state) {
    (void)state;
    static const eti_graph_node nodes[] = {UNTRACED(QUANTIZE, 7), UNTRACED("aten.relu.default", 7),
                                           UNTRACED("aten.convolution.default", 7),
                                           TRACED("aten.convolution.default", 7),
                                           TRACED("aten.convolution.default", 8)};
    /* nodes with a stack trace come before those without */
    assert_int_equal(FIND(nodes, 7, ETI_XNNPACK_CONV2D), 3);
    assert_int_equal(FIND(nodes, 8, ETI_XNNPACK_CONV2D), 4);
    assert_int_equal(FIND(nodes, 7, ETI_XNNPACK_CLAMP), 1);
    assert_int_equal(FIND(nodes, 7, ETI_XNNPACK_CONVERT), 0);
    /* none fits: the first node that does more than quantize */
    assert_int_equal(FIND(nodes, 7, ETI_XNNPACK_STATIC_TRANSPOSE), 1);
    assert_int_equal(FIND(nodes, 9, ETI_XNNPACK_CONV2D), -1);
}

/* The result for a handle is remembered for one kind only. */
static void kinds_do_not_mix(void **state) {
    (void)state;
    static const eti_graph_node all[] = {TRACED("aten.relu.default", 7),
                                         TRACED("aten.add.Tensor", 7)};
    const eti_graph graph = {.nodes = all, .n_nodes = 2};
    const eti_graph_node *found;
    eti_handle_nodes nodes;
    assert_true(eti__handle_nodes_init(&nodes, &graph));
    assert_true(eti__handle_nodes_find(&nodes, 7, ETI_XNNPACK_CLAMP, &found));
    assert_ptr_equal(found, &all[0]);
    assert_true(eti__handle_nodes_find(&nodes, 7, ETI_XNNPACK_ADD, &found));
    assert_ptr_equal(found, &all[1]);
    eti__handle_nodes_free(&nodes);
}

static void of_fitting_ones_without_a_trace_the_first(void **state) {
    (void)state;
    static const eti_graph_node nodes[] = {TRACED("aten.relu.default", 7),
                                           UNTRACED("aten.add.Tensor", 7),
                                           UNTRACED("aten.add.Scalar", 7)};
    assert_int_equal(FIND(nodes, 7, ETI_XNNPACK_ADD), 1);
}

static void quantizing_nodes_go_last(void **state) {
    (void)state;
    static const eti_graph_node nodes[] = {TRACED(QUANTIZE, 7), TRACED(QUANTIZE, 7)};
    assert_int_equal(FIND(nodes, 7, ETI_XNNPACK_CONV2D), 0);
}

/* Two nodes after lowering; the others belong to a lowered module. */
static void nodes_of_lowered_modules_go_first(void **state) {
    (void)state;
    static const eti_graph_node nodes[] = {
        TRACED("aten.add.Tensor", 7), TRACED("aten.sin.default", 8), TRACED("aten.add.Tensor", 7)};
    eti_graph graph = {.nodes = nodes, .n_nodes = 3, .n_lowered = 1, .is_whole = true};
    assert_int_equal(find_in(&graph, 7, ETI_XNNPACK_ADD), 2);
    /* found only outside the lowered module */
    assert_int_equal(find_in(&graph, 8, ETI_XNNPACK_SIN), 1);
    graph.is_whole = false;
    assert_int_equal(find_in(&graph, 7, ETI_XNNPACK_ADD), 0);
}

static void without_a_graph_nothing_is_found(void **state) {
    (void)state;
    eti_handle_nodes nodes = {0};
    const eti_graph_node *found;
    assert_true(eti__handle_nodes_find(&nodes, 7, ETI_XNNPACK_ADD, &found));
    assert_null(found);
    assert_int_equal(find_in(&(eti_graph){.n_nodes = 0}, 7, ETI_XNNPACK_ADD), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fitting_operator_goes_first),
        cmocka_unit_test(kinds_do_not_mix),
        cmocka_unit_test(of_fitting_ones_without_a_trace_the_first),
        cmocka_unit_test(quantizing_nodes_go_last),
        cmocka_unit_test(nodes_of_lowered_modules_go_first),
        cmocka_unit_test(without_a_graph_nothing_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
