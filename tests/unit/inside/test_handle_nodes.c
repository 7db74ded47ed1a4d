#include "support.h"

#include "record_builder.h"

#include "backends/backends.h"
#include "backends/xnnpack.h"
#include "etrecord/etrecord.h"
#include "inside/inside.h"
#include "places/places.h"

/* ==== handle nodes ============================================================================ */
/* Finds, of the nodes with a debug handle, those that may have become a node of the payload. */

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

/* ==== node order ============================================================================== */
/* A node's place is known if each other node of the list precedes or follows it, also through nodes outside the list. */

#define MOST 200

/* Nodes of a graph; each takes up to two of those before it (its own number: none). */
typedef struct graph_spec {
    eti_graph_node nodes[MOST];
    const eti_graph_node *takes[MOST][2];
    const eti_op_node *listed[MOST];
    size_t n, n_listed;
} graph_spec;

static void add(graph_spec *of, bool is_listed, size_t first, size_t second) {
    size_t i = of->n++;
    size_t takes[] = {first, second};
    assert_true(i < MOST);
    of->nodes[i].producers = of->takes[i];
    for (size_t k = 0; k < 2; k++) {
        if (takes[k] != i)
            of->takes[i][of->nodes[i].n_producers++] = &of->nodes[takes[k]];
    }
    if (is_listed)
        of->listed[of->n_listed++] = &of->nodes[i].node;
}

/* Compares the known places with "yn…". */
static void check(const graph_spec *of, const char *expected) {
    eti_arena arena = {0};
    size_t work = 0;
    char found[MOST + 1] = "";
    const eti_node_order *order = eti__node_order_find(&arena, of->listed, of->n_listed, &work);
    assert_non_null(order);
    for (size_t i = 0; i < of->n_listed; i++)
        found[i] = order->is_known[i] ? 'y' : 'n';
    assert_string_equal(found, expected);
    eti__arena_free(&arena);
}

/* 0 -> 1 -> 2, where 1 is not in the list. */
static void others_may_be_between(void **state) {
    (void)state;
    graph_spec g = {.n = 0};
    add(&g, true, 0, 0);
    add(&g, false, 0, 0);
    add(&g, true, 1, 1);
    check(&g, "yy");
}

/* The first step of a recurrent network needs no projection of the inputs, the others need both. */
static void independent_nodes_are_not_known(void **state) {
    (void)state;
    graph_spec g = {.n = 0};
    add(&g, true, 0, 0);  /* projection of all inputs */
    add(&g, true, 1, 1);  /* first step */
    add(&g, false, 0, 1); /* sum */
    add(&g, true, 2, 2);
    add(&g, false, 0, 3);
    add(&g, true, 4, 4);
    check(&g, "nnyy");
}

/* Two independent chains, as in a bidirectional network, and a node that takes both. */
static void chains_do_not_mix(void **state) {
    (void)state;
    graph_spec g = {.n = 0};
    add(&g, true, 0, 0);
    add(&g, true, 0, 0);
    add(&g, true, 2, 2);
    add(&g, true, 2, 2);
    add(&g, true, 1, 3);
    check(&g, "nnnny");
}

/* Inputs from before the first node of the list do not matter. */
static void earlier_inputs_do_not_matter(void **state) {
    (void)state;
    graph_spec g = {.n = 0};
    add(&g, false, 0, 0);
    add(&g, true, 0, 0);
    add(&g, true, 0, 1);
    check(&g, "yy");
}

static void lists_may_be_long(void **state) {
    (void)state;
    static const size_t lengths[] = {63, 64, 65, 128, 129};
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        char expected[MOST + 1] = "";
        graph_spec *g = calloc(1, sizeof *g);
        assert_non_null(g);
        for (size_t k = 0; k < lengths[i]; k++) {
            add(g, true, k > 0 ? k - 1 : 0, k > 0 ? k - 1 : 0);
            expected[k] = 'y';
        }
        check(g, expected);
        add(g, true, 0, lengths[i] - 2); /* beside the last one */
        expected[lengths[i] - 1] = expected[lengths[i]] = 'n';
        check(g, expected);
        free(g);
    }
}

/* Beyond the limit of work, no place is known. */
static void work_is_limited(void **state) {
    (void)state;
    graph_spec g = {.n = 0};
    eti_arena arena = {0};
    size_t work = (size_t)1 << 27;
    add(&g, true, 0, 0);
    add(&g, true, 0, 0);
    const eti_node_order *order = eti__node_order_find(&arena, g.listed, 2, &work);
    assert_non_null(order);
    assert_false(order->is_known[0] || order->is_known[1]);
    eti__arena_free(&arena);
}

/* ==== shared handles ========================================================================== */
/* Lists the debug handles that several instructions of a record have. */

static void each_shared_handle_is_listed_once(void **state) {
    (void)state;
    eti_shared_handles shared = {NULL, 0};
    record_builder builder = {0};
    eti_etrecord *record;
    eti_arena arena = {0};
    eti_error err = ETI_ERROR_INIT;
    make_record(&builder,
                &(record_spec){.handles = "{\"0\": [9, 3, 3], \"1\": [4, 9], \"2\": 9, \"5\": 4}"});
    assert_ok(eti__etrecord_open(&record, &arena, &builder.file, &err));
    assert_false(eti__shared_handles_have(&shared, 9)); /* not listed yet */
    assert_true(eti__shared_handles_list(&shared, record, 0));
    const int64_t *handles = shared.handles;
    assert_true(eti__shared_handles_have(&shared, 4));
    assert_true(eti__shared_handles_have(&shared, 9));
    assert_false(eti__shared_handles_have(&shared, 3)); /* one instruction has it twice */
    assert_false(eti__shared_handles_have(&shared, 5));
    assert_true(eti__shared_handles_list(&shared, record, 0));
    assert_ptr_equal(shared.handles, handles);
    eti__shared_handles_free(&shared);
    eti__etrecord_close(record);
    eti__arena_free(&arena);
    free_record(&builder);
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
        cmocka_unit_test(others_may_be_between),
        cmocka_unit_test(independent_nodes_are_not_known),
        cmocka_unit_test(chains_do_not_mix),
        cmocka_unit_test(earlier_inputs_do_not_matter),
        cmocka_unit_test(lists_may_be_long),
        cmocka_unit_test(work_is_limited),
        cmocka_unit_test(each_shared_handle_is_listed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
