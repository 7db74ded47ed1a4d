#include "support.h"

#include "base/prefix_tree.h"

/* Adds a chain of `n` items below `parent`, starting with the item `first`. */
static uint32_t add_chain(eti_prefix_tree *tree, uint32_t parent, uint32_t first, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        assert_true(eti__prefix_tree_add(tree, parent, first + i, &parent));
    return parent;
}

static void a_path_is_there_once(void **state) {
    (void)state;
    eti_prefix_tree tree = {0};
    uint32_t a, b, again;
    assert_true(eti__prefix_tree_init(&tree));
    assert_true(eti__prefix_tree_add(&tree, ETI_PREFIX_ROOT, 7, &a));
    assert_true(eti__prefix_tree_add(&tree, a, 7, &b));
    assert_true(eti__prefix_tree_add(&tree, ETI_PREFIX_ROOT, 7, &again));
    assert_int_equal(a, again);
    assert_int_not_equal(a, b);
    assert_int_equal(tree.n_nodes, 3);
    assert_int_equal(tree.nodes[b].depth, 2);
    assert_int_equal(tree.nodes[b].item, 7);
    eti__prefix_tree_free(&tree);
}

static void paths_are_cut(void **state) {
    (void)state;
    eti_prefix_tree tree = {0};
    assert_true(eti__prefix_tree_init(&tree));
    uint32_t end = add_chain(&tree, ETI_PREFIX_ROOT, 0, 1000);
    for (uint32_t depth = 0; depth <= 1000; depth++) {
        uint32_t cut = eti__prefix_tree_cut(&tree, end, depth);
        assert_int_equal(tree.nodes[cut].depth, depth);
        assert_true(depth == 0 || tree.nodes[cut].item == depth - 1);
    }
    assert_int_equal(eti__prefix_tree_cut(&tree, end, UINT32_MAX), end);
    eti__prefix_tree_free(&tree);
}

/* Climbs step by step to the common ancestor. */
static uint32_t slow_common(const eti_prefix_tree *tree, uint32_t a, uint32_t b) {
    while (a != b) {
        if (tree->nodes[a].depth < tree->nodes[b].depth)
            b = tree->nodes[b].parent;
        else
            a = tree->nodes[a].parent;
    }
    return a;
}

static void common_beginnings_are_those_found_step_by_step(void **state) {
    (void)state;
    eti_prefix_tree tree = {0};
    uint64_t random = 1;
    assert_true(eti__prefix_tree_init(&tree));
    for (uint32_t i = 0; i < 2000; i++) {
        random = eti__hash_mix(random, i);
        uint32_t parent = (uint32_t)(random % tree.n_nodes), node;
        if (i % 3)
            parent = (uint32_t)tree.n_nodes - 1;
        assert_true(eti__prefix_tree_add(&tree, parent, i, &node));
    }
    for (uint32_t i = 0; i < 20000; i++) {
        random = eti__hash_mix(random, i);
        uint32_t a = (uint32_t)(random % tree.n_nodes),
                 b = (uint32_t)((random >> 32) % tree.n_nodes);
        assert_int_equal(eti__prefix_tree_common(&tree, a, b), slow_common(&tree, a, b));
    }
    eti__prefix_tree_free(&tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_is_there_once),
        cmocka_unit_test(paths_are_cut),
        cmocka_unit_test(common_beginnings_are_those_found_step_by_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
