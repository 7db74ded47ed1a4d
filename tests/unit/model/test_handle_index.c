/* Finds nodes by their debug handles, those of a handle in graph order; unknown handles are not found. */
#include "support.h"

#include "model/handle_index.h"

static void nodes_of_a_handle_lie_together_in_graph_order(void **state) {
    (void)state;
    const eti_graph_node nodes[] = {{.has_debug_handle = true, .debug_handle = 7},
                                    {.has_debug_handle = false},
                                    {.has_debug_handle = true, .debug_handle = 3},
                                    {.has_debug_handle = true, .debug_handle = 7},
                                    {.has_debug_handle = true, .debug_handle = INT64_MAX}};
    const eti_graph graph = {.nodes = nodes, .n_nodes = COUNT_OF(nodes)};
    eti_handle_index index;
    assert_true(eti__handle_index_init(&index, &graph));
    assert_int_equal(index.n, 4);
    assert_int_equal(eti__handle_index_first(&index, 7), 1);
    assert_int_equal(index.nodes[1].node, 0);
    assert_int_equal(index.nodes[2].node, 3);
    assert_int_equal(eti__handle_index_first(&index, INT64_MIN), 0);
    assert_int_equal(eti__handle_index_first(&index, 4), 1);
    assert_int_equal(eti__handle_index_first(&index, INT64_MAX), 3);
    eti__handle_index_free(&index);
    eti__handle_index_free(&index);
}

static void an_empty_graph_has_no_nodes(void **state) {
    (void)state;
    eti_handle_index index;
    assert_true(eti__handle_index_init(&index, &(eti_graph){0}));
    assert_int_equal(eti__handle_index_first(&index, 0), 0);
    assert_int_equal(index.n, 0);
    eti__handle_index_free(&index);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_of_a_handle_lie_together_in_graph_order),
        cmocka_unit_test(an_empty_graph_has_no_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
